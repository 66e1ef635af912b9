//! Reading without waiting for locks and without changing anything.

use std::path::Path;

use super::error::Error;
use super::{database, files, import, stale_wal, tables};
use crate::user_data::UserData;

/// Reads watchlist, session and choices of data sources without waiting for locks and without changing the database:
/// for the first frame, and if the directory is not writable.
///
/// # Errors
/// The database is locked, corrupt or unreadable, or a dangling link. A missing one is empty.
pub fn read(directory: &Path) -> Result<UserData, Error> {
    read_with(directory, tables::load_first)
}

/// Reads all user data in the same way.
///
/// # Errors
/// As [`read`].
pub fn read_all(directory: &Path) -> Result<UserData, Error> {
    read_with(directory, tables::load)
}

fn read_with(directory: &Path, reader: database::Reader) -> Result<UserData, Error> {
    let path = directory.join(files::FILE);
    match path.try_exists() {
        Ok(true) => {
            stale_wal::check(&path)?;
            database::read_only(&path, reader).map_err(|error| error.of_link(&path))
        }
        Ok(false) => match files::dangling_link(&path) {
            Some(link) => Err(Error::dangling(link)),
            None if files::has_damaged(&path) => Ok(UserData::default()),
            None => Ok(import::old_watchlist(directory).data),
        },
        Err(source) => Err(Error::File { path, source }),
    }
}
