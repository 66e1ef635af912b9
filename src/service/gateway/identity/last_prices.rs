//! The last prices of coins, to notice prices that can't be right.

use std::collections::HashMap;
use std::time::Duration;

use crate::model::live_price::is_far;
use crate::model::{ProviderName, Text, UtcTime};
use crate::service::gateway::identity_cache::SavedPrice;

/// A price that differs from the last one by more than this factor needs a second source or must persist.
const MAX_JUMP: f64 = 10.0;

/// Largest factor between two equal prices, such as the prices of two sources.
const MAX_AGREEING_RATIO: f64 = 2.0;

/// A saved price is replaced once it differs from the last one by more than this factor, or is this old.
const MAX_SAVED_RATIO: f64 = 1.2;
const MAX_SAVED_AGE: Duration = Duration::from_mins(10);

/// How long a price is compared with the next one. Prices do change this much in hours.
const MAX_COMPARED_AGE: Duration = Duration::from_hours(1);

/// A price that is far from the last one is used without another source after this time. The prices of other providers
/// are compared with it for as long.
const LASTS_AFTER: Duration = Duration::from_mins(30);

/// The last price of a coin at a provider in US dollars.
#[derive(Clone, Copy, Debug)]
struct LastPrice {
    provider: ProviderName,
    price: f64,
    at: UtcTime,
    /// A later price that is far from it.
    jumped: Option<JumpedPrice>,
}

/// A price that is far from the last one.
#[derive(Clone, Copy, Debug)]
struct JumpedPrice {
    price: f64,
    since: UtcTime,
    /// When it was last seen.
    at: UtcTime,
}

impl LastPrice {
    /// The price, and a later one that is far from it, if they are not older than `max_age`.
    fn recent(self, max_age: Duration, now: UtcTime) -> impl Iterator<Item = f64> {
        let jumped = self.jumped.map(|jumped| (jumped.price, jumped.at));
        let both = [Some((self.price, self.at)), jumped].into_iter().flatten();
        both.filter(move |(_, at)| now.since(*at) <= max_age).map(|(price, _)| price)
    }
}

/// The last prices of coins.
#[derive(Debug, Default)]
pub(super) struct LastPrices {
    /// The last price of each provider, by the coin's place.
    by_coin: HashMap<usize, Vec<LastPrice>>,
    /// The saved ones, and when they were fetched.
    saved: HashMap<usize, (f64, UtcTime)>,
}

impl LastPrices {
    /// The newest price, and when it was fetched.
    pub(super) fn newest(&self, at: usize) -> Option<(f64, UtcTime)> {
        self.by_coin.get(&at)?.iter().map(|last| (last.price, last.at)).max_by_key(|(_, at)| *at)
    }

    /// The newest price, which is saved now.
    pub(super) fn mark_saved(&mut self, at: usize) -> Option<SavedPrice> {
        let LastPrice { provider, price, at: fetched, .. } =
            *self.by_coin.get(&at)?.iter().max_by_key(|last| last.at)?;
        self.saved.insert(at, (price, fetched));
        Some(SavedPrice { provider: Text::from(provider.as_str()), price, at: fetched })
    }

    /// Sets the price of an earlier process.
    pub(super) fn restore(&mut self, at: usize, price: (ProviderName, f64), fetched: UtcTime) {
        self.saved.insert(at, (price.1, fetched));
        self.set(at, price, fetched);
    }

    /// Whether a price of this time is much newer than the saved one or far from it: the next process would compare its
    /// data with an old price.
    pub(super) fn needs_saving(&self, at: usize, price: f64, now: UtcTime) -> bool {
        self.saved.get(&at).is_none_or(|(saved, fetched)| {
            is_far(price, *saved, MAX_SAVED_RATIO) || *fetched > now || now.since(*fetched) >= MAX_SAVED_AGE
        })
    }

    /// The prices of all providers that are not older than `max_age`, without those that have jumped, and when they were
    /// fetched.
    pub(super) fn of_all(&self, at: usize, max_age: Duration, now: UtcTime) -> Vec<(f64, UtcTime)> {
        let known = self.by_coin.get(&at).into_iter().flatten().map(|last| (last.price, last.at));
        known.filter(|(_, at)| now.since(*at) <= max_age).collect()
    }

    /// The prices of all providers that are not older than `max_age`, including those that have jumped.
    pub(super) fn recent(&self, at: usize, max_age: Duration, now: UtcTime) -> Vec<f64> {
        self.by_coin.get(&at).into_iter().flatten().flat_map(|last| last.recent(max_age, now)).collect()
    }

    /// Sets the price of a provider.
    pub(super) fn set(&mut self, at: usize, (provider, price): (ProviderName, f64), now: UtcTime) {
        let known = self.by_coin.entry(at).or_default();
        known.retain(|last| last.provider != provider);
        known.push(LastPrice { provider, price, at: now, jumped: None });
    }

    /// The provider's last price if the new one is far from it, and no other provider or live price confirms it. Without
    /// other recent prices, a price that lasts is confirmed, too.
    pub(super) fn before_jump(
        &mut self,
        at: usize,
        (provider, price): (ProviderName, f64),
        live: Option<f64>,
        now: UtcTime,
    ) -> Option<f64> {
        let known = self.by_coin.get_mut(&at)?;
        let of_others = known.iter().filter(|last| last.provider != provider);
        let others: Vec<f64> = of_others.flat_map(|last| last.recent(LASTS_AFTER, now)).chain(live).collect();
        let last = known.iter_mut().find(|last| last.provider == provider)?;
        if !is_far(price, last.price, MAX_JUMP) || others.iter().any(|other| !is_far(price, *other, MAX_AGREEING_RATIO))
        {
            return None;
        }
        let is_confirmed = match &mut last.jumped {
            Some(jumped) if !is_far(price, jumped.price, MAX_AGREEING_RATIO) => {
                jumped.at = now;
                others.is_empty() && now.since(jumped.since) >= LASTS_AFTER
            }
            _ if now.since(last.at) > MAX_COMPARED_AGE => true,
            jumped => {
                *jumped = Some(JumpedPrice { price, since: now, at: now });
                false
            }
        };
        (!is_confirmed).then_some(last.price)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ProviderName::{CoinGecko, CoinMarketCap};

    fn at(minutes: u64) -> UtcTime {
        UtcTime::from_secs(1_795_248_000).plus(Duration::from_mins(minutes))
    }

    #[test]
    fn price_far_from_the_last_one_has_jumped_until_it_has_lasted() {
        let mut prices = LastPrices::default();
        assert_eq!(prices.before_jump(0, (CoinGecko, 8.0), None, at(0)), None);
        prices.set(0, (CoinGecko, 8.0), at(0));
        for (minutes, price, live, has_jumped) in [
            (5, 80.0, None, false),
            (5, 0.7, None, true),
            (5, 0.7, Some(0.71), false),
            (10, 8_000.0, None, true),
            (35, 0.7, None, true),
            (40, 8_000.0, None, true),
            (69, 8_100.0, None, true),
            (70, 8_100.0, Some(8.1), true),
            (70, 8_100.0, None, false),
            (71, 0.7, None, false),
        ] {
            let expected = has_jumped.then_some(8.0);
            assert_eq!(prices.before_jump(0, (CoinGecko, price), live, at(minutes)), expected, "{minutes} {price}");
        }
    }

    #[test]
    fn price_is_compared_only_with_those_of_the_same_provider() {
        let mut prices = LastPrices::default();
        prices.set(0, (CoinGecko, 8_000.0), at(0));
        assert_eq!(prices.before_jump(0, (CoinMarketCap, 8.0), None, at(5)), None);
        prices.set(0, (CoinMarketCap, 8.0), at(5));
        assert_eq!(prices.newest(0), Some((8.0, at(5))));
        // Another provider confirms a jump, even if its own price jumped.
        assert_eq!(prices.before_jump(0, (CoinGecko, 0.7), None, at(10)), Some(8_000.0));
        assert_eq!(prices.recent(0, Duration::from_mins(20), at(10)), [8_000.0, 0.7, 8.0]);
        assert_eq!(prices.before_jump(0, (CoinMarketCap, 0.71), None, at(15)), None);
        assert_eq!(prices.before_jump(0, (CoinGecko, 8.1), None, at(15)), None);
        assert_eq!(prices.recent(0, Duration::from_mins(5), at(15)), [0.7]);
    }
}
