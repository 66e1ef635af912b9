//! Writes a buffer as printed lines, where there is no screen to paint.

use std::io::{self, Write};

use ratatui::buffer::{Buffer, Cell};

use super::style::Pen;
use super::symbol::{Symbol, is_skipped};

/// Writes the rows of a buffer as lines of text without trailing blanks; without any escape sequence unless `styled`.
/// Every line ends in the default style.
///
/// # Errors
/// The output can't be written to.
pub fn write_lines(out: &mut impl Write, buf: &Buffer, styled: bool) -> io::Result<()> {
    let columns = usize::from(buf.area.width);
    if columns == 0 {
        return Ok(());
    }
    for row in buf.content.chunks(columns) {
        let is_blank = |cell: &Cell| cell.symbol() == " " && (!styled || cell.bg == ratatui::style::Color::Reset);
        let end = row.iter().rposition(|cell| !is_blank(cell)).map_or(0, |last| last + 1);
        let mut pen = Pen::default();
        let mut x = 0;
        while let Some(cell) = row.get(x).filter(|_| x < end) {
            let symbol = Symbol::of(cell, columns - x);
            x += symbol.width;
            if is_skipped(cell) || symbol.has_escape {
                out.write_all(b" ")?;
                continue;
            }
            if styled {
                pen.set(out, cell)?;
            }
            out.write_all(symbol.text.as_bytes())?;
        }
        pen.finish(out)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::{Color, Style};

    use super::*;

    fn written(styled: bool) -> String {
        let mut buf = Buffer::empty(Rect::new(0, 0, 8, 3));
        buf.set_string(0, 0, "取 up", Style::new().fg(Color::Green));
        buf.set_string(1, 2, "x", Style::new());
        let mut out = Vec::new();
        write_lines(&mut out, &buf, styled).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lines_have_no_trailing_blanks_and_no_escapes_unless_styled() {
        assert_eq!(written(false), "取 up\n\n x\n");
        assert_eq!(written(true), "\x1b[32m取 up\x1b[m\n\n x\n");
    }
}
