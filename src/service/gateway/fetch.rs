//! Fetches one upstream value: from the cache, or from a provider.

mod in_order;

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::{FutureExt as _, TryFutureExt as _};
use tokio::time::timeout;

use super::Gateway;
use super::blocks::BlockStamp;
use super::cache::{Failure, MISS_TTL, Miss, internal};
use super::failure::Failures;
use super::freshness::base_freshness;
use super::stored::{AnyValue, CachedValue, MAX_RETRY_WAIT, Stored};
use crate::format::words::in_sentence;
use crate::model::ProviderName;
use crate::service::call::{
    in_background, is_background, is_cancelled, is_manual, is_nested, max_stale, without_requests,
};
use crate::service::operation::{Key, Operation};
use crate::service::providers::source::Provider;
use crate::service::queue_time::QueueTime;
use crate::service::time_source::Timestamp;
use crate::service::upstream::error::{ErrorClass, ReasonKind, SourceError, SourceResult};

/// A manual refresh of a younger value or cached miss is answered from the cache; see [`Gateway::min_refresh_age`].
pub(super) const MIN_REFRESH_AGE: Duration = Duration::from_secs(10);

/// How long a request that prefers a newer value waits for it before it gets the cached one.
const NEWER_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a better value than the current one may take, not counting the time in the queue of its provider.
pub(super) const FALLBACK_TIMEOUT: Duration = Duration::from_secs(4);

/// The part of a client's timeout after which it gets an error.
const CLIENT_SHARE: f64 = 0.9;

/// A request for a value of any type: the cache and the choice of the provider are the same for all.
type AnyCall = Arc<dyn Fn(Provider) -> BoxFuture<'static, SourceResult<Arc<AnyValue>>> + Send + Sync>;

fn any_call<T, C, F>(call: C) -> AnyCall
where
    T: CachedValue,
    C: Fn(Provider) -> F + Send + Sync + 'static,
    F: Future<Output = SourceResult<T>> + Send + 'static,
{
    Arc::new(move |provider| call(provider).map_ok(|value| Arc::new(value) as Arc<AnyValue>).boxed())
}

fn with_type<T: Send + Sync + 'static>(result: Result<Stored<AnyValue>, Failure>) -> Result<Stored<T>, Failure> {
    result?.downcast().ok_or_else(|| internal("a value of another type"))
}

/// The old value after a refresh that failed.
fn without_refresh(stored: Stored<AnyValue>, failure: Failure, is_fresh: bool) -> Stored<AnyValue> {
    let retry_after = failure.retry_after();
    stored.without_refresh(failure.reason(), retry_after, is_fresh)
}

/// Whether a value has been stale for longer than the request accepts.
fn is_too_stale(stored: &Stored<AnyValue>) -> bool {
    let is_over = |limit| stored.age() > stored.fresh_for.saturating_add(limit);
    max_stale().is_some_and(is_over) && !is_nested() && !is_background()
}

impl Gateway {
    /// Returns the value of a key: from the cache if it is there, otherwise from the first provider in the operation's
    /// order that is not paused and answers `call`. A stale value is returned at once and refreshed in the background,
    /// unless the request doesn't accept one that is so old. A manual refresh fetches a new value if the budget allows
    /// it.
    ///
    /// # Errors
    /// No provider answers, and the cache has no value.
    pub(super) async fn get_or_fetch<T, C, F>(&self, key: Key, call: C) -> Result<Stored<T>, Failure>
    where
        T: CachedValue,
        C: Fn(Provider) -> F + Send + Sync + 'static,
        F: Future<Output = SourceResult<T>> + Send + 'static,
    {
        self.get_or_fetch_from(None, key, call).await
    }

    /// Gets a value like [`Gateway::get_or_fetch`], from one provider only, whether or not the operation's order lists
    /// it.
    ///
    /// # Errors
    /// The provider does not answer, and the cache has no value.
    pub(super) async fn get_or_fetch_from<T, C, F>(
        &self,
        only: Option<ProviderName>,
        key: Key,
        call: C,
    ) -> Result<Stored<T>, Failure>
    where
        T: CachedValue,
        C: Fn(Provider) -> F + Send + Sync + 'static,
        F: Future<Output = SourceResult<T>> + Send + 'static,
    {
        with_type(self.get_or_fetch_any(only, key, any_call(call)).await)
    }

    async fn get_or_fetch_any(
        &self,
        only: Option<ProviderName>,
        key: Key,
        call: AnyCall,
    ) -> Result<Stored<AnyValue>, Failure> {
        let operation = key.operation;
        let stored = self.0.cache.get(&key);
        let needs_tip = key.is_by_block() && (stored.is_some() || !self.is_unsupported(only, &key, &call));
        let chain = if needs_tip { self.newest_block().await } else { None };
        let tip = chain.map(|(tip, _)| tip);
        let stored = if needs_tip { self.0.cache.get(&key) } else { stored };
        let Some(stored) = stored.filter(|stored| !stored.is_orphaned(tip)) else {
            return match self.miss(None, &key, tip) {
                Some((miss, _)) => Err(Failure::NotFound(miss.reason.to_string())),
                None => Ok(self.load_in_time(only, &key, tip, call).await?.fresh_until_next_check(chain)),
            };
        };
        self.note_demand(&key, stored.provider, None);
        let is_outdated = only.is_none() && self.is_outdated(&stored, operation);
        let is_old = key.max_age().is_some_and(|max_age| stored.age() >= max_age);
        let is_fresh = stored.is_fresh(tip) && !is_old;
        let stored = if is_outdated {
            Stored { fresh_for: Duration::ZERO, ..stored }
        } else if is_fresh {
            stored.fresh_until_next_check(chain)
        } else {
            stored
        };
        if is_manual()
            && (is_outdated || self.0.time.moment().since(stored.requested) >= self.min_refresh_age(stored.fresh_for))
        {
            return Ok(self.newer_than(stored, is_fresh, (only, &key), (tip, chain), call).await);
        }
        if is_fresh && !is_outdated {
            return Ok(stored);
        }
        // The item existed before, so the last value is better than nothing.
        if let Some((miss, rest)) = self.miss(None, &key, tip) {
            let reason = format!("No newer data: {}", in_sentence(&miss.reason));
            return Ok(stored.without_refresh(Some(reason), Some(rest), is_fresh));
        }
        match self.failures(only, &key, tip) {
            Ok(()) if is_too_stale(&stored) => {
                Ok(self.newer_than(stored, is_fresh, (only, &key), (tip, chain), call).await)
            }
            Ok(()) => {
                self.refresh(only, key, tip, call);
                Ok(stored)
            }
            Err(failures) => {
                let failure = failures.into_failure(String::new);
                // All of them are paused; without an end, until something changes.
                let wait = failure.retry_after().unwrap_or(MAX_RETRY_WAIT);
                Ok(stored.without_refresh(failure.reason(), Some(wait), is_fresh))
            }
        }
    }

    /// The value that is loaded now; or the old one with the reason, if that fails or takes too long.
    async fn newer_than(
        &self,
        stored: Stored<AnyValue>,
        is_fresh: bool,
        (only, key): (Option<ProviderName>, &Key),
        (tip, chain): (Option<BlockStamp>, Option<(BlockStamp, Duration)>),
        call: AnyCall,
    ) -> Stored<AnyValue> {
        let queue_time = Arc::new(QueueTime::default());
        let _waiting = queue_time.wait();
        let load = Arc::clone(&queue_time).run(self.load(only, key, tip, call));
        match timeout(NEWER_TIMEOUT, load).await {
            Ok(Ok(new)) => new.fresh_until_next_check(chain),
            Ok(Err(failure)) => without_refresh(stored, failure, is_fresh),
            Err(_) => {
                let reason = SourceError::too_slow(NEWER_TIMEOUT).after_queue(queue_time.total(), NEWER_TIMEOUT).reason;
                stored.not_refreshed_because(&match self.0.cache.current_provider(key) {
                    Some(provider) => format!("{}: {}", provider.title(), in_sentence(&reason)),
                    None => reason,
                })
            }
        }
    }

    /// Whether no provider supports a request, as each of them knows before it sends anything.
    fn is_unsupported(&self, only: Option<ProviderName>, key: &Key, call: &AnyCall) -> bool {
        self.candidates(only, key.operation).into_iter().all(|provider| {
            let outcome = without_requests(call(provider.clone())).now_or_never();
            matches!(outcome, Some(Err(error)) if error.class == ErrorClass::Unsupported)
        })
    }

    /// A fresh value if it loads in time, otherwise the stale one. The load continues in the background.
    ///
    /// # Errors
    /// No provider answers in time, and nothing is cached.
    pub(super) async fn fetch_within<T, C, F>(
        &self,
        max_wait: Duration,
        key: Key,
        call: C,
    ) -> Result<Stored<T>, Failure>
    where
        T: CachedValue,
        C: Fn(Provider) -> F + Send + Sync + 'static,
        F: Future<Output = SourceResult<T>> + Send + 'static,
    {
        with_type(self.fetch_any_within(max_wait, key, any_call(call)).await)
    }

    async fn fetch_any_within(&self, max_wait: Duration, key: Key, call: AnyCall) -> Result<Stored<AnyValue>, Failure> {
        let stored = self.0.cache.get(&key);
        if let Some(stored) = &stored {
            self.note_demand(&key, stored.provider, None);
            if stored.is_fresh(None) {
                return Ok(stored.clone());
            }
        }
        let (gateway, load_key) = (self.clone(), key);
        let load = tokio::spawn(async move { gateway.load(None, &load_key, None, call).await });
        match (timeout(max_wait, load).await, stored) {
            (Ok(Ok(Ok(new))), _) => Ok(new),
            (Ok(Ok(Err(failure))), Some(stored)) => Ok(without_refresh(stored, failure, false)),
            (Ok(Ok(Err(failure))), None) => Err(failure),
            // Nothing has failed: the load continues.
            (Ok(Err(_)) | Err(_), Some(stored)) => Ok(stored.with_notice("Refresh is still in progress")),
            (Ok(Err(_)) | Err(_), None) => {
                Err(Failure::Unavailable { reason: String::from("Timed out"), retry_after: None, must_wait: false })
            }
        }
    }

    /// Starts a load in the background, unless one is in progress.
    fn refresh(&self, only: Option<ProviderName>, key: Key, tip: Option<BlockStamp>, call: AnyCall) {
        if self.0.cache.is_loading(&key) {
            return;
        }
        let gateway = self.clone();
        tokio::spawn(async move {
            if let Err(failure) = in_background(gateway.load(only, &key, tip, call)).await {
                tracing::debug!(?key, ?failure, "not refreshed");
            }
        });
    }

    /// Loads a value, or fails before the client gives up, so that the error names the provider that hangs.
    async fn load_in_time(
        &self,
        only: Option<ProviderName>,
        key: &Key,
        tip: Option<BlockStamp>,
        call: AnyCall,
    ) -> Result<Stored<AnyValue>, Failure> {
        let loading = self.load(only, key, tip, call);
        if is_nested() || is_background() {
            return loading.await;
        }
        let limit = self.settings().limits.total.mul_f64(CLIENT_SHARE);
        let mut loading = pin!(loading);
        let queue_time = Arc::new(QueueTime::default());
        let _waiting = queue_time.wait();
        if let Ok(loaded) = timeout(limit, Arc::clone(&queue_time).run(&mut loading)).await {
            return loaded;
        }
        let too_slow = SourceError::too_slow(limit).after_queue(queue_time.total(), limit).reason;
        // Read now, since dropping `loading` cancels the load.
        let Some(current) = self.0.cache.current_provider(key) else {
            return Err(Failure::Unavailable { reason: too_slow, retry_after: None, must_wait: false });
        };
        let mut failures = Failures::default();
        for provider in self.candidates(only, key.operation) {
            match self.unavailable(provider, key) {
                Some((_, reason)) => {
                    failures.add_unavailable(provider.name, (None, reason), self.may_retry(provider, key.operation));
                }
                None if provider.name == current => failures.add_transient(provider.name, too_slow.clone(), None),
                // The provider has no data for this, or no request was sent.
                None => {}
            }
        }
        Err(failures.into_failure(|| self.remedy(key.operation)))
    }

    async fn load(
        &self,
        only: Option<ProviderName>,
        key: &Key,
        tip: Option<BlockStamp>,
        call: AnyCall,
    ) -> Result<Stored<AnyValue>, Failure> {
        let work = || {
            let (gateway, key, call) = (self.clone(), key.clone(), Arc::clone(&call));
            async move {
                let result = gateway.fetch(only, &key, tip, &call).await;
                match &result {
                    // Not if the user has disabled the provider in the meantime.
                    Ok(stored) if !gateway.settings().is_enabled(stored.provider) => {}
                    // Only a manual refresh says that it has not brought a newer value.
                    Ok(stored) => gateway.0.cache.put(key, Stored { not_refreshed: None, ..stored.clone() }),
                    // A lookup that was cancelled finds nothing.
                    Err(Failure::NotFound(reason)) if !is_cancelled() => {
                        gateway.0.cache.put_miss(
                            None,
                            key,
                            Miss::new(reason, ReasonKind::Sentence, None, tip, gateway.fetched_at(Duration::ZERO)),
                        );
                    }
                    Err(_) => {}
                }
                result
            }
        };
        let loading = async {
            let loaded = self.0.cache.load(key, work).await?;
            // The user may have chosen another provider while it was loading.
            let is_outdated = only.is_none() && self.is_outdated(&loaded, key.operation);
            if is_outdated { self.0.cache.load(key, work).await } else { Ok(loaded) }
        };
        match key.operation {
            // Mostly the 7-day charts of lists, which need many lookups.
            Operation::Series => in_background(loading).await,
            _ => loading.await,
        }
    }

    /// When data of this age was fetched.
    pub(super) fn fetched_at(&self, age: Duration) -> Timestamp {
        self.0.time.stamp(age)
    }

    /// Whether the user has preferred another provider since a value was fetched.
    pub(super) fn is_outdated<T: ?Sized>(&self, stored: &Stored<T>, operation: Operation) -> bool {
        let is_older = self.changed().get(&operation).is_some_and(|changed| stored.fetched.at.monotonic <= *changed);
        is_older && self.serving(operation).next().is_none_or(|first| first.name != stored.provider)
    }

    /// The cached miss for a key at a provider, or at all of them (`None`), and the time until the next request.
    pub(super) fn miss(
        &self,
        name: Option<ProviderName>,
        key: &Key,
        tip: Option<BlockStamp>,
    ) -> Option<(Miss, Duration)> {
        let miss = self.0.cache.miss(name, key)?;
        let max_age = if is_manual() { self.min_refresh_age(MISS_TTL) } else { MISS_TTL };
        let remaining = miss.remaining(max_age, tip)?;
        Some((miss, remaining))
    }

    /// The age from which a manual refresh requests a value that is fresh for this long. If there are many clients,
    /// their refreshes at most double the requests, so that one of them can't use up a quota.
    pub(super) fn min_refresh_age(&self, fresh_for: Duration) -> Duration {
        if self.settings().has_many_clients { MIN_REFRESH_AGE.max(fresh_for / 2) } else { MIN_REFRESH_AGE }
    }

    /// Records that a value of a provider is on a screen and will be refreshed, and what its load has cost.
    fn note_demand(&self, key: &Key, name: ProviderName, cost: Option<u64>) {
        if let Some(provider) = self.provider(name)
            && let Some(upstream) = provider.upstream_for(key.operation)
        {
            upstream.budget().note_demand(key, base_freshness(provider, key), cost);
        }
    }
}
