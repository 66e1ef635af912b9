//! Parts of areas.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::widgets::text;

/// Returns `length * parts / of` without overflow.
pub(super) fn share(length: u16, parts: u16, of: u16) -> u16 {
    let share = u32::from(length) * u32::from(parts) / u32::from(of.max(1));
    u16::try_from(share).unwrap_or(u16::MAX)
}

/// Returns an area without its left and right margin.
pub(super) fn inner(area: Rect) -> Rect {
    text::shifted(Rect { width: area.width.saturating_sub(1), ..area }, 1)
}

/// Returns the area for panels: with a margin on both sides, like the lines above and below, if there is room.
pub(super) fn with_margins(area: Rect) -> Rect {
    if area.width < 4 { area } else { inner(area) }
}

/// Returns the part of an area below its first `rows` rows.
pub(super) fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect { y: area.y.saturating_add(rows), height: area.height - rows, ..area }
}

/// Clears the cells of `area`, and the left half of a wide character that reaches into it.
pub(super) fn clear(buf: &mut Buffer, area: Rect) {
    let area = area.intersection(buf.area);
    for y in area.top()..area.bottom() {
        if let Some(left) = area.x.checked_sub(1).filter(|&x| x >= buf.area.x)
            && let Some(cell) = buf.cell_mut((left, y))
            && text::width(cell.symbol()) > 1
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

/// Splits an area in two, with `right` columns on the right and two blank columns between.
pub(super) fn split_right(area: Rect, right: u16) -> (Rect, Rect) {
    let right = right.min(area.width);
    let left = (area.width - right).saturating_sub(2);
    (Rect { width: left, ..area }, Rect { x: area.x.saturating_add(area.width - right), width: right, ..area })
}
