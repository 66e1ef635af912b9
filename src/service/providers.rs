//! Where the service's answers come from.
//!
//! One trait for each group of the interface: [`MarketProvider`] and [`IndexerProvider`]. A route reads the
//! parameters, asks a provider, and writes the model that comes back as JSON. A provider knows nothing of HTTP
//! parameters or JSON shapes; a route knows nothing of where its data come from.
//!
//! To add a provider, implement the operations that it serves; all others answer [`ProviderError::Unsupported`].

mod demo;
mod indexer;
mod market;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::model::UtcTime;

pub use demo::DemoProvider;
pub use indexer::{
    ActivityQuery, BalancesQuery, BlockRef, Content, IndexerProvider, IndexerStatus, InscriptionLocation,
    InscriptionOrder, InscriptionTransfer, InscriptionsQuery, PageQuery, TokenOrder, TokensQuery,
};
pub use market::{CoinPairs, CoinsQuery, MarketProvider, SeriesQuery};

use super::options::TimeSource;

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
    /// How long they stay fresh.
    pub fresh_for: Duration,
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
    /// The provider does not serve the operation.
    #[error("No provider for this operation")]
    Unsupported,
}

/// The result of one operation.
pub type ProviderResult<T> = Result<Answer<T>, ProviderError>;
