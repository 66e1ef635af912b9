//! The progress of a manual refresh, and when the next one is allowed.

use std::mem;

use crate::client::Request;
use crate::fetch::REFRESH_SPACING;
use crate::model::UtcTime;

/// The last manual refresh.
#[derive(Debug, Default)]
pub struct ManualRefresh {
    /// Its requests that wait for a response; empty after its end.
    waiting: Vec<Request>,
    /// When the next one is allowed; `None` before the first.
    next: Option<UtcTime>,
}

impl ManualRefresh {
    /// Starts a refresh with these requests.
    pub(in crate::app) fn start(&mut self, requests: &[Request], now: UtcTime) {
        self.waiting = requests.to_vec();
        self.next = Some(now.plus(REFRESH_SPACING));
    }

    /// Records a response. Returns whether it was the last one that the refresh waited for.
    pub(in crate::app) fn arrived(&mut self, request: &Request) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|other| other != request);
        before > 0 && self.waiting.is_empty()
    }

    /// Ends the refresh if it waits for this request, which has failed. Returns whether it did.
    pub(in crate::app) fn interrupt(&mut self, request: &Request) -> bool {
        let is_waiting = self.waiting.contains(request);
        if is_waiting {
            self.waiting.clear();
        }
        is_waiting
    }

    /// Ends the refresh, which was not sent completely; the next one is allowed at this time.
    pub(in crate::app) fn postpone(&mut self, until: UtcTime) {
        self.waiting.clear();
        self.next = Some(until);
    }

    /// Whether another refresh is not allowed yet.
    pub fn is_too_early(&self, now: UtcTime) -> bool {
        self.next.is_some_and(|next| next > now)
    }

    /// Limits the wait for the next refresh after the clock was set back to `now`.
    pub(in crate::app) fn set_back(&mut self, now: UtcTime) {
        self.next = self.next.map(|next| next.min(now.plus(REFRESH_SPACING)));
    }

    /// Takes the requests that wait, so that responses to earlier requests don't count.
    pub(in crate::app) fn take_waiting(&mut self) -> Vec<Request> {
        mem::take(&mut self.waiting)
    }

    /// Puts back the requests of [`ManualRefresh::take_waiting`].
    pub(in crate::app) fn put_back(&mut self, waiting: Vec<Request>) {
        self.waiting = waiting;
    }
}
