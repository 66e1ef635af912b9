//! Errors of the store.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{ErrorCode, ffi};

use crate::model::system_error;
use crate::user_data::StoreNotice;

/// Why user data can't be read or saved. Displays as a path with a reason: `PATH (permission denied)`.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no state directory.
    #[error("no home directory; set HOME or XDG_STATE_HOME to an absolute path")]
    NoDirectory,
    /// An error of the file system.
    #[error("{} ({})", .path.display(), system_error::reason(.source))]
    File {
        /// The file or directory.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// An error of SQLite.
    #[error("{} ({})", .path.display(), reason(.source))]
    Sqlite {
        /// The database.
        path: PathBuf,
        /// The reason.
        source: rusqlite::Error,
    },
    /// Another process holds the lock.
    #[error("{} (locked by another process)", .path.display())]
    Busy {
        /// The database.
        path: PathBuf,
    },
    /// The database was written by a newer version.
    #[error("{} (from a newer satscope)", .path.display())]
    Newer {
        /// The database.
        path: PathBuf,
    },
    /// Migrating the database of an older version failed. It is unchanged.
    #[error("{} (upgrade failed: {})", .path.display(), .source.reason())]
    Upgrade {
        /// The database.
        path: PathBuf,
        /// Why.
        source: Box<Error>,
    },
    /// The file is a directory, pipe or device, or the database of another program.
    #[error("{} (not a satscope database)", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The path is a symbolic link to a file that is not a database, or to a damaged database. It isn't moved aside,
    /// since it may belong to something else.
    #[error("{} (symlink to a damaged database)", .path.display())]
    LinkedDamaged {
        /// The target of the link.
        path: PathBuf,
    },
    /// A backup was restored beside the write-ahead log of the database that it replaced.
    #[error("{} (stale satscope.db-wal: quit satscope, delete it and satscope.db-shm)", .path.display())]
    StaleWal {
        /// The database.
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
    /// A symbolic link to a path where nothing is.
    pub(super) fn dangling(path: &Path) -> Error {
        failed(path)(io::Error::new(io::ErrorKind::NotFound, "dangling symlink"))
    }

    /// Whether a symbolic link leads to a path where nothing is.
    pub fn is_dangling(&self) -> bool {
        matches!(self, Error::File { path, source } if source.kind() == io::ErrorKind::NotFound && path.is_symlink())
    }

    /// Why changes can't be saved, and what happens to them.
    pub(super) fn save_notice(&self) -> StoreNotice {
        self.notice("write")
    }

    /// Why neither changes can be saved nor saved data be read, and what happens to the changes.
    pub(super) fn open_notice(&self) -> StoreNotice {
        self.notice("open")
    }

    fn notice(&self, verb: &str) -> StoreNotice {
        if self.path().is_none() {
            return StoreNotice {
                summary: String::from("Can't save changes (set HOME or XDG_STATE_HOME); they stay in memory"),
                details: StoreNotice::cant_save(self),
            };
        }
        let details = format!("Can't {verb} {self}");
        StoreNotice { summary: format!("Can't {verb} {}; changes stay in memory", self.short()), details }
    }

    /// The error with the end of the path only.
    pub(super) fn short(&self) -> String {
        let whole = self.to_string();
        self.path().map_or(whole.clone(), |path| whole.replacen(&*path.to_string_lossy(), &short_path(path), 1))
    }

    /// Why a change was not saved, for the end of an error message.
    pub fn save_reason(&self) -> String {
        if self.path().is_some() { format!("can't write {self}") } else { self.to_string() }
    }

    /// The error of an upgrade that failed for this reason.
    pub(super) fn of_upgrade(self, path: &Path) -> Error {
        match self {
            Error::Busy { .. } | Error::Upgrade { .. } => self,
            reason => Error::Upgrade { path: path.to_owned(), source: Box::new(reason) },
        }
    }

    /// The error of a database that may be a symbolic link: a corrupt target is not moved aside.
    pub(super) fn of_link(self, path: &Path) -> Error {
        match fs::canonicalize(path) {
            Ok(target) if self.is_corruption() && path.is_symlink() => Error::LinkedDamaged { path: target },
            _ => self,
        }
    }

    /// The reason, without a path.
    fn reason(&self) -> String {
        match self {
            Error::File { source, .. } => system_error::reason(source),
            Error::Sqlite { source, .. } => reason(source),
            Error::Upgrade { source, .. } => source.reason(),
            Error::NoDirectory
            | Error::Busy { .. }
            | Error::Newer { .. }
            | Error::Foreign { .. }
            | Error::LinkedDamaged { .. }
            | Error::StaleWal { .. }
            | Error::Exists { .. }
            | Error::Missing { .. } => self.to_string(),
        }
    }

    /// The file or directory that can't be used.
    fn path(&self) -> Option<&Path> {
        match self {
            Error::NoDirectory => None,
            Error::File { path, .. }
            | Error::Sqlite { path, .. }
            | Error::Busy { path }
            | Error::Newer { path }
            | Error::Upgrade { path, .. }
            | Error::Foreign { path }
            | Error::LinkedDamaged { path }
            | Error::StaleWal { path }
            | Error::Exists { path }
            | Error::Missing { path } => Some(path),
        }
    }

    /// Whether the directory of the database doesn't exist. What a dangling link leads to may be on a disk that isn't
    /// mounted.
    pub(super) fn is_missing(&self) -> bool {
        let is_missing = |kind| matches!(kind, io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
        matches!(self, Error::File { source, .. } if is_missing(source.kind())) && !self.is_dangling()
    }

    /// Whether the database is corrupt.
    pub fn is_corruption(&self) -> bool {
        match self {
            Error::Sqlite { source, .. } => is_corruption(source),
            Error::Upgrade { source, .. } => source.is_corruption(),
            Error::LinkedDamaged { .. } => true,
            Error::NoDirectory
            | Error::File { .. }
            | Error::Busy { .. }
            | Error::Newer { .. }
            | Error::Foreign { .. }
            | Error::StaleWal { .. }
            | Error::Exists { .. }
            | Error::Missing { .. } => false,
        }
    }
}

/// The end of a path: the name of the database, or two components of another path after an ellipsis, such as
/// `…/state/satscope`, since these alone would be a relative path. A path that isn't longer is complete.
fn short_path(path: &Path) -> String {
    if let Some(name) = path.file_name().filter(|_| path.extension().is_some()) {
        return name.to_string_lossy().into_owned();
    }
    let omitted = path.ancestors().nth(2).filter(|omitted| omitted.parent().is_some());
    match omitted.and_then(|omitted| path.strip_prefix(omitted).ok()) {
        Some(end) => format!("…/{}", end.display()),
        None => path.display().to_string(),
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
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => "damaged database",
            Some(ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch) => "unexpected table structure",
            _ => return error.to_string(),
        },
    };
    String::from(words)
}

/// The error for a corrupt database.
pub(super) fn corrupt(why: Option<String>) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CORRUPT), why)
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
        Some(ErrorCode::CannotOpen) if is_too_long(&path) => {
            failed(&path)(io::Error::new(io::ErrorKind::InvalidFilename, "path too long"))
        }
        code => {
            tracing::info!(error = %source, path = %path.display(), "SQLite error");
            // SQLite names this reason only for the database itself, not for the index of its log.
            let is_full = code == Some(ErrorCode::SystemIoFailure) && is_disk_full(&path);
            let full = || rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_FULL), None);
            Error::Sqlite { path, source: if is_full { full() } else { source } }
        }
    }
}

/// Whether a path with the suffix of a journal is longer than SQLite allows.
fn is_too_long(path: &Path) -> bool {
    const MAX_PATH: usize = 512;
    path.as_os_str().len() + "-journal".len() > MAX_PATH
}

/// Whether the disk of a file has no room for the index of a log.
fn is_disk_full(path: &Path) -> bool {
    const INDEX: u64 = 32 * 1024;
    let folder = path.parent().unwrap_or(path);
    rustix::fs::statvfs(folder).is_ok_and(|about| about.f_bavail.saturating_mul(about.f_frsize) < INDEX)
}

/// Converts an error of the file system.
pub(super) fn failed(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    move |source| Error::File { path, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_path_never_looks_like_a_relative_path() {
        for (path, short) in [
            ("/proc/.local/state/satscope", "…/state/satscope"),
            ("/home/me/state", "…/me/state"),
            ("/state/satscope", "/state/satscope"),
            ("/satscope", "/satscope"),
            ("/", "/"),
            ("/home/me/.local/state/satscope/satscope.db", "satscope.db"),
        ] {
            assert_eq!(short_path(Path::new(path)), short, "{path}");
        }
    }
}
