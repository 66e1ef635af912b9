//! Moving averages over a chart.

use super::candles::Bar;
use crate::model::{CandleWidth, Point};

/// The average of the closes of the last `count` candles, at each candle from the `count`th on. Where one of them is
/// missing there is no average: it would mix prices from before and after the gap.
pub(super) fn average(bars: &[Bar], count: usize, width: CandleWidth) -> Vec<Point> {
    let span = i64::try_from(count).unwrap_or(i64::MAX) - 1;
    let average = |window: &[Bar]| {
        let (first, last) = (window.first()?, window.last()?);
        let is_whole = width.number(last.time) - width.number(first.time) == span;
        let sum: f64 = window.iter().map(|bar| bar.close / count as f64).sum();
        let price = Some(sum).filter(|sum| is_whole && sum.is_finite());
        Some(Point { time: last.time, price, volume: None, market_cap: None })
    };
    bars.windows(count.max(1)).filter_map(average).collect()
}
