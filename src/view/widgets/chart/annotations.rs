//! The limits of alerts as dashed lines, and the times of lots and notes as marks.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::prices::Prices;
use super::raster::Scale;
use crate::model::{Text, UtcTime};
use crate::theme::Theme;
use crate::view::widgets::text;

/// Maximum distance of a shown limit from the prices, as a share of their range.
const NEAR: f64 = 0.25;

/// The marks of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotations {
    /// Prices with a dashed line. Those far from the prices of the chart are omitted.
    pub levels: Vec<f64>,
    /// Moments with a mark. Those outside the chart are omitted.
    pub markers: Vec<Marker>,
}

/// A marked moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The time of the mark.
    pub time: UtcTime,
    /// What happened.
    pub kind: MarkerKind,
    /// The text beside the mark when the cursor is on it.
    pub text: String,
}

/// The meaning of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerKind {
    /// Coins bought or received: `▲` below the line.
    In,
    /// Coins sold or sent: `▼` above the line.
    Out,
    /// A note of the user: `◆` above the line.
    Note,
}

impl MarkerKind {
    /// The character of the mark.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            MarkerKind::In => "▲",
            MarkerKind::Out => "▼",
            MarkerKind::Note => "◆",
        }
    }

    /// The row of the mark, of `height` rows: the nearest free one on its side of the line, else on the other side.
    pub(super) fn row_beside(self, line: u16, height: u16, is_free: impl Fn(&u16) -> bool) -> Option<u16> {
        let (below, above) = ((line..height).find(&is_free), (0..=line).rev().find(&is_free));
        match self {
            MarkerKind::In => below.or(above),
            MarkerKind::Out | MarkerKind::Note => above.or(below),
        }
    }

    /// The style of the mark.
    pub(super) fn style(self, theme: &Theme) -> Style {
        match self {
            MarkerKind::In => theme.gain,
            MarkerKind::Out => theme.loss,
            MarkerKind::Note => theme.accent,
        }
    }
}

impl Annotations {
    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.levels.is_empty() && self.markers.is_empty()
    }

    /// The range of prices with the levels near it.
    pub(super) fn range_with_levels(&self, low: f64, high: f64) -> (f64, f64) {
        let near = ((high - low) * NEAR).max(low.abs() * 0.02);
        let is_near = |level: &&f64| (low - near..=high + near).contains(*level);
        let levels = self.levels.iter().filter(is_near);
        levels.fold((low, high), |(low, high), level| (low.min(*level), high.max(*level)))
    }

    /// The levels on a scale.
    pub(super) fn shown<'a>(&'a self, scale: &'a Scale) -> impl Iterator<Item = f64> + 'a {
        self.levels.iter().copied().filter(|level| (scale.low..=scale.high).contains(level))
    }

    /// The labels of the levels at the price axis.
    fn labels<'a>(&'a self, scale: &'a Scale, prices: &'a Prices) -> impl Iterator<Item = (f64, Text)> + 'a {
        self.shown(scale).map(|level| (level, prices.axis_label(level)))
    }

    /// Columns of the widest label, including a space before it.
    pub(super) fn width(&self, scale: &Scale, prices: &Prices) -> u16 {
        self.labels(scale, prices).map(|(_, label)| text::width(&label) + 1).max().unwrap_or(0).min(Prices::MAX_LABEL)
    }

    /// Paints the lines of the levels over the area and the opening price, but not over prices and averages.
    pub(super) fn paint_levels(&self, buf: &mut Buffer, plot: Rect, scale: &Scale, theme: &Theme) {
        for level in self.shown(scale) {
            let row = text::line(plot, scale.row(level, plot.height * 4) / 4);
            for column in 0..row.width {
                let Some(cell) = buf.cell_mut((row.x + column, row.y)) else { continue };
                if matches!(cell.symbol(), " " | "┄" | "⠂" | "⠐") {
                    // The area below is dim.
                    cell.reset();
                    cell.set_symbol("╌").set_style(theme.warn);
                }
            }
        }
    }

    /// Paints the labels of the levels over those of the price axis along `area`, but not over 0%, where the line itself is
    /// labelled.
    pub(super) fn paint_labels(
        &self,
        buf: &mut Buffer,
        area: Rect,
        plot: Rect,
        scale: &Scale,
        prices: &Prices,
        theme: &Theme,
    ) {
        let Some(inner) = area.width.checked_sub(1) else { return };
        let zero = prices.zero_row(plot, scale);
        for (level, label) in self.labels(scale, prices) {
            let row = scale.row(level, plot.height * 4) / 4;
            if zero == Some(row) {
                continue;
            }
            let row = text::line(area, row);
            let place = Rect { width: inner, ..row };
            // A label of the axis may be there, which is dim.
            text::clear(buf, place);
            text::number(buf, place, &label, theme.warn);
            text::put(buf, text::shifted(row, inner), "┤", theme.chart_axis);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stay_near_the_line() {
        let free = |rows: &'static [u16]| move |row: &u16| rows.contains(row);
        assert_eq!(MarkerKind::In.row_beside(7, 9, free(&[0, 5, 8])), Some(8));
        assert_eq!(MarkerKind::In.row_beside(7, 9, free(&[0, 5])), Some(5), "the nearest one above");
        assert_eq!(MarkerKind::Note.row_beside(2, 9, free(&[4, 8])), Some(4), "the nearest one below");
        assert_eq!(MarkerKind::Out.row_beside(2, 9, free(&[])), None);
    }
}
