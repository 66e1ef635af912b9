//! Terminal events to messages.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::Poll;

use crossterm::event::{Event, KeyEventKind, MouseButton, MouseEventKind};
use futures_util::Stream;

use crate::app::{Message, State};
use crate::keymap;
use crate::view::Memo;

/// Events taken at once; what a fast paste or a held key has queued becomes one frame.
const MOST: usize = 1024;

/// Rows that one notch of the wheel moves.
const NOTCH: isize = 3;

/// What the terminal had to say.
pub(super) enum Drained {
    /// At least one event.
    Events(Vec<Event>),
    /// The terminal is gone.
    Ended,
}

/// Waits for an event and takes all that have come with it.
pub(super) async fn drain(input: &mut (impl Stream<Item = io::Result<Event>> + Unpin)) -> Drained {
    let mut events = Vec::new();
    poll_fn(|context| {
        loop {
            match Pin::new(&mut *input).poll_next(context) {
                Poll::Ready(Some(Ok(event))) => {
                    events.push(event);
                    if events.len() >= MOST {
                        return Poll::Ready(Drained::Events(std::mem::take(&mut events)));
                    }
                }
                Poll::Ready(Some(Err(_)) | None) if events.is_empty() => return Poll::Ready(Drained::Ended),
                // What came before the end is still heard; the end is met again on the next turn.
                Poll::Ready(Some(Err(_)) | None) => return Poll::Ready(Drained::Events(std::mem::take(&mut events))),
                Poll::Pending if events.is_empty() => return Poll::Pending,
                Poll::Pending => return Poll::Ready(Drained::Events(std::mem::take(&mut events))),
            }
        }
    })
    .await
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
