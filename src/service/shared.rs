//! What all handlers share.

use std::sync::{Arc, OnceLock};

use super::demo::market::Market;
use super::options::{Options, TimeSource};
use crate::model::UtcTime;

/// Handed to every handler as axum's state. Cheap to clone.
pub(crate) type State = Arc<Shared>;

/// The simulated world and the clock it is seen by.
pub(crate) struct Shared {
    /// Which world.
    pub(crate) seed: u64,
    time: TimeSource,
    market: OnceLock<Market>,
}

impl Shared {
    /// From the options of the service.
    pub(crate) fn new(options: &Options) -> State {
        Arc::new(Shared { seed: options.seed, time: options.time.clone(), market: OnceLock::new() })
    }

    /// The current time.
    pub(crate) fn now(&self) -> UtcTime {
        self.time.now()
    }

    /// The simulated market, made at the first request for it.
    pub(crate) fn market(&self) -> &Market {
        self.market.get_or_init(|| Market::new(self.seed))
    }
}
