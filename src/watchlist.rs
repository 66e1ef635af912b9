//! The watched coins in the state directory: changes against the configuration, written atomically, safe with several
//! instances running.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::app::watch::{WatchChanges, Watched};

/// Why the watched coins could not be read or remembered.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no state directory.
    #[error("what you watch is not remembered: there is no home directory; set HOME or XDG_STATE_HOME")]
    NoDirectory,
    /// The file system says no.
    #[error("what you watch is not remembered: {path} cannot be used ({source}); check the directory's permissions")]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process keeps the file locked.
    #[error("what you watch is not remembered: another satscope holds {path}; continue or end it, then try again")]
    Locked {
        /// The lock's file.
        path: PathBuf,
    },
    /// The file holds something else.
    #[error("{path} cannot be read ({reason}); move it away to begin anew")]
    Foreign {
        /// Which file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

/// No list of coins that a person watches is larger, in bytes.
const LARGEST: u64 = 1024 * 1024;

/// How long another instance may write. One that was stopped in the middle of it would let us wait for ever, also at
/// our end.
const PATIENCE: Duration = Duration::from_secs(5);

/// The file with the changes.
#[derive(Clone, Debug)]
pub struct Watchlist {
    directory: Option<PathBuf>,
    patience: Duration,
}

impl Watchlist {
    /// In the program's state directory; `None` where there is none, and then nothing is remembered.
    pub fn new(directory: Option<PathBuf>) -> Watchlist {
        Watchlist { directory, patience: PATIENCE }
    }

    /// Reads the changes; none where there is no file yet.
    ///
    /// # Errors
    /// The file cannot be read, or is none of ours.
    pub fn load(&self) -> Result<WatchChanges, Error> {
        let Some(path) = self.path() else { return Ok(WatchChanges::default()) };
        match read_bounded(&path) {
            Ok(bytes) => {
                let changes: WatchChanges = serde_json::from_slice(&bytes)
                    .map_err(|error| Error::Foreign { path, reason: error.to_string() })?;
                Ok(changes.cleaned())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(WatchChanges::default()),
            Err(source) => Err(Error::File { path, source }),
        }
    }

    /// Notes that a coin is watched or is not any more, and returns all changes, those of other instances among them.
    ///
    /// # Errors
    /// The file cannot be read or written, or is none of ours.
    pub fn note(&self, coin: &Watched, watched: bool) -> Result<WatchChanges, Error> {
        let (Some(directory), Some(path)) = (&self.directory, self.path()) else { return Err(Error::NoDirectory) };
        let failed = |source| Error::File { path: path.clone(), source };
        fs::create_dir_all(directory).map_err(failed)?;
        // The lock is a file of its own, for the list's file is replaced as a whole.
        let lock_path = directory.join("watched.lock");
        let lock = File::create(&lock_path).map_err(failed)?;
        if !locked(&lock, self.patience).map_err(failed)? {
            return Err(Error::Locked { path: lock_path });
        }
        let mut changes = self.load()?;
        changes.note(coin, watched);
        write(directory, &path, &changes).map_err(failed)?;
        Ok(changes)
    }

    /// When the file last changed; `None` where there is none.
    pub fn modified(&self) -> Option<SystemTime> {
        fs::metadata(self.path()?).and_then(|meta| meta.modified()).ok()
    }

    fn path(&self) -> Option<PathBuf> {
        Some(self.directory.as_ref()?.join("watched.json"))
    }
}

/// Locks the file; `false` where another holds it for all that time.
fn locked(file: &File, patience: Duration) -> io::Result<bool> {
    const PAUSE: Duration = Duration::from_millis(5);
    let until = Instant::now() + patience;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) if Instant::now() < until => thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return Ok(false),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

/// Reads a file of a sane size; a pipe or a device would keep the dashboard from starting.
fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    let meta = fs::metadata(path)?;
    if !meta.is_file() || meta.len() > LARGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it is no file of ours"));
    }
    fs::read(path)
}

fn write(directory: &Path, path: &Path, changes: &WatchChanges) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    serde_json::to_writer(&mut file, changes)?;
    file.write_all(b"\n")?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_instances_lose_nothing() {
        let directory = tempfile::tempdir().unwrap();
        // A disk that is busy with other things may take long for each of the forty.
        let patience = Duration::from_mins(10);
        let list = Watchlist { directory: Some(directory.path().join("new")), patience };
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let list = &list;
                scope.spawn(move || {
                    for coin in 0..10 {
                        list.note(&Watched::by_symbol(&format!("C{thread}X{coin}")), true).unwrap();
                    }
                });
            }
        });
        assert_eq!(list.load().unwrap().added.len(), 40);
    }

    #[test]
    fn an_instance_that_stopped_in_the_middle_holds_nobody_for_ever() {
        let directory = tempfile::tempdir().unwrap();
        let list = Watchlist { directory: Some(directory.path().to_owned()), patience: Duration::from_millis(20) };
        let stopped = File::create(directory.path().join("watched.lock")).unwrap();
        stopped.lock().unwrap();
        let error = list.note(&Watched::by_symbol("BTC"), true).unwrap_err();
        assert!(error.to_string().contains("another satscope holds"), "{error}");
        assert_eq!(list.load().unwrap().added.len(), 0);
        drop(stopped);
        assert_eq!(list.note(&Watched::by_symbol("BTC"), true).unwrap().added.len(), 1);
    }

    #[test]
    fn a_foreign_file_is_named_and_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("watched.json");
        fs::write(&path, "not ours").unwrap();
        let list = Watchlist::new(Some(directory.path().to_owned()));
        let error = list.note(&Watched::by_symbol("BTC"), true).unwrap_err();
        assert!(error.to_string().contains("watched.json"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "not ours");
    }

    #[test]
    fn without_a_home_it_says_so() {
        let list = Watchlist::new(None);
        assert_eq!(list.load().unwrap(), WatchChanges::default());
        assert!(list.note(&Watched::by_symbol("BTC"), true).unwrap_err().to_string().contains("HOME"));
    }
}
