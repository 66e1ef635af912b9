//! The user's notes in charts.

use crate::model::{Text, UtcTime, text};

/// Maximum notes of all coins. Another one is not added.
pub const MAX_NOTES: usize = 1_000;

/// Why another note is not added, for a sentence.
pub const NOTES_FULL: &str = "limit of 1,000 for all coins reached";

/// Maximum characters of a note, of a lot's note and of an address's label.
pub const MAX_NOTE_CHARS: usize = 200;

/// A note at a time in a coin's chart. A coin has at most one note for each time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The coin's slug.
    pub slug: Text,
    /// The time in the chart.
    pub time: UtcTime,
    /// The text: not empty, without control characters, at most [`MAX_NOTE_CHARS`] characters.
    pub text: Text,
}

impl Note {
    /// A stored text as the text of a note: cleaned, and cut to [`MAX_NOTE_CHARS`] characters, since anyone could have
    /// written the file.
    pub fn clean(stored: &str) -> Text {
        let short: String = text::clean(stored).chars().take(MAX_NOTE_CHARS).collect();
        Text::from(short.trim())
    }

    /// Whether both are at the same time of the same coin.
    pub fn is_at(&self, other: &Note) -> bool {
        self.key() == other.key()
    }

    fn key(&self) -> (&str, UtcTime) {
        (&self.slug, self.time)
    }
}

/// Adds a note, or replaces the one at its time. The notes are sorted by slug and time.
pub(super) fn put(notes: &mut Vec<Note>, note: &Note) {
    match notes.binary_search_by(|known| known.key().cmp(&note.key())) {
        Ok(place) => {
            if let Some(known) = notes.get_mut(place) {
                known.clone_from(note);
            }
        }
        Err(place) if notes.len() < MAX_NOTES => notes.insert(place, note.clone()),
        Err(_) => {}
    }
}
