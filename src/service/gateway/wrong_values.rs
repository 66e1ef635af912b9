//! Values of coins that contradict others of the same row.

use super::wrong_ranges::remove_wrong_ranges;
use crate::model::{Coin, Text};

/// A supply may exceed the max supply by this factor, since providers round.
const SUPPLY_TOLERANCE: f64 = 1.01;

/// Removes values that contradict others. Returns warnings.
pub(super) fn remove_wrong_values(coins: &mut [Coin]) -> Vec<String> {
    let (mut without_price, mut with_wrong_supply) = (Vec::new(), Vec::new());
    for coin in coins.iter_mut() {
        // Prices too small for the provider's digits are 0.
        if coin.price == Some(0.0) && coin.market_cap.is_some_and(|cap| cap > 0.0) {
            clear_price(coin);
            without_price.push(coin.name.clone());
        }
        let Some(most) = coin.max_supply.filter(|most| *most > 0.0) else { continue };
        let mut is_wrong = false;
        for supply in [&mut coin.circulating_supply, &mut coin.total_supply] {
            is_wrong |= supply.take_if(|supply| *supply > most * SUPPLY_TOLERANCE).is_some();
        }
        if is_wrong {
            with_wrong_supply.push(coin.name.clone());
        }
    }
    let prices =
        sentence(&without_price, "the zero price", "its market cap isn't zero", "their market caps aren't zero");
    let supplies = sentence(&with_wrong_supply, "the supply", "above the max supply", "above the max supply");
    [remove_wrong_ranges(coins), prices, supplies].into_iter().flatten().collect()
}

/// Removes a price that can't be right, and the values that belong to it. A market cap may still be right.
pub(super) fn clear_price(coin: &mut Coin) {
    let changes = [&mut coin.change_1h_pct, &mut coin.change_24h_pct, &mut coin.change_7d_pct];
    let others = [&mut coin.price, &mut coin.high_24h, &mut coin.low_24h, &mut coin.volume_24h];
    changes.into_iter().chain(others).for_each(|value| *value = None);
    coin.sparkline_7d.clear();
}

/// `Ignored the supply of ORDI (above the max supply)`; `None` without coins.
fn sentence(names: &[Text], what: &str, why: &str, why_of_many: &str) -> Option<String> {
    match names {
        [] => None,
        [name] => Some(format!("Ignored {what} of {name} ({why})")),
        [name, ..] => Some(format!("Ignored {what} of {} coins, such as {name} ({why_of_many})", names.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CoinId;

    #[test]
    fn zero_price_with_a_market_cap_and_supply_above_the_max_are_removed() {
        let coin = |name: &str| Coin::new(CoinId(name.into()), name.into(), name.into());
        let mut coins = [
            Coin { price: Some(0.0), market_cap: Some(1e6), ..coin("A") },
            Coin { price: Some(0.0), market_cap: Some(0.0), ..coin("B") },
            Coin { circulating_supply: Some(22e6), total_supply: Some(21e6), max_supply: Some(21e6), ..coin("C") },
            Coin { circulating_supply: Some(21.1e6), total_supply: Some(30e6), max_supply: Some(21e6), ..coin("D") },
            Coin { circulating_supply: Some(1.0), total_supply: Some(1.0), max_supply: Some(0.0), ..coin("E") },
        ];
        let warnings = remove_wrong_values(&mut coins);
        let left: Vec<_> = coins.iter().map(|it| (it.price, it.circulating_supply, it.total_supply)).collect();
        assert_eq!(left[..2], [(None, None, None), (Some(0.0), None, None)]);
        assert_eq!(left[2..], [(None, None, Some(21e6)), (None, Some(21.1e6), None), (None, Some(1.0), Some(1.0))]);
        assert_eq!(
            warnings,
            [
                "Ignored the zero price of A (its market cap isn't zero)",
                "Ignored the supply of 2 coins, such as C (above the max supply)"
            ]
        );
        assert!(remove_wrong_values(&mut coins).is_empty());
    }
}
