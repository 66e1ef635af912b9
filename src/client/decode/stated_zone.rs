//! The time zone in the fields of an object: `{"timezone": "UTC"}`, `{"utc_offset": "-05:00"}`.

use super::read::Zone;
use super::tape::Value;
use crate::model::{Text, text};

/// Field names of the time zone or its offset.
const NAMES: [&str; 6] = ["timezone", "time_zone", "tz", "utc_offset", "utc_offset_seconds", "gmt_offset"];

/// Names of UTC.
const UTC: [&str; 22] = [
    "UTC",
    "GMT",
    "Z",
    "UCT",
    "Zulu",
    "Universal",
    "Greenwich",
    "GMT0",
    "Etc/UTC",
    "Etc/GMT",
    "Etc/UCT",
    "Etc/Zulu",
    "Etc/Universal",
    "Etc/Greenwich",
    "Etc/GMT0",
    "Etc/GMT+0",
    "Etc/GMT-0",
    "Coordinated Universal Time",
    "Africa/Abidjan",
    "UTC±00:00",
    "UTC±0",
    "±00:00",
];

/// The largest offset in use, in hours.
const MAX_HOURS: f64 = 14.0;

/// The smallest offset in use other than 0, in seconds, which is also the unit of all offsets in use.
const QUARTER_HOUR: f64 = 900.0;

/// Maximum length of a zone's name in a message.
const MAX_NAME: usize = 40;

/// The time zone in the fields of an object; unknown if they contradict each other.
pub(super) fn stated(object: Value<'_>) -> Option<Zone> {
    let mut zones = NAMES.iter().filter_map(|name| parse(object.get(name)?));
    let first = zones.next()?;
    let other = zones.find(|other| *other != first);
    Some(match (first, other) {
        (first, None) | (first @ Zone::Unknown(_), _) => first,
        (_, Some(unknown @ Zone::Unknown(_))) => unknown,
        (_, Some(_)) => Zone::Unknown(Text::const_new("with two offsets")),
    })
}

/// The time zone of the only time in an object. Its offset counts even beside the unknown name of its zone.
pub(super) fn stated_of_time(object: Value<'_>) -> Option<Zone> {
    let mut zones = NAMES.iter().filter_map(|name| parse(object.get(name)?));
    let mut offsets = zones.clone().filter(|zone| matches!(zone, Zone::Offset(_)));
    match (offsets.next(), offsets.next()) {
        (Some(offset), None) => Some(offset),
        (Some(offset), Some(other)) if other == offset => Some(offset),
        (Some(_), Some(_)) => stated(object),
        (None, _) => zones.next(),
    }
}

/// Parses a zone: a name of UTC, or an offset (`-05:00`, `UTC+1`, hours or seconds).
fn parse(value: Value<'_>) -> Option<Zone> {
    let words = value.str();
    let words = words.as_deref().or(value.number())?.trim();
    let words = words.strip_prefix('(').and_then(|words| words.strip_suffix(')')).unwrap_or(words);
    if words.is_empty() {
        return None;
    }
    let is_utc = UTC.iter().any(|name| name.eq_ignore_ascii_case(words));
    let offset = if is_utc { Some(0) } else { seconds(words) };
    let unknown = || Zone::Unknown(Text::from(text::cut(text::clean(words), MAX_NAME)));
    Some(offset.map_or_else(unknown, Zone::Offset))
}

/// Parses an offset in seconds east of UTC.
fn seconds(words: &str) -> Option<i32> {
    let offset = words.strip_prefix("UTC").or_else(|| words.strip_prefix("GMT")).unwrap_or(words);
    let (sign, digits) = match offset.strip_prefix(['-', '\u{2212}']) {
        Some(digits) => (-1.0, digits),
        None => (1.0, offset.strip_prefix('+').unwrap_or(offset)),
    };
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let has_sign = digits.len() < offset.len();
    let by_clock = match digits.split_once(':') {
        Some(parts) => Some(parts),
        None if has_sign && digits.len() == 4 => digits.split_at_checked(2),
        None => None,
    };
    let (hours, minutes) = match by_clock.filter(|parts| is_number(parts.0) && is_number(parts.1)) {
        Some((hours, minutes)) => (hours.parse::<f64>().ok()?, minutes.parse::<f64>().ok()?),
        None => (f64::INFINITY, 0.0),
    };
    let seconds = if hours <= MAX_HOURS && minutes < 60.0 {
        hours * 3_600.0 + minutes * 60.0
    } else {
        // Numbers in between may be minutes.
        match Some(digits).filter(|digits| is_number(digits))?.parse::<f64>().ok()? {
            hours if hours <= MAX_HOURS => hours * 3_600.0,
            seconds if (QUARTER_HOUR * 2.0..=MAX_HOURS * 3_600.0).contains(&seconds) => seconds,
            _ => return None,
        }
    };
    (seconds % QUARTER_HOUR == 0.0).then_some((sign * seconds) as i32)
}

#[cfg(test)]
mod tests {
    use super::super::tape::Document;
    use super::*;

    #[test]
    fn zones_are_parsed_from_names_and_offsets() {
        for (text, seconds) in [
            ("\"UTC\"", Some(0)),
            ("\"utc\"", Some(0)),
            ("\"Z\"", Some(0)),
            ("0", Some(0)),
            ("\"0\"", Some(0)),
            ("\"+00:00\"", Some(0)),
            ("\"(UTC)\"", Some(0)),
            ("\"UTC±00:00\"", Some(0)),
            ("\"Etc/Greenwich\"", Some(0)),
            ("\"-05:00\"", Some(-18_000)),
            ("\"+0530\"", Some(19_800)),
            ("\"UTC+1\"", Some(3_600)),
            ("\"GMT-5\"", Some(-18_000)),
            ("-5", Some(-18_000)),
            ("5.5", Some(19_800)),
            ("-18000", Some(-18_000)),
            ("\"-18000\"", Some(-18_000)),
            ("\"-3600\"", Some(-3_600)),
            // May be minutes.
            ("-300", None),
            ("\"America/New_York\"", None),
            // The sign is the opposite of that in `GMT+5`.
            ("\"Etc/GMT+5\"", None),
            ("\"EST\"", None),
        ] {
            let body = format!("{{\"tz\":{text}}}");
            let document = Document::parse(&body, 8).unwrap();
            let read = match stated(document.root()) {
                Some(Zone::Offset(seconds)) => Some(seconds),
                Some(Zone::Unknown(_)) => None,
                None => panic!("{text}"),
            };
            assert_eq!(read, seconds, "{text}");
        }
        for none in ["{}", "{\"tz\":null}", "{\"tz\":\"\"}"] {
            assert_eq!(stated(Document::parse(none, 8).unwrap().root()), None, "{none}");
        }
    }
}
