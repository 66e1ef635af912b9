//! The cached prices of a chart.

use std::time::Duration;

use crate::format::Span;
use crate::model::chart::longest_step;
use crate::model::{Candle, ExchangeCandles, Period, Point, UtcTime};
use crate::service::gateway::fallback_reason::FallbackReason;
use crate::service::gateway::prices_end::PricesEnd;
use crate::service::gateway::stored::CachedValue;
use crate::service::providers::source::ChartPrices;

/// A distance of this part of a period between two prices is a gap, even if all distances are as long.
const GAP_PART: u32 = 5;

/// The part of a period by which the first price may be earlier, since providers round times.
const EARLY_PART: u32 = 50;

/// The prices of a coin over a period.
#[derive(Debug)]
pub(super) struct PeriodPrices {
    /// The prices.
    pub(super) prices: ChartPrices,
    /// The requested period.
    pub(super) period: Period,
    /// The number of earlier prices, which were left out.
    earlier: usize,
}

impl PeriodPrices {
    /// The prices of the period that ends with the last one.
    pub(super) fn new(mut prices: ChartPrices, period: Period) -> PeriodPrices {
        let earlier = remove_earlier(&mut prices, period.length());
        PeriodPrices { prices, period, earlier }
    }

    /// The warning about earlier prices, if the others are few: the provider's times are wrong, or the coin is hardly
    /// traded.
    pub(super) fn warning(&self) -> Option<String> {
        let is_sparse = priced(&self.prices.points).nth(1).is_none() || self.sparse().is_some();
        (self.earlier > 0 && is_sparse).then(|| match self.earlier {
            1 => String::from("Skipped 1 price from before this period"),
            count => format!("Skipped {count} prices from before this period"),
        })
    }

    /// The notice that the prices cover little of the period: the coin is new, or the provider has gaps.
    pub(super) fn notice(&self) -> Option<String> {
        self.sparse().map(|covered| {
            if covered.is_zero() {
                format!("Only {} prices in this period", priced(&self.prices.points).count())
            } else {
                format!("Prices for only {} of this period", Span(covered))
            }
        })
    }

    /// The time that several prices cover, without gaps, if it is less than half of the period.
    fn sparse(&self) -> Option<Duration> {
        let points = &self.prices.points;
        priced(points).nth(1)?;
        let longest = longest_step(points).min(self.period.length() / GAP_PART);
        let distances = priced(points).zip(priced(points).skip(1)).map(|(one, next)| next.since(one));
        let covered = distances.filter(|distance| *distance <= longest).sum();
        (covered < self.period.length() / 2).then_some(covered)
    }
}

/// The times of the points with a price.
fn priced(points: &[Point]) -> impl Iterator<Item = UtcTime> {
    points.iter().filter(|point| point.price.is_some()).map(|point| point.time)
}

/// Removes the points and candles that are more than a span before the last price. Returns the number of points.
pub(super) fn remove_earlier(prices: &mut ChartPrices, span: Duration) -> usize {
    let ChartPrices { points, candles } = prices;
    let Some(last) = priced(points).last() else { return 0 };
    let first = last.minus(span.saturating_add(span / EARLY_PART));
    let earlier = points.partition_point(|point| point.time < first);
    if earlier > 0 {
        points.drain(..earlier);
        *candles = candles.take().and_then(|candles| {
            let kept = candles.of_period(points)?.candles.to_vec();
            ExchangeCandles::new(candles.exchange().clone(), candles.interval().clone(), kept)
        });
    }
    earlier
}

impl CachedValue for PeriodPrices {
    fn weight(&self) -> usize {
        price_weight(&self.prices)
    }

    fn fallback_reason(&self, now: UtcTime) -> Option<FallbackReason> {
        let points = &self.prices.points;
        // If they end before half of the period, the chart would look like a newer one.
        let ended = PricesEnd::within(points, self.period.length() / 2)?.fallback_reason(now);
        ended.or_else(|| match priced(points).nth(1) {
            None => Some(FallbackReason::OnePrice),
            // A new coin has no more prices anywhere.
            Some(_) => self.sparse().filter(|_| self.earlier > 0).map(FallbackReason::Sparse),
        })
    }
}

/// Approximate size of prices in memory, in bytes.
pub(super) fn price_weight(prices: &ChartPrices) -> usize {
    let candles = prices.candles.as_ref().map_or(0, |candles| candles.candles().len());
    prices.points.len() * size_of::<Point>() + candles * (size_of::<Candle>() + size_of::<Point>())
}
