//! Detects jumps of the system clock.

use std::time::Duration;

use tokio::time::Instant;

use crate::clock::Clock;
use crate::model::UtcTime;

/// A larger difference between the clocks means that the system clock was set or the machine was suspended.
const JUMP: Duration = Duration::from_secs(5);

/// Compares the system clock with a monotonic one.
pub(crate) struct ClockMonitor {
    clock: Clock,
    /// Both clocks at the last check. Only the first advances while the machine is suspended.
    last: (UtcTime, Instant),
}

impl ClockMonitor {
    /// Starts to monitor a clock.
    pub(crate) fn new(clock: Clock) -> ClockMonitor {
        ClockMonitor { clock, last: (clock.now(), Instant::now()) }
    }

    /// Returns the current time.
    pub(crate) fn now(&self) -> UtcTime {
        self.clock.now()
    }

    /// Whether the clock jumped by more than 5 seconds since the last call.
    pub(crate) fn has_jumped(&mut self) -> bool {
        let (wall, monotonic) = (self.clock.now(), Instant::now());
        let (wall_before, before) = std::mem::replace(&mut self.last, (wall, monotonic));
        let expected = wall_before.plus(monotonic.duration_since(before));
        wall.since(expected) > JUMP || expected.since(wall) > JUMP
    }
}
