//! Sends events to their receiver in order. None is lost, and the task never waits for the receiver.

use std::collections::VecDeque;

use tokio::sync::mpsc::Sender;
use tokio::sync::mpsc::error::{SendError, TrySendError};

use super::event::Event;

/// A bounded channel, and the events that did not fit into it.
#[derive(Debug)]
pub(super) struct EventQueue {
    channel: Sender<Event>,
    queue: VecDeque<Event>,
}

impl EventQueue {
    /// An empty queue in front of a channel.
    pub(super) fn new(channel: Sender<Event>) -> EventQueue {
        EventQueue { channel, queue: VecDeque::new() }
    }

    /// Whether events are waiting for the receiver.
    pub(super) fn is_full(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Sends an event after those that wait. A closed channel is reported by [`EventQueue::flush`].
    pub(super) fn send(&mut self, event: Event) {
        if self.is_full() {
            self.queue.push_back(event);
        } else if let Err(TrySendError::Full(event)) = self.channel.try_send(event) {
            self.queue.push_back(event);
        }
    }

    /// Waits until the channel accepts the next queued event, or, if none is queued, until the channel is closed. Safe to
    /// cancel.
    ///
    /// # Errors
    /// The channel is closed.
    pub(super) async fn flush(&mut self) -> Result<(), SendError<()>> {
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
