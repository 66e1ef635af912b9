//! The owner of leases: a locked file shows that its process is alive.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Suffix of the file of an owner. It is locked from the beginning, so an unlocked one belongs to a killed process.
const ALIVE: &str = ".alive";

/// Suffix of that file until it is locked.
const STARTING: &str = ".starting";

/// Age at which an unlocked file is removed. Until then, it may belong to a process that is just starting or runs on
/// another machine. If such a process is still running, taking over from it just takes longer.
const MAX_AGE: Duration = Duration::from_hours(24);

/// A process that takes leases. Its file stays locked while it lives, so that another process on the same machine can
/// take over at once when it is killed, and not only when its leases end.
#[derive(Debug)]
pub struct LeaseOwner {
    name: String,
    file: Option<(PathBuf, File)>,
}

impl LeaseOwner {
    /// This process, as a part of the program: letters only.
    pub fn new(part: &str) -> LeaseOwner {
        LeaseOwner::on_machine(&machine().unwrap_or_default(), part)
    }

    fn on_machine(machine: &str, part: &str) -> LeaseOwner {
        let name = format!("{part}-{machine}-{}-{:x}", std::process::id(), fastrand::u32(..));
        LeaseOwner { name, file: None }
    }

    /// The name, unique for each process.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Creates the file in the state directory and locks it, once. If that fails, others wait until the leases expire.
    pub fn lock_file(&mut self, directory: &Path) {
        self.lock_file_with(directory, |file| Ok(file.try_lock()?));
    }

    fn lock_file_with(&mut self, directory: &Path, lock: impl FnOnce(&File) -> io::Result<()>) {
        if self.file.is_none() && is_plain(&self.name) {
            match create_locked(directory, &self.name, lock) {
                Ok(file) => self.file = Some(file),
                Err(error) => tracing::debug!(%error, "can't lock the file of a lease owner"),
            }
        }
    }

    /// Removes the file, once all leases have been released. If they couldn't be, the file must stay, so that others
    /// take them over.
    pub fn remove_lock_file(&mut self) {
        if let Some((path, _locked)) = self.file.take() {
            remove(&path);
        }
    }
}

/// Creates the file of an owner. Its name shows that it is locked.
fn create_locked(
    directory: &Path,
    owner: &str,
    lock: impl FnOnce(&File) -> io::Result<()>,
) -> io::Result<(PathBuf, File)> {
    let (starting, path) = (path(directory, owner, STARTING), path(directory, owner, ALIVE));
    let file = open(&starting, true)?;
    match lock(&file).and_then(|()| fs::rename(&starting, &path)) {
        Ok(()) => Ok((path, file)),
        Err(error) => {
            remove(&starting);
            Err(error)
        }
    }
}

/// Whether an owner has been killed: its file is there, but not locked. Unknown, thus `false`, for one on another
/// machine, since locks on network file systems may be local.
pub(super) fn is_dead(directory: &Path, owner: &str) -> bool {
    let is_local = machine().is_some_and(|machine| owner.split('-').nth(1) == Some(&machine));
    is_local && is_plain(owner) && is_unlocked(&path(directory, owner, ALIVE))
}

/// The owners on this machine that have been killed.
pub(super) fn dead(directory: &Path) -> Vec<String> {
    let owners = files(directory).filter_map(|(_, owner, suffix)| (suffix == ALIVE).then_some(owner));
    owners.filter(|owner| is_dead(directory, owner)).collect()
}

/// Removes the files of killed owners, which are never used again, and abandoned ones.
pub(super) fn remove_lock_files(directory: &Path, dead: &[String]) {
    for (path, owner, suffix) in files(directory) {
        let is_old = || {
            let modified = fs::metadata(&path).and_then(|about| about.modified());
            modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > MAX_AGE))
        };
        if (suffix == ALIVE && dead.contains(&owner)) || (is_old() && is_unlocked(&path)) {
            remove(&path);
        }
    }
}

/// The files of owners in a state directory, with the owner and the suffix.
fn files(directory: &Path) -> impl Iterator<Item = (PathBuf, String, &'static str)> {
    fs::read_dir(directory).into_iter().flatten().flatten().filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let rest = name.strip_prefix("satscope.")?;
        let (owner, suffix) = [ALIVE, STARTING].into_iter().find_map(|end| Some((rest.strip_suffix(end)?, end)))?;
        is_plain(owner).then(|| (entry.path(), owner.to_owned(), suffix))
    })
}

fn path(directory: &Path, owner: &str, suffix: &str) -> PathBuf {
    directory.join(format!("satscope.{owner}{suffix}"))
}

/// Whether an owner may have a file. Those of earlier versions have none.
fn is_plain(owner: &str) -> bool {
    owner.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// This run of this machine: processes with the same one see each other's locks.
fn machine() -> Option<String> {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id");
    let id = boot.unwrap_or_else(|_| rustix::system::uname().nodename().to_string_lossy().into_owned());
    let id: String = id.chars().filter(char::is_ascii_alphanumeric).take(32).collect();
    (!id.is_empty()).then_some(id)
}

/// Whether a file is there and not locked by a living process.
fn is_unlocked(path: &Path) -> bool {
    // A shared lock, so that two processes can look at once. An error may mean that the file system doesn't support
    // locks.
    open(path, false).is_ok_and(|file| file.try_lock_shared().is_ok())
}

fn open(path: &Path, creates: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(creates).truncate(false).mode(0o600);
    let no_follow = rustix::fs::OFlags::NOFOLLOW.bits();
    options.custom_flags(i32::try_from(no_follow).unwrap_or(0)).open(path)
}

/// Removes a file. A leftover file does no harm; another process removes it later.
fn remove(path: &Path) {
    if let Err(error) = fs::remove_file(path) {
        tracing::debug!(%error, path = %path.display(), "file of a process not removed");
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::super::database::Database;
    use super::super::lease::{LEASE_LENGTH, Lease};
    use super::*;
    use crate::model::UtcTime;

    /// Tries to take a lease, and returns the holder if that fails.
    fn take(name: &str, owner: &LeaseOwner, directory: &Path) -> Option<String> {
        let lease = Lease { name, owner: owner.name(), length: LEASE_LENGTH };
        Database::open(directory).unwrap().take_lease(&lease, UtcTime::from_secs(1_000)).unwrap()
    }

    /// The names of all files of owners.
    fn names(directory: &Path) -> Vec<String> {
        files(directory).map(|(path, ..)| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn process_that_cannot_lock_its_file_is_not_taken_for_a_killed_one() {
        let directory = tempfile::tempdir().unwrap();
        let (mut first, second) = (LeaseOwner::new("watch"), LeaseOwner::new("watch"));
        first.lock_file_with(directory.path(), |_| Err(io::Error::from(io::ErrorKind::Unsupported)));
        assert_eq!(names(directory.path()), Vec::<String>::new());
        assert_eq!(take("alerts", &first, directory.path()), None);
        assert_eq!(take("alerts", &second, directory.path()).as_deref(), Some(first.name()));
    }

    #[test]
    fn file_that_is_not_locked_yet_is_not_that_of_a_killed_process() {
        let directory = tempfile::tempdir().unwrap();
        let (mut first, second) = (LeaseOwner::new("watch"), LeaseOwner::new("watch"));
        first.lock_file_with(directory.path(), |_| {
            assert_eq!(take("alerts", &second, directory.path()), None);
            assert_eq!(names(directory.path()).len(), 1, "the file of a starting process stays");
            Ok(())
        });
        assert_eq!(names(directory.path()), [format!("satscope.{}.alive", first.name())]);
    }

    #[test]
    fn process_that_could_not_release_its_leases_looks_killed() {
        let directory = tempfile::tempdir().unwrap();
        let (mut first, second) = (LeaseOwner::new("watch"), LeaseOwner::new("watch"));
        first.lock_file(directory.path());
        assert_eq!(take("alerts", &first, directory.path()), None);
        assert_eq!(take("alerts", &second, directory.path()).as_deref(), Some(first.name()));
        drop(first);
        assert_eq!(take("alerts", &second, directory.path()), None);
    }

    #[test]
    fn process_on_another_machine_is_not_judged_by_its_lock() {
        let directory = tempfile::tempdir().unwrap();
        let (mut first, second) = (LeaseOwner::on_machine("elsewhere", "watch"), LeaseOwner::new("watch"));
        first.lock_file_with(directory.path(), |_| Ok(()));
        assert_eq!(take("alerts", &first, directory.path()), None);
        assert_eq!(take("alerts", &second, directory.path()).as_deref(), Some(first.name()));
        assert_eq!(take("simulated alerts", &second, directory.path()), None);
        assert_eq!(names(directory.path()).len(), 1);
    }

    #[test]
    fn files_of_killed_processes_are_removed_with_the_next_lease() {
        let directory = tempfile::tempdir().unwrap();
        // One with a lease that nobody wants now, and one without a lease.
        for leases in [Some("simulated alerts"), None] {
            let mut killed = LeaseOwner::new("watch");
            killed.lock_file(directory.path());
            leases.map(|name| take(name, &killed, directory.path()));
        }
        let mut alive = LeaseOwner::new("dashboard");
        alive.lock_file(directory.path());
        // Abandoned: before the machine was restarted, and while a process started.
        for (machine, suffix) in [("before", ALIVE), ("elsewhere", STARTING)] {
            let old = open(&path(directory.path(), &format!("watch-{machine}-1-a"), suffix), true).unwrap();
            old.set_modified(SystemTime::now() - 2 * MAX_AGE).unwrap();
        }
        assert_eq!(names(directory.path()).len(), 5);
        let owner = LeaseOwner::new("watch");
        assert_eq!(take("alerts", &owner, directory.path()), None);
        assert_eq!(names(directory.path()), [format!("satscope.{}.alive", alive.name())]);
        assert_eq!(take("simulated alerts", &owner, directory.path()), None, "the lease is free");
    }
}
