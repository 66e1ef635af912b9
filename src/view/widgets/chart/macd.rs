//! The moving average convergence/divergence (MACD) below a chart.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::averages::Exponential;
use super::closes::{self, Close};
use super::columns::{Columns, Run};
use super::pane::Pane;
use super::raster::{self, DOTS_PER_CELL, Raster, Scale};
use super::series::Series;
use super::tag::SIGN_WIDTH;
use crate::format::ShortPrice;
use crate::model::Point;
use crate::model::indicator::MACD_LENGTHS;
use crate::theme::Theme;
use crate::view::widgets::text;

/// The name in the axis.
const LABEL: &str = "MACD";

/// Columns of [`axis`] with a label: `−0.09952`.
pub(super) const AXIS: u16 = ShortPrice::WIDTH;

/// Columns of the tag with a value: `◀ −0.09952`.
pub(super) const TAG: u16 = SIGN_WIDTH + ShortPrice::WIDTH;

/// The MACD of closes, in units of the price.
#[derive(Debug, Default)]
pub(super) struct Macd {
    /// The fast minus the slow average.
    pub(super) line: Vec<Point>,
    /// The average of the line.
    pub(super) signal: Vec<Point>,
    /// The line minus the signal.
    histogram: Vec<Point>,
}

/// The MACD after Gerald Appel: the exponential average of 12 closes minus the average of 26, and the exponential
/// average of nine such differences as the signal. Starts again after a gap.
pub(super) fn macd(closes: &[Close]) -> Macd {
    macd_of(closes, MACD_LENGTHS)
}

fn macd_of(closes: &[Close], lengths: [usize; 3]) -> Macd {
    let mut macd = Macd::default();
    for run in closes::runs(closes) {
        let [mut fast, mut slow, mut average] = lengths.map(Exponential::new);
        for close in run {
            let (fast, slow) = (fast.next(close.price), slow.next(close.price));
            let value = fast.zip(slow).map(|(fast, slow)| fast - slow);
            let signal = value.and_then(|value| average.next(value));
            let difference = value.zip(signal).map(|(value, signal)| value - signal);
            macd.line.push(close.value(value));
            macd.signal.push(close.value(signal));
            macd.histogram.push(close.value(difference));
        }
    }
    macd
}

impl Macd {
    /// Changes the values by `of`.
    pub(super) fn map(self, of: impl Fn(Vec<Point>) -> Vec<Point>) -> Macd {
        Macd { line: of(self.line), signal: of(self.signal), histogram: of(self.histogram) }
    }

    fn has_value(&self) -> bool {
        self.line.iter().any(|point| point.price.is_some())
    }

    /// From the lowest to the highest value, zero included.
    pub(super) fn scale(&self) -> Scale {
        let points = [&self.line, &self.signal, &self.histogram].into_iter().flatten();
        let values = points.filter_map(|point| point.price);
        Scale::new(values.clone().fold(0.0, f64::min), values.fold(0.0, f64::max))
    }
}

/// Paints the axis with zero, the highest value (or the lowest if all are negative) and the name, in the last column of
/// `area`.
pub(super) fn axis(buf: &mut Buffer, area: Rect, macd: &Macd, scale: &Scale, theme: &Theme) {
    let Some(inner) = area.width.checked_sub(1) else { return };
    let labels = Rect { width: inner, ..area };
    let row = |value: f64| scale.cell_row(value, area.height);
    let zero = row(0.0);
    let end = if zero == 0 { scale.low } else { scale.high };
    let end = Some((row(end), number(end)))
        .filter(|(row, label)| *row != zero && macd.has_value() && text::width(label) <= inner);
    let values = [Some((zero, String::from("0"))), end.clone()];
    for (row, label) in values.into_iter().flatten() {
        text::number(buf, text::line(labels, row), &label, theme.chart_axis);
        text::put(buf, text::line(text::shifted(area, inner), row), "┤", theme.chart_axis);
    }
    let is_free = |free: &u16| *free != zero && end.as_ref().is_none_or(|(row, _)| row != free);
    if let Some(free) = (0..area.height).find(is_free) {
        text::put_right(buf, text::line(labels, free), LABEL, theme.chart_axis);
    }
}

/// Paints zero, the histogram as bars, the line, the dashed signal and the tag.
pub(super) fn paint(buf: &mut Buffer, pane: &Pane<'_>, macd: &Macd, scale: &Scale) {
    let &Pane { area, columns, theme, .. } = pane;
    if area.is_empty() {
        return;
    }
    let zero = scale.row(0.0, area.height * DOTS_PER_CELL);
    raster::paint_base(buf, area, zero, theme);
    if !macd.has_value() {
        let [_, slow, _] = MACD_LENGTHS;
        return pane.paint_needed(buf, u16::from(zero / DOTS_PER_CELL == 0), LABEL, slow);
    }
    bars(&macd.histogram, columns, area, scale).paint(buf, theme.chart_area);
    let trace = |points: &[Point]| Raster::trace(&Series::new(points), columns, area, scale);
    let (line, signal) = (trace(&macd.line), trace(&macd.signal));
    let [_, signal_style] = theme.averages();
    raster::paint_lines(buf, area, &[(&line, theme.chart_line), (&signal, signal_style)]);
    signal.paint_dashes(buf, signal_style);
    pane.paint_tag(buf, |value| scale.cell_row(value, area.height), number);
}

/// `0.1234`, `−12.34`.
pub(super) fn number(value: f64) -> String {
    ShortPrice(Some(value)).to_string()
}

/// A bar from zero to the last value of each column.
fn bars(points: &[Point], columns: &Columns, area: Rect, scale: &Scale) -> Raster {
    let row = scale.rows(area.height * DOTS_PER_CELL);
    let mut bars = Raster::empty(area);
    for Run { column, points, .. } in columns.runs(points) {
        if let Some(value) = points.iter().rev().find_map(|point| point.price) {
            bars.cover(column, row(value.max(0.0)), row(value.min(0.0)));
        }
    }
    bars
}

#[cfg(test)]
mod tests {
    use ratatui::style::Style;

    use super::*;
    use crate::view::widgets::chart::tests::hourly;

    fn rounded(points: &[Point]) -> Vec<Option<f64>> {
        points.iter().map(|point| point.price.map(|value| (value * 10_000.0).round() / 10_000.0)).collect()
    }

    #[test]
    fn macd_is_the_difference_of_two_averages() {
        // Averages of two: 1.5, 3.1667, 6.3889, 12.7963; of three: 2.3333, 5.1667, 10.5833. The signal starts with the mean
        // of 0.8333 and 1.2222.
        let macd = macd_of(&hourly(&[1.0, 2.0, 4.0, 8.0, 16.0].map(Some)), [2, 3, 2]);
        assert_eq!(rounded(&macd.line), [None, None, Some(0.8333), Some(1.2222), Some(2.213)]);
        assert_eq!(rounded(&macd.signal), [None, None, None, Some(1.0278), Some(1.8179)]);
        assert_eq!(rounded(&macd.histogram), [None, None, None, Some(0.1944), Some(0.3951)]);
    }

    #[test]
    fn macd_of_a_straight_line_is_the_difference_of_the_delays() {
        // Averages of 12 and 26 follow a straight line 5.5 and 12.5 closes late.
        let closes: Vec<_> = (0..60).map(|hour| Some(f64::from(hour))).collect();
        let macd = macd(&hourly(&closes));
        assert_eq!(rounded(&macd.line), [vec![None; 25], vec![Some(7.0); 35]].concat());
        assert_eq!(rounded(&macd.signal), [vec![None; 33], vec![Some(7.0); 27]].concat());
        assert!(rounded(&macd.histogram[33..]).iter().all(|value| value.is_some_and(|value| value.abs() < 1e-9)));
    }

    #[test]
    fn macd_starts_again_after_a_gap() {
        let closes: Vec<_> = (0..9).map(|hour| (hour != 4).then_some(f64::from(hour))).collect();
        let line = rounded(&macd_of(&hourly(&closes), [1, 3, 1]).line);
        assert_eq!(line, [None, None, Some(1.0), Some(1.0), None, None, Some(1.0), Some(1.0)]);
    }

    #[test]
    fn signal_and_line_are_both_visible_where_they_are_the_same() {
        // On a straight line, both have the same values at the last 27 closes.
        let closes: Vec<_> = (0..60).map(|hour| Some(f64::from(hour))).collect();
        let closes = hourly(&closes);
        let points: Vec<Point> = closes.iter().map(|close| close.value(Some(close.price))).collect();
        let area = Rect::new(0, 0, 60, 3);
        let mut buf = Buffer::empty(area);
        let macd = macd(&closes);
        let columns = Columns::new(&points, 60);
        let (right, theme) = (Rect::default(), Theme::ANSI);
        let pane = Pane { area, right, columns: &columns, tagged: None, more: None, theme };
        paint(&mut buf, &pane, &macd, &macd.scale());
        let count = |style: Style| buf.content.iter().filter(|cell| Some(cell.fg) == style.fg).count();
        let [_, signal] = Theme::ANSI.averages();
        let counts = (count(Theme::ANSI.chart_line), count(signal));
        assert!(counts.0 > 12 && counts.1 > 12, "{counts:?}");
    }

    #[test]
    fn histogram_has_bars_from_zero() {
        let closes = hourly(&[1.0, -1.0, 0.5].map(Some));
        let points: Vec<Point> = closes.iter().map(|close| close.value(Some(close.price))).collect();
        let bars = bars(&points, &Columns::new(&points, 3), Rect::new(0, 0, 3, 2), &Scale::new(-1.0, 1.0));
        assert_eq!([0, 1, 2].map(|column| bars.rows(column)), [Some(0..2), Some(1..2), Some(0..2)]);
    }
}
