//! The pace of requests while the program starts, when many screens and lookups need data at once.

use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use tokio::time::{Instant, sleep_until};

use super::queue::Queue;
use super::turns::Turn;

/// Length of the startup phase, in which requests to all providers share one gap.
const STARTUP: Duration = Duration::from_mins(1);

/// Spreads requests of the startup phase: the first at once, then one per gap.
#[derive(Debug, Default)]
pub(super) struct StartPace {
    gap: Duration,
    queue: Queue,
    /// The end of the phase, and the time of the next request.
    state: Mutex<Option<(Instant, Instant)>>,
}

impl StartPace {
    /// Spreads requests with this gap.
    pub(super) fn new(gap: Duration) -> StartPace {
        StartPace { gap, ..StartPace::default() }
    }

    /// Waits until a request may be sent; `None` after the startup phase.
    pub(super) async fn turn(&self) -> Option<StartupPermit<'_>> {
        let now = Instant::now();
        let (end, _) = *self.state().get_or_insert((now + STARTUP, now));
        if now >= end {
            return None;
        }
        let (turn, ()) = self.queue.acquire(|| self.gap_is_over()).await;
        Some(StartupPermit { pace: self, _turn: turn })
    }

    async fn gap_is_over(&self) {
        let next = self.state().map(|(_, next)| next);
        if let Some(next) = next {
            sleep_until(next).await;
        }
    }

    fn state(&self) -> MutexGuard<'_, Option<(Instant, Instant)>> {
        self.state.lock()
    }
}

/// A permit for a request in the startup phase. No other request is sent while it is held. Dropping it leaves no gap.
pub(super) struct StartupPermit<'a> {
    pace: &'a StartPace,
    _turn: Turn,
}

impl StartupPermit<'_> {
    /// Ends with the request, after which the gap begins.
    pub(super) fn end(self) {
        if let Some((_, next)) = &mut *self.pace.state() {
            *next = Instant::now() + self.pace.gap;
        }
    }
}
