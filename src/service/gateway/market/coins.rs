//! Resolves slugs and symbols to coins, and coins to the ids of a provider.

use std::sync::{MutexGuard, PoisonError};

use super::unknown;
use crate::model::{Coin, ProviderName, Text};
use crate::service::answer::ProviderError;
use crate::service::gateway::Gateway;
use crate::service::gateway::cache::Failure;
use crate::service::gateway::identity::Identity;
use crate::service::operation::{Key, Operation};
use crate::service::providers::coin_ref::CoinRef;
use crate::service::providers::source::{CoinLookup, Provider};
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};

impl Gateway {
    /// Locks the coin registry.
    pub(in crate::service::gateway) fn identity(&self) -> MutexGuard<'_, Identity> {
        self.0.identity.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds the coin of a slug. A coin that no list contained yet is looked up at the providers.
    pub(super) async fn coin_by_slug(&self, slug: &str) -> Result<CoinRef, ProviderError> {
        let mut failure = None;
        if let Some(coin) = self.identity().by_slug(slug) {
            return Ok(coin);
        }
        for name in self.settings().in_use(Operation::Coins) {
            match self.look_up(name, CoinLookup::Slug(Text::from(slug.to_lowercase()))).await {
                Ok(()) => {
                    if let Some(coin) = self.identity().by_slug(slug) {
                        return Ok(coin);
                    }
                }
                Err(why) => failure = Some(why),
            }
        }
        Err(unknown("slug", slug, failure))
    }

    /// Finds the coin of a symbol: the one with the highest market cap.
    pub(super) async fn coin_by_symbol(&self, symbol: &str) -> Result<CoinRef, ProviderError> {
        let coins = self.coins_by_symbol(symbol).await?;
        coins.into_iter().next().ok_or_else(|| unknown("symbol", symbol, None))
    }

    /// Finds all coins of a symbol, highest market cap first; at least one.
    pub(super) async fn coins_by_symbol(&self, symbol: &str) -> Result<Vec<CoinRef>, ProviderError> {
        let known = self.identity().by_symbol(symbol);
        if !known.is_empty() {
            return Ok(known);
        }
        let mut failure = None;
        for name in self.settings().in_use(Operation::Coins) {
            match self.look_up(name, CoinLookup::Symbol(Text::from(symbol))).await {
                Ok(()) => {
                    let found = self.identity().by_symbol(symbol);
                    if !found.is_empty() {
                        return Ok(found);
                    }
                }
                Err(why) => failure = Some(why),
            }
        }
        Err(unknown("symbol", symbol, failure))
    }

    /// Adds the provider's id to a coin. If it isn't known yet, the provider's coins of that symbol are looked up and
    /// matched by name and market cap.
    ///
    /// # Errors
    /// The provider has no matching coin, or the lookup failed.
    pub(super) async fn with_native_id(&self, provider: &Provider, coin: CoinRef) -> SourceResult<CoinRef> {
        let Some(ids) = provider.coin_ids.filter(|ids| coin.native_id(*ids).is_none()) else { return Ok(coin) };
        let lookup = CoinLookup::Symbol(coin.symbol.clone());
        self.look_up(ids, lookup).await.map_err(|failure| match failure {
            Failure::Cancelled => SourceError::new(ErrorClass::Cancelled, "no longer wanted"),
            // The lookup may succeed later; the provider itself did not fail.
            other => SourceError::not_found(format!("can't look up coins of {} ({other:?})", ids.title())),
        })?;
        let known = self.identity().by_id(&coin.id).filter(|coin| coin.native_id(ids).is_some());
        known.ok_or_else(|| SourceError::not_found(format!("{} has no unique match for {}", ids.title(), coin.name)))
    }

    /// Fetches a provider's coins of a slug or symbol and registers their ids.
    async fn look_up(&self, name: ProviderName, lookup: CoinLookup) -> Result<(), Failure> {
        let key = Key::new(Operation::Details, format!("{name} {lookup:?}"));
        let gateway = self.clone();
        let fetched = self.get_or_fetch_from(Some(name), key, move |provider| {
            let (lookup, gateway) = (lookup.clone(), gateway.clone());
            async move {
                let mut coins: Vec<Coin> = provider.market.find(&lookup).await?;
                if let Some(ids) = provider.coin_ids {
                    gateway.assign_ids(ids, &mut coins);
                }
                Ok(coins)
            }
        });
        fetched.await.map(|_| ())
    }
}
