//! Whether a server is slow now, so that nothing optional waits for it.

use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use tokio::time::Instant;

/// A request without a response for this long is overdue: responses take less than a second.
const OVERDUE: Duration = Duration::from_secs(3);

/// How long a server counts as slow after an overdue request that got no response.
const SLOW_FOR: Duration = Duration::from_secs(60);

/// How slow the last requests to a server were.
#[derive(Debug, Default)]
pub(super) struct Slowness(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// When the requests without a response were sent.
    sent: Vec<Instant>,
    /// When an overdue request last ended without a response.
    slow_at: Option<Instant>,
    /// Whether the last request took too long while another provider could answer.
    was_abandoned: bool,
}

/// A request that was sent. It also ends if nobody waits for it.
#[derive(Debug)]
pub(super) struct Sent<'a> {
    slowness: &'a Slowness,
    at: Instant,
    is_answered: bool,
}

impl Slowness {
    /// Records that a request is sent.
    pub(super) fn sent(&self) -> Sent<'_> {
        let at = Instant::now();
        self.state().sent.push(at);
        Sent { slowness: self, at, is_answered: false }
    }

    /// Records that a request took too long while another provider could answer. Returns whether the last one had, too.
    pub(super) fn abandoned(&self) -> bool {
        std::mem::replace(&mut self.state().was_abandoned, true)
    }

    /// Whether a request is overdue, or one was recently and got no response.
    pub(super) fn is_slow(&self) -> bool {
        let state = self.state();
        state.sent.iter().any(|sent| sent.elapsed() >= OVERDUE)
            || state.slow_at.is_some_and(|at| at.elapsed() < SLOW_FOR)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock()
    }
}

impl Sent<'_> {
    /// Records the response.
    pub(super) fn answered(mut self) {
        self.is_answered = true;
    }
}

impl Drop for Sent<'_> {
    fn drop(&mut self) {
        let mut state = self.slowness.state();
        if let Some(own) = state.sent.iter().position(|sent| *sent == self.at) {
            state.sent.swap_remove(own);
        }
        if self.is_answered {
            (state.slow_at, state.was_abandoned) = (None, false);
        } else if self.at.elapsed() >= OVERDUE {
            state.slow_at = Some(Instant::now());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::advance;

    #[tokio::test(start_paused = true)]
    async fn fast_response_does_not_hide_another_slow_request() {
        let slowness = Slowness::default();
        let slow = slowness.sent();
        advance(OVERDUE).await;
        let fast = slowness.sent();
        assert!(slowness.is_slow());
        fast.answered();
        assert!(slowness.is_slow(), "the other one still has no response");
        drop(slowness.sent());
        drop(slow);
        assert!(slowness.is_slow(), "it got none");
        slowness.sent().answered();
        assert!(!slowness.is_slow());
    }
}
