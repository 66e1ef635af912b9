//! The markets of the token view: their sort order, and the scrolling of their columns.

use crate::app::panel::Panel;
use crate::app::screen::TokenScreen;
use crate::app::screen::token::{MarketColumn, MarketSort};
use crate::app::state::State;

use crate::app::update::columns;

/// Scrolls the columns of the markets, and moves the focus there.
pub(super) fn scroll(state: &mut State, by: isize) {
    if let Some(token) = &mut state.token {
        token.focus = Panel::Markets;
    }
    columns::scroll_panel(state, Panel::Markets, by);
}

/// Sorts the markets by the next column.
pub(super) fn sort_by_next(token: &mut TokenScreen) {
    let here = MarketColumn::ALL.iter().position(|column| *column == token.market_sort.column).unwrap_or(0);
    if let Some(&column) = MarketColumn::ALL.get((here + 1) % MarketColumn::ALL.len()) {
        token.sort_markets(column.into());
    }
}

/// Sorts the markets of the open token.
pub(in crate::app::update) fn sort(state: &mut State, sort: MarketSort) {
    if let State { token: Some(token), responses, convert, posts, .. } = state {
        token.sort_markets(sort);
        token.sync(responses, convert, posts);
    }
}

/// Sorts the markets of the open token by the column with this index in [`MarketColumn::ALL`], or reverses them if it is
/// the sort column.
pub(in crate::app::update) fn sort_by_heading(state: &mut State, column: usize) {
    if let (Some(token), Some(&column)) = (&state.token, MarketColumn::ALL.get(column)) {
        let before = token.market_sort;
        sort(state, if before.column == column { before.reversed() } else { column.into() });
    }
}
