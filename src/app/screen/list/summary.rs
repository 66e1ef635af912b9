//! Statistics of the coins of a list.

use std::cmp::Ordering;

use crate::format::direction;
use crate::model::{Coin, Text};

/// Statistics of the loaded coins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Sum of the known market capitalisations.
    pub market_cap: f64,
    /// Sum of the known volumes over 24 hours.
    pub volume: f64,
    /// The market capitalisation of bitcoin, if it is among the coins.
    bitcoin: Option<f64>,
    /// Coins that rose in the last 24 hours, except those whose change is shown as 0.0%.
    pub up: usize,
    /// Coins that fell, with the same exception.
    pub down: usize,
    /// The coin with the highest 24-hour change, and that change in percent.
    pub best: Option<(Text, f64)>,
    /// The coin with the lowest 24-hour change.
    pub worst: Option<(Text, f64)>,
}

impl Summary {
    /// The share of bitcoin in the market capitalisation, in percent.
    pub fn bitcoin_share(&self) -> Option<f64> {
        self.bitcoin.filter(|_| self.market_cap > 0.0).map(|cap| 100.0 * cap / self.market_cap)
    }

    /// Clears the sums if the coins are in several currencies.
    pub(super) fn without_sums(self) -> Summary {
        Summary { market_cap: 0.0, volume: 0.0, bitcoin: None, ..self }
    }

    /// Adds a coin.
    pub(super) fn add(&mut self, coin: &Coin) {
        self.market_cap += coin.market_cap.unwrap_or(0.0);
        self.volume += coin.volume_24h.unwrap_or(0.0);
        if coin.slug.as_deref() == Some("bitcoin") {
            self.bitcoin = coin.market_cap;
        }
        let Some(change) = coin.change_24h_pct else { return };
        match direction(change) {
            Some(Ordering::Greater) => self.up += 1,
            Some(Ordering::Less) => self.down += 1,
            _ => {}
        }
        if self.best.as_ref().is_none_or(|(_, best)| change > *best) {
            self.best = Some((coin.symbol.clone(), change));
        }
        if self.worst.as_ref().is_none_or(|(_, worst)| change < *worst) {
            self.worst = Some((coin.symbol.clone(), change));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CoinId;

    #[test]
    fn first_of_equal_changes_is_best_or_worst() {
        let mut summary = Summary::default();
        for (symbol, change) in
            [("A", 0.0), ("B", 5.0), ("C", 5.0), ("D", -5.0), ("E", -5.0), ("F", f64::NAN), ("G", 0.049), ("H", -0.049)]
        {
            let mut coin = Coin::new(CoinId(symbol.into()), symbol.into(), symbol.into());
            coin.change_24h_pct = change.into();
            summary.add(&coin);
        }
        assert_eq!((summary.up, summary.down), (2, 2));
        assert_eq!((summary.best, summary.worst), (Some(("B".into(), 5.0)), Some(("D".into(), -5.0))));
    }
}
