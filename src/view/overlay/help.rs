//! The keys, from the one table that they are in.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{frame, scrollbar};
use crate::app::{State, Tab};
use crate::keymap::{BINDINGS, Binding, Place};
use crate::view::Look;
use crate::view::widgets::text;

/// The widest that a column is.
const COLUMN: u16 = 72;

/// From this width on, there are two columns.
const TWO_COLUMNS: u16 = 2 * COLUMN + 2 + 4;

/// The columns that the keys take.
const KEYS: u16 = 21;

/// Under this width, only the first of the keys that do the same is shown.
const NARROW: u16 = 60;

/// A key that means something in so many places stands once, under all of them.
const MANY: usize = 5;

/// A line of the help.
enum Line {
    /// A group's title.
    Title(&'static str),
    /// Keys and what they do, as far as it has room.
    Keys(&'static Binding, &'static str),
    /// The rest of what they do.
    More(&'static str),
    /// Nothing.
    Blank,
}

pub(super) fn paint(buf: &mut Buffer, area: Rect, state: &State, scroll: usize, look: &Look) {
    let two = area.width >= TWO_COLUMNS;
    let width = COLUMN.min(area.width.saturating_sub(4));
    let group = |place| group(place, width.saturating_sub(keys_width(width)));
    let mut groups = places(state).into_iter().filter_map(|place| group(Some(place)));
    // The keys of the place where the reader is come first, then those that mean the same everywhere.
    let ordered = groups.next().into_iter().chain(group(None)).chain(groups);
    let columns = if two { balance(ordered) } else { vec![join(ordered)] };
    let rows = columns.iter().map(Vec::len).max().unwrap_or(0);

    let wide = if two { 2 * COLUMN + 2 } else { COLUMN };
    let inner = frame(buf, area, wide, u16::try_from(rows).unwrap_or(u16::MAX), "Keys", look);
    let scroll = scroll.min(rows.saturating_sub(usize::from(inner.height)));
    let width = if two { inner.width.saturating_sub(2) / 2 } else { inner.width };
    for (index, column) in (0_u16..).zip(&columns) {
        let place = Rect { width, ..text::shifted(inner, index * (width + 2)) };
        for (row, line) in (0..place.height).zip(column.iter().skip(scroll)) {
            paint_line(buf, text::line(place, row), line, look);
        }
    }
    scrollbar(buf, inner, scroll, rows, look);
}

fn paint_line(buf: &mut Buffer, area: Rect, line: &Line, look: &Look) {
    let theme = &look.theme;
    match line {
        Line::Blank => {}
        Line::Title(title) => {
            text::put(buf, area, title, theme.title);
        }
        Line::More(help) => {
            text::put(buf, text::shifted(area, keys_width(area.width)), help, theme.text);
        }
        Line::Keys(binding, help) => {
            let columns = keys_width(area.width);
            let shown = if area.width < NARROW { 1 } else { binding.keys.len() };
            let keys: Vec<String> = binding.keys.iter().take(shown).map(|key| key.name()).collect();
            text::put(buf, Rect { width: columns.saturating_sub(1), ..area }, &keys.join("  "), theme.key);
            text::put(buf, text::shifted(area, columns), help, theme.text);
        }
    }
}

/// The columns that the keys take of a column of that width.
fn keys_width(width: u16) -> u16 {
    if width < NARROW { 10.min(width / 2) } else { KEYS }
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
        let mut parts = text::wrap(binding.help, columns);
        let first = Line::Keys(binding, parts.next().unwrap_or(""));
        [first].into_iter().chain(parts.map(Line::More))
    };
    let keys: Vec<Line> = BINDINGS.iter().filter(belongs).flat_map(lines).collect();
    let title = (!keys.is_empty()).then_some(Line::Title(title))?;
    Some([title].into_iter().chain(keys).collect())
}

/// The groups under each other, parted by a blank line.
fn join(groups: impl Iterator<Item = Vec<Line>>) -> Vec<Line> {
    let mut lines = Vec::new();
    for group in groups {
        if !lines.is_empty() {
            lines.push(Line::Blank);
        }
        lines.extend(group);
    }
    lines
}

/// The groups in two columns that are about as long, in their order.
fn balance(groups: impl Iterator<Item = Vec<Line>>) -> Vec<Vec<Line>> {
    let groups: Vec<Vec<Line>> = groups.collect();
    let lengths: Vec<usize> = groups.iter().map(|group| group.len() + 1).collect();
    let longest = |split: &usize| {
        let (left, right) = lengths.split_at_checked(*split).unwrap_or_default();
        left.iter().sum::<usize>().max(right.iter().sum())
    };
    let split = (0..=groups.len()).min_by_key(longest).unwrap_or(0);
    let mut groups = groups.into_iter();
    let left = join(groups.by_ref().take(split));
    vec![left, join(groups)]
}
