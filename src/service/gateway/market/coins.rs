//! Which coin is meant, and what a provider calls it.

use std::sync::{MutexGuard, PoisonError};

use super::unknown;
use crate::model::{Coin, ProviderName, Text};
use crate::service::gateway::cache::{Failure, Key};
use crate::service::gateway::error::{ErrorClass, SourceError, SourceResult};
use crate::service::gateway::identity::Identity;
use crate::service::gateway::{CoinRef, Gateway, Operation};
use crate::service::providers::{CoinLookup, Provider, ProviderError};

impl Gateway {
    /// What is known of coins.
    pub(in crate::service::gateway) fn identity(&self) -> MutexGuard<'_, Identity> {
        self.0.identity.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The coin of a slug. One that no list has shown yet is looked up.
    pub(super) async fn coin_of_slug(&self, slug: &str) -> Result<CoinRef, ProviderError> {
        let mut failure = None;
        if let Some(coin) = self.identity().by_slug(slug) {
            return Ok(coin);
        }
        for name in self.0.settings.order(Operation::Coins) {
            match self.look_up(*name, CoinLookup::Slug(Text::from(slug.to_lowercase()))).await {
                Ok(()) => {
                    if let Some(coin) = self.identity().by_slug(slug) {
                        return Ok(coin);
                    }
                }
                Err(why) => failure = Some(why),
            }
        }
        Err(unknown("slug", slug, failure, Operation::Chart))
    }

    /// The coin of a symbol: of those that share it the one with the highest market cap.
    pub(super) async fn coin_of_symbol(&self, symbol: &str, operation: Operation) -> Result<CoinRef, ProviderError> {
        let coins = self.of_symbol(symbol, operation).await?;
        coins.into_iter().next().ok_or_else(|| unknown("symbol", symbol, None, operation))
    }

    /// The coins of a symbol, the one with the highest market cap first; at least one.
    pub(super) async fn of_symbol(&self, symbol: &str, operation: Operation) -> Result<Vec<CoinRef>, ProviderError> {
        let known = self.identity().by_symbol(symbol);
        if !known.is_empty() {
            return Ok(known);
        }
        let mut failure = None;
        for name in self.0.settings.order(Operation::Coins) {
            match self.look_up(*name, CoinLookup::Symbol(Text::from(symbol))).await {
                Ok(()) => {
                    let found = self.identity().by_symbol(symbol);
                    if !found.is_empty() {
                        return Ok(found);
                    }
                }
                Err(why) => failure = Some(why),
            }
        }
        Err(unknown("symbol", symbol, failure, operation))
    }

    /// The coin with the id by which a provider knows it. Where no list has told it, the provider's coins of that symbol
    /// are looked up; the coin is one of them where name and market cap agree.
    ///
    /// # Errors
    /// The provider has no coin that is certainly this one, or can't be asked.
    pub(super) async fn named(&self, provider: &Provider, coin: CoinRef) -> SourceResult<CoinRef> {
        let Some(ids) = provider.ids_of.filter(|ids| coin.native(*ids).is_none()) else { return Ok(coin) };
        let lookup = CoinLookup::Symbol(coin.symbol.clone());
        self.look_up(ids, lookup).await.map_err(|failure| match failure {
            Failure::Abandoned => SourceError::new(ErrorClass::Abandoned, "no longer wanted"),
            // What can't be looked up now may be known later; the provider itself did not fail.
            other => SourceError::not_found(format!("{} can't be asked ({other:?})", ids.title())),
        })?;
        let known = self.identity().by_id(&coin.id).filter(|coin| coin.native(ids).is_some());
        known.ok_or_else(|| {
            SourceError::not_found(format!("{} has no coin that is certainly {}", ids.title(), coin.name))
        })
    }

    /// Learns a provider's coins of a slug or symbol.
    async fn look_up(&self, name: ProviderName, lookup: CoinLookup) -> Result<(), Failure> {
        let key = Key::new(Operation::Details, format!("{name} {lookup:?}"));
        let gateway = self.clone();
        let ask = self.ask_of(Some(name), key, move |provider| {
            let (lookup, gateway) = (lookup.clone(), gateway.clone());
            async move {
                let mut coins: Vec<Coin> = provider.market.find(&lookup).await?;
                if let Some(ids) = provider.ids_of {
                    gateway.identity().adopt(ids, &mut coins);
                }
                Ok(coins)
            }
        });
        ask.await.map(|_| ())
    }
}
