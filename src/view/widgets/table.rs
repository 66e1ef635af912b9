//! Lists: which columns there is room for, the head, the visible rows, the selection.
//!
//! A row costs what its cells cost: nothing is built for rows that are not on the screen, and the painter of a row
//! writes into the cells that it is given.

use std::fmt::{self, Write};
use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::text;
use crate::theme::{Bar, Theme};

/// Where the content of a column stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A column that a list can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The word in the head.
    pub title: &'static str,
    /// The columns of the screen that it takes; at least so many where it can grow.
    pub width: u16,
    /// The greatest width: more than `width` for one that takes what the others leave.
    pub most: u16,
    /// Columns of a lower priority go first where there is no room; of equals, the one further right.
    pub priority: u8,
    /// Where its content stands.
    pub align: Align,
}

impl Column {
    /// A column of a fixed width with numbers at its right.
    pub const fn number(title: &'static str, width: u16, priority: u8) -> Column {
        Column { title, width, most: width, priority, align: Align::Right }
    }

    /// A column of a fixed width with words at its left.
    pub const fn words(title: &'static str, width: u16, priority: u8) -> Column {
        Column { title, width, most: width, priority, align: Align::Left }
    }

    /// The same column, but growing up to `most`.
    pub const fn growing(self, most: u16) -> Column {
        Column { most, ..self }
    }
}

/// A column's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Which of the columns.
    pub index: usize,
    /// From the left edge of the list.
    pub x: u16,
    /// Never less than the column's own, but for the last one left where not even it has room.
    pub width: u16,
}

/// The columns that are shown, from left to right, with one or two blank columns between them and one at
/// either end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    placed: Vec<Placed>,
}

impl Layout {
    /// Drops columns by priority until the rest fits into `width`, and shares out what is left over among those that
    /// grow. The column of the highest priority always stays.
    pub fn new(columns: &[Column], width: u16) -> Layout {
        let inner = width.saturating_sub(2);
        let mut shown: Vec<usize> = (0..columns.len()).collect();
        let column = |index: usize| columns.get(index).copied().unwrap_or(Column::words("", 0, 0));
        let needed = |shown: &[usize]| {
            let gaps = shown.len().saturating_sub(1);
            shown.iter().map(|&index| usize::from(column(index).width)).sum::<usize>() + gaps
        };
        while shown.len() > 1 && needed(&shown) > usize::from(inner) {
            let least = shown.iter().enumerate().rev().min_by_key(|&(_, &index)| column(index).priority);
            let Some((at, _)) = least else { break };
            shown.remove(at);
        }
        let mut spare = inner.saturating_sub(u16::try_from(needed(&shown)).unwrap_or(u16::MAX));
        let mut growing =
            u16::try_from(shown.iter().filter(|&&i| column(i).most > column(i).width).count()).unwrap_or(0);
        // What nobody grows into makes the gaps two columns wide, as many of them as it can.
        let growth = shown.iter().map(|&i| column(i).most.saturating_sub(column(i).width)).fold(0, u16::saturating_add);
        let mut wide_gaps = usize::from(spare.saturating_sub(growth)).min(shown.len().saturating_sub(1));
        let mut x = u16::from(width > 2);
        let mut placed = Vec::with_capacity(shown.len());
        for index in shown {
            let Column { width: own, most, .. } = column(index);
            let mut wide = own.min(width.saturating_sub(x));
            if most > own && growing > 0 {
                let more = (spare / growing).min(most - own);
                spare -= more;
                growing -= 1;
                wide += more;
            }
            placed.push(Placed { index, x, width: wide });
            x = x.saturating_add(wide + 1 + u16::from(wide_gaps > 0));
            wide_gaps = wide_gaps.saturating_sub(1);
        }
        Layout { placed }
    }

    /// The columns, from left to right.
    pub fn columns(&self) -> &[Placed] {
        &self.placed
    }

    /// Whether column `index` has a place.
    pub fn shows(&self, index: usize) -> bool {
        self.placed.iter().any(|placed| placed.index == index)
    }

    /// The cell of column `index` in the first row of `row`; `None` where the column is not shown.
    pub fn cell(&self, row: Rect, index: usize) -> Option<Rect> {
        self.placed.iter().find(|placed| placed.index == index).map(|placed| place(row, placed))
    }
}

fn place(row: Rect, placed: &Placed) -> Rect {
    let cell = text::shifted(row, placed.x);
    Rect { width: cell.width.min(placed.width), height: row.height.min(1), ..cell }
}

/// Which way a list is sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The least first.
    Ascending,
    /// The greatest first.
    Descending,
}

/// Paints the head over the first row of `area`, with a mark beside the title of the sorted column.
pub fn head(
    buf: &mut Buffer,
    area: Rect,
    columns: &[Column],
    layout: &Layout,
    sort: Option<(usize, Direction)>,
    theme: &Theme,
) {
    for placed in layout.columns() {
        let Some(column) = columns.get(placed.index) else { continue };
        let cell = place(text::line(area, 0), placed);
        let mark = match sort {
            Some((index, Direction::Ascending)) if index == placed.index => "▴",
            Some((index, Direction::Descending)) if index == placed.index => "▾",
            _ => "",
        };
        let style = if mark.is_empty() { theme.header } else { theme.accent };
        let used = match column.align {
            Align::Left => text::put(buf, cell, column.title, style),
            Align::Right => {
                text::put_right(buf, cell, column.title, style);
                cell.width
            }
        };
        // The mark may stand in the gap, so that the title has its place whether sorted or not.
        text::put(buf, Rect { x: cell.x.saturating_add(used), width: cell.width.min(1), ..cell }, mark, style);
    }
}

/// One row as its painter sees it.
pub struct Row<'a> {
    /// The frame.
    pub buf: &'a mut Buffer,
    /// The row's own cells.
    pub area: Rect,
    /// Where the columns are.
    pub layout: &'a Layout,
    /// A string for what is printed; its content is of no use to anyone else.
    pub scratch: &'a mut String,
}

impl Row<'_> {
    /// Writes words into column `index`, cut with `…` where they do not fit. Does nothing where the column is not
    /// shown.
    pub fn words(&mut self, index: usize, words: &str, style: Style) {
        if let Some(cell) = self.layout.cell(self.area, index) {
            text::put(self.buf, cell, words, style);
        }
    }

    /// Writes a number at the right of column `index`, whole or as `…`.
    pub fn number(&mut self, index: usize, number: impl fmt::Display, style: Style) {
        self.decimal(index, 0, number, style);
    }

    /// Writes a number into column `index` with its point before the last `fraction` columns.
    pub fn decimal(&mut self, index: usize, fraction: u16, number: impl fmt::Display, style: Style) {
        let Some(cell) = self.layout.cell(self.area, index) else { return };
        self.scratch.clear();
        if write!(self.scratch, "{number}").is_ok() {
            text::decimal(self.buf, cell, fraction, self.scratch, style);
        }
    }

    /// Paints column `index` with one of the other widgets.
    pub fn cell(&mut self, index: usize, paint: impl FnOnce(&mut Buffer, Rect)) {
        if let Some(cell) = self.layout.cell(self.area, index) {
            paint(self.buf, cell);
        }
    }
}

/// Which rows are on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first row.
    pub offset: usize,
    /// How many rows the list has.
    pub len: usize,
    /// The selected row.
    pub selected: Option<usize>,
}

impl Window {
    /// How many rows stay in sight beyond the selection, where the list goes on.
    const MARGIN: usize = 2;

    /// The window of `height` rows that moves as little as it can from the `offset` of the frame before: just so far
    /// that the selection is in sight, and that no row stays empty while there are more.
    pub fn new(offset: usize, len: usize, selected: Option<usize>, height: u16) -> Window {
        let height = usize::from(height);
        let selected = selected.filter(|_| len > 0).map(|row| row.min(len - 1));
        let mut offset = offset;
        if let Some(row) = selected {
            let margin = Self::MARGIN.min(height.saturating_sub(1) / 2);
            offset = offset.min(row.saturating_sub(margin)).max((row + margin + 1).saturating_sub(height));
        }
        Window { offset: offset.min(len.saturating_sub(height)), len, selected }
    }

    /// The rows of the list that are in sight where there is room for so many.
    pub fn in_sight(&self, room: u16) -> Range<usize> {
        let end = self.offset.saturating_add(usize::from(room)).min(self.len);
        self.offset.min(end)..end
    }
}

/// Paints the rows of `window` over `area`, each by `paint`, which gets the row's number in the list. Under the
/// selected one lies `bar`, over its whole width.
pub fn rows(
    buf: &mut Buffer,
    area: Rect,
    layout: &Layout,
    window: &Window,
    bar: Bar,
    mut paint: impl FnMut(usize, &mut Row<'_>),
) {
    let area = area.intersection(buf.area);
    let mut scratch = String::with_capacity(64);
    for line in 0..area.height {
        let index = window.offset + usize::from(line);
        if index >= window.len {
            return;
        }
        let place = text::line(area, line);
        paint(index, &mut Row { buf, area: place, layout, scratch: &mut scratch });
        if window.selected == Some(index) {
            bar.paint(buf, place);
        }
    }
}

#[cfg(test)]
mod tests;
