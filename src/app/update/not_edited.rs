//! Edits that were not saved, because another process has removed what they edit, and notes for which there is no room.

use crate::app::state::State;
use crate::user_data::Change;

use super::toast::error_toast;
use super::{address, alerts, lot, note, user};

/// Opens the line of such an edit again, so that nothing typed is lost. If the user has left the place where it was
/// edited, only shows the sentence: the line would take the keys meant for something else.
pub(super) fn reopen(state: &mut State, number: u64, sentence: String) {
    let Some(change) = user::take_back(state, number) else { return };
    state.overlay.iter_mut().for_each(|overlay| overlay.include_unsaved(&change));
    let waits_for_key = state.menu.is_some() || state.pending.is_some();
    let shows_holdings = state.open_screen().shows_holdings() && state.overlay.is_none();
    let is_open = match change {
        _ if waits_for_key => false,
        Change::EditLot(edit) if shows_holdings => {
            lot::reopen(state, edit);
            true
        }
        Change::LabelAddress(entry) if shows_holdings => {
            address::open_removed(state, &entry);
            true
        }
        Change::EditAlert(edit) => alerts::reopen(state, &edit),
        Change::PutNote(entry) if note::shows(state, &entry) => {
            note::reopen(state, entry, sentence);
            return;
        }
        _ => false,
    };
    if !is_open {
        error_toast(state, sentence);
    }
}
