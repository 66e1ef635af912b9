//! Runs the commands of a list.

use crate::app::screen::TokenScreen;
use crate::app::screen::list::{Column, ListScreen, Sort};
use crate::app::state::State;
use crate::keymap::Command;
use crate::model::Tag;

use super::token;

pub(super) fn run(state: &mut State, tag: Tag, command: Command) {
    let period = state.period;
    let list = state.list_mut(tag);
    match command {
        Command::Open | Command::Right => {
            if let Some(coin) = list.selected() {
                let opened = TokenScreen::from_coin(coin, period);
                token::open(state, opened);
            }
        }
        Command::Search => list.searching = true,
        Command::Back => list.end_search(),
        Command::NextSortColumn => sort_by_next(list),
        Command::ReverseSort => {
            let sort = Sort { descending: !list.sort.descending, ..list.sort };
            list.sort_by(sort);
        }
        _ => {}
    }
}

fn sort_by_next(list: &mut ListScreen) {
    let here = Column::ALL.iter().position(|column| *column == list.sort.column).unwrap_or(0);
    if let Some(&column) = Column::ALL.get((here + 1) % Column::ALL.len()) {
        list.sort_by(Sort { column, descending: column.begins_descending() });
    }
}

/// Handles a click on a column's heading: sorts by the column, or reverses the order if it is the sort column.
pub(super) fn sort_by_heading(list: &mut ListScreen, column: usize) {
    let Some(&column) = Column::ALL.get(column) else { return };
    let descending = match list.order() {
        Some(order) if order.column == column => !order.descending,
        _ => column.begins_descending(),
    };
    list.sort_by(Sort { column, descending });
}
