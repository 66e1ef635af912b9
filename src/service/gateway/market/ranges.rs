//! The 24h range of coins whose list has none, from cached lists and lookups of other providers. It costs no request.

use std::collections::{HashMap, HashSet};

use crate::model::{Coin, CoinId, Page};
use crate::service::gateway::Gateway;
use crate::service::gateway::stored::{CachedValue, Stored};
use crate::service::operation::{Key, Operation};
use crate::service::provider_response::ProviderResponse;
use crate::service::providers::source::Provider;

/// How far a price may be outside another provider's range, in parts of the price. Both are minutes old, and markets
/// differ a little.
const TOLERANCE: f64 = 0.02;

/// The 24h range of a coin that was looked up, in dollars.
#[derive(Clone, Copy, Debug)]
struct FoundRange {
    low: f64,
    high: f64,
}

impl CachedValue for FoundRange {
    fn weight(&self) -> usize {
        size_of::<FoundRange>()
    }
}

impl Gateway {
    /// Caches the ranges of coins that were looked up at a provider, with our ids. They are as fresh as those of its
    /// list.
    pub(in crate::service::gateway) fn cache_ranges(&self, provider: &Provider, coins: &[Coin]) {
        let fresh_for = Operation::Coins.fresh_for().max(provider.fresh_at_least);
        let mut seen = HashSet::new();
        // The first row of a coin, as in lists.
        for coin in coins.iter().filter(|coin| seen.insert(&coin.id)) {
            if let Some((low, high)) = coin.low_24h.zip(coin.high_24h) {
                self.cache_value(key(&coin.id), provider.name, fresh_for, FoundRange { low, high });
            }
        }
    }

    /// Adds ranges from fresh cached lists and lookups to the coins that have none, if the coin is certainly the same and
    /// its price agrees. The range then includes the price.
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
                let of_other = other.low_24h.zip(other.high_24h);
                let Some((low, high)) = of_other.and_then(|range| range_with(coin, range)) else { continue };
                if !self.identity().is_certain(&other.id, page.provider) {
                    continue;
                }
                (coin.low_24h, coin.high_24h) = (Some(low), Some(high));
                missing.remove(&other.id);
                providers.push(other.provider.unwrap_or(page.origin()));
            }
        }
        let mut of_lookups = Vec::new();
        for (id, coin) in missing {
            let found = self.0.cache.get_as::<FoundRange>(&key(&id)).filter(Stored::is_up_to_date);
            let Some(found) = found.filter(|found| self.identity().is_certain(&id, found.provider)) else { continue };
            let FoundRange { low, high } = *found.value;
            let Some((low, high)) = range_with(coin, (low, high)) else { continue };
            (coin.low_24h, coin.high_24h) = (Some(low), Some(high));
            of_lookups.push(found.origin());
        }
        // The coins are in no order.
        of_lookups.sort_unstable();
        providers.extend(of_lookups);
        response.add_others(providers);
    }
}

fn key(id: &CoinId) -> Key {
    Key::new(Operation::Coins, format!("range of {}", id.0))
}

/// A coin's low and high of another provider, extended to its price here; `None` if they don't agree.
fn range_with(coin: &Coin, (low, high): (f64, f64)) -> Option<(f64, f64)> {
    let price = coin.price?;
    let agrees = 0.0 < low && low <= high && low * (1.0 - TOLERANCE) <= price && price <= high * (1.0 + TOLERANCE);
    agrees.then(|| (low.min(price), high.max(price)))
}
