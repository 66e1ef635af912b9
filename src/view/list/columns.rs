//! The list's columns: which there are at a width, and their heads.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::Target;
use crate::app::screen::ListScreen;
use crate::app::screen::list::Column as SortBy;
use crate::view::widgets::table::{Column, Direction, Layout};
use crate::view::widgets::text;
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

/// The columns for a width, in their order on the screen. What the list is `sorted` by goes last but for the name: an
/// order by what cannot be seen would be a riddle.
fn columns(width: u16, sorted: Option<usize>) -> [Column; 12] {
    let wide = width >= WIDE;
    let change = if width >= AIRY { 7 } else { 6 };
    let name = match width {
        ..SMALL => 5,
        SMALL..MEDIUM => 6,
        MEDIUM..AIRY => 12,
        AIRY.. => 18,
    };
    let mut columns = [
        Column::number("#", 5, 6),
        Column::words("", 1, 8),
        Column::words("Coin", name, 12).growing(40),
        Column::words("", 7, 7),
        Column::number("Price", 12, 10),
        Column::number("1h", change, 2),
        Column::number("24h", change, 9),
        Column::number("7d", change, 4),
        Column::words(" 24h range", 22, 1).growing(50),
        Column::number(if wide { "Volume 24h" } else { "Volume" }, if wide { 11 } else { 8 }, 3),
        Column::number(if wide { "Market cap" } else { "Cap" }, if wide { 11 } else { 8 }, 5),
        Column::words(" 7 days", 9, 4).growing(80),
    ];
    if let Some(sorted) = sorted.filter(|index| *index != NAME) {
        // It rather takes the place of the week's change, which the trend tells, too, than that of the trend, which is
        // asked for beside the list.
        for (index, priority) in [(CHANGE_7D, 3), (TREND, 6), (sorted, 11)] {
            if let Some(column) = columns.get_mut(index) {
                column.priority = priority;
            }
        }
    }
    columns
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

/// The columns for a width.
pub(super) fn of(list: &ListScreen, width: u16) -> [Column; 12] {
    columns(width, asked(list))
}

/// The column that the list is sorted by; `None` for what a search found, the best match first.
fn sorted(list: &ListScreen) -> Option<usize> {
    let order = list.order()?;
    SORTS.iter().position(|by| *by == Some(order.column))
}

/// The same where the reader asked for the order: that of the service needs no column.
fn asked(list: &ListScreen) -> Option<usize> {
    sorted(list).filter(|index| *index != RANK || list.sort.descending)
}

/// The column that the list is sorted by, and its direction.
pub(super) fn sort(list: &ListScreen) -> Option<(usize, Direction)> {
    let direction = if list.sort.descending { Direction::Descending } else { Direction::Ascending };
    sorted(list).map(|index| (index, direction))
}

/// Notes which heads the mouse can hit.
pub(super) fn targets(area: Rect, layout: &Layout, memo: &mut Memo) {
    for placed in layout.columns() {
        let by = SORTS.get(placed.index).copied().flatten();
        let heading = by.and_then(|by| SortBy::ALL.iter().position(|column| *column == by));
        if let (Some(heading), Some(cell)) = (heading, layout.cell(area, placed.index)) {
            memo.target(cell, Target::Heading(None, heading));
        }
    }
}

/// Names the currency in the head of the prices: they are in another one than the header says.
pub(super) fn price_in(buf: &mut Buffer, area: Rect, code: &str, layout: &Layout, look: &Look) {
    let Some(cell) = layout.cell(area, PRICE) else { return };
    let forms = [format!("Price {code}"), code.to_owned()];
    if let Some(words) = forms.iter().find(|words| text::width(words) <= cell.width) {
        text::put_right(buf, cell, words, look.theme.warn);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::demand::TREND_COLUMNS;

    fn of(width: u16, sorted: Option<usize>) -> Vec<usize> {
        let layout = Layout::new(&columns(width, sorted), width);
        layout.columns().iter().map(|placed| placed.index).collect()
    }

    fn shown(width: u16) -> Vec<usize> {
        of(width, None)
    }

    #[test]
    fn narrow_screens_keep_what_matters() {
        assert_eq!(shown(20), [NAME, PRICE], "a price alone says nothing");
        assert_eq!(shown(40), [STAR, NAME, PRICE, CHANGE_24H]);
        assert_eq!(shown(80), [RANK, STAR, NAME, SYMBOL, PRICE, CHANGE_24H, CHANGE_7D, CAP, TREND]);
        assert_eq!(shown(160).len(), 12);
    }

    #[test]
    fn what_the_list_is_sorted_by_is_on_the_screen() {
        for (index, _) in SORTS.iter().enumerate().filter(|(_, by)| by.is_some()) {
            for width in 20..200 {
                let shown = of(width, Some(index));
                assert!(shown.contains(&index) && shown.contains(&NAME), "{width}: {index} in {shown:?}");
                assert!(width < 40 || shown.contains(&PRICE), "{width}: the price in {shown:?}");
            }
        }
    }

    #[test]
    fn trends_are_drawn_where_they_are_asked_for() {
        let orders = SORTS.iter().enumerate().map(|(index, by)| by.map(|_| index));
        for sorted in orders {
            for width in TREND_COLUMNS..200 {
                assert!(of(width, sorted).contains(&TREND), "{width}: {sorted:?}");
            }
        }
        assert!(!shown(TREND_COLUMNS - 1).contains(&TREND), "and nowhere else");
    }

    #[test]
    fn no_column_outgrows_any_screen() {
        for width in 0..300 {
            let layout = Layout::new(&columns(width, None), width);
            assert!(width < 10 || !layout.columns().is_empty(), "{width}");
            for placed in layout.columns() {
                assert!(placed.x + placed.width <= width, "{width}: {placed:?}");
            }
        }
    }
}
