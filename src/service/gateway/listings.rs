//! Looks up which coins an exchange lists: from its own list of pairs, fetched on demand and cached for a day, and its
//! prices.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::Gateway;
use super::cache::Failure;
use super::identity::Pairs;
use super::stored::CachedValue;
use crate::model::{ProviderName, Text};
use crate::service::operation::{Key, Operation};
use crate::service::providers::coin_ref::CoinRef;
use crate::service::upstream::error::{ErrorClass, SourceError};

/// How long an exchange's list of pairs is used.
const LIST_FRESH_FOR: Duration = Duration::from_hours(24);

/// How long the prices of all pairs are used, in seconds. They are fetched only while a coin has to be compared.
const PRICES_FRESH_FOR: i64 = 300;

impl CachedValue for Pairs {
    fn weight(&self) -> usize {
        self.len() * 160
    }
}

impl CachedValue for HashMap<Text, f64> {
    fn weight(&self) -> usize {
        self.len() * 64
    }
}

impl Gateway {
    /// Adds each coin's listing on an exchange, and looks up those not looked up within a day. If that fails, the coins
    /// are returned unchanged.
    pub(super) async fn with_listings(&self, exchange: ProviderName, coins: Vec<CoinRef>) -> Vec<CoinRef> {
        let missing = self.identity().without_listing(exchange, &coins, self.0.time.now());
        if missing.is_empty() {
            return coins;
        }
        let Ok(pairs) = self.usdt_pairs(exchange).await else { return coins };
        let rest = self.identity().mark_unlisted(exchange, missing, &pairs, self.0.time.now());
        if !rest.is_empty()
            && let Ok(prices) = self.pair_prices(exchange).await
        {
            self.identity().match_by_price(exchange, &rest, &pairs, &prices, self.0.time.now());
        }
        self.save_ids().await;
        let identity = self.identity();
        coins.into_iter().map(|coin| identity.by_id(&coin.id).unwrap_or(coin)).collect()
    }

    async fn usdt_pairs(&self, exchange: ProviderName) -> Result<Arc<Pairs>, Failure> {
        let key = Key::new(Operation::Ticker, format!("{exchange} pairs")).fresh_at_least(LIST_FRESH_FOR);
        let fetched = self.get_or_fetch_from(Some(exchange), key, |provider| async move {
            let pairs = provider.market.usdt_pairs().await?;
            // Otherwise, all listings would be gone.
            if pairs.is_empty() {
                return Err(SourceError::new(ErrorClass::UnexpectedFormat, "No USDT pairs in the list"));
            }
            Ok(Pairs::new(pairs))
        });
        fetched.await.map(|stored| stored.value)
    }

    async fn pair_prices(&self, exchange: ProviderName) -> Result<Arc<HashMap<Text, f64>>, Failure> {
        // The cache would return old prices while it refreshes them, so each period has its own key.
        let period = self.0.time.now().timestamp().as_second() / PRICES_FRESH_FOR;
        let key = Key::new(Operation::Ticker, format!("{exchange} prices {period}"));
        let fetched = self.get_or_fetch_from(Some(exchange), key, |provider| async move {
            let prices = provider.market.pair_prices().await?;
            if prices.is_empty() {
                return Err(SourceError::new(ErrorClass::UnexpectedFormat, "No prices in the list"));
            }
            Ok(prices)
        });
        fetched.await.map(|stored| stored.value)
    }
}
