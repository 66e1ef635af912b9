//! The clocks of the service.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::model::UtcTime;

/// A source of the current time that can be shared between threads: the system clock, or a function in tests.
#[derive(Clone)]
pub struct TimeSource(Arc<dyn Fn() -> UtcTime + Send + Sync>);

impl TimeSource {
    /// The system clock.
    pub fn system() -> TimeSource {
        TimeSource::from_fn(UtcTime::now)
    }

    /// A clock that always returns `time`.
    pub fn fixed(time: UtcTime) -> TimeSource {
        TimeSource::from_fn(move || time)
    }

    /// A clock that calls `now`.
    pub fn from_fn(now: impl Fn() -> UtcTime + Send + Sync + 'static) -> TimeSource {
        TimeSource(Arc::new(now))
    }

    /// Returns the current time.
    pub fn now(&self) -> UtcTime {
        (self.0)()
    }

    /// Returns the current time by both clocks.
    pub fn moment(&self) -> Moment {
        Moment { wall: self.now(), monotonic: Instant::now() }
    }

    /// Stamps something that is this old now.
    pub fn stamp(&self, age: Duration) -> Timestamp {
        Timestamp { at: self.moment().minus(age), time: self.clone() }
    }
}

impl fmt::Debug for TimeSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TimeSource({})", self.now())
    }
}

/// A time by two clocks: the wall clock, which can be set, and the monotonic clock, which stops while the machine is
/// suspended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// By the wall clock.
    pub wall: UtcTime,
    /// By the monotonic clock.
    pub monotonic: Instant,
}

impl Moment {
    /// The time since `earlier`, by the clock that counts more: the wall clock after the machine was suspended, the
    /// monotonic one after the wall clock was set back. Zero if `earlier` is later.
    pub fn since(self, earlier: Moment) -> Duration {
        self.monotonic.saturating_duration_since(earlier.monotonic).max(self.wall.since(earlier.wall))
    }

    /// The time until `later`, by the clock that reaches it first. Zero if one of them has.
    pub fn until(self, later: Moment) -> Duration {
        later.monotonic.saturating_duration_since(self.monotonic).min(later.wall.since(self.wall))
    }

    /// This time plus `by`.
    #[must_use]
    pub fn plus(self, by: Duration) -> Moment {
        Moment { wall: self.wall.plus(by), monotonic: self.monotonic + by }
    }

    /// This time minus `by`. The monotonic clock may not reach back that far, and then isn't changed.
    #[must_use]
    pub fn minus(self, by: Duration) -> Moment {
        Moment { wall: self.wall.minus(by), monotonic: self.monotonic.checked_sub(by).unwrap_or(self.monotonic) }
    }
}

/// When something was fetched or stored, with the clock that measures its age.
#[derive(Clone, Debug)]
pub struct Timestamp {
    /// The time.
    pub at: Moment,
    time: TimeSource,
}

impl Timestamp {
    /// The age now; see [`Moment::since`].
    pub fn age(&self) -> Duration {
        self.now().since(self.at)
    }

    /// The current time by its clock.
    pub fn now(&self) -> Moment {
        self.time.moment()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn clock_jumps_never_reduce_ages_or_extend_waits() {
        let minutes = Duration::from_mins;
        let before = TimeSource::fixed(UtcTime::from_secs(1_793_491_200)).moment();
        let end = before.plus(minutes(60));
        for (wall, monotonic, age, rest) in
            [(10, 10, 10, 50), (480, 10, 480, 0), (-480, 10, 10, 50), (30, 60, 60, 0), (60, 30, 60, 0)]
        {
            let by = minutes(u64::from(i32::unsigned_abs(wall)));
            let wall = if wall < 0 { before.wall.minus(by) } else { before.wall.plus(by) };
            let now = Moment { wall, monotonic: before.monotonic + minutes(monotonic) };
            assert_eq!((now.since(before), now.until(end)), (minutes(age), minutes(rest)), "{by:?}");
            assert_eq!(before.since(now), before.wall.since(wall), "{by:?}");
        }
    }
}
