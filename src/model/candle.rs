//! Candles: the open, high, low and close of equal spans of time, built from the points of a series or from shorter
//! candles of an exchange.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::candle_width::CandleWidth;
use super::chart::{Period, Point};
use super::text::Text;
use super::time::UtcTime;

/// Minimum points of each candle built from points: fewer have no meaningful body.
const MIN_POINTS: i64 = 3;

impl CandleWidth {
    /// The narrowest of the widths of a period whose candles fit into `columns` and can be built from the data, but not
    /// narrower than `wanted`; the widest if there is none.
    pub fn fitted(wanted: Option<CandleWidth>, period: Period, columns: u16, data: CandleData<'_>) -> CandleWidth {
        let narrowest_built = match data.exchange {
            Some(part) => part.length,
            None => spacing(data.points).saturating_mul(MIN_POINTS),
        };
        let fits = |width: &CandleWidth| {
            width.count(period) <= i64::from(columns) && width.millis() >= narrowest_built && data.has_whole(*width)
        };
        let narrowest = CandleWidth::narrowest(period);
        let least = wanted.unwrap_or(narrowest);
        let mut choices = CandleWidth::for_period(period).filter(|width| *width >= least);
        choices.find(fits).or_else(|| CandleWidth::for_period(period).next_back()).unwrap_or(narrowest)
    }
}

/// The typical distance of neighbouring points in milliseconds: the median of some of them, since a chart may have gaps
/// and thousands of points.
fn spacing(points: &[Point]) -> i64 {
    const SAMPLES: usize = 31;
    let stride = (points.len() / SAMPLES).max(1);
    let distance = |pair: &[Point]| Some(pair.last()?.time.millis() - pair.first()?.time.millis());
    let mut distances: Vec<i64> = points.windows(2).step_by(stride).filter_map(distance).collect();
    distances.sort_unstable();
    distances.get(distances.len() / 2).copied().unwrap_or(0)
}

/// The newest candles of an exchange.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExchangePart<'a> {
    /// The exchange, by its name in the configuration.
    pub exchange: &'a Text,
    /// The span of each candle in milliseconds.
    pub length: i64,
    /// The candles, oldest first, at least one.
    pub candles: &'a [Candle],
    /// The closing price and the volume of each candle, at its start.
    pub points: &'a [Point],
}

/// What candles are built from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CandleData<'a> {
    /// The points of a series, or the closing price and the volume of each candle of the exchange, at its start.
    points: &'a [Point],
    exchange: Option<ExchangePart<'a>>,
}

impl<'a> CandleData<'a> {
    /// Candles are built from the points of a series.
    pub fn sampled(points: &'a [Point]) -> CandleData<'a> {
        CandleData { points, exchange: None }
    }

    /// Candles are built from shorter ones of an exchange.
    pub fn of_exchange(part: ExchangePart<'a>) -> CandleData<'a> {
        CandleData { points: part.points, exchange: Some(part) }
    }

    /// The points of the series, or the closing price and the volume of each candle of the exchange, at its start.
    pub fn points(self) -> &'a [Point] {
        self.points
    }

    /// The candles of the exchange, if they are built from those: one for each point.
    pub fn exchange(self) -> Option<ExchangePart<'a>> {
        self.exchange
    }

    /// The number of the exchange's first candles that are part of an incomplete candle of this width.
    pub fn incomplete(self, width: CandleWidth) -> usize {
        let candles = self.exchange.map_or(&[][..], |part| part.candles);
        let Some(first) = candles.first().map(|first| first.start) else { return 0 };
        let number = width.number(first);
        if width.start(number) == first { 0 } else { candles.partition_point(|it| width.number(it.start) == number) }
    }

    /// Whether candles of this width can consist of whole candles of the exchange.
    fn has_whole(self, width: CandleWidth) -> bool {
        self.exchange.is_none_or(|part| part.length > 0 && width.millis() % part.length == 0)
    }
}

/// The prices of a span of time. Built from points, its high and low may be less extreme than those of trades.
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
    /// Its volume; if it is built from points, the 24-hour volume at its last point.
    pub volume: Option<f64>,
}

impl Candle {
    /// The candle that contains `time`; `None` if none of its points has a price, or if the exchange's candles start
    /// within it.
    pub fn at(data: CandleData<'_>, time: UtcTime, width: CandleWidth) -> Option<Candle> {
        Candle::from_number(data, width.number(time), width)
    }

    /// The last candle before the one that contains `time`; candles without a price are skipped.
    pub fn before(data: CandleData<'_>, time: UtcTime, width: CandleWidth) -> Option<Candle> {
        let start = width.start(width.number(time));
        let earlier = data.points.get(..data.points.partition_point(|point| point.time < start))?;
        let last = earlier.iter().rfind(|point| point.price.is_some())?;
        Candle::from_number(data, width.number(last.time), width)
    }

    /// The time of the last price of the candle that contains `time`. `None` if it is unknown: the newest candle of an
    /// exchange may be unfinished.
    pub fn closed_at(data: CandleData<'_>, time: UtcTime, width: CandleWidth) -> Option<UtcTime> {
        let number = width.number(time);
        let up_to = data.points.get(..data.points.partition_point(|point| width.number(point.time) <= number))?;
        let last = up_to.iter().rfind(|point| point.price.is_some())?.time;
        let Some(part) = data.exchange else { return Some(last) };
        let newest = part.candles.last()?.start;
        let length = Duration::from_millis(u64::try_from(part.length).ok()?);
        (width.number(newest) != number).then(|| last.plus(length))
    }

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

    fn from_number(data: CandleData<'_>, number: i64, width: CandleWidth) -> Option<Candle> {
        let (start, end) = (width.start(number), width.start(number.saturating_add(1)));
        let first = data.points.partition_point(|point| point.time < start);
        let last = data.points.partition_point(|point| point.time < end);
        if let Some(part) = data.exchange {
            // Trades before the first candle of the exchange are unknown.
            let is_whole = data.has_whole(width) && part.candles.first().is_some_and(|first| first.start <= start);
            let joined = Candle::joined(part.candles.get(first..last)?).filter(|_| is_whole)?;
            return Some(Candle { start, ..joined });
        }
        let points = data.points.get(first..last)?;
        let prices = || points.iter().filter_map(|point| point.price);
        Some(Candle {
            start,
            open: prices().next()?,
            high: prices().fold(f64::NEG_INFINITY, f64::max),
            low: prices().fold(f64::INFINITY, f64::min),
            close: prices().next_back()?,
            volume: points.iter().rev().find_map(|point| point.volume),
        })
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
    use crate::model::exchange_candles::ExchangeCandles;

    fn points(prices: &[(i64, Option<f64>)]) -> Vec<Point> {
        let point = |&(minute, price): &(i64, Option<f64>)| Point {
            time: UtcTime::from_secs(minute * 60),
            price,
            volume: price.map(|price| price * 10.0),
            market_cap: None,
        };
        prices.iter().map(point).collect()
    }

    #[test]
    fn candle_has_the_prices_of_its_points() {
        let quarter = CandleWidth::parse("15m").unwrap();
        let points = points(&[
            (0, Some(5.0)),
            (5, Some(9.0)),
            (10, Some(4.0)),
            (14, Some(6.0)),
            (15, Some(7.0)),
            (20, None),
            (45, Some(8.0)),
        ]);
        let at = |minute: i64| Candle::at(CandleData::sampled(&points), UtcTime::from_secs(minute * 60), quarter);
        let first = at(7).unwrap();
        assert_eq!((first.open, first.high, first.low, first.close), (5.0, 9.0, 4.0, 6.0));
        assert_eq!((first.start, first.volume), (UtcTime::from_secs(0), Some(60.0)));
        let second = at(29).unwrap();
        assert_eq!((second.open, second.high, second.low, second.close), (7.0, 7.0, 7.0, 7.0));
        assert_eq!(at(30), None, "a candle without points");
        let before =
            |minute: i64| Candle::before(CandleData::sampled(&points), UtcTime::from_secs(minute * 60), quarter);
        assert_eq!(before(50), Some(second));
        assert_eq!((before(16), before(3)), (Some(first), None));
    }

    #[test]
    fn candle_is_closed_at_its_last_price() {
        let hour = CandleWidth::parse("1h").unwrap();
        let points = points(&[(0, Some(1.0)), (55, Some(2.0)), (58, None), (62, Some(3.0)), (70, Some(4.0))]);
        let closed = |data, minute: i64| {
            let time = Candle::closed_at(data, UtcTime::from_secs(minute * 60), hour)?;
            Some(time.secs() / 60)
        };
        let sampled = CandleData::sampled(&points);
        assert_eq!((closed(sampled, 5), closed(sampled, 100)), (Some(55), Some(70)));
        let candles = exchange(15, 0, &[[1.0; 4]; 6]);
        let data = CandleData::of_exchange(candles.ending_after(UtcTime::from_secs(0)).unwrap());
        assert_eq!((closed(data, 5), closed(data, 65)), (Some(60), None), "the newest may be unfinished");
    }

    #[test]
    fn steps_skip_candles_without_points() {
        let quarter = CandleWidth::parse("15m").unwrap();
        let points = points(&[(0, Some(1.0)), (5, Some(2.0)), (16, Some(3.0)), (17, None), (50, Some(4.0))]);
        for (from, by, to) in
            [(0, 1, 3), (1, 1, 3), (3, 1, 4), (4, 1, 4), (4, -1, 3), (2, -1, 1), (0, -1, 1), (0, 0, 1)]
        {
            assert_eq!(step(&points, from, by, quarter), Some(to), "{from} {by}");
        }
        assert_eq!((step(&points, 0, 9, quarter), step(&points, 4, -9, quarter)), (Some(4), Some(1)));
        assert_eq!(step(&[], 0, 1, quarter), None);
    }

    #[test]
    fn candles_of_sparse_points_are_wide_enough_for_three() {
        for (minutes, period, width) in [
            (5, Period::Day, "15m"),
            (15, Period::Day, "1h"),
            (15, Period::Week, "1h"),
            (60, Period::Week, "4h"),
            (1_440, Period::Quarter, "3d"),
        ] {
            let count = i64::from(period.days()) * 1_440 / minutes;
            let points: Vec<_> = (0..count).map(|index| (index * minutes, Some(1.0))).collect();
            let mut points = self::points(&points);
            // Gaps don't count.
            points.drain(10..count as usize / 3);
            assert_eq!(
                CandleWidth::fitted(None, period, 400, CandleData::sampled(&points)).to_string(),
                width,
                "{minutes} {period:?}"
            );
        }
    }

    #[test]
    fn widths_fit_the_period_and_the_columns() {
        let fitted = |wanted: Option<&str>, period, columns| {
            CandleWidth::fitted(wanted.and_then(CandleWidth::parse), period, columns, CandleData::default()).to_string()
        };
        for (wanted, period, columns, width) in [
            (None, Period::Day, 100, "15m"),
            (None, Period::Day, 50, "30m"),
            (None, Period::Week, 200, "1h"),
            (None, Period::Week, 90, "2h"),
            (None, Period::Month, 90, "12h"),
            (None, Period::Quarter, 100, "1d"),
            (Some("4h"), Period::Week, 200, "4h"),
            (Some("1h"), Period::Week, 60, "4h"),
            (Some("15m"), Period::Week, 200, "1h"),
            (Some("1w"), Period::Day, 60, "2h"),
            (None, Period::Day, 3, "2h"),
        ] {
            assert_eq!(fitted(wanted, period, columns), width, "{wanted:?} {period:?} {columns}");
        }
        for width in CandleWidth::ALL {
            assert_eq!(CandleWidth::parse(&width.to_string()), Some(width));
        }
    }

    /// Candles of an exchange, `minutes` long, one for each open, high, low, close.
    fn exchange(minutes: i64, from: i64, prices: &[[f64; 4]]) -> ExchangeCandles {
        let candle = |(n, &[open, high, low, close]): (i64, &[f64; 4])| Candle {
            start: UtcTime::from_secs((from + n * minutes) * 60),
            open,
            high,
            low,
            close,
            volume: Some(10.0),
        };
        let candles = (0..).zip(prices).map(candle).collect();
        ExchangeCandles::new("binance".into(), format!("{minutes}m").into(), candles).unwrap()
    }

    #[test]
    fn exchange_candles_are_joined_exactly() {
        let quarter = CandleWidth::parse("15m").unwrap();
        let flat = [5.0; 4];
        let candles = exchange(5, 10, &[flat, [5.0, 9.0, 4.0, 6.0], flat, [7.0, 8.0, 3.0, 7.5], [8.0; 4]]);
        let data = CandleData::of_exchange(candles.ending_after(UtcTime::from_secs(0)).unwrap());
        let at = |minute: i64| Candle::at(data, UtcTime::from_secs(minute * 60), quarter);
        assert_eq!(at(12), None, "the exchange's candles start within it");
        let incomplete = ["15m", "30m"].map(|width| data.incomplete(CandleWidth::parse(width).unwrap()));
        assert_eq!(incomplete, [1, 4]);
        assert_eq!(
            CandleData::of_exchange(exchange(5, 30, &[flat; 3]).ending_after(UtcTime::from_secs(0)).unwrap())
                .incomplete(quarter),
            0
        );
        let whole = at(15).unwrap();
        assert_eq!((whole.open, whole.high, whole.low, whole.close), (5.0, 9.0, 3.0, 7.5));
        assert_eq!((whole.start.secs(), whole.volume), (15 * 60, Some(30.0)));
        let unfinished = at(30).unwrap();
        assert_eq!((unfinished.close, unfinished.volume), (8.0, Some(10.0)));
        assert_eq!(Candle::before(data, UtcTime::from_secs(30 * 60), quarter), Some(whole));
        assert_eq!((0..2).map(|by| step(data.points(), 1, by, quarter)).collect::<Vec<_>>(), [Some(3), Some(4)]);
    }

    #[test]
    fn exchange_candles_fit_widths_that_are_multiples_of_theirs() {
        for (minutes, period, columns, width) in [
            (5, Period::Day, 400, "15m"),
            (60, Period::Week, 400, "1h"),
            (60, Period::Week, 100, "2h"),
            (240, Period::Week, 400, "4h"),
            (240, Period::Week, 40, "8h"),
        ] {
            let candles = exchange(minutes, 0, &[[1.0; 4]; 9]);
            let data = CandleData::of_exchange(candles.ending_after(UtcTime::from_secs(0)).unwrap());
            assert_eq!(CandleWidth::fitted(None, period, columns, data).to_string(), width, "{minutes} {period:?}");
        }
    }
}
