//! Applies the events of requests, and restores cached responses.

use crate::app::effect::Effect;
use crate::app::responses::CachedResponse;
use crate::app::state::{BackgroundQueue, State};
use crate::client::{Error, Group, Request};
use crate::fetch::{Event, PriceState, Receipt};

use super::toast::error_toast;
use super::{alert_checks, command, currency, extension, palette, refresh, sync};

/// Applies an event, and evaluates the alerts with its values.
pub(super) fn apply(state: &mut State, event: Event, effects: &mut Vec<Effect>) {
    let alert_input = alert_checks::alert_input(state, &event);
    apply_fetch_event(state, event);
    if let Some(input) = alert_input {
        alert_checks::evaluate(state, &input, effects);
    }
    if palette::take_pending(state) {
        command::run_chosen(state, effects);
    }
}

/// Applies an event and updates the screens that show its values.
fn apply_fetch_event(state: &mut State, event: Event) {
    match event {
        Event::RefreshSkipped { sent, skipped, reason, until } => refresh::skipped(state, sent, skipped, reason, until),
        Event::Background { waiting, until } => state.background_queue = BackgroundQueue { waiting, until },
        Event::Prices { provider, convert, ticks } => {
            state.live.add(provider, convert, ticks, state.now);
            sync::live_prices(state);
        }
        Event::PriceState(now) => {
            state.live.is_offered |= matches!(now, PriceState::Open | PriceState::NotListed);
            state.live.state = Some(now);
            if state.paused.is_none() {
                sync::live_prices(state);
            }
        }
        event @ (Event::Started { .. } | Event::Arrived { .. } | Event::Failed { .. } | Event::Cancelled { .. }) => {
            apply_request_event(state, event);
        }
    }
}

/// Applies an event of a request, if the request waits for it.
fn apply_request_event(state: &mut State, event: Event) {
    if let Event::Arrived { request, receipt, .. } = &event {
        state.live.is_offered |= receipt.provider.is_some() && request.group() == Group::Market;
    }
    // The copy shares the response.
    if !state.responses.apply(event.clone()) {
        return;
    }
    match &event {
        Event::Arrived { request, receipt, .. } => arrived(state, request, receipt),
        Event::Failed { request, error, .. } => failed(state, request, error),
        Event::Cancelled { request, .. } => refresh::interrupted(state, request, None),
        _ => {}
    }
    if state.convert_before.is_some() {
        currency::check_support(state, &event);
    }
}

/// Updates the screens after a response.
fn arrived(state: &mut State, request: &Request, receipt: &Receipt) {
    if let Some(failure) = &receipt.not_refreshed {
        refresh::failed(state, request, failure);
    }
    extension::arrived(state, request);
    sync::response(state, request);
    if matches!(request, Request::CoinNames | Request::Coins { .. } | Request::CoinsById { .. }) {
        // It searches the names of coins.
        state.filter_alerts();
        if let Some(problem) = state.resolve_title() {
            error_toast(state, problem);
        }
    }
    palette::response(state, request);
    refresh::arrived(state, request);
}

/// Updates the screens after a failure.
fn failed(state: &mut State, request: &Request, error: &Error) {
    refresh::interrupted(state, request, Some(error));
    if extension::is_lacking(state, request, error) {
        extension::record(state, request, extension::is_permanent(error));
    }
    match request {
        Request::CoinNames => palette::names_failed(state),
        Request::Brc20Token { .. } if state.add_deploy(request) => state.update_holdings(),
        // The total lacks it.
        Request::BitcoinBalance { .. } => state.value_holdings(),
        _ => {}
    }
}

/// Restores cached responses, unless newer ones are known.
pub(super) fn restore(state: &mut State, cached: Vec<CachedResponse>) {
    for cached in cached {
        state.responses.restore(cached);
    }
    sync::all(state);
    state.indexer.sync(&state.responses, usize::from(state.size.1));
}
