//! Prints responses in the requested format.

use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::path::Path;

use serde::Serialize;
use serde::ser::Serializer;
use serde_json::{Map, Value};

use super::args::Format;
use super::failure::{Failure, say};
use super::sheet::{self, Sheet};
use super::table::{self, Output};
use super::{csv, json, notices};
use crate::client::{Reply, ResponseData, Warning};
use crate::config::Display;
use crate::format::words::counted;
use crate::model::{Chart, Currency, ExchangeCandles, MarketSeries, Period, Point, Text, UtcTime, text};

/// The object printed by `--format json`.
#[derive(Serialize)]
pub(super) struct Envelope<'a, D> {
    pub(super) data: D,
    /// URL without secrets, or path of the file.
    pub(super) source: Option<String>,
    /// Whether the data is simulated.
    pub(super) simulated: bool,
    /// The provider of the data, if known.
    pub(super) provider: Option<String>,
    /// When the provider sent the data, as far as known.
    pub(super) fetched_at: UtcTime,
    pub(super) warnings: &'a [Warning],
}

impl<'a, D> Envelope<'a, D> {
    /// Data with the properties of a response, or of now if none was needed.
    pub(super) fn fetched(data: D, reply: Option<&Reply>, source: Option<String>, warnings: &'a [Warning]) -> Self {
        Envelope {
            data,
            source,
            simulated: reply.is_some_and(|reply| reply.simulated),
            provider: reply.and_then(|reply| reply.provider.as_ref()).map(ToString::to_string),
            // A service may have cached it.
            fetched_at: reply.map_or_else(UtcTime::now, |reply| reply.fetched_at.minus(reply.age)),
            warnings,
        }
    }

    /// Data of the user, read now from a file or directory.
    pub(super) fn local(data: D, source: Option<&Path>) -> Self {
        Envelope {
            data,
            source: source.map(|path| path.display().to_string()),
            simulated: false,
            provider: None,
            fetched_at: UtcTime::now(),
            warnings: &[],
        }
    }
}

/// A chart. Only a chart from an exchange has candles.
#[derive(Serialize)]
struct ChartFields<'a> {
    slug: &'a Text,
    period: Period,
    convert: &'a Currency,
    points: &'a [Point],
    #[serde(skip_serializing_if = "Option::is_none")]
    candles: Option<&'a ExchangeCandles>,
}

impl<'a> From<&'a Chart> for ChartFields<'a> {
    fn from(chart: &'a Chart) -> ChartFields<'a> {
        let Chart { slug, period, convert, points, candles, volume_span: _ } = chart;
        ChartFields { slug, period: *period, convert, points, candles: candles.as_ref() }
    }
}

/// A series, without candles.
#[derive(Serialize)]
struct SeriesFields<'a> {
    id: Option<&'a Text>,
    name: Option<&'a Text>,
    symbol: &'a Text,
    slug: Option<&'a Text>,
    convert: &'a Currency,
    interval: Option<&'a Text>,
    points: &'a [Point],
}

impl<'a> From<&'a MarketSeries> for SeriesFields<'a> {
    fn from(series: &'a MarketSeries) -> SeriesFields<'a> {
        let MarketSeries { id, name, symbol, slug, convert, interval, points, volume_span: _, candles: _ } = series;
        SeriesFields {
            id: id.as_ref(),
            name: name.as_ref(),
            symbol,
            slug: slug.as_ref(),
            convert,
            interval: interval.as_ref(),
            points,
        }
    }
}

/// The data of a response: an array for a list, an object for a single item.
pub(super) struct Data<'a>(pub(super) &'a ResponseData);

impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            ResponseData::Coins(page) => serializer.collect_seq(
                page.items.iter().map(|coin| Fields { item: sheet::row(coin), names: sheet::fields(self.0) }),
            ),
            ResponseData::Posts(page) => page.items.serialize(serializer),
            ResponseData::MarketPairs(page) => serializer.collect_seq(page.items.iter().map(|pair| {
                let mut item = sheet::row(pair);
                // The model has no absent name.
                if pair.pair.is_empty() {
                    item.insert(String::from("pair"), Value::Null);
                }
                Fields { item, names: sheet::fields(self.0) }
            })),
            ResponseData::Chart(chart) => ChartFields::from(chart).serialize(serializer),
            ResponseData::Market(series) => serializer.collect_seq(series.iter().map(SeriesFields::from)),
            ResponseData::Brc20Tokens(page) => page.items.serialize(serializer),
            ResponseData::Brc20Token(token) => token.serialize(serializer),
            ResponseData::Holders(page) => page.items.serialize(serializer),
            ResponseData::Balances(page) => page.items.serialize(serializer),
            ResponseData::Activity(page) => page.items.serialize(serializer),
            ResponseData::Sat(sat) => sat.serialize(serializer),
            ResponseData::Inscriptions(page) => page.items.serialize(serializer),
            ResponseData::Inscription(inscription) => inscription.serialize(serializer),
            ResponseData::InscriptionContent(content) => content.serialize(serializer),
            ResponseData::InscriptionStats(page) => page.items.serialize(serializer),
            ResponseData::ChainState(state) => state.serialize(serializer),
            ResponseData::BitcoinBalance(balance) => balance.serialize(serializer),
            ResponseData::Sources(sources) => sources.serialize(serializer),
            ResponseData::CoinNames(names) => names.serialize(serializer),
            ResponseData::HistoricalRates(rates) => rates.serialize(serializer),
            ResponseData::Picture(picture) => picture.serialize(serializer),
        }
    }
}

/// The documented fields of an item whose type has more fields, in order.
struct Fields {
    item: Map<String, Value>,
    names: &'static [&'static str],
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.names.iter().map(|name| (name, self.item.get(*name))))
    }
}

/// The output format; by default a table on a terminal and JSON in a pipe.
pub(super) fn format(requested: Option<Format>) -> Format {
    requested.unwrap_or(if io::stdout().is_terminal() { Format::Table } else { Format::Json })
}

/// Maximum warnings on standard error. JSON contains all.
const MAX_WARNINGS: usize = 10;

/// The reason why data is missing, as a warning in JSON. With other formats, only the error message has it.
pub(super) fn reason_in_json(reason: Option<&str>, requested: Option<Format>) -> Option<Warning> {
    reason.filter(|_| format(requested) == Format::Json).map(str::to_owned)
}

/// Makes the reason why data is missing the last warning in JSON, and removes it from the warnings of other formats.
pub(super) fn set_reason(warnings: &mut Vec<Warning>, reason: Option<&str>, requested: Option<Format>) {
    warnings.retain(|warning| Some(warning.as_str()) != reason);
    warnings.extend(reason_in_json(reason, requested));
}

/// Prints a response: JSON from the envelope, other formats from the sheet, with warnings on standard error. Only
/// tables depend on `display`: their times are in its time zone.
pub(super) fn print<D: Serialize>(
    envelope: &Envelope<'_, D>,
    requested: Option<Format>,
    display: &Display,
    make_sheet: impl FnOnce() -> Sheet,
) -> Result<(), Failure> {
    let format = format(requested);
    let notices = if format == Format::Json { notices::all() } else { Vec::new() };
    let warnings = notices.iter().chain(envelope.warnings).map(|words| text::clean(words).into_owned());
    let warnings: Vec<Warning> = warnings.collect();
    let stdout = io::stdout().lock();
    let on_terminal = stdout.is_terminal();
    let mut out = BufWriter::with_capacity(64 * 1024, stdout);
    let mut hidden = Vec::new();
    match format {
        Format::Json => {
            let clean = |words: &Option<String>| words.as_ref().map(|words| text::clean(words).into_owned());
            let (source, provider) = (clean(&envelope.source), clean(&envelope.provider));
            let Envelope { ref data, simulated, fetched_at, .. } = *envelope;
            json::write(&mut out, &Envelope { data, source, simulated, provider, fetched_at, warnings: &warnings })?;
        }
        Format::Csv => csv::write(&mut out, &make_sheet())?,
        // Commands without a chart reject `plot`.
        Format::Table | Format::Plot => {
            let sheet = make_sheet();
            debug_assert_eq!(sheet.unknown_field(), None);
            if sheet.has_times() {
                warn_about_time_zone(display);
            }
            let output = device(display, on_terminal);
            out.write_all(display.glyphs().lines(&table::render(&sheet, &output)).as_bytes())?;
            hidden = table::hidden_columns(&sheet, &output);
        }
    }
    out.flush()?;
    if !hidden.is_empty() {
        say(&format!("hidden columns: {} (all: --format csv)", hidden.join(", ")));
    }
    if format != Format::Json {
        warn(&warnings);
    }
    Ok(())
}

/// Says below a table that its rows were removed, since it looks like a list of what is left.
pub(super) fn note_removed(rows: usize, item: &str, requested: Option<Format>) {
    if format(requested) == Format::Table {
        say(&format!("removed {}", counted(rows, item)));
    }
}

/// Warns about an unknown time zone before an output with times.
pub(super) fn warn_about_time_zone(display: &Display) {
    if let Some(wanted) = display.time_zone.zone().wanted() {
        say(&format!("warning: time zone {wanted} not found; times are in UTC"));
    }
}

/// The output device of tables and plots.
pub(super) fn device(display: &Display, on_terminal: bool) -> Output {
    let zone = display.time_zone.zone();
    if on_terminal { Output::terminal(zone) } else { Output::unlimited(zone) }
}

/// Prints warnings to standard error.
pub(super) fn warn(warnings: &[Warning]) {
    for warning in warnings.iter().take(MAX_WARNINGS) {
        say(&format!("warning: {warning}"));
    }
    if warnings.len() > MAX_WARNINGS {
        say(&format!("warning: {} more (all in --format json)", warnings.len() - MAX_WARNINGS));
    }
}
