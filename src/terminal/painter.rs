//! Two buffers and what differs between them: a frame is one write, and none where nothing changed.
//!
//! The cells are written here and not by ratatui's backend, for two reasons. Terminals disagree on how wide an emoji or
//! an ambiguous character is; so after one nothing is left to their arithmetic: the cursor is set anew, and the cells
//! beside it are written again. And only what changes of a style is said, in the short forms, which halves the bytes.

mod style;

use std::io::{self, Write};

use crossterm::{cursor, queue, terminal};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use style::Pen;

/// Paints frames. `W` should hold a whole frame before it writes (64 KiB do).
#[derive(Debug)]
pub struct Painter<W: Write> {
    out: W,
    shown: Buffer,
    next: Buffer,
    cursor: Option<(u16, u16)>,
    known: bool,
}

impl<W: Write> Painter<W> {
    /// A painter for a screen of this size, of which nothing is known.
    pub fn new(out: W, size: (u16, u16)) -> Painter<W> {
        let mut painter =
            Painter { out, shown: Buffer::default(), next: Buffer::default(), cursor: None, known: false };
        painter.restart(size);
        painter
    }

    /// The screen has another size now, or shows something else: the next frame is painted whole.
    pub fn restart(&mut self, (columns, rows): (u16, u16)) {
        let area = Rect::new(0, 0, columns, rows);
        self.shown = Buffer::empty(area);
        self.next = Buffer::empty(area);
        self.cursor = None;
        self.known = false;
    }

    /// Paints a frame: `paint` fills the buffer and returns where the cursor belongs. `false` where it came out as the
    /// one before, and nothing was written.
    ///
    /// # Errors
    /// The terminal cannot be written to.
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

    /// Where the frames go, for what is not a frame: modes, the clipboard.
    pub fn out(&mut self) -> &mut impl Write {
        &mut self.out
    }

    /// Writes the cells that differ.
    fn cells(&mut self) -> io::Result<()> {
        let columns = usize::from(self.next.area.width);
        if columns == 0 {
            return Ok(());
        }
        let mut pen = Pen::default();
        let rows = self.shown.content.chunks(columns).zip(self.next.content.chunks(columns));
        for (y, (old, new)) in (0..=u16::MAX).zip(rows) {
            // The column behind the last cell written, where the terminal's cursor is sure to stand.
            let mut at: Option<usize> = None;
            let mut unsure = 0;
            let mut x = 0;
            while let (Some(before), Some(cell)) = (old.get(x), new.get(x)) {
                let plain = is_plain(cell);
                let width = if plain { 1 } else { cell.symbol().width().max(1) };
                if before != cell || unsure > 0 {
                    if at != Some(x) {
                        pen.move_to(&mut self.out, at.map(|at| x - at), x, y)?;
                    }
                    pen.set(&mut self.out, cell)?;
                    self.out.write_all(cell.symbol().as_bytes())?;
                    at = plain.then_some(x + width);
                    unsure = unsure.max(reach(plain)).max(reach(is_plain(before)));
                }
                // A wide character's second half has no cell of its own to write.
                unsure = unsure.saturating_sub(width);
                x += width;
            }
        }
        pen.finish(&mut self.out)
    }
}

/// How many columns from its own on a character may touch on some terminal.
fn reach(plain: bool) -> usize {
    if plain { 1 } else { 3 }
}

/// Whether all terminals agree that the character is one column wide: ASCII, Latin, Greek, Cyrillic, the usual
/// punctuation, and the lines, blocks, triangles, dots, stars, arrows, subscripts and braille that we draw with.
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
