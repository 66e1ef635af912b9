//! Short messages at the bottom of the screen.

use std::time::Duration;

use crate::app::state::{State, Toast};
use crate::model::text;

/// How long a toast stays.
const TOAST: Duration = Duration::from_secs(4);

/// Shows a short message. Control characters of a path or a link in it are removed.
pub(super) fn toast(state: &mut State, text: String, is_error: bool) {
    let text = text::clean(&text).into_owned();
    state.toast = Some(Toast { text, is_error, is_unsaved: false, until: state.now.plus(TOAST) });
}
