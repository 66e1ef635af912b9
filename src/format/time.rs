//! Ages, remaining times, clock times and dates. Clock times and dates are in the time zone of
//! [`crate::model::Zone::at`].

use std::fmt;
use std::time::Duration;

use jiff::civil::DateTime;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
const YEAR: u64 = 365 * DAY;

/// How long ago something was, in coarse steps, so that few frames are needed to keep it current; at most 8 columns
/// wide: `now`, `1 m` … `59 m`, `1 h` … `23 h`, `1 d` … `364 d`, `1 y`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Age(pub Duration);

impl Age {
    /// Whether its text is `now`.
    pub fn is_now(self) -> bool {
        self.0.as_secs() < MINUTE
    }
}

impl fmt::Display for Age {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secs = self.0.as_secs();
        match secs {
            ..MINUTE => f.write_str("now"),
            MINUTE..HOUR => write!(f, "{} m", secs / MINUTE),
            HOUR..DAY => write!(f, "{} h", secs / HOUR),
            DAY..YEAR => write!(f, "{} d", secs / DAY),
            _ => write!(f, "{} y", (secs / YEAR).min(999_999)),
        }
    }
}

/// The time until the text of an [`Age`] changes; never zero.
pub fn next_age_change(age: Duration) -> Duration {
    let secs = age.as_secs();
    let next = match secs {
        ..HOUR => (secs / MINUTE + 1) * MINUTE,
        HOUR..DAY => (secs / HOUR + 1) * HOUR,
        DAY..YEAR => (secs / DAY + 1) * DAY,
        _ => (secs / YEAR).saturating_add(1).saturating_mul(YEAR),
    };
    Duration::from_secs(next).saturating_sub(age).max(Duration::from_millis(1))
}

/// The time until something happens, in 10 s, 30 s, or the steps of [`Age`], rounded up; at most 11 columns wide:
/// `now`, `in 10 s`, `in 3 m`, `in 2 h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Until(pub Duration);

impl fmt::Display for Until {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match upper_step(self.0) {
            0 => f.write_str("now"),
            upper @ ..MINUTE => write!(f, "in {upper} s"),
            upper => write!(f, "in {}", Age(Duration::from_secs(upper))),
        }
    }
}

/// The time until the text of an [`Until`] changes; `None` once it is `now`.
pub fn next_until_change(left: Duration) -> Option<Duration> {
    let lower = match upper_step(left) {
        0 => return None,
        10 => 0,
        30 => 10,
        MINUTE => 30,
        upper @ ..=HOUR => upper - MINUTE,
        upper @ ..=DAY => upper - HOUR,
        upper @ ..=YEAR => upper - DAY,
        upper => upper - YEAR,
    };
    Some(left.saturating_sub(Duration::from_secs(lower)).max(Duration::from_millis(1)))
}

/// The smallest step that is not shorter than `left`, in seconds.
fn upper_step(left: Duration) -> u64 {
    let secs = left.as_secs().saturating_add(u64::from(left.subsec_nanos() > 0)).min(1_000_000 * YEAR);
    match secs {
        0 => 0,
        1..=10 => 10,
        11..=30 => 30,
        31..=HOUR => secs.div_ceil(MINUTE) * MINUTE,
        3_601..=DAY => secs.div_ceil(HOUR) * HOUR,
        86_401..=YEAR => secs.div_ceil(DAY) * DAY,
        _ => secs.div_ceil(YEAR) * YEAR,
    }
}

/// The duration of a request, at most 6 columns wide: `<1 ms`, `120 ms`, `1.2 s`, `34 s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latency(pub Duration);

impl fmt::Display for Latency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secs = self.0.as_secs_f64();
        match self.0.as_millis() {
            0 => f.write_str("<1 ms"),
            millis @ 1..1000 => write!(f, "{millis} ms"),
            1000..9950 => write!(f, "{secs:.1} s"),
            9950..9_999_500 => write!(f, "{secs:.0} s"),
            _ => f.write_str(">2 h"),
        }
    }
}

/// A time span, in seconds below a minute, else rounded to minutes, to halves below ten hours or days, or to whole
/// hours or days; at most 7 columns wide: `30 s`, `45 m`, `1 h`, `2.5 h`, `10 h`, `2.5 d`, `30 d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(pub Duration);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secs = self.0.as_secs();
        let (unit, name) = match secs {
            ..MINUTE => return write!(f, "{secs} s"),
            MINUTE..5_400 => match (secs + MINUTE / 2) / MINUTE {
                60 => return f.write_str("1 h"),
                minutes => return write!(f, "{minutes} m"),
            },
            5_400..129_600 => (HOUR, "h"),
            _ => (DAY, "d"),
        };
        let secs = secs.min(99_999 * DAY);
        match (secs + unit / 4) / (unit / 2) {
            halves @ ..20 if halves % 2 == 1 => write!(f, "{}.5 {name}", halves / 2),
            halves @ ..20 => write!(f, "{} {name}", halves / 2),
            _ => write!(f, "{} {name}", (secs + unit / 2) / unit),
        }
    }
}

/// The time of day: `14:03`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock(pub DateTime);

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0.hour(), self.0.minute())
    }
}

/// A day, at most 6 columns wide: `13 Nov`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day(pub DateTime);

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0.day(), month_name(self.0.month()))
    }
}

/// A day, with its year if that is not clear from the context: `13 Nov`, `13 Nov 2025`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    /// The day.
    pub day: DateTime,
    /// Whether the year is shown.
    pub with_year: bool,
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Day(self.day).fmt(f)?;
        if self.with_year { write!(f, " {}", self.day.year()) } else { Ok(()) }
    }
}

/// A date and time, at most 16 columns wide: `Thu 13 Nov 14:03`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment(pub DateTime);

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", weekday_name(self.0), Day(self.0), Clock(self.0))
    }
}

/// A time, or the range from another one to it, with the days that are not today: `06:30`, `22 Nov 05:41–10:41`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeRange {
    /// The start, if it is a range.
    pub from: Option<DateTime>,
    /// The time, or the end of the range.
    pub until: DateTime,
    /// The present time.
    pub now: DateTime,
}

impl fmt::Display for TimeRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TimeRange { from, until, now } = *self;
        let with_day = |f: &mut fmt::Formatter<'_>, time: DateTime| {
            if time.date() == now.date() { Clock(time).fmt(f) } else { write!(f, "{} {}", Day(time), Clock(time)) }
        };
        let Some(from) = from else { return with_day(f, until) };
        with_day(f, from)?;
        f.write_str("–")?;
        if from.date() == until.date() { Clock(until).fmt(f) } else { with_day(f, until) }
    }
}

/// The three-letter English name of the weekday.
pub fn weekday_name(day: DateTime) -> &'static str {
    const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    let weekday = usize::try_from(day.weekday().to_monday_zero_offset()).unwrap_or(0);
    DAYS.get(weekday).copied().unwrap_or("")
}

/// The three-letter English name of a month from 1 to 12.
pub fn month_name(month: i8) -> &'static str {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    usize::try_from(month - 1).ok().and_then(|index| MONTHS.get(index)).copied().unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{UtcTime, Zone};
    use proptest::prelude::*;

    fn secs(secs: u64) -> Duration {
        Duration::from_secs(secs)
    }

    #[test]
    fn ages_have_coarse_steps() {
        for (age, shown) in [
            (0, "now"),
            (59, "now"),
            (60, "1 m"),
            (119, "1 m"),
            (3_599, "59 m"),
            (3_600, "1 h"),
            (86_399, "23 h"),
            (86_400, "1 d"),
            (364 * DAY, "364 d"),
            (800 * DAY, "2 y"),
            (u64::MAX, "999999 y"),
        ] {
            assert_eq!(Age(secs(age)).to_string(), shown);
        }
    }

    #[test]
    fn spans_are_rounded() {
        for (span, shown) in [
            (0, "0 s"),
            (59, "59 s"),
            (89, "1 m"),
            (2_700, "45 m"),
            (5_399, "90 m"),
            (5_400, "1.5 h"),
            (9 * HOUR + 55 * MINUTE, "10 h"),
            (10 * HOUR + 25 * MINUTE, "10 h"),
            (10 * HOUR + 35 * MINUTE, "11 h"),
            (9 * HOUR + 29 * MINUTE, "9.5 h"),
            (9 * HOUR + 14 * MINUTE, "9 h"),
            (23 * HOUR + 55 * MINUTE, "24 h"),
            (36 * HOUR, "1.5 d"),
            (60 * HOUR, "2.5 d"),
            (4 * DAY - HOUR, "4 d"),
            (30 * DAY, "30 d"),
            (u64::MAX, "99999 d"),
        ] {
            assert_eq!(Span(secs(span)).to_string(), shown, "{span}");
        }
    }

    #[test]
    fn remaining_times_round_up() {
        for (left, shown) in [
            (0, "now"),
            (1, "in 10 s"),
            (11, "in 30 s"),
            (31, "in 1 m"),
            (61, "in 2 m"),
            (180, "in 3 m"),
            (3_601, "in 2 h"),
        ] {
            assert_eq!(Until(secs(left)).to_string(), shown);
        }
        assert_eq!(Until(Duration::from_millis(1)).to_string(), "in 10 s");
        assert_eq!(next_until_change(secs(179)), Some(secs(59)));
        assert_eq!(next_until_change(secs(120)), Some(secs(60)));
        assert_eq!(next_until_change(Duration::ZERO), None);
    }

    #[test]
    fn latencies_have_units() {
        for (micros, shown) in [(10, "<1 ms"), (120_000, "120 ms"), (1_240_000, "1.2 s"), (34_000_000, "34 s")] {
            assert_eq!(Latency(Duration::from_micros(micros)).to_string(), shown);
        }
        assert_eq!(Latency(Duration::MAX).to_string(), ">2 h");
    }

    #[test]
    fn clock_and_dates_follow_the_time_zone() {
        let time = UtcTime::parse_rfc3339("2026-11-13T14:03:20Z").unwrap();
        let auckland = Zone::from_posix("NZST-12NZDT,M9.5.0,M4.1.0/3").unwrap();
        for (zone, clock, day, moment) in
            [(&Zone::UTC, "14:03", "13 Nov", "Fri 13 Nov 14:03"), (&auckland, "03:03", "14 Nov", "Sat 14 Nov 03:03")]
        {
            let local = zone.at(time);
            assert_eq!(Clock(local).to_string(), clock);
            assert_eq!(Day(local).to_string(), day);
            assert_eq!(Moment(local).to_string(), moment);
        }
        assert_eq!(Clock(Zone::UTC.at(UtcTime::from_secs(-60))).to_string(), "23:59");
    }

    #[test]
    fn time_range_names_the_days_that_are_not_today() {
        let at = |day, hour| jiff::civil::date(2026, 11, day).at(hour, 30, 0, 0);
        for (from, until, text) in [
            (None, at(24, 6), "06:30"),
            (None, at(22, 6), "22 Nov 06:30"),
            (Some(at(24, 5)), at(24, 6), "05:30–06:30"),
            (Some(at(22, 5)), at(22, 6), "22 Nov 05:30–06:30"),
            (Some(at(22, 23)), at(23, 6), "22 Nov 23:30–23 Nov 06:30"),
            (Some(at(23, 23)), at(24, 6), "23 Nov 23:30–06:30"),
        ] {
            assert_eq!(TimeRange { from, until, now: at(24, 12) }.to_string(), text);
        }
    }

    proptest! {
        /// The event loop sleeps until the change: one millisecond earlier, the text is still the same.
        #[test]
        fn next_change_is_exact(millis in 0..100_000_000_000_u64) {
            let age = Duration::from_millis(millis);
            let wait = next_age_change(age);
            let tick = Duration::from_millis(1);
            prop_assert_eq!(Age(age + wait - tick).to_string(), Age(age).to_string());
            prop_assert_ne!(Age(age + wait).to_string(), Age(age).to_string());
            if let Some(wait) = next_until_change(age) {
                prop_assert_eq!(Until((age + tick).saturating_sub(wait)).to_string(), Until(age).to_string());
                prop_assert_ne!(Until(age.saturating_sub(wait)).to_string(), Until(age).to_string());
            }
        }
    }
}
