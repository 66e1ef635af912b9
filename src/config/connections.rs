//! The options of the embedded service, its gateway and the client, from the settings.

use std::path::PathBuf;

use super::settings::Settings;
use crate::client::config::Secret;
use crate::client::{ClientConfig, Paths, TextForm};
use crate::service::gateway::{Gateway, LiveSettings};
use crate::service::{Options, Providers, SharedState, TimeSource};
use crate::store::SharedDatabase;

impl Settings {
    /// The options of a service for many clients, which shares its responses and budgets with other instances.
    pub fn shared_service_options(&self, store: &SharedDatabase, shared: Option<SharedState>) -> Options {
        let live = LiveSettings { shared: shared.clone(), has_many_clients: true, ..self.gateway_settings(store) };
        let gateway = self.source.live.then(|| Gateway::new(live, TimeSource::system()));
        Options { shared, ..service_options(gateway.as_ref()) }
    }

    /// The gateway of the dashboard's embedded service, if it has live data.
    pub fn live_gateway(&self, store: &SharedDatabase) -> Option<Gateway> {
        self.source.live.then(|| Gateway::new(self.gateway_settings(store), TimeSource::system()))
    }

    /// Creates a command's gateway to the configured public providers, which counts its requests in `store`.
    pub fn gateway(&self, time: TimeSource, store: &SharedDatabase) -> Gateway {
        Gateway::new(LiveSettings { is_command: true, ..self.gateway_settings(store) }, time)
    }

    fn gateway_settings(&self, store: &SharedDatabase) -> LiveSettings {
        let (limits, store) = (self.limits.clone(), store.clone());
        LiveSettings { limits, store, cache: self.identity_cache(), ..self.live_settings() }
    }

    /// The directory where the ids of coins at the providers are cached.
    fn identity_cache(&self) -> Option<PathBuf> {
        self.dirs.cache.clone().filter(|_| self.source.cache)
    }

    /// Providers of live data as configured, with the user's choices.
    pub fn live_settings(&self) -> LiveSettings {
        let mut live = self.live.clone();
        for (operation, order) in &mut live.order {
            *order = self.sources.order(operation.as_str(), order);
        }
        for (name, enabled) in &self.sources.enabled {
            live.providers.entry(*name).or_default().enabled = Some(*enabled);
        }
        live
    }

    /// The client configuration. Groups without a URL use `embedded`, the URL of the embedded service, with default
    /// paths and without extra headers.
    pub fn client_config(&self, embedded: &str) -> ClientConfig {
        let source = &self.source;
        let own = Paths::default();
        let (has_market, has_indexer) = (source.base_url.is_some(), source.indexer_url.is_some());
        let market = if has_market { &source.paths } else { &own };
        let indexer = if has_indexer { &source.paths } else { &own };
        let headers = |list: &Vec<(String, Secret)>, used: bool| if used { list.clone() } else { Vec::new() };
        ClientConfig {
            base_url: source.base_url.clone().unwrap_or_else(|| embedded.to_owned()),
            indexer_url: source.indexer_url.clone().unwrap_or_else(|| embedded.to_owned()),
            market_headers: headers(&source.market_headers, has_market),
            indexer_headers: headers(&source.indexer_headers, has_indexer),
            paths: Paths {
                coins: market.coins.clone(),
                content: market.content.clone(),
                exchanges: market.exchanges.clone(),
                chart: market.chart.clone(),
                market_data: market.market_data.clone(),
                coins_stats: market.coins_stats.clone(),
                brc20_tokens: indexer.brc20_tokens.clone(),
                brc20_token: indexer.brc20_token.clone(),
                brc20_holders: indexer.brc20_holders.clone(),
                brc20_balances: indexer.brc20_balances.clone(),
                brc20_activity: indexer.brc20_activity.clone(),
                sat: indexer.sat.clone(),
                sat_inscriptions: indexer.sat_inscriptions.clone(),
                inscriptions: indexer.inscriptions.clone(),
                inscription: indexer.inscription.clone(),
                inscription_content: indexer.inscription_content.clone(),
                inscription_stats: indexer.inscription_stats.clone(),
            },
            first_index: if has_market { source.first_index } else { 1 },
            limits: self.limits.clone(),
            text: TextForm::default(),
            is_own_market: !has_market,
            no_cache: false,
            waits_if_limited: false,
        }
    }
}

/// The options of an embedded service with this gateway, or with simulated data.
pub fn service_options(gateway: Option<&Gateway>) -> Options {
    Options { providers: gateway.map(Providers::live), ..Options::default() }
}
