//! Splits a rule into words.

use crate::user_data::alert::{Comparison, Measure};

/// A word with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    /// The characters before it.
    pub(super) at: usize,
    pub(super) text: &'a str,
}

impl Word<'_> {
    /// The place after it.
    pub(super) fn end(&self) -> usize {
        self.at + self.text.chars().count()
    }

    pub(super) fn lower(&self) -> String {
        self.text.to_lowercase()
    }

    /// Whether it ends the subject.
    pub(super) fn is_verb(&self) -> bool {
        is_sign(self.text) || self.is_every() || self.event::<()>().is_some()
    }

    /// The comparison that its sign or word stands for.
    pub(super) fn comparison(&self) -> Option<Comparison> {
        match self.lower().as_str() {
            "above" | "over" => Some(Comparison::Above),
            "below" | "under" => Some(Comparison::Below),
            _ => Comparison::parse(self.text),
        }
    }

    /// Whether a step follows.
    pub(super) fn is_every(&self) -> bool {
        self.lower() == "every"
    }

    /// The event that it names.
    pub(super) fn event<C: Default>(&self) -> Option<Measure<C>> {
        let lower = self.lower();
        Measure::all().into_iter().find(|measure| measure.is_event() && measure.as_str() == lower)
    }
}

fn is_sign(word: &str) -> bool {
    !word.is_empty() && word.chars().all(is_sign_char)
}

fn is_sign_char(char: char) -> bool {
    matches!(char, '<' | '>' | '=' | '≤' | '≥')
}

/// The words of a line. Comparison operators are separate words, with or without spaces around them.
pub(super) fn words(line: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut start: Option<(usize, usize)> = None;
    let mut kind = None;
    let chars = line.char_indices().enumerate().map(|(at, (byte, char))| (at, byte, Some(char)));
    for (at, byte, char) in chars.chain([(line.chars().count(), line.len(), None)]) {
        let new = char.filter(|char| !char.is_whitespace()).map(is_sign_char);
        if new == kind {
            continue;
        }
        if let Some((at, from)) = start.take()
            && let Some(text) = line.get(from..byte)
        {
            words.push(Word { at, text });
        }
        start = new.map(|_| (at, byte));
        kind = new;
    }
    words
}
