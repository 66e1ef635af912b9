//! The candles of an exchange, which come with the prices of a chart.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::candle::Candle;
use super::candle_data::CandleSlice;
use super::chart::Point;
use super::interval;
use super::text::Text;
use super::time::UtcTime;

/// Candles of an exchange with equal spans of time, oldest first. The last one may be unfinished. Spans without trades
/// may be missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "CandlesRepr", into = "CandlesRepr")]
pub struct ExchangeCandles {
    exchange: Text,
    interval: Text,
    length: Duration,
    candles: Vec<Candle>,
    points: Vec<Point>,
}

/// The serialised form.
#[derive(Serialize, Deserialize)]
struct CandlesRepr {
    /// The exchange, by its name in the configuration.
    exchange: Text,
    /// The span of each candle, such as `5m`.
    interval: Text,
    /// Oldest first.
    items: Vec<Candle>,
}

impl ExchangeCandles {
    /// Candles of an exchange (its name) with an interval such as `5m`. `None` if there are none, or if any of them is
    /// impossible: all or nothing, since a chart with a wrong candle is worse than one built from points.
    pub fn new(exchange: Text, interval: Text, candles: Vec<Candle>) -> Option<ExchangeCandles> {
        let length = interval::length(&interval).filter(|length| *length >= Duration::from_mins(1))?;
        let millis = i64::try_from(length.as_millis()).ok()?;
        let is_aligned = candles.iter().all(|candle| candle.start.millis().rem_euclid(millis) == 0);
        let is_sorted = candles.is_sorted_by(|a, b| a.start < b.start);
        if candles.is_empty() || !is_aligned || !is_sorted || !candles.iter().all(Candle::is_possible) {
            return None;
        }
        let points = points(&candles);
        Some(ExchangeCandles { exchange, interval, length, candles, points })
    }

    /// The exchange, by its name in the configuration.
    pub fn exchange(&self) -> &Text {
        &self.exchange
    }

    /// The span of each candle, such as `5m`.
    pub fn interval(&self) -> &Text {
        &self.interval
    }

    /// The candles, oldest first.
    pub fn candles(&self) -> &[Candle] {
        &self.candles
    }

    /// Converts prices and volumes; `None` if any result is too small or too large.
    #[must_use]
    pub fn converted(mut self, convert: impl Fn(f64) -> f64) -> Option<ExchangeCandles> {
        for candle in &mut self.candles {
            for price in [&mut candle.open, &mut candle.high, &mut candle.low, &mut candle.close] {
                *price = convert(*price);
            }
            candle.volume = candle.volume.map(&convert);
        }
        ExchangeCandles::new(self.exchange, self.interval, self.candles)
    }

    /// The candles of the same period as these points; `None` if there are none.
    pub fn of_period(&self, points: &[Point]) -> Option<CandleSlice<'_>> {
        // A candle ends at the time of its point.
        self.ending_after(points.first()?.time.minus(Duration::from_millis(1)))
    }

    /// The candles that end after `time`; `None` if there are none.
    pub fn ending_after(&self, time: UtcTime) -> Option<CandleSlice<'_>> {
        let from = self.candles.partition_point(|candle| candle.start.plus(self.length) <= time);
        let (candles, points) = (self.candles.get(from..)?, self.points.get(from..)?);
        let length = i64::try_from(self.length.as_millis()).ok()?;
        (!candles.is_empty()).then_some(CandleSlice { exchange: &self.exchange, length, candles, points })
    }
}

/// The closing price and the volume of each candle, at its start.
fn points(candles: &[Candle]) -> Vec<Point> {
    let point = |candle: &Candle| Point {
        time: candle.start,
        price: Some(candle.close),
        volume: candle.volume,
        market_cap: None,
    };
    candles.iter().map(point).collect()
}

impl From<ExchangeCandles> for CandlesRepr {
    fn from(of: ExchangeCandles) -> CandlesRepr {
        CandlesRepr { exchange: of.exchange, interval: of.interval, items: of.candles }
    }
}

impl TryFrom<CandlesRepr> for ExchangeCandles {
    type Error = &'static str;

    fn try_from(CandlesRepr { exchange, interval, items }: CandlesRepr) -> Result<ExchangeCandles, &'static str> {
        ExchangeCandles::new(exchange, interval, items).ok_or("impossible candles")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candle(hour: i64, [open, high, low, close]: [f64; 4]) -> Candle {
        Candle { start: UtcTime::from_secs(hour * 3_600), open, high, low, close, volume: Some(7.0) }
    }

    fn candles(candles: Vec<Candle>) -> Option<ExchangeCandles> {
        ExchangeCandles::new("binance".into(), "1h".into(), candles)
    }

    #[test]
    fn impossible_candles_are_refused() {
        let good = candle(1, [2.0, 4.0, 1.0, 3.0]);
        assert!(candles(vec![good, candle(3, [3.0, 3.0, 3.0, 3.0])]).is_some(), "a gap and a flat candle");
        for bad in [
            candle(2, [2.0, 2.5, 1.0, 3.0]),
            candle(2, [2.0, 4.0, 2.5, 3.0]),
            candle(2, [0.0, 4.0, 0.0, 3.0]),
            candle(2, [f64::NAN, 4.0, 1.0, 3.0]),
            candle(2, [2.0, f64::INFINITY, 1.0, 3.0]),
            candle(1, [2.0, 4.0, 1.0, 3.0]),
            Candle { volume: Some(-1.0), ..candle(2, [2.0, 4.0, 1.0, 3.0]) },
            Candle { start: UtcTime::from_secs(7_201), ..candle(2, [2.0, 4.0, 1.0, 3.0]) },
        ] {
            assert_eq!(candles(vec![good, bad]), None, "{bad:?}");
        }
        assert_eq!(candles(Vec::new()), None);
        assert_eq!(ExchangeCandles::new("okx".into(), "often".into(), vec![good]), None);
    }

    #[test]
    fn candles_survive_serialisation() {
        let all = candles(vec![candle(1, [2.0, 4.0, 1.0, 3.0]), candle(2, [3.0, 3.0, 2.0, 2.5])]).unwrap();
        let json = serde_json::to_string(&all).unwrap();
        let start = r#"{"exchange":"binance","interval":"1h","items":[{"time":"1970-01-01T01:00:00Z","open":2.0,"#;
        assert!(json.starts_with(start), "{json}");
        assert_eq!(serde_json::from_str::<ExchangeCandles>(&json).unwrap(), all);
        assert!(serde_json::from_str::<ExchangeCandles>(&json.replace("4.0", "0.5")).is_err());
        let bytes = postcard::to_allocvec(&all).unwrap();
        assert_eq!(postcard::from_bytes::<ExchangeCandles>(&bytes).unwrap(), all);
    }

    #[test]
    fn part_starts_with_the_candle_that_ends_after_a_time() {
        let all = candles((1..5).map(|hour| candle(hour, [2.0, 4.0, 1.0, 3.0])).collect()).unwrap();
        let first = |secs| all.ending_after(UtcTime::from_secs(secs)).map(|part| part.candles[0].start.secs());
        assert_eq!([0, 7_199, 7_200, 17_999].map(first), [3_600, 3_600, 7_200, 14_400].map(Some));
        assert_eq!(first(18_000), None);
    }

    #[test]
    fn conversion_applies_to_prices_and_volumes() {
        let all = candles(vec![candle(1, [2.0, 4.0, 1.0, 3.0])]).unwrap();
        assert_eq!(all.clone().converted(|amount| amount * 1e-320 * 1e-10), None);
        let all = all.converted(|amount| amount * 2.0).unwrap();
        let Candle { open, high, low, close, volume, .. } = all.candles()[0];
        assert_eq!(([open, high, low, close], volume), ([4.0, 8.0, 2.0, 6.0], Some(14.0)));
        let part = all.ending_after(UtcTime::from_secs(0)).unwrap();
        assert_eq!((part.points[0].price, part.points[0].volume), (Some(6.0), Some(14.0)));
    }
}
