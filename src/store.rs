//! The store of user data: one SQLite database in the state directory.
//!
//! The dashboard reads it before its first frame ([`read()`]) and then writes it from a separate thread ([`Writer`]);
//! commands open it directly ([`Database`]). In a process that also counts requests to providers, both use one
//! connection ([`SharedDatabase`]). Any number of processes may use the database at once.
//!
//! A new kind of user data: see "A kind of user data" in `docs/extending.md`. Concurrency, migrations, backups and
//! corruption are handled for all tables.
//!
//! # Guarantees
//!
//! - A change is confirmed when it is on disk (`synchronous=FULL`), so a kill or power loss never loses a confirmed
//!   change.
//! - Writers queue: `BEGIN IMMEDIATE` with a busy timeout. A deferred transaction would fail at once during another
//!   write.
//! - Readers wait while another process creates, closes or locks the file, for as long as writers do; only the read
//!   before the first frame doesn't.
//! - Every write checks `user_version` first: once a newer program has migrated the file, this one stops writing.
//! - A migration makes a backup first (`VACUUM INTO`) in the same directory.
//! - A corrupt file is moved aside with its `-wal`, `-shm` and `-journal`, never deleted. Processes that have it open
//!   detect the new file by its inode and reopen. `satscope.lock` serialises this: shared for writes, exclusive to
//!   create, migrate and move aside. [`Database::open_unless_corrupt`] leaves it in place and fails.
//! - If the file is deleted while processes have it open, the first of them that notices it saves its data to a new one.
//!   If the file is emptied or overwritten, that is corruption. Each transaction checks its header and size.
//! - A backup that was copied over the database beside the log of the old one is not opened, since SQLite would write
//!   the log into it.
//! - A symbolic link stays, and so does its target: if that is corrupt or no database, nothing is saved.
//! - WAL on local file systems, the rollback journal on network file systems, where WAL's shared memory doesn't work.
//! - Each change of the user's data (watchlist, lots, alerts, notes, last seen values) is saved at once. The session is
//!   saved at exit only, so a kill loses its changes: a tab or sort order isn't worth a write.
//! - A read-only directory is read (`mode=ro` or `immutable=1`, and from a temporary copy if an interrupted write has
//!   to be rolled back or the last changes are only in the log); saving fails with a message, and changes are kept in
//!   memory while the program runs. The same applies to a database of a newer version, and without a state directory.
//! - Reading doesn't migrate a database of an older version, but a copy of it in memory.
//! - A row or table whose structure this version doesn't expect is omitted and named; the rest is loaded.

mod backup;
mod database;
mod error;
mod files;
mod header;
mod import;
mod lease;
mod lease_owner;
mod lock;
mod pauses;
mod read;
mod save_outcome;
mod schema;
mod shared;
mod stale_wal;
mod tables;
mod usage;
mod writer;

use std::path::Path;

pub use database::Database;
pub use error::Error;
pub use files::FILE;
pub use lease::{LEASE_LENGTH, LEASE_RETRY, Lease, alert_lease_name, holder as lease_holder};
pub use lease_owner::LeaseOwner;
pub use pauses::ProviderPause;
pub use read::{read, read_all, read_waiting};
pub use save_outcome::SaveOutcome;
pub use shared::SharedDatabase;
pub use usage::{ReleasedSlot, Reservation, Slot};
pub use writer::{Event, Finished, Writer};

/// Copies the database to a new file, even while other processes write to it.
///
/// # Errors
/// There is no database yet, it can't be read, or the file exists or can't be written.
pub fn backup(directory: &Path, to: &Path) -> Result<(), Error> {
    let path = directory.join(FILE);
    match path.try_exists() {
        Ok(true) => {}
        Ok(false) => {
            let dangling = files::dangling_link(&path).map(Error::dangling);
            return Err(dangling.unwrap_or(Error::Missing { path }));
        }
        Err(source) => return Err(Error::File { path, source }),
    }
    stale_wal::check(&path)?;
    let opened = database::open_for_backup(&path, lock::LOCK_TIMEOUT);
    opened.and_then(|connection| backup::copy(&connection, &path, to)).map_err(|error| error.of_link(&path))
}

#[cfg(test)]
mod tests;
