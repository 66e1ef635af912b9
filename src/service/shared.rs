//! What all handlers share.

use std::sync::Arc;

use super::options::{Options, TimeSource};
use crate::model::UtcTime;

/// Handed to every handler as axum's state. Cheap to clone.
pub(crate) type State = Arc<Shared>;

/// The simulated world and the clock it is seen by.
pub(crate) struct Shared {
    /// Which world.
    pub(crate) seed: u64,
    time: TimeSource,
}

impl Shared {
    /// From the options of the service.
    pub(crate) fn new(options: &Options) -> State {
        Arc::new(Shared { seed: options.seed, time: options.time.clone() })
    }

    /// The current time.
    pub(crate) fn now(&self) -> UtcTime {
        self.time.now()
    }
}
