//! Short messages at the bottom of the screen.

use std::time::Duration;

use crate::app::state::State;
use crate::app::toast::{Toast, ToastEnd};
use crate::glyphs::Glyphs;
use crate::keymap::{Command, Context};
use crate::model::text;

/// How long a toast stays, unless it stays until the next key.
pub(super) const TOAST_DURATION: Duration = Duration::from_secs(4);

/// Shows a short message.
pub(super) fn toast(state: &mut State, text: impl AsRef<str>) {
    show(state, text.as_ref(), false);
}

/// Shows why something failed.
pub(super) fn error_toast(state: &mut State, text: impl AsRef<str>) {
    show(state, text.as_ref(), true);
}

/// Shows why something failed, until the next key.
pub(super) fn lasting_error_toast(state: &mut State, text: impl AsRef<str>) {
    error_toast(state, text);
    state.toast.iter_mut().for_each(|toast| toast.until = None);
}

/// Shows a message for [`TOAST_DURATION`]. Control characters of a path or a link in it are removed.
fn show(state: &mut State, text: &str, is_error: bool) {
    let text = text::clean(text).into_owned();
    let until = Some(state.now.plus(TOAST_DURATION));
    state.toast = Some(Toast { text, is_error, ends_with: None, waits_for: None, until });
}

/// Sets what makes the message obsolete.
pub(super) fn dismiss_when(state: &mut State, end: ToastEnd) {
    state.toast.iter_mut().for_each(|toast| toast.ends_with = Some(end));
}

/// Dismisses the message if this event makes it obsolete.
pub(super) fn dismiss_on(toast: &mut Option<Toast>, end: ToastEnd) {
    toast.take_if(|toast| toast.ends_with == Some(end));
}

/// Shows a short message about the last change once that is saved. If it can't be saved, the error replaces the
/// message.
pub(super) fn toast_when_saved(state: &mut State, text: impl AsRef<str>) {
    toast(state, text);
    let change = state.user.last_unsaved();
    state.toast.iter_mut().for_each(|toast| toast.waits_for = change);
}

/// Shows the message that waited until this change was saved.
pub(super) fn saved(state: &mut State, change: u64) {
    let until = Some(state.now.plus(TOAST_DURATION));
    if let Some(toast) = state.toast.as_mut().filter(|toast| toast.waits_for == Some(change)) {
        (toast.waits_for, toast.until) = (None, until);
    }
}

/// Says that the open line can't be saved because another process has removed what it edits, and how to add that.
pub(super) fn report_removed_elsewhere(state: &mut State, what: &str) {
    let key = state.keys().name(Command::Open, Context::Choice, Glyphs::Ascii);
    let hint = key.map_or_else(String::new, |key| format!(" ({key}: add again)"));
    error_toast(state, format!("Can't save: another process removed this {what}{hint}"));
    dismiss_when(state, ToastEnd::Restored);
}

/// How to undo a change in `place`, for the end of a toast.
pub(super) fn undo_hint(state: &State, place: Context) -> String {
    let key = state.keys().name(Command::Undo, place, Glyphs::Ascii);
    key.map_or_else(String::new, |key| format!(" ({key}: undo)"))
}
