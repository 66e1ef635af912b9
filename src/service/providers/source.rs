//! What a real provider implements. It knows nothing of caches, budgets and fallbacks: it builds a request, sends it
//! through its [`Upstream`], and maps the response to the model.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::ProviderName;
use super::upstream::Upstream;
use super::{
    ActivityQuery, BalancesQuery, BlockRef, Content, InscriptionLocation, InscriptionTransfer, InscriptionsQuery,
    PageQuery, TokensQuery,
};
use crate::model::{
    Activity, Balance, Brc20Token, Coin, Currency, Holder, Inscription, InscriptionRef, InscriptionStat, MarketPair,
    Page, Period, Point, Post, PostOrder, SatNumber, Tag, Text,
};
use crate::service::gateway::{CoinRef, Operation, Resolved, SourceError, SourceResult};

/// A real provider with what it serves. An operation is served where it is listed and its source implements it.
#[derive(Clone)]
pub struct Provider {
    /// Which.
    pub name: ProviderName,
    /// What it serves. An operation that only a key opens is listed where there is a key.
    pub operations: Vec<Operation>,
    /// Its data are fetched again after this at the earliest.
    pub fresh_at_least: Duration,
    /// Its server.
    pub upstream: Option<Upstream>,
    /// The server for what only a key opens, and what that is, where it is another one.
    pub keyed: Option<(Upstream, Vec<Operation>)>,
    /// The provider whose ids of coins it uses; `None` where it uses other names.
    pub ids_of: Option<ProviderName>,
    /// Coins, pairs, charts.
    pub market: Arc<dyn MarketSource>,
    /// Posts.
    pub posts: Arc<dyn PostSource>,
    /// BRC-20, inscriptions, sats.
    pub indexer: Arc<dyn IndexerSource>,
    /// Exchange rates.
    pub rates: Arc<dyn RateSource>,
    /// Blocks and fees.
    pub blocks: Arc<dyn BlockSource>,
}

impl Provider {
    /// A provider that serves nothing yet.
    pub fn new(settings: &Resolved, upstream: Upstream) -> Provider {
        Provider {
            upstream: Some(upstream),
            fresh_at_least: settings.fresh_at_least,
            ..Provider::without_server(settings.name)
        }
    }

    /// A provider without a server, which serves nothing yet.
    pub fn without_server(name: ProviderName) -> Provider {
        let nothing = Arc::new(Nothing);
        Provider {
            name,
            operations: Vec::new(),
            fresh_at_least: Duration::ZERO,
            upstream: None,
            keyed: None,
            ids_of: None,
            market: nothing.clone(),
            posts: nothing.clone(),
            indexer: nothing.clone(),
            rates: nothing.clone(),
            blocks: nothing,
        }
    }

    /// What sends its requests for an operation.
    pub fn upstream_for(&self, operation: Operation) -> Option<&Upstream> {
        let keyed = self.keyed.as_ref().filter(|(_, operations)| operations.contains(&operation));
        keyed.map(|(upstream, _)| upstream).or(self.upstream.as_ref())
    }

    /// Knows coins by a provider's ids.
    #[must_use]
    pub fn with_ids_of(mut self, name: ProviderName) -> Provider {
        self.ids_of = Some(name);
        self
    }

    /// Sends requests for some operations, which only a key opens, by another way.
    #[must_use]
    pub fn with_keyed(mut self, upstream: Upstream, operations: &[Operation]) -> Provider {
        self.operations.extend_from_slice(operations);
        self.keyed = Some((upstream, operations.to_vec()));
        self
    }

    /// Adds operations of the market group.
    #[must_use]
    pub fn with_market(mut self, source: Arc<dyn MarketSource>, operations: &[Operation]) -> Provider {
        self.market = source;
        self.operations.extend_from_slice(operations);
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

    /// Adds blocks and fees.
    #[must_use]
    pub fn with_blocks(mut self, source: Arc<dyn BlockSource>) -> Provider {
        self.blocks = source;
        self.operations.push(Operation::Block);
        self
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Provider { name, operations, .. } = self;
        f.debug_struct("Provider").field("name", name).field("operations", operations).finish_non_exhaustive()
    }
}

/// The source of a provider that serves nothing of a group.
struct Nothing;

impl MarketSource for Nothing {}
impl PostSource for Nothing {}
impl IndexerSource for Nothing {}
impl RateSource for Nothing {}
impl BlockSource for Nothing {}

/// A part of a list of coins.
#[derive(Clone, Debug, PartialEq)]
pub struct CoinSlice {
    /// Coins before it in the list.
    pub offset: usize,
    /// The coins, by rank. May be more or fewer than asked for.
    pub coins: Vec<Coin>,
    /// Whether the list ends with it.
    pub is_end: bool,
    /// Length of the whole list, where the provider says so.
    pub total: Option<u64>,
}

/// What a coin is looked up by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CoinLookup {
    /// Its slug, in the provider's spelling.
    Slug(Text),
    /// Its symbol, in any case.
    Symbol(Text),
}

/// Coins, pairs and charts. Money is in US dollars.
///
/// Coins of a list have the provider's own id in [`Coin::id`] and its own slug, if it has slugs, in [`Coin::slug`].
#[async_trait]
pub trait MarketSource: Send + Sync {
    /// [`Operation::Coins`], [`Operation::Tagged`]: the coins of a tag from `offset` on, at least `limit` where there are
    /// as many. A request in pages of `limit` has an offset that is a multiple of it.
    async fn coins(&self, _tag: Tag, _offset: usize, _limit: usize) -> SourceResult<CoinSlice> {
        Err(SourceError::unsupported())
    }

    /// The coins of a slug or symbol, with names and market caps. Where the provider has no slugs, those of its ids.
    async fn find(&self, _lookup: &CoinLookup) -> SourceResult<Vec<Coin>> {
        Err(SourceError::unsupported())
    }

    /// [`Operation::Details`]: links, contracts and tags of coins, in any order; unknown ones are left out.
    async fn details(&self, _coins: &[CoinRef]) -> SourceResult<Vec<Coin>> {
        Err(SourceError::unsupported())
    }

    /// How many coins one [`MarketSource::details`] request can hold.
    fn details_at_once(&self) -> usize {
        1
    }

    /// [`Operation::Pairs`]: the market pairs of a coin.
    async fn market_pairs(&self, _coin: &CoinRef) -> SourceResult<Page<MarketPair>> {
        Err(SourceError::unsupported())
    }

    /// [`Operation::Chart`]: the points of a period, oldest first.
    async fn chart(&self, _coin: &CoinRef, _period: Period) -> SourceResult<Vec<Point>> {
        Err(SourceError::unsupported())
    }

    /// [`Operation::Series`]: the last `count` points of each coin, `interval` apart. A coin that the provider doesn't
    /// know has none. One entry for each coin, in their order.
    async fn series(&self, _coins: &[CoinRef], _count: usize, _interval: Duration) -> SourceResult<Vec<Vec<Point>>> {
        Err(SourceError::unsupported())
    }
}

/// [`Operation::Posts`].
#[async_trait]
pub trait PostSource: Send + Sync {
    /// Posts about a coin, the best or the newest first. Each contains the cashtag or the coin's name as a word.
    async fn posts(&self, _coin: &CoinRef, _order: PostOrder) -> SourceResult<Vec<Post>> {
        Err(SourceError::unsupported())
    }
}

/// [`Operation::Brc20`] and [`Operation::Inscriptions`], by the queries of
/// [`IndexerProvider`](super::IndexerProvider). Sats themselves are computed.
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

    /// Holders of a token, the largest balance first.
    async fn holders(&self, _ticker: &str, _page: PageQuery) -> SourceResult<Page<Holder>> {
        Err(SourceError::unsupported())
    }

    /// BRC-20 balances of an address.
    async fn balances(&self, _query: &BalancesQuery, _page: PageQuery) -> SourceResult<Page<Balance>> {
        Err(SourceError::unsupported())
    }

    /// BRC-20 events, the newest first.
    async fn activity(&self, _query: &ActivityQuery, _page: PageQuery) -> SourceResult<Page<Activity>> {
        Err(SourceError::unsupported())
    }

    /// The latest inscription on a sat.
    async fn inscription_on(&self, _number: SatNumber) -> SourceResult<Option<Text>> {
        Err(SourceError::unsupported())
    }

    /// Inscriptions on a sat, the highest number first.
    async fn sat_inscriptions(&self, _number: SatNumber, _page: PageQuery) -> SourceResult<Page<Inscription>> {
        Err(SourceError::unsupported())
    }

    /// Inscriptions that match all conditions.
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

    /// Where an inscription has been, the newest location first.
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

    /// Inscriptions per block between two heights, the newest block first.
    async fn inscription_stats(&self, _from: Option<u64>, _to: Option<u64>) -> SourceResult<Vec<InscriptionStat>> {
        Err(SourceError::unsupported())
    }

    /// The newest block that its last answers know; `None` where they don't say.
    fn height(&self) -> Option<u64> {
        None
    }

    /// Blocks were replaced by others: what is kept of blocks is no longer true.
    fn forget_blocks(&self) {}
}

/// Units of each currency for one US dollar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rates(pub BTreeMap<Currency, f64>);

/// [`Operation::Fiat`].
#[async_trait]
pub trait RateSource: Send + Sync {
    /// All rates that the provider has.
    async fn rates(&self) -> SourceResult<Rates> {
        Err(SourceError::unsupported())
    }
}

/// The newest block, and the fees of the next ones in sat/vB.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChainTip {
    /// Height of the newest block.
    pub height: u64,
    /// Its hash, where known.
    pub hash: Option<Text>,
    /// For the next block.
    pub fastest_fee: Option<f64>,
    /// Within about half an hour.
    pub half_hour_fee: Option<f64>,
    /// Within about an hour.
    pub hour_fee: Option<f64>,
}

/// [`Operation::Block`].
#[async_trait]
pub trait BlockSource: Send + Sync {
    /// The newest block and the fees.
    async fn tip(&self) -> SourceResult<ChainTip> {
        Err(SourceError::unsupported())
    }
}
