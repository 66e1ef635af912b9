//! The extensions of our own service: the newest block, bitcoin balances, live prices, the names of all coins, past
//! exchange rates, and the state of the providers.

use std::collections::HashMap;

use async_trait::async_trait;
use futures_util::stream::BoxStream;
use jiff::civil::Date;

use crate::model::{
    BitcoinBalance, ChainState, CoinId, CoinName, Currency, HistoricalRate, PriceUpdate, ProviderName, Source, Text,
};
use crate::service::data_version::DataVersions;
use crate::service::provider_response::{ProviderError, ProviderResult};

/// Live prices, until the stream is dropped.
pub type PriceStream = BoxStream<'static, PriceUpdate>;

/// A source of the data of `/x/…`.
#[async_trait]
pub trait ExtensionProvider: Send + Sync {
    /// The newest block and fee rates.
    async fn chain(&self) -> ProviderResult<ChainState> {
        Err(ProviderError::unsupported())
    }

    /// The bitcoin balance of an address in its canonical form.
    async fn bitcoin_balance(&self, _address: &str) -> ProviderResult<BitcoinBalance> {
        Err(ProviderError::unsupported())
    }

    /// The names of all coins, by rank.
    async fn names(&self) -> ProviderResult<Vec<CoinName>> {
        Err(ProviderError::unsupported())
    }

    /// The slugs of coins at providers that differ from those in the list of names, by the ids of the coins.
    fn coin_aliases(&self) -> HashMap<Text, Vec<Text>> {
        HashMap::new()
    }

    /// Exchange rates of past days, at most [`MAX_DAYS`](crate::model::historical_rate::MAX_DAYS) of them, from at most
    /// [`MAX_CURRENCIES`](crate::model::historical_rate::MAX_CURRENCIES). Unknown ones are left out.
    async fn historical_rates(
        &self,
        _days: &[Date],
        _from: &[Currency],
        _to: &Currency,
    ) -> ProviderResult<Vec<HistoricalRate>> {
        Err(ProviderError::unsupported())
    }

    /// The currencies of prices; `None` if they depend on the exchange rates of the providers.
    fn currencies(&self) -> Option<Vec<&'static str>> {
        None
    }

    /// The versions of the data; `None` if responses may change at any time.
    fn data_versions(&self) -> Option<DataVersions> {
        None
    }

    /// Requests sent to each provider so far.
    fn upstream_requests(&self) -> Vec<(ProviderName, u64)> {
        Vec::new()
    }

    /// Live prices of coins, from an exchange; `None` if no exchange in use lists any of them.
    async fn prices(&self, _ids: &[CoinId], _convert: &Currency) -> Result<Option<PriceStream>, ProviderError> {
        Err(ProviderError::unsupported())
    }

    /// The providers and their state.
    async fn sources(&self) -> Vec<Source>;
}
