//! Detects a write-ahead log that belongs to another database: a backup was copied over a database whose log was left
//! by a killed process, or is in use. SQLite would write the old log into the restored database.

use std::path::Path;

use super::error::Error;
use super::{files, header};

/// Checks that the write-ahead log of a database, if there is one, is its own.
///
/// # Errors
/// It belongs to another database.
pub(super) fn check(path: &Path) -> Result<(), Error> {
    if files::log_len(path) > 0 && header::is_copy(path) {
        Err(Error::StaleWal { path: path.to_owned() })
    } else {
        Ok(())
    }
}
