//! The span of time of a candle.

use std::fmt;

use super::chart::Period;
use super::time::UtcTime;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const WEEK: i64 = 7 * DAY;

/// 1970-01-05T00:00:00Z, the first Monday.
const MONDAY: i64 = 4 * DAY;

/// The span of time of a candle, one of [`CandleWidth::ALL`]. Candles start at multiples of it in UTC, as those of
/// exchanges do; one and two weeks start on Monday.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CandleWidth {
    millis: i64,
}

impl CandleWidth {
    /// All widths, narrowest first.
    pub const ALL: [CandleWidth; 14] = [
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
    ];

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
            Period::Year => DAY,
        };
        CandleWidth { millis }
    }

    /// The next wider width.
    pub fn wider(self) -> Option<CandleWidth> {
        CandleWidth::ALL.into_iter().find(|width| *width > self)
    }

    /// Its length in milliseconds.
    pub fn millis(self) -> i64 {
        self.millis
    }

    /// The number of the candle that contains `time`; consecutive candles have consecutive numbers.
    pub fn number(self, time: UtcTime) -> i64 {
        (time.millis() - self.origin()).div_euclid(self.millis)
    }

    /// When the candle with this number starts.
    pub fn start(self, number: i64) -> UtcTime {
        UtcTime::from_millis(number.saturating_mul(self.millis).saturating_add(self.origin()))
    }

    /// When candle 0 starts, in milliseconds.
    fn origin(self) -> i64 {
        if self.millis >= WEEK { MONDAY } else { 0 }
    }
}

/// `15m`, `4h`, `1d`, `2w`.
impl fmt::Display for CandleWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.millis {
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
}
