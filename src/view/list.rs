//! A list of coins.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Look, Memo};
use crate::app::State;
use crate::app::screen::ListScreen;

/// Paints it.
#[allow(clippy::too_many_arguments)]
pub(super) fn paint(buf: &mut Buffer, area: Rect, state: &State, list: &ListScreen, look: &Look, memo: &mut Memo) {
    let _ = (buf, area, state, list, look, memo);
}
