//! The settings of one provider.

use std::time::Duration;

use crate::client::Limits;
use crate::client::config::Secret;
use crate::model::ProviderName;

/// Whose requests a monthly limit counts: those to a server with a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::service) struct Account {
    /// The provider.
    pub(in crate::service) provider: ProviderName,
    /// A checksum of its URL and key.
    pub(in crate::service) id: u32,
}

/// Complete settings of a provider.
#[derive(Clone, Debug)]
pub struct ResolvedSettings {
    /// The provider.
    pub name: ProviderName,
    /// Base URL; `None` if the user has to set it.
    pub base_url: Option<String>,
    /// WebSocket URL.
    pub stream_url: Option<String>,
    /// API key.
    pub api_key: Option<Secret>,
    /// Maximum requests per minute.
    pub per_minute: Option<u32>,
    /// Maximum requests per month.
    pub per_month: Option<u64>,
    /// Minimum gap between requests.
    pub min_gap: Duration,
    /// Whether its requests are spread like other providers' while the program starts.
    pub waits_at_start: bool,
    /// Minimum freshness of its data.
    pub fresh_at_least: Duration,
    /// Limits of every response.
    pub limits: Limits,
    /// Settings of operations that need a key, if they differ; these are then the settings without a key.
    pub keyed: Option<Box<ResolvedSettings>>,
}

impl ResolvedSettings {
    /// The settings of requests that carry the API key.
    #[must_use]
    pub fn with_key(self) -> ResolvedSettings {
        match self.keyed {
            Some(keyed) => *keyed,
            None => self,
        }
    }

    /// A checksum of its URL: data of other servers is not used in its name.
    pub(in crate::service) fn url_id(&self) -> u32 {
        crc32fast::hash(self.base_url.as_deref().unwrap_or_default().as_bytes())
    }

    /// Whose requests count against the monthly limit. Another limit doesn't change it.
    pub(in crate::service) fn account(&self) -> Account {
        let key = self.api_key.as_ref().map(|Secret(key)| key.as_str());
        let id = crc32fast::hash(format!("{:?} {key:?}", self.base_url).as_bytes());
        Account { provider: self.name, id }
    }

    /// A checksum of what pauses of its server depend on: URL, key and monthly limit.
    pub(in crate::service) fn server_id(&self) -> u32 {
        let ResolvedSettings { base_url, api_key, per_month, .. } = self;
        let key = api_key.as_ref().map(|Secret(key)| key.as_str());
        crc32fast::hash(format!("{base_url:?} {key:?} {per_month:?}").as_bytes())
    }
}
