//! Series over time.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::change::change_pct;
use super::time::UtcTime;

/// The period of a chart. Prices over a year and all time come from `/market/data`, the others from `/chart`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Period {
    /// One day.
    #[serde(rename = "1D")]
    Day,
    /// Seven days.
    #[serde(rename = "7D")]
    Week,
    /// One month.
    #[serde(rename = "1M")]
    Month,
    /// Three months.
    #[serde(rename = "3M")]
    Quarter,
    /// A year.
    #[serde(rename = "1Y")]
    Year,
    /// Since the coin's first price.
    #[serde(rename = "All")]
    AllTime,
}

/// A chart of all time whose last price is older than this ends early.
const MAX_AGE_OF_ALL: Duration = Duration::from_hours(30 * 24);

impl Period {
    /// All periods, shortest first.
    pub const ALL: [Period; 6] =
        [Period::Day, Period::Week, Period::Month, Period::Quarter, Period::Year, Period::AllTime];

    /// The periods of `/chart` (`period`), shortest first.
    pub const CHART_ENDPOINT: [Period; 4] = [Period::Day, Period::Week, Period::Month, Period::Quarter];

    /// The name, which is also the value of `period`.
    pub fn as_str(self) -> &'static str {
        match self {
            Period::Day => "1D",
            Period::Week => "7D",
            Period::Month => "1M",
            Period::Quarter => "3M",
            Period::Year => "1Y",
            Period::AllTime => "All",
        }
    }

    /// The length in days; a month has 30. All time is at most this long: no coin has older prices.
    pub fn days(self) -> u32 {
        match self {
            Period::Day => 1,
            Period::Week => 7,
            Period::Month => 30,
            Period::Quarter => 90,
            Period::Year => 365,
            Period::AllTime => 6_500,
        }
    }

    /// Whether its prices come from `/market/data`, since `/chart` has none over so long a time.
    pub fn is_long(self) -> bool {
        !Period::CHART_ENDPOINT.contains(&self)
    }

    /// The interval of points to request from `/market/data` (`interval`).
    pub fn interval(self) -> &'static str {
        match self {
            Period::Day => "15m",
            Period::Week => "1h",
            Period::Month => "4h",
            Period::Quarter => "12h",
            Period::Year | Period::AllTime => "1d",
        }
    }

    /// The number of points to request from `/market/data` (`count`): one per interval, and the current price. A response
    /// has fewer if the coin is younger.
    pub fn points(self) -> u32 {
        match self {
            Period::Day => 97,
            Period::Week => 169,
            Period::Month | Period::Quarter => 181,
            Period::Year => 365,
            Period::AllTime => 6_500,
        }
    }

    /// A longer period, or a shorter one if `by` is negative; clamped to the ends.
    #[must_use]
    pub fn step(self, by: isize) -> Period {
        let here = Period::ALL.iter().position(|period| *period == self).unwrap_or(0);
        let there = here.saturating_add_signed(by).min(Period::ALL.len() - 1);
        Period::ALL.get(there).copied().unwrap_or(self)
    }

    /// The length of the period.
    pub fn length(self) -> Duration {
        Duration::from_hours(24 * u64::from(self.days()))
    }

    /// Whether the prices of points span at least 95% of the period, and end within the period before `now`.
    pub fn is_covered_by(self, points: &[Point], now: UtcTime) -> bool {
        let mut priced = points.iter().filter(|point| point.price.is_some()).map(|point| point.time);
        let ends = priced.next().zip(points.last());
        let is_long = ends.is_some_and(|(first, last)| last.time.since(first) >= self.length() * 19 / 20);
        is_long && self.early_end(points, now).is_none()
    }

    /// The time of the last price if it is before the period that ends at `now`; of all time, if it is more than a month
    /// old.
    pub fn early_end(self, points: &[Point], now: UtcTime) -> Option<UtcTime> {
        let last = points.iter().rev().find(|point| point.price.is_some())?.time;
        let longest = if self == Period::AllTime { MAX_AGE_OF_ALL } else { self.length() };
        (now.since(last) > longest).then_some(last)
    }

    /// The time of the first price of all time, for a label that says since when it reaches; `None` for other periods.
    pub fn start_of_all(self, points: &[Point]) -> Option<UtcTime> {
        let first = points.iter().find(|point| point.price.is_some())?;
        (self == Period::AllTime).then_some(first.time)
    }

    /// The points of the period that ends with the last point: a service may send more. The first one may be older than
    /// the period by a twentieth of it.
    pub fn within(self, points: &[Point]) -> &[Point] {
        let Some(last) = points.last().filter(|_| self != Period::AllTime) else { return points };
        let start = last.time.minus(self.length() * 21 / 20);
        let from = points.partition_point(|point| point.time < start);
        points.get(from..).unwrap_or_default()
    }

    /// The points of the period that ends with the last point, from its first whole [`interval`](Period::interval) on,
    /// so that compared series with different steps start at the same time.
    pub fn of(self, points: &[Point]) -> &[Point] {
        let Some(last) = points.last() else { return points };
        let start = last.time.minus(self.length()).secs();
        let step: i64 = match self {
            Period::Day => 15 * 60,
            Period::Week => 3_600,
            Period::Month => 4 * 3_600,
            Period::Quarter => 12 * 3_600,
            Period::Year | Period::AllTime => 24 * 3_600,
        };
        let first = UtcTime::from_secs(start.saturating_add((-start).rem_euclid(step)));
        let from = points.partition_point(|point| point.time < first);
        points.get(from..).unwrap_or_default()
    }
}

/// A point of a series. A missing price is a gap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The time.
    pub time: UtcTime,
    /// Price.
    pub price: Option<f64>,
    /// Volume; see [`VolumeSpan`].
    pub volume: Option<f64>,
    /// Market capitalisation.
    pub market_cap: Option<f64>,
}

impl Point {
    /// The fields with money. Every field is named here, so that a new one can't be forgotten.
    pub(crate) fn money_fields(&mut self) -> [&mut Option<f64>; 3] {
        let Point { price, volume, market_cap, time: _ } = self;
        [price, volume, market_cap]
    }
}

/// The time that the volume of each point of a series covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum VolumeSpan {
    /// The 24 hours before it.
    #[default]
    Day,
    /// One candle. Its length is taken to be the step between points, which is wrong if a service skips candles
    /// (CoinMarketCap with `time_period=daily&interval=2d`).
    Candle,
}

/// Returns the index of the point nearest to a time, the earlier one of two at the same distance; `None` if there are
/// none.
pub fn nearest(points: &[Point], time: UtcTime) -> Option<usize> {
    let after = points.partition_point(|point| point.time < time);
    let distance = |at: UtcTime| at.since(time).max(time.since(at));
    let around = (after.saturating_sub(1)..=after).filter_map(|index| Some((index, distance(points.get(index)?.time))));
    around.min_by_key(|&(_, distance)| distance).map(|(index, _)| index)
}

/// The nearest point with a price, as [`nearest`], and the price.
pub fn nearest_price(points: &[Point], time: UtcTime) -> Option<(usize, f64)> {
    let after = points.partition_point(|point| point.time < time);
    let priced = |(index, point): (usize, &Point)| Some((index, point.price?, point.time));
    let left = points.iter().enumerate().take(after).rev().find_map(priced);
    let right = points.iter().enumerate().skip(after).find_map(priced);
    let distance = |at: UtcTime| at.since(time).max(time.since(at));
    let nearer = left.into_iter().chain(right).min_by_key(|&(_, _, at)| distance(at));
    nearer.map(|(index, price, _)| (index, price))
}

/// Points at most this far apart are a jump: the line between them is vertical.
pub const JUMP: Duration = Duration::from_millis(1);

/// A distance between points is a gap if it exceeds this many usual distances.
const GAP_FACTOR: u32 = 3;

/// The longest distance between neighbouring points that isn't a gap; zero if there are fewer than two points.
pub fn longest_step(points: &[Point]) -> Duration {
    usual_step(points).saturating_mul(GAP_FACTOR)
}

/// A long but usual distance between neighbouring points, not the median: a series may have a coarse and a fine part. Zero
/// if there are fewer than two points.
pub fn usual_step(points: &[Point]) -> Duration {
    // A chart may have thousands of points.
    const SAMPLES: usize = 31;
    let stride = (points.len() / SAMPLES).max(1);
    let distance = |pair: &[Point]| Some(pair.last()?.time.since(pair.first()?.time));
    let mut distances: Vec<Duration> = points.windows(2).step_by(stride).filter_map(distance).collect();
    distances.sort_unstable();
    distances.get(distances.len() * 9 / 10).copied().unwrap_or_default()
}

/// The price at a time between two points, by linear interpolation; `None` outside the points and in a gap.
pub fn price_at(points: &[Point], time: UtcTime) -> Option<f64> {
    let next = points.partition_point(|point| point.time < time);
    let right = points.get(next)?;
    if right.time == time {
        return right.price;
    }
    let left = points.get(next.checked_sub(1)?)?;
    if right.time.since(left.time) > longest_step(points) {
        return None;
    }
    let (gap, part) = (right.time.since(left.time).as_secs_f64(), time.since(left.time).as_secs_f64());
    let (from, to) = (left.price?, right.price?);
    (gap > 0.0).then(|| from + (to - from) * part / gap)
}

/// The change of the price over the 24 hours before a point, in percent. `None` if no price is known near their start.
pub fn day_change(points: &[Point], place: usize) -> Option<f64> {
    let last = points.get(place)?;
    day_change_to(points, last.price?, last.time)
}

/// The change like [`day_change`], up to this price at a time that may be after all points.
pub fn day_change_to(points: &[Point], price: f64, at: UtcTime) -> Option<f64> {
    let before = price_near(points, at.minus(Duration::from_hours(24))).filter(|before| *before > 0.0)?;
    change_pct(before, price)
}

/// Maximum distance of two points between which [`price_near`] interpolates.
const MAX_STEP: Duration = Duration::from_hours(4);

/// Maximum distance of the point whose price [`price_near`] takes.
const MAX_DISTANCE: Duration = Duration::from_mins(30);

/// The price at a time, between two points that are not far apart; else the price of the nearest point, if it is near:
/// the points of a day may start some minutes later.
fn price_near(points: &[Point], time: UtcTime) -> Option<f64> {
    let next = points.partition_point(|point| point.time < time);
    let is_close = |left: &Point| points.get(next).is_some_and(|right| right.time.since(left.time) <= MAX_STEP);
    let between = || price_at(points, time).filter(|_| next == 0 || points.get(next - 1).is_some_and(is_close));
    between().or_else(|| {
        let (place, price) = nearest_price(points, time)?;
        let at = points.get(place)?.time;
        (at.since(time).max(time.since(at)) <= MAX_DISTANCE).then_some(price)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_of_different_steps_start_at_the_same_time() {
        let at = |minutes: i64| Point {
            time: UtcTime::from_secs(minutes * 60),
            price: Some(1.0),
            volume: None,
            market_cap: None,
        };
        let start = |points: &[Point]| Period::Day.of(points).first().map(|point| point.time.secs() / 60);
        let end = 24 * 60 + 7;
        let fine: Vec<Point> = [7].into_iter().chain((2..289).map(|n| n * 5)).chain([end]).map(at).collect();
        let coarse: Vec<Point> = (-2..96).map(|n| n * 15).chain([end]).map(at).collect();
        assert_eq!((start(&fine), start(&coarse)), (Some(15), Some(15)));
        assert_eq!(start(&[at(0), at(24 * 60)]), Some(0), "the period starts with a whole interval");
        assert_eq!(start(&[at(60), at(end)]), Some(60), "shorter than the period");
        assert_eq!(start(&[]), None);
    }

    #[test]
    fn all_time_has_all_points_and_ends_early_after_a_month() {
        let day = |day: i64, price: f64| Point {
            time: UtcTime::from_secs(day * 86_400),
            price: Some(price).filter(|price| *price > 0.0),
            volume: None,
            market_cap: None,
        };
        let points = [day(0, 0.0), day(3, 1.0), day(9_000, 2.0)];
        let first = Some(points[1].time);
        assert_eq!((Period::AllTime.within(&points).len(), Period::AllTime.start_of_all(&points)), (3, first));
        assert_eq!((Period::Year.within(&points).len(), Period::Year.start_of_all(&points)), (1, None));
        let end = |days: i64| Period::AllTime.early_end(&points, UtcTime::from_secs(days * 86_400));
        assert_eq!((end(9_030), end(9_031)), (None, Some(points[2].time)));
    }

    #[test]
    fn day_change_starts_between_two_points() {
        let at = |minutes: i64, price: f64| Point {
            time: UtcTime::from_secs(minutes * 60),
            price: Some(price).filter(|price| *price > 0.0),
            volume: None,
            market_cap: None,
        };
        let day = 24 * 60;
        let change = |points: &[Point]| day_change(points, points.len() - 1).map(|change| change.round());
        assert_eq!(change(&[at(0, 90.0), at(60, 110.0), at(day + 30, 125.0)]), Some(25.0), "half-way: 100");
        assert_eq!(change(&[at(0, 100.0), at(60, 110.0), at(day, 125.0)]), Some(25.0));
        assert_eq!(change(&[at(20, 100.0), at(60, 0.0), at(day, 125.0)]), Some(25.0), "the only price near the start");
        assert_eq!(change(&[at(31, 100.0), at(60, 0.0), at(day, 125.0)]), None, "too far from the start");
        assert_eq!(change(&[at(0, 0.0), at(60, 0.0), at(day, 125.0)]), None);
    }

    #[test]
    fn prices_are_not_interpolated_across_a_gap() {
        let at = |minutes: i64| UtcTime::from_secs(minutes * 60);
        let point = |minutes: i64, price: f64| Point {
            time: at(minutes),
            price: Some(price).filter(|price| *price > 0.0),
            volume: None,
            market_cap: None,
        };
        let mut points: Vec<Point> = (0..20).map(|n| point(n * 5, 100.0)).collect();
        points.extend((0..20).map(|n| point(600 + n * 5, 200.0)));
        assert_eq!((price_at(&points, at(93)), price_at(&points, at(603))), (Some(100.0), Some(200.0)));
        assert_eq!(price_at(&points, at(300)), None, "nobody knows it");
        assert_eq!(nearest_price(&points, at(120)), Some((19, 100.0)));
        assert_eq!(nearest_price(&points, at(590)), Some((20, 200.0)));
        points.insert(20, point(300, 0.0));
        assert_eq!(nearest_price(&points, at(300)), Some((19, 100.0)), "the nearer end of the gap");
        assert_eq!(nearest_price(&points, at(9_999)), Some((40, 200.0)));
        assert_eq!(nearest_price(&[point(1, 0.0)], at(1)), None);
    }

    #[test]
    fn nearest_point_is_the_earlier_of_two_at_the_same_distance() {
        let at = UtcTime::from_secs;
        let point = |secs| Point { time: at(secs), price: None, volume: None, market_cap: None };
        let points = [10, 20, 40].map(point);
        for (secs, index) in [(-5, 0), (10, 0), (14, 0), (15, 0), (16, 1), (20, 1), (30, 1), (31, 2), (40, 2), (99, 2)]
        {
            assert_eq!(nearest(&points, at(secs)), Some(index), "{secs}");
        }
        assert_eq!(nearest(&[], at(7)), None);
    }
}
