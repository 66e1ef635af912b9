//! Copies a database.

use std::fs::{self, DirEntry, File, OpenOptions, TryLockError};
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;
use tempfile::NamedTempFile;

use super::error::{Error, failed, is_corruption, sqlite};
use super::{files, header};

/// How the name of an incomplete copy begins; six random characters follow.
pub(super) const PART: &str = ".satscope-backup-";

/// Age from which an incomplete copy counts as abandoned where files can't be locked reliably.
const ABANDONED_AFTER: Duration = Duration::from_hours(1);

/// Copies the database `from` to a new file, readable only by the user. The file appears when it is complete. If the
/// process is killed, the next copy in the same folder removes the incomplete one.
pub(super) fn copy(connection: &Connection, from: &Path, to: &Path) -> Result<(), Error> {
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    remove_abandoned(folder);
    let part = create(folder).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => failed(folder)(io::Error::new(error.kind(), "no such directory")),
        io::ErrorKind::NotADirectory => failed(folder)(error.kind().into()),
        _ => failed(to)(error),
    })?;
    let name = part.path().to_str().ok_or_else(|| failed(to)(io::Error::other("the path is not UTF-8")))?;
    connection
        .execute("VACUUM INTO ?1", [name])
        .map_err(|error| sqlite(if is_corruption(&error) { from } else { to })(error))?;
    part.as_file().sync_all().map_err(failed(to))?;
    part.persist_noclobber(to).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => Error::Exists { path: to.to_owned() },
        _ => failed(to)(error.error),
    })?;
    // The directory entry is synced separately.
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed(to))
}

/// Creates the file of an incomplete copy. It is locked until the copy is complete, so that no other process takes it
/// for abandoned.
fn create(folder: &Path) -> io::Result<NamedTempFile> {
    loop {
        let part = tempfile::Builder::new().prefix(PART).tempfile_in(folder)?;
        if !can_lock(folder) {
            return Ok(part);
        }
        match part.as_file().try_lock() {
            // Another process took it for abandoned before it was locked.
            Err(TryLockError::WouldBlock) => {}
            Ok(()) if !part.path().exists() => {}
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(part),
        }
    }
}

/// Removes incomplete copies of processes that were killed. Errors are ignored: a leftover copy only takes up space.
fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !entry.file_name().as_encoded_bytes().starts_with(PART.as_bytes()) {
            continue;
        }
        // Open, and locked, until it is removed: another process may be about to write to it.
        if let Ok(Some(_abandoned)) = abandoned(&entry) {
            let path = entry.path();
            tracing::info!(path = %path.display(), "removing an incomplete backup");
            let mut journal = path.clone().into_os_string();
            journal.push("-journal");
            let _ = fs::remove_file(PathBuf::from(journal));
            let _ = fs::remove_file(path);
        }
    }
}

/// Whether files of a folder can be locked. On network file systems and other Unix systems, such a lock would collide
/// with SQLite's.
fn can_lock(folder: &Path) -> bool {
    cfg!(target_os = "linux") && !files::is_network(folder)
}

/// An incomplete copy by this user that no process is writing, locked if possible.
fn abandoned(entry: &DirEntry) -> io::Result<Option<File>> {
    let about = entry.metadata()?;
    if !about.is_file() || about.uid() != rustix::process::geteuid().as_raw() {
        return Ok(None);
    }
    let no_follow = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let mut options = OpenOptions::new();
    let mut file = options.read(true).custom_flags(no_follow.bits().cast_signed()).open(entry.path())?;
    let mut start = Vec::new();
    file.by_ref().take(header::MAGIC.len() as u64).read_to_end(&mut start)?;
    if !start.is_empty() && start != header::MAGIC {
        return Ok(None);
    }
    let is_unused = if can_lock(&entry.path()) {
        file.try_lock().is_ok()
    } else {
        about.modified()?.elapsed().is_ok_and(|age| age > ABANDONED_AFTER)
    };
    Ok(is_unused.then_some(file))
}
