//! The time, and whether the clock went as it should.

use std::time::Duration;

use tokio::time::Instant;

use crate::clock::Clock;
use crate::model::UtcTime;

/// A clock that is this far from where it should be was set, or the machine slept.
const JUMP: Duration = Duration::from_secs(5);

/// A clock beside another that nobody sets.
pub(super) struct Timepiece {
    clock: Clock,
    /// The last look at both, of which only the first goes on while the machine sleeps.
    last: (UtcTime, Instant),
}

impl Timepiece {
    pub(super) fn new(clock: Clock) -> Timepiece {
        Timepiece { clock, last: (clock.now(), Instant::now()) }
    }

    /// The current time.
    pub(super) fn now(&self) -> UtcTime {
        self.clock.now()
    }

    /// Whether the clock was set or the machine slept since this was asked last.
    pub(super) fn jumped(&mut self) -> bool {
        let (wall, monotonic) = (self.clock.now(), Instant::now());
        let (wall_before, before) = std::mem::replace(&mut self.last, (wall, monotonic));
        let expected = wall_before.plus(monotonic.duration_since(before));
        wall.since(expected) > JUMP || expected.since(wall) > JUMP
    }
}
