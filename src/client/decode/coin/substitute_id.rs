//! Coins without an id or slug. Symbols are not unique, so symbol and name together serve as id, plus the rank if those
//! collide, too. The rank alone would not identify a coin, since it changes.

use std::collections::{HashMap, HashSet};

use crate::client::decode::read::Context;
use crate::model::{Coin, Text};

/// The substitute id; `None` without symbol and name.
pub(super) fn id(coin: &Coin) -> Option<Text> {
    match (coin.symbol.as_str(), coin.name.as_str()) {
        ("", "") => None,
        (one, "") | ("", one) => Some(Text::from(one)),
        (symbol, name) if symbol == name => Some(Text::from(symbol)),
        (symbol, name) => Some(Text::from(format!("{symbol} {name}"))),
    }
}

/// Adds the rank to colliding substitute ids, with a warning.
pub(super) fn make_ids_unique(coins: &mut [Coin], without_id: &[usize], context: &mut Context<'_>) {
    if without_id.is_empty() {
        return;
    }
    let mut of_same_id: HashMap<Text, u32> = HashMap::new();
    for coin in without_id.iter().filter_map(|at| coins.get(*at)) {
        *of_same_id.entry(coin.id.0.clone()).or_default() += 1;
    }
    let mut ids = HashSet::new();
    for at in without_id {
        let Some(coin) = coins.get_mut(*at) else { continue };
        if let Some(rank) = coin.rank
            && of_same_id.get(&coin.id.0).is_some_and(|count| *count > 1)
        {
            coin.id.0 = Text::from(format!("{} {rank}", coin.id.0));
        }
        ids.insert(coin.id.0.clone());
    }
    let lost = without_id.len() - ids.len();
    context.warn(|| {
        let count = without_id.len();
        let coins = if count == 1 { "1 coin".to_owned() } else { format!("{count} coins") };
        let lost = if lost > 0 { format!("; {lost} can't be distinguished") } else { String::new() };
        format!("{coins} without id or slug, identified by symbol and name{lost}")
    });
}
