//! The relative strength index (RSI) below a chart, on a scale from 0 to 100.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::closes::{self, Close};
use super::pane::Pane;
use super::raster::{self, DOTS_PER_CELL, Raster, Scale};
use super::series::Series;
use super::tag::SIGN_WIDTH;
use crate::model::Point;
use crate::theme::Theme;
use crate::view::widgets::text;

/// The levels above and below which a coin counts as overbought and oversold.
const LEVELS: [f64; 2] = [70.0, 30.0];

/// Columns of the tag with a value: `◀ 56.3`.
pub(super) const TAG: u16 = SIGN_WIDTH + 4;

/// The scale of the index.
const SCALE: Scale = Scale { low: 0.0, high: 100.0, is_log: false };

/// The RSI of closes after J. Welles Wilder, "New Concepts in Technical Trading Systems" (1978): 100 times
/// the share of gains in all changes. The averages of gains and losses start with the mean of the first `length` changes;
/// each later change counts for 1 / `length`. Without losses it is 100. Without any change it is 50, neither overbought
/// nor oversold. Starts again after a gap.
pub(super) fn rsi(closes: &[Close], length: usize) -> Vec<Point> {
    let count = length as f64;
    let mut points = Vec::with_capacity(closes.len());
    for run in closes::runs(closes) {
        let (mut gain, mut loss) = (0.0, 0.0);
        points.extend(run.first().map(|close| close.value(None)));
        for (before, pair) in run.windows(2).enumerate() {
            let [from, to] = pair else { continue };
            // Quartered, since differences of extreme numbers and their sum would overflow.
            let change = to.price / 4.0 - from.price / 4.0;
            let smoothing = if before < length { 1.0 } else { 1.0 - 1.0 / count };
            gain = gain * smoothing + change.max(0.0) / count;
            loss = loss * smoothing + (-change).max(0.0) / count;
            let all = gain + loss;
            let index = if all == 0.0 { 50.0 } else { gain / all * 100.0 };
            points.push(to.value(Some(index).filter(|_| before + 1 >= length)));
        }
    }
    points
}

/// `56.3`, `100`.
pub(super) fn number(rsi: f64) -> String {
    // No wider than other values.
    if rsi >= 99.95 { String::from("100") } else { format!("{rsi:.1}") }
}

/// `RSI 14`.
fn label(length: usize) -> String {
    format!("RSI {length}")
}

/// Columns of [`axis`].
pub(super) fn axis_width(length: usize) -> u16 {
    text::width(&label(length)) + 1
}

/// Paints the axis with the levels and the name, in the last column of `area`.
pub(super) fn axis(buf: &mut Buffer, area: Rect, length: usize, theme: &Theme) {
    let Some(inner) = area.width.checked_sub(1) else { return };
    let labels = Rect { width: inner, ..area };
    for level in LEVELS {
        let row = row(level, area);
        text::number(buf, text::line(labels, row), &level.to_string(), theme.chart_axis);
        text::put(buf, text::line(text::shifted(area, inner), row), "┤", theme.chart_axis);
    }
    text::put_right(buf, text::line(labels, free_row(area)), &label(length), theme.chart_axis);
}

/// Paints the levels, the line of these points and the tag. `length`: the length of the RSI in closes.
pub(super) fn paint(buf: &mut Buffer, pane: &Pane<'_>, points: &[Point], length: usize) {
    let &Pane { area, columns, theme, .. } = pane;
    if area.is_empty() {
        return;
    }
    for level in LEVELS {
        raster::paint_base(buf, area, SCALE.row(level, area.height * DOTS_PER_CELL), theme);
    }
    if points.iter().all(|point| point.price.is_none()) {
        return pane.paint_needed(buf, free_row(area), "RSI", length.saturating_add(1));
    }
    Raster::trace(&Series::new(points), columns, area, &SCALE).paint(buf, theme.chart_line);
    pane.paint_tag(buf, |value| row(value, area), number);
}

/// The row of cells of a value.
fn row(value: f64, area: Rect) -> u16 {
    SCALE.cell_row(value, area.height)
}

/// The first row of cells without a level.
fn free_row(area: Rect) -> u16 {
    (0..area.height).find(|free| LEVELS.iter().all(|level| row(*level, area) != *free)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::widgets::chart::tests::hourly;

    /// The RSI of hourly closes, rounded to two decimals.
    fn rounded(closes: &[Option<f64>], length: usize) -> Vec<Option<f64>> {
        let points = rsi(&hourly(closes), length);
        points.into_iter().map(|point| point.price.map(|value| (value * 100.0).round() / 100.0)).collect()
    }

    #[test]
    fn rsi_starts_with_the_mean_and_is_smoothed() {
        // StockCharts' example (ChartSchool, "Relative Strength Index").
        let closes = [
            44.3389, 44.0902, 44.1497, 43.6124, 44.3278, 44.8264, 45.0955, 45.4245, 45.8433, 46.0826, 45.8931, 46.0328,
            45.6140, 46.2820, 46.2820, 46.0028, 46.0328, 46.4116, 46.2222, 45.6439, 46.2122,
        ];
        let expected = [70.53, 66.32, 66.55, 69.41, 66.36, 57.97, 62.93];
        assert_eq!(rounded(&closes.map(Some), 14), [vec![None; 14], expected.map(Some).to_vec()].concat());
        let few = closes.map(Some);
        assert_eq!(rounded(&few[..14], 14), [None; 14], "fourteen closes have only thirteen changes");
        assert_eq!(rounded(&[], 14), []);
    }

    #[test]
    fn rsi_is_100_without_losses_0_without_gains_and_50_without_changes() {
        let closes = |close: fn(i32) -> f64| (0..6).map(|hour| Some(close(hour))).collect::<Vec<_>>();
        let last = |close| rounded(&closes(close), 3).pop().flatten();
        assert_eq!(last(f64::from), Some(100.0));
        assert_eq!(last(|hour| f64::from(9 - hour)), Some(0.0));
        assert_eq!(last(|_| 5.0), Some(50.0));
        assert_eq!(last(|hour| if hour % 2 == 0 { f64::MAX } else { f64::MIN }).map(f64::round), Some(37.0));
    }

    #[test]
    fn rsi_starts_again_after_a_gap() {
        let closes: Vec<Option<f64>> = (0..10).map(|hour| (hour != 4).then_some(f64::from(hour * hour))).collect();
        let (none, all) = (None, Some(100.0));
        assert_eq!(rounded(&closes, 2), [none, none, all, all, none, none, all, all, all]);
    }

    #[test]
    fn numbers_have_the_same_width() {
        assert_eq!([56.26, 99.94, 99.96, 100.0].map(number), ["56.3", "99.9", "100", "100"]);
    }
}
