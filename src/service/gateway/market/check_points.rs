//! Which points of a chart or series can't be right.

use std::time::Duration;

use super::limits::{MAX_POINTS, MAX_PRICE_AGE, too_many};
use crate::format::Price;
use crate::model::live_price::is_far;
use crate::model::{Point, UtcTime, Zone};
use crate::service::gateway::Gateway;
use crate::service::operation::Operation;
use crate::service::providers::coin_ref::CoinRef;
use crate::service::providers::source::{ChartPrices, MAX_AHEAD, Provider};
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};

/// The first block of Bitcoin; no price is older.
const GENESIS: UtcTime = UtcTime::from_secs(1_231_006_505);

/// Maximum number of wrong times per right one; above it, the response is unusable.
const MAX_WRONG_TIMES: usize = 9;

/// Prices at different times that differ by more than this factor belong to another coin or unit.
pub(super) const MAX_PRICE_RATIO: f64 = 10.0;

/// Prices at about the same time that differ by more than this factor belong to another coin or unit. Small coins do
/// move this much within an hour, but not in all points around it.
const MAX_RATIO_AT_ONCE: f64 = 3.0;

/// Maximum age of known prices, and of the last one of a chart, for a comparison.
const MAX_COMPARED_AGE: Duration = Duration::from_hours(24);

/// A known price is compared with the points of this time before and after it. Several hourly points are within it.
const COMPARISON_WINDOW: Duration = Duration::from_mins(90);

/// Points within this time of a known price count as simultaneous. By the time of other points, the price may have
/// moved far.
const SAME_TIME: Duration = Duration::from_mins(5);

impl Gateway {
    /// Removes points with a wrong time, which would stretch the chart, and turns prices of 0 into gaps, with warnings.
    /// Candles have the same times and prices, so they are removed, too.
    ///
    /// # Errors
    /// Nearly all points have invalid times, so the others are not to be trusted either.
    pub(super) fn remove_wrong_points(
        &self,
        provider: &Provider,
        operation: Operation,
        prices: &mut ChartPrices,
    ) -> SourceResult<()> {
        let ChartPrices { points, candles } = prices;
        let (latest, before) = (self.0.time.now().plus(MAX_AHEAD), points.len());
        points.retain(|point| (GENESIS..=latest).contains(&point.time));
        let wrong = before - points.len();
        if wrong > MAX_WRONG_TIMES * points.len() {
            return Err(SourceError::unexpected_format(format!("{wrong} of {before} points have invalid times")));
        }
        let removed = points.iter_mut().filter_map(|point| point.price.take_if(|price| *price <= 0.0)).count();
        candles.take_if(|_| wrong > 0 || removed > 0);
        if let Some(upstream) = provider.upstream_for(operation) {
            upstream.warnings().record(wrong, "point", None);
            match removed {
                0 => {}
                1 => upstream.warnings().note(String::from("Skipped 1 zero price")),
                count => upstream.warnings().note(format!("Skipped {count} zero prices")),
            }
        }
        Ok(())
    }

    /// Checks that a chart has prices that are plausible, not too old, and not too many.
    pub(super) fn check_chart(&self, coin: &CoinRef, points: &[Point]) -> SourceResult<()> {
        let last = points.iter().rev().find(|point| point.price.is_some());
        let last = last.ok_or_else(|| SourceError::empty("chart"))?;
        if last.time < self.0.time.now().minus(MAX_PRICE_AGE) {
            Err(SourceError::not_found(format!("no prices since {}", Zone::UTC.at(last.time).date())))
        } else if points.len() >= MAX_POINTS {
            Err(too_many(points.len()))
        } else {
            self.check_prices(coin, points)
        }
    }

    /// The prices of a coin in lists of the last day, and the live one, in US dollars, with their times.
    pub(super) fn known_prices(&self, coin: &CoinRef) -> Vec<(f64, UtcTime)> {
        let now = self.0.time.now();
        let mut known = self.identity().last_prices_of(&coin.id, MAX_COMPARED_AGE, now);
        known.extend(self.0.ticker.price(&coin.id).map(|price| (price, now)));
        known
    }

    /// Compares prices with the prices of lists and with the live one. Nothing is compared if the last price is old.
    ///
    /// # Errors
    /// The prices are those of another coin or unit.
    pub(super) fn check_prices(&self, coin: &CoinRef, points: &[Point]) -> SourceResult<()> {
        let now = self.0.time.now();
        let mut priced = points.iter().rev().filter_map(|point| Some((point.time, point.price?)));
        let Some((_, last)) = priced.next().filter(|(time, _)| *time >= now.minus(MAX_COMPARED_AGE)) else {
            return Ok(());
        };
        let known = self.known_prices(coin);
        let Some((newest, _)) = known.iter().max_by_key(|(_, at)| *at) else { return Ok(()) };
        let is_near = |(known, at): &(f64, UtcTime)| {
            let within = |time: Duration| at.minus(time)..=at.plus(time);
            let priced = || points.iter().filter_map(|point| Some((point.time, point.price?)));
            let near = || priced().filter(|(time, _)| within(COMPARISON_WINDOW).contains(time));
            let is_surrounded = near().any(|(time, _)| time < *at) && near().any(|(time, _)| time > *at);
            if is_surrounded || near().any(|(time, _)| within(SAME_TIME).contains(&time)) {
                near().any(|(_, price)| !is_far(price, *known, MAX_RATIO_AT_ONCE))
            } else {
                // The chart may end before the price moved.
                !is_far(last, *known, MAX_PRICE_RATIO)
            }
        };
        if known.iter().any(is_near) {
            return Ok(());
        }
        let (last, newest) = (Price(Some(last)), Price(Some(*newest)));
        let reason = format!("The last price of {} is {last}, but another source says {newest}", coin.symbol);
        Err(SourceError::new(ErrorClass::Empty, reason))
    }
}
