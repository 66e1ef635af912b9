//! The 24h range of coins whose list has none, from cached lists of other providers. It costs no request.

use std::collections::HashMap;

use crate::model::{Coin, CoinId, Page};
use crate::service::gateway::Gateway;
use crate::service::provider_response::ProviderResponse;

/// How far a price may be outside another provider's range, in parts of the price. Both are minutes old, and markets
/// differ a little.
const TOLERANCE: f64 = 0.02;

impl Gateway {
    /// Adds ranges from fresh cached lists to the coins that have none, if the coin is certainly the same and its price
    /// agrees. The range then includes the price.
    pub(super) fn add_ranges(&self, response: &mut ProviderResponse<Page<Coin>>) {
        let is_missing = |coin: &Coin| coin.high_24h.is_none() && coin.low_24h.is_none();
        let provider = response.provider;
        let is_certain = |coin: &Coin| {
            let provider = coin.provider.or(provider);
            provider.is_some_and(|provider| self.identity().is_certain(&coin.id, provider))
        };
        let coins =
            response.data.items.iter_mut().filter(|coin| is_missing(coin) && coin.price.is_some() && is_certain(coin));
        let mut missing: HashMap<CoinId, &mut Coin> = coins.map(|coin| (coin.id.clone(), coin)).collect();
        if missing.is_empty() {
            return;
        }
        let mut providers = Vec::new();
        for page in self.cached_pages().iter().filter(|page| page.is_up_to_date()) {
            for other in page.value.coins.iter().filter(|other| !is_missing(other)) {
                let Some(coin) = missing.get_mut(&other.id) else { continue };
                let Some((low, high)) = range_with(coin, other) else { continue };
                if !self.identity().is_certain(&other.id, page.provider) {
                    continue;
                }
                (coin.low_24h, coin.high_24h) = (Some(low), Some(high));
                missing.remove(&other.id);
                providers.push(other.provider.unwrap_or(page.origin()));
            }
        }
        response.add_others(providers);
    }
}

/// The range of a coin in another list, extended to its price here; `None` if they don't agree.
fn range_with(coin: &Coin, other: &Coin) -> Option<(f64, f64)> {
    let (price, low, high) = (coin.price?, other.low_24h?, other.high_24h?);
    let agrees = 0.0 < low && low <= high && low * (1.0 - TOLERANCE) <= price && price <= high * (1.0 + TOLERANCE);
    agrees.then(|| (low.min(price), high.max(price)))
}
