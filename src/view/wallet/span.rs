//! The time that the points of a series cover.

use std::time::Duration;

use crate::format::Span;
use crate::model::{Period, Point};

const DAY: Duration = Duration::from_hours(24);
const YEAR: Duration = Duration::from_hours(365 * 24);

/// The time that points cover, such as `7 d`. The 365 points of a year are 364 days and the current price.
pub(super) fn of(points: &[Point]) -> Option<String> {
    let time = covered(points)?;
    let is_year = (YEAR - 2 * DAY..=YEAR + DAY).contains(&time);
    Some(if is_year { String::from("1 y") } else { Span(time).to_string() })
}

/// The time that points cover, if that is clearly not the period.
pub(super) fn other_than(period: Period, points: &[Point]) -> Option<String> {
    let whole = DAY * period.days();
    let is_whole = covered(points)?.abs_diff(whole) <= whole / TOLERANCE;
    if is_whole { None } else { of(points) }
}

/// Points cover a period if the difference is at most the period divided by this.
const TOLERANCE: u32 = 20;

fn covered(points: &[Point]) -> Option<Duration> {
    Some(points.last()?.time.since(points.first()?.time))
}
