//! The markets panel: where the token trades.

use std::fmt::Write;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Scene;
use crate::app::Target;
use crate::app::screen::token::MarketColumn;
use crate::app::state::Panel;
use crate::format::{Count, Money, Price, Share};
use crate::model::{Figure, MarketPair};
use crate::view::chrome::health;
use crate::view::memo::Screen;
use crate::view::widgets::panel::{self, Placeholder, Title};
use crate::view::widgets::table::{self, Column, Direction, Layout, Row};
use crate::view::widgets::text;
use crate::view::{Memo, below};

/// The columns in the order of [`MarketColumn::ALL`], the prices as wide as this token's are. What the markets are
/// `sorted` by goes last but for the pair.
fn columns(prices: Prices, sorted: Option<usize>) -> [Column; 6] {
    let mut columns = [
        Column::words("Exchange", 8, 8).growing(18),
        Column::words("Pair", 9, 12).growing(16),
        Column::number("Price", (prices.whole + prices.fraction).max(6), 10),
        Column::number("Volume", Money::WIDTH, 7),
        Column::number("Share", 6, 6),
        Column::number("±2% depth", 13, 5),
    ];
    if let Some(column) = sorted.and_then(|index| columns.get_mut(index)) {
        column.priority = column.priority.max(11);
    }
    columns
}

/// The columns in words, in the order of [`MarketColumn::ALL`].
const NAMES: [&str; 6] = ["exchange", "pair", "price", "volume", "share", "depth"];

/// The columns that a token's prices take: they hardly change from market to market or from hour to hour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Prices {
    /// Before the point.
    whole: u16,
    /// The point and what stands behind it.
    fraction: u16,
}

impl Prices {
    fn of(pairs: &[MarketPair]) -> Prices {
        let mut text = String::new();
        pairs.iter().fold(Prices::default(), |widest, pair| {
            text.clear();
            let _ = write!(text, "{}", Price(pair.price.get()));
            let whole = text.find('.').and_then(|at| text.get(..at)).map_or(text::width(&text), text::width);
            let fraction = text::width(&text) - whole;
            Prices { whole: widest.whole.max(whole), fraction: widest.fraction.max(fraction) }
        })
    }
}

pub(super) fn paint(buf: &mut Buffer, area: Rect, scene: &Scene<'_>, memo: &mut Memo) {
    let Scene { state, token, look, .. } = scene;
    let theme = &look.theme;
    let remote = state.store.market_pairs(&token.markets_request(&state.convert));
    let count = remote
        .value
        .filter(|page| !page.items.is_empty())
        .map(|page| Count(page.total.unwrap_or(0).max(page.items.len() as u64)).to_string());
    let bad = remote.value.map(|_| scene.told.health(remote, state.now)).filter(|health| health.is_bad);
    let (column, descending) = token.market_sort;
    let sorted = MarketColumn::ALL.iter().position(|c| *c == column);
    let prices = remote.value.map_or_else(Prices::default, |page| Prices::of(&page.items));
    // Their first order is not worth a column that says more.
    let asked = sorted.filter(|_| token.market_sort != (MarketColumn::Volume, true));
    let columns = columns(prices, asked);
    let layout = Layout::new(&columns, area.width);
    // An order by what has no room here would be a riddle.
    let order = match sorted.and_then(|index| NAMES.get(index).filter(|_| !layout.shows(index))) {
        Some(name) => format!("  by {name} {}", if descending { "▾" } else { "▴" }),
        None => String::new(),
    };
    let name = format!("Markets  {}{order}", count.unwrap_or_default());
    let note = remote.value.and_then(|page| page.items.first()).filter(|pair| pair.convert != state.convert);
    let note = note.map(|pair| format!("in {}", pair.convert));
    let right = note.as_ref().map(|note| (note.as_str(), theme.warn));
    let focused = scene.is_focused(Panel::Markets);
    let title = Title { name: name.trim_end(), right, focused, ..Title::default() };
    let place = health::title(buf, area, title, bad.as_ref(), theme);
    let Some(page) = remote.value else {
        return scene.told.missing(buf, place, remote, "markets", state.now, theme);
    };
    if page.items.is_empty() {
        return Placeholder::Empty("the service knows no market for it").paint(buf, place, theme);
    }
    let rows = below(place, 1);
    let direction = if descending { Direction::Descending } else { Direction::Ascending };
    table::head(buf, place, &columns, &layout, sorted.map(|index| (index, direction)), theme);
    for placed in layout.columns() {
        let cell = Rect { width: placed.width + 1, ..text::shifted(text::line(place, 0), placed.x) };
        memo.target(cell, Target::Heading(Some(Panel::Markets), placed.index));
    }
    let len = token.market_count();
    let window = memo.window(Screen::Token, Some(Panel::Markets), len, Some(token.markets.index()), rows.height);
    let bar = if focused { theme.selection } else { theme.selection_idle };
    table::rows(buf, rows, &layout, &window, bar, |index, row| {
        if let Some(pair) = token.market(&page.items, index) {
            paint_pair(row, pair, prices, scene);
        }
    });
    for row in 0..rows.height {
        let index = window.offset + usize::from(row);
        if index < len {
            memo.target(text::line(rows, row), Target::Row(Some(Panel::Markets), index));
        }
    }
    if remote.is_stale(state.now) {
        health::fade(buf, rows);
    }
    panel::scrollbar(buf, rows, &window, theme);
}

/// Outliers are marked: their price says little.
fn paint_pair(row: &mut Row<'_>, pair: &MarketPair, prices: Prices, scene: &Scene<'_>) {
    let theme = &scene.look.theme;
    let odd = pair.outlier == Some(true);
    let place = |column: MarketColumn| MarketColumn::ALL.iter().position(|c| *c == column).unwrap_or(0);
    row.words(place(MarketColumn::Exchange), &pair.exchange, theme.text);
    let spot = pair.category.as_deref().is_none_or(|category| category.eq_ignore_ascii_case("spot"));
    row.words(place(MarketColumn::Pair), &pair.pair, if spot { theme.text } else { theme.dim });
    row.decimal(
        place(MarketColumn::Price),
        prices.fraction.saturating_sub(1),
        Price(pair.price.get()),
        if odd { theme.warn } else { theme.strong },
    );
    row.number(place(MarketColumn::Volume), Money(pair.volume_24h.get()), theme.text);
    match odd {
        true => row.words(place(MarketColumn::Share), "odd", theme.warn),
        false => row.number(place(MarketColumn::Share), Share(pair.volume_share_pct.get()), theme.dim),
    }
    let depth = |value: Figure| Money(value.get()).to_string().trim_start().to_owned();
    if pair.depth_plus_2pct.is_known() || pair.depth_minus_2pct.is_known() {
        // In the order of the heading's sign.
        let words = format!("{}/{}", depth(pair.depth_plus_2pct), depth(pair.depth_minus_2pct));
        row.number(place(MarketColumn::Depth), words, theme.dim);
    } else {
        row.number(place(MarketColumn::Depth), crate::format::ABSENT, theme.dim);
    }
}
