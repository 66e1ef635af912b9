//! The line of a chart: maps points to dots and dots to braille cells.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::columns::Columns;
use super::series::Series;
use crate::model::UtcTime;
use crate::model::chart::longest_step;
use crate::theme::Theme;

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

    /// The same scale in logarithms, if both prices are positive and finite.
    pub(super) fn log(self) -> Scale {
        Scale { is_log: self.low > 0.0 && self.high.is_finite(), ..self }
    }

    /// The row of `price` in a plot with `rows` rows; 0 is the top one.
    pub(super) fn row(&self, price: f64, rows: u16) -> u16 {
        self.rows(rows)(price)
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

    fn take(&mut self, row: u16) {
        self.top = self.top.min(row);
        self.bottom = self.bottom.max(row);
    }

    /// The rows of a cell that have a dot, as four bits; the top row is the lowest bit.
    fn rows(self, cell: u16) -> u8 {
        let first = cell * 4;
        if self.top > self.bottom || self.bottom < first || self.top > first + 3 {
            return 0;
        }
        let from = self.top.saturating_sub(first);
        let to = (self.bottom - first).min(3);
        (0x0f << from) & (0x0f >> (3 - to))
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
        let rows = plot.height.saturating_mul(4);
        let (row, far) = (scale.rows(rows), (rows / FAR).max(3));
        let mut spans = vec![Span::EMPTY; usize::from(width)];
        let columns = columns.with_width(width);
        let longest_step = longest_step(series.points());
        // The end of the line so far, and its time.
        let mut before: Option<((u16, u16), UtcTime)> = None;
        let (mut from, mut rest) = (0, series.points());
        while let Some(first) = rest.first() {
            let x = columns.column(first.time);
            let here = columns.points_in(rest, x);
            let (column, later) = rest.split_at_checked(here).unwrap_or((rest, &[]));
            let extent = series.extent(from, from + here);
            let last = column.iter().rev().find_map(|point| point.price);
            if let Some(last) = last.map(&row)
                && let Some(span) = spans.get_mut(usize::from(x))
            {
                span.take(last);
                let is_joined = |time: UtcTime| first.price.is_some() && first.time.since(time) <= longest_step;
                if let Some((end, _)) = before.filter(|(_, time)| is_joined(*time)) {
                    join(&mut spans, end, (x, last));
                }
                // The line goes through the last price of each column, so that it is one dot thick. Other prices of the
                // column are drawn only if they are far from it, or the highest or lowest of all.
                let (top, bottom) = (row(extent.high), row(extent.low));
                if let Some(span) = spans.get_mut(usize::from(x)) {
                    if extent.high >= scale.high || span.top.saturating_sub(top) >= far {
                        span.take(top);
                    }
                    if extent.low <= scale.low || bottom.saturating_sub(span.bottom) >= far {
                        span.take(bottom);
                    }
                }
            }
            before = column.last().and_then(|point| Some(((x, row(point.price?)), point.time)));
            (from, rest) = (from + here, later);
        }
        Raster { plot, spans }
    }

    /// Whether a cell of the plot, relative to its upper left corner, has dots of the line.
    pub(super) fn has_line(&self, column: u16, row: u16) -> bool {
        let (left, right) = self.cell(column);
        left.rows(row) | right.rows(row) != 0
    }

    /// The top row of cells with a dot in a column.
    pub(super) fn top(&self, column: u16) -> Option<u16> {
        let (left, right) = self.cell(column);
        Some(left.top.min(right.top)).filter(|top| *top != u16::MAX).map(|top| top / 4)
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

    fn cell(&self, column: u16) -> (Span, Span) {
        let at = usize::from(column) * 2;
        let span = |at| self.spans.get(at).copied().unwrap_or(Span::EMPTY);
        (span(at), span(at + 1))
    }

    /// The first and the last row of cells with dots in a column.
    fn rows(&self, column: u16) -> Option<(u16, u16)> {
        let (left, right) = self.cell(column);
        let bottom = left.bottom.max(right.bottom) / 4;
        self.top(column).map(|top| (top, bottom.min(self.plot.height.saturating_sub(1))))
    }

    /// The cells of a column with dots: their rows and characters.
    fn dots(&self, column: u16) -> impl Iterator<Item = (u16, char)> {
        let (left, right) = self.cell(column);
        let rows = self.rows(column).into_iter().flat_map(|(first, last)| first..=last);
        rows.filter_map(move |row| match pattern(left.rows(row), right.rows(row)) {
            0 => None,
            dots => Some((row, char::from_u32(0x2800 | dots)?)),
        })
    }

    /// Paints the line.
    pub(super) fn paint(&self, buf: &mut Buffer, style: Style) {
        for column in 0..self.plot.width {
            self.dots(column).for_each(|(row, dots)| put(buf, self.plot, column, row, dots, style));
        }
    }

    /// Paints the faint area between the line and the dot row `base`.
    pub(super) fn paint_area(&self, buf: &mut Buffer, base: u16, theme: &Theme) {
        let base = base / 4;
        for column in 0..self.plot.width {
            let Some((top, bottom)) = self.rows(column) else { continue };
            for row in (bottom + 1..base).chain(base + 1..top) {
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
            for (row, dots) in raster.dots(column) {
                if let Some(painted) = painted.get_mut(usize::from(row)).filter(|painted| !**painted) {
                    *painted = true;
                    put(buf, plot, column, row, dots, *style);
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
        if let Some(cell) = buf.cell_mut((plot.x + column, plot.y + base / 4)) {
            cell.set_char('┄').set_style(theme.chart_axis);
        }
    }
}

/// Draws a line between two points; the first one already has its dot.
fn join(spans: &mut [Span], from: (u16, u16), to: (u16, u16)) {
    let slope = (f64::from(to.1) - f64::from(from.1)) / f64::from(to.0 - from.0);
    let mut row = from.1;
    for x in from.0 + 1..=to.0 {
        let next = (f64::from(from.1) + slope * f64::from(x - from.0) + 0.5) as u16;
        let Some(span) = spans.get_mut(usize::from(x)) else { return };
        // A steep line continues one row beyond the end of the previous column, so that it stays thin.
        span.take(if next > row {
            row + 1
        } else if next < row {
            row - 1
        } else {
            row
        });
        span.take(next);
        row = next;
    }
}

/// The dots of the left half of a braille cell, by the rows that have one as four bits.
const LEFT: [u8; 16] = [0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47];

/// The dots of its right half.
const RIGHT: [u8; 16] =
    [0x00, 0x08, 0x10, 0x18, 0x20, 0x28, 0x30, 0x38, 0x80, 0x88, 0x90, 0x98, 0xa0, 0xa8, 0xb0, 0xb8];

/// The dots of a braille cell, from the rows of its left and right half.
fn pattern(left: u8, right: u8) -> u32 {
    let dots = |half: [u8; 16], rows: u8| half.get(usize::from(rows)).copied().unwrap_or(0);
    u32::from(dots(LEFT, left) | dots(RIGHT, right))
}
