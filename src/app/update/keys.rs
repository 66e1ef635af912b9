//! Runs the command of a pressed key.

use crossterm::event::KeyEvent;

use crate::app::effect::Effect;
use crate::app::state::State;
use crate::keymap::Press;

use super::command;

/// Handles a pressed key. The first key of a sequence waits for the second; any key that can't follow cancels it.
pub(super) fn press(state: &mut State, key: KeyEvent, effects: &mut Vec<Effect>) {
    let first = state.pending.take();
    match state.keys().press(state.context(), first, key) {
        Press::Run(command) => command::run(state, command, effects),
        Press::Wait(key) => state.pending = Some(key),
        Press::Nothing => {}
    }
}
