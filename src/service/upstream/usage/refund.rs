//! Corrects the count after responses that cost less than expected.

use tokio::task::spawn_blocking;

use super::account_month::account_month;
use super::month;
use super::tracker::UsageTracker;
use crate::model::UtcTime;
use crate::service::upstream::settings::Account;

impl UsageTracker {
    /// Reduces the month's count: a response has cost less than its request was expected to.
    pub(in crate::service) async fn refund(&self, account: Account, now: UtcTime, cost: u64) {
        let (tracker, month) = (self.clone(), month(now));
        if let Some(shared) = &self.shared {
            let is_done = shared.refund(account_month(account, &month), cost).await;
            let instances = if is_done { 1 } else { u64::from(shared.instances()) };
            self.with_local(account, &month, |local| {
                if !is_done {
                    local.unshared = local.unshared.saturating_sub(cost);
                }
                local.shared = local.shared.saturating_sub(cost);
                local.used = local.used.saturating_sub(cost.saturating_mul(instances));
            });
            return;
        }
        let refund = move || {
            let saved = tracker.with_local(account, &month, |local| {
                local.used = local.used.saturating_sub(cost);
                let unsaved = cost.min(local.unsaved);
                local.unsaved -= unsaved;
                cost - unsaved
            });
            // If it fails, a little less can be used.
            if saved > 0 {
                let provider = account.provider.as_str();
                tracker.with_store(|database| database.refund(provider, account.id, &month, saved));
            }
        };
        let _ = spawn_blocking(refund).await;
    }
}
