//! The provider's quota in a response.

use std::time::Duration;

/// The quota in a response. By default, nothing is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quota {
    /// How long no further request is allowed, because none is left.
    pub wait: Option<Duration>,
    /// The cost of this request, in units of the monthly allowance.
    pub cost: Option<u64>,
    /// The cost of all requests of this month, including those of other programs with the same key.
    pub used: Option<u64>,
}

impl Quota {
    /// No further request is allowed for this time, if there is one.
    pub fn waiting(wait: Option<Duration>) -> Quota {
        Quota { wait, ..Quota::default() }
    }
}
