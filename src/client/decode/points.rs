//! Points over time, in any of the forms in which services send them.
//!
//! | form | of |
//! |---|---|
//! | `{"1795075200": {"v": [price, volume, cap, …], "c": [price, volume, cap]}}` | CoinMarketCap's web charts, v3 |
//! | `[{"s": "1795075200", "v": [price, volume, cap], "c": {}}]` | the same, v3.3 |
//! | `[{"timestamp": …, "quote": {"USD": {"price": …}}}]` | quotes/historical |
//! | `[{"timeClose": …, "quote": {"close": …, "volume": …}}]` | candles as objects |
//! | `{"prices": [[ms, price]], "total_volumes": [[ms, volume]], "market_caps": [[ms, cap]]}` | CoinGecko |
//! | `{"t": [s], "c": [price], "v": [volume]}` | TradingView's data feeds |
//! | `[[ms, open, high, low, close]]`, `[[price, volume, s]]` | candles and points as rows |
//! | `[{"time": …, "price": …}]`, `{"1795075200": price}` | plain ones |

use super::envelope::unwrap_item;
use super::money::{self, Currencies};
use super::names::{Lookup, Names, names};
use super::read::Context;
use super::tape::{Kind, Tape, Value};
use crate::model::{Currency, Point, UtcTime};

/// Names of fields in which points lie.
pub(super) const SERIES: &[&str] =
    &["points", "quotes", "prices", "chart", "series", "candles", "ohlcv", "ohlc", "history", "values", "sparkline"];

/// Points of one series that are read: two years by five minutes. A screen shows a few hundred of them.
pub(super) const POINTS_MAX: usize = 210_000;

names! {
    /// The names that a point's fields go by.
    enum Field {
        Time = ["timestamp", "time", "ts", "t", "s", "time_close", "close_time", "date", "datetime", "time_open", "x"],
        Price = ["price", "close", "p", "value", "rate", "y", "price_usd", "usd"],
        Volume = ["volume_24h", "volume", "volume_24hr", "total_volume", "vol", "volume_usd", "volume_24h_usd"],
        MarketCap = ["market_cap", "cap", "mcap"],
        Currency = ["symbol", "currency", "convert"],
        Quote = ["quote", "quotes"],
        /// An array of price, volume and cap in dollars, or a volume.
        V = ["v"],
        /// The same in the asked currency, or a closing price.
        C = ["c"],
    }
}

/// Where in an answer points were found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Series<'a> {
    /// None, although there is a place for them.
    Empty,
    /// A list of them.
    Rows(Value<'a>),
    /// Those of one coin in a list of several coins' points.
    RowsOf(Value<'a>, &'a str),
    /// A map by time.
    ByTime(Value<'a>),
    /// Lists of rows for price, volume and cap side by side.
    Columns(Value<'a>),
    /// Lists of times, prices and volumes side by side.
    Parallel(Value<'a>),
}

impl<'a> Series<'a> {
    /// Looks for points: the value itself, or in one of [`SERIES`], or in one of these wrappers, some levels deep.
    pub(super) fn find(value: Value<'a>, wrappers: &[&str]) -> Option<Series<'a>> {
        let mut at = value;
        for _ in 0..8 {
            if at.is_closed() {
                return None;
            }
            if at.is_array() {
                return Some(if at.items().next().is_some() { Series::Rows(at) } else { Series::Empty });
            }
            if [TIMES, CLOSES].into_iter().all(|names| at.any(names).is_some_and(|list| list.is_array())) {
                return Some(Series::Parallel(at));
            }
            if at.any(PRICES).is_some_and(|prices| prices.is_array()) {
                return Some(Series::Columns(at));
            }
            let inside = SERIES.iter().chain(wrappers).filter_map(|name| at.get(name));
            if let Some(inner) = inside.into_iter().find(|inner| inner.is_array() || inner.is_object()) {
                at = inner;
                continue;
            }
            let mut keys = at.fields().map(|(key, _)| key.raw());
            return match keys.next() {
                None if at.is_object() => Some(Series::Empty),
                Some(first) if is_time(first) => Some(Series::ByTime(at)),
                // `"points": null` is a place without points.
                Some(_) if at.fields().any(|(key, value)| value.is_null() && is_place(key.raw(), wrappers)) => {
                    Some(Series::Empty)
                }
                _ => None,
            };
        }
        None
    }
}

/// Names of the first column in [`Series::Columns`].
const PRICES: &[&str] = &["prices", "price_usd"];

/// Names of the lists in [`Series::Parallel`].
const TIMES: &[&str] = &["t", "time", "times", "timestamp", "timestamps", "labels", "dates"];
const CLOSES: &[&str] = &["c", "close", "price", "prices", "values", "data"];
const VOLUMES: &[&str] = &["v", "volume", "volumes"];

fn is_place(key: &str, wrappers: &[&str]) -> bool {
    SERIES.iter().chain(wrappers).any(|name| super::names::same_name(name, key))
}

/// Whether a key is a time: eight digits at least, or an ISO date.
pub(super) fn is_time(key: &str) -> bool {
    let digits = key.bytes().take_while(u8::is_ascii_digit).count();
    digits >= 8 || digits == 4 && key.as_bytes().get(4) == Some(&b'-')
}

/// Price, volume and market cap.
type Figures = [Option<f64>; 3];

/// One point as it came: figures in a currency that is or is not stated, and where the service has both, those in the
/// asked one.
#[derive(Clone, Debug)]
struct Raw {
    time: UtcTime,
    figures: Figures,
    converted: Option<Figures>,
}

/// Reads points. Keeps its tape and names for the next series.
#[derive(Debug)]
pub(super) struct Reader {
    point: Lookup<Field>,
    quote: Lookup<Field>,
    tape: Tape,
    /// The currency that the points of this series state.
    stated: Option<Currency>,
}

impl Reader {
    /// A reader.
    pub(super) fn new() -> Reader {
        Reader { point: Lookup::new(), quote: Lookup::new(), tape: Tape::default(), stated: None }
    }

    /// The points of a series, oldest first, one a moment (of several the last with a price), and their currency.
    /// `None` where there are rows and none of them is a point.
    pub(super) fn read(
        &mut self,
        context: &mut Context<'_>,
        series: Series<'_>,
        currencies: &mut Currencies<'_>,
    ) -> Option<(Vec<Point>, Currency)> {
        self.stated = None;
        let asked = currencies.asked();
        let mut tape = std::mem::take(&mut self.tape);
        let mut raws: Vec<Raw> = Vec::new();
        let mut rows = 0_usize;
        let mut take = |reader: &mut Reader, context: &mut Context<'_>, key: Option<Value<'_>>, row: Value<'_>| {
            rows += 1;
            if rows > POINTS_MAX {
                return;
            }
            match tape.expand(row) {
                Err(flaw) => context.flawed(row, flaw),
                Ok(opened) => match reader.point(context, key, opened, asked).or_else(|| {
                    let (_, inner) = unwrap_item(opened)?;
                    reader.point(context, key, inner, asked)
                }) {
                    Some(point) => raws.push(point),
                    None => context.unreadable(row, "a point with its time"),
                },
            }
        };
        match series {
            Series::Empty | Series::Parallel(_) => {}
            Series::Rows(list) => list.items().for_each(|row| take(self, context, None, row)),
            Series::RowsOf(list, symbol) => {
                let mut tape = Tape::default();
                for row in list.items().filter(|row| tape.expand(*row).is_ok_and(|row| is_of(row, symbol))) {
                    take(self, context, None, row);
                }
            }
            Series::ByTime(map) => map.fields().for_each(|(key, row)| take(self, context, Some(key), row)),
            Series::Columns(columns) => {
                if let Some(prices) = columns.any(PRICES) {
                    prices.items().for_each(|row| take(self, context, None, row));
                }
            }
        }
        if let Series::Parallel(lists) = series {
            rows = parallel(context, lists, &mut raws);
        }
        if let Series::RowsOf(_, symbol) = series {
            // The symbol of such rows is the coin's, not that of a currency.
            self.stated = self.stated.take().filter(|stated| !stated.as_str().eq_ignore_ascii_case(symbol));
        }
        if rows > POINTS_MAX {
            context.warn(|| format!("of {rows} points only the first {POINTS_MAX} were read"));
        }
        if let Series::Columns(columns) = series {
            raws.sort_by_key(|raw| raw.time);
            let names: [&[&str]; 2] = [
                &["total_volumes", "volumes", "volume_usd"],
                &["market_caps", "market_cap", "market_cap_by_available_supply"],
            ];
            for (place, names) in (1..).zip(names) {
                self.column(context, &mut tape, columns.any(names), &mut raws, place);
            }
        }
        self.tape = tape;
        if raws.is_empty() && rows > 0 {
            return None;
        }
        Some(self.finish(raws, currencies))
    }

    /// Joins a column of `[time, figure]` rows to the points by time.
    fn column(
        &mut self,
        context: &mut Context<'_>,
        tape: &mut Tape,
        rows: Option<Value<'_>>,
        raws: &mut [Raw],
        place: usize,
    ) {
        for row in rows.iter().flat_map(Value::items) {
            let Ok(row) = tape.expand(row) else { continue };
            let mut cells = row.items();
            let (Some(time), figure) = (context.time(cells.next()), context.f64(cells.next())) else { continue };
            let Ok(at) = raws.binary_search_by_key(&time, |raw| raw.time) else { continue };
            if let Some(cell) = raws.get_mut(at).and_then(|raw| raw.figures.get_mut(place)) {
                *cell = figure;
            }
        }
    }

    fn finish(&mut self, mut raws: Vec<Raw>, currencies: &mut Currencies<'_>) -> (Vec<Point>, Currency) {
        // Where any point has figures in the asked currency, a point without them (the live one) is a gap.
        let asked = currencies.asked();
        let has_both = raws.iter().any(|raw| raw.converted.is_some());
        let converted = has_both
            && *asked != Currency::usd()
            && raws.iter().any(|raw| raw.converted.is_some_and(|c| c[0].is_some()));
        let stated =
            if has_both { Some(if converted { asked.clone() } else { Currency::usd() }) } else { self.stated.take() };
        raws.sort_by_key(|raw| raw.time);
        let mut points: Vec<Point> = Vec::with_capacity(raws.len());
        for raw in raws {
            let [price, volume, market_cap] = if converted { raw.converted.unwrap_or_default() } else { raw.figures };
            let point = Point { time: raw.time, price, volume, market_cap };
            match points.last_mut() {
                Some(last) if last.time == point.time => {
                    if point.price.is_some() || last.price.is_none() {
                        *last = point;
                    }
                }
                _ => points.push(point),
            }
        }
        let label = if points.is_empty() && stated.is_none() { asked.clone() } else { currencies.label(stated) };
        (points, label)
    }

    /// One point; its time stands in `key` or in the row.
    fn point(
        &mut self,
        context: &mut Context<'_>,
        key: Option<Value<'_>>,
        row: Value<'_>,
        asked: &Currency,
    ) -> Option<Raw> {
        if row.is_array() {
            return self.row(context, key, row);
        }
        if !row.is_object() {
            let time = context.time(Some(key?))?;
            return Some(Raw { time, figures: [context.f64(Some(row)), None, None], converted: None });
        }
        let point = self.point.read(row);
        let (v, c) = (point.get(Field::V), point.get(Field::C));
        let is_list = |value: Option<Value<'_>>| value.is_some_and(|value| value.is_array());
        let mut time = context.time(key.or(point.get(Field::Time)));
        if is_list(v) || is_list(c) {
            let converted = c.filter(|c| c.is_array()).map(|c| figures(context, c)).unwrap_or_default();
            let figures = v.map(|v| figures(context, v)).unwrap_or_default();
            return Some(Raw { time: time?, figures, converted: Some(converted) });
        }
        let mut figures: Figures = [
            context.f64(number(point.get(Field::Price).or(c))),
            context.f64(number(point.get(Field::Volume).or(v))),
            context.f64(number(point.get(Field::MarketCap))),
        ];
        let mut known = [Field::Price, Field::Volume, Field::MarketCap].iter().any(|field| point.get(*field).is_some());
        known |= c.is_some() || v.is_some();
        let mut stated = point.get(Field::Currency).and_then(|currency| money::code(currency.raw()));
        let quotes = point.get(Field::Quote);
        if let Some((quote, currency)) = quotes.and_then(|quotes| money::choose(quotes, asked)) {
            let inside = self.quote.read(quote);
            stated = currency.or_else(|| money::named(quote)).or(stated);
            for (figure, field) in figures.iter_mut().zip([Field::Price, Field::Volume, Field::MarketCap]) {
                *figure = figure.or_else(|| context.f64(number(inside.get(field))));
            }
            time = time.or_else(|| context.time(inside.get(Field::Time)));
            known = true;
        }
        self.stated = stated.or(self.stated.take());
        let price_is_null =
            || row.fields().any(|(key, value)| value.is_null() && super::names::same_name(key.raw(), "price"));
        if !known && !price_is_null() {
            return None;
        }
        Some(Raw { time: time?, figures, converted: None })
    }

    /// A point as a row of numbers: time first, or last where the first cannot be one.
    fn row(&mut self, context: &mut Context<'_>, key: Option<Value<'_>>, row: Value<'_>) -> Option<Raw> {
        let cells: Vec<Value<'_>> = row.items().take(8).collect();
        let at = |place: usize| cells.get(place).copied().filter(|cell| !cell.is_null());
        let may_be_time = |place: usize| {
            at(place).is_some_and(|cell| match (cell.number(), cell.str()) {
                (Some(digits), _) => digits.parse::<f64>().is_ok_and(|number| number >= 1e8),
                (None, Some(words)) => is_time(&words),
                _ => false,
            })
        };
        let (time, [price, volume, cap]) = match (key, cells.len()) {
            (Some(key), 0..=3) => (Some(key), [at(0), at(1), at(2)]),
            (Some(key), _) => (Some(key), [at(3), at(4), None]),
            (None, 2) if !may_be_time(0) && may_be_time(1) => (at(1), [at(0), None, None]),
            (None, 3) if !may_be_time(0) && may_be_time(2) => (at(2), [at(0), at(1), None]),
            (None, 6..) if !may_be_time(0) && may_be_time(5) => (at(5), [at(3), at(4), None]),
            (None, 5..) => (at(0), [at(4), at(5), None]),
            (None, _) => (at(0), [at(1), at(2), at(3)]),
        };
        let time = context.time(time)?;
        Some(Raw { time, figures: [context.f64(price), context.f64(volume), context.f64(cap)], converted: None })
    }
}

/// Reads lists side by side; returns how many points they have.
fn parallel(context: &mut Context<'_>, lists: Value<'_>, raws: &mut Vec<Raw>) -> usize {
    let list = |names| lists.any(names).into_iter().flat_map(|list: Value<'_>| list.items());
    let (mut prices, mut volumes) = (list(CLOSES), list(VOLUMES));
    let mut rows = 0;
    for time in list(TIMES) {
        let (price, volume) = (prices.next(), volumes.next());
        rows += 1;
        if rows > POINTS_MAX {
            continue;
        }
        if let Some(time) = context.time(Some(time)) {
            raws.push(Raw { time, figures: [context.f64(price), context.f64(volume), None], converted: None });
        }
    }
    rows
}

/// A value that may be a number.
fn number(value: Option<Value<'_>>) -> Option<Value<'_>> {
    value.filter(|value| !value.is_array() && !value.is_object())
}

/// `[price, volume, cap, …]`.
fn figures(context: &mut Context<'_>, cells: Value<'_>) -> Figures {
    let mut figures = Figures::default();
    for (figure, cell) in figures.iter_mut().zip(cells.items()) {
        *figure = context.f64(Some(cell));
    }
    figures
}

/// Whether an object or array is a point rather than something that holds points.
pub(super) fn is_point(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::Array => value.items().all(|cell| !cell.is_array() && !cell.is_object()),
        Kind::Object => {
            let time = Field::ALL.iter().take(1).find_map(|(_, names)| value.any(names));
            time.is_some_and(|time| !time.is_array() && !time.is_object()) && !holds_points(value)
        }
        _ => false,
    }
}

/// Whether a point says that it is one of this coin's.
pub(super) fn is_of(point: Value<'_>, symbol: &str) -> bool {
    let own = point.any(&["symbol", "ticker"]).and_then(|own| own.str());
    own.is_some_and(|own| own.eq_ignore_ascii_case(symbol))
}

/// Whether an object holds points.
pub(super) fn holds_points(value: Value<'_>) -> bool {
    SERIES.iter().any(|name| {
        value.get(name).is_some_and(|series| series.is_object() || series.is_array() && !lists_series(series))
    })
}

/// Whether the items of a list are not points but hold them.
fn lists_series(list: Value<'_>) -> bool {
    let mut tape = Tape::default();
    let Some(Ok(first)) = list.items().next().map(|first| tape.expand(first)) else { return false };
    let is_point = Field::ALL.iter().take(1).any(|(_, names)| first.any(names).is_some());
    !is_point && SERIES.iter().any(|name| first.get(name).is_some_and(|series| series.is_object() || series.is_array()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_from_ids() {
        for key in ["1795075200", "1795075200000", "20261119", "2026-11-19", "2026-11-19T07:55:00Z"] {
            assert!(is_time(key), "{key}");
        }
        for key in ["", "1027", "25028", "1234567", "ordi-usd", "2026", "2026_11", "x2026-11-19"] {
            assert!(!is_time(key), "{key}");
        }
    }
}
