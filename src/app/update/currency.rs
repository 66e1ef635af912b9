//! Changes the currency, and changes it back if the service does not support the new one.
//!
//! Nothing disappears: lists, wallet and token view keep their values, labelled with their currency, until the
//! responses in the new one arrive.

use std::mem;

use tui_input::Input;

use crate::app::coins::filter::parse;
use crate::app::effect::Effect;
use crate::app::overlay::{Overlay, currencies};
use crate::app::previous_currency::PreviousCurrency;
use crate::app::screen::list::AppliedFilter;
use crate::app::state::State;
use crate::app::step::Step;
use crate::client::{Error, Request};
use crate::fetch::Event;
use crate::format::words::capitalised;
use crate::keymap::{Command, Context};
use crate::model::{Currency, Tag, Text};

use super::dialog::Dialog;
use super::sync;
use super::toast::error_toast;

/// The currency: common ones, and a text field for any other code.
pub(super) struct CurrencyDialog;

impl Dialog for CurrencyDialog {
    fn context(&self, _state: &State) -> Context {
        Context::Choice
    }

    fn run(&self, state: &mut State, command: Command, _effects: &mut Vec<Effect>) {
        if command == Command::Open
            && let Some(Overlay::Currency { input, selected }) = state.overlay.take()
        {
            choose(state, input, selected);
        }
    }

    fn step(&self, state: &mut State, step: Step) {
        if let Some(Overlay::Currency { input, selected }) = &mut state.overlay {
            *selected = step.target(*selected, currencies(input.value()).len().saturating_sub(1));
        }
    }

    fn selected<'a>(&self, state: &'a mut State) -> Option<&'a mut usize> {
        match &mut state.overlay {
            Some(Overlay::Currency { selected, .. }) => Some(selected),
            _ => None,
        }
    }

    fn choice_key(&self, state: &State, index: usize) -> Option<Text> {
        match &state.overlay {
            Some(Overlay::Currency { input, .. }) => Some(currencies(input.value()).get(index)?.as_str().into()),
            _ => None,
        }
    }

    fn field<'a>(&self, state: &'a mut State) -> Option<&'a mut Input> {
        match &mut state.overlay {
            Some(Overlay::Currency { input, .. }) => Some(input),
            _ => None,
        }
    }

    fn edited(&self, state: &mut State) {
        self.selected(state).into_iter().for_each(|selected| *selected = 0);
    }
}

/// Opens the dialog.
pub(super) fn open(state: &mut State) {
    let selected = currencies("").iter().position(|currency| *currency == state.convert).unwrap_or(0);
    state.overlay = Some(Overlay::Currency { input: Input::default(), selected });
}

/// Changes to one of the currencies that match the typed text. An invalid code stays editable.
fn choose(state: &mut State, input: Input, selected: usize) {
    match currencies(input.value()).into_iter().nth(selected) {
        Some(currency) => set(state, currency),
        // The dialog says what a code is.
        None => state.overlay = Some(Overlay::Currency { input, selected }),
    }
}

/// Changes to a currency that the user has chosen.
pub(super) fn set(state: &mut State, currency: Currency) {
    if currency != state.convert {
        let before = change(state, currency);
        // After several changes, the currency to restore is the last one known to work.
        match &mut state.convert_before {
            Some(first) => first.filters.extend(before.filters),
            None => state.convert_before = Some(before),
        }
    }
}

/// Changes the currency and returns the previous one.
pub(super) fn change(state: &mut State, currency: Currency) -> PreviousCurrency {
    let before = mem::replace(&mut state.convert, currency);
    for list in &mut state.lists {
        list.restart();
    }
    let filters = remove_filters(state, &before);
    sync::all(state);
    PreviousCurrency { currency: before, filters }
}

/// Removes filters that name an amount in the previous currency: they would compare it with prices in the new one.
/// Returns these filters.
fn remove_filters(state: &mut State, before: &Currency) -> Vec<(Tag, AppliedFilter)> {
    let State { lists, convert, .. } = state;
    let mut removed = Vec::new();
    // The yen and the yuan have the same sign.
    let shared_sign = before.sign().filter(|sign| before != convert && convert.sign() == Some(*sign));
    let mut reason = None;
    for list in lists {
        let Some(applied) = list.applied_filter().cloned() else { continue };
        let error = parse(&applied.text, convert).err().map(|error| error.to_string());
        let has_sign = |sign: &&str| applied.text.contains(*sign);
        if let Some(error) = error.or_else(|| shared_sign.filter(has_sign).map(|sign| format!("{sign} meant {before}")))
        {
            list.set_filter(None);
            removed.push((list.tag, applied));
            reason = Some(error);
        }
    }
    if let Some(reason) = reason {
        error_toast(state, format!("Filter removed: {reason}"));
    }
    removed
}

/// Checks whether the service supports a new currency: if it rejects the currency before the first response in it, the
/// previous currency is restored with all its data.
pub(super) fn check_support(state: &mut State, event: &Event) {
    let uses_currency = |request: &Request| request.convert() == Some(&state.convert);
    match event {
        Event::Arrived { request, .. } if uses_currency(request) => {
            state.convert_before = None;
        }
        Event::Failed { request, error, .. } if uses_currency(request) && rejects_currency(state, request, error) => {
            if let Some(PreviousCurrency { currency, filters }) = state.convert_before.take() {
                let reason = error.lacking_rate().map(capitalised);
                let unknown = change(state, currency).currency;
                for (tag, filter) in filters {
                    let list = state.list_mut(tag);
                    if list.applied_filter().is_none() {
                        list.set_filter(Some(filter));
                    }
                }
                // Coins found by their names can't satisfy a filter.
                state.find_more_coins();
                error_toast(state, reason.unwrap_or_else(|| format!("Unsupported currency: {unknown}")));
            }
        }
        _ => {}
    }
}

/// Whether an error is about the currency: it rejects a parameter, and either its message names the currency or the
/// same request succeeded in the previous one. An unknown symbol or slug is no reason to change the currency back.
fn rejects_currency(state: &State, request: &Request, error: &Error) -> bool {
    let succeeded_before = |before: &Currency| state.responses.response(&request.in_currency(before)).is_some();
    error.rejects_currency(&state.convert)
        || (error.rejects_parameter()
            && state.convert_before.as_ref().is_some_and(|before| succeeded_before(&before.currency)))
}
