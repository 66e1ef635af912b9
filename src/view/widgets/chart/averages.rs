//! Moving averages over a chart.

use super::candles::{self, Bar};
use crate::model::{AverageKind, CandleWidth, MovingAverage, Point};

/// The average at each candle, starting at the `length`th. Where one of the last `length` candles is missing, there is
/// none: it would mix prices from before and after the gap.
pub(super) fn average(bars: &[Bar], average: MovingAverage, width: CandleWidth) -> Vec<Point> {
    let MovingAverage { length, kind } = average;
    match kind {
        AverageKind::Simple => simple(bars, length, width),
        AverageKind::Exponential => exponential(bars, length, width),
    }
}

/// The mean of the closes of the last `length` candles.
fn simple(bars: &[Bar], length: usize, width: CandleWidth) -> Vec<Point> {
    let span = i64::try_from(length).unwrap_or(i64::MAX) - 1;
    let average = |window: &[Bar]| {
        let (first, last) = (window.first()?, window.last()?);
        let is_whole = width.number(last.time) - width.number(first.time) == span;
        let sum: f64 = window.iter().map(|bar| bar.close / length as f64).sum();
        Some(last.value(Some(sum).filter(|_| is_whole)))
    };
    bars.windows(length.max(1)).filter_map(average).collect()
}

/// The mean of the first `length` closes, then each close with the weight 2 / (`length` + 1): the usual convention, as in
/// StockCharts' ChartSchool ("Moving Averages - Simple and Exponential"). Starts again after a gap.
fn exponential(bars: &[Bar], length: usize, width: CandleWidth) -> Vec<Point> {
    let weight = 2.0 / (length as f64 + 1.0);
    let mut points = Vec::with_capacity(bars.len());
    for run in candles::runs(bars, width) {
        let mut average = 0.0;
        for (before, bar) in run.iter().enumerate() {
            average = match before < length {
                true => average + bar.close / length as f64,
                // Unlike with a weighted difference, extreme numbers can't overflow.
                false => average * (1.0 - weight) + bar.close * weight,
            };
            points.push(bar.value(Some(average).filter(|_| before + 1 >= length)));
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::widgets::chart::tests::{hourly, hours};

    /// The averages of hourly closes, rounded to cents.
    fn averages(average: MovingAverage, closes: &[Option<f64>]) -> Vec<Option<f64>> {
        let points = super::average(&hourly(closes), average, hours(1));
        points.into_iter().map(|point| point.price.map(|price| (price * 100.0).round() / 100.0)).collect()
    }

    #[test]
    fn exponential_average_starts_with_the_mean() {
        // ChartSchool's example of ten periods.
        let closes = [
            22.27, 22.19, 22.08, 22.17, 22.18, 22.13, 22.23, 22.43, 22.24, 22.29, 22.15, 22.39, 22.38, 22.61, 23.36,
            24.05, 23.75,
        ];
        let expected = [22.22, 22.21, 22.24, 22.27, 22.33, 22.52, 22.80, 22.97];
        let found = averages(MovingAverage::exponential(10), &closes.map(Some));
        assert_eq!(found, [vec![None; 9], expected.map(Some).to_vec()].concat());
        assert_eq!(averages(MovingAverage::exponential(20), &closes.map(Some)), [None; 17], "too few candles");
        assert_eq!(averages(MovingAverage::exponential(10), &[]), []);
    }

    #[test]
    fn averages_have_the_same_gaps() {
        let closes: Vec<Option<f64>> = (0..12).map(|hour| (hour != 4).then_some(f64::from(hour))).collect();
        let values = |average| averages(average, &closes).into_iter().skip_while(Option::is_none).collect::<Vec<_>>();
        let exponential = values(MovingAverage::exponential(3));
        // On a straight line both follow it one candle late, before and after the gap.
        let expected = [Some(1.0), Some(2.0), None, None, Some(6.0), Some(7.0), Some(8.0), Some(9.0), Some(10.0)];
        assert_eq!(exponential, expected);
        assert_eq!(values(MovingAverage::simple(3)), exponential);
    }

    #[test]
    fn extreme_prices_do_not_overflow() {
        let closes = [f64::MAX, f64::MIN, f64::MAX, f64::MAX, f64::MIN, f64::MIN].map(Some);
        let bar = averages(MovingAverage::exponential(2), &closes);
        assert!(bar.iter().skip(1).all(Option::is_some), "{bar:?}");
    }
}
