//! 24-hour ranges that contradict the price of their coin.

use super::skipped::skipped;
use crate::model::{Coin, Text};

/// A price this many times above its 24-hour high, or below its low, belongs to another coin or unit. The range of a
/// provider may be some minutes older than the price, so prices are often a little outside.
const MAX_FACTOR: f64 = 10.0;

/// Removes 24-hour ranges whose high is below the low, or that are far from the price. Returns a warning.
pub(super) fn remove_wrong_ranges(coins: &mut [Coin]) -> Option<String> {
    let mut wrong: Vec<Text> = Vec::new();
    for coin in coins.iter_mut().filter(|coin| is_wrong(coin)) {
        (coin.high_24h, coin.low_24h) = (None, None);
        wrong.push(coin.name.clone());
    }
    skipped("24h range", &wrong)
}

fn is_wrong(coin: &Coin) -> bool {
    let is_reversed = coin.high_24h.zip(coin.low_24h).is_some_and(|(high, low)| high < low);
    let is_far = |price: f64| {
        coin.high_24h.is_some_and(|high| price > high * MAX_FACTOR)
            || coin.low_24h.is_some_and(|low| price < low / MAX_FACTOR)
    };
    is_reversed || coin.price.filter(|price| *price > 0.0).is_some_and(is_far)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CoinId;

    #[test]
    fn range_that_contradicts_itself_or_the_price_is_removed() {
        for (price, low, high, is_wrong) in [
            (Some(8.41), Some(8.2), Some(8.9), false),
            (Some(9.5), Some(8.2), Some(8.9), false),
            (Some(8.41), Some(8.41), Some(8.41), false),
            (Some(8.41), Some(8.9), Some(8.2), true),
            (None, Some(8.9), Some(8.2), true),
            (Some(90.0), Some(8.2), Some(8.9), true),
            (Some(0.81), Some(8.2), Some(8.9), true),
            (Some(0.0), Some(8.2), Some(8.9), false),
            (Some(90.0), None, Some(8.9), true),
            (Some(90.0), None, None, false),
            (None, Some(8.2), Some(8.9), false),
        ] {
            let coin = Coin::new(CoinId("25028".into()), "ORDI".into(), "ORDI".into());
            let mut coins = [Coin { price, low_24h: low, high_24h: high, ..coin }];
            let warning = remove_wrong_ranges(&mut coins);
            let expected = is_wrong.then_some("Skipped the invalid 24h range of ORDI");
            assert_eq!(warning.as_deref(), expected, "{price:?} {low:?} {high:?}");
            let rest = if is_wrong { (None, None) } else { (low, high) };
            assert_eq!((coins[0].low_24h, coins[0].high_24h), rest);
        }
    }
}
