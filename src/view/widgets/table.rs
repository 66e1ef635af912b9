//! A table of any length, with column titles and a selection.
//!
//! A closure paints the visible rows, so that nothing is built for the others.

mod layout;

use std::fmt;
use std::ops::Range;

use compact_str::format_compact;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Scrollbar, ScrollbarOrientation, ScrollbarState, StatefulWidget};

pub use layout::{Align, Column, Layout, Placed};

use super::text;
use crate::theme::{Bar, Theme};

/// The direction of a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Smallest first.
    Ascending,
    /// Greatest first.
    Descending,
}

impl Direction {
    /// The direction of a sort that is or isn't descending.
    pub fn of(is_descending: bool) -> Direction {
        if is_descending { Direction::Descending } else { Direction::Ascending }
    }

    /// The mark in the title of the sort column.
    pub fn mark(self) -> &'static str {
        match self {
            Direction::Ascending => "▴",
            Direction::Descending => "▾",
        }
    }
}

/// The sort column of a table, which is marked in its title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortMark {
    /// The index of the column.
    pub column: usize,
    /// The direction.
    pub direction: Direction,
}

impl SortMark {
    /// The mark of a column.
    pub fn new(column: impl Into<usize>, direction: Direction) -> SortMark {
        SortMark { column: column.into(), direction }
    }
}

/// The argument of the closure that paints a row.
pub struct Row<'a> {
    /// The buffer.
    pub buf: &'a mut Buffer,
    /// The area of the row.
    pub area: Rect,
    /// The positions of the columns.
    pub layout: &'a Layout,
}

impl Row<'_> {
    /// Writes text into a column, cut with `…` if it does not fit. Does nothing if the column is hidden.
    pub fn words(&mut self, column: impl Into<usize>, words: &str, style: Style) {
        if let Some(cell) = self.layout.cell(self.area, column) {
            text::put(self.buf, cell, words, style);
        }
    }

    /// Writes a number, right-aligned in a column; `…` if it does not fit.
    pub fn number(&mut self, column: impl Into<usize>, number: impl fmt::Display, style: Style) {
        self.decimal(column, 0, number, style);
    }

    /// Writes a number into a column, with a width of `fraction` for its decimals.
    pub fn decimal(&mut self, column: impl Into<usize>, fraction: u16, number: impl fmt::Display, style: Style) {
        if let Some(cell) = self.layout.cell(self.area, column) {
            text::decimal(self.buf, cell, fraction, &format_compact!("{number}"), style);
        }
    }

    /// Paints a column with a closure.
    pub fn cell(&mut self, column: impl Into<usize>, paint: impl FnOnce(&mut Buffer, Rect)) {
        if let Some(cell) = self.layout.cell(self.area, column) {
            paint(self.buf, cell);
        }
    }
}

/// The scroll position and selection of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableState {
    /// The first visible row.
    pub offset: usize,
    /// The selected row.
    pub selected: Option<usize>,
}

impl TableState {
    /// Minimum rows visible beyond the selected one.
    const MARGIN: usize = 2;

    /// Scrolls a table with `len` rows in an area with `height` rows as little as possible, so that the selected row is
    /// visible and no row is empty while there are more.
    pub fn scroll(&mut self, len: usize, height: usize) {
        self.selected = self.selected.filter(|_| len > 0).map(|row| row.min(len - 1));
        if let Some(row) = self.selected {
            let margin = Self::MARGIN.min(height.saturating_sub(1) / 2);
            let (first, last) = (row.saturating_sub(margin), row + margin + 1);
            self.offset = self.offset.min(first).max(last.saturating_sub(height));
        }
        self.offset = self.offset.min(len.saturating_sub(height));
    }

    /// The visible rows of a table with `len` rows in an area with `height` rows.
    pub fn visible(&self, len: usize, height: usize) -> Range<usize> {
        let end = self.offset.saturating_add(height).min(len);
        self.offset.min(end)..end
    }
}

/// A table whose rows are painted by a closure, which gets each visible row with its index.
///
/// ```
/// use ratatui::{buffer::Buffer, layout::Rect, style::Style, widgets::StatefulWidget};
/// use satscope::view::widgets::table::{Column, Table, TableState};
///
/// let columns = [Column::words("Coin", 4, 2).growing(20), Column::number("Price", 9, 1)];
/// let coins = [("Bitcoin", "61,234.10"), ("ORDI", "8.41")];
/// let table = Table::new(&columns, coins.len(), |index, row| {
///     row.words(0_usize, coins[index].0, Style::new());
///     row.decimal(1_usize, 2, coins[index].1, Style::new());
/// });
/// let mut buf = Buffer::empty(Rect::new(0, 0, 20, 3));
/// let mut state = TableState { selected: Some(1), ..TableState::default() };
/// table.render(buf.area, &mut buf, &mut state);
/// let text: Vec<String> = buf.content.chunks(20).map(|row| row.iter().map(|cell| cell.symbol()).collect()).collect();
/// assert_eq!(text, [" Coin         Price ", " Bitcoin  61,234.10 ", " ORDI          8.41 "]);
/// ```
#[derive(Clone, Debug)]
pub struct Table<'a, F> {
    columns: &'a [Column],
    len: usize,
    paint_row: F,
    layout: Option<&'a Layout>,
    has_head: bool,
    sort: Option<SortMark>,
    row_height: u16,
    row_gap: u16,
    selection: Bar,
    has_scrollbar: bool,
    theme: &'a Theme,
}

impl<'a, F: FnMut(usize, &mut Row<'_>)> Table<'a, F> {
    /// A table of `len` rows.
    pub fn new(columns: &'a [Column], len: usize, paint_row: F) -> Table<'a, F> {
        Table {
            columns,
            len,
            paint_row,
            layout: None,
            has_head: true,
            sort: None,
            row_height: 1,
            row_gap: 0,
            selection: Theme::ANSI.selection,
            has_scrollbar: false,
            theme: Theme::ANSI,
        }
    }

    /// The layout of the columns; by default computed from the width of the area.
    pub fn layout(self, layout: &'a Layout) -> Self {
        Table { layout: Some(layout), ..self }
    }

    /// Whether the column titles are in the first line; they are by default.
    pub fn head(self, has_head: bool) -> Self {
        Table { has_head, ..self }
    }

    /// The sort column.
    pub fn sort(self, sort: Option<SortMark>) -> Self {
        Table { sort, ..self }
    }

    /// The height of a row and of the gap after it in lines; one and none by default.
    pub fn row_height(self, lines: u16, gap: u16) -> Self {
        Table { row_height: lines.max(1), row_gap: gap, ..self }
    }

    /// The bar under the selected row.
    pub fn selection(self, selection: Bar) -> Self {
        Table { selection, ..self }
    }

    /// Shows a scrollbar in the last column if there are more rows than room.
    pub fn scrollbar(self) -> Self {
        Table { has_scrollbar: true, ..self }
    }

    /// The styles.
    pub fn theme(self, theme: &'a Theme) -> Self {
        Table { theme, ..self }
    }

    /// The area of the rows.
    pub fn rows(&self, area: Rect) -> Rect {
        let head = u16::from(self.has_head).min(area.height);
        Rect { y: area.y.saturating_add(head), height: area.height - head, ..area }
    }
}

impl<F: FnMut(usize, &mut Row<'_>)> StatefulWidget for Table<'_, F> {
    type State = TableState;

    fn render(mut self, area: Rect, buf: &mut Buffer, state: &mut TableState) {
        let area = area.intersection(buf.area);
        let own;
        let layout = match self.layout {
            Some(layout) => layout,
            None => {
                own = Layout::new(self.columns, area.width);
                &own
            }
        };
        if self.has_head {
            head(buf, area, self.columns, layout, self.sort, self.theme);
        }
        let rows = self.rows(area);
        let pitch = self.row_height + self.row_gap;
        // The last row needs no gap after it.
        let visible = (rows.height + self.row_gap) / pitch;
        state.scroll(self.len, usize::from(visible));
        for (line, index) in (0..).zip(state.visible(self.len, usize::from(visible))) {
            let y = rows.y + line * pitch;
            let place = Rect { y, height: self.row_height, ..rows }.intersection(rows);
            (self.paint_row)(index, &mut Row { buf, area: place, layout });
            if state.selected == Some(index) {
                self.selection.paint(buf, place);
            }
        }
        if self.has_scrollbar {
            scrollbar(buf, rows, state.offset, self.len, self.theme);
        }
    }
}

/// Paints the column titles, with marks for the sort column and for more columns on either side.
fn head(buf: &mut Buffer, area: Rect, columns: &[Column], layout: &Layout, sort: Option<SortMark>, theme: &Theme) {
    for placed in layout.columns() {
        let Some(column) = columns.get(placed.index) else { continue };
        let cell = placed.cell(text::line(area, 0));
        let mark = sort.filter(|sort| sort.column == placed.index).map_or("", |sort| sort.direction.mark());
        let style = if mark.is_empty() { theme.header } else { theme.accent };
        // The gap after the last column has the mark of more columns.
        let is_end = layout.has_after() && !mark.is_empty() && cell.right() + 1 >= area.right();
        let has_room = column.align == Align::Right && text::width(column.title) < cell.width;
        let cell = if is_end && has_room { Rect { width: cell.width - 1, ..cell } } else { cell };
        let used = match column.align {
            Align::Left => text::put(buf, cell, column.title, style),
            Align::Right => {
                text::put_right(buf, cell, column.title, style);
                cell.width
            }
        };
        // The mark is in the gap, so that sorting moves no title.
        text::put(buf, Rect { x: cell.x.saturating_add(used), width: cell.width.min(1), ..cell }, mark, style);
    }
    let line = text::line(area, 0);
    let ends = [Rect { width: line.width.min(1), ..line }, text::shifted(line, line.width.saturating_sub(1))];
    for (is_more, mark, cell) in [(layout.has_before(), "‹", ends[0]), (layout.has_after(), "›", ends[1])] {
        // The mark of the sort column may be there.
        if is_more && buf.cell(cell.as_position()).is_some_and(|cell| cell.symbol() == " ") {
            text::put(buf, cell, mark, theme.header);
        }
    }
}

/// Paints a thin scrollbar in the last column of `area`, if the list has more rows than `area`.
pub fn scrollbar(buf: &mut Buffer, area: Rect, offset: usize, len: usize, theme: &Theme) {
    let height = usize::from(area.height);
    if len <= height || area.is_empty() {
        return;
    }
    let mut state = ScrollbarState::new(len - height + 1).viewport_content_length(height).position(offset);
    Scrollbar::new(ScrollbarOrientation::VerticalRight)
        .begin_symbol(None)
        .end_symbol(None)
        .track_symbol(None)
        .thumb_symbol("▐")
        .thumb_style(theme.dim)
        .render(area.intersection(buf.area), buf, &mut state);
}

#[cfg(test)]
mod tests;
