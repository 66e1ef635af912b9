//! Adds, edits and removes lots of the wallet.

use tui_input::Input;

use crate::app::coins::named_coin::{self, NamedCoin};
use crate::app::effect::Effect;
use crate::app::extension::Extension;
use crate::app::overlay::Overlay;
use crate::app::state::State;
use crate::app::step::Step;
use crate::app::wallet::lot_line::line_of;
use crate::client::Request;
use crate::glyphs::Glyphs;
use crate::keymap::{Command, Context, Tab};
use crate::model::Text;
use crate::user_data::{Change, Edit, Lot, LotId, Watched};

use super::dialog::Dialog;
use super::toast::{report_removed_elsewhere, toast, toast_when_saved, undo_hint};
use super::user::save;
use super::{address, sync};

/// A lot to add or edit: a text field, and the coins that match its text.
pub(super) struct LotDialog;

impl Dialog for LotDialog {
    fn context(&self, _state: &State) -> Context {
        Context::Choice
    }

    fn run(&self, state: &mut State, command: Command, effects: &mut Vec<Effect>) {
        match command {
            Command::Open => {
                if let Some(Overlay::Lot { input, selected, edited, is_removed, .. }) = state.overlay.take() {
                    apply(state, input, selected, (edited, is_removed), effects);
                }
            }
            Command::Complete => complete(state),
            _ => {}
        }
    }

    /// Moves the selection among the coins of the line.
    fn step(&self, state: &mut State, step: Step) {
        if let Some(Overlay::Lot { selected, read, .. }) = &mut state.overlay {
            let last = read.as_ref().map_or(0, |line| line.coins.len().saturating_sub(1));
            *selected = step.target(*selected, last);
        }
    }

    fn selected<'a>(&self, state: &'a mut State) -> Option<&'a mut usize> {
        match &mut state.overlay {
            Some(Overlay::Lot { selected, .. }) => Some(selected),
            _ => None,
        }
    }

    fn choice_key(&self, state: &State, index: usize) -> Option<Text> {
        match &state.overlay {
            Some(Overlay::Lot { read: Some(line), .. }) => line.coins.get(index).map(NamedCoin::key),
            _ => None,
        }
    }

    fn field<'a>(&self, state: &'a mut State) -> Option<&'a mut Input> {
        match &mut state.overlay {
            Some(Overlay::Lot { input, .. }) => Some(input),
            _ => None,
        }
    }

    /// The dialog explains the new text.
    fn edited(&self, state: &mut State) {
        state.toast = None;
        self.selected(state).into_iter().for_each(|selected| *selected = 0);
    }

    fn lookups(&self, state: &State) -> Vec<Request> {
        state.may_request(Extension::Names).then_some(Request::CoinNames).into_iter().collect()
    }

    fn offers(&self, state: &State, command: Command) -> bool {
        let has_list = || {
            let Some(Overlay::Lot { read: Some(line), .. }) = &state.overlay else { return false };
            line.coins.len() > 1
        };
        !matches!(command, Command::Up | Command::Down) || has_list()
    }

    fn is_prefilled(&self, state: &State) -> bool {
        let Some(Overlay::Lot { input, edited: Some(edit), .. }) = &state.overlay else { return false };
        line_of(&edit.after, &state.user.current().addresses) == input.value()
    }

    fn open_label(&self, state: &State) -> Option<&'static str> {
        let is_edit = matches!(state.overlay, Some(Overlay::Lot { edited: Some(_), is_removed: false, .. }));
        Some(if is_edit { "save" } else { "add" })
    }
}

/// Opens an empty line for a new lot.
pub(super) fn open_new(state: &mut State) {
    open_line(state, Input::default(), None);
}

/// Opens the line of a new lot with this text.
pub(super) fn open_typed(state: &mut State, line: String) {
    open_line(state, Input::new(line), None);
}

/// Opens the line of the selected lot, or of the selected address's label.
pub(super) fn open_selected(state: &mut State) {
    if address::open_selected(state) {
        return;
    }
    match selected(state) {
        Some(lot) => {
            let line = line_of(&lot, &state.user.current().addresses);
            open_line(state, Input::new(line), Some(Box::new(Edit::unchanged(lot))));
        }
        None => none_selected(state),
    }
}

fn open_line(state: &mut State, input: Input, edited: Option<Box<Edit<Lot>>>) {
    state.overlay = Some(Overlay::Lot { input, selected: 0, edited, is_removed: false, read: None });
}

/// Opens the line that adds a lot again, which could not be edited because another process has removed it.
pub(super) fn reopen(state: &mut State, edit: Box<Edit<Lot>>) {
    let input = Input::new(line_of(&edit.after, &state.user.current().addresses));
    state.overlay = Some(Overlay::Lot { input, selected: 0, edited: Some(edit), is_removed: true, read: None });
    report_removed_elsewhere(state, "lot");
}

/// Shows the lots of the selected holding, to choose one.
fn none_selected(state: &mut State) {
    state.wallet.expand(true);
    toast(state, NONE_SELECTED);
}

const NONE_SELECTED: &str = "Select a lot first";

/// The selected lot.
fn selected(state: &State) -> Option<Lot> {
    state.wallet.selected_lot().and_then(|id| state.wallet.holdings().lot(id)).cloned()
}

/// Parses the line of the dialog again if it or any coins may have changed.
pub(super) fn read_line(state: &mut State, has_news: bool) {
    let Some(Overlay::Lot { input, read, .. }) = &state.overlay else { return };
    if !has_news && read.as_ref().is_some_and(|typed| typed.line == input.value()) {
        return;
    }
    let line = Box::new(state.read_lot(input.value()));
    if let Some(Overlay::Lot { selected, edited, read, .. }) = &mut state.overlay {
        // The chosen coin stays chosen. An edited lot keeps its own coin unless the user chooses another one.
        if let Some(before) = read.as_ref().filter(|before| before.line == line.line)
            && (edited.is_none() || *selected > 0)
        {
            *selected = named_coin::follow(*selected, &before.coins, &line.coins);
        }
        *read = Some(line);
    }
}

/// Completes the coin of the line.
fn complete(state: &mut State) {
    let Some(Overlay::Lot { input, selected, .. }) = &state.overlay else { return };
    let completed = state.complete_lot(input.value(), *selected);
    if let Some((completed, Overlay::Lot { input, selected, .. })) = completed.zip(state.overlay.as_mut()) {
        *input = Input::new(completed);
        *selected = 0;
    }
}

/// Saves the lot of the line; if that fails, the dialog stays open and shows the reason. An empty or unchanged line
/// closes it.
fn apply(
    state: &mut State,
    input: Input,
    selected: usize,
    (edited, is_removed): (Option<Box<Edit<Lot>>>, bool),
    effects: &mut Vec<Effect>,
) {
    let line = state.read_lot(input.value());
    if input.value().trim().is_empty() {
        return;
    }
    let is_oversold = state.oversold(&line, selected, edited.as_deref()).is_some();
    let Some(mut lot) = state.lot_of(line, selected, edited.as_ref().map(|edit| &edit.after)) else {
        // The dialog says why.
        state.overlay = Some(Overlay::Lot { input, selected, edited, is_removed, read: None });
        return;
    };
    let name = title(state, &lot.coin);
    // A removed lot is added again.
    let opened = edited.as_deref().filter(|_| !is_removed);
    let find = |id: LotId| state.user.current().lots.iter().find(|known| known.id == id).cloned();
    let known = opened.and_then(|edit| find(edit.after.id));
    if opened.is_some() && known.is_none() {
        state.overlay = Some(Overlay::Lot { input, selected, edited, is_removed: true, read: None });
        report_removed_elsewhere(state, "lot");
        return;
    }
    // Lots may be added in any order, so the purchase may follow.
    let note = if is_oversold { ": more sold than held" } else { "" };
    match opened.zip(known) {
        Some((opened, before)) => {
            // Another process may have changed other parts.
            let after = Edit { before: opened.before.clone(), after: lot }.applied_to(&before);
            if after != before {
                save(state, Change::EditLot(Box::new(Edit { before, after })), effects);
                toast_when_saved(state, format!("Updated {name} lot{note}"));
            }
        }
        None => {
            show_wallet(state);
            let id = state.user.current().next_lot();
            lot.id = id;
            save(state, Change::AddLot(Box::new(lot)), effects);
            state.wallet.select_row(state.wallet.row_of_lot(id));
            toast_when_saved(state, format!("Added {name} lot{note}"));
        }
    }
}

/// The symbol of a coin, with its slug if other coins use the symbol, too.
fn title(state: &State, coin: &Watched) -> String {
    let is_shared = || state.coins_with_symbol(&coin.symbol).len() > 1;
    match coin.slug.as_ref().filter(|_| is_shared()) {
        Some(slug) => format!("{} ({slug})", coin.symbol),
        None => coin.symbol.to_string(),
    }
}

/// Opens the wallet, where the new lot is, if its line was opened on another screen.
fn show_wallet(state: &mut State) {
    if !state.is_open(Tab::Wallet) {
        (state.tab, state.token) = (Tab::Wallet, None);
        sync::all(state);
    }
}

/// Removes the selected lot or address. On a watched coin, says how to stop watching it.
pub(super) fn remove(state: &mut State, effects: &mut Vec<Effect>) {
    if address::remove(state, effects) {
        return;
    }
    match selected(state) {
        Some(lot) => {
            let name = title(state, &lot.coin);
            let (neighbour, holding) = (state.wallet.neighbour(), state.wallet.holding_of_only_lot());
            save(state, Change::RemoveLot(Box::new(lot)), effects);
            state.wallet.select_row(neighbour);
            state.wallet.select_row(holding);
            let hint = undo_hint(state, Context::Wallet);
            toast_when_saved(state, format!("Removed {name} lot{hint}"));
        }
        None => match state.wallet.selected().map(|row| row.watched.symbol.clone()) {
            Some(symbol) => {
                let key = state.keys().name(Command::ToggleWatch, Context::Wallet, Glyphs::Ascii);
                let hint = key.map_or_else(String::new, |key| format!(" ({key}: stop watching {symbol})"));
                toast(state, format!("No lot selected{hint}"));
            }
            None => none_selected(state),
        },
    }
}
