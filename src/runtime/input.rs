//! Terminal events to messages.
//!
//! A thread of its own reads the terminal, by waiting for its level and not for its edges: `EventStream`'s source
//! forgets keys that arrive together with a change of size until the next key is pressed.

use std::io;
use std::thread;

use crossterm::event::{Event, KeyEventKind, MouseButton, MouseEventKind};
use tokio::sync::mpsc;

use crate::app::{Message, State};
use crate::keymap;
use crate::view::Memo;

/// Events taken at once; what a fast paste or a held key has queued becomes one frame.
const MOST: usize = 1024;

/// Rows that one notch of the wheel moves.
const NOTCH: isize = 3;

/// Begins to read the terminal. The thread ends when the receiver is dropped and one more event comes, or when the
/// terminal is gone, which ends the events.
///
/// # Errors
/// The system gives no thread.
pub(super) fn listen() -> io::Result<mpsc::Receiver<Event>> {
    let (send, events) = mpsc::channel(MOST);
    thread::Builder::new().name(String::from("keys")).spawn(move || {
        loop {
            match crossterm::event::read() {
                Ok(event) => {
                    if send.blocking_send(event).is_err() {
                        break;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    tracing::error!("the terminal cannot be read: {error}");
                    break;
                }
            }
        }
    })?;
    Ok(events)
}

/// Waits for an event and takes all that have come with it; `None`: the terminal is gone.
pub(super) async fn drain(events: &mut mpsc::Receiver<Event>) -> Option<Vec<Event>> {
    let mut taken = Vec::new();
    let count = events.recv_many(&mut taken, MOST).await;
    (count > 0).then_some(taken)
}

/// What an event means to the state; `None`: nothing.
pub(super) fn translate(event: Event, state: &State, memo: &Memo) -> Option<Message> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => keymap::meaning(key, state.place()).map(Message::from),
        Event::Paste(text) => Some(Message::Paste(text)),
        Event::Mouse(mouse) => match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => memo.hit(mouse.column, mouse.row).map(Message::Click),
            MouseEventKind::ScrollUp => Some(Message::Wheel(-NOTCH)),
            MouseEventKind::ScrollDown => Some(Message::Wheel(NOTCH)),
            _ => None,
        },
        // The reader may be waiting for the rest of a sequence when it should tell of another size; the signal is heard
        // by the loop itself.
        Event::Resize(..) => None,
        Event::Key(_) | Event::FocusGained | Event::FocusLost => None,
    }
}
