//! Printing an answer in the wanted format.

use std::io::{self, BufWriter, IsTerminal as _, Write as _};

use serde::Serialize;
use serde::ser::Serializer;

use super::sheet::Sheet;
use super::table::{self, Paper};
use super::{Failure, Format, csv, json, say};
use crate::client::{Answer, Warning};
use crate::glyphs::Glyphs;
use crate::model::{UtcTime, text};

/// What `--format json` prints.
#[derive(Serialize)]
pub(super) struct Envelope<'a, D> {
    pub(super) data: D,
    /// URL without secrets, or the file.
    pub(super) source: Option<String>,
    /// Whether the service says that the data are simulated.
    pub(super) simulated: bool,
    /// Which provider of a service the data come from, where it says so.
    pub(super) provider: Option<String>,
    pub(super) fetched_at: UtcTime,
    pub(super) warnings: &'a [Warning],
}

/// An answer's data: an array for a list, an object for one thing.
pub(super) struct Data<'a>(pub(super) &'a Answer);

impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Answer::Coins(page) => page.items.serialize(serializer),
            Answer::Posts(page) => page.items.serialize(serializer),
            Answer::MarketPairs(page) => page.items.serialize(serializer),
            Answer::Chart(chart) => chart.serialize(serializer),
            Answer::Market(series) => series.serialize(serializer),
            Answer::Brc20Tokens(page) => page.items.serialize(serializer),
            Answer::Brc20Token(token) => token.serialize(serializer),
            Answer::Holders(page) => page.items.serialize(serializer),
            Answer::Balances(page) => page.items.serialize(serializer),
            Answer::Activity(page) => page.items.serialize(serializer),
            Answer::Sat(sat) => sat.serialize(serializer),
            Answer::Inscriptions(page) => page.items.serialize(serializer),
            Answer::Inscription(inscription) => inscription.serialize(serializer),
            Answer::InscriptionContent(content) => content.serialize(serializer),
            Answer::InscriptionStats(page) => page.items.serialize(serializer),
        }
    }
}

/// The wanted format: without a wish, a table for people and JSON for programs.
pub(super) fn format(wish: Option<Format>) -> Format {
    wish.unwrap_or(if io::stdout().is_terminal() { Format::Table } else { Format::Json })
}

/// Warnings that a terminal is bothered with; JSON has them all.
const MOST_WARNINGS: usize = 10;

/// Prints an answer: JSON from the envelope, the others from the sheet, whose warnings go to standard error. Only tables
/// are in `glyphs`: what programs read is the same everywhere.
pub(super) fn print<D: Serialize>(
    envelope: &Envelope<'_, D>,
    wish: Option<Format>,
    glyphs: Glyphs,
    sheet: impl FnOnce() -> Sheet,
) -> Result<(), Failure> {
    let warnings: Vec<Warning> = envelope.warnings.iter().map(|words| text::clean(words).into_owned()).collect();
    let format = format(wish);
    let stdout = io::stdout().lock();
    let on_terminal = stdout.is_terminal();
    let mut out = BufWriter::with_capacity(64 * 1024, stdout);
    match format {
        Format::Json => {
            let clean = |words: &Option<String>| words.as_ref().map(|words| text::clean(words).into_owned());
            let (source, provider) = (clean(&envelope.source), clean(&envelope.provider));
            let Envelope { ref data, simulated, fetched_at, .. } = *envelope;
            json::write(&mut out, &Envelope { data, source, simulated, provider, fetched_at, warnings: &warnings })?;
        }
        Format::Csv => csv::write(&mut out, &sheet())?,
        Format::Table => {
            let paper = if on_terminal { Paper::terminal() } else { Paper::endless() };
            out.write_all(glyphs.lines(&table::render(&sheet(), &paper)).as_bytes())?;
        }
    }
    out.flush()?;
    if format != Format::Json {
        for warning in warnings.iter().take(MOST_WARNINGS) {
            say(&format!("warning: {warning}"));
        }
        if warnings.len() > MOST_WARNINGS {
            say(&format!("warning: {} more (all in --format json)", warnings.len() - MOST_WARNINGS));
        }
    }
    Ok(())
}
