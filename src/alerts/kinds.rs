//! Which kinds of data a process has, and which alerts they can check. The dashboard and `alerts watch` must agree on
//! it.

use super::needs::group_of;
use crate::client::{Group, Request};
use crate::user_data::Alert;
use crate::user_data::alert::{DataKind, DataScope, PerKind, Target};

/// The kind of a response's data.
pub fn kind_of_response(request: &Request, simulated: bool) -> DataKind {
    let scope = match request.group() {
        Group::Market => DataScope::Market,
        Group::Indexer => DataScope::Indexer,
    };
    DataKind { scope, simulated }
}

/// The kinds of data that a process can check its alerts with. `has_addresses` is whether the wallet has addresses, and
/// `simulates` whether the data of a group is simulated, if known. A service that has not responded yet is assumed to
/// be real, unless there are only alerts on simulated data.
pub fn kinds_of_process<'a>(
    alerts: impl Iterator<Item = &'a Alert> + Clone,
    has_addresses: bool,
    simulates: impl Fn(Group) -> Option<bool>,
) -> PerKind<bool> {
    let simulates = |group| simulates(group).unwrap_or_else(|| expects_simulated(group, alerts.clone(), has_addresses));
    DataKind::of_process(simulates(Group::Market), simulates(Group::Indexer), has_addresses)
}

/// Whether a group's data is assumed to be simulated before its service first responds: if all alerts that need it are
/// on simulated data. Without a request, the service would never respond.
fn expects_simulated<'a>(group: Group, alerts: impl Iterator<Item = &'a Alert>, has_addresses: bool) -> bool {
    let needs_group = |alert: &&Alert| {
        let target = &alert.rule.target;
        alert.on && (group_of(target) == group || has_addresses && *target == Target::Wallet)
    };
    let mut needing = alerts.filter(needs_group).peekable();
    needing.peek().is_some() && needing.all(|alert| alert.state.is_simulated())
}

/// Whether the current data may change an alert's state: simulated data never changes an alert on real data. For the
/// other arguments, see [`kinds_of_process`].
pub fn is_checkable(alert: &Alert, has_addresses: bool, simulates: impl Fn(Group) -> Option<bool>) -> bool {
    let DataKind { scope, simulated } = alert.data_kind();
    let fits = |group| simulates(group).is_none_or(|is_simulated| is_simulated == simulated);
    let needs_indexer = scope == DataScope::Wallet && has_addresses;
    fits(group_of(&alert.rule.target)) && (!needs_indexer || fits(Group::Indexer))
}
