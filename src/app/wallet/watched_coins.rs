//! The watched coins, and the known coins that they refer to.

use std::collections::HashMap;
use std::sync::Arc;

use crate::app::screen::wallet::WalletRow;
use crate::model::{Coin, CoinId, MarketSeries, Text};
use crate::user_data::watchlist::{IgnoreCase, ResolvedCoins, Watched};

/// The watched coins: the configured ones, with the changes of the user data.
#[derive(Debug)]
pub struct WatchedCoins {
    coins: Vec<Watched>,
    /// The same coins in the same order, with the ids found among the known coins.
    resolved: Vec<Watched>,
    /// The resolved coins that have a slug or an id, for lookups. Lists share it.
    index: Arc<ResolvedCoins>,
}

impl WatchedCoins {
    /// Watches these coins, none of which is resolved yet.
    pub fn new(coins: Vec<Watched>) -> WatchedCoins {
        WatchedCoins { index: Arc::new(ResolvedCoins::of(&coins)), resolved: coins.clone(), coins }
    }

    /// The coins as the user watches them.
    pub fn coins(&self) -> &[Watched] {
        &self.coins
    }

    /// Whether no coin is watched.
    pub fn is_empty(&self) -> bool {
        self.coins.is_empty()
    }

    /// The coins, with ids where the known coin is certain.
    pub(in crate::app) fn resolved(&self) -> &[Watched] {
        &self.resolved
    }

    /// The index of the resolved coins.
    pub(in crate::app) fn index(&self) -> &Arc<ResolvedCoins> {
        &self.index
    }

    /// Watches other coins. They are unresolved until [`WatchedCoins::resolve`].
    pub(in crate::app) fn replace(&mut self, coins: Vec<Watched>) {
        self.resolved.clone_from(&coins);
        self.coins = coins;
    }

    /// Finds the ids of the coins among known coins and series. Returns whether the index has changed.
    pub(in crate::app) fn resolve<'a>(
        &mut self,
        known_coins: impl Iterator<Item = &'a Coin>,
        known_series: impl Iterator<Item = &'a MarketSeries>,
    ) -> bool {
        // Only known coins with a watched symbol matter.
        let mut known: HashMap<IgnoreCase<'_>, Vec<Watched>> =
            self.coins.iter().map(|entry| (IgnoreCase(&entry.symbol), Vec::new())).collect();
        for coin in known_coins {
            if let Some(known) = known.get_mut(&IgnoreCase(&coin.symbol)) {
                known.push(Watched::from_coin(coin));
            }
        }
        for series in known_series {
            if let Some(known) = known.get_mut(&IgnoreCase(&series.symbol)) {
                known.push(Watched::from_series(series));
            }
        }
        let resolve = |entry: &Watched| {
            let known = known.get(&IgnoreCase(&entry.symbol)).map_or(&[][..], Vec::as_slice);
            entry.resolve(known.iter().cloned())
        };
        self.resolved = self.coins.iter().map(resolve).collect();
        let index = ResolvedCoins::of(&self.resolved);
        let is_changed = index != *self.index;
        if is_changed {
            self.index = Arc::new(index);
        }
        is_changed
    }

    /// Whether a coin is certainly watched: an entry with a symbol that several known coins share doesn't count.
    pub fn contains(&self, coin: &Coin) -> bool {
        self.index.contains(coin)
    }

    /// The indices of the entries that are this coin.
    pub fn indices(&self, coin: &Watched) -> Vec<usize> {
        let both = self.coins.iter().zip(&self.resolved).enumerate();
        let is_it = |(entry, resolved): (&Watched, &Watched)| {
            if coin.has_only_symbol() {
                entry.has_only_symbol() && entry.is_same(coin)
            } else {
                !resolved.has_only_symbol() && resolved.is_same(coin)
            }
        };
        both.filter(|&(_, pair)| is_it(pair)).map(|(place, _)| place).collect()
    }

    /// Whether an entry is this coin.
    pub(in crate::app) fn has_entry(&self, coin: &Watched) -> bool {
        !self.indices(coin).is_empty()
    }

    /// The id of a row's coin, if the coin is known.
    pub(in crate::app) fn id_of(&self, row: &WalletRow) -> Option<CoinId> {
        let resolved = self.resolved.get(row.watched_index).filter(|_| row.ambiguous.is_none())?;
        resolved.id.clone().map(CoinId)
    }

    /// The symbol of each entry, taken from a known coin with the same slug or id, since coins are renamed.
    pub(in crate::app) fn current_symbols<'a>(&self, known: impl Iterator<Item = &'a Coin>) -> Vec<Text> {
        let mut symbols: Vec<Text> = self.coins.iter().map(|entry| entry.symbol.clone()).collect();
        for coin in known.filter(|coin| self.index.contains(coin)) {
            for (entry, symbol) in self.coins.iter().zip(&mut symbols) {
                if !entry.has_only_symbol() && entry.is_coin(coin) && !symbol.eq_ignore_ascii_case(&coin.symbol) {
                    *symbol = coin.symbol.clone();
                }
            }
        }
        symbols
    }
}
