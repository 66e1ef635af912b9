//! The current time by the providers' clocks.

use super::Gateway;
use crate::model::UtcTime;
use crate::service::upstream::Upstream;

impl Gateway {
    /// The current time by the median of the providers' clocks, since a single one may be wrong, too. Without recent
    /// responses, by the local clock.
    pub(super) fn network_time(&self) -> UtcTime {
        let upstreams = self.0.providers.iter().flat_map(|provider| provider.upstreams());
        let mut ahead: Vec<i64> = upstreams.filter_map(Upstream::server_millis_ahead).collect();
        ahead.sort_unstable();
        let median = ahead.get(ahead.len() / 2).copied().unwrap_or(0);
        UtcTime::from_millis(self.0.time.now().millis().saturating_add(median))
    }
}
