//! Turns terminal input into messages.
//!
//! A separate thread reads the terminal. The event loop decodes the bytes, since the meaning of an incomplete sequence
//! depends on a timeout ([`Decoder::wait`]).

use std::io;
use std::sync::Arc;
use std::thread;

use parking_lot::{Condvar, Mutex};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use crate::app::{Message, State};
use crate::terminal::{Decoder, Event, Wait};
use crate::view::ViewState;

/// Maximum events handled per frame, so that the repeats of a held key become one frame.
const MAX_EVENTS: usize = 1024;

/// Maximum bytes per read.
const CHUNK_BYTES: usize = 4096;

/// Capacity of the channel of undecoded chunks.
const CHUNKS: usize = 16;

/// Rows to scroll per notch of the mouse wheel.
const NOTCH: isize = 3;

/// Decoded input of the terminal. Once it is dropped, nothing more is read: later input is for the shell.
pub(super) struct Input {
    chunks: mpsc::Receiver<Vec<u8>>,
    decoder: Decoder,
    /// The wait for the rest of an incomplete sequence, and its end.
    wait: Option<(Wait, Instant)>,
    gate: Arc<Gate>,
}

/// Keeps the thread from reading while it is closed.
#[derive(Default)]
struct Gate {
    is_closed: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn set_closed(&self, is_closed: bool) {
        *self.is_closed.lock() = is_closed;
        self.opened.notify_all();
    }

    /// Returns at once if the gate is open; otherwise waits until it is opened, and returns `true`.
    fn wait(&self) -> bool {
        let mut is_closed = self.is_closed.lock();
        let was_closed = *is_closed;
        self.opened.wait_while(&mut is_closed, |is_closed| *is_closed);
        was_closed
    }
}

/// Starts the thread that reads the terminal. It ends when the terminal closes.
///
/// # Errors
/// The thread can't be started.
pub(super) fn listen() -> io::Result<Input> {
    let (send, chunks) = mpsc::channel(CHUNKS);
    let input = Input::new(chunks);
    let gate = Arc::clone(&input.gate);
    thread::Builder::new().name(String::from("input")).spawn(move || {
        let terminal = io::stdin();
        let mut chunk = [0; CHUNK_BYTES];
        loop {
            // A program that continues in the background must not be in a read: that would stop it again (SIGTTIN) before
            // it could handle the signal that ends it. That signal may interrupt the poll.
            if poll(&mut [PollFd::new(&terminal, PollFlags::IN)], None) == Err(Errno::INTR) {
                continue;
            }
            // Meanwhile the shell may have read what was there.
            if gate.wait() {
                continue;
            }
            let read = match rustix::io::read(&terminal, &mut chunk) {
                Ok(0) => break tracing::error!("terminal closed"),
                Ok(count) => chunk.get(..count).unwrap_or_default().to_vec(),
                Err(Errno::INTR) => continue,
                Err(error) => break tracing::error!("can't read the terminal: {error}"),
            };
            if send.blocking_send(read).is_err() {
                break;
            }
        }
    })?;
    Ok(input)
}

impl Input {
    /// Decodes chunks of bytes.
    pub(super) fn new(chunks: mpsc::Receiver<Vec<u8>>) -> Input {
        Input { chunks, decoder: Decoder::default(), wait: None, gate: Arc::default() }
    }

    /// Stops reading, before the terminal is left to the shell.
    pub(super) fn pause(&self) {
        self.gate.set_closed(true);
    }

    /// Resumes reading, and discards what was read before the pause but not yet handled: it was typed for the shell.
    pub(super) fn resume(&mut self) {
        while self.chunks.try_recv().is_ok() {}
        self.decoder = Decoder::default();
        self.wait = None;
        self.gate.set_closed(false);
    }

    /// Waits for input and returns all decoded events, none if a sequence is incomplete. Returns `None` if the
    /// terminal is closed. Cancel safe.
    pub(super) async fn next(&mut self) -> Option<Vec<Event>> {
        if !self.decoder.has_events() {
            let mut chunks = Vec::new();
            let wait = self.wait;
            let timeout = async {
                match wait {
                    Some((_, end)) => sleep_until(end).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                count = self.chunks.recv_many(&mut chunks, CHUNKS) => {
                    if count == 0 {
                        return None;
                    }
                    chunks.iter().for_each(|chunk| self.decoder.feed(chunk));
                }
                () = timeout => self.decoder.time_out(),
            }
            let next = self.decoder.wait();
            if next != self.wait.map(|(wait, _)| wait) {
                self.wait = next.map(|wait| (wait, Instant::now() + wait.timeout));
            }
        }
        Some(self.decoder.take(MAX_EVENTS))
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        self.pause();
    }
}

/// Returns the message for an event, or `None` if it has no effect. A click is about what the last frame shows.
pub(super) fn translate(event: Event, view_state: &ViewState, state: &State) -> Option<Message> {
    match event {
        Event::Key(key) => Some(Message::Key(key)),
        Event::Paste(text) => Some(Message::Paste(text)),
        Event::Click(column, row) => state.clicked(view_state.click(column, row)?).map(Message::Click),
        Event::WheelUp(column, row) => Some(Message::Wheel(-NOTCH, view_state.panel(column, row))),
        Event::WheelDown(column, row) => Some(Message::Wheel(NOTCH, view_state.panel(column, row))),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
    use ratatui::layout::Rect;

    use super::*;
    use crate::app::panel::Panel;
    use crate::app::{ClickTarget, Preferences};
    use crate::model::UtcTime;

    fn key(code: KeyCode) -> Event {
        Event::Key(KeyEvent::from(code))
    }

    /// Returns the events decoded from pieces that arrive at this interval.
    async fn decode_pieces(pieces: &[&[u8]], interval: Duration) -> Vec<Event> {
        let (send, chunks) = mpsc::channel(CHUNKS);
        let mut input = Input::new(chunks);
        let typing = async {
            for piece in pieces {
                send.send(piece.to_vec()).await.unwrap();
                tokio::time::sleep(interval).await;
            }
            tokio::time::sleep(Duration::from_secs(5)).await;
            drop(send);
        };
        let decoding = async {
            let mut all = Vec::new();
            while let Some(events) = input.next().await {
                all.extend(events);
            }
            all
        };
        tokio::join!(decoding, typing).0
    }

    #[test]
    fn wheel_scrolls_the_panel_under_the_pointer() {
        let mut view_state = ViewState::default();
        let state = State::new(Preferences::default(), (80, 24), UtcTime::from_secs(0));
        view_state.target(Rect::new(0, 0, 10, 5), ClickTarget::Panel(Panel::Posts));
        view_state.target(Rect::new(0, 2, 10, 1), ClickTarget::ChartColumn(0, 10));
        for (event, rows, panel) in [
            (Event::WheelDown(3, 4), NOTCH, Some(Panel::Posts)),
            (Event::WheelUp(3, 2), -NOTCH, Some(Panel::Posts)),
            (Event::WheelUp(3, 5), -NOTCH, None),
        ] {
            let message = translate(event, &view_state, &state);
            assert!(matches!(message, Some(Message::Wheel(by, below)) if (by, below) == (rows, panel)), "{message:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn input_before_a_pause_is_dropped() {
        let (send, chunks) = mpsc::channel(CHUNKS);
        let mut input = Input::new(chunks);
        send.send(b"a\x1b[".to_vec()).await.unwrap();
        assert_eq!(input.next().await.unwrap(), [key(KeyCode::Char('a'))]);
        send.send(b"b".to_vec()).await.unwrap();
        input.pause();
        send.send(b"c".to_vec()).await.unwrap();
        input.resume();
        send.send(b"d".to_vec()).await.unwrap();
        assert_eq!(input.next().await.unwrap(), [key(KeyCode::Char('d'))]);
    }

    #[tokio::test(start_paused = true)]
    async fn key_in_pieces_is_one_key() {
        let page_down: &[&[u8]] = &[b"\x1b", b"[", b"6", b"~"];
        for millis in [0, 2, 15] {
            assert_eq!(
                decode_pieces(page_down, Duration::from_millis(millis)).await,
                [key(KeyCode::PageDown)],
                "{millis} ms"
            );
        }
        let apart = decode_pieces(&[b"\x1b", b"6"], Duration::from_millis(30)).await;
        assert_eq!(apart, [key(KeyCode::Esc), key(KeyCode::Char('6'))]);
    }

    #[tokio::test(start_paused = true)]
    async fn sequence_over_a_slow_connection_is_one_key() {
        for (pieces, event) in [
            (&[&b"\x1b["[..], b"6", b"~"], key(KeyCode::PageDown)),
            (&[b"\x1bO", b"1;5", b"D"], Event::Key(KeyEvent::new(KeyCode::Left, KeyModifiers::CONTROL))),
            (&[b"\x1b[<0;", b"3;7", b"M"], Event::Click(2, 6)),
            (&[b"\x1b[M", b" #", b"'"], Event::Click(2, 6)),
            (&[b"\xf0", b"\x9f", b"\xa6\x80"], key(KeyCode::Char('🦀'))),
        ] {
            assert_eq!(decode_pieces(pieces, Duration::from_millis(90)).await, [event], "{pieces:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn lone_escape_is_a_key_after_20_ms() {
        let (send, chunks) = mpsc::channel(CHUNKS);
        let mut input = Input::new(chunks);
        send.send(vec![0x1b]).await.unwrap();
        let start = Instant::now();
        let mut events = Vec::new();
        while events.is_empty() {
            events = input.next().await.unwrap();
        }
        assert_eq!(events, [key(KeyCode::Esc)]);
        let waited = start.elapsed();
        assert!((20..=25).contains(&waited.as_millis()), "{waited:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn unterminated_paste_ends_a_second_after_its_start() {
        let paste: &[&[u8]] = &[b"\x1b[200~or", b"d", b"i", b"q"];
        for (interval, text, keys) in [(300, "ordiq", ""), (400, "ordi", "q"), (900, "ord", "iq"), (1001, "or", "diq")]
        {
            let events = decode_pieces(paste, Duration::from_millis(interval)).await;
            let keys = keys.chars().map(|c| key(KeyCode::Char(c)));
            assert_eq!(
                events,
                [Event::Paste(text.to_owned())].into_iter().chain(keys).collect::<Vec<_>>(),
                "{interval} ms"
            );
        }
    }

    #[tokio::test(start_paused = true)]
    async fn held_key_does_not_extend_an_unterminated_paste() {
        let pieces: Vec<&[u8]> = std::iter::once(&b"\x1b[200~"[..]).chain([&b"\x1b[B"[..]; 60]).collect();
        let events = decode_pieces(&pieces, Duration::from_millis(33)).await;
        assert!(events[1..].len() >= 25, "{events:?}");
        assert!(events[1..].iter().all(|event| *event == key(KeyCode::Down)), "{events:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn large_paste_over_a_slow_connection_is_whole() {
        let chunk = [b'q'; 90];
        let mut pieces: Vec<&[u8]> = vec![b"\x1b[200~"];
        pieces.extend(std::iter::repeat_n(&chunk[..], 10_000));
        pieces.push(b"\x1b[201~");
        let events = decode_pieces(&pieces, Duration::from_millis(100)).await;
        assert_eq!(events, [Event::Paste("q".repeat(900_000))]);
    }

    #[tokio::test(start_paused = true)]
    async fn unterminated_reply_ends_a_second_after_its_start() {
        let pieces: &[&[u8]] = &[b"\x1b]11;rgb:", b"a", b"b", b"q"];
        let events = decode_pieces(pieces, Duration::from_millis(400)).await;
        assert_eq!(events, [key(KeyCode::Char('q'))]);
    }

    #[tokio::test(start_paused = true)]
    async fn terminal_reply_in_pieces_is_not_typing() {
        for gap in [2, 300] {
            let reply: &[&[u8]] = &[b"\x1b]11;", b"rgb:0000/0000/0000", b"\x1b", b"\\", b"q"];
            assert_eq!(decode_pieces(reply, Duration::from_millis(gap)).await, [key(KeyCode::Char('q'))], "{gap} ms");
        }
    }
}
