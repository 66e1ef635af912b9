//! How fast and how often a provider is asked: one request at a time, a minimum gap with jitter, an allowance a minute,
//! and one a month.
//!
//! The last minute's requests are counted exactly, by tokio's clock, so that tests can pause it. The month's are counted
//! in the [`Ledger`]. Where they run low, data count as fresh for longer, up to four times; after that only what the user
//! asks for by hand is sent.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep, sleep_until};

use super::cache::Key;
use super::circuit::until_next_month;
use super::error::{ErrorClass, SourceError, SourceResult};
use super::ledger::{Ledger, Place};
use super::settings::Resolved;
use crate::model::{ProviderName, UtcTime};
use crate::service::options::TimeSource;

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

/// How much a gap is varied, so that many programs do not ask in step.
const JITTER: f64 = 0.2;

/// How long the start is, in which requests to all providers together have a gap.
const START: Duration = Duration::from_mins(1);

/// A request that would have to wait longer for other instances' requests is not sent.
const PATIENCE: Duration = Duration::from_secs(30);

/// Data count as fresh for at most so many times as long as they are.
const MOST_STRETCH: f64 = 4.0;

/// What all gates of a program share.
#[derive(Clone, Debug)]
pub struct Shared {
    start: Arc<StartPace>,
    ledger: Ledger,
    time: TimeSource,
}

impl Shared {
    /// With counts in this ledger, by this clock, and with this gap between requests at the start.
    pub fn new(ledger: Ledger, time: TimeSource, start_gap: Duration) -> Shared {
        Shared { start: Arc::new(StartPace { gap: start_gap, state: Mutex::default() }), ledger, time }
    }
}

/// Paces the requests to one provider.
#[derive(Debug)]
pub struct Gate {
    name: ProviderName,
    per_minute: Option<u32>,
    per_month: Option<u64>,
    min_gap: Duration,
    shared: Shared,
    turn: Arc<Semaphore>,
    sent: Mutex<Sent>,
    wanted: Mutex<HashMap<Key, Wanted>>,
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

/// Data that somebody looks at.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    last: Instant,
    fresh_for: Duration,
}

/// The right to send one request. The next one waits until this is dropped.
#[derive(Debug)]
pub struct Turn {
    _permit: Option<OwnedSemaphorePermit>,
}

/// What the month's allowance means for data that are kept fresh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Allowance {
    /// They are fresh for so many times as long, 1 to 4.
    Stretched(f64),
    /// They are fetched only when the user asks for it.
    ManualOnly,
}

impl Gate {
    /// The gate of a provider.
    pub fn new(settings: &Resolved, shared: Shared) -> Gate {
        Gate {
            name: settings.name,
            per_minute: settings.per_minute,
            per_month: settings.per_month,
            min_gap: settings.min_gap,
            shared,
            turn: Arc::new(Semaphore::new(1)),
            sent: Mutex::default(),
            wanted: Mutex::default(),
        }
    }

    /// The gate of another way to the same or another provider, in the same program.
    pub fn another(&self, settings: &Resolved) -> Gate {
        Gate::new(settings, self.shared.clone())
    }

    /// Waits until a request may be sent, and counts it with its cost of the month's allowance.
    ///
    /// # Errors
    /// The month's allowance is spent, or other instances are told to wait for long.
    pub async fn turn(&self, cost: u64) -> SourceResult<Turn> {
        // It is never closed.
        let permit = Arc::clone(&self.turn).acquire_owned().await.ok();
        loop {
            let now = Instant::now();
            let Some(at) = self.next(now).filter(|at| *at > now) else { break };
            sleep_until(at).await;
        }
        sleep_until(self.shared.start.slot(Instant::now())).await;
        let now = self.shared.time.now();
        // What has no allowance a month does not use up one that another way has.
        let cost = if self.per_month.is_some() { cost } else { 0 };
        if let Some(limit) = self.per_month
            && self.shared.ledger.used(self.name, now).saturating_add(cost) > limit
        {
            return Err(spent(limit));
        }
        let Place { wait, used, is_taken } =
            self.shared.ledger.reserve(self.name, now, self.min_gap, PATIENCE, cost).await;
        if !is_taken {
            return Err(SourceError::new(ErrorClass::Wait(Some(wait)), "Rate-limited (429)"));
        }
        // Another instance may have spent the rest.
        if let Some(limit) = self.per_month.filter(|limit| used > *limit) {
            return Err(spent(limit));
        }
        sleep(wait).await;
        self.count(Instant::now());
        Ok(Turn { _permit: permit })
    }

    /// The time.
    pub fn now(&self) -> UtcTime {
        self.shared.time.now()
    }

    /// How long a request would wait now for its turn, those before it not counted.
    pub fn wait(&self) -> Duration {
        let now = Instant::now();
        self.next(now).map_or(Duration::ZERO, |at| at.saturating_duration_since(now))
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

    /// What the month's requests cost so far, and the limit.
    pub fn month(&self) -> (u64, Option<u64>) {
        (self.shared.ledger.used(self.name, self.shared.time.now()), self.per_month)
    }

    /// Notes that somebody looks at data of this provider, which are fresh for so long.
    pub(super) fn wants(&self, key: &Key, fresh_for: Duration) {
        if self.per_month.is_none() {
            return;
        }
        let now = Instant::now();
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        wanted.insert(key.clone(), Wanted { last: now, fresh_for });
        // Somebody who still looks at them asks again when they are no longer fresh.
        wanted.retain(|_, Wanted { last, fresh_for }| now - *last <= fresh_for.mul_f64(MOST_STRETCH + 1.0).max(HOUR));
    }

    /// What the month's allowance leaves for the data that are looked at: the requests that they need an hour against
    /// those that are left an hour until the month ends.
    pub fn allowance(&self) -> Allowance {
        let Some(limit) = self.per_month else { return Allowance::Stretched(1.0) };
        let now = self.shared.time.now();
        let left = limit.saturating_sub(self.shared.ledger.used(self.name, now));
        let hours = until_next_month(now).as_secs_f64() / HOUR.as_secs_f64();
        let needed: f64 = {
            let wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
            wanted.values().map(|wanted| HOUR.as_secs_f64() / wanted.fresh_for.as_secs_f64().max(1.0)).sum()
        };
        #[expect(clippy::cast_precision_loss, reason = "a count of requests")]
        let stretch = needed * hours / (left as f64);
        match stretch {
            _ if left == 0 => Allowance::ManualOnly,
            stretch if stretch <= MOST_STRETCH => Allowance::Stretched(stretch.max(1.0)),
            _ => Allowance::ManualOnly,
        }
    }

    /// Corrects the month's count by what the provider says is left.
    pub async fn set_remaining(&self, remaining: u64, limit: Option<u64>) {
        if let Some(limit) = limit.or(self.per_month) {
            self.shared.ledger.set_used(self.name, self.shared.time.now(), limit.saturating_sub(remaining)).await;
        }
    }

    /// Keeps all instances on this machine from asking the provider for so long.
    pub(super) async fn hold(&self, pause: Duration) {
        self.shared.ledger.hold(self.name, self.shared.time.now().plus(pause)).await;
    }

    /// The provider says that the month's allowance is spent.
    pub(super) async fn set_spent(&self) {
        self.set_remaining(0, None).await;
    }
}

fn spent(limit: u64) -> SourceError {
    SourceError::new(ErrorClass::UntilNextMonth, format!("Allowance of {limit} requests this month is used up"))
}

/// Spreads the requests of the start over time: the first at once, then one a gap.
#[derive(Debug)]
pub struct StartPace {
    gap: Duration,
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
        *next = slot + self.gap;
        slot
    }
}
