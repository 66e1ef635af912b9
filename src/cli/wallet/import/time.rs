//! The time of a lot in a file.

use jiff::ToSpan as _;
use jiff::civil::{Date, DateTime, Time};

/// When something happened, used only for the order and to find transfers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LotTime {
    /// The file doesn't have the time.
    #[default]
    Unknown,
    /// The file has a time that can't be read, so that it can't be compared with others.
    Unreadable,
    /// In UTC; a time without an offset counts as UTC.
    At(DateTime),
}

impl LotTime {
    /// Reads what follows a day: ` 14:05`, `T14:05:07.5Z`, ` 2:05 PM`, `T14:05:07+02:00`.
    pub(super) fn parse(date: Date, text: &str) -> LotTime {
        let text = text.trim_start_matches(['T', ' ']).trim();
        if text.is_empty() {
            return LotTime::Unknown;
        }
        read(date, text).map_or(LotTime::Unreadable, LotTime::At)
    }
}

fn read(date: Date, text: &str) -> Option<DateTime> {
    let is_clock = |char: char| char.is_ascii_digit() || matches!(char, ':' | '.' | ',');
    let (clock, rest) = text.split_at(text.find(|char| !is_clock(char)).unwrap_or(text.len()));
    let rest = rest.trim_start().to_ascii_uppercase();
    let half = ["AM", "PM"].into_iter().find_map(|half| Some((half, rest.strip_prefix(half)?)));
    let (time, zone) = match half {
        Some((half, zone)) => (twelve_hours(self::clock(clock)?, half == "PM")?, zone.trim_start()),
        None => (self::clock(clock)?, rest.as_str()),
    };
    date.to_datetime(time).checked_sub(offset(zone)?.minutes()).ok()
}

/// `14:05`, `14:05:07` or `14:05:07.5`.
fn clock(text: &str) -> Option<Time> {
    let (clock, fraction) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let mut parts = clock.split(':').map(two_digits);
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().unwrap_or(Some(0))?;
    let nanos = fraction.get(..fraction.len().min(9)).filter(|digits| digits.bytes().all(|it| it.is_ascii_digit()))?;
    let nanos = format!("{nanos:0<9}").parse().ok()?;
    if parts.next().is_some() {
        return None;
    }
    Time::new(hour, minute, second, nanos).ok()
}

/// A time of a clock that shows 1 to 12 hours.
fn twelve_hours(time: Time, is_afternoon: bool) -> Option<Time> {
    let hour = match time.hour() {
        12 => 0,
        hour @ 1..=11 => hour,
        _ => return None,
    };
    time.with().hour(if is_afternoon { hour + 12 } else { hour }).build().ok()
}

/// The offset from UTC in minutes: `Z`, `UTC`, `+02:00`, `-0530`, `+2`; zero without one.
fn offset(text: &str) -> Option<i32> {
    let text = text.strip_prefix("UTC").or(text.strip_prefix("GMT")).unwrap_or(text);
    if matches!(text, "" | "Z") {
        return Some(0);
    }
    let text = text.replace('\u{2212}', "-");
    let (sign, digits) = match text.strip_prefix('+') {
        Some(digits) => (1, digits),
        None => (-1, text.strip_prefix('-')?),
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some(parts) => parts,
        None => digits
            .split_at_checked(digits.len().saturating_sub(2))
            .filter(|(hours, _)| !hours.is_empty())
            .unwrap_or((digits, "0")),
    };
    let (hours, minutes) = (two_digits(hours)?, two_digits(minutes)?);
    (hours < 24 && minutes < 60).then(|| sign * (i32::from(hours) * 60 + i32::from(minutes)))
}

fn two_digits(text: &str) -> Option<i8> {
    let is_number = matches!(text.len(), 1 | 2) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_accepts_am_pm_and_offset() {
        let day = Date::constant(2025, 1, 13);
        for (text, at) in [
            (" 14:05", "2025-01-13T14:05:00"),
            ("T14:05:07Z", "2025-01-13T14:05:07"),
            (" 14:05:07.25 UTC", "2025-01-13T14:05:07.25"),
            (" 14:05:07,25", "2025-01-13T14:05:07.25"),
            (" 11:00 AM", "2025-01-13T11:00:00"),
            (" 1:00 PM", "2025-01-13T13:00:00"),
            (" 12:30am", "2025-01-13T00:30:00"),
            (" 12:30:05 pm", "2025-01-13T12:30:05"),
            ("T01:00:00+02:00", "2025-01-12T23:00:00"),
            ("T01:00:00 -0530", "2025-01-13T06:30:00"),
            (" 1:00 AM UTC+2", "2025-01-12T23:00:00"),
            (" 01:00 +05", "2025-01-12T20:00:00"),
            ("", "Unknown"),
            ("T", "Unknown"),
            (" 25:00", "Unreadable"),
            (" 13:00 PM", "Unreadable"),
            (" 0:30 AM", "Unreadable"),
            (" 14", "Unreadable"),
            (" 14:05:07:08", "Unreadable"),
            (" 14:05 CET", "Unreadable"),
            ("T14:05+24:00", "Unreadable"),
            (" 14:05 p.m.", "Unreadable"),
            (" noon", "Unreadable"),
        ] {
            let shown = match LotTime::parse(day, text) {
                LotTime::At(at) => at.to_string(),
                other => format!("{other:?}"),
            };
            assert_eq!(shown, at, "{text}");
        }
    }
}
