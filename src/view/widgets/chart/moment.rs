//! Times in a chart, with as much of the date as tells them apart.

use std::time::Duration;

use crate::format::time::weekday_name;
use crate::format::{Clock, Date};
use crate::model::{Point, UtcTime, Zone};

/// A time in a chart: `Thu 13 Nov 14:00`, or `Thu 13 Nov 2025 14:00`; see [`has_year`].
pub fn moment(points: &[Point], time: UtcTime, zone: &Zone) -> String {
    let (day, with_year) = (zone.at(time), has_year(points, time, zone));
    format!("{} {} {}", weekday_name(day), Date { day, with_year }, Clock(day))
}

/// A time in a chart without its weekday: `13 Nov 14:00`, or `13 Nov 2025 14:00`; see [`has_year`].
pub fn short_moment(points: &[Point], time: UtcTime, zone: &Zone) -> String {
    let (day, with_year) = (zone.at(time), has_year(points, time, zone));
    format!("{} {}", Date { day, with_year }, Clock(day))
}

/// Charts over a shorter time need no years: a day without one is the last such day.
const HALF_A_YEAR: Duration = Duration::from_hours(183 * 24);

/// Whether a time in a chart is shown with its year: in one over half a year or more, if that is not the year in which
/// the chart ends. `points` are the points of the whole period, even if only a part of it is shown.
pub fn has_year(points: &[Point], time: UtcTime, zone: &Zone) -> bool {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return false };
    last.time.since(first.time) >= HALF_A_YEAR && zone.at(time).year() != zone.at(last.time).year()
}

/// The time from the first point to the last.
pub(super) fn span(points: &[Point]) -> Duration {
    points.last().zip(points.first()).map_or(Duration::ZERO, |(last, first)| last.time.since(first.time))
}

/// A bit more than a day: a chart of one may begin before its first full interval.
pub(super) const DAY: Duration = Duration::from_hours(26);

/// In charts over a longer time, labels have a date but no time.
pub(super) const MONTHS: Duration = Duration::from_hours(45 * 24);
