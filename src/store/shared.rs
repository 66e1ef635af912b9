//! One connection for all parts of a process.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::database::Database;
use super::error::Error;

/// The database of a state directory, opened on first use. Clones share one connection: the writer thread and the
/// gateway's request counts. So they never wait for each other's locks, and counting a request is not taken for a
/// change by another process.
#[derive(Clone, Debug, Default)]
pub struct SharedDatabase(Arc<Mutex<Slot>>);

#[derive(Debug, Default)]
struct Slot {
    directory: Option<PathBuf>,
    database: Option<Database>,
}

impl SharedDatabase {
    /// The database of a state directory; every use fails without one.
    pub fn new(directory: Option<PathBuf>) -> SharedDatabase {
        SharedDatabase(Arc::new(Mutex::new(Slot { directory, database: None })))
    }

    /// Runs `work` with the database. It may block for seconds while another process holds the lock.
    ///
    /// # Errors
    /// There is no state directory, the database can't be opened, or `work` fails.
    pub fn with<T>(&self, work: impl FnOnce(&mut Database) -> Result<T, Error>) -> Result<T, Error> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Slot { directory, database } = &mut *slot;
        let database = match database {
            Some(database) => database,
            none => none.insert(Database::open(directory.as_ref().ok_or(Error::NoDirectory)?)?),
        };
        work(database)
    }

    /// Takes the messages for the user from opening it, if it is open.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slot.database.as_mut().map(Database::notes).unwrap_or_default()
    }

    /// Closes the connection, which removes SQLite's log if no other process uses the database. A later use opens it
    /// again.
    pub(super) fn close(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).database = None;
    }
}
