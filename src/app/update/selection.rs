//! What commands apply to.

use crate::app::overlay::Overlay;
use crate::app::screen::TokenScreen;
use crate::app::state::State;
use crate::model::{Coin, MarketSeries, Post, Text};
use crate::user_data::Watched;

/// Creates the view of the coin selected in the wallet; `None` if there is no data for it yet.
pub(super) fn wallet_token(state: &State) -> Option<TokenScreen> {
    let token = wallet_coin(state).map(|coin| TokenScreen::from_coin(coin, state.period));
    token.or_else(|| wallet_series(state).map(|series| TokenScreen::from_series(series, state.period)))
}

/// The series selected in the wallet.
pub(super) fn wallet_series(state: &State) -> Option<&MarketSeries> {
    state.wallet.series(state.wallet.selected()?, &state.responses, &state.convert)
}

/// The coin selected in the wallet: the holding's coin; or, if a list has it, the coin of the row's series, or of the
/// watchlist entry for a row without a series.
pub(super) fn wallet_coin(state: &State) -> Option<&Coin> {
    if let Some(holding) = state.wallet.selected_holding() {
        return state.held_coin(&holding.holding.coin);
    }
    match wallet_series(state) {
        Some(series) if !Watched::from_series(series).has_only_symbol() => state.coin_of(series),
        _ => state.watched_coin(state.wallet.selected()?.watched_index),
    }
}

/// A post of the open token.
pub(super) fn post<'a>(state: &'a State, id: &Text) -> Option<&'a Post> {
    let request = state.token.as_ref()?.posts_request();
    state.responses.posts(&request).value?.items.iter().find(|post| post.id == *id)
}

/// The open post.
pub(super) fn open_post(state: &State) -> Option<&Post> {
    match &state.overlay {
        Some(Overlay::Post { id, .. }) => post(state, id),
        _ => None,
    }
}
