//! The rows that `satscope alerts` prints.

use serde::Serialize;

use super::value::json;
use crate::alerts::{Reading, Values, labels, text};
use crate::model::UtcTime;
use crate::user_data::alert::{Rule, Value};
use crate::user_data::{Alert, WalletAddress};

/// An alert in the output.
#[derive(Debug, Serialize)]
pub(super) struct Row {
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
    /// The value that re-arms it; `None` unless it is on and disarmed.
    waits_for: Option<String>,
}

/// The fields of a row.
pub(super) const FIELDS: &[&str] = &[
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
    /// The row of an alert, with its current value.
    pub(super) fn new(alert: &Alert, values: &Values<'_>) -> Row {
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

/// Formats a row's numbers as in the dashboard, with units and the same number of digits. Without a current value, the
/// last one is shown.
pub(super) fn show_units(
    row: &mut serde_json::Map<String, serde_json::Value>,
    alert: &Alert,
    values: &Values<'_>,
    addresses: &[WalletAddress],
) {
    let value = own_reading(alert, values).map(|reading| reading.value).or(alert.last_value());
    let mut rule = labels::listed(&alert.rule, addresses);
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
