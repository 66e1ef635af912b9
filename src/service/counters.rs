//! Counters of the running service.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The counters of a service.
#[derive(Debug, Default)]
pub(super) struct Counters {
    /// Requests received so far.
    pub(super) requests: AtomicU64,
    /// Requests for `/healthz`, which only load balancers and the like send.
    pub(super) health_checks: AtomicU64,
    /// Open connections.
    pub(super) connections: AtomicUsize,
    /// Connections with a request or its buffers.
    pub(super) busy: AtomicUsize,
}

impl Counters {
    /// Counts an open connection until the guard is dropped.
    pub(super) fn open_connection(self: &Arc<Counters>) -> Counted {
        Counted::new(self, |counters| &counters.connections)
    }

    /// Counts a busy connection until the guard is dropped.
    pub(super) fn busy_connection(self: &Arc<Counters>) -> Counted {
        Counted::new(self, |counters| &counters.busy)
    }
}

/// One unit of a counter, subtracted when this is dropped.
#[derive(Debug)]
pub(super) struct Counted {
    counters: Arc<Counters>,
    counter: fn(&Counters) -> &AtomicUsize,
}

impl Counted {
    fn new(counters: &Arc<Counters>, counter: fn(&Counters) -> &AtomicUsize) -> Counted {
        counter(counters).fetch_add(1, Ordering::Relaxed);
        Counted { counters: Arc::clone(counters), counter }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        (self.counter)(&self.counters).fetch_sub(1, Ordering::Relaxed);
    }
}
