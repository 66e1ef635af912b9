//! What candles are built from: the points of a series, or shorter candles of an exchange.

use std::time::Duration;

use super::candle::Candle;
use super::candle_width::CandleWidth;
use super::chart::{Point, VolumeSpan};
use super::text::Text;
use super::time::UtcTime;

/// Consecutive candles of an exchange.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CandleSlice<'a> {
    /// The exchange, by its name in the configuration.
    pub exchange: &'a Text,
    /// The span of each candle in milliseconds.
    pub length: i64,
    /// The candles, oldest first, at least one.
    pub candles: &'a [Candle],
    /// The closing price and the volume of each candle, at its start.
    pub points: &'a [Point],
}

/// What candles are built from. A chart may show only a part of it; the rest completes the first and the last candle, and
/// averages start with it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CandleData<'a> {
    /// The points of a series, or the closing price and the volume of each candle of the exchange, at its start.
    points: &'a [Point],
    exchange: Option<CandleSlice<'a>>,
    /// The range that is shown; `None` if it is all.
    range: Option<ShownRange>,
    volume_span: VolumeSpan,
}

/// The points that are shown.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ShownRange {
    /// The index of the first one.
    from: usize,
    /// The index after the last one.
    to: usize,
    /// The length of the range in milliseconds.
    length: i64,
}

impl<'a> CandleData<'a> {
    /// Candles are built from the points of a series, with 24-hour volumes.
    pub fn sampled(points: &'a [Point]) -> CandleData<'a> {
        CandleData { points, exchange: None, range: None, volume_span: VolumeSpan::Day }
    }

    /// These candles with volumes over this time.
    #[must_use]
    pub fn with_volume_span(self, volume_span: VolumeSpan) -> CandleData<'a> {
        CandleData { volume_span, ..self }
    }

    /// Candles are built from shorter ones of an exchange.
    pub fn of_exchange(candles: CandleSlice<'a>) -> CandleData<'a> {
        CandleData { points: candles.points, exchange: Some(candles), range: None, volume_span: VolumeSpan::Candle }
    }

    /// Shows only the part from `start` to `end`, both included.
    #[must_use]
    pub fn part(self, start: UtcTime, end: UtcTime) -> CandleData<'a> {
        let from = self.points.partition_point(|point| point.time < start);
        let to = self.points.partition_point(|point| point.time <= end).max(from);
        let length = end.millis().saturating_sub(start.millis());
        CandleData { range: Some(ShownRange { from, to, length }), ..self }
    }

    /// Shows all data.
    #[must_use]
    pub fn all(self) -> CandleData<'a> {
        CandleData { range: None, ..self }
    }

    /// Extends the shown part to whole candles of this width.
    #[must_use]
    pub fn with_whole_candles(self, width: CandleWidth) -> CandleData<'a> {
        let ends = self.points().first().zip(self.points().last());
        let (Some(range), Some((first, last))) = (self.range, ends) else { return self };
        let (first, last) = (width.number(first.time), width.number(last.time));
        let from = self.points.partition_point(|point| width.number(point.time) < first);
        let to = self.points.partition_point(|point| width.number(point.time) <= last);
        CandleData { range: Some(ShownRange { from, to, ..range }), ..self }
    }

    /// Whether only a part is shown.
    pub fn is_part(self) -> bool {
        self.range.is_some()
    }

    /// Whether the newest point is shown.
    pub fn has_newest(self) -> bool {
        self.range.is_none_or(|range| range.to >= self.points.len())
    }

    /// The length of the shown part in milliseconds; `None` if all is shown.
    pub fn part_length(self) -> Option<i64> {
        self.range.map(|range| range.length)
    }

    /// The shown points of the series, or the closing price and the volume of each shown candle of the exchange, at its
    /// start.
    pub fn points(self) -> &'a [Point] {
        self.shown(self.points)
    }

    /// The time that the volume of each point covers.
    pub fn volume_span(self) -> VolumeSpan {
        self.volume_span
    }

    /// The volume of the candle of this width that is built from these points: the volume at the last point, or the sum
    /// of the shorter candles. A sum is unknown if any of them is, or if the data may begin within the candle.
    fn volume_of(self, points: &[Point], width: CandleWidth) -> Option<f64> {
        if self.volume_span == VolumeSpan::Day {
            return points.iter().rev().find_map(|point| point.volume);
        }
        let (first, oldest) = (points.first()?, self.points.first()?);
        let is_whole = oldest.time < first.time || width.start(width.number(first.time)) == first.time;
        points.iter().map(|point| point.volume).sum::<Option<f64>>().filter(|_| is_whole)
    }

    /// The points before those that are shown.
    pub fn earlier(self) -> &'a [Point] {
        self.points.get(..self.range.map_or(0, |range| range.from)).unwrap_or_default()
    }

    /// The shown candles of the exchange, if candles are built from those: one for each point.
    pub fn exchange(self) -> Option<CandleSlice<'a>> {
        let all = self.exchange?;
        Some(CandleSlice { candles: self.shown(all.candles), points: self.points(), ..all })
    }

    /// When the last of the shown candles of the exchange ends, if it is not the newest, which may be unfinished.
    pub fn end_of_exchange(self) -> Option<UtcTime> {
        let all = self.exchange.filter(|all| self.range.is_some_and(|range| range.to < all.candles.len()))?;
        let last = self.points().last()?.time;
        Some(last.plus(Duration::from_millis(u64::try_from(all.length).ok()?)))
    }

    /// The number of the exchange's first shown candles that are part of an incomplete candle of this width.
    pub fn incomplete(self, width: CandleWidth) -> usize {
        let candles = self.exchange.map_or(&[][..], |all| all.candles);
        let Some(first) = candles.first().map(|first| first.start) else { return 0 };
        let number = width.number(first);
        let is_whole = width.start(number) == first;
        let end = if is_whole { 0 } else { candles.partition_point(|it| width.number(it.start) == number) };
        end.saturating_sub(self.range.map_or(0, |range| range.from))
    }

    /// The shown points, without the exchange's incomplete first candle of this width, unless there are no others.
    pub fn whole_points(self, width: CandleWidth) -> &'a [Point] {
        let points = self.points();
        points.get(self.incomplete(width)..).filter(|whole| !whole.is_empty()).unwrap_or(points)
    }

    /// Whether candles of this width can consist of whole candles of the exchange.
    pub(super) fn has_whole(self, width: CandleWidth) -> bool {
        self.exchange.is_none_or(|all| width.is_multiple_of(all.length))
    }

    /// The shown items of a slice with one item per point.
    fn shown<T>(self, all: &'a [T]) -> &'a [T] {
        match self.range {
            Some(ShownRange { from, to, .. }) => all.get(from..to).unwrap_or_default(),
            None => all,
        }
    }
}

impl Candle {
    /// The candle that contains `time`; `None` if none of its points has a price, or if the exchange's candles start
    /// within it.
    pub fn at(data: CandleData<'_>, time: UtcTime, width: CandleWidth) -> Option<Candle> {
        Candle::from_number(data, width.number(time), width)
    }

    /// The last candle before the one that contains `time`; candles without a price are skipped.
    pub fn before(data: CandleData<'_>, time: UtcTime, width: CandleWidth) -> Option<Candle> {
        let start = width.start(width.number(time));
        let earlier = data.points.get(..data.points.partition_point(|point| point.time < start))?;
        let last = earlier.iter().rfind(|point| point.price.is_some())?;
        Candle::from_number(data, width.number(last.time), width)
    }

    fn from_number(data: CandleData<'_>, number: i64, width: CandleWidth) -> Option<Candle> {
        let (start, end) = (width.start(number), width.start(number.saturating_add(1)));
        let first = data.points.partition_point(|point| point.time < start);
        let last = data.points.partition_point(|point| point.time < end);
        if let Some(all) = data.exchange {
            // Trades before the first candle of the exchange are unknown.
            let is_whole = data.has_whole(width) && all.candles.first().is_some_and(|first| first.start <= start);
            let joined = Candle::joined(all.candles.get(first..last)?).filter(|_| is_whole)?;
            return Some(Candle { start, ..joined });
        }
        let points = data.points.get(first..last)?;
        let prices = || points.iter().filter_map(|point| point.price);
        Some(Candle {
            start,
            open: prices().next()?,
            high: prices().fold(f64::NEG_INFINITY, f64::max),
            low: prices().fold(f64::INFINITY, f64::min),
            close: prices().next_back()?,
            volume: data.volume_of(points, width),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::candle::step;
    use crate::model::exchange_candles::ExchangeCandles;

    fn points(prices: &[(i64, Option<f64>)]) -> Vec<Point> {
        let point = |&(minute, price): &(i64, Option<f64>)| Point {
            time: UtcTime::from_secs(minute * 60),
            price,
            volume: price.map(|price| price * 10.0),
            market_cap: None,
        };
        prices.iter().map(point).collect()
    }

    #[test]
    fn candle_has_the_prices_of_its_points() {
        let quarter = CandleWidth::parse("15m").unwrap();
        let points = points(&[
            (0, Some(5.0)),
            (5, Some(9.0)),
            (10, Some(4.0)),
            (14, Some(6.0)),
            (15, Some(7.0)),
            (20, None),
            (45, Some(8.0)),
        ]);
        let at = |minute: i64| Candle::at(CandleData::sampled(&points), UtcTime::from_secs(minute * 60), quarter);
        let first = at(7).unwrap();
        assert_eq!((first.open, first.high, first.low, first.close), (5.0, 9.0, 4.0, 6.0));
        assert_eq!((first.start, first.volume), (UtcTime::from_secs(0), Some(60.0)));
        let second = at(29).unwrap();
        assert_eq!((second.open, second.high, second.low, second.close), (7.0, 7.0, 7.0, 7.0));
        assert_eq!(at(30), None, "a candle without points");
        let before =
            |minute: i64| Candle::before(CandleData::sampled(&points), UtcTime::from_secs(minute * 60), quarter);
        assert_eq!(before(50), Some(second));
        assert_eq!((before(16), before(3)), (Some(first), None));
    }

    #[test]
    fn wide_candle_sums_volumes() {
        let quarter = CandleWidth::parse("15m").unwrap();
        let mut points = points(&[
            (5, Some(1.0)),
            (10, Some(2.0)),
            (15, Some(3.0)),
            (20, Some(4.0)),
            (25, Some(5.0)),
            (30, Some(6.0)),
            (35, Some(7.0)),
        ]);
        points[6].volume = None;
        let volumes = |data: CandleData<'_>| {
            [0, 15, 30].map(|minute: i64| Candle::at(data, UtcTime::from_secs(minute * 60), quarter).unwrap().volume)
        };
        let data = CandleData::sampled(&points);
        assert_eq!(volumes(data), [Some(20.0), Some(50.0), Some(60.0)], "at the last known point");
        let data = data.with_volume_span(VolumeSpan::Candle);
        assert_eq!(volumes(data), [None, Some(120.0), None], "the first and the last lack a volume");
        let first = Candle::at(data, UtcTime::from_secs(0), CandleWidth::parse("5m").unwrap());
        assert_eq!(first, None, "it has no points");
        let five = Candle::at(data, UtcTime::from_secs(300), CandleWidth::parse("5m").unwrap()).unwrap();
        assert_eq!(five.volume, Some(10.0), "the data begins with it");
    }

    /// Candles of an exchange, `minutes` long, one for each open, high, low, close.
    fn exchange(minutes: i64, from: i64, prices: &[[f64; 4]]) -> ExchangeCandles {
        let candle = |(n, &[open, high, low, close]): (i64, &[f64; 4])| Candle {
            start: UtcTime::from_secs((from + n * minutes) * 60),
            open,
            high,
            low,
            close,
            volume: Some(10.0),
        };
        let candles = (0..).zip(prices).map(candle).collect();
        ExchangeCandles::new("binance".into(), format!("{minutes}m").into(), candles).unwrap()
    }

    #[test]
    fn part_shows_whole_candles_and_knows_the_others() {
        let hour = CandleWidth::parse("1h").unwrap();
        let at = |minute: i64| UtcTime::from_secs(minute * 60);
        let times = |points: &[Point]| points.iter().map(|point| point.time.secs() / 60).collect::<Vec<_>>();
        let points: Vec<_> = (0..20).map(|n| (n * 20, Some(n as f64))).collect();
        let points = self::points(&points);
        let part = CandleData::sampled(&points).part(at(130), at(200));
        assert_eq!(
            (times(part.points()), times(part.earlier())),
            (vec![140, 160, 180, 200], (0..7).map(|n| n * 20).collect())
        );
        let whole = part.with_whole_candles(hour);
        assert_eq!(times(whole.points()), [120, 140, 160, 180, 200, 220]);
        let first = Candle::at(part, at(140), hour).unwrap();
        assert_eq!((first.open, first.close), (6.0, 8.0), "also of points before the part");
        assert_eq!(Candle::before(part, at(140), hour).unwrap().close, 5.0);
        assert_eq!(times(part.all().points()), times(&points));
        let empty = part.part(at(500), at(600));
        assert_eq!((times(empty.points()), empty.with_whole_candles(hour)), (Vec::new(), empty));

        let candles = exchange(15, 30, &[[1.0; 4]; 12]);
        let data = CandleData::of_exchange(candles.ending_after(at(0)).unwrap());
        let part = data.part(at(70), at(110)).with_whole_candles(hour);
        assert_eq!(part.exchange().unwrap().candles.len(), 4);
        assert_eq!((times(part.points()), part.end_of_exchange()), (vec![60, 75, 90, 105], Some(at(120))));
        assert_eq!((data.incomplete(hour), part.incomplete(hour)), (2, 0), "only the first candle of all is not whole");
        let newest = data.part(at(150), at(300));
        assert_eq!((times(newest.points()), newest.end_of_exchange()), (vec![150, 165, 180, 195], None));
        assert_eq!(data.end_of_exchange(), None);
    }

    #[test]
    fn exchange_candles_are_joined_exactly() {
        let quarter = CandleWidth::parse("15m").unwrap();
        let flat = [5.0; 4];
        let candles = exchange(5, 10, &[flat, [5.0, 9.0, 4.0, 6.0], flat, [7.0, 8.0, 3.0, 7.5], [8.0; 4]]);
        let data = CandleData::of_exchange(candles.ending_after(UtcTime::from_secs(0)).unwrap());
        let at = |minute: i64| Candle::at(data, UtcTime::from_secs(minute * 60), quarter);
        assert_eq!(at(12), None, "the exchange's candles start within it");
        let incomplete = ["15m", "30m"].map(|width| data.incomplete(CandleWidth::parse(width).unwrap()));
        assert_eq!(incomplete, [1, 4]);
        let whole = ["15m", "30m", "1h"].map(|width| data.whole_points(CandleWidth::parse(width).unwrap()).len());
        assert_eq!(whole, [4, 1, 5], "an incomplete candle stays if it is the only one");
        assert_eq!(
            CandleData::of_exchange(exchange(5, 30, &[flat; 3]).ending_after(UtcTime::from_secs(0)).unwrap())
                .incomplete(quarter),
            0
        );
        let whole = at(15).unwrap();
        assert_eq!((whole.open, whole.high, whole.low, whole.close), (5.0, 9.0, 3.0, 7.5));
        assert_eq!((whole.start.secs(), whole.volume), (15 * 60, Some(30.0)));
        let unfinished = at(30).unwrap();
        assert_eq!((unfinished.close, unfinished.volume), (8.0, Some(10.0)));
        assert_eq!(Candle::before(data, UtcTime::from_secs(30 * 60), quarter), Some(whole));
        assert_eq!((0..2).map(|by| step(data.points(), 1, by, quarter)).collect::<Vec<_>>(), [Some(3), Some(4)]);
    }
}
