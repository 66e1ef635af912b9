//! The user's corrections of coins.

use crate::model::Text;
use crate::service::gateway::settings::{CoinCorrection, ListingCorrection};
use crate::service::providers::coin_ref::{CoinRef, Listing};

/// Applies the user's correction of a coin.
pub(super) fn correct(coin: &mut CoinRef, correction: &CoinCorrection) {
    let unless_empty = |value: &Text| Some(value.clone()).filter(|value| !value.is_empty());
    for (provider, id) in correction.ids.iter() {
        coin.ids.set(provider, unless_empty(id));
    }
    if let Some(ticker) = &correction.brc20 {
        coin.brc20 = unless_empty(ticker);
    }
    if let Some(name) = &correction.name {
        coin.name = name.clone();
    }
    if let Some(symbol) = &correction.symbol {
        coin.symbol = symbol.clone();
    }
    if let Some(hashtags) = &correction.hashtags {
        coin.hashtags = hashtags.clone();
    }
    for (exchange, ListingCorrection { symbol, factor }) in correction.listings.iter() {
        if let Some(symbol) = symbol {
            coin.listings.set(exchange, unless_empty(symbol).map(|symbol| Listing { symbol, factor: 1.0 }));
        }
        if let (Some(listing), Some(factor)) = (coin.listings.get_mut(exchange), factor) {
            listing.factor = *factor;
        }
    }
}
