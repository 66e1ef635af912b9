//! The list's columns: which there are at a width, and their heads.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::Target;
use crate::app::screen::ListScreen;
use crate::app::screen::list::Column as SortBy;
use crate::view::widgets::table::{self, Column, Direction, Layout};
use crate::view::{Look, Memo};

pub(super) const RANK: usize = 0;
pub(super) const STAR: usize = 1;
pub(super) const NAME: usize = 2;
pub(super) const SYMBOL: usize = 3;
pub(super) const PRICE: usize = 4;
pub(super) const CHANGE_1H: usize = 5;
pub(super) const CHANGE_24H: usize = 6;
pub(super) const CHANGE_7D: usize = 7;
pub(super) const RANGE: usize = 8;
pub(super) const VOLUME: usize = 9;
pub(super) const CAP: usize = 10;
pub(super) const TREND: usize = 11;

/// From this width on, the heads are written out.
const WIDE: u16 = 128;

/// From this width on, the name has some room beside the price.
const SMALL: u16 = 22;

/// From this width on, rows have room for more than the coin, its price and its change.
const MEDIUM: u16 = 34;

/// From this width on, the changes stand two columns apart.
const AIRY: u16 = 100;

/// The columns for a width, in their order on the screen.
fn columns(width: u16) -> [Column; 12] {
    let wide = width >= WIDE;
    let change = if width >= AIRY { 7 } else { 6 };
    let name = match width {
        ..SMALL => 5,
        SMALL..MEDIUM => 6,
        MEDIUM..AIRY => 12,
        AIRY.. => 18,
    };
    [
        Column::number("#", 5, 6),
        Column::words("", 1, 8),
        Column::words("Coin", name, 11).growing(40),
        Column::words("", 7, 7),
        Column::number("Price", 12, 10),
        Column::number("1h", change, 2),
        Column::number("24h", change, 9),
        Column::number("7d", change, 4),
        Column::words(" 24h range", 22, 1).growing(50),
        Column::number(if wide { "Volume 24h" } else { "Volume" }, if wide { 11 } else { 8 }, 3),
        Column::number(if wide { "Market cap" } else { "Cap" }, if wide { 11 } else { 8 }, 5),
        Column::words(" 7 days", 9, 4).growing(80),
    ]
}

/// What a list's order is called by each column; `None` for those that it cannot be sorted by.
const SORTS: [Option<SortBy>; 12] = [
    Some(SortBy::Rank),
    None,
    Some(SortBy::Name),
    None,
    Some(SortBy::Price),
    Some(SortBy::Change1h),
    Some(SortBy::Change24h),
    Some(SortBy::Change7d),
    None,
    Some(SortBy::Volume),
    Some(SortBy::MarketCap),
    None,
];

/// The columns that there is room for.
pub(super) fn layout(width: u16) -> Layout {
    Layout::new(&columns(width), width)
}

/// Paints the heads and notes which of them the mouse can hit.
pub(super) fn head(buf: &mut Buffer, area: Rect, list: &ListScreen, layout: &Layout, look: &Look, memo: &mut Memo) {
    // What a search found stands in the order of how well it matches.
    let is_sorted = list.search.value().trim().is_empty();
    let sorted = SORTS.iter().position(|by| is_sorted && *by == Some(list.sort.column));
    let direction = if list.sort.descending { Direction::Descending } else { Direction::Ascending };
    table::head(buf, area, &columns(area.width), layout, sorted.map(|index| (index, direction)), &look.theme);
    for placed in layout.columns() {
        let by = SORTS.get(placed.index).copied().flatten();
        let heading = by.and_then(|by| SortBy::ALL.iter().position(|column| *column == by));
        if let (Some(heading), Some(cell)) = (heading, layout.cell(area, placed.index)) {
            memo.target(cell, Target::Heading(None, heading));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(width: u16) -> Vec<usize> {
        layout(width).columns().iter().map(|placed| placed.index).collect()
    }

    #[test]
    fn narrow_screens_keep_what_matters() {
        assert_eq!(shown(20), [NAME, PRICE], "a price alone says nothing");
        assert_eq!(shown(40), [STAR, NAME, PRICE, CHANGE_24H]);
        assert_eq!(shown(80), [RANK, STAR, NAME, SYMBOL, PRICE, CHANGE_24H, CHANGE_7D, CAP, TREND]);
        assert_eq!(shown(160).len(), 12);
    }

    #[test]
    fn no_column_outgrows_any_screen() {
        for width in 0..300 {
            for placed in layout(width).columns() {
                assert!(placed.x + placed.width <= width, "{width}: {placed:?}");
            }
        }
    }
}
