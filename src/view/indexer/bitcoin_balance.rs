//! The bitcoin balance of an address.

use super::panel_context::PanelContext;
use super::prices;
use crate::app::extension::Extension;
use crate::app::panel::Panel;
use crate::client::ResponseData;
use crate::format::{Exact, HIDDEN, MINUS};
use crate::model::Currency;
use crate::view::chrome::pieces::Piece;

/// Minimum width of the screen for the value of the balance.
const MIN_WIDTH_OF_VALUE: u16 = 100;

/// The bitcoin balance of the address that the tab shows, or why it is missing: `0.412003 BTC +0.05
/// unconfirmed · $25,229`. `None` without an address, if the service has no such balances, or while a panel gives the reason.
pub(super) fn piece(context: &PanelContext<'_>) -> Option<Piece<'static>> {
    let PanelContext { state, screen, appearance, .. } = context;
    let theme = &appearance.theme;
    let request = screen.bitcoin_request().filter(|request| state.may_send(request))?;
    if state.lacks(Extension::BitcoinBalances) {
        return None;
    }
    let remote = state.responses.get(&request);
    let Some(ResponseData::BitcoinBalance(balance)) = remote.value else {
        let Some(failure) = remote.failure() else {
            return screen.shows(Panel::Balances, state.size).then(|| Piece::new("loading BTC…", theme.dim));
        };
        // An outage often affects both balances, and the panel gives the reason.
        let has_tokens = screen.balance_list(&state.responses).is_some_and(|list| list.first.failure().is_none());
        return has_tokens.then(|| Piece::new(format!("BTC: {}", failure.error.reason()), theme.warn));
    };
    let style = if remote.is_stale(state.now) { theme.dim } else { theme.text };
    let shown = |amount: String| if context.hides_amounts { HIDDEN.to_owned() } else { amount };
    let amount = Piece::new(shown(Exact(balance.amount()).to_string()), style).and(" BTC", theme.dim);
    let change = |sign: &str, size: String| format!(" {sign}{} unconfirmed", shown(size));
    let amount = match balance.unconfirmed_bitcoin() {
        Some(size) if size.is_negative() => amount.and(change(MINUS, (-size).to_string()), theme.dim),
        Some(size) => amount.and(change("+", size.to_string()), theme.dim),
        None => amount,
    };
    // The reason of a failure needs the room.
    let has_room = state.size.0 >= MIN_WIDTH_OF_VALUE && remote.failure().is_none();
    let has_value = has_room && !context.hides_amounts;
    let bitcoin = state.bitcoin().filter(|coin| has_value && coin.convert != Currency::bitcoin());
    Some(match bitcoin.and_then(|coin| prices::worth(balance.amount(), coin)) {
        Some(value) => amount.and(format!(" · {value}"), theme.dim),
        None => amount,
    })
}
