//! The menu above the footer: ` copy   c contract  l link  p price`. It wraps on narrow terminals.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::appearance::Appearance;
use super::area::{clear, inner};
use super::chrome::pieces::Piece;
use super::view_state::ViewState;
use super::widgets::text;
use crate::app::{ClickTarget, Menu};

/// Columns between two items.
const GAP: u16 = 2;

/// Maximum rows, unless two thirds of the screen are more.
const MAX_ROWS: u16 = 4;

pub(super) fn paint(buf: &mut Buffer, area: Rect, menu: &Menu, appearance: &Appearance, view_state: &mut ViewState) {
    let (place, head, placed) = layout(area, menu, appearance);
    clear(buf, place);
    view_state.target(place, ClickTarget::Menu);
    let place = inner(place);
    head.paint(buf, text::line(place, 0));
    for (row, x, item, piece) in placed {
        let cell = text::shifted(text::line(place, row), x);
        piece.paint(buf, cell);
        if let Some(index) = item {
            view_state.target(Rect { width: piece.width().min(cell.width), ..cell }, ClickTarget::MenuItem(index));
        }
    }
}

/// The rows of the screen that the menu covers.
pub(super) fn covered(area: Rect, menu: &Menu, appearance: &Appearance) -> Rect {
    layout(area, menu, appearance).0
}

/// An item or the note, with its row and column in the menu; and the index of the item.
type Placed<'a> = (u16, u16, Option<usize>, Piece<'a>);

/// The area of the menu, its title, and its items.
fn layout<'a>(area: Rect, menu: &'a Menu, appearance: &Appearance) -> (Rect, Piece<'a>, Vec<Placed<'a>>) {
    let theme = &appearance.theme;
    let head = Piece::new(menu.title, theme.strong);
    let indent = head.width() + GAP + 1;
    let keys = menu.items.iter().map(|item| {
        Piece::new(item.key.to_string(), theme.key).and(" ", theme.dim).and(item.label.as_ref(), theme.text)
    });
    let mut pieces: Vec<(Option<usize>, Piece<'_>)> =
        keys.enumerate().map(|(index, piece)| (Some(index), piece)).collect();
    if !menu.note.is_empty() {
        pieces.push((None, Piece::new(menu.note.as_str(), theme.dim)));
    }

    let width = inner(area).width;
    let (mut row, mut used) = (0, indent);
    let placed: Vec<Placed<'_>> = pieces
        .into_iter()
        .map(|(item, piece)| {
            if used + piece.width() > width && used > indent {
                row += 1;
                used = indent;
            }
            let x = used;
            used += piece.width() + GAP;
            (row, x, item, piece)
        })
        .collect();

    let rows = (row + 1).min(MAX_ROWS.max(area.height * 2 / 3)).min(area.height);
    // The footer stays visible if there is room for both.
    let foot = u16::from(area.height > rows);
    let place = Rect { y: area.bottom().saturating_sub(rows + foot), height: rows, ..area };
    (place, head, placed)
}
