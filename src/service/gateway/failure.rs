//! Why no provider answered.

use std::time::Duration;

use super::cache::Failure;
use crate::model::ProviderName;
use crate::service::answer::ProviderError;
use crate::service::operation::Operation;
use crate::service::upstream::error::{ErrorClass, NOT_SERVED, SourceError};

/// Collects the failures of the providers tried so far.
#[derive(Default)]
pub(super) struct Failures {
    pub(super) not_found: Option<String>,
    /// A sentence that names an alternative for the unsupported part.
    not_served: Option<String>,
    /// The first transient failure and its provider: that of the preferred provider.
    failing: Option<(ProviderName, String)>,
    retry_after: Option<Duration>,
}

impl Failures {
    pub(super) fn add(&mut self, name: ProviderName, error: SourceError, wait: impl FnOnce() -> Option<Duration>) {
        match error.class {
            ErrorClass::NotFound | ErrorClass::Rejected => {
                self.not_found.get_or_insert(error.reason);
            }
            ErrorClass::Unsupported if error.reason == NOT_SERVED => {}
            ErrorClass::Unsupported => {
                self.not_served.get_or_insert(error.reason);
            }
            _ => self.add_transient(name, error.reason, wait()),
        }
    }

    pub(super) fn add_transient(&mut self, name: ProviderName, reason: String, wait: Option<Duration>) {
        self.failing.get_or_insert((name, reason));
        if let Some(wait) = wait {
            self.retry_after = Some(self.retry_after.map_or(wait, |known| known.min(wait)));
        }
    }

    pub(super) fn into_failure(self) -> Failure {
        match (self.failing, self.not_found) {
            (Some((name, reason)), _) => {
                let reason = format!("{}: {reason}", name.title());
                Failure::Unavailable { reason, retry_after: self.retry_after }
            }
            (None, Some(reason)) => Failure::NotFound(reason),
            (None, None) => self.not_served.map_or(Failure::Unsupported, Failure::NotServed),
        }
    }
}

impl Failure {
    /// The reason, except where no provider serves the operation.
    pub(super) fn reason(self) -> Option<String> {
        match self {
            Failure::NotFound(reason) | Failure::Unavailable { reason, .. } => Some(reason),
            Failure::Unsupported | Failure::NotServed(_) | Failure::Cancelled => None,
        }
    }

    /// Converts it to an error of the interface.
    pub(super) fn into_error(self, operation: Operation) -> ProviderError {
        match self {
            Failure::Unsupported => ProviderError::Unsupported(operation.remedy().to_owned()),
            Failure::NotServed(sentence) => ProviderError::Unsupported(sentence),
            Failure::NotFound(reason) => ProviderError::NotFound(reason),
            Failure::Unavailable { reason, retry_after } => ProviderError::Unavailable { reason, retry_after },
            Failure::Cancelled => {
                ProviderError::Unavailable { reason: String::from("The request was cancelled"), retry_after: None }
            }
        }
    }
}
