//! Errors of the store.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{ErrorCode, ffi};

use crate::model::system_error;

/// Why user data can't be read or saved. Displays as a reason, appended to what failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no state directory.
    #[error("no home directory; set HOME or XDG_STATE_HOME")]
    NoDirectory,
    /// An error of the file system.
    #[error("{}: {}", system_error::reason(.source), .path.display())]
    File {
        /// The file or directory.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// An error of SQLite.
    #[error("{}: {}", reason(.source), .path.display())]
    Sqlite {
        /// The database.
        path: PathBuf,
        /// The reason.
        source: rusqlite::Error,
    },
    /// Another process holds the lock.
    #[error("database locked: {}", .path.display())]
    Busy {
        /// The database.
        path: PathBuf,
    },
    /// The database was written by a newer version.
    #[error("{} was written by a newer satscope; please upgrade", .path.display())]
    Newer {
        /// The database.
        path: PathBuf,
    },
    /// The database was written by an older version and can't be migrated here.
    #[error("{} was written by an older satscope and can't be migrated", .path.display())]
    Older {
        /// The database.
        path: PathBuf,
    },
    /// The file is a directory, pipe or device, or the database of another program.
    #[error("not a satscope database: {}", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The backup file already exists.
    #[error("{} already exists; not overwritten", .path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// There is no database yet.
    #[error("no saved data yet: {}", .path.display())]
    Missing {
        /// The path of the database.
        path: PathBuf,
    },
}

impl Error {
    /// The error message of a failed save.
    pub(super) fn save_message(&self) -> String {
        match self {
            Error::File { path, source } => {
                format!("Can't save to {} ({})", path.display(), system_error::reason(source))
            }
            Error::Sqlite { path, source } => format!("Can't save to {} ({})", path.display(), reason(source)),
            other => format!("Can't save changes: {other}"),
        }
    }

    /// The error message of a failed read.
    pub(super) fn load_message(&self) -> String {
        format!("Can't read saved data: {self}")
    }

    /// Whether the directory of the database doesn't exist.
    pub(super) fn is_missing(&self) -> bool {
        let is_missing = |kind| matches!(kind, io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
        matches!(self, Error::File { source, .. } if is_missing(source.kind()))
    }

    /// Whether the database is corrupt.
    pub(super) fn is_corruption(&self) -> bool {
        matches!(self, Error::Sqlite { source, .. } if is_corruption(source))
    }
}

/// The problem with the database or a value, in this program's words. The log has SQLite's message ([`sqlite`]).
pub(super) fn reason(error: &rusqlite::Error) -> String {
    let words = match error {
        rusqlite::Error::FromSqlConversionFailure(_, _, problem) => return problem.to_string(),
        rusqlite::Error::InvalidColumnType(..) | rusqlite::Error::IntegralValueOutOfRange(..) => "unexpected value",
        error if is_structure(error) => "unexpected table structure",
        error => match error.sqlite_error_code() {
            Some(ErrorCode::ReadOnly) => "read-only file",
            Some(ErrorCode::CannotOpen) => "can't open the file",
            Some(ErrorCode::DiskFull) => "disk full",
            Some(ErrorCode::SystemIoFailure) => "disk error",
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => "corrupt database",
            Some(ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch) => "unexpected table structure",
            _ => return error.to_string(),
        },
    };
    String::from(words)
}

/// Whether the database is corrupt.
pub(super) fn is_corruption(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// Whether a table or value has a form that this version doesn't expect: written by a newer one or edited by hand.
pub(super) fn has_other_form(error: &rusqlite::Error) -> bool {
    let is_value = matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
    );
    is_value || is_structure(error)
}

/// Ignores the damage of a table that only supplements the one that a change is about.
pub(super) fn unless_damaged(done: rusqlite::Result<()>) -> rusqlite::Result<()> {
    done.or_else(|error| if has_other_form(&error) { Ok(()) } else { Err(error) })
}

/// Whether an error concerns only the accessed table or row, not the whole database.
pub(super) fn is_local(error: &rusqlite::Error) -> bool {
    let is_refused =
        matches!(error.sqlite_error_code(), Some(ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch));
    is_refused || has_other_form(error)
}

/// Whether a table is missing or has other columns: `no such table`, `no such column`.
fn is_structure(error: &rusqlite::Error) -> bool {
    match error {
        rusqlite::Error::SqlInputError { error, .. } | rusqlite::Error::SqliteFailure(error, _) => {
            error.extended_code == ffi::SQLITE_ERROR
        }
        _ => false,
    }
}

/// Converts an error of SQLite, and logs its details.
pub(super) fn sqlite(path: &Path) -> impl FnOnce(rusqlite::Error) -> Error {
    let path = path.to_owned();
    move |source| match source.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Error::Busy { path },
        _ => {
            tracing::info!(error = %source, path = %path.display(), "SQLite error");
            Error::Sqlite { path, source }
        }
    }
}

/// Converts an error of the file system.
pub(super) fn failed(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    move |source| Error::File { path, source }
}
