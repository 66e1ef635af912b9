//! Checks the alerts when values arrive, and announces what fires.

use std::collections::HashMap;
use std::mem;
use std::time::Duration;

use crate::alerts::check::{self, check};
use crate::alerts::needs::can_answer;
use crate::alerts::wallet::{WalletValues, currencies};
use crate::alerts::{Tracked, Values, missed};
use crate::app::alerts::{Announcement, add_live, waits_for};
use crate::app::effect::Effect;
use crate::app::state::State;
use crate::client::{Request, ResponseData};
use crate::fetch::{Event, Tick};
use crate::model::{CoinId, Currency, Text};
use crate::user_data::alert::{Checker, DataKind, DataScope, Measure, Target, ValueSource};
use crate::user_data::{AlertEvent, Change, UncheckedPeriod};

use super::alerts::mark_seen;
use super::toast::{error_toast, toast};

/// How often the last values are saved. A firing is saved at once.
const SAVE_EVERY: Duration = Duration::from_mins(1);

/// New values.
pub(super) enum AlertInput {
    /// The values of a response.
    Response(Request),
    /// A series that alerts wait for failed, for this reason.
    NoSeries(Request, String),
    /// The service doesn't return coins by id, or something in between has responded. The series of these coins are
    /// requested instead.
    NoIds {
        /// The requested ids.
        ids: Vec<CoinId>,
        /// Whether the service may return them later.
        may_return: bool,
    },
    /// Live prices.
    Live(Text, Currency, HashMap<CoinId, Tick>),
}

/// The request of an event that reports that its data can't be refreshed: it failed, or the service responded with old
/// data.
pub(super) fn outage(event: &Event) -> Option<Request> {
    match event {
        Event::Failed { request, .. } => Some(request.clone()),
        Event::Arrived { request, receipt, .. } => receipt.refresh_failure.as_ref().map(|_| request.clone()),
        _ => None,
    }
}

/// The values of an event, if any alert may need them.
pub(super) fn alert_input(state: &State, event: &Event) -> Option<AlertInput> {
    if state.alerts.tracked.is_empty() {
        return None;
    }
    match event {
        Event::Arrived { request, .. } => Some(AlertInput::Response(request.clone())),
        Event::Failed { request, error, .. } if state.alerts.any_waits_for(request) => {
            Some(AlertInput::NoSeries(request.clone(), error.kind.to_string()))
        }
        Event::Failed { request: Request::CoinsById { ids, .. }, error, .. } if error.is_permanently_unsupported() => {
            Some(AlertInput::NoIds { ids: ids.clone(), may_return: false })
        }
        Event::Failed { request: request @ Request::CoinsById { ids, .. }, error, .. }
            if error.is_not_offered() && state.responses.response(request).is_none() =>
        {
            Some(AlertInput::NoIds { ids: ids.clone(), may_return: true })
        }
        Event::Prices { provider, convert, ticks } => {
            Some(AlertInput::Live(provider.clone(), convert.clone(), ticks.clone()))
        }
        _ => None,
    }
}

/// Evaluates the alerts with new values.
pub(super) fn evaluate(state: &mut State, input: &AlertInput, effects: &mut Vec<Effect>) {
    match input {
        AlertInput::Response(request) => record_missing(state, request),
        AlertInput::NoIds { ids, may_return } => state.alerts.mark_missing(ids, *may_return, state.now),
        AlertInput::NoSeries(..) | AlertInput::Live(..) => {}
    }
    if !state.alerts.checkers.all().contains(&Checker::ThisProcess) {
        return;
    }
    let of_wallet = state.alerts.wallet_measures();
    let mut tracked = mem::take(&mut state.alerts.tracked);
    let fills_gap = match input {
        AlertInput::Response(request) | AlertInput::NoSeries(request, _) => waits_for(&tracked, request),
        AlertInput::NoIds { .. } | AlertInput::Live(..) => false,
    };
    let mut changes = Vec::new();
    let unchecked = match input {
        AlertInput::Response(request) => state.evaluate_series(request, &mut tracked, &mut changes),
        AlertInput::NoSeries(request, reason) => missed::handle_failure(&mut tracked, request, reason),
        AlertInput::NoIds { .. } | AlertInput::Live(..) => Vec::new(),
    };
    if !unchecked.is_empty() {
        changes.push(Change::AlertsUnchecked(unchecked));
    }
    {
        // Live prices don't make the oldest price of the wallet newer.
        let is_live = matches!(input, AlertInput::Live(..));
        let wallet = if is_live { None } else { checked_wallet(state, &of_wallet) };
        let mut values = Values::as_of(state.now);
        match input {
            // The current values arrived before the price history.
            _ if fills_gap => state.add_known_values(&mut values, |kind| state.alerts.checks(kind)),
            AlertInput::NoSeries(..) | AlertInput::NoIds { .. } => {}
            AlertInput::Response(request) => state.values_of(request, &mut values),
            AlertInput::Live(..) if !state.alerts.checks(DataKind::real(DataScope::Market)) => {}
            AlertInput::Live(exchange, convert, ticks) => {
                add_live(&mut values, ValueSource::Live(exchange.as_str()), convert, ticks);
                // An outlier is far from the polled price.
                state.add_polled_coins(ticks, &mut values);
            }
        }
        wallet.iter().for_each(|wallet| values.add_wallet(wallet));
        values.sort();
        check(&mut tracked, &values, &mut changes);
    }
    finish(state, tracked, changes, effects);
}

/// Records which coins a response to a request for coins by id lacks, and which it has.
fn record_missing(state: &mut State, request: &Request) {
    let State { responses, alerts, now, .. } = state;
    let (Request::CoinsById { ids, .. }, Some(response)) = (request, responses.response(request)) else { return };
    let ResponseData::Coins(page) = &**response else { return };
    let (found, missing): (Vec<CoinId>, Vec<CoinId>) =
        ids.iter().cloned().partition(|id| page.items.iter().any(|coin| coin.id == *id));
    alerts.mark_found(&found);
    // A response without some of the coins while a provider fails says nothing about these.
    if responses.has_all_coins(request) {
        alerts.mark_missing(&missing, true, *now);
    }
}

/// Records that a failed request, or one with old data, may have left out values of alerts.
pub(super) fn interrupt(state: &mut State, request: &Request) {
    let State { alerts, convert, .. } = state;
    for tracked in &mut alerts.tracked {
        let rule = &tracked.alert.rule;
        let is_listed = matches!((request, &rule.target), (Request::Coins { .. }, Target::Coin(_) | Target::Wallet));
        if is_listed || can_answer(request, rule, convert) {
            tracked.interrupt();
        }
    }
}

/// Sets which process checks the alerts on a kind of data. When this one starts, it evaluates them with the known
/// values.
pub(super) fn set_checker(state: &mut State, kind: DataKind, checker: Checker, effects: &mut Vec<Effect>) {
    let before = mem::replace(state.alerts.checkers.get_mut(kind), checker);
    state.alerts.plan_is_due = true;
    if checker != Checker::ThisProcess {
        let others = state.alerts.tracked.iter_mut().filter(|it| it.alert.data_kind() == kind);
        others.for_each(Tracked::forget_requests);
        return;
    }
    if before == checker {
        return;
    }
    let of_wallet = state.alerts.wallet_measures();
    let mut tracked = mem::take(&mut state.alerts.tracked);
    let mut changes = Vec::new();
    {
        let wallet = checked_wallet(state, &of_wallet);
        let mut values = Values::as_of(state.now);
        state.add_known_values(&mut values, |kind| state.alerts.checks(kind));
        wallet.iter().for_each(|wallet| values.add_wallet(wallet));
        values.sort();
        check(&mut tracked, &values, &mut changes);
    }
    finish(state, tracked, changes, effects);
}

/// The values of the wallet, if alerts are about these `measures` of it and this process checks them.
fn checked_wallet(state: &State, measures: &[Measure]) -> Option<WalletValues> {
    if measures.is_empty() {
        return None;
    }
    let values = state.wallet_values(currencies(measures));
    let kind = DataKind { scope: DataScope::Wallet, simulated: values.is_simulated };
    state.alerts.checks(kind).then_some(values)
}

/// Saves and announces the results.
fn finish(state: &mut State, mut tracked: Vec<Tracked>, mut changes: Vec<Change>, effects: &mut Vec<Effect>) {
    let is_due = state.alerts.saved_at.is_none_or(|saved| saved > state.now || state.now.since(saved) >= SAVE_EVERY);
    if is_due {
        state.alerts.saved_at = Some(state.now);
        changes.extend(check::unsaved(&mut tracked));
    }
    state.alerts.tracked = tracked;
    for mut change in changes {
        if let Change::AlertsUnchecked(periods) = &mut change {
            *periods = UncheckedPeriod::add(&mut state.alerts.unchecked, periods);
            if periods.is_empty() {
                continue;
            }
        }
        let number = state.user.push(change.clone());
        if let Change::AlertFired(event, _) = &change {
            let flags = state.alert(event.alert).map(|alert| (alert.bell, alert.notify));
            let (bell, notify) = flags.unwrap_or_default();
            let AlertEvent { title, text, .. } = &**event;
            let tracked = state.alerts.tracked.iter().find(|tracked| tracked.alert.id == event.alert);
            let private_text = tracked.and_then(Tracked::text_without_amounts).map(Text::from);
            let private_title = tracked.map(|tracked| Text::from(tracked.title_without_amounts()));
            let private =
                (private_title.unwrap_or_else(|| title.clone()), private_text.unwrap_or_else(|| text.clone()));
            let announcement = Announcement { title: title.clone(), text: text.clone(), private, bell, notify };
            state.alerts.announcements.push((number, announcement));
            state.alerts.unseen += 1;
        }
        effects.push(Effect::Save(number, change));
    }
    mark_seen(state, effects);
}

/// Announces the firing of the change with this number, once it is recorded or can't be, unless another process
/// recorded it first.
pub(super) fn announce(state: &mut State, number: u64, is_new: bool, effects: &mut Vec<Effect>) {
    let all = &mut state.alerts.announcements;
    let Some(place) = all.iter().position(|(own, _)| *own == number) else { return };
    let (_, announcement) = all.swap_remove(place);
    if is_new {
        let text = announcement.run(state.wallet.hides_amounts, effects);
        toast(state, text);
    }
}

/// Announces the firings that were not announced yet, except those that another process recorded first. Returns their
/// texts, and the effects.
pub(super) fn announce_last(state: &mut State, fired_elsewhere: &[u64]) -> (Vec<String>, Vec<Effect>) {
    let mut effects = Vec::new();
    let hides_amounts = state.wallet.hides_amounts;
    let new = mem::take(&mut state.alerts.announcements).into_iter();
    let new = new.filter(|(number, _)| !fired_elsewhere.contains(number));
    (new.map(|(_, announcement)| announcement.run(hides_amounts, &mut effects)).collect(), effects)
}

/// Records how the user's command for an alert has ended. A failure is shown until one succeeds.
pub(super) fn command_ended(state: &mut State, outcome: Result<(), String>) {
    let failure = outcome.err().map(|sentence| crate::model::text::clean(&sentence).into_owned());
    if let Some(sentence) = &failure {
        error_toast(state, sentence);
    }
    state.alerts.command_failure = failure.map(|sentence| (state.now, sentence));
}
