//! Candles: the open, high, low and close of equal spans of time.

use serde::{Deserialize, Serialize};

use super::candle_width::CandleWidth;
use super::chart::Point;
use super::time::UtcTime;

/// The prices of a span of time. A candle built from points may have a less extreme high and low than one built from
/// trades.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candle {
    /// When it starts.
    #[serde(rename = "time")]
    pub start: UtcTime,
    /// The first price.
    pub open: f64,
    /// The highest price.
    pub high: f64,
    /// The lowest price.
    pub low: f64,
    /// The last price.
    pub close: f64,
    /// The volume. In a candle built from points with 24-hour volumes, the volume at its last point.
    pub volume: Option<f64>,
}

impl Candle {
    /// Merges consecutive candles into one; `None` if there are none. Its volume is known if all of theirs are.
    pub fn joined(parts: &[Candle]) -> Option<Candle> {
        let (first, last) = (parts.first()?, parts.last()?);
        Some(Candle {
            start: first.start,
            open: first.open,
            high: parts.iter().fold(f64::NEG_INFINITY, |high, part| high.max(part.high)),
            low: parts.iter().fold(f64::INFINITY, |low, part| low.min(part.low)),
            close: last.close,
            volume: parts.iter().map(|part| part.volume).sum(),
        })
    }

    /// Whether the prices are positive and in order.
    pub fn is_possible(&self) -> bool {
        let Candle { open, high, low, close, volume, .. } = *self;
        let is_in_order = low <= open.min(close) && open.max(close) <= high;
        let is_volume = volume.is_none_or(|volume| volume.is_finite() && volume >= 0.0);
        let is_finite = [open, high, low, close].into_iter().all(f64::is_finite);
        is_finite && low > 0.0 && is_in_order && is_volume
    }
}

/// The index of the last point of the candle `by` candles after the one that contains the point at `index`; candles
/// without points are skipped, and the first and last point are the ends.
pub fn step(points: &[Point], index: usize, by: isize, width: CandleWidth) -> Option<usize> {
    let last = points.len().checked_sub(1)?;
    let end_of = |index: usize| {
        let number = points.get(index).map_or(0, |point| width.number(point.time));
        points.partition_point(|point| width.number(point.time) <= number).saturating_sub(1)
    };
    let mut here = end_of(index.min(last));
    for _ in 0..by.unsigned_abs() {
        let next = match by {
            ..0 => {
                let start = points.get(here).map(|point| width.start(width.number(point.time)))?;
                points.partition_point(|point| point.time < start).checked_sub(1)
            }
            _ => Some(here + 1).filter(|next| *next <= last).map(end_of),
        };
        match next {
            Some(next) => here = next,
            None => break,
        }
    }
    Some(here)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_skip_candles_without_points() {
        let quarter = CandleWidth::parse("15m").unwrap();
        let point = |minute: i64| Point {
            time: UtcTime::from_secs(minute * 60),
            price: Some(1.0),
            volume: None,
            market_cap: None,
        };
        let points = [0, 5, 16, 17, 50].map(point);
        for (from, by, to) in
            [(0, 1, 3), (1, 1, 3), (3, 1, 4), (4, 1, 4), (4, -1, 3), (2, -1, 1), (0, -1, 1), (0, 0, 1)]
        {
            assert_eq!(step(&points, from, by, quarter), Some(to), "{from} {by}");
        }
        assert_eq!((step(&points, 0, 9, quarter), step(&points, 4, -9, quarter)), (Some(4), Some(1)));
        assert_eq!(step(&[], 0, 1, quarter), None);
    }
}
