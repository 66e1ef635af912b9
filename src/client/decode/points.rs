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

mod candle;
mod field;
mod place;
mod point;
mod raw;

use super::envelope::unwrap_item;
use super::money::Currencies;
use super::names::Lookup;
use super::read::Context;
use super::tape::{Tape, Value};
use crate::model::{Currency, Point};

pub(super) use place::{SERIES, Series, holds_points, is_point, is_time};

use field::Field;
use place::PRICES;
use raw::{Figures, Raw};

/// Maximum points per series: two years at 5-minute steps.
pub(super) const POINTS_MAX: usize = 210_000;

/// Maximum currencies of a series; values in further ones are skipped.
const CURRENCIES_MAX: usize = 100;

/// Reads points. Its tape and lookups are reused for the next series.
#[derive(Debug)]
pub(super) struct Reader {
    point: Lookup<Field>,
    quote: Lookup<Field>,
    tape: Tape,
    /// The currencies stated by the points of this series.
    stated: Vec<Currency>,
    /// The symbol in the points is the coin's, not a currency's.
    has_coin_symbols: bool,
    /// The columns of the candles are in an unknown order.
    has_unknown_order: bool,
}

impl Reader {
    /// Creates a reader.
    pub(super) fn new() -> Reader {
        Reader {
            point: Lookup::new(),
            quote: Lookup::new(),
            tape: Tape::default(),
            stated: Vec::new(),
            has_coin_symbols: false,
            has_unknown_order: false,
        }
    }

    /// Whether the last series was rejected because its candles have their columns in an unknown order.
    pub(super) fn has_unknown_order(&self) -> bool {
        self.has_unknown_order
    }

    /// Reads the points of a series, oldest first, without duplicate times (the last one with a price wins), and their
    /// currency. `None` if there are rows but no points, or only candles with their columns in an unknown order.
    pub(super) fn read(
        &mut self,
        context: &mut Context<'_>,
        series: Series<'_>,
        currencies: &mut Currencies<'_>,
    ) -> Option<(Vec<Point>, Currency)> {
        self.stated.clear();
        self.has_coin_symbols = matches!(series, Series::RowsOf(..));
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
                Ok(opened) => match reader.point(context, key, opened, currencies).or_else(|| {
                    let (_, inner) = unwrap_item(opened)?;
                    reader.point(context, key, inner, currencies)
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
            rows = self.parallel(context, lists, &mut raws, currencies);
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
        self.has_unknown_order = !candle::check(context, &mut raws);
        if raws.is_empty() && rows > 0 || self.has_unknown_order {
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
        let other = currencies.around().unwrap_or(requested).clone();
        let converted = has_both
            && other != Currency::usd()
            && raws.iter().any(|raw| raw.converted.is_some_and(|c| c[0].is_some()));
        let stated = if has_both {
            Some(if converted { other } else { Currency::usd() })
        } else {
            self.choose_currency(&mut raws, currencies)
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

    /// The stated currency of the series: the requested one, else dollars, else the first. Removes values in others, and
    /// those without a stated currency if another one than requested is used.
    fn choose_currency(&mut self, raws: &mut [Raw], currencies: &mut Currencies<'_>) -> Option<Currency> {
        let requested = currencies.requested();
        if let Some(around) = currencies.around().filter(|_| raws.iter().any(|raw| raw.currency == 0)) {
            let number = self.number_of(Some(around.clone()));
            raws.iter_mut().filter(|raw| raw.currency == 0).for_each(|raw| raw.currency = number);
        }
        let rank =
            |currency: &Currency| if currency == requested { 0 } else { u8::from(*currency != Currency::usd()) + 1 };
        let (at, chosen) = self.stated.iter().enumerate().min_by_key(|(_, currency)| rank(currency))?;
        for raw in raws.iter_mut().filter(|raw| raw.figures.iter().any(Option::is_some)) {
            let stated = usize::from(raw.currency).checked_sub(1);
            if stated == Some(at) || stated.is_none() && chosen == requested {
                continue;
            }
            raw.figures = Figures::default();
            currencies.skip(stated.and_then(|stated| self.stated.get(stated)), chosen);
        }
        Some(chosen.clone())
    }

    /// The number of a currency, for [`Raw::currency`].
    fn number_of(&mut self, currency: Option<Currency>) -> u8 {
        let Some(currency) = currency else { return 0 };
        let known = self.stated.iter().position(|known| *known == currency);
        let at = known.unwrap_or_else(|| {
            let at = self.stated.len();
            if at >= CURRENCIES_MAX {
                return CURRENCIES_MAX;
            }
            self.stated.push(currency);
            at
        });
        at as u8 + 1
    }
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

/// Whether a point has this coin's symbol.
pub(super) fn is_of(point: Value<'_>, symbol: &str) -> bool {
    let own = point.any(&["symbol", "ticker"]).and_then(|own| own.str());
    own.is_some_and(|own| own.eq_ignore_ascii_case(symbol))
}
