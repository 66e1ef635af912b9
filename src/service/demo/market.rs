//! The simulated market. Every figure is a closed-form function of (seed, time), so that it is valid at any time,
//! needs no history, and everything that shows the same price shows the same number.
//!
//! - [`Market::now`] cuts the time into ticks; all answers of a tick agree.
//! - `catalogue`: which coins there are. `price`: what one costs and trades at a time. `money`: in which currency.
//! - `interval`: the steps of a series. `series`: charts and sparklines; a chart begins where the change is measured
//!   from and ends in the list's price.
//! - `board`: all coins at one tick: prices, ranks, changes, highs and lows.
//! - `pairs`: where a coin trades. `posts`: what people write about it.

mod board;
mod catalogue;
pub(crate) mod interval;
mod money;
mod pairs;
mod posts;
mod price;
pub(crate) mod series;

use std::sync::Mutex;

pub(crate) use board::Figures;
pub(crate) use catalogue::Coin;
pub(crate) use money::Money;
pub(crate) use pairs::Pair;
pub(crate) use posts::Post;

use crate::model::UtcTime;

/// Seconds for which all figures stand still.
pub(crate) const TICK: i64 = 5;

/// The simulated market of one seed.
#[derive(Debug)]
pub(crate) struct Market {
    seed: u64,
    coins: Vec<Coin>,
    ranges: Mutex<series::Ranges>,
    sparklines: Mutex<series::Sparklines>,
}

impl Market {
    /// The market of this seed. Takes a few milliseconds.
    pub(crate) fn new(seed: u64) -> Market {
        Market { seed, coins: catalogue::coins(), ranges: Mutex::default(), sparklines: Mutex::default() }
    }

    /// The tick that a time falls into, seconds since the epoch.
    pub(crate) fn now(time: UtcTime) -> i64 {
        time.secs().div_euclid(TICK) * TICK
    }

    /// All coins, by id.
    pub(crate) fn coins(&self) -> &[Coin] {
        &self.coins
    }

    /// The coin of this slug.
    pub(crate) fn by_slug(&self, slug: &str) -> Option<&Coin> {
        self.coins.iter().find(|coin| coin.slug.eq_ignore_ascii_case(slug))
    }

    /// All coins of this symbol, in any case.
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
