//! Reads and writes the snapshot on short-lived threads, so that the event loop never waits for the file system and no
//! idle thread remains.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::app::responses::CachedResponse;
use crate::app::{Message, State};
use crate::model::UtcTime;
use crate::snapshot::{Contents, FirstFrame, Snapshot};

/// Minimum interval between writes, and thus how much a crash may lose.
const MIN_INTERVAL: Duration = Duration::from_mins(10);

/// How long the program waits for the last write before it exits.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);

/// Writes the snapshot when responses have arrived.
pub(super) struct SnapshotWriter {
    snapshot: Snapshot,
    /// The rest of the snapshot while it is read.
    rest: Option<oneshot::Receiver<Vec<CachedResponse>>>,
    changed: bool,
    /// What the last written first frame depends on, or the one at the start.
    first: FirstFrame,
    written_at: Option<Instant>,
    last_write: Option<Write>,
}

/// A write in progress, or the last one.
struct Write {
    thread: JoinHandle<()>,
    /// Disconnects when the thread is done; no value is ever sent.
    done: Receiver<()>,
}

impl SnapshotWriter {
    pub(super) fn new(snapshot: Snapshot, state: &State) -> SnapshotWriter {
        let first = FirstFrame::of(state);
        SnapshotWriter { snapshot, rest: None, changed: false, first, written_at: None, last_write: None }
    }

    /// Starts to read the part that the first frame doesn't need. [`SnapshotWriter::next`] returns it.
    pub(super) fn read_rest(&mut self) {
        let snapshot = self.snapshot.clone();
        let (sender, rest) = oneshot::channel();
        self.rest = Some(rest);
        let read = move || {
            // An error means that the source has changed or the program is exiting.
            let _ = sender.send(snapshot.rest(UtcTime::now()));
        };
        if let Err(error) = thread::Builder::new().name(String::from("snapshot")).spawn(read) {
            tracing::warn!(%error, "can't read the snapshot: can't start a thread");
        }
    }

    /// Waits for the rest of the snapshot, if it is being read. Safe to cancel.
    pub(super) async fn next(&mut self) -> Message {
        if let Some(rest) = &mut self.rest {
            let read = rest.await;
            self.rest = None;
            if let Some(rest) = read.ok().filter(|rest| !rest.is_empty()) {
                return Message::Restored(rest);
            }
        }
        std::future::pending().await
    }

    /// The rest of the snapshot, if it has just been read.
    pub(super) fn try_next(&mut self) -> Option<Message> {
        let rest = self.rest.as_mut()?.try_recv().ok()?;
        self.rest = None;
        Some(rest).filter(|rest| !rest.is_empty()).map(Message::Restored)
    }

    /// Starts to write unsaved responses, and continues with the snapshot of another source. A rest of the last one that
    /// is still being read is dropped.
    pub(super) fn switch_to(&mut self, snapshot: Snapshot, state: &State) {
        if self.changed {
            self.write(state);
        }
        // The next write, or the end of the program, waits for this one.
        *self = SnapshotWriter { last_write: self.last_write.take(), ..SnapshotWriter::new(snapshot, state) };
    }

    /// Records that a response has arrived.
    pub(super) fn mark_changed(&mut self) {
        self.changed = true;
    }

    /// Starts a write if responses have arrived, none that the screen needs is loading, and the last write was at
    /// least 10 minutes ago. Called after responses, not by a timer.
    pub(super) fn write_if_due(&mut self, state: &State) {
        let is_due = self.written_at.is_none_or(|at| at.elapsed() >= MIN_INTERVAL);
        if self.changed && is_due && !state.responses.is_loading() {
            self.write(state);
        }
    }

    /// Writes unsaved responses, or the rows of another first frame, and waits for that, at most 500 ms.
    pub(super) fn finish(mut self, state: &State) {
        if self.changed || self.first != FirstFrame::of(state) {
            self.write(state);
        }
        let Some(write) = self.last_write else { return };
        if write.done.recv_timeout(EXIT_TIMEOUT) == Err(RecvTimeoutError::Timeout) {
            tracing::warn!("snapshot not written: the file system is too slow");
        }
    }

    fn write(&mut self, state: &State) {
        self.changed = false;
        self.first = FirstFrame::of(state);
        self.written_at = Some(Instant::now());
        let (snapshot, seen, before) = (self.snapshot.clone(), Contents::from_state(state), self.last_write.take());
        let (end, done) = channel();
        let write = move || {
            let _end = end;
            // Write in order, so that an older snapshot never replaces a newer one.
            let _ = before.map(|write| write.thread.join());
            if let Err(error) = snapshot.save(seen, UtcTime::now()) {
                tracing::warn!(%error, "can't write the snapshot");
            }
        };
        match thread::Builder::new().name(String::from("snapshot")).spawn(write) {
            Ok(thread) => self.last_write = Some(Write { thread, done }),
            Err(error) => tracing::warn!(%error, "can't write the snapshot: can't start a thread"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::app::{Preferences, update};
    use crate::client::ResponseData;
    use crate::config::Settings;
    use crate::fetch::Receipt;
    use crate::keymap::Command;
    use crate::model::{Coin, CoinId, Page, Tag};

    #[test]
    fn snapshot_is_written_at_the_end_if_another_row_is_selected() {
        let home = tempfile::tempdir().unwrap();
        let mut settings = Settings::default();
        settings.dirs.cache = Some(home.path().to_owned());
        let snapshot = Snapshot::new(&settings);
        let now = UtcTime::now();
        let mut state = State::new(Preferences::default(), (80, 24), now);
        let request = state.list(Tag::All).first_request(&state.convert);
        let coin = |id: &str| Coin::new(CoinId(id.into()), id.into(), id.into());
        let response = Arc::new(ResponseData::Coins(Page { items: vec![coin("a"), coin("b")], total: Some(2) }));
        let receipt = Receipt { fetched_at: now, ..Receipt::default() };
        let cached = CachedResponse { request, response, receipt, abridged: false };
        let _ = update(&mut state, Message::Restored(vec![cached]), now);
        SnapshotWriter::new(snapshot.clone(), &state).finish(&state);
        assert_eq!(snapshot.first(now), [], "nothing has changed");
        let snapshot_writer = SnapshotWriter::new(snapshot.clone(), &state);
        let _ = update(&mut state, Message::Command(Command::Down), now);
        snapshot_writer.finish(&state);
        assert_eq!(snapshot.first(now).len(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn snapshot_is_written_at_most_every_ten_minutes() {
        let state = State::new(Preferences::default(), (80, 24), UtcTime::now());
        let mut snapshot_writer = SnapshotWriter::new(Snapshot::new(&Settings::default()), &state);
        let mut times = Vec::new();
        for _second in 0..3_600 {
            snapshot_writer.mark_changed();
            snapshot_writer.write_if_due(&state);
            if snapshot_writer.written_at != times.last().copied() {
                times.extend(snapshot_writer.written_at);
            }
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        assert_eq!(times.len(), 6);
        assert!(times.windows(2).all(|pair| pair[1] - pair[0] >= Duration::from_mins(10)));
    }
}
