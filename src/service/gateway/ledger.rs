//! What the providers were asked this month, shared by all instances on this machine through the store. Without a store,
//! or where it fails, each instance counts for itself.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::model::{ProviderName, UtcTime};
use crate::store::{Database, Error, Reservation, Slot};

/// The counts. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    store: Option<Arc<Mutex<Store>>>,
    own: Arc<Mutex<HashMap<ProviderName, Own>>>,
}

#[derive(Debug)]
struct Store {
    directory: PathBuf,
    database: Option<Database>,
}

/// What this instance counted.
#[derive(Clone, Debug, Default)]
struct Own {
    month: String,
    used: u64,
}

/// A request that may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// After so long.
    pub(super) wait: Duration,
    /// What the month's requests cost so far.
    pub(super) used: u64,
    /// Whether it was counted. If not, the wait is longer than was allowed.
    pub(super) is_taken: bool,
}

impl Ledger {
    /// The counts in the store of a state directory. Nothing is opened yet.
    pub fn new(directory: Option<PathBuf>) -> Ledger {
        let store = directory.map(|directory| Arc::new(Mutex::new(Store { directory, database: None })));
        Ledger { store, own: Arc::default() }
    }

    /// Gives a request of a provider its place and counts it.
    pub(super) async fn reserve(
        &self,
        provider: ProviderName,
        now: UtcTime,
        gap: Duration,
        patience: Duration,
        cost: u64,
    ) -> Place {
        let month = month(now);
        let of_month = month.clone();
        let millis = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        let slot = self
            .with_store(move |database| {
                let provider = provider.as_str();
                let (now, gap, patience) = (now.millis(), millis(gap), millis(patience));
                database.reserve(&Reservation { provider, now, gap, patience, month: &of_month, cost })
            })
            .await;
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        let own = own.entry(provider).or_default();
        if own.month != month {
            *own = Own { month, used: 0 };
        }
        match slot {
            Some(Slot { at, used, is_taken }) => {
                own.used = used;
                Place { wait: at.since(now), used, is_taken }
            }
            None => {
                own.used = own.used.saturating_add(cost);
                Place { wait: Duration::ZERO, used: own.used, is_taken: true }
            }
        }
    }

    /// Keeps all instances from asking a provider until a time.
    pub(super) async fn hold(&self, provider: ProviderName, until: UtcTime) {
        self.with_store(move |database| database.hold(provider.as_str(), until)).await;
    }

    /// Corrects the count by what the provider says.
    pub(super) async fn set_used(&self, provider: ProviderName, now: UtcTime, used: u64) {
        let month = month(now);
        {
            let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
            own.insert(provider, Own { month: month.clone(), used });
        }
        self.with_store(move |database| database.set_used(provider.as_str(), &month, used)).await;
    }

    /// What the month's requests cost so far, as far as this instance knows.
    pub(super) fn used(&self, provider: ProviderName, now: UtcTime) -> u64 {
        let own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        own.get(&provider).filter(|own| own.month == month(now)).map_or(0, |own| own.used)
    }

    /// Does something with the database, on a thread that may wait; `None` where there is none, or it fails.
    async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Database) -> Result<T, Error> + Send + 'static,
    ) -> Option<T> {
        let store = Arc::clone(self.store.as_ref()?);
        let done = tokio::task::spawn_blocking(move || {
            let mut store = store.lock().unwrap_or_else(PoisonError::into_inner);
            let Store { directory, database } = &mut *store;
            let database = match database {
                Some(database) => database,
                none => none.insert(Database::open(directory)?),
            };
            work(database)
        });
        match done.await {
            Ok(Ok(value)) => Some(value),
            Ok(Err(error)) => {
                tracing::warn!(%error, "the requests of this instance are counted alone");
                None
            }
            Err(_) => None,
        }
    }
}

/// The calendar month of a time, UTC.
fn month(now: UtcTime) -> String {
    let date = now.timestamp().to_zoned(jiff::tz::TimeZone::UTC).date();
    format!("{:04}-{:02}", date.year(), date.month())
}
