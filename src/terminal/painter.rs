//! Writes the difference between two buffers: one write per frame, none if nothing changed.
//!
//! It replaces ratatui's backend for two reasons. Terminals disagree on the width of emoji and ambiguous characters;
//! after such a character, the painter positions the cursor explicitly and rewrites the neighbouring cells. And it
//! writes only the changed parts of a style, in their short forms, which halves the bytes.
//!
//! For any widget, the output equals that of ratatui's own terminal: a symbol of several columns hides the cells after
//! it, [`CellDiffOption`] is honoured, and a symbol with an escape sequence (a link, an image) is written unchanged.

mod lines;
mod style;
mod symbol;

use std::io::{self, Write};

use crossterm::{cursor, queue, terminal};
use ratatui::buffer::{Buffer, CellDiffOption};
use ratatui::layout::Rect;

pub use lines::write_lines;

use style::Pen;
use symbol::{Symbol, is_skipped, reach};

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
        if self.known && cursor == self.cursor && self.shown.content == self.next.content && !self.has_forced_update() {
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

    /// Whether the frame has cells to write even if nothing changed.
    fn has_forced_update(&self) -> bool {
        self.next.content.iter().any(|cell| cell.diff_option == CellDiffOption::AlwaysUpdate)
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
            let mut rewrite: usize = 0;
            let mut x = 0;
            while let (Some(before), Some(cell)) = (old.get(x), new.get(x)) {
                if is_skipped(cell) {
                    rewrite = rewrite.saturating_sub(1);
                    x += 1;
                    continue;
                }
                let symbol = Symbol::of(cell, columns - x);
                let hidden = old.get(x..x + symbol.width).unwrap_or_default();
                let is_changed = before != cell || cell.diff_option == CellDiffOption::AlwaysUpdate;
                if is_changed || rewrite > 0 {
                    if at != Some(x) {
                        pen.move_to(&mut self.out, at.map(|at| x - at), x, y)?;
                    }
                    pen.set(&mut self.out, cell)?;
                    if symbol.may_be_narrower {
                        write!(self.out, "{:1$}", "", symbol.width)?;
                        pen.move_to(&mut self.out, None, x, y)?;
                    }
                    self.out.write_all(symbol.text.as_bytes())?;
                    if symbol.has_escape {
                        pen.reset(&mut self.out)?;
                    }
                    at = symbol.is_plain.then_some(x + 1);
                    let was_covering = hidden.iter().enumerate().map(|(ahead, cell)| ahead + reach(cell));
                    rewrite = rewrite.max(reach(cell)).max(was_covering.max().unwrap_or(0));
                }
                // The cells that a wide symbol hides are not written.
                rewrite = rewrite.saturating_sub(symbol.width);
                x += symbol.width;
            }
        }
        pen.finish(&mut self.out)
    }
}

#[cfg(test)]
mod tests;
