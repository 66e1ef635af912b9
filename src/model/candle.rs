//! Candles: the open, high, low and close of equal spans of time, built from the points of a series.

use std::fmt;

use super::chart::{Period, Point};
use super::time::UtcTime;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const WEEK: i64 = 7 * DAY;

/// Minimum points of each candle: fewer have no body worth drawing.
const MIN_POINTS: i64 = 3;

/// 1970-01-05T00:00:00Z, the first Monday.
const MONDAY: i64 = 4 * DAY;

/// The span of time of a candle, one of [`CandleWidth::ALL`]. Candles start at multiples of it in UTC, as those of
/// exchanges do; weeks start on Monday.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CandleWidth {
    millis: i64,
}

impl CandleWidth {
    /// All widths, narrowest first.
    pub const ALL: [CandleWidth; 12] = [
        CandleWidth { millis: 15 * MINUTE },
        CandleWidth { millis: 30 * MINUTE },
        CandleWidth { millis: HOUR },
        CandleWidth { millis: 2 * HOUR },
        CandleWidth { millis: 4 * HOUR },
        CandleWidth { millis: 6 * HOUR },
        CandleWidth { millis: 8 * HOUR },
        CandleWidth { millis: 12 * HOUR },
        CandleWidth { millis: DAY },
        CandleWidth { millis: 2 * DAY },
        CandleWidth { millis: 3 * DAY },
        CandleWidth { millis: WEEK },
    ];

    /// The width with this name, as it prints.
    pub fn parse(name: &str) -> Option<CandleWidth> {
        CandleWidth::ALL.into_iter().find(|width| width.to_string() == name)
    }

    /// The narrowest width for a period.
    pub fn narrowest(period: Period) -> CandleWidth {
        let millis = match period {
            Period::Day => 15 * MINUTE,
            Period::Week => HOUR,
            Period::Month => 4 * HOUR,
            Period::Quarter => 12 * HOUR,
            Period::Year => 3 * DAY,
        };
        CandleWidth { millis }
    }

    /// The widths that suit a period, narrowest first: those with at least seven candles.
    pub fn for_period(period: Period) -> impl DoubleEndedIterator<Item = CandleWidth> {
        let narrowest = CandleWidth::narrowest(period);
        let most = i64::from(period.days()) * DAY / 7;
        CandleWidth::ALL.into_iter().filter(move |width| *width >= narrowest && width.millis <= most)
    }

    /// The narrowest of the widths of a period whose candles fit into `columns` and have at least `MIN_POINTS` points
    /// each, but not narrower than `wanted`; the widest if none does.
    pub fn fitted(wanted: Option<CandleWidth>, period: Period, columns: u16, points: &[Point]) -> CandleWidth {
        let spacing = spacing(points);
        let fits = |width: &CandleWidth| {
            width.count(period) <= i64::from(columns) && width.millis >= spacing.saturating_mul(MIN_POINTS)
        };
        let narrowest = CandleWidth::narrowest(period);
        let least = wanted.unwrap_or(narrowest);
        let mut choices = CandleWidth::for_period(period).filter(|width| *width >= least);
        choices.find(fits).or_else(|| CandleWidth::for_period(period).next_back()).unwrap_or(narrowest)
    }

    /// The most candles of this width that a period touches.
    fn count(self, period: Period) -> i64 {
        i64::from(period.days()) * DAY / self.millis + 1
    }

    /// The next wider width.
    pub fn wider(self) -> Option<CandleWidth> {
        CandleWidth::ALL.into_iter().find(|width| *width > self)
    }

    /// Its length in milliseconds.
    pub fn millis(self) -> i64 {
        self.millis
    }

    /// The number of the candle that contains `time`; consecutive candles have consecutive numbers.
    pub fn number(self, time: UtcTime) -> i64 {
        let origin = if self.millis == WEEK { MONDAY } else { 0 };
        (time.millis() - origin).div_euclid(self.millis)
    }

    /// When the candle with this number starts.
    pub fn start(self, number: i64) -> UtcTime {
        let origin = if self.millis == WEEK { MONDAY } else { 0 };
        UtcTime::from_millis(number.saturating_mul(self.millis).saturating_add(origin))
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

/// `15m`, `4h`, `1d`, `1w`.
impl fmt::Display for CandleWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.millis {
            WEEK => f.write_str("1w"),
            DAY.. => write!(f, "{}d", self.millis / DAY),
            HOUR.. => write!(f, "{}h", self.millis / HOUR),
            _ => write!(f, "{}m", self.millis / MINUTE),
        }
    }
}

/// The prices of a span of time. Built from points, its high and low may be less extreme than those of trades.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candle {
    /// When it starts.
    pub start: UtcTime,
    /// The first price.
    pub open: f64,
    /// The highest price.
    pub high: f64,
    /// The lowest price.
    pub low: f64,
    /// The last price.
    pub close: f64,
    /// The volume over 24 hours at its last point.
    pub volume: Option<f64>,
}

impl Candle {
    /// The candle that contains `time`; `None` if none of its points has a price.
    pub fn at(points: &[Point], time: UtcTime, width: CandleWidth) -> Option<Candle> {
        Candle::from_number(points, width.number(time), width)
    }

    /// The last candle before the one that contains `time`; candles without a price are skipped.
    pub fn before(points: &[Point], time: UtcTime, width: CandleWidth) -> Option<Candle> {
        let start = width.start(width.number(time));
        let earlier = points.get(..points.partition_point(|point| point.time < start))?;
        let last = earlier.iter().rfind(|point| point.price.is_some())?;
        Candle::from_number(points, width.number(last.time), width)
    }

    fn from_number(points: &[Point], number: i64, width: CandleWidth) -> Option<Candle> {
        let (start, end) = (width.start(number), width.start(number.saturating_add(1)));
        let first = points.partition_point(|point| point.time < start);
        let last = points.partition_point(|point| point.time < end);
        let points = points.get(first..last)?;
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
        let at = |minute: i64| Candle::at(&points, UtcTime::from_secs(minute * 60), quarter);
        let first = at(7).unwrap();
        assert_eq!((first.open, first.high, first.low, first.close), (5.0, 9.0, 4.0, 6.0));
        assert_eq!((first.start, first.volume), (UtcTime::from_secs(0), Some(60.0)));
        let second = at(29).unwrap();
        assert_eq!((second.open, second.high, second.low, second.close), (7.0, 7.0, 7.0, 7.0));
        assert_eq!(at(30), None, "a candle without points");
        let before = |minute: i64| Candle::before(&points, UtcTime::from_secs(minute * 60), quarter);
        assert_eq!(before(50), Some(second));
        assert_eq!((before(16), before(3)), (Some(first), None));
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
            assert_eq!(CandleWidth::fitted(None, period, 400, &points).to_string(), width, "{minutes} {period:?}");
        }
    }

    #[test]
    fn weeks_start_on_monday() {
        let week = CandleWidth::parse("1w").unwrap();
        let time = UtcTime::parse_rfc3339("2026-11-22T23:59:59Z").unwrap();
        let monday = UtcTime::parse_rfc3339("2026-11-16T00:00:00Z").unwrap();
        assert_eq!(week.start(week.number(time)), monday);
    }

    #[test]
    fn widths_fit_the_period_and_the_columns() {
        let fitted = |wanted: Option<&str>, period, columns| {
            CandleWidth::fitted(wanted.and_then(CandleWidth::parse), period, columns, &[]).to_string()
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
}
