//! Compares the 7-day sparkline of a coin with its price.

use super::coin::{Coin, GAP};
use super::live_price::is_far;

/// A line whose prices of the last day differ from the coin's by more than this factor belongs to another coin or unit.
/// Its last price may be some hours old.
const MAX_FACTOR: f64 = 3.0;

/// The part of a line that is compared: a day.
const PART: usize = 7;

/// Whether no price of the last day is near the coin's price or, since it may have moved far, near the one a day ago.
pub fn contradicts_price(coin: &Coin) -> bool {
    let Some(price) = coin.price.filter(|price| *price > 0.0) else { return false };
    let before = coin.change_24h_pct.map(|change| price / (1.0 + change / 100.0));
    let before = before.filter(|before| before.is_finite() && *before > 0.0);
    let prices: Vec<f64> = [Some(price), before].into_iter().flatten().collect();
    !matches_prices(&coin.sparkline_7d, &prices)
}

/// Whether a price of the last day of a line is near one of these prices.
pub fn matches_prices(line: &[f64], prices: &[f64]) -> bool {
    let newest = line.iter().rev().take(line.len().div_ceil(PART)).copied().filter(|price| *price != GAP);
    // After a long gap, there is only an older one.
    let last = line.iter().rev().copied().find(|price| *price != GAP);
    newest.chain(last).any(|known| prices.iter().any(|price| !is_far(known, *price, MAX_FACTOR)))
}
