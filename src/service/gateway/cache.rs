//! Cached values of providers, bounded by bytes. Concurrent loads of the same key are coalesced.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::watch;

use super::blocks::BlockStamp;
use super::stored::{AnyValue, CachedValue, Stored};
use crate::model::ProviderName;
use crate::service::call::{Call, Waiter, cancelled};
use crate::service::data_version::{self, Changes, DataVersions};
use crate::service::operation::{Key, Operation};
use crate::service::time_source::Timestamp;
use crate::service::upstream::error::ReasonKind;

/// Maximum size in bytes.
const CAPACITY: u64 = 16 << 20;

/// Maximum age of a value that is served while its provider fails.
pub(super) const STALE: Duration = Duration::from_hours(24);

/// How long "not found" is cached.
pub(super) const MISS_TTL: Duration = Duration::from_mins(10);

/// Time before a list that a provider wrongly returned empty is requested again.
pub(super) const EMPTY_TTL: Duration = Duration::from_mins(1);

/// Why a load failed. Every caller that waits for it receives a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// No provider serves the operation; the sentence has the advice.
    Unsupported(String),
    /// No provider serves this part of the operation; the sentence names an alternative.
    NotServed(String),
    /// No provider knows the requested item.
    NotFound(String),
    /// Every provider fails.
    Unavailable {
        /// The reason.
        reason: String,
        /// When it may work again.
        retry_after: Option<Duration>,
        /// Whether a manual refresh queries no provider until then.
        must_wait: bool,
    },
    /// Every caller stopped waiting before the request was sent.
    Cancelled,
}

/// The cache. Values may have any type, as long as each key always has the same one.
#[derive(Debug)]
pub(super) struct Cache {
    entries: moka::sync::Cache<Key, (Stored<AnyValue>, u32)>,
    /// Keys not found at a provider (with `None`, at any provider), lists that a provider returned without rows, and
    /// values that fail while others don't.
    misses: moka::sync::Cache<(Option<ProviderName>, Key), Miss>,
    loads: Arc<Mutex<HashMap<Key, Load>>>,
    changes: Changes,
}

/// "Not found", an empty list, or a value that fails while others don't.
#[derive(Clone, Debug)]
pub(super) struct Miss {
    /// The reason.
    pub(super) reason: Arc<str>,
    /// What kind of text the reason is.
    pub(super) kind: ReasonKind,
    /// Time before the next request if the value may exist: a list that always has rows was empty, or a request failed.
    pub(super) retry_after: Option<Duration>,
    /// The newest block at that time, if known and relevant.
    pub(super) block: Option<BlockStamp>,
    found: Timestamp,
}

impl Miss {
    /// A miss.
    pub(super) fn new(
        reason: &str,
        kind: ReasonKind,
        retry_after: Option<Duration>,
        block: Option<BlockStamp>,
        found: Timestamp,
    ) -> Miss {
        Miss { reason: reason.into(), kind, retry_after, block, found }
    }

    /// Whether the value may exist.
    pub(super) fn may_exist(&self) -> bool {
        self.retry_after.is_some()
    }

    /// How long it remains valid, with this maximum age; `None` if it has expired. `tip` is the newest block, if known.
    pub(super) fn remaining(&self, max_age: Duration, tip: Option<BlockStamp>) -> Option<Duration> {
        // The missing item may be in a newer block.
        let is_before = |(at, tip): (BlockStamp, BlockStamp)| at.reorgs != tip.reorgs || at.height < tip.height;
        if self.block.zip(tip).is_some_and(is_before) {
            return None;
        }
        let max_age = self.retry_after.map_or(max_age, |retry_after| max_age.min(retry_after));
        max_age.checked_sub(self.found.age()).filter(|remaining| !remaining.is_zero())
    }
}

/// A load in progress.
#[derive(Clone, Debug)]
struct Load {
    done: Outcome,
    call: Call,
}

/// The result of a finished load.
type Outcome = watch::Receiver<Option<Result<Stored<AnyValue>, Failure>>>;

impl Default for Cache {
    fn default() -> Self {
        let entries = moka::sync::Cache::builder()
            .max_capacity(CAPACITY)
            .weigher(|key: &Key, (_, weight): &(Stored<AnyValue>, u32)| {
                weight.saturating_add(u32::try_from(key.what.len()).unwrap_or(u32::MAX)).saturating_add(256)
            })
            .build();
        Cache { entries, misses: moka::sync::Cache::new(2_000), loads: Arc::default(), changes: Changes::default() }
    }
}

impl Cache {
    /// The last value: fresh, or stale and at most [`STALE`] old.
    pub(super) fn get(&self, key: &Key) -> Option<Stored<AnyValue>> {
        note(key);
        let (stored, _) = self.entries.get(key)?;
        Some(stored).filter(|stored| stored.age() < STALE.max(stored.fresh_for))
    }

    /// The last value, if it has this type.
    pub(super) fn get_as<T: CachedValue>(&self, key: &Key) -> Option<Stored<T>> {
        self.get(key)?.downcast()
    }

    /// Stores a value.
    pub(super) fn put(&self, key: Key, stored: Stored<AnyValue>) {
        let weight = u32::try_from(stored.value.weight()).unwrap_or(u32::MAX);
        for provider in [None, Some(stored.provider)] {
            self.misses.invalidate(&(provider, key.clone()));
        }
        let operation = key.operation;
        self.entries.insert(key, (stored, weight));
        self.changes.changed(operation);
    }

    /// Drops the values of some providers, and the cached misses: another provider may have those items.
    pub(super) fn drop_values_of(&self, is_dropped: impl Fn(ProviderName) -> bool) {
        for (key, (stored, _)) in &self.entries {
            if is_dropped(stored.provider) {
                self.entries.invalidate(&*key);
            }
        }
        self.misses.invalidate_all();
        // Encoded responses may also come from these providers.
        self.changes.all_changed();
    }

    /// Changes the version of the values of an operation, because other ones are used.
    pub(super) fn bump_version(&self, operation: Operation) {
        self.changes.changed(operation);
    }

    /// The versions of the stored values.
    pub(super) fn versions(&self) -> DataVersions {
        self.changes.versions()
    }

    /// The cached miss for a key at a provider, or at all of them (`None`).
    pub(super) fn miss(&self, provider: Option<ProviderName>, key: &Key) -> Option<Miss> {
        note(key);
        self.misses.get(&(provider, key.clone()))
    }

    /// Caches a miss for a key at a provider, or at all of them (`None`).
    pub(super) fn put_miss(&self, provider: Option<ProviderName>, key: Key, miss: Miss) {
        self.misses.insert((provider, key), miss);
    }

    /// Loads a value, or joins the load in progress. The load is cancelled if every caller stops waiting before the
    /// request was sent; see [`cancelled`]. So is a load that this one waits for.
    ///
    /// # Errors
    /// The error of `work`.
    pub(super) async fn load<F>(&self, key: &Key, work: impl FnOnce() -> F) -> Result<Stored<AnyValue>, Failure>
    where
        F: Future<Output = Result<Stored<AnyValue>, Failure>> + Send + 'static,
    {
        note(key);
        let mut work = Some(work);
        loop {
            let (mut done, waiting) = self.join(key, &mut work);
            let result = tokio::select! {
                biased;
                result = done.wait_for(Option::is_some) => result.ok().and_then(|result| result.clone()),
                () = cancelled() => return Err(Failure::Cancelled),
                never = waiting.pass_on_urgency() => match never {},
            };
            match result {
                Some(Ok(stored)) => return Ok(stored),
                // It was cancelled just before this caller joined.
                Some(Err(Failure::Cancelled)) if work.is_some() => {}
                Some(Err(failure)) => return Err(failure),
                None => return Err(internal("a load panicked")),
            }
        }
    }

    /// Joins the load of a key, or starts one.
    fn join<F, W>(&self, key: &Key, work: &mut Option<W>) -> (Outcome, Waiter)
    where
        F: Future<Output = Result<Stored<AnyValue>, Failure>> + Send + 'static,
        W: FnOnce() -> F,
    {
        let mut loads = self.loads.lock();
        if let Some(load) = loads.get(key) {
            return (load.done.clone(), load.call.join());
        }
        let call = Call::new();
        let waiting = call.join();
        let (finish, done) = watch::channel(None);
        let Some(work) = work.take() else { return (done, waiting) };
        loads.insert(key.clone(), Load { done: done.clone(), call: call.clone() });
        drop(loads);
        let work = call.run(work());
        let guard = LoadGuard { key: key.clone(), loads: Arc::clone(&self.loads) };
        tokio::spawn(async move {
            let result = work.await;
            // Before the waiting callers are notified: they may request the same key again.
            drop(guard);
            let _ = finish.send(Some(result));
        });
        (done, waiting)
    }

    /// The provider that the load of this key is querying, if one is in progress.
    pub(super) fn current_provider(&self, key: &Key) -> Option<ProviderName> {
        self.loads.lock().get(key)?.call.current_provider()
    }

    /// Whether a load of this key is in progress.
    pub(super) fn is_loading(&self, key: &Key) -> bool {
        self.loads.lock().contains_key(key)
    }
}

/// Records the dependencies of the current response.
fn note(key: &Key) {
    data_version::note(key.operation);
    if key.is_by_block() {
        data_version::note(Operation::Block);
    }
}

/// Removes a load from the map when it ends, panics included.
struct LoadGuard {
    key: Key,
    loads: Arc<Mutex<HashMap<Key, Load>>>,
}

impl Drop for LoadGuard {
    fn drop(&mut self) {
        self.loads.lock().remove(&self.key);
    }
}

pub(super) fn internal(what: &str) -> Failure {
    Failure::Unavailable { reason: format!("Internal error ({what})"), retry_after: None, must_wait: false }
}
