//! Time formats.

use crate::model::{Text, UtcTime};

/// The time zone of times that don't state theirs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::client::decode) enum Zone {
    /// Seconds east of UTC.
    Offset(i32),
    /// A named zone with unknown offsets.
    Unknown(Text),
}

impl Zone {
    pub(in crate::client::decode) const UTC: Zone = Zone::Offset(0);

    /// Converts a local time in this zone, read as if it were UTC, to UTC; `None` if the zone is unknown.
    fn local(&self, shown: UtcTime) -> Option<UtcTime> {
        match self {
            Zone::Offset(seconds) => Some(UtcTime::from_millis(shown.millis() - i64::from(*seconds) * 1000)),
            Zone::Unknown(_) => None,
        }
    }
}

/// 1990-01-01, in milliseconds.
const OLDEST: f64 = 631_152_000_000.0;

/// .NET ticks of 1970-01-01: steps of 100 ns since the year 1.
const TICKS_OF_1970: f64 = 621_355_968_000_000_000.0;

/// Converts a Unix time in seconds, milliseconds, microseconds or nanoseconds, detected by magnitude, or .NET ticks
/// from 2006 to 2101. As nanoseconds, those would be in 1990.
pub(super) fn of_number(number: f64) -> Option<UtcTime> {
    let millis = match number {
        6.33e17..6.63e17 => (number - TICKS_OF_1970) / 1e4,
        0.0..1e11 => number * 1e3,
        1e11..1e14 => number,
        1e14..1e17 => number / 1e3,
        1e17..1e20 => number / 1e6,
        _ => return None,
    };
    (millis >= OLDEST).then(|| UtcTime::from_millis(millis.round() as i64))
}

/// Parses a date of eight digits, such as `20261119`, or with its time of day in 12, 14 or 17 digits, such as
/// `20261119080000`, in this zone. As Unix times, they would be before 1990 or after 2500.
pub(super) fn of_digits(digits: &str, zone: &Zone) -> Option<UtcTime> {
    let digits = digits.trim();
    let is_date = matches!(digits.len(), 8 | 12 | 14 | 17)
        && digits.bytes().all(|b| b.is_ascii_digit())
        && matches!(digits.get(..2), Some("19" | "20"));
    if !is_date {
        return None;
    }
    let part = |from, to| digits.get(from..to).unwrap_or("00");
    let (day, time) = ([part(0, 4), part(4, 6), part(6, 8)], [part(8, 10), part(10, 12), part(12, 14)]);
    let fraction = digits.get(14..).filter(|ms| !ms.is_empty()).unwrap_or("0");
    of_words(&format!("{}T{}.{fraction}", day.join("-"), time.join(":")), zone)
}

/// Parses ISO 8601, RFC 2822, or one of the formats of [`of_parts`]. Times without an offset are in this zone. A time
/// zone without an offset (`[Europe/Berlin]`) is not supported.
pub(super) fn of_words(words: &str, zone: &Zone) -> Option<UtcTime> {
    let words = words.trim();
    let millis = |stamp: jiff::Timestamp| UtcTime::from_millis(stamp.as_millisecond());
    UtcTime::parse_rfc3339(words)
        .or_else(|| {
            let in_utc = words.strip_suffix(" UTC").or(words.strip_suffix(" GMT"));
            let civil = in_utc.unwrap_or(words);
            // The parser would ignore an offset or a zone.
            let time_of_day = civil.get("2026-11-19".len()..).unwrap_or_default();
            let is_in_zone = time_of_day.contains(['+', '-', '\u{2212}', '[', 'Z', 'z']);
            let civil: jiff::civil::DateTime = civil.parse().ok().filter(|_| !is_in_zone)?;
            let shown = millis(civil.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp());
            if in_utc.is_some() { Some(shown) } else { zone.local(shown) }
        })
        .or_else(|| of_rfc2822(words))
        .or_else(|| of_parts(words, zone))
}

fn of_rfc2822(words: &str) -> Option<UtcTime> {
    Some(UtcTime::from_millis(jiff::fmt::rfc2822::parse(words).ok()?.timestamp().as_millisecond()))
}

/// Parses a date with a separate offset, as Ruby and Go write it (`2026-11-19 08:00:00 +0000 UTC`), or beginning with the
/// weekday, as Twitter, C and JavaScript do (`Thu Nov 19 08:00:00 +0000 2026`, `Thu Nov 19 2026 08:00:00 GMT+0000 (UTC)`).
/// Slashes may separate the parts of a date that begins with its year.
fn of_parts(words: &str, zone: &Zone) -> Option<UtcTime> {
    let of_month = |day: &str, month: &str, year: &str, time: &str, offset: &str| {
        let is_year = year.len() == 4 && year.bytes().all(|b| b.is_ascii_digit());
        is_year.then(|| of_rfc2822(&format!("{day} {month} {year} {time} {offset}"))).flatten()
    };
    let parts: Vec<&str> = words.split_ascii_whitespace().collect();
    match parts.as_slice() {
        [date, rest @ ..] if date.as_bytes().get(4) == Some(&b'/') => {
            let date = date.replace('/', "-");
            of_words(&[&[date.as_str()][..], rest].concat().join(" "), zone)
        }
        [date, time, offset, zone @ ..] if offset.starts_with(['+', '-']) && zone.len() < 2 => {
            let is_other = !zone.iter().any(|zone| matches!(*zone, "UTC" | "GMT"));
            let is_zero = !offset.bytes().any(|b| (b'1'..=b'9').contains(&b));
            (is_other || is_zero).then(|| UtcTime::parse_rfc3339(&format!("{date}T{time}{offset}"))).flatten()
        }
        [_, month, day, time, offset, year] if offset.starts_with(['+', '-']) => {
            of_month(day, month, year, time, offset)
        }
        [_, month, day, time, year] => zone.local(of_month(day, month, year, time, "+0000")?),
        [_, month, day, year, time, offset, ..] => of_month(day, month, year, time, offset.strip_prefix("GMT")?),
        _ => None,
    }
}

/// Whether a string is the zero date of Go, .NET, MySQL or Unix, which means "none".
pub(super) fn is_never(words: &str) -> bool {
    let midnight = |day: &str| {
        let time = words.trim().strip_prefix(day);
        time.is_some_and(|time| !time.bytes().any(|digit| (b'1'..=b'9').contains(&digit)))
    };
    ["0001-01-01", "0000-00-00", "1970-01-01"].iter().any(|day| midnight(day))
}
