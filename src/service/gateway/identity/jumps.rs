//! Compares the prices of coins with their last ones.

use super::Identity;
use super::last_prices::Jump;
use crate::model::{Coin, CoinId, ProviderName, UtcTime};

impl Identity {
    /// Compares the price of a coin with the last one.
    pub(in crate::service::gateway) fn compare_price(
        &mut self,
        id: &CoinId,
        (provider, price): (ProviderName, f64),
        now: UtcTime,
    ) -> Jump {
        match self.place_of(id) {
            Some(at) => self.last_prices.compare(at, (provider, price), now),
            None => Jump::None,
        }
    }

    /// Remembers the prices of coins.
    pub(in crate::service::gateway) fn note_prices(&mut self, coins: &[Coin], now: UtcTime) {
        // The first row of a coin is the one that is shown.
        for coin in coins.iter().rev() {
            let price = coin.price.filter(|price| price.is_finite() && *price > 0.0);
            if let Some((at, price)) = self.place_of(&coin.id).zip(price) {
                self.last_prices.set(at, price, now);
            }
        }
    }
}
