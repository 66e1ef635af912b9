//! A UTC time with millisecond precision, in eight bytes, so that long charts need little memory.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Milliseconds since 1970-01-01T00:00:00Z, within the years 1 to 9999.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UtcTime(i64);

const FIRST: i64 = -62_135_596_800_000; // 0001-01-01T00:00:00Z
const LAST: i64 = 253_402_207_200_000; // 9999-12-30T22:00:00Z, the last that can be shown in every zone

impl UtcTime {
    /// The time `millis` after the epoch, clamped to the years 1 to 9999.
    pub const fn from_millis(millis: i64) -> UtcTime {
        if millis < FIRST {
            UtcTime(FIRST)
        } else if millis > LAST {
            UtcTime(LAST)
        } else {
            UtcTime(millis)
        }
    }

    /// The time `secs` after the epoch, clamped to the years 1 to 9999.
    pub const fn from_secs(secs: i64) -> UtcTime {
        UtcTime::from_millis(secs.saturating_mul(1000))
    }

    /// The system clock. Not for `app`, which gets the time with its messages.
    pub fn now() -> UtcTime {
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => UtcTime::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX)),
            Err(before) => UtcTime::from_millis(-i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX)),
        }
    }

    /// Milliseconds since the epoch.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Whole seconds since the epoch, rounded down.
    pub const fn secs(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// The time since `earlier`; zero if that is later.
    pub fn since(self, earlier: UtcTime) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// This time plus `by`, clamped to the year 9999.
    pub fn plus(self, by: Duration) -> UtcTime {
        UtcTime::from_millis(self.0.saturating_add(i64::try_from(by.as_millis()).unwrap_or(i64::MAX)))
    }

    /// This time minus `by`, clamped to the year 1.
    pub fn minus(self, by: Duration) -> UtcTime {
        UtcTime::from_millis(self.0.saturating_sub(i64::try_from(by.as_millis()).unwrap_or(i64::MAX)))
    }

    /// Whether this deadline, which was set at most `longest` ahead, has passed. If it is further away, the clock has been
    /// set back since then; it counts as passed, rather than late.
    pub fn is_due(self, now: UtcTime, longest: Duration) -> bool {
        self <= now || self > now.plus(longest)
    }

    /// The time as a jiff timestamp, for calendar arithmetic.
    pub fn timestamp(self) -> jiff::Timestamp {
        jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
    }

    /// Parses an RFC 3339 (ISO 8601) time such as `2026-11-19T08:00:00.000Z`, with any offset.
    pub fn parse_rfc3339(text: &str) -> Option<UtcTime> {
        let stamp: jiff::Timestamp = text.trim().parse().ok()?;
        Some(UtcTime::from_millis(stamp.as_millisecond()))
    }
}

impl fmt::Display for UtcTime {
    /// RFC 3339 in UTC, with milliseconds only if they are not zero.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let precision = if self.0.rem_euclid(1000) == 0 { 0 } else { 3 };
        write!(f, "{:.precision$}", self.timestamp())
    }
}

/// RFC 3339 in human-readable formats, milliseconds in others.
impl Serialize for UtcTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { serializer.collect_str(self) } else { self.0.serialize(serializer) }
    }
}

impl<'de> Deserialize<'de> for UtcTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<UtcTime, D::Error> {
        if deserializer.is_human_readable() {
            let text = String::deserialize(deserializer)?;
            UtcTime::parse_rfc3339(&text).ok_or_else(|| de::Error::custom("not a time in RFC 3339"))
        } else {
            i64::deserialize(deserializer).map(UtcTime::from_millis)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_prints_seconds_or_milliseconds() {
        assert_eq!(UtcTime::from_millis(0).to_string(), "1970-01-01T00:00:00Z");
        assert_eq!(UtcTime::from_millis(1_795_075_200_100).to_string(), "2026-11-19T08:00:00.100Z");
    }

    #[test]
    fn times_are_clamped_to_the_calendar() {
        assert_eq!(UtcTime::from_millis(i64::MAX).to_string(), "9999-12-30T22:00:00Z");
        assert_eq!(UtcTime::from_millis(i64::MIN).to_string(), "0001-01-01T00:00:00Z");
        assert_eq!(UtcTime::from_secs(i64::MAX), UtcTime::from_millis(i64::MAX));
    }

    #[test]
    fn deadline_is_due_once_it_has_passed_or_the_clock_was_set_back() {
        let (now, hour) = (UtcTime::from_secs(1_795_075_200), Duration::from_hours(1));
        let set = now.plus(hour);
        assert!(!set.is_due(now, hour) && !set.is_due(set.minus(Duration::from_millis(1)), hour));
        assert!(set.is_due(set, hour) && set.is_due(set.plus(hour), hour));
        assert!(set.is_due(now.minus(Duration::from_millis(1)), hour));
    }

    #[test]
    fn time_round_trips_through_text() {
        let time = UtcTime::from_millis(1_795_075_200_123);
        assert_eq!(UtcTime::parse_rfc3339(&time.to_string()), Some(time));
        assert_eq!(UtcTime::parse_rfc3339("2026-11-19T10:00:00.123+02:00"), Some(time));
        assert_eq!(UtcTime::parse_rfc3339("yesterday"), None);
    }
}
