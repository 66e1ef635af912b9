//! The leases of a watcher: for each kind of data, one process checks the alerts.

use tokio::time::Instant;

use super::Watch;
use crate::alerts::kinds::kinds_of_process;
use crate::model::UtcTime;
use crate::store::{Error, LEASE_LENGTH, Lease, alert_lease_name};
use crate::user_data::alert::{DataKind, PerKind};

impl Watch<'_> {
    /// Takes or renews the lease of each kind of data in use, and releases the others. Returns whether one is new.
    pub(super) fn take_leases(&mut self) -> Result<bool, Error> {
        let (now, used) = (UtcTime::now(), self.kinds());
        if let Some(directory) = self.database.directory() {
            self.owner.lock_file(directory);
        }
        let mut is_new = false;
        self.elsewhere = PerKind::default();
        for kind in DataKind::ALL {
            let name = alert_lease_name(kind);
            let had = self.leases_until.get(kind).is_some();
            if *used.get(kind) {
                let lease = Lease { name, owner: self.owner.name(), length: LEASE_LENGTH };
                let is_mine = self.database.take_lease(&lease, now)?;
                *self.leases_until.get_mut(kind) = is_mine.then(|| now.plus(LEASE_LENGTH));
                *self.elsewhere.get_mut(kind) = !is_mine;
                is_new |= is_mine && !had;
                self.began = self.began.or(is_mine.then(Instant::now));
            } else if had {
                *self.leases_until.get_mut(kind) = None;
                self.database.release_lease(name, self.owner.name())?;
            }
        }
        Ok(is_new)
    }

    /// Keeps the leases that are held, since no process can take one from a corrupt database.
    pub(super) fn keep_leases(&mut self) {
        let now = UtcTime::now();
        for kind in DataKind::ALL.into_iter().filter(|kind| self.checks(*kind)).collect::<Vec<DataKind>>() {
            *self.leases_until.get_mut(kind) = Some(now.plus(LEASE_LENGTH));
        }
    }

    /// Releases the leases.
    pub(super) fn release_leases(&mut self) -> Result<(), Error> {
        for kind in DataKind::ALL {
            self.database.release_lease(alert_lease_name(kind), self.owner.name())?;
        }
        self.owner.remove_lock_file();
        Ok(())
    }

    /// Whether this process checks the alerts on a kind of data.
    pub(super) fn checks(&self, kind: DataKind) -> bool {
        self.leases_until.get(kind).is_some_and(|until| UtcTime::now() < until)
    }

    /// Whether this process checks the alerts on any kind of data.
    pub(super) fn checks_any(&self) -> bool {
        DataKind::ALL.into_iter().any(|kind| self.checks(kind))
    }

    /// The kinds of data that alerts can be checked with.
    pub(super) fn kinds(&self) -> PerKind<bool> {
        let alerts = self.tracked.iter().map(|tracked| &tracked.alert);
        kinds_of_process(alerts, self.wallet.has_addresses(), |group| self.simulates(group))
    }
}
