//! The closing prices that indicators are computed from.

use crate::model::{CandleData, CandleWidth, Point, UtcTime};

/// The last price of a candle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Close {
    /// The number of the candle; consecutive candles have consecutive numbers.
    pub(super) number: i64,
    /// The time of the price, within the candle.
    pub(super) time: UtcTime,
    pub(super) price: f64,
}

impl Close {
    /// The value of an indicator at this close; none if it is not finite.
    pub(super) fn value(&self, value: Option<f64>) -> Point {
        let price = value.filter(|value| value.is_finite());
        Point { time: self.time, price, volume: None, market_cap: None }
    }
}

/// The closes of candles of this width, oldest first; those without a price and an incomplete first one are missing. The
/// last candle of an exchange may be unfinished: its close is not after `newest`.
pub(super) fn closes(data: CandleData<'_>, width: CandleWidth, newest: Option<UtcTime>) -> Vec<Close> {
    let length = data.exchange().map(|slice| slice.length);
    let time_of = |point: &Point| match length {
        // Before the end, which is the start of the next candle.
        Some(length) => {
            let end = UtcTime::from_millis(point.time.millis().saturating_add(length - 1));
            newest.map_or(end, |newest| end.min(newest)).max(point.time)
        }
        None => point.time,
    };
    let mut closes: Vec<Close> = Vec::new();
    for point in data.whole_points(width) {
        let Some(price) = point.price else { continue };
        let close = Close { number: width.number(point.time), time: time_of(point), price };
        match closes.last_mut() {
            Some(last) if last.number == close.number => *last = close,
            _ => closes.push(close),
        }
    }
    closes
}

/// The closes in runs without a missing candle.
pub(super) fn runs(closes: &[Close]) -> impl Iterator<Item = &[Close]> {
    closes.chunk_by(|one, next| next.number.saturating_sub(one.number) == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Candle, ExchangeCandles};
    use crate::view::widgets::chart::tests::{hours, series};

    #[test]
    fn close_is_the_last_price_of_its_candle() {
        // 00:00 to 03:30 without a price at 01:30, and none at 02:00 and 02:30.
        let points = series(8, 1_800, |index| (!(3..6).contains(&index)).then_some(index as f64));
        let closes = closes(CandleData::sampled(&points), hours(1), None);
        let found: Vec<(f64, UtcTime)> = closes.iter().map(|close| (close.price, close.time)).collect();
        assert_eq!(found, [1, 2, 7].map(|index| (points[index].price.unwrap(), points[index].time)));
        assert_eq!(runs(&closes).map(<[Close]>::len).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn close_of_an_exchange_is_at_the_end_of_its_candle() {
        let time = |minute: i64| UtcTime::from_secs(minute * 60);
        let candle = |n: i64| {
            let price = n as f64;
            Candle { start: time(n * 30), open: price, high: price, low: price, close: price, volume: None }
        };
        // From 00:30 to 03:00.
        let candles = ExchangeCandles::new("okx".into(), "30m".into(), (1..6).map(candle).collect()).unwrap();
        let data = CandleData::of_exchange(candles.ending_after(time(0)).unwrap());
        let found = |newest: i64| {
            let closes = closes(data, hours(1), Some(time(newest)));
            closes.iter().map(|close| (close.price, close.time.millis())).collect::<Vec<_>>()
        };
        let end = |minute: i64| minute * 60_000 - 1;
        assert_eq!(found(200), [(3.0, end(120)), (5.0, end(180))], "the first hour is incomplete");
        assert_eq!(found(170), [(3.0, end(120)), (5.0, 170 * 60_000)], "the last one is unfinished");
    }
}
