//! A line of pieces; the last ones are dropped if there is no room.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::view::widgets::text;

/// Marks a live price.
pub(in crate::view) const LIVE: &str = "∙";

/// Styled text that is shown or dropped as a whole.
#[derive(Clone, Debug, Default)]
pub(in crate::view) struct Piece<'a>(Vec<(Cow<'a, str>, Style)>);

impl<'a> Piece<'a> {
    /// Text in one style.
    pub(in crate::view) fn new(words: impl Into<Cow<'a, str>>, style: Style) -> Piece<'a> {
        Piece(vec![(words.into(), style)])
    }

    /// Appends text.
    pub(in crate::view) fn and(mut self, words: impl Into<Cow<'a, str>>, style: Style) -> Piece<'a> {
        self.0.push((words.into(), style));
        self
    }

    /// The width in columns.
    pub(in crate::view) fn width(&self) -> u16 {
        self.0.iter().fold(0, |sum: u16, (words, _)| sum.saturating_add(text::width(words)))
    }

    /// Paints it at the left of `area`, cut with `…` if it does not fit. Returns the columns used.
    pub(in crate::view) fn paint(&self, buf: &mut Buffer, area: Rect) -> u16 {
        self.0.iter().fold(0, |used, (words, style)| used + text::put(buf, text::shifted(area, used), words, *style))
    }
}

/// Paints as many whole pieces as fit, with `gap` columns between them. If not even the first one fits, it is cut.
/// Returns the columns used.
pub(in crate::view) fn paint(buf: &mut Buffer, area: Rect, pieces: &[Piece<'_>], gap: u16) -> u16 {
    let mut used = 0;
    for (index, piece) in pieces.iter().enumerate() {
        let from = if index == 0 { 0 } else { used + gap };
        if index > 0 && from.saturating_add(piece.width()) > area.width {
            break;
        }
        used = from + piece.paint(buf, text::shifted(area, from));
    }
    used
}

/// The width of all pieces with `gap` columns between them.
pub(in crate::view) fn width(pieces: &[Piece<'_>], gap: u16) -> u16 {
    let gaps = u16::try_from(pieces.len().saturating_sub(1)).unwrap_or(u16::MAX).saturating_mul(gap);
    pieces.iter().fold(gaps, |sum, piece| sum.saturating_add(piece.width()))
}
