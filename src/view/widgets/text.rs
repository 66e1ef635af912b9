//! Cuts and aligns text by its display width.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;

use crate::format::columns::indent;
use crate::format::words::{columns, is_simple};

pub use crate::format::words::{brief, cut_off, fit, parts, shortened, width, wrap};

/// Marks cut text.
pub const ELLIPSIS: &str = "…";

/// Writes text at the left of the first row of `area`, cut with `…` if it does not fit. Returns the columns used.
pub fn put(buf: &mut Buffer, area: Rect, text: &str, style: Style) -> u16 {
    let head = fit(text, area.width);
    let used = write(buf, area.x, area.y, area.right(), head, style);
    if head.len() == text.len() {
        return used;
    }
    used + write(buf, area.x.saturating_add(used), area.y, area.right(), ELLIPSIS, style)
}

/// Removes the text and the style of an area, so that what is written there next has only its own style.
pub fn clear(buf: &mut Buffer, area: Rect) {
    for position in area.intersection(buf.area).positions() {
        if let Some(cell) = buf.cell_mut(position) {
            cell.reset();
        }
    }
}

/// Writes text at the right of the first row of `area`, cut with `…` if it does not fit. Returns the columns used.
pub fn put_right(buf: &mut Buffer, area: Rect, text: &str, style: Style) -> u16 {
    put(buf, shifted(area, area.width.saturating_sub(width(text))), text, style)
}

/// Writes text in the middle of the first row of `area`, cut with `…` if it does not fit. Returns the columns used.
pub fn put_centred(buf: &mut Buffer, area: Rect, text: &str, style: Style) -> u16 {
    put(buf, shifted(area, area.width.saturating_sub(width(text)) / 2), text, style)
}

/// Writes wrapped text into `area`, with `…` if it continues after the last row. Returns the rows used.
pub fn paragraph(buf: &mut Buffer, area: Rect, words: &str, style: Style) -> u16 {
    let mut lines = wrap(words, area.width).peekable();
    for row in 0..area.height {
        let Some(text) = lines.next() else { return row };
        let place = line(area, row);
        if row + 1 == area.height && lines.peek().is_some() {
            let cut = cut_off(text, place.width).trim_end_matches([' ', '·']);
            let used = put(buf, place, cut, style);
            put(buf, shifted(place, used), ELLIPSIS, style);
        } else {
            put(buf, place, text.trim_end(), style);
        }
    }
    area.height
}

/// Writes a number at the right of the first row of `area`; `…` if it does not fit, since a part of it would be another
/// number.
pub fn number(buf: &mut Buffer, area: Rect, text: &str, style: Style) {
    decimal(buf, area, 0, text, style);
}

/// Decimals of most prices, by which all prices of a table are aligned.
pub(in crate::view) const PRICE_DECIMALS: u16 = 4;

/// Writes a number with `fraction` columns for its decimals, so that the decimal points of several numbers align. A
/// number with more decimals is right-aligned, one with a longer integer part left-aligned; one that does not fit
/// becomes `…`, as in [`number`].
pub fn decimal(buf: &mut Buffer, area: Rect, fraction: u16, text: &str, style: Style) {
    if area.width == 0 {
        return;
    }
    let fraction = if fraction == 0 { 0 } else { usize::from(fraction) + 1 };
    let Some(before) = indent(text, fraction, usize::from(area.width)) else {
        write(buf, area.right().saturating_sub(1), area.y, area.right(), ELLIPSIS, style);
        return;
    };
    let start = area.x.saturating_add(u16::try_from(before).unwrap_or(0));
    write(buf, start, area.y, area.right(), text, style);
}

/// Writes a mark of one column before the text in `area`, if there is a blank: in the gap before `area` if the text
/// fills it.
pub fn mark_before(buf: &mut Buffer, area: Rect, mark: &str, style: Style) {
    let is_blank = |x: u16| buf.cell((x, area.y)).is_none_or(|cell| cell.symbol() == " ");
    let Some(first) = (area.x..area.right()).find(|x| !is_blank(*x)) else { return };
    if let Some(before) = first.checked_sub(1).filter(|x| *x >= buf.area.x && is_blank(*x)) {
        write(buf, before, area.y, first, mark, style);
    }
}

/// The first form of at most `columns` columns. The forms are ordered from the longest to the shortest.
pub fn longest(mut forms: impl Iterator<Item = String>, columns: u16) -> Option<String> {
    forms.find(|form| width(form) <= columns)
}

/// The text in at most `columns` columns: its beginning and its end, with `…` between them if it doesn't fit.
pub fn middle_cut(words: &str, columns: u16) -> Cow<'_, str> {
    if width(words) <= columns {
        return Cow::Borrowed(words);
    }
    let (mut start, mut taken) = (words.len(), 0);
    for (at, grapheme) in words.grapheme_indices(true).rev() {
        let own = width(grapheme);
        if taken + own > columns.saturating_sub(1) / 3 {
            break;
        }
        (start, taken) = (at, taken + own);
    }
    let (head, end) = (fit(words, columns - taken), words.get(start..).unwrap_or(""));
    if columns == 0 { Cow::Borrowed("") } else { Cow::Owned(format!("{}…{}", head.trim_end(), end.trim_start())) }
}

/// The part of `area` without its first `columns`.
pub fn shifted(area: Rect, columns: u16) -> Rect {
    let by = columns.min(area.width);
    Rect { x: area.x.saturating_add(by), width: area.width - by, ..area }
}

/// The row `index` of `area`; empty below its end.
pub fn line(area: Rect, index: u16) -> Rect {
    let inside = u16::from(index < area.height);
    Rect { y: area.y.saturating_add(index), height: inside, width: area.width * inside, ..area }
}

/// Writes whole graphemes from `x` to before `right`, only inside the buffer. Returns the columns used.
fn write(buf: &mut Buffer, x: u16, y: u16, right: u16, text: &str, style: Style) -> u16 {
    let right = right.min(buf.area.right());
    if y < buf.area.y || y >= buf.area.bottom() {
        return width(text).min(right.saturating_sub(x));
    }
    if is_simple(text)
        && let Some(first) = buf.area.contains((x, y).into()).then(|| buf.index_of(x, y))
        && let Some(cells) = buf.content.get_mut(first..first + usize::from(right.saturating_sub(x)))
    {
        let mut used = 0;
        for (cell, char) in cells.iter_mut().zip(text.chars()) {
            cell.set_char(char).set_style(style);
            used += 1;
        }
        return used;
    }
    let mut at = x;
    for grapheme in text.graphemes(true) {
        let columns = u16::try_from(columns(grapheme)).unwrap_or(0);
        if columns == 0 {
            continue;
        }
        if at.saturating_add(columns) > right {
            break;
        }
        let whole = at >= buf.area.x;
        for offset in 0..columns {
            if let Some(cell) = buf.cell_mut((at + offset, y)) {
                // A wide character is in its first cell, and the next one is empty. A half that is visible alone is
                // blank.
                cell.set_symbol(if offset == 0 && whole { grapheme } else { " " }).set_style(style);
            }
        }
        at += columns;
    }
    at - x.min(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::{Color, Modifier};

    fn row(buf: &Buffer) -> String {
        buf.content.iter().map(|cell| cell.symbol()).collect()
    }

    fn painted(columns: u16, paint: impl FnOnce(&mut Buffer, Rect)) -> String {
        let area = Rect::new(0, 0, columns, 1);
        let mut buf = Buffer::filled(area, ratatui::buffer::Cell::new("·"));
        paint(&mut buf, area);
        row(&buf)
    }

    #[test]
    fn mark_is_in_the_gap_before_a_text_that_fills_its_cell() {
        for (start, marked) in
            [("ORDI    17.24", "ORDI   ∙17.24"), ("ORDI 17.24567", "ORDI∙17.24567"), ("ORDIX17.24567", "ORDIX17.24567")]
        {
            let shown = painted(13, |buf, area| {
                put(buf, area, start, Style::new());
                mark_before(buf, shifted(area, 5), "∙", Style::new());
            });
            assert_eq!(shown, marked);
        }
    }

    #[test]
    fn words_are_cut_with_an_ellipsis() {
        for (text, columns, shown) in [
            ("Bitcoin", 7, "Bitcoin"),
            ("Bitcoin", 6, "Bitco…"),
            ("Bitcoin", 1, "…"),
            ("Bitcoin", 9, "Bitcoin··"),
            ("日本語", 6, "日 本 語 "),
            ("日本語", 5, "日 本 …"),
            ("日本語", 4, "日 …·"),
            ("日", 1, "…"),
            ("e\u{301}té", 3, "e\u{301}té"),
            ("a\u{1b}[31mb", 6, "a[31mb"),
            ("👩‍👩‍👧 x", 4, "👩‍👩‍👧  x"),
        ] {
            assert_eq!(
                painted(columns, |buf, area| assert!(put(buf, area, text, Style::new()) <= columns)),
                shown,
                "{text} {columns}"
            );
        }
    }

    #[test]
    fn middle_is_cut_out() {
        for (columns, shown) in [
            (22, "Holders of ordi (1–60)"),
            (21, "Holders of ord…(1–60)"),
            (16, "Holders of…1–60)"),
            (2, "H…"),
            (1, "…"),
            (0, ""),
        ] {
            assert_eq!(middle_cut("Holders of ordi (1–60)", columns), shown, "{columns}");
        }
        assert_eq!(middle_cut("日本語日本語", 8), "日本…語");
    }

    #[test]
    fn numbers_are_never_cut() {
        for (text, columns, shown) in
            [("61,234.10", 10, "·61,234.10"), ("61,234.10", 9, "61,234.10"), ("61,234.10", 8, "·······…")]
        {
            assert_eq!(painted(columns, |buf, area| number(buf, area, text, Style::new())), shown);
        }
    }

    #[test]
    fn decimal_points_align() {
        for (text, shown) in [
            ("61,234.10", "·61,234.10··"),
            ("8.41", "······8.41··"),
            ("0.8412", "······0.8412"),
            ("0.0₆734", "·····0.0₆734"),
            ("123,456,789", "123,456,789·"),
            ("1,234", "··1,234·····"),
            ("—", "······—·····"),
        ] {
            assert_eq!(painted(12, |buf, area| decimal(buf, area, 4, text, Style::new())), shown);
        }
    }

    #[test]
    fn style_is_applied_only_to_the_text() {
        let mut buf = Buffer::empty(Rect::new(0, 0, 4, 1));
        let style = Style::new().fg(Color::Green).add_modifier(Modifier::BOLD);
        put(&mut buf, Rect::new(1, 0, 2, 1), "日", style);
        let styles: Vec<_> = buf.content.iter().map(|cell| cell.fg).collect();
        assert_eq!(styles, [Color::Reset, Color::Green, Color::Green, Color::Reset]);
        assert!(buf.content.get(1).unwrap().modifier.contains(Modifier::BOLD));
    }

    #[test]
    fn any_rectangle_is_safe() {
        for area in [Rect::ZERO, Rect::new(5, 5, 9, 9), Rect::new(2, 0, 60_000, 1), Rect::new(u16::MAX, u16::MAX, 0, 0)]
        {
            let mut buf = Buffer::empty(Rect::new(1, 0, 3, 1));
            put(&mut buf, area, "日本語 text", Style::new());
            put_right(&mut buf, area, "日本語 text", Style::new());
            decimal(&mut buf, area, 3, "12.5", Style::new());
        }
        // A wide character that begins before the buffer leaves a blank.
        let mut buf = Buffer::empty(Rect::new(1, 0, 3, 1));
        put(&mut buf, Rect::new(0, 0, 4, 1), "日x", Style::new());
        assert_eq!(row(&buf), " x ");
    }
}
