//! The columns of a list: title, width, sort order and cell of each, and which are shown at a width.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::cells::{self, CoinRow};
use crate::app::Target;
use crate::app::screen::ListScreen;
use crate::app::screen::list::Column as SortBy;
use crate::view::look::Look;
use crate::view::memo::Memo;
use crate::view::widgets::table::{Column, Direction, Layout, Row};
use crate::view::widgets::text;

/// Minimum width with long headings.
const WIDE: u16 = 128;

/// Minimum width with more room for the name.
const SMALL: u16 = 22;

/// Minimum width with room for more than coin, price and change.
const MEDIUM: u16 = 34;

/// Minimum width with two blanks between the changes.
const ROOMY: u16 = 100;

/// The priority of the sort column, above all but the name.
const SORTED: u8 = 11;

/// A column of a list.
pub(super) struct CoinColumn {
    /// Its title, width and priority on a screen of this width.
    layout: fn(u16) -> Column,
    /// Its priority if another column is the sort column; `None` if that changes nothing.
    beside_sorted: Option<u8>,
    /// What the list is sorted by with this column; `None` if it can't be.
    sort: Option<SortBy>,
    /// Paints its cell of a coin; the index is that of the column.
    pub(super) cell: fn(&mut Row<'_>, usize, &CoinRow<'_>),
}

const fn column(layout: fn(u16) -> Column, cell: fn(&mut Row<'_>, usize, &CoinRow<'_>)) -> CoinColumn {
    CoinColumn { layout, beside_sorted: None, sort: None, cell }
}

impl CoinColumn {
    const fn sorts(self, by: SortBy) -> CoinColumn {
        CoinColumn { sort: Some(by), ..self }
    }

    const fn beside_sorted(self, priority: u8) -> CoinColumn {
        CoinColumn { beside_sorted: Some(priority), ..self }
    }
}

/// All columns, in their order on the screen. The sort column displaces the 7-day change, which the trend also shows,
/// rather than the trend, which is requested separately.
pub(super) static COLUMNS: [CoinColumn; 12] = [
    column(|_| Column::number("#", 5, 6), cells::rank).sorts(SortBy::Rank),
    column(|_| Column::words("", 1, 8), cells::star),
    column(|width| Column::words("Coin", name_width(width), 12).growing(40), cells::name).sorts(SortBy::Name),
    column(|_| Column::words("", 7, 7), cells::symbol),
    column(|_| Column::number("Price", 12, 10), cells::price).sorts(SortBy::Price),
    column(|width| Column::number("1h", change_width(width), 2), cells::change_1h).sorts(SortBy::Change1h),
    column(|width| Column::number("24h", change_width(width), 9), cells::change_24h).sorts(SortBy::Change24h),
    column(|width| Column::number("7d", change_width(width), 4), cells::change_7d)
        .sorts(SortBy::Change7d)
        .beside_sorted(3),
    column(|_| Column::words(" 24h range", 22, 1).growing(50), cells::range),
    column(|width| money("Volume 24h", "Volume", 3, width), cells::volume).sorts(SortBy::Volume),
    column(|width| money("Market cap", "Cap", 5, width), cells::market_cap).sorts(SortBy::MarketCap),
    column(|_| Column::words(" 7 days", 9, 4).growing(80), cells::trend).beside_sorted(6),
];

fn name_width(width: u16) -> u16 {
    match width {
        ..SMALL => 5,
        SMALL..MEDIUM => 6,
        MEDIUM..ROOMY => 12,
        ROOMY.. => 18,
    }
}

fn change_width(width: u16) -> u16 {
    if width >= ROOMY { 7 } else { 6 }
}

fn money(long: &'static str, short: &'static str, priority: u8, width: u16) -> Column {
    if width >= WIDE { Column::number(long, 11, priority) } else { Column::number(short, 8, priority) }
}

/// The columns for a width. The `sorted` column is dropped last except for the name, so that the sort order is always
/// visible.
fn columns(width: u16, sorted: Option<SortBy>) -> [Column; COLUMNS.len()] {
    let sorted = sorted.filter(|by| *by != SortBy::Name);
    std::array::from_fn(|index| {
        let own = &COLUMNS[index];
        let mut column = (own.layout)(width);
        if sorted.is_some() {
            let priority = if own.sort == sorted { Some(SORTED) } else { own.beside_sorted };
            column.priority = priority.unwrap_or(column.priority);
        }
        column
    })
}

/// The columns for a width.
pub(super) fn for_list(list: &ListScreen, width: u16) -> [Column; COLUMNS.len()] {
    columns(width, chosen(list))
}

/// The sort column if the user chose it; the default order needs no column.
fn chosen(list: &ListScreen) -> Option<SortBy> {
    list.order().map(|order| order.column).filter(|by| *by != SortBy::Rank || list.sort.descending)
}

/// The index of the column that sorts by this.
fn index_of(by: SortBy) -> Option<usize> {
    COLUMNS.iter().position(|column| column.sort == Some(by))
}

/// The sort column and its direction; `None` for search results that start with the best match.
pub(super) fn sort(list: &ListScreen) -> Option<(usize, Direction)> {
    let direction = if list.sort.descending { Direction::Descending } else { Direction::Ascending };
    Some((index_of(list.order()?.column)?, direction))
}

/// Makes the headings clickable.
pub(super) fn targets(area: Rect, layout: &Layout, memo: &mut Memo) {
    for placed in layout.columns() {
        let by = COLUMNS.get(placed.index).and_then(|column| column.sort);
        let heading = by.and_then(|by| SortBy::ALL.iter().position(|column| *column == by));
        if let (Some(heading), Some(cell)) = (heading, layout.cell(area, placed.index)) {
            memo.target(cell, Target::Heading(None, heading));
        }
    }
}

/// Shows the currency in the heading of the prices, if it is not the one in the header.
pub(super) fn show_currency(buf: &mut Buffer, area: Rect, code: &str, layout: &Layout, look: &Look) {
    let Some(cell) = index_of(SortBy::Price).and_then(|price| layout.cell(area, price)) else { return };
    let forms = [format!("Price {code}"), code.to_owned()];
    if let Some(words) = forms.iter().find(|words| text::width(words) <= cell.width) {
        text::put_right(buf, cell, words, look.theme.warn);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::demand::TREND_COLUMNS;

    /// The titles of the columns shown; those without one are the star and the symbol.
    fn of(width: u16, sorted: Option<SortBy>) -> Vec<&'static str> {
        let columns = columns(width, sorted);
        let layout = Layout::new(&columns, width);
        layout.columns().iter().map(|placed| columns[placed.index].title.trim()).collect()
    }

    fn shown(width: u16) -> Vec<&'static str> {
        of(width, None)
    }

    #[test]
    fn narrow_screens_keep_what_matters() {
        assert_eq!(shown(20), ["Coin", "Price"], "a price without its coin is useless");
        assert_eq!(shown(40), ["", "Coin", "Price", "24h"]);
        assert_eq!(shown(80), ["#", "", "Coin", "", "Price", "24h", "7d", "Cap", "7 days"]);
        assert_eq!(shown(160).len(), 12);
    }

    #[test]
    fn sort_column_is_always_visible() {
        for by in SortBy::ALL {
            let index = index_of(by).unwrap();
            for width in 20..200 {
                let (title, shown) = (columns(width, Some(by))[index].title, of(width, Some(by)));
                assert!(shown.contains(&title) && shown.contains(&"Coin"), "{width}: {title} in {shown:?}");
                assert!(width < 40 || shown.contains(&"Price"), "{width}: the price in {shown:?}");
            }
        }
    }

    #[test]
    fn trends_are_shown_at_widths_that_request_them() {
        for sorted in SortBy::ALL.map(Some).into_iter().chain([None]) {
            for width in TREND_COLUMNS..200 {
                assert!(of(width, sorted).contains(&"7 days"), "{width}: {sorted:?}");
            }
        }
        assert!(!shown(TREND_COLUMNS - 1).contains(&"7 days"), "not on narrower screens");
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
