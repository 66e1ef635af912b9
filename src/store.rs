//! The store: what the user keeps, in one SQLite database in the state directory.
//!
//! The dashboard reads it before its first frame ([`read`]) and then writes it from a thread of its own ([`Writer`]);
//! commands open it themselves ([`Database`]). Any number of both may run at once.
//!
//! # A new kind of user data
//!
//! 1. A table: one more step in `schema::STEPS`. Steps that were released are never edited.
//! 2. A field in [`UserData`], filled in `tables::load`.
//! 3. A variant of [`Change`], applied in [`UserData::apply`] and `tables::apply`.
//!
//! Concurrency, migrations, backups and damage are then taken care of.
//!
//! # What holds
//!
//! - A change is confirmed when it is on the disk (`synchronous=FULL`), so a kill or a power cut loses nothing confirmed.
//! - Writers queue: `BEGIN IMMEDIATE` with a busy timeout. A deferred transaction would fail at once where another writes.
//! - Every write checks `user_version` first: once a newer program has migrated the file, this one stops writing.
//! - A migration copies the database first (`VACUUM INTO`), beside it.
//! - A damaged file is moved aside with its `-wal`, `-shm` and `-journal`, never deleted. Whoever had it open notices by
//!   the file's identity and opens the new one. `satscope.lock` keeps this apart from writing: shared to write,
//!   exclusive to create, migrate and move aside.
//! - WAL where its shared memory works; the rollback journal on network file systems.
//! - Each change of the watchlist is saved at once. The session is saved at exit only, so a kill loses what changed in it
//!   since the last exit: a tab or sort order is not worth a write each time.
//! - A read-only directory is read (`mode=ro`, else `immutable=1`); saving then fails with a sentence, and the state
//!   keeps the changes while the program runs. The same holds where there is no state directory.

mod database;
mod files;
mod import;
mod lock;
mod schema;
mod tables;
mod usage;
mod writer;

use std::io;
use std::path::{Path, PathBuf};

pub use database::Database;
pub use usage::{Reservation, Slot};
pub use writer::Writer;

#[cfg(doc)]
use crate::app::Change;
use crate::app::UserData;

/// The database's file in the state directory.
pub const FILE: &str = "satscope.db";

/// Why user data cannot be read or saved: a reason, to be put after what failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no state directory.
    #[error("no home directory; set HOME or XDG_STATE_HOME")]
    NoDirectory,
    /// The file system refuses.
    #[error("{source}: {}", .path.display())]
    File {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// SQLite fails.
    #[error("{}: {}", reason(.source), .path.display())]
    Sqlite {
        /// The database.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// Another process keeps the database locked.
    #[error("database locked: {}", .path.display())]
    Busy {
        /// The database.
        path: PathBuf,
    },
    /// A newer program migrated the database.
    #[error("{} was written by a newer satscope; please upgrade", .path.display())]
    Newer {
        /// The database.
        path: PathBuf,
    },
    /// An older program wrote it, and it cannot be migrated here.
    #[error("{} was written by an older satscope and can't be migrated", .path.display())]
    Older {
        /// The database.
        path: PathBuf,
    },
    /// The file is a directory, a pipe or a device, or another program's database.
    #[error("not a satscope database: {}", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The copy would replace a file.
    #[error("file exists: {}", .path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Nothing was saved yet.
    #[error("nothing is saved yet: {}", .path.display())]
    Missing {
        /// Where the database would be.
        path: PathBuf,
    },
}

impl Error {
    /// The sentence for a failed save.
    fn not_saved(&self) -> String {
        match self {
            Error::File { path, source } => format!("Can't save to {} ({})", path.display(), system_reason(source)),
            Error::Sqlite { path, source } => format!("Can't save to {} ({})", path.display(), reason(source)),
            other => format!("Can't save changes: {other}"),
        }
    }
}

/// A system error as the reason in parentheses: lower case, without its number.
fn system_reason(error: &io::Error) -> String {
    let text = error.to_string();
    let words = text.split(" (os error").next().unwrap_or_default();
    let mut letters = words.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// SQLite's own words, without its numbers.
fn reason(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqliteFailure(_, Some(words)) => words.clone(),
        rusqlite::Error::SqliteFailure(code, None) => code.to_string(),
        other => other.to_string(),
    }
}

/// Reads the user data without waiting for any lock and without changing the database: for the first frame, and where
/// the directory cannot be written.
///
/// # Errors
/// The database is locked, older than this program, damaged, or not readable. A missing one holds nothing.
pub fn read(directory: &Path) -> Result<UserData, Error> {
    let path = directory.join(FILE);
    match path.try_exists() {
        Ok(true) => database::read_only(&path),
        Ok(false) if files::has_damaged(&path) => Ok(UserData::default()),
        Ok(false) => Ok(import::old_watchlist(directory).data),
        Err(source) => Err(Error::File { path, source }),
    }
}

/// Copies the database to a new file, also while others write to it.
///
/// # Errors
/// There is no database yet, the file exists, or it cannot be written.
pub fn backup(directory: &Path, to: &Path) -> Result<(), Error> {
    let path = directory.join(FILE);
    if !path.exists() {
        return Err(Error::Missing { path });
    }
    database::copy(&database::open_read_only(&path, lock::PATIENCE)?, to)
}

#[cfg(test)]
mod tests;
