//! A post as its reader sees it: its lines at a width, and how far they can be scrolled.

use crate::format::words;
use crate::model::Post;

use super::place;

/// The widest that text is set: longer lines are hard to read.
pub const COLUMNS: u16 = 92;

/// A line of a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// Of its text.
    Text(&'a str),
    /// Of its address.
    Url(&'a str),
}

/// The lines on a screen of so many columns.
pub fn lines(post: &Post, columns: u16) -> Vec<Line<'_>> {
    let columns = COLUMNS.min(place::widest(columns)).max(1);
    let mut lines: Vec<Line<'_>> = words::wrap(&post.text, columns).map(Line::Text).collect();
    if let Some(url) = &post.url {
        lines.push(Line::Text(""));
        lines.extend(words::wrap(url, columns).map(Line::Url));
    }
    lines
}

/// The content's size for so many lines: they stand below two rows that say who and when.
pub fn content(lines: usize) -> (u16, u16) {
    (COLUMNS, u16::try_from(lines).unwrap_or(u16::MAX).saturating_add(2))
}

/// The rows of a content of so many rows that stand above the text.
pub fn head(rows: u16) -> u16 {
    if rows > 3 { 2 } else { 0 }
}

/// How many lines the text can be scrolled on a screen of that size.
pub fn most_scroll(post: &Post, screen: (u16, u16)) -> usize {
    let lines = lines(post, screen.0).len();
    let rows = place::rows(screen, content(lines));
    lines.saturating_sub(usize::from(rows - head(rows)))
}
