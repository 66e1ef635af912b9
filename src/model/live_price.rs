//! Prices that an exchange streams between two polls.

use serde::{Deserialize, Serialize};

use super::coin::CoinId;
use super::text::Text;

/// New prices of coins: an event of `/x/stream`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PriceUpdate {
    /// The exchange, by its name in the configuration. Its prices are in USDT, treated as US dollars.
    pub provider: Text,
    /// The prices that have changed, at most one for each coin.
    pub prices: Vec<LivePrice>,
    /// Why there are no prices for now, if all exchanges with these coins failed: a sentence without a full stop. They
    /// are retried; an update without it means that one of them works again.
    #[serde(default)]
    pub failure: Option<Text>,
}

/// The last price of a coin on an exchange.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LivePrice {
    /// Identity of the coin.
    pub id: CoinId,
    /// The price in the requested currency.
    pub price: f64,
    /// Seconds since it arrived from the exchange.
    pub age: f64,
    /// The lowest price in 24 hours, in the same currency, if the exchange sends it.
    #[serde(default)]
    pub low_24h: Option<f64>,
    /// The highest one.
    #[serde(default)]
    pub high_24h: Option<f64>,
}

/// The lowest and the highest price in 24 hours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DayRange {
    /// The lowest.
    pub low: f64,
    /// The highest.
    pub high: f64,
}

/// How far a price may be outside the range that comes with it, in parts of the price.
const RANGE_TOLERANCE: f64 = 0.02;

impl DayRange {
    /// The range of a price, extended to it; `None` if it is unknown or can't be its range.
    pub fn of(price: f64, low: Option<f64>, high: Option<f64>) -> Option<DayRange> {
        let (low, high) = low.zip(high)?;
        let is_ordered = 0.0 < low && low <= high && high.is_finite();
        let agrees = low * (1.0 - RANGE_TOLERANCE) <= price && price <= high * (1.0 + RANGE_TOLERANCE);
        (is_ordered && agrees).then(|| DayRange { low: low.min(price), high: high.max(price) })
    }

    /// The range of prices that are this many times as large.
    #[must_use]
    pub fn times(self, factor: f64) -> DayRange {
        DayRange { low: self.low * factor, high: self.high * factor }
    }
}

/// Largest ratio of a live price to the polled one. A larger one means that they belong to different coins, or that one
/// of them is an outlier.
const MAX_RATIO: f64 = 1.5;

/// Whether a live price can be of the coin with a polled price.
pub fn is_plausible(live: f64, polled: f64) -> bool {
    live > 0.0 && polled > 0.0 && !is_far(live, polled, MAX_RATIO)
}

/// Whether two prices differ by more than a factor.
pub fn is_far(a: f64, b: f64, factor: f64) -> bool {
    a.max(b) > a.min(b) * factor
}
