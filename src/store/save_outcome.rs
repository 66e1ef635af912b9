//! The outcome of a saved change.

/// What became of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveOutcome {
    /// It was applied, now or by an earlier attempt that was reported as failed.
    Applied,
    /// It was not needed or no longer possible: the firing was recorded before, its rule, the subject of the edit or the
    /// result to undo was gone, or there were too many notes.
    NoEffect,
    /// It was not saved, since its table is damaged. One sentence.
    Skipped(String),
}
