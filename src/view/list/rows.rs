//! The rows of a list.

use std::ops::Range;

use ratatui::widgets::Widget;

use super::columns::{CAP, CHANGE_1H, CHANGE_7D, CHANGE_24H, NAME, PRICE, RANGE, RANK, STAR, SYMBOL, TREND, VOLUME};
use crate::app::State;
use crate::app::screen::ListScreen;
use crate::client::Request;
use crate::format::{ABSENT, Change, Money, Price};
use crate::model::{Coin, Currency};
use crate::theme::Theme;
use crate::view::chrome::health;
use crate::view::look::Look;
use crate::view::widgets::table::Row;
use crate::view::widgets::{RangeBar, Sparkline, text};

/// Decimals of most prices, by which all are aligned.
const FRACTION: u16 = 4;

/// Paints the coin at `index`, with the currency of its price if the rows are priced in several.
pub(super) fn paint(row: &mut Row<'_>, index: usize, state: &State, list: &ListScreen, is_mixed: bool, look: &Look) {
    let Some(coin) = list.get(index) else { return };
    let marked = (is_mixed && coin.convert != state.convert).then_some(&coin.convert);
    coin_row(row, coin, state.is_watched(coin), list.trend(coin), marked, &look.theme);
    let page = list.page_start(index).map(|start| list.page_request(start, &state.convert));
    if page.is_some_and(|page| state.store.get(&page).is_stale(state.now)) {
        health::fade(row.buf, row.area);
    }
}

/// Paints a coin; `marked` is the currency of its price if it must be shown.
fn coin_row(row: &mut Row<'_>, coin: &Coin, watched: bool, prices: &[f64], marked: Option<&Currency>, theme: &Theme) {
    match coin.rank {
        Some(rank) => row.number(RANK, rank, theme.dim),
        None => row.words(RANK, "    —", theme.dim),
    }
    if watched {
        row.words(STAR, "★", theme.mark);
    }
    row.words(NAME, &coin.name, theme.text);
    row.words(SYMBOL, &coin.symbol, theme.dim);
    match marked.filter(|_| coin.price.is_some()) {
        None => row.decimal(PRICE, FRACTION, Price(coin.price), theme.strong),
        Some(currency) => {
            let sign = currency.sign().map_or_else(|| format!("{currency} "), str::to_owned);
            row.decimal(PRICE, FRACTION, format_args!("{sign}{}", Price(coin.price)), theme.strong);
        }
    }
    for (column, change) in
        [(CHANGE_1H, coin.change_1h_pct), (CHANGE_24H, coin.change_24h_pct), (CHANGE_7D, coin.change_7d_pct)]
    {
        row.number(column, Change(change), theme.change(change));
    }
    row.cell(RANGE, |buf, cell| {
        let range = RangeBar::new(coin.low_24h, coin.price, coin.high_24h);
        range.aligned().theme(theme).render(text::shifted(cell, 1), buf);
    });
    row.number(VOLUME, Money(coin.volume_24h), theme.text);
    row.number(CAP, Money(coin.market_cap), theme.text);
    row.cell(TREND, |buf, cell| {
        let cell = text::shifted(cell, 1);
        if prices.len() < 2 {
            text::put(buf, cell, ABSENT, theme.dim);
        } else {
            Sparkline::new(prices).style(theme.change(coin.change_7d_pct)).render(cell, buf);
        }
    });
}

/// The visible coins that are priced in another currency than the current one.
pub(super) struct Foreign<'a> {
    /// Their number.
    pub(super) some: usize,
    /// The number of visible coins.
    pub(super) all: usize,
    /// The currency of the first one.
    pub(super) code: &'a str,
}

impl Foreign<'_> {
    /// Whether all visible coins are.
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
