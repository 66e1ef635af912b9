//! Loads the user data from the store and saves changes.

use crate::app::effect::Effect;
use crate::app::saved::session::Session;
use crate::app::saved::undo;
use crate::app::state::State;
use crate::app::toast::ToastEnd;
use crate::user_data::assigned_ids::AssignedIds;
use crate::user_data::{Change, UserData};

use super::{provider_change, session, session_save, toast};

/// Applies user data read from the store.
pub(super) fn apply_loaded(state: &mut State, data: UserData, effects: &mut Vec<Effect>) {
    let session = Session::from_entries(&data.session);
    state.user.replace_loaded(data);
    let has_unsaved_choice = !state.session_saves.is_restored && !state.live_choice.is_open();
    if !state.session_saves.is_restored {
        state.session_saves.is_restored = true;
        session::restore(state, session);
        state.session_saves.set_saved(state.choices());
    }
    let State { user, overlay, toast, posts, token, responses, convert, .. } = state;
    if overlay.as_mut().is_some_and(|overlay| overlay.edit_if_restored(&user.current())) {
        toast::dismiss_on(toast, ToastEnd::Restored);
    }
    let is_open = token.as_ref().is_some_and(|token| token.post_count() > 0);
    posts.load(&user.current().read_posts, is_open);
    if let Some(token) = token {
        token.sync(responses, convert, posts);
    }
    sync_watched(state);
    sync_sources(state, effects);
    state.update_holdings();
    state.sync_alerts();
    if has_unsaved_choice {
        session_save::save(state, effects);
    }
}

/// Replaces temporary IDs of lots and alerts with those that the store has assigned.
pub(super) fn assign_ids(state: &mut State, ids: AssignedIds) {
    let ids = state.user.assign_ids(ids);
    state.undo.assign_ids(&ids);
    state.overlay.iter_mut().for_each(|overlay| overlay.assign_ids(&ids));
    state.wallet.assign_ids(&ids);
    state.alerts.assign_ids(&ids);
    state.update_holdings();
    state.sync_alerts();
}

/// Applies a change to the user data and requests its saving. Changes by the user can be undone.
pub(super) fn save(state: &mut State, change: Change, effects: &mut Vec<Effect>) {
    if let Some(back) = undo::inverse(&change, &state.user.current()) {
        state.undo.push(back);
    }
    save_without_undo(state, change, effects);
}

/// Applies a change to the user data and requests its saving, without undo.
pub(super) fn save_without_undo(state: &mut State, change: Change, effects: &mut Vec<Effect>) {
    let number = state.user.push(change.clone());
    effects.push(Effect::Save(number, change));
    sync_watched(state);
    sync_sources(state, effects);
    state.update_holdings();
    state.sync_alerts();
}

/// Takes back an edit whose subject is gone, and later edits of the subject. Returns them as one, or nothing if a later
/// change has replaced it or it was taken back with an earlier one. An alert keeps its current bell and notification
/// settings.
pub(super) fn take_back(state: &mut State, number: u64) -> Option<Change> {
    let alerts = state.user.current().alerts.clone();
    let edits = state.user.take_back(number);
    edits.iter().for_each(|edit| state.undo.forget(edit));
    let mut edit = edits.into_iter().reduce(Change::joined)?;
    if let Change::EditAlert(edit) = &mut edit
        && let Some(known) = alerts.iter().find(|known| known.id == edit.after.id)
    {
        (edit.after.bell, edit.after.notify) = (known.bell, known.notify);
    }
    state.update_holdings();
    state.sync_alerts();
    Some(edit)
}

/// Passes new choices of data sources on to the embedded service.
fn sync_sources(state: &mut State, effects: &mut Vec<Effect>) {
    let choices = state.user.current().sources.clone();
    if choices != state.sources.applied {
        state.sources.applied = choices.clone();
        provider_change::apply(state);
        effects.push(Effect::ApplySources(choices));
    }
}

/// Updates the watched coins from the user data.
fn sync_watched(state: &mut State) {
    let watched = state.user.current().watchlist.apply_to(&state.preferences.watched);
    if watched == state.watched.coins() {
        return;
    }
    state.watched.replace(watched);
    state.resolve();
    state.wallet.sync(&state.responses, state.watched.coins(), &state.convert);
    state.order_watched();
}
