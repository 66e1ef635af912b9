//! Where a watcher reads the alerts and records their state. Nothing is recorded if the database can't be written.

use std::path::{Path, PathBuf};

use super::super::super::failure::Failure;
use super::super::super::user_store;
use crate::format::words::in_sentence;
use crate::model::UtcTime;
use crate::store::{self, Database, Error, Lease, SaveOutcome};
use crate::user_data::{Change, UserData};

/// The database of the alerts.
pub(super) enum AlertDatabase {
    /// A database that can be written.
    Writable(Box<Database>),
    /// The directory of a read-only database. No other process can record anything there either.
    ReadOnly(PathBuf),
}

impl AlertDatabase {
    /// Opens the database of a state directory. Returns messages for the user, too.
    ///
    /// # Errors
    /// The database can't be read, is corrupt, stays locked by another process, or doesn't exist and can't be created.
    pub(super) fn open(directory: Option<&Path>) -> Result<(AlertDatabase, Vec<String>), Failure> {
        let unwatchable = |error: Error| {
            Failure::Operation(format!("can't watch alerts: {}", user_store::unreadable_database(&error)))
        };
        let directory = directory.ok_or(Error::NoDirectory).map_err(unwatchable)?;
        // If a corrupt database were moved aside, its alerts would be missing.
        match Database::open_unless_corrupt(directory) {
            Ok(database) => Ok(AlertDatabase::writable(database)),
            Err(error) if matches!(error, Error::Busy { .. }) || error.is_corruption() => Err(unwatchable(error)),
            Err(error) if matches!(directory.join(store::FILE).try_exists(), Ok(false)) => {
                Err(Failure::Operation(format!("no alerts to watch: no database, and can't create one: {error}")))
            }
            Err(error) => match store::read_all(directory) {
                Ok(_) => {
                    let note = format!("can't write {error} · alerts are printed but not recorded");
                    Ok((AlertDatabase::ReadOnly(directory.to_owned()), vec![note]))
                }
                Err(unreadable) if unreadable.is_corruption() => Err(unwatchable(unreadable)),
                Err(_) => Err(unwatchable(error)),
            },
        }
    }

    fn writable(mut database: Database) -> (AlertDatabase, Vec<String>) {
        let notices = database.take_notices().into_iter().map(|notice| in_sentence(&notice.details)).collect();
        (AlertDatabase::Writable(Box::new(database)), notices)
    }

    /// Opens a read-only database again. Returns messages for the user if it can be written now.
    pub(super) fn reopen(&mut self) -> Option<Vec<String>> {
        let AlertDatabase::ReadOnly(directory) = self else { return None };
        let (database, notices) = Database::try_open(directory).ok().map(AlertDatabase::writable)?;
        *self = database;
        Some(notices)
    }

    /// The state directory, if it can be written.
    pub(super) fn directory(&self) -> Option<&Path> {
        match self {
            AlertDatabase::Writable(database) => Some(database.directory()),
            AlertDatabase::ReadOnly(_) => None,
        }
    }

    /// Takes or renews a lease at `now`. Returns whether it is held now.
    pub(super) fn take_lease(&mut self, lease: &Lease<'_>, now: UtcTime) -> Result<bool, Error> {
        match self {
            AlertDatabase::Writable(database) => database.take_lease(lease, now).map(|holder| holder.is_none()),
            AlertDatabase::ReadOnly(directory) => {
                store::lease_holder(directory, lease.name, now).map(|holder| holder.is_none())
            }
        }
    }

    /// Releases a lease.
    pub(super) fn release_lease(&mut self, name: &str, owner: &str) -> Result<(), Error> {
        match self {
            AlertDatabase::Writable(database) => database.release_lease(name, owner),
            AlertDatabase::ReadOnly(_) => Ok(()),
        }
    }

    /// Reads the data if another process may have changed them since, or if forced. A read-only
    /// database is always read.
    pub(super) fn load_changed(&mut self, is_needed: bool) -> Result<Option<UserData>, Error> {
        let is_read = is_needed || matches!(self, AlertDatabase::ReadOnly(_)) || self.is_changed()?;
        if is_read { self.load().map(Some) } else { Ok(None) }
    }

    /// Whether another process has changed the data since they were loaded. Always false for a read-only database.
    pub(super) fn is_changed(&mut self) -> Result<bool, Error> {
        match self {
            AlertDatabase::Writable(database) => database.is_changed(),
            AlertDatabase::ReadOnly(_) => Ok(false),
        }
    }

    /// Reads the data.
    pub(super) fn load(&mut self) -> Result<UserData, Error> {
        match self {
            AlertDatabase::Writable(database) => database.load(),
            AlertDatabase::ReadOnly(directory) => store::read_all(directory),
        }
    }

    /// Saves changes, as [`Database::save_each_if`]. A read-only database saves nothing and has no outcomes.
    pub(super) fn save(
        &mut self,
        changes: &[Change],
        confirm: impl FnMut(&Change) -> bool,
    ) -> Result<Vec<SaveOutcome>, Error> {
        match self {
            AlertDatabase::Writable(database) => database.save_each_if(changes, confirm),
            AlertDatabase::ReadOnly(_) => Ok(Vec::new()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::parse::parse;
    use crate::model::Currency;
    use crate::user_data::Alert;

    fn add(line: &str) -> Change {
        let rule = parse(line).unwrap().rule(None, &Currency::usd()).unwrap();
        Change::AddAlert(Box::new(Alert::new(rule, false)))
    }

    #[test]
    fn changes_by_others_are_read_from_a_database_that_cannot_be_written() {
        let directory = tempfile::tempdir().unwrap();
        let mut other = Database::open(directory.path()).unwrap();
        other.save(&[add("fees < 3")]).unwrap();
        // Another process holds the lock file, which this one can't open.
        let lock = directory.path().join("satscope.lock");
        std::fs::rename(&lock, directory.path().join("hidden")).unwrap();
        std::fs::create_dir(&lock).unwrap();
        let (mut data, _) = AlertDatabase::open(Some(directory.path())).unwrap();
        assert!(matches!(data, AlertDatabase::ReadOnly(_)));
        let count = |data: &mut AlertDatabase| data.load_changed(false).unwrap().map(|data| data.alerts.len());
        assert_eq!(count(&mut data), Some(1));
        std::fs::remove_dir(&lock).unwrap();
        std::fs::rename(directory.path().join("hidden"), &lock).unwrap();
        other.save(&[add("fees < 2")]).unwrap();
        assert_eq!(count(&mut data), Some(2));
    }

    #[test]
    fn database_that_could_not_be_written_is_opened_again() {
        let directory = tempfile::tempdir().unwrap();
        Database::open(directory.path()).unwrap().save(&[add("fees < 3")]).unwrap();
        let lock = directory.path().join("satscope.lock");
        std::fs::remove_file(&lock).unwrap();
        std::fs::create_dir(&lock).unwrap();
        let (mut data, _) = AlertDatabase::open(Some(directory.path())).unwrap();
        assert_eq!((data.reopen(), data.directory()), (None, None));
        std::fs::remove_dir(&lock).unwrap();
        // Another process has the lock.
        let held = std::fs::File::create(&lock).unwrap();
        held.lock().unwrap();
        assert_eq!(data.reopen(), None);
        held.unlock().unwrap();
        assert_eq!((data.reopen(), data.directory()), (Some(Vec::new()), Some(directory.path())));
        assert_eq!(data.save(&[add("fees < 2")], |_| true).unwrap(), [SaveOutcome::Applied]);
    }
}
