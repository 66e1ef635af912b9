//! The database: opened, checked, repaired, read, written, copied.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior, ffi};

use super::files::{self, Identity, failed};
use super::lock::{Lock, PATIENCE};
use super::schema::{self, STEPS, Standing};
use super::{Error, tables};
use crate::app::{Change, UserData};
use crate::model::UtcTime;

/// What SQLite's cache may hold, in KiB (the minus says so): the tables are small.
const CACHE: i32 = -256;

/// Pages that the log holds before they move into the database.
const CHECKPOINT: i32 = 128;

/// An open database that this process may write.
#[derive(Debug)]
pub struct Database {
    connection: Connection,
    directory: PathBuf,
    path: PathBuf,
    identity: Option<Identity>,
    lock: Lock,
    /// SQLite's count of what others changed, as it was before the last load.
    seen: i64,
    notes: Vec<String>,
}

impl Database {
    /// Opens the database of a state directory; creates, migrates or repairs it where needed.
    ///
    /// # Errors
    /// The directory cannot be written, another process keeps its lock, or the database is foreign or newer.
    pub fn open(directory: &Path) -> Result<Database, Error> {
        files::create_directory(directory)?;
        let lock = Lock::open(directory)?;
        // Mostly there is nothing to do, and then nobody has to wait.
        let current = {
            let _held = lock.shared()?;
            open_current(directory).map(|(path, connection)| (files::identity(&path), path, connection, Vec::new()))
        };
        let (identity, path, connection, notes) = match current {
            Some(current) => current,
            None => {
                let _held = lock.exclusive()?;
                let (path, connection, notes) = prepare(directory, STEPS)?;
                (files::identity(&path), path, connection, notes)
            }
        };
        Ok(Database { connection, directory: directory.to_owned(), path, identity, lock, seen: -1, notes })
    }

    /// What a user should know of opening it, in sentences: a damaged file was moved, an old one not imported.
    pub fn notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Reads the user data.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn load(&mut self) -> Result<UserData, Error> {
        self.repaired(|database| {
            if database.is_moved() {
                return Ok(None);
            }
            // Counted before it is read: what changes in between is news to the next look.
            database.seen = database.data_version()?;
            let path = &database.path;
            let transaction = database.connection.transaction().map_err(sqlite(path))?;
            tables::load(&transaction).map(Some).map_err(sqlite(path))
        })
    }

    /// Whether the database was changed by another process since the last load.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn is_changed(&mut self) -> Result<bool, Error> {
        Ok(self.is_moved() || self.data_version()? != self.seen)
    }

    /// Saves changes, all or none. They are on the disk when it returns.
    ///
    /// # Errors
    /// The database cannot be written, another process keeps it locked, or a newer program migrated it.
    pub fn save(&mut self, changes: &[Change]) -> Result<(), Error> {
        self.transact(|transaction| changes.iter().try_for_each(|change| tables::apply(transaction, change)))
    }

    /// Does work in one transaction. Its changes are on the disk when it returns.
    pub(super) fn transact<T>(
        &mut self,
        mut work: impl FnMut(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        self.repaired(|database| {
            let _held = database.lock.shared()?;
            if database.is_moved() {
                return Ok(None);
            }
            let path = &database.path;
            let begun = database.connection.transaction_with_behavior(TransactionBehavior::Immediate);
            let transaction = begun.map_err(sqlite(path))?;
            match schema::standing(&transaction, STEPS).map_err(sqlite(path))? {
                Standing::Current => {}
                Standing::Newer => return Err(Error::Newer { path: path.clone() }),
                // Emptied, or replaced in place.
                Standing::Empty | Standing::Older(_) | Standing::Foreign => {
                    return Err(Error::Foreign { path: path.clone() });
                }
            }
            let done = work(&transaction).map_err(sqlite(path))?;
            transaction.commit().map_err(sqlite(path))?;
            Ok(Some(done))
        })
    }

    fn data_version(&self) -> Result<i64, Error> {
        self.connection.query_row("PRAGMA data_version", [], |row| row.get(0)).map_err(sqlite(&self.path))
    }

    /// Whether the path means another file now: this one was moved aside or removed.
    fn is_moved(&self) -> bool {
        files::identity(&self.path) != self.identity
    }

    /// Does something with the database, and does it again with the one opened anew where this one is damaged, or was
    /// moved (`None`).
    fn repaired<T>(&mut self, mut work: impl FnMut(&mut Database) -> Result<Option<T>, Error>) -> Result<T, Error> {
        let damaged = match work(self) {
            Ok(Some(done)) => return Ok(done),
            Ok(None) => Error::Busy { path: self.path.clone() },
            Err(error) if error.is_damage() => error,
            Err(error) => return Err(error),
        };
        let mut anew = Database::open(&self.directory)?;
        anew.notes.splice(0..0, self.notes());
        *self = anew;
        work(self)?.ok_or(damaged)
    }
}

impl Error {
    fn is_damage(&self) -> bool {
        matches!(self, Error::Sqlite { source, .. } if is_damage(source))
    }
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

fn sqlite(path: &Path) -> impl FnOnce(rusqlite::Error) -> Error {
    let path = path.to_owned();
    move |source| match source.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Error::Busy { path },
        _ => Error::Sqlite { path, source },
    }
}

/// Opens a database that needs no work; `None` where it may.
fn open_current(directory: &Path) -> Option<(PathBuf, Connection)> {
    let path = fs::canonicalize(directory.join(super::FILE)).ok()?;
    let about = fs::metadata(&path).ok()?;
    if !about.is_file() || about.len() == 0 || !files::readable_by_others(&path).is_empty() {
        return None;
    }
    let connection = connect_checked(&path).ok()?;
    (schema::standing(&connection, STEPS).ok()? == Standing::Current).then_some((path, connection))
}

/// Creates, repairs and migrates the database by `steps`, under the exclusive lock. What a user should know comes back.
pub(super) fn prepare(directory: &Path, steps: &[&str]) -> Result<(PathBuf, Connection, Vec<String>), Error> {
    let mut path = files::create(directory)?;
    let mut notes = Vec::new();
    let sound = match files::lost_its_content(&path) {
        true => None,
        false => match connect_checked(&path) {
            Ok(connection) => Some(connection),
            Err(error) if is_damage(&error) => None,
            Err(error) => return Err(sqlite(&path)(error)),
        },
    };
    let mut connection = match sound {
        Some(connection) => connection,
        None => {
            let aside = files::set_aside(&path, UtcTime::now())?;
            notes.push(format!("Corrupt database moved to {}; started a new one", aside.display()));
            path = files::create(directory)?;
            connect(&path).map_err(sqlite(&path))?
        }
    };
    notes.extend(schema::migrate(&mut connection, &path, directory, steps)?);
    Ok((path, connection, notes))
}

/// Connects to a database that exists.
fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(PATIENCE)?;
    // Moving the log into a damaged database could spoil both.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    let journal = if files::is_network(path) { "DELETE" } else { "WAL" };
    // Where it cannot be changed now (others are reading) the next start will.
    match connection.pragma_update_and_check(None, "journal_mode", journal, |row| row.get::<_, String>(0)) {
        Err(error) if is_damage(&error) => return Err(error),
        _ => {}
    }
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT)?;
    connection.pragma_update(None, "cache_size", CACHE)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    Ok(connection)
}

/// Connects, and finds damage.
fn connect_checked(path: &Path) -> rusqlite::Result<Connection> {
    let connection = connect(path)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    let verdict: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if verdict != "ok" {
        return Err(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CORRUPT), Some(verdict)));
    }
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    Ok(connection)
}

/// Reads a database without waiting and without changing it.
pub(super) fn read_only(path: &Path) -> Result<UserData, Error> {
    // Without a log nobody has it open. Then no lock is needed and no index, which keeps the first frame fast.
    if let Some(before) = files::at_rest(path)
        && let Ok(data) = open_immutable(path).map_err(sqlite(path)).and_then(|connection| load(connection, path))
        && files::at_rest(path) == Some(before)
    {
        return Ok(data);
    }
    load(open_read_only(path, Duration::ZERO)?, path)
}

fn load(mut connection: Connection, path: &Path) -> Result<UserData, Error> {
    let transaction = connection.transaction().map_err(sqlite(path))?;
    match schema::standing(&transaction, STEPS).map_err(sqlite(path))? {
        Standing::Empty => Ok(UserData::default()),
        // A newer program may have changed other tables only.
        Standing::Current | Standing::Newer => tables::load(&transaction).map_err(sqlite(path)),
        Standing::Older(_) => Err(Error::Older { path: path.to_owned() }),
        Standing::Foreign => Err(Error::Foreign { path: path.to_owned() }),
    }
}

/// Whether the log's index can be neither opened nor created: in a read-only directory, on a full disk.
fn has_no_index(error: &rusqlite::Error) -> bool {
    const INDEX: [i32; 3] = [ffi::SQLITE_IOERR_SHMOPEN, ffi::SQLITE_IOERR_SHMSIZE, ffi::SQLITE_IOERR_SHMMAP];
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
        || error.sqlite_error().is_some_and(|error| INDEX.contains(&error.extended_code))
}

/// Connects for reading. Without the log's index the database is taken for one that nobody writes.
pub(super) fn open_read_only(path: &Path, patience: Duration) -> Result<Connection, Error> {
    if !fs::metadata(path).map_err(failed(path))?.is_file() {
        return Err(Error::Foreign { path: path.to_owned() });
    }
    let connect = || {
        let connection = Connection::open_with_flags(path, READ_ONLY)?;
        connection.busy_timeout(patience)?;
        // Nothing is opened before the first read.
        connection.query_row("PRAGMA user_version", [], |_| Ok(()))?;
        Ok(connection)
    };
    let opened = connect().or_else(|error| if has_no_index(&error) { open_immutable(path) } else { Err(error) });
    opened.map_err(sqlite(path))
}

const READ_ONLY: OpenFlags = OpenFlags::SQLITE_OPEN_READ_ONLY.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// Connects to a database that nobody writes: without locks, and without the log.
fn open_immutable(path: &Path) -> rusqlite::Result<Connection> {
    /// What stands for itself in a URI's path.
    const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_');
    let encoded = percent_encode(path.as_os_str().as_encoded_bytes(), PATH);
    let uri = format!("file:{encoded}?immutable=1");
    Connection::open_with_flags(uri, READ_ONLY.union(OpenFlags::SQLITE_OPEN_URI))
}

/// Copies a database as it is now to a new file, readable by the user alone. Nobody ever sees half of it.
pub(super) fn copy(connection: &Connection, to: &Path) -> Result<(), Error> {
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let part = tempfile::Builder::new().prefix(".satscope-").tempfile_in(folder).map_err(failed(to))?;
    let name = part.path().to_str().ok_or_else(|| failed(to)(io::Error::other("the path is not UTF-8")))?;
    connection.execute("VACUUM INTO ?1", [name]).map_err(sqlite(to))?;
    part.as_file().sync_all().map_err(failed(to))?;
    part.persist_noclobber(to).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => Error::Exists { path: to.to_owned() },
        _ => failed(to)(error.error),
    })?;
    // The name is in the directory, which is synced by itself.
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed(to))
}
