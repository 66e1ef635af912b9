//! The cached prices of a chart.

use crate::model::{Candle, Period, Point, UtcTime};
use crate::service::gateway::fallback_reason::FallbackReason;
use crate::service::gateway::prices_end::PricesEnd;
use crate::service::gateway::stored::CachedValue;
use crate::service::providers::source::ChartPrices;

/// The prices of a coin over a period.
#[derive(Debug)]
pub(super) struct PeriodPrices {
    /// The prices.
    pub(super) prices: ChartPrices,
    /// The requested period.
    pub(super) period: Period,
}

impl CachedValue for PeriodPrices {
    fn weight(&self) -> usize {
        price_weight(&self.prices)
    }

    fn fallback_reason(&self, now: UtcTime) -> Option<FallbackReason> {
        let points = &self.prices.points;
        let ended = PricesEnd::within(points, self.period.length())?.fallback_reason(now);
        let count = points.iter().filter(|point| point.price.is_some()).take(2).count();
        ended.or((count == 1).then_some(FallbackReason::OnePrice))
    }
}

/// Approximate size of prices in memory, in bytes.
pub(super) fn price_weight(prices: &ChartPrices) -> usize {
    let candles = prices.candles.as_ref().map_or(0, |candles| candles.candles().len());
    prices.points.len() * size_of::<Point>() + candles * (size_of::<Candle>() + size_of::<Point>())
}
