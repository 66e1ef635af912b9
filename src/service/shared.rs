//! What all handlers share.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::demo::indexer::{Page, TokenOrder, World};
use super::demo::market::Market;
use super::demo::tokens::{DemoToken, TOKENS};
use super::options::{Options, TimeSource};
use crate::model::UtcTime;

/// A time at which the newest token of the table is deployed; ids do not depend on it.
const AFTER_ALL_DEPLOYS: UtcTime = UtcTime::from_secs(1_795_075_200);

/// Handed to every handler as axum's state. Cheap to clone.
pub(crate) type State = Arc<Shared>;

/// The simulated world and the clock it is seen by.
pub(crate) struct Shared {
    /// Which world.
    pub(crate) seed: u64,
    time: TimeSource,
    market: OnceLock<Market>,
    indexer: OnceLock<World>,
    deploys: OnceLock<HashMap<&'static str, String>>,
}

impl Shared {
    /// From the options of the service.
    pub(crate) fn new(options: &Options) -> State {
        Arc::new(Shared {
            seed: options.seed,
            time: options.time.clone(),
            market: OnceLock::new(),
            indexer: OnceLock::new(),
            deploys: OnceLock::new(),
        })
    }

    /// The current time.
    pub(crate) fn now(&self) -> UtcTime {
        self.time.now()
    }

    /// The simulated market, made at the first request for it.
    pub(crate) fn market(&self) -> &Market {
        self.market.get_or_init(|| Market::new(self.seed))
    }

    /// The simulated indexer, made at the first request for it.
    pub(crate) fn indexer(&self) -> &World {
        self.indexer.get_or_init(|| World::new(self.seed))
    }

    /// The id of the inscription that deployed a token: what the market side names as its contract.
    pub(crate) fn deploy_inscription(&self, token: &DemoToken) -> Option<&str> {
        let deploys = self.deploys.get_or_init(|| {
            let page = Page { offset: 0, limit: TOKENS.len() };
            let all = self.indexer().at(AFTER_ALL_DEPLOYS).tokens(&[], TokenOrder::Index, page);
            all.results.into_iter().map(|token| (token.ticker, token.id)).collect()
        });
        deploys.get(token.ticker).map(String::as_str)
    }
}
