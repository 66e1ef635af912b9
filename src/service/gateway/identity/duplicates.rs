//! Coins that are found to be built-in ones once the market caps of the built-in coins are known.

use super::Identity;
use super::similarity::{is_same_name, is_similar};
use crate::model::{Coin, ProviderName, UtcTime};
use crate::service::providers::coin_ref::CoinRef;

impl Identity {
    /// The built-in coins that coins of a provider could be, by name and symbol, but whose market caps are unknown, so
    /// that they can't be matched, or are only known from coins of the same name. Returned with the ids that are certain.
    pub(in crate::service::gateway) fn without_market_cap(
        &self,
        provider: ProviderName,
        coins: &[Coin],
    ) -> Vec<CoinRef> {
        let could_be = |known: &CoinRef, coin: &Coin| {
            coin.symbol.eq_ignore_ascii_case(&known.symbol) && is_same_name(&coin.name, &known.name)
        };
        let is_unknown = |at: &usize, known: &CoinRef| {
            let is_unmatched = known.market_cap.is_none() && known.native_id(provider).is_none();
            (is_unmatched || self.is_joined_by_name(*at, provider))
                && !self.unlisted.contains(&(*at, provider))
                && coins.iter().any(|coin| could_be(known, coin))
        };
        let presets = self.coins.iter().take(self.presets).enumerate();
        let with_own_ids = |(at, known): (usize, &CoinRef)| {
            let mut coin = known.clone();
            for join in self.by_name.get(&at).into_iter().flatten() {
                coin.ids.set(join.provider, None);
            }
            coin
        };
        presets.filter(|(at, known)| is_unknown(at, known)).map(with_own_ids).collect()
    }

    /// Adopts the market caps of built-in coins from a provider that has their ids, before other coins of the same
    /// response are matched with them.
    pub(super) fn add_market_caps(&mut self, provider: ProviderName, coins: &[Coin], now: UtcTime) {
        for coin in coins {
            let Some(at) = self.native.get(&(provider, coin.id.0.clone())).copied().filter(|at| *at < self.presets)
            else {
                continue;
            };
            let Some(cap) = coin.market_cap.filter(|cap| *cap > 0.0) else { continue };
            self.check_joins(at, provider, cap, now);
            if let Some(known) = self.coins.get_mut(at).filter(|known| known.market_cap.is_none()) {
                known.market_cap = Some(cap);
                self.rename(at, provider, coin, now);
                self.join_duplicate(at, now);
            }
        }
    }

    /// Joins a built-in coin with the only other coin of its name, symbol and market cap. The duplicate's id stays valid.
    fn join_duplicate(&mut self, at: usize, now: UtcTime) {
        let Some(known) = self.coins.get(at) else { return };
        let Some(cap) = known.market_cap else { return };
        let is_same = |other: &&usize| {
            let can_have = |provider| known.native_id(provider).is_none() && !self.unlisted.contains(&(at, provider));
            **other >= self.presets
                && self.coins.get(**other).is_some_and(|other| {
                    is_same_name(&other.name, &known.name)
                        && other.market_cap.is_some_and(|other| is_similar(cap, other))
                        && other.ids.iter().all(|(provider, _)| can_have(provider))
                })
        };
        let mut same = self.by_symbol.get(&known.symbol.to_lowercase()).into_iter().flatten().filter(is_same);
        let (Some(other), None) = (same.next().copied(), same.next()) else { return };
        let Some(duplicate) = self.coins.get(other).cloned() else { return };
        tracing::info!(id = %duplicate.id.0, as_id = %known.id.0, "coin is a built-in one");
        self.by_id.insert(duplicate.id.0.clone(), at);
        self.by_slug.insert(duplicate.slug.to_lowercase(), at);
        if let Some(sharing) = self.by_symbol.get_mut(&duplicate.symbol.to_lowercase()) {
            sharing.retain(|place| *place != other);
        }
        for (provider, id) in duplicate.ids.iter() {
            self.set_native_id(at, provider, id.clone());
        }
        if let Some(names) = duplicate.at_service {
            self.set_names_at_service(at, *names);
        }
        self.seen.remove(&other);
        self.matched.remove(&other);
        self.matched.insert(at, now);
        if self.wanted.remove(&other) {
            self.wanted.insert(at);
        }
        self.has_unsaved = true;
    }
}
