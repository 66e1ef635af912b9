//! Changed cells as bytes for the terminal: only what differs from the cell before is said.
//!
//! Two rules of the old terminals that all of today's keep make this short: attributes stay until they are changed, and
//! several changes share one sequence. Moves name the column, never a distance, so that a character that the terminal
//! takes for wider than we do shifts nothing behind the next move.

use std::io::{self, Write};

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

/// The attributes that are on, and where the next character will stand.
#[derive(Debug)]
pub(super) struct Pen {
    fg: Color,
    bg: Color,
    modifier: Modifier,
    at: Option<(u16, u16)>,
}

impl Pen {
    /// A pen without attributes, in an unknown place.
    const LIFTED: Pen = Pen { fg: Color::Reset, bg: Color::Reset, modifier: Modifier::empty(), at: None };
}

/// Writes the cells, given by column and row, and leaves no attribute on. None must be on before.
pub(super) fn write<'a>(
    out: &mut impl Write,
    cells: impl IntoIterator<Item = (u16, u16, &'a Cell)>,
) -> io::Result<()> {
    let mut pen = Pen::LIFTED;
    for (column, row, cell) in cells {
        pen.move_to(out, column, row)?;
        pen.dress(out, cell)?;
        let symbol = cell.symbol();
        out.write_all(symbol.as_bytes())?;
        // Terminals disagree about where they stand behind a wide character.
        pen.at = (symbol.width() == 1).then(|| (column.saturating_add(1), row));
    }
    match pen.is_bare() {
        true => Ok(()),
        false => out.write_all(b"\x1b[m"),
    }
}

impl Pen {
    fn is_bare(&self) -> bool {
        self.fg == Color::Reset && self.bg == Color::Reset && self.modifier.is_empty()
    }

    fn move_to(&mut self, out: &mut impl Write, column: u16, row: u16) -> io::Result<()> {
        match self.at {
            Some(at) if at == (column, row) => Ok(()),
            // Also right behind the last column, where a terminal waits before it goes on to the next row.
            Some((_, same)) if same == row => write!(out, "\x1b[{}G", u32::from(column) + 1),
            _ => write!(out, "\x1b[{};{}H", u32::from(row) + 1, u32::from(column) + 1),
        }
    }

    /// Turns on what the cell has, and off what it has not.
    fn dress(&mut self, out: &mut impl Write, cell: &Cell) -> io::Result<()> {
        if (self.fg, self.bg, self.modifier) == (cell.fg, cell.bg, cell.modifier) {
            return Ok(());
        }
        let mut sequence = Sequence { out, is_open: false };
        // Bold and dim share the code that ends them, so what must end ends together with everything else.
        if !(self.modifier - cell.modifier).is_empty() {
            sequence.add(format_args!("0"))?;
            *self = Pen { at: self.at, ..Pen::LIFTED };
        }
        for (modifier, code) in MODIFIERS {
            if (cell.modifier - self.modifier).contains(modifier) {
                sequence.add(format_args!("{code}"))?;
            }
        }
        for (on, wanted, base) in [(self.fg, cell.fg, 30), (self.bg, cell.bg, 40)] {
            if on != wanted {
                sequence.colour(wanted, base)?;
            }
        }
        sequence.end()?;
        (self.fg, self.bg, self.modifier) = (cell.fg, cell.bg, cell.modifier);
        Ok(())
    }
}

/// The attributes by their codes (ECMA-48, select graphic rendition).
const MODIFIERS: [(Modifier, u8); 9] = [
    (Modifier::BOLD, 1),
    (Modifier::DIM, 2),
    (Modifier::ITALIC, 3),
    (Modifier::UNDERLINED, 4),
    (Modifier::SLOW_BLINK, 5),
    (Modifier::RAPID_BLINK, 6),
    (Modifier::REVERSED, 7),
    (Modifier::HIDDEN, 8),
    (Modifier::CROSSED_OUT, 9),
];

/// A sequence of attributes while it is written.
struct Sequence<'a, W> {
    out: &'a mut W,
    is_open: bool,
}

impl<W: Write> Sequence<'_, W> {
    fn add(&mut self, code: std::fmt::Arguments<'_>) -> io::Result<()> {
        self.out.write_all(if self.is_open { b";" } else { b"\x1b[" })?;
        self.is_open = true;
        self.out.write_fmt(code)
    }

    /// A colour of the letters (`base` 30) or behind them (40).
    fn colour(&mut self, colour: Color, base: u8) -> io::Result<()> {
        let (bright, extended, default) = (base + 60, base + 8, base + 9);
        let code = match colour {
            Color::Reset => default,
            Color::Black => base,
            Color::Red => base + 1,
            Color::Green => base + 2,
            Color::Yellow => base + 3,
            Color::Blue => base + 4,
            Color::Magenta => base + 5,
            Color::Cyan => base + 6,
            Color::Gray => base + 7,
            Color::DarkGray => bright,
            Color::LightRed => bright + 1,
            Color::LightGreen => bright + 2,
            Color::LightYellow => bright + 3,
            Color::LightBlue => bright + 4,
            Color::LightMagenta => bright + 5,
            Color::LightCyan => bright + 6,
            Color::White => bright + 7,
            Color::Indexed(index) => return self.add(format_args!("{extended};5;{index}")),
            Color::Rgb(r, g, b) => return self.add(format_args!("{extended};2;{r};{g};{b}")),
        };
        self.add(format_args!("{code}"))
    }

    fn end(self) -> io::Result<()> {
        if self.is_open { self.out.write_all(b"m") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    fn written(paint: impl FnOnce(&mut Buffer)) -> String {
        let area = Rect::new(0, 0, 12, 3);
        let mut next = Buffer::empty(area);
        paint(&mut next);
        let mut out = Vec::new();
        write(&mut out, Buffer::empty(area).diff(&next)).unwrap();
        String::from_utf8(out).unwrap().replace('\x1b', "^")
    }

    #[test]
    fn says_only_what_changes() {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let table: [(&str, &dyn Fn(&mut Buffer)); 7] = [
            ("^[2;3Hab", &|buf| buf.set_string(2, 1, "ab", Style::new())),
            ("^[1;1Ha^[5Gb^[3;1Hc", &|buf| {
                for (x, y, text) in [(0, 0, "a"), (4, 0, "b"), (0, 2, "c")] {
                    buf.set_string(x, y, text, Style::new());
                }
            }),
            ("^[1;1H^[1;32mab^[m", &|buf| buf.set_string(0, 0, "ab", bold.fg(Color::Green))),
            ("^[1;1H^[1;31ma^[0;34;42mb^[m", &|buf| {
                buf.set_string(0, 0, "a", bold.fg(Color::Red));
                buf.set_string(1, 0, "b", Style::new().fg(Color::Blue).bg(Color::Green));
            }),
            ("^[1;1H^[91ma^[38;5;9mb^[38;2;1;2;3;107mc^[39;49md", &|buf| {
                buf.set_string(0, 0, "a", Style::new().fg(Color::LightRed));
                buf.set_string(1, 0, "b", Style::new().fg(Color::Indexed(9)));
                buf.set_string(2, 0, "c", Style::new().fg(Color::Rgb(1, 2, 3)).bg(Color::White));
                buf.set_string(3, 0, "d", Style::new());
            }),
            ("^[1;1H日^[1;3Hx", &|buf| buf.set_string(0, 0, "日x", Style::new())),
            ("", &|_| {}),
        ];
        for (bytes, paint) in table {
            assert_eq!(written(paint), bytes);
        }
    }

    fn style() -> impl Strategy<Value = Style> {
        let colour = prop::sample::select(vec![
            Color::Reset,
            Color::Red,
            Color::DarkGray,
            Color::White,
            Color::Indexed(200),
            Color::Rgb(9, 8, 7),
        ]);
        (colour.clone(), colour, 0_u16..16).prop_map(|(fg, bg, bits)| {
            // The terminal of the test takes dim for the end of bold.
            let known = [Modifier::BOLD, Modifier::ITALIC, Modifier::UNDERLINED, Modifier::REVERSED];
            let on = known.into_iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
            let modifier = on.fold(Modifier::empty(), |all, (_, one)| all | one);
            Style::new().fg(fg).bg(bg).add_modifier(modifier)
        })
    }

    proptest! {
        /// A terminal that is only told the changes shows every frame whole.
        #[test]
        fn a_terminal_shows_what_was_painted(
            frames in prop::collection::vec(prop::collection::vec((0_u16..12, 0_u16..3, "[a-z ▲⣿]{1,4}", style()), 0..8), 1..5)
        ) {
            let area = Rect::new(0, 0, 12, 3);
            let nonzero = |n| std::num::NonZero::new(n).unwrap();
            let screen = || vt100::Parser::new(nonzero(3), nonzero(12), 0);
            let (mut shown, mut terminal) = (Buffer::empty(area), screen());
            for frame in frames {
                let mut next = Buffer::empty(area);
                for (x, y, text, style) in frame {
                    next.set_string(x, y, text, style);
                }
                let mut bytes = Vec::new();
                write(&mut bytes, shown.diff(&next)).unwrap();
                terminal.process(&bytes);
                for position in area.positions() {
                    let cell = |screen: &vt100::Parser| screen.screen().cell(position.y, position.x).cloned();
                    let (is, painted) = (cell(&terminal).unwrap(), &next[position]);
                    prop_assert_eq!(is.contents().trim_end(), painted.symbol().trim_end());
                    prop_assert_eq!(is.bold(), painted.modifier.contains(Modifier::BOLD));
                    prop_assert_eq!(is.italic(), painted.modifier.contains(Modifier::ITALIC));
                    prop_assert_eq!(is.inverse(), painted.modifier.contains(Modifier::REVERSED));
                    prop_assert_eq!(is.fgcolor() == vt100::Color::Default, painted.fg == Color::Reset);
                    prop_assert_eq!(is.bgcolor() == vt100::Color::Default, painted.bg == Color::Reset);
                }
                shown = next;
            }
        }
    }
}
