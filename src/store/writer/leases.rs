//! The leases of the writer thread for checking alerts, one for each kind of data.

use std::collections::HashMap;

use super::super::error::Error;
use super::super::lease::{self, LEASE_LENGTH, LEASE_RENEWAL, LEASE_RETRY, Lease};
use super::super::lease_owner::LeaseOwner;
use super::super::shared::SharedDatabase;
use crate::model::UtcTime;
use crate::user_data::alert::{Checker, DataKind, PerKind};
use crate::user_data::{Alert, AlertId, Change};

/// The leases, and the alerts that need them.
pub(super) struct AlertLeases {
    owner: LeaseOwner,
    /// Whether a lease could not be released.
    has_unreleased: bool,
    all: PerKind<AlertLease>,
    /// The alerts that are on: the data that each needs, and whether it fires only once.
    on: HashMap<AlertId, (DataKind, bool)>,
}

/// One of the leases.
#[derive(Default)]
pub(super) struct AlertLease {
    /// Whether the process has such data.
    is_usable: bool,
    /// Which process checks the alerts, if known.
    checker: Option<Checker>,
    /// Whether the store has the lease. A process that can't write it checks the alerts without one.
    is_stored: bool,
    /// When it was last taken or requested, by the system clock: the machine may have slept.
    pub(super) renewed: Option<UtcTime>,
}

impl AlertLeases {
    pub(super) fn new() -> AlertLeases {
        AlertLeases {
            owner: LeaseOwner::new("dashboard"),
            has_unreleased: false,
            all: PerKind::default(),
            on: HashMap::new(),
        }
    }

    /// The lease of the alerts on a kind of data.
    pub(super) fn of(&mut self, kind: DataKind) -> &mut AlertLease {
        self.all.get_mut(kind)
    }

    /// Sets the kinds of data that the process has. A lease that has become usable is taken at once.
    pub(super) fn set_usable(&mut self, kinds: &PerKind<bool>) {
        for kind in DataKind::ALL {
            let (lease, is_usable) = (self.of(kind), *kinds.get(kind));
            if is_usable != lease.is_usable {
                (lease.is_usable, lease.renewed) = (is_usable, None);
            }
        }
    }

    /// Replaces the known alerts with the stored ones.
    pub(super) fn loaded(&mut self, alerts: &[Alert]) {
        self.on.clear();
        alerts.iter().for_each(|alert| self.put(alert));
    }

    /// Applies a change of this process to the known alerts.
    pub(super) fn changed(&mut self, change: &Change) {
        match change {
            Change::AddAlert(alert) | Change::RestoreAlert(alert, _) => self.put(alert),
            Change::EditAlert(edit) => self.put(&edit.after),
            Change::RemoveAlert(alert) => drop(self.on.remove(&alert.id)),
            Change::Undo { back, .. } => self.changed(back),
            Change::AlertFired(event, _) => {
                let fires_once = self.on.get(&event.alert).is_some_and(|(_, once)| *once);
                if fires_once {
                    self.on.remove(&event.alert);
                }
            }
            _ => {}
        }
    }

    fn put(&mut self, alert: &Alert) {
        if alert.on {
            self.on.insert(alert.id, (alert.data_kind(), alert.once));
        } else {
            self.on.remove(&alert.id);
        }
    }

    /// The kinds of data with active alerts.
    fn needed(&self) -> PerKind<bool> {
        let mut needed = PerKind::default();
        self.on.values().for_each(|(kind, _)| *needed.get_mut(*kind) = true);
        needed
    }

    /// Takes or renews the leases, and releases those that are not needed. Returns which process checks the alerts on
    /// which data, where that has changed.
    pub(super) fn renew(&mut self, database: &SharedDatabase) -> Vec<(DataKind, Checker)> {
        let (now, needed) = (UtcTime::now(), self.needed());
        let mut changed = Vec::new();
        for kind in DataKind::ALL {
            let (lease, is_needed) = (self.of(kind), *needed.get(kind));
            let is_wanted = lease.is_usable && is_needed;
            if !is_wanted && lease.checker == Some(Checker::ThisProcess) {
                lease.renewed = None;
                self.release(kind, database);
                changed.extend(self.set_checker(kind, Checker::Nobody));
            }
            let AlertLease { renewed, checker, .. } = *self.of(kind);
            let pause = if checker == Some(Checker::OtherProcess) { LEASE_RETRY } else { LEASE_RENEWAL };
            let is_recent = renewed.is_some_and(|at| now >= at && now.since(at) < pause);
            if is_needed && !is_recent {
                changed.extend(self.renew_one(kind, is_wanted, now, database));
            }
        }
        changed
    }

    /// Takes or renews a lease; or only finds its holder, if the lease is not wanted.
    fn renew_one(
        &mut self,
        kind: DataKind,
        is_wanted: bool,
        now: UtcTime,
        database: &SharedDatabase,
    ) -> Option<(DataKind, Checker)> {
        let directory = database.directory();
        if let Some(directory) = directory.as_ref().filter(|_| is_wanted) {
            self.owner.lock_file(directory);
        }
        let (name, owner) = (lease::alert_lease_name(kind), self.owner.name().to_owned());
        let known_holder = || directory.and_then(|directory| lease::holder(&directory, name, now).ok().flatten());
        let mut is_locked = false;
        let holder = if is_wanted {
            let lease = Lease { name, owner: &owner, length: LEASE_LENGTH };
            let taken = database.with(|database| database.take_lease(&lease, now));
            if let Ok(holder) = &taken {
                self.of(kind).is_stored = holder.is_none();
            }
            taken.unwrap_or_else(|error| {
                tracing::debug!(%error, "lease of the alerts not taken");
                // Locks are short, so the next job tries again.
                is_locked = matches!(error, Error::Busy { .. });
                // While the database can't be written, no other process can take it either.
                known_holder()
            })
        } else {
            known_holder()
        };
        self.of(kind).renewed = (!is_locked).then_some(now);
        let checker = match holder {
            Some(holder) if holder != owner => Checker::OtherProcess,
            _ if is_wanted => Checker::ThisProcess,
            _ => Checker::Nobody,
        };
        self.set_checker(kind, checker)
    }

    fn set_checker(&mut self, kind: DataKind, checker: Checker) -> Option<(DataKind, Checker)> {
        (self.of(kind).checker.replace(checker) != Some(checker)).then_some((kind, checker))
    }

    /// Releases all leases.
    pub(super) fn release_all(&mut self, database: &SharedDatabase) {
        for kind in DataKind::ALL {
            if self.of(kind).checker == Some(Checker::ThisProcess) {
                self.release(kind, database);
            }
        }
        if !self.has_unreleased {
            self.owner.remove_lock_file();
        }
    }

    fn release(&mut self, kind: DataKind, database: &SharedDatabase) {
        let is_stored = std::mem::take(&mut self.of(kind).is_stored);
        if is_stored
            && let Err(error) =
                database.with(|database| database.release_lease(lease::alert_lease_name(kind), self.owner.name()))
        {
            tracing::debug!(%error, "lease of the alerts not released");
            self.has_unreleased = true;
        }
    }
}
