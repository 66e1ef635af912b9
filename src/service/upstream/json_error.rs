//! What is wrong with JSON that can't be read.

use std::fmt;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::error::Category;

use super::error::{SourceError, SourceResult};
use crate::client::ErrorKind;
use crate::model::text;

/// Maximum names of fields in a reason.
const MAX_NAMES: usize = 4;

/// The error of a body: cut off, not JSON, or of another form. The message of `error` would quote the body, which may
/// be long.
pub(super) fn unreadable<T>(body: &[u8], error: &serde_json::Error) -> SourceResult<T> {
    let place = format!("line {}, column {}", error.line(), error.column());
    Err(match error.classify() {
        // An empty body isn't truncated JSON.
        Category::Eof if !body.trim_ascii().is_empty() => SourceError::from(ErrorKind::Incomplete),
        Category::Eof => SourceError::unexpected_format("an empty response"),
        Category::Syntax | Category::Io => SourceError::unexpected_format(format!("not JSON ({place})")),
        Category::Data => SourceError::unexpected_format(description(body)),
    })
}

/// What a body of valid JSON is. Only the names of the first fields are stored: a body may have many millions of
/// values.
fn description(body: &[u8]) -> String {
    let body = body.trim_ascii();
    let kind = match body.first() {
        Some(b'{') => return of_object(body),
        Some(b'[') if body.get(1..).unwrap_or_default().trim_ascii_start().starts_with(b"]") => "an empty list",
        Some(b'[') => "a list",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    };
    kind.to_owned()
}

fn of_object(body: &[u8]) -> String {
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    let Ok(FieldNames { names, has_more }) = FieldNames::deserialize(&mut deserializer) else {
        return String::from("an object");
    };
    let more = if has_more { ", …" } else { "" };
    match names.len() {
        0 => String::from("an empty object"),
        1 => format!("an object with the field {}", names.concat()),
        _ => format!("an object with the fields {}{more}", names.join(", ")),
    }
}

/// The names of an object's first fields.
struct FieldNames {
    names: Vec<String>,
    has_more: bool,
}

impl<'de> Deserialize<'de> for FieldNames {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<FieldNames, D::Error> {
        deserializer.deserialize_map(FieldNames { names: Vec::new(), has_more: false })
    }
}

impl<'de> Visitor<'de> for FieldNames {
    type Value = FieldNames;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<FieldNames, A::Error> {
        while let Some((name, IgnoredAny)) = map.next_entry::<String, IgnoredAny>()? {
            if self.names.len() < MAX_NAMES {
                self.names.push(text::cut(text::clean(&name), 30).into_owned());
            } else {
                self.has_more = true;
            }
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::super::Response;

    #[derive(Debug, Deserialize)]
    struct Rates {
        #[serde(rename = "rates")]
        _rates: Vec<f64>,
    }

    #[test]
    fn reason_says_what_was_found() {
        for (body, expected) in [
            (r#"{"rates":[1.5,"#, "Response ended early"),
            ("", "Unknown response format: an empty response"),
            ("null", "Unknown response format: null"),
            ("{}", "Unknown response format: an empty object"),
            (r#""ok""#, "Unknown response format: a string"),
            (r#"{"rates":{}}"#, "Unknown response format: an object with the field rates"),
            (r#"{"a":1,"b":1,"c":1,"d":1,"e":1}"#, "Unknown response format: an object with the fields a, b, c, d, …"),
            ("{]", "Unknown response format: not JSON (line 1, column 2)"),
        ] {
            let error = Response::of(200, &[], body).json::<Rates>().unwrap_err();
            assert_eq!(error.reason, expected, "{body}");
        }
    }
}
