//! Round times for the time axis.

use jiff::Span;
use jiff::civil::{Date, DateTime, Time};

use super::columns::Columns;
use crate::format::time::month_name;
use crate::format::{Clock, Day};
use crate::model::{Text, UtcTime, Zone};

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

const STEPS: [Step; 22] = [
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
    Step::Months(24),
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
/// over a month, months over longer spans. A chart with one time has a label with day and time. All in the time zone.
pub fn time_ticks(columns: &Columns, zone: &Zone) -> Vec<TimeTick> {
    let (start, end) = (columns.start().secs(), columns.end().secs());
    let span = end - start;
    if columns.width() < 8 {
        return Vec::new();
    }
    if span <= 0 {
        return only_tick(columns, zone).into_iter().collect();
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
        let tick = tick(columns, columns.column(time), label);
        if ticks.last().is_none_or(|last| tick.start >= last.start + last.label.len() as u16 + 2) {
            ticks.push(tick);
            month = Some(local.date().first_of_month());
        }
    }
    ticks
}

/// The label of a chart with one time, if it fits.
fn only_tick(columns: &Columns, zone: &Zone) -> Option<TimeTick> {
    let local = zone.at(columns.start());
    let column = columns.column(columns.start());
    let forms = [
        compact_str::format_compact!("{} {}", Day(local), Clock(local)),
        compact_str::format_compact!("{}", Clock(local)),
    ];
    let label = forms.into_iter().find(|label| label.len() <= usize::from(columns.width()))?;
    Some(tick(columns, column, label))
}

/// A label in the middle below a column, or at the end of the axis.
fn tick(columns: &Columns, column: u16, label: Text) -> TimeTick {
    let length = u16::try_from(label.len()).unwrap_or(0);
    let start = column.saturating_sub(length / 2).min(columns.width().saturating_sub(length));
    TimeTick { column, start, label }
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
            ("2023-05-09T00:00:00Z", "2026-12-01T00:00:00Z", 80, "Jul|2024|Jul|2025|Jul|2026|Jul"),
            ("2020-05-09T00:00:00Z", "2026-12-01T00:00:00Z", 80, "2021|2022|2023|2024|2025|2026"),
            ("2010-07-13T00:00:00Z", "2026-12-01T00:00:00Z", 86, "2012|2014|2016|2018|2020|2022|2024|2026"),
            ("2026-11-12T14:03:00Z", "2026-11-12T14:03:00Z", 60, "12 Nov 14:03"),
            ("2026-11-12T14:03:00Z", "2026-11-12T14:03:00Z", 10, "14:03"),
            ("2026-11-12T14:03:00Z", "2026-11-12T14:03:00Z", 7, ""),
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
