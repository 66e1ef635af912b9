//! Filters the lists of coins: a menu of common filters, and a line for any other.

use std::borrow::Cow;

use tui_input::Input;

use crate::app::coins::filter::{Filter, parse, parse_spelled_out, tag_completions};
use crate::app::effect::Effect;
use crate::app::menu::{FilterChoice, Menu, MenuAction, MenuChoice};
use crate::app::overlay::Overlay;
use crate::app::screen::list::AppliedFilter;
use crate::app::state::State;
use crate::app::step::Step;
use crate::keymap::{Command, Context, Tab};
use crate::model::{Tag, Text};

use super::dialog::Dialog;

/// The choices: letter, title and effect of each.
const CHOICES: [(char, &str, FilterChoice); 8] = [
    ('g', "gainers", FilterChoice::Apply(Cow::Borrowed("gainers"))),
    ('l', "losers", FilterChoice::Apply(Cow::Borrowed("losers"))),
    ('v', "volume over…", FilterChoice::Type("volume > ")),
    ('c', "cap under…", FilterChoice::Type("cap < ")),
    ('t', "tag…", FilterChoice::Type("tag ")),
    ('b', "BRC-20", FilterChoice::Apply(Cow::Borrowed("brc-20"))),
    ('w', "watched", FilterChoice::Apply(Cow::Borrowed("watched"))),
    ('e', "expression…", FilterChoice::Type("")),
];

/// Opens the menu of filters.
pub(super) fn open_menu(state: &mut State) {
    let mut menu = Menu::new("filter");
    for (key, label, action) in choices(state) {
        menu.add(key, label, action);
    }
    state.menu = Some(menu);
}

/// The filters of the list on the screen.
pub(super) fn choices(state: &State) -> Vec<MenuChoice> {
    let (Tab::List(tag), None) = (state.tab, &state.token) else { return Vec::new() };
    of_list(state, tag)
}

/// The filters of a list, like [`choices`].
pub(super) fn of_list(state: &State, tag: Tag) -> Vec<MenuChoice> {
    let all = state.list(tag).applied_filter().is_some().then_some(('a', "all coins", FilterChoice::Clear));
    let choices = CHOICES.into_iter().chain(all);
    choices.map(|(key, title, choice)| (key, title, MenuAction::FilterCoins(tag, choice))).collect()
}

/// The filter of a list: a text field and its parsed text.
pub(super) struct FilterDialog;

impl Dialog for FilterDialog {
    fn context(&self, _state: &State) -> Context {
        Context::Choice
    }

    fn run(&self, state: &mut State, command: Command, _effects: &mut Vec<Effect>) {
        if command == Command::Open
            && let Some(Overlay::Filter { input, tag, .. }) = state.overlay.take()
        {
            apply(state, input, tag);
        }
    }

    /// Selects another tag.
    fn step(&self, state: &mut State, step: Step) {
        let Some(Overlay::Filter { input, suggestions, .. }) = &mut state.overlay else { return };
        let here = suggestions.iter().position(|tag| tag.line == input.value());
        let next = here.map_or(0, |here| step.target(here, suggestions.len().saturating_sub(1)));
        if let Some(tag) = suggestions.get(next) {
            *input = Input::new(tag.line.clone());
        }
    }

    fn choice_key(&self, state: &State, index: usize) -> Option<Text> {
        match &state.overlay {
            Some(Overlay::Filter { suggestions, .. }) => Some(suggestions.get(index)?.line.as_str().into()),
            _ => None,
        }
    }

    fn click(&self, state: &mut State, index: usize) -> bool {
        let Some(Overlay::Filter { input, suggestions, .. }) = &mut state.overlay else { return false };
        let Some(tag) = suggestions.get(index) else { return false };
        let again = input.value() == tag.line;
        *input = Input::new(tag.line.clone());
        again
    }

    fn field<'a>(&self, state: &'a mut State) -> Option<&'a mut Input> {
        match &mut state.overlay {
            Some(Overlay::Filter { input, .. }) => Some(input),
            _ => None,
        }
    }

    /// The dialog explains the new text.
    fn edited(&self, state: &mut State) {
        state.toast = None;
        suggest(state);
    }

    /// Only tags can be selected.
    fn offers(&self, state: &State, command: Command) -> bool {
        let has_tags = matches!(&state.overlay, Some(Overlay::Filter { suggestions, .. }) if !suggestions.is_empty());
        has_tags || !matches!(command, Command::Up | Command::Down)
    }

    fn is_prefilled(&self, state: &State) -> bool {
        let Some(Overlay::Filter { input, tag, .. }) = &state.overlay else { return false };
        let is_unfinished = || parse(input.value(), &state.convert).is_err_and(|error| error.missing.is_some());
        state.list(*tag).applied_filter().is_some_and(|AppliedFilter { text, .. }| {
            let typed = input.value().trim_end();
            *text == typed || (typed.contains(text.as_str()) && is_unfinished())
        })
    }

    fn open_label(&self, _state: &State) -> Option<&'static str> {
        Some("apply")
    }
}

/// Runs a choice of the menu.
pub(super) fn run(state: &mut State, tag: Tag, choice: FilterChoice) {
    match choice {
        FilterChoice::Apply(text) => apply(state, Input::new(text.into_owned()), tag),
        FilterChoice::Clear => apply(state, Input::default(), tag),
        FilterChoice::Type(text) => {
            let before = state.list(tag).applied_filter();
            let text = before.map_or_else(|| text.to_owned(), |before| extended(before, text));
            open(state, Input::new(text), tag);
        }
    }
}

/// The applied filter with the beginning of another condition, which replaces a single one of its kind. Without one, a
/// blank separates further typing from the last word.
fn extended(AppliedFilter { text, filter }: &AppliedFilter, condition: &str) -> String {
    match filter {
        _ if condition.is_empty() => format!("{text} "),
        Filter::Compare(..) | Filter::Tag(_) if text.starts_with(condition) => condition.to_owned(),
        Filter::Or(..) => format!("({text}) and {condition}"),
        _ => format!("{text} and {condition}"),
    }
}

/// Opens the line of a list's filter.
pub(super) fn open(state: &mut State, input: Input, tag: Tag) {
    state.overlay = Some(Overlay::Filter { input, tag, suggestions: Vec::new() });
    suggest(state);
}

/// Finds the tags that complete the typed text, and counts their coins.
fn suggest(state: &mut State) {
    let Some(Overlay::Filter { input, tag, .. }) = &state.overlay else { return };
    let found = tag_completions(input.value(), state.list(*tag).coins());
    if let Some(Overlay::Filter { suggestions, .. }) = &mut state.overlay {
        *suggestions = found;
    }
}

/// Applies a typed filter; an empty one shows all coins. An invalid filter stays editable.
fn apply(state: &mut State, input: Input, tag: Tag) {
    let text = input.value().trim().to_owned();
    let filter = match parse_spelled_out(&text, &state.convert) {
        _ if text.is_empty() => None,
        Ok((filter, text)) => Some(AppliedFilter { text, filter }),
        // The dialog says why.
        Err(_) => return open(state, input, tag),
    };
    state.list_mut(tag).set_filter(filter);
    state.find_more_coins();
}
