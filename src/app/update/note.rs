//! Adds, edits and removes notes in charts.

use tui_input::Input;

use crate::app::effect::Effect;
use crate::app::overlay::Overlay;
use crate::app::panel::Panel;
use crate::app::state::State;
use crate::user_data::{Change, MAX_NOTES, Note};

use super::toast::{toast, undo_hint};
use super::user::save;

/// Opens the line of the note at the chart's cursor.
pub(super) fn open(state: &mut State) {
    match state.note_at_cursor() {
        Ok(before) => {
            if let Some(token) = &mut state.token {
                token.focus = Panel::Chart;
            }
            state.overlay = Some(Overlay::Note { input: Input::new(before.text.to_string()), before });
        }
        Err(reason) => toast(state, String::from(reason), true),
    }
}

/// Saves the text of the line, or removes the note if it is empty.
pub(super) fn apply(state: &mut State, input: Input, before: Note, effects: &mut Vec<Effect>) {
    let note = Note { text: Note::clean(input.value()), ..before };
    let (known, count) = {
        let user = state.user.current();
        (user.notes.iter().find(|known| known.is_at(&note)).cloned(), user.notes.len())
    };
    match known {
        None if note.text.is_empty() => {}
        None if count >= MAX_NOTES => {
            toast(state, format!("Can't add the note: there are {MAX_NOTES} already"), true);
            state.overlay = Some(Overlay::Note { input, before: Note { text: "".into(), ..note } });
        }
        Some(known) if known.text == note.text => {}
        Some(known) if note.text.is_empty() => {
            save(state, Change::RemoveNote(known), effects);
            let how = undo_hint(state);
            toast(state, format!("Removed note{how}"), false);
        }
        known => {
            save(state, Change::PutNote(note), effects);
            toast(state, String::from(if known.is_some() { "Updated note" } else { "Added note" }), false);
        }
    }
}
