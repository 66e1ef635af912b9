//! A month of an account, as Redis counts it.

use crate::service::shared::AccountMonth;
use crate::service::upstream::settings::Account;

/// The month (UTC), such as `2026-11`, of an account.
pub(super) fn account_month(account: Account, month: &str) -> AccountMonth<'_> {
    AccountMonth { provider: account.provider.as_str(), account: account.id, month }
}
