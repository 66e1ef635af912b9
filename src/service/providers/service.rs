//! Another service with satscope's HTTP interface, such as a team's `satscope serve`. Requests are forwarded unchanged.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;

use super::coin_ref::CoinRef;
use super::defaults::ProviderDefaults;
use super::expect::decode;
use super::hiro::{Hiro, check_origin};
use super::info::ProviderInfo;
use super::post_topic::PostTopic;
use super::source::{
    BlockSource, ChainTip, ChartPrices, CoinLookup, CoinSlice, FoundCoins, MarketSource, PostSource, Provider,
};
use super::url::segment;
use crate::client::{ClientConfig, Request, ResponseData, endpoint};
use crate::model::{
    BitcoinBalance, ChainState, Chart, Coin, CoinId, CoinName, Currency, Fees, MarketPair, MarketSeries, Page, Period,
    Point, Post, PostOrder, ProviderName, Tag, Text, VolumeSpan, interval,
};
use crate::service::operation::Operation;
use crate::service::upstream::budget::RequestBudget;
use crate::service::upstream::error::{SourceError, SourceResult};
use crate::service::upstream::settings::ResolvedSettings;
use crate::service::upstream::{Response, Upstream};

/// Maximum symbols per lookup.
const MAX_SYMBOLS: usize = 50;

struct Service {
    upstream: Upstream,
    /// Configures the paths of the operations.
    config: ClientConfig,
    /// Configures the paths of another satscope service, which selects one of the coins of a symbol by its slug.
    own_config: ClientConfig,
    /// Whether a response shows that the server is satscope.
    is_own: AtomicBool,
}

/// URLs, limits and key benefits.
pub(super) const INFO: ProviderInfo = ProviderInfo {
    is_service: true,
    benefit: Some("Another satscope server adds its data (set providers.service.base_url)"),
    ..ProviderInfo::new(ProviderName::Service, provider, ProviderDefaults::OWN_SERVER)
};

/// The provider.
pub(super) fn provider(settings: &ResolvedSettings, budget: RequestBudget) -> Provider {
    let key = |key: &str| ("authorization", format!("Bearer {key}"));
    let upstream = Upstream::new(settings.clone(), key, budget, |_| None);
    let indexer = Arc::new(Hiro::new(upstream.clone(), settings));
    let config = ClientConfig::at(settings.base_url.as_deref().unwrap_or_default());
    let own_config = ClientConfig { is_own_market: true, ..config.clone() };
    let source = Arc::new(Service { upstream: upstream.clone(), config, own_config, is_own: AtomicBool::new(false) });
    Provider::new(settings, upstream)
        .tested_by("/coins?start=1&limit=1")
        .with_market(
            Arc::clone(&source) as _,
            &[Operation::Coins, Operation::Tagged, Operation::Pairs, Operation::Chart, Operation::Series],
        )
        .with_posts(Arc::clone(&source) as _)
        .with_blocks(source)
        .with_indexer(indexer, &[Operation::Brc20, Operation::Inscriptions])
}

#[async_trait]
impl MarketSource for Service {
    async fn coins(&self, tag: Tag, offset: usize, limit: usize) -> SourceResult<CoinSlice> {
        let mut slice = CoinSlice { offset, coins: Vec::new(), is_end: false, total: None };
        let (mut page_len, mut received, mut known) = (None, 0, HashSet::new());
        // A page may contain fewer coins than requested.
        while slice.coins.len() < limit && !slice.is_end {
            let start = offset.saturating_add(received).saturating_add(1);
            let wanted = limit - slice.coins.len();
            let request = Request::Coins {
                tag,
                start: u32::try_from(start).unwrap_or(u32::MAX),
                limit: u32::try_from(wanted).unwrap_or(u32::MAX),
                convert: Currency::usd(),
            };
            let ResponseData::Coins(Page { items, total }) = self.request(&request).await? else {
                return Err(SourceError::unexpected_format("expected a list of coins"));
            };
            let len = items.len();
            slice.total = total.or(slice.total);
            received += len;
            let before = slice.coins.len();
            // Ranks may change between two pages.
            slice.coins.extend(items.into_iter().filter(|coin| known.insert(coin.id.clone())));
            // The server ignores `start`, or has no more coins.
            let has_new = slice.coins.len() > before;
            let reached = offset.saturating_add(received) as u64;
            slice.is_end = match slice.total {
                Some(total) => !has_new || reached >= total,
                // The first page shows how many coins the server sends at once, which may be fewer than requested.
                None => !has_new || page_len.is_some_and(|page_len| len < wanted.min(page_len)),
            };
            page_len = page_len.or(Some(len));
        }
        Ok(slice)
    }

    async fn coins_by_id(&self, ids: &[Text]) -> SourceResult<Vec<Coin>> {
        let ids: Vec<String> = ids.iter().map(|id| segment(id).to_string()).collect();
        let response = self.get(&format!("/coins?ids={}", ids.join(","))).await?;
        let request = Request::Coins { tag: Tag::All, start: 1, limit: u32::MAX, convert: Currency::usd() };
        decode!(response, request, Coins).map(|page| page.items)
    }

    /// The coins of symbols, from a day's prices of each. The interface can't look up slugs.
    async fn find(&self, lookup: &CoinLookup) -> SourceResult<FoundCoins> {
        let CoinLookup::Symbols(symbols) = lookup else { return Err(SourceError::unsupported()) };
        let interval = interval::name(Duration::from_hours(1));
        let request = Request::MarketData { symbols: symbols.clone(), convert: Currency::usd(), count: 24, interval };
        let ResponseData::Market(all) = self.request(&request).await? else {
            return Err(SourceError::unexpected_format("no series"));
        };
        let coin = |MarketSeries { id, name, symbol, slug, points, .. }: MarketSeries| {
            // As in lists.
            let id = id.or_else(|| slug.clone())?;
            let name = name.unwrap_or_else(|| symbol.clone());
            let market_cap = points.iter().rev().find_map(|point| point.market_cap);
            Some(Coin { slug, market_cap, ..Coin::new(CoinId(id), name, symbol) })
        };
        Ok(all.into_iter().filter_map(coin).collect::<Vec<Coin>>().into())
    }

    fn max_symbols(&self) -> usize {
        MAX_SYMBOLS
    }

    async fn names(&self) -> SourceResult<Vec<CoinName>> {
        self.get(endpoint::NAMES).await?.json()
    }

    async fn market_pairs(&self, coin: &CoinRef) -> SourceResult<Page<MarketPair>> {
        let slug = Some(coin.slug_at_service().clone());
        let request = Request::MarketPairs { symbol: coin.symbol.clone(), slug, convert: Currency::usd() };
        match self.request(&request).await? {
            ResponseData::MarketPairs(pairs) => Ok(pairs),
            _ => Err(SourceError::unexpected_format("no market pairs")),
        }
    }

    async fn chart(&self, coin: &CoinRef, period: Period) -> SourceResult<ChartPrices> {
        let request = Request::Chart { slug: coin.slug_at_service().clone(), period, convert: Currency::usd() };
        match self.request(&request).await? {
            ResponseData::Chart(Chart { points, volume_span, candles, .. }) => {
                Ok(ChartPrices { points: without_candle_volumes(points, volume_span), candles })
            }
            _ => Err(SourceError::unexpected_format("no chart")),
        }
    }

    async fn series(&self, coins: &[CoinRef], count: usize, interval: Duration) -> SourceResult<Vec<ChartPrices>> {
        let request = Request::MarketData {
            symbols: coins.iter().map(|coin| coin.symbol.clone()).collect(),
            convert: Currency::usd(),
            count: u32::try_from(count).unwrap_or(u32::MAX),
            interval: interval::name(interval),
        };
        let ResponseData::Market(all) = self.request(&request).await? else {
            return Err(SourceError::unexpected_format("no series"));
        };
        let prices = |series: &MarketSeries| ChartPrices {
            points: without_candle_volumes(series.points.clone(), series.volume_span),
            candles: series.candles.clone(),
        };
        let of = |coin: &CoinRef| all.iter().find(|series| is_of(series, coin));
        Ok(coins.iter().map(|coin| of(coin).map(prices).unwrap_or_default()).collect())
    }
}

#[async_trait]
impl PostSource for Service {
    async fn posts(&self, topic: &PostTopic, order: PostOrder) -> SourceResult<Vec<Post>> {
        let PostTopic { coin, .. } = topic;
        let slug = Some(coin.slug_at_service().clone());
        match self.request(&Request::Posts { symbol: coin.symbol.clone(), slug, order }).await? {
            ResponseData::Posts(posts) => Ok(posts.items),
            _ => Err(SourceError::unexpected_format("no posts")),
        }
    }

    fn distinguishes_coins(&self) -> bool {
        true
    }
}

#[async_trait]
impl BlockSource for Service {
    async fn tip(&self) -> SourceResult<ChainTip> {
        let ChainState { height, hash, .. } = self.get(endpoint::CHAIN).await?.json()?;
        Ok(ChainTip { height, hash })
    }

    async fn fees(&self) -> SourceResult<Fees> {
        let ChainState { fees, .. } = self.get(endpoint::CHAIN).await?.json()?;
        Ok(fees.unwrap_or_default())
    }

    async fn balance(&self, address: &str) -> SourceResult<BitcoinBalance> {
        match self.request(&Request::BitcoinBalance { address: Text::from(address) }).await? {
            ResponseData::BitcoinBalance(balance) => Ok(balance),
            _ => Err(SourceError::unexpected_format("no balance")),
        }
    }
}

impl Service {
    async fn get(&self, path: &str) -> SourceResult<Response> {
        let response = self.upstream.get(path).await?;
        check_origin(&response)?;
        if response.is_of_own_service() {
            self.is_own.store(true, Ordering::Relaxed);
        }
        Ok(response)
    }

    /// Sends a request: for one of the coins of a symbol once more if its response is the first one that shows that the
    /// server can select it.
    async fn request(&self, request: &Request) -> SourceResult<ResponseData> {
        let is_own = || self.is_own.load(Ordering::Relaxed);
        if !is_own() {
            let outcome = self.request_as(&self.config, request).await;
            if !is_own() || !request.selects_by_slug() {
                return outcome;
            }
        }
        self.request_as(&self.own_config, request).await
    }

    async fn request_as(&self, config: &ClientConfig, request: &Request) -> SourceResult<ResponseData> {
        let path = endpoint::path_and_query(config, request).map_err(SourceError::from)?;
        self.get(&path).await?.decode_data(request)
    }
}

/// Removes candle volumes, since our own service sends only 24-hour volumes.
fn without_candle_volumes(mut points: Vec<Point>, span: VolumeSpan) -> Vec<Point> {
    if span != VolumeSpan::Day {
        points.iter_mut().for_each(|point| point.volume = None);
    }
    points
}

/// Whether a series belongs to a coin. Several coins can share a symbol.
fn is_of(series: &MarketSeries, coin: &CoinRef) -> bool {
    match (&series.slug, &series.id) {
        (Some(slug), _) => slug == coin.slug_at_service(),
        (None, Some(id)) => *id == coin.at_service.as_ref().map_or(&coin.id.0, |names| &names.id).as_str(),
        (None, None) => false,
    }
}
