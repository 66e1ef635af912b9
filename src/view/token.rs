//! A token's view.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Look, Memo};
use crate::app::State;
use crate::app::screen::TokenScreen;

/// Paints it.
#[allow(clippy::too_many_arguments)]
pub(super) fn paint(buf: &mut Buffer, area: Rect, state: &State, token: &TokenScreen, look: &Look, memo: &mut Memo) {
    let _ = (buf, area, state, token, look, memo);
}
