//! The simulated world as a provider for both groups.

mod extensions;
mod indexer;
mod market;

use std::sync::OnceLock;

use crate::model::Text;
use crate::service::demo::indexer::World;
use crate::service::demo::market::{Market, coins};
use crate::service::time_source::TimeSource;

/// Serves simulated data. Market and indexer are consistent: a BRC-20 coin refers to the deploy inscription of its
/// token.
pub struct DemoProvider {
    seed: u64,
    time: TimeSource,
    market: OnceLock<Market>,
    world: World,
}

/// This slug if a simulated coin has it, or the slugs of the coins with this symbol.
pub fn slugs(name: &str) -> Vec<Text> {
    let coins = coins();
    match coins.iter().find(|coin| coin.slug.eq_ignore_ascii_case(name)) {
        Some(coin) => vec![coin.slug.clone()],
        None => {
            let of_symbol = coins.iter().filter(|coin| coin.symbol.eq_ignore_ascii_case(name));
            of_symbol.map(|coin| coin.slug.clone()).collect()
        }
    }
}

impl DemoProvider {
    /// The same seed and time give the same responses. Nothing is computed before the first request.
    pub fn new(seed: u64, time: TimeSource) -> DemoProvider {
        DemoProvider { seed, time, market: OnceLock::new(), world: World::new(seed) }
    }

    fn market(&self) -> &Market {
        self.market.get_or_init(|| Market::new(self.seed))
    }
}
