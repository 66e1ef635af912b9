//! The Alerts dialog: a line for a new rule, the alerts with their values, and what fired last.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::StatefulWidget;

use super::coins;
use super::frame::{Choice, frame};
use crate::alerts::{Tracked, text as words};
use crate::app::overlay::AlertsDialog;
use crate::app::past_alerts::PastAlert;
use crate::app::typed_alert::TypedAlert;
use crate::app::{State, Target};
use crate::format::{Age, Clock, Stretch};
use crate::keymap::{Command, Context};
use crate::user_data::alert::{Condition, Rule, Target as Subject, Value};
use crate::user_data::{Alert, Watched};
use crate::view::appearance::Appearance;
use crate::view::area::below;
use crate::view::view_state::{Screen, ViewState};
use crate::view::widgets::table::{Column, Row};
use crate::view::widgets::{Table, text};

/// Maximum columns of the content.
const COLUMNS: u16 = 108;

/// Minimum rows of the content, if there is room.
const ROWS: u16 = 10;

/// The title of what was found afterwards.
const AWAY: &str = "While you were away";

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
    ("ordi > 20", "a price in the display currency"),
    ("ordi < 8.5 eur once", "in another currency, once"),
    ("sats 24h < -8%", "24-hour change; also vol, cap and rank"),
    ("rats holders >= 50k", "holders of a BRC-20 token"),
    ("nova minted every 1%", "each 1% minted"),
    ("bc1q… receives", "tokens or bitcoin that an address receives or sends"),
    ("fees < 3", "the fee rate of the next block"),
    ("wallet 24h < -5%", "24-hour change of the wallet"),
];

/// Paints the dialog.
pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    state: &State,
    dialog: &AlertsDialog,
    appearance: &Appearance,
    view_state: &mut ViewState,
) {
    let on = state.alerts.tracked.iter().filter(|tracked| tracked.alert.on).count();
    let title = match state.alerts.tracked.len() {
        0 => String::from("Alerts"),
        _ => match state.alerts.checked_elsewhere() {
            0 => format!("Alerts · {on} on"),
            all if all == on => format!("Alerts · {on} on, checked by another process"),
            some => format!("Alerts · {on} on, {some} checked by another process"),
        },
    };
    let failures = usize::from(state.alerts.command_failure.is_some());
    let rows = state.alerts.tracked.len() + 1 + usize::from(past_rows(&state.past_alerts())) + failures;
    let rows = u16::try_from(rows).unwrap_or(u16::MAX).max(ROWS);
    let inner = frame(buf, area, COLUMNS, rows, &title, appearance);
    match &dialog.line {
        Some(input) => {
            let choice = Choice { input, selected: dialog.chosen };
            paint_line(buf, inner, dialog, choice, appearance, view_state);
        }
        None => paint_list(buf, inner, state, dialog, appearance, view_state),
    }
}

/// Paints the line, what it means and the coins to choose from.
fn paint_line(
    buf: &mut Buffer,
    inner: Rect,
    dialog: &AlertsDialog,
    choice: Choice<'_>,
    appearance: &Appearance,
    view_state: &mut ViewState,
) {
    let theme = &appearance.theme;
    choice.line(buf, inner, appearance, view_state);
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
    let Some(TypedAlert { coins, outcome, problem, .. }) = &dialog.typed else { return };
    let used = match outcome {
        Err(sentence) => text::paragraph(buf, rest, &capitalised(sentence), theme.warn),
        Ok(alert) => {
            let Alert { rule, state: seen, .. } = alert;
            let used = text::paragraph(buf, rest, &meaning(alert), theme.strong);
            let now = below(rest, used);
            let (sentence, style) = match alert.last_value() {
                Some(value) => match words::already_true(rule, seen) {
                    Some(note) => (format!("{} · {note}", words::value_sentence(rule, value)), theme.warn),
                    None => (away(rule, value), theme.text),
                },
                None => match problem {
                    Some(reason) => (format!("Not checked: {reason}"), theme.warn),
                    None => (String::from("No value yet"), theme.dim),
                },
            };
            used + text::paragraph(buf, now, &sentence, style)
        }
    };
    let list = below(rest, used.saturating_add(1));
    if coins.len() > 1 {
        coins::paint(buf, list, coins, choice.selected, appearance, view_state);
    } else if dialog.suggestions.len() > 1 {
        for (row, suggestion) in (0..list.height).zip(&dialog.suggestions) {
            let place = text::line(list, row);
            let is_typed = suggestion == typed;
            text::put(buf, place, if is_typed { "▸" } else { " " }, theme.accent);
            text::put(buf, text::shifted(place, 2), suggestion, if is_typed { theme.text } else { theme.dim });
        }
    }
}

/// How a rule is understood: `Fires when ORDI > 20 USD · re-arms at 18.9`.
fn meaning(alert: &Alert) -> String {
    let Alert { rule, once, state, .. } = alert;
    let currency = rule.measure.currency().map(|currency| format!(" {currency}")).unwrap_or_default();
    let how_often = match (&rule.condition, rule.rearm.as_ref().or(state.rearm.as_ref())) {
        _ if *once => String::from(" · once"),
        // The note that it is already true names the value.
        (Condition::Limit(..), _) if state.armed == Some(false) => String::new(),
        (Condition::Limit(..), Some(rearm)) => {
            format!(" · re-arms at {}", words::value(rule, Value::Number(rearm.to_f64())))
        }
        (Condition::Limit(..), None) => String::from(" · re-arms 10% of the way back"),
        (Condition::Every(_) | Condition::Happens, _) => String::new(),
    };
    let verb = if matches!(rule.condition, Condition::Every(_)) { "Fires:" } else { "Fires when" };
    format!("{verb} {}{currency}{how_often}", words::title(rule))
}

/// A value and its distance from the limit: `ORDI is 17.24 USD · 16.0% away`.
fn away(rule: &Rule, value: Value) -> String {
    let now = words::value_sentence(rule, value);
    match words::distance(rule, value) {
        Some(distance) => format!("{now} · {}", words::distance_words(rule, distance)),
        None => now,
    }
}

/// Paints the alerts and the last firings.
fn paint_list(
    buf: &mut Buffer,
    inner: Rect,
    state: &State,
    dialog: &AlertsDialog,
    appearance: &Appearance,
    view_state: &mut ViewState,
) {
    let (theme, alerts) = (&appearance.theme, &state.alerts.tracked);
    if alerts.is_empty() {
        let key = state.keys().name(Command::AddAlert, Context::Alerts, appearance.glyphs).unwrap_or_default();
        text::paragraph(buf, inner, &format!("No alerts · press {key} to add one"), theme.dim);
        return;
    }
    let inner = paint_command_failure(buf, inner, state, appearance);
    let past = state.past_alerts();
    let event_rows = past_rows(&past);
    // Alerts come first; firings take what is left.
    let needed = u16::try_from(alerts.len()).unwrap_or(u16::MAX).saturating_add(1);
    let height = needed.min(inner.height.saturating_sub(event_rows).max(inner.height / 2)).max(1);
    let table = Rect { height: height.min(inner.height), ..inner };
    let place = below(table, 1);
    let selected = alerts.iter().position(|tracked| Some(tracked.alert.id) == dialog.selected).unwrap_or(0);
    let shown = Some(selected).filter(|_| dialog.past.is_none());
    let mut rows = view_state.table(Screen::Overlay, None, alerts.len(), shown, place.height);
    let visible = rows.visible(alerts.len(), usize::from(place.height));
    let paint = |index: usize, row: &mut Row<'_>| {
        if let Some(tracked) = alerts.get(index) {
            paint_row(row, tracked, state, appearance);
        }
    };
    Table::new(&TABLE, alerts.len(), paint).selection(theme.selection).theme(theme).render(table, buf, &mut rows);
    for (row, index) in (0..).zip(visible) {
        view_state.target(text::line(place, row), Target::Choice(index));
    }
    if let Some(tracked) = alerts.get(selected).filter(|tracked| tracked.alert.on && shown.is_some()) {
        let title = words::title(&tracked.alert.rule);
        // A narrow table has no column for the state.
        let (state_text, state_style) = state_words(&tracked.alert, state, appearance);
        let (sentence, style) = match state.alerts.problem(tracked.alert.id) {
            Some(reason) => (format!("{title} not checked: {reason}"), theme.warn),
            None => {
                let every = Age(state.alert_interval(&tracked.alert.rule));
                let checked = format!("checked at least every {every}");
                match state_text.starts_with("fired") {
                    true => (format!("{title}: {state_text} · {checked}"), state_style),
                    false => (format!("{title}: {checked}"), theme.dim),
                }
            }
        };
        text::put(buf, text::line(inner, table.height), &sentence, style);
    }
    paint_past(buf, below(inner, table.height + 1), state, dialog, &past, appearance, view_state);
}

/// Paints the failure of the user's command, if there is one, into the last row. Returns the area above.
fn paint_command_failure(buf: &mut Buffer, inner: Rect, state: &State, appearance: &Appearance) -> Rect {
    let Some((at, sentence)) = &state.alerts.command_failure else { return inner };
    let zone = &state.preferences.zone;
    let at = Stretch { from: None, until: zone.at(*at), now: zone.at(state.now) };
    let height = inner.height.saturating_sub(1);
    text::put(buf, text::line(inner, height), &format!("{at}  {sentence}"), appearance.theme.warn);
    Rect { height, ..inner }
}

/// The rows that firings and unchecked periods need, with the titles and a blank line above.
fn past_rows(past: &[PastAlert]) -> u16 {
    let titles = past.chunk_by(|a, b| a.was_away == b.was_away).count();
    let rows = if past.is_empty() { 0 } else { past.len() + titles + 1 };
    u16::try_from(rows).unwrap_or(u16::MAX)
}

/// Paints what happened while the user was away, then the other firings.
fn paint_past(
    buf: &mut Buffer,
    area: Rect,
    state: &State,
    dialog: &AlertsDialog,
    past: &[PastAlert],
    appearance: &Appearance,
    view_state: &mut ViewState,
) {
    let (theme, before) = (&appearance.theme, state.alerts.tracked.len());
    // A title, or the index of a row.
    let mut lines: Vec<Result<usize, &str>> = Vec::new();
    for (index, row) in past.iter().enumerate() {
        let above = index.checked_sub(1).and_then(|above| past.get(above));
        if above.is_none_or(|above| above.was_away != row.was_away) {
            lines.push(Err(if row.was_away { AWAY } else { "Fired" }));
        }
        lines.push(Ok(index));
    }
    let selected = past.iter().position(|row| dialog.past == Some(row.key));
    let line = lines.iter().position(|line| selected.is_some_and(|index| *line == Ok(index))).unwrap_or(0);
    let height = usize::from(area.height);
    let is_last = line + 1 == lines.len();
    // The last line counts what is below, if there is room for both.
    let shown = if is_last || height < 2 { height } else { height - 1 };
    let hidden = (line + 1).saturating_sub(shown);
    let below = lines.iter().skip(hidden + height.saturating_sub(1)).filter(|line| line.is_ok()).count();
    let has_more = height >= 2 && lines.len() > hidden + height;
    for (row, line) in (0..area.height).zip(lines.into_iter().skip(hidden)) {
        let place = text::line(area, row);
        if has_more && row + 1 == area.height {
            text::put(buf, place, &format!("  {below} more"), theme.dim);
            break;
        }
        let index = match line {
            Ok(index) => index,
            Err(title) => {
                text::put(buf, place, title, theme.title);
                continue;
            }
        };
        let Some(past) = past.get(index) else { continue };
        let style = match past.was_away {
            true if past.is_unchecked() => theme.dim,
            true => theme.warn,
            false => theme.text,
        };
        let used = text::put(buf, place, &format!("  {}  ", moment(past, state)), theme.dim);
        let room = text::shifted(place, used);
        let used = text::put(buf, room, &past.text, style);
        view_state.target(place, Target::Choice(before + index));
        if selected == Some(index) {
            let hint = state.alert(past.alert()).and_then(|alert| opens(alert, past, state, appearance));
            if let Some(hint) = hint.filter(|hint| used + 2 + text::width(hint) <= room.width) {
                text::put_right(buf, room, &hint, theme.dim);
            }
            theme.selection.paint(buf, place);
        }
    }
}

/// What Enter does on a firing or unchecked period: `↵ ORDI at 11:52`. `None` if it does nothing.
fn opens(alert: &Alert, past: &PastAlert, state: &State, appearance: &Appearance) -> Option<String> {
    let Subject::Coin(_) = alert.rule.target else { return None };
    let key = state.keys().name(Command::Open, Context::Alerts, appearance.glyphs)?;
    let at = Clock(state.preferences.zone.at(past.opens_at()));
    Some(format!("{key} {} at {at}", words::subject(&alert.rule)))
}

/// The time of a firing or unchecked period, with the day if it did not start today.
fn moment(past: &PastAlert, state: &State) -> String {
    let zone = &state.preferences.zone;
    let from = past.from.map(|from| zone.at(from));
    Stretch { from, until: zone.at(past.until), now: zone.at(state.now) }.to_string()
}

fn paint_row(row: &mut Row<'_>, tracked: &Tracked, state: &State, appearance: &Appearance) {
    let alert = &tracked.alert;
    let (theme, Alert { rule, once, on, state: seen, .. }) = (&appearance.theme, alert);
    let (sign, style) = match (on, seen.armed) {
        (false, _) => ("○", theme.dim),
        (true, Some(false)) if seen.fired > 0 => ("!", theme.warn),
        (true, _) => ("●", theme.gain),
    };
    row.words(SIGN, sign, style);
    let text_style = if *on { theme.text } else { theme.dim };
    row.words(SUBJECT, &subject(tracked, state), if *on { theme.strong } else { theme.dim });
    let currency = rule.measure.currency().filter(|currency| **currency != state.convert);
    let currency = currency.map(|currency| format!(" {currency}")).unwrap_or_default();
    row.words(RULE, &format!("{}{currency}", words::short_condition(rule)), text_style);
    row.words(AGAIN, &options_text(alert, *once), theme.dim);
    match alert.last_value() {
        Some(value) => row.number(VALUE, words::value(rule, value), text_style),
        None => row.number(VALUE, crate::format::ABSENT, theme.dim),
    }
    let (words, style) = match state.alerts.problem(alert.id) {
        // The line below the table says why, since a column is too narrow for it.
        Some(_) => (String::from("not checked"), theme.warn),
        None => state_words(alert, state, appearance),
    };
    if let Some(distance) = seen.last.and_then(|value| words::distance(rule, value)).filter(|_| *on) {
        row.words(BAR_COLUMN, &bar(rule, distance), theme.dim);
    }
    row.words(STATE, &words, style);
    if let Some(at) = seen.checked_at {
        row.words(CHECKED, &Age(state.now.since(at)).to_string(), theme.dim);
    }
}

/// What a rule is about: the label of an address, and the slug of a coin if other alerts' coins use its symbol.
fn subject(tracked: &Tracked, state: &State) -> String {
    let rule = &tracked.alert.rule;
    let others = || state.alerts.tracked.iter().map(|tracked| &tracked.alert.rule.target);
    let is_other = |coin: &Watched, target: &Subject| match target {
        Subject::Coin(other) => other.symbol == coin.symbol && !other.is_same(coin),
        _ => false,
    };
    let name = match &rule.target {
        Subject::Coin(coin) if others().any(|target| is_other(coin, target)) => coin.slug.as_ref(),
        _ => tracked.label(),
    };
    name.map_or_else(|| words::subject(rule), ToString::to_string)
}

/// The options of an alert that differ from the default: once, the re-arm value while it waits, silent.
fn options_text(alert: &Alert, once: bool) -> String {
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

fn state_words(alert: &Alert, state: &State, appearance: &Appearance) -> (String, Style) {
    let (theme, seen) = (&appearance.theme, &alert.state);
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
