//! Detects jumps of the system clock, and periods when the process was stopped.

use std::time::Duration;

use tokio::time::Instant;

use crate::clock::Clock;
use crate::model::UtcTime;

/// A larger difference between the clocks means that the system clock was set or the machine was suspended.
const JUMP_THRESHOLD: Duration = Duration::from_secs(5);

/// A longer time between two calls means that the process was stopped, such as by SIGSTOP or a container's pause: its
/// loop runs at least every minute.
const STOP_THRESHOLD: Duration = Duration::from_mins(2);

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

    /// Whether the clock jumped by more than 5 seconds since the last call, or the last call was at least 2 minutes ago.
    pub(crate) fn has_jumped(&mut self) -> bool {
        let (wall, monotonic) = (self.clock.now(), Instant::now());
        let (wall_before, before) = std::mem::replace(&mut self.last, (wall, monotonic));
        let elapsed = monotonic.duration_since(before);
        let expected = wall_before.plus(elapsed);
        elapsed >= STOP_THRESHOLD || wall.since(expected) > JUMP_THRESHOLD || expected.since(wall) > JUMP_THRESHOLD
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn stopped_process_counts_as_a_jump() {
        let mut monitor = ClockMonitor::new(Clock::runtime(UtcTime::from_secs(1_795_000_000)));
        for (seconds, has_jumped) in [(60, false), (119, false), (120, true), (60, false), (7 * 60, true), (1, false)] {
            advance(Duration::from_secs(seconds)).await;
            assert_eq!(monitor.has_jumped(), has_jumped, "{seconds} s");
        }
    }
}
