//! Built-in coins that are joined with a provider's coins by symbol and name, because no provider with their ids has
//! said what their market caps are. Such a join ends if a market cap contradicts it.

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
        self.by_name.entry(at).or_default().push(provider);
        Some(at)
    }

    /// Whether a coin has its id at a provider only because their names match.
    pub(super) fn is_joined_by_name(&self, at: usize, provider: ProviderName) -> bool {
        self.by_name.get(&at).is_some_and(|providers| providers.contains(&provider))
    }

    /// Confirms the joins of a built-in coin, or ends them, by the market cap at a provider that has its id.
    pub(super) fn check_joins(&mut self, at: usize, provider: ProviderName, cap: f64, now: UtcTime) {
        if self.is_joined_by_name(at, provider) {
            return;
        }
        let Some(known) = self.coins.get_mut(at) else { return };
        let (Some(other), Some(joined)) = (known.market_cap, self.by_name.remove(&at)) else { return };
        self.has_unsaved = true;
        if is_similar(cap, other) {
            self.matched.insert(at, now);
            return;
        }
        tracing::info!(id = %known.id.0, "coins with its name are different coins");
        known.market_cap = None;
        for provider in joined {
            if let Some(id) = known.native_id(provider).cloned() {
                known.ids.set(provider, None);
                self.native.remove(&(provider, id));
            }
        }
    }
}
