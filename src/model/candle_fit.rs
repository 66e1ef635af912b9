//! The widths of candles that fit a chart.

use std::time::Duration;

use super::candle_data::CandleData;
use super::candle_width::CandleWidth;
use super::chart::{Period, Point};

/// Minimum points of each candle built from points: fewer have no meaningful body.
const MIN_POINTS: i64 = 3;

/// Minimum candles of a chart.
const MIN_CANDLES: i64 = 7;

const DAY: i64 = 24 * 60 * 60 * 1000;
const YEAR: i64 = 365 * DAY;

impl CandleWidth {
    /// The narrowest of the widths of a chart whose candles fit into `columns` and can be built from the data, but not
    /// narrower than `wanted`; the widest if there is none. Without `wanted`, widths with at least `closes` candles take
    /// precedence, and among them those whose evenly spaced candles leave at most a third of the columns blank.
    pub fn fitted(
        wanted: Option<CandleWidth>,
        period: Period,
        columns: u16,
        data: CandleData<'_>,
        closes: usize,
    ) -> CandleWidth {
        let length = data.part_length().unwrap_or_else(|| whole_length(period, data));
        // The first and the last candle may begin or end outside of it.
        let count = |width: &CandleWidth| (length - 1) / width.millis() + 2;
        let choices = || CandleWidth::choices(period, data);
        let narrowest = choices().next().unwrap_or(CandleWidth::narrowest(period));
        let least = wanted.unwrap_or(narrowest);
        let fits =
            |width: &CandleWidth| *width >= least && count(width) <= i64::from(columns) && can_build(data, *width);
        let is_full = |used: u16| u32::from(used) * 3 >= u32::from(columns) * 2;
        let fills = |width: &CandleWidth| fits(width) && even_columns(count(width), columns).is_some_and(is_full);
        let has_closes = |width: &CandleWidth| width.count_in(period, data) >= closes;
        let default = || {
            let enough = || choices().filter(has_closes);
            enough().find(fills).or_else(|| enough().find(fits)).or_else(|| choices().find(fills))
        };
        let chosen = if wanted.is_none() { default() } else { None };
        chosen.or_else(|| choices().find(fits)).or_else(|| choices().next_back()).unwrap_or(narrowest)
    }

    /// The number of candles of this width in a whole period, without one that is cut off by its ends.
    pub fn count_in(self, period: Period, data: CandleData<'_>) -> usize {
        usize::try_from(whole_length(period, data.all()) / self.millis()).unwrap_or(usize::MAX)
    }

    /// The time span of the closes that the indicators of a line chart are computed from: the narrowest suitable one for
    /// which the data has closes, but not narrower than `wanted`. It depends neither on the columns of a chart nor on
    /// the part that is shown.
    pub fn indicator_interval(wanted: Option<CandleWidth>, period: Period, data: CandleData<'_>) -> CandleWidth {
        let data = data.all();
        // Twenty days are too short for a chart over many years.
        let is_long = period == Period::AllTime && whole_length(period, data) > 2 * YEAR;
        let default = || if is_long { CandleWidth::WEEK } else { CandleWidth::narrowest(period) };
        let least = wanted.unwrap_or_else(default);
        let has_closes = |width: &CandleWidth| *width >= least && has_closes(data, *width);
        CandleWidth::ALL.into_iter().find(has_closes).unwrap_or(least)
    }

    /// The widths suitable for a chart, narrowest first: those with at least seven candles in the period. For a part of
    /// it, all that have as many in the part, and the narrowest that can be built.
    pub fn choices(period: Period, data: CandleData<'_>) -> impl DoubleEndedIterator<Item = CandleWidth> {
        let (least, most) = match data.part_length() {
            Some(length) => {
                let built = CandleWidth::ALL.into_iter().find(|width| can_build(data, *width));
                let least = built.unwrap_or(CandleWidth::narrowest(period)).millis();
                (least, (length / MIN_CANDLES).max(least))
            }
            None => {
                let least = CandleWidth::narrowest(period).millis();
                (least, (whole_length(period, data) / MIN_CANDLES).max(least))
            }
        };
        CandleWidth::ALL.into_iter().filter(move |width| (least..=most).contains(&width.millis()))
    }
}

impl CandleData<'_> {
    /// The typical distance between neighbouring points; zero if there are fewer than two.
    pub fn spacing(self) -> Duration {
        Duration::from_millis(u64::try_from(spacing(self.all().points())).unwrap_or_default())
    }
}

/// The length of a period in milliseconds; of all time, from the first point to the last.
fn whole_length(period: Period, data: CandleData<'_>) -> i64 {
    let ends = data.points().first().zip(data.points().last()).filter(|_| period == Period::AllTime);
    let covered = ends.map(|(first, last)| last.time.millis().saturating_sub(first.time.millis()));
    covered.filter(|covered| *covered > 0).unwrap_or(i64::from(period.days()) * DAY)
}

/// The columns that evenly spaced candles use; `None` if there are more candles than columns, or none.
pub fn even_columns(count: i64, columns: u16) -> Option<u16> {
    let rest = u16::try_from(i64::from(columns).checked_rem(count)?).ok()?;
    Some(columns - rest).filter(|used| *used > 0)
}

/// Whether candles of this width can be built from the data.
fn can_build(data: CandleData<'_>, width: CandleWidth) -> bool {
    // The spacing of all points, so that a gap in the shown part changes nothing.
    let narrowest = match data.exchange() {
        Some(candles) => candles.length,
        None => spacing(data.all().points()).saturating_mul(MIN_POINTS),
    };
    width.millis() >= narrowest && data.has_whole(width)
}

/// Whether there is a price in each candle of this width, apart from gaps in the data.
fn has_closes(data: CandleData<'_>, width: CandleWidth) -> bool {
    if let Some(candles) = data.exchange() {
        return width.millis() >= candles.length && data.has_whole(width);
    }
    let points = data.points();
    let spacing = spacing(points);
    // Points at uneven times may skip a candle.
    let skips = |pair: &[Point]| {
        let [before, after] = pair else { return false };
        let distance = after.time.millis().saturating_sub(before.time.millis());
        width.number(after.time) - width.number(before.time) > 1 && distance < spacing.saturating_mul(3) / 2
    };
    // Wide candles aren't skipped, so that the points of a long series need not be compared.
    let is_wide = width.millis() >= spacing.saturating_mul(2);
    is_wide || width.millis() >= spacing && !points.windows(2).any(skips)
}

/// The typical distance between neighbouring points in milliseconds: the median of some of them, since a chart may have
/// gaps and thousands of points.
fn spacing(points: &[Point]) -> i64 {
    const SAMPLES: usize = 31;
    let stride = (points.len() / SAMPLES).max(1);
    let distance = |pair: &[Point]| Some(pair.last()?.time.millis() - pair.first()?.time.millis());
    let mut distances: Vec<i64> = points.windows(2).step_by(stride).filter_map(distance).collect();
    distances.sort_unstable();
    distances.get(distances.len() / 2).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::candle::Candle;
    use crate::model::exchange_candles::ExchangeCandles;
    use crate::model::time::UtcTime;

    /// Points every `minutes`.
    fn points(count: i64, minutes: i64) -> Vec<Point> {
        let point = |index: i64| Point {
            time: UtcTime::from_secs(index * minutes * 60),
            price: Some(1.0),
            volume: None,
            market_cap: None,
        };
        (0..count).map(point).collect()
    }

    /// Candles of an exchange, `minutes` long.
    fn exchange(count: i64, minutes: i64) -> ExchangeCandles {
        let candle = |index: i64| Candle {
            start: UtcTime::from_secs(index * minutes * 60),
            open: 1.0,
            high: 1.0,
            low: 1.0,
            close: 1.0,
            volume: Some(10.0),
        };
        let candles = (0..count).map(candle).collect();
        ExchangeCandles::new("binance".into(), format!("{minutes}m").into(), candles).unwrap()
    }

    #[test]
    fn candles_of_sparse_points_are_wide_enough_for_three() {
        for (minutes, period, width) in [
            (5, Period::Day, "15m"),
            (15, Period::Day, "1h"),
            (15, Period::Week, "1h"),
            (60, Period::Week, "4h"),
            (1_440, Period::Quarter, "3d"),
        ] {
            let count = i64::from(period.days()) * 1_440 / minutes;
            let mut points = points(count, minutes);
            // Gaps don't count.
            points.drain(10..count as usize / 3);
            let fitted = CandleWidth::fitted(None, period, 400, CandleData::sampled(&points), 0);
            assert_eq!(fitted.to_string(), width, "{minutes} {period:?}");
        }
    }

    #[test]
    fn widths_fit_the_period_and_the_columns() {
        let fitted = |wanted: Option<&str>, period, columns| {
            CandleWidth::fitted(wanted.and_then(CandleWidth::parse), period, columns, CandleData::default(), 0)
                .to_string()
        };
        for (wanted, period, columns, width) in [
            (None, Period::Day, 100, "15m"),
            (None, Period::Day, 50, "30m"),
            (None, Period::Week, 200, "1h"),
            (None, Period::Week, 90, "2h"),
            (None, Period::Month, 90, "12h"),
            (None, Period::Quarter, 100, "1d"),
            (Some("4h"), Period::Week, 200, "4h"),
            (Some("1h"), Period::Week, 60, "4h"),
            (Some("15m"), Period::Week, 200, "1h"),
            (Some("1w"), Period::Day, 60, "2h"),
            (None, Period::Day, 3, "2h"),
            (None, Period::Year, 60, "1w"),
            (None, Period::Year, 30, "2w"),
            // A year may begin and end within a week: there are up to 54.
            (None, Period::Year, 53, "1M"),
        ] {
            assert_eq!(fitted(wanted, period, columns), width, "{wanted:?} {period:?} {columns}");
        }
        for width in CandleWidth::ALL {
            assert_eq!(CandleWidth::parse(&width.to_string()), Some(width));
        }
    }

    #[test]
    fn default_candles_are_evenly_spaced() {
        // The columns of charts at 160x45, 120x35, 80x24 and 40x12, and of charts that fill the first three.
        for (columns, widths) in [
            (86, ["1h", "2h", "12h", "3d", "2w", "3M"]),
            (59, ["30m", "4h", "2d", "2d", "1w", "1y"]),
            (32, ["1h", "6h", "1d", "3d", "2w", "1y"]),
            (29, ["1h", "6h", "3d", "1w", "2w", "1y"]),
            (140, ["15m", "4h", "6h", "2d", "3d", "6M"]),
            (100, ["15m", "2h", "8h", "1d", "2w", "3M"]),
            (60, ["30m", "4h", "2d", "2d", "1w", "1y"]),
        ] {
            let fitted = |period| CandleWidth::fitted(None, period, columns, CandleData::default(), 0).to_string();
            assert_eq!(Period::ALL.map(fitted), widths, "{columns}");
        }
        // Those of half an hour would leave 37 columns blank, but a user can choose them.
        let wanted = CandleWidth::parse("30m");
        assert_eq!(CandleWidth::fitted(wanted, Period::Day, 86, CandleData::default(), 0), wanted.unwrap());
    }

    #[test]
    fn default_candles_are_enough_for_the_indicators() {
        // Without indicators, at least 20 closes, and at least 26.
        for (period, columns, widths) in [
            (Period::Month, 59, ["2d", "1d", "1d"]),
            (Period::Month, 86, ["12h", "12h", "12h"]),
            (Period::Quarter, 59, ["2d", "2d", "2d"]),
            (Period::Day, 140, ["15m", "15m", "15m"]),
            (Period::Day, 32, ["1h", "1h", "1h"]),
            // That many don't fit.
            (Period::Month, 29, ["3d", "3d", "3d"]),
        ] {
            let fitted = |closes| CandleWidth::fitted(None, period, columns, CandleData::default(), closes).to_string();
            assert_eq!([0, 20, 26].map(fitted), widths, "{period:?} {columns}");
        }
        let chosen = CandleWidth::parse("2d");
        assert_eq!(CandleWidth::fitted(chosen, Period::Month, 59, CandleData::default(), 20), chosen.unwrap());
    }

    #[test]
    fn candles_of_all_time_fit_the_life_of_the_coin() {
        for (days, columns, width) in [
            (100, 59, "1w"),
            (700, 140, "1w"),
            (700, 59, "2w"),
            (1_300, 59, "1M"),
            (5_000, 59, "3M"),
            (5_000, 29, "6M"),
        ] {
            let points = points(days, 1_440);
            let fitted = CandleWidth::fitted(None, Period::AllTime, columns, CandleData::sampled(&points), 0);
            assert_eq!(fitted.to_string(), width, "{days} {columns}");
        }
    }

    #[test]
    fn evenly_spaced_candles_use_a_multiple_of_their_number() {
        for (count, columns, used) in [
            (25, 86, Some(75)),
            (61, 86, Some(61)),
            (50, 85, Some(50)),
            (43, 86, Some(86)),
            (86, 86, Some(86)),
            (87, 86, None),
            (1, 0, None),
            (0, 86, None),
        ] {
            assert_eq!(even_columns(count, columns), used, "{count} in {columns}");
        }
    }

    #[test]
    fn exchange_candles_fit_widths_that_are_multiples_of_theirs() {
        for (minutes, period, columns, width) in [
            (5, Period::Day, 400, "15m"),
            (60, Period::Week, 400, "1h"),
            (60, Period::Week, 100, "2h"),
            (240, Period::Week, 400, "4h"),
            (240, Period::Week, 30, "8h"),
        ] {
            let candles = exchange(9, minutes);
            let data = CandleData::of_exchange(candles.ending_after(UtcTime::from_secs(0)).unwrap());
            assert_eq!(CandleWidth::fitted(None, period, columns, data, 0).to_string(), width, "{minutes} {period:?}");
        }
    }

    #[test]
    fn indicators_have_one_interval_per_period() {
        // The minutes between points, or of the candles of an exchange.
        for (minutes, period, sampled, exchanged) in [
            (5, Period::Day, "15m", "15m"),
            (30, Period::Day, "30m", "30m"),
            (5, Period::Week, "1h", "1h"),
            (60, Period::Week, "1h", "1h"),
            (240, Period::Month, "4h", "4h"),
            (360, Period::Month, "6h", "6h"),
            (720, Period::Quarter, "12h", "12h"),
            (1_440, Period::Year, "1d", "1d"),
        ] {
            let count = i64::from(period.days()) * 1_440 / minutes;
            let (points, candles) = (points(count, minutes), exchange(count, minutes));
            let candles = CandleData::of_exchange(candles.ending_after(UtcTime::from_secs(0)).unwrap());
            for (data, interval) in [(CandleData::sampled(&points), sampled), (candles, exchanged)] {
                let part = data.part(UtcTime::from_secs(0), UtcTime::from_secs(count * minutes * 12));
                for data in [data, part] {
                    let found = CandleWidth::indicator_interval(None, period, data).to_string();
                    assert_eq!(found, interval, "{minutes} {period:?}");
                }
            }
        }
        for (days, interval) in [(700, "1d"), (800, "1w")] {
            let points = points(days, 1_440);
            let found = CandleWidth::indicator_interval(None, Period::AllTime, CandleData::sampled(&points));
            assert_eq!(found.to_string(), interval, "{days}");
        }
        let wanted = CandleWidth::parse("12h");
        let points = points(400, 60);
        let sampled = CandleData::sampled(&points);
        assert_eq!(CandleWidth::indicator_interval(wanted, Period::Week, sampled), wanted.unwrap());
    }

    #[test]
    fn interval_of_indicators_has_a_close_each() {
        // Hourly points around the full hour: some hours have two, others none.
        let mut points = points(168, 60);
        for (index, point) in points.iter_mut().enumerate().skip(1) {
            let shift = if index % 3 == 0 { -30 } else { 30 };
            point.time = UtcTime::from_secs(point.time.secs() + shift);
        }
        let found = |points: &[Point]| {
            CandleWidth::indicator_interval(None, Period::Week, CandleData::sampled(points)).to_string()
        };
        assert_eq!(found(&points), "2h");
        // A gap is not uneven.
        let mut points = self::points(168, 60);
        points.drain(50..70);
        assert_eq!(found(&points), "1h");
    }

    #[test]
    fn narrower_candles_fit_a_part() {
        let (exchange, points) = (exchange(288, 5), points(288, 5));
        let exchange = CandleData::of_exchange(exchange.ending_after(UtcTime::from_secs(0)).unwrap());
        let sampled = CandleData::sampled(&points);
        for (data, hours, wanted, columns, width) in [
            (exchange, 12, None, 100, "15m"),
            (exchange, 12, None, 150, "5m"),
            (exchange, 6, None, 100, "5m"),
            (exchange, 6, Some("15m"), 100, "15m"),
            (exchange, 6, Some("2h"), 100, "30m"),
            (exchange, 6, None, 5, "30m"),
            (sampled, 12, None, 100, "15m"),
            (sampled, 1, None, 100, "15m"),
        ] {
            let part = data.part(UtcTime::from_secs(6 * 3_600), UtcTime::from_secs((6 + hours) * 3_600));
            let fitted = CandleWidth::fitted(wanted.and_then(CandleWidth::parse), Period::Day, columns, part, 0);
            assert_eq!(fitted.to_string(), width, "{hours} {wanted:?} {columns}");
        }
    }
}
