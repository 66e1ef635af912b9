//! The events that wait while updates are paused.

use crate::client::Request;
use crate::fetch::Event;

/// Events that wait. Of each request only the last outcome is kept, so their number is bounded.
#[derive(Debug, Default)]
pub struct Held(Vec<Event>);

impl Held {
    /// Adds an event, in place of those that it outdates.
    pub fn push(&mut self, event: Event) {
        match &event {
            Event::Arrived { request, ticket, .. } | Event::Failed { request, ticket, .. } => {
                let is_start =
                    |other: &Event| matches!(other, Event::Started { ticket: started, .. } if started == ticket);
                self.0.retain(|other| request_of(other) != Some(request) || is_start(other));
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

    /// The number of responses that wait; live prices count as one.
    pub fn count(&self) -> usize {
        self.0.iter().filter(|event| matches!(event, Event::Arrived { .. } | Event::Prices { .. })).count()
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
