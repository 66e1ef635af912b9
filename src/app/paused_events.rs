//! The events that wait while updates are paused.

use std::sync::Arc;

use crate::client::{Request, ResponseData};
use crate::fetch::{Event, FetchId, Receipt};
use crate::model::UtcTime;

/// Waiting events. Only the last outcome and the newest response of each request are kept, so their number is bounded.
#[derive(Debug, Default)]
pub struct PausedEvents {
    events: Vec<Event>,
    /// The requests that the user refreshes.
    refreshed: Vec<Request>,
    /// The time until which the next fetch of these counts as that refresh.
    refreshed_until: UtcTime,
}

impl PausedEvents {
    /// The beginning of a pause, with the fetches in progress, whose responses wait too.
    pub fn new(in_progress: Vec<Event>) -> PausedEvents {
        PausedEvents { events: in_progress, ..PausedEvents::default() }
    }

    /// Lets the next fetch of each of these requests through, if it starts by `until`. If only some of them are skipped,
    /// it is unknown which.
    pub fn allow_refresh(&mut self, requests: &[Request], until: UtcTime) {
        self.refreshed = requests.to_vec();
        self.refreshed_until = until;
    }

    /// Holds back all later fetches.
    pub fn forget_refresh(&mut self) {
        self.refreshed.clear();
    }

    /// Whether a fetch of `request` that starts now was requested by the user. Only the first one is.
    pub fn is_allowed_refresh(&mut self, request: &Request, now: UtcTime) -> bool {
        let Some(index) = self.refreshed.iter().position(|refreshed| refreshed == request) else { return false };
        self.refreshed.swap_remove(index);
        now <= self.refreshed_until
    }

    /// Adds an event, replacing those that it outdates.
    pub fn push(&mut self, event: Event) {
        match &event {
            Event::Arrived { request, fetch_id, response, .. } => {
                self.remove_outdated(request, *fetch_id, response.is_some())
            }
            Event::Failed { request, fetch_id, .. } => self.remove_outdated(request, *fetch_id, false),
            Event::Cancelled { fetch_id, .. } => {
                let before = self.events.len();
                self.events.retain(|other| fetch_id_of(other) != Some(*fetch_id));
                if self.events.len() < before {
                    return;
                }
            }
            Event::Prices { provider, convert, ticks } => {
                let same = self.events.iter_mut().find_map(|other| match other {
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
        self.events.push(event);
    }

    /// Removes the events of a request that an outcome outdates. One without a response says that the newest response is
    /// still valid, or that there is no newer one: that response stays.
    fn remove_outdated(&mut self, request: &Request, fetch_id: FetchId, has_response: bool) {
        let answered = self.events.iter().filter(|_| !has_response).find_map(|other| match other {
            Event::Arrived { request: known, fetch_id, response: Some(_), .. } if known == request => Some(*fetch_id),
            _ => None,
        });
        self.events.retain(|other| {
            let own = fetch_id_of(other);
            request_of(other) != Some(request) || own == Some(fetch_id) || own == answered
        });
    }

    /// The newest response to each request, with its receipt.
    pub fn responses(&self) -> Vec<(Request, Arc<ResponseData>, Receipt)> {
        let mut responses: Vec<(Request, Arc<ResponseData>, Receipt)> = Vec::new();
        for event in &self.events {
            let Event::Arrived { request, response, receipt, .. } = event else { continue };
            match (responses.iter_mut().find(|(known, ..)| known == request), response) {
                (Some(known), Some(response)) => (known.1, known.2) = (Arc::clone(response), receipt.clone()),
                // The waiting response is still valid.
                (Some((.., known)), None) => {
                    (known.fetched_at, known.age) = (receipt.fetched_at, receipt.age);
                }
                (None, Some(response)) => responses.push((request.clone(), Arc::clone(response), receipt.clone())),
                (None, None) => {}
            }
        }
        responses
    }

    /// The number of responses with new values that wait; the live prices of an exchange count as one.
    pub fn count(&self) -> usize {
        let is_new = |event: &&Event| matches!(event, Event::Arrived { response: Some(_), .. } | Event::Prices { .. });
        self.events.iter().filter(is_new).count()
    }

    /// Removes the events and returns them, oldest first.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
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

fn fetch_id_of(event: &Event) -> Option<FetchId> {
    match event {
        Event::Started { fetch_id, .. }
        | Event::Arrived { fetch_id, .. }
        | Event::Failed { fetch_id, .. }
        | Event::Cancelled { fetch_id, .. } => Some(*fetch_id),
        _ => None,
    }
}
