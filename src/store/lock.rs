//! The lock beside the database: shared to write, exclusive to create, migrate or move it aside.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::Error;

/// How long another process may keep a lock before it counts as stuck, for instance stopped in the middle of a write.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// The lock's file.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
    path: PathBuf,
}

/// The lock while it is held.
#[derive(Debug)]
pub(super) struct Held<'a>(&'a File);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // Closing the file would release it, too.
        let _ = self.0.unlock();
    }
}

impl Lock {
    /// Opens the file, or creates it. It is never truncated, and a symbolic link is refused.
    pub(super) fn open(directory: &Path) -> Result<Lock, Error> {
        let path = directory.join("satscope.lock");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        let no_follow = rustix::fs::OFlags::NOFOLLOW.bits();
        options.custom_flags(i32::try_from(no_follow).unwrap_or(0));
        match options.open(&path) {
            Ok(file) => Ok(Lock { file, path }),
            Err(source) => Err(Error::File { path, source }),
        }
    }

    /// Held beside others that hold it so.
    pub(super) fn shared(&self) -> Result<Held<'_>, Error> {
        self.hold(File::try_lock_shared)
    }

    /// Held alone.
    pub(super) fn exclusive(&self) -> Result<Held<'_>, Error> {
        self.hold(File::try_lock)
    }

    fn hold(&self, try_lock: impl Fn(&File) -> Result<(), TryLockError>) -> Result<Held<'_>, Error> {
        const PAUSE: Duration = Duration::from_millis(5);
        let until = Instant::now() + PATIENCE;
        loop {
            match try_lock(&self.file) {
                Ok(()) => return Ok(Held(&self.file)),
                Err(TryLockError::WouldBlock) if Instant::now() < until => thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => return Err(Error::Busy { path: self.path.clone() }),
                // Some network file systems have no locks. SQLite's own are all there is then.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    return Ok(Held(&self.file));
                }
                Err(TryLockError::Error(source)) => return Err(Error::File { path: self.path.clone(), source }),
            }
        }
    }
}
