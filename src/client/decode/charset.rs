//! The bytes of an answer as text: UTF-8 as JSON must be, or what servers send in its place.

use std::borrow::Cow;

use crate::client::Warning;

/// The body as text, and a warning where it is not UTF-8.
pub(super) fn to_text<'a>(body: &'a [u8], content_type: Option<&str>) -> (Cow<'a, str>, Option<Warning>) {
    let (text, name) = if let Some(wide) = WIDE.iter().find(|wide| wide.begins(body)) {
        (wide.read(body), wide.name)
    } else if let Ok(text) = std::str::from_utf8(body) {
        // Much faster than the lossy reading, and nearly always enough.
        return (Cow::Borrowed(text), None);
    } else if is_latin(content_type.unwrap_or_default()) {
        (body.iter().copied().map(char::from).collect(), "was read as Latin-1")
    } else {
        (String::from_utf8_lossy(body).into_owned(), "its bytes that are none were replaced")
    };
    (Cow::Owned(text), Some(format!("the answer is not UTF-8; {name}")))
}

fn is_latin(content_type: &str) -> bool {
    let charset = content_type.to_ascii_lowercase();
    ["charset=iso-8859-1", "charset=latin1", "charset=windows-1252"].iter().any(|name| charset.contains(name))
}

/// A charset whose units have several bytes.
struct Wide {
    /// Bytes of a unit.
    width: usize,
    little_endian: bool,
    name: &'static str,
}

/// The longer ones first: what begins UTF-32 also begins UTF-16.
const WIDE: [Wide; 4] = [
    Wide { width: 4, little_endian: true, name: "was read as UTF-32" },
    Wide { width: 4, little_endian: false, name: "was read as UTF-32" },
    Wide { width: 2, little_endian: true, name: "was read as UTF-16" },
    Wide { width: 2, little_endian: false, name: "was read as UTF-16" },
];

impl Wide {
    /// Whether the body begins with this charset's byte order mark, or else with two characters of ASCII, as all JSON
    /// does: then the zero bytes between them tell (RFC 4627, section 3).
    fn begins(&self, body: &[u8]) -> bool {
        let mut units = self.units(body);
        let (first, second) = (units.next(), units.next());
        let is_ascii = |unit: Option<u32>| unit.is_some_and(|unit| (1..0x80).contains(&unit));
        first == Some(0xfeff) || is_ascii(first) && is_ascii(second)
    }

    fn read(&self, body: &[u8]) -> String {
        let known = |read: Option<char>| read.unwrap_or(char::REPLACEMENT_CHARACTER);
        match self.width {
            2 => char::decode_utf16(self.units(body).map(|unit| unit as u16)).map(|read| known(read.ok())).collect(),
            _ => self.units(body).map(|unit| known(char::from_u32(unit))).collect(),
        }
    }

    fn units<'b>(&self, body: &'b [u8]) -> impl Iterator<Item = u32> + use<'b> {
        let little_endian = self.little_endian;
        body.chunks_exact(self.width).map(move |unit| {
            let join = |unit: u32, byte: &u8| unit * 256 + u32::from(*byte);
            if little_endian { unit.iter().rev().fold(0, join) } else { unit.iter().fold(0, join) }
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    fn utf32(text: &str, bytes: fn(u32) -> [u8; 4]) -> Vec<u8> {
        text.chars().map(u32::from).flat_map(bytes).collect()
    }

    #[test]
    fn wide_charsets_are_known_by_their_marks_or_zero_bytes() {
        for text in ["{\"a\":\"日🔥\"}", "[]", "\u{feff}{}", "\u{feff}7"] {
            for (bytes, name) in [
                (utf16(text, u16::to_le_bytes), "UTF-16"),
                (utf16(text, u16::to_be_bytes), "UTF-16"),
                (utf32(text, u32::to_le_bytes), "UTF-32"),
                (utf32(text, u32::to_be_bytes), "UTF-32"),
            ] {
                let (read, warning) = to_text(&bytes, Some("application/json; charset=utf-8"));
                assert_eq!((&*read, warning), (text, Some(format!("the answer is not UTF-8; was read as {name}"))));
            }
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced_and_latin_1_is_believed() {
        let (read, warning) = to_text(b"[\"caf\xe9\"]", Some("text/json; Charset=ISO-8859-1"));
        assert_eq!((&*read, warning.unwrap().as_str()), ("[\"café\"]", "the answer is not UTF-8; was read as Latin-1"));
        let (read, warning) = to_text(b"[\"caf\xe9\"]", None);
        assert_eq!(&*read, "[\"caf\u{fffd}\"]");
        assert_eq!(warning.unwrap(), "the answer is not UTF-8; its bytes that are none were replaced");
        let (read, _) = to_text(b"\xff\xfe\x00\xd8{\x00\x01", None);
        assert_eq!(&*read, "\u{feff}\u{fffd}{", "half a pair and half a unit");
    }

    #[test]
    fn one_zero_byte_makes_no_wide_charset() {
        for text in ["[1,\0]", "[\u{0}1]", "[1,2\0\0\0]"] {
            assert_eq!(to_text(text.as_bytes(), None), (text.into(), None));
        }
    }

    proptest! {
        #[test]
        fn what_is_utf_8_stays_as_it_is(text in "[\\[{\"][^\u{0}]*") {
            let (read, warning) = to_text(text.as_bytes(), None);
            prop_assert_eq!((&*read, warning), (text.as_str(), None));
        }

        #[test]
        fn any_bytes_are_harmless(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = to_text(&bytes, Some("charset=latin1"));
        }
    }
}
