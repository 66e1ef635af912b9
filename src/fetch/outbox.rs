//! The way to the reader of the events: in order, nothing lost, and the task never waits for it.

use std::collections::VecDeque;

use tokio::sync::mpsc::Sender;
use tokio::sync::mpsc::error::{SendError, TrySendError};

use super::Event;

/// A bounded channel, and the events that did not fit into it.
#[derive(Debug)]
pub(super) struct Outbox {
    channel: Sender<Event>,
    queue: VecDeque<Event>,
}

impl Outbox {
    /// An empty one before this channel.
    pub(super) fn new(channel: Sender<Event>) -> Outbox {
        Outbox { channel, queue: VecDeque::new() }
    }

    /// Whether the reader is behind.
    pub(super) fn is_full(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Sends an event behind those that wait. That nobody reads any more shows in [`Outbox::pass_on`].
    pub(super) fn put(&mut self, event: Event) {
        if self.is_full() {
            self.queue.push_back(event);
        } else if let Err(TrySendError::Full(event)) = self.channel.try_send(event) {
            self.queue.push_back(event);
        }
    }

    /// Waits until the channel takes the first event that waits, or, where none does, for the channel's end.
    /// Loses nothing when dropped before it is done.
    ///
    /// # Errors
    /// Nobody reads any more.
    pub(super) async fn pass_on(&mut self) -> Result<(), SendError<()>> {
        if !self.is_full() {
            self.channel.closed().await;
            return Err(SendError(()));
        }
        let permit = self.channel.reserve().await?;
        if let Some(event) = self.queue.pop_front() {
            permit.send(event);
        }
        Ok(())
    }
}
