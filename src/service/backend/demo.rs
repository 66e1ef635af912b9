//! The simulated world as a provider for both groups.

mod extensions;
mod indexer;
mod market;

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::model::Text;
use crate::service::demo::indexer::World;
use crate::service::demo::market::{Coin, Market, coins};
use crate::service::time_source::TimeSource;

/// Serves simulated data. Market and indexer are consistent: a BRC-20 coin refers to the deploy inscription of its
/// token.
pub struct DemoProvider {
    seed: u64,
    time: TimeSource,
    market: OnceLock<Market>,
    world: OnceLock<World>,
    /// Deploy inscriptions by ticker.
    deploys: OnceLock<HashMap<Text, Text>>,
}

/// Whether the simulated market has a coin with this slug or symbol.
pub fn has_coin(name: &str) -> bool {
    let is_it = |coin: &Coin| coin.slug.eq_ignore_ascii_case(name) || coin.symbol.eq_ignore_ascii_case(name);
    coins().iter().any(is_it)
}

impl DemoProvider {
    /// The same seed and time give the same responses. Nothing is computed before the first request.
    pub fn new(seed: u64, time: TimeSource) -> DemoProvider {
        DemoProvider { seed, time, market: OnceLock::new(), world: OnceLock::new(), deploys: OnceLock::new() }
    }

    fn market(&self) -> &Market {
        self.market.get_or_init(|| Market::new(self.seed))
    }

    fn world(&self) -> &World {
        self.world.get_or_init(|| World::new(self.seed))
    }
}
