//! Versions of the data in responses. A response is outdated by newer data of the operations that it used, not of
//! others: opening a chart doesn't recompute the coin list.

use std::cell::Cell;
use std::ops::BitOr;
use std::sync::atomic::{AtomicU64, Ordering};

use super::operation::Operation;

tokio::task_local! {
    static USED: Cell<Operations>;
}

/// A set of operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations(u16);

impl Operations {
    /// Almost every response uses these to find the coin of a symbol, slug or ticker.
    pub(super) const IDENTITY: Operations =
        Operations(bit(Operation::Coins) | bit(Operation::Tagged) | bit(Operation::Details));
}

const fn bit(operation: Operation) -> u16 {
    1 << operation as u16
}

impl From<Operation> for Operations {
    fn from(operation: Operation) -> Operations {
        Operations(bit(operation))
    }
}

impl BitOr for Operations {
    type Output = Operations;

    fn bitor(self, other: Operations) -> Operations {
        Operations(self.0 | other.0)
    }
}

/// Records that the current response uses the data of an operation.
pub(super) fn note(operation: Operation) {
    // Outside of a response, it isn't needed.
    let _ = USED.try_with(|used| used.set(used.get() | operation.into()));
}

/// Computes a response. Returns it with the operations that it used.
pub(super) async fn track<F: Future>(response: F) -> (F::Output, Operations) {
    let tracked = async {
        let response = response.await;
        (response, USED.with(Cell::get))
    };
    USED.scope(Cell::new(Operations::IDENTITY), tracked).await
}

/// The versions of all data at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataVersions([u64; Operation::ALL.len()]);

impl DataVersions {
    /// All data with this version.
    pub fn same(version: u64) -> DataVersions {
        DataVersions([version; Operation::ALL.len()])
    }

    /// A number that changes with the data of these operations.
    pub fn of(&self, operations: Operations) -> u64 {
        let used = Operation::ALL.into_iter().filter(|operation| operations.0 & bit(*operation) != 0);
        // None of them ever decreases.
        used.map(|operation| self.0[operation as usize]).fold(0, u64::wrapping_add)
    }

    /// A number that changes with any data.
    pub fn of_all(&self) -> u64 {
        self.0.into_iter().fold(0, u64::wrapping_add)
    }
}

/// Counts changes of the data.
#[derive(Debug, Default)]
pub(super) struct Changes([AtomicU64; Operation::ALL.len()]);

impl Changes {
    /// Records newer data of an operation.
    pub(super) fn changed(&self, operation: Operation) {
        self.0[operation as usize].fetch_add(1, Ordering::Release);
    }

    /// Records that any data may have changed.
    pub(super) fn all_changed(&self) {
        Operation::ALL.into_iter().for_each(|operation| self.changed(operation));
    }

    /// The versions at this moment.
    pub(super) fn versions(&self) -> DataVersions {
        DataVersions(self.0.each_ref().map(|version| version.load(Ordering::Acquire)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn version_depends_on_the_operations_used() {
        let changes = Changes::default();
        let (_, used) = track(async {
            note(Operation::Chart);
            tokio::task::yield_now().await;
        })
        .await;
        let version = || changes.versions().of(used);
        let before = version();
        changes.changed(Operation::Posts);
        assert_eq!(version(), before);
        for operation in [Operation::Chart, Operation::Coins] {
            let before = version();
            changes.changed(operation);
            assert_ne!(version(), before);
        }
        let before = version();
        changes.all_changed();
        assert_ne!(version(), before);
    }
}
