//! Applies the events of requests, and restores cached responses.

use std::sync::Arc;

use crate::app::effect::Effect;
use crate::app::responses::CachedResponse;
use crate::app::state::{BackgroundQueue, State};
use crate::client::{Group, Request};
use crate::fetch::{Event, PriceState};

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

/// Applies an event of a request and updates the screens that show it.
fn apply_fetch_event(state: &mut State, event: Event) {
    match event {
        Event::RefreshSkipped { sent, skipped, reason, until } => {
            return refresh::skipped(state, sent, skipped, reason, until);
        }
        Event::Background { waiting, until } => {
            state.background_queue = BackgroundQueue { waiting, until };
            return;
        }
        Event::Prices { provider, convert, ticks } => {
            state.live.add(provider, convert, ticks, state.now);
            return sync::live_prices(state);
        }
        Event::PriceState(now) => {
            state.live.is_offered |= matches!(now, PriceState::Open | PriceState::NotListed);
            state.live.state = Some(now);
            if state.paused.is_none() {
                sync::live_prices(state);
            }
            return;
        }
        _ => {}
    }
    let mut not_refreshed = None;
    let arrived = match &event {
        Event::Arrived { request, receipt, .. } => {
            state.live.is_offered |= receipt.provider.is_some() && request.group() == Group::Market;
            not_refreshed = receipt.not_refreshed.clone().map(|reason| (reason, receipt.fresh_until));
            Some(request.clone())
        }
        _ => None,
    };
    let lacking = match &event {
        Event::Failed { request, error, .. } => {
            extension::is_lacking(state, request, error).then(|| (request.clone(), extension::is_permanent(error)))
        }
        _ => None,
    };
    let has_failed_balance = matches!(&event, Event::Failed { request: Request::BitcoinBalance { .. }, .. });
    let has_failed_names = matches!(&event, Event::Failed { request: Request::CoinNames, .. });
    let failed_token = match &event {
        Event::Failed { request: request @ Request::Brc20Token { .. }, .. } => Some(request.clone()),
        _ => None,
    };
    let interrupted = match &event {
        Event::Failed { request, error, .. } => Some((request.clone(), Some(Arc::clone(error)))),
        Event::Cancelled { request, .. } => Some((request.clone(), None)),
        _ => None,
    };
    // Only the check of a new currency needs the event again.
    let event_for_currency = state.convert_before.is_some().then(|| event.clone());
    if !state.responses.apply(event) {
        return;
    }
    if let Some((reason, next)) = not_refreshed {
        refresh::failed(state, &reason, next);
    }
    if let Some((request, error)) = interrupted {
        refresh::interrupted(state, &request, error.as_deref());
    }
    if let Some((request, is_permanent)) = lacking {
        extension::record(state, &request, is_permanent);
    }
    if has_failed_names {
        palette::names_failed(state);
    }
    if failed_token.is_some_and(|request| state.add_deploy(&request)) {
        state.update_holdings();
    }
    if has_failed_balance {
        // The total lacks it.
        state.value_holdings();
    }
    if let Some(request) = arrived {
        extension::arrived(state, &request);
        sync::response(state, &request);
        if matches!(request, Request::CoinNames | Request::Coins { .. } | Request::CoinsById { .. }) {
            // It searches the names of coins.
            state.filter_alerts();
            if let Some(problem) = state.resolve_title() {
                error_toast(state, problem);
            }
        }
        palette::response(state, &request);
        refresh::arrived(state, &request);
    }
    if let Some(event) = event_for_currency {
        currency::check_support(state, &event);
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
