//! Moving averages of closing prices.

use std::fmt;

/// A moving average of the closes of a chart's candles. The order is by length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MovingAverage {
    /// The length in candles.
    pub length: usize,
    /// The weights of the closes.
    pub kind: AverageKind,
}

/// The weights of the closes in a moving average.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AverageKind {
    /// Equal for all closes.
    Simple,
    /// Exponentially smaller for older ones.
    Exponential,
}

impl AverageKind {
    /// The label in charts: `MA`, `EMA`.
    pub fn label(self) -> &'static str {
        match self {
            AverageKind::Simple => "MA",
            AverageKind::Exponential => "EMA",
        }
    }
}

impl MovingAverage {
    /// A simple moving average.
    pub const fn simple(length: usize) -> MovingAverage {
        MovingAverage { length, kind: AverageKind::Simple }
    }

    /// An exponential moving average.
    pub const fn exponential(length: usize) -> MovingAverage {
        MovingAverage { length, kind: AverageKind::Exponential }
    }
}

/// `MA 7`, `EMA 12`.
impl fmt::Display for MovingAverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind.label(), self.length)
    }
}
