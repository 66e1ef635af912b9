//! The traits that real providers implement. A provider builds a request, sends it through its [`Upstream`], and maps
//! the response to the model. Caching, rate limits and fallback are up to the gateway.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jiff::ToSpan as _;
use jiff::civil::Date;

use super::coin_ref::CoinRef;
use crate::model::historical_rate::MAX_DAYS_SINCE;
use crate::model::{
    Activity, Balance, BitcoinBalance, Brc20Token, Coin, CoinName, Currency, Decimal, ExchangeCandles, Fees, Holder,
    Inscription, InscriptionRef, InscriptionStat, MarketPair, Page, Period, Point, Post, PostOrder, ProviderName,
    SatNumber, Tag, Text,
};
use crate::service::backend::indexer::{
    ActivityQuery, BalancesQuery, BlockRef, Content, InscriptionLocation, InscriptionTransfer, InscriptionsQuery,
    PageQuery, TokensQuery,
};
use crate::service::operation::Operation;
use crate::service::upstream::Upstream;
use crate::service::upstream::error::{SourceError, SourceResult};
use crate::service::upstream::settings::ResolvedSettings;

/// A provider's server for operations that need a key.
#[derive(Clone)]
pub struct Keyed {
    /// The server.
    pub upstream: Upstream,
    /// Its operations.
    pub operations: Vec<Operation>,
    /// Path and query of a cheap request that shows whether the key works.
    pub test_path: Cow<'static, str>,
}

/// A real provider and its operations. An operation is served if it is in `operations` and the source implements it.
#[derive(Clone)]
pub struct Provider {
    /// The provider's name.
    pub name: ProviderName,
    /// The operations that it serves. Those that need a key are included only if there is one.
    pub operations: Vec<Operation>,
    /// Minimum freshness of its data.
    pub fresh_at_least: Duration,
    /// Path and query of a cheap request that shows whether it works.
    pub test_path: Cow<'static, str>,
    /// Its server.
    pub upstream: Option<Upstream>,
    /// A separate server for operations that need a key.
    pub keyed: Option<Keyed>,
    /// The provider whose coin ids it uses; `None` if it uses other names.
    pub coin_ids: Option<ProviderName>,
    /// Coins, pairs, charts.
    pub market: Arc<dyn MarketSource>,
    /// Posts.
    pub posts: Arc<dyn PostSource>,
    /// BRC-20, inscriptions, sats.
    pub indexer: Arc<dyn IndexerSource>,
    /// Exchange rates.
    pub rates: Arc<dyn RateSource>,
    /// Blocks, fees and bitcoin balances.
    pub blocks: Arc<dyn BlockSource>,
}

impl Provider {
    /// A provider without operations.
    pub fn new(settings: &ResolvedSettings, upstream: Upstream) -> Provider {
        Provider {
            upstream: Some(upstream),
            fresh_at_least: settings.fresh_at_least,
            ..Provider::without_server(settings.name)
        }
    }

    /// The same provider, tested by a request for this path and query.
    #[must_use]
    pub fn tested_by(self, path: impl Into<Cow<'static, str>>) -> Provider {
        Provider { test_path: path.into(), ..self }
    }

    /// A provider without a server and without operations.
    pub fn without_server(name: ProviderName) -> Provider {
        let unsupported = Arc::new(Unsupported);
        Provider {
            name,
            test_path: Cow::Borrowed("/"),
            operations: Vec::new(),
            fresh_at_least: Duration::ZERO,
            upstream: None,
            keyed: None,
            coin_ids: None,
            market: unsupported.clone(),
            posts: unsupported.clone(),
            indexer: unsupported.clone(),
            rates: unsupported.clone(),
            blocks: unsupported,
        }
    }

    /// All upstreams.
    pub fn upstreams(&self) -> impl Iterator<Item = &Upstream> {
        self.upstream.iter().chain(self.keyed.iter().map(|keyed| &keyed.upstream))
    }

    /// An operation of each of its servers.
    pub fn operations_by_server(&self) -> impl Iterator<Item = Operation> {
        let keyless = self.operations.iter().find(|operation| !self.is_keyed(**operation));
        let keyed = self.operations.iter().find(|operation| self.is_keyed(**operation));
        keyless.into_iter().chain(keyed).copied()
    }

    /// The upstream for an operation.
    pub fn upstream_for(&self, operation: Operation) -> Option<&Upstream> {
        let keyed = self.keyed.as_ref().filter(|_| self.is_keyed(operation));
        keyed.map(|keyed| &keyed.upstream).or(self.upstream.as_ref())
    }

    /// Whether an operation uses the separate server for operations that need a key.
    pub fn is_keyed(&self, operation: Operation) -> bool {
        self.keyed.as_ref().is_some_and(|keyed| keyed.operations.contains(&operation))
    }

    /// Sets the provider whose coin ids it uses.
    #[must_use]
    pub fn with_coin_ids(mut self, name: ProviderName) -> Provider {
        self.coin_ids = Some(name);
        self
    }

    /// Adds operations that need a key, with a separate server.
    #[must_use]
    pub fn with_keyed(mut self, keyed: Keyed) -> Provider {
        self.operations.extend_from_slice(&keyed.operations);
        self.keyed = Some(keyed);
        self
    }

    /// Adds operations of the market group.
    #[must_use]
    pub fn with_market(mut self, source: Arc<dyn MarketSource>, operations: &[Operation]) -> Provider {
        self.market = source;
        self.operations.extend_from_slice(operations);
        self
    }

    /// Adds live prices. The gateway opens the socket.
    #[must_use]
    pub fn with_ticker(mut self) -> Provider {
        self.operations.push(Operation::Ticker);
        self
    }

    /// Adds posts.
    #[must_use]
    pub fn with_posts(mut self, source: Arc<dyn PostSource>) -> Provider {
        self.posts = source;
        self.operations.push(Operation::Posts);
        self
    }

    /// Adds operations of the indexer group.
    #[must_use]
    pub fn with_indexer(mut self, source: Arc<dyn IndexerSource>, operations: &[Operation]) -> Provider {
        self.indexer = source;
        self.operations.extend_from_slice(operations);
        self
    }

    /// Adds exchange rates.
    #[must_use]
    pub fn with_rates(mut self, source: Arc<dyn RateSource>) -> Provider {
        self.rates = source;
        self.operations.push(Operation::Fiat);
        self
    }

    /// Adds blocks, fees and bitcoin balances.
    #[must_use]
    pub fn with_blocks(mut self, source: Arc<dyn BlockSource>) -> Provider {
        self.blocks = source;
        self.operations.extend([Operation::Block, Operation::BitcoinBalance]);
        self
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Provider { name, operations, .. } = self;
        f.debug_struct("Provider").field("name", name).field("operations", operations).finish_non_exhaustive()
    }
}

/// A source without operations.
struct Unsupported;

impl MarketSource for Unsupported {}
impl PostSource for Unsupported {}
impl IndexerSource for Unsupported {}
impl RateSource for Unsupported {}
impl BlockSource for Unsupported {}

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

/// A time further ahead is wrong: a candle lasts up to a week, and clocks differ by less than a day.
pub(in crate::service) const MAX_AHEAD: Duration = Duration::from_hours(8 * 24);

/// Coins, pairs and charts. Money is in US dollars.
///
/// Returned coins carry the provider's id in [`Coin::id`] and its slug, if any, in [`Coin::slug`].
#[async_trait]
pub trait MarketSource: Send + Sync {
    /// [`Operation::Coins`], [`Operation::Tagged`]: the coins of a tag from `offset` on, at least `limit` if there are
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
    async fn find(&self, _lookup: &CoinLookup) -> SourceResult<Vec<Coin>> {
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

/// [`Operation::Posts`].
#[async_trait]
pub trait PostSource: Send + Sync {
    /// Posts about a coin, top or latest first. Each contains the cashtag or the coin's name as a word.
    async fn posts(&self, _coin: &CoinRef, _order: PostOrder) -> SourceResult<Vec<Post>> {
        Err(SourceError::unsupported())
    }
}

/// [`Operation::Brc20`] and [`Operation::Inscriptions`], with the queries of
/// [`IndexerProvider`](crate::service::backend::indexer::IndexerProvider). Sat properties are computed, not fetched.
#[async_trait]
pub trait IndexerSource: Send + Sync {
    /// BRC-20 tokens.
    async fn tokens(&self, _query: &TokensQuery, _page: PageQuery) -> SourceResult<Page<Brc20Token>> {
        Err(SourceError::unsupported())
    }

    /// One BRC-20 token.
    async fn token(&self, _ticker: &str) -> SourceResult<Brc20Token> {
        Err(SourceError::unsupported())
    }

    /// Holders of a token, largest balance first.
    async fn holders(&self, _ticker: &str, _page: PageQuery) -> SourceResult<Page<Holder>> {
        Err(SourceError::unsupported())
    }

    /// BRC-20 balances of an address.
    async fn balances(&self, _query: &BalancesQuery, _page: PageQuery) -> SourceResult<Page<Balance>> {
        Err(SourceError::unsupported())
    }

    /// BRC-20 events, newest first.
    async fn activity(&self, _query: &ActivityQuery, _page: PageQuery) -> SourceResult<Page<Activity>> {
        Err(SourceError::unsupported())
    }

    /// The latest inscription on a sat.
    async fn inscription_on(&self, _number: SatNumber) -> SourceResult<Option<Text>> {
        Err(SourceError::unsupported())
    }

    /// Inscriptions on a sat, highest number first.
    async fn sat_inscriptions(&self, _number: SatNumber, _page: PageQuery) -> SourceResult<Page<Inscription>> {
        Err(SourceError::unsupported())
    }

    /// Inscriptions that match all filters.
    async fn inscriptions(&self, _query: &InscriptionsQuery, _page: PageQuery) -> SourceResult<Page<Inscription>> {
        Err(SourceError::unsupported())
    }

    /// One inscription.
    async fn inscription(&self, _inscription: &InscriptionRef) -> SourceResult<Inscription> {
        Err(SourceError::unsupported())
    }

    /// The content of an inscription.
    async fn content(&self, _inscription: &InscriptionRef) -> SourceResult<Content> {
        Err(SourceError::unsupported())
    }

    /// Locations of an inscription, newest first.
    async fn locations(
        &self,
        _inscription: &InscriptionRef,
        _page: PageQuery,
    ) -> SourceResult<Page<InscriptionLocation>> {
        Err(SourceError::unsupported())
    }

    /// Inscriptions that moved in a block.
    async fn transfers(&self, _block: &BlockRef, _page: PageQuery) -> SourceResult<Page<InscriptionTransfer>> {
        Err(SourceError::unsupported())
    }

    /// Inscriptions per block between two heights (inclusive), newest block first.
    async fn inscription_stats(&self, _from: Option<u64>, _to: Option<u64>) -> SourceResult<Vec<InscriptionStat>> {
        Err(SourceError::unsupported())
    }

    /// Clears cached blocks after a chain reorganisation.
    fn clear_blocks(&self) {}
}

/// Exchange rates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rates {
    /// Units of each currency per US dollar.
    pub per_dollar: BTreeMap<Currency, f64>,
    /// The day of the newest rate, if known.
    pub day: Option<Date>,
}

/// Units of a currency per euro by day, as decimal text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RateHistory(pub BTreeMap<Date, Text>);

impl RateHistory {
    /// The rates that are positive decimals.
    pub fn of(rates: impl IntoIterator<Item = (Date, Decimal)>) -> RateHistory {
        let rates = rates.into_iter().filter(|(_, rate)| *rate > Decimal::default());
        RateHistory(rates.map(|(day, rate)| (day, Text::from(rate.to_string()))).collect())
    }
}

/// The first day whose rate may still apply on the first of these days.
pub fn first_day(days: &RangeInclusive<Date>) -> Date {
    Date::constant(1999, 1, 1).max(days.start().saturating_sub(MAX_DAYS_SINCE.days()))
}

/// [`Operation::Fiat`].
#[async_trait]
pub trait RateSource: Send + Sync {
    /// All rates of the provider.
    async fn rates(&self) -> SourceResult<Rates> {
        Err(SourceError::unsupported())
    }

    /// The rates of a currency on these days, and on the last days before them.
    async fn history(&self, _currency: &Currency, _days: RangeInclusive<Date>) -> SourceResult<RateHistory> {
        Err(SourceError::unsupported())
    }
}

/// The newest block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainTip {
    /// Its height.
    pub height: u64,
    /// Its hash, if known.
    pub hash: Option<Text>,
}

/// How a socket announces blocks.
#[derive(Clone, Copy, Debug)]
pub struct BlockAnnouncer {
    /// The messages that subscribe to new blocks.
    pub subscribe: &'static [&'static str],
    /// Reads the newest block of a message, if it has one.
    pub read: fn(&str) -> Option<ChainTip>,
}

/// [`Operation::Block`] and [`Operation::BitcoinBalance`].
#[async_trait]
pub trait BlockSource: Send + Sync {
    /// How its socket announces blocks; `None` if it has none.
    fn announcer(&self) -> Option<BlockAnnouncer> {
        None
    }

    /// The newest block. Its hash may be missing at first and follow with a later call.
    async fn tip(&self) -> SourceResult<ChainTip> {
        Err(SourceError::unsupported())
    }

    /// Fee rates.
    async fn fees(&self) -> SourceResult<Fees> {
        Err(SourceError::unsupported())
    }

    /// The bitcoin balance of an address in its canonical form.
    async fn balance(&self, _address: &str) -> SourceResult<BitcoinBalance> {
        Err(SourceError::unsupported())
    }

    /// The hash of the block at a height.
    async fn hash_at(&self, _height: u64) -> SourceResult<Text> {
        Err(SourceError::unsupported())
    }
}
