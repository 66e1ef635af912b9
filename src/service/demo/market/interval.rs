//! Intervals of price history.

use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::series::DAY;
use crate::model::UtcTime;

/// All intervals. Calendar months and years have no fixed length.
const INTERVALS: [(&str, Step); 27] = [
    ("5m", Step::Seconds(300)),
    ("10m", Step::Seconds(600)),
    ("15m", Step::Seconds(900)),
    ("30m", Step::Seconds(1_800)),
    ("45m", Step::Seconds(2_700)),
    ("1h", Step::Seconds(3_600)),
    ("2h", Step::Seconds(7_200)),
    ("3h", Step::Seconds(10_800)),
    ("4h", Step::Seconds(14_400)),
    ("6h", Step::Seconds(21_600)),
    ("12h", Step::Seconds(43_200)),
    ("24h", Step::Seconds(DAY)),
    ("1d", Step::Seconds(DAY)),
    ("2d", Step::Seconds(2 * DAY)),
    ("3d", Step::Seconds(3 * DAY)),
    ("7d", Step::Seconds(7 * DAY)),
    ("14d", Step::Seconds(14 * DAY)),
    ("15d", Step::Seconds(15 * DAY)),
    ("30d", Step::Seconds(30 * DAY)),
    ("60d", Step::Seconds(60 * DAY)),
    ("90d", Step::Seconds(90 * DAY)),
    ("365d", Step::Seconds(365 * DAY)),
    ("hourly", Step::Seconds(3_600)),
    ("daily", Step::Seconds(DAY)),
    ("weekly", Step::Weeks),
    ("monthly", Step::Months(1)),
    ("yearly", Step::Months(12)),
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    /// Multiples of these seconds since the epoch.
    Seconds(i64),
    /// Mondays.
    Weeks,
    /// First days of every n-th month, from January.
    Months(i32),
}

/// An interval between points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interval(Step);

impl Interval {
    /// Parses a name.
    pub(crate) fn parse(name: &str) -> Option<Interval> {
        INTERVALS.iter().find(|(known, _)| *known == name).map(|(_, step)| Interval(*step))
    }

    /// The accepted values, for an error.
    pub(crate) fn known() -> String {
        let names: Vec<&str> = INTERVALS.iter().map(|(name, _)| *name).collect();
        format!("one of {}", names.join(", "))
    }

    /// At most `count` ascending times: starts of intervals since `first`, and now.
    pub(crate) fn times(self, count: usize, first: i64, now: i64) -> Vec<i64> {
        let regular = |step: i64, offset: i64| {
            let last = (now - 1 - offset).div_euclid(step);
            Box::new((0..).map(move |n| (last - n) * step + offset)) as Box<dyn Iterator<Item = i64>>
        };
        let earlier = match self.0 {
            Step::Seconds(step) => regular(step, 0),
            // The epoch was a Thursday.
            Step::Weeks => regular(7 * DAY, 4 * DAY),
            Step::Months(months) => Box::new(first_days(now, months)),
        };
        let mut times: Vec<i64> =
            std::iter::once(now).chain(earlier.take_while(|secs| *secs >= first)).take(count).collect();
        times.reverse();
        times
    }
}

/// First days of months before `now` in seconds since the epoch, latest first.
fn first_days(now: i64, months: i32) -> impl Iterator<Item = i64> {
    let today = UtcTime::from_secs(now - 1).timestamp().to_zoned(TimeZone::UTC).date();
    let month = if months == 12 { 1 } else { today.month() };
    let begin = Date::new(today.year(), month, 1).unwrap_or(today);
    (0..).map_while(move |n: i32| {
        let day = begin.checked_sub(n.checked_mul(months)?.months()).ok()?;
        Some(day.to_zoned(TimeZone::UTC).ok()?.timestamp().as_second())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-19T08:00:05Z, a Thursday.
    const NOW: i64 = 1_795_075_205;

    fn shown(name: &str, count: usize) -> Vec<String> {
        let times = Interval::parse(name).unwrap().times(count, 0, NOW);
        times.into_iter().map(|secs| UtcTime::from_secs(secs).to_string()).collect()
    }

    #[test]
    fn times_align_with_clock_and_calendar_and_end_now() {
        assert_eq!(shown("5m", 3), ["2026-11-19T07:55:00Z", "2026-11-19T08:00:00Z", "2026-11-19T08:00:05Z"]);
        assert_eq!(shown("daily", 2), ["2026-11-19T00:00:00Z", "2026-11-19T08:00:05Z"]);
        assert_eq!(shown("weekly", 2), ["2026-11-16T00:00:00Z", "2026-11-19T08:00:05Z"]);
        assert_eq!(shown("monthly", 3), ["2026-10-01T00:00:00Z", "2026-11-01T00:00:00Z", "2026-11-19T08:00:05Z"]);
        assert_eq!(shown("yearly", 3), ["2025-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "2026-11-19T08:00:05Z"]);
    }

    #[test]
    fn no_points_before_launch() {
        let interval = Interval::parse("365d").unwrap();
        let times = interval.times(10_000, NOW - 3 * 365 * DAY, NOW);
        assert!(times.len() <= 4 && times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
        assert_eq!(Interval::parse("1m"), None);
        assert_eq!(Interval::parse("1w"), None);
    }
}
