//! Runs the command of a pressed key.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::app::effect::Effect;
use crate::app::overlay::Overlay;
use crate::app::state::State;
use crate::keymap::{Command, Context, DIALOGS, Press};

use super::command;

/// Handles a pressed key. The first key of a sequence waits for the second; any key that can't follow cancels it.
///
/// Terminals send the same bytes for Alt with a key as for Esc and that key in quick succession, so a key with Alt that
/// has no command counts as Esc and the key.
pub(super) fn press(state: &mut State, key: KeyEvent, effects: &mut Vec<Effect>) {
    let first = state.pending.take();
    if let Some(command) = command_beside_menu(state, key) {
        state.menu = None;
        return command::run(state, command, effects);
    }
    match state.keys().press(state.context(), first, key) {
        Press::Run(command) => command::run(state, command, effects),
        Press::Wait(key) => state.pending = Some(key),
        Press::Nothing if key.modifiers.contains(KeyModifiers::ALT) => {
            if first.is_none() {
                press(state, KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE), effects);
            }
            press(state, KeyEvent::new(key.code, key.modifiers - KeyModifiers::ALT), effects);
        }
        Press::Nothing => {
            if let Some(command) = tab_below_dialog(state, key).filter(|_| first.is_none()) {
                while let Some(dialog) = state.open_dialog() {
                    dialog.close(state, effects);
                }
                command::run(state, command, effects);
            }
        }
    }
}

/// The command of a key that opens a tab on the screen below the dialog, since the tab bar stays visible. Not below a
/// text field, even if the help covers it, nor below a menu or a question.
fn tab_below_dialog(state: &State, key: KeyEvent) -> Option<Command> {
    let context = state.context();
    let covers_text = match &state.overlay {
        Some(Overlay::Help { place, .. }) => place.takes_text() || state.open_screen().is_typing(state),
        _ => false,
    };
    let is_question = matches!(context, Context::Confirm | Context::Menu);
    let is_closed_by_tabs = DIALOGS.contains(&context) && !is_question && !covers_text;
    match state.keys().press(state.screen_context(), None, key) {
        Press::Run(command @ Command::Go(_)) if is_closed_by_tabs => Some(command),
        _ => None,
    }
}

/// The command that a key runs instead of choosing from the open menu: it opens the palette, or reverses the sort order
/// in a menu of sort orders.
fn command_beside_menu(state: &State, key: KeyEvent) -> Option<Command> {
    let menu = state.menu.as_ref()?;
    let is_typed = (key.modifiers - KeyModifiers::SHIFT).is_empty();
    let is_choice = is_typed && menu.items.iter().any(|item| key.code == KeyCode::Char(item.key));
    match state.keys().press(state.screen_context(), None, key) {
        Press::Run(Command::Palette) if !is_choice => Some(Command::Palette),
        Press::Run(Command::ReverseSort) if !is_choice && menu.is_sort() => Some(Command::ReverseSort),
        _ => None,
    }
}
