//! The trait that each dialog implements.
//!
//! Each dialog must implement the methods without a default. A new dialog: see "A tab" in `docs/extending.md`.

use tui_input::Input;

use crate::app::effect::Effect;
use crate::app::state::State;
use crate::app::step::Step;
use crate::client::Request;
use crate::keymap::{Command, Context};
use crate::model::{Period, Text};

use super::copy::items::Items;

/// Finds the identity of a row of a dialog, see [`Dialog::choice_key`].
pub(crate) type ChoiceKeys<'a> = Box<dyn Fn(usize) -> Option<Text> + 'a>;

/// A dialog. Its state is the open overlay in [`State`]; each method gets the whole state, since dialogs change other
/// parts of it too.
pub(crate) trait Dialog: Sync {
    /// The context in the key map whose keys it uses.
    fn context(&self, state: &State) -> Context;

    /// Runs a command that isn't the same in all dialogs.
    fn run(&self, state: &mut State, command: Command, effects: &mut Vec<Effect>);

    /// Moves the selection, or scrolls.
    fn step(&self, state: &mut State, step: Step);

    /// Moves the selection by the mouse wheel, or scrolls: rows, up if negative.
    fn wheel(&self, state: &mut State, rows: isize) {
        self.step(state, Step::By(rows));
    }

    /// Closes it.
    fn close(&self, state: &mut State, _effects: &mut Vec<Effect>) {
        state.overlay = None;
    }

    /// Goes back by a step, or closes it.
    fn back(&self, state: &mut State, effects: &mut Vec<Effect>) {
        self.close(state, effects);
    }

    /// The index of its selected row, if rows are chosen by a second click.
    fn selected<'a>(&self, _state: &'a mut State) -> Option<&'a mut usize> {
        None
    }

    /// The identity of a row that can be clicked; `None` if its rows never change.
    fn choice_key(&self, _state: &State, _index: usize) -> Option<Text> {
        None
    }

    /// Returns a function like [`Dialog::choice_key`] for all rows of a frame.
    fn choice_keys<'a>(&'a self, state: &'a State) -> ChoiceKeys<'a> {
        Box::new(move |index| self.choice_key(state, index))
    }

    /// Selects a row by a click. Returns whether to choose it, since it was selected already.
    fn click(&self, state: &mut State, index: usize) -> bool {
        self.selected(state).is_some_and(|selected| std::mem::replace(selected, index) == index)
    }

    /// Changes the period of its chart by a click on the period's name.
    fn click_period(&self, _state: &mut State, _period: Period) {}

    /// Moves the cursor of its chart by a click, at this share of the chart's time: 0 is its start, 1 its end.
    fn click_chart(&self, _state: &mut State, _share: f64) {}

    /// The text field of the dialog, if it has one.
    fn field<'a>(&self, _state: &'a mut State) -> Option<&'a mut Input> {
        None
    }

    /// Applies the text of its field after each change.
    fn edited(&self, _state: &mut State) {}

    /// Adds the text that can be copied.
    fn copy(&self, _state: &State, _items: &mut Items<'_>) {}

    /// The requests for what it shows, more urgent than the requests of the screen below.
    fn requests(&self, _state: &State) -> Vec<Request> {
        Vec::new()
    }

    /// The requests for the coins that it looks up by name, less urgent than the requests of the screen below.
    fn lookups(&self, _state: &State) -> Vec<Request> {
        Vec::new()
    }

    /// Whether the footer offers a command that the key map has for this dialog: only commands that have an effect now.
    fn offers(&self, _state: &State, _command: Command) -> bool {
        true
    }

    /// Whether the text of its field is the one that it was opened with, or begins with it and is invalid, so that the
    /// footer says how to clear it.
    fn is_prefilled(&self, _state: &State) -> bool {
        false
    }

    /// The footer's word for the next step back, if it doesn't close the dialog.
    fn back_label(&self, _state: &State) -> Option<&'static str> {
        None
    }

    /// The footer's word for applying the text, unless the key map's word is right.
    fn open_label(&self, _state: &State) -> Option<&'static str> {
        None
    }
}
