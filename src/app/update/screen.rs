//! The trait that the token view and each tab implement.
//!
//! Each screen must implement the methods without a default. A new tab: see "A tab" in `docs/extending.md`.

use tui_input::Input;

use crate::app::effect::Effect;
use crate::app::menu::MenuChoice;
use crate::app::panel::Panel;
use crate::app::screen::TokenScreen;
use crate::app::state::State;
use crate::app::step::Step;
use crate::client::{Group, Request};
use crate::keymap::Command;
use crate::model::{Coin, CoinId, Text};
use crate::user_data::Watched;

use super::copy::items::Items;
use super::watch;

/// A tab, or the token view. Its state is in the [`State`], so that it can change the rest of the state too.
pub(crate) trait Screen: Sync {
    /// Where its data comes from.
    fn groups(&self) -> &'static [Group];

    /// The requests for what it shows, most urgent first.
    fn requests(&self, state: &State) -> Vec<Request>;

    /// The requests for rows that are not visible, but whose values decide which rows are. They are kept fresh in turn.
    fn hidden_requests(&self, _state: &State) -> Vec<Request> {
        Vec::new()
    }

    /// Runs a command that isn't the same on all screens.
    fn run(&self, state: &mut State, command: Command, effects: &mut Vec<Effect>);

    /// Moves the selection, or scrolls.
    fn step(&self, state: &mut State, step: Step);

    /// The selected row of its list or of the focused panel; `None` if its rows can't be clicked.
    fn row(&self, state: &State) -> Option<usize>;

    /// The position of the selection for the footer.
    fn position(&self, state: &State) -> Option<Position>;

    /// The coin that commands apply to, if it is known.
    fn coin<'a>(&self, state: &'a State) -> Option<&'a Coin>;

    /// Adds the text that can be copied.
    fn copy(&self, state: &State, items: &mut Items<'_>);

    /// The sort orders of its list or focused panel.
    fn sort_choices(&self, _state: &State) -> Vec<MenuChoice> {
        Vec::new()
    }

    /// Rules about the selected row that the Alerts dialog suggests, if no coin is selected.
    fn alert_suggestions(&self, _state: &State) -> Vec<String> {
        Vec::new()
    }

    /// Whether it has charts whose period the user chooses: the screen's own period or the one of all tabs.
    fn has_period(&self) -> bool;

    /// Whether there is something to select.
    fn has_rows(&self, state: &State) -> bool;

    /// Whether opening the selection has any effect.
    fn can_open(&self, state: &State) -> bool;

    /// The target of going back, in a word or two for the footer; `None` if it has no effect.
    fn back_label(&self, state: &State) -> Option<&'static str>;

    /// Whether the footer offers a command that the key map has for this screen: only commands that have an effect now.
    fn offers(&self, state: &State, command: Command) -> bool;

    /// The coins whose live prices it shows, most important first.
    fn live_ids(&self, _state: &State) -> Vec<CoinId> {
        Vec::new()
    }

    /// Whether it shows the holdings.
    fn shows_holdings(&self) -> bool {
        false
    }

    /// Whether it marks changed prices.
    fn shows_prices(&self) -> bool {
        false
    }

    /// Whether it has a line that offers live data, until the user has chosen a source or hidden the line.
    fn offers_live(&self) -> bool {
        false
    }

    /// The footer's word for opening the selection, unless the key map's word is right.
    fn open_label(&self, _state: &State) -> Option<&'static str> {
        None
    }

    /// Keeps the selection on its item from now on: the user acts on it.
    fn hold_selection(&self, _state: &mut State) {}

    /// Stops waiting for selected items that disappeared: the user acts on the rows.
    fn forget_missing(&self, _state: &mut State) {}

    /// The coin that watching applies to, even one that is in no list.
    fn watched(&self, state: &State) -> Option<Watched> {
        self.coin(state).map(Watched::from_coin)
    }

    /// Watches or unwatches the coin.
    fn toggle_watch(&self, state: &mut State, effects: &mut Vec<Effect>) {
        if let Some(coin) = self.watched(state) {
            watch::toggle(state, coin, effects);
        }
    }

    /// Whether its text field is being edited.
    fn is_typing(&self, _state: &State) -> bool {
        false
    }

    /// The text field, while it is edited.
    fn field<'a>(&self, _state: &'a mut State) -> Option<&'a mut Input> {
        None
    }

    /// Applies the text of its field after each change.
    fn edited(&self, _state: &mut State) {}

    /// Ends editing and keeps the text, or clears it.
    fn finish(&self, _state: &mut State, _keep: bool) {}

    /// Moves the focus to a panel.
    fn focus(&self, _state: &mut State, _panel: Panel) {}

    /// Whether a panel has the focus.
    fn has_focus(&self, _state: &State, _panel: Panel) -> bool {
        true
    }

    /// The row of an item that was painted in a row of its list or of a panel, with its identity; `None` if it is gone.
    fn find_row(&self, _state: &State, _panel: Option<Panel>, _painted: (usize, Option<&Text>)) -> Option<usize> {
        None
    }

    /// Selects a row by a click.
    fn select(&self, state: &mut State, row: usize) {
        if let Some(here) = self.row(state).filter(|here| *here != row) {
            self.step(state, Step::By(row as isize - here as isize));
        }
    }

    /// Sorts by the column with this index in the table of the panel, or of the screen.
    fn sort_by_heading(&self, _state: &mut State, _panel: Option<Panel>, _column: usize) {}

    /// Requests more rows if the selection is within `margin` rows of the last one.
    fn load_more(&self, _state: &mut State, _margin: usize) {}

    /// Selects the coin `by` rows further and creates its view; `None` if there is none.
    fn neighbour(&self, _state: &mut State, _by: isize) -> Option<TokenScreen> {
        None
    }

    /// The request that would add rows after the last one.
    fn next_request(&self, _state: &State) -> Option<Request> {
        None
    }

    /// The requests whose responses must be kept while the tab is open.
    fn kept(&self, _state: &State) -> Option<Vec<Request>> {
        None
    }

    /// Whether it shows the state of all requests, not only of its own.
    fn shows_all_requests(&self) -> bool {
        false
    }
}

/// The position of the selection in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// The selected row, counted from 0.
    pub(crate) row: usize,
    /// The number of rows.
    pub(crate) len: u64,
    /// Whether there may be more rows.
    pub(crate) has_more: bool,
}
