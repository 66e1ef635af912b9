//! Edits that were not saved, because another process has removed what they edit.

use crate::app::state::State;
use crate::user_data::Change;

use super::toast::toast;
use super::{address, alerts, lot, user};

/// Opens the line of such an edit again, so that nothing typed is lost; says it in one sentence if another dialog is
/// open.
pub(super) fn reopen(state: &mut State, number: u64, sentence: String) {
    let Some(change) = user::take_back(state, number) else { return };
    let is_open = match change {
        Change::EditLot(edit) => lot::reopen(state, &edit.after),
        Change::EditAlert(edit) => alerts::reopen(state, &edit),
        Change::LabelAddress(entry) => address::reopen(state, &entry),
        _ => false,
    };
    if !is_open {
        toast(state, sentence, true);
    }
}
