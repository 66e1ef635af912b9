//! The clock of the service.

use std::fmt;
use std::sync::Arc;

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
}

impl fmt::Debug for TimeSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TimeSource({})", self.now())
    }
}
