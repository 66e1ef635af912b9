//! Style and cursor changes in the fewest bytes.

use std::io::{self, Write};

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};

/// The terminal's current style. A frame starts and ends with the default style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pen {
    fg: Color,
    bg: Color,
    modifier: Modifier,
}

impl Default for Pen {
    fn default() -> Self {
        Pen { fg: Color::Reset, bg: Color::Reset, modifier: Modifier::empty() }
    }
}

/// The modifiers with their SGR numbers (ECMA-48, 8.3.117).
const MODIFIERS: [(Modifier, u8); 8] = [
    (Modifier::BOLD, 1),
    (Modifier::ITALIC, 3),
    (Modifier::UNDERLINED, 4),
    (Modifier::SLOW_BLINK, 5),
    (Modifier::RAPID_BLINK, 6),
    (Modifier::REVERSED, 7),
    (Modifier::HIDDEN, 8),
    (Modifier::CROSSED_OUT, 9),
];

impl Pen {
    /// Moves the cursor to a cell; `ahead` is its distance in columns to the right of the cursor, if that is known and
    /// in the same row.
    pub(super) fn move_to(&self, out: &mut impl Write, ahead: Option<usize>, x: usize, y: u16) -> io::Result<()> {
        match ahead {
            Some(1) => out.write_all(b"\x1b[C"),
            Some(columns) => write!(out, "\x1b[{columns}C"),
            None if x == 0 => write!(out, "\x1b[{}H", u32::from(y) + 1),
            None => write!(out, "\x1b[{};{}H", u32::from(y) + 1, x + 1),
        }
    }

    /// Switches to a cell's style.
    pub(super) fn set(&mut self, out: &mut impl Write, cell: &Cell) -> io::Result<()> {
        let wanted = Pen { fg: cell.fg, bg: cell.bg, modifier: cell.modifier };
        if *self == wanted {
            return Ok(());
        }
        // Reset all modifiers to remove one, since bold and dim share the code that ends them.
        let mut from = *self;
        let mut codes = Codes::new(out);
        if !(from.modifier - wanted.modifier).is_empty() || wanted == Pen::default() {
            codes.put(format_args!(""))?;
            from = Pen::default();
        }
        for (modifier, code) in MODIFIERS {
            if (wanted.modifier - from.modifier).contains(modifier) {
                codes.put(format_args!("{code}"))?;
            }
        }
        if from.fg != wanted.fg {
            codes.colour(wanted.fg, 30)?;
        }
        if from.bg != wanted.bg {
            codes.colour(wanted.bg, 40)?;
        }
        codes.end()?;
        // Dim has its own sequence: simple terminal emulators only support it that way.
        if (wanted.modifier - from.modifier).contains(Modifier::DIM) {
            out.write_all(b"\x1b[2m")?;
        }
        *self = wanted;
        Ok(())
    }

    /// Resets the style after something that may have changed it.
    pub(super) fn reset(&mut self, out: &mut impl Write) -> io::Result<()> {
        *self = Pen::default();
        out.write_all(b"\x1b[m")
    }

    /// Resets the style.
    pub(super) fn finish(self, out: &mut impl Write) -> io::Result<()> {
        if self == Pen::default() { Ok(()) } else { out.write_all(b"\x1b[m") }
    }
}

/// Writes the parameters of one SGR sequence.
struct Codes<'a, W: Write> {
    out: &'a mut W,
    begun: bool,
}

impl<'a, W: Write> Codes<'a, W> {
    fn new(out: &'a mut W) -> Codes<'a, W> {
        Codes { out, begun: false }
    }

    fn put(&mut self, code: std::fmt::Arguments<'_>) -> io::Result<()> {
        self.out.write_all(if self.begun { b";" } else { b"\x1b[" })?;
        self.begun = true;
        self.out.write_fmt(code)
    }

    /// `base` is 30 for the foreground and 40 for the background.
    fn colour(&mut self, colour: Color, base: u8) -> io::Result<()> {
        let dark = |n: u8| base + n;
        let bright = |n: u8| base + 60 + n;
        let code = match colour {
            Color::Reset => base + 9,
            Color::Black => dark(0),
            Color::Red => dark(1),
            Color::Green => dark(2),
            Color::Yellow => dark(3),
            Color::Blue => dark(4),
            Color::Magenta => dark(5),
            Color::Cyan => dark(6),
            Color::Gray => dark(7),
            Color::DarkGray => bright(0),
            Color::LightRed => bright(1),
            Color::LightGreen => bright(2),
            Color::LightYellow => bright(3),
            Color::LightBlue => bright(4),
            Color::LightMagenta => bright(5),
            Color::LightCyan => bright(6),
            Color::White => bright(7),
            Color::Indexed(index) => return self.put(format_args!("{};5;{index}", base + 8)),
            Color::Rgb(r, g, b) => return self.put(format_args!("{};2;{r};{g};{b}", base + 8)),
        };
        self.put(format_args!("{code}"))
    }

    fn end(self) -> io::Result<()> {
        if self.begun { self.out.write_all(b"m") } else { Ok(()) }
    }
}
