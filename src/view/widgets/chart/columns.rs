//! Maps the columns of a chart to times and points.

use crate::model::candle_fit::even_columns;
use crate::model::{CandleData, CandleWidth, Point, UtcTime, chart};

/// Number of points that are skipped by comparing only the last of them.
const STRIDE: usize = 8;

/// The time axis of a chart with `width` columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    start: i64,
    span: i64,
    width: u16,
    slots: Option<Slots>,
}

/// Equal spans of time, the candles of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slots {
    candle: CandleWidth,
    /// The number of the first candle.
    first: i64,
    /// The number of candles, at least one.
    count: i64,
}

impl Slots {
    /// The column in the middle of a slot.
    fn column(self, slot: i64, width: u16) -> u16 {
        let slot = slot.clamp(0, self.count - 1);
        let column = (2 * slot + 1) * i64::from(width) / (2 * self.count);
        u16::try_from(column).unwrap_or(u16::MAX).min(width.saturating_sub(1))
    }

    /// The slot in the middle of a column, so that a candle's own column is in its slot.
    fn slot(self, column: u16, width: u16) -> i64 {
        ((2 * i64::from(column) + 1) * self.count / (2 * i64::from(width.max(1)))).min(self.count - 1)
    }
}

impl Columns {
    /// An axis from the first to the last point. A single point, or several at the same time, are in the last column.
    pub fn new(points: &[Point], width: u16) -> Columns {
        let start = points.first().map_or(0, |point| point.time.millis());
        let end = points.last().map_or(0, |point| point.time.millis());
        Columns { start, span: end.saturating_sub(start).max(0), width, slots: None }
    }

    /// An axis of candles from the first to the last point. All candles have the same number of columns, since a wider gap
    /// would look like a missing candle, so the axis may be narrower than `width`.
    pub fn of_candles(points: &[Point], candle: CandleWidth, width: u16) -> Columns {
        let Columns { start, span, .. } = Columns::new(points, width);
        let number = |millis| candle.number(UtcTime::from_millis(millis));
        let (first, last) = (number(start), number(start.saturating_add(span)));
        // Bounded, so that the arithmetic of columns can't overflow.
        let count = last.saturating_sub(first).saturating_add(1).clamp(1, 1 << 40);
        let width = even_columns(count, width).unwrap_or(width);
        Columns { start, span, width, slots: Some(Slots { candle, first, count }) }
    }

    /// An axis of the shown candles, without an incomplete first one; of wider ones if there would be more candles than
    /// columns, so that none covers another.
    pub(super) fn of_fitting_candles(data: CandleData<'_>, candle: CandleWidth, width: u16) -> Columns {
        let mut columns = Columns::of_candles(data.whole_points(candle), candle, width);
        let mut wider = candle.wider();
        while let Some(candle) = wider.filter(|_| columns.pitch() == 0) {
            columns = Columns::of_candles(data.whole_points(candle), candle, width);
            wider = candle.wider();
        }
        columns
    }

    /// The width of the candles; `None` if the axis has none.
    pub fn candle(&self) -> Option<CandleWidth> {
        self.slots.map(|slots| slots.candle)
    }

    /// The columns of each candle; 0 if there are more candles than columns, and if the axis has none.
    pub fn pitch(&self) -> u16 {
        self.slots.map_or(0, |slots| u16::try_from(i64::from(self.width) / slots.count).unwrap_or(0))
    }

    /// The same time span with a multiple of the columns, such as twice as many for a line in braille dots.
    pub fn with_width(self, width: u16) -> Columns {
        Columns { width, ..self }
    }

    /// The time of the first point.
    pub fn start(&self) -> UtcTime {
        UtcTime::from_millis(self.start)
    }

    /// The time of the last point.
    pub fn end(&self) -> UtcTime {
        UtcTime::from_millis(self.start.saturating_add(self.span))
    }

    /// Whether a time is within the chart; in an axis of candles, within the first or the last one or between them.
    pub fn contains(&self, time: UtcTime) -> bool {
        match self.slots {
            Some(Slots { candle, first, count, .. }) => {
                (candle.start(first)..=candle.start(first.saturating_add(count))).contains(&time)
            }
            None => (self.start()..=self.end()).contains(&time),
        }
    }

    /// Whether a point at this time is drawn: it is from the first to the last point, or in an axis of candles from the
    /// first to the last candle.
    pub(super) fn shows(&self, time: UtcTime) -> bool {
        match self.slots {
            Some(Slots { candle, first, count, .. }) => (0..count).contains(&candle.number(time).saturating_sub(first)),
            None => (self.start()..=self.end()).contains(&time),
        }
    }

    /// The number of columns.
    pub fn width(&self) -> u16 {
        self.width
    }

    /// The column of `time`, counted from 0; the first or last for a time outside the chart.
    pub fn column(&self, time: UtcTime) -> u16 {
        let last = self.width.saturating_sub(1);
        if let Some(slots) = self.slots {
            return slots.column(slots.candle.number(time).saturating_sub(slots.first), self.width);
        }
        if self.span == 0 {
            return last;
        }
        let share = time.millis().saturating_sub(self.start) as f64 / self.span as f64;
        // The cast saturates below 0; adding 0.5 rounds.
        ((share * f64::from(last) + 0.5) as u16).min(last)
    }

    /// Splits points in chronological order into runs of those in the same column. In an axis of candles, a run has the
    /// points of one candle.
    pub fn runs<'a>(&self, points: &'a [Point]) -> Runs<'a> {
        let last = self.width.saturating_sub(1);
        let step = if self.span == 0 { 0.0 } else { self.span as f64 / f64::from(last.max(1)) };
        let column = if self.span == 0 { last } else { 0 };
        let mut runs = Runs { columns: *self, rest: points, from: 0, column, end: 0, step };
        runs.end = runs.end_of(column);
        runs
    }

    /// The time at the centre of `column`; in an axis of candles, the start of its candle.
    pub fn time(&self, column: u16) -> UtcTime {
        let last = self.width.saturating_sub(1);
        if let Some(slots) = self.slots {
            return slots.candle.start(slots.first.saturating_add(slots.slot(column, self.width)));
        }
        if last == 0 {
            return self.end();
        }
        let share = f64::from(column.min(last)) / f64::from(last);
        UtcTime::from_millis(self.start.saturating_add((share * self.span as f64).round() as i64))
    }

    /// The point nearest to `column`; in an axis of candles, the last one of its candle.
    pub fn index_at(&self, points: &[Point], column: u16) -> Option<usize> {
        let Some(slots) = self.slots else { return chart::nearest(points, self.time(column)) };
        let number = slots.first.saturating_add(slots.slot(column, self.width));
        let end = slots.candle.start(number.saturating_add(1));
        let index = points.partition_point(|point| point.time < end).checked_sub(1)?;
        points.get(index).filter(|point| slots.candle.number(point.time) == number).map(|_| index)
    }
}

/// The points in the same column.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The column.
    pub column: u16,
    /// The index of the first of the points.
    pub start: usize,
    /// The points, at least one.
    pub points: &'a [Point],
}

/// The runs of points in the same column. See [`Columns::runs`].
#[derive(Clone, Debug)]
pub struct Runs<'a> {
    columns: Columns,
    /// The points of the next runs, and the index of the first of them.
    rest: &'a [Point],
    from: usize,
    /// The column of the last run, and the time in milliseconds at which the next column starts.
    column: u16,
    end: i64,
    /// The milliseconds of a column.
    step: f64,
}

impl Runs<'_> {
    /// The time in milliseconds at which the column after this one starts.
    fn end_of(&self, column: u16) -> i64 {
        if column >= self.columns.width.saturating_sub(1) {
            return i64::MAX;
        }
        let place = (f64::from(column) + 0.5) * self.step;
        // Rounded up without a call of `f64::ceil`.
        let whole = place as i64;
        self.columns.start.saturating_add(whole).saturating_add(i64::from((whole as f64) < place))
    }
}

impl<'a> Iterator for Runs<'a> {
    type Item = Run<'a>;

    // The loop over the runs is the hottest one of a chart, and level "s" does not inline it by itself.
    #[inline(always)]
    fn next(&mut self) -> Option<Run<'a>> {
        let (first, mut later) = self.rest.split_first()?;
        let first = first.time;
        if let Some(slots) = self.columns.slots {
            let number = slots.candle.number(first);
            self.column = slots.column(number.saturating_sub(slots.first), self.columns.width);
            self.end = slots.candle.start(number.saturating_add(1)).millis();
        } else {
            while first.millis() >= self.end && self.end < i64::MAX {
                self.column += 1;
                self.end = self.end_of(self.column);
            }
        }
        let end = self.end;
        // Skip in strides, since a column of a long series has many points.
        while let Some((stride, after)) = later.split_at_checked(STRIDE)
            && stride.last().is_some_and(|point| point.time.millis() < end)
        {
            later = after;
        }
        while let Some((point, after)) = later.split_first()
            && point.time.millis() < end
        {
            later = after;
        }
        let (points, start) = (self.rest.get(..self.rest.len() - later.len())?, self.from);
        (self.from, self.rest) = (start + points.len(), later);
        Some(Run { column: self.column, start, points })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn points(secs: &[i64]) -> Vec<Point> {
        let point = |&secs| Point { time: UtcTime::from_secs(secs), price: None, volume: None, market_cap: None };
        secs.iter().map(point).collect()
    }

    #[test]
    fn column_and_point_lookups_are_inverse() {
        let points = points(&[0, 10, 20, 30, 40]);
        let columns = Columns::new(&points, 9);
        let there: Vec<_> = points.iter().map(|point| columns.column(point.time)).collect();
        assert_eq!(there, [0, 2, 4, 6, 8]);
        let back: Vec<_> = (0..9).map(|column| columns.index_at(&points, column).unwrap()).collect();
        assert_eq!(back, [0, 0, 1, 1, 2, 2, 3, 3, 4]);
        assert_eq!(columns.index_at(&points, 999), Some(4));
        assert_eq!(columns.column(UtcTime::from_secs(-5)), 0);
        assert_eq!(columns.column(UtcTime::from_secs(99)), 8);
    }

    #[test]
    fn single_point_is_in_the_last_column() {
        let one = points(&[7]);
        let columns = Columns::new(&one, 9);
        assert_eq!((columns.column(UtcTime::from_secs(7)), columns.index_at(&one, 0)), (8, Some(0)));
    }

    #[test]
    fn candles_are_evenly_spaced_in_as_many_columns_as_they_need() {
        let hour = CandleWidth::parse("1h").unwrap();
        // The candles and the columns; the used ones, those of each candle, and those of the first, the second and the
        // last one.
        for (count, width, used, pitch, first, second, last) in [
            (122, 137, 122, 1, 0, 1, 121),
            (24, 53, 48, 2, 1, 3, 47),
            (25, 84, 75, 3, 1, 4, 73),
            (61, 84, 61, 1, 0, 1, 60),
            (31, 84, 62, 2, 1, 3, 61),
            (43, 43, 43, 1, 0, 1, 42),
            (49, 84, 49, 1, 0, 1, 48),
            // More candles than columns.
            (99, 72, 72, 0, 0, 1, 71),
        ] {
            let points = points(&(0..count).map(|n| n * 3_600).collect::<Vec<_>>());
            let columns = Columns::of_candles(&points, hour, width);
            let there: Vec<u16> = points.iter().map(|point| columns.column(point.time)).collect();
            let found = (columns.pitch(), there[0], there[1], *there.last().unwrap());
            assert_eq!((columns.width(), found), (used, (pitch, first, second, last)), "{count} in {width}");
            if pitch > 0 {
                assert!(there.windows(2).all(|pair| pair[1] - pair[0] == pitch), "{count} in {width}");
            }
        }
    }

    #[test]
    fn every_column_of_a_candle_finds_its_point() {
        for width in [137, 250, 123] {
            let points = points(&(0..122).map(|n| n * 3_600).collect::<Vec<_>>());
            let columns = Columns::of_candles(&points, CandleWidth::parse("1h").unwrap(), width);
            let pitch = usize::from(columns.pitch());
            assert_eq!(columns.width(), width / 122 * 122);
            let expected: Vec<Option<usize>> = (0..122).flat_map(|index| vec![Some(index); pitch]).collect();
            let back = |columns: Columns| -> Vec<Option<usize>> {
                (0..columns.width()).map(|column| columns.index_at(&points, column)).collect()
            };
            assert_eq!(back(columns), expected, "{width}");
            // The dots of bars and averages are in the columns of the candles.
            let dots = columns.with_width(columns.width() * 2);
            assert_eq!(back(dots), expected.iter().flat_map(|index| [*index; 2]).collect::<Vec<_>>(), "{width}");
            assert!(points.iter().all(|point| dots.column(point.time) / 2 == columns.column(point.time)), "{width}");
        }
    }

    proptest! {
        #[test]
        fn runs_have_all_points_in_their_columns(
            mut secs in prop::collection::vec(0..99_i64, 1..40),
            width in 1..40_u16,
            hours in prop::option::of(0..2_usize),
        ) {
            secs.sort_unstable();
            let points = points(&secs.iter().map(|sec| sec * 600).collect::<Vec<_>>());
            let columns = match hours {
                Some(index) => Columns::of_candles(&points, CandleWidth::ALL[index], width),
                None => Columns::new(&points, width),
            };
            let mut next = 0;
            for run in columns.runs(&points) {
                prop_assert_eq!(run.start, next);
                prop_assert!(!run.points.is_empty());
                next += run.points.len();
                prop_assert_eq!(run.points, &points[run.start..next]);
                for point in run.points {
                    // Because of rounding, a time on the boundary may fall in either column.
                    prop_assert!(columns.column(point.time).abs_diff(run.column) <= u16::from(hours.is_none()));
                }
            }
            prop_assert_eq!(next, points.len());
        }

        #[test]
        fn any_times_map_to_columns(mut secs in prop::collection::vec(any::<i64>(), 0..9), width: u16, column: u16) {
            secs.sort_unstable();
            let points = points(&secs);
            let columns = Columns::new(&points, width);
            if let Some(index) = columns.index_at(&points, column) {
                prop_assert!(index < points.len());
                prop_assert!(columns.column(points[index].time) < width.max(1));
            }
            prop_assert_eq!(columns.runs(&points).map(|run| run.points.len()).sum::<usize>(), points.len());
        }
    }
}
