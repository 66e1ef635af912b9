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
    /// The TLS handshake failed.
    #[error("no secure connection ({0}); check the URL, the certificate and the clock")]
    Tls(String),
    /// No first byte in time.
    #[error("no answer within {} s; the service may be overloaded", .0.as_secs_f32())]
    TimeoutFirstByte(Duration),
    /// Not the whole answer in time.
    #[error("the answer was not complete within {} s; try a longer --timeout", .0.as_secs_f32())]
    TimeoutTotal(Duration),
    /// The connection ended in mid-answer.
    #[error("the connection broke off in the middle of the answer")]
    BrokenOff,
    /// The answer could not be decompressed, or was no HTTP.
    #[error("the answer is damaged ({0})")]
    Damaged(String),
    /// Too many redirects, or one to another scheme or host.
    #[error("{0}; set the URL to where the service really is")]
    Redirect(String),
    /// The service refuses for now.
    #[error("the service limits the rate of requests (429){}", wait(.retry_after))]
    RateLimited {
        /// How long it asks to wait.
        retry_after: Option<Duration>,
    },
    /// A status other than 2xx, 304 and 429.
    #[error("the service answered {status}{}{}", colon(.message), advice(*.status))]
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
    /// The body is empty.
    #[error("the answer is empty; is this the right URL?")]
    Empty,
    /// Not JSON.
    #[error("the answer is not JSON but {0}; is this the right URL?")]
    NotJson(String),
    /// JSON in which nothing could be recognised.
    #[error("the answer has a shape that is not known: {0}")]
    Unrecognised(String),
    /// The thing asked for does not exist (404).
    #[error("not found{}", colon(.message))]
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

fn code_of(code: &Option<i64>) -> String {
    code.map(|c| format!(" {c}")).unwrap_or_default()
}

fn wait(after: &Option<Duration>) -> String {
    after.map(|d| format!("; it asks to wait {} s", d.as_secs())).unwrap_or_default()
}

fn advice(status: u16) -> &'static str {
    match status {
        401..=403 => "; check the API key in the configuration",
        500..=599 => "; the fault is on its side",
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
            | TimeoutFirstByte(_)
            | TimeoutTotal(_)
            | BrokenOff
            | Damaged(_)
            | RateLimited { .. }
            | Empty
            | NotJson(_)
            | Unrecognised(_)
            | Tls(_) => true,
            Status { status, .. } => matches!(status, 408 | 425 | 500..=599),
            InBody { code, .. } => matches!(code, Some(429 | 500..=599 | 1008 | 1011)),
            BadUrl(_)
            | BadHeader(_)
            | Unaskable(_)
            | Redirect(_)
            | TooLarge(_)
            | TooDeep(_)
            | NotFound { .. }
            | Internal(_) => false,
        }
    }

    /// How long the service asks to wait, if it does.
    pub fn retry_after(&self) -> Option<Duration> {
        match &self.kind {
            ErrorKind::RateLimited { retry_after } | ErrorKind::Status { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}
