//! Short messages at the bottom of the screen.

use std::time::Duration;

use crate::app::state::{State, Toast};
use crate::glyphs::Glyphs;
use crate::keymap::{Command, Context};
use crate::model::text;

/// How long a toast stays.
const TOAST: Duration = Duration::from_secs(4);

/// Shows a short message. Control characters of a path or a link in it are removed.
pub(super) fn toast(state: &mut State, text: String, is_error: bool) {
    let text = text::clean(&text).into_owned();
    state.toast = Some(Toast { text, is_error, is_unsaved: false, until: state.now.plus(TOAST) });
}

/// How to undo a change, for the end of a toast.
pub(super) fn undo_hint(state: &State) -> String {
    let key = state.keys().name(Command::Undo, Context::Wallet, Glyphs::Ascii);
    key.map_or_else(String::new, |key| format!(" ({key}: undo)"))
}
