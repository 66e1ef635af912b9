//! The headings of a list.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::ClickTarget;
use crate::app::screen::ListScreen;
use crate::app::screen::list::{CoinColumn, SPECS, SortColumn, WIDE};
use crate::view::appearance::Appearance;
use crate::view::view_state::ViewState;
use crate::view::widgets::table::{Column, Direction, Layout, SortMark};
use crate::view::widgets::text;

/// The headings on a screen of this width, in the order of [`SPECS`]. Their widths are set by the layout.
pub(super) fn headings(width: u16) -> [Column; CoinColumn::COUNT] {
    SPECS.each_ref().map(|spec| {
        let title = if width >= WIDE { spec.wide_heading } else { spec.heading };
        if spec.is_number { Column::number(title, 1, 0) } else { Column::words(title, 1, 0) }
    })
}

/// The sort column; `None` for search results that start with the best match.
pub(super) fn sort(list: &ListScreen) -> Option<SortMark> {
    let column = CoinColumn::of_sort(list.order()?.column)?.index();
    Some(SortMark::new(column, Direction::of(list.sort.descending)))
}

/// Makes the headings clickable.
pub(super) fn targets(area: Rect, layout: &Layout, view_state: &mut ViewState) {
    for placed in layout.columns() {
        let by = SPECS.get(placed.index).and_then(|spec| spec.sort);
        let heading = by.and_then(|by| SortColumn::ALL.iter().position(|column| *column == by));
        if let (Some(heading), Some(cell)) = (heading, layout.cell(area, placed.index)) {
            view_state.target(cell, ClickTarget::Heading(None, heading));
        }
    }
}

/// Shows the currency in the heading of the prices, if it is not the one in the header.
pub(super) fn show_currency(buf: &mut Buffer, area: Rect, code: &str, layout: &Layout, appearance: &Appearance) {
    let Some(cell) = layout.cell(area, CoinColumn::Price.index()) else { return };
    let forms = [format!("{} {code}", CoinColumn::Price.spec().heading), code.to_owned()];
    if let Some(words) = forms.iter().find(|words| text::width(words) <= cell.width) {
        text::put_right(buf, cell, words, appearance.theme.warn);
    }
}
