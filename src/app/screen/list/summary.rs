//! What the coins of a list come to.

use crate::model::{Coin, Text};

/// What the loaded coins come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Sum of the known market capitalisations.
    pub market_cap: f64,
    /// Coins that rose over the day.
    pub up: usize,
    /// Coins that fell.
    pub down: usize,
    /// The one that rose most, with its change in percent.
    pub best: Option<(Text, f64)>,
    /// The one that fell most.
    pub worst: Option<(Text, f64)>,
}

impl Summary {
    /// Counts a coin in.
    pub(super) fn add(&mut self, coin: &Coin) {
        self.market_cap += coin.market_cap.unwrap_or(0.0);
        let Some(change) = coin.change_24h_pct else { return };
        if change > 0.0 {
            self.up += 1;
        } else if change < 0.0 {
            self.down += 1;
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
    fn of_equal_changes_the_first_counts() {
        let mut summary = Summary::default();
        for (symbol, change) in [("A", 0.0), ("B", 5.0), ("C", 5.0), ("D", -5.0), ("E", -5.0), ("F", f64::NAN)] {
            let mut coin = Coin::new(CoinId(symbol.into()), symbol.into(), symbol.into());
            coin.change_24h_pct = change.into();
            summary.add(&coin);
        }
        assert_eq!((summary.up, summary.down), (2, 2));
        assert_eq!((summary.best, summary.worst), (Some(("B".into(), 5.0)), Some(("D".into(), -5.0))));
    }
}
