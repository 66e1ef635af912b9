//! The labels in a chart: high, low, opening price, last price and cursor.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::annotations::{Marker, MarkerKind};
use super::columns::Columns;
use super::moment::{MONTHS, has_year};
use super::prices::Prices;
use super::raster::{Raster, Scale};
use super::series::{Series, Summary};
use super::tag;
use crate::format::{Clock, Date};
use crate::model::{Point, Zone, chart};
use crate::theme::Theme;
use crate::view::widgets::text;

/// Maximum columns between a label and the nearest place for it.
const MAX_DISTANCE: u16 = 8;

/// Places labels where they cover neither the line nor each other.
pub(super) struct Marks<'a> {
    raster: &'a Raster,
    plot: Rect,
    scale: &'a Scale,
    columns: &'a Columns,
    prices: &'a Prices,
    points: &'a [Point],
    /// The points of the whole period.
    all: &'a [Point],
    zone: &'a Zone,
    taken: Vec<Rect>,
    /// The cells of the user's marks.
    taken_marks: Vec<Rect>,
}

impl<'a> Marks<'a> {
    pub(super) fn new(
        raster: &'a Raster,
        plot: Rect,
        scale: &'a Scale,
        columns: &'a Columns,
        prices: &'a Prices,
        series: &Series<'a>,
        zone: &'a Zone,
    ) -> Marks<'a> {
        Marks {
            raster,
            plot,
            scale,
            columns,
            prices,
            points: series.points(),
            all: series.data().all().points(),
            zone,
            taken: Vec::with_capacity(4),
            taken_marks: Vec::new(),
        }
    }

    /// The cell of a point, relative to the plot's upper left corner.
    fn cell(&self, index: usize, price: f64) -> (u16, u16) {
        let column = self.points.get(index).map_or(0, |point| self.columns.column(point.time));
        (column, self.row(price))
    }

    /// The row of a price, relative to the plot's upper edge.
    fn row(&self, price: f64) -> u16 {
        self.scale.cell_row(price, self.plot.height)
    }

    /// Paints the cursor's column from the top of the plot to `bottom`, or to the end of the plot; with a dot on the
    /// line in the style `dot`.
    pub(super) fn cursor(&mut self, buf: &mut Buffer, bottom: u16, index: usize, dot: Option<Style>, theme: &Theme) {
        let Some(point) = self.points.get(index) else { return };
        let column = self.columns.column(point.time).min(self.plot.width.saturating_sub(1));
        let height = bottom.max(self.plot.bottom()).saturating_sub(self.plot.y);
        for row in 0..height {
            if row >= self.plot.height || !self.raster.has_line(column, row) {
                self.put(buf, column, row, "│", theme.chart_cursor);
            }
        }
        if let (Some(price), Some(dot)) = (point.price, dot) {
            let (_, row) = self.cell(index, price);
            self.put(buf, column, row, "●", dot.add_modifier(Modifier::BOLD));
        }
        self.taken.push(Rect { x: column, y: 0, width: 1, height: self.plot.height });
    }

    /// Paints marks at their times, as near to the line as possible: at most one of each kind in a column. In the
    /// cursor's column, also their text. That of a note covers the line if it doesn't fit beside it.
    pub(super) fn paint_markers(&mut self, buf: &mut Buffer, markers: &[Marker], cursor: Option<usize>, theme: &Theme) {
        let shown = markers.iter().filter(|it| self.columns.contains(it.time));
        let mut shown: Vec<(u16, &Marker)> = shown.map(|it| (self.columns.column(it.time), it)).collect();
        shown.sort_by_key(|(column, marker)| (*column, marker.kind));
        let time = cursor.and_then(|index| self.points.get(index)).map(|point| point.time);
        let cursor = time.map(|time| self.columns.column(time));
        let mut at_cursor: Option<(u16, u16)> = None;
        for group in shown.chunk_by(|(column, one), (other, next)| column == other && one.kind == next.kind) {
            let Some(&(column, marker)) = group.first() else { continue };
            let row = self.paint_marker(buf, column, marker, theme);
            if cursor == Some(column) {
                at_cursor = at_cursor.or(row.map(|row| (column, row)));
            }
        }
        let Some((cell, time)) = at_cursor.zip(time) else { return };
        let here: Vec<&Marker> =
            shown.iter().filter(|(column, _)| cursor == Some(*column)).map(|(_, marker)| *marker).collect();
        let has_note = here.iter().any(|marker| marker.kind == MarkerKind::Note);
        let words = Marker::texts(&here, time);
        let whole = text::width(&words);
        if has_note && self.place_beside(cell, whole).is_none() {
            return self.write_over(buf, cell, &words, theme.strong);
        }
        // A long text is cut where it doesn't fit.
        let lengths = [whole, whole.min(40), whole.min(20), whole.min(10)];
        if let Some(((x, y), length)) =
            lengths.into_iter().find_map(|length| Some((self.place_beside(cell, length)?, length)))
        {
            self.write(buf, x, y, &text::shortened(&words, length), theme.strong);
        }
    }

    /// Paints a mark and returns its row; `None` if the line and other marks leave no cell for it.
    fn paint_marker(&mut self, buf: &mut Buffer, column: u16, marker: &Marker, theme: &Theme) -> Option<u16> {
        // A gap has no line: the mark is at the height of its nearer end.
        let line = chart::nearest_price(self.points, marker.time).map_or(0, |(index, price)| self.cell(index, price).1);
        // The line goes through only some of the prices of a column.
        let line = match self.raster.rows(column) {
            Some(rows) => line.clamp(rows.start, rows.end.saturating_sub(1).max(rows.start)),
            None => line,
        };
        let row = marker.kind.row_beside(line, self.plot.height, |row| self.has_room(column, *row))?;
        self.put(buf, column, row, marker.kind.symbol(), marker.kind.style(theme));
        let place = Rect { x: column, y: row, width: 1, height: 1 };
        self.taken.push(place);
        self.taken_marks.push(place);
        Some(row)
    }

    /// Whether a cell has neither the line nor a mark.
    fn has_room(&self, column: u16, row: u16) -> bool {
        let place = Rect { x: column, y: row, width: 1, height: 1 };
        !self.raster.has_line(column, row) && self.taken_marks.iter().all(|taken| !taken.intersects(place))
    }

    /// Writes text in the first or last row, where it covers less of the line, but not the cell.
    fn write_over(&mut self, buf: &mut Buffer, (column, row): (u16, u16), words: &str, style: Style) {
        let length = text::width(words).min(self.plot.width);
        let x = column.saturating_sub(length / 2).min(self.plot.width - length);
        let rows = [0, self.plot.height.saturating_sub(1)].into_iter().filter(|y| *y != row);
        let covered = |y: &u16| (x..x + length).filter(|x| self.raster.has_line(*x, *y)).count();
        if let Some(y) = rows.min_by_key(covered) {
            self.write(buf, x, y, &text::shortened(words, length), style);
        }
    }

    /// Labels the highest and the lowest price, with the time if there is room. `tagged` means that the last price has
    /// its own tag.
    pub(super) fn extremes(&mut self, buf: &mut Buffer, summary: &Summary, tagged: bool, theme: &Theme) {
        if self.plot.width < 24 || self.plot.height < 4 || summary.high.1 <= summary.low.1 {
            return;
        }
        for (name, (index, price)) in [("high", summary.high), ("low", summary.low)] {
            // The opening and the last price have their own marks.
            if price == summary.open.1 || price == summary.last.1 && tagged {
                continue;
            }
            let short = compact_str::format_compact!("{name} {}", self.prices.mark(price));
            let cell = self.cell(index, price);
            let time = self.points.get(index).map(|point| point.time);
            let when = time.map(|time| self.zone.at(time));
            let with_year = time.is_some_and(|time| has_year(self.all, time, self.zone));
            let dated = when.map(|day| compact_str::format_compact!("{short} · {}", Date { day, with_year }));
            let timed = dated.as_ref().zip(when.filter(|_| !self.is_over_months()));
            let timed = timed.map(|(dated, time)| compact_str::format_compact!("{dated} {}", Clock(time)));
            let mut labels = [timed, dated, Some(short)].into_iter().flatten();
            let free = labels.find_map(|label| Some((self.place_beside(cell, text::width(&label))?, label)));
            if let Some(((x, y), label)) = free {
                self.write(buf, x, y, &label, theme.chart_axis);
            }
        }
    }

    /// Whether labels need no time of day.
    fn is_over_months(&self) -> bool {
        self.columns.end().since(self.columns.start()) > MONTHS
    }

    /// Finds a free position for a label next to a cell: as near as the line allows, first in the same row, then in the
    /// neighbouring ones. Never beyond another part of the line, whose label it would seem to be.
    fn place_beside(&self, (column, row): (u16, u16), length: u16) -> Option<(u16, u16)> {
        let after = (0..MAX_DISTANCE).filter_map(|by| column.checked_add(2 + by));
        let before = (0..MAX_DISTANCE).filter_map(|by| column.checked_sub(length + 1 + by));
        let starts = after.zip(before.map(Some).chain(std::iter::repeat(None)));
        let starts = starts.flat_map(|(after, before)| [Some(after), before]).flatten();
        let rows = [Some(row), row.checked_add(1), row.checked_sub(1)].into_iter().flatten();
        let mut places = rows.flat_map(|row| starts.clone().map(move |x| (x, row)));
        places.find(|&(x, y)| self.is_free(x, y, length) && self.is_next_to(column, x, y, length))
    }

    /// Whether there is no other part of the line between a point in this column and a label: only the part that goes
    /// through the point, including neighbouring candles, and then blanks.
    fn is_next_to(&self, column: u16, x: u16, y: u16, length: u16) -> bool {
        let is_after = x > column;
        let distance = if is_after { x - column } else { column.saturating_sub(x + length) };
        let longest_gap = self.columns.pitch().max(2);
        let mut end = 0;
        for by in 1..distance {
            if self.raster.has_line(if is_after { column + by } else { column - by }, y) {
                if by - end > longest_gap {
                    return false;
                }
                end = by;
            }
        }
        true
    }

    /// Labels the opening price on its dotted line, as far to the right as possible. If the limit of an alert, of those in
    /// `levels`, is drawn there, the label is beside that line, on the side of the opening price.
    pub(super) fn opening(&mut self, buf: &mut Buffer, summary: &Summary, levels: &[f64], theme: &Theme) {
        if self.plot.width < 24 || self.plot.height < 4 {
            return;
        }
        let also = match summary.open.1 {
            _ if summary.high.1 <= summary.low.1 => "",
            open if open == summary.high.1 => " and high",
            open if open == summary.low.1 => " and low",
            _ => "",
        };
        let label = compact_str::format_compact!(" open{also} {}", self.prices.mark(summary.open.1));
        let open = summary.open.1;
        let row = self.row(open);
        let level_in = |row: u16| levels.iter().find(|level| self.row(**level) == row);
        let rows = match level_in(row) {
            None => [Some(row), None],
            Some(level) if open >= *level => [row.checked_sub(1), row.checked_add(1)],
            Some(_) => [row.checked_add(1), row.checked_sub(1)],
        };
        if let Some(row) = rows.into_iter().flatten().find(|row| *row < self.plot.height && level_in(*row).is_none()) {
            self.write_rightmost(buf, row, &label, theme.chart_axis);
        }
    }

    /// Labels the limits of alerts on their lines whose place at the price axis is taken by 0%.
    pub(super) fn levels_at_zero(&mut self, buf: &mut Buffer, levels: &[f64], theme: &Theme) {
        let Some(zero) = self.prices.zero_row(self.plot, self.scale).filter(|_| self.plot.width >= 24) else { return };
        for level in levels {
            if self.row(*level) == zero {
                let label = compact_str::format_compact!(" alert {} ", self.prices.axis_label(*level));
                self.write_rightmost(buf, zero, &label, theme.warn);
            }
        }
    }

    /// Writes a label in a row, as far to the right as possible.
    fn write_rightmost(&mut self, buf: &mut Buffer, row: u16, label: &str, style: Style) {
        let length = text::width(label);
        let last = self.plot.width.saturating_sub(length);
        if let Some(x) = (0..=last).rev().find(|&x| self.is_free(x, row, length)) {
            self.write(buf, x, row, label, style);
        }
    }

    /// Paints the tag of the last shown price at the right edge, in the styles of its sign and of the price.
    pub(super) fn last(&self, buf: &mut Buffer, area: Rect, summary: &Summary, label: &str, styles: [Style; 2]) {
        let (_, row) = self.cell(summary.last.0, summary.last.1);
        tag::paint(buf, text::line(area, row), label, styles);
    }

    fn is_free(&self, column: u16, row: u16, length: u16) -> bool {
        let place = Rect { x: column, y: row, width: length, height: 1 };
        row < self.plot.height
            && column.checked_add(length).is_some_and(|end| end <= self.plot.width)
            && (column.saturating_sub(1)..=column + length).all(|column| !self.raster.has_line(column, row))
            && self.taken.iter().all(|taken| !taken.intersects(place))
    }

    fn write(&mut self, buf: &mut Buffer, column: u16, row: u16, label: &str, style: Style) {
        let length = text::width(label);
        let place = Rect { x: self.plot.x + column, y: self.plot.y + row, width: length, height: 1 };
        // An average or the limit of an alert may be there, in its own colour.
        text::clear(buf, place);
        text::put(buf, place, label, style);
        // Keep a blank column on both sides.
        self.taken.push(Rect { x: column.saturating_sub(1), y: row, width: length + 2, height: 1 });
    }

    fn put(&self, buf: &mut Buffer, column: u16, row: u16, symbol: &str, style: Style) {
        if let Some(cell) = buf.cell_mut((self.plot.x + column, self.plot.y + row)) {
            // The area below is dim.
            cell.reset();
            cell.set_symbol(symbol).set_style(style);
        }
    }
}
