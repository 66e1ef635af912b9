//! The clipboard of the terminal (OSC 52), which also works over SSH.

use std::io::{self, Write};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use crossterm::clipboard::CopyToClipboard;
use crossterm::queue;

use super::multiplexer::Multiplexer;

/// How text reaches the clipboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clipboard {
    /// OSC 52. Terminals without it ignore it.
    Terminal,
    /// OSC 52 in DCS strings, which GNU Screen passes on.
    Screen,
    /// No clipboard: the Linux console and hardware terminals such as the VT220.
    None,
}

/// Maximum length of a copied text in bytes; terminals accept about 100 kB in one sequence.
const MAX_BYTES: usize = 64 * 1024;

impl Clipboard {
    /// Detects it from environment variables.
    pub(super) fn detect(variable: impl Fn(&str) -> Option<String>) -> Clipboard {
        let term = variable("TERM").unwrap_or_default();
        // GNU Screen may append the name of the outer terminal to its own.
        let outer = term.strip_prefix("screen.").unwrap_or(&term);
        let is_vt = outer.strip_prefix("vt").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if is_vt || matches!(outer, "linux" | "cons25") {
            return Clipboard::None;
        }
        match Multiplexer::detect(variable) {
            Multiplexer::Screen => Clipboard::Screen,
            // tmux itself copies for the sequence.
            Multiplexer::None | Multiplexer::Tmux => Clipboard::Terminal,
        }
    }

    /// Copies a text, or the beginning of one that is too long.
    pub(super) fn copy(self, out: &mut impl Write, text: &str) -> io::Result<()> {
        let text = text.get(..text.floor_char_boundary(MAX_BYTES)).unwrap_or_default();
        match self {
            Clipboard::None => return Ok(()),
            Clipboard::Terminal => queue!(out, CopyToClipboard::to_clipboard_from(text))?,
            Clipboard::Screen => {
                let sequence = format!("\x1b]52;c;{}\x07", BASE64_STANDARD.encode(text));
                Multiplexer::Screen.write(out, &sequence)?;
            }
        }
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copied(clipboard: Clipboard, text: &str) -> String {
        let mut out = Vec::new();
        clipboard.copy(&mut out, text).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn clipboard_follows_from_the_terminal() {
        let sty = ("STY", "4711.pts-0.host");
        for (variables, clipboard) in [
            (&[("TERM", "xterm-256color")][..], Clipboard::Terminal),
            (&[("TERM", "vte-256color")], Clipboard::Terminal),
            (&[("TERM", "tmux-256color")], Clipboard::Terminal),
            (&[("TERM", "xterm-256color"), ("STY", "")], Clipboard::Terminal),
            (&[("TERM", "tmux-256color"), sty], Clipboard::Terminal),
            (&[("TERM", "screen.tmux-256color"), sty], Clipboard::Screen),
            (&[("TERM", "screen"), sty], Clipboard::Screen),
            (&[("TERM", "screen.xterm-256color")], Clipboard::Screen),
            (&[("TERM", "screen-256color")], Clipboard::Terminal),
            (&[("TERM", "screen.linux"), sty], Clipboard::None),
            (&[("TERM", "linux")], Clipboard::None),
            (&[("TERM", "vt220")], Clipboard::None),
            (&[], Clipboard::Terminal),
        ] {
            let variable =
                |name: &str| variables.iter().find(|(other, _)| *other == name).map(|(_, value)| String::from(*value));
            assert_eq!(Clipboard::detect(variable), clipboard, "{variables:?}");
        }
    }

    #[test]
    fn gnu_screen_gets_short_strings() {
        assert_eq!(copied(Clipboard::Terminal, "ordi"), "\x1b]52;c;b3JkaQ==\x1b\\");
        assert_eq!(copied(Clipboard::Screen, "ordi"), "\x1bP\x1b]52;c;b3JkaQ==\x07\x1b\\");
        let text = "ordi".repeat(1000);
        let sent = copied(Clipboard::Screen, &text);
        let parts: Vec<&str> = sent.split_inclusive("\x1b\\").collect();
        assert!(parts.len() > 10 && parts.iter().all(|part| part.len() <= 256), "{parts:?}");
        let contents = parts.iter().map(|part| part.strip_prefix("\x1bP").unwrap().strip_suffix("\x1b\\").unwrap());
        let passed_on: String = contents.collect();
        assert_eq!(passed_on, format!("\x1b]52;c;{}\x07", BASE64_STANDARD.encode(text)));
    }

    #[test]
    fn long_text_is_cut_between_characters() {
        let sent = copied(Clipboard::Terminal, &format!("a{}", "é".repeat(MAX_BYTES)));
        let encoded = sent.strip_prefix("\x1b]52;c;").unwrap().strip_suffix("\x1b\\").unwrap();
        let text = String::from_utf8(BASE64_STANDARD.decode(encoded).unwrap()).unwrap();
        assert_eq!((text.len(), text.starts_with("aé")), (MAX_BYTES - 1, true));
    }
}
