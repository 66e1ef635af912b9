//! What the configuration says about live data.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use super::Operation;
use crate::client::Limits;
use crate::client::config::Secret;
use crate::service::providers::{ProviderName, Terms};

/// Providers, their order and their limits.
#[derive(Clone, Debug)]
pub struct LiveSettings {
    /// The providers of each operation, the first choice first. An empty list switches the operation off.
    pub order: BTreeMap<Operation, Vec<ProviderName>>,
    /// What differs from a provider's own terms.
    pub providers: BTreeMap<ProviderName, ProviderSettings>,
    /// Limits on every upstream response.
    pub limits: Limits,
    /// Where counts are kept across restarts and shared with other instances.
    pub state: Option<PathBuf>,
    /// Least time between two requests to any providers in the first minute.
    pub start_gap: Duration,
}

impl Default for LiveSettings {
    fn default() -> Self {
        use ProviderName::*;
        let order = |operation: Operation| -> &[ProviderName] {
            match operation {
                Operation::Coins => &[CoinMarketCap, CoinPaprika, CoinGecko],
                Operation::Tagged => &[CoinGecko, CoinMarketCap],
                Operation::Details => &[CoinMarketCap, CoinGecko],
                Operation::Posts => &[Bluesky, Mastodon],
                Operation::Pairs => &[CoinGecko, CoinPaprika],
                Operation::Chart => &[Binance, CoinGecko, DefiLlama],
                Operation::Series => &[DefiLlama, Binance],
                Operation::Brc20 => &[UniSat, Maestro],
                Operation::Inscriptions => &[Ordinals],
                Operation::Fiat => &[Frankfurter, Ecb],
                Operation::Block => &[Mempool],
                Operation::Ticker => &[Binance, Okx],
            }
        };
        LiveSettings {
            order: Operation::ALL.into_iter().map(|operation| (operation, order(operation).to_vec())).collect(),
            providers: BTreeMap::new(),
            limits: Limits::default(),
            state: None,
            start_gap: Duration::from_secs(1),
        }
    }
}

impl LiveSettings {
    /// The providers of an operation, in order.
    pub fn order(&self, operation: Operation) -> &[ProviderName] {
        self.order.get(&operation).map(Vec::as_slice).unwrap_or_default()
    }

    /// A provider's settings: its own terms with what the configuration changes.
    pub fn provider(&self, name: ProviderName) -> Resolved {
        let settings = self.providers.get(&name).cloned().unwrap_or_default();
        // Its lists need no key, and the key's allowance is for what only it opens.
        if name == ProviderName::CoinMarketCap && settings.api_key.is_some() {
            let keyless = ProviderSettings { api_key: None, per_minute: None, per_month: None, ..settings.clone() };
            let keyed = Some(Box::new(self.resolved(name, settings)));
            return Resolved { keyed, ..self.resolved(name, keyless) };
        }
        self.resolved(name, settings)
    }

    fn resolved(&self, name: ProviderName, settings: ProviderSettings) -> Resolved {
        let Terms { base_url, stream_url, per_minute, per_month, min_gap, fresh_at_least } =
            Terms::of(name, settings.api_key.is_some());
        Resolved {
            name,
            enabled: settings.enabled.unwrap_or(true),
            base_url: settings.base_url.or_else(|| base_url.map(String::from)),
            stream_url: settings.stream_url.or_else(|| stream_url.map(String::from)),
            api_key: settings.api_key,
            per_minute: settings.per_minute.or(per_minute).filter(|limit| *limit > 0),
            per_month: settings.per_month.or(per_month).filter(|limit| *limit > 0),
            min_gap: settings.min_gap.unwrap_or(min_gap),
            fresh_at_least,
            limits: self.limits.clone(),
            keyed: None,
        }
    }
}

/// What the configuration says about one provider; `None` leaves its own terms.
#[derive(Clone, Debug, Default)]
pub struct ProviderSettings {
    /// Whether it is used.
    pub enabled: Option<bool>,
    /// Base URL, without a trailing slash.
    pub base_url: Option<String>,
    /// URL of its socket.
    pub stream_url: Option<String>,
    /// API key.
    pub api_key: Option<Secret>,
    /// Requests a minute; 0: no limit.
    pub per_minute: Option<u32>,
    /// Requests a month; 0: no limit.
    pub per_month: Option<u64>,
    /// Least time between two requests.
    pub min_gap: Option<Duration>,
}

impl Resolved {
    /// What holds for requests with the key, where there is one.
    #[must_use]
    pub fn of_key(self) -> Resolved {
        match self.keyed {
            Some(keyed) => *keyed,
            None => self,
        }
    }
}

/// A provider's settings, complete.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// Which.
    pub name: ProviderName,
    /// Whether it is used.
    pub enabled: bool,
    /// Base URL; `None` where only the user can know.
    pub base_url: Option<String>,
    /// URL of its socket.
    pub stream_url: Option<String>,
    /// API key.
    pub api_key: Option<Secret>,
    /// Requests a minute.
    pub per_minute: Option<u32>,
    /// Requests a month.
    pub per_month: Option<u64>,
    /// Least time between two requests.
    pub min_gap: Duration,
    /// Its data are fetched again after this at the earliest.
    pub fresh_at_least: Duration,
    /// Limits on every response.
    pub limits: Limits,
    /// The settings of what only a key opens, where they differ from these, which are then those without a key.
    pub keyed: Option<Box<Resolved>>,
}
