//! The check at the end of a timed watch, whose alerts may not have been checked since its start.

use super::Watch;
use super::end::{End, MIN_AGE};
use crate::client::Request;
use crate::model::UtcTime;

impl Watch<'_> {
    /// Starts the final check: what was received at least [`MIN_AGE`] ago is requested again. Returns whether the watch
    /// is over: nothing is that old, or the check has begun before and takes too long.
    pub(super) fn reach_end(&mut self) -> bool {
        if self.end.has_begun() {
            return true;
        }
        let now = UtcTime::now();
        let is_due = |request: &Request| {
            let response = self.responses.get(request).filter(|_| !self.failures.contains_key(request));
            response.is_some_and(|(_, receipt, _)| now.since(receipt.fetched_at) >= MIN_AGE)
        };
        let demand = self.handle.demand.borrow();
        let requests = demand.background.iter().map(|need| &need.request).filter(|request| is_due(request));
        let unanswered = requests.cloned().collect();
        drop(demand);
        self.end = End::after(unanswered);
        self.send_demand();
        self.end.is_over()
    }
}
