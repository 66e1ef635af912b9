//! The files of the store: created for the user alone, recognised again, moved aside, named anew.

use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{Error, FILE};
use crate::model::UtcTime;

/// What SQLite keeps beside a database: the write-ahead log, its index, the rollback journal.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Follows the name of a database that was moved aside; a time follows.
const DAMAGED: &str = ".damaged-";

/// Which file a path means: its device and its number there. A file that was replaced has another.
pub(super) type Identity = (u64, u64);

/// Creates the state directory, for the user alone as the XDG specification asks.
pub(super) fn create_directory(directory: &Path) -> Result<(), Error> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(failed(directory))
}

/// Creates the database's file where there is none, readable by the user alone, and returns its real path: behind a
/// symbolic link lies the file that is opened, locked and moved.
pub(super) fn create(directory: &Path) -> Result<PathBuf, Error> {
    let path = directory.join(FILE);
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            // A link to nothing counts as existing: what it names is created.
            if !path.exists() {
                let mut options = OpenOptions::new();
                options.write(true).create(true).truncate(false).mode(0o600).open(&path).map_err(failed(&path))?;
            }
        }
        Err(source) => return Err(Error::File { path, source }),
    }
    let path = fs::canonicalize(&path).map_err(failed(&path))?;
    let about = fs::metadata(&path).map_err(failed(&path))?;
    if !about.is_file() {
        return Err(Error::Foreign { path });
    }
    for path in readable_by_others(&path) {
        // Somebody else's file stays as it is; whether it can be written shows soon.
        let _ = fs::set_permissions(&path, Permissions::from_mode(0o600));
    }
    Ok(path)
}

/// Returns the files of a database that other users may read or write. SQLite creates the log and its index with the
/// permissions that the database has at that moment.
pub(super) fn readable_by_others(path: &Path) -> Vec<PathBuf> {
    let is_open =
        |path: &PathBuf| fs::symlink_metadata(path).is_ok_and(|about| about.is_file() && about.mode() & 0o077 != 0);
    let beside = BESIDE.iter().map(|suffix| with(path, suffix));
    std::iter::once(path.to_owned()).chain(beside).filter(is_open).collect()
}

/// Whether a damaged database was moved aside here before.
pub(super) fn has_damaged(path: &Path) -> bool {
    let prefix = with(Path::new(path.file_name().unwrap_or_default()), DAMAGED);
    let entries = path.parent().map(fs::read_dir).into_iter().flatten().flatten().flatten();
    let mut names = entries.map(|entry| entry.file_name());
    names.any(|name| name.as_encoded_bytes().starts_with(prefix.as_os_str().as_encoded_bytes()))
}

/// Which file a path means now; `None` where there is none.
pub(super) fn identity(path: &Path) -> Option<Identity> {
    fs::metadata(path).ok().map(|about| (about.dev(), about.ino()))
}

/// A file as it is while nobody has the database open: without a log beside it. `None` where somebody may have.
pub(super) fn at_rest(path: &Path) -> Option<(Identity, SystemTime, u64)> {
    let about = fs::metadata(path).ok().filter(|about| about.is_file())?;
    let path = fs::canonicalize(path).ok()?;
    let is_alone = ["-wal", "-journal"].iter().all(|suffix| fs::symlink_metadata(with(&path, suffix)).is_err());
    is_alone.then_some(((about.dev(), about.ino()), about.modified().ok()?, about.len()))
}

/// Whether an empty database stands beside a log with content, which SQLite would throw away.
pub(super) fn lost_its_content(path: &Path) -> bool {
    let len = |path: &Path| fs::metadata(path).map_or(0, |about| about.len());
    len(path) == 0 && BESIDE.iter().any(|suffix| len(&with(path, suffix)) > 0)
}

/// Moves a database aside with all that belongs to it and returns its new path. The log goes first: killed in between,
/// the next start must not find a log beside a new database.
pub(super) fn set_aside(path: &Path, now: UtcTime) -> Result<PathBuf, Error> {
    let aside = free(path, &format!("{DAMAGED}{}", stamp(now)));
    for suffix in BESIDE {
        match fs::rename(with(path, suffix), with(&aside, suffix)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(path)(error)),
            _ => {}
        }
    }
    fs::rename(path, &aside).map_err(failed(path))?;
    Ok(aside)
}

/// A path beside another that nothing has yet: with the suffix, else with a number behind it.
pub(super) fn free(path: &Path, suffix: &str) -> PathBuf {
    let taken = |path: &Path| {
        let mut all = std::iter::once(path.to_owned()).chain(BESIDE.iter().map(|suffix| with(path, suffix)));
        all.any(|path| fs::symlink_metadata(path).is_ok())
    };
    let first = with(path, suffix);
    let mut numbered = (2_u32..).map(|number| with(path, &format!("{suffix}-{number}")));
    if taken(&first) { numbered.find(|path| !taken(path)).unwrap_or(first) } else { first }
}

/// A path with something behind its last letter.
fn with(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// A time as it can stand in a file's name: `20261122T021246Z`.
fn stamp(time: UtcTime) -> String {
    let text = time.to_string();
    let seconds = text.split('.').next().unwrap_or(&text).trim_end_matches('Z');
    seconds.chars().filter(|c| c.is_ascii_alphanumeric()).chain(['Z']).collect()
}

pub(super) fn failed(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    move |source| Error::File { path, source }
}

/// Whether a directory lies on a network file system, where a write-ahead log does not work: its index is shared memory.
#[cfg(target_os = "linux")]
pub(super) fn is_network(path: &Path) -> bool {
    // statfs(2): NFS, SMB, SMB2, CIFS, 9P, AFS, Ceph, Coda, and FUSE, which is how sshfs mounts.
    const NETWORK: [u32; 9] =
        [0x6969, 0x517b, 0xfe53_4d42, 0xff53_4d42, 0x0102_1997, 0x5346_414f, 0x00c3_6400, 0x7375_7245, 0x6573_5546];
    // The kernel's field is signed or not and of any width, by architecture; the magic numbers have 32 bits.
    rustix::fs::statfs(path).is_ok_and(|about| NETWORK.contains(&(about.f_type as u32)))
}

/// See above; elsewhere SQLite finds out by itself.
#[cfg(not(target_os = "linux"))]
pub(super) fn is_network(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_have_a_sortable_time() {
        assert_eq!(stamp(UtcTime::from_secs(1_795_313_566)), "20261122T021246Z");
        assert_eq!(stamp(UtcTime::from_millis(1_795_313_566_789)), "20261122T021246Z");
    }
}
