//! Moving averages over a chart.

use super::candles::Bar;
use crate::model::{CandleWidth, Point};

/// The candles of the short and the long average.
pub const AVERAGES: [usize; 2] = [7, 25];

/// The average of the closes of the last `count` candles, at each candle from the `count`th on. A gap between candles
/// is a gap in the average.
pub(super) fn average(bars: &[Bar], count: usize, width: CandleWidth) -> Vec<Point> {
    let mut points = Vec::with_capacity(bars.len());
    let mut before = None;
    for window in bars.windows(count.max(1)) {
        let Some(last) = window.last() else { continue };
        let point = |price| Point { time: last.time, price, volume: None, market_cap: None };
        let number = width.number(last.time);
        if before.is_some_and(|before: i64| before.saturating_add(1) < number) {
            points.push(point(None));
        }
        before = Some(number);
        let sum: f64 = window.iter().map(|bar| bar.close / count as f64).sum();
        points.push(point(Some(sum).filter(|sum| sum.is_finite())));
    }
    points
}
