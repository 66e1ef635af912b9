//! Coins that came without an id or slug. Symbols collide, so symbol and name together stand for the id, with the rank
//! where those are the same too. A rank alone would follow whoever takes the place.

use std::collections::{HashMap, HashSet};

use crate::client::decode::read::Context;
use crate::model::{Coin, Text};

/// What stands for the id; `None` for what has neither symbol nor name.
pub(super) fn id(coin: &Coin) -> Option<Text> {
    match (coin.symbol.as_str(), coin.name.as_str()) {
        ("", "") => None,
        (one, "") | ("", one) => Some(Text::from(one)),
        (symbol, name) if symbol == name => Some(Text::from(symbol)),
        (symbol, name) => Some(Text::from(format!("{symbol} {name}"))),
    }
}

/// Tells the coins at these places apart by rank where their symbols and names do not, and warns.
pub(super) fn tell_apart(coins: &mut [Coin], nameless: &[usize], context: &mut Context<'_>) {
    if nameless.is_empty() {
        return;
    }
    let mut of_same_id: HashMap<Text, u32> = HashMap::new();
    for coin in nameless.iter().filter_map(|at| coins.get(*at)) {
        *of_same_id.entry(coin.id.0.clone()).or_default() += 1;
    }
    let mut ids = HashSet::new();
    for at in nameless {
        let Some(coin) = coins.get_mut(*at) else { continue };
        if let Some(rank) = coin.rank
            && of_same_id.get(&coin.id.0).is_some_and(|count| *count > 1)
        {
            coin.id.0 = Text::from(format!("{} {rank}", coin.id.0));
        }
        ids.insert(coin.id.0.clone());
    }
    let lost = nameless.len() - ids.len();
    context.warn(|| {
        let count = nameless.len();
        let coins = if count == 1 { "1 coin".to_owned() } else { format!("{count} coins") };
        let lost = if lost > 0 { format!("; {lost} of them cannot be told from the others") } else { String::new() };
        format!("{coins} came without an id or slug, so symbol and name stand for it{lost}")
    });
}
