//! Changes the currency, and changes it back if the service does not support the new one.
//!
//! Nothing disappears: lists, wallet and token view keep their values, labelled with their currency, until the responses
//! in the new one arrive.

use std::mem;

use crate::app::state::State;
use crate::client::{Error, Request};
use crate::fetch::Event;
use crate::model::Currency;

use super::sync;
use super::toast::toast;

/// Changes the currency and returns the previous one.
pub(super) fn change(state: &mut State, currency: Currency) -> Currency {
    let before = mem::replace(&mut state.convert, currency);
    for list in &mut state.lists {
        list.restart();
    }
    sync::all(state);
    before
}

/// Checks whether the service supports a new currency: if it rejects the currency before the first response in it, the
/// previous currency is restored with all its data.
pub(super) fn check_support(state: &mut State, event: &Event) {
    let uses_currency = |request: &Request| request.convert() == Some(&state.convert);
    match event {
        Event::Arrived { request, .. } if uses_currency(request) => state.convert_before = None,
        Event::Failed { request, error, .. } if uses_currency(request) && rejects_currency(state, request, error) => {
            if let Some(before) = state.convert_before.take() {
                let unknown = change(state, before);
                toast(state, format!("Unsupported currency: {unknown}"), true);
            }
        }
        _ => {}
    }
}

/// Whether an error is about the currency: it rejects a parameter, and either its message names the currency or the
/// same request succeeded in the previous one. An unknown symbol or slug is no reason to change the currency back.
fn rejects_currency(state: &State, request: &Request, error: &Error) -> bool {
    let succeeded_before = |before: &Currency| state.store.answer(&request.in_currency(before)).is_some();
    error.rejects_currency(&state.convert)
        || (error.rejected_parameter().is_some() && state.convert_before.as_ref().is_some_and(succeeded_before))
}
