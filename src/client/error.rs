//! What can go wrong with a request, in one sentence for the user.

use std::time::Duration;

/// A failed request: what was asked, where, and why it failed. Prints as one sentence that says what to do.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{what} from {place}: {kind}")]
pub struct Error {
    /// [`crate::client::Request::describe`].
    pub what: String,
    /// Scheme, host and port (no path, no query, no user data).
    pub place: String,
    /// Why.
    pub kind: ErrorKind,
}

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ErrorKind {
    /// The URL cannot be used.
    #[error("the URL cannot be used ({0}); check the configuration")]
    BadUrl(String),
    /// A configured header cannot be used.
    #[error("the header “{0}” cannot be sent; check the configuration")]
    BadHeader(String),
    /// The request's parameters cannot be said in a URL.
    #[error("it cannot be asked for: {0}")]
    Unaskable(String),
    /// The name has no address.
    #[error("the host name cannot be resolved; check the URL and the network")]
    Resolve,
    /// Nobody listens there.
    #[error("nothing answers there (connection refused); is the service running?")]
    Refused,
    /// No way there, or the connection could not be opened for another reason.
    #[error("no connection ({0}); check the URL and the network")]
    Connect(String),
    /// The proxy that stands between does not do its part.
    #[error("the proxy {place} {fault}; check HTTP_PROXY, HTTPS_PROXY and ALL_PROXY, or name the host in NO_PROXY")]
    Proxy {
        /// Scheme, host and port of the proxy (no user data).
        place: String,
        /// What it does or does not, as the rest of a sentence.
        fault: String,
    },
    /// The TLS handshake failed.
    #[error("no secure connection ({0}); check the URL, the certificate and the clock")]
    Tls(String),
    /// No first byte in time.
    #[error("no answer within {} s; the service may be overloaded", .0.as_secs_f32())]
    TimeoutFirstByte(Duration),
    /// Not the whole answer in time.
    #[error("the answer was not complete within {} s; try a longer --timeout", .0.as_secs_f32())]
    TimeoutTotal(Duration),
    /// The connection, or the JSON, ended in mid-answer.
    #[error("the answer broke off before its end; try again later")]
    BrokenOff,
    /// The answer could not be decompressed, or was no HTTP.
    #[error("the answer is damaged ({0}); check the URL, and the proxies on the way")]
    Damaged(String),
    /// Not JSON, and packed in a way that nobody asked for: the codings of `Content-Encoding`, cleaned and cut.
    #[error("the answer is packed ({0}), which was not asked for; check the URL, and the proxies on the way")]
    Packed(String),
    /// Too many redirects, or one to another scheme or host.
    #[error("{0}; set the URL to where the service really is")]
    Redirect(String),
    /// The service refuses for now.
    #[error("the service limits the rate of requests (429){}{}", colon(.message), wait(.retry_after))]
    RateLimited {
        /// What the body says, cleaned and cut.
        message: Option<String>,
        /// How long it asks to wait.
        retry_after: Option<Duration>,
    },
    /// A status other than 2xx, 304 and 429.
    #[error("the service answered {status}{}{}{}", colon(.message), advice(*.status, .message), wait(.retry_after))]
    Status {
        /// The HTTP status.
        status: u16,
        /// What the body says, cleaned and cut.
        message: Option<String>,
        /// How long it asks to wait.
        retry_after: Option<Duration>,
    },
    /// An error inside an answer that claims success.
    #[error("the service reports an error{}{}", code_of(.code), colon(.message))]
    InBody {
        /// Its code.
        code: Option<i64>,
        /// Its words, cleaned and cut.
        message: Option<String>,
    },
    /// More bytes than allowed.
    #[error("the answer is larger than {0} bytes; it was not read further")]
    TooLarge(u64),
    /// Deeper nesting than allowed.
    #[error("the answer is nested deeper than {0} levels; it was not read")]
    TooDeep(usize),
    /// More values than allowed for its length.
    #[error("the answer holds more than {0} values; it was not read further")]
    TooMany(usize),
    /// The body is empty.
    #[error("the answer is empty; is this the right URL?")]
    Empty,
    /// Not JSON.
    #[error("the answer is not JSON but {0}; is this the right URL?")]
    NotJson(String),
    /// JSON in which nothing could be recognised.
    #[error("the answer has a shape that is not known: {0}; is this the right URL?")]
    Unrecognised(String),
    /// The thing asked for does not exist (404).
    #[error("not found{}; check the spelling and the URL", more_than("not found", .message))]
    NotFound {
        /// What the body says, cleaned and cut.
        message: Option<String>,
    },
    /// Our own fault: a task died.
    #[error("internal error ({0}); please report it")]
    Internal(String),
}

fn colon(message: &Option<String>) -> String {
    message.as_ref().map(|m| format!(": {m}")).unwrap_or_default()
}

/// The message, where it says more than `known`.
fn more_than(known: &str, message: &Option<String>) -> String {
    let says_more = |message: &&String| !message.trim_end_matches('.').eq_ignore_ascii_case(known);
    message.as_ref().filter(says_more).map(|m| format!(": {m}")).unwrap_or_default()
}

fn code_of(code: &Option<i64>) -> String {
    code.map(|c| format!(" {c}")).unwrap_or_default()
}

fn wait(after: &Option<Duration>) -> String {
    after.filter(|after| !after.is_zero()).map(|after| format!("; it asks to wait {}", span(after))).unwrap_or_default()
}

/// A time to wait as people say it; what nobody will wait is not said to the second.
fn span(time: Duration) -> String {
    match time.as_secs() {
        secs @ 0..=120 => format!("{secs} s"),
        secs @ 121..=7_200 => format!("{} min", secs.div_ceil(60)),
        secs @ 7_201..=172_800 => format!("{} h", secs.div_ceil(3_600)),
        _ => String::from("for days"),
    }
}

fn advice(status: u16, message: &Option<String>) -> &'static str {
    match status {
        401..=403 => "; check the API key in the configuration",
        500..=599 => "; the fault is on its side",
        408 | 425 => "; try again later",
        _ if message.is_none() => "; is this the right URL?",
        _ => "",
    }
}

impl Error {
    /// Whether the same request may succeed later without anybody changing anything.
    pub fn is_retryable(&self) -> bool {
        use ErrorKind::*;
        match &self.kind {
            Resolve
            | Refused
            | Connect(_)
            | Proxy { .. }
            | TimeoutFirstByte(_)
            | TimeoutTotal(_)
            | BrokenOff
            | Damaged(_)
            | Packed(_)
            | RateLimited { .. }
            | Empty
            | NotJson(_)
            | Unrecognised(_)
            | Tls(_) => true,
            Status { status, .. } => matches!(status, 408 | 425 | 500..=599),
            // CoinMarketCap's codes for the caller's own faults: parameters, key, plan, used up allowance.
            InBody { code, .. } => !matches!(code, Some(400..=404 | 1001..=1007 | 1009 | 1010 | 4001 | 4002)),
            BadUrl(_)
            | BadHeader(_)
            | Unaskable(_)
            | Redirect(_)
            | TooLarge(_)
            | TooDeep(_)
            | TooMany(_)
            | NotFound { .. }
            | Internal(_) => false,
        }
    }

    /// How long the service asks to wait, if it does.
    pub fn retry_after(&self) -> Option<Duration> {
        match &self.kind {
            ErrorKind::RateLimited { retry_after, .. } | ErrorKind::Status { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(kind: ErrorKind) -> Error {
        Error { what: String::from("coins all 1–200"), place: String::from("http://api.example"), kind }
    }

    fn words(text: &str) -> Option<String> {
        Some(String::from(text))
    }

    #[test]
    fn an_error_is_one_sentence_with_what_where_and_what_to_do() {
        let retry_after = Some(Duration::from_secs(7));
        for (kind, sentence) in [
            (ErrorKind::Refused, "nothing answers there (connection refused); is the service running?"),
            (
                ErrorKind::TimeoutFirstByte(Duration::from_millis(1500)),
                "no answer within 1.5 s; the service may be overloaded",
            ),
            (
                ErrorKind::RateLimited { message: None, retry_after },
                "the service limits the rate of requests (429); it asks to wait 7 s",
            ),
            (
                ErrorKind::RateLimited { message: None, retry_after: Some(Duration::from_secs(601)) },
                "the service limits the rate of requests (429); it asks to wait 11 min",
            ),
            (
                ErrorKind::RateLimited { message: None, retry_after: Some(Duration::from_secs(7_201)) },
                "the service limits the rate of requests (429); it asks to wait 3 h",
            ),
            (
                ErrorKind::RateLimited { message: words("no calls left"), retry_after: Some(Duration::MAX) },
                "the service limits the rate of requests (429): no calls left; it asks to wait for days",
            ),
            (
                ErrorKind::Status { status: 503, message: None, retry_after },
                "the service answered 503; the fault is on its side; it asks to wait 7 s",
            ),
            (
                ErrorKind::Status { status: 401, message: words("bad key"), retry_after: None },
                "the service answered 401: bad key; check the API key in the configuration",
            ),
            (
                ErrorKind::Status { status: 502, message: None, retry_after: None },
                "the service answered 502; the fault is on its side",
            ),
            (ErrorKind::NotFound { message: words("Not found") }, "not found; check the spelling and the URL"),
            (
                ErrorKind::NotFound { message: words("coin not found") },
                "not found: coin not found; check the spelling and the URL",
            ),
            (
                ErrorKind::Unrecognised(String::from("an object without fields")),
                "the answer has a shape that is not known: an object without fields; is this the right URL?",
            ),
            (
                ErrorKind::InBody { code: Some(1008), message: words("slow down") },
                "the service reports an error 1008: slow down",
            ),
        ] {
            assert_eq!(error(kind).to_string(), format!("coins all 1–200 from http://api.example: {sentence}"));
        }
    }

    #[test]
    fn only_what_may_pass_is_tried_again() {
        let status = |status| ErrorKind::Status { status, message: None, retry_after: None };
        let in_body = |code| ErrorKind::InBody { code, message: None };
        for kind in [
            ErrorKind::Resolve,
            ErrorKind::BrokenOff,
            ErrorKind::RateLimited { message: None, retry_after: None },
            status(408),
            status(503),
            in_body(None),
            in_body(Some(-1)),
            in_body(Some(1008)),
        ] {
            assert!(error(kind.clone()).is_retryable(), "{kind}");
        }
        for kind in [
            ErrorKind::BadUrl(String::new()),
            ErrorKind::TooLarge(1),
            ErrorKind::NotFound { message: None },
            status(400),
            status(403),
            in_body(Some(1001)),
            in_body(Some(1010)),
        ] {
            assert!(!error(kind.clone()).is_retryable(), "{kind}");
        }
    }
}
