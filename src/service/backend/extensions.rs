//! The extensions of our own service: the newest block, live prices, the names of all coins, and the state of the
//! providers.

use async_trait::async_trait;
use futures_util::stream::BoxStream;

use crate::model::{ChainState, CoinId, CoinName, Currency, PriceUpdate, Source};
use crate::service::answer::{ProviderError, ProviderResult};

/// Live prices, until the stream is dropped.
pub type PriceStream = BoxStream<'static, PriceUpdate>;

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

    /// Live prices of coins, from an exchange; `None` if no exchange in use lists any of them.
    async fn prices(&self, _ids: &[CoinId], _convert: &Currency) -> Result<Option<PriceStream>, ProviderError> {
        Err(ProviderError::unsupported())
    }

    /// The providers and their state.
    async fn sources(&self) -> Vec<Source>;
}
