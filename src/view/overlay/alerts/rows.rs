//! The table of the alerts.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use ratatui::style::Style;

use crate::alerts::text::ConditionParts;
use crate::alerts::{Tracked, text as words};
use crate::app::State;
use crate::app::overlay::ListedAlerts;
use crate::format::words::first_names;
use crate::format::{ABSENT, Age, HIDDEN, TimeRange};
use crate::user_data::alert::{Measure, Rule, Target as Subject};
use crate::user_data::{Alert, Watched};
use crate::view::appearance::Appearance;
use crate::view::widgets::table::{Column, Layout, Row};
use crate::view::widgets::text;

/// Columns of the bar that shows how near the limit is.
const BAR: usize = 14;

/// The distances of a full and an empty bar, in percent or in points.
const NEAR: f64 = 0.1;
const FAR: f64 = 50.0;

const SIGN: usize = 0;
const SUBJECT: usize = 1;
const RULE: usize = 2;
const OPTIONS: usize = 3;
const VALUE: usize = 4;
const BAR_COLUMN: usize = 5;
const STATE: usize = 6;
const CHECKED: usize = 7;

/// Number of consecutive alerts that together determine the widths of the columns.
const GROUP: usize = 100;

/// The columns of the table, as wide as their text: numbers are never cut, so columns make room for them. Of many
/// alerts, those near the visible ones count, so that a frame doesn't format them all; the view state keeps
/// the widths while the dialog is open.
pub(super) fn columns(
    state: &State,
    (listed, visible): (ListedAlerts<'_>, &Range<usize>),
    shared: &SharedSymbols<'_>,
    width: u16,
    appearance: &Appearance,
) -> [Column; 8] {
    let near = (visible.start / GROUP * GROUP)..visible.end.next_multiple_of(GROUP).min(listed.len());
    let tracked: Vec<&Tracked> = near.filter_map(|row| listed.get(row)).collect();
    let alerts = || tracked.iter().map(|tracked| &tracked.alert);
    let widest = |of: &dyn Fn(&Alert) -> String| alerts().map(|alert| text::width(&of(alert))).max().unwrap_or(0);
    // The signs, the subjects and the gaps.
    let room = width.saturating_sub(1 + MIN_SUBJECT + 4).max(MIN_RULE);
    let rule = widest(&|alert| rule_text(&alert.rule, state)).clamp(MIN_RULE, room);
    let subjects = tracked.iter().map(|tracked| text::width(&shared.subject(tracked)));
    let subject = subjects.max().unwrap_or(0).clamp(MIN_SUBJECT, MAX_SUBJECT);
    let value = widest(&|alert| value_text(alert, state)).clamp(MIN_VALUE, MAX_VALUE);
    let state_width = widest(&|alert| status(alert, state, appearance).0).max(MIN_STATE);
    [
        Column::words("", 1, 9),
        Column::words("Alert", MIN_SUBJECT, 9).growing(subject),
        Column::words("Rule", rule, 8),
        Column::words("", widest(&|alert| options_text(alert, state)), 2),
        Column::number("Now", value, 7),
        Column::words("", BAR as u16, 1),
        Column::words("State", state_width, 6),
        Column::words("Checked", 8, 3),
    ]
}

/// Minimum and maximum columns of the subjects.
const MIN_SUBJECT: u16 = 6;
const MAX_SUBJECT: u16 = 20;

/// Minimum columns of the rules.
const MIN_RULE: u16 = 12;

/// Minimum and maximum columns of the values; a longer one is `…`.
const MIN_VALUE: u16 = 7;
const MAX_VALUE: u16 = 20;

/// Minimum columns of the states.
const MIN_STATE: u16 = 12;

/// Minimum columns of the table with a column for the state, with the shortest text.
pub(super) const WITH_STATE: u16 = 44;

/// The columns that fit.
pub(super) fn layout(columns: &[Column], width: u16) -> Layout {
    Layout::filtered(columns, width, |index| columns.get(index).is_some_and(|column| column.width > 0))
}

/// The rule, with its currency if that is not the display currency.
fn rule_text(rule: &Rule, state: &State) -> String {
    format!("{}{}", condition(rule, state), currency_text(rule, state))
}

/// The condition without hidden amounts.
fn condition<'a>(rule: &'a Rule, state: &State) -> ConditionParts<'a> {
    if hides_value(rule, state) { words::condition_without_amounts(rule) } else { words::listed_condition(rule) }
}

/// The currency of a rule after a space; empty for the display currency.
fn currency_text(rule: &Rule, state: &State) -> String {
    let currency = rule.measure.currency().filter(|currency| **currency != state.convert);
    currency.map(|currency| format!(" {currency}")).unwrap_or_default()
}

/// The last value.
fn value_text(alert: &Alert, state: &State) -> String {
    match alert.last_value() {
        Some(_) if hides_value(&alert.rule, state) => String::from(HIDDEN),
        Some(value) => words::value(&alert.rule, value),
        None => String::from(ABSENT),
    }
}

/// Whether the value of a rule is a hidden amount.
pub(super) fn hides_value(rule: &Rule, state: &State) -> bool {
    state.wallet.hides_amounts && words::without_amounts(rule).is_some()
}

/// The state of an alert, or that it can't be checked.
fn status(alert: &Alert, state: &State, appearance: &Appearance) -> (String, Style) {
    match state.alerts.problem(alert.id) {
        // The line below the table shows the reason, since a column is too narrow for it.
        Some(_) => (String::from("not checked"), appearance.theme.warn),
        None => state_words(alert, state, appearance),
    }
}

/// Paints an alert.
pub(super) fn paint(
    row: &mut Row<'_>,
    tracked: &Tracked,
    shared: &SharedSymbols<'_>,
    state: &State,
    appearance: &Appearance,
) {
    let alert = &tracked.alert;
    let (theme, Alert { rule, on, state: seen, .. }) = (&appearance.theme, alert);
    let (sign, style) = match (on, seen.armed) {
        (false, _) => ("○", theme.dim),
        (true, Some(false)) if alert.firing().is_some() => ("!", theme.warn),
        // It can't fire yet.
        (true, Some(false)) => ("◐", theme.warn),
        (true, _) => ("●", theme.gain),
    };
    row.words(SIGN, sign, style);
    let text_style = if *on { theme.text } else { theme.dim };
    row.words(SUBJECT, &shared.subject(tracked), if *on { theme.strong } else { theme.dim });
    let (condition, currency) = (condition(rule, state), currency_text(rule, state));
    let rule_text = format!("{condition}{currency}");
    let cell = row.layout.cell(row.area, RULE);
    let fits = |words: &str| cell.is_none_or(|cell| text::width(words) <= cell.width);
    // Without the measure, like in the title of a rule about a price. The selected alert has it below the table.
    let limit = condition.limit_text().map(|limit| format!("{limit}{currency}"));
    match limit.filter(|limit| fits(limit)) {
        _ if fits(&rule_text) => row.words(RULE, &rule_text, text_style),
        Some(limit) => row.words(RULE, &limit, text_style),
        // A truncated limit would be a different limit.
        None => row.words(RULE, &condition.with_number("…").to_string(), text_style),
    }
    row.words(OPTIONS, &options_text(alert, state), theme.dim);
    let has_value = alert.last_value().is_some();
    row.number(VALUE, value_text(alert, state), if has_value { text_style } else { theme.dim });
    let distance = seen.last.and_then(|value| words::distance(rule, value));
    // A value beyond the limit is no longer on its way there.
    if let Some(distance) = distance.filter(|distance| *on && *distance >= 0.0 && !hides_value(rule, state)) {
        row.words(BAR_COLUMN, &bar(distance), theme.dim);
    }
    let (words, style) = status(alert, state, appearance);
    row.words(STATE, &words, style);
    if let Some(at) = seen.checked_at {
        row.words(CHECKED, &Age(state.now.since(at)).to_string(), theme.dim);
    }
}

/// Symbols that different coins in the alerts share.
pub(super) struct SharedSymbols<'a>(HashSet<&'a str>);

impl<'a> SharedSymbols<'a> {
    pub(super) fn of(alerts: &'a [Tracked]) -> SharedSymbols<'a> {
        let mut first = HashMap::<&str, &Watched>::new();
        let mut shared = HashSet::new();
        for tracked in alerts {
            let Subject::Coin(coin) = &tracked.alert.rule.target else { continue };
            match first.entry(coin.symbol.as_str()) {
                Entry::Occupied(known) if !known.get().is_same(coin) => {
                    shared.insert(coin.symbol.as_str());
                }
                Entry::Occupied(_) => {}
                Entry::Vacant(free) => {
                    free.insert(coin);
                }
            }
        }
        SharedSymbols(shared)
    }

    /// The subject of a rule: the label of an address, and the slug of a coin if other coins use its symbol.
    fn subject(&self, tracked: &Tracked) -> String {
        let rule = &tracked.alert.rule;
        let name = match &rule.target {
            Subject::Coin(coin) if self.0.contains(coin.symbol.as_str()) => coin.slug.as_ref(),
            _ => tracked.label(),
        };
        name.map_or_else(|| words::subject(rule), ToString::to_string)
    }
}

/// The options of an alert that differ from the default: once, the re-arm value after it fired, silent.
fn options_text(alert: &Alert, state: &State) -> String {
    let mut notes = Vec::new();
    // For an alert that was already true, the state has the value.
    match alert.state.rearm_of(&alert.rule).filter(|_| alert.firing().is_some()) {
        _ if alert.once => notes.push(String::from("once")),
        Some(_) if hides_value(&alert.rule, state) => notes.push(format!("re-arms {HIDDEN}")),
        Some(rearm) => notes.push(format!("re-arms {}", words::rearm_value(&alert.rule, rearm))),
        None => {}
    }
    match (alert.bell, alert.notify) {
        (false, false) => notes.push(String::from("silent")),
        (false, true) => notes.push(String::from("no bell")),
        (true, false) => notes.push(String::from("bell only")),
        (true, true) => {}
    }
    notes.join(", ")
}

/// The state of an alert that is checked.
pub(super) fn state_words(alert: &Alert, state: &State, appearance: &Appearance) -> (String, Style) {
    let (theme, seen) = (&appearance.theme, &alert.state);
    let zone = &state.preferences.zone;
    if let Some(at) = alert.firing() {
        let at = TimeRange { from: None, until: zone.at(at), now: zone.at(state.now) };
        return (format!("fired {at}"), theme.warn);
    }
    if let Some(waits) = words::waits_for(&alert.rule, seen).filter(|_| alert.on) {
        let is_private = hides_value(&alert.rule, state) && alert.rule.is_about_amount();
        return (if is_private { String::from("already true") } else { waits }, theme.warn);
    }
    match (alert.on, seen.last) {
        (false, _) => (String::from("off"), theme.dim),
        (true, None) if seen.checked_at.is_none() => (String::from("not checked yet"), theme.warn),
        (true, _) if hides_value(&alert.rule, state) => (String::from("on"), theme.dim),
        (true, Some(value)) => match words::distance(&alert.rule, value) {
            Some(distance) => (words::distance_words(&alert.rule, distance), theme.text),
            None => (String::from("on"), theme.dim),
        },
        (true, None) => (String::from("on"), theme.dim),
    }
}

/// A bar that is full at the limit and empty at [`FAR`]. Most limits are near, so the scale is logarithmic.
fn bar(distance: f64) -> String {
    let share = 1.0 - (distance.clamp(NEAR, FAR) / NEAR).ln() / (FAR / NEAR).ln();
    let full = (share * BAR as f64).round() as usize;
    format!("{}{}", "━".repeat(full), "─".repeat(BAR.saturating_sub(full)))
}

/// What a value of the wallet leaves out: ` · without SATS`; empty if it is complete, or for other rules.
pub(super) fn without(rule: &Rule, state: &State) -> String {
    let valuation = state.wallet.holdings().valuation();
    let names = match (&rule.target, &rule.measure) {
        // It waits for the price of a held coin.
        (Subject::Wallet, Measure::Value(_)) if valuation.lacks_price() => Vec::new(),
        (Subject::Wallet, Measure::Value(_)) => valuation.unvalued.clone(),
        (Subject::Wallet, _) => valuation.without_day_change(),
        _ => Vec::new(),
    };
    if names.is_empty() { String::new() } else { format!(" · without {}", first_names(&names, MAX_NAMES)) }
}

/// Maximum coins that are named.
const MAX_NAMES: usize = 3;
