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
    pub(super) fn has_waiting(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Queues an event, or replaces the last one if that has the same content for an earlier time: a held refresh key
    /// must not fill the queue. A closed channel is reported by [`EventQueue::flush`].
    pub(super) fn send(&mut self, event: Event) {
        if self.has_waiting() {
            if self.queue.back().is_some_and(|last| is_outdated_by(last, &event)) {
                self.queue.pop_back();
            }
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
        if !self.has_waiting() {
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

/// Whether the receiver needs only the later of two events.
fn is_outdated_by(earlier: &Event, later: &Event) -> bool {
    matches!(
        (earlier, later),
        (Event::RefreshSkipped { .. }, Event::RefreshSkipped { .. })
            | (Event::Background { .. }, Event::Background { .. })
    )
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;
    use crate::fetch::SkipReason;
    use crate::model::UtcTime;

    fn skipped(seconds: i64) -> Event {
        let until = UtcTime::from_secs(seconds);
        Event::RefreshSkipped { sent: 0, skipped: 1, reason: SkipReason::Recent, until }
    }

    #[tokio::test]
    async fn held_refresh_key_does_not_fill_the_queue() {
        let (send, mut events) = mpsc::channel(2);
        let mut queue = EventQueue::new(send);
        (0..10_000).for_each(|second| queue.send(skipped(second)));
        queue.send(Event::Background { waiting: 1, until: None });
        let mut seen = Vec::new();
        for _ in 0..4 {
            if queue.has_waiting() {
                let next = events.recv().await;
                queue.flush().await.unwrap();
                seen.extend(next);
            } else {
                seen.extend(events.recv().await);
            }
        }
        let times: Vec<Option<UtcTime>> = seen
            .iter()
            .map(|event| if let Event::RefreshSkipped { until, .. } = event { Some(*until) } else { None })
            .collect();
        assert_eq!(times, [Some(0), Some(1), Some(9_999), None].map(|second| second.map(UtcTime::from_secs)));
        assert!(!queue.has_waiting());
    }
}
