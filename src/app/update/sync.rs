//! Updates the screens from the responses: after new ones and a new currency.

use crate::app::state::State;
use crate::client::Request;
use crate::model::Tag;

/// Updates the screens that show a resource after its response.
pub(super) fn response(state: &mut State, request: &Request) {
    let State { responses, convert, watched, lists, .. } = state;
    match request {
        Request::Coins { tag, .. } => list(state, *tag),
        Request::CoinNames | Request::CoinsById { .. } => {
            state.find_more_coins();
            state.resolve();
            state.order_watched();
            let has_address = !state.wallet.holdings().addresses().is_empty();
            if has_address && state.tokens_by_id() != state.counted_coins.tokens {
                return state.update_holdings();
            }
            state.value_holdings();
        }
        Request::HistoricalRates { .. } | Request::BitcoinBalance { .. } => state.update_holdings(),
        Request::Brc20Balances { .. } => {
            state.update_balance_prices();
            state.indexer.sync(&state.responses, usize::from(state.size.1));
            state.update_holdings();
        }
        Request::CategoryStats { .. } | Request::MarketData { .. } => {
            if let Some(response) = responses.response(request) {
                for list in lists.iter_mut().filter(|list| list.is_trend(request, convert)) {
                    list.add_trends(response);
                }
            }
            if let Some(token) = &mut state.token {
                token.sync(responses, convert, &state.posts);
            }
            state.wallet.sync(responses, watched.coins(), convert);
            state.resolve();
            state.order_watched();
            state.update_value_chart();
        }
        Request::Chart { .. } | Request::Posts { .. } | Request::MarketPairs { .. } => {
            if let Some(token) = &mut state.token {
                token.sync(responses, convert, &state.posts);
            }
        }
        Request::Brc20Tokens { .. } => {
            state.update_sort_values();
            state.indexer.sync(&state.responses, usize::from(state.size.1));
        }
        Request::Brc20Token { .. } => {
            state.indexer.sync(responses, usize::from(state.size.1));
            if state.add_deploy(request) {
                state.update_holdings();
            }
        }
        _ => state.indexer.sync(responses, usize::from(state.size.1)),
    }
}

/// Updates a list after the response for one of its pages.
pub(super) fn list(state: &mut State, tag: Tag) {
    let freezes_order = state.order_hold.is_active(state.now);
    let rows = state.content_rows();
    let State { responses, convert, lists, live, now, .. } = state;
    let ranges = live.ranges(*now);
    for list in lists.iter_mut().filter(|list| list.tag == tag) {
        list.set_ranges(&ranges);
        list.sync(responses, convert, rows, freezes_order);
    }
    if tag == Tag::Brc20 {
        if freezes_order {
            state.order_hold.has_new_token_values = state.sorts_by_coin_values();
        } else {
            state.update_sort_values();
        }
    }
    state.find_more_coins();
    state.resolve();
    state.order_watched();
    let has_address = !state.wallet.holdings().addresses().is_empty();
    if has_address && (tag == Tag::Brc20 || state.bitcoin().is_some() != state.counted_coins.has_bitcoin) {
        // The coins of the balances may have changed.
        return state.update_holdings();
    }
    state.value_holdings();
}

/// Updates what is computed from live prices, after they changed or ended.
pub(super) fn live_prices(state: &mut State) {
    ranges(state);
    if state.tab_screen().shows_holdings() {
        state.value_holdings();
    }
}

/// Passes the 24h ranges of the exchange on to the lists, and sorts those again whose order changes with them.
fn ranges(state: &mut State) {
    let freezes_order = state.order_hold.is_active(state.now);
    let rows = state.content_rows();
    let State { responses, convert, lists, live, now, .. } = state;
    let ranges = live.ranges(*now);
    for list in lists.iter_mut() {
        if list.set_ranges(&ranges) {
            list.sync(responses, convert, rows, freezes_order);
        }
    }
}

/// Updates all screens, after the currency changed or a screen was opened.
pub(super) fn all(state: &mut State) {
    let rows = state.content_rows();
    let State { responses, convert, watched, lists, token, wallet, posts, live, now, .. } = state;
    let ranges = live.ranges(*now);
    for list in lists {
        list.set_ranges(&ranges);
        list.sync(responses, convert, rows, false);
    }
    if let Some(token) = token {
        token.sync(responses, convert, posts);
    }
    wallet.sync(responses, watched.coins(), convert);
    state.update_sort_values();
    state.find_more_coins();
    state.resolve();
    state.order_watched();
    state.update_holdings();
}

/// Restores responses to pages that [`State::responses`] has dropped and the lists have kept, so that their age is
/// known and a failed refresh is recorded with them.
pub(super) fn restore_dropped(state: &mut State, wanted: &[Request]) {
    for request in wanted {
        let Request::Coins { tag, .. } = request else { continue };
        if state.responses.response(request).is_none()
            && let Some(cached) = state.list(*tag).cached_response(request)
        {
            state.responses.restore_dropped(cached);
        }
    }
}
