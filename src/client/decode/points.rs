//! Time series in all supported formats.
//!
//! | format | service |
//! |---|---|
//! | `{"1795075200": {"v": [price, volume, cap, …], "c": [price, volume, cap]}}` | CoinMarketCap's web charts, v3 |
//! | `[{"s": "1795075200", "v": [price, volume, cap], "c": {}}]` | the same, v3.3 |
//! | `[{"timestamp": …, "quote": {"USD": {"price": …}}}]` | quotes/historical |
//! | `[{"timeClose": …, "quote": {"close": …, "volume": …}}]` | candles as objects |
//! | `{"prices": [[ms, price]], "total_volumes": [[ms, volume]], "market_caps": [[ms, cap]]}` | CoinGecko |
//! | `{"t": [s], "c": [price]}` | TradingView's data feeds |
//! | `[[ms, open, high, low, close]]` | CoinGecko's candles |
//! | `[[ms, open, high, low, close, …]]` | those of exchanges: Binance, OKX |
//! | `[[price, volume, s]]`, `[[open, high, low, close, volume, s, …]]` | CoinMarketCap's k-line points and candles |
//! | `[{"timestamp": …, "price": …}]` | CoinPaprika, DefiLlama |
//! | `[{"time": …, "price": …}]`, `{"1795075200": price}` | own, proxies |

mod field;
mod place;

use super::envelope::unwrap_item;
use super::field_name::same_name;
use super::money::{self, Currencies};
use super::names::Lookup;
use super::read::Context;
use super::tape::{Tape, Value};
use crate::model::{Currency, Point, UtcTime};

pub(super) use place::{SERIES, Series, holds_points, is_point, is_time};

use field::Field;
use place::{CLOSES, PRICES, TIMES};

/// Maximum points per series: two years at 5-minute steps.
pub(super) const POINTS_MAX: usize = 210_000;

/// Maximum cells of a row, as many as Binance's candles have.
const CELLS_MAX: usize = 12;

/// Price, volume and market cap.
type Figures = [Option<f64>; 3];

/// A point with values in the stated (or unstated) currency, and in the requested currency if the service has both.
#[derive(Clone, Debug)]
struct Raw {
    time: UtcTime,
    figures: Figures,
    converted: Option<Figures>,
}

/// Reads points. Its tape and lookups are reused for the next series.
#[derive(Debug)]
pub(super) struct Reader {
    point: Lookup<Field>,
    quote: Lookup<Field>,
    tape: Tape,
    /// The currency stated by the points of this series.
    stated: Option<Currency>,
}

impl Reader {
    /// Creates a reader.
    pub(super) fn new() -> Reader {
        Reader { point: Lookup::new(), quote: Lookup::new(), tape: Tape::default(), stated: None }
    }

    /// Reads the points of a series, oldest first, without duplicate times (the last one with a price wins), and their
    /// currency. `None` if there are rows but no points.
    pub(super) fn read(
        &mut self,
        context: &mut Context<'_>,
        series: Series<'_>,
        currencies: &mut Currencies<'_>,
    ) -> Option<(Vec<Point>, Currency)> {
        self.stated = None;
        let requested = currencies.requested();
        let mut tape = std::mem::take(&mut self.tape);
        let mut raws: Vec<Raw> = Vec::new();
        let mut rows = 0_usize;
        let mut take = |reader: &mut Reader, context: &mut Context<'_>, key: Option<Value<'_>>, row: Value<'_>| {
            rows += 1;
            if rows > POINTS_MAX {
                return;
            }
            match tape.expand(row) {
                Err(error) => context.invalid_json(row, error),
                Ok(opened) => match reader.point(context, key, opened, requested).or_else(|| {
                    let (_, inner) = unwrap_item(opened)?;
                    reader.point(context, key, inner, requested)
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
                if let Some(prices) = columns.get(PRICES) {
                    prices.items().for_each(|row| take(self, context, None, row));
                }
            }
        }
        if let Series::Parallel(lists) = series {
            rows = parallel(context, lists, &mut raws);
        }
        if let Series::RowsOf(_, symbol) = series {
            // The symbol in such rows is the coin's, not a currency's.
            self.stated = self.stated.take().filter(|stated| !stated.as_str().eq_ignore_ascii_case(symbol));
        }
        if rows > POINTS_MAX {
            context.warn(|| format!("read only the first {POINTS_MAX} of {rows} points"));
        }
        if let Series::Columns(columns) = series {
            raws.sort_by_key(|raw| raw.time);
            for (place, name) in (1..).zip(["total_volumes", "market_caps"]) {
                self.column(context, &mut tape, columns.get(name), &mut raws, place);
            }
        }
        self.tape = tape;
        if raws.is_empty() && rows > 0 {
            return None;
        }
        let (mut points, convert) = self.finish(raws, currencies);
        remove_implausible(context, &mut points, &convert);
        Some((points, convert))
    }

    /// Joins a column of `[time, value]` rows to the points by time.
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
        // If any point has values in the requested currency, a point without them (the live one) is a gap.
        let requested = currencies.requested();
        let has_both = raws.iter().any(|raw| raw.converted.is_some());
        let converted = has_both
            && *requested != Currency::usd()
            && raws.iter().any(|raw| raw.converted.is_some_and(|c| c[0].is_some()));
        let stated = if has_both {
            Some(if converted { requested.clone() } else { Currency::usd() })
        } else {
            self.stated.take()
        };
        raws.sort_by_key(|raw| raw.time);
        let mut points: Vec<Point> = Vec::with_capacity(raws.len());
        for raw in raws {
            let figures = if converted { raw.converted.unwrap_or_default() } else { raw.figures };
            let [price, volume, market_cap] = figures;
            // A market cap of 0 means "unknown".
            let market_cap = market_cap.filter(|cap| *cap != 0.0);
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
        let label = if points.is_empty() && stated.is_none() { requested.clone() } else { currencies.label(stated) };
        (points, label)
    }

    /// Reads a point; its time is the `key` or in the row.
    fn point(
        &mut self,
        context: &mut Context<'_>,
        key: Option<Value<'_>>,
        row: Value<'_>,
        requested: &Currency,
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
            context.f64(number(point.get(Field::Volume))),
            context.f64(number(point.get(Field::MarketCap))),
        ];
        let mut known = [Field::Price, Field::Volume, Field::MarketCap].iter().any(|field| point.get(*field).is_some());
        known |= c.is_some() || v.is_some();
        let mut stated = point.get(Field::Currency).and_then(|currency| money::code(currency.raw()));
        let quotes = point.get(Field::Quote);
        if let Some((quote, currency)) = quotes.and_then(|quotes| money::choose(quotes, requested)) {
            let inside = self.quote.read(quote);
            stated = currency.or_else(|| money::stated_currency(quote)).or(stated);
            for (figure, field) in figures.iter_mut().zip([Field::Price, Field::Volume, Field::MarketCap]) {
                *figure = figure.or_else(|| context.f64(number(inside.get(field))));
            }
            time = time.or_else(|| context.time(inside.get(Field::Time)));
            known = true;
        }
        self.stated = stated.or(self.stated.take());
        let price_is_null = || row.fields().any(|(key, value)| value.is_null() && same_name(key.raw(), "price"));
        if !known && !price_is_null() {
            return None;
        }
        Some(Raw { time: time?, figures, converted: None })
    }

    /// Reads a point from a row of numbers: time first, or last if the first can't be a time.
    fn row(&mut self, context: &mut Context<'_>, key: Option<Value<'_>>, row: Value<'_>) -> Option<Raw> {
        let cells: Vec<Value<'_>> = row.items().take(CELLS_MAX).collect();
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
            (Some(key), _) => (Some(key), [at(3), None, None]),
            (None, 2) if !may_be_time(0) && may_be_time(1) => (at(1), [at(0), None, None]),
            (None, 3) if !may_be_time(0) && may_be_time(2) => (at(2), [at(0), at(1), None]),
            (None, 6..) if !may_be_time(0) && may_be_time(5) => (at(5), [at(3), at(4), None]),
            // Binance, OKX: volume in the quote currency. The one before is in the coin, as on other exchanges.
            (None, 9 | 12) => (at(0), [at(4), at(7), None]),
            (None, 5..) => (at(0), [at(4), None, None]),
            (None, _) => (at(0), [at(1), at(2), at(3)]),
        };
        let time = context.time(time)?;
        Some(Raw { time, figures: [context.f64(price), context.f64(volume), context.f64(cap)], converted: None })
    }
}

/// Reads parallel lists; returns the number of points.
fn parallel(context: &mut Context<'_>, lists: Value<'_>, raws: &mut Vec<Raw>) -> usize {
    let list = |name| lists.get(name).into_iter().flat_map(|list: Value<'_>| list.items());
    let mut prices = list(CLOSES);
    let mut rows = 0;
    for time in list(TIMES) {
        let price = prices.next();
        rows += 1;
        if rows > POINTS_MAX {
            continue;
        }
        if let Some(time) = context.time(Some(time)) {
            raws.push(Raw { time, figures: [context.f64(price), None, None], converted: None });
        }
    }
    rows
}

/// Replaces negative values and impossibly large amounts with gaps.
fn remove_implausible(context: &mut Context<'_>, points: &mut [Point], convert: &Currency) {
    let most = convert.max_amount();
    let (mut negative, mut huge) = (0, 0);
    for figure in points.iter_mut().flat_map(|point| [&mut point.price, &mut point.volume, &mut point.market_cap]) {
        match *figure {
            Some(..0.0) => negative += 1,
            Some(amount) if amount > most => huge += 1,
            _ => continue,
        }
        *figure = None;
    }
    if negative > 0 {
        context.warn(|| format!("skipped {negative} negative point values"));
    }
    if huge > 0 {
        context.warn(|| format!("skipped {huge} point values above {most:e}"));
    }
}

/// Filters values that may be numbers.
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

/// Whether a point has this coin's symbol.
pub(super) fn is_of(point: Value<'_>, symbol: &str) -> bool {
    let own = point.any(&["symbol", "ticker"]).and_then(|own| own.str());
    own.is_some_and(|own| own.eq_ignore_ascii_case(symbol))
}
