//! A price series with precomputed lows and highs.

use std::borrow::Cow;
use std::time::Duration;

use crate::model::chart::longest_step;
use crate::model::{Candle, CandleData, Point, change_pct};

/// Number of neighbouring points in a block.
const BLOCK: usize = 8;

/// The points of a chart, with the lowest and highest price of each block, so that the extremes of any range are found
/// without reading every point: a long series doesn't fit into the processor's nearest cache.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    data: CandleData<'a>,
    /// The extremes of each block of [`BLOCK`] points.
    blocks: Vec<Extent>,
    summary: Option<Summary>,
    longest_step: Option<Duration>,
}

/// A summary of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The index and price of the first point with a price.
    pub open: (usize, f64),
    /// The index and price of the last point with a price.
    pub last: (usize, f64),
    /// The index and price of the highest point.
    pub high: (usize, f64),
    /// The index and price of the lowest point.
    pub low: (usize, f64),
}

/// The lowest and the highest price of a range; `low` is greater than `high` if there are none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl<'a> Series<'a> {
    /// A series of points in chronological order; points without a price are gaps.
    pub fn new(points: &'a [Point]) -> Series<'a> {
        Series::from_data(CandleData::sampled(points))
    }

    /// The points from which candles are built. Candles of an exchange have their own lows and highs.
    pub fn from_data(data: CandleData<'a>) -> Series<'a> {
        let blocks = match data.exchange() {
            Some(slice) => slice.candles.chunks(BLOCK).map(Extent::of_candles).collect(),
            None => data.points().chunks(BLOCK).map(Extent::of).collect(),
        };
        let mut series = Series { data, blocks, summary: None, longest_step: None };
        series.summary = series.summarise(0);
        series
    }

    /// Omits the points before this one from the summary, unless there is no price after it.
    #[must_use]
    pub fn summarised_from(mut self, first: usize) -> Series<'a> {
        if first > 0 {
            self.summary = self.summarise(first).or(self.summary);
        }
        self
    }

    /// Sets the longest distance between neighbouring points that isn't a gap. By default it is derived from the
    /// distances, which a few points in a short time would distort.
    #[must_use]
    pub fn with_longest_step(self, longest: Duration) -> Series<'a> {
        Series { longest_step: Some(longest), ..self }
    }

    /// The longest distance between neighbouring points that isn't a gap. It doesn't depend on the part that is shown, in
    /// which gaps may not be unusual.
    pub(super) fn longest_step(&self) -> Duration {
        self.longest_step.unwrap_or_else(|| longest_step(self.data.all().points()))
    }

    /// The shown points.
    pub fn points(&self) -> &'a [Point] {
        self.data.points()
    }

    /// What candles are built from.
    pub fn data(&self) -> CandleData<'a> {
        self.data
    }

    /// The summary; `None` if no point has a price.
    pub fn summary(&self) -> Option<Summary> {
        self.summary
    }

    /// The summary and the points that it refers to, each at the time of its price. The last closing price of an
    /// exchange's candles is at the end of the last candle; of the newest candle at the end of `line`, the points of
    /// the period.
    pub fn timed_summary(&self, line: &[Point]) -> Option<(Cow<'a, [Point]>, Summary)> {
        let Summary { open, high, low, last } = self.summary?;
        let points = self.points();
        let (Some(_), Some(end)) = (self.data.exchange(), line.last()) else {
            return Some((Cow::Borrowed(points), Summary { open, high, low, last }));
        };
        let marked = [open, high, low].map(|(index, _)| points.get(index).copied().unwrap_or(*end));
        let time = self.data.end_of_exchange().unwrap_or(end.time);
        let timed = marked.into_iter().chain([Point { time, ..*end }]).collect();
        Some((timed, Summary { open: (0, open.1), high: (1, high.1), low: (2, low.1), last: (3, last.1) }))
    }

    fn summarise(&self, from: usize) -> Option<Summary> {
        let priced = |(index, point): (usize, &Point)| Some((index, point.price?));
        let points = self.points().iter().enumerate().skip(from);
        let open = match self.data.exchange() {
            Some(slice) => (from, slice.candles.get(from)?.open),
            None => points.clone().find_map(priced)?,
        };
        let last = points.rev().find_map(priced)?;
        // The points before the first whole block, and the blocks.
        let whole = from.div_ceil(BLOCK);
        let before = (from, self.extent(from, (whole * BLOCK).min(self.points().len())));
        let (mut high, mut low) = (before, before);
        for (block, extent) in self.blocks.iter().enumerate().skip(whole) {
            if extent.high > high.1.high {
                high = (block * BLOCK, *extent);
            }
            if extent.low < low.1.low {
                low = (block * BLOCK, *extent);
            }
        }
        // The first of several equal extremes.
        let first = |start: usize, is_extreme: &dyn Fn(Extent) -> bool| {
            (start..self.points().len()).find(|index| is_extreme(self.extent(*index, index + 1)))
        };
        let ((high_start, Extent { high, .. }), (low_start, Extent { low, .. })) = (high, low);
        Some(Summary {
            open,
            last,
            high: (first(high_start, &|extent| extent.high == high)?, high),
            low: (first(low_start, &|extent| extent.low == low)?, low),
        })
    }

    /// The extremes of some of the points, which begin at index `start`.
    #[inline]
    pub(super) fn extent_of(&self, points: &[Point], start: usize) -> Extent {
        // Most columns of a chart have fewer points than a block.
        match self.data.exchange() {
            None if points.len() < BLOCK => Extent::of(points),
            _ => self.extent(start, start + points.len()),
        }
    }

    /// The extremes of the points from `from` to before `to`.
    pub(super) fn extent(&self, from: usize, to: usize) -> Extent {
        let of = |from, to| match self.data.exchange() {
            Some(slice) => Extent::of_candles(slice.candles.get(from..to).unwrap_or_default()),
            None => Extent::of(self.points().get(from..to).unwrap_or_default()),
        };
        if to < from + BLOCK {
            return of(from, to);
        }
        let (first, last) = (from.div_ceil(BLOCK), to / BLOCK);
        let Some(blocks) = self.blocks.get(first..last) else { return of(from, to) };
        let edges = of(from, first * BLOCK).union(of(last * BLOCK, to));
        blocks.iter().fold(edges, |all, block| all.union(*block))
    }
}

impl Summary {
    /// The change from the opening to the last price in percent; `None` if the opening price is zero.
    pub fn change_pct(&self) -> Option<f64> {
        change_pct(self.open.1, self.last.1)
    }
}

impl Extent {
    const NONE: Extent = Extent { low: f64::INFINITY, high: f64::NEG_INFINITY };

    fn of(points: &[Point]) -> Extent {
        points.iter().fold(Extent::NONE, |all, point| {
            // Comparisons with NaN are false, so a gap changes nothing, without a branch.
            let price = point.price.unwrap_or(f64::NAN);
            all.union(Extent { low: price, high: price })
        })
    }

    fn of_candles(candles: &[Candle]) -> Extent {
        candles.iter().fold(Extent::NONE, |all, candle| all.union(Extent { low: candle.low, high: candle.high }))
    }

    fn union(self, other: Extent) -> Extent {
        // f64::min and f64::max are slower, since they handle NaN on either side.
        Extent {
            low: if other.low < self.low { other.low } else { self.low },
            high: if other.high > self.high { other.high } else { self.high },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::UtcTime;
    use proptest::prelude::*;

    fn points(prices: &[Option<f64>]) -> Vec<Point> {
        let point = |(secs, &price): (i64, &Option<f64>)| Point {
            time: UtcTime::from_secs(secs),
            price,
            volume: None,
            market_cap: None,
        };
        (0..).zip(prices).map(point).collect()
    }

    fn price() -> impl Strategy<Value = Option<f64>> {
        prop_oneof![Just(None), (-3..3).prop_map(|price| Some(f64::from(price))), any::<f64>().prop_map(Some),]
    }

    proptest! {
        #[test]
        fn blocks_have_the_extremes_of_their_points(
            prices in prop::collection::vec(price(), 0..60),
            (from, to) in (0..60_usize, 0..60_usize),
        ) {
            let points = points(&prices);
            let series = Series::new(&points);
            let priced: Vec<(usize, f64)> =
                prices.iter().enumerate().filter_map(|(at, price)| Some((at, (*price)?))).collect();
            let all_of = |series: &Series<'_>| series.summary().map(|all| [all.open, all.last, all.high, all.low]);
            let one_by_one = |priced: &[(usize, f64)]| {
                let low = priced.iter().copied().reduce(|a, b| if b.1 < a.1 { b } else { a })?;
                let high = priced.iter().copied().reduce(|a, b| if b.1 > a.1 { b } else { a })?;
                Some([*priced.first()?, *priced.last()?, high, low])
            };
            prop_assert_eq!(all_of(&series), one_by_one(&priced));
            let later: Vec<(usize, f64)> = priced.iter().copied().filter(|(at, _)| *at >= from).collect();
            let expected = one_by_one(&later).or(one_by_one(&priced));
            prop_assert_eq!(all_of(&series.clone().summarised_from(from)), expected);

            let (from, to) = (from.min(prices.len()), to.min(prices.len()));
            let run = priced.iter().filter(|(at, _)| (from..to).contains(at)).map(|(_, price)| *price);
            let extent = series.extent(from.min(to), to);
            prop_assert_eq!(extent.low, run.clone().fold(f64::INFINITY, f64::min));
            prop_assert_eq!(extent.high, run.fold(f64::NEG_INFINITY, f64::max));
        }
    }
}
