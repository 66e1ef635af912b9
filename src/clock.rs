//! Sources of the current time: the system clock, or in tests the paused clock of the runtime.

use std::sync::atomic::{AtomicI64, Ordering};

use tokio::time::Instant;

use crate::model::UtcTime;

/// A source of the current time.
#[derive(Clone, Copy, Debug)]
pub enum Clock {
    /// The system clock, which jumps when a suspended machine resumes.
    System,
    /// A fixed start time that advances with the runtime's clock, which tests can pause.
    Runtime {
        /// The time at `start`.
        base: UtcTime,
        /// The runtime's clock at `base`.
        start: Instant,
    },
    /// Milliseconds since the epoch, for tests of clock jumps.
    Manual(&'static AtomicI64),
}

impl Clock {
    /// Creates a clock that is now at `base` and advances with the runtime's clock.
    pub fn runtime(base: UtcTime) -> Clock {
        Clock::Runtime { base, start: Instant::now() }
    }

    /// Returns the current time.
    pub fn now(&self) -> UtcTime {
        match self {
            Clock::System => UtcTime::now(),
            Clock::Runtime { base, start } => base.plus(start.elapsed()),
            Clock::Manual(millis) => UtcTime::from_millis(millis.load(Ordering::Relaxed)),
        }
    }
}
