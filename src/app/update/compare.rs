//! Comparing coins.

use std::time::Duration;

use crate::app::compare::{Comparison, MAX_COINS};
use crate::app::overlay::Overlay;
use crate::app::state::State;
use crate::glyphs::Glyphs;
use crate::keymap::Command;
use crate::model::chart;
use crate::user_data::Watched;

use super::toast::toast;

/// Marks the selected coin for the comparison, or removes its mark.
pub(super) fn mark(state: &mut State) {
    let Some(coin) = wanted(state) else { return };
    let name = coin.symbol.clone();
    if let Some(index) = state.comparison.position(&coin) {
        state.comparison.remove(index);
        return toast(state, format!("Removed {name} from comparison"), false);
    }
    if !add(state, coin) {
        return;
    }
    let count = state.comparison.coins().len();
    let key = state.keys().name(Command::Compare, state.screen(), Glyphs::Ascii);
    let hint = key.map(|key| format!(" · {key}: compare")).unwrap_or_default();
    toast(state, format!("Added {name} to comparison ({count} of {MAX_COINS}){hint}"), false);
}

/// Opens the comparison: of the marked coins; with the selected one if there are fewer than two, or if its view is open.
pub(super) fn open(state: &mut State) {
    if (state.comparison.coins().len() < 2 || state.token.is_some())
        && let Some(coin) = wanted(state)
        && !add(state, coin)
    {
        return;
    }
    state.comparison.settle();
    if state.comparison.coins().is_empty() {
        return toast(state, String::from("No coin selected"), false);
    }
    state.overlay = Some(Overlay::Compare);
}

/// The coin of the screen. A comma can't be part of a symbol in a request.
fn wanted(state: &State) -> Option<Watched> {
    state.open_screen().watched(state).filter(|coin| !coin.symbol.is_empty() && !coin.symbol.contains(','))
}

fn add(state: &mut State, coin: Watched) -> bool {
    let name = coin.symbol.clone();
    let is_added = state.comparison.add(coin);
    if !is_added {
        toast(state, format!("Can't add {name} (comparison is full: {MAX_COINS} coins)"), true);
    }
    is_added
}

/// Runs a command of the open comparison.
pub(super) fn run(state: &mut State, command: Command) {
    const DAY: Duration = Duration::from_hours(24);
    let State { comparison, store, convert, .. } = state;
    let request = comparison.request(convert);
    let answer = request.as_ref().and_then(|request| store.market(request).value);
    let grid = answer.map_or(&[][..], |answer| comparison.grid(answer));
    let day = |comparison: &Comparison, forward: bool| {
        let here = comparison.cursor.or(grid.last().map(|point| point.time))?;
        let there = if forward { here.plus(DAY) } else { here.minus(DAY) };
        grid.get(chart::nearest(grid, there)?).map(|point| point.time)
    };
    match command {
        Command::Left => comparison.move_cursor(grid, -1),
        Command::Right => comparison.move_cursor(grid, 1),
        Command::First => comparison.cursor = grid.first().map(|point| point.time),
        Command::Last => comparison.cursor = grid.last().map(|point| point.time),
        Command::PreviousDay => comparison.cursor = day(comparison, false),
        Command::NextDay => comparison.cursor = day(comparison, true),
        Command::PreviousPeriod => comparison.change_period(-1),
        Command::NextPeriod => comparison.change_period(1),
        Command::Up => step(state, -1),
        Command::Down => step(state, 1),
        Command::RemoveCoin => {
            comparison.remove(comparison.selected);
            if comparison.coins().is_empty() {
                state.overlay = None;
            }
        }
        Command::Back if comparison.cursor.is_some() => comparison.cursor = None,
        Command::Back | Command::Close | Command::Compare => state.overlay = None,
        _ => {}
    }
}

/// Selects another coin.
pub(super) fn step(state: &mut State, by: isize) {
    let last = state.comparison.coins().len().saturating_sub(1);
    state.comparison.selected = state.comparison.selected.saturating_add_signed(by).min(last);
}
