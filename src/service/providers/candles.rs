//! Charts from the candles of an exchange.

use std::str::FromStr;
use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;

use super::coin_ref::{CoinRef, Listing};
use super::lenient::{RawRow, none_readable};
use super::source::{ChartPrices, MAX_AHEAD};
use crate::model::{self, ExchangeCandles, Period, Point, ProviderName, Text, UtcTime, interval};
use crate::service::provider_response::partial_notice;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::load::Load;
use crate::service::upstream::warnings::Warnings;

/// An exchange with candles of listed coins.
#[async_trait]
pub(super) trait CandleSource: Send + Sync {
    /// The exchange.
    const NAME: ProviderName;

    /// The last `count` prices of one coin, `step` seconds apart, oldest first, with their candles.
    async fn prices(&self, listing: &Listing, step: u64, count: usize) -> SourceResult<ChartPrices>;
}

/// The chart of a coin over a period.
///
/// # Errors
/// The exchange doesn't list the coin or doesn't respond.
pub(super) async fn chart<S: CandleSource>(source: &S, coin: &CoinRef, period: Period) -> SourceResult<ChartPrices> {
    let (step, count) = match period {
        Period::Day => (300, 288),
        Period::Week => (3_600, 168),
        Period::Month => (3_600, 720),
        Period::Quarter => (14_400, 540),
        Period::Year | Period::AllTime => (86_400, period.points() as usize),
    };
    let not_listed = || SourceError::not_found(format!("{} doesn't list {}", S::NAME.title(), coin.name));
    prices(source, coin.listing(S::NAME).ok_or_else(not_listed)?, step, count).await
}

/// The prices of a coin. If the exchange doesn't know its pair, the load notes it.
async fn prices<S: CandleSource>(source: &S, listing: &Listing, step: u64, count: usize) -> SourceResult<ChartPrices> {
    let prices = source.prices(listing, step, count).await;
    // Without an error code of the exchange, the URL may be wrong.
    let is_unknown = |error: &SourceError| error.class == ErrorClass::NotFound && !error.is_http_not_found();
    if prices.as_ref().is_err_and(is_unknown)
        && let Some(load) = Load::current()
    {
        load.note_unlisted(&listing.symbol);
    }
    prices
}

/// The series of several coins; empty for one that the exchange doesn't list or has no prices of. If the exchange stops
/// responding, the remaining ones are missing.
///
/// # Errors
/// The exchange lists none of them, or has prices of none.
pub(super) async fn series<S: CandleSource>(
    source: &S,
    coins: &[CoinRef],
    count: usize,
    interval: Duration,
) -> SourceResult<Vec<ChartPrices>> {
    let listed = coins.iter().filter(|coin| coin.listing(S::NAME).is_some()).count();
    if listed == 0 {
        return Err(SourceError::not_found(format!("{} lists none of these coins", S::NAME.title())));
    }
    let mut series = vec![ChartPrices::default(); coins.len()];
    let (mut loaded, mut failure) = (0, None);
    for (coin, one) in coins.iter().zip(&mut series) {
        let Some(listing) = coin.listing(S::NAME) else { continue };
        match prices(source, listing, interval.as_secs(), count).await {
            Ok(prices) => {
                *one = prices;
                loaded += 1;
            }
            Err(error) if matches!(error.class, ErrorClass::NotFound | ErrorClass::Rejected | ErrorClass::Empty) => {
                failure.get_or_insert(error);
            }
            Err(error) if loaded == 0 || error.class == ErrorClass::Cancelled => return Err(error),
            Err(error) => {
                if let Some(load) = Load::current() {
                    load.warn(&partial_notice(loaded, listed, "price histories", &error.reason));
                    load.note_partial(listed - loaded, Some(error));
                }
                return Ok(series);
            }
        }
    }
    match failure.filter(|_| loaded == 0) {
        Some(error) => Err(error),
        None => Ok(series),
    }
}

/// A candle of a USDT pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candle {
    /// Opening price.
    pub(super) open: Option<f64>,
    /// Highest price.
    pub(super) high: Option<f64>,
    /// Lowest price.
    pub(super) low: Option<f64>,
    /// Closing price.
    pub(super) close: Option<f64>,
    /// When it starts, in milliseconds since 1970.
    pub(super) start_millis: i64,
    /// When it ends, in milliseconds since 1970; the last candle ends in the future.
    pub(super) end_millis: i64,
    /// The volume in USDT.
    pub(super) volume: Option<f64>,
}

/// A row of candles.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Row(Vec<RawRow>);

impl Row {
    /// Reads a number, which exchanges also write as text.
    pub(super) fn cell<T: FromStr>(&self, index: usize) -> Option<T> {
        self.0.get(index)?.get().trim_matches('"').parse().ok()
    }

    /// Reads a finite number from 0.
    pub(super) fn figure(&self, index: usize) -> Option<f64> {
        self.cell::<f64>(index).filter(|number| number.is_finite() && *number >= 0.0)
    }
}

impl Candle {
    /// Reads a candle as all exchanges write it: open, high, low and close in cells 1 to 4, and the volume in
    /// USDT in cell 7.
    pub(super) fn new(row: &Row, start_millis: i64, end_millis: i64) -> Candle {
        Candle {
            open: row.figure(1),
            high: row.figure(2),
            low: row.figure(3),
            close: row.figure(4),
            start_millis,
            end_millis,
            volume: row.figure(7),
        }
    }

    /// The candle of a single coin, if all its prices are known and its span is `length` milliseconds. `factor` is the
    /// number of coins per unit.
    fn whole(&self, length: i64, factor: f64) -> Option<model::Candle> {
        let is_whole = self.end_millis.checked_sub(self.start_millis) == Some(length);
        let price = |price: Option<f64>| Some(price.filter(|_| is_whole)? / factor);
        Some(model::Candle {
            start: UtcTime::from_millis(self.start_millis),
            open: price(self.open)?,
            high: price(self.high)?,
            low: price(self.low)?,
            close: price(self.close)?,
            volume: self.volume,
        })
    }
}

/// A candle that starts later than this has a wrong time, unless the clock of this machine is far off.
const MAX_START_AHEAD: Duration = Duration::from_hours(24);

/// The candles of responses.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Candles {
    /// The candles with a plausible time, oldest first.
    pub(super) all: Vec<Candle>,
    /// Whether any candle was dropped as unreadable or with an implausible time.
    pub(super) lacks_some: bool,
}

/// Reads the rows of a response, oldest first. One without a plausible time is left out, and one without a price is a
/// gap; both are reported.
///
/// # Errors
/// There are rows, but none is readable ([`none_readable`]).
pub(super) fn readable_candles(
    rows: &[RawRow],
    read: impl Fn(&Row) -> Option<Candle>,
    now: UtcTime,
    warnings: &Warnings,
) -> SourceResult<Candles> {
    let (latest, latest_start) = (now.plus(MAX_AHEAD).millis(), now.plus(MAX_START_AHEAD).millis());
    let candle = |row: &RawRow| read(&serde_json::from_str(row.get()).ok()?);
    let is_plausible =
        |candle: &Candle| (0..=latest).contains(&candle.end_millis) && candle.start_millis <= latest_start;
    let mut candles: Vec<Candle> = rows.iter().filter_map(candle).filter(is_plausible).collect();
    let gaps = candles.iter().filter(|candle| candle.close.is_none()).count();
    warnings.record(rows.len() - candles.len() + gaps, "candle", None);
    if candles.is_empty() && !rows.is_empty() {
        Err(none_readable(rows.len(), "candle"))
    } else {
        candles.sort_by_key(|candle| candle.end_millis);
        let lacks_some = rows.len() > candles.len();
        remove_repeated(&mut candles, warnings);
        Ok(Candles { lacks_some, all: candles })
    }
}

/// Keeps the first of several candles of the same time, with a warning.
fn remove_repeated(candles: &mut Vec<Candle>, warnings: &Warnings) {
    let before = candles.len();
    candles.dedup_by_key(|candle| candle.end_millis);
    match before - candles.len() {
        0 => {}
        1 => warnings.note(String::from("Skipped 1 duplicate candle")),
        count => warnings.note(format!("Skipped {count} duplicate candles")),
    }
}

/// An interval of candles that an exchange offers: its length in seconds and its name.
pub(super) type Interval = (u64, &'static str);

const DAY: u64 = 86_400;

/// Minimum candles per day to estimate the volume of a part of one.
const MIN_CANDLES: usize = 6;

/// Which candles to request for a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// The longest offered interval that divides the step.
    pub(super) interval: Interval,
    /// Candles per step.
    pub(super) every: usize,
    /// Candles per day, for the 24-hour volume.
    pub(super) day: usize,
}

impl Plan {
    /// A plan for points `step` seconds apart. `offered` is sorted by length.
    pub(super) fn new(step: u64, offered: &[Interval]) -> Plan {
        let divides = |(length, _): &&Interval| step >= *length && step.is_multiple_of(*length);
        let interval = offered.iter().rev().find(divides).copied().unwrap_or((60, "1m"));
        let count = |span: u64| usize::try_from(span / interval.0).unwrap_or(1).max(1);
        Plan { interval, every: count(step), day: count(DAY) }
    }

    /// The number of candles for `count` points. The first point needs the candles of a day before it.
    pub(super) fn candles(self, count: usize) -> usize {
        count.saturating_mul(self.every).saturating_add(self.day)
    }

    /// The last `count` points of these candles, oldest first, with the candles of an exchange if each of them is one
    /// of the candles. `factor` is the number of coins per unit.
    pub(super) fn prices(
        self,
        exchange: ProviderName,
        candles: &Candles,
        (count, factor): (usize, f64),
        now: UtcTime,
    ) -> ChartPrices {
        let points = self.points(&candles.all, count, factor, now);
        let is_same = self.every == 1;
        let candles = is_same.then(|| self.candles_of(exchange, candles, (points.len(), factor), now)).flatten();
        ChartPrices { points, candles }
    }

    /// The last `count` of these candles; `None` if any of them is unreadable or impossible.
    fn candles_of(
        self,
        exchange: ProviderName,
        candles: &Candles,
        (count, factor): (usize, f64),
        now: UtcTime,
    ) -> Option<ExchangeCandles> {
        let (length, _) = self.interval;
        let millis = i64::try_from(length.checked_mul(1_000)?).ok()?;
        // The exchange's clock may be ahead.
        let started = candles.all.partition_point(|candle| candle.start_millis < now.millis());
        let newest = candles.all.get(started.saturating_sub(count)..started)?;
        // Without trades there is no candle, but one that can't be read would be missing from a longer one.
        let has_gap = newest.windows(2).any(|pair| matches!(pair, [a, b] if b.start_millis != a.end_millis));
        if candles.lacks_some && has_gap {
            return None;
        }
        let newest: Option<Vec<model::Candle>> = newest.iter().map(|candle| candle.whole(millis, factor)).collect();
        ExchangeCandles::new(Text::const_new(exchange.as_str()), interval::name(Duration::from_secs(length)), newest?)
    }

    /// The last `count` points of these candles, oldest first. `factor` is the number of coins per unit.
    fn points(self, candles: &[Candle], count: usize, factor: f64, now: UtcTime) -> Vec<Point> {
        let mut points = points_of(candles, self.day, factor, now);
        if self.interval.0 > DAY {
            // A week's volume is not a day's.
            points.iter_mut().for_each(|point| point.volume = None);
        }
        let mut kept: Vec<Point> = points.into_iter().rev().step_by(self.every).take(count).collect();
        kept.reverse();
        kept
    }
}

/// Reads a decimal number; `None` unless it is finite and not negative.
pub(super) fn number(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0)
}

fn points_of(candles: &[Candle], day: usize, factor: f64, now: UtcTime) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::with_capacity(candles.len());
    let (mut sum, mut unknown) = (0.0, 0_usize);
    for (at, candle) in candles.iter().enumerate() {
        sum += candle.volume.unwrap_or(0.0);
        unknown += usize::from(candle.volume.is_none());
        if let Some(before) = at.checked_sub(day).and_then(|before| candles.get(before)) {
            sum -= before.volume.unwrap_or(0.0);
            unknown -= usize::from(before.volume.is_none());
        }
        // The last candle closes in the future.
        let time = UtcTime::from_millis(candle.end_millis).min(now);
        if points.last().is_some_and(|last| last.time >= time) {
            continue;
        }
        // A sum over more or less than a day would be wrong.
        let first = (at + 1).checked_sub(day).and_then(|first| candles.get(first));
        let is_day = first.is_some_and(|first| candle.end_millis.abs_diff(first.end_millis) < DAY * 1_000);
        let before = at.checked_sub(day).and_then(|before| candles.get(before));
        let missing = volume_before(candle, before, day, now);
        let volume = missing.filter(|_| is_day && unknown == 0).map(|missing| sum.max(0.0) + missing);
        points.push(Point {
            time,
            price: candle.close.filter(|close| *close > 0.0).map(|close| close / factor),
            volume,
            market_cap: None,
        });
    }
    points
}

/// The volume missing from a full 24 hours while the newest candle is open: the matching share of `before`, the candle
/// a day earlier, assuming even trading. `None` after a gap, or if candles are too long for that assumption.
fn volume_before(newest: &Candle, before: Option<&Candle>, day: usize, now: UtcTime) -> Option<f64> {
    let length = Duration::from_secs(DAY) / u32::try_from(day).unwrap_or(u32::MAX);
    let rest = UtcTime::from_millis(newest.end_millis).since(now).min(length);
    if rest.is_zero() {
        return Some(0.0);
    }
    let before = before.filter(|before| newest.end_millis.abs_diff(before.end_millis) == DAY * 1_000)?;
    before.volume.filter(|_| day >= MIN_CANDLES).map(|volume| volume * rest.div_duration_f64(length))
}

#[cfg(test)]
mod tests;
