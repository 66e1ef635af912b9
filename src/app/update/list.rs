//! The lists of coins.

use tui_input::Input;

use crate::app::effect::Effect;
use crate::app::live::coins::live_window;
use crate::app::menu::MenuChoice;
use crate::app::panel::Panel;
use crate::app::screen::TokenScreen;
use crate::app::screen::list::{ListScreen, Sort, SortColumn};
use crate::app::state::State;
use crate::app::step::Step;
use crate::client::{Group, Request};
use crate::format::Count;
use crate::keymap::Command;
use crate::model::{Coin, CoinId, Tag, Text};

use super::copy::coin::add_coin;
use super::copy::items::Items;
use super::painted::find_row;
use super::screen::{Position, Screen};
use super::toast::toast;
use super::{columns, compare, filter, live, sort, sync, token};

/// The list of a tag.
pub(super) struct ListTab(pub(super) Tag);

impl Screen for ListTab {
    fn groups(&self) -> &'static [Group] {
        &[Group::Market]
    }

    fn live_ids(&self, state: &State) -> Vec<CoinId> {
        let (list, rows) = (state.list(self.0), live_window(state.list(self.0).cursor.index(), state.content_rows()));
        rows.map_while(|row| list.get(row)).map(|coin| coin.id.clone()).collect()
    }

    fn shows_prices(&self) -> bool {
        true
    }

    fn offers_live(&self) -> bool {
        true
    }

    fn requests(&self, state: &State) -> Vec<Request> {
        requests(state, self.0)
    }

    fn hidden_requests(&self, state: &State) -> Vec<Request> {
        state.list(self.0).hidden_requests(&state.convert)
    }

    fn run(&self, state: &mut State, command: Command, effects: &mut Vec<Effect>) {
        if command == Command::Back && own_back_label(state, self.0).is_none() {
            if compare::back_label(state).is_some() {
                return compare::clear_marks(state);
            }
            if state.offers_live() {
                return live::dismiss(state, effects);
            }
        }
        let period = state.period;
        let list = state.list_mut(self.0);
        match command {
            Command::Open | Command::Right => {
                let unsorted = list.unsorted().filter(|_| list.cursor.index() == 0);
                if let Some(coin) = list.selected() {
                    let opened = TokenScreen::from_coin(coin, period);
                    token::open(state, opened);
                    if let Some(unsorted) = unsorted {
                        let words = format!("Opened the first loaded coin · {} more loading", Count(unsorted));
                        toast(state, words);
                    }
                }
            }
            Command::Search => list.start_search(),
            Command::Back => {
                if !list.search.value().is_empty() {
                    list.end_search();
                } else if list.can_stop() {
                    list.stop();
                } else {
                    list.set_filter(None);
                }
                state.find_more_coins();
            }
            Command::NextSortColumn => sort_by_next(list),
            Command::ScrollLeft => columns::scroll(state, self.0, -1),
            Command::Columns => columns::open(state, self.0),
            Command::ScrollRight => columns::scroll(state, self.0, 1),
            Command::SortMenu => sort::open_menu(state),
            Command::FilterCoins => filter::open_menu(state),
            Command::ReverseSort => {
                let sort = Sort { descending: !list.sort.descending, ..list.sort };
                list.sort_by(sort);
            }
            _ => {}
        }
    }

    fn step(&self, state: &mut State, step: Step) {
        state.list_mut(self.0).step(step);
    }

    fn hold_selection(&self, state: &mut State) {
        state.list_mut(self.0).unpin();
    }

    fn forget_missing(&self, state: &mut State) {
        state.list_mut(self.0).cursor.forget_missing();
    }

    fn row(&self, state: &State) -> Option<usize> {
        Some(state.list(self.0).cursor.index())
    }

    fn find_row(&self, state: &State, _panel: Option<Panel>, painted: (usize, Option<&Text>)) -> Option<usize> {
        let list = state.list(self.0);
        find_row(painted, list.len(), |row| list.get(row))
    }

    fn position(&self, state: &State) -> Option<Position> {
        let list = state.list(self.0);
        let searched = !list.search.value().trim().is_empty() || list.applied_filter().is_some();
        let len = if searched { list.len() as u64 } else { list.total().unwrap_or(list.len() as u64) };
        let has_more = if searched { list.omits_results() } else { list.total().is_none() };
        Some(Position { row: list.cursor.index(), len: len.max(list.len() as u64), has_more })
    }

    fn coin<'a>(&self, state: &'a State) -> Option<&'a Coin> {
        state.list(self.0).selected()
    }

    fn copy(&self, state: &State, items: &mut Items<'_>) {
        self.coin(state).into_iter().for_each(|coin| add_coin(items, coin));
    }

    fn sort_choices(&self, state: &State) -> Vec<MenuChoice> {
        sort::of_list(state, self.0)
    }

    fn has_period(&self) -> bool {
        false
    }

    fn has_rows(&self, state: &State) -> bool {
        !state.list(self.0).is_empty()
    }

    fn can_open(&self, state: &State) -> bool {
        self.has_rows(state)
    }

    fn back_label(&self, state: &State) -> Option<&'static str> {
        own_back_label(state, self.0).or_else(|| compare::back_label(state))
    }

    fn offers(&self, state: &State, command: Command) -> bool {
        match command {
            Command::SortMenu | Command::NextSortColumn | Command::ToggleWatch => self.has_rows(state),
            _ => true,
        }
    }

    fn is_typing(&self, state: &State) -> bool {
        state.list(self.0).searching
    }

    fn field<'a>(&self, state: &'a mut State) -> Option<&'a mut Input> {
        let list = state.list_mut(self.0);
        list.searching.then_some(&mut list.search)
    }

    fn edited(&self, state: &mut State) {
        state.list_mut(self.0).apply_search();
        state.find_more_coins();
        state.debounce_search(self.0);
    }

    fn finish(&self, state: &mut State, keep: bool) {
        let list = state.list_mut(self.0);
        if keep {
            list.keep_search();
        } else {
            list.cancel_search();
        }
        state.search_debounce_until = None;
        state.find_more_coins();
    }

    /// Sorts by the column, or reverses the order if it is the sort column.
    fn sort_by_heading(&self, state: &mut State, _panel: Option<Panel>, column: usize) {
        let list = state.list_mut(self.0);
        let Some(&column) = SortColumn::ALL.get(column) else { return };
        let descending = match list.order() {
            Some(order) if order.column == column => !order.descending,
            _ => column.is_descending_by_default(),
        };
        list.sort_by(Sort { column, descending });
    }

    fn load_more(&self, state: &mut State, margin: usize) {
        // The pages may be loaded already: from the cache, or from before the list was restarted.
        while state.list_mut(self.0).extend(margin) {
            sync::list(state, self.0);
        }
    }

    fn neighbour(&self, state: &mut State, by: isize) -> Option<TokenScreen> {
        let period = state.period;
        let list = state.list_mut(self.0);
        let before = list.cursor.clone();
        // The next coin has moved into the row of a missing one, or the previous one is selected in its place.
        let rows = before.rows_from_chosen(by);
        list.step(Step::By(rows));
        if rows != 0 && list.cursor.index() == before.index() {
            list.cursor = before;
            return None;
        }
        list.selected().map(|coin| TokenScreen::from_coin(coin, period))
    }

    fn next_request(&self, state: &State) -> Option<Request> {
        state.list(self.0).next_request(&state.convert)
    }
}

/// The footer's word for going back in a list, unless that only clears the marks or does nothing; `None` then.
fn own_back_label(state: &State, tag: Tag) -> Option<&'static str> {
    let list = state.list(tag);
    match (list.search.value().is_empty(), list.applied_filter().is_some()) {
        (true, false) => {
            let is_loading = list.can_stop() && state.receives_pages(tag);
            is_loading.then_some("stop loading")
        }
        (false, true) => Some("clear search"),
        _ => Some("all coins"),
    }
}

/// The requests for the visible rows of a list.
pub(super) fn requests(state: &State, tag: Tag) -> Vec<Request> {
    let list = state.list(tag);
    let rows = state.content_rows();
    let mut requests: Vec<Request> = list.requests(rows, &state.convert).into_iter().collect();
    if state.shows_trends(list) {
        requests.extend(list.trend_requests(rows, &state.convert));
    }
    requests.extend(state.more_coins_requests(tag));
    requests
}

fn sort_by_next(list: &mut ListScreen) {
    let all: Vec<SortColumn> = SortColumn::ALL.into_iter().filter(|column| list.columns.offers_sort(*column)).collect();
    let here = all.iter().position(|column| *column == list.sort.column).unwrap_or(0);
    if let Some(&column) = all.get((here + 1) % all.len()) {
        list.sort_by(Sort { column, descending: column.is_descending_by_default() });
    }
}
