//! The writer thread.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::Instant;

use super::database::Database;
use super::error::Error;
use crate::app::{Change, Message, Session};
use crate::model::UtcTime;

/// How long quitting waits for the last write. Another process may hold the lock indefinitely, for example while
/// stopped.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

/// Minimum interval between checks for changes by other processes while keys and data arrive.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Handle of the writer thread, which loads the data at the start and then waits for jobs.
#[derive(Debug)]
pub struct Writer {
    jobs: Option<Sender<Job>>,
    /// Closed by the thread when it ends.
    done: Receiver<()>,
    messages: UnboundedReceiver<Message>,
    polled: Polled,
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
    Session(Session),
    /// Load changes by other processes.
    Poll,
}

impl Writer {
    /// Starts the thread for the database of a state directory. Without a directory, nothing is saved, which is
    /// reported at the start and for every change.
    pub fn start(directory: Option<PathBuf>, now: UtcTime) -> Writer {
        let ((jobs, inbox), (end, done), (send, messages)) = (channel(), channel(), unbounded_channel());
        let mut worker = Worker { directory, database: None, unsaved: Vec::new(), messages: send.clone() };
        let work = move || {
            worker.run(&inbox);
            // The database is closed before the channel.
            drop(worker);
            drop::<Sender<()>>(end);
        };
        if let Err(error) = thread::Builder::new().name(String::from("store")).spawn(work) {
            // The channels are closed, so each change fails as well.
            let _ = send.send(Message::EffectFailed(format!("Can't save changes: can't start a thread ({error})")));
        }
        Writer { jobs: Some(jobs), done, messages, polled: Polled { at: Instant::now(), minute: minute(now) } }
    }

    /// Saves a change. [`Message::Saved`] with its number confirms it.
    pub fn save(&self, number: u64, change: Change) {
        self.send(Job::Save(number, change));
    }

    /// Called when the loop wakes up. Checks for changes by other processes if the last check was some time ago;
    /// [`Message::Loaded`] follows if there are any. Wakeups by the timer (`is_timer`) are used only once a minute, so
    /// that an idle dashboard rarely wakes this thread.
    pub fn woken(&mut self, is_timer: bool, now: UtcTime) {
        let minute = minute(now);
        let is_due = if is_timer { minute != self.polled.minute } else { self.polled.at.elapsed() >= POLL_INTERVAL };
        if is_due {
            self.polled = Polled { at: Instant::now(), minute };
            self.send(Job::Poll);
        }
    }

    /// Waits for the next message of the thread.
    pub async fn next(&mut self) -> Message {
        match self.messages.recv().await {
            Some(message) => message,
            // The thread has ended.
            None => std::future::pending().await,
        }
    }

    /// Saves the session, if given, ends the thread and waits up to `QUIT_TIMEOUT` for it. Returns error messages
    /// that were not shown yet. `is_saved`: no change is waiting for its confirmation.
    pub fn finish(mut self, session: Option<Session>, is_saved: bool) -> Vec<String> {
        session.into_iter().for_each(|session| self.send(Job::Session(session)));
        self.jobs = None;
        let is_late = self.done.recv_timeout(QUIT_TIMEOUT) == Err(RecvTimeoutError::Timeout);
        let mut failures = Vec::new();
        while let Ok(message) = self.messages.try_recv() {
            if let Message::Saved(_, Err(sentence)) | Message::EffectFailed(sentence) = message {
                failures.push(sentence);
            }
        }
        if is_late && !is_saved {
            failures.push(String::from("Last changes not saved (disk slow or database locked)"));
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
    directory: Option<PathBuf>,
    database: Option<Database>,
    /// Unsaved changes. They are retried with the next one.
    unsaved: Vec<(u64, Change)>,
    messages: UnboundedSender<Message>,
}

impl Worker {
    fn run(&mut self, jobs: &Receiver<Job>) {
        if let Err(error) = self.load() {
            self.send(Message::EffectFailed(error.save_message()));
        }
        while let Ok(first) = jobs.recv() {
            let (mut changes, mut session) = (Vec::new(), None);
            // All queued changes form one transaction.
            for job in std::iter::once(first).chain(jobs.try_iter()) {
                match job {
                    Job::Save(number, change) => changes.push((number, change)),
                    Job::Session(last) => session = Some(last),
                    Job::Poll => {}
                }
            }
            self.save(changes, session);
            self.load_if_changed();
        }
    }

    fn save(&mut self, changes: Vec<(u64, Change)>, session: Option<Session>) {
        if changes.is_empty() && session.is_none() {
            return;
        }
        let new: Vec<u64> = changes.iter().map(|(number, _)| *number).collect();
        for (number, change) in changes {
            self.unsaved.retain(|(_, earlier)| !change.replaces(earlier));
            self.unsaved.push((number, change));
        }
        let all: Vec<Change> =
            self.unsaved.iter().map(|(_, change)| change.clone()).chain(session.map(Change::Session)).collect();
        match self.database().and_then(|database| database.save(&all)) {
            Ok(()) => {
                let failed_before = std::mem::take(&mut self.unsaved).into_iter().map(|(number, _)| number);
                let mut saved: Vec<u64> = failed_before.chain(new).collect();
                saved.sort_unstable();
                saved.dedup();
                saved.into_iter().for_each(|number| self.send(Message::Saved(number, Ok(()))));
            }
            Err(error) => {
                tracing::warn!(%error, "user data not saved");
                for number in new {
                    self.send(Message::Saved(number, Err(error.save_message())));
                }
            }
        }
        self.send_notes();
    }

    fn load_if_changed(&mut self) {
        let is_changed = match &mut self.database {
            Some(database) => database.is_changed(),
            // It may exist or be readable now.
            None => Ok(self.directory.is_some()),
        };
        if let Err(error) = is_changed.and_then(|is_changed| if is_changed { self.load() } else { Ok(()) }) {
            tracing::debug!(%error, "user data not read");
        }
    }

    /// Loads all data and sends them.
    fn load(&mut self) -> Result<(), Error> {
        let data = self.database().and_then(Database::load);
        self.send_notes();
        self.send(Message::Loaded(Box::new(data?)));
        Ok(())
    }

    /// Returns the database and opens it if necessary.
    fn database(&mut self) -> Result<&mut Database, Error> {
        let directory = self.directory.as_ref().ok_or(Error::NoDirectory)?;
        match &mut self.database {
            Some(database) => Ok(database),
            none => Ok(none.insert(Database::open(directory)?)),
        }
    }

    fn send_notes(&mut self) {
        let notes = self.database.as_mut().map(Database::notes).unwrap_or_default();
        notes.into_iter().for_each(|note| self.send(Message::EffectFailed(note)));
    }

    fn send(&self, message: Message) {
        // Closed if the program is quitting.
        let _ = self.messages.send(message);
    }
}
