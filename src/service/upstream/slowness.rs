//! Whether a server is slow now, so that nothing optional waits for it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

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
    /// When the current request was sent.
    sent: Option<Instant>,
    /// When an overdue request last ended without a response.
    slow_at: Option<Instant>,
    /// Whether the last request took too long while another provider could answer.
    was_abandoned: bool,
}

/// A request that was sent. It also ends if nobody waits for it.
#[derive(Debug)]
pub(super) struct Sent<'a>(&'a Slowness);

impl Slowness {
    /// Records that a request is sent.
    pub(super) fn sent(&self) -> Sent<'_> {
        self.state().sent = Some(Instant::now());
        Sent(self)
    }

    /// Records that a request took too long while another provider could answer. Returns whether the last one had, too.
    pub(super) fn abandoned(&self) -> bool {
        std::mem::replace(&mut self.state().was_abandoned, true)
    }

    /// Whether a request is overdue, or one was recently and got no response.
    pub(super) fn is_slow(&self) -> bool {
        let state = self.state();
        state.sent.is_some_and(|sent| sent.elapsed() >= OVERDUE)
            || state.slow_at.is_some_and(|at| at.elapsed() < SLOW_FOR)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sent<'_> {
    /// Records the response.
    pub(super) fn answered(self) {
        *self.0.state() = State::default();
    }
}

impl Drop for Sent<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        if state.sent.take().is_some_and(|sent| sent.elapsed() >= OVERDUE) {
            state.slow_at = Some(Instant::now());
        }
    }
}
