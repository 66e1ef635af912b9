//! Saves changes.

use super::Database;
use crate::store::error::{Error, is_local, reason};
use crate::store::tables;
use crate::user_data::Change;

impl Database {
    /// Saves all changes or none. They are on disk when it returns. Returns the indices of the firings that no process
    /// had recorded before, and of the completed undos.
    ///
    /// # Errors
    /// The database can't be written, another process keeps it locked, or a newer version migrated it.
    pub fn save(&mut self, changes: &[Change]) -> Result<Vec<usize>, Error> {
        let outcomes = self.apply(changes, |_, error| Err(error))?;
        let recorded = outcomes.iter().enumerate().filter(|(_, outcome)| matches!(outcome, Ok(true)));
        Ok(recorded.map(|(index, _)| index).collect())
    }

    /// Saves independent changes: one whose table is damaged is skipped, so that it doesn't stop the others. Returns
    /// for each whether [`Database::save`] would return its index, or why it was skipped, in one sentence.
    ///
    /// # Errors
    /// As [`Database::save`]. Then none is saved.
    pub fn save_each(&mut self, changes: &[Change]) -> Result<Vec<Result<bool, String>>, Error> {
        self.apply(changes, |change, error| {
            if !is_local(&error) {
                return Err(error);
            }
            tracing::info!(%error, "change not saved");
            Ok(format!("Can't save {} ({})", tables::name(change), reason(&error)))
        })
    }

    /// Saves changes in one transaction. If one fails, `left_out` returns why it is skipped, or the error of all.
    fn apply(
        &mut self,
        changes: &[Change],
        left_out: impl Fn(&Change, rusqlite::Error) -> rusqlite::Result<String>,
    ) -> Result<Vec<Result<bool, String>>, Error> {
        let before = self.assigned_ids.clone();
        let (ids, outcomes) = self.transact(|transaction| {
            let (mut ids, mut outcomes) = (before.clone(), Vec::new());
            for change in changes {
                transaction.execute_batch("SAVEPOINT one_change")?;
                outcomes.push(match tables::apply(transaction, &ids.with_assigned_id(change)) {
                    Ok(is_recorded) => {
                        ids.add(change, transaction.last_insert_rowid());
                        Ok(is_recorded)
                    }
                    Err(error) => {
                        let reason = left_out(change, error)?;
                        transaction.execute_batch("ROLLBACK TO one_change")?;
                        if tables::apply_essential(transaction, &ids.with_assigned_id(change)).is_err() {
                            transaction.execute_batch("ROLLBACK TO one_change")?;
                        }
                        Err(reason)
                    }
                });
                transaction.execute_batch("RELEASE one_change")?;
            }
            Ok((ids, outcomes))
        })?;
        self.assigned_ids = ids;
        Ok(outcomes)
    }
}
