//! The Providers dialog: enables, orders and tests providers.

use std::time::Duration;

use crate::app::demand::visible_requests;
use crate::app::effect::Effect;
use crate::app::overlay::Overlay;
use crate::app::sources::{SourceRow, SourceTest};
use crate::app::state::State;
use crate::app::step::Step;
use crate::client::Request;
use crate::keymap::{Command, Context};
use crate::model::{ProviderName, Text, text};
use crate::user_data::{Change, SourceChange};

use super::dialog::Dialog;
use super::provider_change;
use super::toast::toast;
use super::user::save;

/// Opens the dialog.
pub(super) fn open(state: &mut State) {
    state.overlay = Some(Overlay::Sources { selected: None, operation: None, changed: false });
}

/// The providers of live data.
pub(super) struct SourcesDialog;

impl Dialog for SourcesDialog {
    fn context(&self, _state: &State) -> Context {
        Context::Sources
    }

    fn run(&self, state: &mut State, command: Command, effects: &mut Vec<Effect>) {
        if command == Command::Sources {
            return self.close(state, effects);
        }
        if let Some(sentence) = state.sources_note() {
            return toast(state, sentence);
        }
        match command {
            Command::Left => switch_operation(state, -1),
            Command::Right => switch_operation(state, 1),
            Command::MoveUp => move_selected(state, -1, effects),
            Command::MoveDown => move_selected(state, 1, effects),
            Command::ToggleSource => toggle(state, effects),
            Command::TestSource => test(state, effects),
            Command::ResetSources => {
                choose(state, SourceChange::Reset, effects);
                toast(state, "Reset to the configured providers");
            }
            _ => {}
        }
    }

    fn step(&self, state: &mut State, step: Step) {
        let (rows, index) = selection(state);
        select(state, &rows, step.target(index, rows.len().saturating_sub(1)));
    }

    /// If providers were changed, the screen below is refreshed from the current ones.
    fn close(&self, state: &mut State, effects: &mut Vec<Effect>) {
        let changed = matches!(state.overlay.take(), Some(Overlay::Sources { changed: true, .. }));
        if changed {
            reload(state, effects);
        }
    }

    fn choice_key(&self, state: &State, index: usize) -> Option<Text> {
        selection(state).0.get(index).map(|row| row.source.name.clone())
    }

    fn click(&self, state: &mut State, index: usize) -> bool {
        let (rows, _) = selection(state);
        select(state, &rows, index);
        false
    }

    fn requests(&self, _state: &State) -> Vec<Request> {
        vec![Request::Sources]
    }

    /// Some commands need providers that can be changed, others need several rows.
    fn offers(&self, state: &State, command: Command) -> bool {
        use Command::{Down, Left, MoveDown, MoveUp, ResetSources, Right, TestSource, ToggleSource, Up};
        match command {
            Left | Right | ToggleSource | MoveUp | MoveDown | TestSource | ResetSources => {
                state.own_sources().is_some()
            }
            Up | Down => selection(state).0.len() > 1,
            _ => true,
        }
    }
}

fn select(state: &mut State, rows: &[SourceRow], index: usize) {
    let name = rows.get(index).map(|row| row.source.name.clone());
    if let Some(Overlay::Sources { selected, .. }) = &mut state.overlay {
        *selected = name;
    }
}

/// The rows, and the index of the selected one.
fn selection(state: &State) -> (Vec<SourceRow>, usize) {
    let Some(Overlay::Sources { selected, operation, .. }) = &state.overlay else { return (Vec::new(), 0) };
    let rows = state.source_rows(operation.as_deref());
    let index = selected.as_ref().and_then(|name| rows.iter().position(|row| row.source.name == *name));
    (rows, index.unwrap_or(0))
}

fn selected_provider(state: &State) -> Option<ProviderName> {
    let (rows, index) = selection(state);
    ProviderName::parse(&rows.get(index)?.source.name)
}

/// Shows the next or the previous operation; before the first one and after the last one, all providers.
fn switch_operation(state: &mut State, by: isize) {
    let operations: Vec<Text> = state.orderable_operations().cloned().collect();
    if let Some(Overlay::Sources { operation, .. }) = &mut state.overlay {
        let here = operation.as_ref().and_then(|name| operations.iter().position(|other| other == name));
        let here = here.map_or(0, |index| index + 1);
        let next = (here + operations.len() + 1).saturating_add_signed(by) % (operations.len() + 1);
        *operation = next.checked_sub(1).and_then(|index| operations.get(index).cloned());
    }
}

/// Moves the selected provider in the order of the shown operation. If all providers are shown, shows an operation of
/// the selected one first, since each operation has an order of its own.
fn move_selected(state: &mut State, by: isize, effects: &mut Vec<Effect>) {
    let Some(name) = selected_provider(state) else { return };
    let Some(Overlay::Sources { operation, .. }) = &state.overlay else { return };
    let Some(operation) = operation.clone() else {
        let own = state.orderable_operations().find(|operation| state.source_order(operation).contains(&name)).cloned();
        let Some(own) = own else {
            let name = name.title_in_sentence();
            return toast(state, format!("Can't reorder {name}: no other provider serves its data"));
        };
        if let Some(Overlay::Sources { operation, selected, .. }) = &mut state.overlay {
            (*operation, *selected) = (Some(own), Some(Text::from(name.as_str())));
        }
        return;
    };
    let mut order = state.source_order(&operation);
    let Some(here) = order.iter().position(|other| *other == name) else { return };
    let there = here.saturating_add_signed(by).min(order.len() - 1);
    if here != there {
        order.swap(here, there);
        choose(state, SourceChange::Order(operation, order), effects);
    }
}

fn toggle(state: &mut State, effects: &mut Vec<Effect>) {
    if let Some(name) = selected_provider(state) {
        let is_enabled = state.is_source_enabled(name);
        choose(state, SourceChange::Enable(name, !is_enabled), effects);
    }
}

/// Saves a choice. The selection stays on its provider.
fn choose(state: &mut State, change: SourceChange, effects: &mut Vec<Effect>) {
    let name = selected_provider(state).map(|name| Text::from(name.as_str()));
    save(state, Change::Source(change), effects);
    if let Some(Overlay::Sources { selected, changed, .. }) = &mut state.overlay {
        (*selected, *changed) = (name, true);
    }
}

fn test(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(name) = selected_provider(state) else { return };
    if state.sources.tests.get(&name) != Some(&SourceTest::Running) {
        state.sources.tests.insert(name, SourceTest::Running);
        effects.push(Effect::TestSource(name));
    }
}

/// Shows the outcome of a test. A provider that works again serves the screen at once, not only at the next try.
pub(super) fn tested(
    state: &mut State,
    name: ProviderName,
    outcome: Result<Duration, String>,
    effects: &mut Vec<Effect>,
) {
    let has_passed = outcome.is_ok();
    let test = match outcome {
        Ok(latency) => SourceTest::Passed(latency),
        Err(reason) => SourceTest::Failed(text::clean(&reason).into()),
    };
    state.sources.tests.insert(name, test);
    if !has_passed || state.responses.all().iter().all(|(_, entry)| entry.failure.is_none()) {
        return;
    }
    provider_change::apply(state);
    match &mut state.overlay {
        // When it is closed.
        Some(Overlay::Sources { changed, .. }) => *changed = true,
        _ => reload(state, effects),
    }
}

/// Refreshes the screen from the current providers.
fn reload(state: &State, effects: &mut Vec<Effect>) {
    effects.push(Effect::Reload(visible_requests(state)));
}
