//! Series over time.

use serde::{Deserialize, Serialize};

use super::{Currency, Text, UtcTime};

/// How far back a chart goes (`/chart` `period`).
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
}

impl Period {
    /// All of them, the shortest first.
    pub const ALL: [Period; 4] = [Period::Day, Period::Week, Period::Month, Period::Quarter];

    /// As the interface spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Period::Day => "1D",
            Period::Week => "7D",
            Period::Month => "1M",
            Period::Quarter => "3M",
        }
    }

    /// Its length in days (a month is 30).
    pub fn days(self) -> u32 {
        match self {
            Period::Day => 1,
            Period::Week => 7,
            Period::Month => 30,
            Period::Quarter => 90,
        }
    }
}

/// One moment of a series. A missing price is a gap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// When.
    pub time: UtcTime,
    /// Price.
    pub price: Option<f64>,
    /// Volume over the last day.
    pub volume: Option<f64>,
    /// Market capitalisation.
    pub market_cap: Option<f64>,
}

/// A token's chart (`/chart`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// The slug that was asked for.
    pub slug: Text,
    /// The period that was asked for.
    pub period: Period,
    /// What the money is in.
    pub convert: Currency,
    /// Oldest first, times strictly ascending.
    pub points: Vec<Point>,
}

/// One coin's series in a wallet's currency (`/market/data`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarketSeries {
    /// The service's id.
    pub id: Option<Text>,
    /// Display name.
    pub name: Option<Text>,
    /// Ticker; several series of one answer may share it.
    pub symbol: Text,
    /// Slug.
    pub slug: Option<Text>,
    /// What the money is in.
    pub convert: Currency,
    /// The step between its points, such as `5m`; `None` where they do not tell.
    pub interval: Option<Text>,
    /// Oldest first, times strictly ascending.
    pub points: Vec<Point>,
}

/// The point that lies nearest to a time, the earlier of two that lie as near; `None` where there is none.
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
    fn the_nearest_point_is_the_earlier_of_two_that_are_as_near() {
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
