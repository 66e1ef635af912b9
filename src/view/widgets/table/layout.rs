//! Which columns of a table are visible, and where.

use ratatui::layout::Rect;

use crate::format::columns::{self, ColumnPosition, Extent, Gaps};
use crate::view::widgets::text;

/// How the content of a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A column that a table can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The title in the head.
    pub title: &'static str,
    /// Minimum width.
    pub width: u16,
    /// Maximum width; larger than `width` for a column that grows if there is room.
    pub max_width: u16,
    /// Columns with a lower priority are dropped first; among equals, the rightmost.
    pub priority: u8,
    /// How its content is aligned.
    pub align: Align,
}

impl Column {
    /// A column of numbers with a fixed width.
    pub const fn number(title: &'static str, width: u16, priority: u8) -> Column {
        Column { title, width, max_width: width, priority, align: Align::Right }
    }

    /// A column of text with a fixed width.
    pub const fn words(title: &'static str, width: u16, priority: u8) -> Column {
        Column { title, width, max_width: width, priority, align: Align::Left }
    }

    fn extent(&self) -> Extent {
        let (min, max) = (usize::from(self.width), usize::from(self.max_width.max(self.width)));
        Extent { min, max, priority: Some(self.priority) }
    }

    /// Sets another maximum width.
    pub const fn growing(self, max_width: u16) -> Column {
        Column { max_width, ..self }
    }
}

/// Blanks around the columns.
const GAPS: Gaps = Gaps { min: 1, max: 2, before: 1, after: 1 };

/// The position of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The index of the column.
    pub index: usize,
    /// Columns from the left edge of the table.
    pub x: u16,
    /// The width; at least the column's minimum, unless it is the only one left.
    pub width: u16,
}

impl Placed {
    /// The column's cell in the first line of `row`.
    pub(super) fn cell(&self, row: Rect) -> Rect {
        let cell = text::shifted(row, self.x);
        Rect { width: cell.width.min(self.width), height: row.height.min(1), ..cell }
    }
}

/// The visible columns, from left to right, with one or two blanks between them and one at either end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    placed: Vec<Placed>,
    has_before: bool,
    has_after: bool,
    limit: usize,
}

impl Layout {
    /// Drops columns by priority until the rest fits into `width`, and distributes the remaining room among those that
    /// grow. The column with the highest priority always stays.
    pub fn new(columns: &[Column], width: u16) -> Layout {
        Layout::filtered(columns, width, |_| true)
    }

    /// A layout like [`Layout::new`], without the columns whose index `has` rejects, for example without columns that
    /// have no values.
    pub fn filtered(columns: &[Column], width: u16, has: impl Fn(usize) -> bool) -> Layout {
        let wanted: Vec<usize> = (0..columns.len()).filter(|index| has(*index)).collect();
        let extents: Vec<Extent> = wanted.iter().filter_map(|index| Some(columns.get(*index)?.extent())).collect();
        let places = columns::place(&extents, GAPS, Some(usize::from(width)));
        let of = |place: ColumnPosition| Some(ColumnPosition { index: *wanted.get(place.index)?, ..place });
        Layout::at(places.into_iter().filter_map(of), width)
    }

    /// Columns at these places of a table with this width.
    pub fn at(places: impl IntoIterator<Item = ColumnPosition>, width: u16) -> Layout {
        let placed = places.into_iter().map(|place| {
            let x = u16::try_from(place.start).unwrap_or(u16::MAX).min(width);
            let own = u16::try_from(place.width).unwrap_or(u16::MAX);
            // If not even one column fits, there is no blank before it.
            let x = if width > 2 { x } else { 0 };
            Placed { index: place.index, x, width: own.min(width - x) }
        });
        Layout { placed: placed.collect(), ..Layout::default() }
    }

    /// Marks in the head that there are more columns on either side.
    #[must_use]
    pub fn more_before(self, has_before: bool) -> Layout {
        Layout { has_before, ..self }
    }

    /// The same columns, marked in the head if there are more on the right.
    #[must_use]
    pub fn more_after(self, has_after: bool) -> Layout {
        Layout { has_after, ..self }
    }

    /// A layout like [`Layout::filtered`], scrolled sideways to `position`: the first `fixed` columns stay, and the
    /// columns after them are skipped one by one. The last position is the first one at which the last column is
    /// visible.
    pub fn scrolled(
        columns: &[Column],
        width: u16,
        (fixed, position): (usize, usize),
        has: impl Fn(usize) -> bool,
    ) -> Layout {
        let wanted: Vec<usize> = (0..columns.len()).filter(|index| has(*index)).collect();
        let first = Layout::filtered(columns, width, has);
        if first.placed.len() == wanted.len() {
            return first;
        }
        let (lead, rest) = wanted.split_at(fixed.min(wanted.len()));
        // If the first column was dropped for it, it comes second.
        let hides_first = rest.first().is_some_and(|index| !first.shows(*index));
        let mut scrolled = first.more_after(true);
        for at in 1..=rest.len() {
            let rest = rest.get(at - usize::from(hides_first)..).unwrap_or_default();
            let layout = Layout::beside(columns, width, lead, rest);
            let is_last = !layout.has_after;
            if at <= position {
                scrolled = layout;
            }
            if is_last {
                return Layout { limit: at, ..scrolled };
            }
        }
        Layout { limit: rest.len(), ..scrolled }
    }

    /// Whether there are more columns on the left.
    pub(super) fn has_before(&self) -> bool {
        self.has_before
    }

    /// Whether there are more columns on the right.
    pub(super) fn has_after(&self) -> bool {
        self.has_after
    }

    /// The last position to which the columns can be scrolled; 0 if all of them are visible.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// The columns `lead`, and as many of `rest` as fit beside them, but at least one.
    fn beside(columns: &[Column], width: u16, lead: &[usize], rest: &[usize]) -> Layout {
        let best = lead.iter().filter_map(|index| columns.get(*index)).map(|column| column.priority).max();
        let all = lead.iter().map(|index| (*index, true)).chain(rest.iter().map(|index| (*index, false)));
        let extent = |(at, (index, is_lead)): (u8, (usize, bool))| {
            let column = columns.get(index)?;
            let priority = if is_lead {
                if Some(column.priority) == best { u8::MAX } else { u8::MAX - 2 }
            } else if Some(&index) == rest.first() {
                u8::MAX - 1
            } else {
                (u8::MAX - 3).saturating_sub(at)
            };
            Some((index, Column { priority, ..*column }.extent()))
        };
        let (indices, extents): (Vec<usize>, Vec<Extent>) = (0..).zip(all).filter_map(extent).unzip();
        let places = columns::place(&extents, GAPS, Some(usize::from(width)));
        let has_after = places.len() < indices.len();
        let of = |place: ColumnPosition| Some(ColumnPosition { index: *indices.get(place.index)?, ..place });
        Layout::at(places.into_iter().filter_map(of), width).more_before(true).more_after(has_after)
    }

    /// The columns, from left to right.
    pub fn columns(&self) -> &[Placed] {
        &self.placed
    }

    /// Whether a column is shown.
    pub fn shows(&self, column: impl Into<usize>) -> bool {
        let index = column.into();
        self.placed.iter().any(|placed| placed.index == index)
    }

    /// The cell of a column in the first line of `row`; `None` if the column is not shown.
    pub fn cell(&self, row: Rect, column: impl Into<usize>) -> Option<Rect> {
        let index = column.into();
        self.placed.iter().find(|placed| placed.index == index).map(|placed| placed.cell(row))
    }
}
