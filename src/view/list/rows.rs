//! The rows of a list: only those on the screen are touched, and one string serves all their numbers.

use std::cell::Cell;
use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::columns::{CAP, CHANGE_1H, CHANGE_7D, CHANGE_24H, NAME, PRICE, RANGE, RANK, STAR, SYMBOL, TREND, VOLUME};
use crate::app::State;
use crate::app::screen::ListScreen;
use crate::client::Request;
use crate::format::{ABSENT, Change, Money, Price};
use crate::model::Coin;
use crate::theme::Theme;
use crate::view::Look;
use crate::view::chrome::health;
use crate::view::widgets::table::{self, Layout, Row, Window};
use crate::view::widgets::{range, text, trend};

/// Digits behind the point of most prices, under which the points of all stand.
const FRACTION: u16 = 4;

/// Paints the rows of `window` over `area`.
pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    state: &State,
    list: &ListScreen,
    layout: &Layout,
    window: &Window,
    look: &Look,
) {
    let theme = &look.theme;
    // Neighbours mostly stand on the same page, so its age is looked up once.
    let known: Cell<Option<(u32, bool)>> = Cell::new(None);
    let is_stale = |index: usize| {
        let Some(start) = list.page_start(index) else { return false };
        if let Some((page, stale)) = known.get()
            && page == start
        {
            return stale;
        }
        let stale = state.store.get(&list.page_request(start, &state.convert)).is_stale(state.now);
        known.set(Some((start, stale)));
        stale
    };
    table::rows(buf, area, layout, window, theme.selection, |index, row| {
        let Some(coin) = list.get(index) else { return };
        coin_row(row, coin, state.is_watched(coin), list.trend(coin), theme);
        if is_stale(index) {
            health::fade(row.buf, row.area);
        }
    });
}

fn coin_row(row: &mut Row<'_>, coin: &Coin, watched: bool, prices: &[f64], theme: &Theme) {
    match coin.rank {
        Some(rank) => row.number(RANK, rank, theme.dim),
        None => row.words(RANK, "    —", theme.dim),
    }
    if watched {
        row.words(STAR, "★", theme.mark);
    }
    row.words(NAME, &coin.name, theme.text);
    row.words(SYMBOL, &coin.symbol, theme.dim);
    row.decimal(PRICE, FRACTION, Price(coin.price.get()), theme.strong);
    for (column, change) in
        [(CHANGE_1H, coin.change_1h_pct), (CHANGE_24H, coin.change_24h_pct), (CHANGE_7D, coin.change_7d_pct)]
    {
        row.number(column, Change(change.get()), theme.change(change.get()));
    }
    row.cell(RANGE, |buf, cell| {
        let range = range::Range { low: coin.low_24h, price: coin.price, high: coin.high_24h };
        range::paint(buf, text::shifted(cell, 1), range, theme);
    });
    row.number(VOLUME, Money(coin.volume_24h.get()), theme.text);
    row.number(CAP, Money(coin.market_cap.get()), theme.text);
    row.cell(TREND, |buf, cell| {
        let cell = text::shifted(cell, 1);
        if prices.len() < 2 {
            text::put(buf, cell, ABSENT, theme.dim);
        } else {
            trend::paint(buf, cell, prices, theme.change(coin.change_7d_pct.get()).remove_modifier(Modifier::DIM));
        }
    });
}

/// How many of the coins in sight are priced in another currency than the one asked for, and that of the first.
pub(super) fn foreign<'a>(
    state: &State,
    list: &'a ListScreen,
    in_sight: Range<usize>,
) -> Option<(usize, usize, &'a str)> {
    let all = in_sight.len();
    let (mut foreign, mut code) = (0, None);
    for coin in in_sight.filter_map(|row| list.get(row)).filter(|coin| coin.convert != state.convert) {
        foreign += 1;
        code = code.or(Some(coin.convert.as_str()));
    }
    Some((foreign, all, code?))
}

/// The request whose answer the selected row comes from; the first page's where there are no rows.
pub(super) fn request(state: &State, list: &ListScreen) -> Request {
    match list.page_start(list.cursor.index()) {
        Some(start) => list.page_request(start, &state.convert),
        None => list.first_request(&state.convert),
    }
}
