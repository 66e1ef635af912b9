//! When what was seen is read and written. Both happen on threads of their own, which end with their work: the loop
//! waits for neither, and nothing is left that would wake.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::app::{Message, State};
use crate::model::UtcTime;
use crate::snapshot::{Seen, Snapshot};

/// How far the times of writing are apart at least: what a crash may lose.
const SPACING: Duration = Duration::from_mins(3);

/// The end of the program waits no longer than this for the last writing.
const PATIENCE: Duration = Duration::from_millis(500);

/// Keeps the snapshot.
pub(super) struct Keeper {
    snapshot: Snapshot,
    changed: bool,
    written: Option<Instant>,
    writer: Option<Writer>,
}

/// A thread that writes, or has written.
struct Writer {
    thread: JoinHandle<()>,
    /// Nothing is ever said; its other end goes when the thread is done.
    done: Receiver<()>,
}

impl Keeper {
    pub(super) fn new(snapshot: Snapshot) -> Keeper {
        Keeper { snapshot, changed: false, written: None, writer: None }
    }

    /// Reads what the first frame did not need; it comes as a message.
    pub(super) fn read_rest(&self, said: mpsc::Sender<Message>) {
        let snapshot = self.snapshot.clone();
        let read = move || {
            let rest = snapshot.rest(UtcTime::now());
            if !rest.is_empty() {
                // Nobody listens any more: the program has ended.
                let _ = said.blocking_send(Message::Restored(rest));
            }
        };
        if let Err(error) = thread::Builder::new().name(String::from("snapshot")).spawn(read) {
            tracing::warn!(%error, "the snapshot cannot be read: the system gives no thread");
        }
    }

    /// Notes that something new came.
    pub(super) fn changed(&mut self) {
        self.changed = true;
    }

    /// Writes where something new came, all that the screen needs is there, and the last time is long enough ago. To be
    /// asked when something came, not by the clock.
    pub(super) fn write_if_due(&mut self, state: &State) {
        let is_due = self.written.is_none_or(|at| at.elapsed() >= SPACING);
        if self.changed && is_due && !state.store.is_loading() {
            self.write(state);
        }
    }

    /// Writes what is not written yet and waits for it, but not for long.
    pub(super) fn finish(mut self, state: &State) {
        if self.changed {
            self.write(state);
        }
        let Some(writer) = self.writer else { return };
        if writer.done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            tracing::warn!("the snapshot is not written: the file system is too slow");
        }
    }

    fn write(&mut self, state: &State) {
        self.changed = false;
        self.written = Some(Instant::now());
        let (snapshot, seen, before) = (self.snapshot.clone(), Seen::of(state), self.writer.take());
        let (end, done) = channel();
        let write = move || {
            let _end = end;
            // In order, so that the older of two does not end up on top.
            let _ = before.map(|writer| writer.thread.join());
            if let Err(error) = snapshot.save(seen, UtcTime::now()) {
                tracing::warn!(%error, "the snapshot cannot be written");
            }
        };
        match thread::Builder::new().name(String::from("snapshot")).spawn(write) {
            Ok(thread) => self.writer = Some(Writer { thread, done }),
            Err(error) => tracing::warn!(%error, "the snapshot cannot be written: the system gives no thread"),
        }
    }
}
