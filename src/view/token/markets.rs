//! The markets panel: where the token trades.

use std::fmt::Write;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{StatefulWidget, Widget};

use super::Scene;
use crate::app::Target;
use crate::app::screen::token::MarketColumn;
use crate::app::state::Panel;
use crate::format::{ABSENT, Count, Money, Price, Share};
use crate::model::MarketPair;
use crate::view::Memo;
use crate::view::chrome::health::{self, Health};
use crate::view::memo::Screen;
use crate::view::widgets::table::{self, Column, Direction, Layout, Row};
use crate::view::widgets::{PanelTitle, Placeholder, Table, text};

/// The columns in the order of [`MarketColumn::ALL`], as wide as this token's markets need them, and where the panel has
/// room for it that of [`ASK`]. What these are `sorted` by goes last but for the pair.
fn columns(width: u16, widths: Widths, sorted: Option<usize>) -> Vec<Column> {
    let mut columns = vec![
        Column::words("Exchange", 8, 8).growing(18),
        Column::words("Pair", 9, 12).growing(widths.pair.clamp(16, 24)),
        Column::number("Price", (widths.whole + widths.fraction).max(6), 10),
        Column::number("Volume", Money::WIDTH, 7),
        Column::number("Share", if widths.outliers && width >= WIDE { 7 } else { 6 }, 6),
        Column::number("Bid/ask depth", 13, 5),
    ];
    if width >= ROOMY {
        if let Some(depth) = columns.last_mut() {
            *depth = Column::number("Bid depth", 10, 5);
        }
        columns.push(Column::number("Ask depth", 10, 5));
    }
    if let Some(column) = sorted.and_then(|index| columns.get_mut(index)) {
        column.priority = column.priority.max(11);
    }
    columns
}

/// The column of the ask depth, where that has one of its own.
const ASK: usize = 6;

/// From this width on, it has.
const ROOMY: u16 = 100;

/// The columns in words, in the order of [`MarketColumn::ALL`].
const NAMES: [&str; 6] = ["exchange", "pair", "price", "volume", "share", "depth"];

/// What stands for the share of a market whose price is far from all others; where that has no room, [`ODD`].
const OUTLIER: &str = "outlier";

/// See [`OUTLIER`].
const ODD: &str = "odd";

/// From this width on, all columns have room.
const WIDE: u16 = 60;

/// The columns that a token's markets take: they hardly change from market to market or from hour to hour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Widths {
    /// A pair with what is traded there where that is not the coin itself.
    pair: u16,
    /// Of a price, before the point.
    whole: u16,
    /// Of a price, the point and what stands behind it.
    fraction: u16,
    /// Whether there are outliers.
    outliers: bool,
}

impl Widths {
    fn of(pairs: &[MarketPair]) -> Widths {
        let mut text = String::new();
        pairs.iter().fold(Widths::default(), |widest, pair| {
            text.clear();
            let _ = write!(text, "{}", Price(pair.price));
            let whole = text.find('.').and_then(|at| text.get(..at)).map_or(text::width(&text), text::width);
            let fraction = text::width(&text) - whole;
            let marked = text::width(&pair.pair) + kind(pair).map_or(0, |kind| 1 + text::width(kind));
            Widths {
                pair: widest.pair.max(marked),
                whole: widest.whole.max(whole),
                fraction: widest.fraction.max(fraction),
                outliers: widest.outliers || pair.outlier == Some(true),
            }
        })
    }
}

/// What is traded there, in a word; `None` for the coin itself.
fn kind(pair: &MarketPair) -> Option<&str> {
    /// The words of services, by how they begin.
    const KINDS: [(&str, &str); 5] =
        [("deriv", "deriv"), ("perp", "perp"), ("swap", "perp"), ("future", "future"), ("option", "option")];
    let category = pair.category.as_deref().filter(|category| !category.eq_ignore_ascii_case("spot"))?;
    let begins = |with: &str| category.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with));
    Some(KINDS.iter().find(|(with, _)| begins(with)).map_or(category, |(_, kind)| kind))
}

pub(super) fn paint(buf: &mut Buffer, area: Rect, scene: &Scene<'_>, memo: &mut Memo) {
    let Scene { state, token, look, .. } = scene;
    let theme = &look.theme;
    let remote = state.store.market_pairs(&token.markets_request(&state.convert));
    let count = remote
        .value
        .filter(|page| !page.items.is_empty())
        .map(|page| Count(page.total.unwrap_or(0).max(page.items.len() as u64)).to_string());
    let mut bad = remote.value.map(|_| scene.told.health(remote, state.now)).filter(|health| health.is_bad);
    let pair = remote.value.and_then(|page| page.items.first()).filter(|pair| pair.convert != state.convert);
    if let Some(pair) = pair {
        let more = bad.map(|bad| format!(" · {}", bad.text)).unwrap_or_default();
        bad = Some(Health { text: format!("in {}{more}", pair.convert), is_bad: true });
    }
    let (column, descending) = token.market_sort;
    let sorted = MarketColumn::ALL.iter().position(|c| *c == column);
    let widths = remote.value.map_or_else(Widths::default, |page| Widths::of(&page.items));
    // Their first order is not worth a column that says more.
    let asked = sorted.filter(|_| token.market_sort != (MarketColumn::Volume, true));
    let columns = columns(area.width, widths, asked);
    let layout = Layout::new(&columns, area.width);
    // An order by what has no room here would be a riddle.
    let order = match sorted.and_then(|index| NAMES.get(index).filter(|_| !layout.shows(index))) {
        Some(name) => format!("  by {name} {}", if descending { "▾" } else { "▴" }),
        None => String::new(),
    };
    let name = format!("Markets  {}{order}", count.unwrap_or_default());
    let note = remote.value.and_then(|page| page.items.first()).filter(|_| bad.is_none()).map(|pair| {
        let depth = if layout.shows(ASK - 1) { " · ±2% depth" } else { "" };
        format!("in {}{depth}", pair.convert)
    });
    let focused = scene.is_focused(Panel::Markets);
    let title = PanelTitle::new(name.trim_end()).focused(focused).theme(theme);
    let title = note.as_ref().map_or(title, |note| title.right(note, theme.dim));
    let place = health::title(buf, area, title, bad.as_ref(), theme);
    let Some(page) = remote.value else {
        return scene.told.missing(buf, place, remote, "markets", state, theme);
    };
    if page.items.is_empty() {
        return Placeholder::empty("No markets").theme(theme).render(place, buf);
    }
    for placed in layout.columns() {
        let cell = Rect { width: placed.width + 1, ..text::shifted(text::line(place, 0), placed.x) };
        let column = if placed.index == ASK { ASK - 1 } else { placed.index };
        memo.target(cell, Target::Heading(Some(Panel::Markets), column));
    }
    let direction = if descending { Direction::Descending } else { Direction::Ascending };
    let bar = if focused { theme.selection } else { theme.selection_idle };
    let len = token.market_count();
    let table = Table::new(&columns, len, |index, row| {
        if let Some(pair) = token.market(&page.items, index) {
            paint_pair(row, pair, widths.fraction, scene);
        }
    });
    let table = table.layout(&layout).sort(sorted.map(|index| (index, direction))).selection(bar).theme(theme);
    let rows = table.rows(place);
    let mut table_state =
        memo.table(Screen::Token, Some(Panel::Markets), len, Some(token.markets.index()), rows.height);
    table.render(place, buf, &mut table_state);
    for (row, index) in (0..).zip(table_state.visible(len, usize::from(rows.height))) {
        memo.target(text::line(rows, row), Target::Row(Some(Panel::Markets), index));
    }
    if remote.is_stale(state.now) {
        health::fade(buf, rows);
    }
    table::scrollbar(buf, rows, table_state.offset, len, theme);
}

/// Outliers are marked, for their price says little, and so is what is not a trade in the coin itself.
fn paint_pair(row: &mut Row<'_>, pair: &MarketPair, fraction: u16, scene: &Scene<'_>) {
    let theme = &scene.look.theme;
    let odd = pair.outlier == Some(true);
    let place = |column: MarketColumn| MarketColumn::ALL.iter().position(|c| *c == column).unwrap_or(0);
    row.words(place(MarketColumn::Exchange), pair.exchange.as_deref().unwrap_or(ABSENT), theme.text);
    match kind(pair) {
        None => row.words(place(MarketColumn::Pair), &pair.pair, theme.text),
        Some(kind) => row.cell(place(MarketColumn::Pair), |buf, cell| {
            let used = text::put(buf, cell, &pair.pair, theme.dim) + 1;
            if used + text::width(kind) <= cell.width {
                text::put(buf, text::shifted(cell, used), kind, theme.dim);
            }
        }),
    }
    row.decimal(
        place(MarketColumn::Price),
        fraction.saturating_sub(1),
        Price(pair.price),
        if odd { theme.warn } else { theme.strong },
    );
    row.number(place(MarketColumn::Volume), Money(pair.volume_24h), theme.text);
    match odd {
        true => row.cell(place(MarketColumn::Share), |buf, cell| {
            let word = if text::width(OUTLIER) <= cell.width { OUTLIER } else { ODD };
            text::put_right(buf, cell, word, theme.warn);
        }),
        false => row.number(place(MarketColumn::Share), Share(pair.volume_share_pct), theme.dim),
    }
    // Bids are down to 2 % below the price, asks up to 2 % above it.
    let [bid, ask] = [pair.depth_minus_2pct, pair.depth_plus_2pct].map(Money);
    if row.layout.shows(ASK) {
        row.number(place(MarketColumn::Depth), bid, theme.dim);
        row.number(ASK, ask, theme.dim);
    } else if bid.0.or(ask.0).is_some() {
        row.number(place(MarketColumn::Depth), format_args!("{bid}/{ask}"), theme.dim);
    } else {
        row.number(place(MarketColumn::Depth), crate::format::ABSENT, theme.dim);
    }
}
