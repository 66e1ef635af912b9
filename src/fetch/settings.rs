//! The settings of a fetch task.

use super::freshness::Freshness;
use super::limits::BACKGROUND_PER_MINUTE;
use super::retry::Backoff;

/// The settings of a task.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long responses are fresh.
    pub freshness: Freshness,
    /// When failed requests are sent again.
    pub backoff: Backoff,
    /// Maximum background requests a minute; 0 for none.
    pub background_per_minute: u32,
    /// Seed of the jitter of retries; `None` for a random one.
    pub seed: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            freshness: Freshness::default(),
            backoff: Backoff::default(),
            background_per_minute: BACKGROUND_PER_MINUTE,
            seed: None,
        }
    }
}
