//! The saved parts of the coins, so that they keep their ids after a restart, regardless of the provider.

use std::collections::HashMap;
use std::time::Duration;

use super::renames::MAX_FORMER_AGE;
use super::{Identity, ids_of};
use crate::model::{CoinId, ProviderName, Text, UtcTime};
use crate::service::gateway::identity_cache::{SavedCoin, SavedPrice};
use crate::service::providers::coin_ref::CoinRef;

/// Maximum saved coins: those that were requested by id first, then those with the highest market caps.
const MAX_COINS: usize = 1_000;

/// Minimum time between two saves of a coin that is returned again, with its new market cap.
pub(super) const SEEN_STEP: Duration = Duration::from_hours(6);

impl Identity {
    /// Adds coins of an earlier run, unless newer data is known. Old market caps of built-in coins are left
    /// out: today's are fetched by their ids.
    pub(in crate::service::gateway) fn restore(&mut self, coins: Vec<SavedCoin>, now: UtcTime) {
        for coin in coins {
            let natives: Vec<(ProviderName, Text)> =
                coin.ids.iter().filter_map(|(name, id)| Some((ProviderName::parse(name)?, id.clone()))).collect();
            let preset = self.by_id.get(&coin.id).copied().filter(|at| *at < self.presets);
            let is_known = || {
                self.by_id.contains_key(&coin.id)
                    || self.by_slug.contains_key(&coin.slug.to_lowercase())
                    || natives.iter().any(|native| self.native.contains_key(native))
            };
            let place = match preset {
                Some(at) if self.coins.get(at).is_some_and(|known| known.symbol.eq_ignore_ascii_case(&coin.symbol)) => {
                    at
                }
                Some(_) => continue,
                None if is_known() => continue,
                None => {
                    let new = CoinRef::new(CoinId(coin.id), coin.slug, coin.name, coin.symbol);
                    self.insert(new)
                }
            };
            for (provider, id) in natives {
                let is_free = self.coins.get(place).is_some_and(|known| known.native_id(provider).is_none())
                    && !self.unlisted.contains(&(place, provider))
                    && !self.native.contains_key(&(provider, id.clone()));
                if is_free {
                    self.set_native_id(place, provider, id);
                }
            }
            let is_current = place >= self.presets || now.since(coin.seen) < SEEN_STEP;
            if let Some(known) = self.coins.get_mut(place) {
                known.market_cap = coin.market_cap.filter(|cap| is_current && cap.is_finite() && *cap > 0.0);
                known.rank = coin.rank;
            }
            if let Some(former) = coin.former.filter(|former| now.since(former.at) <= MAX_FORMER_AGE) {
                let is_same =
                    self.coins.get(place).is_some_and(|known| known.symbol.eq_ignore_ascii_case(&former.symbol));
                if !is_same {
                    self.by_former_symbol.entry(former.symbol.to_lowercase()).or_insert(place);
                }
                self.former.insert(place, former);
            }
            if let Some(SavedPrice { provider, price, at }) = coin.price
                && let Some(provider) = ProviderName::parse(&provider)
                && price.is_finite()
                && price > 0.0
                && at <= now
            {
                self.last_prices.restore(place, (provider, price), at);
            }
            self.seen.insert(place, coin.seen);
            self.matched.extend(coin.matched.map(|at| (place, at)));
            if coin.is_wanted {
                self.wanted.insert(place);
            }
        }
    }

    /// Remembers that a provider with its own ids returned a coin.
    pub(super) fn note_seen(&mut self, at: usize, provider: ProviderName, now: UtcTime) {
        let is_recent = |seen: &UtcTime| *seen <= now && now.since(*seen) < SEEN_STEP;
        if ids_of(provider).is_some() && !self.seen.get(&at).is_some_and(is_recent) {
            self.seen.insert(at, now);
            self.has_unsaved = true;
        }
    }

    /// Whether a provider returned a coin within the last hours, so that it lists it.
    pub(in crate::service::gateway) fn was_seen(&self, id: &CoinId, now: UtcTime) -> bool {
        let seen = self.place_of(id).and_then(|at| self.seen.get(&at));
        seen.is_some_and(|seen| *seen <= now && now.since(*seen) < SEEN_STEP)
    }

    /// Remembers that coins were requested by their ids: they are saved before others.
    pub(in crate::service::gateway) fn set_wanted(&mut self, ids: &[CoinId]) {
        for id in ids {
            if let Some(at) = self.place_of(id)
                && self.wanted.insert(at)
                && self.seen.contains_key(&at)
            {
                self.has_unsaved = true;
            }
        }
    }

    /// Whether coins or listings are known that are not saved yet.
    pub(in crate::service::gateway) fn has_unsaved(&self) -> bool {
        self.has_unsaved || self.has_unsaved_listings()
    }

    /// The coins to save, most important first.
    pub(in crate::service::gateway) fn take_coins(&mut self) -> Vec<SavedCoin> {
        self.has_unsaved = false;
        let certain = self.seen.keys().filter(|place| !self.by_name.contains_key(place));
        let mut prices: HashMap<usize, SavedPrice> =
            certain.filter_map(|place| Some((*place, self.last_prices.mark_saved(*place)?))).collect();
        let saved = |(place, seen): (&usize, &UtcTime)| {
            let coin = self.coins.get(*place)?;
            // The next process joins it by name again, unless it has more data.
            let is_certain = |(provider, _): &(ProviderName, &Text)| !self.is_joined_by_name(*place, *provider);
            Some(SavedCoin {
                id: coin.id.0.clone(),
                slug: coin.slug.clone(),
                name: coin.name.clone(),
                symbol: coin.symbol.clone(),
                ids: coin
                    .ids
                    .iter()
                    .filter(is_certain)
                    .map(|(provider, id)| (Text::from(provider.as_str()), id.clone()))
                    .collect(),
                market_cap: coin.market_cap.filter(|_| !self.by_name.contains_key(place)),
                rank: coin.rank,
                matched: self.matched.get(place).copied(),
                seen: *seen,
                is_wanted: self.wanted.contains(place),
                former: self.former.get(place).cloned(),
                price: prices.remove(place),
            })
        };
        let mut coins: Vec<SavedCoin> = self.seen.iter().filter_map(saved).collect();
        coins.sort_by(SavedCoin::by_importance);
        coins.truncate(MAX_COINS);
        coins
    }
}
