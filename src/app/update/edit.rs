//! Edits the text field that has the focus.

use tui_input::{Input, InputRequest};

use crate::app::overlay::Overlay;
use crate::app::state::State;
use crate::model::text;

use super::palette;

/// Maximum characters of a text field: an inscription id has 66 characters, but pasted text can have any length.
const MAX_CHARS: usize = 200;

/// The focused text field, if any.
pub(super) fn line(state: &mut State) -> Option<&mut Input> {
    if state.overlay.is_none() {
        return state.open_screen().field(state);
    }
    match &mut state.overlay {
        Some(
            Overlay::Currency { input, .. }
            | Overlay::Filter { input, .. }
            | Overlay::Lot { input, .. }
            | Overlay::Address { input, .. }
            | Overlay::Note { input, .. },
        ) => Some(input),
        Some(Overlay::Palette(palette, _)) => Some(&mut palette.input),
        Some(Overlay::Alerts(dialog)) => dialog.line.as_mut(),
        _ => None,
    }
}

pub(super) fn edit(state: &mut State, request: InputRequest) {
    let Some(input) = line(state) else { return };
    if let InputRequest::InsertChar(c) = request
        && (!fits(input, c) || input.value().chars().count() >= MAX_CHARS)
    {
        return;
    }
    let changed = input.handle(request).is_some_and(|change| change.value);
    if changed {
        edited(state);
    }
}

/// Whether a character is harmless and visible at the cursor: an unusual keyboard layout, or a terminal without
/// bracketed paste, can send any character.
fn fits(input: &Input, c: char) -> bool {
    // While typing, spaces are allowed everywhere.
    let before = &input.value().replace(' ', "_");
    let at = before.char_indices().nth(input.cursor()).map_or(before.len(), |(at, _)| at);
    let mut after = before.to_owned();
    after.insert(at, c);
    c == ' ' || text::clean(&after).len() == text::clean(before).len() + c.len_utf8()
}

/// Inserts pasted text, cleaned like text from a server.
pub(super) fn paste(state: &mut State, pasted: &str) {
    let Some(input) = line(state) else { return };
    for c in text::clean(pasted).chars() {
        if input.value().chars().count() >= MAX_CHARS {
            break;
        }
        if fits(input, c) {
            input.handle(InputRequest::InsertChar(c));
        }
    }
    edited(state);
}

fn edited(state: &mut State) {
    if matches!(
        state.overlay,
        Some(Overlay::Lot { .. } | Overlay::Filter { .. } | Overlay::Address { .. } | Overlay::Alerts(_))
    ) {
        // The dialog says what the new text means.
        state.toast = None;
    }
    match &mut state.overlay {
        Some(Overlay::Currency { selected, .. } | Overlay::Lot { selected, .. }) => *selected = 0,
        Some(Overlay::Palette(..)) => palette::edited(state),
        Some(Overlay::Alerts(dialog)) => dialog.chosen = 0,
        Some(_) => {}
        None => state.open_screen().edited(state),
    }
}

/// Ends editing and applies the text if `keep` is set, or else clears it.
pub(super) fn finish(state: &mut State, keep: bool) -> bool {
    let screen = state.open_screen();
    let is_typing = state.overlay.is_none() && screen.is_typing(state);
    if is_typing {
        screen.finish(state, keep);
    }
    is_typing
}
