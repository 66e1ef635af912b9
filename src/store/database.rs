//! The database: open, check, repair, read, write.

mod attempt;
mod deleted;
mod read_only;
mod save;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use super::error::{Error, corrupt, is_corruption, sqlite};
use super::files::{self, FileId};
use super::lock::{LOCK_TIMEOUT, Lock};
use super::schema::{self, MIGRATIONS, SchemaState};
use super::tables;
use super::{header, stale_wal};
use crate::model::UtcTime;
use crate::user_data::assigned_ids::AssignedIds;
use crate::user_data::{StoreNotice, UserData};

use attempt::Attempt;

pub(super) use read_only::{Reader, open_for_backup, open_read_only, read_only};

/// SQLite's `cache_size`; negative values are in KiB. The tables are small.
const CACHE_SIZE: i32 = -256;

/// SQLite's `wal_autocheckpoint` in pages.
const CHECKPOINT_PAGES: i32 = 128;

const WRITABLE: OpenFlags = OpenFlags::SQLITE_OPEN_READ_WRITE.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// What to do with a corrupt database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IfCorrupt {
    /// It is moved aside, and a new one is started.
    MoveAside,
    /// It stays, and opening it fails.
    Fail,
}

/// An open, writable database.
#[derive(Debug)]
pub struct Database {
    connection: Connection,
    directory: PathBuf,
    path: PathBuf,
    identity: Option<FileId>,
    lock: Lock,
    if_corrupt: IfCorrupt,
    /// `data_version` before the last load.
    seen: i64,
    /// The IDs assigned to new lots and alerts.
    assigned_ids: AssignedIds,
    /// The last save that failed after all its changes were applied.
    attempt: Attempt,
    /// The next commit is reported as failed.
    #[cfg(test)]
    pub(super) loses_confirmation: bool,
    notices: Vec<StoreNotice>,
}

impl Database {
    /// Opens the database of a state directory. Creates, migrates or repairs it if necessary.
    ///
    /// # Errors
    /// The directory is not writable, another process holds the lock, or the database is foreign or newer.
    pub fn open(directory: &Path) -> Result<Database, Error> {
        Database::open_with(LOCK_TIMEOUT, directory, IfCorrupt::MoveAside)
    }

    /// Opens the database like [`Database::open`], but never moves a corrupt one aside, not even in later calls. For a
    /// process that needs its data.
    ///
    /// # Errors
    /// As [`Database::open`], or the database is corrupt.
    pub fn open_unless_corrupt(directory: &Path) -> Result<Database, Error> {
        Database::open_with(LOCK_TIMEOUT, directory, IfCorrupt::Fail)
    }

    /// Opens the database like [`Database::open_unless_corrupt`], but doesn't wait for the locks of other processes.
    ///
    /// # Errors
    /// As [`Database::open_unless_corrupt`].
    pub fn try_open(directory: &Path) -> Result<Database, Error> {
        let mut database = Database::open_with(Duration::ZERO, directory, IfCorrupt::Fail)?;
        database.set_timeout(LOCK_TIMEOUT)?;
        Ok(database)
    }

    /// The state directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Opens the database like [`Database::open`], with a different timeout for locks, which later calls use, too.
    pub(super) fn open_with(timeout: Duration, directory: &Path, if_corrupt: IfCorrupt) -> Result<Database, Error> {
        Database::open_after(None, timeout, directory, if_corrupt)
    }

    /// [`Database::open_with`]; with the connection to a database that was deleted, its data is saved to the new one.
    fn open_after(
        deleted: Option<&Connection>,
        timeout: Duration,
        directory: &Path,
        if_corrupt: IfCorrupt,
    ) -> Result<Database, Error> {
        files::create_directory(directory)?;
        stale_wal::check(&directory.join(files::FILE))?;
        let lock = Lock::open(directory, timeout)?;
        // Usually there is nothing to prepare, so no lock is needed.
        let current = {
            let _held = lock.shared()?;
            open_current(directory, timeout)
                .map(|(path, connection)| (files::identity(&path), path, connection, Vec::new()))
        };
        let (identity, path, connection, notices) = match current {
            Some(current) => current,
            None => {
                let _held = lock.exclusive()?;
                let replaced = deleted::replace(directory, deleted, if_corrupt == IfCorrupt::Fail)?;
                let (path, connection, notices) = prepare(directory, timeout, MIGRATIONS, if_corrupt)?;
                (files::identity(&path), path, connection, replaced.into_iter().chain(notices).collect())
            }
        };
        Ok(Database {
            connection,
            directory: directory.to_owned(),
            path,
            identity,
            lock,
            if_corrupt,
            seen: -1,
            assigned_ids: AssignedIds::default(),
            attempt: Attempt::default(),
            #[cfg(test)]
            loses_confirmation: false,
            notices,
        })
    }

    /// Sets the timeout for the locks of other processes.
    pub(super) fn set_timeout(&mut self, timeout: Duration) -> Result<(), Error> {
        self.lock.timeout = timeout;
        self.connection.busy_timeout(timeout).map_err(sqlite(&self.path))
    }

    /// Sets what becomes of a database that turns out to be corrupt at a later call.
    pub(super) fn set_if_corrupt(&mut self, if_corrupt: IfCorrupt) {
        self.if_corrupt = if_corrupt;
    }

    /// Takes the messages for the user from opening it: a corrupt file was moved, an old one not imported.
    pub fn take_notices(&mut self) -> Vec<StoreNotice> {
        std::mem::take(&mut self.notices)
    }

    /// The IDs assigned to new lots and alerts since it was opened.
    pub(crate) fn assigned_ids(&self) -> &AssignedIds {
        &self.assigned_ids
    }

    /// Reads the user data.
    ///
    /// # Errors
    /// The database can't be read.
    pub fn load(&mut self) -> Result<UserData, Error> {
        self.with_repair(|database| {
            // Read before loading, so that a change in between is detected by the next check.
            database.seen = database.data_version()?;
            database.read_once(tables::load)
        })
    }

    /// Whether the database was changed by another process since the last load.
    ///
    /// # Errors
    /// The database can't be read.
    pub fn is_changed(&mut self) -> Result<bool, Error> {
        Ok(self.is_moved() || self.data_version()? != self.seen)
    }

    /// Runs `work`, which only reads, in a transaction. It doesn't wait for a process that writes.
    pub(super) fn read<T>(&mut self, mut work: impl FnMut(&Connection) -> rusqlite::Result<T>) -> Result<T, Error> {
        self.with_repair(|database| database.read_once(&mut work))
    }

    /// See [`Database::read`]; `None` if the database must be opened again.
    fn read_once<T>(&mut self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<Option<T>, Error> {
        if self.is_moved() {
            return Ok(None);
        }
        self.check_file()?;
        let path = &self.path;
        let transaction = self.connection.transaction().map_err(sqlite(path))?;
        match schema::state(&transaction, MIGRATIONS).map_err(sqlite(path))? {
            // Emptied, or replaced in place by a backup: opening it again migrates it.
            SchemaState::Empty | SchemaState::Older(_) => Ok(None),
            SchemaState::Current | SchemaState::Newer => work(&transaction).map(Some).map_err(sqlite(path)),
            SchemaState::Foreign => Err(Error::Foreign { path: path.clone() }),
        }
    }

    /// Runs `work` in a transaction. Its changes are on disk when it returns.
    pub(super) fn transact<T>(
        &mut self,
        mut work: impl FnMut(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        self.with_repair(|database| {
            let _held = database.lock.shared()?;
            if database.is_moved() {
                return Ok(None);
            }
            database.check_file()?;
            let path = &database.path;
            let begun = database.connection.transaction_with_behavior(TransactionBehavior::Immediate);
            let transaction = begun.map_err(sqlite(path))?;
            match schema::state(&transaction, MIGRATIONS).map_err(sqlite(path))? {
                SchemaState::Current => {}
                // Emptied, or replaced in place by a backup: opening it again migrates it.
                SchemaState::Empty | SchemaState::Older(_) => return Ok(None),
                SchemaState::Newer => return Err(Error::Newer { path: path.clone() }),
                SchemaState::Foreign => return Err(Error::Foreign { path: path.clone() }),
            }
            let done = work(&transaction).map_err(sqlite(path))?;
            transaction.commit().map_err(sqlite(path))?;
            #[cfg(test)]
            if std::mem::take(&mut database.loses_confirmation) {
                return Err(Error::Busy { path: path.clone() });
            }
            Ok(Some(done))
        })
    }

    fn data_version(&self) -> Result<i64, Error> {
        self.connection.query_row("PRAGMA data_version", [], |row| row.get(0)).map_err(sqlite(&self.path))
    }

    /// Whether the path now refers to another file, because this one was moved aside or removed.
    fn is_moved(&self) -> bool {
        files::identity(&self.path) != self.identity
    }

    /// Checks that the file was neither emptied nor overwritten, not even by a backup. If it was, closing doesn't write
    /// the log into it.
    fn check_file(&self) -> Result<(), Error> {
        let checked = stale_wal::check(&self.path)
            .and_then(|()| if header::is_lost(&self.path) { Err(sqlite(&self.path)(corrupt(None))) } else { Ok(()) });
        if checked.is_err() {
            let kept = self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
            kept.map_err(sqlite(&self.path))?;
        }
        checked
    }

    /// Runs `work`, and once more with a reopened database if it is corrupt, or was moved or replaced (`None`).
    fn with_repair<T>(&mut self, mut work: impl FnMut(&mut Database) -> Result<Option<T>, Error>) -> Result<T, Error> {
        let damaged = match work(self) {
            Ok(Some(done)) => return Ok(done),
            Ok(None) => Error::Busy { path: self.path.clone() },
            Err(error) if error.is_corruption() => error,
            Err(error) => return Err(error),
        };
        let is_moved = self.is_moved();
        let aside = if is_moved { files::moved_aside(&self.path, self.identity) } else { None };
        let deleted = (is_moved && aside.is_none()).then_some(&self.connection);
        let mut reopened = Database::open_after(deleted, self.lock.timeout, &self.directory, self.if_corrupt)?;
        reopened.notices.extend(aside.map(|aside| moved_notice(&aside)));
        reopened.notices.splice(0..0, self.take_notices());
        *self = reopened;
        work(self)?.ok_or(damaged)
    }
}

/// Opens a database that needs no preparation; `None` if it may need some.
fn open_current(directory: &Path, timeout: Duration) -> Option<(PathBuf, Connection)> {
    let path = fs::canonicalize(directory.join(files::FILE)).ok()?;
    let about = fs::metadata(&path).ok()?;
    if !about.is_file() || files::is_empty(about.len()) || !files::with_wrong_mode(&path).is_empty() {
        return None;
    }
    files::check_log_regular(&path).ok()?;
    let connection = connect_checked(&path, timeout).ok()?;
    (schema::state(&connection, MIGRATIONS).ok()? == SchemaState::Current).then_some((path, connection))
}

/// Creates, repairs and migrates the database under the exclusive lock. Returns messages for the user, too.
pub(super) fn prepare(
    directory: &Path,
    timeout: Duration,
    migrations: &[&str],
    if_corrupt: IfCorrupt,
) -> Result<(PathBuf, Connection, Vec<StoreNotice>), Error> {
    let mut path = files::create(directory)?;
    files::check_readable(&path)?;
    if !files::is_link(directory) {
        files::restrict(&path);
    }
    files::check_log_readable(&path)?;
    let mut notices = Vec::new();
    let opened = if files::was_emptied(&path) { Err(corrupt(None)) } else { connect_checked(&path, timeout) };
    let sound = match opened {
        Ok(connection) => Some(connection),
        // The target of a link may belong to something else.
        Err(error) if is_corruption(&error) && files::is_link(directory) => return Err(Error::LinkedDamaged { path }),
        Err(error) if is_corruption(&error) && if_corrupt == IfCorrupt::MoveAside => None,
        Err(error) => return Err(sqlite(&path)(error)),
    };
    let mut connection = match sound {
        Some(connection) => connection,
        None => {
            let aside = files::move_aside(&path, UtcTime::now())?;
            notices.push(moved_notice(&aside));
            path = files::create(directory)?;
            connect(&path, timeout).map_err(sqlite(&path))?
        }
    };
    notices.extend(schema::migrate(&mut connection, &path, directory, migrations)?);
    // The target of a link, only now that it is known to be a database of this program.
    files::restrict(&path);
    Ok((path, connection, notices))
}

/// Says where a corrupt database is now.
fn moved_notice(aside: &Path) -> StoreNotice {
    let name = aside.file_name().unwrap_or_default().to_string_lossy();
    StoreNotice {
        summary: format!("Damaged database moved to {name}"),
        details: format!("Damaged database moved to {}; started a new one", aside.display()),
    }
}

/// Connects to an existing database.
fn connect(path: &Path, timeout: Duration) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, WRITABLE)?;
    connection.busy_timeout(timeout)?;
    // A checkpoint into a corrupt database could damage the log, too.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // The database of another program is left as it is.
    if schema::state(&connection, MIGRATIONS)? == SchemaState::Foreign {
        return Ok(connection);
    }
    let journal = if files::is_network(path) { "DELETE" } else { "WAL" };
    // If it can't be changed now because others are reading, the next start will do so.
    match connection.pragma_update_and_check(None, "journal_mode", journal, |row| row.get::<_, String>(0)) {
        Err(error) if is_corruption(&error) => return Err(error),
        _ => {}
    }
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    connection.pragma_update(None, "cache_size", CACHE_SIZE)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    Ok(connection)
}

/// Connects and checks the integrity.
fn connect_checked(path: &Path, timeout: Duration) -> rusqlite::Result<Connection> {
    let connection = connect(path, timeout)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    let verdict: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if verdict != "ok" {
        return Err(corrupt(Some(verdict)));
    }
    // The log may hide that the file itself was overwritten. It is empty until the first write.
    if fs::metadata(path).is_ok_and(|about| about.len() > 0) && header::is_lost(path) {
        return Err(corrupt(None));
    }
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    Ok(connection)
}
