//! What lies on top of a screen: one panel in its middle, with a thin border, over emptied cells.

mod currency;
mod help;
mod links;
mod lookup;
mod post;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use super::widgets::panel;
use super::widgets::table::Window;
use super::widgets::text;
use super::{Look, Memo};
use crate::app::{Overlay, State};

/// Paints it.
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

/// Empties the cells of `area`, and leaves no half of a wide character beside it.
pub(super) fn clear(buf: &mut Buffer, area: Rect) {
    let area = area.intersection(buf.area);
    for y in area.top()..area.bottom() {
        if let Some(left) = area.x.checked_sub(1).filter(|&x| x >= buf.area.x)
            && let Some(cell) = buf.cell_mut((left, y))
            && cell.symbol().width() > 1
        {
            cell.set_symbol(" ");
        }
        for x in area.left()..area.right() {
            if let Some(cell) = buf.cell_mut((x, y)) {
                cell.reset();
            }
        }
    }
}
