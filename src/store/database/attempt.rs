//! A save that was reported as failed, although it may have been committed.

use rusqlite::Transaction;

use crate::store::tables;
use crate::user_data::{Alert, AlertId, Change, Lot, LotId};

/// The lots and alerts that a save has added, as they were at its end. Those that are there at the next save were
/// committed, and must not be added again.
#[derive(Clone, Debug, Default)]
pub(super) struct Attempt(Vec<(Change, Added)>);

#[derive(Clone, Debug)]
enum Added {
    Lot(Box<Lot>),
    Alert(Box<Alert>),
}

impl Attempt {
    /// What a save has added, by the changes and their IDs.
    pub(super) fn of(transaction: &Transaction<'_>, added: Vec<(Change, i64)>) -> Attempt {
        let stored = |(change, id): (Change, i64)| {
            let added = match &change {
                Change::AddLot(_) => Added::Lot(Box::new(tables::stored_lot(transaction, LotId(id)).ok()??)),
                Change::AddAlert(_) | Change::RestoreAlert(..) => {
                    Added::Alert(Box::new(tables::stored_alert(transaction, AlertId(id)).ok()??))
                }
                _ => return None,
            };
            Some((change, added))
        };
        Attempt(added.into_iter().filter_map(stored).collect())
    }

    /// The ID of the lot or alert that a change added, if it is in the database. Each ID is returned only once.
    pub(super) fn take_committed(&mut self, transaction: &Transaction<'_>, change: &Change) -> Option<i64> {
        let place = self.0.iter().position(|(attempted, added)| attempted == change && added.is_in(transaction))?;
        Some(match self.0.remove(place).1 {
            Added::Lot(lot) => lot.id.0,
            Added::Alert(alert) => alert.id.0,
        })
    }
}

impl Added {
    /// Whether it is in the database. If it was not committed, another process may have added something else under its
    /// ID.
    fn is_in(&self, transaction: &Transaction<'_>) -> bool {
        match self {
            Added::Lot(lot) => {
                matches!(tables::stored_lot(transaction, lot.id), Ok(Some(known)) if known == **lot)
            }
            // Another process may have checked it.
            Added::Alert(alert) => {
                let known = tables::stored_alert(transaction, alert.id);
                matches!(known, Ok(Some(known)) if known.rule == alert.rule && known.once == alert.once)
            }
        }
    }
}
