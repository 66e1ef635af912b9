//! Built-in coins that are joined with a provider's coins by symbol and name, because no provider with their ids has
//! returned their market caps. Such a join ends if a market cap contradicts it.

use super::join::JoinByName;
use super::similarity::{is_same_name, is_similar};
use super::symbol_counts::SymbolCounts;
use super::{Identity, ids_of};
use crate::model::{Coin, ProviderName, Text, UtcTime};

impl Identity {
    /// Joins a built-in coin whose market cap is unknown with a coin of its name, if no other coin of the response has the
    /// symbol.
    pub(super) fn join_by_name(&mut self, provider: ProviderName, coin: &Coin, counts: &SymbolCounts) -> Option<usize> {
        if ids_of(provider).is_none() || counts.get(&coin.symbol.to_lowercase()) != Some(&1) {
            return None;
        }
        let at = self.built_in_named(provider, &coin.name, &coin.symbol)?;
        self.set_native_id(at, provider, coin.id.0.clone());
        self.add_join(at, provider);
        Some(at)
    }

    /// The built-in coin with this name and symbol, if its id at the provider and its market cap are unknown.
    pub(super) fn built_in_named(&self, provider: ProviderName, name: &str, symbol: &Text) -> Option<usize> {
        let is_it = |at: &&usize| {
            **at < self.presets
                && !self.unlisted.contains(&(**at, provider))
                && self.coins.get(**at).is_some_and(|known| {
                    known.market_cap.is_none()
                        && known.native_id(provider).is_none()
                        && !known.is_unnamed()
                        && is_same_name(&known.name, name)
                })
        };
        let mut found = self.by_symbol.get(&symbol.to_lowercase())?.iter().filter(is_it);
        found.next().copied().filter(|_| found.next().is_none())
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
            tracing::info!(id = %known.id.0, %provider, "another coin has the same name");
            known.market_cap = None;
            if let Some(id) = known.native_id(provider).cloned() {
                known.ids.set(provider, None);
                self.native.remove(&(provider, id));
            }
        }
    }
}
