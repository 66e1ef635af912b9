//! Paints the state. It never changes the state or requests anything.
//!
//! What it remembers between frames (scroll offsets, and where it painted what can be clicked) is in its own [`Memo`],
//! which `update` never reads.

pub mod chrome;
pub mod indexer;
pub mod list;
pub mod memo;
mod menu;
pub mod overlay;
pub mod status;
pub mod token;
pub mod wallet;
pub mod widgets;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::{State, Tab};
use crate::glyphs::Glyphs;
use crate::theme::Theme;

pub use memo::Memo;

/// The look of the screen, which is fixed for a run.
#[derive(Clone, Debug)]
pub struct Look {
    /// The styles.
    pub theme: Theme,
    /// The characters.
    pub glyphs: Glyphs,
}

/// Paints the whole screen. Returns the position of the terminal's cursor while text is being edited.
pub fn draw(buf: &mut Buffer, state: &State, look: &Look, memo: &mut Memo) -> Option<(u16, u16)> {
    memo.begin();
    let area = buf.area;
    let content = chrome::paint(buf, area, state, look, memo);
    match (&state.token, state.tab) {
        (Some(token), _) => token::paint(buf, content, state, token, look, memo),
        (None, Tab::List(tag)) => list::paint(buf, content, state, state.list(tag), look, memo),
        (None, Tab::Wallet) => wallet::paint(buf, content, state, look, memo),
        (None, Tab::Indexer) => indexer::paint(buf, content, state, look, memo),
        (None, Tab::Status) => status::paint(buf, content, state, look),
    }
    if let Some(overlay) = &state.overlay {
        overlay::paint(buf, area, state, overlay, look, memo);
    }
    if let Some(open) = &state.menu {
        menu::paint(buf, area, state, open, look, memo);
    }
    chrome::top(buf, area, state, look);
    look.glyphs.apply(buf);
    memo.cursor()
}

/// Returns `length * parts / of` without overflow.
pub(crate) fn share(length: u16, parts: u16, of: u16) -> u16 {
    let share = u32::from(length) * u32::from(parts) / u32::from(of.max(1));
    u16::try_from(share).unwrap_or(u16::MAX)
}

/// Returns an area without its left and right margin.
pub(crate) fn inner(area: Rect) -> Rect {
    widgets::text::shifted(Rect { width: area.width.saturating_sub(1), ..area }, 1)
}

/// Returns the area for panels: with a margin at both sides, like the lines above and below, if there is room.
pub(crate) fn with_margins(area: Rect) -> Rect {
    if area.width < 4 { area } else { inner(area) }
}

/// Returns the part of an area below its first `rows` rows.
pub(crate) fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect { y: area.y.saturating_add(rows), height: area.height - rows, ..area }
}

/// Clears the cells of `area`, and the left half of a wide character that reaches into it.
pub(crate) fn clear(buf: &mut Buffer, area: Rect) {
    let area = area.intersection(buf.area);
    for y in area.top()..area.bottom() {
        if let Some(left) = area.x.checked_sub(1).filter(|&x| x >= buf.area.x)
            && let Some(cell) = buf.cell_mut((left, y))
            && widgets::text::width(cell.symbol()) > 1
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
