//! The line for a new or edited rule, and its meaning.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::coins;
use super::super::frame::{Choice, examples};
use super::{past, rows};
use crate::alerts::examples::EXAMPLES;
use crate::alerts::text as words;
use crate::app::State;
use crate::app::alerts::past::PastAlert;
use crate::app::alerts::typed::TypedAlert;
use crate::app::overlay::AlertsDialog;
use crate::format::words::capitalised;
use crate::format::{HIDDEN, Span};
use crate::model::address;
use crate::user_data::Alert;
use crate::user_data::alert::{Condition, Rule, Value};
use crate::view::area::below;
use crate::view::paint_context::PaintContext;
use crate::view::view_state::ViewState;
use crate::view::widgets::text;

/// The column where the meanings of the examples start.
const EXAMPLE: u16 = 24;

/// Rows of the line, what it means and a blank one below.
const HEAD: usize = 6;

/// The rows that the line needs with its choices, and with the firings that the user has not seen.
pub(super) fn rows(state: &State, dialog: &AlertsDialog) -> usize {
    let unseen = unseen(state);
    HEAD + choices(dialog) + usize::from(past::rows(&unseen))
}

/// How many coins or suggestions there are to choose from.
fn choices(dialog: &AlertsDialog) -> usize {
    let coins = dialog.typed.as_ref().map_or(0, |typed| typed.coins.len());
    let all = if coins > 1 { coins } else { dialog.suggestions.len() };
    if all > 1 { all } else { 0 }
}

/// The firings that the user has not seen.
fn unseen(state: &State) -> Vec<PastAlert> {
    if state.alerts.unseen == 0 {
        return Vec::new();
    }
    state.past_alerts().into_iter().filter(|past| past.is_unseen).collect()
}

/// Paints the line, its meaning and the coins to choose from; below them, the firings that the user has not seen, since
/// the header counts them and the key that opens this line is the one for alerts.
pub(super) fn paint(
    buf: &mut Buffer,
    inner: Rect,
    context: PaintContext<'_>,
    dialog: &AlertsDialog,
    view_state: &mut ViewState,
) {
    let Some(input) = &dialog.line else { return };
    let PaintContext { state, appearance } = context;
    let choice = Choice { input, selected: dialog.chosen };
    let theme = &appearance.theme;
    let unseen = unseen(state);
    // Without the blank row above them.
    let wanted = past::rows(&unseen).saturating_sub(1);
    let needed = u16::try_from(HEAD + choices(dialog)).unwrap_or(u16::MAX);
    let height = wanted.min(inner.height.saturating_sub(needed).max(inner.height / 3));
    past::paint(buf, below(inner, inner.height - height), context, dialog, &unseen, view_state);
    let inner = Rect { height: inner.height.saturating_sub(height + u16::from(height > 1)), ..inner };
    choice.line(buf, inner, appearance, view_state);
    let rest = below(inner, if inner.height < 8 { 1 } else { 2 });
    let typed = choice.input.value();
    if typed.trim().is_empty() {
        examples(buf, rest, EXAMPLE, &EXAMPLES, appearance);
        return;
    }
    let Some(TypedAlert { coins, outcome, problem, .. }) = &dialog.typed else { return };
    let used = match outcome {
        Err(sentence) => text::paragraph(buf, rest, &capitalised(sentence), theme.warn),
        Ok(alert) => {
            let Alert { rule, state: seen, .. } = alert;
            let used = text::paragraph(buf, rest, &meaning(alert, state), theme.strong);
            let now = below(rest, used);
            let without = rows::without(rule, state);
            let (sentence, style) = match alert.last_value() {
                Some(value) => {
                    let private = words::without_amounts(rule).filter(|_| state.wallet.hides_amounts);
                    let private = private.map(|sentence| state.with_label(sentence, rule));
                    let named = |words: String| state.with_label(words, rule);
                    let note = match &private {
                        Some(_) => words::already_true_without_amounts(rule, seen),
                        None => words::already_true(rule, seen),
                    };
                    match (note, private) {
                        (Some(note), private) => {
                            let now = private.unwrap_or_else(|| named(words::value_sentence(rule, value)));
                            (format!("{now} · {note}"), theme.warn)
                        }
                        (None, Some(private)) => (private, theme.text),
                        (None, None) => (named(away(rule, value)) + &without, theme.text),
                    }
                }
                None => match problem {
                    Some(reason) => (format!("Not checked: {reason}"), theme.warn),
                    // A transfer has no value.
                    None if rule.condition == Condition::Transfer => {
                        (format!("Checked at least every {}", Span(state.alert_interval(rule))), theme.dim)
                    }
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
            let room = text::shifted(place, 2);
            let style = if is_typed { theme.text } else { theme.dim };
            text::put(buf, room, &shown(suggestion, room.width), style);
        }
    }
}

/// A suggestion that fits: a long address is shortened, so that the words after it stay visible.
fn shown(suggestion: &str, columns: u16) -> Cow<'_, str> {
    match suggestion.split_once(' ') {
        Some((address, rest)) if text::width(suggestion) > columns && address::is_similar(address) => {
            Cow::Owned(format!("{} {rest}", address::short(address)))
        }
        _ => Cow::Borrowed(suggestion),
    }
}

/// The meaning of a rule: `Fires when ORDI > 20 USD · re-arms at 18.9`.
fn meaning(alert: &Alert, state: &State) -> String {
    let Alert { rule, once, state: seen, .. } = alert;
    let is_private = state.wallet.hides_amounts && rule.is_about_amount();
    // The title already names any other currency.
    let currency = rule.measure.currency().filter(|currency| **currency == state.convert);
    let currency = currency.map(|currency| format!(" {currency}")).unwrap_or_default();
    let how_often = match (&rule.condition, seen.rearm_of(rule)) {
        _ if *once => String::from(" · once"),
        // The note that it is already true names the value.
        (Condition::Limit(..), _) if seen.armed == Some(false) => String::new(),
        (Condition::Limit(..), Some(_)) if is_private => format!(" · re-arms at {HIDDEN}"),
        (Condition::Limit(..), Some(rearm)) => {
            format!(" · re-arms at {}", words::rearm_value(rule, rearm))
        }
        (Condition::Limit(..), None) => String::from(" · re-arms after a 10% move back"),
        (Condition::Every(_) | Condition::Transfer, _) => String::new(),
    };
    let verb = if matches!(rule.condition, Condition::Every(_)) { "Fires:" } else { "Fires when" };
    format!("{verb} {}{currency}{how_often}", state.alert_title(rule))
}

/// A value and its distance from the limit: `ORDI is 17.24 USD · 16.0% away`.
fn away(rule: &Rule, value: Value) -> String {
    let now = words::value_sentence(rule, value);
    match words::distance(rule, value) {
        Some(distance) => format!("{now} · {}", words::distance_words(rule, distance)),
        None => now,
    }
}
