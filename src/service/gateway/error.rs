//! Why a provider gave no answer, by what happens next.

use std::fmt;
use std::time::Duration;

use crate::client::ErrorKind;

/// The result of a provider's operation.
pub type SourceResult<T> = Result<T, SourceError>;

/// A provider's failure. Prints as a reason, without a full stop.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{reason}")]
pub struct SourceError {
    /// What happens next.
    pub class: ErrorClass,
    /// Why, in a few words that are fit for a screen.
    pub reason: String,
}

/// The classes of failures. Each says what the gateway does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// Too many requests: wait as long as asked, else 60 s doubling to 15 minutes.
    Wait(Option<Duration>),
    /// The allowance of the day is spent: wait until midnight UTC.
    UntilTomorrow,
    /// The allowance of the month is spent: wait until the first of the next month, UTC.
    UntilNextMonth,
    /// The key is invalid, expired or disabled: the provider is off until the configuration changes.
    KeyOff,
    /// The provider or its plan does not serve this operation: it is off for the operation.
    OperationOff,
    /// The provider refuses this network or country: it is off for a day.
    OffForTheDay,
    /// The provider no longer exists: it is off until a restart.
    Gone,
    /// It does not know what was asked for: not asked again for 10 minutes.
    NotFound,
    /// It refuses the parameters: the same request is not sent again for 10 minutes.
    Rejected,
    /// The response has another shape than it used to: it is reported, and the next provider is asked.
    Changed,
    /// No response, or a server error: retry with backoff.
    Unreachable,
    /// Nobody waits for the answer any more: nothing was sent.
    Abandoned,
    /// The provider has no such operation.
    Unsupported,
}

/// The reason where a provider says no more than that it does not serve an operation.
pub(super) const NOT_SERVED: &str = "not served";

impl SourceError {
    /// A failure of a class.
    pub fn new(class: ErrorClass, reason: impl Into<String>) -> SourceError {
        SourceError { class, reason: reason.into() }
    }

    /// The provider has no such operation.
    pub fn unsupported() -> SourceError {
        SourceError::new(ErrorClass::Unsupported, NOT_SERVED)
    }

    /// The provider has no such operation; the reason is a sentence that says what would provide it.
    pub fn unsupported_because(reason: impl Into<String>) -> SourceError {
        SourceError::new(ErrorClass::Unsupported, reason)
    }

    /// It does not know what was asked for.
    pub fn not_found(reason: impl Into<String>) -> SourceError {
        SourceError::new(ErrorClass::NotFound, reason)
    }

    /// The response is not what it should be; `found` says what it is.
    pub fn changed(found: impl fmt::Display) -> SourceError {
        SourceError::new(ErrorClass::Changed, format!("Unknown response format: {found}"))
    }

    /// By the HTTP status alone, where nothing better is known.
    pub fn by_status(
        status: u16,
        message: Option<String>,
        retry_after: Option<Duration>,
        is_html: bool,
    ) -> SourceError {
        let class = match status {
            429 | 418 => ErrorClass::Wait(retry_after),
            402 => ErrorClass::UntilNextMonth,
            401 => ErrorClass::KeyOff,
            451 => ErrorClass::OffForTheDay,
            // A page of a content delivery network, which refuses the address.
            403 if is_html => ErrorClass::OffForTheDay,
            403 | 405 | 406 | 501 => ErrorClass::OperationOff,
            410 => ErrorClass::Gone,
            404 => ErrorClass::NotFound,
            400 | 414 | 422 => ErrorClass::Rejected,
            _ => ErrorClass::Unreachable,
        };
        let kind = match status {
            429 => ErrorKind::RateLimited { message, retry_after },
            404 => ErrorKind::NotFound { message },
            _ => ErrorKind::Status { status, message, retry_after },
        };
        SourceError::new(class, kind.to_string())
    }
}

impl From<ErrorKind> for SourceError {
    /// A failure of the transport or of decoding.
    fn from(kind: ErrorKind) -> SourceError {
        let class = match &kind {
            ErrorKind::RateLimited { retry_after, .. } => ErrorClass::Wait(*retry_after),
            ErrorKind::NotFound { .. } | ErrorKind::Mismatch { .. } => ErrorClass::NotFound,
            ErrorKind::InvalidRequest(_) => ErrorClass::Rejected,
            ErrorKind::InBody { .. }
            | ErrorKind::TooDeep(_)
            | ErrorKind::TooMany(_)
            | ErrorKind::Empty
            | ErrorKind::NotJson(_)
            | ErrorKind::Unrecognised(_)
            | ErrorKind::TooLarge(_)
            | ErrorKind::UnsupportedEncoding(_)
            | ErrorKind::Redirect(_) => ErrorClass::Changed,
            ErrorKind::BadUrl(_) | ErrorKind::BadHeader(_) => ErrorClass::KeyOff,
            _ => ErrorClass::Unreachable,
        };
        SourceError::new(class, kind.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_alone_has_a_class() {
        let wait = Some(Duration::from_secs(7));
        for (status, is_html, class) in [
            (429, false, ErrorClass::Wait(wait)),
            (418, false, ErrorClass::Wait(wait)),
            (402, false, ErrorClass::UntilNextMonth),
            (401, false, ErrorClass::KeyOff),
            (403, false, ErrorClass::OperationOff),
            (403, true, ErrorClass::OffForTheDay),
            (451, false, ErrorClass::OffForTheDay),
            (410, false, ErrorClass::Gone),
            (404, true, ErrorClass::NotFound),
            (406, false, ErrorClass::OperationOff),
            (400, false, ErrorClass::Rejected),
            (500, true, ErrorClass::Unreachable),
            (503, false, ErrorClass::Unreachable),
        ] {
            assert_eq!(SourceError::by_status(status, None, wait, is_html).class, class, "{status} {is_html}");
        }
    }
}
