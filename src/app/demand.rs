//! The requests whose data the app needs: the input of the fetch task.

use crate::client::Request;
use crate::fetch::Demand;

use super::state::State;

/// The resources on the screen, most urgent first and without duplicates, and those that background rules need. The
/// Status tab and dialogs also demand the resources of the screen below them.
pub fn demand(state: &State) -> Demand {
    let requests = state.open_screen().requests(state);
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

/// Minimum width of a screen whose lists show trends, in columns.
pub const TREND_COLUMNS: u16 = 76;
