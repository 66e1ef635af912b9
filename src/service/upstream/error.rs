//! Errors of providers, classified by the gateway's reaction.

use std::fmt;
use std::time::Duration;

use crate::client::ErrorKind;
use crate::client::transport::Refusal;
use crate::format::words::in_sentence;
use crate::model::{ProviderName, text};

/// The result of a provider's operation.
pub type SourceResult<T> = Result<T, SourceError>;

/// A provider's error. Displays as the reason, without a full stop.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{reason}")]
pub struct SourceError {
    /// The class, which determines the gateway's reaction.
    pub class: ErrorClass,
    /// The reason in a few words, fit for display.
    pub reason: String,
    /// What kind of text the reason is.
    pub(in crate::service) kind: ReasonKind,
}

/// What kind of text a reason is, which decides how it is quoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service) enum ReasonKind {
    /// A sentence about the failure or the item.
    Sentence,
    /// The HTTP status 404: [`NOT_FOUND`], before the provider's message if it sent one.
    NotFound,
    /// Another HTTP status, or an error code of the provider, that rejects the request.
    Rejection,
    /// The provider may have the coin under another name.
    NoMatch,
    /// The provider has no such operation, which says nothing about the item.
    NotServed,
}

/// Classes of errors, each with the gateway's reaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// Too many requests: wait for `Retry-After`, or 60 s doubling to 15 minutes.
    RateLimited(Option<Duration>),
    /// The daily quota is used up: wait until midnight UTC.
    DailyQuota,
    /// The monthly quota is used up: wait until the first of the next month (UTC).
    MonthlyQuota,
    /// The API key is invalid, expired or disabled: the provider is off until another key is configured or a test of the
    /// provider succeeds. After a restart it is off until a day after the rejection.
    InvalidKey,
    /// The provider or its plan does not allow this operation: the provider is off for this operation. If it is about a
    /// balance or the fee rates, it counts like [`ErrorClass::Failing`].
    Forbidden,
    /// The provider blocks this network or country: it is off for a day.
    Blocked,
    /// The provider no longer exists: it is off until a restart of the dashboard or the service, another URL, or a test of
    /// the provider that succeeds. Commands try again after a day.
    Gone,
    /// The configured URL is missing or can't be used: the provider is off in this process.
    Misconfigured,
    /// Unknown coin, token, sat or inscription: the request is not repeated for 10 minutes.
    NotFound,
    /// Invalid parameters: the request is not repeated for 10 minutes.
    Rejected,
    /// No rows where there must be some, only a few unreadable ones, an item other than the requested one, or one unreadable
    /// list of several: the request is not repeated for a minute, and the next provider is tried. Also used if a server
    /// doesn't find what the provider always has, or rejects a valid address.
    Empty,
    /// The response has an unexpected format: the operation is paused for 10 minutes, and the next provider is tried.
    UnexpectedFormat,
    /// No connection: retry with backoff.
    Unreachable,
    /// No response in time, or a server error: retry with backoff, which the next process continues. If only a balance or the
    /// fee rates fail, the provider is not paused.
    Failing,
    /// The request would wait longer than it may for the requests of all instances: nothing was sent, which is not a fault
    /// of the provider. It may be sent after this time.
    Busy(Duration),
    /// Nothing was sent: data needed for the request could not be fetched, such as the provider's id of a coin, or the
    /// provider was paused while the request was queued. It is sent when it is requested again. Also used if another
    /// provider may respond sooner.
    NotSent,
    /// No caller is waiting any longer; nothing was sent.
    Cancelled,
    /// The provider has no such operation.
    Unsupported,
}

impl ErrorClass {
    /// The classes whose pauses the next process continues, and their names in the store.
    const SAVED: [(ErrorClass, &'static str); 9] = [
        (ErrorClass::RateLimited(None), "rate-limited"),
        (ErrorClass::DailyQuota, "daily-quota"),
        (ErrorClass::MonthlyQuota, "monthly-quota"),
        (ErrorClass::InvalidKey, "invalid-key"),
        (ErrorClass::Forbidden, "forbidden"),
        (ErrorClass::Blocked, "blocked"),
        (ErrorClass::Gone, "gone"),
        (ErrorClass::UnexpectedFormat, "unexpected-format"),
        (ErrorClass::Failing, "failing"),
    ];

    /// The name in the store; `None` if the next process tries again, since its network may differ.
    pub(in crate::service) fn saved_name(self) -> Option<&'static str> {
        let class = if let ErrorClass::RateLimited(_) = self { ErrorClass::RateLimited(None) } else { self };
        ErrorClass::SAVED.into_iter().find(|(known, _)| *known == class).map(|(_, name)| name)
    }

    /// The stable name for scripts.
    pub(in crate::service) fn code(self) -> &'static str {
        match self {
            ErrorClass::RateLimited(_) => "rate_limited",
            ErrorClass::DailyQuota => "daily_quota",
            ErrorClass::MonthlyQuota => "monthly_quota",
            ErrorClass::InvalidKey => "invalid_key",
            ErrorClass::Forbidden => "forbidden",
            ErrorClass::Blocked => "blocked",
            ErrorClass::Gone => "gone",
            ErrorClass::Misconfigured => "misconfigured",
            ErrorClass::NotFound => "not_found",
            ErrorClass::Rejected => "rejected",
            ErrorClass::Empty => "empty",
            ErrorClass::UnexpectedFormat => "unexpected_format",
            ErrorClass::Unreachable => "unreachable",
            ErrorClass::Failing => "failing",
            ErrorClass::Busy(_) => "busy",
            ErrorClass::NotSent => "not_sent",
            ErrorClass::Cancelled => "cancelled",
            ErrorClass::Unsupported => "unsupported",
        }
    }

    /// Whether the provider is off until a change.
    pub(in crate::service) fn is_lasting(self) -> bool {
        matches!(self, ErrorClass::InvalidKey | ErrorClass::Forbidden | ErrorClass::Gone | ErrorClass::Misconfigured)
    }

    /// The class with a name in the store.
    pub(in crate::service) fn parse_saved(name: &str) -> Option<ErrorClass> {
        ErrorClass::SAVED.into_iter().find(|(_, known)| *known == name).map(|(class, _)| class)
    }
}

/// How the reason of the HTTP status 404 starts.
pub(in crate::service) const NOT_FOUND: &str = "Not found (404)";

/// The reason if a response has fewer rows than there are.
pub(in crate::service) const INCOMPLETE: &str = "Incomplete response";

impl SourceError {
    /// An error of a class. The reason loses its full stop: it is often the provider's message, and sentences continue
    /// after it.
    pub fn new(class: ErrorClass, reason: impl Into<String>) -> SourceError {
        let (reason, kind) = (reason.into(), ReasonKind::Sentence);
        match text::without_full_stop(&reason) {
            shorter if shorter.len() == reason.len() => SourceError { class, reason, kind },
            shorter => SourceError { class, reason: shorter.to_owned(), kind },
        }
    }

    /// The provider has no such operation.
    pub fn unsupported() -> SourceError {
        let kind = ReasonKind::NotServed;
        SourceError { kind, ..SourceError::new(ErrorClass::Unsupported, "not served") }
    }

    /// The provider has no such operation. The reason is a sentence that names an alternative.
    pub fn unsupported_because(reason: impl Into<String>) -> SourceError {
        SourceError::new(ErrorClass::Unsupported, reason)
    }

    /// The provider doesn't know the requested item.
    pub fn not_found(reason: impl Into<String>) -> SourceError {
        SourceError::new(ErrorClass::NotFound, reason)
    }

    /// The provider may have the coin under another name.
    pub(in crate::service) fn no_match(provider: ProviderName, coin: &str) -> SourceError {
        let reason = format!("{} has no unique match for {coin}", provider.title());
        SourceError { kind: ReasonKind::NoMatch, ..SourceError::not_found(reason) }
    }

    /// Whether it is about an item that the provider doesn't know, and its server only says 404.
    pub(in crate::service) fn is_http_not_found(&self) -> bool {
        self.class == ErrorClass::NotFound && self.kind == ReasonKind::NotFound
    }

    /// This error, for something that the provider always has, such as a list of coins. If its server doesn't find
    /// that, the URL is wrong or the service has moved.
    pub(in crate::service) fn for_required(self, what: &str) -> SourceError {
        if self.is_http_not_found() {
            SourceError::new(ErrorClass::Empty, format!("{what} not found (404)"))
        } else {
            self
        }
    }

    /// The error that too many requests are queued: nothing was sent, and another provider may respond sooner.
    pub(in crate::service) fn too_many_queued() -> SourceError {
        SourceError::new(ErrorClass::NotSent, "Too many queued requests")
    }

    /// The provider may respond later, but another one may do so sooner. It is not paused.
    pub(in crate::service) fn too_slow(limit: Duration) -> SourceError {
        SourceError::new(ErrorClass::NotSent, format!("No response within {} s", limit.as_secs()))
    }

    /// The provider has closed the socket, for this reason.
    pub(in crate::service) fn closed(reason: Option<String>) -> SourceError {
        let reason = reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
        SourceError::new(ErrorClass::Unreachable, format!("WebSocket closed{reason}"))
    }

    /// Adds the time in the queue, if it was most of the limit: then the provider isn't slow, but busy with other requests.
    pub(in crate::service) fn after_queue(self, queued: Duration, limit: Duration) -> SourceError {
        if queued * 2 > limit {
            SourceError { reason: format!("{} (queued for {} s)", self.reason, queued.as_secs()), ..self }
        } else {
            self
        }
    }

    /// A list, chart or the like has no rows, although it can't be empty: `Empty list`.
    pub fn empty(what: &str) -> SourceError {
        SourceError::new(ErrorClass::Empty, format!("Empty {what}"))
    }

    /// The response has an unexpected format, described by `found`.
    pub fn unexpected_format(found: impl fmt::Display) -> SourceError {
        SourceError::new(ErrorClass::UnexpectedFormat, format!("Unknown response format: {found}"))
    }

    /// Classifies an error by HTTP status only.
    pub fn by_status(
        status: u16,
        message: Option<String>,
        retry_after: Option<Duration>,
        is_html: bool,
    ) -> SourceError {
        let class = match status {
            429 | 418 => ErrorClass::RateLimited(retry_after),
            503 if retry_after.is_some() => ErrorClass::RateLimited(retry_after),
            402 => ErrorClass::MonthlyQuota,
            401 => ErrorClass::InvalidKey,
            451 => ErrorClass::Blocked,
            // The block page of a content delivery network.
            403 if is_html => ErrorClass::Blocked,
            403 | 405 | 406 | 501 => ErrorClass::Forbidden,
            410 => ErrorClass::Gone,
            404 => ErrorClass::NotFound,
            400 | 414 | 422 => ErrorClass::Rejected,
            _ => ErrorClass::Failing,
        };
        let error = match status {
            429 => ErrorKind::RateLimited { message, retry_after },
            404 => ErrorKind::NotFound { message },
            _ => ErrorKind::Status { status, message, retry_after },
        };
        let kind = match class {
            ErrorClass::NotFound => ReasonKind::NotFound,
            ErrorClass::Rejected => ReasonKind::Rejection,
            _ => ReasonKind::Sentence,
        };
        SourceError { kind, ..SourceError::new(class, error.to_string()) }
    }
}

impl From<ErrorKind> for SourceError {
    /// Classifies an error of the transport or the decoder.
    fn from(error: ErrorKind) -> SourceError {
        let class = match &error {
            ErrorKind::RateLimited { retry_after, .. } => ErrorClass::RateLimited(*retry_after),
            ErrorKind::NotFound { .. } => ErrorClass::NotFound,
            // The provider is wrong, not the request. Its other items may be right.
            ErrorKind::Mismatch { .. } => ErrorClass::Empty,
            ErrorKind::InvalidRequest(_) => ErrorClass::Rejected,
            ErrorKind::Explained { status: 404, .. } => ErrorClass::NotFound,
            ErrorKind::Explained { status: 501, .. } => ErrorClass::Unsupported,
            ErrorKind::InBody { .. }
            | ErrorKind::TooDeep(_)
            | ErrorKind::TooMany(_)
            | ErrorKind::Empty
            | ErrorKind::NotJson(_)
            | ErrorKind::Unrecognised(_)
            | ErrorKind::TooLarge(_)
            | ErrorKind::UnsupportedEncoding(_)
            | ErrorKind::Redirect(_) => ErrorClass::UnexpectedFormat,
            ErrorKind::BadUrl(_) | ErrorKind::BadHeader(_) => ErrorClass::InvalidKey,
            ErrorKind::TimeoutFirstByte(_) | ErrorKind::TimeoutTotal(_) | ErrorKind::Status { .. } => {
                ErrorClass::Failing
            }
            _ => ErrorClass::Unreachable,
        };
        let reason = match &error {
            ErrorKind::Resolve => String::from("Can't resolve the host · check the network"),
            error => error.to_string(),
        };
        let is_status = matches!(error, ErrorKind::NotFound { .. });
        let kind = if is_status { ReasonKind::NotFound } else { ReasonKind::Sentence };
        SourceError { kind, ..SourceError::new(class, reason) }
    }
}

impl From<Refusal> for SourceError {
    /// Classifies why a socket can't be opened. The reason names the socket: requests to the provider may work.
    fn from(refusal: Refusal) -> SourceError {
        let error = match refusal {
            Refusal::Status { status, retry_after, is_html, is_country_block } => {
                SourceError::by_status(status, None, retry_after, is_html || is_country_block)
            }
            Refusal::Failed(kind) => return kind.into(),
        };
        SourceError::new(error.class, format!("WebSocket {}", in_sentence(&error.reason)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_maps_to_class() {
        let wait = Some(Duration::from_secs(7));
        for (status, is_html, class) in [
            (429, false, ErrorClass::RateLimited(wait)),
            (418, false, ErrorClass::RateLimited(wait)),
            (402, false, ErrorClass::MonthlyQuota),
            (401, false, ErrorClass::InvalidKey),
            (403, false, ErrorClass::Forbidden),
            (403, true, ErrorClass::Blocked),
            (451, false, ErrorClass::Blocked),
            (410, false, ErrorClass::Gone),
            (404, true, ErrorClass::NotFound),
            (406, false, ErrorClass::Forbidden),
            (400, false, ErrorClass::Rejected),
            (500, true, ErrorClass::Failing),
            (502, false, ErrorClass::Failing),
            (503, false, ErrorClass::RateLimited(wait)),
        ] {
            assert_eq!(SourceError::by_status(status, None, wait, is_html).class, class, "{status} {is_html}");
        }
    }
}
