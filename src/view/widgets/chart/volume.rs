//! The volume below a chart, with its own axis.

use std::fmt;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::candles::Bar;
use super::columns::Columns;
use crate::format::Money;
use crate::format::sparkline::BrailleLine;
use crate::model::chart::longest_step;
use crate::model::{CandleData, CandleWidth, Point, VolumeSpan};
use crate::theme::Theme;
use crate::view::widgets::{sparkline, text};

/// The label of volumes, with the time that each covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VolumeLabel {
    /// 24 hours.
    Day,
    /// The span of a drawn candle.
    Candle(CandleWidth),
    /// The step between points; zero if it is unknown.
    Step(Duration),
}

impl VolumeLabel {
    /// The label of the volumes of points.
    pub(super) fn of_points(data: CandleData<'_>) -> VolumeLabel {
        match data.volume_span() {
            VolumeSpan::Day => VolumeLabel::Day,
            VolumeSpan::Candle => VolumeLabel::Step(data.spacing()),
        }
    }

    /// The label of the volumes of candles of this width.
    pub(super) fn of_candles(data: CandleData<'_>, width: CandleWidth) -> VolumeLabel {
        match data.volume_span() {
            VolumeSpan::Day => VolumeLabel::Day,
            VolumeSpan::Candle => VolumeLabel::Candle(width),
        }
    }
}

/// `vol 24h`, `vol 1h`, or `vol` if the time is unknown.
impl fmt::Display for VolumeLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VolumeLabel::Day => f.write_str("vol 24h"),
            VolumeLabel::Candle(width) => write!(f, "vol {width}"),
            VolumeLabel::Step(step) => {
                let secs = step.as_secs();
                let units = [(604_800, "w"), (86_400, "d"), (3_600, "h"), (60, "m"), (1, "s")];
                match units.into_iter().find(|(length, _)| secs > 0 && secs.is_multiple_of(*length)) {
                    Some((length, unit)) => write!(f, "vol {}{unit}", secs / length),
                    None => f.write_str("vol"),
                }
            }
        }
    }
}

/// The volumes of candles.
pub(super) fn of_candles(bars: &[Bar]) -> Vec<Point> {
    let point = |bar: &Bar| Point { time: bar.time, price: None, volume: bar.volume, market_cap: None };
    bars.iter().map(point).collect()
}

/// The largest volume, or zero.
pub(super) fn largest(points: &[Point]) -> f64 {
    points.iter().filter_map(|point| point.volume).fold(0.0, f64::max)
}

/// Rows with a label at the half, which must be between two of them.
const HALF_ROWS: u16 = 4;

/// Columns of [`axis`].
pub(super) fn axis_width(largest: f64) -> u16 {
    text::width(&Money(Some(largest)).to_string()).max(text::width(&VolumeLabel::Day.to_string())) + 1
}

/// Paints the axis from zero to the largest volume, in the last column of `area`.
pub(super) fn axis(buf: &mut Buffer, area: Rect, largest: f64, label: VolumeLabel, theme: &Theme) {
    let Some(inner) = area.width.checked_sub(1) else { return };
    let labels = Rect { width: inner, ..area };
    let mut put_volume = |row: u16, volume: f64| {
        text::number(buf, text::line(labels, row), &Money(Some(volume)).to_string(), theme.chart_axis);
        text::put(buf, text::line(text::shifted(area, inner), row), "┤", theme.chart_axis);
    };
    put_volume(0, largest);
    let has_half = area.height == HALF_ROWS;
    if has_half {
        put_volume(HALF_ROWS / 2, largest / 2.0);
    }
    let last = if has_half { HALF_ROWS - 1 } else { 1 };
    text::put_right(buf, text::line(labels, last), &label.to_string(), theme.chart_axis);
}

/// Paints the volume nearest to each column as a bar; the largest one has the full height. A gap has no bars, and a
/// single point has one.
pub(super) fn paint(buf: &mut Buffer, area: Rect, points: &[Point], largest: f64, columns: &Columns, theme: &Theme) {
    if area.is_empty() {
        return;
    }
    let levels = f64::from(area.height) * 4.0;
    let halves = columns.with_width(area.width.saturating_mul(2));
    let longest_step = longest_step(points);
    let is_near = |point: &Point, half: u16| {
        let time = halves.time(half);
        let distance = time.since(point.time).max(point.time.since(time));
        let is_at_line = !longest_step.is_zero() && distance <= longest_step / 2;
        halves.candle().is_some() || is_at_line || halves.column(point.time) == half
    };
    let level = |half: u16| {
        let nearest = halves.index_at(points, half).and_then(|index| points.get(index));
        let volume = nearest.filter(|point| is_near(point, half)).and_then(|point| point.volume).unwrap_or(0.0);
        // Saturates below zero.
        (volume / largest * levels).round().min(levels) as u32
    };
    let bars = BrailleLine::filled((0..halves.width()).map(level), usize::from(area.height));
    sparkline::paint(buf, area, &bars, theme.chart_area);
}
