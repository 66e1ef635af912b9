//! The lines of the comparison, from the start of the period.

use std::borrow::Cow;

use crate::model::{MarketSeries, Period, Point, UtcTime, chart};
use crate::user_data::Watched;

use crate::app::chart::compare::LineError;
use crate::app::state::State;

/// Maximum change in percent from the start of a period to the first point of a series. Above it, list and series are
/// assumed to have different prices.
const MAX_FIRST_CHANGE: f64 = 5.0;

impl State {
    /// The points of the compared coins, or why a coin has none.
    pub fn compared_lines<'a>(&self, response: &'a [MarketSeries]) -> Vec<Result<Cow<'a, [Point]>, LineError>> {
        let series = self.comparison.series(response).into_iter();
        let line = |series: &'a MarketSeries| self.compared_points(series);
        let mut lines: Vec<_> = series.map(|series| series.map(line).map_err(LineError::Series)).collect();
        if self.comparison.period() == Period::AllTime {
            start_together(&mut lines);
        }
        lines
    }

    /// The points of a period. A series starts at a whole interval, up to an hour after the start of the period. If the
    /// list has the change over the period, a first point is computed from it, so that the line shows the same change.
    fn compared_points<'a>(&self, series: &'a MarketSeries) -> Cow<'a, [Point]> {
        let points = self.comparison.period().of(&series.points);
        match self.price_at_start(series, points) {
            Some(start) => std::iter::once(start).chain(points.iter().copied()).collect(),
            None => Cow::Borrowed(points),
        }
    }

    fn price_at_start(&self, series: &MarketSeries, points: &[Point]) -> Option<Point> {
        let period = self.comparison.period();
        let change = self.listed_change(&Watched::from_series(series), period, &series.points, &series.convert)?;
        let (first, last) = points.first().zip(points.last())?;
        let price = last.price? / (1.0 + change / 100.0);
        let time = last.time.minus(period.length());
        let first_change = (first.price? / price - 1.0) * 100.0;
        let is_plausible = price > 0.0 && first_change.abs() <= MAX_FIRST_CHANGE;
        (time < first.time && is_plausible).then_some(Point {
            time,
            price: Some(price),
            volume: None,
            market_cap: None,
        })
    }

    /// The times that the cursor of the comparison stops at: the times of the longest line.
    pub(in crate::app) fn compared_grid(&self) -> Vec<Point> {
        longest(&self.response_lines()).to_vec()
    }

    /// Whether any compared coin has a line.
    pub(in crate::app) fn has_compared_prices(&self) -> bool {
        let response = self.comparison.request(&self.convert).and_then(|request| self.responses.market(&request).value);
        response.is_some_and(|response| self.comparison.series(response).iter().any(Result::is_ok))
    }

    /// The cursor stop nearest to this fraction of the time range of all lines: 0 is the start, 1 the end.
    pub(in crate::app) fn compared_time(&self, share: f64) -> Option<UtcTime> {
        let lines = self.response_lines();
        let first = lines.iter().filter_map(|points| Some(points.first()?.time)).min()?;
        let last = lines.iter().filter_map(|points| Some(points.last()?.time)).max()?;
        let (grid, there) = (longest(&lines), first.plus(last.since(first).mul_f64(share)));
        chart::nearest(grid, there).and_then(|index| grid.get(index)).map(|point| point.time)
    }

    /// The lines of the coins that have one; none before the response arrives.
    fn response_lines(&self) -> Vec<Cow<'_, [Point]>> {
        let response = self.comparison.request(&self.convert).and_then(|request| self.responses.market(&request).value);
        let lines = response.map_or_else(Vec::new, |response| self.compared_lines(response));
        lines.into_iter().flatten().collect()
    }
}

/// The line with the most points.
fn longest<'a>(lines: &'a [Cow<'_, [Point]>]) -> &'a [Point] {
    lines.iter().max_by_key(|points| points.len()).map_or(&[][..], |points| &**points)
}

/// Trims the lines to their common start: changes since different dates can't be compared. A coin
/// whose prices end before that has no line.
fn start_together(lines: &mut [Result<Cow<'_, [Point]>, LineError>]) {
    let first = |points: &Cow<'_, [Point]>| points.iter().find(|point| point.price.is_some()).map(|point| point.time);
    let Some(start) = lines.iter().flatten().filter_map(first).max() else { return };
    for line in lines {
        let Ok(points) = line else { continue };
        let from = points.partition_point(|point| point.time < start);
        if points.iter().skip(from).all(|point| point.price.is_none()) {
            *line = Err(LineError::Ended(start));
            continue;
        }
        match points {
            Cow::Borrowed(points) => *points = points.get(from..).unwrap_or_default(),
            Cow::Owned(points) => drop(points.drain(..from)),
        }
    }
}
