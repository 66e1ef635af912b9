//! The loop over a terminal that counts: how many frames come of how much news.

use std::sync::{Arc, Mutex};

use crossterm::event::{KeyCode, KeyEvent};

use super::*;
use crate::app::Preferences;
use crate::fetch::Ticket;

/// A terminal that counts frames: each is flushed once.
#[derive(Clone, Default)]
struct Frames(Arc<Mutex<usize>>);

impl Frames {
    fn count(&self) -> usize {
        *self.0.lock().unwrap()
    }
}

impl Write for Frames {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        *self.0.lock().unwrap() += 1;
        Ok(())
    }
}

fn keys(typed: &str) -> Vec<Event> {
    typed.chars().map(|char| Event::Key(KeyEvent::from(KeyCode::Char(char)))).collect()
}

/// Runs the loop until `outside`, which is the terminal and the fetch task, has made it end; how many frames that took.
fn frames<F: Future>(outside: impl FnOnce(mpsc::Sender<Vec<Event>>, mpsc::Sender<fetch::Event>) -> F) -> usize {
    let frames = Frames::default();
    let size = (80, 24);
    let screen = Screen {
        painter: Painter::new(frames.clone(), size),
        look: Look { theme: Theme::ansi(), glyphs: Glyphs::Unicode },
        memo: Memo::default(),
    };
    let state = State::new(Preferences::default(), size, UtcTime::now());
    let (handle, _inbox) = fetch::channel();
    let (typed, input) = mpsc::channel(64);
    let (events, news) = mpsc::channel(BATCH);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let ended = runtime.block_on(async {
        let signals = Signals::listen().unwrap();
        let deeds = Outside::new(Watchlist::new(None), Vec::new());
        let nowhere = std::iter::empty::<(&str, &str)>().collect();
        let keeper = Keeper::new(Snapshot::new(&crate::config::load(&Default::default(), &nowhere).unwrap()));
        let mut dashboard = Loop { state, screen, handle, news, signals, outside: deeds, keeper };
        tokio::join!(outside(typed, events), dashboard.run(input)).1
    });
    assert_eq!(ended.unwrap(), Some(End::Quit));
    frames.count()
}

#[test]
fn keys_that_come_together_are_one_frame() {
    let count = frames(|typed, events| async move {
        for _ in 0..10 {
            typed.send(keys(&"51?".repeat(20)[..20])).await.unwrap();
        }
        typed.send(keys("q")).await.unwrap();
        (typed, events)
    });
    // Those that were there before the loop had its first look, and at most one frame more for the last ones.
    assert!(count <= 3, "{count} frames");
}

#[test]
fn a_flood_of_news_is_painted_in_bounded_steps() {
    const NEWS: usize = 20_000;
    let request = demand(&State::new(Preferences::default(), (80, 24), UtcTime::now())).requests.remove(0);
    let count = frames(|typed, events| async move {
        for number in 0..NEWS {
            // The one shows that something is on its way, the other that nothing is.
            let ticket = Ticket(number as u64 / 2);
            let event = match number % 2 {
                0 => fetch::Event::Started { request: request.clone(), ticket, at: UtcTime::now() },
                _ => fetch::Event::Cancelled { request: request.clone(), ticket },
            };
            events.send(event).await.unwrap();
        }
        while events.capacity() < BATCH {
            tokio::task::yield_now().await;
        }
        typed.send(keys("q")).await.unwrap();
        (typed, events)
    });
    assert!(count <= 2 * NEWS / BATCH, "{count} frames");
}
