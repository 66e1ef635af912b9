//! A move of a selection or scroll position.

/// A move of a selection or scroll position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// By this many rows, up if negative.
    By(isize),
    /// To the first row.
    First,
    /// To the last row.
    Last,
}

impl Step {
    /// The row to move to from `here`, at most `last`.
    pub fn target(self, here: usize, last: usize) -> usize {
        match self {
            Step::By(rows) => here.saturating_add_signed(rows).min(last),
            Step::First => 0,
            Step::Last => last,
        }
    }
}
