//! What a file contains, or why it can't be read.

use super::draft::{Draft, Format, Problem, Skipped};

/// The contents of a file.
#[derive(Debug)]
pub(super) struct Import {
    pub(super) format: Format,
    pub(super) drafts: Vec<Draft>,
    pub(super) problems: Vec<Problem>,
    /// Lines without lots.
    pub(super) skipped: Vec<Skipped>,
    /// Lines whose fee is in a currency other than the line's, so that it is not imported. Some may be invalid.
    pub(super) other_fees: Vec<u64>,
    /// How ambiguous numbers and dates were read, as sentences.
    pub(super) readings: Vec<String>,
    /// The encoding in which the text was read, as a sentence, if it is not UTF-8.
    pub(super) encoding: Option<&'static str>,
    /// Whether the file has the order of a wallet: our own columns, or the numbers of the lots.
    pub(super) has_lot_order: bool,
}

/// A file that is not recognised.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum FileError {
    /// The header is neither UTF-8 nor Windows-1252.
    #[error("line {line} is not UTF-8 text (save the file as UTF-8)")]
    NotText {
        /// The line of the first invalid byte.
        line: u64,
    },
    /// It has lots, but also unknown columns.
    #[error("unknown column{} {found} (list columns: satscope wallet import --help)", if found.contains(',') { "s" } else { "" })]
    Column {
        /// The unknown columns.
        found: String,
    },
    /// Nothing known has this header.
    #[error(
        "{}needs at least the columns amount and slug (or symbol), or an export from CoinTracking (trade list), \
         Koinly, Coinbase, cointop or ticker (see satscope wallet import --help)",
        prefix(found)
    )]
    Unknown {
        /// The unknown columns.
        found: String,
    },
    /// It has a column twice, so that it is unclear which one counts.
    #[error("duplicate column {0}")]
    Twice(String),
    /// It is JSON, but not an export.
    #[error("expected the JSON of satscope wallet export ({0})")]
    Json(String),
    /// It is a JSON list, such as other programs print.
    #[error("expected the JSON of satscope wallet export, not a list (for cointop and ticker, use --format csv)")]
    JsonList,
    /// It is the configuration of another program.
    #[error("this is {program}'s configuration (import the output of {command} --format csv)")]
    Config {
        program: &'static str,
        /// The command that prints its holdings.
        command: &'static str,
    },
    /// There is no header.
    #[error("file is empty")]
    Empty,
}

impl FileError {
    /// The error for columns that are not known.
    pub(super) fn column(unknown: &[&str]) -> FileError {
        FileError::Column { found: shown(unknown) }
    }

    /// The error for a header without known columns.
    pub(super) fn unknown(columns: &[&str]) -> FileError {
        FileError::Unknown { found: shown(columns) }
    }
}

fn prefix(unknown: &str) -> String {
    if unknown.is_empty() {
        String::new()
    } else {
        format!("unknown column{} {unknown}; ", if unknown.contains(',') { "s" } else { "" })
    }
}

/// Columns in a message: as many whole ones as fit.
fn shown(columns: &[&str]) -> String {
    const MAX_CHARS: usize = 60;
    let mut text = String::new();
    for (index, column) in columns.iter().enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        let is_long = text.chars().count() + separator.len() + column.chars().count() > MAX_CHARS;
        if is_long && index > 0 {
            return text + ", …";
        }
        text += separator;
        text.extend(column.chars().take(MAX_CHARS));
        if is_long {
            text.push('…');
        }
    }
    text
}
