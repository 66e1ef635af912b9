//! The layout of a post in its dialog: its lines at a width, and how far they can be scrolled.

use crate::format::words;
use crate::model::Post;

use super::layout;

/// Maximum width of the text in columns; longer lines are hard to read.
pub const COLUMNS: u16 = 92;

/// A line of a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// Part of the text.
    Text(&'a str),
    /// Part of the URL.
    Url(&'a str),
}

/// The lines of a post on a screen of this width.
pub fn lines(post: &Post, columns: u16) -> Vec<Line<'_>> {
    let columns = COLUMNS.min(layout::max_columns(columns)).max(1);
    let mut lines: Vec<Line<'_>> = words::wrap(&post.text, columns).map(Line::Text).collect();
    if let Some(url) = &post.url {
        lines.push(Line::Text(""));
        lines.extend(words::wrap(url, columns).map(Line::Url));
    }
    lines
}

/// The size of the dialog's content, including two header rows with author and time.
pub fn content_size(lines: usize) -> (u16, u16) {
    (COLUMNS, u16::try_from(lines).unwrap_or(u16::MAX).saturating_add(2))
}

/// The number of header rows above the text, for content of this height.
pub fn header_rows(rows: u16) -> u16 {
    if rows > 3 { 2 } else { 0 }
}

/// How many lines the text can be scrolled on a screen of this size.
pub fn max_scroll(post: &Post, screen: (u16, u16)) -> usize {
    let lines = lines(post, screen.0).len();
    let rows = layout::rows(screen, content_size(lines));
    lines.saturating_sub(usize::from(rows - header_rows(rows)))
}
