//! The text of a cell, and the number of columns that it may fill.

use ratatui::buffer::{Cell, CellDiffOption, CellWidth};
use unicode_width::UnicodeWidthChar;

/// The first character of escape sequences.
const ESCAPE: char = '\x1b';

/// The text of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Symbol<'a> {
    /// The text; never empty.
    pub(super) text: &'a str,
    /// The number of columns that it fills, starting at its cell; at least 1.
    pub(super) width: usize,
    /// Whether it fills one column on all terminals, so that the cursor's column is known after it.
    pub(super) is_plain: bool,
    /// Whether it has escape sequences, which may change the style.
    pub(super) has_escape: bool,
    /// Whether it may fill less than its width on some terminal.
    pub(super) may_be_narrower: bool,
}

impl<'a> Symbol<'a> {
    /// The symbol of a blank cell.
    const BLANK: Symbol<'static> =
        Symbol { text: " ", width: 1, is_plain: true, has_escape: false, may_be_narrower: false };

    /// The symbol of a cell that has `room` columns up to the right edge, including its own. It is blank if the symbol
    /// has no width (it would combine with the previous cell), if it is too wide for the room (the terminal would wrap
    /// it), or if it is a control character.
    pub(super) fn of(cell: &'a Cell, room: usize) -> Symbol<'a> {
        if is_plain(cell) {
            return Symbol { text: cell.symbol(), ..Symbol::BLANK };
        }
        let text = cell.symbol();
        let has_escape = text.contains(ESCAPE);
        let (width, apart) = (width(cell, has_escape), width_apart(text));
        let is_forced = matches!(cell.diff_option, CellDiffOption::ForcedWidth(_));
        let is_too_wide = width > room || is_forced && !has_escape && apart > room;
        if width == 0 || is_too_wide || !has_escape && text.contains(char::is_control) {
            return Symbol::BLANK;
        }
        let text = if apart > 0 || has_escape { text } else { " " };
        let may_be_narrower = has_escape || width != apart;
        Symbol { text, width, is_plain: false, has_escape, may_be_narrower }
    }
}

/// Whether the terminal's content is kept at this cell, such as under an image.
#[expect(deprecated, reason = "widgets that were written for ratatui before 0.30.1 set it")]
pub(super) fn is_skipped(cell: &Cell) -> bool {
    match cell.diff_option {
        CellDiffOption::Skip => true,
        CellDiffOption::None => cell.skip,
        CellDiffOption::AlwaysUpdate | CellDiffOption::ForcedWidth(_) => false,
    }
}

/// The columns that a symbol may cover on any terminal; some don't combine characters, so each has its own columns.
pub(super) fn reach(cell: &Cell) -> usize {
    if is_plain(cell) {
        return 1;
    }
    let text = cell.symbol();
    let has_escape = text.contains(ESCAPE);
    let apart = if has_escape { 0 } else { width_apart(text) };
    width(cell, has_escape).max(apart).max(3)
}

/// The columns of a symbol on a terminal that doesn't combine characters.
fn width_apart(symbol: &str) -> usize {
    symbol.chars().map(|char| char.width().unwrap_or(0)).sum()
}

/// The columns of a symbol. For an escape sequence, only the widget knows them; it forces the width or marks the
/// covered cells as skipped.
fn width(cell: &Cell, has_escape: bool) -> usize {
    match cell.diff_option {
        CellDiffOption::ForcedWidth(width) => usize::from(width.get()),
        _ if has_escape || cell.symbol().contains(char::is_control) => 1,
        _ => usize::from(cell.symbol().cell_width()),
    }
}

/// Whether the character is one column wide on all terminals: ASCII, Latin, Greek, Cyrillic, common punctuation, and
/// the lines, blocks, triangles, dots, stars, arrows, subscripts and braille patterns that the view draws.
#[inline]
fn is_plain(cell: &Cell) -> bool {
    if matches!(cell.diff_option, CellDiffOption::ForcedWidth(_)) {
        return false;
    }
    match cell.symbol().as_bytes() {
        [byte] => matches!(byte, b' '..=b'~'),
        _ => is_plain_beyond_ascii(cell.symbol()),
    }
}

fn is_plain_beyond_ascii(symbol: &str) -> bool {
    let mut chars = symbol.chars();
    let (Some(c), None) = (chars.next(), chars.next()) else { return false };
    matches!(c,
        '\u{a0}'..='\u{ac}'
        | '\u{ae}'..='\u{2ff}'
        | '\u{370}'..='\u{482}'
        | '\u{2010}'..='\u{2027}'
        | '\u{2030}'..='\u{205e}'
        | '\u{2070}'..='\u{209c}'
        | '\u{20a0}'..='\u{20c0}'
        | '\u{2190}'..='\u{2193}'
        | '\u{21a9}' | '\u{21b5}' | '\u{21c4}'
        | '\u{2200}'..='\u{22ff}'
        | '\u{2500}'..='\u{259f}'
        | '▲' | '△' | '▴' | '▼' | '▽' | '▾' | '●' | '○' | '★' | '☆' | '♥'
        | '\u{2800}'..='\u{28ff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn plain_characters_are_one_column_wide() {
        for char in ' '..=char::MAX {
            let mut cell = Cell::default();
            cell.set_char(char);
            assert!(!is_plain(&cell) || cell.symbol().width() == 1, "{char:?}");
        }
    }
}
