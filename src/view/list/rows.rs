//! The rows of a list.

use std::ops::Range;

use super::cells::{self, CoinRow};
use crate::app::State;
use crate::app::screen::ListScreen;
use crate::app::screen::list::SPECS;
use crate::client::Request;
use crate::view::appearance::Appearance;
use crate::view::chrome::health;
use crate::view::widgets::table::Row;

/// Paints the coin at `index`, with the currency of its price if the rows are priced in several.
pub(super) fn paint(
    row: &mut Row<'_>,
    index: usize,
    state: &State,
    list: &ListScreen,
    is_mixed: bool,
    appearance: &Appearance,
) {
    let Some(coin) = list.get(index) else { return };
    let marked = (is_mixed && coin.convert != state.convert).then_some(&coin.convert);
    let watched = state.is_watched(coin);
    let start = list.page_start(index);
    let live = state.live_price(coin, start.map(|start| (list.tag, start)));
    let rose = live.and_then(|live| live.rose);
    let live = live.map(|live| live.price);
    let letter = state.comparison.letter_of(coin);
    let coin = CoinRow {
        coin,
        live,
        rose,
        watched,
        letter,
        trend: list.trend(coin),
        currency: marked,
        theme: &appearance.theme,
    };
    for placed in row.layout.columns() {
        if let Some(spec) = SPECS.get(placed.index) {
            cells::cell(spec.column)(row, placed.index, &coin);
        }
    }
    let page = start.map(|start| list.page_request(start, &state.convert));
    if page.is_some_and(|page| state.store.get(&page).is_stale(state.now)) {
        health::fade(row.buf, row.area);
    }
}

/// The visible coins that are priced in another currency than the current one.
pub(super) struct Foreign<'a> {
    /// The number of visible coins in another currency.
    pub(super) some: usize,
    /// The number of visible coins.
    pub(super) all: usize,
    /// The currency of the first one.
    pub(super) code: &'a str,
}

impl Foreign<'_> {
    /// Whether all visible coins are in another currency.
    pub(super) fn is_all(&self) -> bool {
        self.some == self.all
    }
}

/// See [`Foreign`]; `None` if all visible coins are priced in the current currency.
pub(super) fn foreign<'a>(state: &State, list: &'a ListScreen, visible: Range<usize>) -> Option<Foreign<'a>> {
    let all = visible.len();
    let (mut some, mut code) = (0, None);
    for coin in visible.filter_map(|row| list.get(row)).filter(|coin| coin.convert != state.convert) {
        some += 1;
        code = code.or(Some(coin.convert.as_str()));
    }
    Some(Foreign { some, all, code: code? })
}

/// The request for the page of the selected row; for the first page if there are no rows.
pub(super) fn request(state: &State, list: &ListScreen) -> Request {
    match list.page_start(list.cursor.index()) {
        Some(start) => list.page_request(start, &state.convert),
        None => list.first_request(&state.convert),
    }
}
