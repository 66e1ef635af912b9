//! The watched coins' file: read and written on a thread of its own, in the order of the user's wishes.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, SystemTime};

use tokio::sync::mpsc;

use crate::app::Message;
use crate::app::watch::Watched;
use crate::watchlist::Watchlist;

/// The end of the program waits no longer than this for the last writing: another process may hold the file's lock for
/// as long as it likes, for instance while it is stopped.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is said of a writing that took longer.
const TOO_LATE: &str = "what you watched last is not remembered: the file could not be written in time; another \
                        process may hold its lock, or the disk may be slow; try again";

/// Remembers what is watched.
pub(super) struct Stars {
    watchlist: Watchlist,
    configured: Vec<Watched>,
    seen: Option<SystemTime>,
    said: mpsc::Sender<Message>,
    writer: Option<Writer>,
}

/// A thread that writes.
struct Writer {
    jobs: Sender<Job>,
    /// Nothing is ever said; its other end goes when the thread is done.
    done: Receiver<()>,
}

enum Job {
    /// A coin is watched or is not any more.
    Note(Watched, bool),
    /// The file changed.
    Read,
}

impl Stars {
    /// `configured` is what the configuration says to watch; what comes of the work is said as messages.
    pub(super) fn new(watchlist: Watchlist, configured: Vec<Watched>, said: mpsc::Sender<Message>) -> Stars {
        let seen = watchlist.modified();
        Stars { watchlist, configured, seen, said, writer: None }
    }

    /// Remembers that a coin is watched or is not any more.
    pub(super) fn note(&mut self, coin: Watched, watched: bool) {
        self.send(Job::Note(coin, watched));
    }

    /// Looks whether another instance or a command changed what is watched.
    pub(super) fn look(&mut self) {
        let modified = self.watchlist.modified();
        if modified != self.seen {
            self.seen = modified;
            self.send(Job::Read);
        }
    }

    /// Waits until all is written, but not for long. What is not remembered then comes back as a sentence; what failed
    /// before is said as a message.
    pub(super) fn finish(self) -> Option<String> {
        let Writer { jobs, done } = self.writer?;
        drop(jobs);
        let late = done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout);
        late.then(|| String::from(TOO_LATE))
    }

    fn send(&mut self, job: Job) {
        if self.writer.is_none() {
            let ((jobs, wishes), (end, done)) = (channel(), channel());
            let (list, configured, said) = (self.watchlist.clone(), self.configured.clone(), self.said.clone());
            let work = move || {
                let _end: Sender<()> = end;
                work(&list, &configured, &wishes, &said);
            };
            match thread::Builder::new().name(String::from("stars")).spawn(work) {
                Ok(_) => self.writer = Some(Writer { jobs, done }),
                Err(error) => return self.failed(&format!("the system gives no thread ({error})")),
            }
        }
        if let Some(writer) = &self.writer
            && writer.jobs.send(job).is_err()
        {
            self.failed("its thread died");
        }
    }

    fn failed(&self, why: &str) {
        let sentence = format!("what you watch is not remembered: {why}");
        // Full: the user is told of other things already.
        let _ = self.said.try_send(Message::EffectFailed(sentence));
    }
}

/// Does the jobs in their order. What is watched after several that wait is said once, so that the screen, which is
/// ahead of the file, never falls back. A failure is said at once, for the next job may wait for the lock as long
/// again, and no success within the same batch takes it back.
fn work(list: &Watchlist, configured: &[Watched], jobs: &Receiver<Job>, said: &mpsc::Sender<Message>) {
    while let Ok(first) = jobs.recv() {
        let mut next = Some(first);
        let (mut noted, mut failed, mut last) = (false, false, None);
        while let Some(job) = next {
            let changes = match job {
                Job::Note(coin, watched) => {
                    noted = true;
                    list.note(&coin, watched)
                }
                Job::Read => list.load(),
            };
            match changes {
                Ok(changes) => last = Some(changes),
                Err(error) => {
                    failed = true;
                    // Full: the user is told of other things already.
                    let _ = said.try_send(Message::EffectFailed(error.to_string()));
                }
            }
            next = jobs.try_recv().ok();
        }
        if let Some(changes) = last {
            let watched = changes.over(configured);
            let message = if noted && !failed { Message::Remembered(watched) } else { Message::Watching(watched) };
            let _ = said.try_send(message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(configured: &[&str]) -> (tempfile::TempDir, Watchlist, Stars, mpsc::Receiver<Message>) {
        let directory = tempfile::tempdir().unwrap();
        let list = Watchlist::new(Some(directory.path().to_owned()));
        let (said, heard) = mpsc::channel(64);
        let configured = configured.iter().map(|symbol| Watched::by_symbol(symbol)).collect();
        let stars = Stars::new(list.clone(), configured, said);
        (directory, list, stars, heard)
    }

    #[test]
    fn the_last_wish_is_what_stands_in_the_file_at_the_end() {
        for presses in [1, 2, 7, 20] {
            let (_directory, list, mut stars, _heard) = begin(&[]);
            for press in 0..presses {
                stars.note(Watched::by_symbol("ORDI"), press % 2 == 0);
            }
            assert_eq!(stars.finish(), None);
            let watched = list.load().unwrap().over(&[]).len();
            assert_eq!(watched, presses % 2, "{presses} presses");
        }
    }

    #[test]
    fn a_lock_that_is_never_given_back_does_not_hold_up_the_end() {
        let (directory, list, mut stars, _heard) = begin(&[]);
        let lock = std::fs::File::create(directory.path().join("watched.lock")).unwrap();
        lock.lock().unwrap();
        stars.note(Watched::by_symbol("ORDI"), true);
        let sentence = stars.finish().unwrap();
        assert!(sentence.contains("is not remembered") && sentence.contains("lock"), "{sentence}");
        assert_eq!(list.load().unwrap().over(&[]).len(), 0);
    }

    #[test]
    fn a_failure_is_said_whatever_succeeds_after_it() {
        let (directory, list, stars, mut heard) = begin(&[]);
        let note = || Job::Note(Watched::by_symbol("ORDI"), true);
        let in_the_way = directory.path().join("watched.lock");
        std::fs::create_dir(&in_the_way).unwrap();
        let mut said = |queue: Vec<Job>| {
            let (send, jobs) = channel();
            queue.into_iter().for_each(|job| send.send(job).unwrap());
            drop(send);
            work(&list, &[], &jobs, &stars.said);
            std::iter::from_fn(|| heard.try_recv().ok()).collect::<Vec<_>>()
        };
        let batch = said(vec![note(), Job::Read]);
        assert!(matches!(&batch[..], [Message::EffectFailed(_), Message::Watching(_)]), "{batch:?}");
        let batch = said(vec![Job::Read]);
        assert!(matches!(&batch[..], [Message::Watching(_)]), "nothing was noted: {batch:?}");
        std::fs::remove_dir(&in_the_way).unwrap();
        let batch = said(vec![note(), Job::Read]);
        assert!(matches!(&batch[..], [Message::Remembered(watched)] if watched.len() == 1), "{batch:?}");
    }

    #[tokio::test]
    async fn what_another_instance_watches_joins_what_is_configured() {
        let (_directory, list, mut stars, mut heard) = begin(&["BTC"]);
        list.note(&Watched::by_symbol("ORDI"), true).unwrap();
        stars.look();
        let Some(Message::Watching(watched)) = heard.recv().await else { panic!() };
        assert_eq!(watched, [Watched::by_symbol("BTC"), Watched::by_symbol("ORDI")]);
    }
}
