//! Matches an exchange's pairs to coins. Symbols are not unique, so a pair matches a coin only if their prices agree.

use std::collections::HashMap;
use std::time::Duration;

use super::Identity;
use super::listings::Pairs;
use crate::model::{CoinId, ProviderName, Text, UtcTime};
use crate::service::gateway::identity_cache::SavedListing;
use crate::service::providers::coin_ref::{CoinRef, Listing};
use crate::service::providers::with_listings;

/// Largest relative difference between the price of a coin and the price of its pair. USDT is not exactly a dollar, and
/// the coin's price may be some minutes old; two coins that share a symbol are rarely that close.
const PRICE_TOLERANCE: f64 = 0.05;

/// Maximum age of a coin's price for a comparison with the exchange's.
const MAX_PRICE_AGE: Duration = Duration::from_mins(20);

/// How long a lookup is valid, with or without a result.
const LOOKUP_VALID_FOR: Duration = Duration::from_hours(24);

/// How long a lookup is valid for a pair that the exchange doesn't know or whose price did not agree: the exchange or
/// the list may have been wrong for a moment.
const MISMATCH_VALID_FOR: Duration = Duration::from_hours(1);

/// Prefixes of pairs that trade several coins per unit, such as `1000SATS`, and how many.
const BUNDLES: [(&str, f64); 4] = [("", 1.0), ("1000", 1e3), ("1000000", 1e6), ("1M", 1e6)];

impl Identity {
    /// A coin with its listings.
    pub(super) fn with_listings_of(&self, at: usize) -> Option<CoinRef> {
        let mut coin = self.coins.get(at)?.clone();
        for exchange in with_listings() {
            let lookups = self.listings.lookups.get(&(coin.id.0.clone(), exchange));
            if let Some((listing, _)) = lookups.filter(|_| !self.listings.configured.contains(&(at, exchange))) {
                coin.listings.set(exchange, listing.clone());
            }
        }
        Some(coin)
    }

    /// The coins whose listing on an exchange has to be looked up. Built-in listings and the user's don't.
    pub(in crate::service::gateway) fn without_listing(
        &self,
        exchange: ProviderName,
        coins: &[CoinRef],
        now: UtcTime,
    ) -> Vec<CoinId> {
        let needs_lookup = |coin: &&CoinRef| {
            let Some(at) = self.by_id.get(&coin.id.0) else { return false };
            if self.listings.configured.contains(&(*at, exchange)) {
                return false;
            }
            match self.listings.lookups.get(&(coin.id.0.clone(), exchange)) {
                Some((_, until)) => *until <= now,
                None => coin.listing(exchange).is_none(),
            }
        };
        coins.iter().filter(needs_lookup).map(|coin| coin.id.clone()).collect()
    }

    /// Marks coins without any possible pair as unlisted, and drops built-in listings that the exchange no longer has.
    /// Returns the remaining coins with a known price, for [`Identity::match_by_price`].
    pub(in crate::service::gateway) fn mark_unlisted(
        &mut self,
        exchange: ProviderName,
        ids: Vec<CoinId>,
        pairs: &Pairs,
        now: UtcTime,
    ) -> Vec<CoinId> {
        for at in 0..self.presets {
            let Some(coin) = self.coins.get(at).filter(|_| !self.listings.configured.contains(&(at, exchange))) else {
                continue;
            };
            if coin.listing(exchange).is_some_and(|listing| !pairs.has(&listing.symbol)) {
                tracing::info!(exchange = exchange.as_str(), coin = %coin.slug, "pair delisted");
                self.listings.set_lookup(&coin.id, exchange, None, now.plus(MISMATCH_VALID_FOR));
            }
        }
        let mut rest = Vec::new();
        for id in ids {
            let Some(at) = self.by_id.get(&id.0).copied() else { continue };
            if self.pairs_of(at, pairs).is_empty() {
                self.listings.set_lookup(&id, exchange, None, now.plus(LOOKUP_VALID_FOR));
            } else if self.recent_price(at, now).is_some() {
                rest.push(id);
            }
        }
        rest
    }

    /// Drops the listings of these pairs, which the exchange doesn't know, except the user's. They are looked up again
    /// after an hour.
    pub(in crate::service::gateway) fn drop_listings(
        &mut self,
        exchange: ProviderName,
        coins: &[CoinRef],
        pairs: &[Text],
        now: UtcTime,
    ) {
        for coin in coins.iter().filter(|coin| coin.listing(exchange).is_some_and(|it| pairs.contains(&it.symbol))) {
            let Some(at) = self.by_id.get(&coin.id.0).copied() else { continue };
            if !self.listings.configured.contains(&(at, exchange)) {
                tracing::info!(exchange = exchange.as_str(), coin = %coin.slug, "pair unknown");
                self.listings.set_lookup(&coin.id, exchange, None, now.plus(MISMATCH_VALID_FOR));
            }
        }
    }

    /// Matches coins by price: a pair is a coin's if it is the only one whose price agrees, and no other coin with the
    /// symbol has that price.
    pub(in crate::service::gateway) fn match_by_price(
        &mut self,
        exchange: ProviderName,
        ids: &[CoinId],
        pairs: &Pairs,
        prices: &HashMap<Text, f64>,
        now: UtcTime,
    ) {
        for id in ids {
            let Some(at) = self.by_id.get(&id.0).copied() else { continue };
            let candidates = self.pairs_of(at, pairs);
            // A pair without a price may be its pair, or not.
            if candidates.iter().any(|listing| !prices.contains_key(&listing.symbol)) {
                continue;
            }
            let mut agreeing = candidates.into_iter().filter(|listing| self.agrees(at, listing, prices, now));
            let only = agreeing.next().filter(|_| agreeing.next().is_none());
            let is_shared = |listing: &Listing| {
                let symbol = self.coins.get(at).map(|coin| coin.symbol.to_lowercase()).unwrap_or_default();
                let sharing = self.by_symbol.get(&symbol).into_iter().flatten();
                sharing.into_iter().any(|other| *other != at && self.agrees(*other, listing, prices, now))
            };
            let listing = only.filter(|listing| !is_shared(listing));
            let until = now.plus(if listing.is_some() { LOOKUP_VALID_FOR } else { MISMATCH_VALID_FOR });
            self.listings.set_lookup(id, exchange, listing, until);
        }
    }

    /// The pairs that a coin could be, by its symbol.
    fn pairs_of(&self, at: usize, pairs: &Pairs) -> Vec<Listing> {
        let Some(coin) = self.coins.get(at) else { return Vec::new() };
        let pair = |(bundle, factor): (&str, f64)| {
            let symbol = pairs.of(&format!("{bundle}{}", coin.symbol))?.clone();
            Some(Listing { symbol, factor })
        };
        BUNDLES.into_iter().filter_map(pair).collect()
    }

    /// The prices of a coin in recent lists, in US dollars, including those that have jumped: a live price may confirm
    /// them.
    pub(in crate::service::gateway) fn recent_prices_of(&self, id: &CoinId, now: UtcTime) -> Vec<f64> {
        self.place_of(id).map(|at| self.last_prices.recent(at, MAX_PRICE_AGE, now)).unwrap_or_default()
    }

    fn recent_price(&self, at: usize, now: UtcTime) -> Option<f64> {
        let (price, when) = self.last_prices.newest(at)?;
        (now.since(when) <= MAX_PRICE_AGE).then_some(price)
    }

    fn agrees(&self, at: usize, listing: &Listing, prices: &HashMap<Text, f64>, now: UtcTime) -> bool {
        let traded = prices.get(&listing.symbol).map(|price| price / listing.factor);
        let known = self.recent_price(at, now);
        traded.zip(known).is_some_and(|(traded, known)| (traded - known).abs() <= PRICE_TOLERANCE * traded.max(known))
    }

    /// Adds listings that were found in an earlier run and are still valid.
    pub(in crate::service::gateway) fn restore_listings(&mut self, saved: Vec<SavedListing>, now: UtcTime) {
        for SavedListing { id, exchange, symbol, factor, until } in saved {
            let Some(exchange) = ProviderName::parse(&exchange).filter(|_| until > now) else { continue };
            let is_usable = factor.is_finite() && factor > 0.0;
            let listing = symbol.filter(|_| is_usable).map(|symbol| Listing { symbol, factor });
            self.listings.lookups.insert((id, exchange), (listing, until));
        }
    }

    /// Whether listings were found since [`Identity::take_listings`].
    pub(super) fn has_unsaved_listings(&self) -> bool {
        self.listings.has_unsaved
    }

    /// All listings that were found, to save them.
    pub(in crate::service::gateway) fn take_listings(&mut self) -> Vec<SavedListing> {
        self.listings.has_unsaved = false;
        let saved = |((id, exchange), (listing, until)): (&(Text, ProviderName), &(Option<Listing>, UtcTime))| {
            let (symbol, factor) = match listing {
                Some(Listing { symbol, factor }) => (Some(symbol.clone()), *factor),
                None => (None, 1.0),
            };
            SavedListing { id: id.clone(), exchange: Text::from(exchange.as_str()), symbol, factor, until: *until }
        };
        self.listings.lookups.iter().map(saved).collect()
    }
}

#[cfg(test)]
mod tests;
