//! Request slots and usage of each server of a provider and key, shared through the store (one machine) or Redis
//! (several). Without either, each instance counts its own requests. If the store is locked, a request doesn't wait for
//! it: it is counted in memory, and in the store with the next one.

mod account_month;
mod refund;
mod reservation;
mod tracker;

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::time::Duration;

use parking_lot::MutexGuard;
use tokio::task::spawn_blocking;

use self::account_month::account_month;
use self::reservation::{Reservation, SlotBackend};
use self::tracker::LocalUsage;
use super::settings::Account;
use crate::model::{ProviderName, UtcTime};
use crate::service::shared::{Budget, SharedSlot, SharedState};
use crate::store::{self, Database, Error, SharedDatabase, Slot};

pub use self::tracker::UsageTracker;

/// The limits under which a request reserves its slot.
#[derive(Clone, Copy, Debug)]
pub(in crate::service) struct WantedSlot {
    /// A checksum of the server's settings.
    pub(in crate::service) server: u32,
    /// Minimum gap to the next request.
    pub(in crate::service) gap: Duration,
    /// Longest wait.
    pub(in crate::service) max_wait: Duration,
    /// Maximum requests per minute.
    pub(in crate::service) per_minute: Option<u32>,
    /// Cost against the monthly limit.
    pub(in crate::service) cost: u64,
}

impl UsageTracker {
    /// Usage in this store.
    pub fn new(store: SharedDatabase) -> UsageTracker {
        UsageTracker { store, ..UsageTracker::default() }
    }

    /// Sets the budgets that instances on several machines share.
    #[must_use]
    pub fn with_shared(self, shared: Option<SharedState>) -> UsageTracker {
        UsageTracker { shared, ..self }
    }

    /// The state shared through Redis.
    pub(in crate::service) fn shared(&self) -> Option<&SharedState> {
        self.shared.as_ref()
    }

    /// The number that budgets are divided by: the number of known instances while Redis is down, otherwise 1.
    pub(in crate::service) fn divisor(&self) -> u32 {
        self.shared.as_ref().filter(|shared| shared.is_down()).map_or(1, SharedState::instances)
    }

    /// Reserves a slot among the requests of all instances; `None` if they share nothing. Without Redis the request
    /// counts as many times as there are instances, so that together they stay within the budget.
    pub(in crate::service) async fn reserve_shared(
        &self,
        account: Account,
        now: UtcTime,
        wanted: WantedSlot,
    ) -> Option<Reservation> {
        let shared = self.shared.clone()?;
        let tracker = self.clone();
        // It runs to its end even if the request is cancelled: it may add requests that Redis doesn't know yet. The
        // reservation is then dropped, which releases the slot.
        let reserve = async move { tracker.reserve_in_redis(&shared, account, now, wanted).await };
        tokio::spawn(reserve).await.ok()
    }

    /// See [`UsageTracker::reserve_shared`].
    async fn reserve_in_redis(
        &self,
        shared: &SharedState,
        account: Account,
        now: UtcTime,
        WantedSlot { server, gap, max_wait, per_minute, cost }: WantedSlot,
    ) -> Reservation {
        let month = month(now);
        let (known, unshared) =
            self.with_local(account, &month, |local| (local.shared, std::mem::take(&mut local.unshared)));
        let budget = Budget {
            month: account_month(account, &month),
            server,
            now: now.millis(),
            gap: millis(gap),
            patience: millis(max_wait),
            per_minute,
            cost: cost.saturating_add(unshared),
            known: known.saturating_sub(unshared),
            id: fastrand::u64(..),
        };
        let slot = shared.reserve(budget).await;
        let instances = u64::from(shared.instances());
        let (wait, used, backend) = self.with_local(account, &month, |local| match slot {
            Some(SharedSlot { wait, used, is_taken }) => {
                if !is_taken {
                    local.unshared = local.unshared.saturating_add(unshared);
                }
                (local.used, local.shared) = (used, used.saturating_add(local.unshared));
                let at = now.millis().saturating_add_unsigned(wait);
                let backend =
                    is_taken.then(|| SlotBackend::InRedis { now: now.millis(), at, gap: millis(gap), id: budget.id });
                (Duration::from_millis(wait), used, backend)
            }
            None => {
                local.unshared = local.unshared.saturating_add(unshared).saturating_add(cost);
                local.shared = local.shared.saturating_add(cost);
                local.used = local.used.saturating_add(cost.saturating_mul(instances));
                let wait = gap.saturating_mul(shared.instances() - 1);
                (wait, local.used, Some(SlotBackend::WithoutRedis { instances }))
            }
        });
        Reservation::new(self, account, month, cost, backend, wait, used)
    }

    /// Reserves a slot for a request and counts its cost.
    pub(in crate::service) async fn reserve(&self, account: Account, now: UtcTime, wanted: WantedSlot) -> Reservation {
        let tracker = self.clone();
        // It runs to its end even if the request is cancelled, so that both counts agree. The reservation is then
        // dropped, which releases the slot.
        let reserved = spawn_blocking(move || tracker.reserve_blocking(account, now, wanted)).await;
        reserved.unwrap_or_else(|_| self.reserve_in_memory(account, &month(now), wanted.cost))
    }

    fn reserve_blocking(&self, account: Account, now: UtcTime, wanted: WantedSlot) -> Reservation {
        let WantedSlot { server, gap, max_wait, per_minute, cost } = wanted;
        let month = month(now);
        // Taken, so that a concurrent request doesn't save them, too.
        let unsaved = self.with_local(account, &month, |local| std::mem::take(&mut local.unsaved));
        let reservation = store::Reservation {
            provider: account.provider.as_str(),
            server,
            account: account.id,
            now: now.millis(),
            gap: millis(gap),
            patience: millis(max_wait),
            month: &month,
            cost: cost.saturating_add(unsaved),
            per_minute,
        };
        let slot = self.with_store(|database| database.reserve(&reservation));
        if !slot.as_ref().is_some_and(|slot| slot.is_taken) {
            self.with_local(account, &month, |local| local.unsaved = local.unsaved.saturating_add(unsaved));
        }
        let Some(Slot { at, used, is_taken, reason }) = slot else {
            return self.reserve_in_memory(account, &month, cost);
        };
        let used = self.with_local(account, &month, |local| local.set_saved(used));
        let backend = is_taken.then(|| SlotBackend::InStore { at: at.millis(), gap: millis(gap) });
        let mut reservation = Reservation::new(self, account, month, cost, backend, at.since(now), used);
        reservation.reason = reason;
        reservation
    }

    /// Requests of the last minute to a provider with a limit per minute, on this machine, or of all instances that
    /// share budgets; 0 without a store, `None` if the store or Redis fails.
    pub(in crate::service) async fn last_minute(&self, provider: ProviderName, now: UtcTime) -> Option<u64> {
        if let Some(shared) = &self.shared {
            return shared.last_minute(provider.as_str(), now.millis()).await;
        }
        let tracker = self.clone();
        let count = move || {
            let count = tracker.with_store(|database| database.last_minute(provider.as_str(), now.millis()));
            count.or_else(|| tracker.is_unshared().then_some(0))
        };
        spawn_blocking(count).await.ok().flatten()
    }

    fn reserve_in_memory(&self, account: Account, month: &str, cost: u64) -> Reservation {
        let used = self.with_local(account, month, |local| {
            local.unsaved = local.unsaved.saturating_add(cost);
            local.used = local.used.saturating_add(cost);
            local.used
        });
        Reservation::new(self, account, month.to_owned(), cost, Some(SlotBackend::InMemory), Duration::ZERO, used)
    }

    /// Pauses a provider for all instances.
    pub(in crate::service) async fn pause(&self, provider: ProviderName, server: u32, now: UtcTime, pause: Duration) {
        self.pause_in_redis(provider, server, now, pause).await;
        let until = now.plus(pause);
        let tracker = self.clone();
        let save = move || tracker.with_store(|database| database.pause(provider.as_str(), now, until));
        // If it fails, the other instances learn it from the provider.
        let _ = spawn_blocking(save).await;
    }

    /// Pauses a provider for all instances that share budgets through Redis.
    pub(in crate::service) async fn pause_in_redis(
        &self,
        provider: ProviderName,
        server: u32,
        now: UtcTime,
        pause: Duration,
    ) {
        if let Some(shared) = &self.shared {
            shared.pause(provider.as_str(), server, now.plus(pause).millis(), now.millis()).await;
        }
    }

    /// Sets the count to the provider's own.
    pub(in crate::service) async fn set_used(&self, account: Account, now: UtcTime, used: u64) {
        let (tracker, month) = (self.clone(), month(now));
        if let Some(shared) = &self.shared {
            shared.set_used(account_month(account, &month), used).await;
            self.with_local(account, &month, |local| (local.used, local.shared, local.unshared) = (used, used, 0));
            return;
        }
        let set = move || {
            // If it can't be saved, the next request adds the difference.
            tracker.with_local(account, &month, |local| {
                let saved = local.used.saturating_sub(local.unsaved);
                (local.used, local.unsaved) = (used, used.saturating_sub(saved));
            });
            if tracker
                .with_store(|database| database.set_used(account.provider.as_str(), account.id, &month, used))
                .is_some()
            {
                tracker.with_local(account, &month, |local| local.unsaved = 0);
            }
        };
        let _ = spawn_blocking(set).await;
    }

    /// Reads the month's usage from the store. Returns whether the count covers all instances: if the store or Redis
    /// fails, the count known so far is kept.
    pub(in crate::service) async fn load(&self, account: Account, now: UtcTime) -> bool {
        let (tracker, month) = (self.clone(), month(now));
        if let Some(shared) = &self.shared {
            let Some(used) = shared.used(account_month(account, &month)).await else { return false };
            self.with_local(account, &month, |local| {
                // Redis may have lost the count. If it is only lower, some was refunded.
                let known = local.shared.saturating_sub(local.unshared);
                let used = if used == 0 { known } else { used };
                local.shared = used.saturating_add(local.unshared);
                local.used = local.shared;
            });
            return true;
        }
        let load =
            move || match tracker.with_store(|database| database.used(account.provider.as_str(), account.id, &month)) {
                Some(used) => {
                    tracker.with_local(account, &month, |local| local.set_saved(used));
                    true
                }
                None => tracker.is_unshared(),
            };
        spawn_blocking(load).await.unwrap_or(false)
    }

    /// Whether no other instance counts, since there is no store. Only right after [`Self::with_store`] returned `None`.
    fn is_unshared(&self) -> bool {
        !self.is_failing.load(Ordering::Relaxed)
    }

    /// Cost of the month's requests so far, as known to this instance.
    pub(in crate::service) fn used(&self, account: Account, now: UtcTime) -> u64 {
        self.local().get(&account).filter(|local| local.month == month(now)).map_or(0, |local| local.used)
    }

    fn local(&self) -> MutexGuard<'_, HashMap<Account, LocalUsage>> {
        self.local.lock()
    }

    /// Changes the count of a month, which starts at 0.
    fn with_local<T>(&self, account: Account, month: &str, change: impl FnOnce(&mut LocalUsage) -> T) -> T {
        let mut all = self.local();
        let local = all.entry(account).or_default();
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
    /// Sets the count to the store's plus requests not stored yet. Returns the sum.
    fn set_saved(&mut self, saved: u64) -> u64 {
        self.used = saved.saturating_add(self.unsaved);
        self.used
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// The calendar month (UTC) of a time, such as `2026-11`.
fn month(now: UtcTime) -> String {
    let date = now.timestamp().to_zoned(jiff::tz::TimeZone::UTC).date();
    format!("{:04}-{:02}", date.year(), date.month())
}

#[cfg(test)]
mod tests;
