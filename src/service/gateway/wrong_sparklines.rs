//! 7-day sparklines that contradict the price of their coin.

use super::skipped::skipped;
use crate::model::coin::GAP;
use crate::model::{Coin, Text, sparkline};

/// Turns prices of 0 into gaps, and removes lines without other prices or far from their coins' prices. Returns a warning
/// about the latter.
pub(super) fn remove_wrong_sparklines(coins: &mut [Coin]) -> Option<String> {
    let mut wrong: Vec<Text> = Vec::new();
    for coin in coins.iter_mut().filter(|coin| !coin.sparkline_7d.is_empty()) {
        // Prices too small for the provider's digits are 0.
        coin.sparkline_7d.iter_mut().filter(|price| **price <= 0.0).for_each(|price| *price = GAP);
        if coin.sparkline_7d.iter().all(|price| *price == GAP) {
            coin.sparkline_7d.clear();
        } else if sparkline::contradicts_price(coin) {
            coin.sparkline_7d.clear();
            wrong.push(coin.name.clone());
        }
    }
    skipped("7-day chart", &wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CoinId;

    fn coin(price: Option<f64>, change_24h_pct: Option<f64>, line: &[f64]) -> Coin {
        let coin = Coin::new(CoinId("25028".into()), "ORDI".into(), "ORDI".into());
        Coin { price, change_24h_pct, sparkline_7d: line.to_vec(), ..coin }
    }

    #[test]
    fn line_far_from_the_price_is_removed() {
        for (price, change, line, is_wrong) in [
            (Some(8.41), None, &[7.6, 8.4][..], false),
            (Some(1.1e-7), None, &[0.12, 0.11], true),
            (Some(8.41), None, &[42.0, 42.1], true),
            (Some(8.41), None, &[1.4, 1.5], true),
            // It rose since the last point.
            (Some(8.41), Some(500.0), &[1.4, 1.5], false),
            (Some(8.41), Some(-100.0), &[1.4, 1.5], true),
            (Some(8.41), None, &[1.4, 7.0, GAP, GAP], false),
            (None, None, &[1.4, 1.5], false),
            (Some(0.0), None, &[1.4, 1.5], false),
        ] {
            let mut coins = [coin(price, change, line)];
            let warning = remove_wrong_sparklines(&mut coins);
            let expected = is_wrong.then_some("Skipped the invalid 7-day chart of ORDI");
            assert_eq!(
                (warning.as_deref(), coins[0].sparkline_7d.is_empty()),
                (expected, is_wrong),
                "{price:?} {line:?}"
            );
        }
    }

    #[test]
    fn zero_in_a_line_is_a_gap() {
        let mut coins = [coin(Some(8.41), None, &[0.0, 7.1, GAP, 8.4, 0.0]), coin(Some(0.03), None, &[0.0; 168])];
        assert_eq!(remove_wrong_sparklines(&mut coins), None);
        assert_eq!(coins[0].sparkline_7d, [GAP, 7.1, GAP, 8.4, GAP]);
        assert!(coins[1].sparkline_7d.is_empty());
    }
}
