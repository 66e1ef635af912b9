//! The header of a database file, read without disturbing SQLite.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use parking_lot::Mutex;

use super::files::{self, FileId};

/// The first bytes of a database.
pub(super) const MAGIC: &[u8] = b"SQLite format 3\0";

/// The bytes that are read: all that tell whether a file is a database, and of which kind.
const LENGTH: usize = 20;

/// The databases whose headers were read. They stay open, since closing a file releases the locks that SQLite has on it
/// in this process.
static OPEN: Mutex<Vec<(FileId, File)>> = Mutex::new(Vec::new());

/// The first bytes of the file at a path; `None` if it is shorter.
fn read(path: &Path) -> io::Result<Option<[u8; LENGTH]>> {
    let path = fs::canonicalize(path)?;
    let id = files::identity(&path).ok_or(io::ErrorKind::NotFound)?;
    let mut open = OPEN.lock();
    if open.iter().all(|(known, _)| *known != id) {
        // Opening a pipe would block.
        if !fs::metadata(&path)?.is_file() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        open.push((id, File::open(path)?));
    }
    let mut header = [0; LENGTH];
    let (_, file) = open.iter().find(|(known, _)| *known == id).ok_or(io::ErrorKind::NotFound)?;
    match file.read_exact_at(&mut header, 0) {
        Ok(()) => Ok(Some(header)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether a database is a copy by `VACUUM INTO` that was not opened since. Opening it turns on WAL before it creates a
/// log.
pub(super) fn is_copy(path: &Path) -> bool {
    /// The version of the file format for writing, without WAL.
    const ROLLBACK: u8 = 1;
    let version = read(path).ok().flatten().and_then(|header| header.get(18).copied());
    version == Some(ROLLBACK)
}

/// Whether the file at a path is certainly no longer a database: without its first bytes, or shorter than a page. SQLite
/// would notice the loss of a file that it has open only when it reads a page that it has neither cached nor in its log.
/// A file that can't be read may be sound.
pub(super) fn is_lost(path: &Path) -> bool {
    let header = match read(path) {
        Ok(Some(header)) => header,
        Ok(None) => return true,
        Err(_) => return false,
    };
    let page = match header.get(16..18) {
        // 65,536 doesn't fit into the two bytes.
        Some([0, 1]) => 65_536,
        Some([high, low]) => u64::from(u16::from_be_bytes([*high, *low])),
        _ => return true,
    };
    !header.starts_with(MAGIC) || fs::metadata(path).is_ok_and(|about| about.len() < page)
}
