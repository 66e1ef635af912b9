//! Time formats.

use crate::model::UtcTime;

/// 1990-01-01, in milliseconds.
const OLDEST: f64 = 631_152_000_000.0;

/// Converts a Unix time in seconds, milliseconds, microseconds or nanoseconds, detected by magnitude.
pub(super) fn of_number(number: f64) -> Option<UtcTime> {
    let millis = match number {
        0.0..1e11 => number * 1e3,
        1e11..1e14 => number,
        1e14..1e17 => number / 1e3,
        1e17..1e20 => number / 1e6,
        _ => return None,
    };
    (millis >= OLDEST).then(|| UtcTime::from_millis(millis.round() as i64))
}

/// Parses a date of eight digits, such as `20261119`.
pub(super) fn of_day(digits: &str) -> Option<UtcTime> {
    let day = digits.trim();
    let is_day = day.len() == 8 && day.bytes().all(|b| b.is_ascii_digit()) && matches!(day.get(..2), Some("19" | "20"));
    of_words(&format!("{}-{}-{}", day.get(..4)?, day.get(4..6)?, day.get(6..)?)).filter(|_| is_day)
}

/// Parses ISO 8601 (default UTC) or RFC 2822. A time zone without an offset (`[Europe/Berlin]`) is not supported.
pub(super) fn of_words(words: &str) -> Option<UtcTime> {
    let words = words.trim();
    let millis = |stamp: jiff::Timestamp| UtcTime::from_millis(stamp.as_millisecond());
    UtcTime::parse_rfc3339(words)
        .or_else(|| {
            let civil = words.strip_suffix(" UTC").or(words.strip_suffix(" GMT")).unwrap_or(words);
            // The parser would ignore an offset or a zone.
            let time_of_day = civil.get("2026-11-19".len()..).unwrap_or_default();
            let is_in_zone = time_of_day.contains(['+', '-', '\u{2212}', '[', 'Z', 'z']);
            let civil: jiff::civil::DateTime = civil.parse().ok().filter(|_| !is_in_zone)?;
            Some(millis(civil.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp()))
        })
        .or_else(|| Some(millis(jiff::fmt::rfc2822::parse(words).ok()?.timestamp())))
}

/// Whether a string is the zero date of Go, .NET, MySQL or Unix, which means "none".
pub(super) fn is_never(words: &str) -> bool {
    let midnight = |day: &str| {
        let time = words.trim().strip_prefix(day);
        time.is_some_and(|time| !time.bytes().any(|digit| (b'1'..=b'9').contains(&digit)))
    };
    ["0001-01-01", "0000-00-00", "1970-01-01"].iter().any(|day| midnight(day))
}
