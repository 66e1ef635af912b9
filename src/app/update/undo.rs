//! Undoes the last changes to watchlist, wallet, alerts and comparison.

use crate::app::effect::Effect;
use crate::app::saved::undo::{Done, UndoStep};
use crate::app::state::State;
use crate::user_data::Change;

use super::toast::{error_toast, toast, toast_when_saved};
use super::user::save_without_undo;

/// Takes back the last change.
pub(super) fn undo(state: &mut State, effects: &mut Vec<Effect>) {
    let undone = state.undo.pop(&state.user.current());
    match undone {
        Some(Err(changed)) => error_toast(state, changed),
        Some(Ok((step, done))) => {
            let done = match done {
                Done::Sentence(done) => done,
                Done::Alert(done, rule) => format!("{done} alert {}", state.alert_title(&rule)),
            };
            match step {
                UndoStep::Change(change) => {
                    save_without_undo(state, change.clone(), effects);
                    select_restored(state, &change);
                    toast_when_saved(state, done);
                }
                UndoStep::Order(order, manual_order) => {
                    state.sort_wallet(order, Some(manual_order));
                    state.session_saves.has_unsaved_order = true;
                    toast(state, done);
                }
                UndoStep::Compared(coin, slot) => {
                    if state.comparison.restore(&coin, slot) {
                        toast(state, done);
                    } else {
                        error_toast(state, format!("Can't restore {} (comparison is full)", coin.symbol));
                    }
                }
            }
        }
        None => toast(state, "Nothing to undo"),
    }
}

/// Selects the row of the wallet that an undo has restored.
fn select_restored(state: &mut State, change: &Change) {
    let restored = match change {
        Change::Undo { back, .. } => back,
        change => change,
    };
    let wallet = &state.wallet;
    let row = match restored {
        Change::AddLot(lot) => wallet.row_of_lot(lot.id),
        Change::RestoreAddress { entry, .. } => wallet.row_of_address(&entry.address),
        Change::Watch(coin) | Change::Rewatch { coin, .. } => wallet.row_of_watched(coin),
        _ => None,
    };
    // On other screens, the selection of the wallet stays.
    if state.open_screen().shows_holdings() {
        state.wallet.select_row(row);
    }
}
