//! The limits of alerts as dashed lines, and the times of lots and notes as marks.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::parts::Parts;
use super::prices::Prices;
use super::raster::Scale;
use crate::format::words::counted;
use crate::model::{Text, UtcTime};
use crate::theme::Theme;
use crate::view::widgets::text;

/// Maximum distance of a shown limit from the prices, as a share of their range.
const NEAR: f64 = 0.25;

/// The same as a share of the lowest price, for prices that hardly change.
const NEAR_PRICE: f64 = 0.02;

/// Maximum marks at the cursor whose texts are all shown.
const MAX_TEXTS: usize = 3;

/// The marks of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotations {
    /// Prices with a dashed line. Those far from the prices of the chart are omitted.
    pub levels: Vec<Level>,
    /// Moments with a mark. Those outside the chart are omitted.
    pub markers: Vec<Marker>,
}

/// A price with a dashed line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The price.
    pub price: f64,
    /// Whether its label has a `≈`.
    pub is_approximate: bool,
}

impl From<f64> for Level {
    fn from(price: f64) -> Level {
        Level { price, is_approximate: false }
    }
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

impl Marker {
    /// The texts of the marks at a cursor; if there are more than three, their number and the text of the one nearest to
    /// `time`. Empty without marks.
    pub fn texts(here: &[&Marker], time: UtcTime) -> String {
        let distance = |mark: &&&Marker| mark.time.since(time).max(time.since(mark.time));
        match here.iter().min_by_key(distance) {
            Some(nearest) if here.len() > MAX_TEXTS => {
                let notes = here.iter().filter(|mark| mark.kind == MarkerKind::Note).count();
                let what = match notes {
                    0 => "lot",
                    _ if notes == here.len() => "note",
                    _ => "mark",
                };
                format!("{} · {}", counted(here.len(), what), nearest.text)
            }
            _ => here.iter().map(|mark| mark.text.as_str()).collect::<Vec<_>>().join(" · "),
        }
    }
}

/// The meaning of a mark. In a column with several kinds, the first one is nearest to the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkerKind {
    /// A note of the user: `◆` above the line.
    Note,
    /// Coins bought or received: `▲` below the line.
    In,
    /// Coins sold or sent: `▼` above the line.
    Out,
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
        let near = ((high - low) * NEAR).max(low.abs() * NEAR_PRICE);
        let prices = self.levels.iter().map(|level| level.price);
        let levels = prices.filter(|price| (low - near..=high + near).contains(price));
        levels.fold((low, high), |(low, high), price| (low.min(price), high.max(price)))
    }

    /// The levels on a scale.
    pub(super) fn shown<'a>(&'a self, scale: &'a Scale) -> impl Iterator<Item = Level> + 'a {
        self.levels.iter().copied().filter(|level| (scale.low..=scale.high).contains(&level.price))
    }

    /// The labels of the levels at the price axis.
    fn labels<'a>(&'a self, scale: &'a Scale, prices: &'a Prices) -> impl Iterator<Item = (f64, Text)> + 'a {
        self.shown(scale).map(|Level { price, is_approximate }| {
            let mark = if is_approximate { "≈" } else { "" };
            (price, compact_str::format_compact!("{mark}{}", prices.axis_label(price)))
        })
    }

    /// Columns of the widest label, including a space before it.
    pub(super) fn width(&self, scale: &Scale, prices: &Prices) -> u16 {
        self.labels(scale, prices).map(|(_, label)| text::width(&label) + 1).max().unwrap_or(0).min(Prices::MAX_LABEL)
    }

    /// Paints the lines of the levels over the area and the opening price, but not over prices and averages.
    pub(super) fn paint_levels(&self, buf: &mut Buffer, plot: Rect, scale: &Scale, theme: &Theme) {
        for level in self.shown(scale) {
            let row = text::line(plot, scale.cell_row(level.price, plot.height));
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

    /// Paints the labels of the levels over the labels of the price axis at the left, but not over 0%, where the line
    /// itself is labelled.
    pub(super) fn paint_labels(&self, buf: &mut Buffer, parts: &Parts, scale: &Scale, prices: &Prices, theme: &Theme) {
        let (area, plot) = (parts.left, parts.plot);
        let Some(inner) = area.width.checked_sub(1) else { return };
        let zero = prices.zero_row(plot, scale);
        for (level, label) in self.labels(scale, prices) {
            let row = scale.cell_row(level, plot.height);
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

    #[test]
    fn many_marks_at_the_cursor_are_counted_and_the_nearest_is_shown() {
        let mark = |secs: i64, kind| Marker { time: UtcTime::from_secs(secs), kind, text: format!("at {secs}") };
        let (note, lot) = (|secs| mark(secs, MarkerKind::Note), |secs| mark(secs, MarkerKind::In));
        let texts = |marks: &[Marker]| Marker::texts(&marks.iter().collect::<Vec<_>>(), UtcTime::from_secs(20));
        assert_eq!(texts(&[]), "");
        assert_eq!(texts(&[note(10), note(20), lot(20)]), "at 10 · at 20 · at 20");
        assert_eq!(texts(&[note(10), note(19), note(22), note(30)]), "4 notes · at 19");
        assert_eq!(texts(&[lot(10), lot(10), lot(21), lot(30)]), "4 lots · at 21");
        assert_eq!(texts(&[note(10), note(10), note(40), lot(30)]), "4 marks · at 10");
    }
}
