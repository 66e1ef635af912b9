//! The requests whose data the app needs: the input of the fetch task.

use crate::client::Request;
use crate::fetch::Demand;
use crate::keymap::Tab;
use crate::model::Tag;

use super::panel::Panel;
use super::screen::TokenScreen;
use super::state::State;

/// The resources on the screen, most urgent first and without duplicates, and those that background rules need. The
/// Status tab and dialogs also demand the resources of the screen below them.
pub fn demand(state: &State) -> Demand {
    let mut requests = Vec::new();
    match &state.token {
        Some(token) => add_token(state, token, &mut requests),
        None => match state.tab {
            Tab::List(tag) => add_list(state, tag, &mut requests),
            Tab::Wallet => requests.extend(state.wallet.requests(state.content_rows(), &state.convert)),
            Tab::Indexer => {
                requests.extend(state.indexer.requests(&state.store, state.size, state.content_rows(), state.now))
            }
            Tab::Status => add_list(state, Tag::All, &mut requests),
        },
    }
    let mut unique = Vec::with_capacity(requests.len());
    for request in requests {
        if !unique.contains(&request) {
            unique.push(request);
        }
    }
    let background = state.background.clone();
    let all = unique.iter().chain(background.iter().map(|need| &need.request));
    let has_rows = all.map(|request| has_rows(state, request)).collect();
    Demand { visible: unique, background, has_rows }
}

/// Whether an empty answer would remove rows from the screen. Until the first answer in a new currency arrives, the
/// rows in the old one count too.
fn has_rows(state: &State, request: &Request) -> bool {
    if let Some(answer) = state.store.answer(request) {
        return !answer.is_empty();
    }
    let in_list = match request {
        Request::Coins { tag, start, .. } => state.list(*tag).has_rows(*start),
        _ => false,
    };
    in_list || state.store.in_other_currency(request).is_some_and(|answer| !answer.is_empty())
}

fn add_list(state: &State, tag: Tag, requests: &mut Vec<Request>) {
    let list = state.list(tag);
    let rows = state.content_rows();
    requests.extend(list.requests(rows, &state.convert));
    // Narrow screens show no trends.
    if state.size.0 >= TREND_COLUMNS {
        requests.extend(list.trend_requests(rows, &state.convert));
    }
}

/// Minimum width of a screen whose lists show trends, in columns.
pub const TREND_COLUMNS: u16 = 76;

fn add_token(state: &State, token: &TokenScreen, requests: &mut Vec<Request>) {
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
    // The price in the headline comes from the list.
    requests.extend(state.page_of(token));
    if let Tab::List(tag) = state.tab {
        // The next coin may be on a page that is not loaded yet.
        requests.extend(state.list(tag).next_request(&state.convert));
    }
}
