//! The simulated market. Every value is a closed-form function of (seed, time): it is available for any time, needs no
//! history, and is the same in all responses.
//!
//! - [`Market::now`] divides the time into ticks; all responses of a tick are consistent.
//! - `catalogue`: the coins. `price`: price and volume at a time. `money`: currencies.
//! - `interval`: intervals of price history. `series`: charts and sparklines; a chart starts at the base of the
//!   percentage change and ends at the price of the list.
//! - `board`: all coins at one tick: prices, ranks, changes, highs and lows.
//! - `pairs`: market pairs. `posts`: posts.

pub(crate) mod board;
mod catalogue;
pub(crate) mod interval;
mod money;
pub(crate) mod pairs;
pub(crate) mod posts;
mod price;
pub(crate) mod series;
mod span_cache;

use parking_lot::Mutex;

pub(crate) use catalogue::{Coin, coins};
pub(crate) use money::Money;

use self::span_cache::SpanCache;
use crate::model::UtcTime;

/// Seconds during which all values are constant.
pub(crate) const TICK: i64 = 5;

/// The simulated market of one seed.
#[derive(Debug)]
pub(crate) struct Market {
    seed: u64,
    coins: Vec<Coin>,
    /// Highs and lows.
    ranges: Mutex<SpanCache<(f64, f64)>>,
    sparklines: Mutex<SpanCache<Box<[f32]>>>,
}

impl Market {
    /// Creates the market of a seed, which takes a few milliseconds.
    pub(crate) fn new(seed: u64) -> Market {
        Market { seed, coins: catalogue::coins(), ranges: Mutex::default(), sparklines: Mutex::default() }
    }

    /// The tick of a time, in seconds since the epoch.
    pub(crate) fn now(time: UtcTime) -> i64 {
        time.secs().div_euclid(TICK) * TICK
    }

    /// All coins, by id.
    pub(crate) fn coins(&self) -> &[Coin] {
        &self.coins
    }

    /// Finds a coin by slug.
    pub(crate) fn by_slug(&self, slug: &str) -> Option<&Coin> {
        self.coins.iter().find(|coin| coin.slug.eq_ignore_ascii_case(slug))
    }

    /// Finds all coins of a symbol (case-insensitive).
    pub(crate) fn by_symbol(&self, symbol: &str) -> Vec<&Coin> {
        let wanted = symbol.to_lowercase();
        self.coins.iter().filter(|coin| coin.symbol.to_lowercase() == wanted).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_coins_rise_while_others_fall() {
        const WEEK: i64 = 7 * series::DAY;
        let market = Market::new(1);
        let mut coins: Vec<&Coin> =
            market.coins().iter().filter(|coin| coin.beta > 0.0 && !coin.wraps_bitcoin).collect();
        coins.sort_by(|a, b| b.volume.total_cmp(&a.volume));
        let mut one_sided = 0;
        for week in 0..100 {
            let now = 1_795_075_200 + week * WEEK;
            let change = |coin: &&Coin| {
                let line = market.line(coin, Money::USD, &[now - WEEK, now]);
                (line[1].price / line[0].price - 1.0) * 100.0
            };
            let mut changes: Vec<f64> = coins.iter().take(100).map(change).collect();
            changes.sort_by(f64::total_cmp);
            let up = changes.iter().filter(|change| **change > 0.0).count();
            one_sided += usize::from(!(20..=80).contains(&up));
            assert!(changes[50].abs() < 8.0, "week {week}: half of them moved by {:.1} %", changes[50]);
            assert!(changes[90] - changes[10] > 8.0, "week {week}: {:.1} to {:.1} %", changes[10], changes[90]);
        }
        assert!(one_sided <= 10, "{one_sided} weeks of 100 in which nearly all went one way");
    }
}
