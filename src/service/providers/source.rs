//! The traits that real providers implement. A provider builds a request, sends it through its [`Upstream`], and maps
//! the response to the model. Caching, rate limits and fallback are up to the gateway.

mod blocks;
mod indexer;
mod market;
mod posts;
mod rates;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

pub use blocks::{BlockAnnouncer, BlockSource, ChainTip};
pub use indexer::IndexerSource;
pub(in crate::service) use market::MAX_AHEAD;
pub use market::{ChartPrices, CoinLookup, CoinSlice, FoundCoins, MarketSource, UsdtPair};
pub use posts::PostSource;
pub use rates::{RateHistory, RateSource, Rates, first_day, last_day};

use crate::model::ProviderName;
use crate::service::operation::Operation;
use crate::service::upstream::Upstream;
use crate::service::upstream::settings::ResolvedSettings;

/// A provider's server for operations that need a key.
#[derive(Clone)]
pub struct Keyed {
    /// The server.
    pub upstream: Upstream,
    /// The operations of the provider.
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
    /// The server of the provider.
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

    /// Sets the path and query that a test requests.
    #[must_use]
    pub fn tested_by(self, path: impl Into<Cow<'static, str>>) -> Provider {
        Provider { test_path: path.into(), ..self }
    }

    /// A provider without a server and without operations.
    fn without_server(name: ProviderName) -> Provider {
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
