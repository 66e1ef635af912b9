//! The help as lines in columns: the keys, and a legend.

use super::command::Command;
use super::context::{Context, GENERAL, SCREENS};
use super::map::{Keymap, Row};
use crate::format::words;
use crate::glyphs::Glyphs;

/// Maximum width of a column in cells.
pub const COLUMN: u16 = 48;

/// Maximum number of columns.
const MAX_COLUMNS: u16 = 3;

/// Cells between two columns.
pub const GAP: u16 = 2;

/// Cells for the keys in a wide column.
const KEYS: u16 = 22;

/// Below this width only the first key of a command is shown.
const NARROW: u16 = 44;

/// The legend: glyphs on the screens, with their meanings.
const LEGEND: [(&str, &str); 10] = [
    ("0.0₄169", "0.0000169 (4 zeros)"),
    ("≈", "rounded to fit"),
    ("∙", "live exchange price"),
    ("★", "watched"),
    ("● ×", "requests OK / failing"),
    ("▣", "block height"),
    ("◔ 2", "2 alerts fired"),
    ("◌ 2", "2 alerts not checked"),
    ("⊘ 2", "2 changes not saved"),
    ("‖ 2", "paused, 2 updates waiting"),
];

/// A line of the help.
#[derive(Clone, Debug)]
pub enum Line {
    /// A section's title.
    Title(&'static str),
    /// Keys, and the first line of their description.
    Keys(Row, String),
    /// A glyph of the legend, and the first line of its meaning.
    Legend(&'static str, &'static str),
    /// A wrapped line of the help text.
    More(String),
    /// A blank line.
    Blank,
}

/// The help in one to three columns, at most `room` cells wide in total: the keys of `here` first, then those of all
/// screens, the legend if `here` is a screen, and the keys of other screens; without commands that `can_run` excludes.
pub fn columns(keys: &Keymap, here: Context, room: u16, can_run: impl Fn(Command) -> bool) -> Vec<Vec<Line>> {
    let width = COLUMN.min(room);
    let words = width.saturating_sub(keys_width(width));
    let fitting = (room + GAP) / (COLUMN + GAP);
    let mut columns = vec![Vec::new(); usize::from(fitting.clamp(1, MAX_COLUMNS))];
    let is_screen = SCREENS.contains(&here);
    for (title, mut rows) in keys.help(Some(here)) {
        rows.retain(|row| can_run(row.command));
        add(&mut columns, title, rows.into_iter().flat_map(|row| lines(row, words)).collect());
        // After the keys that work here, before those of other screens.
        if is_screen && title == GENERAL {
            add(
                &mut columns,
                "Legend",
                LEGEND.into_iter().flat_map(|(glyph, meaning)| legend_lines(glyph, meaning, words)).collect(),
            );
        }
    }
    columns
}

/// Adds a section to the shortest column, unless it is empty.
fn add(columns: &mut [Vec<Line>], title: &'static str, lines: Vec<Line>) {
    let Some(shortest) = columns.iter_mut().min_by_key(|column| column.len()).filter(|_| !lines.is_empty()) else {
        return;
    };
    if !shortest.is_empty() {
        shortest.push(Line::Blank);
    }
    shortest.push(Line::Title(title));
    shortest.extend(lines);
}

fn legend_lines(glyph: &'static str, meaning: &'static str, words: u16) -> impl Iterator<Item = Line> {
    let mut parts = words::wrap(meaning, words);
    let first = Line::Legend(glyph, parts.next().unwrap_or(""));
    [first].into_iter().chain(parts.map(|words| Line::More(words.to_owned())))
}

fn lines(row: Row, words: u16) -> Vec<Line> {
    let mut parts: Vec<String> = words::wrap(&row.help, words).map(str::to_owned).collect();
    let first = if parts.is_empty() { String::new() } else { parts.remove(0) };
    std::iter::once(Line::Keys(row, first)).chain(parts.into_iter().map(Line::More)).collect()
}

/// Cells for the keys in a column of this width.
pub fn keys_width(width: u16) -> u16 {
    if width < NARROW { 10.min(width / 2) } else { KEYS }
}

/// The names of a line's keys, as many as fit into a column of this width.
pub fn names(row: &Row, width: u16, glyphs: Glyphs) -> String {
    let shown = if width < NARROW { 1 } else { row.keys.len() };
    row.keys.iter().take(shown).map(|keys| keys.name(glyphs)).collect::<Vec<_>>().join("  ")
}
