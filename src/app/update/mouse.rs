//! Handles clicks and the wheel.

use std::mem;

use crate::app::effect::Effect;
use crate::app::message::ClickTarget;
use crate::app::panel::Panel;
use crate::app::state::State;
use crate::app::step::Step;
use crate::keymap::Command;

use super::token::{chart, commands, markets};
use super::{command, menu};

/// Selects the clicked item, or opens it if it was already selected with a key or click in the focused panel. Outside a
/// dialog, it goes back like Esc.
pub(super) fn click(state: &mut State, target: ClickTarget, effects: &mut Vec<Effect>) {
    if state.menu.is_some() && target == ClickTarget::Menu {
        return;
    }
    // The wheel moves the selection below the pointer, and the first row is selected at the start: neither must open.
    let is_chosen = !mem::take(&mut state.is_selection_unchosen);
    if let Some(menu) = state.menu.take()
        && let ClickTarget::MenuItem(index) = target
    {
        return menu::clicked(state, menu, index, effects);
    }
    if let Some(dialog) = state.open_dialog() {
        match target {
            ClickTarget::Choice(index) if dialog.click(state, index) && is_chosen => {
                command::run(state, Command::Open, effects);
            }
            ClickTarget::Period(period) => dialog.click_period(state, period),
            ClickTarget::ChartColumn(column, of) => dialog.click_chart(state, share(column, of)),
            ClickTarget::Outside => command::run(state, Command::Back, effects),
            ClickTarget::Choice(_)
            | ClickTarget::Candle(_)
            | ClickTarget::PostOrder(_)
            | ClickTarget::MenuItem(_)
            | ClickTarget::Menu
            | ClickTarget::Tab(_)
            | ClickTarget::Row(..)
            | ClickTarget::Heading(..)
            | ClickTarget::Panel(_) => {}
        }
        return;
    }
    if !matches!(target, ClickTarget::Tab(_)) {
        state.open_screen().forget_missing(state);
    }
    match target {
        ClickTarget::Tab(tab) => command::go(state, tab),
        ClickTarget::Row(panel, row) => {
            if select(state, panel, row) && is_chosen {
                command::run(state, Command::Open, effects);
            }
        }
        ClickTarget::Heading(Some(Panel::Markets), column) => markets::sort_by_heading(state, column),
        ClickTarget::Heading(panel, column) => state.open_screen().sort_by_heading(state, panel, column),
        ClickTarget::Panel(panel) => state.open_screen().focus(state, panel),
        ClickTarget::Period(period) => {
            if let Some(token) = &mut state.token {
                token.set_period(period);
                token.sync(&state.responses, &state.convert, &state.posts);
            } else if state.open_screen().has_period() {
                state.set_period(period);
            }
        }
        ClickTarget::PostOrder(order) => commands::show_posts(state, order),
        ClickTarget::ChartColumn(column, of) => chart::click(state, share(column, of)),
        ClickTarget::Candle(time) => chart::click_candle(state, time),
        ClickTarget::Choice(_) | ClickTarget::MenuItem(_) | ClickTarget::Menu | ClickTarget::Outside => {}
    }
}

/// Moves the selection of the panel under the pointer, which gets the focus, or of the list or dialog.
pub(super) fn wheel(state: &mut State, rows: isize, panel: Option<Panel>) {
    state.menu = None;
    state.is_selection_unchosen = true;
    if let Some(dialog) = state.open_dialog() {
        return dialog.wheel(state, rows);
    }
    if let Some(panel) = panel {
        state.open_screen().focus(state, panel);
    }
    command::step(state, Step::By(rows));
}

/// The share of a chart's columns that are before this one.
fn share(column: u16, of: u16) -> f64 {
    (f64::from(column) / f64::from(of.saturating_sub(1).max(1))).clamp(0.0, 1.0)
}

/// Selects a row; returns whether it was selected already, in the focused panel.
fn select(state: &mut State, panel: Option<Panel>, row: usize) -> bool {
    let screen = state.open_screen();
    let had_focus = panel.is_none_or(|panel| screen.has_focus(state, panel));
    if let Some(panel) = panel {
        screen.focus(state, panel);
    }
    let here = screen.row(state);
    if here.is_some() {
        screen.select(state, row);
    }
    had_focus && here == Some(row)
}
