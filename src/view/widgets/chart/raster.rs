//! The line of a chart: maps points to dots and dots to braille cells.

use std::cmp::Ordering;
use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::columns::{Columns, Run};
use super::series::Series;
use crate::model::chart::JUMP;
use crate::model::{Point, UtcTime};
use crate::theme::Theme;

/// The dots of a braille cell, from top to bottom.
pub(super) const DOTS_PER_CELL: u16 = 4;

/// The prices at the lower and upper edge of the chart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub(super) low: f64,
    pub(super) high: f64,
    /// Whether equal distances are equal ratios.
    pub(super) is_log: bool,
}

impl Scale {
    /// A scale from the lowest to the highest price; a flat series is in the middle.
    pub(super) fn new(low: f64, high: f64) -> Scale {
        if high > low {
            return Scale { low, high, is_log: false };
        }
        let pad = if low == 0.0 { 1.0 } else { low.abs() * 0.01 };
        Scale { low: (low - pad).max(f64::MIN), high: (high + pad).min(f64::MAX), is_log: false }
    }

    /// The scale in logarithms, if both prices are positive and finite.
    pub(super) fn log(self) -> Scale {
        Scale { is_log: self.low > 0.0 && self.high.is_finite(), ..self }
    }

    /// Whether a price is between the lowest and the highest one.
    pub(super) fn contains(&self, price: f64) -> bool {
        (self.low..=self.high).contains(&price)
    }

    /// The row of `price` in a plot with `rows` rows; 0 is the top one.
    pub(super) fn row(&self, price: f64, rows: u16) -> u16 {
        self.rows(rows)(price)
    }

    /// The row of cells of `price` in a plot with this height in cells: the one with its row of dots.
    pub(super) fn cell_row(&self, price: f64, height: u16) -> u16 {
        self.row(price, height * DOTS_PER_CELL) / DOTS_PER_CELL
    }

    /// The difference in price of `count` rows in a plot with `rows` rows; 0 on a logarithmic scale.
    fn difference(&self, count: u16, rows: u16) -> f64 {
        if self.is_log {
            return 0.0;
        }
        let last = f64::from(rows.saturating_sub(1).max(1));
        // Divided first, since the difference of two extreme numbers would overflow.
        (self.high / last - self.low / last) * f64::from(count)
    }

    /// [`Scale::row`] for many prices.
    pub(super) fn rows(&self, rows: u16) -> impl Fn(f64) -> u16 + use<> {
        let last = rows.saturating_sub(1);
        let is_log = self.is_log;
        // Halved, since the difference of two extreme numbers would overflow.
        let place = move |price: f64| if is_log { price.ln() } else { price / 2.0 };
        let top = place(self.high);
        let rows_per_unit = f64::from(last) / (top - place(self.low));
        // The cast saturates and truncates; adding 0.5 rounds without a call of `f64::round`.
        move |price| (((top - place(price)) * rows_per_unit + 0.5) as u16).min(last)
    }
}

/// A price is drawn apart from the line if its distance exceeds this fraction of the plot's height (1/8).
const FAR: u16 = 8;

/// The dots of a line: for each column of dots, the rows from its top to its bottom dot.
pub(super) struct Raster {
    plot: Rect,
    spans: Vec<Span>,
}

/// A range of rows, both ends included; empty if `top` is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    top: u16,
    bottom: u16,
}

impl Span {
    const EMPTY: Span = Span { top: u16::MAX, bottom: 0 };

    /// The dots of a line in the column where it ends at `row`, if it comes from `before` in the previous column. A steep
    /// line continues one row beyond the end of the previous column, so that it stays thin.
    fn step(before: u16, row: u16) -> Span {
        match row.cmp(&before) {
            Ordering::Greater => Span { top: before + 1, bottom: row },
            Ordering::Less => Span { top: row, bottom: before - 1 },
            Ordering::Equal => Span { top: row, bottom: row },
        }
    }

    fn take(&mut self, row: u16) {
        *self = self.union(Span { top: row, bottom: row });
    }

    /// The smallest range that contains both.
    fn union(self, other: Span) -> Span {
        Span { top: self.top.min(other.top), bottom: self.bottom.max(other.bottom) }
    }

    /// The rows of a cell that have a dot, as four bits; the top row is the lowest bit.
    fn rows(self, cell: u16) -> u8 {
        let first = cell * DOTS_PER_CELL;
        // The bits of all rows before a row of the cell.
        let before = |row: u16| (1_u8 << row.saturating_sub(first).min(DOTS_PER_CELL)) - 1;
        before(self.bottom.saturating_add(1)) & !before(self.top)
    }
}

/// The dots of a column of cells: in the left and the right half of each cell.
#[derive(Clone, Copy, Debug)]
struct Cells {
    left: Span,
    right: Span,
}

impl Cells {
    /// The rows from the first to the last cell with dots; `None` if there are none. The plot has `height` rows.
    fn rows(self, height: u16) -> Option<Range<u16>> {
        let all = self.left.union(self.right);
        (all.top <= all.bottom).then(|| all.top / DOTS_PER_CELL..(all.bottom / DOTS_PER_CELL + 1).min(height))
    }

    /// The dots of the cell in a row, as in the last byte of a braille character.
    fn dots(self, row: u16) -> u8 {
        let dots = |half: [u8; 16], rows: u8| half.get(usize::from(rows & 0x0f)).copied().unwrap_or(0);
        dots(LEFT, self.left.rows(row)) | dots(RIGHT, self.right.rows(row))
    }
}

impl Raster {
    /// No dots.
    pub(super) fn empty(plot: Rect) -> Raster {
        Raster { plot, spans: vec![Span::EMPTY; usize::from(plot.width.saturating_mul(2))] }
    }

    /// Counts the rows of dots from `top` to `bottom` of a column of cells as covered.
    pub(super) fn cover(&mut self, column: u16, top: u16, bottom: u16) {
        for span in self.spans.iter_mut().skip(usize::from(column) * 2).take(2) {
            span.take(top);
            span.take(bottom);
        }
    }

    /// Draws a line through all points, with a gap at points without a price and where points are missing. `columns` is
    /// the time axis of the plot.
    pub(super) fn trace(series: &Series<'_>, columns: &Columns, plot: Rect, scale: &Scale) -> Raster {
        let width = plot.width.saturating_mul(2);
        let rows = plot.height.saturating_mul(DOTS_PER_CELL);
        let (row, far) = (scale.rows(rows), (rows / FAR).max(3));
        // Prices this near to the line are not drawn, so their rows are not needed.
        let near = scale.difference(far - 2, rows);
        let mut spans = vec![Span::EMPTY; usize::from(width)];
        let longest_step = i64::try_from(series.longest_step().as_millis()).unwrap_or(i64::MAX);
        // The end of the line so far, and its time.
        let mut before: Option<((u16, u16), UtcTime)> = None;
        for Run { column: x, start, points } in columns.with_width(width).runs(series.points()) {
            let (Some(first), Some(end)) = (points.first(), points.last()) else { continue };
            let Some(price) = end.price.or_else(|| points.iter().rev().find_map(|point| point.price)) else {
                before = None;
                continue;
            };
            let last = row(price);
            let is_joined = |time: UtcTime| {
                first.price.is_some() && first.time.millis().saturating_sub(time.millis()) <= longest_step
            };
            let mut span = match before {
                Some((from, time)) if is_joined(time) => {
                    // Across other columns, a line to the price after a jump would be a slope.
                    let jumped = first.price.filter(|_| x > from.0 + 1 && has_jump(points)).map(&row);
                    let joined = jumped.unwrap_or(last);
                    let vertical = Span { top: joined.min(last), bottom: joined.max(last) };
                    join(&mut spans, from, (x, joined)).union(vertical)
                }
                _ => Span { top: last, bottom: last },
            };
            // The line goes through the last price of each column, so that it is one dot thick. Other prices of the column
            // are drawn only if they are far from it, or the highest or lowest of all.
            let extent = series.extent_of(points, start);
            if extent.high > price && (extent.high > price + near || extent.high >= scale.high) {
                let top = row(extent.high);
                if extent.high >= scale.high || span.top.saturating_sub(top) >= far {
                    span.take(top);
                }
            }
            if extent.low < price && (extent.low < price - near || extent.low <= scale.low) {
                let bottom = row(extent.low);
                if extent.low <= scale.low || bottom.saturating_sub(span.bottom) >= far {
                    span.take(bottom);
                }
            }
            if let Some(dots) = spans.get_mut(usize::from(x)) {
                *dots = dots.union(span);
            }
            before = end.price.is_some().then_some(((x, last), end.time));
        }
        Raster { plot, spans }
    }

    /// Whether a cell of the plot, relative to its upper left corner, has dots of the line.
    pub(super) fn has_line(&self, column: u16, row: u16) -> bool {
        self.cells(column).dots(row) != 0
    }

    /// The rows of cells from the first to the last dot in a column.
    pub(super) fn rows(&self, column: u16) -> Option<Range<u16>> {
        self.cells(column).rows(self.plot.height)
    }

    /// The top row of cells with a dot in a column.
    pub(super) fn top(&self, column: u16) -> Option<u16> {
        self.rows(column).map(|rows| rows.start)
    }

    /// Marks the columns between the first and the last dot that have none, in the bottom row.
    pub(super) fn paint_gaps(&self, buf: &mut Buffer, style: Style) {
        let has_dots = |column: &u16| self.top(*column).is_some();
        let (first, last) = ((0..self.plot.width).find(has_dots), (0..self.plot.width).rev().find(has_dots));
        let (Some(first), Some(last), Some(row)) = (first, last, self.plot.height.checked_sub(1)) else { return };
        for column in (first..last).filter(|column| !has_dots(column)) {
            if let Some(cell) = buf.cell_mut((self.plot.x + column, self.plot.y + row)) {
                cell.reset();
                cell.set_char('░').set_style(style);
            }
        }
    }

    /// The dots of a column of cells.
    fn cells(&self, column: u16) -> Cells {
        let at = usize::from(column) * 2;
        match self.spans.get(at..at + 2) {
            Some(&[left, right]) => Cells { left, right },
            _ => Cells { left: Span::EMPTY, right: Span::EMPTY },
        }
    }

    /// Paints the line.
    pub(super) fn paint(&self, buf: &mut Buffer, style: Style) {
        paint_lines(buf, self.plot, &[(self, style)]);
    }

    /// Paints every second column of the line, so that a line below it stays visible where both share cells.
    pub(super) fn paint_dashes(&self, buf: &mut Buffer, style: Style) {
        for column in (0..self.plot.width).step_by(2) {
            let cells = self.cells(column);
            for row in cells.rows(self.plot.height).unwrap_or_default() {
                let dots = cells.dots(row);
                if dots != 0 {
                    put(buf, self.plot, column, row, braille(dots), style);
                }
            }
        }
    }

    /// Paints the faint area between the line and the dot row `base`.
    pub(super) fn paint_area(&self, buf: &mut Buffer, base: u16, theme: &Theme) {
        let base = base / DOTS_PER_CELL;
        for column in 0..self.plot.width {
            let Some(lines) = self.cells(column).rows(self.plot.height) else { continue };
            for row in (lines.end..base).chain(base + 1..lines.start) {
                put(buf, self.plot, column, row, if row % 2 == 0 { '⠂' } else { '⠐' }, theme.chart_area);
            }
        }
    }
}

/// Paints the lines of one plot; where several cross, the first one is above. Each cell is painted once.
pub(super) fn paint_lines(buf: &mut Buffer, plot: Rect, lines: &[(&Raster, Style)]) {
    let mut painted = vec![false; usize::from(plot.height)];
    for column in 0..plot.width {
        painted.fill(false);
        for (raster, style) in lines {
            let cells = raster.cells(column);
            for row in cells.rows(plot.height).unwrap_or_default() {
                let Some(painted) = painted.get_mut(usize::from(row)).filter(|painted| !**painted) else { continue };
                let dots = cells.dots(row);
                if dots != 0 {
                    *painted = true;
                    put(buf, plot, column, row, braille(dots), *style);
                }
            }
        }
    }
}

/// Paints a character in a cell of the plot, replacing the cell below it, which may be dim.
fn put(buf: &mut Buffer, plot: Rect, column: u16, row: u16, char: char, style: Style) {
    if let Some(cell) = buf.cell_mut((plot.x + column, plot.y + row)) {
        cell.reset();
        cell.set_char(char).set_style(style);
    }
}

/// Paints the dotted line along the dot row `base`.
pub(super) fn paint_base(buf: &mut Buffer, plot: Rect, base: u16, theme: &Theme) {
    for column in 0..plot.width {
        if let Some(cell) = buf.cell_mut((plot.x + column, plot.y + base / DOTS_PER_CELL)) {
            cell.set_char('┄').set_style(theme.chart_axis);
        }
    }
}

/// Whether the price jumps between two points.
fn has_jump(points: &[Point]) -> bool {
    points.windows(2).any(|pair| matches!(pair, [before, after] if after.time.since(before.time) <= JUMP))
}

/// Draws the part of a line strictly between the columns of two points. Returns the dots in the column of the second
/// one.
fn join(spans: &mut [Span], from: (u16, u16), to: (u16, u16)) -> Span {
    let mut row = from.1;
    let between = from.0 + 1..to.0;
    if !between.is_empty() {
        let slope = (f64::from(to.1) - f64::from(from.1)) / f64::from(to.0 - from.0);
        for x in between {
            let next = (f64::from(from.1) + slope * f64::from(x - from.0) + 0.5) as u16;
            if let Some(span) = spans.get_mut(usize::from(x)) {
                *span = span.union(Span::step(row, next));
            }
            row = next;
        }
    }
    Span::step(row, to.1)
}

/// The dots of the left half of a braille cell, by the rows that have one as four bits.
const LEFT: [u8; 16] = [0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47];

/// The dots of its right half.
const RIGHT: [u8; 16] =
    [0x00, 0x08, 0x10, 0x18, 0x20, 0x28, 0x30, 0x38, 0x80, 0x88, 0x90, 0x98, 0xa0, 0xa8, 0xb0, 0xb8];

/// The character with these dots.
fn braille(dots: u8) -> char {
    char::from_u32(0x2800 | u32::from(dots)).unwrap_or(' ')
}
