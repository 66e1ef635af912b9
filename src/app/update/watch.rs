//! Watching a coin in the wallet tab, or no more.

use crate::app::effect::Effect;
use crate::app::state::State;
use crate::app::watch::Watched;
use crate::keymap::Tab;
use crate::model::MarketSeries;

use super::{command, indexer as on_indexer, toast};

/// Watches the coin that is meant, or no more.
pub(super) fn toggle(state: &mut State, effects: &mut Vec<Effect>) {
    let coin = match (&state.token, state.tab) {
        (None, Tab::Wallet) => state.wallet.selected().map(|row| row.watched.clone()),
        (None, Tab::Indexer) => on_indexer::coin(state),
        (Some(token), _) => Some(Watched {
            symbol: token.symbol.clone(),
            slug: token.slug.clone(),
            id: token.id.as_ref().map(|id| id.0.clone()),
        }),
        _ => command::current_coin(state).map(Watched::coin),
    };
    let Some(coin) = coin else { return };
    if let Some(part) = part_of_shared(state) {
        return watch_the_others(state, part, effects);
    }
    let in_wallet = state.token.is_none() && state.tab == Tab::Wallet;
    let shared = state.wallet.selected().filter(|_| in_wallet).and_then(|row| row.ambiguous);
    let entry = state.watched.iter().position(|w| *w == coin);
    let places = entry.map_or_else(|| state.watched_as(&coin), |place| vec![place]);
    let watched = places.is_empty();
    if !watched {
        let mut place = 0..;
        state.watched.retain(|_| !place.next().is_some_and(|place| places.contains(&place)));
    } else if let Some(bare) = state.watched.iter_mut().find(|w| w.is_bare() && w.is_same(&coin)) {
        // Of the coins that share the symbol, this is the one.
        *bare = coin.clone();
    } else {
        state.watched.push(coin.clone());
    }
    state.resolve();
    state.wallet.sync(&state.store, &state.watched, &state.convert);
    let what = match shared {
        Some(coins) => format!("{} stands for {coins} coins: all are no longer watched", coin.symbol),
        None if watched => format!("{} is watched in the wallet tab", coin.symbol),
        None => format!("{} is no longer watched", coin.symbol),
    };
    toast(state, what, false);
    effects.push(Effect::Watch(coin, watched));
}

/// One of several coins that an entry of the wallet, of which only the symbol is known, stands for.
struct Part {
    /// The entry's place among the watched coins.
    place: usize,
    /// The coin.
    coin: MarketSeries,
    /// The others that it stands for.
    others: Vec<Watched>,
}

/// What the wallet's cursor is on, where that is only a part of a watched entry and each of the others can be named.
fn part_of_shared(state: &State) -> Option<Part> {
    if state.token.is_some() || state.tab != Tab::Wallet {
        return None;
    }
    let row = state.wallet.selected().filter(|row| row.ambiguous.is_some())?;
    let request = state.wallet.request(&state.watched, &state.convert)?;
    let series = state.store.market(&request).value?;
    let place = state.watched.iter().position(|w| *w == row.watched)?;
    let sharing = state.wallet.rows().iter().filter(|other| other.watched == row.watched && other.series != row.series);
    let others: Option<Vec<&MarketSeries>> = sharing.map(|other| series.get(other.series?)).collect();
    let others: Vec<Watched> = others?.into_iter().map(Watched::series).collect();
    let own = series.get(row.series?)?;
    // Where one cannot be told from this one, there is nothing to settle.
    let is_settled = |other: &Watched| !other.is_bare() && !other.is_same(&Watched::series(own));
    if !others.iter().all(is_settled) {
        return None;
    }
    Some(Part { place, coin: own.clone(), others })
}

/// Watches a coin no more that shares its entry with others: these stay, and from now on it is said which they are.
fn watch_the_others(state: &mut State, part: Part, effects: &mut Vec<Effect>) {
    let Part { place, coin, others } = part;
    state.watched.remove(place);
    let stay = if others.len() == 1 { "the other stays" } else { "the others stay" };
    // As the file says it: the first in the entry's place, the rest behind all.
    let mut free = Some(place);
    for other in others {
        if !state.watched.iter().any(|w| w.is_surely(&other)) {
            let end = state.watched.len();
            state.watched.insert(free.take().unwrap_or(end), other.clone());
        }
        effects.push(Effect::Watch(other, true));
    }
    state.resolve();
    state.wallet.sync(&state.store, &state.watched, &state.convert);
    let MarketSeries { symbol, slug, name, .. } = coin;
    let which = slug.or(name).map(|which| format!(" ({which})")).unwrap_or_default();
    toast(state, format!("{symbol}{which} is no longer watched; {stay}"), false);
}
