//! The names of all coins.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::{Instant, timeout_at};

use crate::client::NoticeCode;
use crate::client::notice::names_missing;
use crate::model::coin_name::{COMPLETE_FOR, INCOMPLETE_FOR};
use crate::model::{CoinName, ProviderName};
use crate::service::call::{Call, in_background, is_background, is_manual, manually};
use crate::service::gateway::Gateway;
use crate::service::gateway::cache::{Failure, MISS_TTL};
use crate::service::gateway::failure::{Failures, for_optional};
use crate::service::gateway::saved_names::{self, SavedNames};
use crate::service::gateway::stored::Stored;
use crate::service::operation::{Key, Operation};
use crate::service::provider_response::{ProviderResult, joined_notices};
use crate::service::providers::info::ProviderInfo;
use crate::service::providers::info_of;
use crate::service::providers::source::Provider;
use crate::service::upstream::error::{SourceError, SourceResult};

/// How long the list of names is cached.
const NAMES_TTL: Duration = Duration::from_hours(24);

impl Gateway {
    /// The names of all coins, by rank: from the first provider of lists that has them, with those that only others list
    /// once they have arrived. A manual refresh waits for them.
    ///
    /// # Errors
    /// No provider answers.
    pub(in crate::service::gateway) async fn coin_names(&self) -> ProviderResult<Vec<CoinName>> {
        let began = Instant::now();
        let first = self.first_names().await.map_err(|failure| failure.into_error())?;
        if is_manual() {
            let until = began + self.fallback_limit();
            // Without them, the first provider's names are better than none.
            let _ = timeout_at(until, self.fetch_other_names(first.provider)).await;
        }
        let mut names = Vec::clone(&first.value);
        let of = |name: &CoinName| (name.symbol.to_lowercase(), name.name.to_lowercase());
        let mut known: HashSet<_> = names.iter().map(of).collect();
        let (mut others, mut failures, mut is_complete) = (Vec::new(), Failures::default(), true);
        for provider in self.serving(Operation::Coins).filter(|provider| provider.name != first.provider) {
            let name = provider.name;
            match self.stored_names(name) {
                Some(stored) => {
                    names.extend(stored.value.iter().filter(|name| known.insert(of(name))).cloned());
                    others.extend(stored.origins());
                }
                None => match self.missing_names_reason(provider) {
                    Some((wait, reason)) => failures.add_transient(name, reason, wait),
                    None if self.is_available(provider, Operation::Coins) => {
                        // A command ends before they arrive. It refreshes if it needs them.
                        if !self.settings().is_command {
                            let gateway = self.clone();
                            tokio::spawn(async move { gateway.fetch_names(Some(name)).await.map(|_| ()) });
                        }
                        is_complete = false;
                    }
                    None => {}
                },
            }
        }
        let mut response = first.response(names).with_others(others);
        if let Failure::Unavailable { reason, retry_after, .. } = failures.into_failure(String::new) {
            response.notice = joined_notices(Some(names_missing(&reason)), response.notice);
            response.notice_code = Some(NoticeCode::NamesMissing);
            response.fresh_for = response.fresh_for.min(retry_after.unwrap_or(MISS_TTL).max(INCOMPLETE_FOR));
        }
        if !is_complete {
            response.fresh_for = response.fresh_for.min(INCOMPLETE_FOR);
        }
        Ok(response)
    }

    /// Why the names of a provider can't be loaded now, and for how long, if known.
    fn missing_names_reason(&self, provider: &Provider) -> Option<(Option<Duration>, String)> {
        let key = names_key(Some(provider.name));
        let miss = self.miss(Some(provider.name), &key, None);
        // Another service may have no list of names.
        let miss = miss.filter(|(miss, _)| miss.may_exist() || !provider.name.is_service());
        let miss = miss.map(|(miss, wait)| (Some(wait), miss.reason.to_string()));
        miss.or_else(|| self.unavailable(provider, &key))
    }

    /// Fetches the names of the other providers that are not known yet.
    async fn fetch_other_names(&self, first: ProviderName) {
        let is_missing = |provider: &&Provider| {
            let is_known = provider.name == first || self.stored_names(provider.name).is_some();
            !is_known && self.is_available(provider, Operation::Coins)
        };
        let missing: Vec<ProviderName> =
            self.serving(Operation::Coins).filter(is_missing).map(|provider| provider.name).collect();
        join_all(missing.into_iter().map(|name| self.fetch_names(Some(name)))).await;
    }

    /// The names of the first provider that has them: the last ones, unless a preferred provider is available, or the
    /// user refreshes old ones. They are reference data, so a refresh doesn't replace complete ones.
    ///
    /// # Errors
    /// No provider answers, and there are no fresh names.
    async fn first_names(&self) -> Result<Stored<Vec<CoinName>>, Failure> {
        self.restore_pauses().await;
        let names: Vec<ProviderName> = self.serving(Operation::Coins).map(|provider| provider.name).collect();
        for name in &names {
            self.restore_names(*name).await;
        }
        for provider in self.serving(Operation::Coins) {
            match self.fresh_names(provider.name) {
                Some(names) if is_manual() && names.age() >= COMPLETE_FOR => break,
                Some(names) => return Ok(names),
                None if self.is_available(provider, Operation::Coins) => break,
                None => {}
            }
        }
        let failure = match self.fetch_names(None).await {
            Ok(names) => return Ok(names),
            Err(failure) => failure,
        };
        match names.into_iter().find_map(|name| self.fresh_names(name)) {
            Some(names) => {
                let retry_after = failure.retry_after();
                Ok(names.without_refresh(failure.reason(), retry_after, true))
            }
            None => Err(failure),
        }
    }

    /// The last names of a provider, fresh or stale.
    fn stored_names(&self, name: ProviderName) -> Option<Stored<Vec<CoinName>>> {
        let of = |only| self.0.cache.get_as::<Vec<CoinName>>(&names_key(only));
        let first = of(None).filter(|names| names.provider == name);
        match (of(Some(name)), first) {
            (Some(own), Some(first)) if first.is_older_than(&own) => Some(own),
            (own, first) => first.or(own),
        }
    }

    /// The last names of the first provider that has them.
    pub(super) fn first_stored_names(&self) -> Option<Stored<Vec<CoinName>>> {
        self.serving(Operation::Coins).find_map(|provider| self.stored_names(provider.name))
    }

    fn fresh_names(&self, name: ProviderName) -> Option<Stored<Vec<CoinName>>> {
        self.stored_names(name).filter(|names| names.is_fresh(None))
    }

    /// Adds the names of a provider that an earlier process has saved to the cache, with their age. A provider that is
    /// paused has them, too.
    async fn restore_names(&self, name: ProviderName) {
        let Some(directory) = self.names_directory(name).filter(|_| self.stored_names(name).is_none()) else { return };
        let (server, now) = (self.settings().provider(name).url_id(), self.0.time.now());
        let read = tokio::task::spawn_blocking(move || saved_names::read(&directory, name, server, now)).await;
        let Ok(Some(SavedNames { at, mut names, .. })) = read else { return };
        self.use_own_ids(name, &mut names);
        // Newer ones may have arrived in the meantime.
        if self.stored_names(name).is_none() {
            let stored: Stored<Vec<CoinName>> = Stored::new(name, self.fetched_at(now.since(at)), NAMES_TTL, names);
            // Then they are refreshed like those that were requested.
            let is_first = self.serving(Operation::Coins).next().is_some_and(|first| first.name == name);
            let only = if is_first && self.0.cache.get(&names_key(None)).is_none() { None } else { Some(name) };
            self.0.cache.put(names_key(only), stored.into());
        }
    }

    /// Where the names of a provider are saved, if they are.
    fn names_directory(&self, name: ProviderName) -> Option<PathBuf> {
        let is_own_server = info_of(name).is_some_and(ProviderInfo::is_own_server);
        self.settings().cache.clone().filter(|_| !is_own_server)
    }

    /// The names of all coins of a provider, if fresh ones are in the cache.
    pub(in crate::service::gateway) fn cached_names(&self, name: ProviderName) -> Option<Arc<Vec<CoinName>>> {
        self.fresh_names(name).map(|names| names.value)
    }

    /// Whether a provider's names show that a lookup of this slug would find no coin: it is only a symbol there, or no
    /// coin's name, and the names are new.
    pub(super) async fn names_lack_slug(&self, name: ProviderName, slug: &str) -> bool {
        self.restore_names(name).await;
        let Some(names) = self.stored_names(name) else { return false };
        let has = |is_it: &dyn Fn(&CoinName) -> bool| names.value.iter().any(is_it);
        if has(&|coin| is_own_slug(&coin.slug, slug) || coin.id.eq_ignore_ascii_case(slug)) {
            return false;
        }
        // If we know the coin by a slug other than the provider's, ours usually starts with the provider's.
        let starts =
            |coin: &CoinName| coin.slug.get(..slug.len()).is_some_and(|start| start.eq_ignore_ascii_case(slug));
        let is_symbol = has(&|coin| coin.symbol.eq_ignore_ascii_case(slug));
        is_symbol || names.age() < COMPLETE_FOR && !has(&starts)
    }

    /// The names of all coins of a provider, or of the first one that has them, by rank.
    async fn fetch_names(&self, only: Option<ProviderName>) -> Result<Stored<Vec<CoinName>>, Failure> {
        let gateway = self.clone();
        let fetching = async move {
            let names_of = gateway.clone();
            let call = move |provider: Provider| {
                let gateway = names_of.clone();
                async move {
                    let mut names = gateway.names_of(&provider).await?;
                    gateway.use_own_ids(provider.name, &mut names);
                    Ok(names)
                }
            };
            gateway.get_or_fetch_from(only, names_key(only), call).await
        };
        // A task, since the names come in several requests and last for a day: they are fetched to the end even if the
        // client gives up.
        let fetched = if only.is_none() && !is_background() {
            // A search waits for them.
            let call = Call::new();
            let caller = call.join();
            tokio::spawn(async move {
                let names = call.run(fetching).await;
                drop(caller);
                names
            })
        } else if is_manual() {
            tokio::spawn(manually(in_background(fetching)))
        } else {
            tokio::spawn(in_background(fetching))
        };
        fetched.await.unwrap_or(Err(Failure::Cancelled))
    }

    /// Replaces the ids and slugs of a provider's names with ours, and sorts them by rank.
    fn use_own_ids(&self, provider: ProviderName, names: &mut [CoinName]) {
        let in_use: Vec<ProviderName> = self.settings().in_use(Operation::Coins).collect();
        self.identity().assign_names(provider, &in_use, names);
        names.sort_by_key(|name| name.rank.unwrap_or(u32::MAX));
    }

    /// Requests the names of a provider, with its own ids, and saves them.
    async fn names_of(&self, provider: &Provider) -> SourceResult<Vec<CoinName>> {
        let (name, now) = (provider.name, self.0.time.now());
        let names = provider.market.names().await;
        let mut names = names.map_err(|error| for_optional(provider, "Coin names", error))?;
        if names.is_empty() {
            return Err(SourceError::empty("list"));
        }
        // Some services send the same page again.
        let mut seen = HashSet::new();
        names.retain(|name| seen.insert(name.id.clone()));
        if let Some(directory) = self.names_directory(name) {
            let server = self.settings().provider(name).url_id();
            let saved = SavedNames { server, at: now, names: names.clone() };
            let written = tokio::task::spawn_blocking(move || saved_names::write(&directory, name, &saved)).await;
            if let Ok(Err(error)) = written {
                tracing::info!(%error, "names of coins not saved; they are requested again after a restart");
            }
        }
        Ok(names)
    }
}

/// Whether our slug of a coin is this one of a provider. If another coin has that, ours ends with a provider's name.
fn is_own_slug(own: &str, slug: &str) -> bool {
    let is_provider = |rest: &str| rest.strip_prefix('-').is_some_and(|name| ProviderName::parse(name).is_some());
    own.split_at_checked(slug.len())
        .is_some_and(|(start, rest)| start.eq_ignore_ascii_case(slug) && (rest.is_empty() || is_provider(rest)))
}

fn names_key(only: Option<ProviderName>) -> Key {
    let of = only.map(|name| format!(" of {name}")).unwrap_or_default();
    Key::new(Operation::Coins, format!("names{of}")).fresh_at_least(NAMES_TTL)
}
