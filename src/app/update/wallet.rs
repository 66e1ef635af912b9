//! The wallet tab.

use crate::app::effect::Effect;
use crate::app::screen::TokenScreen;
use crate::app::state::State;
use crate::client::{Group, Request};
use crate::keymap::{Command, Place};
use crate::model::Coin;
use crate::user_data::Watched;

use super::copy::items::Items;
use super::copy::wallet::add_wallet;
use super::screen::{Position, Screen};
use super::toast::toast;
use super::{selection, token, watch};

/// The wallet tab.
pub(super) struct WalletTab;

impl Screen for WalletTab {
    fn place(&self) -> Place {
        Place::Wallet
    }

    fn groups(&self) -> &'static [Group] {
        &[Group::Market]
    }

    fn requests(&self, state: &State) -> Vec<Request> {
        let mut requests = state.wallet.requests(state.content_rows(), &state.convert);
        requests.extend(state.unlisted_request());
        requests
    }

    fn run(&self, state: &mut State, command: Command) {
        match command {
            Command::NextInterval => change_interval(state, 1),
            Command::PreviousInterval => change_interval(state, -1),
            Command::Open | Command::Right => match selection::wallet_token(state) {
                Some(opened) => token::open(state, opened),
                None => toast(state, String::from("No data for this symbol yet"), false),
            },
            _ => {}
        }
    }

    fn step(&self, state: &mut State, by: isize) {
        state.wallet.step(by);
    }

    fn row(&self, state: &State) -> Option<usize> {
        Some(state.wallet.cursor.index())
    }

    fn position(&self, state: &State) -> Option<Position> {
        let (row, len) = (state.wallet.cursor.index(), state.wallet.rows().len() as u64);
        Some(Position { row, len, has_more: false })
    }

    fn coin<'a>(&self, state: &'a State) -> Option<&'a Coin> {
        selection::wallet_coin(state)
    }

    fn copy(&self, state: &State, items: &mut Items<'_>) {
        add_wallet(state, items);
    }

    fn has_rows(&self, state: &State) -> bool {
        !state.wallet.rows().is_empty()
    }

    /// A watched coin needs some data.
    fn can_open(&self, state: &State) -> bool {
        let row = state.wallet.selected();
        row.is_some_and(|row| row.series.is_some() || state.watched_coin(row.watched_index).is_some())
    }

    fn back_label(&self, _state: &State) -> Option<&'static str> {
        None
    }

    fn offers(&self, state: &State, command: Command) -> bool {
        match command {
            Command::ToggleWatch => self.has_rows(state),
            Command::NextInterval | Command::Currency | Command::Refresh => !state.watched.is_empty(),
            _ => true,
        }
    }

    fn watched(&self, state: &State) -> Option<Watched> {
        state.wallet.selected().map(|row| row.watched.clone())
    }

    fn toggle_watch(&self, state: &mut State, effects: &mut Vec<Effect>) {
        watch::toggle_row(state, effects);
    }

    fn neighbour(&self, state: &mut State, by: isize) -> Option<TokenScreen> {
        let (here, before) = (state.wallet.cursor.index(), state.wallet.cursor.clone());
        let mut last = here;
        loop {
            state.wallet.step(by);
            let row = state.wallet.cursor.index();
            if row == last {
                state.wallet.cursor = before;
                return None;
            }
            // Skip symbols without data.
            if let Some(token) = selection::wallet_token(state) {
                return Some(token);
            }
            last = row;
        }
    }
}

fn change_interval(state: &mut State, by: isize) {
    state.wallet.change_interval(by);
    state.wallet.sync(&state.store, &state.watched, &state.convert);
}
