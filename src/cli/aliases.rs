//! The slugs of coins at providers, if they differ from satscope's: `ripple` for XRP at CoinGecko. The list of names
//! has these slugs, lists of coins don't.

use std::collections::BTreeMap;

use crate::model::{Coin, IndexedName, Text};

/// The ids of coins by these slugs in lower case; `None` if several coins have the slug.
#[derive(Debug, Default)]
pub(super) struct Aliases(BTreeMap<String, Option<Text>>);

impl Aliases {
    /// The slugs in these names.
    pub(super) fn of(names: &[IndexedName]) -> Aliases {
        let mut ids: BTreeMap<String, Option<Text>> = BTreeMap::new();
        for name in names {
            for alias in &name.aliases {
                let id = ids.entry(alias.as_str().to_ascii_lowercase()).or_insert_with(|| Some(name.coin.id.clone()));
                if id.as_ref().is_some_and(|id| *id != name.coin.id) {
                    *id = None;
                }
            }
        }
        Aliases(ids)
    }

    /// The id of the only coin for which a provider uses this slug.
    pub(super) fn id_of(&self, slug: &str) -> Option<&Text> {
        self.0.get(&slug.to_ascii_lowercase())?.as_ref()
    }

    /// Whether a provider uses this slug for the coin, and none for another one.
    pub(super) fn is_of(&self, slug: &str, coin: &Coin) -> bool {
        self.id_of(slug).is_some_and(|id| *id == coin.id.0)
    }
}
