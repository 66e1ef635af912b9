//! The time that the points of a series cover.

use std::time::Duration;

use crate::format::Span;
use crate::model::Point;

const DAY: Duration = Duration::from_hours(24);
const YEAR: Duration = Duration::from_hours(365 * 24);

/// The time that points cover, such as `7 d`. The 365 points of a year are 364 days and the current price.
pub(super) fn of(points: &[Point]) -> Option<String> {
    let time = points.last()?.time.since(points.first()?.time);
    let is_year = (YEAR - 2 * DAY..=YEAR + DAY).contains(&time);
    Some(if is_year { String::from("1 y") } else { Span(time).to_string() })
}
