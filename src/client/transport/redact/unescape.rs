//! Unescapes a string and tracks the position of each byte in the original.

use std::ops::Range;

/// The bytes of a string with their ranges in the original.
pub(super) struct View {
    bytes: Vec<(u8, Range<usize>)>,
}

impl View {
    /// The text without changes.
    pub(super) fn of(text: &str) -> View {
        View { bytes: text.bytes().enumerate().map(|(at, byte)| (byte, at..at + 1)).collect() }
    }

    /// The bytes in ASCII lower case.
    pub(super) fn lowercase(&self) -> Vec<u8> {
        self.bytes.iter().map(|(byte, _)| byte.to_ascii_lowercase()).collect()
    }

    /// Maps a range of bytes to the original.
    pub(super) fn place(&self, start: usize, end: usize) -> Option<(usize, usize)> {
        let (_, first) = self.bytes.get(start)?;
        let (_, last) = self.bytes.get(end.checked_sub(1)?)?;
        Some((first.start, last.end))
    }

    /// Removes one level of URL (`%2F`), JSON (`\/`, `\u002f`) and HTML (`&amp;`, `&#47;`) escapes; `None` if there are
    /// none.
    pub(super) fn unescaped(&self) -> Option<View> {
        let plain: Vec<u8> = self.bytes.iter().map(|(byte, _)| *byte).collect();
        let mut bytes = Vec::with_capacity(plain.len());
        let mut at = 0;
        let mut has_escapes = false;
        while let Some((byte, place)) = self.bytes.get(at) {
            let escape = plain.get(at..).and_then(escape);
            let Some((meaning, length)) = escape else {
                bytes.push((*byte, place.clone()));
                at += 1;
                continue;
            };
            let (start, end) = self.place(at, at + length)?;
            bytes.extend(meaning.bytes().into_iter().map(|byte| (byte, start..end)));
            has_escapes = true;
            at += length;
        }
        has_escapes.then_some(View { bytes })
    }
}

/// The value of an escape sequence.
enum Unescaped {
    Byte(u8),
    Char(char),
}

impl Unescaped {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Unescaped::Byte(byte) => vec![*byte],
            Unescaped::Char(c) => c.to_string().into_bytes(),
        }
    }
}

/// Parses an escape sequence at the start; returns its value and length.
fn escape(text: &[u8]) -> Option<(Unescaped, usize)> {
    let ascii = |range: Range<usize>| str::from_utf8(text.get(range)?).ok();
    let hex = |range: Range<usize>| {
        let digits = ascii(range).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
        u32::from_str_radix(digits, 16).ok()
    };
    match text {
        [b'%', ..] => Some((Unescaped::Byte(u8::try_from(hex(1..3)?).ok()?), 3)),
        [b'\\', b'u', ..] => Some((Unescaped::Char(char::from_u32(hex(2..6)?)?), 6)),
        [b'\\', byte @ (b'/' | b'"' | b'\\'), ..] => Some((Unescaped::Byte(*byte), 2)),
        [b'&', ..] => {
            let end = text.iter().take(10).position(|byte| *byte == b';')?;
            let c = match ascii(1..end)? {
                "amp" => '&',
                "lt" => '<',
                "gt" => '>',
                "quot" => '"',
                "apos" => '\'',
                name => match name.strip_prefix("#x").or_else(|| name.strip_prefix("#X")) {
                    Some(digits) => char::from_u32(u32::from_str_radix(digits, 16).ok()?)?,
                    None => char::from_u32(name.strip_prefix('#')?.parse().ok()?)?,
                },
            };
            Some((Unescaped::Char(c), end + 1))
        }
        _ => None,
    }
}
