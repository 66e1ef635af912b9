//! The real providers, one file for each, and their common parts.
//!
//! A new provider: see "A provider of live data" in `docs/extending.md`.

mod binance;
mod bluesky;
pub mod by_provider;
mod candles;
pub mod coin_ref;
mod coingecko;
mod coinmarketcap;
mod coinpaprika;
pub mod defaults;
mod defillama;
mod ecb;
mod expect;
mod frankfurter;
mod full_page;
mod hiro;
pub mod info;
mod lenient;
mod maestro;
mod mastodon;
mod mempool;
mod okx;
mod ord;
mod ordinals;
mod own_pairs;
mod page_of;
mod post_text;
pub mod post_topic;
mod service;
pub mod source;
mod unisat;
mod url;
mod with_ids;

use self::info::{CoinIds, ProviderInfo};
use self::source::Provider;
use super::operation::Operation;
use super::upstream::budget::{RequestBudget, Shared};
use super::upstream::settings::ResolvedSettings;
use crate::model::ProviderName;

/// All real providers.
const INFOS: [&ProviderInfo; 17] = [
    &coinmarketcap::INFO,
    &coingecko::INFO,
    &coinpaprika::INFO,
    &defillama::INFO,
    &binance::INFO,
    &okx::INFO,
    &frankfurter::INFO,
    &ecb::INFO,
    &bluesky::INFO,
    &mastodon::INFO,
    &unisat::INFO,
    &maestro::INFO,
    &ordinals::INFO,
    &ord::INFO,
    &mempool::INFO,
    &hiro::INFO,
    &service::INFO,
];

/// Creates all real providers, including those that are disabled: the user can enable them at any time. Opens no
/// connection.
pub fn all(settings: impl Fn(ProviderName) -> ResolvedSettings, shared: &Shared) -> Vec<Provider> {
    let create = |info: &ProviderInfo| {
        let resolved = settings(info.name);
        (info.create)(&resolved, RequestBudget::new(&resolved, shared.clone()))
    };
    INFOS.into_iter().map(create).collect()
}

/// Static facts about a provider; `None` for simulated data.
pub fn info_of(name: ProviderName) -> Option<&'static ProviderInfo> {
    INFOS.into_iter().find(|info| info.name == name)
}

/// The providers with their own coin ids, and the format of the ids.
pub fn with_coin_ids() -> impl Iterator<Item = (ProviderName, CoinIds)> {
    INFOS.into_iter().filter_map(|info| Some((info.name, info.coin_ids?)))
}

/// The provider whose coin ids are also satscope's.
pub fn coin_id_provider() -> Option<ProviderName> {
    INFOS.into_iter().find(|info| info.defines_coin_ids).map(|info| info.name)
}

/// The provider that is another satscope service.
pub fn other_service() -> Option<ProviderName> {
    INFOS.into_iter().find(|info| info.is_service).map(|info| info.name)
}

impl ProviderName {
    /// Whether it is another satscope service.
    pub(in crate::service) fn is_service(self) -> bool {
        info_of(self).is_some_and(|info| info.is_service)
    }
}

/// The exchanges that list coins.
pub fn with_listings() -> impl Iterator<Item = ProviderName> {
    INFOS.into_iter().filter(|info| info.has_listings).map(|info| info.name)
}

/// The providers of an operation in order of preference, unless the configuration has another order.
pub fn default_order(operation: Operation) -> &'static [ProviderName] {
    use ProviderName::*;
    match operation {
        Operation::Coins => &[CoinMarketCap, CoinPaprika, CoinGecko],
        Operation::Tagged => &[CoinGecko, CoinMarketCap],
        Operation::Details => &[CoinMarketCap, CoinGecko],
        Operation::Posts => &[Bluesky, Mastodon],
        Operation::Pairs => &[CoinGecko, CoinPaprika],
        // CoinMarketCap needs a key for it, and its credits are too few for series.
        Operation::Chart => &[Binance, Okx, CoinGecko, DefiLlama, CoinMarketCap],
        Operation::Series => &[DefiLlama, Binance, Okx],
        Operation::Brc20 => &[UniSat, Maestro],
        Operation::Inscriptions => &[Ordinals],
        Operation::Fiat => &[Frankfurter, Ecb],
        Operation::Block | Operation::BitcoinBalance => &[Mempool],
        Operation::Ticker => &[Binance, Okx],
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn every_provider_with_a_public_server_serves_an_operation() {
        for name in ProviderName::ALL.into_iter().filter(|name| *name != ProviderName::Demo) {
            let info = info_of(name).unwrap_or_else(|| panic!("{name} is not in the list"));
            let is_public = info.keyless.base_url.or(info.keyed.base_url).is_some();
            let has_place = Operation::ALL.into_iter().any(|operation| default_order(operation).contains(&name));
            assert_eq!(has_place, is_public, "{name}");
        }
    }

    #[test]
    fn gap_keeps_the_limit_per_minute() {
        for info in INFOS {
            for defaults in [info.keyless, info.keyed] {
                let Some(limit) = defaults.per_minute else { continue };
                assert!(defaults.min_gap * limit >= Duration::from_mins(1), "{}: {defaults:?}", info.name);
            }
        }
    }
}
