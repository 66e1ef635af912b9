//! Edits the text field that has the focus.

use tui_input::{Input, InputRequest};

use crate::app::state::State;
use crate::model::text;

/// Maximum characters of a text field: an inscription id has 66 characters, but pasted text can have any length.
const MAX_CHARS: usize = 200;

/// The focused text field, if any.
pub(super) fn line(state: &mut State) -> Option<&mut Input> {
    match state.open_dialog() {
        Some(dialog) => dialog.field(state),
        None => state.open_screen().field(state),
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
    match state.open_dialog() {
        Some(dialog) => dialog.edited(state),
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
