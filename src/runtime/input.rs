//! Terminal events to messages.
//!
//! A thread of its own reads the terminal, by waiting for its level and not for its edges: `EventStream`'s source forgets
//! keys that arrive together with a change of size until the next key is pressed.

use std::io;
use std::thread;
use std::time::Duration;

use crossterm::event::{Event, KeyEventKind, MouseButton, MouseEventKind};
use tokio::sync::mpsc;

use crate::app::{Message, State};
use crate::keymap;
use crate::view::Memo;

/// Events taken at once; what a fast paste or a held key has queued becomes one frame.
const MOST: usize = 1024;

/// Rows that one notch of the wheel moves.
const NOTCH: isize = 3;

/// What the terminal says: all that was there at once comes at once.
pub(super) type Input = mpsc::Receiver<Vec<Event>>;

/// Begins to read the terminal. The thread ends when the receiver is dropped and one more event comes, or when the
/// terminal is gone, which ends the events.
///
/// # Errors
/// The system gives no thread.
pub(super) fn listen() -> io::Result<Input> {
    let (send, input) = mpsc::channel(64);
    thread::Builder::new().name(String::from("keys")).spawn(move || {
        loop {
            match read() {
                Ok(events) => {
                    if send.blocking_send(events).is_err() {
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
    Ok(input)
}

/// Waits for an event and reads all that have come with it.
fn read() -> io::Result<Vec<Event>> {
    let mut events = vec![crossterm::event::read()?];
    // What fails here fails again when the next one is waited for.
    while events.len() < MOST && crossterm::event::poll(Duration::ZERO).unwrap_or(false) {
        match crossterm::event::read() {
            Ok(event) => events.push(event),
            Err(_) => break,
        }
    }
    Ok(events)
}

/// Waits for events and takes all that have come until now; `None`: the terminal is gone.
pub(super) async fn drain(input: &mut Input) -> Option<Vec<Event>> {
    let mut events = input.recv().await?;
    while events.len() < MOST
        && let Ok(more) = input.try_recv()
    {
        events.extend(more);
    }
    Some(events)
}

/// What an event means to the state; `None`: nothing.
pub(super) fn translate(event: Event, state: &State, memo: &Memo) -> Option<Message> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => keymap::translate(key, state),
        Event::Paste(text) => Some(Message::Paste(text)),
        Event::Resize(columns, rows) => Some(Message::Resize(columns, rows)),
        Event::Mouse(mouse) => match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => memo.hit(mouse.column, mouse.row).map(Message::Click),
            MouseEventKind::ScrollUp => Some(Message::Wheel(-NOTCH)),
            MouseEventKind::ScrollDown => Some(Message::Wheel(NOTCH)),
            _ => None,
        },
        Event::Key(_) | Event::FocusGained | Event::FocusLost => None,
    }
}
