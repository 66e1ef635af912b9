//! The Status tab.

use crate::app::effect::Effect;
use crate::app::state::State;
use crate::app::status;
use crate::app::step::Step;
use crate::client::{Group, Request};
use crate::keymap::Command;
use crate::model::{Coin, Tag};

use super::copy::items::Items;
use super::list;
use super::screen::{Position, Screen};

/// The Status tab.
pub(super) struct StatusTab;

impl Screen for StatusTab {
    fn groups(&self) -> &'static [Group] {
        &[Group::Market, Group::Indexer]
    }

    /// The list of all coins, so that there is always something to show.
    fn requests(&self, state: &State) -> Vec<Request> {
        list::requests(state, Tag::All)
    }

    fn run(&self, _state: &mut State, _command: Command, _effects: &mut Vec<Effect>) {}

    fn step(&self, state: &mut State, step: Step) {
        let most = status::max_scroll(state);
        state.status.scroll = step.target(state.status.scroll.min(most), most);
    }

    fn row(&self, _state: &State) -> Option<usize> {
        None
    }

    fn position(&self, _state: &State) -> Option<Position> {
        None
    }

    fn coin<'a>(&self, _state: &'a State) -> Option<&'a Coin> {
        None
    }

    fn copy(&self, state: &State, items: &mut Items<'_>) {
        let [market, indexer] = &state.preferences.urls;
        items.maybe('m', "market URL", Some(market).filter(|url| !url.is_empty()));
        items.maybe('i', "indexer URL", Some(indexer).filter(|url| !url.is_empty()));
        items.maybe('e', "last error", state.responses.errors().next().map(|(_, failure)| &failure.error));
    }

    fn has_period(&self) -> bool {
        false
    }

    fn has_rows(&self, _state: &State) -> bool {
        true
    }

    fn can_open(&self, _state: &State) -> bool {
        false
    }

    fn back_label(&self, _state: &State) -> Option<&'static str> {
        None
    }

    fn offers(&self, _state: &State, _command: Command) -> bool {
        true
    }

    fn shows_all_requests(&self) -> bool {
        true
    }
}
