//! Pauses updates: what is on the screen stays, and its ages go on.

use crate::app::held::Held;
use crate::app::state::State;
use crate::fetch::Event;

use super::toast::toast;

/// Pauses updates, or shows what has waited.
pub(super) fn toggle(state: &mut State) {
    match state.paused.take() {
        None if !state.alerts.tracked.is_empty() => {
            toast(state, String::from("Can't pause updates while alerts are on"), false);
        }
        Some(held) => state.released = held.into_events(),
        None => state.paused = Some(Held::default()),
    }
}

/// The events to apply after the end of a pause.
pub(super) fn released(state: &mut State) -> Vec<Event> {
    std::mem::take(&mut state.released)
}

/// Returns an event to apply now. While updates are paused, events that would change what is shown wait; what is not
/// known yet is still loaded.
pub(super) fn hold(state: &mut State, event: Event) -> Option<Event> {
    // Alerts that were turned on meanwhile need the updates.
    let Some(held) = state.paused.as_mut().filter(|_| state.alerts.tracked.is_empty()) else { return Some(event) };
    let waits = match &event {
        Event::Started { request, .. }
        | Event::Arrived { request, .. }
        | Event::Failed { request, .. }
        | Event::Cancelled { request, .. } => state.store.answer(request).is_some(),
        Event::Prices { .. } => true,
        _ => false,
    };
    if !waits {
        return Some(event);
    }
    held.push(event);
    None
}
