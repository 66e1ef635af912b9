//! The owner of leases: a locked file shows that its process lives.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// A process that takes leases. Its file stays locked while it lives, so that another process can take over at once when
/// it is killed, and not only when its leases end.
#[derive(Debug)]
pub struct LeaseOwner {
    name: String,
    file: Option<(PathBuf, File)>,
}

impl LeaseOwner {
    /// This process, as a part of the program: letters only.
    pub fn new(part: &str) -> LeaseOwner {
        let name = format!("{part}-{}-{:x}", std::process::id(), fastrand::u32(..));
        LeaseOwner { name, file: None }
    }

    /// Its name, unique for each process.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Creates the file in the state directory and locks it, once. If that fails, others wait for the end of the leases.
    pub fn show_life(&mut self, directory: &Path) {
        let Some(path) = path(directory, &self.name).filter(|_| self.file.is_none()) else { return };
        let locked = open(&path, true).and_then(|file| Ok(file.try_lock().map(|()| file)?));
        match locked {
            Ok(file) => self.file = Some((path, file)),
            Err(error) => tracing::debug!(%error, "no file that shows that this process lives"),
        }
    }

    /// Ends like a killed process.
    #[cfg(test)]
    pub(super) fn kill(mut self) {
        self.file = None;
    }
}

impl Drop for LeaseOwner {
    fn drop(&mut self) {
        if let Some((path, _)) = &self.file {
            // If it stays, it is only litter.
            let _ = fs::remove_file(path);
        }
    }
}

/// Whether an owner has been killed: its file is there, but not locked.
pub(super) fn is_dead(directory: &Path, owner: &str) -> bool {
    let file = path(directory, owner).and_then(|path| open(&path, false).ok());
    // An error may mean that the file system doesn't support locks.
    file.is_some_and(|file| file.try_lock().is_ok())
}

/// Removes the file of a killed owner, which is never used again.
pub(super) fn forget(directory: &Path, owner: &str) {
    if let Some(path) = path(directory, owner) {
        // If it stays, it is only litter.
        let _ = fs::remove_file(path);
    }
}

/// The file of an owner; `None` for those of earlier versions, which have no file.
fn path(directory: &Path, owner: &str) -> Option<PathBuf> {
    let is_plain = owner.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_plain.then(|| directory.join(format!("satscope.{owner}.alive")))
}

fn open(path: &Path, creates: bool) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(creates).truncate(false).mode(0o600);
    let no_follow = rustix::fs::OFlags::NOFOLLOW.bits();
    options.custom_flags(i32::try_from(no_follow).unwrap_or(0)).open(path)
}
