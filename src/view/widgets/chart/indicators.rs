//! The indicators of a chart: its moving averages and RSI.

use super::columns::Columns;
use super::{Chart, averages, closes, rsi};
use crate::model::{CandleWidth, ChartStyle, MovingAverage, Point, UtcTime};

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

/// The values of a chart's indicators at the closes within its axis, oldest first.
#[derive(Debug, Default)]
pub(super) struct Values {
    pub(super) averages: Vec<(MovingAverage, Vec<Point>)>,
    /// Empty if there is no RSI.
    pub(super) rsi: Vec<Point>,
}

impl Values {
    /// Those of a chart.
    pub(super) fn of(chart: &Chart<'_>) -> Values {
        if !chart.has_indicators() {
            return Values::default();
        }
        let series = chart.series;
        let (data, interval) = chart.closes();
        let newest = series.data().all().points().last().map(|point| point.time);
        let closes = closes::closes(data.all(), interval, newest);
        let axis = match chart.style {
            ChartStyle::Candles => Columns::of_candles(series.data().whole_points(chart.candle), chart.candle, 1),
            _ => Columns::new(series.points(), 1),
        };
        let shown = |mut values: Vec<Point>| {
            values.retain(|value| axis.shows(value.time));
            values
        };
        let averages = chart.averages.iter();
        Values {
            averages: averages.map(|average| (*average, shown(averages::average(&closes, *average)))).collect(),
            rsi: chart.rsi.map(|length| shown(rsi::rsi(&closes, length))).unwrap_or_default(),
        }
    }

    /// The moving averages with any value.
    pub(super) fn drawn_averages(&self) -> Vec<MovingAverage> {
        let has_value = |values: &[Point]| values.iter().any(|value| value.price.is_some());
        self.averages.iter().filter(|(_, values)| has_value(values)).map(|(average, _)| *average).collect()
    }

    /// Those at the last close from `from` to `until`, or at the one before if the candle at `from` has not closed yet.
    pub(super) fn at(&self, from: UtcTime, until: UtcTime, interval: CandleWidth) -> Indicators {
        let earliest = interval.number(from).saturating_sub(1);
        let value = |values: &[Point]| {
            let last = values.iter().rfind(|value| value.time <= until)?;
            last.price.filter(|_| interval.number(last.time) >= earliest)
        };
        let mut found = Indicators::default();
        for (found, (average, values)) in found.averages.iter_mut().zip(&self.averages) {
            *found = value(values).map(|value| (*average, value));
        }
        found.rsi = value(&self.rsi);
        found
    }
}
