//! Two buffers and what differs between them: a frame is one write, and none where nothing changed.

use std::io::{self, Write};

use crossterm::style::ResetColor;
use crossterm::{cursor, queue, terminal};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::pen;

/// Paints frames. `W` should hold a whole frame before it writes (64 KiB do).
#[derive(Debug)]
pub struct Painter<W: Write> {
    out: W,
    shown: Buffer,
    next: Buffer,
    cursor: Option<(u16, u16)>,
    blank: bool,
}

impl<W: Write> Painter<W> {
    /// A painter for a screen of this size, of which nothing is known.
    pub fn new(out: W, (columns, rows): (u16, u16)) -> Painter<W> {
        let area = Rect::new(0, 0, columns, rows);
        Painter {
            out,
            shown: Buffer::empty(area),
            next: Buffer::empty(area),
            cursor: None,
            blank: false,
        }
    }

    /// The screen has another size now, or shows something else: the next frame is painted whole.
    pub fn restart(&mut self, (columns, rows): (u16, u16)) {
        let area = Rect::new(0, 0, columns, rows);
        self.shown = Buffer::empty(area);
        self.next = Buffer::empty(area);
        self.cursor = None;
        self.blank = false;
    }

    /// Paints a frame: `paint` fills the buffer and returns where the cursor belongs. `false` where it came out as the
    /// one before, and nothing was written.
    ///
    /// # Errors
    /// The terminal cannot be written to.
    pub fn frame(&mut self, paint: impl FnOnce(&mut Buffer) -> Option<(u16, u16)>) -> io::Result<bool> {
        self.next.reset();
        let cursor = paint(&mut self.next);
        let changes = self.shown.diff(&self.next);
        if changes.is_empty() && cursor == self.cursor && self.blank {
            return Ok(false);
        }
        queue!(self.out, terminal::BeginSynchronizedUpdate)?;
        if !self.blank {
            queue!(self.out, ResetColor, terminal::Clear(terminal::ClearType::All))?;
        }
        if self.cursor.is_some() && cursor != self.cursor {
            queue!(self.out, cursor::Hide)?;
        }
        pen::write(&mut self.out, changes)?;
        if let Some((column, row)) = cursor {
            queue!(self.out, cursor::MoveTo(column, row), cursor::Show)?;
        }
        queue!(self.out, terminal::EndSynchronizedUpdate)?;
        self.out.flush()?;
        self.blank = true;
        self.cursor = cursor;
        std::mem::swap(&mut self.shown, &mut self.next);
        Ok(true)
    }

    /// Where the frames go, for what is not a frame: modes, the clipboard.
    pub fn out(&mut self) -> &mut impl Write {
        &mut self.out
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::Style;

    use super::*;

    #[derive(Default)]
    struct Counted {
        bytes: usize,
        flushes: usize,
    }

    impl Write for Counted {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.bytes += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            self.flushes += 1;
            Ok(())
        }
    }

    fn paint(text: &str) -> impl FnOnce(&mut Buffer) -> Option<(u16, u16)> {
        move |buf| {
            buf.set_string(0, 0, text, Style::new());
            None
        }
    }

    #[test]
    fn an_unchanged_frame_writes_nothing() {
        let mut out = Counted::default();
        let mut painter = Painter::new(&mut out, (20, 5));
        assert!(painter.frame(paint("same")).unwrap());
        assert!(!painter.frame(paint("same")).unwrap());
        assert!(!painter.frame(paint("same")).unwrap());
        drop(painter);
        assert_eq!(out.flushes, 1);
    }

    #[test]
    fn one_changed_cell_costs_few_bytes() {
        let mut out = Counted::default();
        let mut painter = Painter::new(&mut out, (20, 5));
        painter.frame(paint("price 1")).unwrap();
        painter.frame(paint("price 2")).unwrap();
        drop(painter);
        let mut first = Counted::default();
        Painter::new(&mut first, (20, 5)).frame(paint("price 1")).unwrap();
        assert!(out.bytes - first.bytes <= 48, "{} bytes", out.bytes - first.bytes);
    }

    #[test]
    fn an_empty_screen_can_be_painted() {
        let mut painter = Painter::new(Vec::new(), (0, 0));
        assert!(painter.frame(|_| None).unwrap());
    }
}
