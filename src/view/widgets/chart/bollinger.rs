//! Bollinger bands over a chart.

use super::averages::{mean, windows};
use super::closes::Close;
use crate::model::Point;
use crate::model::indicator::BOLLINGER_LENGTH;

/// The standard deviations between the average and each band.
const DEVIATIONS: f64 = 2.0;

/// The lower band, the average, and the upper band after John Bollinger, "Bollinger on Bollinger Bands" (2001): two
/// standard deviations of the population around the mean of the last 20 closes. Where one of these is missing, there is
/// none.
pub(super) fn bands(closes: &[Close]) -> [Vec<Point>; 3] {
    bands_of(closes, BOLLINGER_LENGTH)
}

/// The range of prices extended to the bands, without values that are no prices.
pub(super) fn range_with_bands(bands: &[Vec<Point>; 3], low: f64, high: f64) -> (f64, f64) {
    let prices = bands.iter().flatten().filter_map(|value| value.price).filter(|price| *price > 0.0);
    prices.fold((low, high), |(low, high), price| (low.min(price), high.max(price)))
}

fn bands_of(closes: &[Close], length: usize) -> [Vec<Point>; 3] {
    [-DEVIATIONS, 0.0, DEVIATIONS].map(|factor| {
        windows(closes, length, |window| {
            let mean = mean(window);
            mean + factor * deviation(window, mean)
        })
    })
}

/// The standard deviation of the population.
fn deviation(closes: &[Close], mean: f64) -> f64 {
    let squares = closes.iter().map(|close| (close.price - mean).powi(2) / closes.len() as f64);
    squares.sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::widgets::chart::tests::hourly;

    /// The bands of hourly closes, rounded to four decimals.
    fn rounded(closes: &[Option<f64>], length: usize) -> [Vec<Option<f64>>; 3] {
        let round = |point: &Point| point.price.map(|price| (price * 10_000.0).round() / 10_000.0);
        bands_of(&hourly(closes), length).map(|points| points.iter().map(round).collect())
    }

    #[test]
    fn bands_are_two_deviations_from_the_average() {
        // Mean 5, and squared differences of 9, 1, 1, 1, 0, 0, 4 and 16.
        let closes = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].map(Some);
        assert_eq!(rounded(&closes, 8), [1.0, 5.0, 9.0].map(|value| vec![Some(value)]));
        // Mean 10.5, and a variance of (400 - 1) / 12.
        let closes: Vec<_> = (1..=20).map(|close| Some(f64::from(close))).collect();
        assert_eq!(rounded(&closes, BOLLINGER_LENGTH), [-1.0326, 10.5, 22.0326].map(|value| vec![Some(value)]));
        assert!(rounded(&closes[1..], BOLLINGER_LENGTH).iter().all(Vec::is_empty), "too few closes");
        assert_eq!(rounded(&[Some(7.0); 21], BOLLINGER_LENGTH), [0, 1, 2].map(|_| vec![Some(7.0); 2]));
    }

    #[test]
    fn bands_have_no_value_across_a_gap() {
        let closes: Vec<_> = (0..9).map(|hour| (hour != 4).then_some(3.0)).collect();
        let value = Some(3.0);
        assert_eq!(rounded(&closes, 3), [0, 1, 2].map(|_| vec![value, value, None, None, value, value]));
    }
}
