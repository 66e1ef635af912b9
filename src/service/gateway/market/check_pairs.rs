//! Which market pairs have prices that can't be right.

use super::check_points::MAX_PRICE_RATIO;
use crate::format::Price;
use crate::model::live_price::is_far;
use crate::model::{MarketPair, Text};
use crate::service::gateway::Gateway;
use crate::service::operation::Operation;
use crate::service::providers::coin_ref::CoinRef;
use crate::service::providers::source::Provider;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};

/// Minimum prices whose median is compared, if the coin's price isn't known.
const MIN_PRICES: usize = 3;

impl Gateway {
    /// Removes the prices of pairs that are far from the coin's known prices, or else from the median of the pairs, with a
    /// warning.
    ///
    /// # Errors
    /// All prices are those of another coin or unit.
    pub(super) fn check_pairs(
        &self,
        provider: &Provider,
        coin: &CoinRef,
        pairs: &mut [MarketPair],
    ) -> SourceResult<()> {
        let known = self.known_prices(coin);
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

/// The median price of pairs.
fn median(pairs: &[MarketPair]) -> Option<f64> {
    let mut prices: Vec<f64> = pairs.iter().filter_map(|pair| pair.price).collect();
    prices.sort_by(f64::total_cmp);
    prices.get(prices.len() / 2).copied().filter(|_| prices.len() >= MIN_PRICES)
}
