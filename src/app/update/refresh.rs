//! Manual refreshes, and the toast for one that is not sent.

use std::time::Duration;

use crate::app::demand::visible_requests;
use crate::app::effect::Effect;
use crate::app::state::State;
use crate::app::toast::ToastEnd;
use crate::client::{Error, Request};
use crate::fetch::{RefreshFailure, SkipReason};
use crate::format::Until;
use crate::glyphs::Glyphs;
use crate::keymap::Command;
use crate::model::{UtcTime, text};

use super::pause;
use super::toast::{dismiss_on, dismiss_when, error_toast, toast};

/// Refreshes everything on the screen, even while updates are paused.
pub(super) fn run(state: &mut State, effects: &mut Vec<Effect>) {
    let requests = visible_requests(state);
    if requests.is_empty() {
        return toast(state, "Nothing to refresh");
    }
    pause::refresh(state, &requests);
    state.manual_refresh.start(&requests, state.now);
    effects.push(Effect::Refresh(requests));
}

/// Confirms a manual refresh once its last response has arrived.
pub(super) fn arrived(state: &mut State, request: &Request) {
    if state.manual_refresh.arrived(request) {
        dismiss_on(&mut state.toast, ToastEnd::Refreshed);
        if state.toast.is_none() {
            toast(state, "Refreshed");
        }
    }
}

/// Ends a manual refresh after a request failed. The screen shows why; while updates are paused, a toast does.
pub(super) fn interrupted(state: &mut State, request: &Request, error: Option<&Error>) {
    if !state.manual_refresh.interrupt(request) {
        return;
    }
    if let Some(error) = error.filter(|_| state.paused.is_some()) {
        let room = MAX_TOAST.saturating_sub(NOT_REFRESHED.chars().count() + " · ".len());
        error_toast(state, format!("{NOT_REFRESHED} · {}", text::cut(error.reason().into(), room)));
        dismiss_when(state, ToastEnd::Refreshed);
    }
}

/// Shows why a manual refresh was not sent, or not for all resources.
pub(super) fn skipped(state: &mut State, sent: usize, skipped: usize, reason: SkipReason, until: UtcTime) {
    state.manual_refresh.postpone(until);
    if sent == 0 {
        pause::forget_refresh(state);
    }
    let key = state.keys().name(Command::Refresh, state.screen_context(), Glyphs::Ascii);
    let message = skip_message(key.as_deref(), sent, skipped, reason, until.since(state.now));
    toast(state, message);
}

/// Shows why a manual refresh did not bring newer data, and when it is repeated. One toast is enough for all resources of
/// the screen, and for the same refresh.
pub(super) fn failed(state: &mut State, request: &Request, failure: &RefreshFailure) {
    if !state.manual_refresh.interrupt(request) {
        return;
    }
    let next = match state.paused {
        Some(_) => String::new(),
        None => format!(" · retrying {}", Until(failure.next_try.since(state.now))),
    };
    let room = MAX_TOAST.saturating_sub(NOT_REFRESHED.chars().count() + next.chars().count() + " · ".len());
    let reason = failure.error.reason();
    error_toast(state, format!("{NOT_REFRESHED} · {}{next}", text::cut(reason.into(), room)));
    dismiss_when(state, ToastEnd::Refreshed);
}

/// How the toast starts.
const NOT_REFRESHED: &str = "Not refreshed";

/// Longest toast in characters.
const MAX_TOAST: usize = 80;

/// Returns why resources are not refreshed, and when `key` can refresh them: `Just refreshed (r: in 7 s)`.
fn skip_message(key: Option<&str>, sent: usize, skipped: usize, reason: SkipReason, wait: Duration) -> String {
    let limited = format!("{}: in", key.unwrap_or("refresh"));
    let key = key.map_or_else(String::new, |key| format!("{key}: "));
    let wait = wait.as_millis().div_ceil(1000);
    let progress = format!("Refreshing {sent} of {}", sent + skipped);
    match (reason, sent) {
        (SkipReason::Recent, 0) => format!("Just refreshed ({key}in {wait} s)"),
        (SkipReason::Recent, _) => format!("{progress} · others are up to date ({key}in {wait} s)"),
        (SkipReason::RecentlyFailed, 0) => format!("Just tried ({key}in {wait} s)"),
        (SkipReason::RecentlyFailed, _) => format!("{progress} · others were just tried ({key}in {wait} s)"),
        (SkipReason::RateLimited, 0) => format!("Rate-limited (429) · {limited} {wait} s"),
        (SkipReason::RateLimited, _) => format!("{progress} · rate-limited (429) · {limited} {wait} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_refresh_has_reason_and_time() {
        let wait = Duration::from_secs(7);
        for (sent, count, reason, text) in [
            (0, 3, SkipReason::Recent, "Just refreshed (r: in 7 s)"),
            (1, 3, SkipReason::Recent, "Refreshing 1 of 4 · others are up to date (r: in 7 s)"),
            (0, 3, SkipReason::RecentlyFailed, "Just tried (r: in 7 s)"),
            (3, 1, SkipReason::RecentlyFailed, "Refreshing 3 of 4 · others were just tried (r: in 7 s)"),
            (0, 1, SkipReason::RateLimited, "Rate-limited (429) · r: in 7 s"),
            (1, 3, SkipReason::RateLimited, "Refreshing 1 of 4 · rate-limited (429) · r: in 7 s"),
        ] {
            assert_eq!(skip_message(Some("r"), sent, count, reason, wait), text);
            assert!(text.chars().count() <= 80);
        }
    }
}
