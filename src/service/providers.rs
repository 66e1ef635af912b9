//! Where the service's answers come from.
//!
//! One trait for each group of the interface: [`MarketProvider`] and [`IndexerProvider`]. A route reads the
//! parameters, asks a provider, and writes the model that comes back as JSON. A provider knows nothing of HTTP
//! parameters or JSON shapes; a route knows nothing of where its data come from.
//!
//! Two implement these traits: the simulated world ([`DemoProvider`]) and the gateway
//! ([`Gateway`]), behind which stand the real providers, each in its own file.
//!
//! # A new real provider
//!
//! 1. A file of its own here: a struct with its [`Upstream`], which implements the operations that it serves of
//!    [`MarketSource`], [`PostSource`], [`IndexerSource`], [`RateSource`] or [`BlockSource`]; and a function that makes
//!    the [`Provider`], with the header of its key and what its errors mean beyond their HTTP status.
//! 2. One line in [`all`].
//! 3. Its addresses and limits are in [`Terms::of`], its place among others in
//!    [`LiveSettings`].

mod binance;
mod bluesky;
mod coingecko;
mod coinmarketcap;
mod coinpaprika;
mod defillama;
mod demo;
mod ecb;
mod frankfurter;
mod hiro;
mod indexer;
mod maestro;
mod market;
mod mastodon;
mod mempool;
mod ord;
mod ordinals;
mod posting;
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
pub use self::upstream::{FaultReader, Quota, QuotaReader, Response, Server, Upstream};
pub use demo::DemoProvider;
pub use indexer::{
    ActivityQuery, BalancesQuery, BlockRef, Content, IndexerProvider, IndexerStatus, InscriptionLocation,
    InscriptionOrder, InscriptionTransfer, InscriptionsQuery, PageQuery, TokenOrder, TokensQuery,
};
pub use market::{CoinPairs, CoinsQuery, MarketProvider, SeriesQuery};

use super::gateway::{CoinRef, Gate, Gateway, LiveSettings, Resolved, Shared, SourceError, SourceResult};
use super::options::TimeSource;

/// The real providers, each with its settings and its place in the common pace of the start. Opens no connection.
pub fn all(settings: &LiveSettings, shared: &Shared) -> Vec<Provider> {
    let make = |name, make: fn(&Resolved, Gate) -> Provider| {
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
    /// Whether the data are simulated. Every response of the service says so.
    pub simulated: bool,
}

impl Providers {
    /// The simulated world of a seed, for both groups. Nothing is computed before the first request.
    pub fn demo(seed: u64, time: TimeSource) -> Providers {
        let demo = Arc::new(DemoProvider::new(seed, time));
        Providers { market: Arc::clone(&demo) as _, indexer: demo, simulated: true }
    }

    /// Real data, for both groups. Nothing is sent before the first request.
    pub fn live(gateway: &Gateway) -> Providers {
        Providers { market: Arc::new(gateway.clone()), indexer: Arc::new(gateway.clone()), simulated: false }
    }
}

impl fmt::Debug for Providers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Providers").finish_non_exhaustive()
    }
}

/// What a provider answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<T> {
    /// The data.
    pub data: T,
    /// The time that the data are of.
    pub at: UtcTime,
    /// How long ago that was.
    pub age: Duration,
    /// How long they stay fresh, from now on.
    pub fresh_for: Duration,
    /// Which real provider they come from.
    pub provider: Option<ProviderName>,
    /// Why they are older than they should be, in a sentence without a full stop.
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
    /// A parameter has a value that the provider does not know.
    #[error("parameter \"{name}\" must be {must}")]
    Parameter {
        /// Its name in the interface.
        name: &'static str,
        /// What it must be.
        must: String,
    },
    /// Nobody serves the operation; the sentence says what would.
    #[error("{0}")]
    Unsupported(String),
    /// All that could answer fail at present.
    #[error("{reason}")]
    Unavailable {
        /// Why.
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
