//! Commands on the selected alert of the Alerts dialog, or on the alert of the selected firing or unchecked period.

use std::time::Duration;

use crate::alerts::needs::group_of;
use crate::app::alerts::past::{PastAlert, PastKey};
use crate::app::effect::Effect;
use crate::app::overlay::{AlertsDialog, Overlay};
use crate::app::panel::Panel;
use crate::app::state::State;
use crate::keymap::{Command, Context};
use crate::model::Period;
use crate::user_data::alert::Target;
use crate::user_data::{Alert, Change, Edit};

use super::toast::{toast, toast_when_saved, undo_hint};
use super::{token, user};

/// Whether a command needs an alert.
pub(super) fn needs_alert(command: Command) -> bool {
    matches!(
        command,
        Command::Open
            | Command::EditAlert
            | Command::RemoveAlert
            | Command::ToggleAlert
            | Command::ToggleBell
            | Command::ToggleNotification
    )
}

/// Runs a command that needs an alert.
pub(super) fn run(state: &mut State, command: Command, effects: &mut Vec<Effect>) {
    if needs_alert(command) && selected(state).is_none() && past(state).is_some() {
        return toast(state, "This alert no longer exists");
    }
    match command {
        Command::Open => open_coin(state),
        Command::EditAlert => edit(state),
        Command::RemoveAlert => remove(state, effects),
        Command::ToggleAlert => toggle(state, effects),
        Command::ToggleBell => signal(state, effects, |alert| (!alert.bell, alert.notify)),
        Command::ToggleNotification => signal(state, effects, |alert| (alert.bell, !alert.notify)),
        _ => {}
    }
}

/// The selected alert, or the alert of the selected firing or unchecked period.
pub(super) fn selected(state: &State) -> Option<&Alert> {
    let dialog = dialog(state)?;
    match dialog.past {
        Some(past) => state.alert(past.alert()),
        None => {
            let listed = dialog.listed(&state.alerts.tracked);
            listed.get(listed.row_of(dialog.selected?)?).map(|tracked| &tracked.alert)
        }
    }
}

/// The line of an alert as it is before it is edited.
pub(super) fn edited_line(state: &State, alert: &Alert) -> String {
    // The line keeps a hidden limit unchanged (`State::typed_alert`).
    format!("{}{}", state.alert_line(&alert.rule), if alert.once { " once" } else { "" })
}

fn dialog(state: &State) -> Option<&AlertsDialog> {
    match &state.overlay {
        Some(Overlay::Alerts(dialog)) => Some(dialog),
        _ => None,
    }
}

/// The selected firing or unchecked period.
fn past(state: &State) -> Option<PastKey> {
    dialog(state)?.past
}

/// The listed firings and unchecked periods.
fn listed_past(state: &State) -> Vec<PastAlert> {
    dialog(state).map(|dialog| state.listed_past_alerts(dialog)).unwrap_or_default()
}

/// Opens the line of the selected alert.
fn edit(state: &mut State) {
    let Some(alert) = selected(state).cloned() else { return };
    let line = edited_line(state, &alert);
    if let Some(Overlay::Alerts(dialog)) = &mut state.overlay {
        dialog.type_line(line, Some(alert));
    }
}

/// Turns the selected alert on or off.
fn toggle(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(alert) = selected(state) else { return };
    let simulated = state.simulates(group_of(&alert.rule.target)).unwrap_or_default();
    let after = Alert { on: !alert.on, state: alert.state.restarted(simulated), ..alert.clone() };
    let what = format!("{}: {}", switched("Alert", after.on), state.alert_title(&alert.rule));
    let edit = Edit { before: alert.clone(), after };
    user::save(state, Change::EditAlert(Box::new(edit)), effects);
    report(state, what);
}

/// Changes how the selected alert is announced. Its state is not saved with it: the process that checks it may have a
/// newer one.
fn signal(state: &mut State, effects: &mut Vec<Effect>, signals: impl FnOnce(&Alert) -> (bool, bool)) {
    let Some(alert) = selected(state) else { return };
    let (id, (bell, notify)) = (alert.id, signals(alert));
    let change = if bell == alert.bell { switched("Notification", notify) } else { switched("Bell", bell) };
    let what = format!("{change}: {}", state.alert_title(&alert.rule));
    user::save(state, Change::AlertSignals { id, bell, notify }, effects);
    report(state, what);
}

/// `Alert off`.
fn switched(what: &str, is_on: bool) -> String {
    format!("{what} {}", if is_on { "on" } else { "off" })
}

/// Says what has changed, unless the row of the alert, which shows it, is selected.
fn report(state: &mut State, what: String) {
    if past(state).is_some() {
        toast_when_saved(state, what);
    }
}

/// Removes the selected alert with its firings, and selects the next one if its row was selected.
fn remove(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(alert) = selected(state).cloned() else { return };
    let row = dialog(state).filter(|dialog| dialog.selected == Some(alert.id));
    let row = row.and_then(|dialog| dialog.listed(&state.alerts.tracked).row_of(alert.id));
    let title = state.alert_title(&alert.rule);
    user::save(state, Change::RemoveAlert(Box::new(alert)), effects);
    let past = past(state).filter(|key| listed_past(state).iter().any(|past| past.key == *key));
    if let Some(Overlay::Alerts(dialog)) = &mut state.overlay {
        dialog.past = past;
        let left = dialog.listed(&state.alerts.tracked);
        let next = row.and_then(|row| left.get(row).or_else(|| left.get(left.len().saturating_sub(1))));
        dialog.selected = next.map(|tracked| tracked.alert.id).or(dialog.selected);
    }
    let hint = undo_hint(state, Context::Alerts);
    toast_when_saved(state, format!("Removed alert {title}{hint}"));
}

/// Opens the coin of the selected alert, or of the selected firing or unchecked period, with the chart's cursor at its
/// time.
fn open_coin(state: &mut State) {
    let Some(Target::Coin(watched)) = selected(state).map(|alert| alert.rule.target.clone()) else { return };
    let key = past(state);
    let at = listed_past(state).into_iter().find(|past| Some(past.key) == key).map(|past| past.opens_at());
    let shown = state.period;
    let period = at.map_or(shown, |at| period_with(state.now.since(at), shown));
    state.overlay = None;
    token::open_watched(state, watched, period);
    if let (Some(at), Some(token)) = (at, &mut state.token) {
        token.focus = Panel::Chart;
        token.chart_cursor = Some(at);
        token.shares_period = period == shown;
    }
}

/// The shown period if it reaches back this far, or else the shortest one that does.
fn period_with(age: Duration, shown: Period) -> Period {
    let day = Duration::from_hours(24);
    let mut longer = Period::ALL.into_iter().filter(|period| *period >= shown);
    longer.find(|period| day * period.days() >= age).unwrap_or(Period::AllTime)
}
