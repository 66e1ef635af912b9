//! Checks the alerts when values arrive, and runs the commands of their dialog.

use std::collections::HashMap;
use std::mem;
use std::time::Duration;

use tui_input::Input;

use crate::alerts::check::{self, check};
use crate::alerts::needs::{can_answer, group_of};
use crate::alerts::source::live_source;
use crate::alerts::wallet::WalletChange;
use crate::alerts::{Tracked, Values, missed, text};
use crate::app::alerts::{Announcement, add_live, lacking, waits_for};
use crate::app::effect::Effect;
use crate::app::named_coin::NamedCoin;
use crate::app::overlay::{AlertsDialog, Overlay};
use crate::app::panel::Panel;
use crate::app::past_alerts::NewSince;
use crate::app::state::State;
use crate::app::typed_alert::TypedAlert;
use crate::client::Request;
use crate::fetch::{Event, Tick};
use crate::format::HIDDEN;
use crate::keymap::Command;
use crate::model::{CoinId, Currency, Period, Text};
use crate::user_data::alert::{Checker, DataKind, DataScope, Target, is_simulated};
use crate::user_data::{Alert, AlertEvent, Change, SeenAlerts, UncheckedPeriod};

use super::alert_suggestions::{change_rule, coin_suggestions, suggestions};
use super::toast::toast;
use super::{address, undo, user};

/// How often the last values are saved. A firing is saved at once.
const SAVE_EVERY: Duration = Duration::from_mins(1);

/// New values.
pub(super) enum AlertInput {
    /// Those of a response.
    Response(Request),
    /// A series that alerts wait for failed, for this reason.
    NoSeries(Request, String),
    /// Live prices.
    Live(Text, Currency, HashMap<CoinId, Tick>),
}

/// The values of an event, if any alert may need them.
pub(super) fn alert_input(state: &State, event: &Event) -> Option<AlertInput> {
    if state.alerts.tracked.is_empty() {
        return None;
    }
    match event {
        Event::Arrived { request, .. } => Some(AlertInput::Response(request.clone())),
        Event::Failed { request, error, .. } if state.alerts.wait_for(request) => {
            Some(AlertInput::NoSeries(request.clone(), error.kind.to_string()))
        }
        Event::Failed { request: request @ Request::CoinsById { .. }, error, .. } if error.is_not_offered() => {
            Some(AlertInput::Response(request.clone()))
        }
        Event::Prices { provider, convert, ticks } => {
            Some(AlertInput::Live(provider.clone(), convert.clone(), ticks.clone()))
        }
        _ => None,
    }
}

/// Evaluates the alerts with new values.
pub(super) fn evaluate(state: &mut State, input: &AlertInput, effects: &mut Vec<Effect>) {
    if let AlertInput::Response(request) = input
        && let Some((missing, found)) = lacking(request, state.store.answer(request).map(AsRef::as_ref))
    {
        state.alerts.lacking.extend(missing);
        state.alerts.lacking.retain(|id| !found.contains(id));
    }
    if !state.alerts.checkers.all().contains(&Checker::ThisProcess) {
        return;
    }
    let has_wallet_rule = state.alerts.are_about_wallet();
    let mut tracked = mem::take(&mut state.alerts.tracked);
    let fills_gap = match input {
        AlertInput::Response(request) | AlertInput::NoSeries(request, _) => waits_for(&tracked, request),
        AlertInput::Live(..) => false,
    };
    let mut changes = Vec::new();
    let unchecked = match input {
        AlertInput::Response(request) => state.evaluate_series(request, &mut tracked, &mut changes),
        AlertInput::NoSeries(request, reason) => missed::handle_failure(&mut tracked, request, reason),
        AlertInput::Live(..) => Vec::new(),
    };
    let unchecked = UncheckedPeriod::add(&mut state.alerts.unchecked, &unchecked);
    if !unchecked.is_empty() {
        changes.push(Change::AlertsUnchecked(unchecked));
    }
    {
        // Live prices don't make the oldest price of the wallet newer.
        let is_live = matches!(input, AlertInput::Live(..));
        let wallet = if has_wallet_rule && !is_live { checked_wallet(state) } else { None };
        let mut values = Values::as_of(state.now);
        let source;
        match input {
            // The current values arrived before the price history.
            _ if fills_gap => state.add_known_values(&mut values, |kind| state.alerts.checks(kind)),
            AlertInput::NoSeries(..) => {}
            AlertInput::Response(request) => state.values_of(request, &mut values),
            AlertInput::Live(..) if !state.alerts.checks(DataKind::real(DataScope::Market)) => {}
            AlertInput::Live(exchange, convert, ticks) => {
                source = live_source(exchange);
                add_live(&mut values, &source, convert, ticks);
            }
        }
        wallet.iter().for_each(|change| values.add_wallet(change));
        values.sort();
        check(&mut tracked, &values, &mut changes);
    }
    finish(state, tracked, changes, effects);
}

/// Records that a failed request may have left out values of alerts.
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
    let mut tracked = mem::take(&mut state.alerts.tracked);
    let mut changes = Vec::new();
    {
        let wallet = checked_wallet(state);
        let mut values = Values::as_of(state.now);
        state.add_known_values(&mut values, |kind| state.alerts.checks(kind));
        wallet.iter().for_each(|change| values.add_wallet(change));
        values.sort();
        check(&mut tracked, &values, &mut changes);
    }
    finish(state, tracked, changes, effects);
}

/// The change of the wallet's value, if it is known and this process checks the alerts on it.
fn checked_wallet(state: &State) -> Option<WalletChange> {
    let change = state.wallet_change().ok()?;
    let kind = DataKind { scope: DataScope::Wallet, simulated: is_simulated(&change.source) };
    state.alerts.checks(kind).then_some(change)
}

/// Saves and announces the results.
fn finish(state: &mut State, mut tracked: Vec<Tracked>, mut changes: Vec<Change>, effects: &mut Vec<Effect>) {
    let is_due = state.alerts.saved_at.is_none_or(|saved| state.now.since(saved) >= SAVE_EVERY);
    if is_due {
        state.alerts.saved_at = Some(state.now);
        changes.extend(check::unsaved(&mut tracked));
    }
    state.alerts.tracked = tracked;
    for change in changes {
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
    let (_, Announcement { title, text, private, bell, notify }) = all.swap_remove(place);
    let (title, text) = if state.wallet.hides_amounts { private } else { (title, text) };
    if !is_new {
        return;
    }
    if bell {
        effects.push(Effect::Bell);
    }
    if notify {
        effects.push(Effect::Notify { title: title.to_string(), text: text.to_string() });
    }
    toast(state, text.to_string(), false);
}

/// Records how the user's command for an alert has ended. A failure is shown until one succeeds.
pub(super) fn command_ended(state: &mut State, outcome: Result<(), String>) {
    let failure = outcome.err().map(|sentence| crate::model::text::clean(&sentence).into_owned());
    if let Some(sentence) = &failure {
        toast(state, sentence.clone(), true);
    }
    state.alerts.command_failure = failure.map(|sentence| (state.now, sentence));
}

/// Marks all firings and unchecked periods as seen if the dialog shows its list.
pub(super) fn mark_seen(state: &mut State, effects: &mut Vec<Effect>) {
    if !matches!(&state.overlay, Some(Overlay::Alerts(dialog)) if dialog.line.is_none()) {
        return;
    }
    let (seen, listed) = {
        let user = state.user.current();
        let new = user.alert_events.iter().filter(|event| !event.seen);
        let firings = new.clone().map(|event| (event.alert, event.number)).collect();
        let listed = NewSince {
            firings_since: new.map(|event| event.at).min(),
            unchecked_since: user.unchecked.iter().map(|period| period.until).min(),
        };
        (SeenAlerts { firings, unchecked: user.unchecked.clone() }, listed)
    };
    state.alerts.listed.extend(listed);
    if !seen.firings.is_empty() || !seen.unchecked.is_empty() {
        let change = Change::AlertsSeen(Box::new(seen));
        let number = state.user.push(change.clone());
        effects.push(Effect::Save(number, change));
        state.alerts.unseen = 0;
    }
}

/// Opens the dialog: with a line about the selected coin or token, or else with the list.
pub(super) fn open(state: &mut State, effects: &mut Vec<Effect>) {
    let suggestions = suggestions(state);
    open_with(state, suggestions, effects);
}

/// Opens the dialog with a line about a coin.
pub(super) fn open_about(state: &mut State, named: &NamedCoin, effects: &mut Vec<Effect>) {
    let coin = named.coin.id.clone().and_then(|id| state.coin(&CoinId(id)));
    let suggestions = match coin {
        Some(coin) => coin_suggestions(coin),
        None => vec![change_rule(named.coin.slug.as_ref().unwrap_or(&named.coin.symbol))],
    };
    open_with(state, suggestions, effects);
}

/// Opens the dialog with the line of a rule.
pub(super) fn open_typed(state: &mut State, rule: String, effects: &mut Vec<Effect>) {
    open_with(state, vec![rule], effects);
}

fn open_with(state: &mut State, suggestions: Vec<String>, effects: &mut Vec<Effect>) {
    state.alerts.listed = NewSince::default();
    let typing = suggestions.first().cloned().or(state.alerts.tracked.is_empty().then(String::new));
    let selected = state.alerts.tracked.first().map(|tracked| tracked.alert.id);
    state.overlay = Some(Overlay::Alerts(Box::new(AlertsDialog {
        line: typing.map(Input::new),
        chosen: 0,
        suggestions,
        selected,
        past: None,
        edited: None,
        typed: None,
    })));
    mark_seen(state, effects);
}

/// Runs a command of the dialog.
pub(super) fn run(state: &mut State, command: Command, effects: &mut Vec<Effect>) {
    let Some(Overlay::Alerts(dialog)) = &mut state.overlay else { return };
    if dialog.line.is_some() {
        match command {
            Command::Open => apply(state, effects),
            Command::Back => {
                dialog.line = None;
                dialog.edited = None;
                if state.alerts.tracked.is_empty() {
                    state.overlay = None;
                }
                mark_seen(state, effects);
            }
            _ => {}
        }
        return;
    }
    match command {
        Command::Back | Command::Close | Command::Alerts => state.overlay = None,
        Command::AddAlert => dialog.type_line(String::new(), None),
        Command::EditAlert => {
            if let Some(alert) = selected(state) {
                let once = if alert.once { " once" } else { "" };
                // The line keeps a hidden limit unchanged (`State::typed_alert`).
                let rule = match state.wallet.hides_amounts {
                    true => alert.rule.without_amounts(HIDDEN),
                    false => alert.rule.to_string(),
                };
                let (line, id) = (format!("{rule}{once}"), alert.id);
                if let Some(Overlay::Alerts(dialog)) = &mut state.overlay {
                    dialog.type_line(line, Some(id));
                }
            }
        }
        Command::ToggleAlert => toggle(state, effects),
        Command::ToggleBell => signal(state, effects, |alert| (!alert.bell, alert.notify)),
        Command::ToggleNotification => signal(state, effects, |alert| (alert.bell, !alert.notify)),
        Command::RemoveAlert => remove(state, effects),
        Command::Undo => undo::undo(state, effects),
        Command::Open => open_coin(state),
        _ => {}
    }
}

/// The selected alert.
fn selected(state: &State) -> Option<&Alert> {
    let Some(Overlay::Alerts(dialog)) = &state.overlay else { return None };
    state.alert(dialog.selected.filter(|_| dialog.past.is_none())?)
}

/// Turns the selected alert on or off.
fn toggle(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(alert) = selected(state) else { return };
    let simulated = state.simulates(group_of(&alert.rule.target)).unwrap_or_default();
    let alert = Alert { on: !alert.on, state: alert.state.restarted(simulated), ..alert.clone() };
    user::save(state, Change::EditAlert(Box::new(alert)), effects);
}

/// Changes how the selected alert is announced. Its state is not saved with it: the process that checks it may have a
/// newer one.
fn signal(state: &mut State, effects: &mut Vec<Effect>, signals: impl FnOnce(&Alert) -> (bool, bool)) {
    let Some(alert) = selected(state) else { return };
    let (id, (bell, notify)) = (alert.id, signals(alert));
    user::save(state, Change::AlertSignals { id, bell, notify }, effects);
}

fn remove(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(alert) = selected(state).cloned() else { return };
    let place = state.alerts.tracked.iter().position(|tracked| tracked.alert.id == alert.id).unwrap_or(0);
    let title = state.alert_title(&alert.rule);
    user::save(state, Change::RemoveAlert(Box::new(alert)), effects);
    let left = &state.alerts.tracked;
    let next = left.get(place).or(left.last()).map(|tracked| tracked.alert.id);
    if let Some(Overlay::Alerts(dialog)) = &mut state.overlay {
        dialog.selected = next;
    }
    toast(state, format!("Removed alert {title}"), false);
}

/// Parses the line of the dialog again if it or any values may have changed.
pub(super) fn read_line(state: &mut State, has_news: bool) {
    let Some(Overlay::Alerts(dialog)) = &state.overlay else { return };
    let typed = match &dialog.line {
        Some(line) => {
            let is_same =
                |typed: &&TypedAlert| typed.line == line.value() && typed.key == (dialog.chosen, dialog.edited);
            if dialog.typed.as_ref().is_some_and(|typed| !has_news && is_same(&typed)) {
                return;
            }
            Some(state.typed_alert(line.value(), dialog.chosen, dialog.edited))
        }
        None => None,
    };
    if let Some(Overlay::Alerts(dialog)) = &mut state.overlay {
        dialog.typed = typed;
    }
}

/// Saves the alert of the line; if that fails, the dialog stays open and shows the reason.
fn apply(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(Overlay::Alerts(dialog)) = &state.overlay else { return };
    let Some(line) = &dialog.line else { return };
    let (chosen, edited) = (dialog.chosen, dialog.edited);
    // The dialog shows why a line can't be added.
    let TypedAlert { outcome, problem, .. } = state.typed_alert(line.value(), chosen, edited);
    let Ok(alert) = outcome else { return };
    let is_edit = edited.is_some_and(|id| alert.id == id);
    let id = alert.id;
    let is_about_address = matches!(alert.rule.target, Target::Address(_));
    let note = match state.wallet.hides_amounts {
        true => text::already_true_without_amounts(&alert.rule, &alert.state),
        false => text::already_true(&alert.rule, &alert.state),
    };
    let note = note.or(problem.map(|reason| format!("not checked: {reason}")));
    let note = note.map_or_else(String::new, |note| format!(": {note}"));
    let title = state.alert_title(&alert.rule);
    let change = if is_edit { Change::EditAlert(Box::new(alert)) } else { Change::AddAlert(Box::new(alert)) };
    user::save(state, change, effects);
    if let Some(Overlay::Alerts(dialog)) = &mut state.overlay {
        (dialog.line, dialog.edited, dialog.selected) = (None, None, Some(id));
    }
    mark_seen(state, effects);
    toast(state, format!("Saved alert {title}{note}"), false);
    if is_about_address {
        address::ask(state);
    }
}

/// Opens the coin of the selected alert; or that of the selected firing or unchecked period, with the chart's cursor at
/// its time.
fn open_coin(state: &mut State) {
    let Some(Overlay::Alerts(dialog)) = &state.overlay else { return };
    let past = dialog.past.and_then(|key| state.past_alerts().into_iter().find(|past| past.key == key));
    let alert = past.as_ref().map_or_else(|| selected(state), |past| state.alert(past.alert()));
    let Some(Target::Coin(watched)) = alert.map(|alert| alert.rule.target.clone()) else { return };
    let at = past.map(|past| past.opens_at());
    let name = state.known_coins().find(|coin| watched.is_coin(coin)).map(|coin| coin.name.clone());
    let name = name.unwrap_or_else(|| watched.symbol.clone());
    let period = at.map_or(state.period, |at| period_with(state.now.since(at), state.period));
    state.overlay = None;
    super::token::open_named(state, &NamedCoin { coin: watched, name, rank: None }, period);
    if let (Some(at), Some(token)) = (at, &mut state.token) {
        token.focus = Panel::Chart;
        token.chart_cursor = Some(at);
    }
}

/// The shown period if it reaches back this far, or else the shortest one that does.
fn period_with(age: Duration, shown: Period) -> Period {
    let day = Duration::from_hours(24);
    let mut longer = Period::ALL.into_iter().filter(|period| *period >= shown);
    longer.find(|period| day * period.days() >= age).unwrap_or(Period::Year)
}

/// Moves the selection among the alerts; in the line, among the matching coins or the suggestions.
pub(super) fn step(state: &mut State, by: isize) {
    let Some(Overlay::Alerts(dialog)) = &state.overlay else { return };
    if let Some(line) = &dialog.line {
        let coins = dialog.typed.as_ref().map_or(0, |typed| typed.coins.len());
        let place = dialog.suggestions.iter().position(|known| known == line.value());
        let next = place.map(|place| place.saturating_add_signed(by).min(dialog.suggestions.len().saturating_sub(1)));
        let Some(Overlay::Alerts(dialog)) = &mut state.overlay else { return };
        if coins > 1 {
            dialog.chosen = dialog.chosen.saturating_add_signed(by).min(coins - 1);
        } else if let Some(text) = next.and_then(|next| dialog.suggestions.get(next)) {
            dialog.line = Some(Input::new(text.clone()));
        }
        return;
    }
    let past = state.past_alerts();
    let alerts = &state.alerts.tracked;
    let of_alert = |id| alerts.iter().position(|tracked| tracked.alert.id == id);
    let of_past = |key| Some(alerts.len() + past.iter().position(|past| past.key == key)?);
    let place = dialog.past.and_then(of_past).or_else(|| dialog.selected.and_then(of_alert)).unwrap_or(0);
    let last = (alerts.len() + past.len()).saturating_sub(1);
    click(state, place.saturating_add_signed(by).min(last));
}

/// Selects a row: an alert, a firing or unchecked period below them, or a coin that matches the line.
pub(super) fn click(state: &mut State, index: usize) {
    let id = state.alerts.tracked.get(index).map(|tracked| tracked.alert.id);
    let below = index.checked_sub(state.alerts.tracked.len());
    let past = below.and_then(|below| state.past_alerts().get(below).map(|past| past.key));
    if let Some(Overlay::Alerts(dialog)) = &mut state.overlay {
        match dialog.line {
            Some(_) => dialog.chosen = index,
            None => (dialog.selected, dialog.past) = (id.or(dialog.selected), past),
        }
    }
}
