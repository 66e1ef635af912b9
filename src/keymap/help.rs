//! The help as lines, from the one table.

use crate::app::{State, Tab};
use crate::format::words;
use crate::view::Glyphs;

use super::{BINDINGS, Binding, Place};

/// The widest that a column is.
pub const COLUMN: u16 = 72;

/// Columns of air between two columns.
pub const GAP: u16 = 2;

/// The columns that the keys take of a wide column.
const KEYS: u16 = 21;

/// Under this width, only the first of the keys that do the same is shown.
const NARROW: u16 = 60;

/// A key that means something in so many places stands once, under all of them.
const MANY: usize = 5;

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

/// The help in one or two columns, for a content of at most `room` columns. The keys of the place where the reader is
/// come first, then those that mean the same everywhere.
pub fn columns(state: &State, room: u16) -> Vec<Vec<Line>> {
    let width = COLUMN.min(room);
    let group = |place| group(place, width.saturating_sub(keys_width(width)));
    let mut groups = places(state).into_iter().filter_map(|place| group(Some(place)));
    let ordered = groups.next().into_iter().chain(group(None)).chain(groups);
    let mut columns = vec![Vec::new(); usize::from(room >= 2 * COLUMN + GAP) + 1];
    for group in ordered {
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

/// All places, that of the screen below first.
fn places(state: &State) -> Vec<Place> {
    let here = match (&state.token, state.tab) {
        (Some(_), _) => Place::Token,
        (None, Tab::List(_)) => Place::List,
        (None, Tab::Wallet) => Place::Wallet,
        (None, Tab::Indexer) => Place::Indexer,
        (None, Tab::Status) => Place::Status,
    };
    let others = [Place::List, Place::Token, Place::Wallet, Place::Indexer, Place::Status, Place::Overlay];
    [here].into_iter().chain(others.into_iter().filter(|place| *place != here)).collect()
}

/// The keys of a place alone, or those of (nearly) all places; `columns` wide is what they do.
fn group(place: Option<Place>, columns: u16) -> Option<Vec<Line>> {
    let belongs = |binding: &&Binding| match place {
        Some(place) => binding.places.len() < MANY && binding.places.contains(&place),
        None => binding.places.len() >= MANY,
    };
    let title = match place {
        Some(Place::List) => "In a list of coins",
        Some(Place::Token) => "In a token's view",
        Some(Place::Wallet) => "In the wallet",
        Some(Place::Indexer) => "In the indexer",
        Some(Place::Status) => "In the status tab",
        Some(Place::Overlay) => "In what lies on top",
        None => "Everywhere",
    };
    let lines = |binding: &'static Binding| {
        let mut parts = words::wrap(binding.help, columns);
        let first = Line::Keys(binding, parts.next().unwrap_or(""));
        [first].into_iter().chain(parts.map(Line::More))
    };
    let keys: Vec<Line> = BINDINGS.iter().filter(belongs).flat_map(lines).collect();
    let title = (!keys.is_empty()).then_some(Line::Title(title))?;
    Some([title].into_iter().chain(keys).collect())
}
