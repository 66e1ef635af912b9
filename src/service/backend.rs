//! The data sources behind the routes: one trait for each group of endpoints.
//!
//! A route parses the parameters, calls a backend, and serialises the returned model as JSON. Backends know nothing
//! about HTTP parameters and JSON shapes; routes know nothing about the data source. Two types implement the traits:
//! the provider of simulated data ([`DemoProvider`]), and the gateway ([`Gateway`]) to real providers.

pub mod demo;
pub mod extensions;
pub mod indexer;
pub mod market;

use std::fmt;
use std::sync::Arc;

use self::demo::DemoProvider;
use self::extensions::ExtensionProvider;
use self::indexer::IndexerProvider;
use self::market::MarketProvider;
use super::gateway::Gateway;
use super::time_source::TimeSource;

/// The providers of a service, one for each group. Cheap to clone.
#[derive(Clone)]
pub struct Providers {
    /// Coins, posts, market pairs, charts.
    pub market: Arc<dyn MarketProvider>,
    /// BRC-20, inscriptions, sats.
    pub indexer: Arc<dyn IndexerProvider>,
    /// The newest block, and the state of the providers.
    pub extensions: Arc<dyn ExtensionProvider>,
    /// Whether the data is simulated. Every response of the service has this in a header.
    pub simulated: bool,
}

impl Providers {
    /// Simulated data for both groups. Nothing is computed before the first request.
    pub fn demo(seed: u64, time: TimeSource) -> Providers {
        let demo = Arc::new(DemoProvider::new(seed, time));
        Providers { market: Arc::clone(&demo) as _, indexer: Arc::clone(&demo) as _, extensions: demo, simulated: true }
    }

    /// Real data for both groups. Nothing is sent before the first request.
    pub fn live(gateway: &Gateway) -> Providers {
        let gateway = Arc::new(gateway.clone());
        Providers {
            market: Arc::clone(&gateway) as _,
            indexer: Arc::clone(&gateway) as _,
            extensions: gateway,
            simulated: false,
        }
    }
}

impl fmt::Debug for Providers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Providers").finish_non_exhaustive()
    }
}
