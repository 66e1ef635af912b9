//! The budget of background requests.

use std::collections::VecDeque;
use std::time::Duration;

use crate::model::UtcTime;

use super::requests::{NEVER, Wait};

const MINUTE: Duration = Duration::from_secs(60);

/// Allows a number of requests in any minute.
#[derive(Debug)]
pub(super) struct Budget {
    per_minute: usize,
    /// When the last ones were sent, oldest first.
    sent: VecDeque<UtcTime>,
}

impl Budget {
    /// A budget of this many requests a minute; 0 allows none.
    pub(super) fn new(per_minute: u32) -> Budget {
        Budget { per_minute: per_minute as usize, sent: VecDeque::new() }
    }

    /// When the next request may be sent; `None` for now. A request of low priority leaves half of the budget, rounded
    /// down, to others.
    pub(super) fn next_allowed(&mut self, is_low_priority: bool, now: UtcTime) -> Option<UtcTime> {
        self.sent.retain(|&at| !Wait::new(at, MINUTE).is_over(now));
        let limit = if is_low_priority { self.per_minute.div_ceil(2) } else { self.per_minute };
        let surplus = self.sent.len().checked_sub(limit)?;
        Some(self.sent.get(surplus).map_or(NEVER, |at| at.plus(MINUTE)))
    }

    /// Records that a request is sent.
    pub(super) fn charge(&mut self, now: UtcTime) {
        self.sent.push_back(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(secs: u64) -> UtcTime {
        UtcTime::from_secs(1_795_000_000).plus(Duration::from_secs(secs))
    }

    #[test]
    fn budget_limits_requests_in_any_minute() {
        let mut budget = Budget::new(2);
        for (now, waits) in
            [(0, None), (50, None), (55, Some(60)), (60, None), (61, Some(110)), (110, None), (111, Some(120))]
        {
            assert_eq!(budget.next_allowed(false, at(now)), waits.map(at), "{now}");
            if waits.is_none() {
                budget.charge(at(now));
            }
        }
    }

    #[test]
    fn low_priority_leaves_half_of_the_budget() {
        let mut budget = Budget::new(3);
        for (now, low, normal) in [(0, None, None), (10, None, None), (20, Some(60), None), (30, Some(70), Some(60))] {
            assert_eq!(budget.next_allowed(true, at(now)), low.map(at), "{now}");
            assert_eq!(budget.next_allowed(false, at(now)), normal.map(at), "{now}");
            budget.charge(at(now));
        }
        assert_eq!(Budget::new(1).next_allowed(true, at(0)), None);
        assert_eq!(Budget::new(0).next_allowed(true, at(0)), Some(NEVER));
    }

    #[test]
    fn budget_of_zero_allows_none() {
        assert_eq!(Budget::new(0).next_allowed(false, at(0)), Some(NEVER));
    }

    #[test]
    fn clock_set_back_frees_the_budget() {
        let mut budget = Budget::new(1);
        budget.charge(at(1_000));
        assert_eq!(budget.next_allowed(false, at(990)), Some(at(1_060)));
        assert_eq!(budget.next_allowed(false, at(0)), None);
    }
}
