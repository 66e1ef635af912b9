//! The help as lines, from the one table.

use crate::format::words;
use crate::glyphs::Glyphs;

use super::{BINDINGS, Binding, GENERAL, Place, SECTIONS};

/// The widest that a column is.
pub const COLUMN: u16 = 73;

/// Columns of air between two columns.
pub const GAP: u16 = 2;

/// The columns that the keys take of a wide column.
const KEYS: u16 = 22;

/// Under this width, only the first of the keys that do the same is shown.
const NARROW: u16 = 60;

/// A line of the help.
#[derive(Clone, Debug)]
pub enum Line {
    /// A group's title.
    Title(&'static str),
    /// Keys and what they do, as far as it has room.
    Keys(&'static Binding, &'static str),
    /// The rest of what they do.
    More(&'static str),
    /// Nothing.
    Blank,
}

/// The help in one or two columns, for a content of at most `room` columns. The keys of `here`, the screen where the
/// reader is, come first, then those that mean the same everywhere.
pub fn columns(here: Place, room: u16) -> Vec<Vec<Line>> {
    let width = COLUMN.min(room);
    let words = width.saturating_sub(keys_width(width));
    let sections = |own: bool| {
        let sections = SECTIONS.iter().filter(move |(_, places)| places.contains(&here) == own);
        sections.map(move |(title, places)| group(title, |binding| binding.belongs(places), words))
    };
    let ordered = sections(true).chain([group(GENERAL, Binding::is_general, words)]).chain(sections(false));
    let mut columns = vec![Vec::new(); usize::from(room >= 2 * COLUMN + GAP) + 1];
    for group in ordered.filter(|group| !group.is_empty()) {
        // Each goes where there is the most room, so that as little as can be lies below the screen's edge.
        if let Some(shortest) = columns.iter_mut().min_by_key(|column: &&mut Vec<Line>| column.len()) {
            if !shortest.is_empty() {
                shortest.push(Line::Blank);
            }
            shortest.extend(group);
        }
    }
    columns
}

/// The columns that the keys take of a column of that width.
pub fn keys_width(width: u16) -> u16 {
    if width < NARROW { 10.min(width / 2) } else { KEYS }
}

/// The names of a binding's keys as a column of that width has room for them.
pub fn names(binding: &Binding, width: u16, glyphs: Glyphs) -> String {
    let shown = if width < NARROW { 1 } else { binding.keys.len() };
    binding.keys.iter().take(shown).map(|key| key.name(glyphs)).collect::<Vec<_>>().join("  ")
}

/// The bindings that belong together under their title; `columns` wide is what they do. Empty where there are none.
fn group(title: &'static str, belongs: impl Fn(&Binding) -> bool, columns: u16) -> Vec<Line> {
    let lines = |binding: &'static Binding| {
        let mut parts = words::wrap(binding.help, columns);
        let first = Line::Keys(binding, parts.next().unwrap_or(""));
        [first].into_iter().chain(parts.map(Line::More))
    };
    let mut bindings = BINDINGS.iter().filter(|binding| belongs(binding)).peekable();
    let title = bindings.peek().map(|_| Line::Title(title));
    title.into_iter().chain(bindings.flat_map(lines)).collect()
}
