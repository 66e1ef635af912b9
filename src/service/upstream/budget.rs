//! Rate limits of a provider: one request at a time (two while one is slow), a minimum gap with jitter, a limit per
//! minute and one per month. Awaited requests go before background work.
//!
//! Requests of the last minute are counted by tokio's clock, so that tests can pause it, and, like the requests of the
//! month, by the [`UsageTracker`], for other instances. When few requests of the month are left, data counts as fresh
//! for up to four times as long; after that it is loaded, but refreshed only manually.

mod demand;
mod month;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::{Instant, sleep, sleep_until};

use self::demand::Demand;
use super::error::{ErrorClass, SourceError, SourceResult};
use super::queue::Queue;
use super::reported_usage::ReportedUsage;
use super::settings::{Account, ResolvedSettings};
use super::start_pace::{StartPace, StartupPermit};
use super::turns::Turn;
use super::usage::{UsageTracker, WantedSlot};
use crate::model::{ProviderName, UtcTime};
use crate::service::shared::SharedState;
use crate::service::time_source::{Moment, TimeSource, Timestamp};

pub use self::demand::RefreshPolicy;
pub(in crate::service) use self::demand::Shortage;

const MINUTE: Duration = Duration::from_mins(1);

/// Relative jitter of the gap, so that many instances don't send in step.
const JITTER: f64 = 0.2;

/// Maximum wait for the requests of other instances. A request that would wait longer is not sent.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// Why a request is not sent if a response has said so, or other instances have reserved the next slots.
const BUSY: &str = "Request limit reached";

/// State that all budgets of the process share.
#[derive(Clone, Debug)]
pub struct Shared {
    start: Arc<StartPace>,
    usage: UsageTracker,
    time: TimeSource,
}

impl Shared {
    /// Shared state with this usage tracker, clock, and gap between requests during startup.
    pub fn new(usage: UsageTracker, time: TimeSource, start_gap: Duration) -> Shared {
        Shared { start: Arc::new(StartPace::new(start_gap)), usage, time }
    }
}

/// Paces the requests to one provider.
#[derive(Debug)]
pub struct RequestBudget {
    name: ProviderName,
    /// See [`ResolvedSettings::server_id`].
    server: u32,
    account: Account,
    per_minute: Option<u32>,
    per_month: Option<u64>,
    min_gap: Duration,
    waits_at_start: bool,
    shared: Shared,
    queue: Queue,
    sent: Mutex<Sent>,
    demand: Demand,
    paused: Mutex<Option<Pause>>,
    /// The end of the wait that a response demanded.
    held: Mutex<Option<Moment>>,
    /// The cost of requests beyond their expected cost; counted with the next one.
    owed: AtomicU64,
}

/// A time during which queued requests fail.
#[derive(Clone, Debug)]
struct Pause {
    /// The end; `None`: until [`RequestBudget::resume`].
    until: Option<Moment>,
    reason: String,
}

#[derive(Debug, Default)]
struct Sent {
    /// Earliest time of the next request.
    next: Option<Instant>,
    /// Requests of the last minute.
    recent: VecDeque<Instant>,
    /// All requests.
    total: u64,
}

/// The right to send one request. The next one waits until this is dropped.
#[derive(Debug)]
pub struct Permit {
    _turn: Turn,
}

impl RequestBudget {
    /// The budget of a provider.
    pub fn new(settings: &ResolvedSettings, shared: Shared) -> RequestBudget {
        RequestBudget {
            name: settings.name,
            server: settings.server_id(),
            account: settings.account(),
            per_minute: settings.per_minute,
            per_month: settings.per_month,
            min_gap: settings.min_gap,
            waits_at_start: settings.waits_at_start,
            shared,
            queue: Queue::default(),
            sent: Mutex::default(),
            demand: Demand::default(),
            paused: Mutex::default(),
            held: Mutex::default(),
            owed: AtomicU64::new(0),
        }
    }

    /// A budget with other settings and the same shared state.
    pub fn sibling(&self, settings: &ResolvedSettings) -> RequestBudget {
        RequestBudget::new(settings, self.shared.clone())
    }

    /// Waits until a request may be sent, and counts its cost against the monthly limit.
    ///
    /// # Errors
    /// The monthly limit is reached, or the provider was paused while the request was queued, here or by another
    /// instance.
    pub async fn acquire(&self, cost: u64) -> SourceResult<Permit> {
        self.acquire_within(self.per_month, cost).await
    }

    /// Acquires a permit like [`RequestBudget::acquire`] for a test by the user, which may exceed the monthly limit.
    /// The count of the month stays even if the test succeeds: it may be right, and the limit may be the user's own.
    ///
    /// # Errors
    /// The provider was paused while the request was queued, here or by another instance.
    pub(super) async fn acquire_for_test(&self, cost: u64) -> SourceResult<Permit> {
        self.acquire_within(None, cost).await
    }

    /// Waits until a request may be sent; `limit`: of the month.
    async fn acquire_within(&self, limit: Option<u64>, cost: u64) -> SourceResult<Permit> {
        let (turn, ready) = self.queue.acquire(|| self.prepare(limit, cost)).await;
        ready.map(|()| Permit { _turn: turn })
    }

    /// Waits until the next request may be sent, and counts it. If this is dropped before, nothing is counted.
    async fn prepare(&self, limit: Option<u64>, cost: u64) -> SourceResult<()> {
        loop {
            let now = self.shared.time.moment();
            if let Some(reason) = self.paused(now) {
                return Err(SourceError::new(ErrorClass::NotSent, reason));
            }
            if let Some(wait) = self.held(now) {
                return Err(SourceError::new(ErrorClass::RateLimited(Some(wait)), BUSY));
            }
            let Some(at) = self.next(now.monotonic).filter(|at| *at > now.monotonic) else { break };
            sleep_until(at).await;
        }
        let mut turn = self.startup_permit().await;
        let now = self.shared.time.now();
        // Requests without a monthly limit don't count against a sibling's limit.
        let owed = self.owed.load(Ordering::Relaxed);
        let cost = if self.per_month.is_some() { cost.saturating_add(owed) } else { 0 };
        if let Some(limit) = limit
            && self.shared.usage.used(self.account, now).saturating_add(cost) > limit
        {
            return Err(used_up(limit));
        }
        let usage = &self.shared.usage;
        let (server, gap, per_minute) = (self.server, self.min_gap, self.per_minute);
        let slot = WantedSlot { server, gap, max_wait: MAX_WAIT, per_minute, cost };
        // Released if the request is cancelled before it is sent.
        let reservation = match usage.reserve_shared(self.account, now, slot).await {
            Some(reservation) => reservation,
            None => usage.reserve(self.account, now, slot).await,
        };
        let wait = reservation.wait;
        if !reservation.is_taken {
            let reason = reservation.reason.clone().unwrap_or_else(|| String::from(BUSY));
            return Err(SourceError::new(ErrorClass::Busy(wait), reason));
        }
        // Another instance may have used up the rest.
        if let Some(limit) = limit.filter(|limit| reservation.used > *limit) {
            return Err(used_up(limit));
        }
        if !wait.is_zero() {
            // Requests to other providers go first.
            drop(turn);
            sleep(wait).await;
            turn = self.startup_permit().await;
        }
        if let Some(turn) = turn {
            turn.end();
        }
        reservation.keep();
        // A response that arrives now may reset it.
        let rest = |known: u64| Some(known.saturating_sub(owed));
        let _ = self.owed.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest);
        self.count(Instant::now());
        Ok(())
    }

    /// The permit for a request in the startup phase.
    async fn startup_permit(&self) -> Option<StartupPermit<'_>> {
        if self.waits_at_start { self.shared.start.turn().await } else { None }
    }

    /// Makes requests fail until a time, including those that are queued; `None`: until [`RequestBudget::resume`].
    pub(in crate::service) fn pause(&self, until: Option<Moment>, error: &SourceError) {
        *self.paused.lock() = Some(Pause { until, reason: error.reason.clone() });
    }

    /// Ends a pause.
    pub(in crate::service) fn resume(&self) {
        *self.paused.lock() = None;
    }

    /// The reason why requests fail now, if any.
    fn paused(&self, now: Moment) -> Option<String> {
        let paused = self.paused.lock();
        let lasts = |pause: &&Pause| pause.until.is_none_or(|until| !now.until(until).is_zero());
        paused.as_ref().filter(lasts).map(|pause| pause.reason.clone())
    }

    /// The state shared through Redis.
    pub(in crate::service) fn shared_state(&self) -> Option<&SharedState> {
        self.shared.usage.shared()
    }

    /// The current time.
    pub fn now(&self) -> UtcTime {
        self.shared.time.now()
    }

    /// Stamps something with the current time.
    pub fn stamp(&self) -> Timestamp {
        self.shared.time.stamp(Duration::ZERO)
    }

    /// How long a request would wait now: for the requests before it, and for the gap after each.
    pub fn wait(&self) -> Duration {
        let now = Instant::now();
        let queued = u32::try_from(self.queue.length()).unwrap_or(u32::MAX);
        let next = self.next(now).map_or(Duration::ZERO, |at| at.saturating_duration_since(now));
        next.saturating_add(self.min_gap.saturating_mul(queued))
    }

    /// When the next request may be sent.
    fn next(&self, now: Instant) -> Option<Instant> {
        let mut sent = self.sent.lock();
        while sent.recent.front().is_some_and(|first| *first + MINUTE <= now) {
            sent.recent.pop_front();
        }
        let divisor = self.shared.usage.divisor();
        let slot = self.per_minute.and_then(|limit| {
            let limit = (limit / divisor).max(1);
            let over = sent.recent.len().checked_sub(limit as usize)?;
            sent.recent.get(over).map(|first| *first + MINUTE)
        });
        sent.next.max(slot)
    }

    fn count(&self, now: Instant) {
        let mut sent = self.sent.lock();
        let factor = 1.0 - JITTER + 2.0 * JITTER * fastrand::f64();
        sent.next = Some(now + self.min_gap.mul_f64(factor));
        sent.recent.push_back(now);
        sent.total += 1;
    }

    /// Requests sent so far.
    pub(in crate::service) fn requests(&self) -> u64 {
        self.sent.lock().total
    }

    /// Requests sent in the last minute, including other instances' requests; `None` if these are not known.
    pub(in crate::service) async fn count_last_minute(&self) -> Option<u64> {
        let now = Instant::now();
        let own = {
            let sent = self.sent.lock();
            sent.recent.iter().filter(|at| **at + MINUTE > now).count() as u64
        };
        match self.per_minute {
            Some(_) => self.shared.usage.last_minute(self.name, self.shared.time.now()).await.map(|all| own.max(all)),
            None => Some(own),
        }
    }

    /// Applies the usage reported in the response to a request of this cost. A wait applies to all instances.
    pub(super) async fn correct(&self, cost: u64, reported: ReportedUsage) {
        if let Some(wait) = reported.wait {
            *self.held.lock() = Some(self.shared.time.moment().plus(wait));
            self.shared.usage.pause(self.name, self.server, self.shared.time.now(), wait).await;
        }
        if self.per_month.is_none() {
            return;
        }
        let real = reported.cost.unwrap_or(cost);
        self.owed.fetch_add(real.saturating_sub(cost), Ordering::Relaxed);
        if real < cost {
            self.shared.usage.refund(self.account, self.shared.time.now(), cost - real).await;
        }
        if let Some(used) = reported.used {
            self.owed.store(0, Ordering::Relaxed);
            self.shared.usage.set_used(self.account, self.shared.time.now(), used).await;
        }
    }

    /// How long no request is sent because a response reported that no request is left.
    fn held(&self, now: Moment) -> Option<Duration> {
        let held = *self.held.lock();
        held.map(|until| now.until(until)).filter(|wait| !wait.is_zero())
    }

    /// Pauses the provider for all instances that share budgets through Redis. Those on this machine find the pause in
    /// the store.
    pub(in crate::service) async fn pause_in_redis(&self, pause: Duration) {
        self.shared.usage.pause_in_redis(self.name, self.server, self.shared.time.now(), pause).await;
    }
}

fn used_up(limit: u64) -> SourceError {
    SourceError::new(ErrorClass::MonthlyQuota, format!("Monthly limit of {limit} requests reached"))
}
