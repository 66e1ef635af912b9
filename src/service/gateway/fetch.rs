//! Fetches one upstream value: from the cache, or from the first provider that responds.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::{FutureExt as _, TryFutureExt as _};
use tokio::time::{Instant, timeout};

use super::Gateway;
use super::availability::queue_wait;
use super::blocks::BlockStamp;
use super::cache::{Failure, MISS_TTL, Miss, internal};
use super::failure::Failures;
use super::fallback_reason::FallbackReason;
use super::freshness::{base_freshness, block_freshness, fresh_for};
use super::stored::{AnyValue, CachedValue, MAX_BLOCK_TTL, MAX_RETRY_WAIT, Stored};
use crate::format::words::in_sentence;
use crate::model::{ProviderName, UtcTime, Zone};
use crate::service::call::{
    in_background, is_background, is_cancelled, is_manual, is_nested, record_provider, with_alternative,
};
use crate::service::operation::{Key, Operation};
use crate::service::providers::source::Provider;
use crate::service::queue_time::timeout_unless_queued;
use crate::service::upstream::LONG_WAIT;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::load::{Accepted, Load};

/// A manual refresh of a younger value or cached miss is answered from the cache.
pub(super) const MIN_REFRESH_AGE: Duration = Duration::from_secs(10);

/// How long a manual refresh waits for a new value before it falls back to the cached one.
const MANUAL_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a better value than the current one may take, not counting the time in the queue of its provider.
pub(super) const FALLBACK_TIMEOUT: Duration = Duration::from_secs(4);

/// The part of a client's timeout after which it gets an error.
const CLIENT_SHARE: f64 = 0.9;

/// The part of a client's timeout after which it gets the value at hand.
const FALLBACK_SHARE: f64 = 0.8;

/// How long a page with incomplete rows is cached, if its last refresh completed some.
const INCOMPLETE_TTL: Duration = Duration::from_secs(30);

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

impl Gateway {
    /// Returns the value of a key: from the cache if it is there, otherwise from the first provider in the operation's
    /// order that is not paused and answers `call`. A stale value is returned at once and refreshed in the background.
    /// A manual refresh fetches a new value if the budget allows it.
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

    /// Like [`Gateway::get_or_fetch`], from one provider only, whether or not the operation's order lists it.
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
        let chain = if key.is_by_block() { self.newest_block().await } else { None };
        let tip = chain.map(|(tip, _)| tip);
        let stored = self.0.cache.get(&key);
        let is_orphaned =
            |stored: &Stored<AnyValue>| stored.block.zip(tip).is_some_and(|(at, tip)| at.reorgs != tip.reorgs);
        let Some(stored) = stored.filter(|stored| !is_orphaned(stored)) else {
            return match self.miss(None, &key, tip) {
                Some((miss, _)) => Err(Failure::NotFound(miss.reason.to_string())),
                None => Ok(self.load_in_time(only, &key, tip, call).await?.fresh_until_next_check(chain)),
            };
        };
        self.note_demand(&key, stored.provider);
        let is_outdated = only.is_none() && self.is_outdated(&stored, operation);
        let is_old = key.max_age().is_some_and(|max_age| stored.age() >= max_age);
        let is_fresh = stored.is_fresh(tip) && !is_old;
        let stored = match is_fresh {
            _ if is_outdated => Stored { fresh_for: Duration::ZERO, ..stored },
            true => stored.fresh_until_next_check(chain),
            false => stored,
        };
        if is_manual() && (is_outdated || stored.age() >= MIN_REFRESH_AGE) {
            return Ok(match timeout(MANUAL_TIMEOUT, self.load(only, &key, tip, call)).await {
                Ok(Ok(new)) => new.fresh_until_next_check(chain),
                Ok(Err(failure)) => without_refresh(stored, failure, is_fresh),
                Err(_) => stored.not_refreshed_because("Refresh is still queued"),
            });
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
            self.note_demand(&key, stored.provider);
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
                Err(Failure::Unavailable { reason: String::from("Timed out"), retry_after: None })
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
        if let Ok(loaded) = timeout(limit, &mut loading).await {
            return loaded;
        }
        let too_slow = SourceError::too_slow(limit).reason;
        // Read now, since dropping `loading` cancels the load.
        let Some(current) = self.0.cache.current_provider(key) else {
            return Err(Failure::Unavailable { reason: too_slow, retry_after: None });
        };
        let mut failures = Failures::default();
        for provider in self.candidates(only, key.operation) {
            match self.unavailable(provider, key.operation) {
                Some((_, reason)) => failures.add_transient(provider.name, reason, None),
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
                    Ok(stored) => gateway.0.cache.put(key, stored.clone()),
                    // A lookup that was cancelled finds nothing.
                    Err(Failure::NotFound(reason)) if !is_cancelled() => {
                        gateway.0.cache.put_miss(None, key, Miss::new(reason, false, tip));
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

    /// Tries the providers in order. `tip` is the newest block, if known. If the next provider may have a better value
    /// ([`FallbackReason`]), it gets at most [`FALLBACK_TIMEOUT`], and the best value is used.
    async fn fetch(
        &self,
        only: Option<ProviderName>,
        key: &Key,
        tip: Option<BlockStamp>,
        call: &AnyCall,
    ) -> Result<Stored<AnyValue>, Failure> {
        let operation = key.operation;
        self.restore_pauses().await;
        let began = Instant::now();
        let mut failures = Failures::default();
        let mut fallback: Option<(FallbackReason, Stored<AnyValue>)> = None;
        for provider in self.candidates(only, operation) {
            let name = provider.name;
            if let Some((miss, remaining)) = self.miss(Some(name), key, tip) {
                failures.add_miss(name, &miss, remaining);
                continue;
            }
            if let Some((wait, reason)) = self.unavailable(provider, operation) {
                failures.add_transient(name, reason, wait);
                continue;
            }
            let wait = queue_wait(provider, operation);
            let has_alternative = fallback.is_some() || only.is_none() && self.has_alternative(name, operation);
            if wait > LONG_WAIT && has_alternative && !is_background() {
                failures.add_transient(name, SourceError::too_many_queued().reason, Some(wait));
                continue;
            }
            record_provider(name);
            let load = Load::new(self.accepted(provider, key, tip));
            let running = with_alternative(has_alternative, Arc::clone(&load).run(call(provider.clone())));
            let result = match fallback {
                None => running.await,
                // The caller has already waited for a value.
                Some(_) => timeout_unless_queued(FALLBACK_TIMEOUT, began + self.fallback_limit(), running)
                    .await
                    .unwrap_or_else(|| Err(SourceError::too_slow(FALLBACK_TIMEOUT))),
            };
            match result {
                Ok(value) => {
                    self.succeeded(provider, operation).await;
                    let before = self.0.cache.get(key);
                    let refresh_error = load.refresh_error().map(Into::into);
                    // The provider may be ahead of the known tip, or behind it.
                    let block = tip.filter(|_| refresh_error.is_none()).map(|tip| {
                        let height = load.height().unwrap_or(tip.height);
                        BlockStamp { height, ..tip }
                    });
                    let has_stalled = before.as_ref().is_some_and(|before| before.block == block);
                    let mut fresh_for = match tip.zip(block) {
                        Some((tip, at)) => block_freshness(provider, key, at.height < tip.height, has_stalled),
                        // Another service has only old data.
                        None if refresh_error.is_some() => Duration::ZERO,
                        None => fresh_for(provider, key),
                    };
                    let incomplete = value.incomplete();
                    if incomplete > 0 && before.is_none_or(|before| before.value.incomplete() != incomplete) {
                        fresh_for = fresh_for.min(INCOMPLETE_TTL);
                    }
                    // A choice of the user during the load counts as later.
                    let changed = self.changed().get(&operation).copied().filter(|changed| *changed >= began);
                    let (at, since) = self.fetched_at(load.age());
                    let since = changed.unwrap_or(since);
                    let reason = value.fallback_reason(self.0.time.now());
                    let notice = load.warning().map(Into::into);
                    let behind = load.providers().into();
                    let stored = Stored {
                        provider: name,
                        behind,
                        at,
                        since,
                        fresh_for,
                        block,
                        notice,
                        refresh_error,
                        not_refreshed: None,
                        value,
                    };
                    match reason {
                        None => {
                            self.note_demand(key, name);
                            return Ok(stored);
                        }
                        Some(reason) if fallback.as_ref().is_none_or(|(best, _)| *best < reason) => {
                            fallback = Some((reason, stored));
                        }
                        Some(_) => {}
                    }
                }
                Err(error) if error.class == ErrorClass::Cancelled => return Err(Failure::Cancelled),
                Err(error) => {
                    self.failed(provider, operation, &error).await;
                    let is_empty_list = error.class == ErrorClass::Empty;
                    let is_miss = is_empty_list || matches!(error.class, ErrorClass::NotFound | ErrorClass::Rejected);
                    // A lookup that was cancelled finds nothing.
                    if is_miss && !is_cancelled() {
                        let miss = Miss::new(&error.reason, is_empty_list, tip);
                        self.0.cache.put_miss(Some(name), key.clone(), miss);
                    }
                    let class = error.class;
                    failures.add(name, error, || match (class, self.miss(Some(name), key, tip)) {
                        (ErrorClass::Busy(wait), _) => Some(wait),
                        (_, Some((_, rest))) => Some(rest),
                        (_, None) => self.unavailable(provider, operation).and_then(|(wait, _)| wait),
                    });
                }
            }
        }
        let failure = failures.into_failure(|| self.remedy(operation));
        let Some((reason, stored)) = fallback else { return Err(failure) };
        self.note_demand(key, stored.provider);
        Ok(match (reason, failure) {
            (FallbackReason::Ended(last), _) => {
                stored.with_notice(&format!("No prices since {}", Zone::UTC.at(last).date()))
            }
            (FallbackReason::OldRates(day), _) => stored.with_notice(&format!("No exchange rates since {day}")),
            (FallbackReason::Empty, failure) => {
                let stored = Stored { fresh_for: stored.fresh_for.min(MISS_TTL), ..stored };
                match failure {
                    // That provider may have rows.
                    Failure::Unavailable { reason, .. } => stored.with_notice(&reason),
                    _ => stored,
                }
            }
        })
    }

    /// How long better values than those at hand may take in all, queues included, so that a client gets at least the latter.
    pub(super) fn fallback_limit(&self) -> Duration {
        self.settings().limits.total.mul_f64(FALLBACK_SHARE)
    }

    /// Which responses of other instances answer a key: as fresh as this instance's own would have to be, and newer than
    /// its last value.
    fn accepted(&self, provider: &Provider, key: &Key, tip: Option<BlockStamp>) -> Accepted {
        let max_age = match tip {
            _ if is_manual() => MIN_REFRESH_AGE,
            Some(_) => key.max_age().unwrap_or(MAX_BLOCK_TTL),
            None => fresh_for(provider, key),
        };
        let before = self.0.cache.get(key).map(|before| before.at);
        let reorganised = self.0.blocks.reorganised_at().filter(|_| key.is_by_block());
        Accepted { max_age, after: before.max(reorganised), height: tip.map(|tip| tip.height) }
    }

    /// When data of this age were fetched, by both clocks.
    pub(super) fn fetched_at(&self, age: Duration) -> (UtcTime, Instant) {
        let now = Instant::now();
        (self.0.time.now().minus(age), now.checked_sub(age).unwrap_or(now))
    }

    /// Whether the user has preferred another provider since a value was fetched.
    pub(super) fn is_outdated<T: ?Sized>(&self, stored: &Stored<T>, operation: Operation) -> bool {
        let is_older = self.changed().get(&operation).is_some_and(|changed| stored.since <= *changed);
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
        let remaining = miss.remaining(max_miss_age(), tip)?;
        Some((miss, remaining))
    }

    /// Records that a value of a provider is on a screen and will be refreshed.
    fn note_demand(&self, key: &Key, name: ProviderName) {
        if let Some(provider) = self.provider(name)
            && let Some(upstream) = provider.upstream_for(key.operation)
        {
            upstream.budget().note_demand(key, base_freshness(provider, key));
        }
    }
}

/// Maximum age of a cached miss that prevents another request.
fn max_miss_age() -> Duration {
    if is_manual() { MIN_REFRESH_AGE } else { MISS_TTL }
}
