//! The usage that a provider reports in a response.

use std::time::Duration;

/// The usage that a response reports. By default, nothing is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReportedUsage {
    /// How long no further request is allowed, because none is left.
    pub wait: Option<Duration>,
    /// The cost of this request, in units of the monthly limit.
    pub cost: Option<u64>,
    /// The cost of all requests of this month, including other programs' requests with the same key.
    pub used: Option<u64>,
}

impl ReportedUsage {
    /// No further request is allowed for this time, if there is one.
    pub fn waiting(wait: Option<Duration>) -> ReportedUsage {
        ReportedUsage { wait, ..ReportedUsage::default() }
    }
}
