//! Monthly usage of each provider, shared by all instances on this machine through the store. Without a store, or if it
//! fails, each instance counts its own requests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::model::{ProviderName, UtcTime};
use crate::store::{Database, Error, Reservation, SharedDatabase, Slot};

/// Counts requests per provider and month. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct UsageTracker {
    store: SharedDatabase,
    local: Arc<Mutex<HashMap<ProviderName, LocalUsage>>>,
}

/// The count that this instance knows.
#[derive(Clone, Debug, Default)]
struct LocalUsage {
    month: String,
    used: u64,
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
        UsageTracker { store, local: Arc::default() }
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
        let month = month(now);
        let of_month = month.clone();
        let millis = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        let slot = self
            .with_store(move |database| {
                let provider = provider.as_str();
                let (now, gap, patience) = (now.millis(), millis(gap), millis(max_wait));
                database.reserve(&Reservation { provider, now, gap, patience, month: &of_month, cost })
            })
            .await;
        let mut local = self.local.lock().unwrap_or_else(PoisonError::into_inner);
        let local = local.entry(provider).or_default();
        if local.month != month {
            *local = LocalUsage { month, used: 0 };
        }
        match slot {
            Some(Slot { at, used, is_taken }) => {
                local.used = used;
                ReservedSlot { wait: at.since(now), used, is_taken }
            }
            None => {
                local.used = local.used.saturating_add(cost);
                ReservedSlot { wait: Duration::ZERO, used: local.used, is_taken: true }
            }
        }
    }

    /// Pauses a provider for all instances until a time.
    pub(in crate::service) async fn hold(&self, provider: ProviderName, until: UtcTime) {
        self.with_store(move |database| database.hold(provider.as_str(), until)).await;
    }

    /// Sets the count to the provider's own.
    pub(in crate::service) async fn set_used(&self, provider: ProviderName, now: UtcTime, used: u64) {
        let month = month(now);
        {
            let mut local = self.local.lock().unwrap_or_else(PoisonError::into_inner);
            local.insert(provider, LocalUsage { month: month.clone(), used });
        }
        self.with_store(move |database| database.set_used(provider.as_str(), &month, used)).await;
    }

    /// Reads the month's usage from the store.
    pub(in crate::service) async fn load(&self, provider: ProviderName, now: UtcTime) {
        let month = month(now);
        let of_month = month.clone();
        let used = self.with_store(move |database| database.used(provider.as_str(), &of_month)).await;
        if let Some(used) = used {
            let mut local = self.local.lock().unwrap_or_else(PoisonError::into_inner);
            local.insert(provider, LocalUsage { month, used });
        }
    }

    /// Cost of the month's requests so far, as known to this instance.
    pub(in crate::service) fn used(&self, provider: ProviderName, now: UtcTime) -> u64 {
        let local = self.local.lock().unwrap_or_else(PoisonError::into_inner);
        local.get(&provider).filter(|local| local.month == month(now)).map_or(0, |local| local.used)
    }

    /// Runs `work` with the database on a blocking thread; `None` without a database, or if it fails.
    async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Database) -> Result<T, Error> + Send + 'static,
    ) -> Option<T> {
        let store = self.store.clone();
        let done = tokio::task::spawn_blocking(move || store.with(work));
        match done.await {
            Ok(Ok(value)) => Some(value),
            Ok(Err(Error::NoDirectory)) => None,
            Ok(Err(error)) => {
                tracing::warn!(%error, "can't share request counts with other instances");
                None
            }
            Err(_) => None,
        }
    }
}

/// The calendar month (UTC) of a time, such as `2026-11`.
fn month(now: UtcTime) -> String {
    let date = now.timestamp().to_zoned(jiff::tz::TimeZone::UTC).date();
    format!("{:04}-{:02}", date.year(), date.month())
}
