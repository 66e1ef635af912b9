//! The slot of a request, which is released if the request is not sent.

use std::time::Duration;

use tokio::runtime::Handle;

use super::account_month::account_month;
use super::tracker::UsageTracker;
use crate::service::upstream::settings::Account;
use crate::store::ReleasedSlot;

/// The slot of a request. Unless it is kept, dropping it releases it.
#[derive(Debug)]
#[must_use]
pub(in crate::service) struct Reservation {
    /// Time until the request may be sent.
    pub(in crate::service) wait: Duration,
    /// Cost of the month's requests so far.
    pub(in crate::service) used: u64,
    /// Whether the slot was taken and counted; false if the wait exceeds `max_wait`.
    pub(in crate::service) is_taken: bool,
    /// Why the wait is too long, if the provider is paused.
    pub(in crate::service) reason: Option<String>,
    /// The slot to release; `None` if it is not taken, or kept.
    slot: Option<TakenSlot>,
}

/// Where a slot was taken.
#[derive(Clone, Copy, Debug)]
pub(super) enum SlotBackend {
    /// In Redis, under this id. Times in milliseconds: of the reservation, of the slot, and the gap after it.
    InRedis { now: i64, at: i64, gap: i64, id: u64 },
    /// In memory, for each of the instances, because Redis can't be reached.
    WithoutRedis { instances: u64 },
    /// In the store: time of the slot, and the gap after it, in milliseconds.
    InStore { at: i64, gap: i64 },
    /// In memory, because the store can't be used.
    InMemory,
}

/// A slot that was taken, and how to release it.
#[derive(Clone, Debug)]
struct TakenSlot {
    tracker: UsageTracker,
    account: Account,
    month: String,
    cost: u64,
    backend: SlotBackend,
}

impl Reservation {
    /// A slot after `wait`; `backend` is `None` if the wait is too long.
    pub(super) fn new(
        tracker: &UsageTracker,
        account: Account,
        month: String,
        cost: u64,
        backend: Option<SlotBackend>,
        wait: Duration,
        used: u64,
    ) -> Reservation {
        let slot = backend.map(|backend| TakenSlot { tracker: tracker.clone(), account, month, cost, backend });
        Reservation { wait, used, is_taken: slot.is_some(), reason: None, slot }
    }

    /// Keeps the slot: the request is sent now.
    pub(in crate::service) fn keep(mut self) {
        self.slot = None;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if let Some(slot) = self.slot.take() {
            slot.release();
        }
    }
}

impl TakenSlot {
    fn release(self) {
        let TakenSlot { tracker, account, month, cost, backend } = self;
        match backend {
            SlotBackend::WithoutRedis { instances } => tracker.with_local(account, &month, |local| {
                local.unshared = local.unshared.saturating_sub(cost);
                local.shared = local.shared.saturating_sub(cost);
                local.used = local.used.saturating_sub(cost.saturating_mul(instances));
            }),
            SlotBackend::InMemory => tracker.with_local(account, &month, |local| {
                local.unsaved = local.unsaved.saturating_sub(cost);
                local.used = local.used.saturating_sub(cost);
            }),
            // Without a runtime the program is ending, so nothing can be released.
            SlotBackend::InRedis { .. } | SlotBackend::InStore { .. } if Handle::try_current().is_err() => {}
            SlotBackend::InRedis { now, at, gap, id } => {
                tracker.with_local(account, &month, |local| {
                    local.used = local.used.saturating_sub(cost);
                    local.shared = local.shared.saturating_sub(cost);
                });
                tokio::spawn(async move {
                    if let Some(shared) = tracker.shared() {
                        shared.release(account_month(account, &month), (now, at, gap), cost, id).await;
                    }
                });
            }
            SlotBackend::InStore { at, gap } => {
                tokio::task::spawn_blocking(move || {
                    let released = ReleasedSlot {
                        provider: account.provider.as_str(),
                        account: account.id,
                        month: &month,
                        at,
                        next: at.saturating_add(gap),
                        cost,
                    };
                    if let Some(used) = tracker.with_store(|database| database.release(&released)) {
                        tracker.with_local(account, &month, |local| local.set_saved(used));
                    }
                });
            }
        }
    }
}
