//! Built-in coins that are joined with a provider's coins by symbol and name, because no provider with their ids has
//! returned their market caps. Such a join ends if a market cap contradicts it.

use super::join::JoinByName;
use super::similarity::{is_same_name, is_similar};
use super::symbol_counts::SymbolCounts;
use super::{Identity, ids_of};
use crate::model::{Coin, ProviderName, UtcTime};

impl Identity {
    /// Joins a built-in coin whose market cap is unknown with a coin of its name, if no other coin of the response has the
    /// symbol.
    pub(super) fn join_by_name(&mut self, provider: ProviderName, coin: &Coin, counts: &SymbolCounts) -> Option<usize> {
        let symbol = coin.symbol.to_lowercase();
        if ids_of(provider).is_none() || counts.get(&symbol) != Some(&1) {
            return None;
        }
        let is_it = |at: &&usize| {
            **at < self.presets
                && !self.unlisted.contains(&(**at, provider))
                && self.coins.get(**at).is_some_and(|known| {
                    known.market_cap.is_none()
                        && known.native_id(provider).is_none()
                        && !known.is_unnamed()
                        && is_same_name(&known.name, &coin.name)
                })
        };
        let mut found = self.by_symbol.get(&symbol)?.iter().filter(is_it);
        let (Some(at), None) = (found.next().copied(), found.next()) else { return None };
        self.set_native_id(at, provider, coin.id.0.clone());
        self.add_join(at, provider);
        Some(at)
    }

    /// Whether a coin has its id at a provider only because their names match.
    pub(super) fn is_joined_by_name(&self, at: usize, provider: ProviderName) -> bool {
        self.by_name.get(&at).is_some_and(|joins| joins.iter().any(|join| join.provider == provider))
    }

    /// Records that a built-in coin has its id at a provider only because their names match.
    pub(super) fn add_join(&mut self, at: usize, provider: ProviderName) {
        self.by_name.entry(at).or_default().push(JoinByName { provider, market_cap: None });
    }

    /// Remembers the market cap of a coin at a provider that was joined by name.
    pub(super) fn note_joined_cap(&mut self, at: usize, provider: ProviderName, cap: f64) {
        let joins = self.by_name.get_mut(&at).into_iter().flatten();
        joins.filter(|join| join.provider == provider).for_each(|join| join.market_cap = Some(cap));
    }

    /// Confirms the joins of a built-in coin, or ends them, by the market cap at a provider that has its id. Those
    /// whose provider has not returned a market cap stay unconfirmed.
    pub(super) fn check_joins(&mut self, at: usize, provider: ProviderName, cap: f64, now: UtcTime) {
        if self.is_joined_by_name(at, provider) {
            return;
        }
        let Some(mut joins) = self.by_name.remove(&at) else { return };
        let checked: Vec<(ProviderName, bool)> = joins
            .extract_if(.., |join| join.market_cap.is_some())
            .filter_map(|join| Some((join.provider, is_similar(cap, join.market_cap?))))
            .collect();
        if !joins.is_empty() {
            self.by_name.insert(at, joins);
        }
        let Some(known) = self.coins.get_mut(at).filter(|_| !checked.is_empty()) else { return };
        self.has_unsaved = true;
        for (provider, is_same) in checked {
            if is_same {
                self.matched.insert(at, now);
                continue;
            }
            tracing::info!(id = %known.id.0, %provider, "coin with its name is a different coin");
            known.market_cap = None;
            if let Some(id) = known.native_id(provider).cloned() {
                known.ids.set(provider, None);
                self.native.remove(&(provider, id));
            }
        }
    }
}
