//! The status tab: every resource asked for, and the last errors.

use crate::app::store::Store;

/// What the status tab remembers.
#[derive(Debug, Default)]
pub struct StatusScreen {
    /// First row shown.
    pub scroll: usize,
}

/// How many lines the tab has: the resources, the last errors under a title, and what could not be read under another.
/// A title stands below an empty line.
pub fn lines(store: &Store) -> usize {
    let all = store.all();
    let receipts = all.iter().filter_map(|(_, entry)| entry.receipt.as_ref());
    let titled = |lines: usize| if lines == 0 { 0 } else { lines + 2 };
    all.len() + 2 + store.errors().len() + titled(receipts.map(|receipt| receipt.warnings.len()).sum())
}
