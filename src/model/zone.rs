//! The time zone of displayed times.

use std::fmt;

use jiff::civil::{Date, DateTime};
use jiff::tz::{AmbiguousOffset, TimeZone};

use super::text::{Text, clean};
use super::time::UtcTime;

/// A time zone, read once at the start. Data, JSON and CSV are in UTC; only text for people is in local time.
#[derive(Clone, Debug)]
pub struct Zone {
    zone: TimeZone,
    name: Text,
    missing: Option<Text>,
}

/// Maximum characters of an abbreviation such as `CEST`; POSIX allows any number.
const MAX_ABBREVIATION: usize = 6;

impl Zone {
    /// UTC.
    pub const UTC: Zone = Zone { zone: TimeZone::UTC, name: Text::const_new("UTC"), missing: None };

    /// UTC, since the zone with this name was not found.
    pub fn missing(name: &str) -> Zone {
        Zone { missing: Some(clean(name).chars().take(40).collect()), ..Zone::UTC }
    }

    /// A zone of a compiled time zone file (TZif, RFC 9636). `None` if the file is invalid.
    pub fn from_tzif(name: &str, file: &[u8]) -> Option<Zone> {
        let zone = TimeZone::tzif(name, file).ok()?;
        Some(Zone { zone, name: Text::from(clean(name)), missing: None })
    }

    /// A zone with POSIX rules such as `CET-1CEST,M3.5.0,M10.5.0/3`. `None` if they are invalid.
    pub fn from_posix(rules: &str) -> Option<Zone> {
        let zone = TimeZone::posix(rules).ok()?;
        Some(Zone { zone, name: Text::from(clean(rules)), missing: None })
    }

    /// The name: `Europe/Berlin`, `UTC`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of the configured zone if it was not found; times are then in UTC.
    pub fn wanted(&self) -> Option<&str> {
        self.missing.as_deref()
    }

    /// The date and time in the zone.
    pub fn at(&self, time: UtcTime) -> DateTime {
        self.zone.to_datetime(time.timestamp())
    }

    /// Seconds from midnight of 1970-01-01 to `time`, both in the zone, as if every day had 24 hours.
    pub fn wall_secs(&self, time: UtcTime) -> i64 {
        time.secs() + i64::from(self.zone.to_offset(time.timestamp()).seconds())
    }

    /// The first time with this date and time of day. `None` if the zone skips it, as at the start of summer time.
    pub fn time(&self, local: DateTime) -> Option<UtcTime> {
        let time = self.zone.to_ambiguous_timestamp(local);
        if matches!(time.offset(), AmbiguousOffset::Gap { .. }) { None } else { utc(time.compatible()) }
    }

    /// When a day starts in the zone: at midnight, or later if the zone skips that.
    pub fn start_of(&self, day: Date) -> Option<UtcTime> {
        utc(self.zone.to_ambiguous_timestamp(day.to_datetime(jiff::civil::Time::midnight())).compatible())
    }

    /// The abbreviation in use at `time`: `CET`, `CEST`, `UTC`, `-03`.
    pub fn abbreviation(&self, time: UtcTime) -> Text {
        let info = self.zone.to_offset_info(time.timestamp());
        match info.abbreviation() {
            short if short.chars().count() <= MAX_ABBREVIATION && clean(short) == short => Text::from(short),
            _ => compact_str::format_compact!("{}", info.offset()),
        }
    }
}

impl Default for Zone {
    fn default() -> Zone {
        Zone::UTC
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

fn utc(time: Result<jiff::Timestamp, jiff::Error>) -> Option<UtcTime> {
    Some(UtcTime::from_millis(time.ok()?.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn berlin() -> Zone {
        Zone::from_posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap()
    }

    fn time(text: &str) -> UtcTime {
        UtcTime::parse_rfc3339(text).unwrap()
    }

    #[test]
    fn offset_and_abbreviation_follow_summer_time() {
        let zone = berlin();
        for (utc, local, short) in [
            ("2026-03-29T00:59:59Z", "2026-03-29T01:59:59", "CET"),
            ("2026-03-29T01:00:00Z", "2026-03-29T03:00:00", "CEST"),
            ("2026-10-25T00:59:59Z", "2026-10-25T02:59:59", "CEST"),
            ("2026-10-25T01:00:00Z", "2026-10-25T02:00:00", "CET"),
        ] {
            assert_eq!((zone.at(time(utc)).to_string().as_str(), &*zone.abbreviation(time(utc))), (local, short));
        }
    }

    #[test]
    fn skipped_time_does_not_exist_and_a_repeated_one_is_the_first() {
        let zone = berlin();
        assert_eq!(zone.time(date(2026, 3, 29).at(2, 30, 0, 0)), None);
        assert_eq!(zone.time(date(2026, 10, 25).at(2, 30, 0, 0)), Some(time("2026-10-25T00:30:00Z")));
        // Cairo starts summer time at midnight.
        let cairo = Zone::from_posix("EET-2EEST,M4.5.5/0,M10.5.4/24").unwrap();
        assert_eq!(cairo.start_of(date(2026, 4, 24)), Some(time("2026-04-23T22:00:00Z")));
        assert_eq!(cairo.at(time("2026-04-23T22:00:00Z")).to_string(), "2026-04-24T01:00:00");
    }

    #[test]
    fn long_abbreviation_becomes_the_offset() {
        let zone = Zone::from_posix("<+0545abcdef>-5:45").unwrap();
        assert_eq!(&*zone.abbreviation(UtcTime::from_secs(0)), "+05:45");
        assert_eq!(&*Zone::from_posix("<-03>3").unwrap().abbreviation(UtcTime::from_secs(0)), "-03");
    }

    #[test]
    fn invalid_rules_and_files_are_rejected() {
        assert!(Zone::from_posix("Europe/Berlin").is_none());
        assert!(Zone::from_tzif("Europe/Berlin", b"TZif2").is_none());
        assert_eq!((Zone::missing("No\u{202e}where").wanted(), Zone::missing("x").name()), (Some("Nowhere"), "UTC"));
    }

    #[test]
    fn every_time_is_shown_in_every_zone() {
        for zone in [Zone::UTC, berlin(), Zone::from_posix("<+1359>-13:59").unwrap()] {
            for millis in [i64::MIN, i64::MAX, 0] {
                let time = UtcTime::from_millis(millis);
                assert_eq!(zone.wall_secs(time).rem_euclid(60), i64::from(zone.at(time).second()));
            }
        }
    }
}
