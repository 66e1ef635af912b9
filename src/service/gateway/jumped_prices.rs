//! Prices that are far from the last ones, although these are minutes old: of another coin or unit.

use super::Gateway;
use super::identity::{Jump, agree};
use crate::format::Price;
use crate::model::{Coin, CoinId, ProviderName, Text};

/// A removed price.
pub(super) struct Jumped {
    symbol: Text,
    price: f64,
    before: Option<f64>,
}

impl Gateway {
    /// Removes prices that are far from the last ones, and what is computed from them, unless another provider or a live
    /// price confirms them. Without any other source, they are used once they have lasted. Returns the number of prices,
    /// and the removed ones.
    pub(super) fn remove_jumped_prices(&self, provider: ProviderName, coins: &mut [Coin]) -> (usize, Vec<Jumped>) {
        let now = self.0.time.now();
        let (mut compared, mut jumped) = (0, Vec::new());
        for coin in coins {
            let Some(price) = coin.price.filter(|price| *price > 0.0) else { continue };
            compared += 1;
            let jump = self.identity().compare_price(&coin.id, (provider, price), now);
            if jump == Jump::None {
                continue;
            }
            let others = self.prices_of_others(provider, &coin.id);
            if others.iter().any(|other| agree(*other, price)) || jump == Jump::Lasting && others.is_empty() {
                continue;
            }
            let before = self.identity().recent_price_of(&coin.id, now);
            jumped.push(Jumped { symbol: coin.symbol.clone(), price, before });
            for value in [&mut coin.price, &mut coin.high_24h, &mut coin.low_24h, &mut coin.market_cap] {
                *value = None;
            }
            coin.sparkline_7d.clear();
        }
        (compared, jumped)
    }

    /// The prices of a coin that are known from other sources: fresh lists of other providers, and live prices.
    fn prices_of_others(&self, provider: ProviderName, id: &CoinId) -> Vec<f64> {
        let pages = self.cached_pages();
        let of_others = pages.iter().filter(|page| page.provider != provider && page.is_fresh(None));
        let listed = of_others.filter_map(|page| page.value.coins.iter().find(|coin| coin.id == *id)?.price);
        listed.chain(self.0.ticker.price(id)).collect()
    }
}

/// The warning about removed prices.
pub(super) fn jumped_warning(jumped: &[Jumped]) -> Option<String> {
    let Jumped { symbol, price, before } = jumped.first()?;
    let after = before.map(|before| format!(" after {}", Price(Some(before)))).unwrap_or_default();
    let price = Price(Some(*price));
    Some(match jumped.len() {
        1 => format!("Skipped the price of {symbol}: {price}{after}"),
        count => format!("Skipped {count} prices far from the last ones, such as that of {symbol}: {price}{after}"),
    })
}
