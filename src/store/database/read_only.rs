//! Connections that only read, even on a read-only disk, and for backups.

use std::fs;
use std::path::Path;
use std::time::Duration;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use rusqlite::backup::{Backup, StepResult};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, ffi};

use super::super::error::{Error, corrupt, failed, sqlite};
use super::super::files;
use super::super::schema::{self, MIGRATIONS, SchemaState};
use crate::user_data::UserData;

/// For a copy: SQLite writes to it while it recovers it.
const WRITABLE_COPY: OpenFlags = OpenFlags::SQLITE_OPEN_READ_WRITE.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

const READ_ONLY: OpenFlags = OpenFlags::SQLITE_OPEN_READ_ONLY.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// Reads some or all tables.
pub(in crate::store) type Reader = fn(&Connection) -> rusqlite::Result<UserData>;

/// Reads user data from a database without changing it. `timeout`: how long to wait for the locks of other processes.
pub(in crate::store) fn read_only(path: &Path, read: Reader, timeout: Duration) -> Result<UserData, Error> {
    // Without a log, no process has it open, so neither a lock nor an index is needed, which keeps the first frame
    // fast.
    if let Some(before) = files::closed_fingerprint(path)
        && let Ok(data) = open_immutable(path).map_err(sqlite(path)).and_then(|connection| load(connection, path, read))
        && files::closed_fingerprint(path) == Some(before)
    {
        return Ok(data);
    }
    load(open_read_only(path, timeout)?, path, read)
}

fn load(mut connection: Connection, path: &Path, read: Reader) -> Result<UserData, Error> {
    let transaction = connection.transaction().map_err(sqlite(path))?;
    match schema::state(&transaction, MIGRATIONS).map_err(sqlite(path))? {
        SchemaState::Empty if files::was_emptied(path) => Err(sqlite(path)(corrupt(None))),
        SchemaState::Empty => Ok(UserData::default()),
        // A newer version may have changed other tables only.
        SchemaState::Current | SchemaState::Newer => read(&transaction).map_err(sqlite(path)),
        SchemaState::Older(version) => read_older(&transaction, version, path, read),
        SchemaState::Foreign => Err(Error::Foreign { path: path.to_owned() }),
    }
}

/// Reads a database of an older version, which may not be writable, from a copy in memory that is migrated.
fn read_older(older: &Connection, version: usize, path: &Path, read: Reader) -> Result<UserData, Error> {
    let mut copy = Connection::open_in_memory().map_err(sqlite(path))?;
    match Backup::new(older, &mut copy).and_then(|backup| backup.step(-1)).map_err(sqlite(path))? {
        StepResult::Done => {}
        _ => return Err(Error::Busy { path: path.to_owned() }),
    }
    schema::migrate_copy(&mut copy, path, version)?;
    read(&copy).map_err(sqlite(path))
}

/// Whether the WAL index can be neither opened nor created: in a read-only directory or on a full disk.
fn has_no_index(error: &rusqlite::Error) -> bool {
    const INDEX: [i32; 3] = [ffi::SQLITE_IOERR_SHMOPEN, ffi::SQLITE_IOERR_SHMSIZE, ffi::SQLITE_IOERR_SHMMAP];
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
        || error.sqlite_error().is_some_and(|error| INDEX.contains(&error.extended_code))
}

/// Whether a write was interrupted and has to be rolled back first, which a reader can't.
fn needs_rollback(error: &rusqlite::Error) -> bool {
    error.sqlite_error().is_some_and(|error| error.extended_code == ffi::SQLITE_READONLY_ROLLBACK)
}

/// Connects for reading. If the WAL index is not available, the database is opened as immutable; one whose last changes
/// are only in its log, or that has to be rolled back, as a copy.
pub(in crate::store) fn open_read_only(path: &Path, busy_timeout: Duration) -> Result<Connection, Error> {
    if !fs::metadata(path).map_err(failed(path))?.is_file() {
        return Err(Error::Foreign { path: path.to_owned() });
    }
    files::check_readable(path)?;
    // SQLite looks for the log beside the target of a link.
    let target = fs::canonicalize(path).map_err(failed(path))?;
    files::check_log_regular(&target)?;
    // Even to read, SQLite would delete the log of an empty file.
    if files::was_emptied(&target) {
        return Err(sqlite(path)(corrupt(None)));
    }
    let connect = || {
        let connection = Connection::open_with_flags(path, READ_ONLY)?;
        connection.busy_timeout(busy_timeout)?;
        // SQLite opens the file on the first read.
        connection.query_row("PRAGMA user_version", [], |_| Ok(()))?;
        Ok(connection)
    };
    match connect() {
        Err(error) if needs_rollback(&error) || has_no_index(&error) && files::has_log(path) => open_copy(path),
        Err(error) if has_no_index(&error) => open_immutable(path).map_err(sqlite(path)),
        opened => opened.map_err(sqlite(path)),
    }
}

/// Connects to a database of this program to copy it. An empty one counts as missing.
pub(in crate::store) fn open_for_backup(path: &Path, busy_timeout: Duration) -> Result<Connection, Error> {
    let connection = open_read_only(path, busy_timeout)?;
    match schema::state(&connection, MIGRATIONS).map_err(sqlite(path))? {
        SchemaState::Foreign => Err(Error::Foreign { path: path.to_owned() }),
        SchemaState::Empty => Err(Error::Missing { path: path.to_owned() }),
        SchemaState::Older(_) | SchemaState::Current | SchemaState::Newer => Ok(connection),
    }
}

/// Connects to a temporary copy of a database with its log and journal, where SQLite can recover it.
fn open_copy(path: &Path) -> Result<Connection, Error> {
    let directory = tempfile::tempdir().map_err(failed(&std::env::temp_dir()))?;
    let copy = files::copy_to(path, directory.path())?;
    let connection = Connection::open_with_flags(&copy, WRITABLE_COPY).map_err(sqlite(path))?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(sqlite(path))?;
    // The first read recovers it and opens all files, so that they can be removed.
    connection.query_row("PRAGMA user_version", [], |_| Ok(())).map_err(sqlite(path))?;
    Ok(connection)
}

/// Connects to a database that no process writes, without locks and log.
fn open_immutable(path: &Path) -> rusqlite::Result<Connection> {
    /// Characters that are not escaped in the path of a URI.
    const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_');
    let encoded = percent_encode(path.as_os_str().as_encoded_bytes(), PATH);
    let uri = format!("file:{encoded}?immutable=1");
    Connection::open_with_flags(uri, READ_ONLY.union(OpenFlags::SQLITE_OPEN_URI))
}
