//! Which extensions of the interface the service lacks. Some say so themselves; other responses may come from something
//! in between, such as the login page of a network, so that the extension is requested again later.

use std::time::Duration;

use crate::app::extension::{Extension, Retry};
use crate::app::state::State;
use crate::client::{Error, ErrorKind, Request};
use crate::model::{UtcTime, backoff};

/// The first pause before a request is sent again, which doubles with each failure, and the longest one: many services
/// without an extension respond with a web page.
const FIRST_RETRY: Duration = Duration::from_mins(5);
const MAX_RETRY: Duration = Duration::from_hours(6);

/// Whether an error means that the service lacks the extension of a request. Once the extension had a response, other
/// errors than HTTP 501 may be about one address or day.
pub(super) fn is_lacking(state: &State, request: &Request, error: &Error) -> bool {
    let Some(extension) = Extension::of(request) else { return false };
    let has_answered = state.extension_retries.of(extension).has_response;
    match extension {
        Extension::BitcoinBalances => error.lacks_bitcoin_balances(has_answered),
        _ if !has_answered => error.is_not_offered(),
        Extension::Chain | Extension::Names => error.is_permanently_unsupported(),
        Extension::Rates => error.status() == Some(501),
    }
}

/// Whether an error for which [`is_lacking`] is true stays. A captive portal responds with a page, not with an empty 404.
pub(super) fn is_permanent(error: &Error) -> bool {
    error.is_permanently_unsupported() || matches!(error.kind, ErrorKind::NotFound { message: None })
}

/// Records that the service lacks the extension of a request. Unless the lack `is_permanent`, it is requested again later.
pub(super) fn record(state: &mut State, request: &Request, is_permanent: bool) {
    let Some(extension) = Extension::of(request) else { return };
    let now = state.now;
    let retry = state.extension_retries.of_mut(extension);
    (retry.is_lacking, retry.is_paused) = (true, true);
    // Several requests of an extension fail at the same time.
    if retry.at.is_none() {
        retry.failures = retry.failures.saturating_add(1);
    }
    retry.at = (!is_permanent).then(|| now.plus(pause(retry)));
    state.responses.forget(request);
    if extension == Extension::Names {
        state.resolve();
    }
}

/// How long an extension is not requested.
fn pause(retry: &Retry) -> Duration {
    backoff(FIRST_RETRY, retry.failures.saturating_sub(1), MAX_RETRY)
}

/// Shortens the remaining pauses to whole ones after the clock was set back to `now`.
pub(super) fn set_back(state: &mut State, now: UtcTime) {
    for extension in Extension::ALL {
        let retry = state.extension_retries.of_mut(extension);
        retry.at = retry.at.map(|at| at.min(now.plus(pause(retry))));
    }
}

/// Records a response. One without rows doesn't show that the service has the extension.
pub(super) fn arrived(state: &mut State, request: &Request) {
    let has_rows = state.responses.response(request).is_some_and(|response| response.has_rows());
    if let Some(extension) = Extension::of(request).filter(|_| has_rows) {
        reset(state, extension, Retry { has_response: true, ..Retry::default() });
    }
}

/// Requests the extensions again whose retry is due. Until one arrives, it counts as lacking.
pub(super) fn retry_due(state: &mut State) {
    let now = state.now;
    for extension in Extension::ALL {
        let retry = state.extension_retries.of_mut(extension);
        if retry.at.is_some_and(|at| at.is_due(now, MAX_RETRY)) {
            (retry.at, retry.is_paused) = (None, false);
            state.alerts.plan_is_due = true;
        }
    }
}

/// Requests all extensions again, since the service's providers have changed.
pub(super) fn request_again(state: &mut State) {
    for extension in Extension::ALL {
        reset(state, extension, Retry::default());
    }
}

/// Sets the retry of an extension that is not lacking, or not known to be.
fn reset(state: &mut State, extension: Extension, retry: Retry) {
    let before = std::mem::replace(state.extension_retries.of_mut(extension), retry);
    if before.is_lacking {
        state.alerts.plan_is_due = true;
        if matches!(extension, Extension::Rates | Extension::BitcoinBalances) {
            state.update_holdings();
        }
    }
}
