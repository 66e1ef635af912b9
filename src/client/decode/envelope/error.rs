//! Errors in response bodies, independent of the HTTP status.

use crate::client::decode::charset;
use crate::client::decode::field_name::same_name;
use crate::client::decode::tape::{Document, Kind, Tape, Value};
use crate::client::error::ErrorKind;
use crate::model::text;

/// Maximum length of a message in characters.
const MAX_MESSAGE: usize = 300;

/// Field names of messages, most specific first.
const MESSAGES: &[&str] = &[
    "error_message",
    "message",
    "msg",
    "err_msg",
    "error_msg",
    "ret_msg",
    "error_description",
    "detail",
    "description",
    "reason",
    "title",
    "error",
    "fault_string",
];

/// Field names of messages that coins and posts never have.
pub(super) const UNAMBIGUOUS_MESSAGES: &[&str] =
    &["error_message", "message", "msg", "err_msg", "error_msg", "ret_msg", "error_description", "detail", "reason"];

/// Field names of lists of errors.
const ABOUT_ERRORS: &[&str] = &["error", "errors", "detail", "details", "message", "messages", "warnings", "issues"];

/// Field names of error codes.
const CODES: &[&str] = &["error_code", "code", "err_code", "ret_code", "status_code", "status", "response"];

/// Finds an error in a response with a success status.
///
/// `error`, `error_code` and `error_message` that are `null`, empty, 0 or a word for success mean that there is none.
/// An error message next to data (in a common wrapper or a list that the request `wants`) is ignored; other lists, such
/// as the available plans, are part of the error.
pub(in crate::client::decode) fn error_in(root: Value<'_>, wants: &dyn Fn(&str) -> bool) -> Option<ErrorKind> {
    if !root.is_object() {
        return None;
    }
    let status = root.get("status").filter(Value::is_object);
    let code = status.and_then(|status| status.get("error_code")).filter(is_failure);
    if let (Some(status), Some(code)) = (status, code) {
        return Some(in_body(number(code), status));
    }
    let is_filled = |data: Value<'_>| match data.kind() {
        Kind::Array => data.items().next().is_some(),
        Kind::Object => data.fields().next().is_some(),
        _ => true,
    };
    let has_data = ["data", "result", "results"].iter().any(|name| root.get(name).is_some_and(is_filled))
        || root.fields().any(|(key, list)| wants(key.raw()) && is_list(key.raw(), list));
    // Without data, an empty object says nothing.
    let is_none = |error: Value<'_>| states_no_error(error) && (has_data || error.fields().next().is_some());
    let error = root.get("error").filter(|error| is_failure(error) && !is_none(*error));
    if let Some(error) = error {
        // An object or a flag is an error.
        if !has_data || error.is_object() || error.kind() == Kind::True {
            let code = deepest(error).any(CODES).and_then(number).or_else(|| root.any(CODES).and_then(number));
            return Some(in_body(code, root));
        }
    }
    if root.any(&["success", "ok"]).is_some_and(|success| success.kind() == Kind::False) {
        return Some(in_body(root.any(CODES).and_then(number), root));
    }
    if has_data {
        return None;
    }
    // A coin may have a code and a description, too. An error has a numeric code or a failure status.
    let code = root.any(CODES).filter(|code| number(*code).is_some() || is_failure_word(*code)).filter(is_failure);
    let message = root.any(UNAMBIGUOUS_MESSAGES);
    let is_failing =
        |message: Value<'_>| is_failure(&message) && !message.str().is_some_and(|words| states_success(&words));
    let has_message = message.is_some_and(is_failing) || root.get("errors").is_some();
    let lists_errors = root.get("errors").is_some_and(|errors| errors.items().next().is_some());
    let is_error = code.is_some_and(|code| has_message || is_failure_word(code));
    (is_error || lists_errors).then(|| in_body(code.and_then(number), root))
}

/// The sentence about a failure that a response with data reports: an error, or a failure code with a message. `None` if
/// it reports none, or only codes.
pub(in crate::client::decode) fn warning_in(root: Value<'_>) -> Option<String> {
    let lists_errors = |errors: Value<'_>| errors.items().next().is_some();
    // A small code beside data may also be one of success.
    let may_fail = |code: Value<'_>| number(code).is_some_and(|code| !(0..400).contains(&code));
    let code = root.any(CODES).filter(|code| is_failure_word(*code) || may_fail(*code) && is_failure(code));
    let has_message = || root.any(UNAMBIGUOUS_MESSAGES).is_some_and(|message| is_failure(&message));
    let has_failed = || root.any(&["success", "ok"]).is_some_and(|flag| flag.raw().eq_ignore_ascii_case("false"));
    let is_reported = has_failed()
        || root.get("error").is_some_and(|error| !error.is_array() && is_failure(&error) && !states_no_error(error))
        || ["error", "errors"].iter().filter_map(|name| root.get(name)).any(lists_errors)
        || code.is_some_and(|code| is_failure_word(code) || has_message());
    if !is_reported {
        return None;
    }
    let message = message_of(root).filter(|_| code.is_none() || has_message() || root.get("error").is_some());
    Some(match (message.and_then(|message| short(&message)), code.and_then(number)) {
        (Some(message), Some(code)) => format!("the service reports error {code}: {message}"),
        (Some(message), None) => format!("the service reports an error: {message}"),
        (None, Some(code)) => format!("the service reports error {code}"),
        (None, None) => String::from("the service reports an error"),
    })
}

/// Whether an error object has only empty values or a success code: `{"code": 0, "message": ""}`, `{}`.
fn states_no_error(error: Value<'_>) -> bool {
    error.is_object() && !error.is_raw() && error.fields().all(|(_, value)| value.is_null() || !is_failure(&value))
}

/// Whether a message says that all went well. CryptoCompare writes "succesfully".
pub(super) fn states_success(words: &str) -> bool {
    let words = words.to_lowercase();
    let is_negated = || ["unsucces", "not succes", "no succes"].iter().any(|no| words.contains(no));
    words.contains("成功") || words.contains("succes") && !is_negated()
}

/// Whether a field is a list of data, not of errors.
fn is_list(key: &str, value: Value<'_>) -> bool {
    let is_about_errors = || ABOUT_ERRORS.iter().any(|name| same_name(name, key));
    let is_thing = |first: Value<'_>| first.is_object() || first.is_array();
    value.items().next().is_some_and(is_thing) && !is_about_errors()
}

/// The message of a response in an unknown format, taken as the reason: `{"detail": "not on your plan"}`.
pub(in crate::client::decode) fn message_in(root: Value<'_>) -> Option<ErrorKind> {
    let message = root.any(UNAMBIGUOUS_MESSAGES).filter(|message| message.str().is_some() && is_failure(message))?;
    let message = short(&message.str()?)?;
    Some(ErrorKind::InBody { code: root.any(CODES).filter(is_failure).and_then(number), message: Some(message) })
}

/// The message in the body of an error response, as one line, cleaned and cut; `None` if there is none.
pub fn error_message(body: &[u8]) -> Option<String> {
    let body = body.get(..body.len().min(64 * 1024)).unwrap_or_default();
    let (body, _) = charset::to_text(body, is_latin(body).then_some("charset=iso-8859-1"));
    let message = match Document::parse(&body, 32) {
        Ok(document) => message_of(document.root())?,
        Err(ErrorKind::NotJson(what)) => what.strip_prefix("text: ").map(str::to_owned).unwrap_or(what),
        Err(_) => return None,
    };
    short(&message)
}

/// Whether bytes that are not UTF-8 are Latin-1 text, which old servers send without a charset.
fn is_latin(body: &[u8]) -> bool {
    let is_word = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0xa0..=0xff);
    std::str::from_utf8(body).is_err_and(|error| error.error_len().is_some()) && body.iter().all(is_word)
}

fn in_body(code: Option<i64>, from: Value<'_>) -> ErrorKind {
    ErrorKind::InBody { code, message: message_of(from).and_then(|message| short(&message)) }
}

pub(super) fn short(message: &str) -> Option<String> {
    let message = text::cut(text::clean(message), MAX_MESSAGE);
    let message = text::without_full_stop(&message);
    (!message.is_empty()).then(|| message.to_owned())
}

/// Finds the message in a body: a string, a common field, or the message of the first of `errors`, some levels deep.
pub(super) fn message_of(value: Value<'_>) -> Option<String> {
    if let Some(words) = value.str() {
        return Some(words.into_owned());
    }
    let at = deepest(value);
    let words = |at: Value<'_>| {
        MESSAGES
            .iter()
            .filter_map(|name| at.get(name)?.str())
            .find(|words| !words.trim().is_empty())
            .map(|w| w.into_owned())
    };
    words(at).or_else(|| words(value)).or_else(|| {
        let mut tape = Tape::default();
        let first = [at, value].iter().find_map(|at| at.any(&["errors", "error", "detail"])?.items().next())?;
        let first = tape.expand(first).ok()?;
        first.str().map(|words| words.into_owned()).or_else(|| words(first))
    })
}

/// Follows `status`, `error` and `fault` (Apigee) objects to the innermost one.
fn deepest(mut at: Value<'_>) -> Value<'_> {
    for _ in 0..4 {
        let inner = ["error", "status", "fault"].iter().filter_map(|name| at.get(name)).find(Value::is_object);
        match inner {
            Some(inner) => at = inner,
            None => break,
        }
    }
    at
}

/// Whether a code or an `error` field means a failure.
pub(super) fn is_failure(value: &Value<'_>) -> bool {
    match value.kind() {
        Kind::True | Kind::Object | Kind::RawObject => true,
        Kind::Array | Kind::RawArray => value.items().next().is_some(),
        // Some services write `0.0`.
        Kind::Number => {
            let code = value.number().and_then(|code| code.parse::<f64>().ok());
            code.is_none_or(|code| code != 0.0 && !(200.0..300.0).contains(&code))
        }
        _ => {
            let words = value.str().unwrap_or_default();
            let words = words.trim().trim_end_matches(['.', '!']);
            match words.parse::<i64>() {
                Ok(code) => code != 0 && !(200..300).contains(&code),
                Err(_) => {
                    let fine = ["", "success", "ok", "okay", "none", "null", "no error", "false", "ready", "active"];
                    !fine.iter().any(|fine| words.eq_ignore_ascii_case(fine))
                }
            }
        }
    }
}

pub(super) fn is_failure_word(value: Value<'_>) -> bool {
    let word = value.str().unwrap_or_default();
    ["error", "fail", "failed", "failure"].iter().any(|failure| word.trim().eq_ignore_ascii_case(failure))
}

pub(super) fn number(value: Value<'_>) -> Option<i64> {
    value.number()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(json: &str) -> Option<(Option<i64>, Option<String>)> {
        match error_in(Document::parse(json, 16).unwrap().root(), &|key| same_name(key, "coins"))? {
            ErrorKind::InBody { code, message } => Some((code, message)),
            other => panic!("{other:?}"),
        }
    }

    fn reported(code: Option<i64>, message: &str) -> Option<(Option<i64>, Option<String>)> {
        Some((code, Some(message.to_owned())))
    }

    #[test]
    fn error_with_success_status_is_detected() {
        let slow = "slow down";
        assert_eq!(error(r#"{"status":{"error_code":1008,"error_message":"slow down"}}"#), reported(Some(1008), slow));
        assert_eq!(
            error(r#"{"status":{"error_code":"429","error_message":"slow down"},"data":[]}"#),
            reported(Some(429), slow)
        );
        assert_eq!(
            error(r#"{"error":{"status":{"error_code":10012,"error_message":"slow down"}}}"#),
            reported(Some(10012), slow)
        );
        assert_eq!(error(r#"{"error":"slow down"}"#), reported(None, slow));
        assert_eq!(error(r#"{"code":-1,"msg":"slow down","data":null}"#), reported(Some(-1), slow));
        assert_eq!(error(r#"{"success":false,"message":"slow down"}"#), reported(None, slow));
        assert_eq!(error(r#"{"statusCode":404,"error":"Not Found","message":"slow down"}"#), reported(Some(404), slow));
        assert_eq!(error(r#"{"errors":[{"detail":"slow down"}]}"#), reported(None, slow));
        assert_eq!(error(r#"{"status":"error","message":"slow down"}"#), reported(None, slow));
        assert_eq!(error(r#"{"code":5001,"msg":"slow down","data":[]}"#), reported(Some(5001), slow));
        assert_eq!(error(r#"{"retCode":10006,"retMsg":"slow down","result":{}}"#), reported(Some(10006), slow));
        assert_eq!(error(r#"{"errCode":"77","errMsg":"slow down"}"#), reported(Some(77), slow));
        assert_eq!(error(r#"{"error":{"message":"slow down"},"data":[1]}"#), reported(None, slow));
        assert_eq!(error(r#"{"error":true,"message":"slow down","data":[1]}"#), reported(None, slow));
        assert_eq!(error(r#"{"error":["slow down"]}"#), reported(None, slow));
        assert_eq!(error(r#"{"ok":false,"description":"slow down"}"#), reported(None, slow));
        assert_eq!(error(r#"{"error":"slow down","plans":[{"name":"Pro"}]}"#), reported(None, slow));
        assert_eq!(error(r#"{"code":1006,"msg":"slow down","plans":[{"name":"Pro"}]}"#), reported(Some(1006), slow));
        assert_eq!(error(r#"{"status":"error","data":[]}"#), Some((None, None)));
        assert_eq!(error(r#"{"status":"fail"}"#), Some((None, None)));
        assert_eq!(error(r#"{"error":{}}"#), Some((None, None)));
        assert_eq!(error(r#"{"error":{"code":7,"message":""},"data":[1]}"#), Some((Some(7), None)));
        assert_eq!(error(r#"{"status":"error","errors":[{"detail":"slow down"}]}"#), reported(None, slow));
        assert_eq!(error(r#"{"Response":"Error","Message":"slow down","Data":{}}"#), reported(None, slow));
    }

    #[test]
    fn success_words_are_not_errors() {
        for json in [
            r#"{"status":{"error_code":0,"error_message":null},"data":[]}"#,
            r#"{"status":{"error_code":"0","error_message":"SUCCESS"},"data":[]}"#,
            r#"{"status":{"error_code":null},"data":[]}"#,
            r#"{"status":{"error_code":0.0},"data":[]}"#,
            r#"{"status":{"error_code":-0.0e0},"data":[]}"#,
            r#"{"error":0.0,"code":200.0,"data":[]}"#,
            r#"{"code":"0","msg":"","data":[]}"#,
            r#"{"code":200,"message":"success","data":[]}"#,
            r#"{"error":null,"result":[]}"#,
            r#"{"error":"","data":[]}"#,
            r#"{"error":"SUCCESS","data":[]}"#,
            r#"{"error":0,"data":[]}"#,
            r#"{"error":false,"data":[]}"#,
            r#"{"error":[],"data":[]}"#,
            r#"{"error":"one source was down","data":[1]}"#,
            r#"{"error":{},"errors":[],"data":[1]}"#,
            r#"{"error":{"code":0,"message":""},"data":[]}"#,
            r#"{"error":{"code":0,"message":""},"data":[1]}"#,
            r#"{"error":{"code":200,"message":"OK","details":null},"coins":[{"id":1}]}"#,
            r#"{"status":"listed","message":"hello"}"#,
            r#"{"code":0,"msg":"OK","data":{}}"#,
            r#"{"code":1,"msg":"success","data":[]}"#,
            r#"{"status":"error","coins":[{"id":1}]}"#,
            r#"{"error":"one source was down","Coins":[{"id":1}]}"#,
            r#"{"code":10000,"msg":"anything","data":[1]}"#,
            r#"{"status":"success","data":[]}"#,
            r#"{"status":"ready","message":"hello"}"#,
            r#"[{"error":"x"}]"#,
            r#"{"name":"ORDI","code":"ordi","status":"listed","description":"a token","title":"ORDI"}"#,
        ] {
            assert_eq!(error(json), None, "{json}");
        }
    }

    #[test]
    fn messages_of_all_formats_are_found() {
        let message = |body: &str| error_message(body.as_bytes());
        let some = |words: &str| Some(words.to_owned());
        assert_eq!(message(r#"{"error":"Not found"}"#), some("Not found"));
        assert_eq!(
            message(r#"{"statusCode":400,"error":"Bad Request","message":"querystring/limit must be <= 60"}"#),
            some("querystring/limit must be <= 60")
        );
        assert_eq!(
            message(r#"{"status":{"error_code":400,"error_message":"bad \u001b[31mslug"}}"#),
            some("bad [31mslug")
        );
        assert_eq!(message(r#"{"error":{"status":{"error_message":"too far back"}}}"#), some("too far back"));
        assert_eq!(message(r#"{"errors":["first","second"]}"#), some("first"));
        assert_eq!(message(r#"{"code":-3000,"msg":"bad ticker"}"#), some("bad ticker"));
        assert_eq!(
            message(r#"{"fault":{"faultstring":"slow down","detail":{"errorcode":"policies.Quota"}}}"#),
            some("slow down")
        );
        assert_eq!(message(r#""just words""#), some("just words"));
        assert_eq!(message("no such\nblock"), some("no such block"));
        assert_eq!(message("<html><title>502 Bad Gateway</title></html>"), some("an HTML page (“502 Bad Gateway”)"));
        let late = format!(r#"{{"pad":"{}","message":"slow down"}}"#, "x".repeat(60_000));
        assert_eq!(message(&late), some("slow down"));
        assert_eq!(error_message(b"cl\xe9 refus\xe9e").as_deref(), Some("clé refusée"));
        assert_eq!(message(""), None);
        assert_eq!(message("{}"), None);
        assert_eq!(message(&"x".repeat(9000)).unwrap().chars().count(), 300);
    }
}
