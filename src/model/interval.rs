//! The steps between the points of a series, as `/market/data` spells them.

use std::time::Duration;

const HOUR: u64 = 60 * 60;
const DAY: u64 = 24 * HOUR;

/// How long an interval is: a count and a unit (`5m`, `1h`, `1M`), or a word (`daily`). A month counts 30 days, a year
/// 365. `None` where it is none.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_and_a_unit_or_a_word() {
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
