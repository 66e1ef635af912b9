//! The columns of a list: heading and cell of each.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::cells::{self, CoinRow};
use crate::app::Target;
use crate::app::screen::ListScreen;
use crate::app::screen::list::{CoinColumn, Column as SortBy, PlacedColumns, WIDE};
use crate::view::appearance::Appearance;
use crate::view::view_state::ViewState;
use crate::view::widgets::table::{Column, Direction, Layout, Row};
use crate::view::widgets::text;

/// The number of columns.
const COLUMNS: usize = CoinColumn::ALL.len();

/// Paints a cell of a coin; the index is that of the column.
type Cell = fn(&mut Row<'_>, usize, &CoinRow<'_>);

/// Paints the cell of a column.
pub(super) fn cell(column: CoinColumn) -> Cell {
    match column {
        CoinColumn::Rank => cells::rank,
        CoinColumn::Star => cells::star,
        CoinColumn::Name => cells::name,
        CoinColumn::Symbol => cells::symbol,
        CoinColumn::Price => cells::price,
        CoinColumn::Change1h => cells::change_1h,
        CoinColumn::Change24h => cells::change_24h,
        CoinColumn::Change7d => cells::change_7d,
        CoinColumn::Range => cells::range,
        CoinColumn::Volume => cells::volume,
        CoinColumn::MarketCap => cells::market_cap,
        CoinColumn::Trend => cells::trend,
        CoinColumn::Low => cells::low,
        CoinColumn::High => cells::high,
        CoinColumn::AllTimeHigh => cells::all_time_high,
        CoinColumn::FromAllTimeHigh => cells::from_all_time_high,
        CoinColumn::Supply => cells::supply,
    }
}

/// The headings on a screen of this width, in the order of [`CoinColumn::ALL`].
pub(super) fn headings(width: u16) -> [Column; COLUMNS] {
    CoinColumn::ALL.map(|column| heading(column, width >= WIDE))
}

/// The heading of a column. Its width is set by the layout.
fn heading(column: CoinColumn, is_wide: bool) -> Column {
    let words = |title| Column::words(title, 1, 0);
    let number = |title| Column::number(title, 1, 0);
    match column {
        CoinColumn::Rank => number("#"),
        CoinColumn::Star | CoinColumn::Symbol => words(""),
        CoinColumn::Name => words("Coin"),
        CoinColumn::Price => number("Price"),
        CoinColumn::Change1h => number("1h"),
        CoinColumn::Change24h => number("24h"),
        CoinColumn::Change7d => number("7d"),
        CoinColumn::Range => words(" 24h range"),
        CoinColumn::Volume if is_wide => number("Volume 24h"),
        CoinColumn::Volume => number("Volume"),
        CoinColumn::MarketCap if is_wide => number("Market cap"),
        CoinColumn::MarketCap => number("Cap"),
        CoinColumn::Trend => words(" 7 days"),
        CoinColumn::Low => number("24h low"),
        CoinColumn::High => number("24h high"),
        CoinColumn::AllTimeHigh => number("ATH"),
        CoinColumn::FromAllTimeHigh => number("from ATH"),
        CoinColumn::Supply => number("Supply"),
    }
}

/// The index of the column that sorts by this.
fn index_of(by: SortBy) -> Option<usize> {
    CoinColumn::ALL.iter().position(|column| column.sort() == Some(by))
}

/// The sort column and its direction; `None` for search results that start with the best match.
pub(super) fn sort(list: &ListScreen) -> Option<(usize, Direction)> {
    let direction = if list.sort.descending { Direction::Descending } else { Direction::Ascending };
    Some((index_of(list.order()?.column)?, direction))
}

/// Makes the headings clickable.
pub(super) fn targets(area: Rect, layout: &Layout, view_state: &mut ViewState) {
    for placed in layout.columns() {
        let by = CoinColumn::ALL.get(placed.index).and_then(|column| column.sort());
        let heading = by.and_then(|by| SortBy::ALL.iter().position(|column| *column == by));
        if let (Some(heading), Some(cell)) = (heading, layout.cell(area, placed.index)) {
            view_state.target(cell, Target::Heading(None, heading));
        }
    }
}

/// Marks in the headings that there are more columns on either side.
pub(super) fn mark_more(buf: &mut Buffer, area: Rect, placed: &PlacedColumns, appearance: &Appearance) {
    let end = text::shifted(area, area.width.saturating_sub(1));
    for (is_more, mark, cell) in
        [(placed.has_before, "‹", Rect { width: area.width.min(1), ..area }), (placed.has_after, "›", end)]
    {
        // The mark of the sort column may be there.
        if is_more && buf.cell(cell.as_position()).is_some_and(|cell| cell.symbol() == " ") {
            text::put(buf, cell, mark, appearance.theme.header);
        }
    }
}

/// Shows the currency in the heading of the prices, if it is not the one in the header.
pub(super) fn show_currency(buf: &mut Buffer, area: Rect, code: &str, layout: &Layout, appearance: &Appearance) {
    let Some(cell) = index_of(SortBy::Price).and_then(|price| layout.cell(area, price)) else { return };
    let forms = [format!("Price {code}"), code.to_owned()];
    if let Some(words) = forms.iter().find(|words| text::width(words) <= cell.width) {
        text::put_right(buf, cell, words, appearance.theme.warn);
    }
}
