//! The notation of keys in the configuration: `r`, `enter`, `ctrl-x`, `g g`.

use std::fmt;
use std::str::FromStr;

use crossterm::event::{KeyCode, KeyModifiers};
use unicode_width::UnicodeWidthChar as _;

use super::key::CONTROL_ALT;
use super::key::{Key, Sequence};

/// The named keys. The first name of each is used for output.
const NAMES: [(&str, KeyCode); 24] = [
    ("enter", KeyCode::Enter),
    ("return", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("escape", KeyCode::Esc),
    ("space", KeyCode::Char(' ')),
    ("tab", KeyCode::Tab),
    ("backtab", KeyCode::BackTab),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("del", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("ins", KeyCode::Insert),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pageup", KeyCode::PageUp),
    ("pgup", KeyCode::PageUp),
    ("pagedown", KeyCode::PageDown),
    ("pgdn", KeyCode::PageDown),
    ("minus", KeyCode::Char('-')),
    ("plus", KeyCode::Char('+')),
];

const MODIFIERS: [(&str, KeyModifiers); 3] =
    [("ctrl", KeyModifiers::CONTROL), ("alt", KeyModifiers::ALT), ("shift", KeyModifiers::SHIFT)];

/// The function keys that terminals send.
const FUNCTION_KEYS: std::ops::RangeInclusive<u8> = 1..=12;

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        self.second.map_or(Ok(()), |second| write!(f, " {second}"))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, modifier) in MODIFIERS {
            if self.modifiers().contains(modifier) {
                write!(f, "{name}-")?;
            }
        }
        match self.code() {
            KeyCode::BackTab => f.write_str("shift-tab"),
            KeyCode::Char(c) if c != ' ' => write!(f, "{c}"),
            KeyCode::F(number) => write!(f, "f{number}"),
            code => f.write_str(NAMES.iter().find(|(_, named)| *named == code).map_or("?", |(name, _)| name)),
        }
    }
}

/// Why a string is not a key, as the end of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidKey(String);

impl fmt::Display for InvalidKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Sequence {
    type Err = InvalidKey;

    fn from_str(text: &str) -> Result<Sequence, InvalidKey> {
        let keys = text.split_whitespace().map(str::parse).collect::<Result<Vec<Key>, InvalidKey>>()?;
        match keys[..] {
            [] if text.is_empty() => Err(InvalidKey(String::from("empty key; use [] to unbind"))),
            [] => Err(InvalidKey(String::from("use \"space\" for the space key"))),
            [first] => Ok(Sequence::one(first)),
            [_, Key::ESC] => Err(InvalidKey(String::from("Esc cancels a sequence"))),
            [first, second] => Ok(Sequence { first, second: Some(second) }),
            _ => Err(InvalidKey(format!("{text:?} has {} keys; a sequence has at most two", keys.len()))),
        }
    }
}

impl FromStr for Key {
    type Err = InvalidKey;

    fn from_str(text: &str) -> Result<Key, InvalidKey> {
        let mut rest = text;
        let mut modifiers = KeyModifiers::NONE;
        while let Some((modifier, after)) = modifier(rest) {
            modifiers |= modifier;
            rest = after;
        }
        let code = code(rest).ok_or_else(|| InvalidKey(unknown(text, rest)))?;
        key(text, code, modifiers).map_err(InvalidKey)
    }
}

/// A modifier at the start of a string, and the rest.
fn modifier(text: &str) -> Option<(KeyModifiers, &str)> {
    MODIFIERS.iter().find_map(|&(name, modifier)| {
        let (begin, rest) = text.split_at_checked(name.len())?;
        let rest = rest.strip_prefix(['-', '+']).filter(|rest| !rest.is_empty())?;
        begin.eq_ignore_ascii_case(name).then_some((modifier, rest))
    })
}

fn code(text: &str) -> Option<KeyCode> {
    let mut chars = text.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        return c.width().filter(|width| *width > 0).map(|_| KeyCode::Char(c));
    }
    let named = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, code)| *code);
    named.or_else(|| {
        let number = text.strip_prefix(['f', 'F'])?.parse().ok()?;
        FUNCTION_KEYS.contains(&number).then_some(KeyCode::F(number))
    })
}

/// Returns the key if terminals send it.
fn key(text: &str, code: KeyCode, modifiers: KeyModifiers) -> Result<Key, String> {
    let same = |key: &str| Err(format!("terminals send {text:?} as {key:?}; use {key:?}"));
    let control = modifiers.contains(KeyModifiers::CONTROL);
    let shift = modifiers.contains(KeyModifiers::SHIFT);
    let without_shift = modifiers - KeyModifiers::SHIFT;
    match code {
        _ if modifiers.contains(CONTROL_ALT) => Err(format!("{text:?}: ctrl and alt can't be combined")),
        KeyCode::Char(_) if control && shift => Err(format!("{text:?}: shift can't be combined with ctrl")),
        KeyCode::Char(c) if control => match c.to_ascii_lowercase() {
            'i' => same("tab"),
            'm' => same("enter"),
            '[' => same("esc"),
            c @ ('a'..='z' | ' ' | '4'..='7') => Ok(Key::with(KeyCode::Char(c), modifiers)),
            _ => Err(format!("terminals don't send {text:?}")),
        },
        KeyCode::Char(c) if shift && c.is_alphabetic() => {
            let mut upper = c.to_uppercase();
            match (upper.next(), upper.next()) {
                (Some(c), None) => Ok(Key::with(KeyCode::Char(c), without_shift)),
                _ => Err(format!("terminals don't send {text:?}")),
            }
        }
        KeyCode::Char(_) if shift => Err(format!("{text:?}: use the character that it types")),
        // Most terminals send it as plain Enter.
        KeyCode::Enter if control => same("enter"),
        // It has the same sequence as a cursor position report.
        KeyCode::F(3) if !modifiers.is_empty() => Err(format!("terminals don't send {text:?}")),
        KeyCode::Tab if shift => Ok(Key::with(KeyCode::BackTab, without_shift)),
        KeyCode::BackTab => Ok(Key::with(code, without_shift)),
        code => Ok(Key::with(code, modifiers)),
    }
}

/// The message for a string that is not a key; `rest` is the part after the modifiers.
fn unknown(text: &str, rest: &str) -> String {
    let bare = rest.trim_end_matches(['-', '+']);
    if let Some((modifier, _)) = MODIFIERS.iter().find(|(name, _)| name.eq_ignore_ascii_case(bare)) {
        return format!("{text:?} has no key after {modifier} (expected one, such as \"{modifier}-x\")");
    }
    if let Some(correct) = with_corrected_modifier(text, rest) {
        return format!("unknown key {text:?} (similar: {correct:?})");
    }
    let words = NAMES.iter().map(|(name, _)| *name);
    let similar = |word: &str| strsim::normalized_damerau_levenshtein(&rest.to_lowercase(), word);
    let best = words.max_by(|a, b| similar(a).total_cmp(&similar(b)));
    match best.filter(|word| similar(word) > 0.6) {
        Some(word) => format!("unknown key {text:?} (similar: {word:?})"),
        None => format!("unknown key {text:?} (expected a character, or a name such as \"enter\", \"f5\", \"ctrl-x\")"),
    }
}

/// The key with a misspelt modifier corrected: `ctrl-x` for `crtl-x`. `rest` starts at that modifier.
fn with_corrected_modifier(text: &str, rest: &str) -> Option<String> {
    let (typed, key) = rest.split_once(['-', '+'])?;
    let similar = |name: &str| strsim::normalized_damerau_levenshtein(&typed.to_lowercase(), name);
    let names = MODIFIERS.iter().map(|(name, _)| *name);
    let name = names.max_by(|a, b| similar(a).total_cmp(&similar(b))).filter(|name| similar(name) > 0.5)?;
    let before = text.strip_suffix(rest)?;
    let correct: Key = format!("{before}{name}-{key}").parse().ok()?;
    Some(correct.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keymap::COMMANDS;

    fn read(text: &str) -> Result<String, String> {
        text.parse::<Sequence>().map(|keys| keys.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn keys_round_trip_through_their_notation() {
        for text in ["r", "G", "/", "-", "+", "é", "enter", "space", "f12", "ctrl-x", "alt-b", "alt-G", "shift-left"] {
            assert_eq!(read(text).as_deref(), Ok(text));
        }
        for (text, written) in [
            ("Ctrl-X", "ctrl-x"),
            ("CTRL+x", "ctrl-x"),
            ("ctrl--", "terminals don't send \"ctrl--\""),
            ("alt--", "alt--"),
            ("minus", "-"),
            ("shift-g", "G"),
            ("Shift-Tab", "shift-tab"),
            ("backtab", "shift-tab"),
            ("Escape", "esc"),
            ("PgDn", "pagedown"),
            ("ctrl-space", "ctrl-space"),
            ("g  g", "g g"),
            ("space q", "space q"),
            ("ctrl-x ctrl-s", "ctrl-x ctrl-s"),
        ] {
            assert_eq!(read(text).unwrap_or_else(|error| error), written, "{text}");
        }
        for keys in COMMANDS.iter().flat_map(|entry| entry.all_keys()) {
            assert_eq!(keys.to_string().parse(), Ok(keys));
        }
    }

    #[test]
    fn invalid_keys_have_a_reason() {
        for (text, why) in [
            ("", "empty key"),
            (" ", "use \"space\" for the space key"),
            ("entr", "(similar: \"enter\")"),
            ("crtl-x", "unknown key \"crtl-x\" (similar: \"ctrl-x\")"),
            ("Control+Left", "unknown key \"Control+Left\" (similar: \"ctrl-left\")"),
            ("alt-shfit-tab", "(similar: \"alt-shift-tab\")"),
            ("crtl-1", "unknown key \"crtl-1\" (expected"),
            ("ctrl-", "\"ctrl-\" has no key after ctrl (expected one, such as \"ctrl-x\")"),
            ("ctrl-alt", "has no key after alt"),
            ("f13", "unknown key \"f13\""),
            ("f0", "unknown key \"f0\""),
            ("super-x", "unknown key \"super-x\""),
            ("\u{200b}", "unknown key"),
            ("a b c", "has 3 keys; a sequence has at most two"),
            ("g esc", "Esc cancels a sequence"),
            ("ctrl-i", "terminals send \"ctrl-i\" as \"tab\"; use \"tab\""),
            ("ctrl-m", "use \"enter\""),
            ("ctrl-enter", "use \"enter\""),
            ("shift-f3", "terminals don't send \"shift-f3\""),
            ("alt-f3", "terminals don't send \"alt-f3\""),
            ("ctrl-[", "use \"esc\""),
            ("ctrl-1", "terminals don't send \"ctrl-1\""),
            ("ctrl-shift-x", "shift can't be combined with ctrl"),
            ("ctrl-alt-x", "ctrl and alt can't be combined"),
            ("shift-1", "use the character that it types"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
