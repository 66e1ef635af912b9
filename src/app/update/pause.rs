//! Pauses updates: the data on the screen stays and ages. Alerts are checked with the data held back.

use crate::app::paused_events::PausedEvents;
use crate::app::state::State;
use crate::client::Request;
use crate::fetch::{Event, REFRESH_SPACING};

use super::sync;

/// Pauses updates, or resumes and shows the waiting ones.
pub(super) fn toggle(state: &mut State) {
    match state.paused.take() {
        Some(mut held) => {
            state.released = held.take_events();
            // Live prices may have ended.
            sync::live_prices(state);
        }
        None => state.paused = Some(PausedEvents::new(state.responses.pause())),
    }
}

/// Shows the waiting updates, and lets the refreshes of `requests` through, although updates stay paused.
pub(super) fn refresh(state: &mut State, requests: &[Request]) {
    let Some(held) = &mut state.paused else { return };
    state.released = held.take_events();
    held.allow_refresh(requests, state.now.plus(REFRESH_SPACING));
}

/// Holds back all later updates, since the last refresh was not sent.
pub(super) fn forget_refresh(state: &mut State) {
    if let Some(held) = &mut state.paused {
        held.forget_refresh();
    }
}

/// Runs something with the held-back responses in place of the shown ones: a pause doesn't affect alerts.
pub(super) fn with_waiting(state: &mut State, run: impl FnOnce(&mut State)) {
    let mut waiting = state.paused.as_ref().map(PausedEvents::responses).unwrap_or_default();
    state.responses.swap(&mut waiting);
    let values_wallet = !waiting.is_empty() && state.alerts.any_about_wallet();
    let counted = state.counted_coins;
    let shown = values_wallet.then(|| state.wallet.take_values());
    if shown.is_some() {
        state.update_holdings_without_chart();
    }
    run(state);
    state.responses.swap(&mut waiting);
    if let Some(values) = shown {
        state.wallet.restore_values(values);
        state.counted_coins = counted;
    }
}

/// The events to apply after the end of a pause.
pub(super) fn take_released(state: &mut State) -> Vec<Event> {
    std::mem::take(&mut state.released)
}

/// Returns the event if it applies now. While updates are paused, events that would change shown values are held back;
/// missing values and manual refreshes still apply.
pub(super) fn hold_back(state: &mut State, event: Event) -> Option<Event> {
    let Some(held) = &mut state.paused else { return Some(event) };
    let waits = match &event {
        Event::Started { request, .. } => {
            state.responses.response(request).is_some() && !held.is_allowed_refresh(request, state.now)
        }
        Event::Arrived { request, fetch_id, .. }
        | Event::Failed { request, fetch_id, .. }
        | Event::Cancelled { request, fetch_id } => {
            state.responses.response(request).is_some() && !state.responses.is_fetching(request, *fetch_id)
        }
        Event::Prices { .. } => true,
        _ => false,
    };
    if !waits {
        return Some(event);
    }
    held.push(event);
    None
}
