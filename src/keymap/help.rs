//! The help as lines in columns: the keys, and a legend.

use super::command::Command;
use super::context::{Context, GENERAL, SCREENS};
use super::key::Sequence;
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
const LEGEND: [(&str, &str); 17] = [
    ("0.0₄169", "0.0000169 (4 zeros)"),
    ("≈", "rounded to fit"),
    ("!5", "more sold than held"),
    ("~+5", "profit on known cost"),
    ("∙", "live exchange price"),
    ("★", "watched"),
    ("● ×", "requests OK / failing"),
    ("▣", "block height"),
    ("◔ 2", "2 alerts fired"),
    ("◌ 2", "2 alerts not checked"),
    ("⊘ 2", "2 changes not saved"),
    ("◈ 2", "2 notices in Status"),
    ("‖ 2", "paused, 2 updates waiting"),
    ("BTC 55%", "bitcoin dominance"),
    ("~2h", "2h candles (sampled)"),
    ("◆", "note in a chart"),
    ("▲ ▼", "incoming / outgoing lot"),
];

/// A line of the help.
#[derive(Clone, Debug)]
pub enum Line {
    /// A section's title.
    Title(&'static str),
    /// Keys and their description, or lines on which either continues.
    Keys(KeyLine, String),
    /// A glyph of the legend, and the first line of its meaning.
    Legend(&'static str, &'static str),
    /// A line on which the meaning of a glyph continues.
    More(String),
    /// A blank line.
    Blank,
}

/// The keys of a line of the help.
#[derive(Clone, Debug, Default)]
pub struct KeyLine {
    /// The keys; empty if only the description continues.
    pub keys: Vec<Sequence>,
    /// Whether they are the first key of a sequence whose second key is on the next line.
    pub is_open: bool,
}

/// The help in one to three columns, at most `room` cells wide in total: the keys of `here` first, then the keys of all
/// screens, the legend if `here` is a screen, and the keys of other screens; without commands that `can_run` excludes.
pub fn columns(keys: &Keymap, here: Context, room: u16, can_run: impl Fn(Command) -> bool) -> Vec<Vec<Line>> {
    let width = COLUMN.min(room);
    let words = width.saturating_sub(keys_width(width));
    let lines = |row: Row| lines(&row, width, words);
    let fitting = (room + GAP) / (COLUMN + GAP);
    let mut columns = vec![Vec::new(); usize::from(fitting.clamp(1, MAX_COLUMNS))];
    let is_screen = SCREENS.contains(&here);
    for (title, mut rows) in keys.help(Some(here)) {
        rows.retain(|row| can_run(row.command));
        add(&mut columns, title, rows.into_iter().flat_map(lines).collect());
        // After the keys that work here, before the keys of other screens.
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

fn lines(row: &Row, width: u16, words: u16) -> Vec<Line> {
    let shown = if width < NARROW { 1 } else { row.keys.len() };
    let mut keys = key_lines(row.keys.iter().take(shown), keys_width(width).saturating_sub(1)).into_iter();
    let mut help = words::wrap(&row.help, words);
    let next = || match (keys.next(), help.next()) {
        (None, None) => None,
        (keys, help) => Some(Line::Keys(keys.unwrap_or_default(), help.unwrap_or_default().to_owned())),
    };
    std::iter::from_fn(next).collect()
}

/// Keys in lines of at most `room` cells, even in ASCII, so that the number of lines doesn't depend on the terminal. A
/// line ends within a sequence only if that is too long for one.
fn key_lines<'a>(keys: impl Iterator<Item = &'a Sequence>, room: u16) -> Vec<KeyLine> {
    let fits = |line: &KeyLine| words::width(&names(line, Glyphs::Ascii)) <= room;
    let line = |keys: Sequence| KeyLine { keys: vec![keys], is_open: false };
    let mut lines: Vec<KeyLine> = Vec::new();
    for keys in keys {
        let ends_sequence = lines.iter().rev().nth(1).is_some_and(|line| line.is_open);
        if let Some(last) = lines.last_mut().filter(|_| !ends_sequence) {
            last.keys.push(*keys);
            if fits(last) {
                continue;
            }
            last.keys.pop();
        }
        match keys.second.filter(|_| !fits(&line(*keys))) {
            None => lines.push(line(*keys)),
            Some(second) => {
                lines.push(KeyLine { is_open: true, ..line(Sequence::one(keys.first)) });
                lines.push(line(Sequence::one(second)));
            }
        }
    }
    lines
}

/// Cells for the keys in a column of this width.
pub fn keys_width(width: u16) -> u16 {
    if width < NARROW { 10.min(width / 2) } else { KEYS }
}

/// The names of a line's keys, with `…` if the next line continues their sequence.
pub fn names(line: &KeyLine, glyphs: Glyphs) -> String {
    let names = line.keys.iter().map(|keys| keys.name(glyphs)).collect::<Vec<_>>().join("  ");
    if line.is_open { names + " …" } else { names }
}
