//! The indicators of a chart: its moving averages and RSI.

use super::candles::Bar;
use super::{averages, rsi};
use crate::model::{CandleWidth, MovingAverage, Point, UtcTime};

/// What an area shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The width of the candles, wider than the chosen one if that many don't fit.
    pub candle: CandleWidth,
    /// The moving averages with enough prices.
    pub averages: Vec<MovingAverage>,
    /// Whether there is room for the RSI.
    pub has_rsi: bool,
}

/// The values of a chart's indicators at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Indicators {
    /// The moving averages with their values.
    pub averages: [Option<(MovingAverage, f64)>; 2],
    /// The RSI, from 0 to 100.
    pub rsi: Option<f64>,
}

impl Indicators {
    /// Those at the candle that contains a time.
    pub(super) fn at(
        time: UtcTime,
        bars: &[Bar],
        width: CandleWidth,
        averages: &[MovingAverage],
        rsi: Option<usize>,
    ) -> Indicators {
        let value = |points: Vec<Point>| {
            points.iter().find(|point| width.number(point.time) == width.number(time)).and_then(|point| point.price)
        };
        let mut found = Indicators::default();
        for (found, &average) in found.averages.iter_mut().zip(averages) {
            *found = value(averages::average(bars, average, width)).map(|value| (average, value));
        }
        found.rsi = rsi.and_then(|length| value(rsi::rsi(bars, length, width)));
        found
    }
}
