//! One table is the keys, the help, the footer's hints and the README's key section.

mod document;
pub mod help;
mod table;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::InputRequest;

use crate::app::{Command, Message, Overlay, State, Tab};
use crate::view::Glyphs;
pub use document::markdown;
pub use table::BINDINGS;

/// A key, alone or with Control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chord {
    /// A key; letters in the case in which they are typed.
    Plain(KeyCode),
    /// Control and a letter.
    Control(char),
}

/// Where a key means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The lists of coins.
    List,
    /// A token's view.
    Token,
    /// The wallet tab.
    Wallet,
    /// The indexer tab.
    Indexer,
    /// The status tab.
    Status,
    /// Whatever lies on top.
    Overlay,
}

/// All places.
pub const EVERYWHERE: &[Place] =
    &[Place::List, Place::Token, Place::Wallet, Place::Indexer, Place::Status, Place::Overlay];

/// A line of the table.
#[derive(Debug)]
pub struct Binding {
    /// The keys; the first one is shown in hints.
    pub keys: &'static [Chord],
    /// What they ask for.
    pub command: Command,
    /// Where.
    pub places: &'static [Place],
    /// One or two words for the footer; empty: not shown there.
    pub hint: &'static str,
    /// A few words for the help.
    pub help: &'static str,
}

/// Where the keys go now.
pub fn place(state: &State) -> Place {
    match (&state.overlay, &state.token, state.tab) {
        (Some(_), _, _) => Place::Overlay,
        (None, Some(_), _) => Place::Token,
        (None, None, Tab::List(_)) => Place::List,
        (None, None, Tab::Wallet) => Place::Wallet,
        (None, None, Tab::Indexer) => Place::Indexer,
        (None, None, Tab::Status) => Place::Status,
    }
}

/// What a key means now; `None`: nothing. While a line is being edited, keys that type go into the line.
pub fn translate(key: KeyEvent, state: &State) -> Option<Message> {
    if is_editing(state)
        && let Some(request) = edit(key)
    {
        return Some(Message::Edit(request));
    }
    let chord = chord(key)?;
    let place = place(state);
    let binding = BINDINGS.iter().find(|b| b.places.contains(&place) && b.keys.contains(&chord))?;
    Some(Message::Command(binding.command))
}

/// Whether a line is being edited.
pub fn is_editing(state: &State) -> bool {
    match (&state.overlay, &state.token, state.tab) {
        (Some(overlay), _, _) => matches!(overlay, Overlay::Currency { .. } | Overlay::Lookup { .. }),
        (None, Some(_), _) => false,
        (None, None, Tab::List(tag)) => state.list(tag).searching,
        (None, None, Tab::Indexer) => state.indexer.filtering,
        (None, None, _) => false,
    }
}

fn chord(key: KeyEvent) -> Option<Chord> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        _ if key.modifiers.intersects(KeyModifiers::ALT | KeyModifiers::SUPER) => None,
        KeyCode::Char(c) if control => Some(Chord::Control(c.to_ascii_lowercase())),
        _ if control => None,
        code => Some(Chord::Plain(code)),
    }
}

/// Keys of a line editor, as shells have them; `None` for keys that move elsewhere (arrows up and down, Enter, Esc).
fn edit(key: KeyEvent) -> Option<InputRequest> {
    use InputRequest::{
        DeleteLine, DeleteNextChar, DeletePrevChar, DeletePrevWord, DeleteTillEnd, GoToEnd, GoToNextChar, GoToNextWord,
        GoToPrevChar, GoToPrevWord, GoToStart, InsertChar,
    };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let alt = key.modifiers.contains(KeyModifiers::ALT);
    Some(match key.code {
        KeyCode::Char('a') if control => GoToStart,
        KeyCode::Char('e') if control => GoToEnd,
        KeyCode::Char('w') if control => DeletePrevWord,
        KeyCode::Char('u') if control => DeleteLine,
        KeyCode::Char('k') if control => DeleteTillEnd,
        KeyCode::Char('h') if control => DeletePrevChar,
        KeyCode::Char('b') if alt => GoToPrevWord,
        KeyCode::Char('f') if alt => GoToNextWord,
        KeyCode::Char(c) if !control && !alt => InsertChar(c),
        KeyCode::Backspace if alt => DeletePrevWord,
        KeyCode::Backspace => DeletePrevChar,
        KeyCode::Delete => DeleteNextChar,
        KeyCode::Left if control => GoToPrevWord,
        KeyCode::Right if control => GoToNextWord,
        KeyCode::Left => GoToPrevChar,
        KeyCode::Right => GoToNextChar,
        KeyCode::Home => GoToStart,
        KeyCode::End => GoToEnd,
        _ => return None,
    })
}

impl Chord {
    /// As people read it: `↵`, `Esc`, `Ctrl-c`, `S`; in ASCII by words (`Enter`), for no sign of it is an arrow.
    pub fn name(self, glyphs: Glyphs) -> String {
        if glyphs == Glyphs::Ascii
            && let Chord::Plain(code) = self
            && let Some(word) = word(code)
        {
            return String::from(word);
        }
        match self {
            Chord::Control(c) => format!("Ctrl-{c}"),
            Chord::Plain(KeyCode::Char(' ')) => String::from("Space"),
            Chord::Plain(KeyCode::Char(c)) => c.to_string(),
            Chord::Plain(code) => String::from(match code {
                KeyCode::Enter => "↵",
                KeyCode::Esc => "Esc",
                KeyCode::Tab => "Tab",
                KeyCode::BackTab => "Shift-Tab",
                KeyCode::Backspace => "Backspace",
                KeyCode::Up => "↑",
                KeyCode::Down => "↓",
                KeyCode::Left => "←",
                KeyCode::Right => "→",
                KeyCode::PageUp => "PgUp",
                KeyCode::PageDown => "PgDn",
                KeyCode::Home => "Home",
                KeyCode::End => "End",
                KeyCode::F(1) => "F1",
                _ => "?",
            }),
        }
    }
}

/// The names of keys that have a sign otherwise.
fn word(code: KeyCode) -> Option<&'static str> {
    Some(match code {
        KeyCode::Enter => "Enter",
        KeyCode::Up => "Up",
        KeyCode::Down => "Down",
        KeyCode::Left => "Left",
        KeyCode::Right => "Right",
        _ => return None,
    })
}

/// The footer's hints for a place: the key and a word or two, in the order of the table.
pub fn hints(place: Place) -> impl Iterator<Item = &'static Binding> {
    BINDINGS.iter().filter(move |b| !b.hint.is_empty() && b.places.contains(&place))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for chord in BINDINGS.iter().flat_map(|binding| binding.keys) {
            assert!(chord.name(Glyphs::Ascii).is_ascii(), "{chord:?}");
        }
    }
}
