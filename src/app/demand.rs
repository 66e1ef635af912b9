//! The requests whose data the app needs: the input of the fetch task.

use std::time::Duration;

use crate::client::Request;
use crate::fetch::{BackgroundNeed, Demand};

use super::overlay::Overlay;
use super::state::State;
use crate::model::Tag;

/// The resources on the screen, most urgent first and without duplicates, and those that are needed on every screen. The
/// Status tab and dialogs also demand the resources of the screen below them.
pub fn demand(state: &State) -> Demand {
    let mut requests = Vec::new();
    if let Some(Overlay::Sources { .. }) = &state.overlay {
        requests.push(Request::Sources);
    }
    if let Some(Overlay::Compare) = &state.overlay {
        requests.extend(state.comparison.request(&state.convert));
    }
    if let Some(Overlay::Image { id, .. }) = &state.overlay {
        requests.push(Request::InscriptionImage { id: id.clone() });
    }
    requests.extend(state.open_screen().requests(state));
    if let Some(Overlay::Post { .. }) = &state.overlay {
        // The coins that the post mentions may be on no loaded page.
        requests.extend((!state.lacks_names).then_some(Request::CoinNames));
    }
    if matches!(state.overlay, Some(Overlay::Palette(..))) {
        requests.extend((!state.lacks_names).then_some(Request::CoinNames));
        let list = state.list(Tag::All);
        let page = list.loading_start().filter(|_| state.loads_pages());
        requests.extend(page.map(|start| list.page_request(start, &state.convert)));
    }
    if needs_names_for_alert(state) {
        let list = state.list(Tag::All).first_request(&state.convert);
        requests.push(if state.lacks_names { list } else { Request::CoinNames });
    }
    let mut unique = Vec::with_capacity(requests.len());
    for request in requests {
        if !unique.contains(&request) {
            unique.push(request);
        }
    }
    let background = background_needs(state);
    let all = unique.iter().chain(background.iter().map(|need| &need.request));
    let has_rows = all.map(|request| has_rows(state, request)).collect();
    Demand { visible: unique, background, has_rows, live: state.live_coins() }
}

/// Whether a typed rule names a coin that is not known, so that the names of all coins are needed.
fn needs_names_for_alert(state: &State) -> bool {
    match &state.overlay {
        Some(Overlay::Alerts(dialog)) => dialog.typed.as_ref().is_some_and(|typed| typed.needs_names),
        _ => false,
    }
}

/// Maximum age of the newest block in the header.
const CHAIN_INTERVAL: Duration = Duration::from_mins(1);

/// What is needed on every screen, but never urgent: the newest block for the header, and the values of alerts.
pub(super) fn background_needs(state: &State) -> Vec<BackgroundNeed> {
    let chain = (!state.lacks_chain).then_some(BackgroundNeed { request: Request::ChainState, every: CHAIN_INTERVAL });
    let mut needs: Vec<BackgroundNeed> = chain.into_iter().collect();
    let is_new = |need: &&BackgroundNeed| need.request != Request::ChainState;
    needs.extend(state.alerts.needs.iter().filter(is_new).cloned());
    let title = state.title_need();
    needs.extend(title.filter(|title| needs.iter().all(|need| need.request != title.request)));
    needs
}

/// Whether an empty response would remove rows from the screen. Until the first response in a new currency arrives, the
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
