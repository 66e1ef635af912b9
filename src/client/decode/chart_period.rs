//! The period of a chart, as a response states it. Data of one period must not be drawn under another's label.

use super::envelope::{WRAPPED, WRAPPERS};
use super::points::{self, SERIES};
use super::tape::Value;
use crate::client::error::ErrorKind;
use crate::model::{Chart, Period, Point};

/// Field names of the period next to points.
const NAMES: [&str; 2] = [INTERVAL, "range"];

/// The field name that may also mean the interval of candles.
const INTERVAL: &str = "period";

/// Maximum entries of a map by period.
const MAX_ENTRIES: usize = 16;

/// The spellings of periods. `1m` is a minute.
const SPELLINGS: [(Period, &[&str]); 5] = [
    (Period::Day, &["1D", "1d", "24H", "24h", "day"]),
    (Period::Week, &["7D", "7d", "1W", "1w", "week"]),
    (Period::Month, &["1M", "30D", "30d", "month"]),
    (Period::Quarter, &["3M", "90D", "90d", "quarter"]),
    (Period::Year, &["1Y", "1y", "365D", "365d", "year"]),
];

fn parse(word: &str) -> Option<Period> {
    SPELLINGS.iter().find(|(_, spellings)| spellings.contains(&word)).map(|(period, _)| *period)
}

/// The place of the points: the entry of this period in a map by period (`{"1D": […], "7D": […]}`), or else the response.
///
/// # Errors
/// [`ErrorKind::Unrecognised`] if a map by period has only others.
pub(super) fn find(root: Value<'_>, period: Period) -> Result<Value<'_>, ErrorKind> {
    for place in places(root) {
        let mut by_period = place.fields().take(MAX_ENTRIES).filter_map(|(key, value)| {
            parse(key.raw()).filter(|_| may_hold_points(value)).map(|period| (period, value))
        });
        let Some((first, value)) = by_period.next() else { continue };
        if first == period {
            return Ok(value);
        }
        let found = by_period.find(|(other, _)| *other == period);
        return found.map(|(_, value)| value).ok_or_else(|| wrong_period(first, period));
    }
    Ok(root)
}

/// Whether an entry of a map by period may contain points. One with only other figures, such as `{"high": …, "low": …}`,
/// is beside them.
fn may_hold_points(value: Value<'_>) -> bool {
    let is_figure =
        |(key, inner): (Value<'_>, Value<'_>)| !inner.is_array() && !inner.is_object() && !points::is_time(key.raw());
    value.is_array() || value.is_object() && (value.fields().next().is_none() || !value.fields().all(is_figure))
}

/// Checks the period that a response states next to points.
///
/// # Errors
/// [`ErrorKind::Unrecognised`] if it is shorter than the requested one and the points cover no more, unless they prove
/// that it is the interval of candles.
pub(super) fn check(root: Value<'_>, chart: &Chart) -> Result<(), ErrorKind> {
    let Some((first, last)) = chart.points.first().zip(chart.points.last()) else { return Ok(()) };
    let stated = places(root).find_map(|place| {
        let stated = |name: &'static str| Some((name, parse(&place.get(name)?.str()?)?));
        NAMES.into_iter().find_map(stated)
    });
    let covered = last.time.millis().abs_diff(first.time.millis());
    // Charts may cover slightly more than their period.
    let is_covered = |period: Period| u128::from(covered) <= period.length().as_millis() * 11 / 10;
    let is_interval = |name: &str, period: Period| name == INTERVAL && are_candles(&chart.points, period);
    match stated {
        Some((name, other)) if other.days() < chart.period.days() && is_covered(other) && !is_interval(name, other) => {
            Err(wrong_period(other, chart.period))
        }
        _ => Ok(()),
    }
}

/// Whether points can only be candles of this length, not prices over this period: there are at least two, this far
/// apart, each at the start or end of a day in UTC.
fn are_candles(points: &[Point], period: Period) -> bool {
    const SECOND: i64 = 1_000;
    const DAY: i64 = 24 * 60 * 60 * SECOND;
    let length = i64::from(period.days()) * DAY;
    let is_midnight = |point: &Point| (point.time.millis() + SECOND).rem_euclid(DAY) <= 2 * SECOND;
    // Months differ in length.
    let is_next = |pair: &[Point]| {
        let [before, after] = pair else { return false };
        (after.time.millis() - before.time.millis() - length).abs() <= length / 10
    };
    points.len() > 1 && points.iter().all(is_midnight) && points.windows(2).all(is_next)
}

fn wrong_period(found: Period, requested: Period) -> ErrorKind {
    ErrorKind::Unrecognised(format!("prices over {} instead of {}", found.as_str(), requested.as_str()))
}

/// The objects around the points, outermost first.
fn places(root: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    std::iter::successors(Some(root), |at| {
        // A map by time may be long.
        let is_by_time = at.fields().next().is_some_and(|(key, _)| points::is_time(key.raw()));
        let names = SERIES.iter().chain(WRAPPERS).filter(|_| !is_by_time);
        names.filter_map(|name| at.get(name)).find(Value::is_object)
    })
    .take(WRAPPED)
}
