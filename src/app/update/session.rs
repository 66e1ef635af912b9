//! Restores the session of an earlier run.

use crate::app::session::Session;
use crate::app::state::State;
use crate::model::Tag;

use super::currency;

/// Restores a session, except for what was changed on the screen in the meantime: it may arrive after the first frame.
pub(super) fn restore(state: &mut State, session: Session) {
    let now = state.session();
    if !state.preferences.convert_fixed
        && now.convert.is_none()
        && let Some(convert) = session.convert
    {
        // If the service rejects it, the configured one is restored.
        state.convert_before = Some(currency::change(state, convert));
    }
    for ((tag, sort), coin) in Tag::ALL.into_iter().zip(session.sorts).zip(session.coins) {
        state.list_mut(tag).restore(sort, coin);
    }
    if state.token.is_some() {
        return;
    }
    if now.tab.is_none() {
        state.tab = session.tab.unwrap_or(state.tab);
    }
    if now.period.is_none() {
        state.period = session.period.unwrap_or(state.period);
    }
    if now.zoom.is_none() {
        state.zoomed = session.zoom;
    }
}
