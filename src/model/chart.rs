//! Series over time.

use serde::{Deserialize, Serialize};

use super::currency::Currency;
use super::text::Text;
use super::time::UtcTime;

/// The period of a chart: those of `/chart`, and a year, whose prices come from `/market/data`.
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
}

impl Period {
    /// All periods, shortest first.
    pub const ALL: [Period; 5] = [Period::Day, Period::Week, Period::Month, Period::Quarter, Period::Year];

    /// The periods of `/chart` (`period`), shortest first.
    pub const CHART_ENDPOINT: [Period; 4] = [Period::Day, Period::Week, Period::Month, Period::Quarter];

    /// Its name, which is also the value of `period`.
    pub fn as_str(self) -> &'static str {
        match self {
            Period::Day => "1D",
            Period::Week => "7D",
            Period::Month => "1M",
            Period::Quarter => "3M",
            Period::Year => "1Y",
        }
    }

    /// Its length in days; a month has 30.
    pub fn days(self) -> u32 {
        match self {
            Period::Day => 1,
            Period::Week => 7,
            Period::Month => 30,
            Period::Quarter => 90,
            Period::Year => 365,
        }
    }

    /// The interval of the points that `/market/data` is asked for (`interval`).
    pub fn interval(self) -> &'static str {
        match self {
            Period::Day => "15m",
            Period::Week => "1h",
            Period::Month => "4h",
            Period::Quarter => "12h",
            Period::Year => "1d",
        }
    }

    /// The number of points that `/market/data` is asked for (`count`).
    pub fn points(self) -> u32 {
        match self {
            Period::Day => 96,
            Period::Week => 168,
            Period::Month | Period::Quarter => 180,
            Period::Year => 365,
        }
    }

    /// A longer period, or a shorter one if `by` is negative; stops at the ends.
    #[must_use]
    pub fn step(self, by: isize) -> Period {
        let here = Period::ALL.iter().position(|period| *period == self).unwrap_or(0);
        let there = here.saturating_add_signed(by).min(Period::ALL.len() - 1);
        Period::ALL.get(there).copied().unwrap_or(self)
    }
}

/// A point of a series. A missing price is a gap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The time.
    pub time: UtcTime,
    /// Price.
    pub price: Option<f64>,
    /// 24-hour volume.
    pub volume: Option<f64>,
    /// Market capitalisation.
    pub market_cap: Option<f64>,
}

/// A token's chart (`/chart`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// The requested slug.
    pub slug: Text,
    /// The requested period.
    pub period: Period,
    /// What the money is in.
    pub convert: Currency,
    /// Oldest first, times strictly ascending.
    pub points: Vec<Point>,
}

/// The series of a coin (`/market/data`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarketSeries {
    /// The service's id.
    pub id: Option<Text>,
    /// Display name.
    pub name: Option<Text>,
    /// Symbol; several series of a response may share it.
    pub symbol: Text,
    /// Slug.
    pub slug: Option<Text>,
    /// What the money is in.
    pub convert: Currency,
    /// The interval of its points, such as `5m`; `None` if unknown.
    pub interval: Option<Text>,
    /// Oldest first, times strictly ascending.
    pub points: Vec<Point>,
}

/// Returns the index of the point nearest to a time, the earlier one of two at the same distance; `None` if there are
/// none.
pub fn nearest(points: &[Point], time: UtcTime) -> Option<usize> {
    let after = points.partition_point(|point| point.time < time);
    let distance = |at: UtcTime| at.since(time).max(time.since(at));
    let around = (after.saturating_sub(1)..=after).filter_map(|index| Some((index, distance(points.get(index)?.time))));
    around.min_by_key(|&(_, distance)| distance).map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

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
