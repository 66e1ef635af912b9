//! The thread that writes.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::Instant;

use super::{Database, Error};
use crate::app::{Change, Message, Session};
use crate::model::UtcTime;

/// How long quitting waits for the last write: another process may hold the lock for as long as it likes, for instance
/// while it is stopped.
const PATIENCE: Duration = Duration::from_secs(1);

/// How far looks for changes by other processes are apart at least, while keys and data arrive.
const SPACING: Duration = Duration::from_secs(2);

/// The thread's other end. It reads once at the start, then waits for work and uses no CPU.
#[derive(Debug)]
pub struct Writer {
    jobs: Option<Sender<Job>>,
    /// Nothing is sent; the thread drops its end when it is done.
    done: Receiver<()>,
    messages: UnboundedReceiver<Message>,
    polled: Polled,
}

/// When it was last looked for changes by other processes.
#[derive(Debug)]
struct Polled {
    at: Instant,
    minute: i64,
}

/// Minutes since 1970.
fn minute(now: UtcTime) -> i64 {
    now.millis().div_euclid(60_000)
}

/// What the thread does.
#[derive(Debug)]
enum Job {
    /// Save a change and confirm its number.
    Save(u64, Change),
    /// Save the session. Nobody waits for it.
    Session(Session),
    /// Load what other processes changed.
    Poll,
}

impl Writer {
    /// Starts the thread for the database of a state directory. Without a directory nothing is saved, which is said at
    /// the start and of every change.
    pub fn start(directory: Option<PathBuf>, now: UtcTime) -> Writer {
        let ((jobs, inbox), (end, done), (send, messages)) = (channel(), channel(), unbounded_channel());
        let mut worker = Worker { directory, database: None, unsaved: Vec::new(), messages: send.clone() };
        let work = move || {
            worker.run(&inbox);
            // Closing the database is part of the work.
            drop(worker);
            drop::<Sender<()>>(end);
        };
        if let Err(error) = thread::Builder::new().name(String::from("store")).spawn(work) {
            // The channels are closed now, so each change fails as well.
            let _ = send.send(Message::EffectFailed(format!("Can't save changes: can't start a thread ({error})")));
        }
        Writer { jobs: Some(jobs), done, messages, polled: Polled { at: Instant::now(), minute: minute(now) } }
    }

    /// Saves a change; [`Message::Saved`] with its number follows.
    pub fn save(&self, number: u64, change: Change) {
        self.send(Job::Save(number, change));
    }

    /// The loop woke up. Looks for changes by other processes if the last look was some time ago; [`Message::Loaded`]
    /// follows where there are any. Of the wakeups by the clock (`rang`) only one a minute is used, so an idle dashboard
    /// wakes this thread no more often.
    pub fn woken(&mut self, rang: bool, now: UtcTime) {
        let minute = minute(now);
        let is_due = if rang { minute != self.polled.minute } else { self.polled.at.elapsed() >= SPACING };
        if is_due {
            self.polled = Polled { at: Instant::now(), minute };
            self.send(Job::Poll);
        }
    }

    /// Waits for the thread's next message.
    pub async fn next(&mut self) -> Message {
        match self.messages.recv().await {
            Some(message) => message,
            // The thread is gone, and says no more.
            None => std::future::pending().await,
        }
    }

    /// Saves the session if there is one, ends the thread and waits for it, but not for long. What failed and was not shown comes back
    /// in sentences. `is_saved`: no change waits for its confirmation.
    pub fn finish(mut self, session: Option<Session>, is_saved: bool) -> Vec<String> {
        session.into_iter().for_each(|session| self.send(Job::Session(session)));
        self.jobs = None;
        let is_late = self.done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout);
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
            // Closed: the thread died, which its panic has said.
            let _ = jobs.send(job);
        }
    }
}

/// What the thread works with.
struct Worker {
    directory: Option<PathBuf>,
    database: Option<Database>,
    /// What could not be saved so far. It is tried again with the next change.
    unsaved: Vec<(u64, Change)>,
    messages: UnboundedSender<Message>,
}

impl Worker {
    fn run(&mut self, jobs: &Receiver<Job>) {
        if let Err(error) = self.load() {
            self.say(Message::EffectFailed(error.not_saved()));
        }
        while let Ok(first) = jobs.recv() {
            let (mut changes, mut session) = (Vec::new(), None);
            // All that waits is one transaction.
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
                saved.into_iter().for_each(|number| self.say(Message::Saved(number, Ok(()))));
            }
            Err(error) => {
                tracing::warn!(%error, "user data not saved");
                for number in new {
                    self.say(Message::Saved(number, Err(error.not_saved())));
                }
            }
        }
        self.say_notes();
    }

    fn load_if_changed(&mut self) {
        let is_changed = match &mut self.database {
            Some(database) => database.is_changed(),
            // It may have come to exist, or to be readable.
            None => Ok(self.directory.is_some()),
        };
        if let Err(error) = is_changed.and_then(|is_changed| if is_changed { self.load() } else { Ok(()) }) {
            tracing::debug!(%error, "user data not read");
        }
    }

    /// Reads all and hands it on.
    fn load(&mut self) -> Result<(), Error> {
        let data = self.database().and_then(Database::load);
        self.say_notes();
        self.say(Message::Loaded(Box::new(data?)));
        Ok(())
    }

    /// The database, opened where it is not open yet.
    fn database(&mut self) -> Result<&mut Database, Error> {
        let directory = self.directory.as_ref().ok_or(Error::NoDirectory)?;
        match &mut self.database {
            Some(database) => Ok(database),
            none => Ok(none.insert(Database::open(directory)?)),
        }
    }

    fn say_notes(&mut self) {
        let notes = self.database.as_mut().map(Database::notes).unwrap_or_default();
        notes.into_iter().for_each(|note| self.say(Message::EffectFailed(note)));
    }

    fn say(&self, message: Message) {
        // Closed: the program is ending.
        let _ = self.messages.send(message);
    }
}
