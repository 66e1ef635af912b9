//! The market group: coins, posts, market pairs, charts.

use async_trait::async_trait;

use super::{ProviderError, ProviderResult};
use crate::model::{Chart, Coin, CoinId, Currency, MarketPair, MarketSeries, Page, Period, Post, PostOrder, Tag, Text};

/// A source of market data. Every operation has a default that answers [`ProviderError::Unsupported`].
#[async_trait]
pub trait MarketProvider: Send + Sync {
    /// `/coins`: a page of the coins of a tag, by rank.
    async fn coins(&self, _query: CoinsQuery) -> ProviderResult<Page<Coin>> {
        Err(ProviderError::unsupported())
    }

    /// `/coins/stats`: all coins of a tag, each with its prices of seven days.
    async fn stats(&self, _tag: Tag, _convert: &Currency) -> ProviderResult<Page<Coin>> {
        Err(ProviderError::unsupported())
    }

    /// `/content`: posts on the coins of a symbol (in any case), the best or the newest first.
    async fn posts(&self, _symbol: &str, _order: PostOrder) -> ProviderResult<Vec<Post>> {
        Err(ProviderError::unsupported())
    }

    /// `/exchanges`: the market pairs of each coin of a symbol (in any case), the largest volume first.
    async fn market_pairs(&self, _symbol: &str, _convert: &Currency) -> ProviderResult<Vec<CoinPairs>> {
        Err(ProviderError::unsupported())
    }

    /// `/chart`: the chart of one coin.
    async fn chart(&self, _slug: &str, _period: Period, _convert: &Currency) -> ProviderResult<Chart> {
        Err(ProviderError::unsupported())
    }

    /// `/market/data`: the series of all coins that have one of the symbols. Unknown symbols are left out.
    async fn series(&self, _query: SeriesQuery) -> ProviderResult<Vec<MarketSeries>> {
        Err(ProviderError::unsupported())
    }
}

/// A page of `/coins`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CoinsQuery {
    /// Which list.
    pub tag: Tag,
    /// Coins before the page.
    pub offset: usize,
    /// Maximum coins of the page.
    pub limit: usize,
    /// Currency of the money.
    pub convert: Currency,
}

/// A request of `/market/data`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SeriesQuery {
    /// Symbols in any case.
    pub symbols: Vec<String>,
    /// Currency of the money.
    pub convert: Currency,
    /// Maximum points of a series.
    pub count: usize,
    /// Step between points, such as `5m` or `daily`.
    pub interval: String,
}

/// A coin and where it trades.
#[derive(Clone, Debug, PartialEq)]
pub struct CoinPairs {
    /// Identity.
    pub id: CoinId,
    /// Display name.
    pub name: Text,
    /// Ticker; not unique.
    pub symbol: Text,
    /// What `/chart` asks by.
    pub slug: Option<Text>,
    /// Its market pairs, the largest volume first.
    pub pairs: Vec<MarketPair>,
}
