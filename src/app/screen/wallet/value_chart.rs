//! The chart of the portfolio's value: its content and its height.

use std::collections::HashMap;
use std::time::Duration;

use crate::model::chart::JUMP;
use crate::model::{Currency, Point, Text, UtcTime};

/// The value of the holdings over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueChart {
    /// The values, oldest first: at each step, and just before and at each change of the amounts between steps. A point
    /// has no price if the price of a coin held at that time is missing.
    pub points: Vec<Point>,
    /// The longest distance between neighbouring points that isn't a gap.
    pub longest_step: Duration,
    /// Currency of the values.
    pub convert: Currency,
    /// Symbols, and names of addresses, that are omitted because their prices or balances are unknown.
    pub excluded: Vec<Text>,
    /// The symbols of the coins whose missing prices are the gaps.
    pub missing_prices: Vec<Text>,
    /// The addresses that were added during the chart, each with the time from which its balances count, oldest first.
    pub added: Vec<(UtcTime, Text)>,
    /// When the amounts changed during the chart, oldest first.
    pub changes: Vec<UtcTime>,
    /// The time of the last change that was large enough to matter. Only since then is a change in value a gain or a
    /// loss.
    pub changed_at: Option<UtcTime>,
    /// `changed_at` if prices near that time are known; otherwise the first step after it, or `changed_at` itself if
    /// there is none.
    pub compared_from: Option<UtcTime>,
    /// The time since which something has been held, if that is too recent for a chart.
    pub starts_at: Option<UtcTime>,
    /// The prices of each coin, by the identity of its holding; not a number where one is missing.
    pub trends: HashMap<Text, Vec<f64>>,
}

impl ValueChart {
    /// The part of these points, its own or with later ones, that has values of the amounts held at its end.
    pub fn comparable<'a>(&self, points: &'a [Point]) -> &'a [Point] {
        let start = points.partition_point(|point| self.compared_from.is_some_and(|from| point.time < from));
        points.get(start..).unwrap_or_default()
    }

    /// When the amounts last changed notably: all inflows and outflows since then are together too small to show in the
    /// change in value. `None` if that holds for the whole chart.
    pub fn last_notable_change(&self) -> Option<UtcTime> {
        let value = |time: UtcTime| {
            let index = self.points.binary_search_by_key(&time, |point| point.time).ok()?;
            self.points.get(index)?.price
        };
        let is_small = |moved: f64, value: f64| moved < value * MIN_FLOW;
        let (mut notable, mut moved) = (None, 0.0);
        for change in self.changes.iter().rev() {
            let jump = value(change.minus(JUMP)).zip(value(*change));
            let Some((before, after)) = jump else { return notable.or(Some(*change)) };
            if notable.is_none() || is_small(moved, after) {
                notable = Some(*change);
            }
            moved += (after - before).abs();
        }
        let first = self.points.iter().find_map(|point| point.price);
        notable.filter(|_| first.is_none_or(|first| !is_small(moved, first)))
    }

    /// The points after the last inflow that would leave a flat line before it; all points if too few follow. The values
    /// before an outflow are always included: they are shown nowhere else, while a shorter period shows those after it.
    pub fn readable<'a>(&self, points: &'a [Point]) -> &'a [Point] {
        let known = points.iter().enumerate().filter_map(|(index, point)| Some((index, point.time, point.price?)));
        let known: Vec<(usize, UtcTime, f64)> = known.collect();
        // A price may rise as much.
        let has_change = |from: UtcTime, to: UtcTime| self.changes.iter().any(|at| *at > from && *at <= to);
        let start = known.windows(2).rev().find_map(|pair| match *pair {
            [(_, from, before), (index, to, after)] => {
                let is_flat = after > MAX_JUMP * before;
                (is_flat && has_change(from, to)).then_some(index)
            }
            _ => None,
        });
        let after = start.and_then(|start| points.get(start..)).unwrap_or(points);
        if after.len() < MIN_READABLE { points } else { after }
    }
}

/// Minimum share of the value at which inflows and outflows matter: the smallest that is printed as 0.1%.
const MIN_FLOW: f64 = 0.000_5;

/// Maximum factor from one value to the next that leaves the scale readable.
const MAX_JUMP: f64 = 4.0;

/// Minimum points after a larger inflow for a chart that starts there.
const MIN_READABLE: usize = 6;

/// Minimum rows of the chart, with its title.
const MIN_CHART: u16 = 8;

/// Rows of the chart below more holdings than fit.
const CROWDED_CHART: u16 = 10;

/// Maximum rows of the chart, unless the holdings and watched coins leave more at their full height.
const MAX_CHART: u16 = 20;

/// The full height of a holding and of a watched coin.
const HOLDING_LINES: usize = 2;
const WATCHED_LINES: usize = 4;

/// From this height on, the chart is shown even if not all rows fit above it.
const TALL: u16 = 32;

/// Minimum width of the chart.
const MIN_WIDTH: u16 = 40;

/// The rows of the value chart, with its title, in a content area of this size. Up to a limit, the chart gets the rows
/// that holdings and watched coins leave at one line each; beyond it, only those that they leave at their full height.
/// In a tall area, it gets at least a few. Zero if there is no room, or nothing is held.
pub fn chart_rows((width, height): (u16, u16), held_lines: usize, watched: usize) -> u16 {
    if held_lines == 0 || width < MIN_WIDTH {
        return 0;
    }
    // The holdings have a heading and a line of recent changes; the watched coins a blank row, a title and a heading.
    let headings = if watched == 0 { 2 } else { 5 };
    let left = |rows: usize| height.saturating_sub(u16::try_from(rows + headings).unwrap_or(u16::MAX));
    let spare = left(held_lines + watched);
    // The totals may have a second line.
    let unused = left(HOLDING_LINES * held_lines + WATCHED_LINES * watched + 1);
    match spare {
        _ if height >= TALL && spare < CROWDED_CHART => CROWDED_CHART,
        MIN_CHART.. if watched == 0 => spare.min(MAX_CHART.max(unused)),
        MIN_CHART.. => spare.min(MAX_CHART.min(MIN_CHART.max(height / 3)).max(unused)),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chart_starts_after_a_flattening_inflow_and_keeps_values_before_a_sale() {
        let point = |(second, price): (i64, f64)| Point {
            time: UtcTime::from_secs(second),
            price: (price > 0.0).then_some(price),
            volume: None,
            market_cap: None,
        };
        let points = |prices: &[f64]| -> Vec<Point> { (0..).zip(prices.iter().copied()).map(point).collect() };
        let changed = |at: i64| ValueChart { changes: vec![UtcTime::from_secs(at)], ..ValueChart::default() };
        let chart = changed(2);
        let jumped = points(&[9.0, 9.5, 0.0, 100.0, 101.0, 102.0, 0.0, 101.0, 100.0]);
        assert_eq!(chart.readable(&jumped), &jumped[3..]);
        assert_eq!(chart.readable(&jumped[..8]), &jumped[..8], "too few points follow");
        let sold = points(&[100.0, 101.0, 9.0, 9.1, 9.2, 9.3, 9.2, 9.1]);
        assert_eq!(chart.readable(&sold), &sold[..], "values before the sale are shown");
        let doubled = points(&[50.0, 51.0, 100.0, 101.0, 102.0, 103.0, 104.0, 105.0]);
        assert_eq!(chart.readable(&doubled), &doubled[..]);
        assert_eq!(changed(1).readable(&jumped), &jumped[..], "only the price rose then");
        assert_eq!(ValueChart::default().readable(&jumped), &jumped[..], "the amounts stayed the same");
    }

    #[test]
    fn small_changes_of_the_amounts_do_not_matter() {
        let at = UtcTime::from_secs;
        let point = |(time, price)| Point { time, price, volume: None, market_cap: None };
        // The value before and after each change, one per second.
        let notable = |jumps: &[[f64; 2]]| {
            let times = || (1..).zip(jumps);
            let price = |price: f64| Some(price).filter(|price| *price > 0.0);
            let jumps = times().flat_map(|(second, [before, after])| {
                [(at(second).minus(JUMP), price(*before)), (at(second), price(*after))].map(point)
            });
            let points = std::iter::once(point((at(0), Some(100.0)))).chain(jumps).collect();
            let changes = times().map(|(second, _)| at(second)).collect();
            ValueChart { points, changes, ..ValueChart::default() }.last_notable_change().map(UtcTime::secs)
        };
        let (small, large) = ([100.0, 100.02], [100.0, 101.0]);
        for (jumps, expected) in [
            (&[][..], None),
            (&[small, small], None),
            (&[large], Some(1)),
            (&[large, small, small], Some(1)),
            (&[small, large], Some(2)),
            // Together they matter.
            (&[small, small, small], Some(1)),
            (&[small; 5], Some(3)),
            (&[small, [0.0, 100.0]], Some(2)),
            (&[[1_000.0, 1_000.1]], Some(1)),
        ] {
            assert_eq!(notable(jumps), expected, "{jumps:?}");
        }
    }

    #[test]
    fn value_chart_gets_the_remaining_rows() {
        for (size, held, watched, rows) in [
            ((160, 42), 3, 4, 14),
            ((160, 42), 3, 8, 14),
            ((160, 42), 1, 1, 30),
            ((160, 42), 3, 0, 33),
            ((160, 42), 12, 0, 20),
            ((160, 42), 60, 4, 10),
            ((80, 21), 3, 3, 8),
            ((80, 21), 3, 0, 16),
            ((80, 21), 3, 7, 0),
            ((80, 21), 60, 0, 0),
            ((80, 21), 0, 4, 0),
            ((39, 42), 3, 0, 0),
        ] {
            assert_eq!(chart_rows(size, held, watched), rows, "{size:?} {held} {watched}");
        }
    }
}
