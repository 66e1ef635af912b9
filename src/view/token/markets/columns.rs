//! The columns of the markets panel.

use super::widths::Widths;
use crate::app::panel::Panel;
use crate::format::Money;
use crate::view::widgets::table::{Column, Layout, Placed};
use crate::view::widgets::text;

/// The columns of a panel.
pub(super) type Columns = [Column; Panel::Markets.columns()];

/// The columns: those of `MarketColumn::ALL`, then [`ASK`] and [`UPDATED`], as wide as this token's markets need. The
/// `sorted` column is dropped last except for the pair. The names of exchanges are cut only if there is no room for the
/// price, the volume and the share otherwise.
pub(super) fn columns(width: u16, widths: Widths, sorted: Option<usize>) -> Columns {
    let most = if widths.full.is_some() { 24 } else { 18 };
    let cut = columns_with((MIN_NAME, most), width, widths, sorted);
    let whole = columns_with((widths.exchange.clamp(MIN_NAME, most), most), width, widths, sorted);
    let displaces = |index| matches!(index, BID | ASK | UPDATED) && sorted != Some(index);
    let shown = layout(&whole, width, 0, widths);
    let is_better = |placed: &Placed| shown.shows(placed.index) || displaces(placed.index);
    if layout(&cut, width, 0, widths).columns().iter().all(is_better) { whole } else { cut }
}

/// The columns with names of exchanges between these widths.
fn columns_with((name, most): (u16, u16), width: u16, widths: Widths, sorted: Option<usize>) -> Columns {
    let (money, depth, share_most) = match widths.full {
        Some(full) => (full.volume.max(Money::WIDTH), full.depth.max(DEPTH), width / 3),
        None => (Money::WIDTH, DEPTH, 0),
    };
    let share = if widths.outliers { text::width(OUTLIER) } else { PERCENT };
    let price = (widths.whole + widths.fraction).max(6);
    let is_narrow = width < NARROW;
    let (name, pair) = if is_narrow { narrow_names(width, price) } else { (name, PAIR) };
    let bid = if width >= ROOMY { ("Bid depth", depth) } else { ("Bid/ask depth", 13) };
    let mut columns = [
        Column::words("Exchange", name, if is_narrow { 13 } else { 8 }).growing(most),
        Column::words("Pair", pair, 12).growing(widths.pair.clamp(16, 24)),
        Column::number("Price", price, 10),
        Column::number("Volume", money, 7),
        Column::number("Share", share, 6).growing(share_most),
        Column::number(bid.0, bid.1, 5),
        Column::number("Ask depth", depth, 5),
        Column::number("Updated", 8, 4),
    ];
    // In a narrow panel, it must not displace the price without being visible itself.
    let fits = |column: &&mut Column| !is_narrow || name + pair + column.width + 4 <= width;
    if let Some(column) = sorted.and_then(|index| columns.get_mut(index)).filter(fits) {
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

/// The same columns, with two blanks between them as far as names and bars are wider than needed. Only depths fill their
/// columns.
pub(super) fn spaced(mut columns: Columns, width: u16, position: usize, widths: Widths) -> Columns {
    let layout = layout(&columns, width, position, widths);
    if !layout.shows(BID) {
        return columns;
    }
    let pairs = layout.columns().iter().zip(layout.columns().iter().skip(1));
    let narrow_gaps = pairs.filter(|(left, right)| left.x + left.width + 1 >= right.x).count();
    let mut missing = u16::try_from(narrow_gaps).unwrap_or(u16::MAX);
    for (index, needed) in [(1, widths.pair), (0, widths.exchange), (SHARE, PERCENT + 1 + MIN_BAR)] {
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
    Layout::scrolled(columns, width, (2, position), |index| match index {
        BID => widths.has_depth,
        ASK => widths.has_depth && width >= ROOMY,
        UPDATED => widths.full.is_some_and(|full| full.has_time),
        _ => true,
    })
}

/// Minimum width of the names of exchanges.
const MIN_NAME: u16 = 8;

/// Minimum width of a pair.
const PAIR: u16 = 9;

/// Columns of the panel on a screen of 40 columns. Narrower ones shorten the exchange instead of dropping it.
const NARROW: u16 = 38;

/// The column of the share.
const SHARE: usize = 4;

/// Minimum width of the bar of a share that makes room for blanks.
const MIN_BAR: u16 = 8;

/// The column of the bid depth, or of both depths if the ask depth has no separate column.
pub(super) const BID: usize = 5;

/// The separate column of the ask depth.
pub(super) const ASK: usize = 6;

/// Minimum width with a separate ask depth.
const ROOMY: u16 = 100;

/// Minimum width of a depth in its own column.
const DEPTH: u16 = 10;

/// The column of the last update.
pub(super) const UPDATED: usize = 7;

/// The width of a share's percentage, next to its bar.
pub(super) const PERCENT: u16 = 6;

/// Shown instead of the share of a market whose price is far from all others.
pub(super) const OUTLIER: &str = "outlier";
