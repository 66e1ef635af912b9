//! The configuration's word on how long answers hold, over the interface's.

use super::Settings;
use crate::fetch;

impl Settings {
    /// How long answers hold where the server does not say.
    pub fn fetch_freshness(&self) -> fetch::Freshness {
        let own = fetch::Freshness::default();
        let set = &self.freshness;
        fetch::Freshness {
            coins: set.coins.unwrap_or(own.coins),
            posts: set.posts.unwrap_or(own.posts),
            market_pairs: set.pairs.unwrap_or(own.market_pairs),
            chart: set.chart.unwrap_or(own.chart),
            market_data_at_least: set.market.unwrap_or(own.market_data_at_least),
            indexer: set.indexer.unwrap_or(own.indexer),
            ..own
        }
    }
}
