//! The axes of a chart and the volume along the lower one.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::raster::Scale;
use super::ticks::{PriceTicks, time_ticks};
use super::{Columns, text};
use crate::format::Money;
use crate::format::sparkline::BrailleLine;
use crate::model::{Point, Text};
use crate::theme::Theme;
use crate::view::widgets::sparkline;

/// The labels of the price axis.
pub(super) struct Prices {
    labels: Vec<(f64, Text)>,
    ticks: PriceTicks,
}

impl Prices {
    /// The widest label; a wider one would take more than it says.
    const MOST: u16 = 12;

    /// Labels for a chart of that height, about one to three rows.
    pub(super) fn new(scale: &Scale, height: u16) -> Prices {
        let ticks = PriceTicks::new(scale.low, scale.high, (height / 3).clamp(2, 12));
        Prices { labels: ticks.iter().map(|price| (price, ticks.label(price))).collect(), ticks }
    }

    /// A price that is marked in the chart: in as many digits as prices have, and never fewer than the axis has.
    pub(super) fn mark(&self, price: f64) -> Text {
        self.ticks.mark(price)
    }

    /// The columns of the widest label, with a space before it.
    pub(super) fn width(&self) -> u16 {
        self.labels.iter().map(|(_, label)| text::width(label)).max().unwrap_or(0).min(Self::MOST) + 1
    }

    /// Paints the axis down `area`, and the labels beside the rows of the plot.
    pub(super) fn paint(&self, buf: &mut Buffer, area: Rect, plot: Rect, scale: &Scale, theme: &Theme) {
        let Some(inner) = area.width.checked_sub(1) else { return };
        let axis = text::shifted(area, inner);
        for row in 0..area.height {
            text::put(buf, text::line(axis, row), "│", theme.chart_axis);
        }
        for (price, label) in &self.labels {
            let row = scale.row(*price, plot.height * 4) / 4;
            text::number(buf, text::line(Rect { width: inner, ..area }, row), label, theme.chart_axis);
            text::put(buf, text::line(axis, row), "┤", theme.chart_axis);
        }
    }
}

/// Paints the time axis along `area`, and its corner in the column before it where `corner` says that there is one.
pub(super) fn times(buf: &mut Buffer, area: Rect, columns: &Columns, corner: bool, theme: &Theme) {
    if area.is_empty() {
        return;
    }
    if corner {
        text::put(buf, Rect { x: area.x.saturating_sub(1), width: 1, ..area }, "└", theme.chart_axis);
    }
    for column in 0..area.width {
        text::put(buf, Rect { width: 1, ..text::shifted(area, column) }, "─", theme.chart_axis);
    }
    for tick in time_ticks(columns) {
        text::put(buf, text::shifted(area, tick.start), &tick.label, theme.chart_axis);
    }
}

/// The columns that [`volume_labels`] take.
pub(super) fn volume_width(greatest: f64) -> u16 {
    text::width(&Money(Some(greatest)).to_string()).max(text::width(VOLUME)) + 1
}

/// What the volume's strip is called.
const VOLUME: &str = "vol";

/// Writes the greatest volume and what it is of beside the strip along `area`, left of the axis, its last column.
pub(super) fn volume_labels(buf: &mut Buffer, area: Rect, greatest: f64, theme: &Theme) {
    let Some(inner) = area.width.checked_sub(1) else { return };
    let labels = Rect { width: inner, ..area };
    text::number(buf, text::line(labels, 0), &Money(Some(greatest)).to_string(), theme.chart_axis);
    text::put(buf, text::line(text::shifted(area, inner), 0), "┤", theme.chart_axis);
    text::put_right(buf, text::line(labels, 1), VOLUME, theme.chart_axis);
}

/// Paints the volume nearest to each column as a bar from zero to the `greatest`.
pub(super) fn volumes(buf: &mut Buffer, area: Rect, points: &[Point], greatest: f64, columns: &Columns, theme: &Theme) {
    if area.is_empty() {
        return;
    }
    let levels = f64::from(area.height) * 4.0;
    let halves = columns.with_width(area.width.saturating_mul(2));
    let level = |half: u16| {
        let index = halves.index_at(points, half);
        let volume = index.and_then(|index| points.get(index)?.volume).unwrap_or(0.0);
        // Saturates below zero.
        (volume / greatest * levels).round().min(levels) as u32
    };
    let bars = BrailleLine::filled((0..halves.width()).map(level), usize::from(area.height));
    sparkline::paint(buf, area, &bars, theme.chart_area);
}
