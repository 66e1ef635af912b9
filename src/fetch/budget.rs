//! The budget of background requests.

use std::collections::VecDeque;
use std::time::Duration;

use crate::model::UtcTime;

use super::requests::{NEVER, Span};

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

    /// When the next request may be sent; `None` for now.
    pub(super) fn next_allowed(&mut self, now: UtcTime) -> Option<UtcTime> {
        self.sent.retain(|&at| !Span::new(at, MINUTE).is_over(now));
        if self.sent.len() < self.per_minute {
            return None;
        }
        Some(self.sent.front().filter(|_| self.per_minute > 0).map_or(NEVER, |first| first.plus(MINUTE)))
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
            assert_eq!(budget.next_allowed(at(now)), waits.map(at), "{now}");
            if waits.is_none() {
                budget.charge(at(now));
            }
        }
    }

    #[test]
    fn budget_of_zero_allows_none() {
        assert_eq!(Budget::new(0).next_allowed(at(0)), Some(NEVER));
    }

    #[test]
    fn clock_set_back_frees_the_budget() {
        let mut budget = Budget::new(1);
        budget.charge(at(1_000));
        assert_eq!(budget.next_allowed(at(990)), Some(at(1_060)));
        assert_eq!(budget.next_allowed(at(0)), None);
    }
}
