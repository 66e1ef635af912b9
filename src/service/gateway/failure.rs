//! Why no provider answered.

use std::time::Duration;

use super::cache::{Failure, MISS_TTL, Miss};
use super::stored::{MAX_RETRY_WAIT, STALE_FRESH_FOR};
use crate::format::words::{in_sentence, join_words};
use crate::model::ProviderName;
use crate::service::provider_response::ProviderError;
use crate::service::providers::source::Provider;
use crate::service::upstream::error::{ErrorClass, NOT_FOUND, ReasonKind, SourceError};

/// Collects the failures of the providers tried so far.
#[derive(Default)]
pub(super) struct Failures {
    /// The providers that don't know the item.
    not_found: Vec<Missing>,
    /// A sentence that names an alternative for the unsupported part.
    not_served: Option<String>,
    /// The transient failures, the preferred provider's first.
    failing: Vec<Failing>,
}

/// Why a provider doesn't know the item.
struct Missing {
    name: ProviderName,
    reason: String,
    kind: ReasonKind,
}

/// A transient failure of a provider.
struct Failing {
    name: ProviderName,
    reason: String,
    /// The time until the next request to it.
    wait: Option<Duration>,
    /// Whether a manual refresh queries it earlier.
    may_retry: bool,
}

/// A provider that is retried this much sooner than the preferred one is named, too.
const MIN_EARLIER_RETRY: Duration = Duration::from_mins(1);

impl Failures {
    /// Adds an error of a provider. `next` is the time until the next request to it, and whether a manual refresh queries
    /// it earlier.
    pub(super) fn add(
        &mut self,
        name: ProviderName,
        error: SourceError,
        next: impl FnOnce() -> (Option<Duration>, bool),
    ) {
        match error.class {
            ErrorClass::NotFound | ErrorClass::Rejected => {
                self.not_found.push(Missing { name, reason: error.reason, kind: error.kind });
            }
            ErrorClass::Unsupported if error.kind == ReasonKind::NotServed => {}
            ErrorClass::Unsupported => {
                self.not_served.get_or_insert(error.reason);
            }
            _ => {
                let (wait, may_retry) = next();
                self.failing.push(Failing { name, reason: error.reason, wait, may_retry });
            }
        }
    }

    /// Adds an earlier failure of a provider; `rest` is the time until it is retried.
    pub(super) fn add_miss(&mut self, name: ProviderName, miss: &Miss, rest: Duration) {
        if miss.may_exist() {
            self.add_transient(name, miss.reason.to_string(), Some(rest));
        } else {
            self.not_found.push(Missing { name, reason: miss.reason.to_string(), kind: miss.kind });
        }
    }

    pub(super) fn add_transient(&mut self, name: ProviderName, reason: String, wait: Option<Duration>) {
        self.failing.push(Failing { name, reason, wait, may_retry: true });
    }

    /// Adds why a provider is not queried, and for how long, if known. `may_retry`: whether a manual refresh queries it.
    pub(super) fn add_unavailable(
        &mut self,
        name: ProviderName,
        (wait, reason): (Option<Duration>, String),
        may_retry: bool,
    ) {
        self.failing.push(Failing { name, reason, wait, may_retry });
    }

    /// A reason, after the names of all providers that fail for it (all of them without a network).
    fn of(&self, reason: &str) -> String {
        let same = self.failing.iter().filter(|failing| failing.reason == reason);
        let names: Vec<_> = same.map(|failing| failing.name.title()).collect();
        format!("{}: {}", join_words(&names, "and"), in_sentence(reason))
    }

    /// Why the item was not found: the first provider's reason, or the providers without a reason. The error of the
    /// interface already says 404.
    fn reason_not_found(&self) -> Option<String> {
        // A provider that doesn't list a coin has nothing to say about it; one without a match may list it.
        let unmatched = self.not_found.iter().find(|missing| missing.kind == ReasonKind::NoMatch);
        let Missing { name, reason, kind } = unmatched.or_else(|| self.not_found.first())?;
        Some(match kind {
            ReasonKind::NotFound => match reason.strip_prefix(NOT_FOUND).unwrap_or_default() {
                "" => {
                    let without = self.not_found.iter().filter(|other| other.reason == *reason);
                    let names: Vec<_> = without.map(|missing| missing.name.title_in_sentence()).collect();
                    format!("not on {}", join_words(&names, "or"))
                }
                message => format!("{}: {}", name.title(), message.trim_start_matches(": ")),
            },
            ReasonKind::Rejection => format!("{}: {}", name.title(), in_sentence(reason)),
            ReasonKind::Sentence | ReasonKind::NoMatch | ReasonKind::NotServed => reason.clone(),
        })
    }

    /// The failure; `remedy` returns advice if no provider serves the operation.
    pub(super) fn into_failure(self, remedy: impl FnOnce() -> String) -> Failure {
        match (self.failing.first(), self.reason_not_found()) {
            (Some(Failing { reason: first, wait, .. }), _) => {
                let must_wait = self.failing.iter().all(|failing| !failing.may_retry);
                let soonest = self.failing.iter().filter_map(|failing| Some((&failing.reason, failing.wait?)));
                let soonest = soonest.min_by_key(|(_, wait)| *wait);
                let retry_after = soonest.map(|(_, wait)| wait);
                // Otherwise, the wait would seem to be the preferred provider's.
                let is_much_earlier = |at: Duration| wait.is_none_or(|wait| at + MIN_EARLIER_RETRY < wait);
                let other = soonest.filter(|(reason, at)| *reason != first && is_much_earlier(*at));
                let other = other.map(|(reason, _)| format!("; {}", self.of(reason))).unwrap_or_default();
                Failure::Unavailable { reason: format!("{}{other}", self.of(first)), retry_after, must_wait }
            }
            (None, Some(reason)) => Failure::NotFound(reason),
            (None, None) => self.not_served.map_or_else(|| Failure::Unsupported(remedy()), Failure::NotServed),
        }
    }
}

impl Failure {
    /// The reason, except where no provider serves the operation.
    pub(super) fn reason(self) -> Option<String> {
        match self {
            Failure::NotFound(reason) | Failure::Unavailable { reason, .. } => Some(reason),
            Failure::Unsupported(_) | Failure::NotServed(_) | Failure::Cancelled => None,
        }
    }

    /// When the providers may work again, if known.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        match self {
            Failure::Unavailable { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// How long to wait before requesting the failed part again.
    pub(super) fn wait(&self) -> Duration {
        match self {
            // Until then, the cached miss answers.
            Failure::NotFound(_) => MISS_TTL,
            _ => self.retry_after().unwrap_or(STALE_FRESH_FOR).min(MAX_RETRY_WAIT),
        }
    }

    /// Converts it to an error of the interface.
    pub(super) fn into_error(self) -> ProviderError {
        match self {
            Failure::Unsupported(sentence) | Failure::NotServed(sentence) => ProviderError::Unsupported(sentence),
            Failure::NotFound(reason) => ProviderError::NotFound(reason),
            Failure::Unavailable { reason, retry_after, must_wait } => {
                ProviderError::Unavailable { reason, retry_after, must_wait }
            }
            Failure::Cancelled => {
                let reason = String::from("The request was cancelled");
                ProviderError::Unavailable { reason, retry_after: None, must_wait: false }
            }
        }
    }
}

/// An error about something that a provider always has. Another service may lack it, since it is an extension of the
/// API.
pub(super) fn for_optional(provider: &Provider, what: &str, error: SourceError) -> SourceError {
    if provider.name.is_service() { error } else { error.for_required(what) }
}

/// An error about the balance of an address, which is valid: the server can't determine it, for example because the
/// address has a long history. That says nothing about other addresses.
pub(super) fn of_balance(provider: &Provider, error: SourceError) -> SourceError {
    match error.class {
        ErrorClass::Rejected => SourceError::new(ErrorClass::Empty, error.reason),
        _ => for_optional(provider, "BTC balance", error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_that_fail_for_the_same_reason_are_named_together() {
        use ProviderName::{Binance, CoinGecko, CoinPaprika};
        for (failing, expected) in [
            (&[(CoinGecko, "No network")][..], "CoinGecko: no network"),
            (&[(CoinGecko, "No network"), (CoinPaprika, "No network")], "CoinGecko and CoinPaprika: no network"),
            (
                &[(CoinGecko, "No network"), (CoinPaprika, "No network"), (Binance, "No network")],
                "CoinGecko, CoinPaprika and Binance: no network",
            ),
            (&[(CoinGecko, "No network"), (CoinPaprika, "Rate-limited")], "CoinGecko: no network"),
        ] {
            let mut failures = Failures::default();
            for (name, reason) in failing {
                failures.add_transient(*name, (*reason).to_owned(), None);
            }
            assert_eq!(failures.into_failure(String::new).reason().unwrap(), expected);
        }
    }

    #[test]
    fn providers_without_the_item_are_named_once() {
        use ProviderName::{CoinGecko, CoinPaprika};
        let status =
            |status, message: Option<&str>| SourceError::by_status(status, message.map(str::to_owned), None, false);
        let not_found = || status(404, None);
        let unlisted = || SourceError::not_found("CoinGecko doesn't list it");
        for (errors, expected) in [
            ([not_found(), not_found()], "not on CoinGecko or CoinPaprika"),
            ([not_found(), SourceError::not_found("Empty list")], "not on CoinGecko"),
            ([status(404, Some("coin not found")), not_found()], "CoinGecko: coin not found"),
            ([status(400, Some("bad")), not_found()], "CoinGecko: request failed (400): bad"),
            ([unlisted(), not_found()], "CoinGecko doesn't list it"),
            // Only the words are a status's.
            ([SourceError::not_found("Not found (404)"), not_found()], "Not found (404)"),
            ([unlisted(), SourceError::no_match(CoinPaprika, "it")], "CoinPaprika has no unique match for it"),
        ] {
            let mut failures = Failures::default();
            for (name, error) in [CoinGecko, CoinPaprika].into_iter().zip(errors) {
                failures.add(name, error, || (None, true));
            }
            assert_eq!(failures.into_failure(String::new), Failure::NotFound(expected.to_owned()));
        }
    }

    #[test]
    fn provider_retried_much_sooner_is_named() {
        use ProviderName::{Bluesky, Mastodon};
        let mins = |count| Some(Duration::from_mins(count));
        for (waits, expected, retry_after) in [
            ([mins(24 * 60), mins(10)], "Bluesky: access denied; Mastodon: change base_url", mins(10)),
            ([None, mins(10)], "Bluesky: access denied; Mastodon: change base_url", mins(10)),
            ([mins(1), mins(10)], "Bluesky: access denied", mins(1)),
            ([mins(2), mins(1)], "Bluesky: access denied", mins(1)),
            ([None, None], "Bluesky: access denied", None),
        ] {
            let mut failures = Failures::default();
            for ((name, reason), wait) in
                [(Bluesky, "Access denied"), (Mastodon, "Change base_url")].into_iter().zip(waits)
            {
                failures.add_transient(name, reason.to_owned(), wait);
            }
            let reason = expected.to_owned();
            let expected = Failure::Unavailable { reason, retry_after, must_wait: false };
            assert_eq!(failures.into_failure(String::new), expected);
        }
    }

    #[test]
    fn manual_refresh_waits_only_if_it_would_query_no_provider() {
        use ProviderName::{CoinGecko, CoinPaprika};
        for (may_retry, expected) in [([false, false], true), ([false, true], false), ([true, true], false)] {
            let mut failures = Failures::default();
            for (name, may_retry) in [CoinGecko, CoinPaprika].into_iter().zip(may_retry) {
                failures.add_unavailable(name, (None, String::from("Rate-limited (429)")), may_retry);
            }
            let failure = failures.into_failure(String::new);
            assert!(matches!(failure, Failure::Unavailable { must_wait, .. } if must_wait == expected), "{failure:?}");
        }
    }
}
