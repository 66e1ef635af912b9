//! Columns: scrolling lists and panels sideways, and the dialog that chooses and orders columns.

use crate::app::effect::Effect;
use crate::app::overlay::Overlay;
use crate::app::panel::Panel;
use crate::app::screen::list::{CoinColumn, ListColumns};
use crate::app::state::State;
use crate::app::step::Step;
use crate::keymap::{Command, Context};
use crate::model::{Tag, Text};

use super::dialog::Dialog;
use super::toast::toast;

/// Scrolls the columns sideways, to the left if `by` is negative.
pub(super) fn scroll(state: &mut State, tag: Tag, by: isize) {
    let width = state.size.0;
    let list = state.list_mut(tag);
    let sorted = list.chosen_sort();
    if !list.columns.scroll(by, width, sorted) {
        no_more(state, by);
    }
}

/// Scrolls the table of a panel sideways, to the left if `by` is negative.
pub(super) fn scroll_panel(state: &mut State, panel: Panel, by: isize) {
    if !state.panel_scroll.scroll(panel, by) {
        no_more(state, by);
    }
}

fn no_more(state: &mut State, by: isize) {
    let words = if by < 0 { "No more columns to the left" } else { "No more columns to the right" };
    toast(state, words);
}

/// Opens the dialog for a list.
pub(super) fn open(state: &mut State, tag: Tag) {
    let rows = rows(state.list(tag).columns.shown());
    state.overlay = Some(Overlay::Columns { tag, rows, selected: 0 });
}

/// The rows of the dialog: the columns shown, then the others.
fn rows(shown: &[CoinColumn]) -> Vec<(CoinColumn, bool)> {
    let others = CoinColumn::optional().filter(|column| !shown.contains(column));
    shown.iter().map(|column| (*column, true)).chain(others.map(|column| (column, false))).collect()
}

/// The columns of the lists.
pub(super) struct ColumnsDialog;

impl Dialog for ColumnsDialog {
    fn context(&self, _state: &State) -> Context {
        Context::Columns
    }

    fn run(&self, state: &mut State, command: Command, effects: &mut Vec<Effect>) {
        match command {
            Command::Open | Command::Columns => self.close(state, effects),
            _ => change(state, command),
        }
    }

    fn step(&self, state: &mut State, step: Step) {
        if let Some(Overlay::Columns { rows, selected, .. }) = &mut state.overlay {
            *selected = step.target(*selected, rows.len().saturating_sub(1));
        }
    }

    fn choice_key(&self, state: &State, index: usize) -> Option<Text> {
        match &state.overlay {
            Some(Overlay::Columns { rows, .. }) => rows.get(index).map(|(column, _)| Text::from(column.as_str())),
            _ => None,
        }
    }

    /// Selects a row; shows or hides the column if it was selected already.
    fn click(&self, state: &mut State, index: usize) -> bool {
        if let Some(Overlay::Columns { selected, .. }) = &mut state.overlay
            && std::mem::replace(selected, index) == index
        {
            change(state, Command::ToggleColumn);
        }
        false
    }
}

/// Shows, hides or moves the selected column, or resets all columns.
fn change(state: &mut State, command: Command) {
    let configured = rows(&state.preferences.columns);
    let Some(Overlay::Columns { tag, rows, selected }) = &mut state.overlay else { return };
    let (tag, here) = (*tag, *selected);
    match command {
        Command::ToggleColumn => {
            let is_last = rows.iter().filter(|(_, is_shown)| *is_shown).count() == 1;
            match rows.get_mut(here) {
                Some((_, true)) if is_last => {
                    return toast(state, "Lists need at least one column");
                }
                Some((_, is_shown)) => *is_shown = !*is_shown,
                None => {}
            }
        }
        Command::MoveUp | Command::MoveDown => {
            let by = if command == Command::MoveUp { -1 } else { 1 };
            let there = here.saturating_add_signed(by).min(rows.len().saturating_sub(1));
            rows.swap(here, there);
            *selected = there;
        }
        Command::ResetColumns => (*rows, *selected) = (configured, 0),
        _ => return,
    }
    let shown = rows.iter().filter(|(_, is_shown)| *is_shown).map(|(column, _)| *column).collect();
    state.list_mut(tag).columns = ListColumns::new(shown);
}
