//! Default URLs and rate limits of a provider. Limits that it doesn't publish are conservative guesses.

use std::time::Duration;

/// Default URLs and rate limits of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProviderDefaults {
    /// Base URL; `None` if the user has to set it.
    pub base_url: Option<&'static str>,
    /// WebSocket URL.
    pub stream_url: Option<&'static str>,
    /// Maximum requests per minute. `min_gap` also enforces it, in case the shared store can't be used.
    pub per_minute: Option<u32>,
    /// Maximum requests per calendar month (UTC).
    pub per_month: Option<u64>,
    /// Minimum gap between requests.
    pub min_gap: Duration,
    /// Minimum freshness of its data, for operations that would refresh more often.
    pub fresh_at_least: Duration,
}

impl ProviderDefaults {
    /// A server at this URL, with a minimum gap between requests in milliseconds and no other limits.
    pub(super) const fn at(base_url: &'static str, gap_millis: u64) -> ProviderDefaults {
        ProviderDefaults {
            base_url: Some(base_url),
            min_gap: Duration::from_millis(gap_millis),
            ..ProviderDefaults::OWN_SERVER
        }
    }

    /// The user's own server, which has no default URL and no limits.
    pub(in crate::service) const OWN_SERVER: ProviderDefaults = ProviderDefaults {
        base_url: None,
        stream_url: None,
        per_minute: None,
        per_month: None,
        min_gap: Duration::ZERO,
        fresh_at_least: Duration::ZERO,
    };
}
