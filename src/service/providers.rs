//! Data sources of the service.
//!
//! There is one trait for each group of the interface: [`MarketProvider`] and [`IndexerProvider`]. A route parses the
//! parameters, calls a provider, and serializes the returned model as JSON. Providers are independent of HTTP
//! parameters and JSON shapes; routes are independent of the data source.
//!
//! Two types implement these traits: the simulated world ([`DemoProvider`]), and the gateway ([`Gateway`]) to the real
//! providers, each of which has its own file.
//!
//! # Adding a provider
//!
//! 1. Add a file with a struct that holds its [`Upstream`] and implements the supported operations of [`MarketSource`],
//!    [`PostSource`], [`IndexerSource`], [`RateSource`] or [`BlockSource`], and a function that returns the
//!    [`Provider`]. The function sets the header of the API key and a parser for error responses.
//! 2. Add it to [`all`].
//! 3. Add its URLs and rate limits to [`Terms::of`], and its place in the order of providers to [`LiveSettings`].

mod binance;
mod bluesky;
mod coingecko;
mod coinmarketcap;
mod coinpaprika;
mod defillama;
mod demo;
mod ecb;
mod extensions;
mod frankfurter;
mod hiro;
mod indexer;
mod maestro;
mod market;
mod mastodon;
mod mempool;
mod ord;
mod ordinals;
mod post_text;
mod service;
mod source;
mod terms;
mod unisat;
mod upstream;
mod url;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::model::UtcTime;

pub use crate::model::ProviderName;

pub use self::source::{
    BlockSource, ChainTip, CoinLookup, CoinSlice, IndexerSource, MarketSource, PostSource, Provider, RateSource, Rates,
};
pub use self::terms::Terms;
pub use self::upstream::{ErrorParser, Quota, QuotaParser, Response, Server, Upstream};
pub use demo::DemoProvider;
pub use extensions::ExtensionProvider;
pub use indexer::{
    ActivityQuery, BalancesQuery, BlockRef, Content, IndexerProvider, IndexerStatus, InscriptionLocation,
    InscriptionOrder, InscriptionTransfer, InscriptionsQuery, PageQuery, TokenOrder, TokensQuery,
};
pub use market::{CoinPairs, CoinsQuery, MarketProvider, SeriesQuery};

use super::gateway::{CoinRef, Gate, Gateway, LiveSettings, ResolvedSettings, Shared, SourceError, SourceResult};
use super::options::TimeSource;

/// Creates all enabled real providers. Opens no connection.
pub fn all(settings: &LiveSettings, shared: &Shared) -> Vec<Provider> {
    let make = |name, make: fn(&ResolvedSettings, Gate) -> Provider| {
        let resolved = settings.provider(name);
        resolved.enabled.then(|| make(&resolved, Gate::new(&resolved, shared.clone())))
    };
    let providers = [
        make(ProviderName::CoinMarketCap, coinmarketcap::provider),
        make(ProviderName::CoinGecko, coingecko::provider),
        make(ProviderName::CoinPaprika, coinpaprika::provider),
        make(ProviderName::DefiLlama, defillama::provider),
        make(ProviderName::Binance, binance::provider),
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
    ];
    providers.into_iter().flatten().collect()
}

/// The providers of a service, one for each group. Cheap to clone.
#[derive(Clone)]
pub struct Providers {
    /// Coins, posts, market pairs, charts.
    pub market: Arc<dyn MarketProvider>,
    /// BRC-20, inscriptions, sats.
    pub indexer: Arc<dyn IndexerProvider>,
    /// The newest block, and the state of the providers.
    pub extensions: Arc<dyn ExtensionProvider>,
    /// Whether the data are simulated. Every response of the service carries this in a header.
    pub simulated: bool,
}

impl Providers {
    /// Simulated data for both groups. Nothing is computed before the first request.
    pub fn demo(seed: u64, time: TimeSource) -> Providers {
        let demo = Arc::new(DemoProvider::new(seed, time));
        Providers { market: Arc::clone(&demo) as _, indexer: Arc::clone(&demo) as _, extensions: demo, simulated: true }
    }

    /// Real data for both groups. Nothing is sent before the first request.
    pub fn live(gateway: &Gateway) -> Providers {
        let gateway = Arc::new(gateway.clone());
        Providers {
            market: Arc::clone(&gateway) as _,
            indexer: Arc::clone(&gateway) as _,
            extensions: gateway,
            simulated: false,
        }
    }
}

impl fmt::Debug for Providers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Providers").finish_non_exhaustive()
    }
}

/// The answer of a provider.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<T> {
    /// The data.
    pub data: T,
    /// When the data were fetched.
    pub at: UtcTime,
    /// Age of the data.
    pub age: Duration,
    /// How much longer the data are fresh.
    pub fresh_for: Duration,
    /// The real provider that returned them.
    pub provider: Option<ProviderName>,
    /// Why the data are stale, as a sentence without a full stop.
    pub notice: Option<String>,
}

impl<T> Answer<T> {
    /// The same answer with other data.
    pub fn map<U>(self, data: impl FnOnce(T) -> U) -> Answer<U> {
        let Answer { data: old, at, age, fresh_for, provider, notice } = self;
        Answer { data: data(old), at, age, fresh_for, provider, notice }
    }
}

/// Why a provider has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// There is no such coin, token, sat or inscription.
    #[error("{0}")]
    NotFound(String),
    /// A parameter has an unknown value.
    #[error("parameter \"{name}\" must be {must}")]
    Parameter {
        /// Its name in the interface.
        name: &'static str,
        /// The accepted values.
        must: String,
    },
    /// No provider serves the operation; the sentence names an alternative.
    #[error("{0}")]
    Unsupported(String),
    /// All providers currently fail.
    #[error("{reason}")]
    Unavailable {
        /// The reason.
        reason: String,
        /// When it may work again.
        retry_after: Option<Duration>,
    },
}

impl ProviderError {
    /// The provider does not serve the operation.
    pub fn unsupported() -> ProviderError {
        ProviderError::Unsupported(String::from("No provider for this operation"))
    }
}

/// The result of one operation.
pub type ProviderResult<T> = Result<Answer<T>, ProviderError>;
