//! The file format of the snapshot.
//!
//! ```text
//! "satscope"   8 bytes
//! version      2 bytes, little endian
//! checksum     4 bytes, little endian: CRC-32 of the rest
//! source       text that identifies the source of the responses
//! responses    until the end of the file
//! ```

use super::codec::{Bytes, Codec as _, put_text};
use crate::app::store::Kept;

/// Version of the file format, including every encoded type. Increment it with any change of the encoding, so that
/// other versions of the program ignore the file.
pub(super) const VERSION: u16 = 4;

const MAGIC: &[u8; 8] = b"satscope";

/// Size of the header in bytes, up to and including the checksum.
const HEADER: usize = MAGIC.len() + 2 + 4;

/// Why a file is ignored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Invalid {
    /// Another file format.
    #[error("not a snapshot")]
    NotASnapshot,
    /// Written by an older or newer version of the program.
    #[error("format version {0}, expected {VERSION}")]
    Version(u16),
    /// Truncated or modified.
    #[error("file is damaged")]
    Damaged,
    /// Responses of another source.
    #[error("from another source")]
    OtherSource,
    /// Larger than any written file.
    #[error("larger than {0} bytes")]
    TooLarge(u64),
    /// A directory, pipe or device.
    #[error("not a regular file")]
    NotAFile,
}

/// Encodes responses of a source into a file of at most `max_bytes`. Responses that don't fit are left out. Returns the
/// file and the number of responses in it.
pub(super) fn encode<'a>(source: &str, kept: impl IntoIterator<Item = &'a Kept>, max_bytes: usize) -> (Vec<u8>, usize) {
    let mut file = vec![0; HEADER];
    put_text(source, &mut file);
    let mut count = 0;
    for kept in kept {
        let length = file.len();
        kept.put(&mut file);
        if file.len() <= max_bytes {
            count += 1;
        } else {
            file.truncate(length);
        }
    }
    let checksum = crc32fast::hash(file.get(HEADER..).unwrap_or_default());
    let head = MAGIC.iter().copied().chain(VERSION.to_le_bytes()).chain(checksum.to_le_bytes());
    for (to, byte) in file.iter_mut().zip(head) {
        *to = byte;
    }
    (file, count)
}

/// Decodes the responses of a file that pass the `keep` filter.
///
/// # Errors
/// The file is damaged, or of another version or source.
pub(super) fn decode(file: &[u8], source: &str, keep: impl Fn(&Kept) -> bool) -> Result<Vec<Kept>, Invalid> {
    let mut bytes = Bytes(file);
    if bytes.array() != Some(*MAGIC) {
        return Err(Invalid::NotASnapshot);
    }
    let version = u16::from_le_bytes(bytes.array().ok_or(Invalid::Damaged)?);
    if version != VERSION {
        return Err(Invalid::Version(version));
    }
    let checksum = u32::from_le_bytes(bytes.array().ok_or(Invalid::Damaged)?);
    if checksum != crc32fast::hash(bytes.0) {
        return Err(Invalid::Damaged);
    }
    decode_content(bytes, source, keep)
}

/// Decodes the part after the checksum.
fn decode_content(mut bytes: Bytes<'_>, source: &str, keep: impl Fn(&Kept) -> bool) -> Result<Vec<Kept>, Invalid> {
    if bytes.text().ok_or(Invalid::Damaged)? != source {
        return Err(Invalid::OtherSource);
    }
    let mut kept = Vec::new();
    while !bytes.is_empty() {
        kept.extend(Some(Kept::get(&mut bytes).ok_or(Invalid::Damaged)?).filter(&keep));
    }
    Ok(kept)
}

#[cfg(test)]
mod tests;
