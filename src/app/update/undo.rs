//! Undoes the last changes to watchlist, wallet and alerts.

use crate::app::effect::Effect;
use crate::app::state::State;
use crate::app::undo::UndoStep;

use super::toast::{toast, toast_when_saved};
use super::user::save_without_undo;

/// Takes back the last change.
pub(super) fn undo(state: &mut State, effects: &mut Vec<Effect>) {
    let undone = state.undo.pop(&state.user.current(), state.wallet.hides_amounts);
    match undone {
        Some(Err(changed)) => toast(state, changed, true),
        Some(Ok((step, done))) => match step {
            UndoStep::Change(change) => {
                save_without_undo(state, change, effects);
                toast_when_saved(state, done);
            }
            UndoStep::Order(order, manual_order) => {
                state.sort_wallet(order, Some(manual_order));
                state.has_unsaved_order = true;
                toast(state, done, false);
            }
        },
        None => toast(state, String::from("Nothing to undo"), false),
    }
}
