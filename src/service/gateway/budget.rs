//! How fast a provider is asked: one request at a time, a minimum gap with jitter, an allowance a minute.
//!
//! The counts are of requests sent in the last minute, by tokio's clock, so that tests can pause it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until};

use super::settings::Resolved;

const MINUTE: Duration = Duration::from_mins(1);

/// How much a gap is varied, so that many programs do not ask in step.
const JITTER: f64 = 0.2;

/// After the first request of all, this long at most one request a [`START_GAP`] is sent, to all providers together.
const START: Duration = Duration::from_mins(1);
const START_GAP: Duration = Duration::from_secs(1);

/// Paces the requests to one provider.
#[derive(Debug)]
pub struct Gate {
    per_minute: Option<u32>,
    min_gap: Duration,
    start: Arc<StartPace>,
    turn: Arc<Semaphore>,
    sent: Mutex<Sent>,
}

#[derive(Debug, Default)]
struct Sent {
    /// The next request is sent then at the earliest.
    next: Option<Instant>,
    /// Of the last minute.
    recent: VecDeque<Instant>,
    /// Since the start.
    count: u64,
}

/// The right to send one request. The next one waits until this is dropped.
#[derive(Debug)]
pub struct Turn {
    _permit: Option<OwnedSemaphorePermit>,
}

impl Gate {
    /// The gate of a provider. All gates of a program share their [`StartPace`].
    pub fn new(settings: &Resolved, start: Arc<StartPace>) -> Gate {
        Gate {
            per_minute: settings.per_minute,
            min_gap: settings.min_gap,
            start,
            turn: Arc::new(Semaphore::new(1)),
            sent: Mutex::default(),
        }
    }

    /// Waits until a request may be sent, and counts it.
    pub async fn turn(&self) -> Turn {
        // It is never closed.
        let permit = Arc::clone(&self.turn).acquire_owned().await.ok();
        loop {
            let now = Instant::now();
            let Some(at) = self.next(now).filter(|at| *at > now) else { break };
            sleep_until(at).await;
        }
        let slot = self.start.slot(Instant::now());
        sleep_until(slot).await;
        self.count(Instant::now());
        Turn { _permit: permit }
    }

    /// When the next request may be sent.
    fn next(&self, now: Instant) -> Option<Instant> {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        while sent.recent.front().is_some_and(|first| *first + MINUTE <= now) {
            sent.recent.pop_front();
        }
        let allowance = self.per_minute.and_then(|limit| {
            let over = sent.recent.len().checked_sub(limit as usize)?;
            sent.recent.get(over).map(|first| *first + MINUTE)
        });
        sent.next.max(allowance)
    }

    fn count(&self, now: Instant) {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let factor = 1.0 - JITTER + 2.0 * JITTER * fastrand::f64();
        sent.next = Some(now + self.min_gap.mul_f64(factor));
        sent.recent.push_back(now);
        sent.count += 1;
    }

    /// Requests sent since the start.
    pub fn count_sent(&self) -> u64 {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).count
    }
}

/// Spreads the requests of the start over time: the first at once, then one a second.
#[derive(Debug, Default)]
pub struct StartPace {
    state: Mutex<Option<(Instant, Instant)>>,
}

impl StartPace {
    /// When the next request may be sent; it takes that place.
    fn slot(&self, now: Instant) -> Instant {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (end, next) = state.get_or_insert((now + START, now));
        if now >= *end {
            return now;
        }
        let slot = (*next).max(now);
        *next = slot + START_GAP;
        slot
    }
}
