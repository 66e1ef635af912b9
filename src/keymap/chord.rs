//! A key with its modifier, and its name.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::glyphs::Glyphs;

/// A key, alone or with a modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chord {
    /// A key; letters in the case in which they are typed.
    Plain(KeyCode),
    /// Control and a key; letters in lower case.
    Control(KeyCode),
    /// Alt and a key.
    Alt(KeyCode),
}

impl Chord {
    /// What was pressed; `None` where no binding can mean it.
    pub(super) fn of(key: KeyEvent) -> Option<Chord> {
        let has = |modifier| key.modifiers.contains(modifier);
        match (has(KeyModifiers::CONTROL), has(KeyModifiers::ALT), key.code) {
            _ if has(KeyModifiers::SUPER) => None,
            (true, true, _) => None,
            (true, false, KeyCode::Char(c)) => Some(Chord::Control(KeyCode::Char(c.to_ascii_lowercase()))),
            (true, false, code) => Some(Chord::Control(code)),
            (false, true, code) => Some(Chord::Alt(code)),
            (false, false, code) => Some(Chord::Plain(code)),
        }
    }

    /// As people read it: `↵`, `Esc`, `Ctrl-c`, `S`; in ASCII by words (`Enter`), for no sign of it is an arrow.
    pub fn name(self, glyphs: Glyphs) -> String {
        match self {
            Chord::Plain(code) => name(code, glyphs),
            Chord::Control(code) => format!("Ctrl-{}", name(code, glyphs)),
            Chord::Alt(code) => format!("Alt-{}", name(code, glyphs)),
        }
    }

    /// Whether it types a character into a line.
    #[cfg(test)]
    pub(super) fn types(self) -> bool {
        matches!(self, Chord::Plain(KeyCode::Char(_)))
    }
}

fn name(code: KeyCode, glyphs: Glyphs) -> String {
    let (sign, word) = match code {
        KeyCode::Char(' ') => return String::from("Space"),
        KeyCode::Char(c) => return c.to_string(),
        KeyCode::F(number) => return format!("F{number}"),
        KeyCode::Enter => ("↵", "Enter"),
        KeyCode::Up => ("↑", "Up"),
        KeyCode::Down => ("↓", "Down"),
        KeyCode::Left => ("←", "Left"),
        KeyCode::Right => ("→", "Right"),
        KeyCode::Esc => ("Esc", "Esc"),
        KeyCode::Tab => ("Tab", "Tab"),
        KeyCode::BackTab => ("Shift-Tab", "Shift-Tab"),
        KeyCode::Backspace => ("Backspace", "Backspace"),
        KeyCode::Delete => ("Del", "Del"),
        KeyCode::PageUp => ("PgUp", "PgUp"),
        KeyCode::PageDown => ("PgDn", "PgDn"),
        KeyCode::Home => ("Home", "Home"),
        KeyCode::End => ("End", "End"),
        _ => ("?", "?"),
    };
    String::from(if glyphs == Glyphs::Ascii { word } else { sign })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keymap::BINDINGS;

    #[test]
    fn keys_have_words_where_there_are_no_arrows() {
        for (code, sign, word) in [
            (KeyCode::Enter, "↵", "Enter"),
            (KeyCode::Up, "↑", "Up"),
            (KeyCode::Left, "←", "Left"),
            (KeyCode::Char('/'), "/", "/"),
        ] {
            let chord = Chord::Plain(code);
            assert_eq!((chord.name(Glyphs::Unicode).as_str(), chord.name(Glyphs::Ascii).as_str()), (sign, word));
        }
        assert_eq!(Chord::Control(KeyCode::Left).name(Glyphs::Ascii), "Ctrl-Left");
        for chord in BINDINGS.iter().flat_map(|binding| binding.keys) {
            let name = chord.name(Glyphs::Ascii);
            assert!(name.is_ascii() && (name == "?") == (*chord == Chord::Plain(KeyCode::Char('?'))), "{chord:?}");
        }
    }
}
