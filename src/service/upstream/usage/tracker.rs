//! What a tracker of usage knows.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use parking_lot::Mutex;

use crate::service::shared::SharedState;
use crate::service::upstream::settings::Account;
use crate::store::SharedDatabase;

/// Counts requests per server, key and month. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct UsageTracker {
    pub(super) store: SharedDatabase,
    /// Budgets that instances on several machines share; they replace the store.
    pub(super) shared: Option<SharedState>,
    pub(super) local: Arc<Mutex<HashMap<Account, LocalUsage>>>,
    /// Whether the last use of the store failed. Only the first failure is logged.
    pub(super) is_failing: Arc<AtomicBool>,
}

/// The count that this instance knows.
#[derive(Clone, Debug, Default)]
pub(super) struct LocalUsage {
    pub(super) month: String,
    pub(super) used: u64,
    /// The part of `used` that is not in the store yet.
    pub(super) unsaved: u64,
    /// The part of `used` that is not in [`SharedState`] yet; `used` counts it once for each instance.
    pub(super) unshared: u64,
    /// The last count of [`SharedState`], and requests that it doesn't have yet.
    pub(super) shared: u64,
}
