//! Files of the store: permissions, identity, moving corrupt databases aside.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Read as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::error::{Error, failed};
use crate::model::UtcTime;

/// File name of the database in the state directory.
pub const FILE: &str = "satscope.db";

/// Suffixes of SQLite's additional files: the write-ahead log, its index, the rollback journal.
const SIDE_FILES: [&str; 3] = ["-wal", "-shm", JOURNAL];

/// Suffix of the rollback journal.
const JOURNAL: &str = "-journal";

/// Suffix of a database that was moved aside, followed by the time.
const DAMAGED: &str = ".damaged-";

/// Identity of a file: device and inode. A replaced file has another one.
pub(super) type FileId = (u64, u64);

/// Creates the state directory, readable only by the user as the XDG specification requires.
pub(super) fn create_directory(directory: &Path) -> Result<(), Error> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(|error| create_dir_error(directory, error))
}

/// The error of creating a directory. A file or a dangling symbolic link that is in the way is named.
fn create_dir_error(directory: &Path, error: io::Error) -> Error {
    match existing(directory) {
        Some(path) if is_dangling(path) => Error::dangling(path),
        Some(path) if !path.is_dir() => failed(path)(io::ErrorKind::NotADirectory.into()),
        _ => failed(directory)(error),
    }
}

/// The dangling symbolic link because of which nothing is at a path, if there is one.
pub(super) fn dangling_link(path: &Path) -> Option<&Path> {
    existing(path).filter(|path| is_dangling(path))
}

/// The longest part of a path at which something is, such as a dangling symbolic link.
fn existing(path: &Path) -> Option<&Path> {
    path.ancestors().find(|path| fs::symlink_metadata(path).is_ok())
}

fn is_dangling(path: &Path) -> bool {
    path.is_symlink() && matches!(path.try_exists(), Ok(false))
}

/// Creates the database file if it doesn't exist, readable only by the user. Returns its canonical path, since the
/// target of a symbolic link is opened and locked, not the link.
pub(super) fn create(directory: &Path) -> Result<PathBuf, Error> {
    let path = directory.join(FILE);
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            // A dangling link counts as existing; its target is created if its directory exists.
            if !path.exists() {
                let mut options = OpenOptions::new();
                let created = options.write(true).create(true).truncate(false).mode(0o600).open(&path);
                created.map_err(|error| match error.kind() {
                    io::ErrorKind::NotFound => Error::dangling(&path),
                    _ => failed(&path)(error),
                })?;
            }
        }
        Err(source) => return Err(Error::File { path, source }),
    }
    let path = fs::canonicalize(&path).map_err(failed(&path))?;
    let about = fs::metadata(&path).map_err(failed(&path))?;
    if !about.is_file() {
        return Err(Error::Foreign { path });
    }
    Ok(path)
}

/// Makes the files of a database readable only by the user, and writable if the database is.
pub(super) fn restrict(path: &Path) {
    for path in with_wrong_mode(path) {
        // The permissions of another user's file are not changed; if it isn't writable, opening fails.
        let _ = fs::set_permissions(&path, Permissions::from_mode(0o600));
    }
}

/// Whether the database of a state directory is a symbolic link.
pub(super) fn is_link(directory: &Path) -> bool {
    directory.join(FILE).is_symlink()
}

/// Returns the files of a database that other users may read or write, and those beside it that the user can't write
/// although the database is writable. SQLite creates the log and its index with the permissions that the database has at
/// that moment.
pub(super) fn with_wrong_mode(path: &Path) -> Vec<PathBuf> {
    const USER: u32 = 0o600;
    let mode = |path: &Path| fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file).map(|about| about.mode());
    let needed = mode(path).map_or(0, |mode| mode & USER);
    let is_wrong = |path: &PathBuf| mode(path).is_some_and(|mode| mode & 0o077 != 0 || mode & needed != needed);
    let beside = SIDE_FILES.iter().map(|suffix| with(path, suffix));
    std::iter::once(path.to_owned()).chain(beside).filter(is_wrong).collect()
}

/// Whether a corrupt database was moved aside here before.
pub(super) fn has_damaged(path: &Path) -> bool {
    damaged(path).next().is_some()
}

/// Where the database that was at this path is now, if it was moved aside as corrupt.
pub(super) fn moved_aside(path: &Path, database: Option<FileId>) -> Option<PathBuf> {
    damaged(path).find(|path| database.is_some() && identity(path) == database)
}

/// The corrupt databases that were moved aside, with their additional files.
fn damaged(path: &Path) -> impl Iterator<Item = PathBuf> {
    let prefix = with(Path::new(path.file_name().unwrap_or_default()), DAMAGED).into_os_string();
    let entries = path.parent().map(fs::read_dir).into_iter().flatten().flatten().flatten();
    let is_damaged = move |name: &OsStr| name.as_encoded_bytes().starts_with(prefix.as_encoded_bytes());
    entries.filter(move |entry| is_damaged(&entry.file_name())).map(|entry| entry.path())
}

/// Checks that this user may read a file. Opening and closing it would release SQLite's locks.
pub(super) fn check_readable(path: &Path) -> Result<(), Error> {
    rustix::fs::access(path, rustix::fs::Access::READ_OK).map_err(|error| failed(path)(error.into()))
}

/// Checks that this user may read the log and the journal of a database, since SQLite's error would name the database.
pub(super) fn check_log_readable(path: &Path) -> Result<(), Error> {
    check_log_regular(path)?;
    logs(path).filter(|file| fs::metadata(file).is_ok()).try_for_each(|file| check_readable(&file))
}

/// Checks that the log and the journal of a database, if there are any, are regular files. SQLite would wait for a pipe.
pub(super) fn check_log_regular(path: &Path) -> Result<(), Error> {
    let is_other = |file: &PathBuf| fs::metadata(file).is_ok_and(|about| !about.is_file());
    logs(path).find(is_other).map_or(Ok(()), |file| Err(not_regular(&file)))
}

/// Where the log and the journal of a database are, if there are any.
fn logs(path: &Path) -> impl Iterator<Item = PathBuf> {
    ["-wal", JOURNAL].into_iter().map(move |suffix| with(path, suffix))
}

fn not_regular(path: &Path) -> Error {
    failed(path)(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
}

/// The identity of the file at a path; `None` if there is none.
pub(super) fn identity(path: &Path) -> Option<FileId> {
    fs::metadata(path).ok().map(|about| (about.dev(), about.ino()))
}

/// Identity, modification time and size of a database that no process has open (it has no log); `None` otherwise.
pub(super) fn closed_fingerprint(path: &Path) -> Option<(FileId, SystemTime, u64)> {
    let about = fs::metadata(path).ok().filter(|about| about.is_file())?;
    let path = fs::canonicalize(path).ok()?;
    let is_alone = ["-wal", "-journal"].iter().all(|suffix| fs::symlink_metadata(with(&path, suffix)).is_err());
    is_alone.then_some(((about.dev(), about.ino()), about.modified().ok()?, about.len()))
}

/// Whether changes of a database are only in its log, or it has to be rolled back.
pub(super) fn has_log(path: &Path) -> bool {
    let is_filled = |suffix: &str| fs::metadata(with(path, suffix)).is_ok_and(|about| about.len() > 0);
    ["-wal", JOURNAL].into_iter().any(is_filled)
}

/// The size of the log of a database; 0 if there is none.
pub(super) fn log_len(path: &Path) -> u64 {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    fs::metadata(with(&path, "-wal")).map_or(0, |about| about.len())
}

/// Copies a database with its log and journal into a directory. Returns the path of the copy.
pub(super) fn copy_to(path: &Path, directory: &Path) -> Result<PathBuf, Error> {
    let path = fs::canonicalize(path).map_err(failed(path))?;
    let copy = directory.join(FILE);
    for suffix in ["-wal", JOURNAL] {
        let file = with(&path, suffix);
        match copy_file(&file, &with(&copy, suffix)) {
            Err(Error::File { path, source }) if path == file && source.kind() == io::ErrorKind::NotFound => {}
            copied => copied?,
        }
    }
    copy_file(&path, &copy)?;
    Ok(copy)
}

/// Copies a file. The copy is writable, since SQLite would open a write-protected one read-only. An error names the
/// file, or the folder of the copy.
fn copy_file(from: &Path, to: &Path) -> Result<(), Error> {
    // Opening a pipe would block.
    if !fs::metadata(from).map_err(failed(from))?.is_file() {
        return Err(not_regular(from));
    }
    let mut source = File::open(from).map_err(failed(from))?;
    let folder = to.parent().unwrap_or(to);
    let mut options = OpenOptions::new();
    let mut copy = options.write(true).create_new(true).mode(0o600).open(to).map_err(failed(folder))?;
    io::copy(&mut source, &mut copy).map(drop).map_err(failed(folder))
}

/// Whether the database was emptied: it is empty but its log isn't, which SQLite would discard, or it was written long
/// after it was created. A process that is killed while creating the database leaves an empty one, too, but no later
/// time, and a journal that doesn't count as content.
pub(super) fn was_emptied(path: &Path) -> bool {
    let len = |path: &Path| fs::metadata(path).map_or(0, |about| about.len());
    let has_content = |suffix: &&str| {
        let file = with(path, suffix);
        len(&file) > 0 && !(**suffix == *JOURNAL && began_empty(&file))
    };
    let is_emptied = is_empty(len(path)) && (is_written_later(path) || SIDE_FILES.iter().any(has_content));
    // Without a lock, another process may have created the database in the meantime, with the log that was found.
    is_emptied && is_empty(len(path))
}

/// Whether SQLite treats a file of this length as an empty database. It writes a byte into a new file on some file
/// systems.
pub(super) fn is_empty(len: u64) -> bool {
    len <= 1
}

/// Whether the last write of a file is later than the creation of a database takes. `false` if the file system doesn't
/// record when files are created.
fn is_written_later(path: &Path) -> bool {
    const CREATION: Duration = Duration::from_mins(1);
    let times = fs::metadata(path).and_then(|about| Ok((about.created()?, about.modified()?)));
    times.is_ok_and(|(created, modified)| modified.duration_since(created).is_ok_and(|after| after > CREATION))
}

/// Whether, according to a rollback journal, the database had no pages before. Its header has their number.
fn began_empty(journal: &Path) -> bool {
    const PAGES: usize = 16;
    let mut header = [0; PAGES + 4];
    let read = File::open(journal).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok() && header.ends_with(&[0; 4])
}

/// Moves a database and its additional files aside and returns its new path. The log is moved first, so that the next
/// start after a kill can't find an old log with a new database.
pub(super) fn move_aside(path: &Path, now: UtcTime) -> Result<PathBuf, Error> {
    let aside = move_log_aside(path, now)?;
    fs::rename(path, &aside).map_err(failed(path))?;
    Ok(aside)
}

/// Moves the additional files of a database aside, and returns the path for the database itself.
pub(super) fn move_log_aside(path: &Path, now: UtcTime) -> Result<PathBuf, Error> {
    let aside = unused_path(path, &format!("{DAMAGED}{}", stamp(now)));
    for suffix in SIDE_FILES {
        match fs::rename(with(path, suffix), with(&aside, suffix)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(path)(error)),
            _ => {}
        }
    }
    Ok(aside)
}

/// Removes SQLite's additional files of a database that doesn't exist. Returns whether there were any.
pub(super) fn remove_side_files(path: &Path) -> Result<bool, Error> {
    let mut were_any = false;
    for file in SIDE_FILES.map(|suffix| with(path, suffix)) {
        match fs::remove_file(&file) {
            Ok(()) => were_any = true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(&file)(error)),
        }
    }
    Ok(were_any)
}

/// An unused path: the path with the suffix and, if necessary, a number.
pub(super) fn unused_path(path: &Path, suffix: &str) -> PathBuf {
    let taken = |path: &Path| {
        let mut all = std::iter::once(path.to_owned()).chain(SIDE_FILES.iter().map(|suffix| with(path, suffix)));
        all.any(|path| fs::symlink_metadata(path).is_ok())
    };
    let first = with(path, suffix);
    let mut numbered = (2_u32..).map(|number| with(path, &format!("{suffix}-{number}")));
    if taken(&first) { numbered.find(|path| !taken(path)).unwrap_or(first) } else { first }
}

/// Appends a suffix to a path.
fn with(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Formats a time for a file name: `20261122T021246Z`.
fn stamp(time: UtcTime) -> String {
    let text = time.to_string();
    let seconds = text.split('.').next().unwrap_or(&text).trim_end_matches('Z');
    seconds.chars().filter(|c| c.is_ascii_alphanumeric()).chain(['Z']).collect()
}

/// Whether a directory is on a network file system, where WAL doesn't work because its index is shared memory.
#[cfg(target_os = "linux")]
pub(super) fn is_network(path: &Path) -> bool {
    // statfs(2): NFS, SMB, SMB2, CIFS, 9P, AFS, Ceph, Coda, and FUSE (sshfs).
    const NETWORK: [u32; 9] =
        [0x6969, 0x517b, 0xfe53_4d42, 0xff53_4d42, 0x0102_1997, 0x5346_414f, 0x00c3_6400, 0x7375_7245, 0x6573_5546];
    // Sign and width of the field depend on the architecture; the magic numbers have 32 bits.
    rustix::fs::statfs(path).is_ok_and(|about| NETWORK.contains(&(about.f_type as u32)))
}

/// On other systems, SQLite detects it.
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
