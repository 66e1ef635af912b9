//! Monthly usage of each provider, shared by all instances on this machine through the store. Without a store, each
//! instance counts its own requests. If the store is locked, a request doesn't wait for it: it is counted in memory, and
//! in the store with the next one.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::task::spawn_blocking;

use crate::model::{ProviderName, UtcTime};
use crate::service::shared::{Budget, SharedSlot, SharedState};
use crate::store::{Database, Error, Reservation, SharedDatabase, Slot};

/// Counts requests per provider and month. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct UsageTracker {
    store: SharedDatabase,
    /// Budgets that instances on several machines share; they replace the store.
    shared: Option<SharedState>,
    local: Arc<Mutex<HashMap<ProviderName, LocalUsage>>>,
    /// Whether the last use of the store failed. Only the first failure is logged.
    is_failing: Arc<AtomicBool>,
}

/// The count that this instance knows.
#[derive(Clone, Debug, Default)]
struct LocalUsage {
    month: String,
    used: u64,
    /// The part of `used` that is not in the store yet.
    unsaved: u64,
    /// The same for [`SharedState`]; `used` counts it once for each instance.
    unshared: u64,
    /// The last count of [`SharedState`] and what it doesn't know yet.
    shared: u64,
}

/// The slot of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service) struct ReservedSlot {
    /// Time until the request may be sent.
    pub(in crate::service) wait: Duration,
    /// Cost of the month's requests so far.
    pub(in crate::service) used: u64,
    /// Whether the slot was taken and counted; false if the wait exceeds `max_wait`.
    pub(in crate::service) is_taken: bool,
}

impl UsageTracker {
    /// Usage in this store.
    pub fn new(store: SharedDatabase) -> UsageTracker {
        UsageTracker { store, ..UsageTracker::default() }
    }

    /// The same tracker with budgets that instances on several machines share.
    #[must_use]
    pub fn with_shared(self, shared: Option<SharedState>) -> UsageTracker {
        UsageTracker { shared, ..self }
    }

    /// What instances share through Redis.
    pub(in crate::service) fn shared(&self) -> Option<&SharedState> {
        self.shared.as_ref()
    }

    /// By how many the budgets have to be divided, because other instances can't be asked.
    pub(in crate::service) fn divisor(&self) -> u32 {
        self.shared.as_ref().filter(|shared| shared.is_down()).map_or(1, SharedState::instances)
    }

    /// Reserves a slot among the requests of all instances; `None` if they share nothing. Without Redis the request
    /// counts as many times as there are instances, so that together they stay within the budget.
    pub(in crate::service) async fn reserve_shared(
        &self,
        provider: ProviderName,
        now: UtcTime,
        gap: Duration,
        max_wait: Duration,
        per_minute: Option<u32>,
        cost: u64,
    ) -> Option<ReservedSlot> {
        let shared = self.shared.as_ref()?;
        let month = month(now);
        let millis = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        let (known, unshared) =
            self.with_local(provider, &month, |local| (local.shared, std::mem::take(&mut local.unshared)));
        let budget = Budget {
            provider: provider.as_str(),
            month: &month,
            now: now.millis(),
            gap: millis(gap),
            patience: millis(max_wait),
            per_minute,
            cost: cost.saturating_add(unshared),
            known: known.saturating_sub(unshared),
        };
        let slot = shared.reserve(budget).await;
        let instances = u64::from(shared.instances());
        Some(self.with_local(provider, &month, |local| match slot {
            Some(SharedSlot { wait, used, is_taken }) => {
                if !is_taken {
                    local.unshared = local.unshared.saturating_add(unshared);
                }
                (local.used, local.shared) = (used, used.saturating_add(local.unshared));
                ReservedSlot { wait: Duration::from_millis(wait), used, is_taken }
            }
            None => {
                local.unshared = local.unshared.saturating_add(unshared).saturating_add(cost);
                local.shared = local.shared.saturating_add(cost);
                local.used = local.used.saturating_add(cost.saturating_mul(instances));
                let wait = gap.saturating_mul(shared.instances() - 1);
                ReservedSlot { wait, used: local.used, is_taken: true }
            }
        }))
    }

    /// Reserves a slot for a request and counts its cost.
    pub(in crate::service) async fn reserve(
        &self,
        provider: ProviderName,
        now: UtcTime,
        gap: Duration,
        max_wait: Duration,
        cost: u64,
    ) -> ReservedSlot {
        let tracker = self.clone();
        // It runs to its end even if the request is cancelled, so that both counts agree.
        let reserved = spawn_blocking(move || tracker.reserve_blocking(provider, now, gap, max_wait, cost)).await;
        reserved.unwrap_or_else(|_| self.reserve_in_memory(provider, &month(now), cost))
    }

    fn reserve_blocking(
        &self,
        provider: ProviderName,
        now: UtcTime,
        gap: Duration,
        max_wait: Duration,
        cost: u64,
    ) -> ReservedSlot {
        let month = month(now);
        let millis = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        // Taken, so that a concurrent request doesn't save them, too.
        let unsaved = self.with_local(provider, &month, |local| std::mem::take(&mut local.unsaved));
        let reservation = Reservation {
            provider: provider.as_str(),
            now: now.millis(),
            gap: millis(gap),
            patience: millis(max_wait),
            month: &month,
            cost: cost.saturating_add(unsaved),
        };
        let slot = self.with_store(|database| database.reserve(&reservation));
        if !slot.is_some_and(|slot| slot.is_taken) {
            self.with_local(provider, &month, |local| local.unsaved = local.unsaved.saturating_add(unsaved));
        }
        let Some(Slot { at, used, is_taken }) = slot else { return self.reserve_in_memory(provider, &month, cost) };
        let used = self.with_local(provider, &month, |local| local.set_saved(used));
        ReservedSlot { wait: at.since(now), used, is_taken }
    }

    fn reserve_in_memory(&self, provider: ProviderName, month: &str, cost: u64) -> ReservedSlot {
        let used = self.with_local(provider, month, |local| {
            local.unsaved = local.unsaved.saturating_add(cost);
            local.used = local.used.saturating_add(cost);
            local.used
        });
        ReservedSlot { wait: Duration::ZERO, used, is_taken: true }
    }

    /// Pauses a provider for all instances.
    pub(in crate::service) async fn hold(&self, provider: ProviderName, now: UtcTime, pause: Duration) {
        let until = now.plus(pause);
        if let Some(shared) = &self.shared {
            shared.hold(provider.as_str(), until.millis(), now.millis()).await;
        }
        let tracker = self.clone();
        let hold = move || tracker.with_store(|database| database.hold(provider.as_str(), until));
        // If it fails, the other instances learn it from the provider.
        let _ = spawn_blocking(hold).await;
    }

    /// Sets the count to the provider's own.
    pub(in crate::service) async fn set_used(&self, provider: ProviderName, now: UtcTime, used: u64) {
        let (tracker, month) = (self.clone(), month(now));
        if let Some(shared) = &self.shared {
            shared.month(provider.as_str(), &month, Some(used)).await;
            self.with_local(provider, &month, |local| (local.used, local.shared, local.unshared) = (used, used, 0));
            return;
        }
        let set = move || {
            // If it can't be saved, the next request adds the difference.
            tracker.with_local(provider, &month, |local| {
                let saved = local.used.saturating_sub(local.unsaved);
                (local.used, local.unsaved) = (used, used.saturating_sub(saved));
            });
            if tracker.with_store(|database| database.set_used(provider.as_str(), &month, used)).is_some() {
                tracker.with_local(provider, &month, |local| local.unsaved = 0);
            }
        };
        let _ = spawn_blocking(set).await;
    }

    /// Reads the month's usage from the store.
    pub(in crate::service) async fn load(&self, provider: ProviderName, now: UtcTime) {
        let (tracker, month) = (self.clone(), month(now));
        if let Some(shared) = &self.shared {
            if let Some(used) = shared.month(provider.as_str(), &month, None).await {
                self.with_local(provider, &month, |local| {
                    let used = used.max(local.shared.saturating_sub(local.unshared));
                    local.shared = used.saturating_add(local.unshared);
                    local.used = local.shared;
                });
            }
            return;
        }
        let load = move || {
            if let Some(used) = tracker.with_store(|database| database.used(provider.as_str(), &month)) {
                tracker.with_local(provider, &month, |local| local.set_saved(used));
            }
        };
        // If it fails, the count known so far is kept.
        let _ = spawn_blocking(load).await;
    }

    /// Cost of the month's requests so far, as known to this instance.
    pub(in crate::service) fn used(&self, provider: ProviderName, now: UtcTime) -> u64 {
        self.local().get(&provider).filter(|local| local.month == month(now)).map_or(0, |local| local.used)
    }

    fn local(&self) -> MutexGuard<'_, HashMap<ProviderName, LocalUsage>> {
        self.local.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the count of a month, which starts at 0.
    fn with_local<T>(&self, provider: ProviderName, month: &str, change: impl FnOnce(&mut LocalUsage) -> T) -> T {
        let mut all = self.local();
        let local = all.entry(provider).or_default();
        if local.month != month {
            *local = LocalUsage { month: month.to_owned(), ..LocalUsage::default() };
        }
        change(local)
    }

    /// Runs `work` with the database; `None` without a database, or if it fails.
    fn with_store<T>(&self, work: impl FnOnce(&mut Database) -> Result<T, Error>) -> Option<T> {
        match self.store.count(work) {
            Ok(value) => {
                self.is_failing.store(false, Ordering::Relaxed);
                Some(value)
            }
            Err(Error::NoDirectory) => None,
            Err(error) => {
                if !self.is_failing.swap(true, Ordering::Relaxed) {
                    tracing::warn!(%error, "can't share request counts with other instances; counting in memory");
                }
                None
            }
        }
    }
}

impl LocalUsage {
    /// Sets the count to the store's and what is not in it yet. Returns the sum.
    fn set_saved(&mut self, saved: u64) -> u64 {
        self.used = saved.saturating_add(self.unsaved);
        self.used
    }
}

/// The calendar month (UTC) of a time, such as `2026-11`.
fn month(now: UtcTime) -> String {
    let date = now.timestamp().to_zoned(jiff::tz::TimeZone::UTC).date();
    format!("{:04}-{:02}", date.year(), date.month())
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::store::FILE;

    const NAME: ProviderName = ProviderName::CoinGecko;

    async fn reserve(tracker: &UsageTracker, now: UtcTime) -> u64 {
        tracker.reserve(NAME, now, Duration::ZERO, Duration::from_secs(30), 1).await.used
    }

    #[tokio::test]
    async fn requests_during_a_lock_are_counted_with_the_next_one() {
        let directory = tempfile::tempdir().unwrap();
        let tracker = || UsageTracker::new(SharedDatabase::new(Some(directory.path().to_owned())));
        let (one, other, now) = (tracker(), tracker(), UtcTime::from_millis(1_795_248_000_000));
        assert_eq!(reserve(&one, now).await, 1);
        let locked = Connection::open(directory.path().join(FILE)).unwrap();
        locked.execute_batch("BEGIN EXCLUSIVE").unwrap();
        assert_eq!((reserve(&one, now).await, reserve(&one, now).await), (2, 3));
        assert_eq!(one.used(NAME, now), 3);
        one.load(NAME, now).await;
        assert_eq!(one.used(NAME, now), 3, "the store's count is that of before");
        locked.execute_batch("ROLLBACK").unwrap();
        assert_eq!(reserve(&one, now).await, 4);
        assert_eq!(reserve(&other, now).await, 5, "the other instance counts them, too");
    }

    #[tokio::test]
    async fn count_of_the_provider_during_a_lock_is_kept() {
        let directory = tempfile::tempdir().unwrap();
        let tracker = || UsageTracker::new(SharedDatabase::new(Some(directory.path().to_owned())));
        let (one, other, now) = (tracker(), tracker(), UtcTime::from_millis(1_795_248_000_000));
        reserve(&one, now).await;
        let locked = Connection::open(directory.path().join(FILE)).unwrap();
        locked.execute_batch("BEGIN EXCLUSIVE").unwrap();
        one.set_used(NAME, now, 10_000).await;
        locked.execute_batch("ROLLBACK").unwrap();
        assert_eq!(reserve(&one, now).await, 10_001);
        assert_eq!(reserve(&other, now).await, 10_002);
        one.set_used(NAME, now, 500).await;
        assert_eq!((reserve(&one, now).await, reserve(&other, now).await), (501, 502));
    }
}
