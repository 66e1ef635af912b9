//! The writer thread.

use std::sync::mpsc::Receiver;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;

use super::event::Event;
use super::leases::AlertLeases;
use crate::store::database::Database;
use crate::store::error::Error;
use crate::store::lock::LOCK_TIMEOUT;
use crate::store::read::read_all;
use crate::store::save_outcome::SaveOutcome;
use crate::store::shared::SharedDatabase;
use crate::user_data::alert::PerKind;
use crate::user_data::assigned_ids::AssignedIds;
use crate::user_data::{self, AlertId, Change, LotId, SessionEntries, StoreNotice, Unreadable, UserData};

/// How long a retry at a wakeup waits for a lock. New changes would wait for it, too.
const RETRY_TIMEOUT: Duration = Duration::from_millis(100);

/// A job of the thread.
#[derive(Debug)]
pub(super) enum Job {
    /// Save a change and confirm it by its number.
    Save(u64, Change),
    /// Save the session without confirmation. A failure is reported if it is the last one of the run.
    Session { entries: SessionEntries, is_last: bool },
    /// Load changes by other processes.
    Poll,
    /// Set the kinds of data with which this process can check alerts.
    SetAlertKinds(PerKind<bool>),
}

/// State of the thread.
pub(super) struct Worker {
    database: SharedDatabase,
    /// Unsaved changes. They are retried with the next job, at the latest with the next poll.
    unsaved: Vec<(u64, Change)>,
    events: UnboundedSender<Event>,
    leases: AlertLeases,
    /// Whether there may be user data, but none could be read.
    is_unread: bool,
    /// The unreadable parts at the last load.
    unreadable: Vec<Unreadable>,
    /// All IDs reported so far.
    reported_ids: AssignedIds,
}

impl Worker {
    /// The state before anything is loaded.
    pub(super) fn new(database: SharedDatabase, events: UnboundedSender<Event>) -> Worker {
        Worker {
            database,
            unsaved: Vec::new(),
            events,
            leases: AlertLeases::new(),
            is_unread: false,
            unreadable: Vec::new(),
            reported_ids: AssignedIds::default(),
        }
    }

    /// Loads the data and works on jobs until no more can arrive. Closes the database.
    pub(super) fn run(mut self, jobs: &Receiver<Job>) {
        if let Err(error) = self.load() {
            self.load_read_only(&error);
        }
        while let Ok(first) = jobs.recv() {
            let (mut changes, mut session) = (Vec::new(), None);
            // All queued changes form one transaction.
            for job in std::iter::once(first).chain(jobs.try_iter()) {
                match job {
                    Job::Save(number, change) => {
                        // It replaces the earlier session, which would be saved after it.
                        if matches!(change, Change::Session(_)) {
                            session = None;
                        }
                        changes.push((number, change));
                    }
                    Job::Session { entries, is_last } => session = Some((entries, is_last)),
                    Job::Poll => {}
                    Job::SetAlertKinds(kinds) => self.leases.set_usable(&kinds),
                }
            }
            changes.iter().for_each(|(_, change)| self.leases.changed(change));
            self.save(changes, session);
            self.load_if_changed();
            self.renew_leases();
        }
        self.leases.release_all(&self.database);
        self.database.close();
    }

    /// Saves changes and the session. The flag says whether it is the last session of the run.
    fn save(&mut self, changes: Vec<(u64, Change)>, session: Option<(SessionEntries, bool)>) {
        if changes.is_empty() && session.is_none() && self.unsaved.is_empty() {
            return;
        }
        // A commit may have succeeded although it was reported as failed. Applying the changes again
        // may give a different result.
        let retried: Vec<u64> = self.unsaved.iter().map(|(number, _)| *number).collect();
        let new: Vec<u64> = changes.iter().map(|(number, _)| *number).collect();
        for (number, change) in changes {
            user_data::queue(&mut self.unsaved, number, change);
        }
        let has_session = session.is_some();
        let has_last_session = session.as_ref().is_some_and(|(_, is_last)| *is_last);
        let session = session.map(|(entries, _)| Change::Session(entries));
        let all: Vec<Change> = self.unsaved.iter().map(|(_, change)| change.clone()).chain(session).collect();
        let timeout = if new.is_empty() && !has_session { RETRY_TIMEOUT } else { LOCK_TIMEOUT };
        let save = |database: &mut Database| Ok((database.save_each(&all)?, database.assigned_ids().clone()));
        match self.database.with_timeout(timeout, save) {
            Ok((outcomes, ids)) => {
                let must_load = self.unsaved.iter().zip(&outcomes).any(|((number, change), outcome)| {
                    let has_news = match outcome {
                        SaveOutcome::Applied => false,
                        SaveOutcome::NoEffect => change.removal().is_some(),
                        SaveOutcome::Skipped(_) => return false,
                    };
                    has_news || may_assign_id(change) || retried.contains(number)
                });
                // A database that was created again may give a new lot the ID of an earlier one.
                let is_saved = |outcome: &SaveOutcome| !matches!(outcome, SaveOutcome::Skipped(_));
                let saved = self.unsaved.iter().zip(&outcomes).filter(|(_, outcome)| is_saved(outcome));
                saved.for_each(|((_, change), _)| self.reported_ids.forget(change));
                self.saved(new, outcomes, has_last_session);
                self.report_ids(ids);
                // Reports lots and alerts with new IDs as stored, failed undos, what was removed, and what a retry did.
                if must_load && let Err(error) = self.load() {
                    tracing::debug!(%error, "user data not read");
                }
            }
            // It was reported when it failed first.
            Err(error) if new.is_empty() && !has_last_session => tracing::debug!(%error, "user data still not saved"),
            Err(error) => {
                tracing::warn!(%error, "user data not saved");
                // The first message must not be replaced with one that hides that nothing was read.
                let notice = if self.is_unread { error.open_notice() } else { error.save_notice() };
                for number in new {
                    self.send(Event::Saved(number, Err(notice.clone())));
                }
                // Without a directory, the start has reported it.
                if has_last_session && !matches!(error, Error::NoDirectory) {
                    self.send(Event::Failed(notice));
                }
            }
        }
        self.send_notices();
    }

    /// Reports the outcomes of the unsaved changes, and with `has_last_session` of the session, which has one more
    /// outcome. `new`: the numbers of changes tried for the first time, and of those that they replaced. Changes whose
    /// table is damaged stay unsaved.
    fn saved(&mut self, new: Vec<u64>, outcomes: Vec<SaveOutcome>, has_last_session: bool) {
        let mut outcomes = outcomes.into_iter();
        let (mut saved, mut damaged) = (new.clone(), Vec::new());
        for ((number, change), outcome) in std::mem::take(&mut self.unsaved).into_iter().zip(&mut outcomes) {
            match (outcome, &change) {
                (SaveOutcome::Skipped(sentence), _) => {
                    if new.contains(&number) {
                        self.send(Event::Saved(number, Err(StoreNotice::from(sentence))));
                    }
                    damaged.push((number, change));
                    continue;
                }
                (SaveOutcome::NoEffect, Change::AlertFired(..)) => self.send(Event::FiredElsewhere(number)),
                (SaveOutcome::NoEffect, Change::Undo { made, .. }) => {
                    self.send(Event::NotUndone(made.not_undone_in_store()));
                }
                (SaveOutcome::NoEffect, edit) if edit.removal().is_some() => {
                    self.send(Event::NotEdited(number, edit.not_saved()));
                }
                (SaveOutcome::Applied | SaveOutcome::NoEffect, _) => {}
            }
            saved.push(number);
        }
        self.unsaved = damaged;
        saved.retain(|number| self.unsaved.iter().all(|(unsaved, _)| unsaved != number));
        saved.sort_unstable();
        saved.dedup();
        saved.into_iter().for_each(|number| self.send(Event::Saved(number, Ok(()))));
        if has_last_session && let Some(SaveOutcome::Skipped(sentence)) = outcomes.next() {
            self.send(Event::Failed(StoreNotice::from(sentence)));
        }
    }

    /// Reports newly assigned IDs.
    fn report_ids(&mut self, ids: AssignedIds) {
        let new = ids.since(&self.reported_ids);
        self.reported_ids = ids;
        if !new.is_empty() {
            self.send(Event::IdsAssigned(new));
        }
    }

    fn load_if_changed(&mut self) {
        // It may exist or be readable now, if it could not be opened before.
        if let Err(error) = self
            .database
            .with(Database::is_changed)
            .and_then(|is_changed| if is_changed { self.load() } else { Ok(()) })
        {
            tracing::debug!(%error, "user data not read");
        }
    }

    /// Loads all data and sends it.
    fn load(&mut self) -> Result<(), Error> {
        let data = self.database.with(Database::load);
        self.send_notices();
        self.loaded(data?);
        Ok(())
    }

    /// Loads the readable data of a database that can't be opened for this reason, and reports the reason.
    fn load_read_only(&mut self, reason: &Error) {
        let read = self.database.directory().map(|directory| read_all(&directory)).transpose();
        let notice = match &read {
            // Without a directory there is nothing to read.
            Err(error) if !error.is_missing() => {
                self.is_unread = true;
                self.send(Event::Unread(error.short()));
                reason.open_notice()
            }
            _ => reason.save_notice(),
        };
        if let Ok(Some(data)) = read {
            self.loaded(data);
        }
        self.send(Event::Failed(notice));
    }

    /// Sends loaded data, and reports missing data once.
    fn loaded(&mut self, data: UserData) {
        self.is_unread = false;
        self.leases.loaded(&data.alerts);
        self.unsaved.iter().for_each(|(_, change)| self.leases.changed(change));
        let is_new = |about: &&Unreadable| !self.unreadable.contains(about);
        let new = data.unreadable.iter().filter(is_new);
        new.for_each(|about| self.send(Event::Notice(StoreNotice::from(about.sentence.clone()))));
        self.unreadable.clone_from(&data.unreadable);
        self.send(Event::Loaded(Box::new(data)));
    }

    /// Takes or renews the leases for checking alerts, and reports which process checks them.
    fn renew_leases(&mut self) {
        for (kind, checker) in self.leases.renew(&self.database) {
            self.send(Event::AlertLease { kind, checker });
        }
    }

    fn send_notices(&mut self) {
        self.database.take_notices().into_iter().for_each(|notice| self.send(Event::Notice(notice)));
    }

    fn send(&self, event: Event) {
        // Closed if the program is quitting.
        let _ = self.events.send(event);
    }
}

/// Whether the store assigns or has assigned an ID in a change, or may not have applied it.
fn may_assign_id(change: &Change) -> bool {
    match change {
        Change::AddLot(_) | Change::AddAlert(_) | Change::RestoreAlert(..) | Change::Undo { .. } => true,
        Change::EditLot(edit) => edit.after.id < LotId::default(),
        Change::RemoveLot(lot) => lot.id < LotId::default(),
        Change::EditAlert(edit) => edit.after.id < AlertId::default(),
        Change::RemoveAlert(alert) => alert.id < AlertId::default(),
        Change::AlertSignals { id, .. } => *id < AlertId::default(),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
