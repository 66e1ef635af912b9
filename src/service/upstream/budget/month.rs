//! The monthly limit: how much of it is used, and how data is refreshed with the rest.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::RequestBudget;
use super::demand::{HOUR, MAX_STRETCH, RefreshPolicy, Shortage};
use crate::model::UtcTime;
use crate::service::operation::Key;
use crate::service::upstream::calendar::until_next_month;

impl RequestBudget {
    /// Reads the month's usage from the store, including other instances' usage. Returns whether it is known, which it
    /// is without a monthly limit.
    pub(in crate::service) async fn load_usage(&self) -> bool {
        self.per_month.is_none() || self.shared.usage.load(self.account, self.shared.time.now()).await
    }

    /// Cost of the month's requests so far, and the limit.
    pub fn month(&self) -> (u64, Option<u64>) {
        (self.used(self.shared.time.now()), self.per_month)
    }

    /// Records that data of this provider is on a screen, how long it is fresh, and what its load has cost, if it was
    /// loaded.
    pub(in crate::service) fn note_demand(&self, key: &Key, fresh_for: Duration, cost: Option<u64>) {
        if self.per_month.is_none() {
            return;
        }
        self.demand.note(key, fresh_for, cost);
    }

    /// Why data of this provider is not refreshed automatically, if it is not.
    pub(in crate::service) fn shortage(&self) -> Option<Shortage> {
        let limit = self.per_month.filter(|_| self.refresh_policy() == RefreshPolicy::ManualOnly)?;
        let left = limit.saturating_sub(self.used(self.shared.time.now()));
        Some(Shortage::of(left, limit))
    }

    /// How data on screen is refreshed: what it needs per hour, compared with what is left per hour until the end of the
    /// month.
    pub fn refresh_policy(&self) -> RefreshPolicy {
        let Some(limit) = self.per_month else { return RefreshPolicy::Stretched(1.0) };
        let now = self.shared.time.now();
        let left = limit.saturating_sub(self.used(now));
        let hours = until_next_month(now).as_secs_f64() / HOUR.as_secs_f64();
        let needed = self.demand.per_hour();
        #[expect(clippy::cast_precision_loss, reason = "a count of requests")]
        let stretch = needed * hours / (left as f64);
        match stretch {
            _ if left == 0 => RefreshPolicy::ManualOnly,
            stretch if stretch <= MAX_STRETCH => RefreshPolicy::Stretched(stretch.max(1.0)),
            _ => RefreshPolicy::ManualOnly,
        }
    }

    /// Records that the provider reported that the monthly limit is reached.
    pub(in crate::service) async fn set_used_up(&self) {
        if let Some(limit) = self.per_month {
            self.shared.usage.set_used(self.account, self.shared.time.now(), limit).await;
        }
    }

    /// Cost of the month's requests so far.
    fn used(&self, now: UtcTime) -> u64 {
        self.shared.usage.used(self.account, now).saturating_add(self.owed.load(Ordering::Relaxed))
    }
}
