//! Counters of the running service.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tokio::runtime::Handle;

use crate::allocator;

/// Fewer connections use little memory.
const MANY: usize = 1_000;

/// The counters of a service.
#[derive(Debug, Default)]
pub(super) struct Counters {
    /// Requests received so far.
    pub(super) requests: AtomicU64,
    /// Requests for `/healthz`, which only load balancers and the like send.
    pub(super) health_checks: AtomicU64,
    /// Open connections.
    pub(super) connections: PeakGauge,
    /// Connections with a request or its buffers.
    pub(super) busy: PeakGauge,
}

impl Counters {
    /// Counts an open connection until the guard is dropped.
    pub(super) fn open_connection(self: &Arc<Counters>) -> ConnectionGuard {
        ConnectionGuard::new(self, |counters| &counters.connections)
    }

    /// Counts a busy connection until the guard is dropped.
    pub(super) fn busy_connection(self: &Arc<Counters>) -> ConnectionGuard {
        ConnectionGuard::new(self, |counters| &counters.busy)
    }
}

/// A number of connections, with its peak.
#[derive(Debug, Default)]
pub(super) struct PeakGauge {
    now: AtomicUsize,
    /// The highest number since free memory was last returned to the system.
    peak: AtomicUsize,
}

impl PeakGauge {
    /// The number at this moment.
    pub(super) fn now(&self) -> usize {
        self.now.load(Ordering::Relaxed)
    }

    fn rise(&self) {
        let now = self.now.fetch_add(1, Ordering::Relaxed) + 1;
        self.peak.fetch_max(now, Ordering::Relaxed);
    }

    /// Returns whether most of many connections are gone, the first time that this holds.
    fn fall(&self) -> bool {
        let now = self.now.fetch_sub(1, Ordering::Relaxed).saturating_sub(1);
        let peak = self.peak.load(Ordering::Relaxed);
        let is_low = peak >= MANY && now <= peak / 4;
        is_low && self.peak.compare_exchange(peak, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

/// A connection that counts until this is dropped.
#[derive(Debug)]
pub(super) struct ConnectionGuard {
    counters: Arc<Counters>,
    gauge: fn(&Counters) -> &PeakGauge,
}

impl ConnectionGuard {
    fn new(counters: &Arc<Counters>, gauge: fn(&Counters) -> &PeakGauge) -> ConnectionGuard {
        gauge(counters).rise();
        ConnectionGuard { counters: Arc::clone(counters), gauge }
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        if (self.gauge)(&self.counters).fall()
            && let Ok(runtime) = Handle::try_current()
        {
            // On another thread, since connections of this one would wait.
            drop(runtime.spawn_blocking(allocator::return_free_memory));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_returned_once_most_of_many_connections_are_gone() {
        let gauge = PeakGauge::default();
        let falls = |to: usize| (0..gauge.now() - to).filter(|_| gauge.fall()).count();
        (0..4_000).for_each(|_| gauge.rise());
        assert_eq!([falls(1_001), falls(1_000), falls(251), falls(0)], [0, 1, 0, 1]);
        (0..MANY - 1).for_each(|_| gauge.rise());
        assert_eq!(falls(0), 0, "few connections");
        assert_eq!(gauge.now(), 0);
    }
}
