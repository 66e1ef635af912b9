//! Keys with modifiers, and sequences of one or two keys.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::glyphs::Glyphs;

/// A key with modifiers. Shift is a modifier only of keys that type no character: `A` is a separate key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    code: KeyCode,
    modifiers: KeyModifiers,
}

impl Key {
    /// Always quits.
    pub const CTRL_C: Key = Key::control('c');

    /// Always cancels a sequence.
    pub const ESC: Key = Key::plain(KeyCode::Esc);

    /// A key without modifiers.
    pub const fn plain(code: KeyCode) -> Key {
        Key { code, modifiers: KeyModifiers::NONE }
    }

    /// Control and a character, in lower case.
    pub const fn control(c: char) -> Key {
        Key { code: KeyCode::Char(c), modifiers: KeyModifiers::CONTROL }
    }

    /// A key with modifiers.
    pub const fn with(code: KeyCode, modifiers: KeyModifiers) -> Key {
        Key { code, modifiers }
    }

    /// The key of an event; `None` if no key can be bound to it.
    pub fn from_event(event: KeyEvent) -> Option<Key> {
        let modifiers = event.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT);
        if event.modifiers.contains(KeyModifiers::SUPER) || modifiers.contains(CONTROL_ALT) {
            return None;
        }
        let without_shift = modifiers - KeyModifiers::SHIFT;
        Some(match event.code {
            KeyCode::Char(c) if modifiers.contains(KeyModifiers::CONTROL) => {
                Key::with(KeyCode::Char(c.to_ascii_lowercase()), without_shift)
            }
            KeyCode::Tab if modifiers.contains(KeyModifiers::SHIFT) => Key::with(KeyCode::BackTab, without_shift),
            code @ (KeyCode::Char(_) | KeyCode::BackTab) => Key::with(code, without_shift),
            code => Key::with(code, modifiers),
        })
    }

    /// The event of a press of this key.
    pub fn event(self) -> KeyEvent {
        KeyEvent::new(self.code, self.modifiers)
    }

    /// The key itself.
    pub fn code(self) -> KeyCode {
        self.code
    }

    /// Control, Alt and Shift.
    pub fn modifiers(self) -> KeyModifiers {
        self.modifiers
    }

    /// Whether it types a character while text is edited.
    pub fn is_printable(self) -> bool {
        matches!(self.code, KeyCode::Char(_)) && self.modifiers.is_empty()
    }

    /// The key without Shift; `None` if it has none.
    pub fn without_shift(self) -> Option<Key> {
        let modifiers = self.modifiers - KeyModifiers::SHIFT;
        (modifiers != self.modifiers).then_some(Key { modifiers, ..self })
    }

    /// The name on the screen: `↵`, `Esc`, `Ctrl-c`, `S`; in ASCII, words replace arrows (`Enter`).
    pub fn name(self, glyphs: Glyphs) -> String {
        let mut name = String::new();
        for (modifier, prefix) in
            [(KeyModifiers::CONTROL, "Ctrl-"), (KeyModifiers::ALT, "Alt-"), (KeyModifiers::SHIFT, "Shift-")]
        {
            if self.modifiers.contains(modifier) {
                name.push_str(prefix);
            }
        }
        let (sign, word) = match self.code {
            KeyCode::Char(' ') => ("Space", "Space"),
            KeyCode::Char(c) => {
                name.push(c);
                return name;
            }
            KeyCode::F(number) => return format!("{name}F{number}"),
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
            KeyCode::Insert => ("Ins", "Ins"),
            KeyCode::PageUp => ("PgUp", "PgUp"),
            KeyCode::PageDown => ("PgDn", "PgDn"),
            KeyCode::Home => ("Home", "Home"),
            KeyCode::End => ("End", "End"),
            _ => ("?", "?"),
        };
        name + if glyphs == Glyphs::Ascii { word } else { sign }
    }
}

/// Terminals don't send this combination reliably.
pub(super) const CONTROL_ALT: KeyModifiers = KeyModifiers::CONTROL.union(KeyModifiers::ALT);

/// A key, or two keys pressed one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sequence {
    /// The first key, usually the only one.
    pub first: Key,
    /// The second key.
    pub second: Option<Key>,
}

impl Sequence {
    /// A single key.
    pub const fn one(key: Key) -> Sequence {
        Sequence { first: key, second: None }
    }

    /// Whether both can't be bound in one context: they are equal, or one is the first key of the other.
    pub fn collides(self, other: Sequence) -> bool {
        self.first == other.first && (self.second.is_none() || other.second.is_none() || self.second == other.second)
    }

    /// The keys in order.
    pub fn keys(self) -> impl Iterator<Item = Key> {
        [Some(self.first), self.second].into_iter().flatten()
    }

    /// The name on the screen: `g g`, `Ctrl-c`.
    pub fn name(self, glyphs: Glyphs) -> String {
        self.keys().map(|key| key.name(glyphs)).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keymap::COMMANDS;

    #[test]
    fn ascii_names_are_words() {
        for (code, sign, word) in [
            (KeyCode::Enter, "↵", "Enter"),
            (KeyCode::Up, "↑", "Up"),
            (KeyCode::Left, "←", "Left"),
            (KeyCode::Char('/'), "/", "/"),
        ] {
            let key = Key::plain(code);
            assert_eq!((key.name(Glyphs::Unicode).as_str(), key.name(Glyphs::Ascii).as_str()), (sign, word));
        }
        assert_eq!(Key::with(KeyCode::Left, KeyModifiers::CONTROL).name(Glyphs::Ascii), "Ctrl-Left");
        for key in COMMANDS.iter().flat_map(|entry| entry.all_keys()).flat_map(Sequence::keys) {
            let name = key.name(Glyphs::Ascii);
            assert!(name.is_ascii() && (name == "?") == (key.code == KeyCode::Char('?')), "{key:?}");
        }
    }

    #[test]
    fn shift_is_not_a_modifier_of_characters() {
        let of = |code, modifiers| Key::from_event(KeyEvent::new(code, modifiers));
        let shift = KeyModifiers::SHIFT;
        assert_eq!(of(KeyCode::Char('S'), shift), Some(Key::plain(KeyCode::Char('S'))));
        assert_eq!(of(KeyCode::Tab, shift), Some(Key::plain(KeyCode::BackTab)));
        assert_eq!(of(KeyCode::BackTab, shift), Some(Key::plain(KeyCode::BackTab)));
        assert_eq!(of(KeyCode::Char('C'), shift | KeyModifiers::CONTROL), Some(Key::CTRL_C));
        assert_eq!(of(KeyCode::Left, shift), Some(Key::with(KeyCode::Left, shift)));
        assert_eq!(of(KeyCode::Char('a'), CONTROL_ALT), None);
    }

    #[test]
    fn sequences_collide_with_their_first_key() {
        let [a, b] = ['a', 'b'].map(|c| Key::plain(KeyCode::Char(c)));
        let two = |first, second| Sequence { first, second: Some(second) };
        assert!(Sequence::one(a).collides(two(a, b)) && two(a, b).collides(Sequence::one(a)));
        assert!(two(a, b).collides(two(a, b)) && !two(a, b).collides(two(a, a)));
        assert!(!Sequence::one(a).collides(Sequence::one(b)) && !two(a, b).collides(Sequence::one(b)));
    }
}
