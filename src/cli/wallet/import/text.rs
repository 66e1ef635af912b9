//! The text of a file.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

use super::contents::FileError;

/// The text of a file.
pub(super) struct Decoded<'a> {
    /// UTF-8 without a byte order mark. A single line that is not UTF-8 is unchanged, and reported with the other
    /// invalid lines.
    pub(super) bytes: Cow<'a, [u8]>,
    /// A note on an encoding that the file doesn't state.
    pub(super) note: Option<&'static str>,
}

/// Decodes a file: UTF-8, UTF-16 with a byte order mark, such as Excel's "Unicode Text", or Windows-1252, such as
/// Excel's "CSV".
///
/// # Errors
/// It is UTF-16 with invalid characters or without a mark.
pub(super) fn decode(bytes: &[u8]) -> Result<Decoded<'_>, FileError> {
    let bytes = match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => Cow::Borrowed(rest),
        [0xff, 0xfe, rest @ ..] => Cow::Owned(from_utf16(rest, u16::from_le_bytes)?),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(from_utf16(rest, u16::from_be_bytes)?),
        // The first character of a header or of JSON is ASCII, which UTF-16 pads with NUL.
        [0, _, ..] | [_, 0, ..] => return Err(FileError::NotText { line: 1 }),
        _ => match from_windows_1252(bytes) {
            Some(text) => {
                let note = Some("not UTF-8, so read as Windows-1252 (check accented letters)");
                return Ok(Decoded { bytes: Cow::Owned(text.into_bytes()), note });
            }
            None => Cow::Borrowed(bytes),
        },
    };
    Ok(Decoded { bytes, note: None })
}

/// The text, if it is plausible in this encoding: no character is UTF-8 with several bytes, and all are defined.
fn from_windows_1252(bytes: &[u8]) -> Option<String> {
    if str::from_utf8(bytes).is_ok() || !bytes.utf8_chunks().all(|chunk| chunk.valid().is_ascii()) {
        return None;
    }
    let text = WINDOWS_1252.decode_without_bom_handling(bytes).0;
    let is_undefined = |char: char| ('\u{80}'..'\u{a0}').contains(&char);
    (!text.contains(is_undefined)).then(|| text.into_owned())
}

fn from_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Vec<u8>, FileError> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(pairs.len());
    let invalid = |text: &str| FileError::NotText { line: line_at(text.as_bytes(), text.len()) };
    for char in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        text.push(char.map_err(|_| invalid(&text))?);
    }
    if rest.is_empty() { Ok(text.into_bytes()) } else { Err(invalid(&text)) }
}

/// The line of a byte, from 1.
pub(super) fn line_at(bytes: &[u8], offset: usize) -> u64 {
    let before = bytes.get(..offset).unwrap_or(bytes);
    let ends = before.iter().enumerate().filter(|(at, byte)| match byte {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    1 + u64::try_from(ends.count()).unwrap_or(u64::MAX - 1)
}
