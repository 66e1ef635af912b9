//! The status tab.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Look, Memo};
use crate::app::State;

/// Paints it.
#[allow(clippy::too_many_arguments)]
pub(super) fn paint(buf: &mut Buffer, area: Rect, state: &State, look: &Look, memo: &mut Memo) {
    let _ = (buf, area, state, look, memo);
}
