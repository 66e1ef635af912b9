//! Links, contracts and tags of the coins of a list, which lists come without. They are fetched beside the list, kept for
//! a day, and added when they are there.

use std::time::Duration;

use tokio::time::timeout;

use crate::model::{Coin, CoinId, Page};
use crate::service::gateway::cache::{Failure, Key, Stored};
use crate::service::gateway::call::wait_for_details;
use crate::service::gateway::{CoinRef, Gateway, Operation};
use crate::service::providers::{Answer, Provider};

/// While details are on their way, the list is to be asked for again after this.
const SOON: Duration = Duration::from_secs(10);

/// The most coins whose details are fetched for one request of a list.
const MOST: usize = 500;

impl Gateway {
    /// Adds details to the coins of a list. Those that are not known yet are fetched in the background; the answer is
    /// then fresh for a short time only, or waits for them where the request says so.
    pub(super) async fn add_details(&self, answer: &mut Answer<Page<Coin>>) {
        let missing = self.fill(&mut answer.data.items);
        if missing.is_empty() || !self.can_fetch_details() {
            return;
        }
        let fetching = self.fetch_details(missing);
        match wait_for_details() {
            Some(patience) => {
                // What has not come by then is left out.
                let _ = timeout(patience, fetching).await;
                self.fill(&mut answer.data.items);
            }
            None => answer.fresh_for = answer.fresh_for.min(SOON),
        }
    }

    /// Adds what is known; the coins of which nothing is, as far as a provider of details may know them.
    fn fill(&self, coins: &mut [Coin]) -> Vec<CoinRef> {
        let mut missing = Vec::new();
        for coin in coins.iter_mut().filter(|coin| coin.links.is_empty()) {
            match self.0.cache.get::<Coin>(&key(&coin.id)) {
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
        missing.truncate(MOST);
        missing
    }

    /// Fetches details of coins, as many at once as the provider can.
    fn fetch_details(&self, coins: Vec<CoinRef>) -> impl Future<Output = ()> + Send + 'static {
        let gateway = self.clone();
        let work = tokio::spawn(async move {
            let Some(provider) = gateway.details_provider() else { return };
            let at_once = provider.market.details_at_once();
            let known: Vec<CoinRef> = coins.into_iter().filter(|coin| coin.native(provider.name).is_some()).collect();
            for part in known.chunks(at_once) {
                if gateway.fetch_part(part.to_vec()).await.is_err() {
                    return;
                }
            }
        });
        async move {
            // A panic is reported by its hook.
            let _ = work.await;
        }
    }

    async fn fetch_part(&self, coins: Vec<CoinRef>) -> Result<(), Failure> {
        let ids: Vec<&str> = coins.iter().map(|coin| coin.id.0.as_str()).collect();
        let batch = Key::new(Operation::Details, format!("batch {}", ids.join(",")));
        let (asked, gateway) = (coins.clone(), self.clone());
        let ask = self.ask(batch, move |provider| {
            let (coins, gateway) = (asked.clone(), gateway.clone());
            async move {
                let mut details = provider.market.details(&coins).await?;
                gateway.identity().adopt(provider.name, &mut details);
                Ok(details)
            }
        });
        let stored = ask.await?;
        let Stored { provider, at, since, fresh_for, .. } = stored;
        for coin in &coins {
            // One without details is not asked for again, either.
            let details = stored.value.iter().find(|details| details.id == coin.id).cloned();
            let details = details.unwrap_or_else(|| Coin::new(coin.id.clone(), coin.name.clone(), coin.symbol.clone()));
            let value = details.into();
            self.0.cache.put(key(&coin.id), Stored { provider, at, since, fresh_for, notice: None, value });
        }
        Ok(())
    }

    /// The first provider of details that gives many at once. One that needs a request for each coin is left to screens
    /// of one coin.
    fn details_provider(&self) -> Option<Provider> {
        let many = |provider: &&Provider| provider.market.details_at_once() > 1;
        self.serving(Operation::Details).find(many).cloned()
    }

    fn can_fetch_details(&self) -> bool {
        self.details_provider().is_some_and(|provider| self.is_open(&provider, Operation::Details))
    }
}

fn key(id: &CoinId) -> Key {
    Key::new(Operation::Details, format!("coin {}", id.0))
}
