//! Handles clicks.

use crate::app::effect::Effect;
use crate::app::message::Target;
use crate::app::overlay::Overlay;
use crate::app::panel::Panel;
use crate::app::screen::token::MarketColumn;
use crate::app::state::State;
use crate::keymap::{Command, Tab};

use super::{command, list, menu};

/// Selects what was clicked, or opens it if it was selected already.
pub(super) fn click(state: &mut State, target: Target, effects: &mut Vec<Effect>) {
    if let Some(menu) = state.menu.take()
        && let Target::MenuItem(index) = target
    {
        return menu::clicked(state, menu, index, effects);
    }
    if let Some(overlay) = &mut state.overlay {
        if let Target::Choice(index) = target {
            let (Overlay::Links { selected, .. }
            | Overlay::Currency { selected, .. }
            | Overlay::Lookup { selected, .. }) = overlay
            else {
                return;
            };
            let again = *selected == index;
            *selected = index;
            if again {
                command::run(state, Command::Open, effects);
            }
        }
        return;
    }
    match target {
        Target::Tab(tab) => command::go(state, tab),
        Target::Row(panel, row) => {
            if select(state, panel, row) {
                command::run(state, Command::Open, effects);
            }
        }
        Target::Heading(None, column) => {
            if let (None, Tab::List(tag)) = (&state.token, state.tab) {
                list::sort_by_heading(state.list_mut(tag), column);
            }
        }
        Target::Heading(Some(_), column) => {
            if let (Some(token), Some(&column)) = (&mut state.token, MarketColumn::ALL.get(column)) {
                let again = token.market_sort.0 == column;
                let descending = if again { !token.market_sort.1 } else { column.begins_descending() };
                token.sort_markets(column, descending);
                token.sync(&state.store, &state.convert);
            }
        }
        Target::Panel(panel) => focus(state, panel),
        Target::Period(period) => {
            if let Some(token) = &mut state.token {
                token.period = period;
                token.sync(&state.store, &state.convert);
            }
        }
        Target::ChartColumn(column, of) => {
            let Some(token) = &mut state.token else { return };
            token.focus = Panel::Chart;
            let chart = token.chart_request(&state.convert).and_then(|request| state.store.chart(&request).value);
            let span = chart.and_then(|chart| Some((chart.points.first()?.time, chart.points.last()?.time)));
            if let Some((first, last)) = span {
                let share = f64::from(column) / f64::from(of.saturating_sub(1).max(1));
                token.chart_cursor = Some(first.plus(last.since(first).mul_f64(share.clamp(0.0, 1.0))));
                token.sync(&state.store, &state.convert);
            }
        }
        Target::Choice(_) | Target::MenuItem(_) => {}
    }
}

/// Selects a row; returns whether it was selected already.
fn select(state: &mut State, panel: Option<Panel>, row: usize) -> bool {
    if let Some(panel) = panel {
        focus(state, panel);
    }
    let move_to = |index: usize| row as isize - index as isize;
    if let Some(token) = &mut state.token {
        let index = match token.focus {
            Panel::Posts => token.posts.index(),
            Panel::Markets => token.markets.index(),
            _ => return false,
        };
        if token.focus == Panel::Markets
            && let Some(page) = state.store.market_pairs(&token.markets_request(&state.convert)).value
        {
            let mut cursor = std::mem::take(&mut token.markets);
            cursor.select(row, token.market_count(), |row| token.market(&page.items, row));
            token.markets = cursor;
        } else {
            command::step(state, move_to(index));
        }
        return index == row;
    }
    let index = match state.tab {
        Tab::List(tag) => state.list(tag).cursor.index(),
        Tab::Wallet => state.wallet.cursor.index(),
        Tab::Indexer => match state.indexer.list(state.indexer.focus) {
            Some(list) => list.cursor.index(),
            None => return false,
        },
        Tab::Status => return false,
    };
    if index != row {
        command::step(state, move_to(index));
    }
    index == row
}

fn focus(state: &mut State, panel: Panel) {
    match (&mut state.token, state.tab) {
        (Some(token), _) => token.focus = panel,
        (None, Tab::Indexer) => state.indexer.focus = panel,
        _ => {}
    }
}
