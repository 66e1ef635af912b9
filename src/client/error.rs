//! Request errors.

use std::fmt;
use std::time::Duration;

use super::header::NO_RATE;
use crate::model::Currency;

/// How the description of an HTML page in place of JSON starts.
pub(super) const HTML_PAGE: &str = "an HTML page";

/// A failed request. Prints as one sentence: the request, the host, the reason ([`Error::reason`]) and the advice.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// [`crate::client::Request::describe`].
    pub what: String,
    /// Scheme, host and port (no path, no query, no user data).
    pub origin: String,
    /// The kind of failure.
    pub kind: ErrorKind,
}

/// Why a request failed.
#[derive(Clone, Debug, PartialEq)]
pub enum ErrorKind {
    /// The URL is invalid.
    BadUrl(String),
    /// A configured header is invalid.
    BadHeader(String),
    /// A URL can't express the request's parameters.
    InvalidRequest(String),
    /// The host name doesn't resolve.
    Resolve,
    /// Connection refused.
    Refused,
    /// The connection failed for another reason.
    Connect(String),
    /// An environment variable names an invalid proxy.
    BadProxy {
        /// The name of the variable.
        variable: &'static str,
        /// The reason, without the value, which may contain a password.
        why: &'static str,
    },
    /// The proxy failed.
    Proxy {
        /// Scheme, host and port of the proxy (no user data).
        origin: String,
        /// The reason, appended after a colon.
        fault: String,
    },
    /// The proxy rejected a tunnel to the service; either of them may be the cause.
    Tunnel {
        /// Scheme, host and port of the proxy (no user data).
        origin: String,
    },
    /// The TLS handshake failed.
    Tls(String),
    /// No first byte within the timeout.
    TimeoutFirstByte(Duration),
    /// The response was not complete within the timeout.
    TimeoutTotal(Duration),
    /// The response was cut off: the connection or the JSON ended early.
    Incomplete,
    /// The response can't be decompressed or is not HTTP.
    Corrupt(String),
    /// Not JSON, in an encoding that was not requested: the value of `Content-Encoding`, cleaned and cut.
    UnsupportedEncoding(String),
    /// Too many redirects, or one to another scheme or host.
    Redirect(String),
    /// Rate-limited (429).
    RateLimited {
        /// The message in the body, cleaned and cut.
        message: Option<String>,
        /// The value of `Retry-After`.
        retry_after: Option<Duration>,
    },
    /// A status other than 2xx, 304 and 429.
    Status {
        /// The HTTP status.
        status: u16,
        /// The message in the body, cleaned and cut.
        message: Option<String>,
        /// The value of `Retry-After`.
        retry_after: Option<Duration>,
    },
    /// Our own service has no response or no newer one; its message has the reason.
    Explained {
        /// The HTTP status: 501 if no provider serves the request, 503 if all of them fail; 200 or 304 if the response
        /// has old data.
        status: u16,
        /// The message in the body, cleaned and cut.
        message: String,
        /// The value of `Retry-After`.
        retry_after: Option<Duration>,
        /// Whether a manual refresh doesn't help until then.
        must_wait: bool,
    },
    /// An error in the body of a successful response.
    InBody {
        /// The error code.
        code: Option<i64>,
        /// The message, cleaned and cut.
        message: Option<String>,
    },
    /// More bytes than allowed.
    TooLarge(u64),
    /// Deeper nesting than allowed.
    TooDeep(usize),
    /// More values than allowed for its length.
    TooMany(usize),
    /// The body is empty.
    Empty,
    /// Not JSON.
    NotJson(String),
    /// JSON in an unknown format.
    Unrecognised(String),
    /// No rows, although the last response had some. Accepted after three such responses over two minutes.
    NoRows,
    /// No prices in a coin list, although the last response had some. Accepted under the same conditions as
    /// [`ErrorKind::NoRows`].
    NoPrices,
    /// A coin list with fewer than half of the coins of the last response. Accepted under the same conditions as
    /// [`ErrorKind::NoRows`].
    TooFewCoins {
        /// The number of coins.
        found: usize,
        /// The number of coins in the last response.
        known: usize,
    },
    /// Not found (404).
    NotFound {
        /// The message in the body, cleaned and cut.
        message: Option<String>,
    },
    /// The response is about another coin, token, sat, inscription or address than the requested one.
    Mismatch {
        /// The subject of the response, cleaned and cut.
        found: String,
        /// The requested subject, cleaned and cut.
        requested: String,
    },
    /// Not an image that can be shown; the reason is a sentence without a full stop.
    Image(String),
    /// A bug: a task panicked.
    Internal(String),
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (reason, host) = (self.reason(), self.host());
        let is_explained = matches!(self.kind, ErrorKind::Explained { .. });
        // Some sentences of a service already name the request.
        let names_request = || reason.strip_prefix(&self.what).is_some_and(|rest| rest.starts_with(' '));
        if !is_explained || !names_request() {
            f.write_str(&self.what)?;
            // Some reasons already contain the host.
            if !is_explained && !reason.contains(host) {
                write!(f, " from {host}")?;
            }
            f.write_str(": ")?;
        }
        write!(f, "{reason}{}", self.advice())?;
        match self.retry_after() {
            Some(wait) if !wait.is_zero() => write!(f, "; try again in {}", span(wait)),
            _ => Ok(()),
        }
    }
}

impl Error {
    /// Advice for the user, appended to the reason.
    fn advice(&self) -> &'static str {
        let has_number = self.what.rsplit(' ').next().is_some_and(|name| name.parse::<i64>().is_ok());
        match self.kind {
            ErrorKind::NotFound { .. } if has_number => "; check the number and the URL",
            _ => self.kind.advice(),
        }
    }
}

impl ErrorKind {
    /// Advice for the user, appended to the reason. It doesn't include the wait from `Retry-After`.
    fn advice(&self) -> &'static str {
        match self {
            ErrorKind::BadUrl(_) => "; check the configuration",
            ErrorKind::Resolve | ErrorKind::Connect(_) => "; check the URL and the network",
            ErrorKind::Proxy { .. } => "; check HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY",
            ErrorKind::BadProxy { .. } => "; fix or unset it, or set NO_PROXY",
            ErrorKind::Tls(_) => "; check the URL, the clock and the CA certificates",
            ErrorKind::TimeoutFirstByte(_) | ErrorKind::TimeoutTotal(_) => "; try a longer --timeout",
            ErrorKind::Redirect(_) => "; update the URL",
            ErrorKind::Status { status: 401..=403, .. } => "; check the API key",
            ErrorKind::Status { status: 410, .. } => "; no longer available: change base_url or indexer_url",
            ErrorKind::Status { status: 300..=407 | 409..=424 | 426..=499, message: None, .. } => "; check the URL",
            ErrorKind::Empty => "; check the URL",
            ErrorKind::NotFound { .. } => "; check the spelling and the URL",
            ErrorKind::Mismatch { .. } => "; check the spelling",
            ErrorKind::Internal(_) => "; please report it",
            _ => "",
        }
    }
}

/// Formats a wait, rounded up.
pub(crate) fn span(time: Duration) -> String {
    match time.as_secs() {
        secs @ 0..=120 => format!("{secs} s"),
        secs @ 121..=7_200 => format!("{} min", secs.div_ceil(60)),
        secs @ 7_201..=172_800 => format!("{} h", secs.div_ceil(3_600)),
        _ => String::from("more than 2 days"),
    }
}

impl Error {
    /// Whether the same request may succeed later.
    pub fn is_retryable(&self) -> bool {
        use ErrorKind::*;
        match &self.kind {
            Resolve
            | Refused
            | Connect(_)
            | Proxy { .. }
            | Tunnel { .. }
            | TimeoutFirstByte(_)
            | TimeoutTotal(_)
            | Incomplete
            | Corrupt(_)
            | UnsupportedEncoding(_)
            | RateLimited { .. }
            | Empty
            | NotJson(_)
            | Unrecognised(_)
            | NoRows
            | NoPrices
            | TooFewCoins { .. }
            | Tls(_) => true,
            Status { status, .. } => matches!(status, 408 | 425 | 500..=599),
            Explained { status, .. } => !matches!(status, 404 | 501),
            // CoinMarketCap's codes for client errors: parameters, key, plan, exhausted quota.
            InBody { code, .. } => !matches!(code, Some(400..=404 | 1001..=1007 | 1009 | 1010 | 4001 | 4002)),
            BadUrl(_)
            | BadHeader(_)
            | BadProxy { .. }
            | InvalidRequest(_)
            | Redirect(_)
            | TooLarge(_)
            | TooDeep(_)
            | TooMany(_)
            | NotFound { .. }
            | Mismatch { .. }
            | Image(_)
            | Internal(_) => false,
        }
    }

    /// Whether the error of an extension of the interface means that the service doesn't have the extension.
    pub fn is_not_offered(&self) -> bool {
        match &self.kind {
            ErrorKind::NotFound { .. } | ErrorKind::Unrecognised(_) | ErrorKind::NotJson(_) => true,
            ErrorKind::Status { status, .. } => matches!(status, 400 | 403..=405 | 410 | 501),
            ErrorKind::Explained { status, .. } => *status == 501,
            _ => false,
        }
    }

    /// Whether the error of an address's bitcoin balance means that the service has no such balances. A status 400 is
    /// about the address; so are all errors but 501 once the service `has_answered` for another one.
    pub fn lacks_bitcoin_balances(&self, has_answered: bool) -> bool {
        match self.status() {
            Some(501) => true,
            Some(400) => false,
            _ => !has_answered && self.is_not_offered(),
        }
    }

    /// Whether an error with [`Error::is_not_offered`] is permanent: the service itself says that it lacks the
    /// extension. Otherwise, the response may come from a captive portal, or from a proxy whose server is restarting.
    pub fn is_permanently_unsupported(&self) -> bool {
        let is_readable =
            |message: &Option<String>| message.as_ref().is_some_and(|message| !message.starts_with(HTML_PAGE));
        match &self.kind {
            ErrorKind::NotFound { message } | ErrorKind::Status { status: 404, message, .. } => is_readable(message),
            ErrorKind::Status { status: 405 | 410, message, .. } => message.is_none() || is_readable(message),
            ErrorKind::Status { status: 501, .. } | ErrorKind::Explained { status: 501, .. } => true,
            _ => false,
        }
    }

    /// Whether the service rejects this currency: a client error whose message names the currency or its parameter.
    pub fn rejects_currency(&self, currency: &Currency) -> bool {
        let words = ["convert", "currency", "currencies", "vs_currency", "vs_currencies", currency.as_str()];
        self.rejects_any(&words)
    }

    /// Whether the service rejects the number of points or their interval: a client error whose message names one.
    pub fn rejects_count_or_interval(&self) -> bool {
        self.rejects_any(&["count", "interval"])
    }

    fn rejects_any(&self, words: &[&str]) -> bool {
        self.rejection_message().is_some_and(|message| names_any(message, words))
    }

    /// Where our own service has no exchange rate of a rejected currency: `no exchange rate for EUR at ECB`.
    pub fn lacking_rate(&self) -> Option<&str> {
        let message = self.rejection_message()?;
        message.find(NO_RATE).and_then(|at| message.get(at..)).map(|found| found.trim_end_matches(')'))
    }

    /// Whether the service rejects a parameter.
    pub fn rejects_parameter(&self) -> bool {
        match &self.kind {
            ErrorKind::Status { status, .. } => matches!(status, 400 | 422),
            // 4001 and 4002 are CoinMarketCap's codes for invalid parameters.
            ErrorKind::InBody { code, .. } => matches!(code, Some(400 | 422 | 4001 | 4002)),
            _ => false,
        }
    }

    /// The message with which the service rejects a parameter.
    fn rejection_message(&self) -> Option<&str> {
        match &self.kind {
            ErrorKind::Status { message, .. } | ErrorKind::InBody { message, .. } if self.rejects_parameter() => {
                message.as_deref()
            }
            _ => None,
        }
    }

    /// The wait from `Retry-After`.
    pub fn retry_after(&self) -> Option<Duration> {
        match &self.kind {
            ErrorKind::RateLimited { retry_after, .. }
            | ErrorKind::Status { retry_after, .. }
            | ErrorKind::Explained { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

/// Whether a message has one of these as a whole word ("currency" is not in "cryptocurrency").
fn names_any(message: &str, words: &[&str]) -> bool {
    let mut found = message.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    found.any(|word| words.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

#[cfg(test)]
mod tests;
