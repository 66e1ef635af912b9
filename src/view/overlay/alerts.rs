//! The Alerts dialog: a line for a new rule, the alerts with their values, and what fired last.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::StatefulWidget;

use super::coins;
use super::frame::{Choice, frame};
use crate::alerts::missed::Unchecked;
use crate::alerts::text as words;
use crate::app::overlay::{AlertsDialog, MAX_FIRINGS};
use crate::app::typed_alert::TypedAlert;
use crate::app::{State, Target};
use crate::format::{Age, Clock, Day};
use crate::keymap::{Command, Place};
use crate::user_data::alert::{Condition, Rule, Value};
use crate::user_data::{Alert, AlertEvent};
use crate::view::area::below;
use crate::view::look::Look;
use crate::view::memo::{Memo, Screen};
use crate::view::widgets::table::{Column, Row};
use crate::view::widgets::{Table, text};

/// Maximum columns of the content.
const COLUMNS: u16 = 108;

/// Minimum rows of the content, if there is room.
const ROWS: u16 = 10;

/// Maximum stretches that could not be checked that are shown.
const MAX_UNCHECKED: usize = 3;

/// Columns of the bar that shows how near the limit is.
const BAR: usize = 14;

const SIGN: usize = 0;
const SUBJECT: usize = 1;
const RULE: usize = 2;
const AGAIN: usize = 3;
const VALUE: usize = 4;
const BAR_COLUMN: usize = 5;
const STATE: usize = 6;
const CHECKED: usize = 7;

const TABLE: [Column; 8] = [
    Column::words("", 1, 9),
    Column::words("Alert", 6, 9).growing(14),
    Column::words("Rule", 12, 8).growing(24),
    Column::words("", 13, 2).growing(16),
    Column::number("Now", 10, 7),
    Column::words("", BAR as u16, 1),
    Column::words("State", 16, 6).growing(18),
    Column::words("Checked", 8, 3),
];

const EXAMPLES: [(&str, &str); 8] = [
    ("ordi > 20", "a price, in the shown currency"),
    ("ordi < 8.5 eur once", "in another currency, once"),
    ("sats 24h < -8%", "a change; also vol, cap and rank"),
    ("rats holders >= 50k", "holders of a BRC-20 token"),
    ("nova minted every 1%", "each step of its minted share"),
    ("bc1q… receives", "tokens that an address receives or sends"),
    ("fees < 3", "the fee rate of the next block"),
    ("wallet 24h < -5%", "the wallet's value"),
];

/// Paints the dialog.
pub(super) fn paint(buf: &mut Buffer, area: Rect, state: &State, dialog: &AlertsDialog, look: &Look, memo: &mut Memo) {
    let on = state.alerts.tracked.iter().filter(|tracked| tracked.alert.on).count();
    let title = match state.alerts.tracked.len() {
        0 => String::from("Alerts"),
        _ if !state.alerts.holds_lease => format!("Alerts · {on} on, checked by another satscope"),
        _ => format!("Alerts · {on} on"),
    };
    let past =
        state.user.current().alert_events.len().min(MAX_FIRINGS) + state.alerts.unchecked.len().min(MAX_UNCHECKED);
    let rows = state.alerts.tracked.len() + 1 + if past > 0 { past + 2 } else { 0 };
    let rows = u16::try_from(rows).unwrap_or(u16::MAX).max(ROWS);
    let inner = frame(buf, area, COLUMNS, rows, &title, look);
    match &dialog.line {
        Some(input) => {
            let choice = Choice { input, selected: dialog.chosen };
            paint_line(buf, inner, dialog, choice, look, memo);
        }
        None => paint_list(buf, inner, state, dialog, look, memo),
    }
}

/// Paints the line, what it means and the coins to choose from.
fn paint_line(buf: &mut Buffer, inner: Rect, dialog: &AlertsDialog, choice: Choice<'_>, look: &Look, memo: &mut Memo) {
    let theme = &look.theme;
    choice.line(buf, inner, look, memo);
    let rest = below(inner, if inner.height < 8 { 1 } else { 2 });
    let typed = choice.input.value();
    if typed.trim().is_empty() {
        for (row, (example, meaning)) in (0..rest.height).zip(EXAMPLES) {
            let place = text::line(rest, row);
            text::put(buf, Rect { width: 24.min(place.width), ..place }, example, theme.text);
            text::put(buf, text::shifted(place, 24), meaning, theme.dim);
        }
        return;
    }
    let Some(TypedAlert { coins, outcome, .. }) = &dialog.typed else { return };
    let used = match outcome {
        Err(sentence) => text::paragraph(buf, rest, &capitalised(sentence), theme.warn),
        Ok(Alert { rule, once, state: seen, .. }) => {
            let used = text::paragraph(buf, rest, &meaning(rule, *once), theme.strong);
            let now = below(rest, used);
            let (sentence, style) = match seen.last {
                Some(value) => match words::already_true(rule, seen) {
                    Some(note) => (format!("{} · {note}", words::is_now(rule, value)), theme.warn),
                    None => (away(rule, value), theme.text),
                },
                None => (String::from("Its value is not known yet"), theme.dim),
            };
            used + text::paragraph(buf, now, &sentence, style)
        }
    };
    let list = below(rest, used.saturating_add(1));
    if coins.len() > 1 {
        coins::paint(buf, list, coins, choice.selected, look, memo);
    } else if dialog.suggestions.len() > 1 {
        for (row, suggestion) in (0..list.height).zip(&dialog.suggestions) {
            let place = text::line(list, row);
            let is_typed = suggestion == typed;
            text::put(buf, place, if is_typed { "▸" } else { " " }, theme.accent);
            text::put(buf, text::shifted(place, 2), suggestion, if is_typed { theme.text } else { theme.dim });
        }
    }
}

/// How a rule is understood: `Fires when the price of ORDI is above 20 USD, again after 18.9`.
fn meaning(rule: &Rule, once: bool) -> String {
    let currency = rule.measure.currency().map(|currency| format!(" {currency}")).unwrap_or_default();
    let how_often = match (&rule.condition, &rule.rearm) {
        _ if once => String::from(", once"),
        (_, Some(rearm)) => format!(", again after {}", words::number(rule, rearm)),
        (Condition::Limit(..), None) => String::from(", again after it has come back a tenth of the way"),
        _ => String::new(),
    };
    format!("Alert on {}{currency}{how_often}", words::title(rule))
}

/// A value and its distance from the limit: `ORDI is 17.24 USD · 16.0% away`.
fn away(rule: &Rule, value: Value) -> String {
    let now = words::is_now(rule, value);
    match words::distance(rule, value) {
        Some(distance) => format!("{now} · {}", words::distance_words(rule, distance)),
        None => now,
    }
}

/// Paints the alerts and the last firings.
fn paint_list(buf: &mut Buffer, inner: Rect, state: &State, dialog: &AlertsDialog, look: &Look, memo: &mut Memo) {
    let (theme, alerts) = (&look.theme, &state.alerts.tracked);
    if alerts.is_empty() {
        let key = state.keys().name(Command::AddAlert, Place::Alerts, look.glyphs).unwrap_or_default();
        text::paragraph(buf, inner, &format!("No alerts · press {key} to add one"), theme.dim);
        return;
    }
    let user = state.user.current();
    let events: Vec<&AlertEvent> = user.alert_events.iter().rev().take(MAX_FIRINGS).collect();
    let unchecked: Vec<&Unchecked> = state.alerts.unchecked.iter().rev().take(MAX_UNCHECKED).collect();
    let lines = u16::try_from(events.len() + unchecked.len()).unwrap_or(0);
    let event_rows = if lines == 0 { 0 } else { lines + 2 };
    // Alerts come first; firings take what is left.
    let needed = u16::try_from(alerts.len()).unwrap_or(u16::MAX).saturating_add(1);
    let height = needed.min(inner.height.saturating_sub(event_rows).max(inner.height / 2)).max(1);
    let table = Rect { height: height.min(inner.height), ..inner };
    let place = below(table, 1);
    let selected = alerts.iter().position(|tracked| Some(tracked.alert.id) == dialog.selected).unwrap_or(0);
    let shown = Some(selected).filter(|_| dialog.firing.is_none());
    let mut rows = memo.table(Screen::Overlay, None, alerts.len(), shown, place.height);
    let visible = rows.visible(alerts.len(), usize::from(place.height));
    let paint = |index: usize, row: &mut Row<'_>| {
        if let Some(tracked) = alerts.get(index) {
            paint_row(row, &tracked.alert, state, look);
        }
    };
    Table::new(&TABLE, alerts.len(), paint).selection(theme.selection).theme(theme).render(table, buf, &mut rows);
    for (row, index) in (0..).zip(visible) {
        memo.target(text::line(place, row), Target::Choice(index));
    }
    let problem = alerts.get(selected).and_then(|tracked| Some((tracked, state.alerts.problem(tracked.alert.id)?)));
    if let Some((tracked, reason)) = problem {
        let sentence = format!("{} not checked: {reason}", words::title(&tracked.alert.rule));
        text::put(buf, text::line(inner, table.height), &sentence, theme.warn);
    }
    let rest = below(inner, table.height + 1);
    paint_past(buf, rest, state, &events, &unchecked, look);
    for (row, (index, event)) in (1..rest.height).zip(events.iter().enumerate()) {
        let place = text::line(rest, row);
        memo.target(place, Target::Choice(alerts.len() + index));
        if dialog.firing == Some((event.alert, event.number)) {
            theme.selection.paint(buf, place);
        }
    }
}

/// Paints what fired, and what could not be checked.
fn paint_past(
    buf: &mut Buffer,
    area: Rect,
    state: &State,
    events: &[&AlertEvent],
    unchecked: &[&Unchecked],
    look: &Look,
) {
    let theme = &look.theme;
    let fired = events.iter().map(|event| {
        let missed = if event.missed { " · while you were away" } else { "" };
        let style = if event.missed { theme.warn } else { theme.text };
        (moment(event, state), format!("{}{missed}", event.text), style)
    });
    let zone = &state.preferences.zone;
    let gaps = unchecked.iter().map(|gap| {
        let time = format!("{}–{}", Clock(zone.at(gap.from)), Clock(zone.at(gap.until)));
        (time, format!("{} not checked: {}", gap.subject, gap.reason), theme.dim)
    });
    let lines: Vec<(String, String, Style)> = fired.chain(gaps).collect();
    if lines.is_empty() {
        return;
    }
    text::put(buf, text::line(area, 0), "Fired", theme.title);
    for (row, (time, words, style)) in (1..area.height).zip(&lines) {
        let place = text::line(area, row);
        let used = text::put(buf, place, &format!("{time}  "), theme.dim);
        text::put(buf, text::shifted(place, used), words, *style);
    }
}

/// The time of a firing, with the day if it is not today.
fn moment(event: &AlertEvent, state: &State) -> String {
    let zone = &state.preferences.zone;
    let (at, now) = (zone.at(event.at), zone.at(state.now));
    let after = event.after.map(|after| format!("{}–", Clock(zone.at(after)))).unwrap_or_default();
    if at.date() == now.date() { format!("{after}{}", Clock(at)) } else { format!("{} {after}{}", Day(at), Clock(at)) }
}

fn paint_row(row: &mut Row<'_>, alert: &Alert, state: &State, look: &Look) {
    let (theme, Alert { rule, once, on, state: seen, .. }) = (&look.theme, alert);
    let (sign, style) = match (on, seen.armed) {
        (false, _) => ("○", theme.dim),
        (true, Some(false)) if seen.fired > 0 => ("!", theme.warn),
        (true, _) => ("●", theme.gain),
    };
    row.words(SIGN, sign, style);
    let text_style = if *on { theme.text } else { theme.dim };
    row.words(SUBJECT, &words::subject(rule), if *on { theme.strong } else { theme.dim });
    let currency = rule.measure.currency().filter(|currency| **currency != state.convert);
    let currency = currency.map(|currency| format!(" {currency}")).unwrap_or_default();
    row.words(RULE, &format!("{}{currency}", words::condition(rule)), text_style);
    row.words(AGAIN, &again(alert, *once), theme.dim);
    match seen.last {
        Some(value) => row.number(VALUE, words::value(rule, value), text_style),
        None => row.number(VALUE, crate::format::ABSENT, theme.dim),
    }
    let (words, style) = match state.alerts.problem(alert.id) {
        // The line below the table says why, since a column is too narrow for it.
        Some(_) => (String::from("not checked"), theme.warn),
        None => state_words(alert, state, look),
    };
    if let Some(distance) = seen.last.and_then(|value| words::distance(rule, value)).filter(|_| *on) {
        row.words(BAR_COLUMN, &bar(rule, distance), theme.dim);
    }
    row.words(STATE, &words, style);
    if let Some(at) = seen.checked_at {
        row.words(CHECKED, &Age(state.now.since(at)).to_string(), theme.dim);
    }
}

/// What is unusual: once, the re-arm value while it waits, silence.
fn again(alert: &Alert, once: bool) -> String {
    let mut notes = Vec::new();
    match (&alert.state.rearm, alert.state.armed) {
        _ if once => notes.push(String::from("once")),
        (Some(rearm), Some(false)) => {
            notes.push(format!("re-arms {}", words::value(&alert.rule, Value::Number(rearm.to_f64()))));
        }
        _ => {}
    }
    match (alert.bell, alert.notify) {
        (false, false) => notes.push(String::from("silent")),
        (false, true) => notes.push(String::from("no bell")),
        (true, false) => notes.push(String::from("bell only")),
        (true, true) => {}
    }
    notes.join(", ")
}

fn state_words(alert: &Alert, state: &State, look: &Look) -> (String, Style) {
    let (theme, seen) = (&look.theme, &alert.state);
    let zone = &state.preferences.zone;
    let fired = |at| format!("fired {}", Clock(zone.at(at)));
    match (alert.on, seen.fired_at, seen.last) {
        (false, Some(at), _) if alert.once => (fired(at), theme.warn),
        (false, ..) => (String::from("off"), theme.dim),
        (true, Some(at), _) if seen.armed == Some(false) => (fired(at), theme.warn),
        (true, _, None) if seen.checked_at.is_none() => (String::from("not checked yet"), theme.warn),
        (true, _, Some(value)) => match words::distance(&alert.rule, value) {
            Some(distance) => (words::distance_words(&alert.rule, distance), theme.text),
            None => (String::from("on"), theme.dim),
        },
        (true, ..) => (String::from("on"), theme.dim),
    }
}

/// A bar that is full at the limit.
fn bar(rule: &Rule, distance: f64) -> String {
    let Condition::Limit(_, limit) = &rule.condition else { return String::new() };
    let whole = if rule.measure.is_percent() { limit.to_f64().abs().max(1.0) } else { 100.0 };
    let share = (1.0 - distance / whole).clamp(0.0, 1.0);
    let full = (share * BAR as f64).round() as usize;
    format!("{}{}", "━".repeat(full), "─".repeat(BAR.saturating_sub(full)))
}

/// With a capital first letter.
fn capitalised(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
