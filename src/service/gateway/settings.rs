//! Settings of live data.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use crate::client::Limits;
use crate::client::config::Secret;
use crate::model::{ProviderName, Text};
use crate::service::operation::Operation;
use crate::service::providers::by_provider::ByProvider;
use crate::service::providers::defaults::ProviderDefaults;
use crate::service::providers::{default_order, info_of};
use crate::service::shared::SharedState;
use crate::service::time_source::TimeSource;
use crate::service::upstream::budget::{RequestBudget, Shared};
use crate::service::upstream::settings::ResolvedSettings;
use crate::service::upstream::usage::UsageTracker;
use crate::store::SharedDatabase;

/// Providers, their order and their limits.
#[derive(Clone, Debug)]
pub struct LiveSettings {
    /// The providers of each operation in order of preference. An empty list disables the operation.
    pub order: BTreeMap<Operation, Vec<ProviderName>>,
    /// Overrides of the providers' defaults.
    pub providers: BTreeMap<ProviderName, ProviderSettings>,
    /// Limits of every upstream response.
    pub limits: Limits,
    /// The store, where request counts are saved and shared with other instances.
    pub store: SharedDatabase,
    /// Budgets that instances on several machines share.
    pub shared: Option<SharedState>,
    /// Whether many clients use the gateway. None of them can use up the rest of a monthly limit with manual
    /// refreshes.
    pub has_many_clients: bool,
    /// Whether it serves one command, not the dashboard or a service: it doesn't retry providers that an earlier
    /// command found to be gone, and fetches nothing for later requests.
    pub is_command: bool,
    /// Minimum gap between requests to all providers during the first minute.
    pub start_gap: Duration,
    /// The user's corrections of coins, by our slug.
    pub corrections: BTreeMap<Text, CoinCorrection>,
    /// The directory where the ids of coins at the providers are cached; `None` if they aren't.
    pub cache: Option<PathBuf>,
}

/// The user's correction of a coin at the providers. `None` keeps the known value; an empty text means that the
/// provider doesn't list the coin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CoinCorrection {
    /// Display name.
    pub name: Option<Text>,
    /// Symbol.
    pub symbol: Option<Text>,
    /// The coin's ids at the providers with their own coin ids.
    pub ids: ByProvider<Text>,
    /// The coin's USDT pairs on exchanges.
    pub listings: ByProvider<ListingCorrection>,
    /// The coin's BRC-20 ticker.
    pub brc20: Option<Text>,
    /// Hashtags of posts about it, without `#`.
    pub hashtags: Option<Vec<Text>>,
}

/// The user's correction of a coin's pair on an exchange.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListingCorrection {
    /// The exchange's symbol.
    pub symbol: Option<Text>,
    /// Coins per unit.
    pub factor: Option<f64>,
}

impl Default for LiveSettings {
    fn default() -> Self {
        LiveSettings {
            order: Operation::ALL.into_iter().map(|operation| (operation, default_order(operation).to_vec())).collect(),
            providers: BTreeMap::new(),
            limits: Limits::default(),
            store: SharedDatabase::default(),
            shared: None,
            has_many_clients: false,
            is_command: false,
            start_gap: Duration::from_secs(1),
            corrections: BTreeMap::new(),
            cache: None,
        }
    }
}

impl LiveSettings {
    /// The providers of an operation, in order. Includes those that are disabled.
    pub fn order(&self, operation: Operation) -> &[ProviderName] {
        self.order.get(&operation).map(Vec::as_slice).unwrap_or_default()
    }

    /// The enabled providers of an operation, in order.
    pub fn in_use(&self, operation: Operation) -> impl Iterator<Item = ProviderName> {
        self.order(operation).iter().copied().filter(|name| self.is_enabled(*name))
    }

    /// The public providers of an operation, disabled ones included, that receive the addresses that are looked up: not
    /// the user's own servers, and no provider that lacks its key.
    pub fn address_receivers(&self, operation: Operation) -> impl Iterator<Item = ProviderName> {
        self.order(operation).iter().copied().filter(|name| {
            let has_key = || self.providers.get(name).is_some_and(|settings| settings.api_key.is_some());
            info_of(*name).is_some_and(|info| {
                info.takes_addresses && info.keyless.base_url.is_some() && (!info.needs_key || has_key())
            })
        })
    }

    /// Whether a provider is enabled.
    pub fn is_enabled(&self, name: ProviderName) -> bool {
        self.providers.get(&name).and_then(|settings| settings.enabled).unwrap_or(true)
    }

    /// A provider's settings: its defaults with the overrides of the configuration. With a base URL of the user, all
    /// requests carry the key, since those without it would have another URL.
    pub fn provider(&self, name: ProviderName) -> ResolvedSettings {
        let mut settings = self.providers.get(&name).cloned().unwrap_or_default();
        let sparing = info_of(name).filter(|info| info.sends_key_only_if_needed && settings.api_key.is_some());
        if let Some(info) = sparing {
            let keyless_url = info.keyless.base_url;
            settings.base_url = settings.base_url.filter(|url| Some(url.trim_end_matches('/')) != keyless_url);
        }
        if sparing.is_some() && settings.base_url.is_none() {
            let keyless = ProviderSettings { api_key: None, per_minute: None, per_month: None, ..settings.clone() };
            let keyed = Some(Box::new(self.resolved(name, settings)));
            return ResolvedSettings { keyed, ..self.resolved(name, keyless) };
        }
        self.resolved(name, settings)
    }

    /// Whether a provider may be configured for an operation: it is by default, or it serves it, with a key if it needs one.
    pub fn can_serve(name: ProviderName, operation: Operation) -> bool {
        let Some(info) = info_of(name) else { return name == ProviderName::Demo };
        if default_order(operation).contains(&name) {
            return true;
        }
        let keyed = ProviderSettings { api_key: Some(Secret(String::from("key"))), ..ProviderSettings::default() };
        let live = LiveSettings { providers: BTreeMap::from([(name, keyed)]), ..LiveSettings::default() };
        let settings = live.provider(name);
        let shared = Shared::new(UsageTracker::default(), TimeSource::system(), Duration::ZERO);
        let provider = (info.create)(&settings, RequestBudget::new(&settings, shared));
        provider.operations.contains(&operation)
    }

    fn resolved(&self, name: ProviderName, settings: ProviderSettings) -> ResolvedSettings {
        let ProviderDefaults { base_url, stream_url, per_minute, per_month, min_gap, fresh_at_least } =
            info_of(name).map_or(ProviderDefaults::OWN_SERVER, |info| info.defaults(settings.api_key.is_some()));
        let is_replaced = info_of(name).is_some_and(|info| info.streams_from_base) && settings.base_url.is_some();
        let stream_url = stream_url.filter(|_| !is_replaced);
        ResolvedSettings {
            name,
            base_url: settings.base_url.or_else(|| base_url.map(String::from)),
            stream_url: settings.stream_url.or_else(|| stream_url.map(String::from)),
            api_key: settings.api_key,
            per_minute: settings.per_minute.or(per_minute).filter(|limit| *limit > 0),
            per_month: settings.per_month.or(per_month).filter(|limit| *limit > 0),
            min_gap: settings.min_gap.unwrap_or(min_gap),
            waits_at_start: info_of(name).is_none_or(|info| info.waits_at_start),
            fresh_at_least,
            limits: self.limits.clone(),
            keyed: None,
        }
    }
}

/// Configuration of one provider; `None` means its default.
#[derive(Clone, Debug, Default)]
pub struct ProviderSettings {
    /// Whether it is enabled.
    pub enabled: Option<bool>,
    /// Base URL, without a trailing slash.
    pub base_url: Option<String>,
    /// WebSocket URL.
    pub stream_url: Option<String>,
    /// API key.
    pub api_key: Option<Secret>,
    /// Maximum requests per minute; 0: no limit.
    pub per_minute: Option<u32>,
    /// Maximum requests per month; 0: no limit.
    pub per_month: Option<u64>,
    /// Minimum gap between requests.
    pub min_gap: Option<Duration>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_providers_can_serve_their_operations() {
        for operation in Operation::ALL {
            for name in default_order(operation) {
                assert!(LiveSettings::can_serve(*name, operation), "{name} {operation}");
            }
        }
        assert!(LiveSettings::can_serve(ProviderName::Service, Operation::Coins), "not used by default");
        for (name, operation) in
            [(ProviderName::Bluesky, Operation::Coins), (ProviderName::Maestro, Operation::Inscriptions)]
        {
            assert!(!LiveSettings::can_serve(name, operation), "{name} {operation}");
        }
    }
}
