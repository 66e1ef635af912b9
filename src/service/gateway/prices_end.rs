//! Where the prices of a chart end. An exchange that no longer trades a coin may still send its old prices.

use std::time::Duration;

use super::fallback_reason::FallbackReason;
use crate::model::{Point, UtcTime};

/// Minimum age of the last price before another provider is tried: exchanges pause a market for minutes.
const MIN_SPAN: Duration = Duration::from_hours(3);

/// The last price of a chart or series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PricesEnd {
    /// The time of the last price.
    pub(super) last: UtcTime,
    /// When the next price is overdue.
    overdue: UtcTime,
}

impl PricesEnd {
    /// The last price of these points; `None` if they have none. A price is overdue after two steps, or three hours if
    /// that is longer.
    pub(super) fn of(points: &[Point]) -> Option<PricesEnd> {
        PricesEnd::within(points, MIN_SPAN)
    }

    /// The end of the prices in the points of a span: if it is shorter than three hours, prices before it are overdue.
    pub(super) fn within(points: &[Point], span: Duration) -> Option<PricesEnd> {
        let mut times = points.iter().rev().filter(|point| point.price.is_some()).map(|point| point.time);
        let last = times.next()?;
        let step = times.next().map_or(Duration::ZERO, |before| last.since(before));
        Some(PricesEnd { last, overdue: last.plus(MIN_SPAN.min(span).max(2 * step)) })
    }

    /// Whether the next price is overdue.
    pub(super) fn is_overdue(self, now: UtcTime) -> bool {
        now > self.overdue
    }

    /// The reason to try another provider, if the next price is overdue.
    pub(super) fn fallback_reason(self, now: UtcTime) -> Option<FallbackReason> {
        self.is_overdue(now).then_some(FallbackReason::Ended(self.last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn price_is_overdue_after_three_hours_or_two_steps() {
        let hour = |hour: u64| UtcTime::from_secs(1_795_000_000).plus(Duration::from_hours(hour));
        let point = |time, price| Point { time, price, volume: None, market_cap: None };
        for (points, overdue) in [
            (vec![], None),
            (vec![point(hour(0), None)], None),
            (vec![point(hour(9), Some(1.0))], Some((9, 12))),
            (vec![point(hour(0), Some(1.0)), point(hour(1), Some(1.0)), point(hour(5), None)], Some((1, 4))),
            (vec![point(hour(0), Some(1.0)), point(hour(7), Some(1.0))], Some((7, 21))),
        ] {
            let end = PricesEnd::of(&points);
            assert_eq!(end.map(|end| end.last), overdue.map(|(last, _)| hour(last)), "{points:?}");
            if let (Some(end), Some((_, overdue))) = (end, overdue) {
                let late = hour(overdue).plus(Duration::from_millis(1));
                assert_eq!((end.is_overdue(hour(overdue)), end.is_overdue(late)), (false, true), "{points:?}");
            }
        }
    }
}
