//! Round prices and times for the axes.

use std::fmt;

use jiff::Span;
use jiff::civil::{Date, DateTime, Time};

use super::columns::Columns;
use crate::format::time::month_name;
use crate::format::{Clock, Day, MINUS, Price};
use crate::model::{Text, UtcTime, Zone};

/// Evenly spaced prices with a step of 1, 2 or 5 times a power of ten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PriceTicks {
    first: f64,
    step: f64,
    exponent: i32,
    count: usize,
}

impl PriceTicks {
    /// At most `most` (at least one) round prices from `low` to `high`; none if there is no valid step.
    pub fn new(low: f64, high: f64, most: u16) -> PriceTicks {
        let none = PriceTicks { first: 0.0, step: 1.0, exponent: 0, count: 0 };
        let wanted = (high / 2.0 - low / 2.0) / f64::from(most.max(1)) * 2.0;
        if !(wanted.is_finite() && wanted > 0.0) {
            return none;
        }
        let power = wanted.log10().floor() as i32;
        for exponent in [power - 1, power, power + 1] {
            for factor in [1.0, 2.0, 5.0] {
                let step = factor * 10_f64.powi(exponent);
                let first = (low / step).ceil();
                let count = (high / step).floor() - first + 1.0;
                if step.is_finite() && count <= f64::from(most.max(1)) && first.abs() < 1e15 {
                    let count = count.max(0.0) as usize;
                    return PriceTicks { first: first * step, step, exponent, count };
                }
            }
        }
        none
    }

    /// The prices, lowest first.
    pub fn iter(&self) -> impl Iterator<Item = f64> + use<> {
        let PriceTicks { first, step, count, .. } = *self;
        (0..count).map(move |index| first + step * index as f64)
    }

    /// The label of one of the prices, with just enough digits to distinguish them, and with as many counted zeros as
    /// the others.
    pub fn label(&self, price: f64) -> Text {
        let last = self.first + self.step * self.count.saturating_sub(1) as f64;
        let zeros = zeros(self.first.abs().max(last.abs()));
        compact_str::format_compact!("{}", Label { price, exponent: self.exponent, zeros })
    }

    /// The label of a price of one significant digit.
    pub fn single(price: f64) -> Text {
        let exponent = (price.abs() * (1.0 + 1e-9)).log10().floor();
        let exponent = if exponent.is_finite() { exponent as i32 } else { 0 };
        compact_str::format_compact!("{}", Label { price, exponent, zeros: zeros(price.abs()) })
    }

    /// Formats any other price with its usual digits and at least as many decimals as the labels.
    pub fn mark(&self, price: f64) -> Text {
        match usize::try_from(-self.exponent) {
            // Prices usually have two decimals, and more only below 1.
            Ok(decimals @ 3..=9) if (1.0..1e5).contains(&price) => {
                compact_str::format_compact!("{}", Fixed { price, decimals })
            }
            _ => compact_str::format_compact!("{}", Price(Some(price))),
        }
    }
}

/// A price with a fixed number of decimals.
struct Fixed {
    price: f64,
    decimals: usize,
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::format::fixed(f, self.price, self.decimals)
    }
}

/// The number of zeros between the point and the first other digit.
fn zeros(price: f64) -> usize {
    let zeros = -(price * (1.0 + 1e-9)).log10().floor() - 1.0;
    // Infinite for 0, which is negligible.
    if zeros.is_finite() { zeros.max(0.0) as usize } else { 0 }
}

/// Zeros from this number on are counted, not written.
const MIN_COUNTED_ZEROS: usize = 4;

/// A price rounded to 10^`exponent` and otherwise formatted like [`Price`]: without suffix up to a billion, with
/// `zeros` as a subscript if these are at least four.
struct Label {
    price: f64,
    exponent: i32,
    zeros: usize,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let price = self.price.abs();
        // The multiple of the step at zero may be computed as -1e-17.
        if self.price < 0.0 && price > 10_f64.powi(self.exponent) / 2.0 {
            f.write_str(MINUS)?;
        }
        let (unit, suffix) = match price {
            1e18.. => return write!(f, "{price:.1e}"),
            1e12.. => (12, "T"),
            1e9.. => (9, "B"),
            _ => (0, ""),
        };
        let decimals = usize::try_from(unit - self.exponent).unwrap_or(0).min(9);
        if self.zeros >= MIN_COUNTED_ZEROS {
            if price < 10_f64.powi(self.exponent) / 2.0 {
                return f.write_str("0");
            }
            let all = usize::try_from(-self.exponent).unwrap_or(0);
            return crate::format::price::subscripted(f, price, self.zeros, all.saturating_sub(self.zeros).max(1));
        }
        crate::format::fixed(f, price / 10_f64.powi(unit), decimals)?;
        f.write_str(suffix)
    }
}

/// A label on the time axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeTick {
    /// The column of the time.
    pub column: u16,
    /// The first column of the text.
    pub start: u16,
    /// `14:00`, `13 Nov`, `14`, `Nov`, `2026`.
    pub label: Text,
}

/// The step between labels.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Seconds that divide a day, or whole days.
    Seconds(i64),
    Months(i16),
}

const DAY: i64 = 86_400;

const STEPS: [Step; 21] = [
    Step::Seconds(60),
    Step::Seconds(300),
    Step::Seconds(600),
    Step::Seconds(900),
    Step::Seconds(1_800),
    Step::Seconds(3_600),
    Step::Seconds(2 * 3_600),
    Step::Seconds(3 * 3_600),
    Step::Seconds(4 * 3_600),
    Step::Seconds(6 * 3_600),
    Step::Seconds(12 * 3_600),
    Step::Seconds(DAY),
    Step::Seconds(2 * DAY),
    Step::Seconds(7 * DAY),
    Step::Seconds(14 * DAY),
    Step::Months(1),
    Step::Months(3),
    Step::Months(6),
    Step::Months(12),
    Step::Months(60),
    Step::Months(1200),
];

impl Step {
    fn seconds(self) -> i64 {
        match self {
            Step::Seconds(seconds) => seconds,
            Step::Months(months) => i64::from(months) * 30 * DAY,
        }
    }
}

/// The labels below a chart, at least two columns apart: hours over a day, days over a week, days or weeks (Mondays)
/// over a month, months over longer spans. All in the time zone.
pub fn time_ticks(columns: &Columns, zone: &Zone) -> Vec<TimeTick> {
    let (start, end) = (columns.start().secs(), columns.end().secs());
    let span = end - start;
    if span <= 0 || columns.width() < 8 {
        return Vec::new();
    }
    let most = i64::from(columns.width() / 9).max(1);
    // Over two months or more, use month names.
    let least = if span > 60 * DAY { 30 * DAY } else { 0 };
    let fits = |step: &&Step| step.seconds() >= least && span / step.seconds() <= most;
    let step = STEPS.iter().find(fits).copied().unwrap_or(Step::Months(1200));
    let mut ticks: Vec<TimeTick> = Vec::new();
    let mut month = None;
    for (time, local) in moments(step, columns.start(), columns.end(), zone) {
        let label = label(step, local, month != Some(local.date().first_of_month()));
        let column = columns.column(time);
        let length = u16::try_from(label.len()).unwrap_or(0);
        let start = column.saturating_sub(length / 2).min(columns.width().saturating_sub(length));
        if ticks.last().is_none_or(|last| start >= last.start + last.label.len() as u16 + 2) {
            ticks.push(TimeTick { column, start, label });
            month = Some(local.date().first_of_month());
        }
    }
    ticks
}

fn label(step: Step, local: DateTime, new_month: bool) -> Text {
    match step {
        Step::Seconds(..DAY) if local.time() != Time::midnight() => compact_str::format_compact!("{}", Clock(local)),
        Step::Seconds(DAY..) if !new_month => compact_str::format_compact!("{}", local.day()),
        Step::Seconds(_) => compact_str::format_compact!("{}", Day(local)),
        Step::Months(_) if local.month() == 1 => compact_str::format_compact!("{}", local.year()),
        Step::Months(_) => Text::const_new(month_name(local.month())),
    }
}

/// The round times of the zone from `start` to `end`, each with its local time. A day that starts after midnight has
/// midnight as its local time.
fn moments(step: Step, start: UtcTime, end: UtcTime, zone: &Zone) -> Vec<(UtcTime, DateTime)> {
    let mut moments = Vec::new();
    let first = zone.at(start).date();
    let mut add = |time: Option<UtcTime>, local: DateTime| {
        if let Some(time) = time.filter(|time| *time >= start && *time <= end) {
            moments.push((time, local));
        }
        time.is_none_or(|time| time <= end)
    };
    let midnight = |day: Date| day.to_datetime(Time::midnight());
    let (mut at, next) = match step {
        Step::Seconds(seconds @ ..DAY) => {
            // Times of day, each day from its midnight: a day may have 23 or 25 hours.
            let mut day = first;
            while add(zone.start_of(day), midnight(day)) {
                for second in (1..DAY / seconds).map(|count| count * seconds) {
                    let Ok(local) = midnight(day).checked_add(Span::new().seconds(second)) else { break };
                    add(zone.time(local), local);
                }
                let Ok(tomorrow) = day.tomorrow() else { break };
                day = tomorrow;
            }
            return moments;
        }
        Step::Seconds(seconds) => {
            // 1970-01-05 was a Monday.
            let days = seconds / DAY;
            let origin = if days % 7 == 0 { 4 } else { 0 };
            let past = (zone.wall_secs(start).div_euclid(DAY) - origin).rem_euclid(days);
            (first.checked_sub(Span::new().days(past)), Span::new().days(days))
        }
        Step::Months(months) => {
            let count = i64::from(first.year()) * 12 + i64::from(first.month()) - 1;
            let past = Span::new().months(count.rem_euclid(i64::from(months)));
            (first.first_of_month().checked_sub(past), Span::new().months(months))
        }
    };
    while let Ok(day) = at {
        if !add(zone.start_of(day), midnight(day)) {
            break;
        }
        at = day.checked_add(next);
    }
    moments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Point;
    use proptest::prelude::*;

    fn prices(low: f64, high: f64, most: u16) -> Vec<String> {
        let ticks = PriceTicks::new(low, high, most);
        ticks.iter().map(|price| ticks.label(price).to_string()).collect()
    }

    #[test]
    fn price_ticks_are_round() {
        for (low, high, most, labels) in [
            (7.52, 9.14, 4, vec!["8.0", "8.5", "9.0"]),
            (60_100.0, 62_900.0, 6, vec!["60,500", "61,000", "61,500", "62,000", "62,500"]),
            (0.0, 100.0, 5, vec!["0", "50", "100"]),
            (7.0e-7, 7.6e-7, 4, vec!["0.0₆70", "0.0₆72", "0.0₆74", "0.0₆76"]),
            (1.2e6, 1.5e6, 4, vec!["1,200,000", "1,300,000", "1,400,000", "1,500,000"]),
            (118_400.0, 121_700.0, 4, vec!["119,000", "120,000", "121,000"]),
            (1.2e9, 1.5e9, 4, vec!["1.2B", "1.3B", "1.4B", "1.5B"]),
            (1.7e-5, 1.92e-5, 3, vec!["0.0₄17", "0.0₄18", "0.0₄19"]),
            (4.0e-6, 1.6e-5, 3, vec!["0.0₄05", "0.0₄10", "0.0₄15"]),
            (9.0e-5, 1.6e-4, 4, vec!["0.00010", "0.00012", "0.00014", "0.00016"]),
            (0.0, 1.2e-5, 3, vec!["0", "0.0₄05", "0.0₄10"]),
            (1.201e-4, 1.231e-4, 4, vec!["0.000121", "0.000122", "0.000123"]),
            (-1.0, 1.0, 3, vec!["−1", "0", "1"]),
            (0.9998, 1.0003, 3, vec!["0.9998", "1.0000", "1.0002"]),
            (5.0, 5.0, 3, vec![]),
            (f64::NAN, 1.0, 3, vec![]),
            (-1.1e308, 0.0, 0, vec![]),
        ] {
            assert_eq!(prices(low, high, most), labels, "{low} {high} {most}");
        }
    }

    proptest! {
        #[test]
        fn price_ticks_are_few_and_within_range(low: f64, high: f64, most in 0..40_u16) {
            let ticks = PriceTicks::new(low, high, most);
            prop_assert!(ticks.iter().count() <= usize::from(most.max(1)));
            for price in ticks.iter() {
                let slack = (high / 2.0 - low / 2.0) * 1e-6;
                prop_assert!(price >= low - slack && price <= high + slack, "{low:e} {price:e} {high:e}");
                prop_assert!(ticks.label(price).chars().count() <= 16, "{}", ticks.label(price));
            }
        }
    }

    fn times(from: &str, to: &str, width: u16) -> String {
        times_in(&Zone::UTC, from, to, width)
    }

    fn times_in(zone: &Zone, from: &str, to: &str, width: u16) -> String {
        let point =
            |time| Point { time: UtcTime::parse_rfc3339(time).unwrap(), price: None, volume: None, market_cap: None };
        let columns = Columns::new(&[point(from), point(to)], width);
        time_ticks(&columns, zone).iter().map(|tick| tick.label.to_string()).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn time_ticks_fit_the_span() {
        for (from, to, width, labels) in [
            ("2026-11-12T14:03:00Z", "2026-11-13T14:03:00Z", 60, "16:00|20:00|13 Nov|04:00|08:00|12:00"),
            ("2026-11-12T14:03:00Z", "2026-11-13T14:03:00Z", 20, "13 Nov|12:00"),
            ("2026-11-12T14:03:00Z", "2026-11-19T14:03:00Z", 80, "13 Nov|14|15|16|17|18|19"),
            ("2026-11-26T14:03:00Z", "2026-12-03T14:03:00Z", 80, "27 Nov|28|29|30|1 Dec|2|3"),
            ("2026-10-20T00:00:00Z", "2026-11-19T00:00:00Z", 50, "26 Oct|2 Nov|9|16"),
            ("2026-08-20T00:00:00Z", "2026-11-19T00:00:00Z", 100, "Sep|Oct|Nov"),
            ("2025-11-20T00:00:00Z", "2026-02-19T00:00:00Z", 100, "Dec|2026|Feb"),
            ("2026-11-12T14:03:00Z", "2026-11-12T14:03:00Z", 60, ""),
        ] {
            assert_eq!(times(from, to, width), labels, "{from} {to} {width}");
        }
    }

    #[test]
    fn time_ticks_are_round_in_the_zone() {
        let berlin = Zone::from_posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let kolkata = Zone::from_posix("IST-5:30").unwrap();
        let cairo = Zone::from_posix("EET-2EEST,M4.5.5/0,M10.5.4/24").unwrap();
        for (zone, from, to, width, labels) in [
            (&berlin, "2026-11-12T14:03:00Z", "2026-11-13T14:03:00Z", 60, "16:00|20:00|13 Nov|04:00|08:00|12:00"),
            (&kolkata, "2026-11-12T14:03:00Z", "2026-11-13T14:03:00Z", 60, "20:00|13 Nov|04:00|08:00|12:00|16:00"),
            // Summer time starts: 02:00 doesn't exist. It ends: 02:00 exists twice; the first counts.
            (&berlin, "2026-03-29T00:00:00Z", "2026-03-29T04:00:00Z", 60, "01:00|03:00|04:00|05:00|06:00"),
            (&berlin, "2026-10-25T00:00:00Z", "2026-10-25T04:00:00Z", 60, "02:00|03:00|04:00|05:00"),
            // Days of 23 and 25 hours start at their own midnight.
            (&berlin, "2026-03-27T12:00:00Z", "2026-03-31T12:00:00Z", 60, "28 Mar|29|30|31"),
            (&berlin, "2026-10-24T20:00:00Z", "2026-10-26T05:30:00Z", 60, "25 Oct|06:00|12:00|18:00|26 Oct|06:00"),
            // Summer time starts at midnight, so that the day starts at 01:00.
            (&cairo, "2026-04-22T12:00:00Z", "2026-04-26T12:00:00Z", 60, "23 Apr|24|25|26"),
            (&cairo, "2026-04-22T12:00:00Z", "2026-04-25T12:00:00Z", 60, "23 Apr|12:00|24 Apr|12:00|25 Apr|12:00"),
            (&cairo, "2026-04-23T18:00:00Z", "2026-04-24T03:00:00Z", 60, "20:00|22:00|24 Apr|02:00|04:00|06:00"),
            // A month starts before it does in UTC.
            (&berlin, "2026-08-20T00:00:00Z", "2026-10-31T23:30:00Z", 100, "Sep|Oct|Nov"),
        ] {
            assert_eq!(times_in(zone, from, to, width), labels, "{zone} {from} {to} {width}");
        }
    }

    #[test]
    fn time_labels_never_touch() {
        for width in 0..200 {
            let point = |secs| Point { time: UtcTime::from_secs(secs), price: None, volume: None, market_cap: None };
            for days in [1, 7, 30, 90, 400, 4000, 400_000, 40_000_000] {
                let columns = Columns::new(&[point(1_795_075_200), point(1_795_075_200 + days * DAY)], width);
                let mut end = 0;
                let ticks = time_ticks(&columns, &Zone::UTC);
                assert!(width < 40 || !ticks.is_empty(), "{width} {days}");
                for (index, tick) in ticks.iter().enumerate() {
                    assert!(index == 0 || tick.start >= end + 2, "{width} {days}");
                    end = tick.start + tick.label.len() as u16;
                    assert!(end <= width && tick.column < width, "{width} {days}");
                }
            }
        }
    }
}
