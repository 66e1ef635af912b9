//! How far a server's clock is ahead of the local one, which may be wrong.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use crate::model::UtcTime;

/// How long a difference is used: either clock may be set.
const KEEP: Duration = Duration::from_hours(1);

/// The clock of a server, by its last response.
#[derive(Debug, Default)]
pub(super) struct ServerClock(Mutex<Option<(i64, Instant)>>);

impl ServerClock {
    /// Compares the time in a response with the local clock.
    pub(super) fn note(&self, server_time: UtcTime, now: UtcTime) {
        let ahead = server_time.millis().saturating_sub(now.millis());
        *self.0.lock() = Some((ahead, Instant::now()));
    }

    /// Milliseconds that the server's clock is ahead; `None` without a recent response.
    pub(super) fn millis_ahead(&self) -> Option<i64> {
        let last = *self.0.lock();
        last.filter(|(_, at)| at.elapsed() <= KEEP).map(|(ahead, _)| ahead)
    }
}
