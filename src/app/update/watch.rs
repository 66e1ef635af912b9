//! Watching and unwatching coins.

use crate::app::effect::Effect;
use crate::app::state::State;
use crate::model::MarketSeries;
use crate::user_data::{Change, Watched};

use super::toast::{toast, toast_when_saved};
use super::user::{save, save_without_undo};

/// Watches or unwatches a coin.
pub(super) fn toggle(state: &mut State, coin: Watched, effects: &mut Vec<Effect>) {
    toggle_entry(state, coin, None, effects);
}

/// Watches or unwatches a coin, unless it already is as wanted.
pub(super) fn set(state: &mut State, coin: Watched, watched: bool, effects: &mut Vec<Effect>) {
    if state.watched.has_entry(&coin) != watched {
        return toggle(state, coin, effects);
    }
    let already = if watched { "Already watching" } else { "Not watching" };
    toast(state, format!("{already} {}", coin.symbol));
}

/// Unwatches the coin selected in the wallet. If several coins share its entry, the others stay.
pub(super) fn toggle_row(state: &mut State, effects: &mut Vec<Effect>) {
    let Some((coin, shared)) = state.wallet.selected().map(|row| (row.watched.clone(), row.ambiguous)) else { return };
    match shared_entry(state) {
        Some(entry) => split_entry(state, entry, effects),
        None => toggle_entry(state, coin, shared, effects),
    }
}

/// Watches or unwatches a coin whose entry several coins may share.
fn toggle_entry(state: &mut State, coin: Watched, shared: Option<usize>, effects: &mut Vec<Effect>) {
    let entry = state.watched.coins().iter().position(|w| *w == coin);
    let places = entry.map_or_else(|| state.watched.indices(&coin), |place| vec![place]);
    let watched = places.is_empty();
    let change = if watched { Change::Watch(coin.clone()) } else { Change::Unwatch(coin.clone()) };
    save(state, change, effects);
    let what = match shared {
        Some(coins) => format!("Stopped watching all {coins} coins that use {}", coin.symbol),
        None if watched => format!("Watching {}", coin.symbol),
        None => format!("Stopped watching {}", coin.symbol),
    };
    toast_when_saved(state, what);
}

/// A watchlist entry with only a symbol, which several coins share.
struct SharedEntry {
    /// The selected coin.
    coin: MarketSeries,
    /// The other coins of the entry.
    others: Vec<Watched>,
}

/// The entry of the coin selected in the wallet, if several coins share it and all the others can be identified.
fn shared_entry(state: &State) -> Option<SharedEntry> {
    let row = state.wallet.selected().filter(|row| row.ambiguous.is_some())?;
    let series = |row| state.wallet.series(row, &state.responses, &state.convert);
    let sharing = state.wallet.rows().iter().filter(|other| other.watched == row.watched && other.series != row.series);
    let others: Option<Vec<&MarketSeries>> = sharing.map(series).collect();
    let others: Vec<Watched> = others?.into_iter().map(Watched::from_series).collect();
    let own = series(row)?;
    // If another coin can't be distinguished from the selected one, the entry can't be split.
    let is_settled = |other: &Watched| !other.has_only_symbol() && !other.is_same(&Watched::from_series(own));
    if !others.iter().all(is_settled) {
        return None;
    }
    Some(SharedEntry { coin: own.clone(), others })
}

/// Unwatches a coin that shares its entry with others: each of the others gets its own entry.
fn split_entry(state: &mut State, entry: SharedEntry, effects: &mut Vec<Effect>) {
    let SharedEntry { coin, others } = entry;
    let kept = if others.len() == 1 { "still watching the other" } else { "still watching the others" };
    for other in others {
        // Undoing one of these changes alone would stop watching the others.
        save_without_undo(state, Change::Watch(other), effects);
    }
    let MarketSeries { symbol, slug, name, .. } = coin;
    let which = slug.or(name).map(|which| format!(" ({which})")).unwrap_or_default();
    toast_when_saved(state, format!("Stopped watching {symbol}{which}; {kept}"));
}
