//! What lies on top of a screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Look, Memo};
use crate::app::{Overlay, State};

/// Paints it.
#[allow(clippy::too_many_arguments)]
pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    state: &State,
    overlay: &Overlay,
    look: &Look,
    memo: &mut Memo,
    cursor: &mut Option<(u16, u16)>,
) {
    let _ = (buf, area, state, overlay, look, memo, cursor);
}
