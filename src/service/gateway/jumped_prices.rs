//! Prices that are far from the provider's last ones, although these are minutes old: of another coin or unit.

use super::Gateway;
use super::wrong_values::clear_price;
use crate::format::Price;
use crate::model::sparkline::matches_prices;
use crate::model::{Coin, ProviderName, Text};

/// A removed price.
pub(super) struct Jumped {
    symbol: Text,
    price: f64,
    before: f64,
}

impl Gateway {
    /// Removes prices that are far from the provider's last ones, and what is computed from them, unless another provider
    /// or a live price confirms them. Without any other source, they are used once they have lasted. The coins have the
    /// provider's ids. Returns the number of prices, and the removed ones. A 7-day sparkline near the last price is
    /// kept.
    pub(super) fn remove_jumped_prices(&self, provider: ProviderName, coins: &mut [Coin]) -> (usize, Vec<Jumped>) {
        let now = self.0.time.now();
        let (mut compared, mut jumped) = (0, Vec::new());
        for coin in coins {
            let Some(price) = coin.price.filter(|price| *price > 0.0) else { continue };
            compared += 1;
            let Some(id) = self.identity().id_of(provider, &coin.id.0) else { continue };
            let live = self.0.ticker.price(&id);
            let before = self.identity().price_before_jump(&id, (provider, price), live, now);
            if let Some(before) = before {
                jumped.push(Jumped { symbol: coin.symbol.clone(), price, before });
                let line = std::mem::take(&mut coin.sparkline_7d);
                clear_price(coin);
                coin.market_cap = None;
                if matches_prices(&line, &[before]) {
                    coin.sparkline_7d = line;
                }
            }
        }
        (compared, jumped)
    }
}

/// The warning about removed prices.
pub(super) fn jumped_warning(jumped: &[Jumped]) -> Option<String> {
    let Jumped { symbol, price, before } = jumped.first()?;
    let (price, before) = (Price(Some(*price)), Price(Some(*before)));
    Some(match jumped.len() {
        1 => format!("Skipped the price of {symbol}: {price} after {before}"),
        count => format!("Skipped {count} prices far from the last ones, such as {symbol}: {price} after {before}"),
    })
}
