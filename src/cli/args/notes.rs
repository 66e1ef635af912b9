//! `satscope notes`.

use clap::{ArgGroup, Subcommand};

use super::value::{name, note};
use crate::model::Text;

pub(super) const HELP: &str = "\
Examples:
  satscope notes add ordi \"unlock\" --at 2026-11-20
  satscope notes remove ordi --at 2026-11-20

Notes are marked in the charts of their coin. A time is a day (2026-11-20, today, yesterday), a local time (2026-11-20 \
14:00) or RFC 3339 (2026-11-20T14:00:00Z). Up to 1,000 notes are saved, for all coins together.

Adding a note replaces an existing one with the same coin and time, and prints the replaced text.";

/// `satscope notes …`
#[derive(Debug, Subcommand)]
pub enum NotesCommand {
    /// List notes
    List {
        /// Only notes of this coin: symbol or slug
        #[arg(value_name = "COIN", value_parser = name)]
        coin: Option<Text>,
    },
    /// Add a note, or replace the one at that time
    #[command(after_help = HELP)]
    Add {
        /// Symbol or slug of the coin
        #[arg(value_name = "COIN", value_parser = name)]
        coin: Text,
        /// Text of the note
        #[arg(required = true, value_name = "TEXT", allow_negative_numbers = true, value_parser = note)]
        text: Vec<String>,
        /// Time in the chart [default: now]
        #[arg(long, value_name = "TIME")]
        at: Option<String>,
    },
    /// Remove one or all notes of a coin
    #[command(after_help = HELP, group(ArgGroup::new("which").args(["at", "all"]).required(true)))]
    Remove {
        /// Symbol or slug of the coin
        #[arg(value_name = "COIN", value_parser = name)]
        coin: Text,
        /// Time of the note
        #[arg(long, value_name = "TIME")]
        at: Option<String>,
        /// All notes of the coin
        #[arg(long)]
        all: bool,
    },
}
