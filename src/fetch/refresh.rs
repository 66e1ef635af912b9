//! A manual refresh.

use crate::client::Request;

/// Requests to fetch now even if they are fresh.
#[derive(Debug)]
pub(super) struct Refresh {
    /// The requests.
    pub(super) requests: Vec<Request>,
    /// Whether earlier and later responses come from different sources.
    pub(super) has_new_sources: bool,
}
