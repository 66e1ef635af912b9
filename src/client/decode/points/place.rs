//! Finds points in a response and detects their format.

use super::columns;
use super::field::{self, Field};
use super::figure_name::names_figure;
use super::time_key::{is_by_time, is_time};
use crate::client::decode::field_name::same_name;
use crate::client::decode::identity;
use crate::client::decode::names::Names;
use crate::client::decode::requested_coin::RequestedCoin;
use crate::client::decode::tape::{Kind, Tape, Value};

/// Field names of points: CoinMarketCap's website; CoinMarketCap; CoinGecko, DefiLlama; proxies that follow the
/// interface; LiveCoinWatch; Twelve Data; proxies of exchanges, own.
pub(in crate::client::decode) const SERIES: &[&str] = &[
    "points",
    "quotes",
    "prices",
    "chart",
    "series",
    "sparkline",
    "history",
    "values",
    "ohlcv",
    "ohlc",
    "klines",
    "candles",
];

/// Points found in a response, by format.
#[derive(Clone, Copy, Debug)]
pub(in crate::client::decode) enum Series<'a> {
    /// An empty or `null` field for points.
    Empty,
    /// A list of points.
    Rows(Value<'a>),
    /// The points of one coin in a list with several coins.
    RowsOf(Value<'a>, &'a str),
    /// A map by time.
    ByTime(Value<'a>),
    /// A list that PHP wrote as a map by index.
    ByIndex(Value<'a>),
    /// Separate lists of `[time, value]` rows, or maps by time, for price, volume and cap.
    Columns(Value<'a>),
    /// Parallel lists of times and prices.
    Parallel(Parallel<'a>),
    /// Rows without field names, or a map of them by time, and the names of their columns.
    Table(Value<'a>, Value<'a>),
    /// Other values than prices, as the response names them.
    NotPrices(Value<'a>),
}

impl<'a> Series<'a> {
    /// Finds points: the value itself, a field of [`SERIES`], or in these wrappers, some levels deep.
    pub(in crate::client::decode) fn find(value: Value<'a>, wrappers: &[&str]) -> Option<Series<'a>> {
        Series::find_in(value, wrappers, SeriesHints::default())
    }

    /// Finds points like [`Series::find`], with these hints from the objects around the value.
    pub(in crate::client::decode) fn find_in(
        value: Value<'a>,
        wrappers: &[&str],
        mut hints: SeriesHints<'a>,
    ) -> Option<Series<'a>> {
        let mut at = value;
        for _ in 0..8 {
            if at.is_raw() {
                return None;
            }
            if at.is_array() && at.items().next().is_none() {
                return Some(Series::Empty);
            }
            if at.is_array() {
                return Some(hints.series(at));
            }
            if let Some(lists) = Parallel::find(at) {
                return Some(Series::Parallel(lists));
            }
            if at.get(PRICES).is_some_and(|prices| prices.is_array() || has_columns(at) && is_by_time(prices)) {
                return Some(Series::Columns(at));
            }
            hints.add(at);
            let inside = SERIES.iter().chain(wrappers).filter_map(|name| at.get(name));
            if let Some(inner) = inside.into_iter().find(|inner| inner.is_array() || inner.is_object()) {
                at = inner;
                continue;
            }
            let mut keys = at.fields().map(|(key, _)| key.raw());
            return match keys.next() {
                None if at.is_object() => Some(Series::Empty),
                Some(first) if is_time(first) => Some(hints.series(at)),
                Some("0") if is_by_index(at) => Some(Series::ByIndex(at)),
                // `"points": null` means that there are none.
                Some(_) if at.fields().any(|(key, value)| value.is_null() && is_place(key.raw(), wrappers)) => {
                    Some(Series::Empty)
                }
                _ => None,
            };
        }
        None
    }
}

/// What the objects around points say about their columns or values.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::client::decode) struct SeriesHints<'a> {
    /// The names of the columns.
    header: Option<Value<'a>>,
    /// What may be the names of the columns, if the rows match.
    described: Option<Value<'a>>,
    /// The name of the values, which are not prices.
    figure: Option<Value<'a>>,
}

impl<'a> SeriesHints<'a> {
    /// Adds an object inside the others.
    pub(in crate::client::decode) fn add(&mut self, object: Value<'a>) {
        // A map by time may be long.
        if !is_by_time(object) {
            self.header = header_in(object).or(self.header);
            self.described = described_header_in(object).or(self.described);
            self.figure = figure_in(object).or(self.figure);
        }
    }

    /// Adds an object around several series. Its column names may be those of something else.
    pub(in crate::client::decode) fn add_outer(&mut self, object: Value<'a>) {
        if !is_by_time(object) {
            self.described = header_in(object).or_else(|| described_header_in(object)).or(self.described);
            self.figure = figure_in(object).or(self.figure);
        }
    }

    /// The series of a list of rows, or of a map by time.
    fn series(self, rows: Value<'a>) -> Series<'a> {
        let described = || self.described.filter(|header| columns::is_header_of(*header, rows));
        match (self.figure, self.header.or_else(described)) {
            (Some(figure), _) => Series::NotPrices(figure),
            (None, Some(header)) => Series::Table(rows, header),
            (None, None) if rows.is_object() => Series::ByTime(rows),
            (None, None) => Series::Rows(rows),
        }
    }
}

/// The first column in [`Series::Columns`] (CoinGecko).
pub(super) const PRICES: &str = "prices";

/// Names of the other columns: CoinGecko; proxies.
pub(super) const VOLUMES: &[&str] = &["total_volumes", "volumes"];
pub(super) const CAPS: &[&str] = &["market_caps"];

/// Names of the lists in [`Parallel`]: TradingView, proxies.
const TIMES: &[&str] = &["t", "timestamps", "timestamp", "times", "time", "dates", "date"];
const PRICE_LISTS: &[&str] = &["prices", "price"];

/// Names of the closes of candles, whose volumes are in units that the response does not state.
const CLOSES: &[&str] = &["c", "closes", "close"];

/// Parallel lists of times and figures.
#[derive(Clone, Copy, Debug)]
pub(in crate::client::decode) struct Parallel<'a> {
    pub(super) times: Value<'a>,
    /// Price, volume and market cap.
    pub(super) figures: [Option<Value<'a>>; 3],
}

impl<'a> Parallel<'a> {
    fn find(at: Value<'a>) -> Option<Parallel<'a>> {
        let is_scalar = |item: Value<'a>| !item.is_array() && !item.is_object();
        let is_list = |list: &Value<'a>| list.is_array() && !list.is_raw() && list.items().next().is_none_or(is_scalar);
        let list = |names: &[&str]| names.iter().find_map(|name| at.get(name).filter(is_list));
        // An empty one means that there are none.
        let filled = |names: &[&str]| list(names).filter(|list| list.items().next().is_some());
        let times = list(TIMES)?;
        let (prices, volumes) = match list(PRICE_LISTS) {
            Some(prices) => (prices, filled(VOLUMES)),
            None => (list(CLOSES)?, None),
        };
        Some(Parallel { times, figures: [Some(prices), volumes, filled(CAPS)] })
    }
}

/// Whether an object has columns other than [`PRICES`].
fn has_columns(object: Value<'_>) -> bool {
    object.any(VOLUMES).or(object.any(CAPS)).is_some()
}

/// Whether a map by index has points.
fn is_by_index(map: Value<'_>) -> bool {
    let mut tape = Tape::default();
    map.fields().next().is_some_and(|(_, first)| tape.expand(first).is_ok_and(is_point))
}

/// Field names of the names of columns.
pub(in crate::client::decode) const HEADERS: [&str; 6] =
    ["columns", "fields", "headers", "header", "names", "column_names"];

/// Objects beside rows that may have the names of their columns: Messari; proxies.
const DESCRIPTIONS: [&str; 7] = ["parameters", "params", "schema", "meta", "metadata", "config", "info"];

/// Further field names of the names of columns: proxies; Messari (an object).
const ORDERS: [&str; 2] = ["order", "values_schema"];

/// Field names of what the values are.
const FIGURES: [&str; 5] = ["metric", "series", "measure", "indicator", "value_type"];

/// The names of columns beside rows: several strings, or objects with them.
fn header_in(object: Value<'_>) -> Option<Value<'_>> {
    let header = object.any(&HEADERS).filter(Value::is_array)?;
    let mut tape = Tape::default();
    let names = tape.expand(header).ok()?;
    let is_name = |name: Value<'_>| name.is_object() || name.str().is_some_and(|name| !is_time(&name));
    (names.items().nth(1).is_some() && names.items().all(is_name)).then_some(header)
}

/// What may be the names of columns: under one of [`ORDERS`], or in an object beside the rows. The rows may
/// have other columns.
fn described_header_in(object: Value<'_>) -> Option<Value<'_>> {
    let about = DESCRIPTIONS.iter().filter_map(|name| object.get(name));
    let is_list = |names: &Value<'_>| names.is_array() || names.is_object();
    let names = || HEADERS.iter().chain(&ORDERS);
    let mut inside = about.flat_map(|about| names().filter_map(move |name| about.get(name)));
    object.any(&ORDERS).filter(is_list).or_else(|| inside.find(is_list))
}

/// The name of the values in a series, if they are not prices.
fn figure_in(object: Value<'_>) -> Option<Value<'_>> {
    object.any(&FIGURES).filter(|name| name.str().is_some_and(|name| names_figure(&name)))
}

fn is_place(key: &str, wrappers: &[&str]) -> bool {
    SERIES.iter().chain(wrappers).any(|name| same_name(name, key))
}

/// Whether an object or array is a point, not a container of points.
pub(in crate::client::decode) fn is_point(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::Array => value.items().all(|cell| !cell.is_array() && !cell.is_object()),
        Kind::Object => {
            let time = value.any(field::names(Field::Time));
            time.is_some_and(|time| !time.is_array() && !time.is_object()) && !holds_points(value)
        }
        _ => false,
    }
}

/// Whether an object has a time.
pub(in crate::client::decode) fn has_time(value: Value<'_>) -> bool {
    time_of(value).is_some()
}

/// The time of an object.
pub(in crate::client::decode) fn time_of(value: Value<'_>) -> Option<Value<'_>> {
    value.any(field::names(Field::Time))
}

/// Whether an object without a time contains points, also in a common wrapper.
pub(in crate::client::decode) fn holds_series(value: Value<'_>) -> bool {
    holds_points(value) || value.get("data").is_some_and(|data| data.is_array())
}

/// Whether an object contains points.
pub(in crate::client::decode) fn holds_points(value: Value<'_>) -> bool {
    SERIES.iter().any(|name| {
        value.get(name).is_some_and(|series| series.is_object() || series.is_array() && !lists_series(series))
    })
}

/// Whether an object contains a list or map of points, unlike `{"points": {"count": 96}}` or
/// `{"history": ["1D"]}`.
pub(in crate::client::decode) fn has_points(value: Value<'_>) -> bool {
    let may_be_point = |item: Value<'_>| item.is_array() || item.is_object() || item.number().is_some();
    let may_be_column = |(key, value): (Value<'_>, Value<'_>)| {
        value.is_array() || value.is_object() || key.raw().starts_with(|c: char| c.is_ascii_digit())
    };
    SERIES.iter().filter_map(|name| value.get(name)).any(|series| {
        let mut tape = Tape::default();
        let Ok(series) = tape.expand(series) else { return false };
        if series.is_array() {
            !lists_series(series) && series.items().next().is_some_and(may_be_point)
        } else {
            series.is_object() && series.fields().next().is_some_and(may_be_column)
        }
    })
}

/// Whether the items of a list contain points.
fn lists_series(list: Value<'_>) -> bool {
    let mut tape = Tape::default();
    let Some(Ok(first)) = list.items().next().map(|first| tape.expand(first)) else { return false };
    let holds = |name: &str| first.get(name).is_some_and(|series| series.is_object() || series.is_array());
    !has_time(first) && (SERIES.iter().any(|name| holds(name)) || holds("data"))
}

/// Whether a row names this coin.
pub(in crate::client::decode) fn is_of(row: Value<'_>, coin: &str) -> bool {
    let fields = [Field::Symbol, Field::Slug, Field::Coin, Field::Asset, Field::Pair];
    let names = Field::ALL.iter().filter(|(field, _)| fields.iter().any(|known| known.index() == field.index()));
    let mut names = names.filter_map(|(_, names)| row.any(names)?.str());
    names.any(|name| identity::is_series_of(&name, coin) || RequestedCoin::Symbol(coin).is_named(&name))
}
