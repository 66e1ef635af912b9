//! Comparing coins.

use std::time::Duration;

use crate::app::chart::compare::{Comparison, MAX_COINS};
use crate::app::coins::named_coin::NamedCoin;
use crate::app::effect::Effect;
use crate::app::overlay::Overlay;
use crate::app::state::State;
use crate::app::step::Step;
use crate::client::Request;
use crate::format::words::counted;
use crate::glyphs::Glyphs;
use crate::keymap::{Command, Context};
use crate::model::{Period, Point, UtcTime, chart};
use crate::user_data::Watched;

use super::dialog::Dialog;
use super::toast::{error_toast, toast, undo_hint};
use super::token::chart::CURSOR_STEP;
use super::{alerts, currency, live, sources, token, undo};

/// Marks the selected coin for the comparison, or removes its mark.
pub(super) fn mark(state: &mut State) {
    let Some(coin) = wanted(state) else { return };
    if let Some(index) = state.comparison.position(&coin) {
        state.comparison.remove(index);
        return toast(state, format!("Removed {} from comparison", coin.symbol));
    }
    add_mark(state, coin);
}

/// Marks a coin for the comparison.
pub(super) fn add_mark(state: &mut State, coin: Watched) {
    let name = coin.symbol.clone();
    if state.comparison.position(&coin).is_some() {
        return toast(state, format!("{name} is already marked"));
    }
    if !can_compare(&coin) {
        return refuse(state, &name);
    }
    if !add(state, coin) {
        return;
    }
    let count = state.comparison.coins().len();
    let key = state.keys().name(Command::Compare, state.screen_context(), Glyphs::Ascii);
    let hint = key.map(|key| format!(" · {key}: compare")).unwrap_or_default();
    toast(state, format!("Added {name} to comparison ({count} of {MAX_COINS}){hint}"));
}

/// Removes the marks of all coins.
pub(super) fn clear_marks(state: &mut State) {
    let words = match state.comparison.coins().len() {
        0 => String::from("No coins marked"),
        count => format!("Cleared {}", counted(count, "mark")),
    };
    state.comparison.clear();
    toast(state, words);
}

/// The footer's word for going back on a screen where that only clears the marks; `None` if there are none.
pub(super) fn back_label(state: &State) -> Option<&'static str> {
    (!state.comparison.coins().is_empty()).then_some("unmark")
}

/// Opens the comparison: of the marked coins; with the selected one if there are fewer than two, or if its view is
/// open, whose period it then has.
pub(super) fn open(state: &mut State) {
    state.comparison.is_unmarked = state.comparison.coins().is_empty();
    if (state.comparison.coins().len() < 2 || state.token.is_some())
        && let Some(coin) = wanted(state)
    {
        // If it doesn't fit, a message says so, and a coin can be removed in the dialog.
        add(state, coin);
    }
    reset_view(state);
    state.comparison.rebuild_symbols();
    if state.comparison.coins().is_empty() {
        return toast(state, "No coin selected");
    }
    state.overlay = Some(Overlay::Compare);
}

/// Opens the comparison of these coins. A single one is added to it, beside the coin whose view is open unless the
/// comparison `was_open`.
pub(super) fn open_with(state: &mut State, coins: &[NamedCoin], was_open: bool) {
    if let Some(named) = coins.iter().find(|named| !can_compare(&named.coin)) {
        state.overlay = was_open.then_some(Overlay::Compare);
        return refuse(state, &named.coin.symbol);
    }
    if coins.len() > 1 {
        state.comparison.clear();
    }
    let beside = wanted(state).filter(|_| coins.len() == 1 && state.token.is_some() && !was_open);
    for coin in beside.into_iter().chain(coins.iter().map(|named| named.coin.clone())) {
        add(state, coin);
    }
    // A coin named in the palette stays marked.
    state.comparison.is_unmarked = false;
    match coins {
        [added] if was_open => state.comparison.select(&added.coin),
        _ if was_open => {}
        _ => reset_view(state),
    }
    state.comparison.rebuild_symbols();
    state.overlay = Some(Overlay::Compare);
}

/// Makes room for a dialog over the open comparison, which appears again after it.
pub(super) fn cover(state: &mut State) {
    state.comparison.covered_on = Some(state.tab);
    state.overlay = None;
}

/// Shows the comparison again if the dialog over it has closed and no other screen has opened.
pub(super) fn uncover(state: &mut State) {
    match state.overlay {
        Some(Overlay::Compare) => state.comparison.covered_on = None,
        Some(_) => {}
        None if state.comparison.covered_on == Some(state.tab) && !state.comparison.coins().is_empty() => {
            state.comparison.covered_on = None;
            state.overlay = Some(Overlay::Compare);
        }
        None => state.comparison.abandon(),
    }
}

/// Hides the cursor of the last comparison, and changes to the period of the chart on the screen, if a coin's view is
/// open.
fn reset_view(state: &mut State) {
    state.comparison.cursor = None;
    if let Some(token) = &state.token {
        state.comparison.set_period(token.period);
    }
}

/// The coin of the screen.
fn wanted(state: &State) -> Option<Watched> {
    state.open_screen().watched(state).filter(can_compare)
}

/// Says that a coin can't be compared.
fn refuse(state: &mut State, symbol: &str) {
    error_toast(state, format!("Can't compare {symbol} (no price history for this symbol)"));
}

/// Closes the comparison and opens its selected coin, with the same period.
fn open_selected(state: &mut State) {
    let Some(coin) = state.comparison.coins().get(state.comparison.selected).cloned() else { return };
    let period = state.comparison.period();
    state.comparison.leave();
    state.overlay = None;
    token::open_watched(state, coin, period);
}

/// Whether prices can be requested by the symbol of a coin: a comma can't be part of it.
fn can_compare(coin: &Watched) -> bool {
    !coin.symbol.is_empty() && !coin.symbol.contains(',')
}

fn add(state: &mut State, coin: Watched) -> bool {
    let name = coin.symbol.clone();
    let is_added = state.comparison.add(coin);
    if !is_added {
        error_toast(state, format!("Can't add {name} (comparison is full: {MAX_COINS} coins)"));
    }
    is_added
}

/// Removes the selected coin.
fn remove_selected(state: &mut State) {
    let selected = state.comparison.selected;
    let Some(coin) = state.comparison.coins().get(selected).cloned() else { return };
    let slot = state.comparison.slot(selected);
    state.comparison.remove(selected);
    let hint = undo_hint(state, Context::Compare);
    toast(state, format!("Removed {}{hint}", coin.symbol));
    state.undo.push_compared(coin, slot);
}

/// The comparison of coins.
pub(super) struct CompareDialog;

impl Dialog for CompareDialog {
    fn context(&self, _state: &State) -> Context {
        Context::Compare
    }

    fn run(&self, state: &mut State, command: Command, effects: &mut Vec<Effect>) {
        match command {
            Command::Left => with_grid(state, |comparison, grid| comparison.move_cursor(grid, -1)),
            Command::Right => with_grid(state, |comparison, grid| comparison.move_cursor(grid, 1)),
            Command::PreviousDay => {
                with_grid(state, |comparison, grid| comparison.cursor = day(comparison, grid, false))
            }
            Command::NextDay => with_grid(state, |comparison, grid| comparison.cursor = day(comparison, grid, true)),
            Command::PreviousPeriod => state.comparison.change_period(-1),
            Command::NextPeriod => state.comparison.change_period(1),
            Command::AddCoin => error_toast(state, format!("Comparison is full: {MAX_COINS} coins")),
            Command::RemoveCoin => {
                remove_selected(state);
                if state.comparison.coins().is_empty() {
                    self.close(state, effects);
                }
            }
            Command::Undo => undo::undo(state, effects),
            Command::Open => open_selected(state),
            Command::Compare => self.close(state, effects),
            Command::Alerts => {
                cover(state);
                alerts::open(state, effects);
            }
            Command::Sources => {
                cover(state);
                sources::open(state);
            }
            Command::Currency => {
                cover(state);
                currency::open(state);
            }
            Command::ToggleLive => live::toggle(state, effects),
            _ => {}
        }
    }

    /// Selects another coin, or moves the cursor to an end of the chart.
    fn step(&self, state: &mut State, step: Step) {
        match step {
            Step::By(_) => {
                let last = state.comparison.coins().len().saturating_sub(1);
                state.comparison.selected = step.target(state.comparison.selected, last);
            }
            Step::First => with_grid(state, |comparison, grid| comparison.cursor = grid.first().map(|it| it.time)),
            Step::Last => with_grid(state, |comparison, grid| comparison.cursor = grid.last().map(|it| it.time)),
        }
    }

    /// Moves the cursor by as many points as in the chart of a coin.
    fn wheel(&self, state: &mut State, rows: isize) {
        with_grid(state, |comparison, grid| comparison.move_cursor(grid, rows.signum() * CURSOR_STEP));
    }

    fn click_period(&self, state: &mut State, period: Period) {
        state.comparison.set_period(period);
    }

    fn click_chart(&self, state: &mut State, share: f64) {
        if let Some(time) = state.compared_time(share) {
            state.comparison.cursor = Some(time);
        }
    }

    /// Unmarks a coin that was marked just to open the dialog.
    fn close(&self, state: &mut State, _effects: &mut Vec<Effect>) {
        state.comparison.leave();
        state.overlay = None;
    }

    /// The first step hides the cursor.
    fn back(&self, state: &mut State, effects: &mut Vec<Effect>) {
        if state.comparison.cursor.take().is_none() {
            self.close(state, effects);
        }
    }

    fn back_label(&self, state: &State) -> Option<&'static str> {
        state.comparison.cursor.map(|_| "hide cursor")
    }

    fn offers(&self, state: &State, command: Command) -> bool {
        match command {
            Command::AddCoin => !state.comparison.is_full(),
            Command::Up | Command::Down => state.comparison.coins().len() > 1,
            Command::Left | Command::Right | Command::PreviousDay | Command::NextDay => state.has_compared_prices(),
            _ => true,
        }
    }

    fn requests(&self, state: &State) -> Vec<Request> {
        state.comparison.request(&state.convert).into_iter().collect()
    }
}

/// Changes the comparison, with the points that its cursor can be at.
fn with_grid(state: &mut State, change: impl FnOnce(&mut Comparison, &[Point])) {
    let grid = state.compared_grid();
    change(&mut state.comparison, &grid);
}

/// The time of the cursor after a step of a day, from the last point if there is no cursor.
fn day(comparison: &Comparison, grid: &[Point], forward: bool) -> Option<UtcTime> {
    const DAY: Duration = Duration::from_hours(24);
    let here = comparison.cursor.or(grid.last().map(|point| point.time))?;
    let there = if forward { here.plus(DAY) } else { here.minus(DAY) };
    grid.get(chart::nearest(grid, there)?).map(|point| point.time)
}
