//! Reading without changing anything.

use std::path::Path;
use std::time::Duration;

use super::error::Error;
use super::lock::LOCK_TIMEOUT;
use super::{database, files, import, stale_wal, tables};
use crate::user_data::UserData;

/// Reads watchlist, session and choices of data sources without waiting for locks and without changing the database:
/// for the first frame, and if the directory is not writable.
///
/// # Errors
/// The database is locked, corrupt or unreadable, or a dangling link. A missing one is empty.
pub fn read(directory: &Path) -> Result<UserData, Error> {
    read_with(directory, tables::load_first, Duration::ZERO)
}

/// Reads the same data, but waits while another process creates, closes or locks the database. For commands, which
/// must not ignore the choices.
///
/// # Errors
/// As [`read`], but only a lock that is held for 5 seconds is an error.
pub fn read_waiting(directory: &Path) -> Result<UserData, Error> {
    read_with(directory, tables::load_first, LOCK_TIMEOUT)
}

/// Reads all user data like [`read_waiting`].
///
/// # Errors
/// As [`read_waiting`].
pub fn read_all(directory: &Path) -> Result<UserData, Error> {
    read_with(directory, tables::load, LOCK_TIMEOUT)
}

fn read_with(directory: &Path, reader: database::Reader, timeout: Duration) -> Result<UserData, Error> {
    let path = directory.join(files::FILE);
    match path.try_exists() {
        Ok(true) => {
            stale_wal::check(&path)?;
            database::read_only(&path, reader, timeout).map_err(|error| error.of_link(&path))
        }
        Ok(false) => match files::dangling_link(&path) {
            Some(link) => Err(Error::dangling(link)),
            None if files::has_damaged(&path) => Ok(UserData::default()),
            None => Ok(import::old_watchlist(directory).data),
        },
        Err(source) => Err(Error::File { path, source }),
    }
}
