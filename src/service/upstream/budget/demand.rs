//! How much of the monthly limit the data on the screen needs, and what happens if that is too much.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use crate::service::operation::Key;

pub(super) const HOUR: Duration = Duration::from_hours(1);

/// Largest factor by which freshness is stretched.
pub(super) const MAX_STRETCH: f64 = 4.0;

/// Less than this part of the monthly limit is little.
const LOW_SHARE: u64 = 10;

/// The data that is on a screen.
#[derive(Debug, Default)]
pub(super) struct Demand(Mutex<HashMap<Key, Wanted>>);

/// Data that is or was on a screen.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    first: Instant,
    last: Instant,
    fresh_for: Duration,
    /// What a load costs, in units of the monthly limit.
    cost: u64,
}

impl Demand {
    /// Records that data is on a screen, how long it is fresh, and what its load has cost, if it was loaded.
    pub(super) fn note(&self, key: &Key, fresh_for: Duration, cost: Option<u64>) {
        let now = Instant::now();
        let mut all = self.0.lock();
        all.retain(|_, wanted| wanted.is_remembered(now));
        let wanted = all.entry(key.clone()).or_insert(Wanted { first: now, last: now, fresh_for, cost: 1 });
        (wanted.last, wanted.fresh_for, wanted.cost) = (now, fresh_for, cost.unwrap_or(wanted.cost));
    }

    /// What the data needs per hour, in units of the monthly limit.
    pub(super) fn per_hour(&self) -> f64 {
        let now = Instant::now();
        let all = self.0.lock();
        all.values().filter(|wanted| wanted.is_current(now)).map(Wanted::per_hour).sum()
    }
}

impl Wanted {
    /// Whether a screen may still show it: stale data on a screen is requested again. Its freshness may be stretched,
    /// but what was opened only briefly must not count for so long.
    fn is_current(&self, now: Instant) -> bool {
        let stays = self.last - self.first >= self.fresh_for;
        if stays { self.is_remembered(now) } else { now - self.last <= self.fresh_for * 2 }
    }

    /// Whether it counts as the same data if it is requested again.
    fn is_remembered(&self, now: Instant) -> bool {
        now - self.last <= self.fresh_for.mul_f64(MAX_STRETCH + 1.0)
    }

    #[expect(clippy::cast_precision_loss, reason = "a count of requests")]
    fn per_hour(&self) -> f64 {
        self.cost as f64 * HOUR.as_secs_f64() / self.fresh_for.as_secs_f64().max(1.0)
    }
}

/// How data is refreshed with the requests that are left of the month.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RefreshPolicy {
    /// Data stays fresh for this many times as long, 1 to 4.
    Stretched(f64),
    /// Data is not refreshed automatically. How much is left decides whether it is refreshed manually, and whether
    /// data that was not loaded yet is loaded.
    ManualOnly,
}

/// Why data is not refreshed automatically.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service) enum Shortage {
    /// The monthly limit is used up.
    UsedUp,
    /// Little of it is left.
    Low,
    /// The data on the screen needs more requests than are left for the rest of the month.
    Demand,
}

impl Shortage {
    /// The shortage if this much of a limit is left and is not enough.
    pub(super) fn of(left: u64, limit: u64) -> Shortage {
        match left {
            0 => Shortage::UsedUp,
            left if left < limit / LOW_SHARE => Shortage::Low,
            _ => Shortage::Demand,
        }
    }

    /// The reason for the user.
    pub(in crate::service) fn reason(self) -> &'static str {
        match self {
            Shortage::UsedUp => "Monthly limit reached",
            Shortage::Low => "Monthly limit almost reached",
            Shortage::Demand => "Demand exceeds the monthly limit",
        }
    }
}
