//! Failures that a response reports beside an empty list, which would look like a list without rows.

use std::borrow::Cow;

use super::error::{UNAMBIGUOUS_MESSAGES, is_failure, is_failure_word, message_of, number, short, states_success};
use super::wrappers::{ABOUT, WRAPPERS};
use crate::client::decode::tape::{Tape, Value};
use crate::client::error::ErrorKind;

/// Further objects about the response.
const MORE_ABOUT: &[&str] = &["header", "head"];

/// Maximum levels of wrappers.
const LEVELS: usize = 4;

/// Field names of flags for success.
const SUCCESS_FLAGS: &[&str] = &["success", "ok", "succeeded", "is_success"];

/// Field names of flags for a failure.
const FAILURE_FLAGS: &[&str] = &["is_error", "has_error", "has_errors", "failed"];

/// Field names of words about the outcome.
const OUTCOMES: &[&str] = &["status", "state", "ack", "response", "result", "ret"];

/// Words about a response that has no data.
const FAILURES: &[&str] = &[
    "ko",
    "nok",
    "err",
    "invalid",
    "denied",
    "forbidden",
    "unauthorized",
    "rejected",
    "unavailable",
    "timeout",
    "throttled",
    "maintenance",
    "processing",
    "pending",
    "queued",
];

/// Field names of codes that only failures have.
const ERROR_CODES: &[&str] = &["error_code", "err_code", "errno", "err_no"];

/// Field names of codes whose values for success differ: 0, 1, 200, 10000, 200000.
const CODES: &[&str] = &[
    "code",
    "status_code",
    "status",
    "ret_code",
    "ret",
    "result_code",
    "return_code",
    "response_code",
    "http_code",
    "http_status",
];

/// Field names of messages beside an empty list.
const MORE_MESSAGES: &[&str] = &["error_text", "err_tips", "result_msg", "result_message", "status_message"];

/// Field names of remarks, which count only beside a failure or if they are about a limit.
const REMARKS: &[&str] = &["text", "info", "information", "note", "warning"];

/// Words of a remark about a limit.
const LIMITS: &[&str] = &["limit", "quota", "exceed", "api key", "apikey", "subscription", "calls per", "requests per"];

/// What a message says is missing if it explains a failure: `no API key`.
const MISSING: &[&str] =
    &["key", "access", "permission", "auth", "subscription", "plan", "credit", "quota", "route", "host", "connection"];

/// Field names of an error that is empty on success: CoinDesk; Apigee.
const FAULTS: &[&str] = &["err", "fault"];

/// Field names of objects with the message and code of an error.
const ERROR_OBJECTS: &[&str] = &["error", "err", "fault"];

/// Values of codes for success.
const SUCCESS_CODES: &[i64] = &[0, 1, 200, 201, 10_000, 200_000];

/// Finds a failure in a response whose list is empty: a flag, a code or a message, beside the list or in an object
/// about the response.
pub(in crate::client::decode) fn failure_in(root: Value<'_>) -> Option<ErrorKind> {
    let mut tape = Tape::default();
    let mut at = tape.expand(root).ok()?;
    for _ in 0..LEVELS {
        let about = ABOUT.iter().chain(MORE_ABOUT).filter_map(|name| at.get(name)).filter(Value::is_object);
        if let Some(failure) = std::iter::once(at).chain(about).find_map(failure) {
            return Some(failure);
        }
        at = WRAPPERS.iter().filter_map(|name| at.get(name)).find(Value::is_object)?;
    }
    None
}

/// The failure that an object reports.
fn failure(at: Value<'_>) -> Option<ErrorKind> {
    let find = |names: &[&'static str], fails: &dyn Fn(&Value<'_>) -> bool| {
        names.iter().find_map(|name| Some((*name, at.get(name).filter(fails)?)))
    };
    let has = |names: &[&'static str], fails: &dyn Fn(&Value<'_>) -> bool| find(names, fails).is_some();
    let has_succeeded = has(SUCCESS_FLAGS, &|flag| is_word(flag, &["true", "yes", "1"]))
        || has(OUTCOMES, &|word| is_word(word, &["ok", "success", "succeeded", "true"]))
        || has(CODES, &|code| number(*code).is_some_and(|code| SUCCESS_CODES.contains(&code)));
    // Beside success, a message without `error` in its name is a remark.
    let is_remark = |name: &str| has_succeeded && !name.starts_with("err");
    let message = find(UNAMBIGUOUS_MESSAGES, &is_reason)
        .or_else(|| find(MORE_MESSAGES, &is_reason))
        .or_else(|| find(FAULTS, &|fault| number(*fault).is_none() && is_reason(fault)))
        .filter(|(name, words)| !is_remark(name) || is_about_limit(words))
        .or_else(|| find(REMARKS, &is_about_limit));
    let outcome = find(OUTCOMES, &|word| is_failure_word(*word) || is_word(word, FAILURES));
    let has_failed = message.is_some()
        || outcome.is_some()
        || has(ERROR_CODES, &|code| number(*code).is_some() && is_failure(code))
        || has(CODES, &|code| number(*code).is_some_and(|code| code < 0 || (300..600).contains(&code)))
        || has(SUCCESS_FLAGS, &|flag| is_word(flag, &["false", "no", "0"]))
        || has(OUTCOMES, &|flag| is_word(flag, &["false"]))
        || has(FAILURE_FLAGS, &|flag| is_word(flag, &["true", "yes", "1"]))
        || has(FAULTS, &is_fault)
        || has(&["error", "errors"], &|error| {
            is_failure(error) && !is_empty_object(error) && (error.str().is_none() || is_reason(error))
        });
    if !has_failed {
        return None;
    }
    let inner = ERROR_OBJECTS.iter().find_map(|name| at.get(name).filter(Value::is_object)).unwrap_or(at);
    let codes =
        [inner, at].into_iter().flat_map(|at| ERROR_CODES.iter().chain(CODES).filter_map(move |name| at.get(name)));
    let code = codes.filter(is_failure).find_map(number);
    let remark = || REMARKS.iter().find_map(|name| at.get(name)?.str()).map(Cow::into_owned);
    let words = message.and_then(|(_, words)| words.str()).map(Cow::into_owned);
    let outcome = || outcome.map(|(name, word)| format!("{name} {}", word.raw()));
    let message = words.or_else(|| message_of(inner)).or_else(|| message_of(at)).or_else(remark).or_else(outcome);
    Some(ErrorKind::InBody { code, message: message.and_then(|message| short(&message)) })
}

/// Whether one of [`FAULTS`] reports a failure. An object needs a message or a code.
fn is_fault(fault: &Value<'_>) -> bool {
    if !fault.is_object() {
        return is_failure(fault) && fault.str().is_none_or(|_| is_reason(fault));
    }
    let mut messages =
        UNAMBIGUOUS_MESSAGES.iter().chain(&["fault_string"]).filter_map(|name| fault.get(name)).filter(is_failure);
    let mut codes = ERROR_CODES.iter().chain(CODES).filter_map(|name| fault.get(name)).filter(is_failure);
    messages.any(|message| message.str().is_some_and(|words| !states_success(&words)))
        || codes.any(|code| number(code).is_some_and(|code| !SUCCESS_CODES.contains(&code)))
}

fn is_empty_object(value: &Value<'_>) -> bool {
    value.is_object() && value.fields().next().is_none()
}

/// Whether a value is one of these words, flags or numbers.
fn is_word(value: &Value<'_>, words: &[&str]) -> bool {
    let is_scalar = !value.is_array() && !value.is_object();
    is_scalar && words.iter().any(|word| value.raw().trim().eq_ignore_ascii_case(word))
}

/// Whether a text explains why there are no rows, and doesn't only say that there are none or that all went well.
fn is_reason(value: &Value<'_>) -> bool {
    let Some(words) = value.str().filter(|_| is_failure(value)) else { return false };
    let words = words.trim().trim_end_matches(['.', '!']).to_lowercase();
    let is_trivial = states_success(&words)
        || ["out of range", "out of bounds", "past the end", "last page"].iter().any(|end| words.contains(end))
        || ["done", "fine", "complete", "completed", "true", "empty", "no"].contains(&words.as_str());
    let is_none = ["no ", "nothing ", "there are no ", "there is no "].iter().any(|no| words.starts_with(no))
        || words.ends_with("not found");
    let states_none = is_none && !MISSING.iter().any(|missing| words.contains(missing));
    !is_trivial && !states_none
}

/// Whether a remark is about a limit or a missing key.
fn is_about_limit(value: &Value<'_>) -> bool {
    let words = value.str().unwrap_or_default().to_lowercase();
    LIMITS.iter().any(|limit| words.contains(limit))
}
