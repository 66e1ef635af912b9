//! Renamed coins, and names that a coin can't have because they are another coin's.

use std::time::Duration;

use super::Identity;
use super::similarity::is_same_name;
use crate::model::{Coin, CoinId, CoinName, ProviderName, Text, UtcTime};
use crate::service::gateway::identity_cache::FormerName;

/// How long a former name of a coin is remembered.
pub(super) const MAX_FORMER_AGE: Duration = Duration::from_hours(30 * 24);

impl Identity {
    /// The notice about a renamed coin: `ABC is now called XYZ`.
    pub(in crate::service::gateway) fn renaming(&self, id: &CoinId, now: UtcTime) -> Option<String> {
        let at = self.by_id.get(&id.0)?;
        let (former, name) = (self.former.get(at)?, &self.coins.get(*at)?.name);
        let is_recent = now.since(former.at) <= MAX_FORMER_AGE;
        // Providers write some names differently.
        (is_recent && !is_same_name(&former.name, name)).then(|| format!("{} is now called {name}", former.name))
    }

    /// The notice about the coin that formerly had this name or symbol: `ABC is now called XYZ`.
    pub(in crate::service::gateway) fn renamed_from(&self, name: &str) -> Option<String> {
        let at = self.by_former_symbol.get(&Text::from(name.to_lowercase())).or_else(|| {
            let (at, _) = self.former.iter().find(|(_, former)| former.name.eq_ignore_ascii_case(name))?;
            Some(at)
        })?;
        let coin = self.coins.get(*at)?;
        Some(format!("{name} is now called {} ({})", coin.name, coin.symbol))
    }

    /// The rows of a response whose names belong to other coins, so that it is not clear whose values they have, and
    /// our names of the coins of these rows, without values. `names` are the names of all coins, if known.
    pub(in crate::service::gateway) fn misnamed_rows(
        &self,
        provider: ProviderName,
        coins: &[Coin],
        names: &[CoinName],
    ) -> Vec<(usize, Coin)> {
        let mut wrong: Vec<(usize, Coin)> = Vec::new();
        for (row, coin) in coins.iter().enumerate() {
            let Some(at) = self.native.get(&(provider, coin.id.0.clone())).copied() else { continue };
            let Some(known) = self.coins.get(at).filter(|known| !known.symbol.eq_ignore_ascii_case(&coin.symbol))
            else {
                continue;
            };
            if known.is_unnamed() || self.named.contains(&at) {
                continue;
            }
            let successor = self.row_with_name_of(at, provider, coin, coins);
            if successor.is_some() || self.is_name_of_another(at, provider, coin, coins, names) {
                let ours = Coin::new(coin.id.clone(), known.name.clone(), known.symbol.clone());
                wrong.push((row, Coin { slug: Some(known.slug_at_service().clone()), ..ours }));
                if let Some((at, other)) = successor.and_then(|at| Some((at, coins.get(at)?))) {
                    let swapped = Coin::new(other.id.clone(), coin.name.clone(), coin.symbol.clone());
                    wrong.push((at, Coin { slug: coin.slug.clone(), ..swapped }));
                }
            }
        }
        wrong.sort_by_key(|(row, _)| *row);
        wrong.dedup_by_key(|(row, _)| *row);
        wrong
    }

    /// The row that has the name and symbol of a built-in coin, although the row with the coin's id has another one. A coin
    /// that isn't built in may really have got a new name, and its old one given to another.
    fn row_with_name_of(&self, at: usize, provider: ProviderName, coin: &Coin, rows: &[Coin]) -> Option<usize> {
        let known = self.coins.get(at).filter(|_| at < self.presets)?;
        let is_it = |row: &Coin| {
            row.id != coin.id
                && known.symbol.eq_ignore_ascii_case(&row.symbol)
                && is_same_name(&known.name, &row.name)
                // One that always had the name is not its successor.
                && !self.native.contains_key(&(provider, row.id.0.clone()))
        };
        rows.iter().position(is_it)
    }

    /// Whether another coin has the name and symbol of this one: a known coin of the provider, another row of the response,
    /// or one of the names of all coins.
    fn is_name_of_another(
        &self,
        at: usize,
        provider: ProviderName,
        coin: &Coin,
        rows: &[Coin],
        names: &[CoinName],
    ) -> bool {
        let is_same =
            |name: &str, symbol: &str| symbol.eq_ignore_ascii_case(&coin.symbol) && is_same_name(name, &coin.name);
        let mut sharing = self.by_symbol.get(&coin.symbol.to_lowercase()).into_iter().flatten();
        // Without an id at the provider, it may be the same coin under its new name.
        let is_other = |other: &usize| {
            *other != at
                && self
                    .coins
                    .get(*other)
                    .is_some_and(|known| known.native_id(provider).is_some() && is_same(&known.name, &known.symbol))
        };
        let own_id = self.coins.get(at).map(|known| &known.id.0);
        let mut same_names = names.iter().filter(|name| is_same(&name.name, &name.symbol));
        // Renamed to a name that others have, too.
        if same_names.clone().any(|name| Some(&name.id) == own_id) {
            return false;
        }
        sharing.any(is_other)
            || rows.iter().any(|row| row.id != coin.id && is_same(&row.name, &row.symbol))
            || same_names.next().is_some()
    }

    /// Our name of a provider's coin, if the provider's name and symbol are both different.
    pub(in crate::service::gateway) fn misnamed(&self, provider: ProviderName, coin: &Coin) -> Option<Text> {
        let at = *self.native.get(&(provider, coin.id.0.clone()))?;
        let known = self.coins.get(at).filter(|known| !known.is_unnamed() && !self.named.contains(&at))?;
        let is_it =
            |name: &str, symbol: &str| symbol.eq_ignore_ascii_case(&coin.symbol) || is_same_name(name, &coin.name);
        let is_former = self.former.get(&at).is_some_and(|former| is_it(&former.name, &former.symbol));
        (!is_former && !is_it(&known.name, &known.symbol)).then(|| known.name.clone())
    }

    /// Adopts a new name or symbol from the provider that our id of the coin comes from; others may always have used
    /// another one. The id stays.
    pub(super) fn rename(&mut self, at: usize, provider: ProviderName, coin: &Coin, now: UtcTime) {
        let Some(known) = self.coins.get_mut(at) else { return };
        if [&coin.name, &coin.symbol].into_iter().any(|name| name.contains(char::REPLACEMENT_CHARACTER)) {
            return; // not readable
        }
        // A corrected coin without a name has its slug instead.
        let is_unnamed = known.is_unnamed();
        let has_new_symbol = !is_unnamed && !known.symbol.eq_ignore_ascii_case(&coin.symbol);
        let may_name = (is_unnamed || known.native_id(provider) == Some(&known.id.0)) && !self.named.contains(&at);
        if !may_name || known.name == coin.name && known.symbol.eq_ignore_ascii_case(&coin.symbol) {
            return;
        }
        tracing::info!(id = %known.id.0, from = %known.name, to = %coin.name, "coin renamed");
        let old = known.symbol.to_lowercase();
        // Built-in names may be written differently than the provider's; symbols aren't.
        if at >= self.presets || has_new_symbol {
            let (name, symbol) = (known.name.clone(), known.symbol.clone());
            // The first name is the one that users know, for a month after the last change.
            self.former.entry(at).or_insert(FormerName { name, symbol, at: now }).at = now;
            self.has_unsaved = true;
        }
        known.name = coin.name.clone();
        known.symbol = coin.symbol.clone();
        if old != coin.symbol.to_lowercase() {
            if let Some(sharing) = self.by_symbol.get_mut(&old) {
                sharing.retain(|place| *place != at);
            }
            self.by_symbol.entry(coin.symbol.to_lowercase()).or_default().push(at);
            self.by_former_symbol.insert(Text::from(old), at);
        }
    }
}
