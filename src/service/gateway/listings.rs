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
use crate::service::upstream::load::Load;

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
    /// Adds each coin's listing on an exchange, and looks up those not looked up within a day. If that fails, they have
    /// none.
    pub(super) async fn with_listings(&self, exchange: ProviderName, coins: Vec<CoinRef>) -> Vec<CoinRef> {
        if self.has_listings(exchange, &coins) {
            return coins;
        }
        if let Err(failure) = self.find_listings(exchange, &coins).await {
            tracing::debug!(?failure, "listings not found");
        }
        let identity = self.identity();
        coins.into_iter().map(|coin| identity.by_id(&coin.id).unwrap_or(coin)).collect()
    }

    /// Whether the listings of these coins on an exchange were all looked up within a day.
    pub(super) fn has_listings(&self, exchange: ProviderName, coins: &[CoinRef]) -> bool {
        self.identity().without_listing(exchange, coins, self.0.time.now()).is_empty()
    }

    /// Looks up the listings of these coins on an exchange that were not looked up within a day.
    ///
    /// # Errors
    /// Why the exchange's pairs or their prices are unknown. A later call looks up the same coins.
    pub(super) async fn find_listings(&self, exchange: ProviderName, coins: &[CoinRef]) -> Result<(), Failure> {
        let missing = self.identity().without_listing(exchange, coins, self.0.time.now());
        if missing.is_empty() {
            return Ok(());
        }
        let pairs = self.usdt_pairs(exchange).await?;
        let rest = self.identity().mark_unlisted(exchange, missing, &pairs, self.0.time.now());
        let prices = if rest.is_empty() { Ok(Arc::default()) } else { self.pair_prices(exchange).await };
        if let Ok(prices) = &prices {
            self.identity().match_by_price(exchange, &rest, &pairs, prices, self.0.time.now());
        }
        self.save_ids().await;
        prices.map(|_| ())
    }

    /// Drops the listings of coins whose pairs the exchange did not know in the current load.
    pub(super) fn drop_unlisted(&self, exchange: ProviderName, coins: &[CoinRef]) {
        let unlisted = Load::current().map(|load| load.unlisted()).unwrap_or_default();
        if !unlisted.is_empty() {
            self.identity().drop_listings(exchange, coins, &unlisted, self.0.time.now());
        }
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
