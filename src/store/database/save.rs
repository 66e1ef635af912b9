//! Saves changes.

use rusqlite::Transaction;

use super::Database;
use super::attempt::Attempt;
use crate::model::UtcTime;
use crate::store::error::{Error, is_local, reason};
use crate::store::save_outcome::SaveOutcome;
use crate::store::tables;
use crate::user_data::assigned_ids::AssignedIds;
use crate::user_data::{Change, UserData};

impl Database {
    /// Saves all changes or none. They are on disk when it returns. Returns the indices of those that were
    /// [`SaveOutcome::Applied`].
    ///
    /// # Errors
    /// The database can't be written, another process keeps it locked, or a newer version migrated it.
    pub fn save(&mut self, changes: &[Change]) -> Result<Vec<usize>, Error> {
        let outcomes = self.apply(changes, |_, error| Err(error), |_| true)?;
        let applied = outcomes.iter().enumerate().filter(|(_, outcome)| **outcome == SaveOutcome::Applied);
        Ok(applied.map(|(index, _)| index).collect())
    }

    /// Saves independent changes: one whose table is damaged is skipped, so that it doesn't stop the others. Returns
    /// the outcome of each.
    ///
    /// # Errors
    /// As [`Database::save`]. Then none is saved.
    pub fn save_each(&mut self, changes: &[Change]) -> Result<Vec<SaveOutcome>, Error> {
        self.save_each_if(changes, |_| true)
    }

    /// Saves changes like [`Database::save_each`], but `confirm` is called for each change right before it is saved,
    /// unless it has no effect or was applied before; it may be called again after a failure. The outcomes end before the
    /// first change that `confirm` rejects: neither that change nor later ones are saved. Other processes can't write
    /// meanwhile, so `confirm` must not block.
    ///
    /// # Errors
    /// As [`Database::save`]. Then none is saved.
    pub fn save_each_if(
        &mut self,
        changes: &[Change],
        confirm: impl FnMut(&Change) -> bool,
    ) -> Result<Vec<SaveOutcome>, Error> {
        let left_out = |change: &Change, error: rusqlite::Error| {
            if !is_local(&error) {
                return Err(error);
            }
            tracing::info!(%error, "change not saved");
            Ok(format!("Can't save {} ({})", tables::name(change), reason(&error)))
        };
        self.apply(changes, left_out, confirm)
    }

    /// Saves the changes that `decide` derives from the current data. No other process can write between reading them
    /// and saving. If the database turns out to be damaged, `decide` is called again with the repaired one.
    ///
    /// # Errors
    /// As [`Database::save`]. The inner error is the one of `decide`; then nothing is saved.
    pub fn update<E>(
        &mut self,
        mut decide: impl FnMut(&UserData) -> Result<Vec<Change>, E>,
    ) -> Result<Result<(), E>, Error> {
        let before = self.assigned_ids.clone();
        let saved = self.transact(|transaction| {
            Ok(match decide(&tables::load(transaction)?) {
                Ok(changes) => {
                    let (fail, all) = (|_: &Change, error| Err(error), &mut |_: &Change| true);
                    Ok(apply(transaction, before.clone(), Attempt::default(), &changes, fail, all)?.ids)
                }
                Err(refusal) => Err(refusal),
            })
        })?;
        Ok(saved.map(|ids| self.assigned_ids = ids))
    }

    /// Saves changes in one transaction. If one fails, `left_out` returns why it is skipped, or the error of all. See
    /// [`Database::save_each_if`] for `confirm`.
    fn apply(
        &mut self,
        changes: &[Change],
        left_out: impl Fn(&Change, rusqlite::Error) -> rusqlite::Result<String>,
        mut confirm: impl FnMut(&Change) -> bool,
    ) -> Result<Vec<SaveOutcome>, Error> {
        let (before, last) = (self.assigned_ids.clone(), self.attempt.clone());
        let mut attempt = None;
        let saved = self.transact(|transaction| {
            let applied = apply(transaction, before.clone(), last.clone(), changes, &left_out, &mut confirm)?;
            attempt = Some(Attempt::of(transaction, applied.added));
            Ok((applied.ids, applied.outcomes))
        });
        match saved {
            Ok((ids, outcomes)) => {
                (self.assigned_ids, self.attempt) = (ids, Attempt::default());
                Ok(outcomes)
            }
            Err(error) => {
                self.attempt = attempt.unwrap_or(last);
                Err(error)
            }
        }
    }
}

/// Applied changes.
struct Applied {
    /// The assigned IDs.
    ids: AssignedIds,
    /// The outcome of each change.
    outcomes: Vec<SaveOutcome>,
    /// The changes that add a lot or an alert under a temporary ID, and the assigned one.
    added: Vec<(Change, i64)>,
}

/// Applies changes, except additions that the last attempt has committed.
fn apply(
    transaction: &Transaction<'_>,
    mut ids: AssignedIds,
    mut last: Attempt,
    changes: &[Change],
    left_out: impl Fn(&Change, rusqlite::Error) -> rusqlite::Result<String>,
    confirm: &mut dyn FnMut(&Change) -> bool,
) -> rusqlite::Result<Applied> {
    let (mut outcomes, mut added, now) = (Vec::new(), Vec::new(), UtcTime::now());
    for change in changes {
        if let Some(assigned) = last.take_committed(transaction, change) {
            ids.add(change, assigned);
            added.push((change.clone(), assigned));
            outcomes.push(SaveOutcome::Applied);
            continue;
        }
        transaction.execute_batch("SAVEPOINT one_change")?;
        let undo = || transaction.execute_batch("ROLLBACK TO one_change");
        outcomes.push(match tables::apply(transaction, &ids.with_assigned_id(change), now) {
            Ok(true) if !confirm(change) => {
                undo()?;
                break;
            }
            Ok(has_effect) => {
                let assigned = transaction.last_insert_rowid();
                if ids.add(change, assigned) {
                    added.push((change.clone(), assigned));
                }
                if has_effect { SaveOutcome::Applied } else { SaveOutcome::NoEffect }
            }
            Err(error) => {
                let reason = left_out(change, error)?;
                undo()?;
                if !confirm(change) {
                    break;
                }
                if tables::apply_essential(transaction, &ids.with_assigned_id(change), now).is_err() {
                    undo()?;
                }
                SaveOutcome::Skipped(reason)
            }
        });
        transaction.execute_batch("RELEASE one_change")?;
    }
    Ok(Applied { ids, outcomes, added })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::user_data::Watched;

    #[test]
    fn update_decides_by_what_another_process_has_saved() {
        let directory = tempfile::tempdir().unwrap();
        let mut own = Database::open(directory.path()).unwrap();
        let mut other = Database::open(directory.path()).unwrap();
        own.load().unwrap();
        let watch = |symbol| Change::Watch(Watched::by_symbol(symbol));
        other.save(&[watch("ORDI")]).unwrap();
        let mut add = |symbol: &'static str| {
            own.update(|data| {
                let is_known = data.watchlist.added.iter().any(|coin| coin.symbol == symbol);
                if is_known { Err(format!("{symbol} is known")) } else { Ok(vec![watch(symbol)]) }
            })
        };
        assert_eq!(add("ORDI").unwrap(), Err(String::from("ORDI is known")));
        assert_eq!(add("SATS").unwrap(), Ok(()));
        let added: Vec<String> =
            other.load().unwrap().watchlist.added.iter().map(|coin| coin.symbol.to_string()).collect();
        assert_eq!(added, ["ORDI", "SATS"]);
    }
}
