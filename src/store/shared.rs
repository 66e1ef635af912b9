//! One connection for all parts of a process.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};

use super::database::{Database, IfCorrupt};
use super::error::Error;
use super::files;
use super::lock::LOCK_TIMEOUT;
use crate::user_data::StoreNotice;

/// How long counting a request may wait for the connection and for the locks of other processes. It is short because a
/// save may be waiting for the connection, and a request for the count.
const COUNT_TIMEOUT: Duration = Duration::from_millis(250);

/// The database of a state directory, opened on first use. Clones share one connection: the writer thread and the
/// gateway's request counts. So they never wait for each other's locks, and counting a request is not mistaken for a
/// change by another process.
#[derive(Clone, Debug, Default)]
pub struct SharedDatabase(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    slot: Mutex<Slot>,
    /// Threads that wait for the connection to read or save user data. Counting lets them go first.
    waiting: AtomicUsize,
}

#[derive(Debug, Default)]
struct Slot {
    directory: Option<PathBuf>,
    database: Option<Database>,
}

/// Runs `work` with a timeout for the locks of other processes.
fn run_within<T>(
    database: &mut Database,
    timeout: Duration,
    work: impl FnOnce(&mut Database) -> Result<T, Error>,
) -> Result<T, Error> {
    database.set_timeout(timeout)?;
    let done = work(database);
    database.set_timeout(LOCK_TIMEOUT)?;
    done
}

impl SharedDatabase {
    /// The database of a state directory; every use fails without one.
    pub fn new(directory: Option<PathBuf>) -> SharedDatabase {
        let slot = Mutex::new(Slot { directory, database: None });
        SharedDatabase(Arc::new(Shared { slot, waiting: AtomicUsize::new(0) }))
    }

    /// Runs `work` with the database. It may block for seconds while another process holds the lock.
    ///
    /// # Errors
    /// There is no state directory, the database can't be opened, or `work` fails.
    pub fn with<T>(&self, work: impl FnOnce(&mut Database) -> Result<T, Error>) -> Result<T, Error> {
        work(self.slot().open(LOCK_TIMEOUT, IfCorrupt::MoveAside)?)
    }

    /// [`SharedDatabase::with`], which waits for the locks of other processes for at most `timeout`.
    pub(super) fn with_timeout<T>(
        &self,
        timeout: Duration,
        work: impl FnOnce(&mut Database) -> Result<T, Error>,
    ) -> Result<T, Error> {
        run_within(self.slot().open(timeout, IfCorrupt::MoveAside)?, timeout, work)
    }

    /// Runs `work`, which counts requests, with the database. Waits for the connection and for the locks of other
    /// processes for about a quarter of a second, and no longer, so that a save never waits for it. A corrupt database
    /// is left in place: only a caller that reads or saves user data can tell the user where it was moved.
    ///
    /// # Errors
    /// There is no state directory, the database can't be opened, is corrupt or in use, or `work` fails.
    pub fn count<T>(&self, work: impl FnOnce(&mut Database) -> Result<T, Error>) -> Result<T, Error> {
        let mut slot = self.free_slot()?;
        run_within(slot.open(COUNT_TIMEOUT, IfCorrupt::Fail)?, COUNT_TIMEOUT, work)
    }

    /// The state directory.
    pub(super) fn directory(&self) -> Option<PathBuf> {
        self.slot().directory.clone()
    }

    /// Takes the messages for the user from opening it, if it is open.
    pub(super) fn take_notices(&self) -> Vec<StoreNotice> {
        self.slot().database.as_mut().map(Database::take_notices).unwrap_or_default()
    }

    /// Closes the connection, which removes SQLite's log if no other process uses the database. A later use opens it
    /// again.
    pub(super) fn close(&self) {
        self.slot().database = None;
    }

    fn slot(&self) -> MutexGuard<'_, Slot> {
        self.0.waiting.fetch_add(1, Ordering::SeqCst);
        let slot = self.0.slot.lock();
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
        slot
    }

    /// The connection, as soon as no other thread uses or waits for it.
    fn free_slot(&self) -> Result<MutexGuard<'_, Slot>, Error> {
        const PAUSE: Duration = Duration::from_millis(5);
        let until = Instant::now() + COUNT_TIMEOUT;
        loop {
            if self.0.waiting.load(Ordering::SeqCst) == 0
                && let Some(slot) = self.0.slot.try_lock()
            {
                return Ok(slot);
            }
            if Instant::now() >= until {
                return Err(Error::Busy { path: PathBuf::from(files::FILE) });
            }
            thread::sleep(PAUSE);
        }
    }
}

impl Slot {
    /// The database, opened if it isn't yet, waiting for locks for `timeout`. The user of the connection decides what
    /// becomes of a corrupt one.
    fn open(&mut self, timeout: Duration, if_corrupt: IfCorrupt) -> Result<&mut Database, Error> {
        let Slot { directory, database } = self;
        let database = match database {
            Some(database) => database,
            none => {
                let directory = directory.as_ref().ok_or(Error::NoDirectory)?;
                none.insert(Database::open_with(timeout, directory, if_corrupt)?)
            }
        };
        database.set_if_corrupt(if_corrupt);
        Ok(database)
    }
}
