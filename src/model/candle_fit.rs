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

impl CandleWidth {
    /// The narrowest of the widths of a chart whose candles fit into `columns` and can be built from the data, but not
    /// narrower than `wanted`; the widest if there is none.
    pub fn fitted(wanted: Option<CandleWidth>, period: Period, columns: u16, data: CandleData<'_>) -> CandleWidth {
        let count = |width: &CandleWidth| match data.part_length() {
            // The first and the last candle may begin or end outside the part.
            Some(length) => length / width.millis() + 2,
            None => i64::from(period.days()) * DAY / width.millis() + 1,
        };
        let fits = |width: &CandleWidth| count(width) <= i64::from(columns) && can_build(data, *width);
        let choices = || CandleWidth::choices(period, data);
        let narrowest = choices().next().unwrap_or(CandleWidth::narrowest(period));
        let least = wanted.unwrap_or(narrowest);
        choices().filter(|width| *width >= least).find(fits).or_else(|| choices().next_back()).unwrap_or(narrowest)
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
            None => (CandleWidth::narrowest(period).millis(), i64::from(period.days()) * DAY / MIN_CANDLES),
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

/// Whether candles of this width can be built from the data.
fn can_build(data: CandleData<'_>, width: CandleWidth) -> bool {
    // The spacing of all points, so that a gap in the shown part changes nothing.
    let narrowest = match data.exchange() {
        Some(candles) => candles.length,
        None => spacing(data.all().points()).saturating_mul(MIN_POINTS),
    };
    width.millis() >= narrowest && data.has_whole(width)
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
            let fitted = CandleWidth::fitted(None, period, 400, CandleData::sampled(&points));
            assert_eq!(fitted.to_string(), width, "{minutes} {period:?}");
        }
    }

    #[test]
    fn widths_fit_the_period_and_the_columns() {
        let fitted = |wanted: Option<&str>, period, columns| {
            CandleWidth::fitted(wanted.and_then(CandleWidth::parse), period, columns, CandleData::default()).to_string()
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
        ] {
            assert_eq!(fitted(wanted, period, columns), width, "{wanted:?} {period:?} {columns}");
        }
        for width in CandleWidth::ALL {
            assert_eq!(CandleWidth::parse(&width.to_string()), Some(width));
        }
    }

    #[test]
    fn exchange_candles_fit_widths_that_are_multiples_of_theirs() {
        for (minutes, period, columns, width) in [
            (5, Period::Day, 400, "15m"),
            (60, Period::Week, 400, "1h"),
            (60, Period::Week, 100, "2h"),
            (240, Period::Week, 400, "4h"),
            (240, Period::Week, 40, "8h"),
        ] {
            let candles = exchange(9, minutes);
            let data = CandleData::of_exchange(candles.ending_after(UtcTime::from_secs(0)).unwrap());
            assert_eq!(CandleWidth::fitted(None, period, columns, data).to_string(), width, "{minutes} {period:?}");
        }
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
            let fitted = CandleWidth::fitted(wanted.and_then(CandleWidth::parse), Period::Day, columns, part);
            assert_eq!(fitted.to_string(), width, "{hours} {wanted:?} {columns}");
        }
    }
}
