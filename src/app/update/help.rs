//! The help.

use crate::app::effect::Effect;
use crate::app::overlay::{Overlay, layout};
use crate::app::state::State;
use crate::app::step::Step;
use crate::keymap::{Command, Context, help};

use super::dialog::Dialog;

/// The help.
pub(super) struct HelpDialog;

impl Dialog for HelpDialog {
    fn context(&self, _state: &State) -> Context {
        Context::Help
    }

    fn run(&self, state: &mut State, command: Command, effects: &mut Vec<Effect>) {
        if matches!(command, Command::Open | Command::Help) {
            self.close(state, effects);
        }
    }

    fn close(&self, state: &mut State, _effects: &mut Vec<Effect>) {
        if let Some(Overlay::Help { below, .. }) = state.overlay.take() {
            state.overlay = below.map(|below| *below);
        }
    }

    fn step(&self, state: &mut State, step: Step) {
        let most = max_scroll(state);
        if let Some(Overlay::Help { scroll, .. }) = &mut state.overlay {
            // Clamp the position before the step, too, since the screen may have grown.
            *scroll = step.target((*scroll).min(most), most);
        }
    }

    fn offers(&self, state: &State, command: Command) -> bool {
        !matches!(command, Command::Up | Command::Down) || max_scroll(state) > 0
    }
}

/// Opens the help over the screen or dialog.
pub(super) fn open(state: &mut State) {
    let place = state.open_dialog().map_or(state.screen_context(), |dialog| dialog.context(state));
    let below = state.overlay.take().map(Box::new);
    state.overlay = Some(Overlay::Help { scroll: 0, place, below });
}

/// Maximum scroll position: the last line is then at the bottom.
fn max_scroll(state: &State) -> usize {
    let Some(Overlay::Help { place, .. }) = &state.overlay else { return 0 };
    let columns =
        help::columns(state.keys(), *place, layout::max_columns(state.size.0), |command| state.has_command(command));
    let lines = columns.iter().map(Vec::len).max().unwrap_or(0);
    let rows = layout::rows(state.size, (help::COLUMN, u16::try_from(lines).unwrap_or(u16::MAX)));
    lines.saturating_sub(usize::from(rows))
}
