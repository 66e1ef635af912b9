//! When a watch ends, and the progress of its final check.

use std::future::pending;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::client::Request;
use crate::fetch::{Event, REFRESH_SPACING};

/// Minimum age of a response that is requested again.
pub(super) const MIN_AGE: Duration = REFRESH_SPACING;

/// Maximum duration of the check.
const MAX_DURATION: Duration = Duration::from_secs(10);

/// When a watch ends.
#[derive(Debug)]
pub(super) struct End {
    /// When its final check starts, or, once it has, when it is given up; `None` if it doesn't end by itself.
    at: Option<Instant>,
    /// The requests of the final check without an outcome; `None` before the check.
    unanswered: Option<Vec<Request>>,
}

impl End {
    /// The end at a time, if it has one.
    pub(super) fn at(at: Option<Instant>) -> End {
        End { at, unanswered: None }
    }

    /// The end once these requests of the final check have outcomes, or some time from now.
    pub(super) fn after(requests: Vec<Request>) -> End {
        End { at: Some(Instant::now() + MAX_DURATION), unanswered: Some(requests) }
    }

    /// Whether the final check has begun.
    pub(super) fn has_begun(&self) -> bool {
        self.unanswered.is_some()
    }

    /// Waits for the next step of the end.
    pub(super) fn wait(&self) -> impl Future<Output = ()> + use<> {
        let at = self.at;
        async move {
            match at {
                Some(at) => sleep_until(at).await,
                None => pending().await,
            }
        }
    }

    /// Whether the final check has begun and every request has an outcome.
    pub(super) fn is_over(&self) -> bool {
        self.unanswered.as_ref().is_some_and(Vec::is_empty)
    }

    /// Whether the final check waits for a request.
    pub(super) fn waits_for(&self, request: &Request) -> bool {
        self.unanswered.as_ref().is_some_and(|unanswered| unanswered.contains(request))
    }

    /// Notes the outcome of a request.
    pub(super) fn record(&mut self, event: &Event) {
        if let (Some(unanswered), Event::Arrived { request, .. } | Event::Failed { request, .. }) =
            (&mut self.unanswered, event)
        {
            unanswered.retain(|waiting| waiting != request);
        }
    }
}
