//! The text that can be copied in the wallet tab.

use crate::app::screen::wallet::holdings::LineKind;
use crate::app::state::State;
use crate::app::update::selection;
use crate::format::HIDDEN;
use crate::user_data::{Lot, LotPrice};

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
        // The palette and the message after copying show what is copied.
        items.maybe('b', "balance", token.balance.overall.filter(|_| !state.wallet.hides_amounts));
        return;
    }
    if let Some(LineKind::Lot(holding, place)) = state.wallet.line()
        && let Some((lot, _)) = state.wallet.holdings().lot_of(holding, place)
    {
        add_lot(items, lot, state);
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

/// Adds the row of a lot, in place of its coin's.
fn add_lot(items: &mut Items<'_>, lot: &Lot, state: &State) {
    let hides = state.wallet.hides_amounts;
    let price = lot.price.as_ref().map(|price| match price {
        LotPrice::Unit(unit) => format!("@ {unit} {}", lot.currency),
        LotPrice::Total(_) if hides => format!("@@ {HIDDEN} {}", lot.currency),
        LotPrice::Total(total) => format!("@@ {total} {}", lot.currency),
    });
    let fee = lot.fee.as_ref().map(|fee| if hides { HIDDEN.to_owned() } else { fee.to_string() });
    items.row(&[
        Some(lot.date.to_string()),
        Some(lot.kind.as_str().to_owned()),
        Some(if hides { HIDDEN.to_owned() } else { lot.amount.to_string() }),
        Some(lot.coin.symbol.to_string()),
        price,
        fee.map(|fee| format!("fee {fee} {}", lot.currency)),
        lot.note.as_ref().map(ToString::to_string),
    ]);
}
