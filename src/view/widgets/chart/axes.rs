//! The axes of a chart, and the volume.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::columns::Columns;
use super::raster::Scale;
use super::ticks::{PriceTicks, time_ticks};
use crate::format::Money;
use crate::format::sparkline::BrailleLine;
use crate::model::{Point, Text, Zone};
use crate::theme::Theme;
use crate::view::widgets::{sparkline, text};

/// The labels of the price axis.
pub(super) struct Prices {
    labels: Vec<(f64, Text)>,
    ticks: PriceTicks,
}

impl Prices {
    /// Maximum columns of a label.
    const MAX_LABEL: u16 = 12;

    /// Labels for a chart of this height: about one per three rows.
    pub(super) fn new(scale: &Scale, height: u16) -> Prices {
        let ticks = PriceTicks::new(scale.low, scale.high, (height / 3).clamp(2, 12));
        Prices { labels: ticks.iter().map(|price| (price, ticks.label(price))).collect(), ticks }
    }

    /// Formats a price that is marked in the chart, with the digits of prices and at least as many as the axis.
    pub(super) fn mark(&self, price: f64) -> Text {
        self.ticks.mark(price)
    }

    /// Columns of the widest label, including a space before it.
    pub(super) fn width(&self) -> u16 {
        self.labels.iter().map(|(_, label)| text::width(label)).max().unwrap_or(0).min(Self::MAX_LABEL) + 1
    }

    /// Paints the price axis along `area`, with labels at the rows of the plot.
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

/// Paints the time axis along `area`, with a corner in the column before it if `corner` is set.
pub(super) fn times(buf: &mut Buffer, area: Rect, columns: &Columns, zone: &Zone, corner: bool, theme: &Theme) {
    if area.is_empty() {
        return;
    }
    if corner {
        text::put(buf, Rect { x: area.x.saturating_sub(1), width: 1, ..area }, "└", theme.chart_axis);
    }
    for column in 0..area.width {
        text::put(buf, Rect { width: 1, ..text::shifted(area, column) }, "─", theme.chart_axis);
    }
    for tick in time_ticks(columns, zone) {
        text::put(buf, text::shifted(area, tick.start), &tick.label, theme.chart_axis);
    }
}

/// Columns of [`volume_labels`].
pub(super) fn volume_width(largest: f64) -> u16 {
    text::width(&Money(Some(largest)).to_string()).max(text::width(VOLUME)) + 1
}

/// The label of the volume.
const VOLUME: &str = "vol";

/// Paints the largest volume and its label, left of the axis, which is the last column of `area`.
pub(super) fn volume_labels(buf: &mut Buffer, area: Rect, largest: f64, theme: &Theme) {
    let Some(inner) = area.width.checked_sub(1) else { return };
    let labels = Rect { width: inner, ..area };
    text::number(buf, text::line(labels, 0), &Money(Some(largest)).to_string(), theme.chart_axis);
    text::put(buf, text::line(text::shifted(area, inner), 0), "┤", theme.chart_axis);
    text::put_right(buf, text::line(labels, 1), VOLUME, theme.chart_axis);
}

/// Paints the volume nearest to each column as a bar; the largest one has the full height.
pub(super) fn volumes(buf: &mut Buffer, area: Rect, points: &[Point], largest: f64, columns: &Columns, theme: &Theme) {
    if area.is_empty() {
        return;
    }
    let levels = f64::from(area.height) * 4.0;
    let halves = columns.with_width(area.width.saturating_mul(2));
    let level = |half: u16| {
        let index = halves.index_at(points, half);
        let volume = index.and_then(|index| points.get(index)?.volume).unwrap_or(0.0);
        // Saturates below zero.
        (volume / largest * levels).round().min(levels) as u32
    };
    let bars = BrailleLine::filled((0..halves.width()).map(level), usize::from(area.height));
    sparkline::paint(buf, area, &bars, theme.chart_area);
}
