//! Coins, pairs, charts and series.

use std::collections::HashMap;
use std::time::Duration;

use async_trait::async_trait;

use crate::model::{Coin, CoinName, ExchangeCandles, MarketPair, Page, Period, Point, Tag, Text};
#[cfg(doc)]
use crate::service::operation::Operation;
use crate::service::providers::coin_ref::CoinRef;
use crate::service::upstream::error::{SourceError, SourceResult};

/// A slice of a list of coins.
#[derive(Clone, Debug, PartialEq)]
pub struct CoinSlice {
    /// Index of the first coin in the list.
    pub offset: usize,
    /// The coins by rank, possibly more or fewer than requested.
    pub coins: Vec<Coin>,
    /// Whether this is the end of the list.
    pub is_end: bool,
    /// Length of the whole list, if known.
    pub total: Option<u64>,
}

/// The prices of a coin over a period, or a series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChartPrices {
    /// The points, oldest first.
    pub points: Vec<Point>,
    /// The candles of the exchange that the points come from.
    pub candles: Option<ExchangeCandles>,
}

impl From<Vec<Point>> for ChartPrices {
    fn from(points: Vec<Point>) -> ChartPrices {
        ChartPrices { points, candles: None }
    }
}

/// A trading pair quoted in USDT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsdtPair {
    /// Base asset, such as `1000SATS`.
    pub base: Text,
    /// Symbol of the pair, such as `1000SATSUSDT`.
    pub symbol: Text,
}

/// A key to look up coins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CoinLookup {
    /// The provider's slug.
    Slug(Text),
    /// One or more symbols (case-insensitive), at most [`MarketSource::max_symbols`].
    Symbols(Vec<Text>),
}

/// The coins of a lookup.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundCoins {
    /// The coins.
    pub coins: Vec<Coin>,
    /// Whether there may be more coins, so that each half of the symbols has to be looked up alone.
    pub is_partial: bool,
}

impl From<Vec<Coin>> for FoundCoins {
    fn from(coins: Vec<Coin>) -> FoundCoins {
        FoundCoins { coins, is_partial: false }
    }
}

/// A time further ahead is wrong: a candle lasts up to a week, and clocks differ by less than a day.
pub(in crate::service) const MAX_AHEAD: Duration = Duration::from_hours(8 * 24);

/// Coins, pairs and charts. Money is in US dollars.
///
/// Returned coins carry the provider's id in [`Coin::id`] and its slug, if any, in [`Coin::slug`].
#[async_trait]
pub trait MarketSource: Send + Sync {
    /// [`Operation::Coins`], [`Operation::Tagged`]: the coins of a tag, starting at `offset`, at least `limit` if there are
    /// as many. `offset` is a multiple of `limit`.
    async fn coins(&self, _tag: Tag, _offset: usize, _limit: usize) -> SourceResult<CoinSlice> {
        Err(SourceError::unsupported())
    }

    /// The USDT pairs of an exchange that can be traded now.
    async fn usdt_pairs(&self) -> SourceResult<Vec<UsdtPair>> {
        Err(SourceError::unsupported())
    }

    /// The last prices of an exchange's pairs by symbol, USDT pairs or all of them.
    async fn pair_prices(&self) -> SourceResult<HashMap<Text, f64>> {
        Err(SourceError::unsupported())
    }

    /// The coins of a slug or of symbols, with names and market caps. A provider without slugs looks up its ids.
    async fn find(&self, _lookup: &CoinLookup) -> SourceResult<FoundCoins> {
        Err(SourceError::unsupported())
    }

    /// Maximum symbols per [`MarketSource::find`].
    fn max_symbols(&self) -> usize {
        1
    }

    /// [`Operation::Coins`]: the coins with these ids of the provider, in any order. Unknown ids are left out.
    async fn coins_by_id(&self, _ids: &[Text]) -> SourceResult<Vec<Coin>> {
        Err(SourceError::unsupported())
    }

    /// Whether [`MarketSource::coins_by_id`] downloads only the requested coins. Otherwise it returns all coins for any
    /// ids.
    fn has_id_filter(&self) -> bool {
        true
    }

    /// [`Operation::Coins`]: ids, names, symbols, slugs and ranks of all coins, in any order.
    async fn names(&self) -> SourceResult<Vec<CoinName>> {
        Err(SourceError::unsupported())
    }

    /// [`Operation::Details`]: links, contracts and tags of coins, in any order; unknown ones are left out.
    async fn details(&self, _coins: &[CoinRef]) -> SourceResult<Vec<Coin>> {
        Err(SourceError::unsupported())
    }

    /// Maximum coins per [`MarketSource::details`] request.
    fn max_details(&self) -> usize {
        1
    }

    /// [`Operation::Pairs`]: the market pairs of a coin.
    async fn market_pairs(&self, _coin: &CoinRef) -> SourceResult<Page<MarketPair>> {
        Err(SourceError::unsupported())
    }

    /// [`Operation::Chart`]: the points of a period, oldest first.
    async fn chart(&self, _coin: &CoinRef, _period: Period) -> SourceResult<ChartPrices> {
        Err(SourceError::unsupported())
    }

    /// [`Operation::Series`]: the last `count` points of each coin, `interval` apart. Returns one entry per coin in the
    /// same order, empty for unknown coins.
    async fn series(&self, _coins: &[CoinRef], _count: usize, _interval: Duration) -> SourceResult<Vec<ChartPrices>> {
        Err(SourceError::unsupported())
    }
}
