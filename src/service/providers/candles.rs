//! Charts from the candles of an exchange.

use std::str::FromStr;
use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;

use super::coin_ref::{CoinRef, Listing};
use super::lenient::{RawRow, none_readable};
use super::source::MAX_AHEAD;
use crate::model::{Period, Point, ProviderName, UtcTime};
use crate::service::upstream::error::{SourceError, SourceResult};
use crate::service::upstream::warnings::Warnings;

/// An exchange with candles of listed coins.
#[async_trait]
pub(super) trait CandleSource: Send + Sync {
    /// The exchange.
    const NAME: ProviderName;

    /// The last `count` prices of one coin, `step` seconds apart, oldest first.
    async fn points(&self, listing: &Listing, step: u64, count: usize) -> SourceResult<Vec<Point>>;
}

/// The chart of a coin over a period.
///
/// # Errors
/// The exchange doesn't list the coin or does not answer.
pub(super) async fn chart<S: CandleSource>(source: &S, coin: &CoinRef, period: Period) -> SourceResult<Vec<Point>> {
    let (step, count) = match period {
        Period::Day => (300, 288),
        Period::Week => (3_600, 168),
        Period::Month => (3_600, 720),
        Period::Quarter => (14_400, 540),
        Period::Year => (86_400, 365),
    };
    let not_listed = || SourceError::not_found(format!("{} doesn't list {}", S::NAME.title(), coin.name));
    source.points(coin.listing(S::NAME).ok_or_else(not_listed)?, step, count).await
}

/// The series of several coins; empty for one that the exchange doesn't list.
///
/// # Errors
/// The exchange lists none of them or does not answer.
pub(super) async fn series<S: CandleSource>(
    source: &S,
    coins: &[CoinRef],
    count: usize,
    interval: Duration,
) -> SourceResult<Vec<Vec<Point>>> {
    if coins.iter().all(|coin| coin.listing(S::NAME).is_none()) {
        return Err(SourceError::not_found(format!("{} lists none of these coins", S::NAME.title())));
    }
    let mut series = Vec::new();
    for coin in coins {
        series.push(match coin.listing(S::NAME) {
            Some(listing) => source.points(listing, interval.as_secs(), count).await?,
            None => Vec::new(),
        });
    }
    Ok(series)
}

/// A candle of a USDT pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candle {
    /// The last price.
    pub(super) close: Option<f64>,
    /// When it ends, in milliseconds since 1970; that of the last candle is in the future.
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

/// Reads the rows of a response, oldest first. One without a plausible time is left out, and one without a price is a gap; both are
/// reported.
///
/// # Errors
/// There are rows, but none is readable ([`none_readable`]).
pub(super) fn readable_candles(
    rows: &[RawRow],
    read: impl Fn(&Row) -> Option<Candle>,
    now: UtcTime,
    warnings: &Warnings,
) -> SourceResult<Vec<Candle>> {
    let latest = now.plus(MAX_AHEAD).millis();
    let candle = |row: &RawRow| read(&serde_json::from_str(row.get()).ok()?);
    let is_plausible = |candle: &Candle| (0..=latest).contains(&candle.end_millis);
    let mut candles: Vec<Candle> = rows.iter().filter_map(candle).filter(is_plausible).collect();
    let gaps = candles.iter().filter(|candle| candle.close.is_none()).count();
    warnings.record(rows.len() - candles.len() + gaps, "candle", None);
    match candles.is_empty() && !rows.is_empty() {
        true => Err(none_readable(rows.len(), "candle")),
        false => {
            candles.sort_by_key(|candle| candle.end_millis);
            Ok(candles)
        }
    }
}

/// An interval of candles that an exchange offers: its length in seconds and its name.
pub(super) type Interval = (u64, &'static str);

const DAY: u64 = 86_400;

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

    /// The number of candles for `count` points. The first point needs those of a day before it.
    pub(super) fn candles(self, count: usize) -> usize {
        count.saturating_mul(self.every).saturating_add(self.day)
    }

    /// The last `count` points of these candles, oldest first. `factor` is the number of coins per unit.
    pub(super) fn points(self, candles: &[Candle], count: usize, factor: f64, now: UtcTime) -> Vec<Point> {
        let mut points = points_of(candles, self.day, factor, now);
        if self.interval.0 > DAY {
            // The volume of a week is not that of a day.
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
        let volume = (is_day && unknown == 0).then_some(sum.max(0.0));
        points.push(Point {
            time,
            price: candle.close.filter(|close| *close > 0.0).map(|close| close / factor),
            volume,
            market_cap: None,
        });
    }
    points
}
