//! The slugs of coins at providers, if they differ from satscope's: `ripple` for XRP at CoinGecko. The list of names
//! has these slugs, lists of coins don't.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use crate::model::{Coin, IndexedName, Text};

/// The ids of coins by these slugs in lower case, from the names that this process has loaded; `None` if several coins
/// have the slug.
static KNOWN: Mutex<BTreeMap<String, Option<Text>>> = Mutex::new(BTreeMap::new());

/// Keeps the slugs of these names.
pub(super) fn set(names: &[IndexedName]) {
    let mut known: BTreeMap<String, Option<Text>> = BTreeMap::new();
    for name in names {
        for alias in &name.aliases {
            let id = known.entry(alias.as_str().to_ascii_lowercase()).or_insert_with(|| Some(name.coin.id.clone()));
            if id.as_ref().is_some_and(|id| *id != name.coin.id) {
                *id = None;
            }
        }
    }
    *KNOWN.lock() = known;
}

/// The id of the only coin for which a provider uses this slug.
pub(super) fn id_of(slug: &str) -> Option<Text> {
    let known = KNOWN.lock();
    known.get(&slug.to_ascii_lowercase()).cloned().flatten()
}

/// Whether a provider uses this slug for the coin, and none for another one.
pub(super) fn is_of(slug: &str, coin: &Coin) -> bool {
    id_of(slug).is_some_and(|id| id == coin.id.0)
}
