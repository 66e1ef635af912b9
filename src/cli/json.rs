//! `--format json`: one object on one line. Text is unchanged; control and invisible characters are escaped as
//! `\uXXXX`.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::model::text;

/// Writes a value and a newline.
pub(super) fn write(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    // Errors can only come from the writer, since the model is always serialisable.
    value.serialize(&mut Serializer::with_formatter(&mut *out, Escaping)).map_err(io::Error::from)?;
    out.write_all(b"\n")
}

/// Compact JSON with control and invisible characters escaped.
struct Escaping;

impl Formatter for Escaping {
    /// The serializer itself escapes quotes, backslashes and the control characters below U+0020.
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        if fragment.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return writer.write_all(fragment.as_bytes());
        }
        for (piece, hidden) in text::split_hidden(fragment) {
            writer.write_all(piece.as_bytes())?;
            for unit in hidden.into_iter().flat_map(|hidden| hidden.encode_utf16(&mut [0; 2]).to_vec()) {
                write!(writer, "\\u{unit:04x}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn any_text_round_trips_without_invisible_characters(text: String) {
            let mut written = Vec::new();
            write(&mut written, &text).unwrap();
            let written = String::from_utf8(written).unwrap();
            let line = written.strip_suffix('\n').unwrap();
            proptest::prop_assert!(!line.chars().any(char::is_control), "{}", line);
            proptest::prop_assert_eq!(serde_json::from_str::<String>(line).unwrap(), text);
        }
    }

    #[test]
    fn invisible_characters_are_escaped() {
        let mut written = Vec::new();
        write(&mut written, &"a\u{1b}[2J\u{9b}\u{202e}é\u{301}\u{e0041}\u{7f}").unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), "\"a\\u001b[2J\\u009b\\u202eé\u{301}\\udb40\\udc41\\u007f\"\n");
    }
}
