//! Another currency, and the way back where the service does not know it.

use std::mem;

use crate::app::state::State;
use crate::client::{Error, ErrorKind, Request};
use crate::fetch::Event;
use crate::model::Currency;

/// Money is in `currency` from now on. Returns what it was in before.
pub(super) fn change(state: &mut State, currency: Currency) -> Currency {
    // The open token's price comes with its list's page, which is asked for again under it.
    let home = state.token.as_ref().and_then(|token| state.home_of(token.id.as_ref()?));
    if let Some(token) = &mut state.token {
        token.home = home.or(token.home);
    }
    let before = mem::replace(&mut state.convert, currency);
    for list in &mut state.lists {
        list.restart();
    }
    super::sync_all(state);
    before
}

/// Learns from what came whether the service knows the currency: where the first answer in it is a refusal, the one
/// before is back, with all that was loaded in it.
pub(super) fn judge(state: &mut State, event: &Event) {
    let asked = |request: &Request| request.convert() == Some(&state.convert);
    match event {
        Event::Arrived { request, .. } if asked(request) => state.convert_before = None,
        Event::Failed { request, error, .. } if asked(request) && refuses(request, error) => {
            if let Some(before) = state.convert_before.take() {
                let unknown = change(state, before);
                super::toast(state, format!("the service does not know {unknown}"), true);
            }
        }
        _ => {}
    }
}

/// Whether the service will never answer this. A chart or a market that is not found says nothing of the currency.
fn refuses(request: &Request, error: &Error) -> bool {
    match &error.kind {
        ErrorKind::Status { status, .. } => matches!(status, 400 | 422),
        ErrorKind::NotFound { .. } => !matches!(request, Request::Chart { .. } | Request::MarketPairs { .. }),
        ErrorKind::InBody { .. } => !error.is_retryable(),
        _ => false,
    }
}
