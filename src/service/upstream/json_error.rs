//! What is wrong with JSON that can't be read.

use serde_json::Value;
use serde_json::error::Category;

use super::error::{SourceError, SourceResult};
use crate::client::ErrorKind;
use crate::model::text;

/// Maximum names of fields in a reason.
const MAX_NAMES: usize = 4;

/// The error of a body: cut off, not JSON, or of another form. The message of `error` would quote the body, which may be
/// long.
pub(super) fn unreadable<T>(body: &[u8], error: &serde_json::Error) -> SourceResult<T> {
    let place = format!("line {}, column {}", error.line(), error.column());
    Err(match error.classify() {
        // An empty body has ended before it began, but is no part of anything.
        Category::Eof if !body.trim_ascii().is_empty() => SourceError::from(ErrorKind::Incomplete),
        Category::Eof => SourceError::unexpected_format("an empty response"),
        Category::Syntax | Category::Io => SourceError::unexpected_format(format!("not JSON ({place})")),
        Category::Data => match serde_json::from_slice(body) {
            Ok(value) => SourceError::unexpected_format(description(&value)),
            Err(_) => SourceError::unexpected_format(place),
        },
    })
}

fn description(value: &Value) -> String {
    let names = match value {
        Value::Null => return String::from("null"),
        Value::Bool(_) => return String::from("true or false"),
        Value::Number(_) => return String::from("a number"),
        Value::String(_) => return String::from("a text"),
        Value::Array(items) if items.is_empty() => return String::from("an empty list"),
        Value::Array(_) => return String::from("a list"),
        Value::Object(fields) => fields.keys().map(|name| text::cut(text::clean(name), 30)),
    };
    let more = if names.len() > MAX_NAMES { ", …" } else { "" };
    let names: Vec<_> = names.take(MAX_NAMES).collect();
    match names.len() {
        0 => String::from("an empty object"),
        1 => format!("an object with the field {}", names.join("")),
        _ => format!("an object with the fields {}{more}", names.join(", ")),
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
            (r#""ok""#, "Unknown response format: a text"),
            (r#"{"rates":{}}"#, "Unknown response format: an object with the field rates"),
            (r#"{"a":1,"b":1,"c":1,"d":1,"e":1}"#, "Unknown response format: an object with the fields a, b, c, d, …"),
            ("{]", "Unknown response format: not JSON (line 1, column 2)"),
        ] {
            let error = Response::of(200, &[], body).json::<Rates>().unwrap_err();
            assert_eq!(error.reason, expected, "{body}");
        }
    }
}
