//! The errors in UniSat's responses.

use std::time::Duration;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use crate::service::providers::lenient;
use crate::service::upstream::Response;
use crate::service::upstream::error::{ErrorClass, ReasonKind, SourceError};

/// The class of refusals that don't say how long to wait. The server sometimes refuses valid keys, with the same errors as
/// for a used-up quota, so the pause is no longer than for requests without a key.
const REFUSED: ErrorClass = ErrorClass::RateLimited(Some(Duration::from_hours(1)));

#[derive(Deserialize)]
struct ErrorBody {
    #[serde(default, deserialize_with = "lenient::code")]
    code: Option<i64>,
    #[serde(default, deserialize_with = "lenient::message")]
    msg: Option<String>,
    /// `Some(None)`: null.
    #[serde(default, deserialize_with = "present")]
    data: Option<Option<IgnoredAny>>,
}

/// Reads a field that is there, although it may be null.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<IgnoredAny>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// A code other than 0 is an error, even with status 200. So is a response without data, which would be mistaken for an
/// empty list; null may stand for an unknown item.
pub(super) fn api_error(response: &Response) -> Option<SourceError> {
    let is_success = (200..300).contains(&response.status());
    match response.first_byte() {
        Some(b'{') => {}
        Some(b'[') if is_success => return Some(SourceError::unexpected_format("expected an object")),
        _ => return None,
    }
    let ErrorBody { code, msg, data } = serde_json::from_slice(response.body()).ok()?;
    let Some(code) = code.filter(|code| *code != 0) else {
        return match data {
            None if is_success => Some(SourceError::unexpected_format("no data")),
            Some(None) if is_success => Some(SourceError::empty("response")),
            _ if response.status() == 403 => {
                let message = response.message().map(str::to_owned);
                Some(SourceError { class: REFUSED, ..SourceError::by_status(403, message, None, false) })
            }
            _ => None,
        };
    };
    let message = msg.filter(|msg| !msg.trim().is_empty());
    let reason = message.map_or_else(|| format!("error {code}"), |msg| format!("error {code}: {msg}"));
    let class = match (response.status(), code) {
        (401, _) => ErrorClass::InvalidKey,
        (429, _) => ErrorClass::RateLimited(response.retry_after()),
        (451, _) => ErrorClass::Blocked,
        (_, -2003) => {
            let reason = format!("{reason} (used up, or a key for another network)");
            return Some(SourceError::new(REFUSED, reason));
        }
        (..500, -3999..=-3000 | -1) if is_about_address(&reason) => ErrorClass::Rejected,
        // The codes of general and of BRC-20 errors. Only the message says whether the item is unknown.
        (..500, -3999..=-3000 | -1) if is_about_item(&reason) => ErrorClass::NotFound,
        (403, _) => REFUSED,
        (status, _) if !(200..300).contains(&status) => {
            let SourceError { class, .. } = SourceError::by_status(status, None, response.retry_after(), false);
            return Some(SourceError::new(class, reason));
        }
        _ => ErrorClass::Failing,
    };
    let error = SourceError::new(class, reason);
    Some(match class {
        // Only the provider knows its codes.
        ErrorClass::NotFound | ErrorClass::Rejected => SourceError { kind: ReasonKind::Rejection, ..error },
        _ => error,
    })
}

/// Whether the message of an error is about a wrong address.
fn is_about_address(message: &str) -> bool {
    let message = message.to_lowercase();
    message.contains("address") && ["invalid", "wrong", "illegal"].iter().any(|word| message.contains(word))
}

/// Whether the message of an error is about the requested item, such as `get brc20 status failed`.
fn is_about_item(message: &str) -> bool {
    let message = message.to_lowercase();
    ["get brc20", "get inscription", "not found", "not exist", "no such", "invalid tick", "unknown tick"]
        .iter()
        .any(|words| message.contains(words))
}

/// The error of a response like [`api_error`], for requests without a key, which are rejected when their shared quota
/// is used up.
pub(super) fn keyless_api_error(response: &Response) -> Option<SourceError> {
    let error = api_error(response);
    let is_refused = matches!(response.status(), 401 | 402 | 403 | 429)
        || error.as_ref().is_some_and(|error| error.class == REFUSED);
    if !is_refused || response.is_html() {
        return error;
    }
    let reason = match response.status() {
        429 => "Too many requests without a key: set providers.unisat.api_key to a free key",
        _ => "Requests without a key are rejected: set providers.unisat.api_key to a free key",
    };
    // The server knows better than the guess.
    let class = response.retry_after().map_or(REFUSED, |wait| ErrorClass::RateLimited(Some(wait)));
    Some(SourceError::new(class, reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_codes_map_to_classes() {
        let error = |status, body: &str| api_error(&Response::of(status, &[], body)).map(|error| error.class);
        let keyless = |status, body: &str| keyless_api_error(&Response::of(status, &[], body)).map(|error| error.class);
        let quota = r#"{"code":-2003,"msg":"quota unavailable","data":null}"#;
        let unknown = r#"{"code":-1,"msg":"get brc20 status failed","data":null}"#;
        assert_eq!(error(403, quota), Some(REFUSED));
        assert_eq!(error(200, quota), Some(REFUSED));
        assert_eq!(error(451, quota), Some(ErrorClass::Blocked));
        assert_eq!(error(403, r#"{"code":-1,"msg":"forbidden"}"#), Some(REFUSED));
        assert_eq!(error(403, r#"{"message":"forbidden"}"#), Some(REFUSED));
        assert_eq!(error(403, unknown), Some(ErrorClass::NotFound));
        assert_eq!(error(200, unknown), Some(ErrorClass::NotFound));
        assert_eq!(error(500, unknown), Some(ErrorClass::Failing));
        assert_eq!(error(200, r#"{"code":-3001,"msg":"indexer is busy"}"#), Some(ErrorClass::Failing));
        assert_eq!(error(200, r#"{"code":-3001,"msg":"brc20 does not exist"}"#), Some(ErrorClass::NotFound));
        assert_eq!(error(200, r#"{"code":-1,"msg":"Unknown error"}"#), Some(ErrorClass::Failing));
        assert_eq!(error(200, r#"{"code":-1,"msg":"Inscription not found"}"#), Some(ErrorClass::NotFound));
        assert_eq!(error(200, r#"{"code":"-2003","msg":{"en":"quota"}}"#), Some(REFUSED));
        assert_eq!(error(200, r#"{"code":-5,"msg":""}"#), Some(ErrorClass::Failing));
        assert_eq!(error(200, r#"{"code":-3002,"msg":"Invalid address"}"#), Some(ErrorClass::Rejected));
        assert_eq!(error(200, r#"{"code":0,"msg":"OK"}"#), Some(ErrorClass::UnexpectedFormat));
        assert_eq!(error(200, r#"{"code":0,"msg":"OK","data":null}"#), Some(ErrorClass::Empty));
        assert_eq!(error(401, r#"{"code":-1,"msg":"invalid key"}"#), Some(ErrorClass::InvalidKey));
        assert_eq!(error(200, r#"{"code":0,"msg":"OK","data":{}}"#), None);
        assert_eq!(keyless(403, quota), Some(REFUSED));
        assert_eq!(keyless(200, quota), Some(REFUSED));
        assert_eq!(keyless(429, ""), Some(REFUSED));
        let limited = Response::of(429, &[("retry-after", "90")], "");
        let wait = ErrorClass::RateLimited(Some(Duration::from_secs(90)));
        assert_eq!(keyless_api_error(&limited).map(|error| error.class), Some(wait));
        assert_eq!(keyless(403, "<html>"), None, "the network is blocked");
        assert_eq!(keyless(200, unknown), Some(ErrorClass::NotFound));
    }
}
