//! Leases for jobs that only one process may do at a time.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, Transaction};

use super::database::{self, Database};
use super::error::{Error, sqlite};
use super::files;
use super::lease_owner::{dead, is_dead, remove_lock_files};
use crate::model::UtcTime;
use crate::user_data::alert::{DataKind, DataScope};

/// The name of the lease for checking alerts on a kind of data. Each kind has its own, so that a demo doesn't block
/// real alerts.
pub fn alert_lease_name(kind: DataKind) -> &'static str {
    match (kind.scope, kind.simulated) {
        // Earlier versions use these two leases for all alerts.
        (DataScope::Market, false) => "alerts",
        (DataScope::Market, true) => "simulated alerts",
        (DataScope::Indexer, false) => "indexer alerts",
        (DataScope::Indexer, true) => "simulated indexer alerts",
        (DataScope::Wallet, false) => "wallet alerts",
        (DataScope::Wallet, true) => "simulated wallet alerts",
    }
}

/// How long the lease of the alerts lasts. A dashboard wakes up once a minute.
pub const LEASE_LENGTH: Duration = Duration::from_secs(150);

/// Minimum time between its renewals.
pub(super) const LEASE_RENEWAL: Duration = Duration::from_secs(50);

/// Interval at which a process checks whether the holder of a lease was killed.
pub const LEASE_RETRY: Duration = Duration::from_secs(10);

/// A lease that ends later than this was taken with a wrong clock.
const MAX_LENGTH: Duration = Duration::from_mins(10);

/// A job, the process that wants to do it, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Lease<'a> {
    /// The name of the job.
    pub name: &'a str,
    /// The holder: unique for each process.
    pub owner: &'a str,
    /// How long the lease lasts unless it is renewed, at most ten minutes.
    pub length: Duration,
}

impl Database {
    /// Takes or renews a lease at `now`, even one of a killed process. Returns `None` on success, or else the current
    /// holder.
    ///
    /// # Errors
    /// The database can't be written.
    pub fn take_lease(&mut self, lease: &Lease<'_>, now: UtcTime) -> Result<Option<String>, Error> {
        let directory = self.directory().to_owned();
        let outcome = self.transact(|transaction| take(transaction, &directory, lease, now))?;
        if let LeaseOutcome::New { dead } = &outcome {
            remove_lock_files(&directory, dead);
        }
        Ok(match outcome {
            LeaseOutcome::HeldBy(holder) => Some(holder),
            LeaseOutcome::New { .. } | LeaseOutcome::Renewed => None,
        })
    }

    /// Releases a lease, if `owner` holds it.
    ///
    /// # Errors
    /// The database can't be written.
    pub fn release_lease(&mut self, name: &str, owner: &str) -> Result<(), Error> {
        self.transact(|transaction| {
            transaction.execute("DELETE FROM lease WHERE name = ?1 AND owner = ?2", (name, owner)).map(drop)
        })
    }
}

/// The holder of a lease at `now`, read from a database that can't be written. `None` if it is free.
///
/// # Errors
/// The database can't be read.
pub fn holder(directory: &Path, name: &str, now: UtcTime) -> Result<Option<String>, Error> {
    let path = directory.join(files::FILE);
    let connection = database::open_read_only(&path, Duration::ZERO)?;
    let owner = held(&connection, name, now).map_err(sqlite(&path))?;
    Ok(owner.filter(|owner| !is_dead(directory, owner)))
}

fn held(connection: &Connection, name: &str, now: UtcTime) -> rusqlite::Result<Option<String>> {
    let held = connection
        .query_row("SELECT owner, until FROM lease WHERE name = ?1", [name], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?))
        })
        .optional()?;
    let is_over = |until: i64| UtcTime::from_millis(until).is_due(now, MAX_LENGTH);
    Ok(held.filter(|(_, until)| !is_over(*until)).map(|(owner, _)| owner))
}

/// The outcome of taking a lease.
enum LeaseOutcome {
    /// It was taken. The leases of these killed owners were released.
    New { dead: Vec<String> },
    /// It was held and has been renewed.
    Renewed,
    /// Another owner holds it.
    HeldBy(String),
}

fn take(
    transaction: &Transaction<'_>,
    directory: &Path,
    lease: &Lease<'_>,
    now: UtcTime,
) -> rusqlite::Result<LeaseOutcome> {
    let outcome = match held(transaction, lease.name, now)? {
        Some(owner) if owner == lease.owner => LeaseOutcome::Renewed,
        Some(owner) if !is_dead(directory, &owner) => return Ok(LeaseOutcome::HeldBy(owner)),
        _ => LeaseOutcome::New { dead: release_dead(transaction, directory)? },
    };
    transaction.execute(
        "INSERT OR REPLACE INTO lease (name, owner, until) VALUES (?1, ?2, ?3)",
        (lease.name, lease.owner, now.plus(lease.length.min(MAX_LENGTH)).millis()),
    )?;
    Ok(outcome)
}

/// Releases the leases of killed owners and returns the owners.
fn release_dead(transaction: &Transaction<'_>, directory: &Path) -> rusqlite::Result<Vec<String>> {
    let dead = dead(directory);
    for owner in &dead {
        transaction.execute("DELETE FROM lease WHERE owner = ?1", [owner])?;
    }
    Ok(dead)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::lease_owner::LeaseOwner;

    #[test]
    fn lease_of_a_killed_process_is_taken_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        let now = UtcTime::now();
        let mut take = |owner: &LeaseOwner| {
            let lease = Lease { name: "alerts", owner: owner.name(), length: LEASE_LENGTH };
            database.take_lease(&lease, now).unwrap()
        };
        let mut first = LeaseOwner::new("watch");
        first.lock_file(directory.path());
        let second = LeaseOwner::new("dashboard");
        assert_eq!(take(&first), None);
        assert_eq!(take(&second).as_deref(), Some(first.name()), "still alive");
        let files = || std::fs::read_dir(directory.path()).unwrap().flatten().map(|entry| entry.file_name());
        let alive = || files().filter(|name| name.to_string_lossy().ends_with(".alive")).count();
        assert_eq!(alive(), 1);
        let found = || holder(directory.path(), "alerts", now).unwrap();
        assert_eq!(found().as_deref(), Some(first.name()));
        drop(first);
        assert_eq!((found(), found()), (None, None), "reading changes nothing");
        assert_eq!(take(&second), None);
        assert_eq!(alive(), 0, "the file of the killed one is removed");
        // Without a file, as in earlier versions, the lease is held until it expires.
        assert_eq!(take(&LeaseOwner::new("watch")).as_deref(), Some(second.name()));
    }

    #[test]
    fn lease_is_held_by_one_until_it_ends() {
        let directory = tempfile::tempdir().unwrap();
        let mut first = Database::open(directory.path()).unwrap();
        let mut second = Database::open(directory.path()).unwrap();
        let lease = |owner| Lease { name: "alerts", owner, length: Duration::from_secs(100) };
        let at = UtcTime::from_secs;
        assert_eq!(first.take_lease(&lease("a"), at(1_000)).unwrap(), None);
        assert_eq!(second.take_lease(&lease("b"), at(1_050)).unwrap(), Some(String::from("a")));
        assert_eq!(first.take_lease(&lease("a"), at(1_060)).unwrap(), None, "renewed");
        assert_eq!(second.take_lease(&lease("b"), at(1_150)).unwrap(), Some(String::from("a")));
        assert_eq!(second.take_lease(&lease("b"), at(1_160)).unwrap(), None, "over");
        assert_eq!(first.take_lease(&lease("a"), at(1_161)).unwrap(), Some(String::from("b")));
        second.release_lease("alerts", "b").unwrap();
        assert_eq!(first.take_lease(&lease("a"), at(1_162)).unwrap(), None, "released");
    }

    #[test]
    fn lease_of_a_wrong_clock_does_not_last() {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        let lease = |owner| Lease { name: "alerts", owner, length: Duration::from_secs(100) };
        assert_eq!(database.take_lease(&lease("a"), UtcTime::from_secs(9_000_000)).unwrap(), None);
        assert_eq!(database.take_lease(&lease("b"), UtcTime::from_secs(1_000)).unwrap(), None);
    }
}
