//! The market group: coins, posts, market pairs, charts.

use async_trait::async_trait;

use crate::model::{Chart, Coin, CoinId, Currency, MarketPair, MarketSeries, Page, Period, Post, PostOrder, Tag, Text};
use crate::service::provider_response::{ProviderError, ProviderResult};

/// A source of market data. By default, every operation returns [`ProviderError::Unsupported`].
#[async_trait]
pub trait MarketProvider: Send + Sync {
    /// `/coins`: a page of the coins of a tag, by rank.
    async fn coins(&self, _query: CoinsQuery) -> ProviderResult<Page<Coin>> {
        Err(ProviderError::unsupported())
    }

    /// `/coins?ids=`: the coins with these ids, in the order of the ids. Unknown ids are left out.
    async fn coins_by_id(&self, _ids: &[CoinId], _convert: &Currency) -> ProviderResult<Page<Coin>> {
        Err(ProviderError::unsupported())
    }

    /// `/coins/stats`: all coins of a tag with 7-day sparklines.
    async fn stats(&self, _tag: Tag, _convert: &Currency) -> ProviderResult<Page<Coin>> {
        Err(ProviderError::unsupported())
    }

    /// `/content`: posts about the coins of a symbol (case-insensitive), or only about the coin with the slug, top or
    /// latest first.
    async fn posts(&self, _symbol: &str, _slug: Option<&str>, _order: PostOrder) -> ProviderResult<Vec<Post>> {
        Err(ProviderError::unsupported())
    }

    /// `/exchanges`: market pairs of each coin of a symbol (case-insensitive), or only of the coin with the slug,
    /// largest volume first.
    async fn market_pairs(
        &self,
        _symbol: &str,
        _slug: Option<&str>,
        _convert: &Currency,
    ) -> ProviderResult<Vec<CoinPairs>> {
        Err(ProviderError::unsupported())
    }

    /// `/chart`: the chart of one coin.
    async fn chart(&self, _slug: &str, _period: Period, _convert: &Currency) -> ProviderResult<Chart> {
        Err(ProviderError::unsupported())
    }

    /// `/market/data`: series of all coins with one of the symbols. Unknown symbols are skipped.
    async fn series(&self, _query: SeriesQuery) -> ProviderResult<Vec<MarketSeries>> {
        Err(ProviderError::unsupported())
    }
}

/// A page of `/coins`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CoinsQuery {
    /// The tag; [`Tag::All`] for the list of all coins.
    pub tag: Tag,
    /// Coins before the page.
    pub offset: usize,
    /// Maximum coins on the page.
    pub limit: usize,
    /// Currency of all prices.
    pub convert: Currency,
}

/// A request of `/market/data`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SeriesQuery {
    /// Symbols (case-insensitive).
    pub symbols: Vec<String>,
    /// Currency of all prices.
    pub convert: Currency,
    /// Maximum points per series.
    pub count: usize,
    /// Step between points, such as `5m` or `daily`.
    pub interval: String,
}

/// A coin and its market pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct CoinPairs {
    /// Identity; `None` if no list had the coin.
    pub id: Option<CoinId>,
    /// Display name.
    pub name: Text,
    /// Ticker; not unique.
    pub symbol: Text,
    /// Key for `/chart`.
    pub slug: Option<Text>,
    /// The number of all its market pairs, if known: the list may have only the largest.
    pub total: Option<u64>,
    /// Market pairs, largest volume first.
    pub pairs: Vec<MarketPair>,
}
