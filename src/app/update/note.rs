//! Adds, edits and removes notes in charts.

use tui_input::Input;

use crate::app::chart::note::NotesAtCursor;
use crate::app::effect::Effect;
use crate::app::overlay::Overlay;
use crate::app::panel::Panel;
use crate::app::state::State;
use crate::app::step::Step;
use crate::format::words::capitalised;
use crate::keymap::{Command, Context};
use crate::portfolio::entry::note_text;
use crate::user_data::{Change, MAX_NOTES, Note};

use super::dialog::Dialog;
use super::toast::{error_toast, toast_when_saved, undo_hint};
use super::user::save;

/// The text of a note in a chart.
pub(super) struct NoteDialog;

impl Dialog for NoteDialog {
    fn context(&self, _state: &State) -> Context {
        Context::Choice
    }

    fn run(&self, state: &mut State, command: Command, effects: &mut Vec<Effect>) {
        if command == Command::Open
            && let Some(Overlay::Note { input, before, here }) = state.overlay.take()
        {
            apply(state, input, before, here, effects);
        }
    }

    /// Edits another note at the cursor, unless the text was changed.
    fn step(&self, state: &mut State, step: Step) {
        if !has_choice(state) {
            return;
        }
        let Some(Overlay::Note { input, before, here }) = &mut state.overlay else { return };
        let place = here.iter().position(|note| note.is_at(before)).unwrap_or(0);
        if let Some(next) = here.get(step.target(place, here.len().saturating_sub(1))) {
            *input = Input::new(next.text.to_string());
            *before = next.clone();
        }
    }

    fn field<'a>(&self, state: &'a mut State) -> Option<&'a mut Input> {
        match &mut state.overlay {
            Some(Overlay::Note { input, .. }) => Some(input),
            _ => None,
        }
    }

    fn offers(&self, state: &State, command: Command) -> bool {
        !matches!(command, Command::Up | Command::Down) || has_choice(state)
    }

    fn is_prefilled(&self, state: &State) -> bool {
        let Some(Overlay::Note { input, before, .. }) = &state.overlay else { return false };
        !before.text.is_empty() && input.value() == before.text
    }

    fn open_label(&self, _state: &State) -> Option<&'static str> {
        Some("save")
    }
}

/// Whether another note at the cursor can be edited instead: there are several, and the text was not changed.
fn has_choice(state: &State) -> bool {
    matches!(&state.overlay, Some(Overlay::Note { here, .. }) if here.len() > 1) && NoteDialog.is_prefilled(state)
}

/// Opens the line of the note at the chart's cursor.
pub(super) fn open(state: &mut State) {
    match state.notes_at_cursor() {
        Ok(NotesAtCursor { notes, nearest }) => {
            if let Some(token) = &mut state.token {
                token.focus = Panel::Chart;
            }
            let Some(before) = notes.get(nearest).cloned() else { return };
            state.overlay = Some(Overlay::Note { input: Input::new(before.text.to_string()), before, here: notes });
        }
        Err(reason) => error_toast(state, reason),
    }
}

/// Whether the token of a note is open, without a dialog.
pub(super) fn shows(state: &State, note: &Note) -> bool {
    let slug = state.token.as_ref().and_then(|token| token.slug.as_ref());
    state.overlay.is_none() && slug == Some(&note.slug)
}

/// Opens the line of a note that was not saved, and says why.
pub(super) fn reopen(state: &mut State, note: Note, reason: String) {
    let input = Input::new(note.text.to_string());
    let before = Note { text: "".into(), ..note };
    state.overlay = Some(Overlay::Note { input, here: vec![before.clone()], before });
    error_toast(state, reason);
}

/// Saves the text of the line if it was changed, or removes the note if it is empty.
fn apply(state: &mut State, input: Input, before: Note, here: Vec<Note>, effects: &mut Vec<Effect>) {
    let text = match note_text("note", input.value()) {
        Ok(text) => text.unwrap_or_default(),
        Err(error) => {
            error_toast(state, capitalised(&error.to_string()));
            state.overlay = Some(Overlay::Note { input, before, here });
            return;
        }
    };
    let note = Note { text, ..before.clone() };
    if note.text == before.text {
        // Another process may have changed it.
        return;
    }
    let (known, count) = {
        let user = state.user.current();
        (user.notes.iter().find(|known| known.is_at(&note)).cloned(), user.notes.len())
    };
    match known {
        None if note.text.is_empty() => {}
        None if count >= MAX_NOTES => {
            error_toast(state, Change::PutNote(note.clone()).not_saved());
            state.overlay = Some(Overlay::Note { input, before: Note { text: "".into(), ..note }, here });
        }
        Some(known) if known.text == note.text => {}
        Some(known) if note.text.is_empty() => {
            save(state, Change::RemoveNote(known), effects);
            let hint = undo_hint(state, Context::Token);
            toast_when_saved(state, format!("Removed note{hint}"));
        }
        known => {
            save(state, Change::PutNote(note), effects);
            toast_when_saved(state, if known.is_some() { "Updated note" } else { "Added note" });
        }
    }
}
