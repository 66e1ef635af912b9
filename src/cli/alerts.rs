//! `satscope alerts`: lists, adds, edits, removes and checks alerts.

mod announce;
mod received;
mod row;
mod rule;
mod source;
mod tokens;
mod value;
mod wallet;
mod watch;

use std::ops::RangeInclusive;

use super::args::{AlertsCommand, Format};
use super::columns;
use super::failure::{Failure, say, with_short_words};
use super::output::{self, Envelope};
use super::query;
use super::sheet::{Layout, Sheet};
use super::source_url::source_url;
use super::user_store;
use crate::alerts::needs::group_of;
use crate::alerts::{Tracked, text};
use crate::client::Group;
use crate::config::Settings;
use crate::format::words::in_sentence;
use crate::model::UtcTime;
use crate::store;
use crate::user_data::alert::{AlertState, Condition, Target};
use crate::user_data::{Alert, AlertId, Change, Edit, UnreadablePart, UserData, WalletAddress};
use row::{FIELDS, Row, show_units};
use rule::rule;
use source::{Fetched, is_simulated};

/// The ID of a new alert until it is saved.
const TEMPORARY_ID: AlertId = AlertId(-1);

/// Runs a subcommand; the default is to list.
pub(super) fn run(command: Option<&AlertsCommand>, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    match command {
        None | Some(AlertsCommand::List) => list(settings, format),
        Some(AlertsCommand::Add { rule, once }) => {
            // Words after the rule, such as -8%, belong to it; so does this option.
            let (rule, once) = match rule.split_last() {
                Some((last, rule)) if last == "--once" && !rule.is_empty() => (rule, true),
                _ => (rule.as_slice(), *once),
            };
            add(&rule.join(" "), once, settings, format)
        }
        Some(AlertsCommand::Remove { ids }) => remove(ids, settings, format),
        Some(AlertsCommand::On { ids }) => change(ids, settings, format, |alert| turn(alert, true, settings)),
        Some(AlertsCommand::Off { ids }) => change(ids, settings, format, |alert| turn(alert, false, settings)),
        Some(AlertsCommand::Edit { id, rule }) => edit(AlertId(*id), &rule.join(" "), settings, format),
        Some(AlertsCommand::Watch { duration }) => watch::run(*duration, settings, format),
    }
}

/// Prints all alerts with current values, or with the last known ones if the service fails.
fn list(settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let data = load(settings)?;
    let alerts = &data.alerts;
    let unreadable = user_store::unreadable(&data, format, UnreadablePart::is_alerts);
    if alerts.is_empty() {
        let mut fetched = Fetched::default();
        fetched.warnings.extend(unreadable);
        print(&[], &fetched, &[], settings, format)?;
        if output::format(format) == Format::Table && data.unreadable.is_empty() {
            say("no alerts (add one: satscope alerts add 'ordi > 10')");
        }
        return Ok(());
    }
    // Only a service at a URL may have simulated or real data.
    let may_check = |alert: &&Alert| {
        let group = group_of(&alert.rule.target);
        settings.url(group).is_some() || alert.state.is_simulated() == is_simulated(group, settings)
    };
    let checked: Vec<Alert> = alerts.iter().filter(may_check).cloned().collect();
    let mut fetched = source::fetch(&checked, &data, settings)?;
    let is_other = |alert: &&Alert| {
        let group = group_of(&alert.rule.target);
        let simulated = fetched.is_simulated(group).unwrap_or_else(|| is_simulated(group, settings));
        alert.on && alert.state.is_simulated() != simulated
    };
    let other: Vec<&Alert> = alerts.iter().filter(is_other).collect();
    fetched.warnings.extend(source::not_checked(&other));
    fetched.warnings.extend(unreadable);
    fetched.warnings.extend(output::reason_in_json(fetched.failure.as_deref(), format));
    print(alerts, &fetched, &data.addresses, settings, format)?;
    match fetched.failure {
        Some(sentence) => Err(Failure::Operation(sentence)),
        None => Ok(()),
    }
}

fn add(line: &str, once: bool, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let data = user_store::load_to_add(settings).map_err(unreadable)?;
    let (rule, typed_once) = rule(line, "alert not added", &data, settings)?;
    let alert = Alert { id: TEMPORARY_ID, ..Alert::new(rule, once || typed_once) };
    refuse_duplicate(&alert, &data.alerts, None)?;
    let in_context = |failure: Failure| failure.with_context("alert not added");
    let (alert, fetched) = first_value(alert, AlertState::unchecked, &data, settings).map_err(in_context)?;
    let ids = user_store::update("alert", settings, |data| {
        refuse_duplicate(&alert, &data.alerts, None)?;
        Ok(vec![Change::AddAlert(Box::new(alert.clone()))])
    })?;
    let added = Alert { id: ids.alert(alert.id), ..alert };
    print(&[added], &fetched, &data.addresses, settings, format)
}

fn edit(id: AlertId, line: &str, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let data = load(settings)?;
    let before = data.alerts.iter().find(|alert| alert.id == id).cloned().ok_or_else(|| not_found(id, &data))?;
    let (rule, once) = rule(line, "alert not changed", &data, settings)?;
    let edited = Alert { rule, once, on: true, ..before.clone() };
    refuse_duplicate(&edited, &data.alerts, Some(id))?;
    let state = |simulated| before.state.restarted(simulated);
    let in_context = |failure: Failure| failure.with_context("alert not changed");
    let (alert, fetched) = first_value(edited, state, &data, settings).map_err(in_context)?;
    // Fetching the first value takes a moment, in which another process may have changed the alert.
    user_store::update("alert", settings, |data| {
        let before = data.alerts.iter().find(|known| known.id == id).cloned().ok_or_else(|| not_found(id, data))?;
        refuse_duplicate(&alert, &data.alerts, Some(id))?;
        let state = AlertState { revision: before.state.revision.saturating_add(1), ..alert.state.clone() };
        let after = Alert { rule: alert.rule.clone(), once: alert.once, on: true, state, ..before.clone() };
        Ok(vec![Change::EditAlert(Box::new(Edit { before, after }))])
    })?;
    print(&[alert], &fetched, &data.addresses, settings, format)
}

/// Changes some alerts and prints them.
fn change(
    ids: &[RangeInclusive<i64>],
    settings: &Settings,
    format: Option<Format>,
    change: impl Fn(&Alert) -> Option<Change>,
) -> Result<(), Failure> {
    let (mut changed, mut addresses) = (Vec::new(), Vec::new());
    user_store::update("alert", settings, |data| {
        addresses.clone_from(&data.addresses);
        let (found, unreadable) = with_ids(ids, data)?;
        if let Some(id) = unreadable.first() {
            return Err(not_found(*id, data));
        }
        changed = found;
        let changes: Vec<Change> = changed.iter().filter_map(&change).collect();
        let mut data = data.clone();
        changes.iter().for_each(|change| data.apply(change));
        for alert in &mut changed {
            if let Some(now) = data.alerts.iter().find(|known| known.id == alert.id) {
                alert.clone_from(now);
            }
        }
        Ok(changes)
    })?;
    print(&changed, &Fetched::default(), &addresses, settings, format)
}

/// Removes alerts, even unreadable ones, and prints the readable ones.
fn remove(ids: &[RangeInclusive<i64>], settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let (mut removed, mut addresses, mut count) = (Vec::new(), Vec::new(), 0);
    user_store::update("alert", settings, |data| {
        addresses.clone_from(&data.addresses);
        let (found, unreadable) = with_ids(ids, data)?;
        removed = found;
        count = removed.len() + unreadable.len();
        let all = removed.iter().cloned().chain(unreadable.into_iter().map(Alert::unreadable));
        Ok(all.map(|alert| Change::RemoveAlert(Box::new(alert))).collect())
    })?;
    print(&removed, &Fetched::default(), &addresses, settings, format)?;
    output::note_removed(count, "alert", format);
    Ok(())
}

/// The alerts with these IDs, and the IDs of those that can't be read, each once. A range may contain IDs without an
/// alert, but not only such.
fn with_ids(ids: &[RangeInclusive<i64>], data: &UserData) -> Result<(Vec<Alert>, Vec<AlertId>), Failure> {
    let (mut found, mut unreadable) = (Vec::<Alert>::new(), Vec::<AlertId>::new());
    for range in ids {
        let is_wanted = |id: AlertId| range.contains(&id.0);
        let damaged = data.unreadable.iter().filter_map(|about| match about.part {
            UnreadablePart::Alert(id) => Some(id).filter(|id| is_wanted(*id)),
            _ => None,
        });
        let (mut alerts, mut damaged) =
            (data.alerts.iter().filter(|alert| is_wanted(alert.id)).peekable(), damaged.peekable());
        if alerts.peek().is_none() && damaged.peek().is_none() {
            return Err(unknown_ids(range));
        }
        for alert in alerts {
            if !found.contains(alert) {
                found.push(alert.clone());
            }
        }
        for id in damaged {
            if !unreadable.contains(&id) {
                unreadable.push(id);
            }
        }
    }
    Ok((found, unreadable))
}

/// The change that turns an alert on or off; `None` if it already is. Turning an alert on resets its state.
fn turn(alert: &Alert, on: bool, settings: &Settings) -> Option<Change> {
    let state = alert.state.restarted(is_simulated(group_of(&alert.rule.target), settings));
    let edit = Edit { before: alert.clone(), after: Alert { on, state, ..alert.clone() } };
    (alert.on != on).then(|| Change::EditAlert(Box::new(edit)))
}

/// An error if an alert other than `edited` has the same rule.
fn refuse_duplicate(new: &Alert, alerts: &[Alert], edited: Option<AlertId>) -> Result<(), Failure> {
    match alerts.iter().find(|alert| Some(alert.id) != edited && alert.rule.is_same(&new.rule)) {
        Some(Alert { id, on: true, once, .. }) if *once != new.once => {
            let once = if new.once { " once" } else { "" };
            let advice = format!("change it: satscope alerts edit {id} '{}{once}'", new.rule);
            Err(Failure::Operation(format!("alert {id} already has this rule ({advice})")))
        }
        Some(Alert { id, on: true, .. }) => Err(Failure::Operation(format!("alert {id} already has this rule"))),
        Some(Alert { id, .. }) => {
            let advice = format!("turn it on: satscope alerts on {id}");
            Err(Failure::Operation(format!("alert {id} already has this rule ({advice})")))
        }
        None => Ok(()),
    }
}

/// The alert with its current value, if there is one. `state` is its previous state, on simulated or real data. A token
/// that doesn't exist is an error.
fn first_value(
    mut alert: Alert,
    state: impl FnOnce(bool) -> AlertState,
    data: &UserData,
    settings: &Settings,
) -> Result<(Alert, Fetched), Failure> {
    alert.on = true;
    let mut fetched = source::fetch(std::slice::from_ref(&alert), data, settings)?;
    if let (Some(ticker), Target::Token(_)) = (&fetched.unknown_token, &alert.rule.target) {
        return Err(Failure::Operation(with_short_words(&format!("unknown BRC-20 token {ticker}"))));
    }
    let group = group_of(&alert.rule.target);
    alert.state = state(fetched.is_simulated(group).unwrap_or_else(|| is_simulated(group, settings)));
    let mut tracked = Tracked::new(alert);
    tracked.check(&fetched.values());
    let alert = tracked.alert;
    if alert.state.checked_at.is_none() {
        let reason = match (&fetched.failure, &alert.rule.target) {
            (_, Target::Wallet) if fetched.wallet_problem.is_some() => {
                fetched.wallet_problem.clone().unwrap_or_default()
            }
            (Some(sentence), _) => sentence.clone(),
            (None, _) => fetched.missing_reason(&alert.rule, UtcTime::now()),
        };
        // It may be a notice, which is said once.
        fetched.warnings.retain(|warning| *warning != reason);
        fetched.warnings.push(format!("not checked yet: {}", in_sentence(&reason)));
    }
    if alert.rule.condition == Condition::Transfer
        && let Some(reason) = &fetched.bitcoin_problem
    {
        fetched.warnings.push(format!("BTC balance not checked: {reason}"));
    }
    fetched.warnings.extend(text::already_true(&alert.rule, &alert.state));
    Ok((alert, fetched))
}

fn unknown(id: AlertId) -> Failure {
    Failure::Operation(format!("unknown alert {id} (list alerts: satscope alerts)"))
}

fn unknown_ids(ids: &RangeInclusive<i64>) -> Failure {
    let (first, last) = (ids.start(), ids.end());
    if first == last {
        unknown(AlertId(*first))
    } else {
        Failure::Operation(format!("no alerts with IDs {first}-{last} (list alerts: satscope alerts)"))
    }
}

/// Why there is no alert with this ID to change.
fn not_found(id: AlertId, data: &UserData) -> Failure {
    if data.is_unreadable(UnreadablePart::Alert(id)) {
        Failure::Operation(format!("can't change an unreadable alert (remove it: satscope alerts remove {id})"))
    } else {
        unknown(id)
    }
}

fn load(settings: &Settings) -> Result<UserData, Failure> {
    user_store::load(settings).map_err(unreadable)
}

fn unreadable(error: store::Error) -> Failure {
    Failure::Operation(format!("can't read the alerts: {error}"))
}

/// Prints alerts with their values, and in a table with the labels of addresses.
fn print(
    alerts: &[Alert],
    fetched: &Fetched,
    addresses: &[WalletAddress],
    settings: &Settings,
    format: Option<Format>,
) -> Result<(), Failure> {
    let values = fetched.values();
    let rows: Vec<Row> = alerts.iter().map(|alert| Row::new(alert, &values)).collect();
    let first = fetched.replies.first();
    let reply = first.map(|(_, reply)| reply);
    let url = first.map(|(request, reply)| source_url(reply, request.group(), settings));
    let source = user_store::source(url, settings);
    let envelope = Envelope {
        simulated: fetched.replies.iter().any(|(_, reply)| reply.simulated),
        ..Envelope::fetched(&rows, reply, source, &fetched.warnings)
    };
    output::print(&envelope, format, &settings.display, || {
        let mut sheet = Sheet::list(FIELDS, Layout::Columns(columns::ALERTS), &rows);
        if output::format(format) == Format::Table {
            for (row, alert) in sheet.rows.iter_mut().zip(alerts) {
                show_units(row, alert, &values, addresses);
            }
        }
        sheet
    })?;
    let groups = [Group::Market, Group::Indexer];
    let simulated = groups.into_iter().filter_map(|group| Some((group, fetched.is_simulated(group)?)));
    query::note_simulated(simulated, settings);
    Ok(())
}
