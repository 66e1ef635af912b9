//! The span of time of a candle.

use std::fmt;

use jiff::civil::Date;

use super::chart::Period;
use super::time::UtcTime;
use super::zone::Zone;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const WEEK: i64 = 7 * DAY;
/// The shortest width of calendar months, which counts as 30 days.
const MONTH: i64 = 30 * DAY;

/// 1970-01-05T00:00:00Z, the first Monday.
const MONDAY: i64 = 4 * DAY;

/// The span of time of a candle, one of [`CandleWidth::ALL`]. As on exchanges, candles start at multiples of it in UTC;
/// one and two weeks start on Monday, months and years on their first day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CandleWidth {
    millis: i64,
}

impl CandleWidth {
    /// All widths, narrowest first.
    pub const ALL: [CandleWidth; 18] = [
        CandleWidth { millis: 5 * MINUTE },
        CandleWidth { millis: 15 * MINUTE },
        CandleWidth { millis: 30 * MINUTE },
        CandleWidth { millis: HOUR },
        CandleWidth { millis: 2 * HOUR },
        CandleWidth { millis: 4 * HOUR },
        CandleWidth { millis: 6 * HOUR },
        CandleWidth { millis: 8 * HOUR },
        CandleWidth { millis: 12 * HOUR },
        CandleWidth { millis: DAY },
        CandleWidth { millis: 2 * DAY },
        CandleWidth { millis: 3 * DAY },
        CandleWidth { millis: WEEK },
        CandleWidth { millis: 2 * WEEK },
        CandleWidth { millis: MONTH },
        CandleWidth { millis: 3 * MONTH },
        CandleWidth { millis: 6 * MONTH },
        CandleWidth { millis: 12 * MONTH },
    ];

    /// One week.
    pub const WEEK: CandleWidth = CandleWidth { millis: WEEK };

    /// The width with this name, as it prints.
    pub fn parse(name: &str) -> Option<CandleWidth> {
        CandleWidth::ALL.into_iter().find(|width| width.to_string() == name)
    }

    /// The narrowest width for a period.
    pub fn narrowest(period: Period) -> CandleWidth {
        let millis = match period {
            Period::Day => 15 * MINUTE,
            Period::Week => HOUR,
            Period::Month => 4 * HOUR,
            Period::Quarter => 12 * HOUR,
            Period::Year | Period::AllTime => DAY,
        };
        CandleWidth { millis }
    }

    /// The next wider width.
    pub fn wider(self) -> Option<CandleWidth> {
        CandleWidth::ALL.into_iter().find(|width| *width > self)
    }

    /// The length in milliseconds. A month counts as 30 days.
    pub fn millis(self) -> i64 {
        self.millis
    }

    /// The number of the candle that contains `time`; consecutive candles have consecutive numbers.
    pub fn number(self, time: UtcTime) -> i64 {
        if let Some(months) = self.months() {
            let day = Zone::UTC.at(time).date();
            return (i64::from(day.year()) * 12 + i64::from(day.month()) - 1).div_euclid(months);
        }
        (time.millis() - self.origin()).div_euclid(self.millis)
    }

    /// When the candle with this number starts.
    pub fn start(self, number: i64) -> UtcTime {
        if let Some(months) = self.months() {
            // Beyond the calendar, its end.
            let end = UtcTime::from_millis(if number < 0 { i64::MIN } else { i64::MAX });
            return first_day(number.saturating_mul(months)).unwrap_or(end);
        }
        UtcTime::from_millis(number.saturating_mul(self.millis).saturating_add(self.origin()))
    }

    /// The number of calendar months; `None` for widths of a fixed length.
    fn months(self) -> Option<i64> {
        (self.millis >= MONTH).then_some(self.millis / MONTH)
    }

    /// Whether a candle of this width always consists of whole candles of this length in milliseconds.
    pub(super) fn is_multiple_of(self, length: i64) -> bool {
        let unit = if self.months().is_some() { DAY } else { self.millis };
        unit.checked_rem(length) == Some(0)
    }

    /// When candle 0 starts, in milliseconds.
    fn origin(self) -> i64 {
        if self.millis >= WEEK { MONDAY } else { 0 }
    }
}

/// The first day of a month, counted from January of year 0; `None` outside the calendar.
fn first_day(month: i64) -> Option<UtcTime> {
    let (year, month) = (i16::try_from(month.div_euclid(12)).ok()?, i8::try_from(month.rem_euclid(12)).ok()? + 1);
    Zone::UTC.start_of(Date::new(year, month, 1).ok()?)
}

/// `15m`, `4h`, `1d`, `2w`, `3M`, `1y`.
impl fmt::Display for CandleWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const YEAR: i64 = 12 * MONTH;
        match self.millis {
            YEAR.. => write!(f, "{}y", self.millis / YEAR),
            MONTH.. => write!(f, "{}M", self.millis / MONTH),
            WEEK.. => write!(f, "{}w", self.millis / WEEK),
            DAY.. => write!(f, "{}d", self.millis / DAY),
            HOUR.. => write!(f, "{}h", self.millis / HOUR),
            _ => write!(f, "{}m", self.millis / MINUTE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weeks_start_on_monday() {
        let time = UtcTime::parse_rfc3339("2026-11-22T23:59:59Z").unwrap();
        for (name, monday) in [("1w", "2026-11-16T00:00:00Z"), ("2w", "2026-11-09T00:00:00Z")] {
            let width = CandleWidth::parse(name).unwrap();
            assert_eq!(width.start(width.number(time)), UtcTime::parse_rfc3339(monday).unwrap());
        }
    }

    #[test]
    fn months_and_years_start_on_their_first_day() {
        let time = |text: &str| UtcTime::parse_rfc3339(text).unwrap();
        let at = time("2024-11-22T23:59:59Z");
        for (name, start, end) in [
            ("1M", "2024-11-01T00:00:00Z", "2024-12-01T00:00:00Z"),
            ("3M", "2024-10-01T00:00:00Z", "2025-01-01T00:00:00Z"),
            ("6M", "2024-07-01T00:00:00Z", "2025-01-01T00:00:00Z"),
            ("1y", "2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z"),
        ] {
            let width = CandleWidth::parse(name).unwrap();
            let number = width.number(at);
            assert_eq!((width.start(number), width.start(number + 1)), (time(start), time(end)), "{name}");
            assert_eq!(width.number(width.start(number)), number, "{name}");
            // Times outside the calendar.
            assert!(width.start(i64::MIN) < at && width.start(i64::MAX) > at, "{name}");
        }
        let month = CandleWidth::parse("1M").unwrap();
        assert!(month.is_multiple_of(DAY) && !month.is_multiple_of(2 * DAY) && !month.is_multiple_of(0));
    }
}
