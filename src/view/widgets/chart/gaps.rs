//! Gaps in time between the points of a chart.

use std::time::Duration;

use crate::model::Point;

/// A distance between points is a gap if it exceeds this many usual distances.
const FACTOR: u32 = 3;

/// Number of distances sampled, since a chart may have thousands of points.
const SAMPLES: usize = 31;

/// The longest distance of neighbouring points that isn't a gap; zero if there are fewer than two points. It is a
/// multiple of a long but usual distance, not of the median: a series may have a coarse and a fine part.
pub(super) fn longest_step(points: &[Point]) -> Duration {
    let stride = (points.len() / SAMPLES).max(1);
    let distance = |pair: &[Point]| Some(pair.last()?.time.since(pair.first()?.time));
    let mut distances: Vec<Duration> = points.windows(2).step_by(stride).filter_map(distance).collect();
    distances.sort_unstable();
    let usual = distances.get(distances.len() * 9 / 10).copied().unwrap_or_default();
    usual.saturating_mul(FACTOR)
}
