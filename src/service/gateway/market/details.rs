//! Links, contracts and tags of the coins of a list. Lists don't include them, so they are fetched separately, cached
//! for a day, and added when available.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use crate::model::{Coin, CoinId, Page};
use crate::service::call::{details_wait, in_background};
use crate::service::gateway::Gateway;
use crate::service::gateway::availability::is_slow;
use crate::service::gateway::cache::Failure;
use crate::service::gateway::stored::Stored;
use crate::service::operation::{Key, Operation};
use crate::service::provider_response::ProviderResponse;
use crate::service::providers::coin_ref::CoinRef;
use crate::service::providers::source::Provider;

/// Freshness of a list while its details are being fetched.
const PENDING_FRESH_FOR: Duration = Duration::from_secs(10);

/// Freshness of a list while the provider of details is slow.
const SLOW_FRESH_FOR: Duration = Duration::from_mins(1);

/// Maximum coins whose details are fetched for one list request.
const MAX_COINS: usize = 500;

impl Gateway {
    /// Adds details to the coins of a list. Missing ones are fetched in the background; the response is then fresh for a
    /// short time only, or waits for them if the request, which `began` earlier, asks for that.
    pub(super) async fn add_details(&self, response: &mut ProviderResponse<Page<Coin>>, began: Instant) {
        let mut missing = self.fill(&mut response.data.items);
        if missing.is_empty() {
            return;
        }
        // A command doesn't wait for details, and ends before they arrive.
        if self.settings().is_command && details_wait().is_none() {
            return;
        }
        let provider = self.details_provider().filter(|provider| self.is_available(provider, Operation::Details));
        let Some(provider) = provider else { return };
        // Coins that the provider doesn't have never get details.
        missing.retain(|coin| coin.native_id(provider.name).is_some());
        missing.truncate(MAX_COINS);
        if missing.is_empty() {
            return;
        }
        if is_slow(&provider, Operation::Details) {
            response.fresh_for = response.fresh_for.min(SLOW_FRESH_FOR);
            return;
        }
        let fetching = self.fetch_details(missing, &provider);
        match details_wait() {
            Some(wait) => {
                // The client's wait includes the time of the list (RFC 7240, 4.3). Details that take longer are left out.
                if timeout_at(self.optional_until(began).min(began + wait), fetching).await.is_err() {
                    response.fresh_for = response.fresh_for.min(PENDING_FRESH_FOR);
                }
                self.fill(&mut response.data.items);
            }
            None => response.fresh_for = response.fresh_for.min(PENDING_FRESH_FOR),
        }
    }

    /// Adds cached details. Returns the coins that have none.
    fn fill(&self, coins: &mut [Coin]) -> Vec<CoinRef> {
        let mut missing = Vec::new();
        for coin in coins.iter_mut().filter(|coin| coin.links.is_empty()) {
            match self.0.cache.get_as::<Coin>(&key(&coin.id)) {
                Some(Stored { value: details, .. }) => {
                    coin.links.clone_from(&details.links);
                    coin.contracts.clone_from(&details.contracts);
                    if coin.tags.is_empty() {
                        coin.tags.clone_from(&details.tags);
                    }
                }
                None => missing.extend(self.identity().by_id(&coin.id)),
            }
        }
        missing
    }

    /// Fetches details of coins in batches as large as the provider allows.
    fn fetch_details(&self, coins: Vec<CoinRef>, provider: &Provider) -> impl Future<Output = ()> + Send + 'static {
        let (gateway, batch_size) = (self.clone(), provider.market.max_details());
        let work = async move {
            for batch in coins.chunks(batch_size) {
                if gateway.fetch_batch(batch.to_vec()).await.is_err() {
                    return;
                }
            }
        };
        let work = tokio::spawn(in_background(work));
        async move {
            // The panic hook reports panics.
            let _ = work.await;
        }
    }

    async fn fetch_batch(&self, coins: Vec<CoinRef>) -> Result<(), Failure> {
        let ids: Vec<&str> = coins.iter().map(|coin| coin.id.0.as_str()).collect();
        let batch = Key::new(Operation::Details, format!("batch {}", ids.join(",")));
        let (requested, gateway) = (coins.clone(), self.clone());
        let fetched = self.get_or_fetch(batch, move |provider| {
            let (coins, gateway) = (requested.clone(), gateway.clone());
            async move {
                let mut details = provider.market.details(&coins).await?;
                let is_requested =
                    |found: &Coin| coins.iter().any(|it| it.native_id(provider.name) == Some(&found.id.0));
                gateway.remove_unrequested(provider.name, &mut details, is_requested);
                gateway.remove_misnamed(&provider, &mut details);
                gateway.assign_ids(provider.name, &mut details);
                Ok(details)
            }
        });
        let stored = fetched.await?;
        let Stored { provider, fresh_for, .. } = stored;
        for coin in &coins {
            // Coins without details are cached, too.
            let details = stored.value.iter().find(|details| details.id == coin.id).cloned();
            let details = details.unwrap_or_else(|| Coin::new(coin.id.clone(), coin.name.clone(), coin.symbol.clone()));
            let details = Stored::new(provider, stored.fetched.clone(), fresh_for, details);
            self.0.cache.put(key(&coin.id), details.into());
        }
        Ok(())
    }

    /// Removes details of coins with another name and symbol than the requested ones: their links may lead to a scam.
    fn remove_misnamed(&self, provider: &Provider, details: &mut Vec<Coin>) {
        details.retain(|coin| {
            let Some(name) = self.identity().misnamed(provider.name, coin) else { return true };
            if let Some(upstream) = &provider.upstream {
                let Coin { name: other, symbol, .. } = coin;
                let warning = format!("Skipped details of {name}: the provider calls it {other} ({symbol})");
                upstream.warnings().note(warning);
            }
            false
        });
    }

    /// The first provider that returns details of many coins per request. One request per coin would be too many for a
    /// list.
    fn details_provider(&self) -> Option<Provider> {
        let many = |provider: &&Provider| provider.market.max_details() > 1;
        self.serving(Operation::Details).find(many).cloned()
    }
}

fn key(id: &CoinId) -> Key {
    Key::new(Operation::Details, format!("coin {}", id.0))
}
