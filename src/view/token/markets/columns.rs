//! The columns of the markets panel.

use super::widths::Widths;
use crate::app::panel::cells::MarketCell;
use crate::app::screen::token::MarketColumn;
use crate::format::Money;
use crate::view::widgets::table::{Column, Layout, Placed};
use crate::view::widgets::text;

/// The columns of a panel.
pub(super) type Columns = [Column; MarketCell::COUNT];

/// The cell of a sort column.
pub(super) fn cell_of(by: MarketColumn) -> MarketCell {
    match by {
        MarketColumn::Exchange => MarketCell::Exchange,
        MarketColumn::Pair => MarketCell::Pair,
        MarketColumn::Price => MarketCell::Price,
        MarketColumn::Volume => MarketCell::Volume,
        MarketColumn::Share => MarketCell::Share,
        MarketColumn::Depth => MarketCell::Bid,
    }
}

/// The columns, as wide as this token's markets need. The `sorted` one is dropped last except for the pair. The names of
/// exchanges are cut only if there is no room for the price, the volume and the share otherwise.
pub(super) fn columns(width: u16, widths: Widths, sorted: Option<MarketCell>) -> Columns {
    let most = if widths.full.is_some() { 24 } else { 18 };
    let cut = columns_with((MIN_NAME, most), width, widths, sorted);
    let whole = columns_with((widths.exchange.clamp(MIN_NAME, most), most), width, widths, sorted);
    let displaces =
        |cell| matches!(cell, MarketCell::Bid | MarketCell::Ask | MarketCell::Updated) && sorted != Some(cell);
    let shown = layout(&whole, width, 0, widths);
    let is_better = |placed: &Placed| {
        shown.shows(placed.index) || MarketCell::ALL.get(placed.index).is_some_and(|cell| displaces(*cell))
    };
    if layout(&cut, width, 0, widths).columns().iter().all(is_better) { whole } else { cut }
}

/// The columns with names of exchanges between these widths.
fn columns_with((name, most): (u16, u16), width: u16, widths: Widths, sorted: Option<MarketCell>) -> Columns {
    let (money, depth, share_most) = match widths.full {
        Some(full) => (full.volume.max(Money::WIDTH), full.depth.max(DEPTH), width / 3),
        None => (Money::WIDTH, DEPTH, 0),
    };
    let share = if widths.outliers { text::width(OUTLIER) } else { PERCENT };
    let price = (widths.whole + widths.fraction).max(6);
    let is_narrow = width < NARROW;
    let (name, pair) = if is_narrow { narrow_names(width, price) } else { (name, PAIR) };
    let bid = if width >= ROOMY { ("Bid depth", depth) } else { ("Bid/ask depth", 13) };
    let mut columns = MarketCell::ALL.map(|cell| match cell {
        MarketCell::Exchange => Column::words("Exchange", name, if is_narrow { 13 } else { 8 }).growing(most),
        MarketCell::Pair => Column::words("Pair", pair, 12).growing(widths.pair.clamp(16, 24)),
        MarketCell::Price => Column::number("Price", price, 10),
        MarketCell::Volume => Column::number("Volume", money, 7),
        MarketCell::Share => Column::number("Share", share, 6).growing(share_most),
        MarketCell::Bid => Column::number(bid.0, bid.1, 5),
        MarketCell::Ask => Column::number("Ask depth", depth, 5),
        MarketCell::Updated => Column::number("Updated", 8, 4),
    });
    // In a narrow panel, it must not displace the price without being visible itself.
    let fits = |column: &&mut Column| !is_narrow || name + pair + column.width + 4 <= width;
    if let Some(column) = sorted.and_then(|cell| columns.get_mut(usize::from(cell))).filter(fits) {
        column.priority = column.priority.max(11);
    }
    columns
}

/// The minimum widths of an exchange and a pair in a narrow panel, so that both fit beside the price.
fn narrow_names(width: u16, price: u16) -> (u16, u16) {
    let room = width.saturating_sub(price + 4);
    let pair = room.saturating_sub(4).clamp(7, PAIR);
    (room.saturating_sub(pair).clamp(3, MIN_NAME), pair)
}

/// Puts two blanks between the columns as far as names and bars are wider than needed. Only depths fill their columns.
pub(super) fn spaced(mut columns: Columns, width: u16, position: usize, widths: Widths) -> Columns {
    let layout = layout(&columns, width, position, widths);
    if !layout.shows(MarketCell::Bid) {
        return columns;
    }
    let pairs = layout.columns().iter().zip(layout.columns().iter().skip(1));
    let narrow_gaps = pairs.filter(|(left, right)| left.x + left.width + 1 >= right.x).count();
    let mut missing = u16::try_from(narrow_gaps).unwrap_or(u16::MAX);
    let share = PERCENT + 1 + MIN_BAR;
    let needs = [(MarketCell::Pair, widths.pair), (MarketCell::Exchange, widths.exchange), (MarketCell::Share, share)];
    for (index, needed) in needs.map(|(cell, needed)| (usize::from(cell), needed)) {
        let placed = layout.columns().iter().find(|placed| placed.index == index);
        if let Some((placed, column)) = placed.zip(columns.get_mut(index)) {
            let less = placed.width.saturating_sub(needed.max(column.width)).min(missing);
            missing -= less;
            column.max_width = placed.width - less;
        }
    }
    columns
}

/// The layout in `width` columns, scrolled to `position`, without columns that have no value in any market.
pub(super) fn layout(columns: &[Column], width: u16, position: usize, widths: Widths) -> Layout {
    Layout::scrolled(columns, width, (2, position), |index| match MarketCell::ALL.get(index) {
        Some(MarketCell::Bid) => widths.has_depth,
        Some(MarketCell::Ask) => widths.has_depth && width >= ROOMY,
        Some(MarketCell::Updated) => widths.full.is_some_and(|full| full.has_time),
        _ => true,
    })
}

/// Minimum width of the names of exchanges.
const MIN_NAME: u16 = 8;

/// Minimum width of a pair.
const PAIR: u16 = 9;

/// Columns of the panel on a screen of 40 columns. Narrower ones shorten the exchange instead of dropping it.
const NARROW: u16 = 38;

/// Minimum width of the bar of a share that makes room for blanks.
const MIN_BAR: u16 = 8;

/// Minimum width with a separate ask depth.
const ROOMY: u16 = 100;

/// Minimum width of a depth in its own column.
const DEPTH: u16 = 10;

/// The width of a share's percentage, next to its bar.
pub(super) const PERCENT: u16 = 6;

/// Shown instead of the share of a market whose price is far from all others.
pub(super) const OUTLIER: &str = "outlier";
