//! One table is the keys, the help, the footer's hints and the README's key section.

mod chord;
mod command;
mod document;
pub mod help;
mod table;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::InputRequest;

use crate::glyphs::Glyphs;

pub use chord::Chord;
pub use command::{Command, Tab};
pub use document::markdown;
pub use table::BINDINGS;

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
    /// The help.
    Help,
    /// A post's full text.
    Post,
    /// Links to choose from.
    Links,
    /// A line with what it leaves to choose from: currencies, or what can be looked up.
    Choice,
    /// A line that is edited on its screen: the search, or the filter.
    Line,
    /// A menu above the footer: a letter chooses, any key closes it.
    Menu,
}

/// The screens: all places on which nothing lies and no line is edited.
pub const SCREENS: &[Place] = &[Place::List, Place::Token, Place::Wallet, Place::Indexer, Place::Status];

/// All places but a menu, which knows no other keys than its letters.
pub const EVERYWHERE: &[Place] = &[
    Place::List,
    Place::Token,
    Place::Wallet,
    Place::Indexer,
    Place::Status,
    Place::Help,
    Place::Post,
    Place::Links,
    Place::Choice,
    Place::Line,
];

/// The sections of the help and of the README: their titles, and the places whose keys stand in them. What means the
/// same on every screen stands in a section of its own, titled [`GENERAL`].
pub const SECTIONS: &[(&str, &[Place])] = &[
    ("Lists", &[Place::List]),
    ("Token", &[Place::Token]),
    ("Wallet", &[Place::Wallet]),
    ("Indexer", &[Place::Indexer]),
    ("Status", &[Place::Status]),
    ("Dialogs", &[Place::Help, Place::Post, Place::Links, Place::Choice, Place::Menu]),
    ("While typing", &[Place::Line]),
];

/// The title of the section with the keys that mean the same on every screen.
pub const GENERAL: &str = "All screens";

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A wish of the user.
    Command(Command),
    /// A change of the line that is being edited.
    Edit(InputRequest),
}

/// A line of the table.
#[derive(Debug)]
pub struct Binding {
    /// The keys; the first one is shown in hints.
    pub keys: &'static [Chord],
    /// What they ask for.
    pub meaning: Meaning,
    /// Where.
    pub places: &'static [Place],
    /// One or two words for the footer; empty: not shown there.
    pub hint: &'static str,
    /// Places whose footers have other words for it.
    pub other_hints: &'static [(Place, &'static str)],
    /// A few words for the help.
    pub help: &'static str,
}

impl Binding {
    /// Whether it means the same on every screen.
    fn is_general(&self) -> bool {
        SCREENS.iter().all(|screen| self.places.contains(screen))
    }

    /// Whether it stands in the section of these places. How a line is edited stands in one of them only.
    fn belongs(&self, places: &[Place]) -> bool {
        match self.meaning {
            Meaning::Edit(_) => places.contains(&Place::Line),
            Meaning::Command(_) => !self.is_general() && places.iter().any(|place| self.places.contains(place)),
        }
    }

    /// Its words for the footer of a place; empty: none.
    fn hint_at(&self, place: Place) -> &'static str {
        let other = self.other_hints.iter().find(|(other, _)| *other == place);
        other.map_or(self.hint, |(_, hint)| hint)
    }
}

/// What a key means at a place; `None`: nothing. While a line is being edited, keys that type go into the line.
pub fn meaning(key: KeyEvent, place: Place) -> Option<Meaning> {
    if matches!(place, Place::Choice | Place::Line | Place::Menu)
        && let KeyCode::Char(typed) = key.code
        && !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
    {
        return Some(Meaning::Edit(InputRequest::InsertChar(typed)));
    }
    let bound = |chord: Chord| BINDINGS.iter().find(|b| b.places.contains(&place) && b.keys.contains(&chord));
    match Chord::of(key).and_then(bound) {
        Some(binding) => Some(binding.meaning),
        None => (place == Place::Menu).then_some(Meaning::Command(Command::Back)),
    }
}

/// The key that stands for a wish of the user in a place, as sentences name it; empty where no key means it there.
pub fn key(command: Command, place: Place, glyphs: Glyphs) -> String {
    let mut meant = BINDINGS.iter().filter(|b| b.meaning == Meaning::Command(command) && b.places.contains(&place));
    meant.find_map(|binding| binding.keys.first()).map_or_else(String::new, |chord| chord.name(glyphs))
}

/// What the footer says of a binding, or of neighbours in the table that share their words.
#[derive(Clone, Debug)]
pub struct Hint {
    /// The first key of each.
    pub keys: Vec<Chord>,
    /// What the first of them asks for.
    pub meaning: Meaning,
    /// One or two words.
    pub words: &'static str,
}

/// The footer's hints for a place, in the order of the table.
pub fn hints(place: Place) -> Vec<Hint> {
    let mut hints: Vec<Hint> = Vec::new();
    for binding in BINDINGS.iter().filter(|binding| binding.places.contains(&place)) {
        let words = binding.hint_at(place);
        match hints.last_mut() {
            _ if words.is_empty() => {}
            Some(last) if last.words == words => last.keys.extend(binding.keys.first()),
            _ => hints.push(Hint {
                keys: binding.keys.iter().take(1).copied().collect(),
                meaning: binding.meaning,
                words,
            }),
        }
    }
    hints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_the_table_does_what_its_row_says_somewhere() {
        for (index, binding) in BINDINGS.iter().enumerate() {
            for chord in binding.keys {
                let is_first = |place: &&Place| {
                    let before = BINDINGS.iter().take(index);
                    let typed = matches!(place, Place::Choice | Place::Line) && chord.types();
                    !typed && before.clone().all(|other| !other.places.contains(place) || !other.keys.contains(chord))
                };
                assert!(binding.places.iter().any(|place| is_first(&place)), "{chord:?}: {}", binding.help);
            }
        }
    }

    #[test]
    fn neighbours_with_the_same_words_share_a_hint() {
        let hints = hints(Place::Links);
        let words: Vec<_> = hints.iter().map(|hint| (hint.keys.len(), hint.words)).collect();
        assert_eq!(words, [(1, "open"), (2, "select"), (1, "copy"), (1, "close")]);
    }

    #[test]
    fn every_place_has_its_section() {
        for place in EVERYWHERE {
            assert_eq!(SECTIONS.iter().filter(|(_, places)| places.contains(place)).count(), 1, "{place:?}");
        }
    }
}
