//! The rules of the fetch task, with a scripted source and a paused clock: its requests, their times, and its events.

mod background;
mod empty;
mod failures;
mod freshness;
mod implausible;
mod limits;
mod prices;
mod random;
mod sending;

use std::sync::Arc;
use std::time::Duration;

use satscope::client::{Request, ResponseData};
use satscope::clock::Clock;
use satscope::fetch::{Demand, Event, Freshness, Handle, Settings, SkipReason};
use satscope::model::UtcTime;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::support::fake::{Fake, LATENCY};

const BASE: UtcTime = UtcTime::from_secs(1_795_075_200);

/// A running task, and an app that keeps every response.
struct Rig {
    handle: Handle,
    events: mpsc::Receiver<Event>,
    task: JoinHandle<()>,
    kept: Vec<Arc<ResponseData>>,
    errors: Vec<Arc<satscope::client::Error>>,
    last: UtcTime,
}

/// A short form of an event: kind, request, and time in milliseconds since the start, if any.
#[derive(Clone, Debug, PartialEq)]
enum Observed {
    Started(Request, u64),
    Arrived(Request),
    Confirmed(Request),
    Failed(Request, Option<u64>),
    Cancelled(Request),
    /// Number of refreshed and of delayed requests; reason and end of the delay.
    Skipped(usize, usize, SkipReason, u64),
    /// Number of waiting background requests, and until when.
    Background(usize, Option<u64>),
}

fn since_start(at: UtcTime) -> u64 {
    u64::try_from(at.millis() - BASE.millis()).unwrap_or_default()
}

impl Rig {
    fn new(fake: &Fake) -> Rig {
        Rig::with(fake, Clock::runtime(BASE), 64, Rig::settings())
    }

    fn settings() -> Settings {
        Settings { freshness: Freshness::default(), seed: Some(1), ..Settings::default() }
    }

    fn with(fake: &Fake, clock: Clock, room: usize, settings: Settings) -> Rig {
        let (sender, events) = mpsc::channel(room);
        let (handle, task) = crate::support::spawn_fetch(fake.clone(), clock, settings, sender);
        Rig { handle, events, task, kept: Vec::new(), errors: Vec::new(), last: BASE }
    }

    fn demand(&self, requests: &[Request]) {
        self.handle.demand.send_replace(Demand { visible: requests.to_vec(), ..Demand::default() });
    }

    fn refresh(&self, request: &Request) {
        self.handle.refresh(vec![request.clone()]);
    }

    /// Time of the last start or failure, in milliseconds since the start.
    fn last(&self) -> u64 {
        since_start(self.last)
    }

    /// The next event, whenever it comes (within two days).
    async fn next(&mut self) -> Observed {
        self.within(Duration::from_secs(2 * 86_400)).await.expect("an event")
    }

    /// The next event if it comes within this time.
    async fn within(&mut self, span: Duration) -> Option<Observed> {
        let event = timeout(span, self.events.recv()).await.ok()?.expect("the task is running");
        if let Event::Started { at, .. } | Event::Failed { at, .. } = &event {
            self.last = *at;
        }
        Some(match event {
            Event::Started { request, at, .. } => Observed::Started(request, since_start(at)),
            Event::Arrived { request, response: Some(response), .. } => {
                self.kept.push(response);
                Observed::Arrived(request)
            }
            Event::Arrived { request, response: None, .. } => Observed::Confirmed(request),
            Event::Failed { request, error, next_try, .. } => {
                self.errors.push(error);
                Observed::Failed(request, next_try.map(since_start))
            }
            Event::Cancelled { request, .. } => Observed::Cancelled(request),
            Event::RefreshSkipped { sent, skipped, reason, until } => {
                Observed::Skipped(sent, skipped, reason, since_start(until))
            }
            Event::Background { waiting, until } => Observed::Background(waiting, until.map(since_start)),
            Event::Prices { .. } | Event::PriceState(_) => panic!("no live prices in these tests"),
        })
    }

    /// Takes events until no request is in flight; returns them.
    async fn settle(&mut self) -> Vec<Observed> {
        let mut seen = Vec::new();
        while let Some(next) = self.within(2 * LATENCY).await {
            seen.push(next);
        }
        seen
    }

    /// All events within this time.
    async fn all_within(&mut self, span: Duration) -> Vec<Observed> {
        let end = tokio::time::Instant::now() + span;
        let mut seen = Vec::new();
        while let Some(next) = self.within(end - tokio::time::Instant::now()).await {
            seen.push(next);
        }
        seen
    }

    /// The last reported number of waiting background requests.
    fn background(&self, seen: &[Observed]) -> (usize, Option<u64>) {
        let last = seen.iter().rev().find_map(|event| match event {
            Observed::Background(waiting, until) => Some((*waiting, *until)),
            _ => None,
        });
        last.unwrap_or_default()
    }
}
