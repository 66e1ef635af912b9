//! Escape sequences for the terminal around a multiplexer, which doesn't pass them on by itself.

use std::io::{self, Write};

use crate::glyphs::Glyphs;

/// The program between this one and the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Multiplexer {
    /// None that needs other sequences.
    None,
    /// GNU Screen, which passes on DCS strings.
    Screen,
    /// tmux, which passes on DCS strings that begin with `tmux;` if its option `allow-passthrough` is on.
    Tmux,
}

/// Maximum content of a DCS string in bytes. With its delimiters, GNU Screen limits one to 768 bytes, old versions to
/// 256.
const DCS_BYTES: usize = 252;

impl Multiplexer {
    /// Detects it from environment variables. If there are two, it is the inner one.
    pub(crate) fn detect(variable: impl Fn(&str) -> Option<String>) -> Multiplexer {
        let term = variable("TERM").unwrap_or_default();
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        // ssh passes on only the name of the terminal; a multiplexer inherits the variable of the outer one.
        match term.as_str() {
            term if term.starts_with("tmux") => Multiplexer::Tmux,
            // GNU Screen may append the name of the outer terminal to its own.
            term if term.starts_with("screen.") => Multiplexer::Screen,
            _ if is_set("STY") => Multiplexer::Screen,
            _ if is_set("TMUX") => Multiplexer::Tmux,
            _ => Multiplexer::None,
        }
    }

    /// Text that may be part of a sequence. GNU Screen keeps only the lowest byte of a character, which may end the
    /// sequence or begin another one: it gets ASCII.
    pub(super) fn text(self, text: &str) -> String {
        match self {
            Multiplexer::None | Multiplexer::Tmux => text.to_owned(),
            Multiplexer::Screen => Glyphs::Ascii.lines(text).into_owned(),
        }
    }

    /// Writes an escape sequence. It must end with BEL, since ST would end the string of GNU Screen.
    pub(super) fn write(self, out: &mut impl Write, sequence: &str) -> io::Result<()> {
        match self {
            Multiplexer::None => out.write_all(sequence.as_bytes()),
            Multiplexer::Screen => sequence.as_bytes().chunks(DCS_BYTES).try_for_each(|part| {
                out.write_all(b"\x1bP")?;
                out.write_all(part)?;
                out.write_all(b"\x1b\\")
            }),
            Multiplexer::Tmux => write!(out, "\x1bPtmux;{}\x1b\\", sequence.replace('\x1b', "\x1b\x1b")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_multiplexer_follows_from_the_environment() {
        let (sty, tmux) = (("STY", "4711.pts-0.host"), ("TMUX", "/tmp/tmux-1000/default,4711,0"));
        for (variables, multiplexer) in [
            (&[("TERM", "xterm-256color")][..], Multiplexer::None),
            (&[("TERM", "xterm-256color"), ("STY", ""), ("TMUX", "")], Multiplexer::None),
            (&[("TERM", "screen-256color")], Multiplexer::None),
            (&[("TERM", "screen"), sty], Multiplexer::Screen),
            (&[("TERM", "screen.xterm-256color")], Multiplexer::Screen),
            (&[("TERM", "screen.tmux-256color"), tmux, sty], Multiplexer::Screen),
            (&[("TERM", "screen-256color"), tmux], Multiplexer::Tmux),
            (&[("TERM", "tmux-256color")], Multiplexer::Tmux),
            (&[("TERM", "tmux-256color"), tmux, sty], Multiplexer::Tmux),
            (&[], Multiplexer::None),
        ] {
            let variable =
                |name: &str| variables.iter().find(|(other, _)| *other == name).map(|(_, value)| String::from(*value));
            assert_eq!(Multiplexer::detect(variable), multiplexer, "{variables:?}");
        }
    }

    #[test]
    fn sequence_is_wrapped_for_the_multiplexer() {
        let written = |multiplexer: Multiplexer, sequence: &str| {
            let mut out = Vec::new();
            multiplexer.write(&mut out, sequence).unwrap();
            String::from_utf8(out).unwrap()
        };
        let sequence = "\x1b]9;ordi\x07";
        assert_eq!(written(Multiplexer::None, sequence), sequence);
        assert_eq!(written(Multiplexer::Screen, sequence), "\x1bP\x1b]9;ordi\x07\x1b\\");
        assert_eq!(written(Multiplexer::Tmux, sequence), "\x1bPtmux;\x1b\x1b]9;ordi\x07\x1b\\");
        let long = format!("\x1b]9;{}\x07", "ordi".repeat(1000));
        let sent = written(Multiplexer::Screen, &long);
        let parts: Vec<&str> = sent.split_inclusive("\x1b\\").collect();
        assert!(parts.len() > 10 && parts.iter().all(|part| part.len() <= 256), "{parts:?}");
        let contents = parts.iter().map(|part| part.strip_prefix("\x1bP").unwrap().strip_suffix("\x1b\\").unwrap());
        assert_eq!(contents.collect::<String>(), long);
    }

    #[test]
    fn gnu_screen_gets_text_in_ascii() {
        // The lowest bytes of these are ESC and BEL.
        let text = "a\u{11b}\u{107}− é 漢";
        assert!(Multiplexer::Screen.text(text).is_ascii(), "{:?}", Multiplexer::Screen.text(text));
        assert_eq!(Multiplexer::Screen.text("ORDI −4%"), "ORDI -4%");
        assert_eq!(Multiplexer::Tmux.text(text), text);
    }
}
