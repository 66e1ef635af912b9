//! The watched coins' file: read and written on a thread of its own, in the order of the user's wishes.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::SystemTime;

use tokio::sync::mpsc;

use crate::app::Message;
use crate::app::watch::Watched;
use crate::watchlist::Watchlist;

/// Remembers what is watched.
pub(super) struct Stars {
    watchlist: Watchlist,
    configured: Vec<Watched>,
    seen: Option<SystemTime>,
    said: mpsc::Sender<Message>,
    writer: Option<(Sender<Job>, JoinHandle<()>)>,
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

    /// Waits until all is written.
    pub(super) fn finish(self) {
        if let Some((jobs, thread)) = self.writer {
            drop(jobs);
            // A panic in it has been reported where it happened.
            let _ = thread.join();
        }
    }

    fn send(&mut self, job: Job) {
        if self.writer.is_none() {
            let (jobs, wishes) = channel();
            let (list, configured, said) = (self.watchlist.clone(), self.configured.clone(), self.said.clone());
            let begun = thread::Builder::new()
                .name(String::from("stars"))
                .spawn(move || work(&list, &configured, &wishes, &said));
            match begun {
                Ok(thread) => self.writer = Some((jobs, thread)),
                Err(error) => return self.failed(&format!("the system gives no thread ({error})")),
            }
        }
        if let Some((jobs, _)) = &self.writer
            && jobs.send(job).is_err()
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

/// Does the jobs in their order. What comes of several that wait is said once, so that the screen, which is ahead of
/// the file, never falls back.
fn work(list: &Watchlist, configured: &[Watched], jobs: &Receiver<Job>, said: &mpsc::Sender<Message>) {
    while let Ok(first) = jobs.recv() {
        let mut next = Some(first);
        let mut message = None;
        while let Some(job) = next {
            let changes = match job {
                Job::Note(coin, watched) => list.note(&coin, watched),
                Job::Read => list.load(),
            };
            message = Some(match changes {
                Ok(changes) => Message::Watching(changes.over(configured)),
                Err(error) => Message::EffectFailed(error.to_string()),
            });
            next = jobs.try_recv().ok();
        }
        if let Some(message) = message {
            // At the end of the program nobody listens any more.
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
            stars.finish();
            let watched = list.load().unwrap().over(&[]).len();
            assert_eq!(watched, presses % 2, "{presses} presses");
        }
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
