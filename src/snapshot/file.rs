//! The file format of the snapshot.
//!
//! ```text
//! "satscope"   8 bytes
//! version      2 bytes, little endian
//! checksum     4 bytes, little endian: CRC-32 of the rest
//! source       text that identifies the source of the responses
//! responses    until the end of the file
//! ```
//!
//! Source and responses are encoded by postcard.

use crate::app::responses::CachedResponse;

/// Version of the file format, including every encoded type. Increment it with any change of a type, so that other
/// versions of the program ignore the file.
pub(super) const VERSION: u16 = 16;

const MAGIC: &[u8; 8] = b"satscope";

/// Maximum rows of a response. Sums over all pages of a list must not overflow.
const MAX_ROWS: usize = 1_000_000;

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

/// Encodes responses of a source into a file of at most `max_bytes`. Responses that don't fit are omitted. Returns the
/// file and the number of responses in it.
///
/// # Errors
/// A type that postcard doesn't support.
pub(super) fn encode<'a>(
    source: &str,
    kept: impl IntoIterator<Item = &'a CachedResponse>,
    max_bytes: usize,
) -> postcard::Result<(Vec<u8>, usize)> {
    let mut file = postcard::to_extend(source, vec![0; HEADER])?;
    let mut count = 0;
    for kept in kept {
        let length = file.len();
        file = postcard::to_extend(kept, file)?;
        if file.len() <= max_bytes {
            count += 1;
        } else {
            file.truncate(length);
        }
    }
    let checksum = crc32fast::hash(file.get(HEADER..).unwrap_or_default());
    let header = MAGIC.iter().copied().chain(VERSION.to_le_bytes()).chain(checksum.to_le_bytes());
    file.splice(..HEADER, header);
    Ok((file, count))
}

/// Decodes the responses of a file that pass the `keep` filter.
///
/// # Errors
/// The file is damaged, or of another version or source.
pub(super) fn decode(
    file: &[u8],
    source: &str,
    keep: impl Fn(&CachedResponse) -> bool,
) -> Result<Vec<CachedResponse>, Invalid> {
    let content = file.strip_prefix(MAGIC).ok_or(Invalid::NotASnapshot)?;
    let (version, content) = content.split_first_chunk().ok_or(Invalid::Damaged)?;
    let version = u16::from_le_bytes(*version);
    if version != VERSION {
        return Err(Invalid::Version(version));
    }
    let (checksum, content) = content.split_first_chunk().ok_or(Invalid::Damaged)?;
    if u32::from_le_bytes(*checksum) != crc32fast::hash(content) {
        return Err(Invalid::Damaged);
    }
    decode_content(content, source, keep)
}

/// Decodes the part after the checksum.
fn decode_content(
    content: &[u8],
    source: &str,
    keep: impl Fn(&CachedResponse) -> bool,
) -> Result<Vec<CachedResponse>, Invalid> {
    let (actual, mut rest) = postcard::take_from_bytes::<&str>(content).map_err(|_| Invalid::Damaged)?;
    if actual != source {
        return Err(Invalid::OtherSource);
    }
    let mut all = Vec::new();
    while !rest.is_empty() {
        let (kept, after): (CachedResponse, _) = postcard::take_from_bytes(rest).map_err(|_| Invalid::Damaged)?;
        rest = after;
        if kept.receipt.rows <= MAX_ROWS && keep(&kept) {
            all.push(kept);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests;
