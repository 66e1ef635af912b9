//! Writes the difference between two buffers: one write per frame, none if nothing changed.
//!
//! It replaces ratatui's backend for two reasons. Terminals disagree on the width of emoji and ambiguous characters;
//! after such a character, the painter positions the cursor explicitly and rewrites the neighbouring cells. And it
//! writes only the changed parts of a style, in their short forms, which halves the bytes.

mod style;

use std::io::{self, Write};

use crossterm::{cursor, queue, terminal};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use style::Pen;

/// Paints frames. `W` should buffer a whole frame (64 KiB).
#[derive(Debug)]
pub struct Painter<W: Write> {
    out: W,
    shown: Buffer,
    next: Buffer,
    cursor: Option<(u16, u16)>,
    known: bool,
}

impl<W: Write> Painter<W> {
    /// Creates a painter for a screen of this size with unknown content.
    pub fn new(out: W, size: (u16, u16)) -> Painter<W> {
        let mut painter =
            Painter { out, shown: Buffer::default(), next: Buffer::default(), cursor: None, known: false };
        painter.invalidate(size);
        painter
    }

    /// Sets the screen's size and repaints the whole next frame, for a resize or unknown screen content.
    pub fn invalidate(&mut self, (columns, rows): (u16, u16)) {
        let area = Rect::new(0, 0, columns, rows);
        self.shown = Buffer::empty(area);
        self.next = Buffer::empty(area);
        self.cursor = None;
        self.known = false;
    }

    /// Paints a frame: `paint` fills the buffer and returns the cursor position, if any. Returns `false` if the frame
    /// is unchanged and nothing was written.
    ///
    /// # Errors
    /// The terminal can't be written to.
    pub fn frame(&mut self, paint: impl FnOnce(&mut Buffer) -> Option<(u16, u16)>) -> io::Result<bool> {
        self.next.reset();
        let cursor = paint(&mut self.next);
        if self.known && cursor == self.cursor && self.shown.content == self.next.content {
            return Ok(false);
        }
        queue!(self.out, terminal::BeginSynchronizedUpdate)?;
        if !self.known {
            queue!(self.out, terminal::Clear(terminal::ClearType::All))?;
        }
        if self.cursor.is_some() {
            queue!(self.out, cursor::Hide)?;
        }
        self.cells()?;
        if let Some((column, row)) = cursor {
            queue!(self.out, cursor::MoveTo(column, row), cursor::Show)?;
        }
        queue!(self.out, terminal::EndSynchronizedUpdate)?;
        self.out.flush()?;
        self.known = true;
        self.cursor = cursor;
        std::mem::swap(&mut self.shown, &mut self.next);
        Ok(true)
    }

    /// Returns the output, to write anything other than frames: modes, the clipboard.
    pub fn out(&mut self) -> &mut W {
        &mut self.out
    }

    /// Writes the changed cells.
    fn cells(&mut self) -> io::Result<()> {
        let columns = usize::from(self.next.area.width);
        if columns == 0 {
            return Ok(());
        }
        let mut pen = Pen::default();
        let rows = self.shown.content.chunks(columns).zip(self.next.content.chunks(columns));
        for (y, (old, new)) in (0..=u16::MAX).zip(rows) {
            // The column of the terminal's cursor, if known.
            let mut at: Option<usize> = None;
            let mut rewrite = 0;
            let mut x = 0;
            while let (Some(before), Some(cell)) = (old.get(x), new.get(x)) {
                let plain = is_plain(cell);
                let width = if plain { 1 } else { cell.symbol().width().max(1) };
                if before != cell || rewrite > 0 {
                    if at != Some(x) {
                        pen.move_to(&mut self.out, at.map(|at| x - at), x, y)?;
                    }
                    pen.set(&mut self.out, cell)?;
                    self.out.write_all(cell.symbol().as_bytes())?;
                    at = plain.then_some(x + width);
                    rewrite = rewrite.max(reach(plain)).max(reach(is_plain(before)));
                }
                // The second half of a wide character is not written.
                rewrite = rewrite.saturating_sub(width);
                x += width;
            }
        }
        pen.finish(&mut self.out)
    }
}

/// Returns how many columns a character may cover on some terminal.
fn reach(plain: bool) -> usize {
    if plain { 1 } else { 3 }
}

/// Whether the character is one column wide on all terminals: ASCII, Latin, Greek, Cyrillic, common punctuation, and
/// the lines, blocks, triangles, dots, stars, arrows, subscripts and braille patterns that the view draws.
#[inline]
fn is_plain(cell: &Cell) -> bool {
    match cell.symbol().as_bytes() {
        [byte] => matches!(byte, b' '..=b'~'),
        _ => is_plain_beyond_ascii(cell.symbol()),
    }
}

fn is_plain_beyond_ascii(symbol: &str) -> bool {
    let mut chars = symbol.chars();
    let (Some(c), None) = (chars.next(), chars.next()) else { return false };
    matches!(c,
        '\u{a0}'..='\u{2ff}'
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
mod tests;
