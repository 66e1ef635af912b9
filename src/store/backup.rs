//! Copies a database.

use std::fs::File;
use std::io;
use std::path::Path;

use rusqlite::Connection;

use super::error::{Error, failed, sqlite};

/// Copies a database to a new file, readable only by the user. The file appears when it is complete.
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
    // The directory entry is synced separately.
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed(to))
}
