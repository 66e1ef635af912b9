//! Saves changes in a thread of its own.

mod event;
mod finished;
mod leases;
mod worker;

use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep, timeout};

use super::files;
use super::lock::LOCK_TIMEOUT;
use super::shared::SharedDatabase;
use crate::model::UtcTime;
use crate::user_data::alert::PerKind;
use crate::user_data::{Change, SessionEntries, StoreNotice};

pub use event::Event;
pub use finished::Finished;
use worker::{Job, Worker};

/// How long quitting waits for the last write: the lock timeout, plus a second to report a failure. Another process may
/// hold the lock indefinitely, for example while stopped.
const QUIT_TIMEOUT: Duration = LOCK_TIMEOUT.saturating_add(Duration::from_secs(1));

/// How long quitting waits before the user is told why.
const QUIET_WAIT: Duration = Duration::from_secs(1);

/// Minimum interval between checks for changes by other processes while keys and data arrive.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Handle of the writer thread, which loads the data at the start and then waits for jobs.
#[derive(Debug)]
pub struct Writer {
    jobs: Option<Sender<Job>>,
    /// The database, if there is a state directory.
    path: Option<PathBuf>,
    /// Closed by the thread when it ends.
    done: oneshot::Receiver<()>,
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

impl Writer {
    /// Starts the thread. Without a state directory nothing is saved, which is reported at the start and for every
    /// change.
    pub fn start(database: SharedDatabase, now: UtcTime) -> Writer {
        let ((jobs, inbox), (end, done), (send, events)) = (channel(), oneshot::channel(), unbounded_channel());
        let path = database.directory().map(|directory| directory.join(files::FILE));
        let worker = Worker::new(database, send.clone());
        let work = move || {
            worker.run(&inbox);
            // The database is closed before the channel.
            drop::<oneshot::Sender<()>>(end);
        };
        if let Err(error) = thread::Builder::new().name(String::from("store")).spawn(work) {
            // The channels are closed, so each change fails as well.
            let _ = send.send(Event::Failed(StoreNotice::from(StoreNotice::cant_save(format_args!(
                "can't start a thread ({error})"
            )))));
        }
        let polled = Polled { at: Instant::now(), minute: minute(now) };
        Writer { jobs: Some(jobs), path, done, events, polled, kinds: PerKind::default() }
    }

    /// Sets the kinds of data with which this process can check alerts. It takes their leases while such alerts are on,
    /// and [`Event::AlertLease`] follows. Before this is called, it takes none.
    pub fn set_alert_kinds(&mut self, kinds: PerKind<bool>) {
        if kinds != self.kinds {
            self.kinds = kinds;
            self.send(Job::SetAlertKinds(kinds));
        }
    }

    /// Saves a change. [`Event::Saved`] with its number confirms it.
    pub fn save(&self, number: u64, change: Change) {
        self.send(Job::Save(number, change));
    }

    /// Saves the session without confirmation. [`Writer::finish`] saves the last one, and reports if that fails.
    pub fn save_session(&self, session: SessionEntries) {
        self.send(Job::Session { entries: session, is_last: false });
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

    /// Saves the session, if given, and with `must_retry` the changes that could not be saved; then ends the thread and
    /// waits up to `QUIT_TIMEOUT` for it. If that takes a while, `waiting` is called once with the reason, as a sentence,
    /// and the wait also ends with `stop`, which is polled only then.
    pub async fn finish(
        mut self,
        session: Option<SessionEntries>,
        must_retry: bool,
        waiting: impl FnOnce(&str),
        stop: impl Future<Output = ()>,
    ) -> Finished {
        match session {
            // Earlier changes are saved with it.
            Some(entries) => self.send(Job::Session { entries, is_last: true }),
            None if must_retry => self.send(Job::Poll),
            None => {}
        }
        self.jobs = None;
        let mut late = None;
        // Usually it ends within milliseconds, so a signal that arrives twice loses nothing.
        if timeout(QUIET_WAIT, &mut self.done).await.is_err() {
            let path = self.path.as_ref().map_or(files::FILE.into(), |path| path.display().to_string());
            let reason = "disk slow or database locked by another process";
            waiting(&format!("waiting to save changes to {path} ({reason}) · press Ctrl-C to quit without saving"));
            let is_late = tokio::select! {
                biased;
                _ = &mut self.done => false,
                () = stop => true,
                () = sleep(QUIT_TIMEOUT.saturating_sub(QUIET_WAIT)) => true,
            };
            late = is_late.then(|| format!("Can't write {path} ({reason})"));
        }
        Finished::new(late, std::iter::from_fn(|| self.events.try_recv().ok()))
    }

    fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // Closed if the thread panicked, which was already reported.
            let _ = jobs.send(job);
        }
    }
}
