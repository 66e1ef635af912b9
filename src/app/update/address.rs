//! Adds addresses to the wallet, changes their labels, and removes them.

use tui_input::Input;

use crate::app::effect::Effect;
use crate::app::overlay::Overlay;
use crate::app::state::State;
use crate::app::step::Step;
use crate::keymap::{Command, Context};
use crate::user_data::{Change, WalletAddress};

use super::dialog::Dialog;
use super::toast::{report_removed_elsewhere, toast_when_saved, undo_hint};
use super::user::save;

/// An address to add to the wallet with its label, or the label of one to edit.
pub(super) struct AddressDialog;

impl Dialog for AddressDialog {
    fn context(&self, _state: &State) -> Context {
        Context::Choice
    }

    fn run(&self, state: &mut State, command: Command, effects: &mut Vec<Effect>) {
        if command == Command::Open
            && let Some(Overlay::Address { input, edited }) = state.overlay.take()
        {
            apply(state, input, edited, effects);
        }
    }

    fn step(&self, _state: &mut State, _step: Step) {}

    fn field<'a>(&self, state: &'a mut State) -> Option<&'a mut Input> {
        match &mut state.overlay {
            Some(Overlay::Address { input, .. }) => Some(input),
            _ => None,
        }
    }

    /// The dialog explains the new text.
    fn edited(&self, state: &mut State) {
        state.toast = None;
    }

    /// There is no list to select from.
    fn offers(&self, _state: &State, command: Command) -> bool {
        !matches!(command, Command::Up | Command::Down)
    }

    fn is_prefilled(&self, state: &State) -> bool {
        let Some(Overlay::Address { input, edited: Some(entry) }) = &state.overlay else { return false };
        entry.label.as_deref().is_some_and(|label| label == input.value())
    }

    fn open_label(&self, state: &State) -> Option<&'static str> {
        let is_edit = matches!(state.overlay, Some(Overlay::Address { edited: Some(_), .. }));
        Some(if is_edit { "save" } else { "add" })
    }
}

/// Opens an empty line for a new address.
pub(super) fn open_new(state: &mut State) {
    state.overlay = Some(Overlay::Address { input: Input::default(), edited: None });
}

/// Opens the line of the selected address's label. Returns `false` if no address is selected.
pub(super) fn open_selected(state: &mut State) -> bool {
    let Some(entry) = state.wallet.selected_address().map(|held| held.entry.clone()) else { return false };
    let input = Input::new(entry.label.as_deref().unwrap_or_default().to_owned());
    state.overlay = Some(Overlay::Address { input, edited: Some(entry) });
    true
}

/// Opens the line that adds an address again with its label, and says that another process has removed it.
pub(super) fn open_removed(state: &mut State, entry: &WalletAddress) {
    let label = entry.label.as_deref().map(|label| format!(" {label}")).unwrap_or_default();
    let input = Input::new(format!("{}{label}", entry.address));
    state.overlay = Some(Overlay::Address { input, edited: None });
    report_removed_elsewhere(state, "address");
}

/// Saves the address or label of the line; if that fails, the dialog stays open and shows the reason. An unchanged label
/// closes it, even if another process has changed the label.
fn apply(state: &mut State, input: Input, edited: Option<WalletAddress>, effects: &mut Vec<Effect>) {
    if edited.is_none() && input.value().trim().is_empty() {
        return;
    }
    let entry = match state.read_address(input.value(), edited.as_ref().map(|entry| &entry.address)) {
        Ok((entry, _)) => entry,
        // The dialog says why.
        Err(_) => {
            state.overlay = Some(Overlay::Address { input, edited });
            return;
        }
    };
    let before = state.user.current().addresses.iter().find(|known| known.address == entry.address).cloned();
    if edited.is_some() && before.is_none() {
        open_removed(state, &entry);
        return;
    }
    let is_unchanged = |known: &WalletAddress| known.label == entry.label;
    let what = match &before {
        Some(before) if is_unchanged(before) || edited.as_ref().is_some_and(is_unchanged) => return,
        Some(_) => "Updated label",
        None => "Added address",
    };
    let change = if edited.is_some() { Change::LabelAddress(entry) } else { Change::PutAddress(entry) };
    save(state, change, effects);
    toast_when_saved(state, what);
    ask(state);
}

/// Asks before the wallet's addresses are sent to a public provider for the first time.
pub(super) fn ask(state: &mut State) {
    if !state.unconfirmed_address_receivers().is_empty() {
        state.overlay = Some(Overlay::AddressNotice { address: None });
    }
}

/// Removes the selected address. Returns `false` if none is selected.
pub(super) fn remove(state: &mut State, effects: &mut Vec<Effect>) -> bool {
    let Some(entry) = state.wallet.selected_address().map(|held| held.entry.clone()) else { return false };
    let neighbour = state.wallet.neighbour();
    save(state, Change::RemoveAddress(entry), effects);
    state.wallet.select_row(neighbour);
    let hint = undo_hint(state, Context::Wallet);
    toast_when_saved(state, format!("Removed address{hint}"));
    true
}
