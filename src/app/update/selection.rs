//! The coin that commands work on.

use crate::app::screen::TokenScreen;
use crate::app::state::State;
use crate::app::watch::Watched;
use crate::keymap::Tab;
use crate::model::{Coin, MarketSeries};

/// The view of the coin under the wallet's cursor; `None` while nothing is known of it.
pub(super) fn wallet_token(state: &State) -> Option<TokenScreen> {
    let token = wallet_coin(state).map(|coin| TokenScreen::of_coin(coin, state.period));
    token.or_else(|| wallet_series(state).map(|series| TokenScreen::of_series(series, state.period)))
}

/// The series under the wallet's cursor.
pub(super) fn wallet_series(state: &State) -> Option<&MarketSeries> {
    state.wallet.series(state.wallet.selected()?, &state.store, &state.convert)
}

/// The coin under the wallet's cursor, where a list knows it: that of the row's own series. Only a row without one
/// means what is watched.
fn wallet_coin(state: &State) -> Option<&Coin> {
    match wallet_series(state) {
        Some(series) if !Watched::series(series).is_bare() => state.coin_of(series),
        _ => state.watched_coin(state.wallet.selected()?.place),
    }
}

/// The coin that a command means: the open token's, or the selected one's.
pub(super) fn current_coin(state: &State) -> Option<&Coin> {
    match (&state.token, state.tab) {
        (Some(token), _) => token.id.as_ref().and_then(|id| state.coin(id)),
        (None, Tab::List(tag)) => state.list(tag).selected(),
        (None, Tab::Wallet) => wallet_coin(state),
        _ => None,
    }
}
