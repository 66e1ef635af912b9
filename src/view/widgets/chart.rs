//! A price over time as a braille line, with axes, marks and a cursor.
//!
//! ```text
//!  9.20┤                       ⣀  high 9.14 · 16 Nov 18:15
//!      │        ⢀⣀⡀    ⢀⡠⠊ ⠑⢄
//!  8.40┤   ⢀⡠⠤⠒⠉  ⠑⠒⠁     ⠉⠢⣀ ◀ 8.41
//!      │⣀⡠⠊┄┄┄┄┄┄┄┄┄┄┄┄┄ open 7.58
//!      └13 Nov──14────15────16────17
//! ```
//!
//! The points of each column are reduced to their lowest and highest price before anything is painted, so that a long
//! series costs little more than a short one and no spike is lost.

use std::fmt;

use jiff::civil::DateTime;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{StatefulWidget, Widget};

use super::text;
use crate::format::{Arrow, Moment, Money, Price};
use crate::model::{Point, Zone};
use crate::theme::Theme;

mod axes;
pub mod columns;
mod marks;
mod raster;
mod series;
pub mod ticks;

pub use columns::Columns;
pub use series::{Series, Summary};

use raster::{Raster, Scale};
use series::change_pct;

/// A price over time, with axes, high, low, opening and last price; only the line if there is no more room. Without any
/// price it is one dim sentence.
///
/// As a stateful widget it has a cursor, and records the area of the line.
///
/// ```
/// use ratatui::{buffer::Buffer, layout::Rect, widgets::StatefulWidget};
/// use satscope::model::{Point, UtcTime};
/// use satscope::view::widgets::chart::{Chart, ChartState, Series};
///
/// let point = |hour: i64| Point {
///     time: UtcTime::from_secs(hour * 3_600),
///     price: Some(8.0 + hour as f64 / 100.0),
///     volume: None,
///     market_cap: None,
/// };
/// let points: Vec<Point> = (0..100).map(point).collect();
/// let mut buf = Buffer::empty(Rect::new(0, 0, 60, 10));
/// let mut state = ChartState::default().with_cursor(Some(50));
/// Chart::new(&Series::new(&points)).render(buf.area, &mut buf, &mut state);
/// assert!(state.plot().is_some_and(|plot| plot.width > 40 && plot.height == 9));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Chart<'a> {
    series: &'a Series<'a>,
    has_volume: bool,
    zone: &'a Zone,
    theme: &'a Theme,
}

/// The cursor of a [`Chart`], and the area of its line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChartState {
    cursor: Option<usize>,
    plot: Option<Rect>,
}

impl<'a> Chart<'a> {
    /// A chart of a series.
    pub fn new(series: &'a Series<'a>) -> Chart<'a> {
        static UTC: Zone = Zone::UTC;
        Chart { series, has_volume: false, zone: &UTC, theme: Theme::ANSI }
    }

    /// Whether to show the volume below the line, if there is room.
    pub fn volume(self, has_volume: bool) -> Chart<'a> {
        Chart { has_volume, ..self }
    }

    /// The time zone of labels; UTC by default.
    pub fn zone(self, zone: &'a Zone) -> Chart<'a> {
        Chart { zone, ..self }
    }

    /// The styles.
    pub fn theme(self, theme: &'a Theme) -> Chart<'a> {
        Chart { theme, ..self }
    }
}

impl ChartState {
    /// The same state with the cursor on the point with this index.
    pub fn with_cursor(self, point: Option<usize>) -> ChartState {
        ChartState { cursor: point, ..self }
    }

    /// The cells of the line in the last frame; `None` if there was no price.
    pub fn plot(&self) -> Option<Rect> {
        self.plot
    }
}

/// The point under the cursor. Prints as `Thu 13 Nov 14:00 · 8.41 · ▲ 10.9% · vol 61.2M`; if there is no room, the last
/// parts are dropped first. The change is since the opening price of the period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Readout {
    /// The point's time in the zone of the chart.
    pub time: DateTime,
    /// Its price.
    pub price: Option<f64>,
    /// Its volume.
    pub volume: Option<f64>,
    /// The change from the opening price to this one, percent.
    pub change_pct: Option<f64>,
}

impl Readout {
    /// The readout of a point, by its index.
    pub fn of(points: &[Point], index: usize, zone: &Zone) -> Option<Readout> {
        let point = points.get(index)?;
        let open = points.iter().find_map(|point| point.price);
        let price = point.price;
        let change_pct = open.zip(price).and_then(|(open, price)| change_pct(open, price));
        Some(Readout { time: zone.at(point.time), price, volume: point.volume, change_pct })
    }
}

impl fmt::Display for Readout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} · {} · {}", Moment(self.time), Price(self.price), Arrow(self.change_pct))?;
        if self.volume.is_some() {
            write!(f, " · vol {}", Money(self.volume))?;
        }
        Ok(())
    }
}

/// The areas of a chart's parts.
struct Parts {
    /// The labels of the prices, with the axis in the last column; empty if there is no room.
    left: Rect,
    /// The line.
    plot: Rect,
    /// The tag of the last price; empty if there is no room.
    right: Rect,
    /// The volume; empty if there is none.
    volume: Rect,
    /// The labels of the times, below the plot; empty if there is no room.
    bottom: Rect,
}

impl Parts {
    fn of(area: Rect, prices: &axes::Prices, tag: u16, volume: Option<f64>) -> Parts {
        let wide = area.width >= 24 && area.height >= 4;
        let labels = prices.width().max(volume.filter(|_| area.height >= 12).map_or(0, axes::volume_width));
        let left = if wide { labels + 1 } else { 0 };
        let right = if area.width >= 40 && area.height >= 4 { tag } else { 0 };
        let bottom = u16::from(wide);
        let volume = match area.height {
            ..12 => 0,
            12..24 => 2,
            _ => 3,
        } * u16::from(volume.is_some() && wide);
        let plot = Rect {
            x: area.x.saturating_add(left),
            width: area.width.saturating_sub(left + right),
            height: area.height.saturating_sub(bottom + volume),
            ..area
        };
        Parts {
            left: Rect { width: left, height: plot.height + volume, ..area },
            plot,
            right: Rect { x: plot.right(), width: right, ..plot },
            volume: Rect { y: plot.bottom(), height: volume, ..plot },
            bottom: Rect { y: plot.bottom().saturating_add(volume), height: bottom, ..plot },
        }
    }
}

impl StatefulWidget for Chart<'_> {
    type State = ChartState;

    fn render(self, area: Rect, buf: &mut Buffer, state: &mut ChartState) {
        let Chart { series, has_volume, zone, theme } = self;
        state.plot = None;
        let area = area.intersection(buf.area);
        if area.is_empty() {
            return;
        }
        let Some(summary) = series.summary() else {
            let middle = text::line(area, area.height / 2);
            text::put_centred(buf, middle, "No prices in this period", theme.dim);
            return;
        };
        let scale = Scale::new(summary.low.1, summary.high.1);
        let points = series.points();
        let volumes = points.iter().filter_map(|point| point.volume);
        let largest = if has_volume { volumes.fold(0.0, f64::max) } else { 0.0 };
        let prices = axes::Prices::new(&scale, area.height);
        let last = prices.mark(summary.last.1);
        let parts = Parts::of(area, &prices, text::width(&last) + 3, Some(largest).filter(|volume| *volume > 0.0));
        let columns = Columns::new(points, parts.plot.width);

        // A change that prints as zero is neither a gain nor a loss.
        let line = match theme.change(summary.change_pct()) {
            style if style == theme.dim => theme.chart_line,
            style => style,
        };
        let raster = Raster::trace(series, parts.plot, &scale);
        raster.paint(buf, scale.row(summary.open.1, parts.plot.height * 4), line, theme);
        axes::volumes(buf, parts.volume, points, largest, &columns, theme);
        prices.paint(buf, parts.left, parts.plot, &scale, theme);
        if !parts.volume.is_empty() {
            let beside = Rect { y: parts.volume.y, height: parts.volume.height, ..parts.left };
            axes::volume_labels(buf, beside, largest, theme);
        }
        axes::times(buf, parts.bottom, &columns, zone, !parts.left.is_empty(), theme);

        let mut marks = marks::Marks::new(&raster, parts.plot, &scale, &columns, &prices, points, zone);
        if let Some(index) = state.cursor {
            marks.cursor(buf, parts.volume.bottom(), index, line, theme);
        }
        marks.extremes(buf, &summary, !parts.right.is_empty(), theme);
        marks.opening(buf, &summary, theme);
        marks.last(buf, parts.right, &summary, &last, line);
        state.plot = Some(parts.plot);
    }
}

impl Widget for Chart<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        StatefulWidget::render(self, area, buf, &mut ChartState::default());
    }
}

#[cfg(test)]
mod tests;
