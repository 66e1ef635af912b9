//! The lock file of the database: shared to write, exclusive to create, migrate or move the database aside.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::error::Error;
use super::files::FILE;

/// How long to wait for a lock before its holder counts as stuck, for example stopped in the middle of a write.
pub(super) const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// The lock file.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
    path: PathBuf,
    /// How long to wait for it.
    pub(super) timeout: Duration,
}

/// Holds the lock until it is dropped.
#[derive(Debug)]
pub(super) struct LockGuard<'a>(&'a File);

impl Drop for LockGuard<'_> {
    fn drop(&mut self) {
        // Closing the file would release the lock, too.
        let _ = self.0.unlock();
    }
}

impl Lock {
    /// Opens the file, or creates it. It is never truncated, and a symbolic link is rejected.
    pub(super) fn open(directory: &Path, timeout: Duration) -> Result<Lock, Error> {
        let path = directory.join("satscope.lock");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        let no_follow = rustix::fs::OFlags::NOFOLLOW.bits();
        options.custom_flags(i32::try_from(no_follow).unwrap_or(0));
        match options.open(&path) {
            Ok(file) => Ok(Lock { file, path, timeout }),
            Err(source) => {
                // The user knows the directory, not the lock, unless only the lock is in the way.
                let is_denied = source.kind() == io::ErrorKind::PermissionDenied;
                let is_writable = || rustix::fs::access(directory, rustix::fs::Access::WRITE_OK).is_ok();
                let is_lock = is_denied && path.exists() && is_writable();
                let is_directory = !is_lock
                    && matches!(
                        source.kind(),
                        io::ErrorKind::PermissionDenied
                            | io::ErrorKind::ReadOnlyFilesystem
                            | io::ErrorKind::NotFound
                            | io::ErrorKind::StorageFull
                            | io::ErrorKind::QuotaExceeded
                    );
                Err(Error::File { path: if is_directory { directory.to_owned() } else { path }, source })
            }
        }
    }

    /// Acquires a shared lock.
    pub(super) fn shared(&self) -> Result<LockGuard<'_>, Error> {
        self.acquire(File::try_lock_shared)
    }

    /// Acquires an exclusive lock.
    pub(super) fn exclusive(&self) -> Result<LockGuard<'_>, Error> {
        self.acquire(File::try_lock)
    }

    fn acquire(&self, try_lock: impl Fn(&File) -> Result<(), TryLockError>) -> Result<LockGuard<'_>, Error> {
        const PAUSE: Duration = Duration::from_millis(5);
        let until = Instant::now() + self.timeout;
        loop {
            match try_lock(&self.file) {
                Ok(()) => return Ok(LockGuard(&self.file)),
                Err(TryLockError::WouldBlock) if Instant::now() < until => thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => return Err(Error::Busy { path: self.path.with_file_name(FILE) }),
                // Some network file systems don't support file locks. Then only SQLite's own locks remain.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    return Ok(LockGuard(&self.file));
                }
                Err(TryLockError::Error(source)) => return Err(Error::File { path: self.path.clone(), source }),
            }
        }
    }
}
