//! The text of a file.

use std::borrow::Cow;

use super::contents::FileError;

/// The bytes of a file as UTF-8, without a byte order mark: UTF-16 with one, such as Excel's "Unicode Text", is converted.
/// Other bytes are unchanged, since a single line that is not UTF-8 is reported with the other invalid lines.
///
/// # Errors
/// It is UTF-16 with invalid characters or without a mark.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, [u8]>, FileError> {
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => Ok(Cow::Borrowed(rest)),
        [0xff, 0xfe, rest @ ..] => from_utf16(rest, u16::from_le_bytes).map(Cow::Owned),
        [0xfe, 0xff, rest @ ..] => from_utf16(rest, u16::from_be_bytes).map(Cow::Owned),
        // The first character of a header or of JSON is ASCII, which UTF-16 pads with NUL.
        [0, _, ..] | [_, 0, ..] => Err(FileError::NotText { line: 1 }),
        _ => Ok(Cow::Borrowed(bytes)),
    }
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
