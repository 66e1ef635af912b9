//! Runs the commands of the wallet tab.

use crate::app::state::State;
use crate::keymap::Command;

use super::toast::toast;
use super::{selection, token};

pub(super) fn run(state: &mut State, command: Command) {
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

fn change_interval(state: &mut State, by: isize) {
    state.wallet.change_interval(by);
    state.wallet.sync(&state.store, &state.watched, &state.convert);
}
