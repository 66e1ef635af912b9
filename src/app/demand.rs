//! What the screen needs, as requests: the input of the fetch task.

use crate::client::Request;
use crate::fetch::Demand;
use crate::keymap::Tab;
use crate::model::Tag;

use super::screen::TokenScreen;
use super::state::{Panel, State};

/// The resources that are on the screen now, the most urgent first, without duplicates. The Status tab, the help and
/// the other overlays keep alive what lies under them.
pub fn demand(state: &State) -> Demand {
    let mut requests = Vec::new();
    match &state.token {
        Some(token) => of_token(state, token, &mut requests),
        None => match state.tab {
            Tab::List(tag) => of_list(state, tag, &mut requests),
            Tab::Wallet => requests.extend(state.wallet.request(&state.watched, &state.convert)),
            Tab::Indexer => {
                requests.extend(state.indexer.requests(&state.store, state.size, state.content_rows(), state.now))
            }
            Tab::Status => of_list(state, Tag::All, &mut requests),
        },
    }
    let mut unique = Vec::with_capacity(requests.len());
    for request in requests {
        if !unique.contains(&request) {
            unique.push(request);
        }
    }
    Demand { requests: unique }
}

fn of_list(state: &State, tag: Tag, requests: &mut Vec<Request>) {
    let list = state.list(tag);
    let rows = state.content_rows();
    requests.extend(list.requests(rows, &state.convert));
    // Narrow screens show no trends.
    if state.size.0 >= TREND_COLUMNS {
        requests.extend(list.trend_requests(rows, &state.convert));
    }
}

/// From this width on, lists show trends.
pub const TREND_COLUMNS: u16 = 76;

fn of_token(state: &State, token: &TokenScreen, requests: &mut Vec<Request>) {
    let shown = |panel| token.shows(panel, state.size);
    if shown(Panel::Chart) {
        requests.extend(token.chart_request(&state.convert));
    }
    if shown(Panel::Posts) {
        requests.push(token.posts_request());
    }
    if shown(Panel::Markets) {
        requests.push(token.markets_request(&state.convert));
    }
    // The header's price is the list's.
    requests.extend(state.page_of(token));
}
