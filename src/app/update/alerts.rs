//! Runs the commands of the Alerts dialog.

use tui_input::Input;

use crate::alerts::parse::lacks_subject;
use crate::alerts::text;
use crate::app::alerts::past::NewSince;
use crate::app::alerts::typed::TypedAlert;
use crate::app::coins::named_coin::{NamedCoin, follow};
use crate::app::effect::Effect;
use crate::app::overlay::{AlertsDialog, Overlay};
use crate::app::state::State;
use crate::app::step::Step;
use crate::keymap::Command;
use crate::user_data::alert::Target;
use crate::user_data::{Alert, AlertId, Change, Edit, SeenAlerts};

use super::alert_suggestions::{named_suggestions, suggestions};
use super::selected_alert::edited_line;
use super::toast::{report_removed_elsewhere, toast_when_saved};
use super::{address, selected_alert, undo, user};

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
    let suggestions = named_suggestions(state, &named.coin);
    open_with(state, suggestions, effects);
}

/// Opens the dialog with the line of a rule. Without a subject, it is about the selected row.
pub(super) fn open_typed(state: &mut State, rule: String, effects: &mut Vec<Effect>) {
    let about = lacks_subject(&rule).then(|| suggestions(state));
    open_with(state, vec![rule], effects);
    if let (Some(about), Some(Overlay::Alerts(dialog))) = (about, &mut state.overlay) {
        dialog.suggestions = about;
    }
}

fn open_with(state: &mut State, suggestions: Vec<String>, effects: &mut Vec<Effect>) {
    state.alerts.listed = NewSince::default();
    // A rule that exists can't be added again.
    let is_new = |line: &&String| state.alerts.tracked.iter().all(|it| state.alert_line(&it.alert.rule) != **line);
    let first = suggestions.iter().find(is_new).or(suggestions.first()).cloned();
    let typing = first.or(state.alerts.tracked.is_empty().then(String::new));
    let selected = state.alerts.tracked.first().map(|tracked| tracked.alert.id);
    state.overlay = Some(Overlay::Alerts(Box::new(AlertsDialog::new(typing.map(Input::new), suggestions, selected))));
    mark_seen(state, effects);
}

/// Opens the line that adds an alert again, which could not be edited because another process has removed it. Returns
/// `false` if nothing was typed or the list of alerts is no longer shown.
pub(super) fn reopen(state: &mut State, edit: &Edit<Alert>) -> bool {
    let Edit { before, after } = edit;
    if before.rule == after.rule && before.once == after.once {
        return false;
    }
    let line = edited_line(state, after);
    let Some(Overlay::Alerts(dialog)) = &mut state.overlay else { return false };
    if dialog.line.is_some() || dialog.is_filtering {
        return false;
    }
    dialog.type_line(line, None);
    // The line may hide its amounts.
    dialog.opened = Some(edit.clone());
    report_removed_elsewhere(state, "alert");
    true
}

/// Runs a command of the dialog.
pub(super) fn run(state: &mut State, command: Command, effects: &mut Vec<Effect>) {
    let Some(Overlay::Alerts(dialog)) = &mut state.overlay else { return };
    if dialog.line.is_some() {
        match command {
            Command::Open => apply(state, effects),
            Command::Back => {
                (dialog.line, dialog.edited, dialog.opened) = (None, None, None);
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
        Command::Open if dialog.is_filtering => dialog.keep_filter(),
        Command::Back if dialog.is_filtering => dialog.cancel_filter(),
        Command::Back if dialog.is_filtered() => dialog.clear_filter(),
        Command::Back | Command::Close => state.overlay = None,
        Command::Alerts => open(state, effects),
        Command::AddAlert => dialog.type_line(String::new(), None),
        Command::FilterAlerts if !state.alerts.tracked.is_empty() => dialog.start_filter(),
        Command::Undo => undo::undo(state, effects),
        command => selected_alert::run(state, command, effects),
    }
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
            let now = state.typed_alert(line.value(), dialog.chosen, dialog.edited);
            // The chosen coin stays chosen.
            let before = dialog.typed.as_ref().filter(is_same);
            let chosen = before.map_or(dialog.chosen, |before| follow(dialog.chosen, &before.coins, &now.coins));
            Some(if chosen == dialog.chosen { now } else { state.typed_alert(line.value(), chosen, dialog.edited) })
        }
        None => None,
    };
    if let Some(Overlay::Alerts(dialog)) = &mut state.overlay {
        dialog.chosen = typed.as_ref().map_or(dialog.chosen, |typed| typed.key.0);
        dialog.typed = typed;
    }
    if has_news {
        suggest_prices(state);
    }
}

/// Suggests rules about the price of a coin once it is known, if the dialog opened before with the only rule that needs
/// no price. The line stays.
fn suggest_prices(state: &mut State) {
    let Some(Overlay::Alerts(dialog)) = &state.overlay else { return };
    let ([only], Some(line)) = (dialog.suggestions.as_slice(), &dialog.line) else { return };
    let Some(TypedAlert { outcome: Ok(Alert { rule, .. }), .. }) = &dialog.typed else { return };
    let Target::Coin(coin) = &rule.target else { return };
    let suggestions = named_suggestions(state, coin);
    if only.as_str() == line.value()
        && suggestions.len() > 1
        && suggestions.contains(only)
        && let Some(Overlay::Alerts(dialog)) = &mut state.overlay
    {
        dialog.suggestions = suggestions;
    }
}

/// Saves the alert of the line; if that fails, the dialog stays open and shows the reason. An unchanged line closes
/// without a change.
fn apply(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(Overlay::Alerts(dialog)) = &state.overlay else { return };
    let Some(line) = &dialog.line else { return };
    let (chosen, edited, opened) = (dialog.chosen, dialog.edited, dialog.opened.clone());
    let is_line_of = |alert: &Alert| chosen == 0 && edited_line(state, alert) == line.value();
    let unchanged = opened.as_ref().filter(|edit| is_line_of(&edit.after));
    if edited.is_some() && unchanged.is_some_and(|edit| edit.before == edit.after) {
        close_line(state, edited, effects);
        return;
    }
    // A changed line turns an alert on.
    let is_on = unchanged.is_none_or(|edit| edit.after.on);
    // The dialog shows why a line can't be added.
    let TypedAlert { outcome, problem, .. } = state.typed_alert(line.value(), chosen, edited);
    let Ok(mut alert) = outcome else { return };
    if edited.is_some_and(|id| state.alert(id).is_none()) {
        if let Some(Overlay::Alerts(dialog)) = &mut state.overlay {
            dialog.edited = None;
        }
        report_removed_elsewhere(state, "alert");
        return;
    }
    alert.on = is_on;
    if let Some(removed) = opened.as_ref().filter(|_| edited.is_none()).map(|edit| &edit.after) {
        (alert.bell, alert.notify) = (removed.bell, removed.notify);
    }
    let id = alert.id;
    let known = state.alert(id).filter(|_| edited == Some(id)).cloned();
    let edit = opened.zip(known).map(|(opened, before)| {
        // Another process may have changed the rule.
        alert = Edit { before: opened.before, after: alert.clone() }.applied_to(&before);
        Edit { before, after: alert.clone() }
    });
    let is_about_address = matches!(alert.rule.target, Target::Address(_));
    let note = if state.wallet.hides_amounts {
        text::already_true_without_amounts(&alert.rule, &alert.state)
    } else {
        text::already_true(&alert.rule, &alert.state)
    };
    let note = note.or(problem.map(|reason| format!("not checked: {reason}")));
    let note = note.map_or_else(String::new, |note| format!(": {note}"));
    let title = state.alert_title(&alert.rule);
    let change = match edit {
        Some(edit) => Change::EditAlert(Box::new(edit)),
        None => Change::AddAlert(Box::new(alert)),
    };
    user::save(state, change, effects);
    toast_when_saved(state, format!("Saved alert {title}{note}"));
    close_line(state, Some(id), effects);
    if is_about_address {
        address::ask(state);
    }
}

/// Returns from the line to the list. A filter that hides the selected alert is cleared.
fn close_line(state: &mut State, selected: Option<AlertId>, effects: &mut Vec<Effect>) {
    if let Some(Overlay::Alerts(dialog)) = &mut state.overlay {
        (dialog.line, dialog.edited, dialog.opened, dialog.selected) = (None, None, None, selected);
        let listed = dialog.listed(&state.alerts.tracked);
        if selected.is_some_and(|id| listed.row_of(id).is_none()) {
            dialog.clear_filter();
        }
    }
    mark_seen(state, effects);
}

/// Moves the selection among the alerts; in the line, among the matching coins or the suggestions.
pub(super) fn step(state: &mut State, step: Step) {
    let Some(Overlay::Alerts(dialog)) = &state.overlay else { return };
    if let Some(line) = &dialog.line {
        let coins = dialog.typed.as_ref().map_or(0, |typed| typed.coins.len());
        let place = dialog.suggestions.iter().position(|known| known == line.value());
        let next = place.map(|place| step.target(place, dialog.suggestions.len().saturating_sub(1)));
        let Some(Overlay::Alerts(dialog)) = &mut state.overlay else { return };
        if coins > 1 {
            dialog.chosen = step.target(dialog.chosen, coins - 1);
        } else if let Some(text) = next.and_then(|next| dialog.suggestions.get(next)) {
            dialog.line = Some(Input::new(text.clone()));
        }
        return;
    }
    let past = state.listed_past_alerts(dialog);
    let listed = dialog.listed(&state.alerts.tracked);
    let of_past = |key| Some(listed.len() + past.iter().position(|past| past.key == key)?);
    let of_alert = || dialog.selected.and_then(|id| listed.row_of(id));
    let place = dialog.past.and_then(of_past).or_else(of_alert).unwrap_or(0);
    let last = (listed.len() + past.len()).saturating_sub(1);
    click(state, step.target(place, last));
}

/// Selects a row: an alert, a firing or unchecked period below them, or a coin that matches the line.
pub(super) fn click(state: &mut State, index: usize) {
    let Some(Overlay::Alerts(dialog)) = &state.overlay else { return };
    let listed = dialog.listed(&state.alerts.tracked);
    let id = listed.get(index).map(|tracked| tracked.alert.id);
    let below = index.checked_sub(listed.len());
    let past = below.and_then(|below| state.listed_past_alerts(dialog).get(below).map(|past| past.key));
    if let Some(Overlay::Alerts(dialog)) = &mut state.overlay {
        match dialog.line {
            Some(_) => dialog.chosen = index,
            None => (dialog.selected, dialog.past) = (id.or(dialog.selected), past),
        }
    }
}
