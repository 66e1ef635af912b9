//! The market caps of built-in coins: without them, they can't be matched with the coins of providers whose ids aren't
//! built in.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::Gateway;
use super::availability::{is_slow, queue_wait};
use crate::model::{Coin, ProviderName, Text};
use crate::service::call::in_background;
use crate::service::operation::{Key, Operation};

/// How long a response waits for the market caps of all providers. Those that arrive later are used for the next
/// response. Short, since the provider of the response may be the second one that was queried.
const MAX_WAIT: Duration = Duration::from_secs(3);

/// Time before a provider without a coin's market cap is queried again.
const FRESH_FOR: Duration = Duration::from_hours(1);

impl Gateway {
    /// Fetches the missing market caps of the built-in coins that coins of a provider could be, by ids that another
    /// provider has for them. Does nothing if they are known, which they are after the first list.
    pub(super) async fn add_market_caps(&self, provider: ProviderName, coins: &[Coin]) {
        let others: Vec<ProviderName> = self
            .serving(Operation::Coins)
            .filter(|other| other.name != provider && other.coin_ids.is_some() && other.market.has_id_filter())
            .filter(|other| self.is_available(other, Operation::Coins))
            .filter(|other| !is_slow(other, Operation::Coins) && queue_wait(other, Operation::Coins) < MAX_WAIT)
            .map(|other| other.name)
            .collect();
        let latest = Instant::now() + MAX_WAIT;
        for other in others {
            let unknown = self.identity().without_market_cap(provider, coins);
            let mut ids: Vec<Text> = unknown.iter().filter_map(|coin| coin.native_id(other).cloned()).collect();
            if ids.is_empty() {
                continue;
            }
            ids.sort_unstable();
            let key = Key::new(Operation::Coins, format!("market caps {other} {}", ids.join(",")));
            let gateway = self.clone();
            let fetching = self.get_or_fetch_from(Some(other), key.fresh_at_least(FRESH_FOR), move |provider| {
                let (ids, gateway) = (ids.clone(), gateway.clone());
                async move {
                    let mut coins = provider.market.coins_by_id(&ids).await?;
                    gateway.remove_unrequested(provider.name, &mut coins, |coin| ids.contains(&coin.id.0));
                    gateway.assign_ids(provider.name, &mut coins);
                    gateway.cache_ranges(&provider, &coins);
                    Ok(coins)
                }
            });
            // Without them, the coins are matched later.
            let _ = timeout_at(latest, in_background(fetching)).await;
        }
    }
}
