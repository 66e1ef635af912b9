//! What providers answered: bounded by bytes, with equal requests joined into one.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::Operation;
use super::call::Call;
use crate::model::UtcTime;
use crate::service::providers::ProviderName;

/// Bytes that are kept.
const CAPACITY: u64 = 16 << 20;

/// A value is shown while its provider fails for this long.
pub(super) const STALE: Duration = Duration::from_hours(24);

/// A provider that does not know something is not asked for it again for so long.
const MISSING: Duration = Duration::from_mins(10);

/// What was asked: an operation and its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// The operation.
    pub(super) operation: Operation,
    /// The parameters, in any form that tells them apart.
    pub(super) what: String,
    /// The value is fresh for so long at least.
    pub(super) fresh_at_least: Duration,
}

impl Key {
    /// A key.
    pub(super) fn new(operation: Operation, what: impl Into<String>) -> Key {
        Key { operation, what: what.into(), fresh_at_least: Duration::ZERO }
    }

    /// The same, of a value that is fresh for so long at least.
    pub(super) fn fresh_at_least(self, time: Duration) -> Key {
        Key { fresh_at_least: time, ..self }
    }
}

/// A value with where it came from and when.
#[derive(Debug)]
pub(super) struct Stored<T: ?Sized> {
    /// Who answered.
    pub(super) provider: ProviderName,
    /// When, by the wall clock.
    pub(super) at: UtcTime,
    /// When, for ages.
    pub(super) since: Instant,
    /// How long it is fresh.
    pub(super) fresh_for: Duration,
    /// Why it is older than it should be; never kept.
    pub(super) notice: Option<Arc<str>>,
    /// The value.
    pub(super) value: Arc<T>,
}

impl<T: ?Sized> Clone for Stored<T> {
    fn clone(&self) -> Self {
        let Stored { provider, at, since, fresh_for, .. } = *self;
        Stored { provider, at, since, fresh_for, notice: self.notice.clone(), value: Arc::clone(&self.value) }
    }
}

impl<T: ?Sized> Stored<T> {
    /// How old it is.
    pub(super) fn age(&self) -> Duration {
        self.since.elapsed()
    }

    /// Whether it needs no refresh.
    pub(super) fn is_fresh(&self) -> bool {
        self.age() < self.fresh_for
    }
}

type AnyValue = dyn Any + Send + Sync;

/// Why a load failed, for those who wait for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// Nobody serves the operation.
    Unsupported,
    /// Nobody serves this part of the operation; the sentence says what would.
    NotServed(String),
    /// No provider knows what was asked for.
    NotFound(String),
    /// All that could answer fail.
    Unavailable {
        /// Why.
        reason: String,
        /// When it may work again.
        retry_after: Option<Duration>,
    },
    /// Nobody waited any more.
    Abandoned,
}

/// How many bytes a value takes, roughly.
pub(super) trait Weigh {
    /// In bytes.
    fn weight(&self) -> usize;
}

/// The cache. Values of any type; a key always has the same one.
#[derive(Debug)]
pub(super) struct Cache {
    entries: moka::sync::Cache<Key, (Stored<AnyValue>, u32)>,
    /// What nobody knows, and until when it is not asked for again.
    nothing: moka::sync::Cache<Key, (Failure, Instant)>,
    /// What a provider does not know, and until when it is not asked for that again.
    missing: moka::sync::Cache<(ProviderName, Key), Instant>,
    loads: Arc<Mutex<HashMap<Key, Load>>>,
}

/// A load under way.
#[derive(Clone, Debug)]
struct Load {
    done: watch::Receiver<Option<Result<Stored<AnyValue>, Failure>>>,
    waiters: Arc<watch::Sender<()>>,
}

impl Default for Cache {
    fn default() -> Self {
        let entries = moka::sync::Cache::builder()
            .max_capacity(CAPACITY)
            .weigher(|key: &Key, (_, weight): &(Stored<AnyValue>, u32)| {
                weight.saturating_add(u32::try_from(key.what.len()).unwrap_or(u32::MAX)).saturating_add(256)
            })
            .build();
        Cache {
            entries,
            nothing: moka::sync::Cache::new(1_000),
            missing: moka::sync::Cache::new(1_000),
            loads: Arc::default(),
        }
    }
}

impl Cache {
    /// The last value, fresh or not, at most a day old.
    pub(super) fn get<T: Send + Sync + 'static>(&self, key: &Key) -> Option<Stored<T>> {
        let (stored, _) = self.entries.get(key)?;
        typed(stored).filter(|stored| stored.age() < STALE)
    }

    /// Keeps a value.
    pub(super) fn put<T: Weigh + Send + Sync + 'static>(&self, key: Key, stored: Stored<T>) {
        let weight = u32::try_from(stored.value.weight()).unwrap_or(u32::MAX);
        self.nothing.invalidate(&key);
        self.entries.insert(key, (untyped(stored), weight));
    }

    /// Why there is no value, where that is known and not to be asked again yet.
    pub(super) fn nothing(&self, key: &Key) -> Option<Failure> {
        let (failure, until) = self.nothing.get(key)?;
        (Instant::now() < until).then_some(failure)
    }

    /// Remembers that there is no value.
    pub(super) fn put_nothing(&self, key: Key, failure: Failure, keep: Duration) {
        self.nothing.insert(key, (failure, Instant::now() + keep));
    }

    /// Whether a provider said not long ago that it does not know this.
    pub(super) fn is_missing(&self, provider: ProviderName, key: &Key) -> bool {
        self.missing.get(&(provider, key.clone())).is_some_and(|until| Instant::now() < until)
    }

    /// Remembers that a provider does not know this.
    pub(super) fn put_missing(&self, provider: ProviderName, key: Key) {
        self.missing.insert((provider, key), Instant::now() + MISSING);
    }

    /// Loads a value, or joins the load of it that is under way. The load ends when nobody waits for it before it was
    /// sent; see [`super::call::abandoned`].
    ///
    /// # Errors
    /// Those of the work.
    pub(super) async fn load<T, F>(&self, key: &Key, work: impl FnOnce() -> F) -> Result<Stored<T>, Failure>
    where
        T: Send + Sync + 'static,
        F: Future<Output = Result<Stored<T>, Failure>> + Send + 'static,
    {
        let mut work = Some(work);
        loop {
            let (mut done, _waiting) = self.join(key, &mut work);
            let result = match done.wait_for(Option::is_some).await {
                Ok(result) => result.clone(),
                Err(_) => None,
            };
            match result {
                Some(Ok(stored)) => {
                    return typed(stored).ok_or_else(|| internal("a value of another type"));
                }
                // It ended just before this one joined it.
                Some(Err(Failure::Abandoned)) if work.is_some() => {}
                Some(Err(failure)) => return Err(failure),
                None => return Err(internal("a load panicked")),
            }
        }
    }

    /// The load of a key, begun where there is none.
    #[expect(clippy::type_complexity, reason = "a pair of receivers")]
    fn join<T, F, W>(
        &self,
        key: &Key,
        work: &mut Option<W>,
    ) -> (watch::Receiver<Option<Result<Stored<AnyValue>, Failure>>>, watch::Receiver<()>)
    where
        T: Send + Sync + 'static,
        F: Future<Output = Result<Stored<T>, Failure>> + Send + 'static,
        W: FnOnce() -> F,
    {
        let mut loads = self.loads.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(load) = loads.get(key) {
            return (load.done.clone(), load.waiters.subscribe());
        }
        let (waiters, waiting) = watch::channel(());
        let (finish, done) = watch::channel(None);
        let Some(work) = work.take() else { return (done, waiting) };
        let waiters = Arc::new(waiters);
        loads.insert(key.clone(), Load { done: done.clone(), waiters: Arc::clone(&waiters) });
        drop(loads);
        let work = Call::new(waiters).run(work());
        let under_way = UnderWay { key: key.clone(), loads: Arc::clone(&self.loads) };
        tokio::spawn(async move {
            let result = work.await.map(untyped);
            // Before those who wait are told: they may ask for the same again.
            drop(under_way);
            let _ = finish.send(Some(result));
        });
        (done, waiting)
    }

    /// Whether a load of this key is under way.
    pub(super) fn is_loading(&self, key: &Key) -> bool {
        self.loads.lock().unwrap_or_else(PoisonError::into_inner).contains_key(key)
    }
}

/// Takes a load out of the list when it ends, in whatever way.
struct UnderWay {
    key: Key,
    loads: Arc<Mutex<HashMap<Key, Load>>>,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.loads.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}

fn typed<T: Send + Sync + 'static>(stored: Stored<AnyValue>) -> Option<Stored<T>> {
    let Stored { provider, at, since, fresh_for, notice, value } = stored;
    Some(Stored { provider, at, since, fresh_for, notice, value: value.downcast().ok()? })
}

fn untyped<T: Send + Sync + 'static>(stored: Stored<T>) -> Stored<AnyValue> {
    let Stored { provider, at, since, fresh_for, notice, value } = stored;
    Stored { provider, at, since, fresh_for, notice, value }
}

fn internal(what: &str) -> Failure {
    Failure::Unavailable { reason: format!("Internal error ({what})"), retry_after: None }
}
