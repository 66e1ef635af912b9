//! `satscope alerts`: lists, adds, edits, removes and checks alerts.

mod announce;
mod received;
mod rule;
mod source;
mod tokens;
mod value;
mod wallet;
mod watch;

use serde::Serialize;

use super::args::{AlertsCommand, Format};
use super::columns;
use super::failure::{Failure, say, with_short_words};
use super::output::{self, Envelope};
use super::query;
use super::sheet::{Layout, Sheet};
use super::source_url::source_url;
use super::user_store;
use crate::alerts::labels::label_of;
use crate::alerts::needs::group_of;
use crate::alerts::{Reading, Tracked, Values, text};
use crate::client::Group;
use crate::config::Settings;
use crate::format::words::in_sentence;
use crate::model::UtcTime;
use crate::store;
use crate::user_data::alert::{AlertState, Condition, Rule, Target, Value};
use crate::user_data::{Alert, AlertId, Change, Edit, UnreadablePart, UserData, WalletAddress};
use rule::rule;
use source::{Fetched, is_simulated};
use value::json;

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
    ids: &[i64],
    settings: &Settings,
    format: Option<Format>,
    change: impl Fn(&Alert) -> Option<Change>,
) -> Result<(), Failure> {
    let (mut changed, mut addresses) = (Vec::<Alert>::new(), Vec::new());
    user_store::update("alert", settings, |data| {
        changed.clear();
        addresses.clone_from(&data.addresses);
        for id in ids.iter().copied().map(AlertId) {
            let alert = data.alerts.iter().find(|alert| alert.id == id).ok_or_else(|| not_found(id, data))?;
            if !changed.contains(alert) {
                changed.push(alert.clone());
            }
        }
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
fn remove(ids: &[i64], settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let (mut removed, mut addresses, mut count) = (Vec::<Alert>::new(), Vec::new(), 0);
    user_store::update("alert", settings, |data| {
        removed.clear();
        addresses.clone_from(&data.addresses);
        let mut unreadable = Vec::new();
        for id in ids.iter().copied().map(AlertId) {
            match data.alerts.iter().find(|alert| alert.id == id) {
                Some(alert) if removed.contains(alert) => {}
                Some(alert) => removed.push(alert.clone()),
                None if data.is_unreadable(UnreadablePart::Alert(id)) => unreadable.push(Alert::unreadable(id)),
                None => return Err(unknown(id)),
            }
        }
        count = removed.len() + unreadable.len();
        let all = removed.iter().chain(&unreadable);
        Ok(all.map(|alert| Change::RemoveAlert(Box::new(alert.clone()))).collect())
    })?;
    print(&removed, &Fetched::default(), &addresses, settings, format)?;
    output::note_removed(count, "alert", format);
    Ok(())
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

/// An alert in the output.
#[derive(Debug, Serialize)]
struct Row {
    id: i64,
    rule: String,
    once: bool,
    state: &'static str,
    simulated: bool,
    value: Option<serde_json::Value>,
    distance_pct: Option<f64>,
    checked_at: Option<UtcTime>,
    last_fired_at: Option<UtcTime>,
    last_value: Option<serde_json::Value>,
    /// The limit that arms it again; `None` unless it is on and disarmed.
    waits_for: Option<String>,
}

const FIELDS: &[&str] = &[
    "id",
    "rule",
    "once",
    "state",
    "simulated",
    "value",
    "distance_pct",
    "checked_at",
    "last_fired_at",
    "last_value",
    "waits_for",
];

impl Row {
    fn new(alert: &Alert, values: &Values<'_>) -> Row {
        let Alert { id, rule, once, state, .. } = alert;
        let reading = own_reading(alert, values);
        let value = reading.map(|reading| reading.value);
        Row {
            id: id.0,
            rule: rule.to_string(),
            once: *once,
            state: state_name(alert),
            simulated: state.is_simulated(),
            value: value.map(|value| json(rule, value)),
            distance_pct: value.and_then(|value| rounded_distance(rule, value)),
            checked_at: reading.map(|reading| reading.at).max(state.checked_at),
            last_fired_at: state.fired_at,
            last_value: alert.last_value().map(|value| json(rule, value)),
            waits_for: text::rearm_limit(rule, state).filter(|_| alert.on),
        }
    }
}

/// The distance of a value from the limit with two decimals, or with two significant digits if that would be zero.
fn rounded_distance(rule: &Rule, value: Value) -> Option<f64> {
    let distance = text::distance(rule, value)?;
    let rounded = (distance * 100.0).round() / 100.0;
    Some(if rounded == 0.0 { format!("{distance:.1e}").parse().unwrap_or(distance) } else { rounded })
}

/// The value of an alert, if the alert may be checked with it: simulated values are never shown beside real alerts.
fn own_reading<'a>(alert: &Alert, values: &Values<'a>) -> Option<Reading<'a>> {
    values.reading(&alert.rule, &alert.state).filter(|reading| alert.state.accepts_source(reading.source))
}

/// Replaces a row's numbers with the dashboard's text: with units, and with as many digits. Without a current value, it
/// shows the last one.
fn show_units(
    row: &mut serde_json::Map<String, serde_json::Value>,
    alert: &Alert,
    values: &Values<'_>,
    addresses: &[WalletAddress],
) {
    let value = own_reading(alert, values).map(|reading| reading.value).or(alert.last_value());
    let mut rule = match label_of(&alert.rule, addresses) {
        Some(label) => alert.rule.with_name(label, None),
        None => alert.rule.to_string(),
    };
    if alert.state.is_simulated() {
        rule.insert_str(0, "DEMO ");
    }
    row.insert(String::from("rule"), rule.into());
    let distance = value.and_then(|value| rounded_distance(&alert.rule, value));
    let value = value.map(|value| text::value_with_unit(&alert.rule, value));
    row.insert(String::from("value"), value.into());
    let distance = distance.map(|distance| text::distance_words(&alert.rule, distance));
    row.insert(String::from("distance_pct"), distance.into());
    if row.get("waits_for").is_some_and(serde_json::Value::is_string) {
        row.insert(String::from("state"), "waits".into());
    }
}

/// The state of an alert in one word.
fn state_name(alert: &Alert) -> &'static str {
    match (alert.on, alert.state.armed) {
        (false, _) if alert.once && alert.state.fired > 0 => "fired",
        (false, _) => "off",
        (true, Some(false)) => "disarmed",
        (true, _) if alert.state.checked_at.is_none() => "unchecked",
        (true, _) => "armed",
    }
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
