//! The way from the interface to real providers: an ordered list of providers for each operation, with a cache, request
//! coalescing, budgets, circuit breakers and fallback.
//!
//! ```text
//! market, indexer   the operations of the interface, answered from what is cached and asked
//! ask               one upstream value: cache, order, circuit, fallback
//! cache             what providers answered, weighed by bytes; equal requests joined
//! budget            how fast and how often a provider is asked
//! ledger            the month's requests, shared by all instances through the store
//! circuit           which providers are left alone, by the class of their errors
//! error             those classes
//! identity          one coin under the names of all providers
//! operation         the operations by their names in the configuration
//! settings          what the configuration says
//! ```
//!
//! It runs on the service's runtime. Nothing is sent before the first request.

mod ask;
mod budget;
mod cache;
mod call;
mod circuit;
mod error;
mod identity;
mod indexer;
mod ledger;
mod market;
mod operation;
mod settings;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};

pub use budget::{Allowance, Gate, Shared, StartPace};
pub use call::abandoned;
pub(super) use call::{manually, patiently};
pub use error::{ErrorClass, SourceError, SourceResult};
pub use identity::{CoinRef, Listing};
pub use ledger::Ledger;
pub use operation::Operation;
pub use settings::{LiveSettings, ProviderSettings, Resolved};

use cache::Cache;
use circuit::Circuit;
use identity::Identity;

use super::options::TimeSource;
use super::providers::{self, Provider, ProviderName};

/// The gateway. Cheap to clone.
#[derive(Clone)]
pub struct Gateway(Arc<Inner>);

struct Inner {
    providers: Vec<Provider>,
    settings: LiveSettings,
    time: TimeSource,
    cache: Cache,
    circuits: Mutex<HashMap<ProviderName, Circuit>>,
    identity: Mutex<Identity>,
}

impl Gateway {
    /// A gateway to the configured providers. Sends nothing yet.
    pub fn new(settings: LiveSettings, time: TimeSource) -> Gateway {
        let shared = Shared::new(Ledger::new(settings.state.clone()), time.clone(), settings.start_gap);
        let providers = providers::all(&settings, &shared);
        Gateway::with_providers(providers, settings, time)
    }

    /// A gateway to these providers.
    pub fn with_providers(providers: Vec<Provider>, settings: LiveSettings, time: TimeSource) -> Gateway {
        Gateway(Arc::new(Inner {
            providers,
            settings,
            time,
            cache: Cache::default(),
            circuits: Mutex::default(),
            identity: Mutex::new(Identity::seeded()),
        }))
    }
}

impl fmt::Debug for Gateway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gateway").field("providers", &self.0.providers).finish_non_exhaustive()
    }
}
