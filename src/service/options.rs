//! Options of the service.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use super::FaultInjection;
use super::providers::Providers;
use crate::model::UtcTime;

/// Options of the service. The defaults are those of the embedded service: any free loopback port, the system clock.
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
        }
    }
}

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
