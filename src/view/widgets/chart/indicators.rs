//! The indicators of a chart: its moving averages, Bollinger bands, RSI and MACD.

use super::closes::Close;
use super::columns::Columns;
use super::macd::Macd;
use super::{averages, bollinger, macd, rsi};
use crate::model::{CandleWidth, MovingAverage, Point, UtcTime};

/// What an area shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The width of the candles, wider than the chosen one if that many don't fit.
    pub candle: CandleWidth,
    /// The moving averages with enough prices.
    pub averages: Vec<MovingAverage>,
    /// Whether there are enough prices for the Bollinger bands.
    pub has_bands: bool,
    /// Whether there is room for the RSI.
    pub has_rsi: bool,
    /// Whether there is room for the MACD.
    pub has_macd: bool,
}

/// The values of a chart's indicators at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Indicators {
    /// The moving averages with their values.
    pub averages: [Option<(MovingAverage, f64)>; 2],
    /// The lower and the upper Bollinger band.
    pub bands: Option<[f64; 2]>,
    /// The RSI, from 0 to 100.
    pub rsi: Option<f64>,
    /// The MACD, in units of the price.
    pub macd: Option<f64>,
    /// The signal of the MACD.
    pub signal: Option<f64>,
}

/// The chosen indicators besides Bollinger bands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen<'a> {
    /// The moving averages, at most two.
    pub(super) averages: &'a [MovingAverage],
    /// The length of the RSI in closes.
    pub(super) rsi: Option<usize>,
    /// Whether there is the MACD.
    pub(super) has_macd: bool,
}

/// The values of a chart's indicators at the closes within its axis, oldest first.
#[derive(Debug)]
pub(super) struct Values {
    pub(super) averages: Vec<(MovingAverage, Vec<Point>)>,
    /// The lower band, the average, and the upper band; empty if they are off.
    pub(super) bands: [Vec<Point>; 3],
    /// Empty if the RSI is off.
    pub(super) rsi: Vec<Point>,
    /// Empty if the MACD is off.
    pub(super) macd: Macd,
}

/// The closes that indicators are computed from, and the time axis on which their values are shown.
#[derive(Debug)]
pub(super) struct ShownCloses {
    closes: Vec<Close>,
    axis: Columns,
}

impl ShownCloses {
    /// Closes, oldest first.
    pub(super) fn new(closes: Vec<Close>, axis: Columns) -> ShownCloses {
        ShownCloses { closes, axis }
    }

    /// The Bollinger bands.
    pub(super) fn bands(&self) -> [Vec<Point>; 3] {
        bollinger::bands(&self.closes).map(|values| self.shown(values))
    }

    /// The values of the chosen indicators, with these Bollinger bands.
    pub(super) fn values(&self, chosen: Chosen<'_>, bands: [Vec<Point>; 3]) -> Values {
        let closes = &self.closes;
        let average = |average: &MovingAverage| (*average, self.shown(averages::average(closes, *average)));
        Values {
            averages: chosen.averages.iter().map(average).collect(),
            bands,
            rsi: chosen.rsi.map(|length| self.shown(rsi::rsi(closes, length))).unwrap_or_default(),
            macd: if chosen.has_macd { macd::macd(closes).map(|values| self.shown(values)) } else { Macd::default() },
        }
    }

    /// The values whose times the axis shows.
    fn shown(&self, mut values: Vec<Point>) -> Vec<Point> {
        values.retain(|value| self.axis.shows(value.time));
        values
    }
}

impl Values {
    /// The moving averages with any value.
    pub(super) fn drawn_averages(&self) -> Vec<MovingAverage> {
        self.averages.iter().filter(|(_, values)| has_value(values)).map(|(average, _)| *average).collect()
    }

    /// Whether there is any value of the Bollinger bands.
    pub(super) fn has_bands(&self) -> bool {
        self.bands.iter().all(|values| has_value(values))
    }

    /// The newest known values. After a gap, the RSI and the MACD have none until there are enough closes again.
    pub(super) fn newest(&self) -> Indicators {
        self.found(|values| values.iter().rfind(|value| value.price.is_some()))
    }

    /// The values at the last close up to `time`: that of the candle at this time, or the one before if that has not
    /// closed yet. `interval`: the time span of each close.
    pub(super) fn at(&self, time: UtcTime, interval: CandleWidth) -> Indicators {
        let earliest = interval.number(time).saturating_sub(1);
        self.found(|values| values.iter().rfind(|it| it.time <= time).filter(|it| interval.number(it.time) >= earliest))
    }

    /// The values at the close of the candle of this width at `time`; none if it has no price.
    pub(super) fn of_candle(&self, time: UtcTime, candle: CandleWidth) -> Indicators {
        let number = candle.number(time);
        self.found(|values| values.iter().rfind(|it| candle.number(it.time) == number))
    }

    /// The values that `find` finds for each indicator.
    fn found<'a>(&'a self, find: impl Fn(&'a [Point]) -> Option<&'a Point>) -> Indicators {
        let value = |values: &'a [Point]| find(values)?.price;
        let mut found = Indicators::default();
        for (found, (average, values)) in found.averages.iter_mut().zip(&self.averages) {
            *found = value(values).map(|value| (*average, value));
        }
        let [lower, _, upper] = &self.bands;
        found.bands = value(lower).zip(value(upper)).map(|(lower, upper)| [lower, upper]);
        found.rsi = value(&self.rsi);
        (found.macd, found.signal) = (value(&self.macd.line), value(&self.macd.signal));
        found
    }
}

fn has_value(values: &[Point]) -> bool {
    values.iter().any(|value| value.price.is_some())
}
