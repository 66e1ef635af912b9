//! The requests whose data the app needs: the input of the fetch task.

use std::time::Duration;

use crate::client::Request;
use crate::fetch::{BackgroundNeed, Demand};

use super::extension::Extension;
use super::state::State;

/// The resources on the screen, most urgent first and without duplicates, and those needed on every screen. The
/// Status tab and dialogs also demand the resources of the screen below them.
pub fn demand(state: &State) -> Demand {
    let visible = visible_requests(state);
    let background = background_needs(state);
    let all = visible.iter().chain(background.iter().map(|need| &need.request));
    let has_rows = all.map(|request| has_rows(state, request)).collect();
    let source_changes = state.sources.changes;
    Demand { visible, background, has_rows, live: state.live_coins(), source_changes }
}

/// The [`Demand::visible`] of the state, which is all that a frame needs.
pub fn visible_requests(state: &State) -> Vec<Request> {
    let dialog = state.open_dialog();
    let mut requests = dialog.map_or_else(Vec::new, |dialog| dialog.requests(state));
    requests.extend(state.open_screen().requests(state));
    requests.extend(dialog.into_iter().flat_map(|dialog| dialog.lookups(state)));
    let mut unique = Vec::with_capacity(requests.len());
    for request in requests {
        if !unique.contains(&request) {
            unique.push(request);
        }
    }
    unique
}

/// Maximum age of the newest block in the header.
const CHAIN_INTERVAL: Duration = Duration::from_mins(1);

/// Maximum age of rows that are not visible, but whose values decide which rows are.
const HIDDEN_ROWS_INTERVAL: Duration = Duration::from_mins(15);

/// The requests that are never urgent: on every screen the newest block for the header and the values of alerts, and
/// the hidden rows of a sorted or filtered list.
pub(super) fn background_needs(state: &State) -> Vec<BackgroundNeed> {
    let chain = state.may_request(Extension::Chain).then(|| BackgroundNeed {
        // The header is incomplete without it.
        retries_soon: state.responses.response(&Request::ChainState).is_none(),
        ..BackgroundNeed::new(Request::ChainState, CHAIN_INTERVAL)
    });
    let mut needs: Vec<BackgroundNeed> = chain.into_iter().collect();
    let is_new = |need: &&BackgroundNeed| need.request != Request::ChainState;
    needs.extend(state.alerts.needs.iter().filter(is_new).cloned());
    let title = state.title_need();
    needs.extend(title.filter(|title| needs.iter().all(|need| need.request != title.request)));
    let hidden = state.open_screen().hidden_requests(state).into_iter();
    let hidden = hidden.map(|request| BackgroundNeed::new(request, HIDDEN_ROWS_INTERVAL));
    needs.extend(hidden.map(|need| BackgroundNeed { is_low_priority: true, ..need }));
    needs
}

/// Whether an empty response would remove rows from the screen. Until the first response in a new currency arrives, the
/// rows in the old one count too.
fn has_rows(state: &State, request: &Request) -> bool {
    if let Some(response) = state.responses.response(request) {
        return response.has_rows();
    }
    let in_list = match request {
        Request::Coins { tag, start, .. } => state.list(*tag).has_rows(*start),
        _ => false,
    };
    in_list || state.responses.in_other_currency(request).is_some_and(|response| response.has_rows())
}
