//! The names of all coins.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use crate::model::{CoinName, ProviderName};
use crate::service::call::{in_background, is_manual};
use crate::service::gateway::Gateway;
use crate::service::gateway::cache::Failure;
use crate::service::gateway::saved_names::{self, SavedNames};
use crate::service::gateway::stored::Stored;
use crate::service::operation::{Key, Operation};
use crate::service::provider_response::ProviderResult;
use crate::service::providers::source::Provider;
use crate::service::upstream::error::{SourceError, SourceResult};

/// How long the list of names is cached.
const NAMES_TTL: Duration = Duration::from_hours(24);

/// Freshness of the names while those of further providers are loading.
const INCOMPLETE_NAMES_TTL: Duration = Duration::from_mins(1);

impl Gateway {
    /// The names of all coins, by rank: from the first provider of lists that has them, with those that only others list
    /// once they have arrived.
    ///
    /// # Errors
    /// No provider answers.
    pub(in crate::service::gateway) async fn coin_names(&self) -> ProviderResult<Vec<CoinName>> {
        let first = self.fetch_names(None).await.map_err(|failure| failure.into_error())?;
        let mut names = Vec::clone(&first.value);
        let of = |name: &CoinName| (name.symbol.to_lowercase(), name.name.to_lowercase());
        let mut known: HashSet<_> = names.iter().map(of).collect();
        let (mut others, mut is_complete) = (Vec::new(), true);
        for provider in self.serving(Operation::Coins).filter(|provider| provider.name != first.provider) {
            let name = provider.name;
            match self.0.cache.get_as::<Vec<CoinName>>(&names_key(Some(name))) {
                Some(stored) => {
                    names.extend(stored.value.iter().filter(|name| known.insert(of(name))).cloned());
                    others.extend(stored.origins());
                }
                // A command ends before they arrive.
                None if self.is_available(provider, Operation::Coins) && !self.settings().is_command => {
                    let gateway = self.clone();
                    tokio::spawn(async move { gateway.fetch_names(Some(name)).await.map(|_| ()) });
                    is_complete = false;
                }
                None => {}
            }
        }
        let mut answer = first.answer(names).with_others(others);
        if !is_complete {
            answer.fresh_for = answer.fresh_for.min(INCOMPLETE_NAMES_TTL);
        }
        Ok(answer)
    }

    fn fresh_names(&self, name: ProviderName) -> Option<Stored<Vec<CoinName>>> {
        let of = |only| self.0.cache.get_as::<Vec<CoinName>>(&names_key(only)).filter(|names| names.is_fresh(None));
        of(Some(name)).or_else(|| of(None).filter(|names| names.provider == name))
    }

    /// The names of all coins of a provider, if they are in the cache.
    pub(in crate::service::gateway) fn cached_names(&self, name: ProviderName) -> Option<Arc<Vec<CoinName>>> {
        self.fresh_names(name).map(|names| names.value)
    }

    /// Whether the fresh list of a provider's names has no coin with this slug, so that a lookup would find none.
    pub(super) fn names_lack(&self, name: ProviderName, slug: &str) -> bool {
        let names = self.fresh_names(name);
        // If another coin has the provider's slug, ours starts with it.
        let has_slug = |coin: &CoinName| {
            let starts = coin.slug.get(..slug.len()).is_some_and(|start| start.eq_ignore_ascii_case(slug));
            starts || coin.id.eq_ignore_ascii_case(slug)
        };
        names.is_some_and(|names| !names.value.iter().any(has_slug))
    }

    /// The names of all coins of a provider, or of the first one that has them, by rank.
    async fn fetch_names(&self, only: Option<ProviderName>) -> Result<Stored<Vec<CoinName>>, Failure> {
        let gateway = self.clone();
        // A task, since the names come in several requests and last for a day: they are fetched to the end even if the
        // client gives up.
        let fetched = tokio::spawn(in_background(async move {
            let names_of = gateway.clone();
            let call = move |provider: Provider| {
                let gateway = names_of.clone();
                async move {
                    let mut names = gateway.names_of(&provider).await?;
                    let in_use: Vec<ProviderName> = gateway.settings().in_use(Operation::Coins).collect();
                    gateway.identity().assign_names(provider.name, &in_use, &mut names);
                    names.sort_by_key(|name| name.rank.unwrap_or(u32::MAX));
                    Ok(names)
                }
            };
            gateway.get_or_fetch_from(only, names_key(only), call).await
        }));
        fetched.await.unwrap_or(Err(Failure::Cancelled))
    }

    /// The names of a provider with its own ids: those that an earlier process has saved today, or new ones.
    async fn names_of(&self, provider: &Provider) -> SourceResult<Vec<CoinName>> {
        let (name, now) = (provider.name, self.0.time.now());
        let server = self.settings().provider(name).url_id();
        // The user's own server may change at any time.
        let directory = self.settings().cache.clone().filter(|_| name != ProviderName::Service);
        if let Some(directory) = directory.clone().filter(|_| !is_manual()) {
            let read = tokio::task::spawn_blocking(move || saved_names::read(&directory, name, server, now)).await;
            if let Ok(Some(SavedNames { names, .. })) = read {
                return Ok(names);
            }
        }
        let mut names = provider.market.names().await?;
        if names.is_empty() {
            return Err(SourceError::empty("list"));
        }
        // Some services send the same page again.
        let mut seen = HashSet::new();
        names.retain(|name| seen.insert(name.id.clone()));
        if let Some(directory) = directory {
            let saved = SavedNames { server, at: now, names: names.clone() };
            let written = tokio::task::spawn_blocking(move || saved_names::write(&directory, name, &saved)).await;
            if let Ok(Err(error)) = written {
                tracing::info!(%error, "names of coins not saved; they are requested again after a restart");
            }
        }
        Ok(names)
    }
}

pub(super) fn names_key(only: Option<ProviderName>) -> Key {
    let of = only.map(|name| format!(" of {name}")).unwrap_or_default();
    Key::new(Operation::Coins, format!("names{of}")).fresh_at_least(NAMES_TTL)
}
