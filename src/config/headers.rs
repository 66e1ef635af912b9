//! Extra headers of a group, such as API keys, from the file or an environment variable.

use reqwest::header::{HeaderName, HeaderValue};

use super::environment::Environment;
use super::error::short;
use super::value::{self, Raw};
use super::value_error::{HeaderError, ValueError};
use crate::client::config::Secret;

/// Sections whose keys are header names.
pub(super) const SECTIONS: [&str; 2] = ["source.market_headers", "source.indexer_headers"];

/// Headers that HTTP sets itself: connection, framing, conditions, ranges, encodings. Overriding them would break the
/// connection or change the meaning of the request.
const RESERVED: [&str; 24] = [
    "accept-encoding",
    "accept-ranges",
    "connection",
    "content-encoding",
    "content-length",
    "content-range",
    "expect",
    "host",
    "http2-settings",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "keep-alive",
    "max-forwards",
    "proxy-authorization",
    "proxy-connection",
    "range",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "via",
];

/// Sets a header. The value `env:NAME` refers to an environment variable. Errors never contain the value.
pub(super) fn set(
    list: &mut Vec<(String, Secret)>,
    name: &str,
    raw: &Raw,
    environment: &Environment,
) -> Result<(), ValueError> {
    let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| HeaderError::Name)?;
    if RESERVED.contains(&name.as_str()) {
        return Err(HeaderError::Reserved.into());
    }
    let text = value::text(raw)?;
    let text = match text.strip_prefix("env:") {
        None => text,
        Some(variable) => environment
            .get(variable)
            .ok_or_else(|| ValueError::Variable { name: short(variable).into_owned(), user: "header" })?,
    };
    HeaderValue::from_str(text.trim()).map_err(|_| HeaderError::Value)?;
    list.retain(|(known, _)| !known.eq_ignore_ascii_case(name.as_str()));
    list.push((name.as_str().to_owned(), Secret(text.trim().to_owned())));
    Ok(())
}
