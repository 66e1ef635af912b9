//! Serves the interface from real providers: an ordered list of providers for each operation, with a cache, request
//! coalescing, rate limits, circuit breakers and fallback.
//!
//! ```text
//! market, indexer   the operations of the interface
//! list_pages        pages of the lists of the indexer, all from one provider
//! list_providers    which provider each of them comes from
//! fetch             one upstream value: cache, provider order, circuit breakers, fallback
//! availability      which providers serve an operation, and which can be used now
//! fallback_reason   why the next provider is tried although one has responded
//! failure           why no provider answered
//! remedy            advice to the user if no provider serves an operation
//! cache             cached values, bounded by bytes; concurrent loads coalesced
//! stored            a cached value with its provider, age and freshness
//! freshness         how long responses are fresh
//! circuit_breaker   pauses of providers by error class
//! pauses            pauses of providers in the store
//! identity          maps the coin ids of all providers to ours
//! assign_ids        replaces the providers' ids with ours
//! identity_cache    the known coins in the cache directory
//! market_caps       market caps of built-in coins, to match them
//! listings          which coins an exchange lists
//! prices_end        where the prices of a chart end
//! network_time      the current time by the providers' clocks
//! wrong_values      values of coins that contradict others
//! wrong_ranges      24-hour ranges that contradict the price of their coin
//! wrong_sparklines  7-day sparklines that contradict the price of their coin
//! skipped           the sentence about invalid values that were left out
//! jumped_prices     prices that are far from the last ones
//! tip               the newest block; values of older blocks are stale
//! blocks            the newest block seen so far
//! block_socket      new blocks from a socket
//! block_stream      the state of that socket
//! streams           live prices from the exchanges' sockets
//! ticker            the exchanges' protocols, and the listeners of live prices
//! settings          settings from the configuration
//! sources           the state of the providers, for the user
//! source_tests      test requests by the user
//! probe             checks undocumented behaviour of the providers
//! ```
//!
//! It runs on the service's runtime and sends nothing before the first request.

mod assign_ids;
mod availability;
mod block_socket;
mod block_stream;
mod blocks;
mod cache;
mod cache_file;
mod circuit_breaker;
mod failure;
mod fallback_reason;
mod fetch;
mod freshness;
mod identity;
mod identity_cache;
mod indexer;
mod jumped_prices;
mod list_pages;
mod list_providers;
mod listings;
mod market;
mod market_caps;
mod network_time;
mod pauses;
mod prices_end;
pub mod probe;
mod remedy;
mod saved_names;
mod saved_rates;
mod settings;
mod skipped;
mod source_tests;
mod sources;
mod stored;
mod streams;
#[cfg(test)]
mod tests;
mod ticker;
mod tip;
mod wrong_ranges;
mod wrong_sparklines;
mod wrong_values;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use parking_lot::{Mutex, MutexGuard, RwLock};
use tokio::sync::OnceCell;
use tokio::time::Instant;

pub use settings::{CoinCorrection, ListingCorrection, LiveSettings, ProviderSettings};

use block_stream::BlockStream;
use blocks::Blocks;
use cache::Cache;
use circuit_breaker::CircuitBreaker;
use identity::Identity;
use list_providers::ListProviders;
use ticker::hub::TickerHub;

use super::operation::Operation;
use super::providers;
use super::providers::source::Provider;
use super::time_source::TimeSource;
use super::upstream::budget::Shared;
use super::upstream::usage::UsageTracker;
use crate::model::ProviderName;
use crate::store::ProviderPause;

/// The gateway. Cheap to clone.
#[derive(Clone)]
pub struct Gateway(Arc<Inner>);

struct Inner {
    providers: Vec<Provider>,
    settings: RwLock<Arc<LiveSettings>>,
    /// When the order or the enabled providers of an operation last changed.
    changed: Mutex<HashMap<Operation, Instant>>,
    time: TimeSource,
    cache: Cache,
    list_providers: ListProviders,
    /// By provider, and whether it is its server for operations that need a key.
    circuits: Mutex<HashMap<(ProviderName, bool), CircuitBreaker>>,
    /// Whether the pauses of earlier processes are known.
    restored: OnceCell<()>,
    /// The pauses in the store that this process restored or saved.
    saved_pauses: Mutex<Vec<ProviderPause>>,
    /// Held while pauses are saved or removed, so that the store and `saved_pauses` change in the same order.
    pauses_order: tokio::sync::Mutex<()>,
    identity: Mutex<Identity>,
    /// Whether a save of the known coins is scheduled.
    is_saving_ids: AtomicBool,
    blocks: Blocks,
    block_stream: BlockStream,
    ticker: Arc<TickerHub>,
}

impl Gateway {
    /// A gateway to the configured providers. Sends nothing before the first request.
    pub fn new(settings: LiveSettings, time: TimeSource) -> Gateway {
        let usage = UsageTracker::new(settings.store.clone()).with_shared(settings.shared.clone());
        let shared = Shared::new(usage, time.clone(), settings.start_gap);
        let providers = providers::all(|name| settings.provider(name), &shared);
        Gateway::with_providers(providers, settings, time)
    }

    /// A gateway to these providers.
    pub fn with_providers(providers: Vec<Provider>, settings: LiveSettings, time: TimeSource) -> Gateway {
        let mut identity = Identity::new(&settings.corrections);
        if let Some(directory) = &settings.cache {
            let saved = identity_cache::read(directory, time.now());
            identity.restore(saved.coins, time.now());
            identity.restore_listings(saved.listings, time.now());
        }
        let ticker = Arc::new(TickerHub::new(time.clone()));
        let gateway = Gateway(Arc::new(Inner {
            providers,
            settings: RwLock::new(Arc::new(settings)),
            changed: Mutex::default(),
            time,
            cache: Cache::default(),
            list_providers: ListProviders::default(),
            circuits: Mutex::default(),
            restored: OnceCell::new(),
            saved_pauses: Mutex::default(),
            pauses_order: tokio::sync::Mutex::default(),
            identity: Mutex::new(identity),
            is_saving_ids: AtomicBool::new(false),
            blocks: Blocks::default(),
            block_stream: BlockStream::default(),
            ticker,
        }));
        gateway.restore_rates();
        gateway
    }

    /// Changes which providers are enabled, and their order. It applies to all later requests; other settings need a
    /// new gateway. Values of providers that are no longer enabled are dropped, and values of less preferred ones are
    /// stale.
    pub fn set_order(&self, settings: &LiveSettings) {
        let before = self.settings();
        let mut after = LiveSettings { order: settings.order.clone(), ..LiveSettings::clone(&before) };
        for name in ProviderName::ALL {
            after.providers.entry(name).or_default().enabled = Some(settings.is_enabled(name));
        }
        let is_changed = |operation: &Operation| before.in_use(*operation).ne(after.in_use(*operation));
        let changed: Vec<Operation> = Operation::ALL.into_iter().filter(is_changed).collect();
        let after = Arc::new(after);
        *self.0.settings.write() = Arc::clone(&after);
        let now = Instant::now();
        self.changed().extend(changed.iter().map(|operation| (*operation, now)));
        self.0.cache.drop_values_of(|name| !after.is_enabled(name));
        if changed.contains(&Operation::Ticker) {
            self.0.ticker.restart();
        }
        if changed.contains(&Operation::Block) {
            self.0.block_stream.allow_sockets();
            self.0.block_stream.reordered.notify_one();
        }
    }

    fn settings(&self) -> Arc<LiveSettings> {
        Arc::clone(&self.0.settings.read())
    }

    fn changed(&self) -> MutexGuard<'_, HashMap<Operation, Instant>> {
        self.0.changed.lock()
    }
}

impl fmt::Debug for Gateway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gateway").field("providers", &self.0.providers).finish_non_exhaustive()
    }
}
