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
