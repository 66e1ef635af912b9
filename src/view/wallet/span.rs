//! The time that the points of a series cover.

use std::time::Duration;

use crate::format::Span;
use crate::model::{Period, Point};

const DAY: Duration = Duration::from_hours(24);
const YEAR: Duration = Duration::from_hours(365 * 24);

/// The time that points cover, such as `7 d` or `3.6 y`. The 365 points of a year are 364 days and the current price.
pub(super) fn of(points: &[Point]) -> Option<String> {
    let time = covered(points)?;
    let is_year = (YEAR - 2 * DAY..=YEAR + DAY).contains(&time);
    // In tenths, rounded.
    let years = (time.as_secs() * 10 + YEAR.as_secs() / 2) / YEAR.as_secs();
    Some(match (years / 10, years % 10) {
        _ if is_year => String::from("1 y"),
        (..2, _) => Span(time).to_string(),
        (whole, 0) => format!("{whole} y"),
        (whole, tenths) => format!("{whole}.{tenths} y"),
    })
}

/// The note on the time that points cover: its length if it clearly differs from the period; for all time, whose start
/// differs between coins, where it starts.
pub(super) fn note(period: Period, points: &[Point]) -> Option<String> {
    if period == Period::AllTime {
        return Some(String::from("each since its first price"));
    }
    let whole = DAY * period.days();
    let is_whole = covered(points)?.abs_diff(whole) <= whole / TOLERANCE;
    if is_whole { None } else { of(points).map(|time| format!("over {time}")) }
}

/// Points cover a period if the difference is at most the period divided by this.
const TOLERANCE: u32 = 20;

fn covered(points: &[Point]) -> Option<Duration> {
    Some(points.last()?.time.since(points.first()?.time))
}
