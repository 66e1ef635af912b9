//! The events that wait while updates are paused.

use crate::client::Request;
use crate::fetch::{Event, Ticket};

/// Events that wait. Of each request only the last outcome and the newest answer are kept, so their number is bounded.
#[derive(Debug, Default)]
pub struct Held(Vec<Event>);

impl Held {
    /// Adds an event, in place of those that it outdates.
    pub fn push(&mut self, event: Event) {
        match &event {
            Event::Arrived { request, ticket, answer, .. } => self.remove_outdated(request, *ticket, answer.is_some()),
            Event::Failed { request, ticket, .. } => self.remove_outdated(request, *ticket, false),
            Event::Cancelled { ticket, .. } => {
                let before = self.0.len();
                self.0.retain(|other| ticket_of(other) != Some(*ticket));
                if self.0.len() < before {
                    return;
                }
            }
            Event::Prices { provider, convert, ticks } => {
                let same = self.0.iter_mut().find_map(|other| match other {
                    Event::Prices { provider: from, convert: into, ticks } if from == provider && into == convert => {
                        Some(ticks)
                    }
                    _ => None,
                });
                if let Some(known) = same {
                    return known.extend(ticks.clone());
                }
            }
            _ => {}
        }
        self.0.push(event);
    }

    /// Removes the events of a request that an outcome outdates. One without an answer says that the newest answer is
    /// still valid, or that there is no newer one: that answer stays.
    fn remove_outdated(&mut self, request: &Request, ticket: Ticket, has_answer: bool) {
        let answered = self.0.iter().filter(|_| !has_answer).find_map(|other| match other {
            Event::Arrived { request: known, ticket, answer: Some(_), .. } if known == request => Some(*ticket),
            _ => None,
        });
        self.0.retain(|other| {
            let own = ticket_of(other);
            request_of(other) != Some(request) || own == Some(ticket) || own == answered
        });
    }

    /// The number of responses with new values that wait; the live prices of an exchange count as one.
    pub fn count(&self) -> usize {
        let is_new = |event: &&Event| matches!(event, Event::Arrived { answer: Some(_), .. } | Event::Prices { .. });
        self.0.iter().filter(is_new).count()
    }

    /// The events, oldest first.
    pub fn into_events(self) -> Vec<Event> {
        self.0
    }
}

fn request_of(event: &Event) -> Option<&Request> {
    match event {
        Event::Started { request, .. }
        | Event::Arrived { request, .. }
        | Event::Failed { request, .. }
        | Event::Cancelled { request, .. } => Some(request),
        _ => None,
    }
}

fn ticket_of(event: &Event) -> Option<Ticket> {
    match event {
        Event::Started { ticket, .. }
        | Event::Arrived { ticket, .. }
        | Event::Failed { ticket, .. }
        | Event::Cancelled { ticket, .. } => Some(*ticket),
        _ => None,
    }
}
