//! Removes points in the future, which would be shown as the current price: forecasts, and times in another time zone.

use std::time::Duration;

use crate::client::request::Warning;
use crate::client::response_data::ResponseData;
use crate::model::{Point, UtcTime};

/// Clocks may differ by this much.
pub(super) const MAX_AHEAD: Duration = Duration::from_mins(10);

/// The current candle may have the time of its end, at most a week ahead.
const MAX_STEP: Duration = Duration::from_hours(7 * 24);

/// Removes points that are later than `now`, with a warning.
pub(super) fn remove(response: &mut ResponseData, now: UtcTime) -> Option<Warning> {
    let removed: usize = match response {
        ResponseData::Chart(chart) => {
            let removed = cut(&mut chart.points, now);
            chart.candles.take_if(|_| removed > 0);
            removed
        }
        ResponseData::Market(series) => series
            .iter_mut()
            .map(|one| {
                let removed = cut(&mut one.points, now);
                one.candles.take_if(|_| removed > 0);
                removed
            })
            .sum(),
        _ => 0,
    };
    let points = if removed == 1 { "1 point".to_owned() } else { format!("{removed} points") };
    (removed > 0).then(|| format!("ignored {points} in the future"))
}

fn cut(points: &mut Vec<Point>, now: UtcTime) -> usize {
    if points.last().is_none_or(|last| last.time <= now.plus(MAX_AHEAD)) {
        return 0;
    }
    let latest = now.plus(step(points).clamp(MAX_AHEAD, MAX_STEP));
    let before = points.len();
    let end = points.partition_point(|point| point.time <= latest);
    points.truncate(end);
    before - points.len()
}

/// The median time between points.
fn step(points: &[Point]) -> Duration {
    let distance = |pair: &[Point]| Some(pair.last()?.time.since(pair.first()?.time));
    let mut steps: Vec<Duration> = points.windows(2).filter_map(distance).collect();
    let middle = steps.len() / 2;
    if steps.is_empty() { Duration::ZERO } else { *steps.select_nth_unstable(middle).1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Chart, Currency, Period, Text, VolumeSpan};

    /// The times of points that are kept, in minutes from now, and the warning.
    fn kept(minutes: &[i64]) -> (Vec<i64>, Option<Warning>) {
        let now = UtcTime::from_secs(1_795_075_200);
        let point = |minutes: &i64| {
            let time = UtcTime::from_secs(now.secs() + minutes * 60);
            Point { time, price: Some(8.41), volume: None, market_cap: None }
        };
        let mut response = ResponseData::Chart(Chart {
            slug: Text::const_new("ordi"),
            period: Period::Day,
            convert: Currency::usd(),
            points: minutes.iter().map(point).collect(),
            volume_span: VolumeSpan::Day,
            candles: None,
        });
        let warning = remove(&mut response, now);
        let ResponseData::Chart(chart) = response else { panic!("{response:?}") };
        (chart.points.iter().map(|point| (point.time.secs() - now.secs()) / 60).collect(), warning)
    }

    #[test]
    fn future_points_are_removed_with_a_warning() {
        assert_eq!(
            kept(&[-60, 0, 60, 120, 180]),
            (vec![-60, 0, 60], Some("ignored 2 points in the future".to_owned()))
        );
        assert_eq!(kept(&[-5, 0, 60]), (vec![-5, 0, 60], None));
        assert_eq!(kept(&[600]), (vec![], Some("ignored 1 point in the future".to_owned())));
        assert_eq!(kept(&[]), (vec![], None));
    }

    #[test]
    fn skewed_clock_and_end_of_the_current_day_are_accepted() {
        let day = 24 * 60;
        for minutes in [&[-10, -5, 0, 5, 10][..], &[-2 * day + 600, -day + 600, 600]] {
            assert_eq!(kept(minutes), (minutes.to_vec(), None), "{minutes:?}");
        }
    }
}
