//! The writer thread.

mod leases;

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::Instant;

use super::database::Database;
use super::error::Error;
use super::lock::LOCK_TIMEOUT;
use super::read::read_all;
use super::shared::SharedDatabase;
use crate::model::UtcTime;
use crate::user_data::alert::{Checker, DataKind, PerKind};
use crate::user_data::assigned_ids::AssignedIds;
use crate::user_data::{self, AlertId, Change, LotId, SessionEntries, StoreNotice, UserData};

use leases::AlertLeases;

/// How long quitting waits for the last write. Another process may hold the lock indefinitely, for example while
/// stopped.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

/// Minimum interval between checks for changes by other processes while keys and data arrive.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// How long a retry at a wakeup waits for a lock. New changes would wait for it, too.
const RETRY_TIMEOUT: Duration = Duration::from_millis(100);

/// What the writer thread reports.
#[derive(Clone, Debug)]
pub enum Event {
    /// The user data as read from the store, at the start and after another process changed them.
    Loaded(Box<UserData>),
    /// The change with this number is saved, or not.
    Saved(u64, Result<(), StoreNotice>),
    /// The numbers given to new lots and alerts. It follows [`Event::Saved`] of their changes.
    Numbered(AssignedIds),
    /// The change with this number is a firing that another process had recorded before. [`Event::Saved`] follows.
    FiredElsewhere(u64),
    /// Which process checks the alerts on a kind of data, when that changes.
    AlertLease {
        /// The kind of data.
        kind: DataKind,
        /// Who checks them.
        checker: Checker,
    },
    /// Changes can't be saved.
    Failed(StoreNotice),
    /// Something happened to the saved data.
    Note(StoreNotice),
    /// A change could not be undone, in one sentence.
    NotUndone(String),
    /// The edit with this number was not applied, in one sentence: another process has removed its subject.
    /// [`Event::Saved`] and [`Event::Loaded`] follow.
    NotEdited(u64, String),
}

/// Handle of the writer thread, which loads the data at the start and then waits for jobs.
#[derive(Debug)]
pub struct Writer {
    jobs: Option<Sender<Job>>,
    /// Closed by the thread when it ends.
    done: Receiver<()>,
    events: UnboundedReceiver<Event>,
    polled: Polled,
    /// The kinds of data in use, as last sent to the thread.
    kinds: PerKind<bool>,
}

/// Time of the last check for changes by other processes.
#[derive(Debug)]
struct Polled {
    at: Instant,
    minute: i64,
}

/// Minutes since 1970.
fn minute(now: UtcTime) -> i64 {
    now.millis().div_euclid(60_000)
}

/// A job of the thread.
#[derive(Debug)]
enum Job {
    /// Save a change and confirm it by its number.
    Save(u64, Change),
    /// Save the session without confirmation.
    Session(SessionEntries),
    /// Load changes by other processes.
    Poll,
    /// Check the alerts on these kinds of data.
    CheckAlerts(PerKind<bool>),
}

impl Writer {
    /// Starts the thread. Without a state directory nothing is saved, which is reported at the start and for every
    /// change.
    pub fn start(database: SharedDatabase, now: UtcTime) -> Writer {
        let ((jobs, inbox), (end, done), (send, events)) = (channel(), channel(), unbounded_channel());
        let mut worker = Worker {
            database,
            unsaved: Vec::new(),
            events: send.clone(),
            leases: AlertLeases::new(),
            unreadable: Vec::new(),
            reported_ids: AssignedIds::default(),
        };
        let work = move || {
            worker.run(&inbox);
            // The database is closed before the channel.
            worker.database.close();
            drop::<Sender<()>>(end);
        };
        if let Err(error) = thread::Builder::new().name(String::from("store")).spawn(work) {
            // The channels are closed, so each change fails as well.
            let _ = send
                .send(Event::Failed(StoreNotice::from(format!("Can't save changes: can't start a thread ({error})"))));
        }
        let polled = Polled { at: Instant::now(), minute: minute(now) };
        Writer { jobs: Some(jobs), done, events, polled, kinds: PerKind::default() }
    }

    /// Sets the kinds of data with which this process can check alerts. It takes their leases while such alerts are on,
    /// and [`Event::AlertLease`] follows. Before this is called, it takes none.
    pub fn check_alerts(&mut self, kinds: PerKind<bool>) {
        if kinds != self.kinds {
            self.kinds = kinds;
            self.send(Job::CheckAlerts(kinds));
        }
    }

    /// Saves a change. [`Event::Saved`] with its number confirms it.
    pub fn save(&self, number: u64, change: Change) {
        self.send(Job::Save(number, change));
    }

    /// Called when the loop wakes up. Checks for changes by other processes if the last check was some time ago;
    /// [`Event::Loaded`] follows if there are any. Wakeups by the timer (`is_timer`) are used only once a minute, so
    /// that an idle dashboard rarely wakes this thread.
    pub fn woken(&mut self, is_timer: bool, now: UtcTime) {
        let minute = minute(now);
        let is_due = if is_timer { minute != self.polled.minute } else { self.polled.at.elapsed() >= POLL_INTERVAL };
        if is_due {
            self.polled = Polled { at: Instant::now(), minute };
            self.send(Job::Poll);
        }
    }

    /// Waits for the next event of the thread.
    pub async fn next(&mut self) -> Event {
        match self.events.recv().await {
            Some(event) => event,
            // The thread has ended.
            None => std::future::pending().await,
        }
    }

    /// The next event of the thread, if there is one.
    pub fn try_next(&mut self) -> Option<Event> {
        self.events.try_recv().ok()
    }

    /// Saves the session, if given, ends the thread and waits up to `QUIT_TIMEOUT` for it. Returns error messages
    /// that were not shown yet. `is_saved`: no change is waiting for its confirmation.
    pub fn finish(mut self, session: Option<SessionEntries>, is_saved: bool) -> Vec<String> {
        let has_session = session.is_some();
        session.into_iter().for_each(|session| self.send(Job::Session(session)));
        self.jobs = None;
        let is_late = self.done.recv_timeout(QUIT_TIMEOUT) == Err(RecvTimeoutError::Timeout);
        let mut failures = Vec::new();
        while let Ok(event) = self.events.try_recv() {
            let sentence = match event {
                Event::Saved(_, Err(notice)) | Event::Failed(notice) | Event::Note(notice) => notice.details,
                Event::NotUndone(sentence) | Event::NotEdited(_, sentence) => sentence,
                _ => continue,
            };
            if !failures.contains(&sentence) {
                failures.push(sentence);
            }
        }
        if is_late && (has_session || !is_saved) {
            let what = if is_saved { "Session" } else { "Last changes" };
            failures.push(format!("{what} not saved (disk slow or database locked)"));
        }
        failures
    }

    fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // Closed if the thread panicked, which was already reported.
            let _ = jobs.send(job);
        }
    }
}

/// State of the thread.
struct Worker {
    database: SharedDatabase,
    /// Unsaved changes. They are retried with the next job, at the latest with the next poll.
    unsaved: Vec<(u64, Change)>,
    events: UnboundedSender<Event>,
    leases: AlertLeases,
    /// The unreadable parts at the last load, one sentence each.
    unreadable: Vec<String>,
    /// All numbers reported so far.
    reported_ids: AssignedIds,
}

impl Worker {
    fn run(&mut self, jobs: &Receiver<Job>) {
        if let Err(error) = self.load() {
            self.load_read_only(&error);
        }
        while let Ok(first) = jobs.recv() {
            let (mut changes, mut session) = (Vec::new(), None);
            // All queued changes form one transaction.
            for job in std::iter::once(first).chain(jobs.try_iter()) {
                match job {
                    Job::Save(number, change) => changes.push((number, change)),
                    Job::Session(last) => session = Some(last),
                    Job::Poll => {}
                    Job::CheckAlerts(kinds) => self.leases.set_usable(&kinds),
                }
            }
            changes.iter().for_each(|(_, change)| self.leases.changed(change));
            self.save(changes, session);
            self.load_if_changed();
            self.renew_leases();
        }
        self.leases.release_all(&self.database);
    }

    fn save(&mut self, changes: Vec<(u64, Change)>, session: Option<SessionEntries>) {
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
        let all: Vec<Change> =
            self.unsaved.iter().map(|(_, change)| change.clone()).chain(session.map(Change::Session)).collect();
        let timeout = if new.is_empty() && !has_session { RETRY_TIMEOUT } else { LOCK_TIMEOUT };
        let save = |database: &mut Database| Ok((database.save_each(&all)?, database.assigned_ids().clone()));
        match self.database.with_timeout(timeout, save) {
            Ok((outcomes, ids)) => {
                let must_load = self.unsaved.iter().zip(&outcomes).any(|((number, change), outcome)| {
                    let has_news = |done: bool| is_numbered(change) || (!done && change.removal().is_some());
                    outcome.as_ref().is_ok_and(|done| retried.contains(number) || has_news(*done))
                });
                // A database that was created again may give a new lot the number of an earlier one.
                let saved = self.unsaved.iter().zip(&outcomes).filter(|(_, outcome)| outcome.is_ok());
                saved.for_each(|((_, change), _)| self.reported_ids.forget(change));
                self.saved(new, outcomes);
                self.report_ids(ids);
                // Reports numbered lots and alerts as stored, failed undos, what was removed, and what a retry did.
                if must_load && let Err(error) = self.load() {
                    tracing::debug!(%error, "user data not read");
                }
            }
            // It was reported when it failed first.
            Err(error) if new.is_empty() && !has_session => tracing::debug!(%error, "user data still not saved"),
            Err(error) => {
                tracing::warn!(%error, "user data not saved");
                for number in new {
                    self.send(Event::Saved(number, Err(error.save_notice())));
                }
                // Without a directory, the start has reported it.
                if has_session && !matches!(error, Error::NoDirectory) {
                    self.send(Event::Failed(error.save_notice()));
                }
            }
        }
        self.send_notes();
    }

    /// Reports the outcomes of the unsaved changes, and of the session if there is one more outcome. `new`: the numbers
    /// of changes tried for the first time, and of those that they replaced. Changes whose table is damaged stay
    /// unsaved.
    fn saved(&mut self, new: Vec<u64>, outcomes: Vec<Result<bool, String>>) {
        let mut outcomes = outcomes.into_iter();
        let (mut saved, mut damaged) = (new.clone(), Vec::new());
        for ((number, change), outcome) in std::mem::take(&mut self.unsaved).into_iter().zip(&mut outcomes) {
            match (outcome, &change) {
                (Err(sentence), _) => {
                    if new.contains(&number) {
                        self.send(Event::Saved(number, Err(StoreNotice::from(sentence))));
                    }
                    damaged.push((number, change));
                    continue;
                }
                (Ok(false), Change::AlertFired(..)) => self.send(Event::FiredElsewhere(number)),
                (Ok(false), Change::Undo { made, .. }) => self.send(Event::NotUndone(made.not_undone())),
                (Ok(false), edit) if edit.removal().is_some() => self.send(Event::NotEdited(number, edit.not_saved())),
                (Ok(_), _) => {}
            }
            saved.push(number);
        }
        self.unsaved = damaged;
        saved.retain(|number| self.unsaved.iter().all(|(unsaved, _)| unsaved != number));
        saved.sort_unstable();
        saved.dedup();
        saved.into_iter().for_each(|number| self.send(Event::Saved(number, Ok(()))));
        if let Some(Err(sentence)) = outcomes.next() {
            self.send(Event::Failed(StoreNotice::from(sentence)));
        }
    }

    /// Reports newly assigned numbers.
    fn report_ids(&mut self, ids: AssignedIds) {
        let new = ids.since(&self.reported_ids);
        self.reported_ids = ids;
        if !new.is_empty() {
            self.send(Event::Numbered(new));
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

    /// Loads all data and sends them.
    fn load(&mut self) -> Result<(), Error> {
        let data = self.database.with(Database::load);
        self.send_notes();
        self.loaded(data?);
        Ok(())
    }

    /// Loads the readable data of a database that can't be opened for this reason, and reports the reason.
    fn load_read_only(&mut self, reason: &Error) {
        let read = self.database.directory().map(|directory| read_all(&directory)).transpose();
        let notice = match &read {
            // Without a directory there is nothing to read.
            Err(error) if !error.is_missing() => reason.open_notice(),
            _ => reason.save_notice(),
        };
        if let Ok(Some(data)) = read {
            self.loaded(data);
        }
        self.send(Event::Failed(notice));
    }

    /// Sends loaded data, and reports missing data once.
    fn loaded(&mut self, data: UserData) {
        self.leases.loaded(&data.alerts);
        self.unsaved.iter().for_each(|(_, change)| self.leases.changed(change));
        let is_new = |sentence: &&String| !self.unreadable.contains(sentence);
        data.unreadable
            .iter()
            .filter(is_new)
            .for_each(|sentence| self.send(Event::Note(StoreNotice::from(sentence.clone()))));
        self.unreadable.clone_from(&data.unreadable);
        self.send(Event::Loaded(Box::new(data)));
    }

    /// Takes or renews the leases for checking alerts, and reports which process checks them.
    fn renew_leases(&mut self) {
        for (kind, checker) in self.leases.renew(&self.database) {
            self.send(Event::AlertLease { kind, checker });
        }
    }

    fn send_notes(&mut self) {
        self.database.notes().into_iter().for_each(|note| self.send(Event::Note(note)));
    }

    fn send(&self, event: Event) {
        // Closed if the program is quitting.
        let _ = self.events.send(event);
    }
}

/// Whether the store assigns or has assigned a number in a change, or may not have applied it.
fn is_numbered(change: &Change) -> bool {
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
