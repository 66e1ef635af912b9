//! Converts a response body to text: UTF-8 as JSON requires (RFC 8259, section 8.1), or another charset from the byte
//! order mark or the `Content-Type`.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::client::request::Warning;

/// Returns the body as text, with a warning if it isn't UTF-8. Invalid bytes are replaced with U+FFFD. UTF-8 wins over a
/// declared charset, since many servers declare a wrong one.
pub(super) fn to_text<'a>(body: &'a [u8], content_type: Option<&str>) -> (Cow<'a, str>, Option<Warning>) {
    let declared = content_type.and_then(charset).and_then(|label| Encoding::for_label(label.as_bytes()));
    let is_utf_16 = declared.is_some_and(|declared| declared == UTF_16LE || declared == UTF_16BE);
    let marked = Encoding::for_bom(body).map(|(encoding, _)| encoding);
    let marked = marked.or_else(|| utf_16(body).filter(|_| is_utf_16)).filter(|encoding| *encoding != UTF_8);
    if marked.is_none()
        && let Ok(text) = std::str::from_utf8(body)
    {
        return (Cow::Borrowed(text), None);
    }
    let encoding = marked.or(declared).unwrap_or(UTF_8);
    let (text, _) = encoding.decode_without_bom_handling(body);
    let note =
        if encoding == UTF_8 { String::from("invalid bytes replaced") } else { format!("read as {}", encoding.name()) };
    (Cow::Owned(text.into_owned()), Some(format!("response is not UTF-8; {note}")))
}

/// UTF-16 without a byte order mark, by the zero bytes of its first two characters, which are ASCII in JSON.
fn utf_16(body: &[u8]) -> Option<&'static Encoding> {
    match body {
        [0, 1..=127, 0, 1..=127, ..] => Some(UTF_16BE),
        [1..=127, 0, 1..=127, 0, ..] => Some(UTF_16LE),
        _ => None,
    }
}

/// The `charset` parameter of a content type.
fn charset(content_type: &str) -> Option<&str> {
    let parameters = content_type.split(';').filter_map(|parameter| parameter.split_once('='));
    let mut charsets = parameters.filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
    charsets.next().map(|(_, label)| label.trim().trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn utf_16_is_detected_by_its_byte_order_mark() {
        let text = "\u{feff}{\"a\":\"日🔥\"}";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let (unmarked_little, unmarked_big) = (little[2..].to_vec(), big[2..].to_vec());
        for bytes in [unmarked_little, unmarked_big] {
            assert_eq!(
                to_text(&bytes, Some("application/json; charset=utf-16")).0,
                text.trim_start_matches('\u{feff}')
            );
        }
        for (bytes, name) in [(little, "UTF-16LE"), (big, "UTF-16BE")] {
            let (read, warning) = to_text(&bytes, Some("application/json; charset=utf-8"));
            assert_eq!((&*read, warning.unwrap()), (text, format!("response is not UTF-8; read as {name}")));
        }
    }

    #[test]
    fn declared_charset_is_used_if_the_body_is_not_utf_8() {
        for (content_type, expected, note) in [
            ("text/json; Charset=ISO-8859-1", "[\"café\"]", "read as windows-1252"),
            ("application/json;charset=\"latin1\"", "[\"café\"]", "read as windows-1252"),
            ("application/json; charset=windows-1251", "[\"cafй\"]", "read as windows-1251"),
            ("application/json; charset=unknown", "[\"caf\u{fffd}\"]", "invalid bytes replaced"),
            ("application/json", "[\"caf\u{fffd}\"]", "invalid bytes replaced"),
        ] {
            let (read, warning) = to_text(b"[\"caf\xe9\"]", Some(content_type));
            assert_eq!(
                (&*read, warning.unwrap()),
                (expected, format!("response is not UTF-8; {note}")),
                "{content_type}"
            );
        }
        let (read, warning) = to_text("[\"é\"]".as_bytes(), Some("text/json; charset=latin1"));
        assert_eq!((&*read, warning), ("[\"é\"]", None), "declared, but UTF-8");
    }

    proptest! {
        #[test]
        fn utf_8_is_unchanged(text in "[\\[{\"\u{feff}].*") {
            let (read, warning) = to_text(text.as_bytes(), Some("charset=latin1"));
            prop_assert_eq!((&*read, warning), (text.as_str(), None));
        }

        #[test]
        fn any_bytes_become_text(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = to_text(&bytes, Some("text/json; charset=shift_jis"));
        }
    }
}
