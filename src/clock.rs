//! Where the time comes from: the computer's clock, or in tests the paused clock of the runtime.

use std::sync::atomic::{AtomicI64, Ordering};

use tokio::time::Instant;

use crate::model::UtcTime;

/// A source of the current time.
#[derive(Clone, Copy, Debug)]
pub enum Clock {
    /// The computer's clock, which jumps when a suspended machine wakes up.
    System,
    /// A fixed start that advances with the runtime's clock, so that tests can pause it.
    Runtime {
        /// The time at `start`.
        base: UtcTime,
        /// When it began.
        start: Instant,
    },
    /// Milliseconds since the epoch, set by hand: for tests of a clock that jumps.
    Manual(&'static AtomicI64),
}

impl Clock {
    /// A clock that shows `base` now and advances with the runtime's clock.
    pub fn runtime(base: UtcTime) -> Clock {
        Clock::Runtime { base, start: Instant::now() }
    }

    /// The current time.
    pub fn now(&self) -> UtcTime {
        match self {
            Clock::System => UtcTime::now(),
            Clock::Runtime { base, start } => base.plus(start.elapsed()),
            Clock::Manual(millis) => UtcTime::from_millis(millis.load(Ordering::Relaxed)),
        }
    }
}
