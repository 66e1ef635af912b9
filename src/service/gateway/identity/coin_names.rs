//! Our ids and slugs in a provider's list of coin names.

use std::collections::HashMap;

use super::{Identity, ids_of};
use crate::model::{CoinName, ProviderName, Text};
use crate::service::providers::info::CoinIds;

impl Identity {
    /// Replaces ids and slugs of a provider's names with ours, also where only name and symbol match a built-in coin,
    /// as in lists ([`super::by_name`]), if a provider `in_use` has its id. Unknown coins keep the ids and slugs that
    /// they would get in a list, but are not added: without a market cap they can't be matched with the coins of other
    /// providers.
    pub(in crate::service::gateway) fn assign_names(
        &self,
        provider: ProviderName,
        in_use: &[ProviderName],
        names: &mut [CoinName],
    ) {
        let is_served = |at: &usize| {
            self.coins.get(*at).is_some_and(|coin| in_use.iter().any(|name| coin.native_id(*name).is_some()))
        };
        let named = |CoinName { id, name, symbol, .. }: &CoinName| {
            let is_new = ids_of(provider).is_some() && !self.native.contains_key(&(provider, id.clone()));
            if is_new { self.built_in_named(provider, name, symbol).filter(is_served) } else { None }
        };
        let built_in: Vec<Option<usize>> = names.iter().map(named).collect();
        let mut uses: HashMap<usize, usize> = HashMap::new();
        built_in.iter().flatten().for_each(|at| *uses.entry(*at).or_default() += 1);
        for (name, built_in) in names.iter_mut().zip(built_in) {
            let only = built_in.filter(|at| uses.get(at) == Some(&1));
            let known = self.native.get(&(provider, name.id.clone())).copied().or(only);
            match known.and_then(|at| self.coins.get(at)) {
                Some(known) => {
                    name.id = known.id.0.clone();
                    name.slug = known.slug.clone();
                }
                None => (name.id, name.slug) = self.free_names(provider, &name.id, &name.slug),
            }
        }
    }

    /// The providers' slugs of coins that have other slugs here, by our ids. Only those that lead to no other coin.
    /// Not cached, since it costs less than the list of names beside it, which a client requests once a day.
    pub(in crate::service::gateway) fn aliases(&self) -> HashMap<Text, Vec<Text>> {
        let mut aliases: HashMap<Text, Vec<Text>> = HashMap::new();
        for ((provider, native), at) in &self.native {
            let is_slug = ids_of(*provider) == Some(CoinIds::Words) && !self.is_joined_by_name(*at, *provider);
            let Some(coin) = self.coins.get(*at).filter(|coin| is_slug && coin.slug != *native) else { continue };
            if self.place_of_slug(native) == Some(*at) {
                aliases.entry(coin.id.0.clone()).or_default().push(native.clone());
            }
        }
        aliases.values_mut().for_each(|slugs| slugs.sort_unstable());
        aliases
    }
}
