//! Time series in all supported formats.
//!
//! | format | service |
//! |---|---|
//! | `{"1795075200": {"v": [price, volume, cap, …], "c": [price, volume, cap]}}` | CoinMarketCap's web charts, v3 |
//! | `[{"s": "1795075200", "v": [price, volume, cap], "c": {}}]` | the same, v3.3; also objects instead of lists |
//! | `[{"timestamp": …, "quote": {"USD": {"price": …}}}]` | quotes/historical |
//! | `[{"timestamp": …, "price": {"usd": …, "eur": …}}]`, `[{"timestamp": …, "quote": {"USD": …}}]` | proxies |
//! | `[{"timeClose": …, "quote": {"close": …, "volume": …}}]` | candles as objects |
//! | `{"prices": [[ms, price]], "total_volumes": [[ms, volume]], "market_caps": [[ms, cap]]}` | CoinGecko |
//! | `{"t": [s], "c": [price]}`, `{"timestamps": [s], "prices": [price], "volumes": [volume]}` | TradingView, proxies |
//! | `[[ms, open, high, low, close]]` | CoinGecko's candles |
//! | `[[ms, open, high, low, close, …]]` | those of exchanges: Binance, OKX |
//! | `[[price, volume, s]]`, `[[open, high, low, close, volume, s, …]]` | CoinMarketCap's k-line points and candles |
//! | `[{"timestamp": …, "price": …}]` | CoinPaprika, DefiLlama |
//! | `[{"time": …, "price": …}]`, `{"1795075200": price}`, `{"0": {"time": …, "price": …}}` | own, proxies |
//! | `[{"date": …, "rate": …, "cap": …}]`, `[{"time": …, "usd": price}]` | LiveCoinWatch, proxies |
//! | `{"columns": ["time", "price"], "data": [[s, price]]}` | tables with a header |

mod candle;
mod columns;
mod field;
mod figure_name;
mod gaps;
mod place;
mod point;
mod raw;
mod row_coins;
mod time_key;
mod value_description;

use super::envelope::unwrap_item;
use super::money::Currencies;
use super::names::Lookup;
use super::read::Context;
use super::requested_coin::RequestedCoin;
use super::tape::{Tape, Value};
use crate::client::error::ErrorKind;
use crate::format::words::counted;
use crate::model::live_price::is_far;
use crate::model::{Currency, Point, VolumeSpan};

pub(super) use figure_name::is_not_price;
pub(super) use place::{
    HEADERS, SERIES, Series, SeriesHints, has_points, has_time, holds_points, holds_series, is_of, is_point, time_of,
};
pub(super) use time_key::is_time;
pub(super) use value_description::ValueDescription;

use columns::Layout;
use field::Field;
use place::{CAPS, PRICES, VOLUMES};
use raw::{Figures, Raw};
use row_coins::RowCoins;

/// Maximum points per series: two years at 5-minute steps.
pub(super) const MAX_POINTS: usize = 210_000;

/// Maximum currencies of a series; values in further ones are skipped.
const MAX_CURRENCIES: usize = 100;

/// Two prices of the same time that differ by more than this factor contradict each other.
const MAX_RATIO_AT_ONCE: f64 = 3.0;

/// What is known of the rows of a series.
#[derive(Clone, Copy, Debug)]
struct Rows<'q> {
    coin: RequestedCoin<'q>,
    layout: Layout,
}

/// Reads points. Its tape and lookups are reused for the next series.
#[derive(Debug)]
pub(super) struct Reader {
    point: Lookup<Field>,
    quote: Lookup<Field>,
    tape: Tape,
    /// The currencies stated by the points of this series.
    stated: Vec<Currency>,
    /// The coins that the points of this series name.
    coins: RowCoins,
    /// Whether candles of this series have a market cap, so that their volumes are in money, too.
    has_caps: bool,
    /// Whether the response states the currency of the next series, not only its pair.
    has_currency: bool,
    /// Whether a warning about ignored volumes was given.
    has_warned_of_volumes: bool,
    /// The time that the volumes of the last series cover.
    volume_span: VolumeSpan,
    /// Why the last series was rejected, unless it had no readable points.
    rejection: Option<ErrorKind>,
}

impl Reader {
    /// Creates a reader.
    pub(super) fn new() -> Reader {
        Reader {
            point: Lookup::new(),
            quote: Lookup::new(),
            tape: Tape::default(),
            stated: Vec::new(),
            coins: RowCoins::default(),
            has_caps: false,
            has_currency: false,
            has_warned_of_volumes: false,
            volume_span: VolumeSpan::default(),
            rejection: None,
        }
    }

    /// Sets whether the response states the currency of the next series, not only its pair. Otherwise, the volumes of
    /// candles may be in coins.
    pub(super) fn set_has_currency(&mut self, has_currency: bool) {
        self.has_currency = has_currency;
    }

    /// Why the last series was rejected, unless it had no readable points.
    pub(super) fn rejection(&mut self) -> Option<ErrorKind> {
        self.rejection.take()
    }

    /// The time that the volumes of the last series cover.
    pub(super) fn volume_span(&self) -> VolumeSpan {
        self.volume_span
    }

    /// Reads points like [`Reader::read_of`], for an unnamed coin.
    pub(super) fn read(
        &mut self,
        context: &mut Context<'_>,
        series: Series<'_>,
        currencies: &mut Currencies<'_>,
    ) -> Option<(Vec<Point>, Currency)> {
        self.read_of(context, series, currencies, RequestedCoin::Any)
    }

    /// Reads the points of a coin's series, oldest first, without duplicate times (the last one with a price wins), and
    /// their currency. `None` if there are rows but no points, or if the series is rejected: see [`Reader::rejection`].
    pub(super) fn read_of(
        &mut self,
        context: &mut Context<'_>,
        series: Series<'_>,
        currencies: &mut Currencies<'_>,
        coin: RequestedCoin<'_>,
    ) -> Option<(Vec<Point>, Currency)> {
        self.stated.clear();
        self.coins.clear();
        self.has_caps = false;
        self.volume_span = VolumeSpan::default();
        self.rejection = None;
        let mut tape = std::mem::take(&mut self.tape);
        let read = self.raws(context, series, currencies, coin, &mut tape);
        self.tape = tape;
        match read {
            Ok(raws) => {
                let (mut points, convert, contradictions) = self.finish(raws?, currencies);
                if contradictions * 2 > points.len() {
                    let what = "contradictory prices for the same times".to_owned();
                    self.rejection = Some(ErrorKind::Unrecognised(what));
                    return None;
                }
                if contradictions > 0 {
                    let points = if contradictions == 1 { "1 point" } else { &format!("{contradictions} points") };
                    context.warn(|| format!("skipped {points} with contradictory prices for the same time"));
                }
                gaps::remove_implausible(context, &mut points, &convert);
                gaps::remove_zeros(context, &mut points);
                Some((points, convert))
            }
            Err(rejection) => {
                self.rejection = Some(rejection);
                None
            }
        }
    }

    /// Reads the points before their currency is known. `None` if there are rows but no points.
    fn raws(
        &mut self,
        context: &mut Context<'_>,
        series: Series<'_>,
        currencies: &mut Currencies<'_>,
        coin: RequestedCoin<'_>,
        tape: &mut Tape,
    ) -> Result<Option<Vec<Raw>>, ErrorKind> {
        let layout = match series {
            Series::Rows(list) => Layout::of_rows(list, tape)?,
            Series::Table(rows, header) => Layout::of_table(rows, header, tape)?,
            Series::NotPrices(name) => return Err(value_description::not_prices(&name.str().unwrap_or_default())),
            _ => Layout::default(),
        };
        context.take_unreadable_time();
        let coin = if let Series::RowsOf(_, symbol) = series { RequestedCoin::Symbol(symbol) } else { coin };
        let about = Rows { coin, layout };
        let mut raws: Vec<Raw> = Vec::new();
        let (mut rows, mut out_of_range) = (0_usize, 0_usize);
        let mut take = |reader: &mut Reader, context: &mut Context<'_>, key: Option<Value<'_>>, row: Value<'_>| {
            rows += 1;
            if rows > MAX_POINTS {
                return;
            }
            match tape.expand(row) {
                Err(error) => context.invalid_json(row, error),
                Ok(opened) => match reader.point(context, key, opened, currencies, &about).or_else(|| {
                    let (_, inner) = unwrap_item(opened)?;
                    reader.point(context, key, inner, currencies, &about)
                }) {
                    Some(point) if columns::TIMES.contains(&point.time.secs()) => raws.push(point),
                    Some(_) => out_of_range += 1,
                    None => context.unreadable(row, "a point with its time"),
                },
            }
        };
        match series {
            Series::Empty | Series::Parallel(_) | Series::NotPrices(_) => {}
            Series::Rows(list) => {
                let rows = list.items().skip(usize::from(layout.begins_with_header));
                rows.for_each(|row| take(self, context, None, row));
            }
            Series::RowsOf(list, symbol) => {
                let mut tape = Tape::default();
                for row in list.items().filter(|row| tape.expand(*row).is_ok_and(|row| is_of(row, symbol))) {
                    take(self, context, None, row);
                }
            }
            Series::Table(rows, _) => {
                rows.items().for_each(|row| take(self, context, None, row));
                rows.fields().for_each(|(key, row)| take(self, context, Some(key), row));
            }
            Series::ByTime(map) => map.fields().for_each(|(key, row)| take(self, context, Some(key), row)),
            Series::ByIndex(map) => map.fields().for_each(|(_, row)| take(self, context, None, row)),
            Series::Columns(columns) => {
                if let Some(prices) = columns.get(PRICES) {
                    columns::entries(prices).for_each(|(key, row)| take(self, context, key, row));
                }
            }
        }
        if let Series::Parallel(lists) = series {
            let times = lists.times.items().count();
            for (list, what) in lists.figures.iter().zip(["price", "volume", "market cap"]) {
                let count = list.map_or(times, |list| list.items().count());
                if count != times {
                    let (times, values) = (counted(times, "time"), counted(count, what));
                    return Err(ErrorKind::Unrecognised(format!("{times}, but {values}")));
                }
            }
            rows = self.parallel(context, lists, &mut raws, currencies);
            let before = raws.len();
            raws.retain(|raw| columns::TIMES.contains(&raw.time.secs()));
            out_of_range += before - raws.len();
        }
        if rows > MAX_POINTS {
            context.warn(|| format!("read only the first {MAX_POINTS} of {rows} points"));
        }
        if out_of_range > 0 {
            context.warn(|| format!("skipped {} before 2009 or after 2100", counted(out_of_range, "point")));
        }
        if let Series::Columns(columns) = series {
            raws.sort_by_key(|raw| raw.time);
            for (place, names) in (1..).zip([VOLUMES, CAPS]) {
                columns::join(context, tape, (names, columns), &mut raws, place);
            }
        }
        if let Some(zone) = context.take_unknown_zone().filter(|_| raws.is_empty()) {
            return Err(ErrorKind::Unrecognised(format!("times in the unknown time zone {zone}")));
        }
        if let Some(time) = context.take_unreadable_time().filter(|_| raws.is_empty()) {
            return Err(ErrorKind::Unrecognised(format!("points with unreadable times, such as {time}")));
        }
        self.coins.separate(context, &mut raws, coin)?;
        if !candle::check(context, &mut raws) {
            return Err(ErrorKind::Unrecognised("candles in an unknown column order".to_owned()));
        }
        columns::check_unnamed(context, &mut raws);
        if !self.has_caps && !self.has_currency {
            // A list without anything around it may be in the format of the interface.
            let is_own = matches!(series, Series::Rows(list) if context.is_root(list));
            if candle::remove_volumes_in_coins(&mut raws, is_own) && !self.has_warned_of_volumes {
                self.has_warned_of_volumes = true;
                context.warn(|| String::from("ignored candle volumes: they may be in coins"));
            }
        }
        self.volume_span = candle::unify_volume_spans(context, &mut raws);
        Ok((rows == 0 || !raws.is_empty()).then_some(raws))
    }

    /// The points, their currency, and the number of times with contradictory prices, which are gaps.
    fn finish(&mut self, mut raws: Vec<Raw>, currencies: &mut Currencies<'_>) -> (Vec<Point>, Currency, usize) {
        // If any point has values in the requested currency, a point without them (the live one) is a gap.
        let requested = currencies.requested();
        let has_both = raws.iter().any(|raw| raw.converted.is_some());
        let other = currencies.around().unwrap_or(requested).clone();
        let has_dollars = raws.iter().any(|raw| raw.figures[0].is_some());
        let converted = has_both
            && (other != Currency::usd() || !has_dollars)
            && raws.iter().any(|raw| raw.converted.is_some_and(|c| c[0].is_some()));
        let stated = if has_both {
            Some(if converted { other } else { Currency::usd() })
        } else {
            self.choose_currency(&mut raws, currencies)
        };
        raws.sort_by_key(|raw| raw.time);
        let mut points: Vec<Point> = Vec::with_capacity(raws.len());
        // The time of the last contradiction, and their number.
        let (mut contradicted, mut contradictions) = (None, 0_usize);
        for raw in raws {
            let figures = if converted { raw.converted.unwrap_or_default() } else { raw.figures };
            let [price, volume, market_cap] = figures;
            // A market cap of 0 means "unknown".
            let market_cap = market_cap.filter(|cap| *cap != 0.0);
            let point = Point { time: raw.time, price, volume, market_cap };
            match points.last_mut() {
                Some(last) if last.time == point.time => {
                    let is_contradicted = contradicted == Some(point.time);
                    let differs = last.price.zip(point.price).is_some_and(|(a, b)| is_far(a, b, MAX_RATIO_AT_ONCE));
                    if is_contradicted || differs {
                        contradictions += usize::from(!is_contradicted);
                        contradicted = Some(point.time);
                        *last = Point { price: None, volume: None, market_cap: None, ..point };
                    } else if point.price.is_some() || last.price.is_none() {
                        *last = point;
                    }
                }
                _ => points.push(point),
            }
        }
        let label = if points.is_empty() && stated.is_none() { requested.clone() } else { currencies.label(stated) };
        (points, label, contradictions)
    }

    /// The stated currency of the series: the requested one, else dollars, else the first. Removes values in others, and
    /// those without a stated currency unless the requested one is used.
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
            if at >= MAX_CURRENCIES {
                return MAX_CURRENCIES;
            }
            self.stated.push(currency);
            at
        });
        at as u8 + 1
    }
}
