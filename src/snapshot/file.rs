//! A file of the snapshot as bytes.
//!
//! ```text
//! "satscope"   8 bytes
//! version      2 bytes, little endian
//! checksum     4 bytes, little endian: CRC-32 of all that follows
//! source       text: whose answers these are
//! answers      one after the other, to the end
//! ```

use super::bytes::{Bytes, Form as _, put_text};
use crate::app::store::Kept;
use crate::memory::Memory;

/// The form of the file and of all that is in it. To be counted up with any change of a form, so that an older or newer
/// program does not take one thing for another.
pub(super) const VERSION: u16 = 1;

const MAGIC: &[u8; 8] = b"satscope";

/// Bytes before what the checksum is of.
const HEAD: usize = MAGIC.len() + 2 + 4;

/// Why a file is not used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unusable {
    /// Something else.
    #[error("it is no snapshot")]
    NotOurs,
    /// Written by an older or newer program.
    #[error("its form is of version {0}, this program's is {VERSION}")]
    Version(u16),
    /// Truncated or changed.
    #[error("it is damaged")]
    Damaged,
    /// Answers of another service, or asked for otherwise.
    #[error("it is of another source")]
    Foreign,
    /// Larger than any that is written.
    #[error("it is larger than {0} bytes")]
    TooLarge(u64),
    /// A directory, a pipe, a device.
    #[error("it is no file")]
    NoFile,
}

/// Puts answers of a source into a file of at most `most` bytes. What does not fit is left out, the later rather than
/// the earlier; the number of answers that are in comes with the bytes.
pub(super) fn seal<'a>(source: &str, kept: impl IntoIterator<Item = &'a Kept>, most: usize) -> (Memory, usize) {
    let mut part = vec![0; HEAD];
    put_text(source, &mut part);
    let mut file = Memory::new(most);
    let mut count = 0;
    if file.push(&part) {
        for kept in kept {
            part.clear();
            kept.put(&mut part);
            count += usize::from(file.push(&part));
        }
    }
    let checksum = crc32fast::hash(file.get(HEAD..).unwrap_or_default());
    let head = MAGIC.iter().copied().chain(VERSION.to_le_bytes()).chain(checksum.to_le_bytes());
    for (to, byte) in file.iter_mut().zip(head) {
        *to = byte;
    }
    (file, count)
}

/// Takes those answers of a source out of a file that are to be kept.
///
/// # Errors
/// The file is not a whole one of this version and source.
pub(super) fn open(file: &[u8], source: &str, keep: impl Fn(&Kept) -> bool) -> Result<Vec<Kept>, Unusable> {
    let mut bytes = Bytes(file);
    if bytes.array() != Some(*MAGIC) {
        return Err(Unusable::NotOurs);
    }
    let version = u16::from_le_bytes(bytes.array().ok_or(Unusable::Damaged)?);
    if version != VERSION {
        return Err(Unusable::Version(version));
    }
    let checksum = u32::from_le_bytes(bytes.array().ok_or(Unusable::Damaged)?);
    if checksum != crc32fast::hash(bytes.0) {
        return Err(Unusable::Damaged);
    }
    content(bytes, source, keep)
}

/// What follows the checksum.
fn content(mut bytes: Bytes<'_>, source: &str, keep: impl Fn(&Kept) -> bool) -> Result<Vec<Kept>, Unusable> {
    if bytes.text().ok_or(Unusable::Damaged)? != source {
        return Err(Unusable::Foreign);
    }
    let mut kept = Vec::new();
    while !bytes.is_empty() {
        kept.extend(Some(Kept::get(&mut bytes).ok_or(Unusable::Damaged)?).filter(&keep));
    }
    Ok(kept)
}

#[cfg(test)]
mod tests;
