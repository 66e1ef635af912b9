//! Options of the service.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use super::backend::Providers;
use super::fault_injection::FaultInjection;
use super::limits::Limits;
use super::shared::SharedState;
use super::time_source::TimeSource;
use crate::client::config::Secret;

/// Options of the service. The defaults are for the embedded service: any free loopback port, the system clock.
#[derive(Clone, Debug)]
pub struct Options {
    /// Address to listen on; port 0 selects any free port.
    pub listen: SocketAddr,
    /// Random seed of the simulated data: the same seed and time give byte-identical responses.
    pub seed: u64,
    /// Source of the current time.
    pub time: TimeSource,
    /// Data sources; `None` uses the simulated data of [`Options::seed`].
    pub providers: Option<Providers>,
    /// `max-age` of every response, in whole seconds; `None` uses the interface's own values.
    pub max_age: Option<Duration>,
    /// Faults to inject.
    pub fault_injection: FaultInjection,
    /// The token that clients must send as `Authorization: Bearer TOKEN`; `None` allows all clients.
    pub token: Option<Secret>,
    /// The state shared with other instances. Its providers share their budgets only if they were created with it,
    /// too.
    pub shared: Option<SharedState>,
    /// What a client may use.
    pub limits: Limits,
    /// Maximum size of the cached responses in bytes; 0 for none. Simulated responses are cached only by a service with
    /// [`Options::worker_threads`].
    pub cache_bytes: u64,
    /// Threads that compute responses, so that they don't delay cached ones; 0 computes them on the service's own
    /// thread.
    pub worker_threads: usize,
    /// How long the service keeps serving after a request to stop, while `/healthz` responds with 503, if load
    /// balancers use it.
    pub drain: Duration,
    /// How long responses in progress may take when the service stops.
    pub grace: Duration,
}

impl Options {
    /// Adjusts the options for a service with many clients.
    #[must_use]
    pub fn standalone(self) -> Options {
        Options {
            limits: Limits::standalone(),
            cache_bytes: 64 << 20,
            worker_threads: std::thread::available_parallelism().map_or(1, usize::from),
            drain: Duration::from_secs(5),
            grace: Duration::from_secs(10),
            ..self
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            seed: 21_000_000,
            time: TimeSource::system(),
            providers: None,
            max_age: None,
            fault_injection: FaultInjection::default(),
            token: None,
            shared: None,
            limits: Limits::default(),
            cache_bytes: 8 << 20,
            worker_threads: 0,
            drain: Duration::ZERO,
            grace: Duration::from_millis(250),
        }
    }
}
