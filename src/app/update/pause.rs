//! Pauses updates: what is on the screen stays, and its ages go on.

use crate::app::paused_events::PausedEvents;
use crate::app::state::State;
use crate::client::Request;
use crate::fetch::{Event, REFRESH_SPACING};
use crate::glyphs::Glyphs;
use crate::keymap::Command;

use super::toast::toast;

/// Pauses updates, or shows what has waited.
pub(super) fn toggle(state: &mut State) {
    match state.paused.take() {
        Some(mut held) => state.released = held.take_events(),
        None if alerts_need_updates(state) => {
            let key = state.keys().name(Command::Alerts, state.screen(), Glyphs::Ascii);
            let key = key.map_or_else(String::new, |key| format!(" ({key}: alerts)"));
            toast(state, format!("Can't pause updates while alerts are on{key}"), false);
        }
        None => state.paused = Some(PausedEvents::new(state.store.pause())),
    }
}

/// Shows what has waited, and lets the refreshes of `requests` through, although updates stay paused.
pub(super) fn refresh(state: &mut State, requests: &[Request]) {
    let Some(held) = &mut state.paused else { return };
    state.released = held.take_events();
    held.let_through(requests, state.now.plus(REFRESH_SPACING));
}

/// Ends the pause if alerts need the updates now: one was added or turned on, or this process has begun to check them.
pub(super) fn end_for_alerts(state: &mut State) {
    if alerts_need_updates(state)
        && let Some(mut held) = state.paused.take()
    {
        state.released = held.take_events();
        toast(state, String::from("Updates resumed: alerts need them"), false);
    }
}

/// Whether this process checks an alert. The values that wait would come too late for it.
fn alerts_need_updates(state: &State) -> bool {
    state.alerts.checks_any()
}

/// The events to apply after the end of a pause.
pub(super) fn released(state: &mut State) -> Vec<Event> {
    std::mem::take(&mut state.released)
}

/// Returns the event if it applies now. While updates are paused, events that would change shown values are held back;
/// missing values and manual refreshes still apply.
pub(super) fn hold(state: &mut State, event: Event) -> Option<Event> {
    let Some(held) = &mut state.paused else { return Some(event) };
    let waits = match &event {
        Event::Started { request, .. } => {
            state.store.answer(request).is_some() && !held.lets_through(request, state.now)
        }
        Event::Arrived { request, ticket, .. }
        | Event::Failed { request, ticket, .. }
        | Event::Cancelled { request, ticket } => {
            state.store.answer(request).is_some() && !state.store.is_fetching(request, *ticket)
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
