//! Enter pressed before the names of coins have arrived: the first item opens once they have, unless another key is
//! pressed before, or another item was selected in the meantime.

use std::mem;

use crate::app::coins::names::{LOADING, LOADING_TO_RUN, NamesState};
use crate::app::find::palette::{Action, Item, Kind, Palette};
use crate::app::overlay::Overlay;
use crate::app::state::State;

/// The placeholder row for coins whose names are loading.
pub(super) fn waiting(runs_first: bool) -> Item {
    Item::new(Kind::Coin, if runs_first { LOADING_TO_RUN } else { LOADING }, Action::Wait)
}

/// Remembers Enter if the selected item is the placeholder, or if only a coin that is not yet known can match. Returns
/// whether it does.
pub(super) fn remember(state: &mut State) -> bool {
    let is_loading = matches!(state.names_state(), NamesState::Loading);
    let Some(Overlay::Palette(palette, _)) = &mut state.overlay else { return false };
    let waits = match palette.items.get(palette.selected) {
        Some(item) => item.action == Action::Wait,
        None => accepts_coins(palette),
    };
    if is_loading && waits {
        set(palette, true);
    }
    is_loading && waits
}

/// Whether a coin that is not yet known may match the text.
pub(super) fn may_match(state: &State, palette: &Palette) -> bool {
    accepts_coins(palette) && matches!(state.names_state(), NamesState::Loading)
}

fn accepts_coins(palette: &Palette) -> bool {
    !palette.looks_up && palette.problem.is_none()
}

/// Forgets Enter.
pub(in crate::app::update) fn cancel(state: &mut State) {
    if let Some(Overlay::Palette(palette, _)) = &mut state.overlay {
        forget(palette);
    }
}

/// Forgets Enter in this palette.
pub(super) fn forget(palette: &mut Palette) {
    if palette.runs_first {
        set(palette, false);
    }
}

fn set(palette: &mut Palette, runs_first: bool) {
    palette.runs_first = runs_first;
    for item in palette.items.iter_mut().filter(|item| item.action == Action::Wait) {
        *item = waiting(runs_first);
    }
}

/// Whether Enter was pressed before and the names have arrived: the first item is selected, to be run now. A guess, and
/// an action that changes something, wait for another Enter, since the user hasn't seen them.
pub(in crate::app::update) fn take_due(state: &mut State) -> bool {
    let is_settled = matches!(state.names_state(), NamesState::Settled);
    let Some(Overlay::Palette(palette, _)) = &mut state.overlay else { return false };
    let is_due = is_settled && mem::take(&mut palette.runs_first);
    if is_due {
        palette.selected = 0;
    }
    is_due && palette.items.first().is_some_and(|item| !item.is_guess && only_opens(&item.action))
}

/// Whether an action opens something and changes nothing that is saved or copied.
fn only_opens(action: &Action) -> bool {
    use Action::{AddAlert, Compare, CopyCoin, LookUp, OpenCoin, TypeAlert, TypeLot};
    matches!(
        action,
        OpenCoin { .. } | LookUp { .. } | AddAlert(_) | TypeAlert(_) | TypeLot(_) | CopyCoin(_) | Compare(_)
    )
}
