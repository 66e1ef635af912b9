//! Compares the prices of coins with their last ones.

use std::time::Duration;

use super::Identity;
use crate::model::{Coin, CoinId, ProviderName, Text, UtcTime};

impl Identity {
    /// Our id of a coin with this id at a provider, if it is known.
    pub(in crate::service::gateway) fn id_of(&self, provider: ProviderName, native: &Text) -> Option<CoinId> {
        let at = self.native.get(&(provider, native.clone()))?;
        self.coins.get(*at).map(|coin| coin.id.clone())
    }

    /// The provider's last price of a coin if its new one has jumped: see `LastPrices::before_jump`.
    pub(in crate::service::gateway) fn price_before_jump(
        &mut self,
        id: &CoinId,
        price: (ProviderName, f64),
        live: Option<f64>,
        now: UtcTime,
    ) -> Option<f64> {
        let at = self.place_of(id)?;
        self.last_prices.before_jump(at, price, live, now)
    }

    /// The last prices of a coin in the lists of all providers that are not older than `max_age`, and when they were
    /// fetched.
    pub(in crate::service::gateway) fn last_prices_of(
        &self,
        id: &CoinId,
        max_age: Duration,
        now: UtcTime,
    ) -> Vec<(f64, UtcTime)> {
        self.place_of(id).map(|at| self.last_prices.of_all(at, max_age, now)).unwrap_or_default()
    }

    /// Remembers the prices and market caps of coins.
    pub(in crate::service::gateway) fn note_values(&mut self, provider: ProviderName, coins: &[Coin], now: UtcTime) {
        // The first row of a coin is the one that is shown.
        for coin in coins.iter().rev() {
            let Some(at) = self.place_of(&coin.id) else { continue };
            if let Some(price) = coin.price.filter(|price| price.is_finite() && *price > 0.0) {
                self.last_prices.set(at, (provider, price), now);
                // Only the prices of these coins are saved.
                let is_saved = self.seen.contains_key(&at) && !self.by_name.contains_key(&at);
                self.has_unsaved |= is_saved && self.last_prices.needs_saving(at, price, now);
            }
            if let Some(cap) = coin.market_cap.filter(|cap| *cap > 0.0) {
                self.note_joined_cap(at, provider, cap);
                if let Some(known) = self.coins.get_mut(at) {
                    known.market_cap = Some(cap);
                }
            }
        }
    }
}
