//! The current time by the providers' clocks.

use super::Gateway;
use crate::model::UtcTime;
use crate::service::upstream::Upstream;

impl Gateway {
    /// The current time by the providers' clocks. Without recent responses, by the local clock.
    pub(super) fn network_time(&self) -> UtcTime {
        let upstreams = self.0.providers.iter().flat_map(|provider| provider.upstreams());
        let ahead = median(upstreams.filter_map(Upstream::server_millis_ahead).collect());
        UtcTime::from_millis(self.0.time.now().millis().saturating_add(ahead))
    }
}

/// The median, since a single clock may be wrong, too: of an even number, the one nearer to the local clock.
fn median(mut ahead: Vec<i64>) -> i64 {
    ahead.sort_unstable();
    let middle = ahead.len().saturating_sub(1) / 2..ahead.len() / 2 + 1;
    ahead.get(middle).unwrap_or_default().iter().copied().min_by_key(|ahead| ahead.unsigned_abs()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_clock_is_ignored() {
        for (ahead, expected) in [
            (&[][..], 0),
            (&[5], 5),
            (&[360_000, -5], -5),
            (&[-360_000, 5], 5),
            (&[7, 360_000, 5], 7),
            (&[360_000, 5, -360_000, 9], 5),
        ] {
            assert_eq!(median(ahead.to_vec()), expected, "{ahead:?}");
        }
    }
}
