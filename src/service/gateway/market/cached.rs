//! How much memory cached market data takes, and when another provider is queried instead.

use jiff::ToSpan as _;

use crate::model::coin::MAX_UPDATE_AGE;
use crate::model::historical_rate::MAX_DAYS_SINCE;
use crate::model::{Coin, MarketPair, Page, Post, UtcTime, Zone};
use crate::service::gateway::fallback_reason::FallbackReason;
use crate::service::gateway::stored::CachedValue;
use crate::service::providers::source::{CoinSlice, FoundCoins, Rates};

impl CachedValue for CoinSlice {
    fn weight(&self) -> usize {
        self.coins.iter().map(weight_of).sum()
    }

    fn row_count(&self) -> usize {
        self.coins.len()
    }

    fn stays_if_longer(&self) -> bool {
        true
    }

    /// Even if a market is paused, some of its coins are traded. Later pages may have none that is.
    fn fallback_reason(&self, now: UtcTime) -> Option<FallbackReason> {
        let newest = self.coins.iter().filter_map(|coin| coin.updated_at).max().filter(|_| self.offset == 0)?;
        (now.since(newest) > MAX_UPDATE_AGE).then_some(FallbackReason::OldPrices(newest))
    }
}

impl CachedValue for Vec<Coin> {
    fn weight(&self) -> usize {
        self.iter().map(weight_of).sum()
    }

    /// Unknown coins may be listed soon.
    fn fallback_reason(&self, _now: UtcTime) -> Option<FallbackReason> {
        self.is_empty().then_some(FallbackReason::Empty)
    }
}

impl CachedValue for FoundCoins {
    fn weight(&self) -> usize {
        self.coins.weight()
    }

    fn fallback_reason(&self, now: UtcTime) -> Option<FallbackReason> {
        self.coins.fallback_reason(now)
    }
}

impl CachedValue for Coin {
    fn weight(&self) -> usize {
        weight_of(self)
    }
}

fn weight_of(coin: &Coin) -> usize {
    let links = coin.links.iter().map(|link| link.url.len() + 64).sum::<usize>();
    size_of::<Coin>() + coin.sparkline_7d.len() * size_of::<f64>() + coin.tags.len() * 24 + links
}

impl CachedValue for Vec<Post> {
    fn weight(&self) -> usize {
        self.iter().map(|post| size_of::<Post>() + post.text.len()).sum()
    }

    fn fallback_reason(&self, _now: UtcTime) -> Option<FallbackReason> {
        self.is_empty().then_some(FallbackReason::Empty)
    }
}

impl CachedValue for Page<MarketPair> {
    fn weight(&self) -> usize {
        self.items.len() * size_of::<MarketPair>()
    }

    fn fallback_reason(&self, _now: UtcTime) -> Option<FallbackReason> {
        self.items.is_empty().then_some(FallbackReason::Empty)
    }
}

impl CachedValue for Rates {
    fn weight(&self) -> usize {
        self.per_dollar.len() * 64
    }

    fn fallback_reason(&self, now: UtcTime) -> Option<FallbackReason> {
        // Weekends and holidays are normal.
        let first = Zone::UTC.at(now).date().saturating_sub(MAX_DAYS_SINCE.days());
        self.day.filter(|day| *day < first).map(FallbackReason::OldRates)
    }
}
