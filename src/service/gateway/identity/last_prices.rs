//! The last prices of coins, to notice prices that can't be right.

use std::collections::HashMap;
use std::time::Duration;

use crate::model::{ProviderName, UtcTime};

/// A price that differs from the last one by more than this factor must have another source, or last.
const MAX_JUMP: f64 = 10.0;

/// Largest factor between two equal prices, such as those of two sources.
const SAME: f64 = 2.0;

/// How long a price is compared with the next one. Prices do change this much in hours.
const COMPARED_FOR: Duration = Duration::from_hours(1);

/// A price that is far from the last one is used without another source after this time.
const LASTS_AFTER: Duration = Duration::from_mins(30);

/// How a price compares with the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service::gateway) enum Jump {
    /// It is near, or another provider agrees, or there is no recent one.
    None,
    /// It is far from it.
    New,
    /// It is far from it, but it has lasted.
    Lasting,
}

/// The last price of a coin in US dollars.
#[derive(Clone, Copy, Debug)]
struct LastPrice {
    price: f64,
    at: UtcTime,
    /// A price that is far from it, when it was first seen, and the provider.
    other: Option<(f64, UtcTime, ProviderName)>,
}

/// The last prices, by the coins' places.
#[derive(Debug, Default)]
pub(super) struct LastPrices(HashMap<usize, LastPrice>);

impl LastPrices {
    /// The price, and when it was fetched.
    pub(super) fn get(&self, at: usize) -> Option<(f64, UtcTime)> {
        self.0.get(&at).map(|last| (last.price, last.at))
    }

    /// Sets the price.
    pub(super) fn set(&mut self, at: usize, price: f64, now: UtcTime) {
        self.0.insert(at, LastPrice { price, at: now, other: None });
    }

    /// Compares a provider's price with the last one.
    pub(super) fn compare(&mut self, at: usize, (provider, price): (ProviderName, f64), now: UtcTime) -> Jump {
        let Some(last) = self.0.get_mut(&at) else { return Jump::None };
        if !is_far(price, last.price, MAX_JUMP) {
            return Jump::None;
        }
        if let Some((_, since, other)) = last.other.filter(|(other, ..)| !is_far(price, *other, SAME)) {
            return match other == provider {
                // Two providers agree.
                false => Jump::None,
                true if now.since(since) >= LASTS_AFTER => Jump::Lasting,
                true => Jump::New,
            };
        }
        if now.since(last.at) > COMPARED_FOR {
            return Jump::None;
        }
        last.other = Some((price, now, provider));
        Jump::New
    }
}

/// Whether two prices are of the same order, as those of two sources are.
pub(in crate::service::gateway) fn agree(a: f64, b: f64) -> bool {
    !is_far(a, b, SAME)
}

/// Whether two prices differ by more than a factor.
fn is_far(a: f64, b: f64, factor: f64) -> bool {
    a.max(b) > a.min(b) * factor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn price_far_from_the_last_one_is_new_until_it_has_lasted() {
        let at = |minutes: u64| UtcTime::from_secs(1_795_248_000).plus(Duration::from_mins(minutes));
        let mut prices = LastPrices::default();
        let gecko = ProviderName::CoinGecko;
        assert_eq!(prices.compare(0, (gecko, 8.0), at(0)), Jump::None);
        prices.0.insert(0, LastPrice { price: 8.0, at: at(0), other: None });
        for (minutes, price, expected) in [
            (5, 80.0, Jump::None),
            (5, 0.7, Jump::New),
            (10, 8_000.0, Jump::New),
            (35, 0.7, Jump::New),
            (40, 8_000.0, Jump::New),
            (69, 8_100.0, Jump::New),
            (70, 8_100.0, Jump::Lasting),
            (71, 0.7, Jump::None),
        ] {
            assert_eq!(prices.compare(0, (gecko, price), at(minutes)), expected, "{minutes} {price}");
        }
        prices.0.insert(1, LastPrice { price: 8.0, at: at(0), other: None });
        assert_eq!(prices.compare(1, (gecko, 8_000.0), at(5)), Jump::New);
        assert_eq!(prices.compare(1, (ProviderName::CoinMarketCap, 8_100.0), at(5)), Jump::None);
    }
}
