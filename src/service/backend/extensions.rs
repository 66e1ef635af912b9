//! The extensions of our own service: the newest block, the names of all coins, and the state of the
//! providers.

use async_trait::async_trait;

use crate::model::{ChainState, CoinName, Source};
use crate::service::answer::{ProviderError, ProviderResult};

/// A source of the data of `/x/…`.
#[async_trait]
pub trait ExtensionProvider: Send + Sync {
    /// The newest block and fee rates.
    async fn chain(&self) -> ProviderResult<ChainState> {
        Err(ProviderError::unsupported())
    }

    /// The names of all coins, by rank.
    async fn names(&self) -> ProviderResult<Vec<CoinName>> {
        Err(ProviderError::unsupported())
    }

    /// A number that changes with the cached data; `None` if answers depend on the time.
    fn data_version(&self) -> Option<u64> {
        None
    }

    /// The providers and their state.
    async fn sources(&self) -> Vec<Source>;
}
