//! Detects a log that belongs to another database: a backup was copied over a database whose log was left by a killed
//! process, or is in use. SQLite would write the old log into the restored database.

use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::error::Error;
use super::files::{self, FileId};

/// The databases whose headers were read. They stay open, since closing a file releases the locks that SQLite has on it
/// in this process.
static HEADERS: Mutex<Vec<(FileId, File)>> = Mutex::new(Vec::new());

/// Checks that the log of a database, if there is one, is its own.
///
/// # Errors
/// It belongs to another database.
pub(super) fn check(path: &Path) -> Result<(), Error> {
    match files::log_len(path) > 0 && is_copy(path) {
        true => Err(Error::OldLog { path: path.to_owned() }),
        false => Ok(()),
    }
}

/// Whether a database is a copy by `VACUUM INTO` that was not opened since. Opening it turns on WAL before it creates a
/// log.
fn is_copy(path: &Path) -> bool {
    /// The position of the version of the file format for writing in the header.
    const WRITE_VERSION: u64 = 18;
    /// The version without WAL.
    const ROLLBACK: u8 = 1;
    let Some(id) = fs::canonicalize(path).ok().and_then(|path| files::identity(&path)) else { return false };
    let mut headers = HEADERS.lock().unwrap_or_else(PoisonError::into_inner);
    if headers.iter().all(|(known, _)| *known != id) {
        let Ok(file) = File::open(path) else { return false };
        headers.push((id, file));
    }
    let mut version = [0];
    let header = headers.iter().find(|(known, _)| *known == id);
    header.is_some_and(|(_, file)| file.read_exact_at(&mut version, WRITE_VERSION).is_ok()) && version == [ROLLBACK]
}
