//! The text that can be copied in the wallet tab.

use crate::app::state::State;
use crate::app::update::selection;

use super::coin::{add_coin, add_series};
use super::items::Items;

/// Adds the text of the selected row.
pub(in crate::app::update) fn add_wallet(state: &State, items: &mut Items<'_>) {
    if let Some(held) = state.wallet.selected_address() {
        items.add('a', "address", &held.entry.address);
        items.maybe('n', "label", held.entry.label.as_ref());
        return;
    }
    if let Some(token) = state.wallet.selected_unvalued() {
        items.maybe('s', "ticker", token.balance.ticker.as_ref());
        items.maybe('b', "balance", token.balance.overall);
        return;
    }
    let coin = selection::wallet_coin(state);
    // The series comes first, since its price may be newer than the list's.
    match (selection::wallet_series(state), coin) {
        (Some(series), Some(coin)) => {
            for contract in coin.contracts.iter().take(1) {
                items.add('c', "contract", &contract.address);
            }
            items.maybe('l', "link", coin.links.first().map(|link| &link.url));
            add_series(items, series);
            add_coin(items, coin);
        }
        (Some(series), None) => add_series(items, series),
        (None, Some(coin)) => add_coin(items, coin),
        (None, None) => {
            let watched = state.wallet.selected().map(|row| &row.watched);
            items.maybe('s', "symbol", watched.map(|watched| &watched.symbol));
        }
    }
}
