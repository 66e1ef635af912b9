//! Dialogs: a panel with a thin border in the middle of the screen.

mod currency;
mod help;
mod links;
mod lookup;
mod post;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui_input::Input;

use super::chrome::prompt;
use super::widgets::{table, text};
use super::{Look, Memo, clear};
use crate::app::overlay::layout;
use crate::app::{Overlay, State};

/// If fewer columns than this remain beside a dialog, they are cleared too, since they would be unreadable.
const MIN_BESIDE: u16 = 24;

/// Paints the open dialog.
pub(super) fn paint(buf: &mut Buffer, area: Rect, state: &State, overlay: &Overlay, look: &Look, memo: &mut Memo) {
    memo.cover();
    // Header and footer, which has the hints for the dialog, stay visible if there is room.
    let spare = u16::from(area.height >= layout::CHROME_FROM);
    let area = Rect { y: area.y + spare, height: area.height - 2 * spare, ..area };
    match overlay {
        Overlay::Help { scroll } => help::paint(buf, area, state, *scroll, look),
        Overlay::Post { id, scroll } => post::paint(buf, area, state, id, *scroll, look),
        Overlay::Links { title, links, selected } => links::paint(buf, area, title, links, *selected, look, memo),
        Overlay::Currency { input, selected } => {
            let choice = Choice { input, selected: *selected };
            currency::paint(buf, area, state, choice, look, memo);
        }
        Overlay::Lookup { input, selected } => {
            let choice = Choice { input, selected: *selected };
            lookup::paint(buf, area, state, choice, look, memo);
        }
    }
}

/// The typed text, and the index of the selected choice.
#[derive(Clone, Copy)]
struct Choice<'a> {
    input: &'a Input,
    selected: usize,
}

impl Choice<'_> {
    /// Paints the text field in the first row of the content. Returns the area of its text.
    fn line(self, buf: &mut Buffer, content: Rect, look: &Look, memo: &mut Memo) -> Rect {
        let line = text::line(content, 0);
        let used = text::put(buf, line, "› ", look.theme.accent);
        let field = text::shifted(line, used);
        prompt::paint(buf, field, self.input, look.theme.text, memo);
        field
    }
}

/// Clears the middle of `area` and paints a border for content of at most this size. Returns the area of the content.
fn frame(buf: &mut Buffer, area: Rect, columns: u16, rows: u16, title: &str, look: &Look) -> Rect {
    let theme = &look.theme;
    let (width, height) = layout::outer((area.width, area.height), (columns, rows));
    let at = Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    let band = if area.width - width < MIN_BESIDE { Rect { x: area.x, width: area.width, ..at } } else { at };
    clear_covered_words(buf, band);
    clear(buf, band);
    // Small terminals have no border.
    if !layout::has_border((width, height)) {
        return at;
    }
    for y in at.top()..at.bottom() {
        let (left, middle, right) = match y {
            _ if y == at.top() => ("┌", "─", "┐"),
            _ if y + 1 == at.bottom() => ("└", "─", "┘"),
            _ => ("│", " ", "│"),
        };
        for x in at.left()..at.right() {
            let symbol = match x {
                _ if x == at.left() => left,
                _ if x + 1 == at.right() => right,
                _ => middle,
            };
            // Don't style the inside, since its text would inherit the style.
            if symbol != " "
                && let Some(cell) = buf.cell_mut((x, y))
            {
                cell.set_symbol(symbol).set_style(theme.dim);
            }
        }
    }
    let head = Rect { width: width - 4, ..text::shifted(at, 2) };
    let head = Rect { width: head.width.min(text::width(title).saturating_add(2)), ..head };
    clear(buf, Rect { height: 1, ..head });
    text::put(buf, Rect { width: head.width - 2, ..text::shifted(head, 1) }, title, theme.title_focused);
    Rect { x: at.x + 2, y: at.y + 1, width: width - 4, height: height - 2 }
}

/// Clears the rest of words that `area` covers in part: a part of a number would be another number.
fn clear_covered_words(buf: &mut Buffer, area: Rect) {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return;
    }
    for y in area.top()..area.bottom() {
        // Lines may be covered in part, words may not.
        let is_line =
            |symbol: &str| symbol.starts_with(|c| matches!(c, '\u{2500}'..='\u{259f}' | '\u{2800}'..='\u{28ff}'));
        let is_blank = |buf: &Buffer, x: u16| {
            buf.cell((x, y)).is_none_or(|cell| cell.symbol().trim().is_empty() || is_line(cell.symbol()))
        };
        if !is_blank(buf, area.left()) {
            let start =
                (buf.area.left()..area.left()).rev().find(|&x| is_blank(buf, x)).map_or(buf.area.left(), |x| x + 1);
            clear(buf, Rect { x: start, y, width: area.left() - start, height: 1 });
        }
        if !is_blank(buf, area.right() - 1) {
            let end = (area.right()..buf.area.right()).find(|&x| is_blank(buf, x)).unwrap_or(buf.area.right());
            clear(buf, Rect { x: area.right(), y, width: end - area.right(), height: 1 });
        }
    }
}

/// Paints a scrollbar on the right border of content that is longer than its area.
fn scrollbar(buf: &mut Buffer, content: Rect, offset: usize, len: usize, look: &Look) {
    let column = Rect { x: content.right().saturating_add(1), width: 1, ..content };
    table::scrollbar(buf, column, offset, len, &look.theme);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partly_covered_number_is_cleared() {
        let area = Rect::new(0, 0, 24, 1);
        let mut buf = Buffer::empty(area);
        text::put(&mut buf, area, "PEPE 0.0₄165 1,234.56 42", ratatui::style::Style::new());
        let dialog = Rect::new(10, 0, 6, 1);
        clear_covered_words(&mut buf, dialog);
        clear(&mut buf, dialog);
        let row: String = buf.content.iter().map(|cell| cell.symbol()).collect();
        assert_eq!(row, "PEPE                  42");
    }
}
