//! The settings of the fetch task.

use super::settings::Settings;
use crate::fetch;

impl Settings {
    /// The settings of the fetch task.
    pub fn fetch_settings(&self) -> fetch::Settings {
        fetch::Settings {
            freshness: self.fetch_freshness(),
            background_per_minute: self.background.per_minute,
            ..fetch::Settings::default()
        }
    }

    /// Default freshness of responses without `max-age`.
    fn fetch_freshness(&self) -> fetch::Freshness {
        let own = fetch::Freshness::default();
        let set = &self.freshness;
        fetch::Freshness {
            coins: set.coins.unwrap_or(own.coins),
            posts: set.posts.unwrap_or(own.posts),
            market_pairs: set.pairs.unwrap_or(own.market_pairs),
            chart: set.chart.unwrap_or(own.chart),
            min_market_data: set.market.unwrap_or(own.min_market_data),
            indexer: set.indexer.unwrap_or(own.indexer),
            ..own
        }
    }
}
