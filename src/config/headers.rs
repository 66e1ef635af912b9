//! Extra headers of a group: secrets, from the file or from the environment variable that the file names.

use reqwest::header::{HeaderName, HeaderValue};

use super::error::short;
use super::{Environment, Raw, value};
use crate::client::config::Secret;

/// Headers that belong to HTTP itself: the connection, its framing, conditions, ranges and packing. Set by hand they break
/// the connection or make the service answer something else than what is asked.
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

/// Sets one header. A value `env:NAME` stands for that environment variable. No error repeats a value.
pub(super) fn set(
    list: &mut Vec<(String, Secret)>,
    name: &str,
    raw: &Raw,
    environment: &Environment,
) -> Result<(), String> {
    let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| String::from("not a header's name"))?;
    if RESERVED.contains(&name.as_str()) {
        return Err(String::from("HTTP sets this header itself; remove it"));
    }
    let text = value::text(raw)?;
    let text = match text.strip_prefix("env:") {
        None => text,
        Some(variable) => environment.get(variable).ok_or_else(|| {
            format!("the environment variable {:?} is not set; set it, or remove the header", short(variable))
        })?,
    };
    HeaderValue::from_str(text.trim()).map_err(|_| String::from("the value holds a character that no header can"))?;
    list.retain(|(known, _)| !known.eq_ignore_ascii_case(name.as_str()));
    list.push((name.as_str().to_owned(), Secret(text.trim().to_owned())));
    Ok(())
}
