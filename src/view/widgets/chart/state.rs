//! What a chart remembers between frames.

use ratatui::layout::Rect;

use super::columns::Columns;

/// The cursor of a [`Chart`](super::Chart), and the area and the time axis of its line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChartState {
    /// The index of the point under the cursor.
    pub(super) cursor: Option<usize>,
    /// The area and the time axis in the last frame.
    pub(super) drawn: Option<(Rect, Columns)>,
}

impl ChartState {
    /// Moves the cursor to the point with this index.
    pub fn with_cursor(self, point: Option<usize>) -> ChartState {
        ChartState { cursor: point, ..self }
    }

    /// The cells of the line in the last frame; `None` if there was no price.
    pub fn plot(&self) -> Option<Rect> {
        self.drawn.map(|(plot, _)| plot)
    }

    /// The time axis of the last frame; `None` if there was no price.
    pub fn columns(&self) -> Option<Columns> {
        self.drawn.map(|(_, columns)| columns)
    }
}
