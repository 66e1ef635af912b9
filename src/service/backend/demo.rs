//! The provider of simulated data, for all groups.

mod extensions;
mod indexer;
mod market;

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
    world: World,
}

/// The slug of the simulated coin with this slug, or the slugs of those with this symbol. A slug in capitals may be a
/// symbol, so the symbol counts first.
pub fn slugs(name: &str) -> Vec<Text> {
    let coins = coins();
    let of = |is_meant: &dyn Fn(&&Coin) -> bool| -> Vec<Text> {
        coins.iter().filter(is_meant).map(|coin| coin.slug.clone()).collect()
    };
    let exact = of(&|coin| *coin.slug == *name);
    let of_symbol = of(&|coin| coin.symbol.eq_ignore_ascii_case(name));
    match (exact.is_empty(), of_symbol.is_empty()) {
        (false, _) => exact,
        (true, false) => of_symbol,
        (true, true) => of(&|coin| coin.slug.eq_ignore_ascii_case(name)),
    }
}

impl DemoProvider {
    /// Simulates data: the same seed and time give the same responses. Nothing is computed before the first request.
    pub fn new(seed: u64, time: TimeSource) -> DemoProvider {
        DemoProvider { seed, time, market: OnceLock::new(), world: World::new(seed) }
    }

    fn market(&self) -> &Market {
        self.market.get_or_init(|| Market::new(self.seed))
    }
}
