//! Several prices as changes from a common start.
//!
//! ```text
//!  +20%┤      ╭─A─╮        A BTC  +10.0%
//!    0%┼──────╯────╰──     C SATS  +3.1%
//!      │    ╰B───╯         B ORDI  −3.8%
//!      └ 16 Nov ── 17 ──
//! ```

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{StatefulWidget, Widget};

use super::annotations::Marker;
use super::columns::Columns;
use super::prices::Prices;
use super::raster::{self, DOTS_PER_CELL, Raster, Scale};
use super::series::{Series, Summary};
use super::time_axis;
use crate::format::Signed;
use crate::model::chart::longest_step;
use crate::model::{Point, UtcTime, Zone, change_pct, chart};
use crate::theme::Theme;
use crate::view::widgets::text;

/// A coin of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// The coin's letter.
    pub letter: char,
    /// The coin's name, such as the symbol.
    pub name: &'a str,
    /// The coin's prices in chronological order; empty for a coin without a line.
    pub points: &'a [Point],
    /// The style of the line.
    pub style: Style,
    /// Whether it is selected.
    pub is_selected: bool,
}

impl Line<'_> {
    /// The style of its letter.
    fn letter_style(&self) -> Style {
        self.style.remove_modifier(Modifier::DIM).add_modifier(Modifier::BOLD)
    }
}

/// Lines that each start at 0%, with their letters, and a legend, highest change first: the changes at the end, beside
/// the ends of the lines, or with a cursor the changes there, in a list from the top. A line starts where its first price
/// is; a gap stays a gap.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a> {
    lines: &'a [Line<'a>],
    cursor: Option<UtcTime>,
    markers: &'a [Marker],
    zone: &'a Zone,
    theme: &'a Theme,
}

/// Below this width, the legend has no names.
const NAMES_FROM: u16 = 36;

/// Below this width, they are short.
const LONG_NAMES_FROM: u16 = 44;

/// Maximum columns of a short and a long name in the legend.
const MAX_NAMES: [u16; 2] = [4, 10];

/// Columns of a change in the legend.
const CHANGE: u16 = 7;

impl<'a> Comparison<'a> {
    /// A comparison of lines.
    pub fn new(lines: &'a [Line<'a>]) -> Comparison<'a> {
        static UTC: Zone = Zone::UTC;
        Comparison { lines, cursor: None, markers: &[], zone: &UTC, theme: Theme::ANSI }
    }

    /// The time under the cursor.
    pub fn cursor(self, cursor: Option<UtcTime>) -> Comparison<'a> {
        Comparison { cursor, ..self }
    }

    /// The marked moments of the selected coin.
    pub fn markers(self, markers: &'a [Marker]) -> Comparison<'a> {
        Comparison { markers, ..self }
    }

    /// The time zone of labels; UTC by default.
    pub fn zone(self, zone: &'a Zone) -> Comparison<'a> {
        Comparison { zone, ..self }
    }

    /// The styles.
    pub fn theme(self, theme: &'a Theme) -> Comparison<'a> {
        Comparison { theme, ..self }
    }
}

/// A line whose prices are read as changes from the first one, without a copy of its points.
struct Rebased<'a> {
    series: Series<'a>,
    summary: Summary,
    /// The lowest and the highest change in percent.
    range: (f64, f64),
}

impl<'a> Rebased<'a> {
    /// `None` for a line without a price, or without finite changes from the first one.
    fn new(points: &'a [Point]) -> Option<Rebased<'a>> {
        let series = Series::new(points);
        let summary = series.summary().filter(|summary| summary.open.1 > 0.0)?;
        let change = |(_, price)| change_pct(summary.open.1, price);
        let range = (change(summary.low)?, change(summary.high)?);
        Some(Rebased { series, summary, range })
    }

    /// The first and the last point.
    fn ends(&self) -> Option<(Point, Point)> {
        self.series.points().first().copied().zip(self.series.points().last().copied())
    }

    /// The scale of the prices that equals a scale of the changes.
    fn scale(&self, changes: &Scale) -> Scale {
        let Summary { open, low, high, .. } = self.summary;
        // The extremes stay exact, so that the line is drawn to the edge.
        let price =
            |change: f64, extreme, exact| if change == extreme { exact } else { open.1 * (1.0 + change / 100.0) };
        Scale::new(price(changes.low, self.range.0, low.1), price(changes.high, self.range.1, high.1))
    }

    /// The change at the end.
    fn last(&self) -> Option<f64> {
        self.summary.change_pct()
    }

    /// The change at a time: of the nearest point; `None` in a gap, and too long before or after all points.
    fn at(&self, time: UtcTime) -> Option<f64> {
        let points = self.series.points();
        let point = points.get(chart::nearest(points, time)?)?;
        let farthest = longest_step(points) / 2;
        let distance = point.time.since(time).max(time.since(point.time));
        change_pct(self.summary.open.1, point.price.filter(|_| distance <= farthest.max(Duration::from_mins(1)))?)
    }
}

/// The row of each entry of the legend: as near as possible to the wanted rows, which are in ascending order, without
/// two in the same row.
fn spread(wanted: &[u16], rows: u16) -> Vec<u16> {
    let mut placed: Vec<u16> = Vec::with_capacity(wanted.len());
    for &row in wanted {
        placed.push(placed.last().map_or(row, |last| row.max(last.saturating_add(1))));
    }
    let mut limit = rows;
    for row in placed.iter_mut().rev() {
        limit = limit.saturating_sub(1);
        *row = (*row).min(limit);
        limit = *row;
    }
    placed
}

impl Widget for Comparison<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        StatefulWidget::render(self, area, buf, &mut None);
    }
}

/// The state is the area of the lines in the last frame; `None` if there was no price.
impl StatefulWidget for Comparison<'_> {
    type State = Option<Rect>;

    fn render(self, area: Rect, buf: &mut Buffer, shown_plot: &mut Option<Rect>) {
        *shown_plot = None;
        let Comparison { lines, cursor, markers, zone, theme } = self;
        let area = area.intersection(buf.area);
        let rebased: Vec<Option<Rebased<'_>>> = lines.iter().map(|line| Rebased::new(line.points)).collect();
        let drawn = || rebased.iter().flatten();
        let Some((start, end)) = drawn().filter_map(Rebased::ends).reduce(|all, ends| {
            let first = if ends.0.time < all.0.time { ends.0 } else { all.0 };
            let last = if ends.1.time > all.1.time { ends.1 } else { all.1 };
            (first, last)
        }) else {
            return;
        };
        if area.is_empty() {
            return;
        }
        let low = drawn().map(|line| line.range.0).fold(0.0, f64::min);
        let high = drawn().map(|line| line.range.1).fold(0.0, f64::max);
        let scale = Scale::new(low, high);
        let has_axes = area.width >= 30 && area.height >= 4;
        let bottom = u16::from(has_axes);
        let prices = Prices::changes(&scale, area.height, area.height - bottom);
        let names = match area.width {
            NAMES_FROM.. => {
                let longest = lines.iter().map(|line| text::width(line.name)).max().unwrap_or(0);
                longest.min(MAX_NAMES[usize::from(area.width >= LONG_NAMES_FROM)]) + 1
            }
            _ => 0,
        };
        let legend_width = (names + CHANGE + 3).min(area.width / 2);
        let left = if has_axes { prices.width() + 1 } else { 0 };
        let plot = Rect {
            x: area.x + left,
            width: area.width.saturating_sub(left + legend_width),
            height: area.height - bottom,
            ..area
        };
        *shown_plot = Some(plot);
        let columns = Columns::new(&[start, end], plot.width);
        let base = scale.row(0.0, plot.height * DOTS_PER_CELL);
        raster::paint_base(buf, plot, base, theme);

        let raster = |line: &Option<Rebased<'_>>| match line {
            Some(line) => Raster::trace(&line.series, &columns, plot, &line.scale(&scale)),
            None => Raster::empty(plot),
        };
        let rasters: Vec<Raster> = rebased.iter().map(raster).collect();
        let mut shown: Vec<_> = rasters.iter().zip(lines).collect();
        // The selected line is above the others, a later one above an earlier one.
        shown.reverse();
        shown.sort_by_key(|(_, line)| !line.is_selected);
        let shown: Vec<_> = shown.into_iter().map(|(raster, line)| (raster, line.style)).collect();
        raster::paint_lines(buf, plot, &shown);
        if let Some(time) = cursor {
            let column = columns.column(time);
            for row in 0..plot.height {
                if !rasters.iter().any(|raster| raster.has_line(column, row)) {
                    put(buf, plot, column, row, "│", theme.chart_cursor);
                }
            }
        }
        letters(buf, plot, lines, &rasters);
        if let Some(selected) = lines.iter().position(|line| line.is_selected) {
            paint_markers(buf, plot, &columns, &rasters, selected, markers, theme);
        }
        prices.paint(buf, Rect { width: left, height: plot.height, ..area }, plot, &scale, theme);
        let below = Rect { y: plot.bottom(), height: bottom, ..plot };
        time_axis::paint(buf, below, &columns, zone, left > 0, theme);
        let beside = Rect { x: plot.right() + 1, width: legend_width.saturating_sub(1), ..plot };
        let entries = legend_entries(lines, &rebased, &scale, beside.height, cursor);
        legend(buf, beside, names, &entries, theme);
    }
}

/// Paints the letters on the lines, each in its own column, so that lines can be distinguished without colours.
fn letters(buf: &mut Buffer, plot: Rect, lines: &[Line<'_>], rasters: &[Raster]) {
    let count = u32::try_from(lines.len()).unwrap_or(1).max(1);
    // In two places, a quarter and three quarters along, shifted by the index; without colours, in the middle, too.
    let parts = if lines.iter().any(|line| line.style.fg.is_some()) { &[1, 3][..] } else { &[1, 2, 3] };
    for (index, (line, raster)) in (0..).zip(lines.iter().zip(rasters)) {
        for part in parts {
            let share = u32::from(plot.width) * part / 4 + u32::from(plot.width) * index / (count * 4);
            let wanted = u16::try_from(share).unwrap_or(0);
            let near = (0..plot.width / 8).flat_map(|by| [wanted.checked_add(by), wanted.checked_sub(by)]).flatten();
            let mut near = near.filter(|column| *column < plot.width);
            if let Some((column, row)) = near.find_map(|column| Some((column, raster.top(column)?))) {
                put(buf, plot, column, row, line.letter.encode_utf8(&mut [0; 4]), line.letter_style());
            }
        }
    }
}

/// Paints marks beside the selected line, each where it covers no line.
fn paint_markers(
    buf: &mut Buffer,
    plot: Rect,
    columns: &Columns,
    rasters: &[Raster],
    selected: usize,
    markers: &[Marker],
    theme: &Theme,
) {
    for marker in markers.iter().filter(|it| (columns.start()..=columns.end()).contains(&it.time)) {
        let column = columns.column(marker.time).min(plot.width.saturating_sub(1));
        let Some(line) = rasters.get(selected).and_then(|raster| raster.top(column)) else { continue };
        let is_free = |row: &u16| !rasters.iter().any(|raster| raster.has_line(column, *row));
        if let Some(row) = marker.kind.row_beside(line, plot.height, is_free) {
            put(buf, plot, column, row, marker.kind.symbol(), marker.kind.style(theme));
        }
    }
}

/// An entry of the legend: its preferred row, the line, and its change.
type LegendEntry<'a> = (u16, &'a Line<'a>, Option<f64>);

/// The entries of the legend, from top to bottom: the changes at the ends of the lines, beside them, or those at the
/// cursor.
fn legend_entries<'a>(
    lines: &'a [Line<'a>],
    rebased: &[Option<Rebased<'_>>],
    scale: &Scale,
    height: u16,
    cursor: Option<UtcTime>,
) -> Vec<LegendEntry<'a>> {
    let entries = lines.iter().zip(rebased).map(|(line, rebased)| {
        let Some(time) = cursor else {
            let last = rebased.as_ref().and_then(Rebased::last);
            let row = last.map(|change| scale.cell_row(change, height));
            return (row.unwrap_or(u16::MAX), line, last);
        };
        // Beside the end of a line, the change at the cursor would be taken for that at the end.
        (0, line, rebased.as_ref().and_then(|rebased| rebased.at(time)))
    });
    let mut entries: Vec<_> = entries.collect();
    // Different changes may share a row. Missing ones are last.
    let order = |change: Option<f64>| change.unwrap_or(f64::NEG_INFINITY);
    entries.sort_by(|(row, _, change), (other_row, _, other)| {
        row.cmp(other_row).then_with(|| order(*other).total_cmp(&order(*change)))
    });
    entries
}

/// Paints the entries of the legend, with `names` columns for their names.
fn legend(buf: &mut Buffer, area: Rect, names: u16, entries: &[LegendEntry<'_>], theme: &Theme) {
    let wanted: Vec<u16> = entries.iter().map(|(row, ..)| *row).collect();
    for (row, (_, line, change)) in spread(&wanted, area.height).into_iter().zip(entries) {
        let place = text::line(area, row);
        let strong = if line.is_selected { theme.accent } else { theme.text };
        text::put(buf, place, line.letter.encode_utf8(&mut [0; 4]), line.letter_style());
        let name = text::shifted(place, 2);
        text::put(buf, Rect { width: names.saturating_sub(1).min(name.width), ..name }, line.name, strong);
        let change_at = text::shifted(name, names);
        text::number(
            buf,
            Rect { width: CHANGE.min(change_at.width), ..change_at },
            &Signed(*change).to_string(),
            theme.change(*change),
        );
    }
}

fn put(buf: &mut Buffer, plot: Rect, column: u16, row: u16, symbol: &str, style: Style) {
    if let Some(cell) = buf.cell_mut((plot.x + column, plot.y + row)).filter(|_| column < plot.width) {
        cell.reset();
        cell.set_symbol(symbol).set_style(style);
    }
}

#[cfg(test)]
mod tests;
