//! The columns of a list at each width, and their headings.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::Target;
use crate::app::screen::ListScreen;
use crate::app::screen::list::Column as SortBy;
use crate::view::look::Look;
use crate::view::memo::Memo;
use crate::view::widgets::table::{Column, Direction, Layout};
use crate::view::widgets::text;

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

/// Minimum width with long headings.
const WIDE: u16 = 128;

/// Minimum width with more room for the name.
const SMALL: u16 = 22;

/// Minimum width with room for more than coin, price and change.
const MEDIUM: u16 = 34;

/// Minimum width with two blanks between the changes.
const ROOMY: u16 = 100;

/// The columns for a width, in their order on the screen. The `sorted` column is dropped last except for the name, so
/// that the sort order is always visible.
fn columns(width: u16, sorted: Option<usize>) -> [Column; 12] {
    let wide = width >= WIDE;
    let change = if width >= ROOMY { 7 } else { 6 };
    let name = match width {
        ..SMALL => 5,
        SMALL..MEDIUM => 6,
        MEDIUM..ROOMY => 12,
        ROOMY.. => 18,
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
        // It displaces the 7-day change, which the trend also shows, rather than the trend, which is requested
        // separately.
        for (index, priority) in [(CHANGE_7D, 3), (TREND, 6), (sorted, 11)] {
            if let Some(column) = columns.get_mut(index) {
                column.priority = priority;
            }
        }
    }
    columns
}

/// The sort order of each column; `None` if the list can't be sorted by it.
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
pub(super) fn for_list(list: &ListScreen, width: u16) -> [Column; 12] {
    columns(width, chosen(list))
}

/// The sort column; `None` for search results that start with the best match.
fn sorted(list: &ListScreen) -> Option<usize> {
    let order = list.order()?;
    SORTS.iter().position(|by| *by == Some(order.column))
}

/// The sort column if the user chose it; the default order needs no column.
fn chosen(list: &ListScreen) -> Option<usize> {
    sorted(list).filter(|index| *index != RANK || list.sort.descending)
}

/// The sort column and its direction.
pub(super) fn sort(list: &ListScreen) -> Option<(usize, Direction)> {
    let direction = if list.sort.descending { Direction::Descending } else { Direction::Ascending };
    sorted(list).map(|index| (index, direction))
}

/// Makes the headings clickable.
pub(super) fn targets(area: Rect, layout: &Layout, memo: &mut Memo) {
    for placed in layout.columns() {
        let by = SORTS.get(placed.index).copied().flatten();
        let heading = by.and_then(|by| SortBy::ALL.iter().position(|column| *column == by));
        if let (Some(heading), Some(cell)) = (heading, layout.cell(area, placed.index)) {
            memo.target(cell, Target::Heading(None, heading));
        }
    }
}

/// Shows the currency in the heading of the prices, if it is not the one in the header.
pub(super) fn show_currency(buf: &mut Buffer, area: Rect, code: &str, layout: &Layout, look: &Look) {
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
        assert_eq!(shown(20), [NAME, PRICE], "a price without its coin is useless");
        assert_eq!(shown(40), [STAR, NAME, PRICE, CHANGE_24H]);
        assert_eq!(shown(80), [RANK, STAR, NAME, SYMBOL, PRICE, CHANGE_24H, CHANGE_7D, CAP, TREND]);
        assert_eq!(shown(160).len(), 12);
    }

    #[test]
    fn sort_column_is_always_visible() {
        for (index, _) in SORTS.iter().enumerate().filter(|(_, by)| by.is_some()) {
            for width in 20..200 {
                let shown = of(width, Some(index));
                assert!(shown.contains(&index) && shown.contains(&NAME), "{width}: {index} in {shown:?}");
                assert!(width < 40 || shown.contains(&PRICE), "{width}: the price in {shown:?}");
            }
        }
    }

    #[test]
    fn trends_are_shown_at_widths_that_request_them() {
        let orders = SORTS.iter().enumerate().map(|(index, by)| by.map(|_| index));
        for sorted in orders {
            for width in TREND_COLUMNS..200 {
                assert!(of(width, sorted).contains(&TREND), "{width}: {sorted:?}");
            }
        }
        assert!(!shown(TREND_COLUMNS - 1).contains(&TREND), "not on narrower screens");
    }

    #[test]
    fn columns_fit_into_any_width() {
        for width in 0..300 {
            let layout = Layout::new(&columns(width, None), width);
            assert!(width < 10 || !layout.columns().is_empty(), "{width}");
            for placed in layout.columns() {
                assert!(placed.x + placed.width <= width, "{width}: {placed:?}");
            }
        }
    }
}
