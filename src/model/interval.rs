//! Intervals of a series, as `/market/data` spells them.

use std::time::Duration;

use super::chart::{Period, Point};
use super::text::Text;

const HOUR: u64 = 60 * 60;
const DAY: u64 = 24 * HOUR;

/// The length of an interval: a count and a unit (`5m`, `1h`, `1M`), or a word (`daily`). A month has 30 days, a year
/// 365. `None` if it is invalid.
pub fn length(interval: &str) -> Option<Duration> {
    let (count, unit) = match interval {
        "hourly" => (1, "h"),
        "daily" => (1, "d"),
        "weekly" => (1, "w"),
        "monthly" => (1, "M"),
        "yearly" => (365, "d"),
        text => {
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            let (count, unit) = text.split_at_checked(digits)?;
            (count.parse().ok()?, unit)
        }
    };
    let unit = match unit {
        "s" => 1,
        "m" => 60,
        "h" => HOUR,
        "d" => DAY,
        "w" => 7 * DAY,
        "M" => 30 * DAY,
        _ => return None,
    };
    Duration::from_secs(unit).checked_mul(count)
}

/// Whether this many points with this interval are the prices of all time ([`Period::AllTime`]).
pub fn is_all_time(count: u32, interval: &str) -> bool {
    count >= Period::AllTime.points() && length(interval) == length(Period::AllTime.interval())
}

/// The name of an interval of whole minutes, such as `5m`, `4h` or `1d`.
pub fn name(interval: Duration) -> Text {
    let minutes = interval.as_secs() / 60;
    Text::from(match minutes {
        0..60 => format!("{}m", minutes.max(1)),
        60..1440 if minutes.is_multiple_of(60) => format!("{}h", minutes / 60),
        1440.. if minutes.is_multiple_of(1440) => format!("{}d", minutes / 1440),
        _ => format!("{minutes}m"),
    })
}

/// The interval of points, from the median of their distances: `requested` if that fits, else a count of days, hours,
/// minutes or seconds. `None` if there are fewer than two points or no such count fits. The last point may be the
/// current one, between two steps, so the only distance of two points may be shorter than the interval.
pub fn detect(points: &[Point], requested: &str) -> Option<Text> {
    let distance = |pair: &[Point]| pair.first().zip(pair.last()).map(|(first, last)| last.time.since(first.time));
    let mut distances: Vec<Duration> = points.windows(2).filter_map(distance).collect();
    let middle = distances.len() / 2;
    let (_, distance, _) = (middle < distances.len()).then(|| distances.select_nth_unstable(middle))?;
    let distance = distance.as_secs();
    // Allow points that are some seconds late, and days of 23 or 25 hours.
    let fits = |length: u64| length > 0 && distance.abs_diff(length) * 10 <= length;
    let is_only = points.len() == 2;
    let fits_requested = |length: u64| fits(length) || is_only && distance <= length;
    if length(requested).is_some_and(|length| fits_requested(length.as_secs())) {
        return Some(Text::from(requested));
    }
    [("d", DAY), ("h", HOUR), ("m", 60), ("s", 1)].into_iter().find_map(|(unit, length)| {
        let count = (distance + length / 2) / length;
        fits(count * length).then(|| Text::from(format!("{count}{unit}")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::UtcTime;

    #[test]
    fn interval_is_detected_from_the_distances() {
        let point = |secs| Point { time: UtcTime::from_secs(secs), price: None, volume: None, market_cap: None };
        for (distance, requested, interval) in [
            (300, "5m", "5m"),
            (310, "5m", "5m"),
            (86_400, "5m", "1d"),
            (86_400, "daily", "daily"),
            (86_400, "24h", "24h"),
            (3_600, "5m", "1h"),
            (900, "1h", "15m"),
            (604_800, "5m", "7d"),
            (10, "5m", "10s"),
        ] {
            let mut points: Vec<_> = (0..5).map(|n| point(1_790_000_000 + n * distance)).collect();
            // A gap.
            points.push(point(1_790_000_000 + 20 * distance));
            assert_eq!(detect(&points, requested).as_deref(), Some(interval), "{distance} {requested}");
        }
        assert_eq!((detect(&[], "5m"), detect(&[point(1)], "5m")), (None, None));
        for (distance, interval) in [(20, "5m"), (240, "5m"), (300, "5m"), (86_400, "1d")] {
            let points = [point(1_790_000_000), point(1_790_000_000 + distance)];
            assert_eq!(detect(&points, "5m").as_deref(), Some(interval), "{distance}");
        }
    }

    #[test]
    fn interval_is_a_count_with_a_unit_or_a_word() {
        for (interval, seconds) in [
            ("5m", Some(300)),
            ("10s", Some(10)),
            ("24h", Some(86_400)),
            ("3d", Some(259_200)),
            ("hourly", Some(3_600)),
            ("daily", Some(86_400)),
            ("weekly", Some(604_800)),
            ("2w", Some(1_209_600)),
            ("1M", Some(2_592_000)),
            ("monthly", Some(2_592_000)),
            ("yearly", Some(31_536_000)),
            ("0m", Some(0)),
            ("", None),
            ("m", None),
            ("5", None),
            ("-5m", None),
            ("5 m", None),
            ("often", None),
            ("5 µ", None),
            ("99999999999999999999h", None),
        ] {
            assert_eq!(length(interval).map(|length| length.as_secs()), seconds, "{interval:?}");
        }
    }
}
