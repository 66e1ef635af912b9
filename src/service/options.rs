//! Options of the service.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use super::backend::Providers;
use super::fault_injection::FaultInjection;
use super::time_source::TimeSource;

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
