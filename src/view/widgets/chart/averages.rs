//! Moving averages over a chart.

use super::closes::{self, Close};
use crate::model::{AverageKind, MovingAverage, Point};

/// The average at each close, starting at the `length`th. Where one of the last `length` closes is missing, there is
/// none: it would mix prices from before and after the gap.
pub(super) fn average(closes: &[Close], average: MovingAverage) -> Vec<Point> {
    let MovingAverage { length, kind } = average;
    match kind {
        AverageKind::Simple => windows(closes, length, mean),
        AverageKind::Exponential => exponential(closes, length),
    }
}

/// The mean of the prices. Divided first, so that extreme numbers can't overflow.
pub(super) fn mean(closes: &[Close]) -> f64 {
    closes.iter().map(|close| close.price / closes.len() as f64).sum()
}

/// A value of each `length` consecutive closes, at the last of them; none across a gap.
pub(super) fn windows(closes: &[Close], length: usize, of: impl Fn(&[Close]) -> f64) -> Vec<Point> {
    let span = i64::try_from(length).unwrap_or(i64::MAX) - 1;
    let value = |window: &[Close]| {
        let (first, last) = (window.first()?, window.last()?);
        let is_whole = last.number.saturating_sub(first.number) == span;
        Some(last.value(is_whole.then(|| of(window))))
    };
    closes.windows(length.max(1)).filter_map(value).collect()
}

/// See [`Exponential`]. Starts again after a gap.
fn exponential(closes: &[Close], length: usize) -> Vec<Point> {
    let mut points = Vec::with_capacity(closes.len());
    for run in closes::runs(closes) {
        let mut average = Exponential::new(length);
        points.extend(run.iter().map(|close| close.value(average.next(close.price))));
    }
    points
}

/// The mean of the first `length` numbers, then each number with the weight 2 / (`length` + 1): the usual convention, as
/// in StockCharts' ChartSchool ("Moving Averages - Simple and Exponential").
#[derive(Clone, Copy, Debug)]
pub(super) struct Exponential {
    length: usize,
    /// How many numbers there have been.
    count: usize,
    average: f64,
}

impl Exponential {
    pub(super) fn new(length: usize) -> Exponential {
        Exponential { length, count: 0, average: 0.0 }
    }

    /// The average up to the next number; `None` before the `length`th.
    pub(super) fn next(&mut self, number: f64) -> Option<f64> {
        let length = self.length as f64;
        let weight = 2.0 / (length + 1.0);
        self.average = if self.count < self.length {
            self.average + number / length
        } else {
            // Unlike with a weighted difference, extreme numbers can't overflow.
            self.average * (1.0 - weight) + number * weight
        };
        self.count += 1;
        Some(self.average).filter(|_| self.count >= self.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::widgets::chart::tests::hourly;

    /// The averages of hourly closes, rounded to cents.
    fn averages(average: MovingAverage, closes: &[Option<f64>]) -> Vec<Option<f64>> {
        let points = super::average(&hourly(closes), average);
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
        let found = averages(MovingAverage::exponential(2), &closes);
        assert!(found.iter().skip(1).all(Option::is_some), "{found:?}");
    }
}
