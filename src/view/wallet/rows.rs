//! The wallet's rows: one line each, or higher with a larger trend where there is room.

use std::fmt::Write;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::screen::wallet::WalletRow;
use crate::app::{Remote, State};
use crate::format::{ABSENT, Change, Price, Span};
use crate::model::MarketSeries;
use crate::view::Look;
use crate::view::widgets::table::{self, Column, Layout};
use crate::view::widgets::{range, text, trend};

const NAME: usize = 0;
const SYMBOL: usize = 1;
const PRICE: usize = 2;
const CHANGE: usize = 3;
const RANGE: usize = 4;
const TREND: usize = 5;

/// Digits behind the point of most prices.
const FRACTION: u16 = 4;

/// Marks a price that is taken from the list of coins.
const LIST_PRICE: &str = "list price";

/// The columns for a width; that of the change is as wide as its head, where there is room.
fn columns(width: u16) -> [Column; 6] {
    let change = match width {
        ..70 => 7,
        70..110 => 12,
        110.. => 17,
    };
    [
        Column::words("Coin", if width < 24 { 5 } else { 12 }, 10).growing(28),
        Column::words("", 7, 6),
        Column::number("Price", 12, 9),
        Column::number("Change", change, 8),
        Column::words(" Low and high", 24, 5).growing(36),
        Column::words(" Chart", 20, 7).growing(90),
    ]
}

/// How high the rows are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Lines from one row to the next; at least 1.
    pub(super) height: u16,
    /// Lines that are painted; the rest parts the row from the next.
    pub(super) painted: u16,
}

impl Shape {
    /// The highest rows with which all `len` of them are in sight.
    pub(super) fn new(area: Rect, len: usize) -> Shape {
        let each = usize::from(area.height) / len.max(1);
        let (height, painted) = match each {
            _ if area.width < 70 => (1, 1),
            4.. => (4, 3),
            3 => (3, 2),
            2 => (2, 2),
            _ => (1, 1),
        };
        Shape { height, painted }
    }
}

pub(super) fn layout(width: u16) -> Layout {
    Layout::new(&columns(width), width)
}

/// Paints the head; the changes are `over` a time, which it tells as far as there is room.
pub(super) fn head(buf: &mut Buffer, area: Rect, layout: &Layout, over: Option<Span>, look: &Look) {
    table::head(buf, area, &columns(area.width), layout, None, &look.theme);
    let (Some(over), Some(cell)) = (over, layout.cell(area, CHANGE)) else { return };
    let forms = [format!("Change over {over}"), format!("Change {over}")];
    if let Some(words) = forms.iter().find(|words| text::width(words) <= cell.width) {
        text::put_right(buf, cell, words, look.theme.header);
    }
}

/// Paints one coin over all lines of `area`; `remote` is the response that its series is from.
pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    row: &WalletRow,
    remote: Remote<'_, Vec<MarketSeries>>,
    state: &State,
    layout: &Layout,
    look: &Look,
) {
    let theme = &look.theme;
    let own = row.series.and_then(|index| remote.value?.get(index));
    let known = if own.is_none() { state.watched_coin(row.place) } else { None };
    let name = own.and_then(|series| series.name.as_ref()).or(known.map(|coin| &coin.name));
    let symbol = &row.watched.symbol;
    let slug = own.and_then(|series| series.slug.as_ref()).or(row.watched.slug.as_ref());

    let first = text::line(area, 0);
    let put = |buf: &mut Buffer, column, line: Rect, words: &str, style| {
        if let Some(cell) = layout.cell(line, column) {
            text::put(buf, cell, words, style);
        }
    };
    // Coins that share a symbol may share their name, too; a slug tells them apart.
    match slug.filter(|_| row.ambiguous.is_some() && area.height == 1) {
        Some(slug) => put(buf, NAME, first, slug, theme.text),
        None => put(buf, NAME, first, name.unwrap_or(symbol), theme.text),
    }
    let symbol_style = if row.ambiguous.is_some() { theme.warn } else { theme.dim };
    put(buf, SYMBOL, first, symbol, symbol_style);
    if area.height > 1 {
        let second = Rect { width: text_width(layout), ..text::shifted(text::line(area, 1), 1) };
        let used = slug.map_or(0, |slug| text::put(buf, second, slug, theme.dim) + 2);
        if let Some(count) = row.ambiguous {
            let words = format!("{count} coins use {symbol}");
            text::put(buf, text::shifted(second, used), &words, theme.warn);
        }
    }

    let Some(own) = own else {
        // A list may know the price, as old as it is there, or in another currency.
        let listed = known.and_then(|coin| coin.price);
        let other = known.filter(|coin| listed.is_some() && coin.convert != state.convert);
        let words = match (&remote.value, other) {
            (Some(_), _) => format!("No data for {symbol}"),
            (None, Some(coin)) => format!("in {}", coin.convert),
            (None, None) if remote.failure().is_none() => String::from("Loading…"),
            (None, None) if listed.is_some() => String::from(LIST_PRICE),
            (None, None) => ABSENT.to_owned(),
        };
        let room = layout.cell(first, PRICE).unwrap_or_default();
        let columns = match listed {
            Some(price) => {
                text::decimal(buf, room, FRACTION, &Price(Some(price)).to_string(), theme.dim);
                room.right().saturating_sub(first.x) + 2
            }
            None => room.x.saturating_sub(first.x) + 2,
        };
        // One column of air is enough where a second one would cut the words.
        let is_tight = text::width(&words) > first.width.saturating_sub(columns);
        let words = if is_tight && words == LIST_PRICE { "listed" } else { words.as_str() };
        let columns = if is_tight { columns - 1 } else { columns };
        text::put(buf, text::shifted(first, columns), words, theme.dim);
        return;
    };
    let mut prices = own.points.iter().filter_map(|point| point.price);
    let (opening, last) = (prices.clone().next(), prices.clone().next_back());
    let low = prices.clone().reduce(f64::min);
    let high = prices.by_ref().reduce(f64::max);
    let change =
        opening.zip(last).filter(|(opening, _)| *opening != 0.0).map(|(opening, last)| (last / opening - 1.0) * 100.0);

    let mut scratch = String::with_capacity(32);
    let _ = write!(scratch, "{}", Price(last));
    if let Some(cell) = layout.cell(first, PRICE) {
        text::decimal(buf, cell, FRACTION, &scratch, theme.strong);
    }
    scratch.clear();
    let _ = write!(scratch, "{}", Change(change));
    if let Some(cell) = layout.cell(first, CHANGE) {
        text::number(buf, cell, &scratch, theme.change(change));
    }
    if let Some(cell) = layout.cell(first, RANGE) {
        range::paint(buf, text::shifted(cell, 1), range::Range { low, price: last, high }, theme);
    }
    if let Some(cell) = layout.cell(first, TREND) {
        let cell = Rect { height: area.height, ..text::shifted(cell, 1) };
        let style = theme.change(change);
        if own.points.len() < 2 {
            text::put(buf, cell, ABSENT, theme.dim);
        } else {
            trend::paint_with(buf, cell, own.points.len(), |i| own.points.get(i).and_then(|p| p.price), style);
        }
    }
}

/// The columns from the name to the change, which the second line of a row has for itself.
fn text_width(layout: &Layout) -> u16 {
    let end = |placed: &table::Placed| placed.x + placed.width;
    let before = layout.columns().iter().filter(|placed| placed.index < RANGE);
    before.map(end).max().unwrap_or(0).saturating_sub(1)
}
