//! Which market pairs have prices that can't be right.

use std::collections::HashSet;
use std::time::Duration;

use super::check_points::MAX_PRICE_RATIO;
use crate::format::Price;
use crate::model::live_price::is_far;
use crate::model::{MarketPair, Text};
use crate::service::gateway::Gateway;
use crate::service::operation::Operation;
use crate::service::providers::coin_ref::CoinRef;
use crate::service::providers::source::Provider;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};

/// Minimum prices whose median is compared.
const MIN_PRICES: usize = 3;

/// Largest factor between prices that agree.
const MAX_AGREEING_RATIO: f64 = 2.0;

/// A known price counts for this time. Small coins do move tenfold within hours.
const MAX_KNOWN_AGE: Duration = Duration::from_hours(1);

/// If most exchanges agree, a known price older than this doesn't count.
const MAX_RECENT_AGE: Duration = Duration::from_mins(10);

impl Gateway {
    /// Removes the prices of pairs that are far from the coin's known prices, with a warning. Without recent ones, the
    /// median of the pairs counts.
    ///
    /// # Errors
    /// All prices are those of another coin or unit.
    pub(super) fn check_pairs(
        &self,
        provider: &Provider,
        coin: &CoinRef,
        pairs: &mut [MarketPair],
    ) -> SourceResult<()> {
        let now = self.0.time.now();
        let mut known = self.known_prices(coin);
        known.retain(|(_, at)| now.since(*at) <= MAX_KNOWN_AGE);
        if known.iter().all(|(_, at)| now.since(*at) > MAX_RECENT_AGE)
            && let Some(agreed) = agreed_price(pairs)
        {
            known = vec![(agreed, now)];
        }
        let newest = known.iter().max_by_key(|(_, at)| *at).map(|(price, _)| *price);
        let known: Vec<f64> = known.into_iter().map(|(price, _)| price).collect();
        let references: Vec<f64> = if known.is_empty() { median(pairs).into_iter().collect() } else { known };
        let is_wrong = |price: f64| references.iter().all(|known| is_far(price, *known, MAX_PRICE_RATIO));
        if references.is_empty() || !pairs.iter().filter_map(|pair| pair.price).any(is_wrong) {
            return Ok(());
        }
        if let Some(newest) = newest
            && let Some(first) = pairs.iter().find_map(|pair| pair.price)
            && pairs.iter().filter_map(|pair| pair.price).all(is_wrong)
        {
            let (first, newest) = (Price(Some(first)), Price(Some(newest)));
            let reason = format!("The price of {} is {first}, but another source says {newest}", coin.symbol);
            return Err(SourceError::new(ErrorClass::Empty, reason));
        }
        let mut wrong: Vec<(f64, Text)> = Vec::new();
        for pair in pairs {
            if let Some(price) = pair.price.take_if(|price| is_wrong(*price)) {
                wrong.push((price, pair.exchange.clone().unwrap_or_else(|| pair.pair.clone())));
            }
        }
        if let (Some(upstream), Some((price, exchange))) = (provider.upstream_for(Operation::Pairs), wrong.first()) {
            let price = Price(Some(*price));
            upstream.warnings().note(match wrong.len() {
                1 => format!("Skipped an implausible price: {price} on {exchange}"),
                count => format!("Skipped {count} implausible prices, such as {price} on {exchange}"),
            });
        }
        Ok(())
    }
}

/// The median price of pairs, if most of them, on several exchanges, are near it.
fn agreed_price(pairs: &[MarketPair]) -> Option<f64> {
    let median = median(pairs)?;
    let priced = || pairs.iter().filter(|pair| pair.price.is_some());
    let is_near = |pair: &&MarketPair| pair.price.is_some_and(|price| !is_far(price, median, MAX_AGREEING_RATIO));
    let exchanges: HashSet<&Text> = priced().filter(is_near).filter_map(|pair| pair.exchange.as_ref()).collect();
    let is_most = priced().filter(is_near).count() * 2 > priced().count();
    (is_most && exchanges.len() >= MIN_PRICES).then_some(median)
}

/// The median price of pairs.
fn median(pairs: &[MarketPair]) -> Option<f64> {
    let mut prices: Vec<f64> = pairs.iter().filter_map(|pair| pair.price).collect();
    prices.sort_by(f64::total_cmp);
    prices.get(prices.len() / 2).copied().filter(|_| prices.len() >= MIN_PRICES)
}
