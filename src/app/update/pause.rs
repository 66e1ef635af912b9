//! Pauses updates: what is on the screen stays, and its ages go on.

use crate::app::held::Held;
use crate::app::state::State;
use crate::fetch::Event;
use crate::glyphs::Glyphs;
use crate::keymap::Command;

use super::toast::toast;

/// Pauses updates, or shows what has waited.
pub(super) fn toggle(state: &mut State) {
    match state.paused.take() {
        Some(held) => state.released = held.into_events(),
        None if alerts_need_updates(state) => {
            let key = state.keys().name(Command::Alerts, state.screen(), Glyphs::Ascii);
            let key = key.map_or_else(String::new, |key| format!(" ({key}: alerts)"));
            toast(state, format!("Can't pause updates while alerts are on{key}"), false);
        }
        None => state.paused = Some(Held::default()),
    }
}

/// Ends the pause if alerts need the updates now: one was added or turned on, or this process has begun to check them.
pub(super) fn end_for_alerts(state: &mut State) {
    if alerts_need_updates(state)
        && let Some(held) = state.paused.take()
    {
        state.released = held.into_events();
        toast(state, String::from("Updates resumed: alerts need them"), false);
    }
}

/// Whether this process checks an alert. The values that wait would come too late for it.
fn alerts_need_updates(state: &State) -> bool {
    state.alerts.holds_lease && state.alerts.tracked.iter().any(|tracked| tracked.alert.on)
}

/// The events to apply after the end of a pause.
pub(super) fn released(state: &mut State) -> Vec<Event> {
    std::mem::take(&mut state.released)
}

/// Returns an event to apply now. While updates are paused, events that would change what is shown wait; what is not
/// known yet is still loaded.
pub(super) fn hold(state: &mut State, event: Event) -> Option<Event> {
    let Some(held) = &mut state.paused else { return Some(event) };
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
