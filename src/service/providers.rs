//! The real providers, a file for each, and what they have in common.
//!
//! # Adding a provider
//!
//! 1. Add a file with a struct that holds its [`Upstream`](super::upstream::Upstream) and implements the supported
//!    operations of [`source`]'s traits, its `INFO` with URLs, limits and what a key adds, and a function that returns
//!    the [`Provider`]. The function sets the header of the API key and a parser for error responses.
//! 2. Add its name to [`ProviderName`], and the function and `INFO` to the lists below.
//! 3. Add its place in the order of providers to [`LiveSettings`](super::gateway::LiveSettings).

mod binance;
mod bluesky;
mod candles;
pub mod coin_ref;
mod coingecko;
mod coinmarketcap;
mod coinpaprika;
mod defillama;
mod ecb;
mod expect;
mod frankfurter;
mod hiro;
pub mod info;
mod maestro;
mod mastodon;
pub(in crate::service) mod mempool;
mod okx;
mod ord;
mod ordinals;
mod post_text;
mod service;
pub mod source;
pub mod terms;
mod unisat;
mod url;

use self::info::ProviderInfo;
use self::source::Provider;
use super::upstream::budget::{Gate, Shared};
use super::upstream::settings::ResolvedSettings;
use crate::model::ProviderName;

/// Creates all real providers, including those that are disabled: the user can enable them at any time. Opens no
/// connection.
pub fn all(settings: impl Fn(ProviderName) -> ResolvedSettings, shared: &Shared) -> Vec<Provider> {
    let make = |name, make: fn(&ResolvedSettings, Gate) -> Provider| {
        let resolved = settings(name);
        make(&resolved, Gate::new(&resolved, shared.clone()))
    };
    vec![
        make(ProviderName::CoinMarketCap, coinmarketcap::provider),
        make(ProviderName::CoinGecko, coingecko::provider),
        make(ProviderName::CoinPaprika, coinpaprika::provider),
        make(ProviderName::DefiLlama, defillama::provider),
        make(ProviderName::Binance, binance::provider),
        make(ProviderName::Okx, okx::provider),
        make(ProviderName::Frankfurter, frankfurter::provider),
        make(ProviderName::Ecb, ecb::provider),
        make(ProviderName::Bluesky, bluesky::provider),
        make(ProviderName::Mastodon, mastodon::provider),
        make(ProviderName::UniSat, unisat::provider),
        make(ProviderName::Maestro, maestro::provider),
        make(ProviderName::Ordinals, ordinals::provider),
        make(ProviderName::Ord, ord::provider),
        make(ProviderName::Mempool, mempool::provider),
        make(ProviderName::Hiro, hiro::provider),
        make(ProviderName::Service, service::provider),
    ]
}

/// Static facts about each provider.
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

/// Static facts about a provider; `None` for the simulated world.
pub fn info_of(name: ProviderName) -> Option<&'static ProviderInfo> {
    INFOS.into_iter().find(|info| info.name == name)
}
