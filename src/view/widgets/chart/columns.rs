//! Maps the columns of a chart to times and points.

use crate::model::{Point, UtcTime, chart};

/// Number of points that are skipped by comparing only the last of them.
const STRIDE: usize = 8;

/// The time axis of a chart with `width` columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    start: i64,
    span: i64,
    width: u16,
}

impl Columns {
    /// An axis from the first to the last point. A single point, or several at the same time, are in the last column.
    pub fn new(points: &[Point], width: u16) -> Columns {
        let start = points.first().map_or(0, |point| point.time.millis());
        let end = points.last().map_or(0, |point| point.time.millis());
        Columns { start, span: end.saturating_sub(start).max(0), width }
    }

    /// The same time span with another number of columns.
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

    /// The number of columns.
    pub fn width(&self) -> u16 {
        self.width
    }

    /// The column of `time`, counted from 0; the first or last for a time outside of the chart.
    pub fn column(&self, time: UtcTime) -> u16 {
        let last = self.width.saturating_sub(1);
        if self.span == 0 {
            return last;
        }
        let share = time.millis().saturating_sub(self.start) as f64 / self.span as f64;
        // The cast saturates below 0; adding 0.5 rounds.
        ((share * f64::from(last) + 0.5) as u16).min(last)
    }

    /// The number of consecutive points in `column`, of which the first of `points` is one; at least one, if there are
    /// any.
    pub fn points_in(&self, points: &[Point], column: u16) -> usize {
        let last = self.width.saturating_sub(1);
        if column >= last {
            return points.len();
        }
        let share = (f64::from(column) + 0.5) / f64::from(last);
        let end = self.start.saturating_add((share * self.span as f64).ceil() as i64);
        let before = |point: &Point| point.time.millis() < end;
        // Skip in strides, since a column of a long series has many points.
        let strides =
            points.chunks_exact(STRIDE).take_while(|stride| stride.last().is_some_and(before)).count() * STRIDE;
        let count = strides + points.iter().skip(strides).take_while(|point| before(point)).count();
        count.max(1).min(points.len())
    }

    /// The time at the centre of `column`.
    pub fn time(&self, column: u16) -> UtcTime {
        let last = self.width.saturating_sub(1);
        if last == 0 {
            return self.end();
        }
        let share = f64::from(column.min(last)) / f64::from(last);
        UtcTime::from_millis(self.start.saturating_add((share * self.span as f64).round() as i64))
    }

    /// The point nearest to `column`.
    pub fn index_at(&self, points: &[Point], column: u16) -> Option<usize> {
        chart::nearest(points, self.time(column))
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

    proptest! {
        #[test]
        fn any_times_map_to_columns(mut secs in prop::collection::vec(any::<i64>(), 0..9), width: u16, column: u16) {
            secs.sort_unstable();
            let points = points(&secs);
            let columns = Columns::new(&points, width);
            if let Some(index) = columns.index_at(&points, column) {
                prop_assert!(index < points.len());
                prop_assert!(columns.column(points[index].time) < width.max(1));
            }
        }
    }
}
