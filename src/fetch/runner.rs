//! The task: one loop over the demand, the user's wishes, what comes back, and the next moment that something is due.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::{AbortHandle, Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep_until};

use crate::client::{Answer, Error, ErrorKind, Group, Reply, Request};
use crate::clock::Clock;
use crate::model::UtcTime;

use super::host::Host;
use super::ledger::{Due, Ledger, Span};
use super::outbox::Outbox;
use super::{Backoff, Demand, Event, Freshness, Hold, Receipt, Settings, Source, Ticket, retry};

/// Sleeps are cut to this, so that no date is beyond what the runtime can sleep.
const LONGEST_SLEEP: Duration = Duration::from_secs(24 * 60 * 60);

/// The state of the task.
pub(super) struct Runner<S> {
    source: Arc<S>,
    clock: Clock,
    freshness: Freshness,
    backoff: Backoff,
    random: fastrand::Rng,
    /// While its reader is behind nothing is sent, so no more events wait than what was under way can cause.
    events: Outbox,
    wanted: Vec<Request>,
    /// For each of them, whether the app has rows of it.
    has_rows: Vec<bool>,
    ledger: Ledger,
    /// The market group's first, the indexer's last; one where they share it.
    hosts: Vec<Host>,
    flights: Vec<Flight>,
    tasks: JoinSet<Result<Reply, Error>>,
    tickets: u64,
}

/// A request under way.
struct Flight {
    request: Request,
    ticket: Ticket,
    host: usize,
    sent: UtcTime,
    conditional: bool,
    task: AbortHandle,
}

impl<S: Source> Runner<S> {
    /// A task that has nothing to do yet.
    pub(super) fn new(source: S, clock: Clock, settings: Settings, events: mpsc::Sender<Event>) -> Self {
        let mut hosts = vec![Host::new(source.place(Group::Market))];
        let indexer = source.place(Group::Indexer);
        if hosts.iter().all(|host| host.place != indexer) {
            hosts.push(Host::new(indexer));
        }
        Runner {
            source: Arc::new(source),
            clock,
            freshness: settings.freshness,
            backoff: settings.backoff,
            random: settings.seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed),
            events: Outbox::new(events),
            wanted: Vec::new(),
            has_rows: Vec::new(),
            ledger: Ledger::default(),
            hosts,
            flights: Vec::new(),
            tasks: JoinSet::new(),
            tickets: 0,
        }
    }

    /// Runs until the demand's sender is dropped or nobody receives the events any more.
    pub(super) async fn run(
        mut self,
        mut demand: watch::Receiver<Demand>,
        mut refreshed: mpsc::UnboundedReceiver<Vec<Request>>,
    ) {
        let mut can_refresh = true;
        loop {
            let wake = self.launch();
            let sleep = async {
                match wake {
                    Some(at) => sleep_until(at).await,
                    None => pending().await,
                }
            };
            tokio::select! {
                biased;
                changed = demand.changed() => match changed {
                    Ok(()) => {
                        let wanted = demand.borrow_and_update().clone();
                        self.adopt(wanted);
                    }
                    Err(_) => return,
                },
                passed_on = self.events.pass_on() => if passed_on.is_err() {
                    return;
                },
                requests = refreshed.recv(), if can_refresh => match requests {
                    Some(requests) => self.refresh(&requests),
                    None => can_refresh = false,
                },
                Some(done) = self.tasks.join_next_with_id(), if !self.tasks.is_empty() => self.landed(done),
                () = sleep => {}
            }
        }
    }

    /// Takes a new demand: gives up what is no longer in it.
    fn adopt(&mut self, demand: Demand) {
        self.wanted.clear();
        self.has_rows.clear();
        let has_rows = demand.has_rows.into_iter().chain(std::iter::repeat(false));
        for (request, has_rows) in demand.requests.into_iter().zip(has_rows) {
            if !self.wanted.contains(&request) {
                self.wanted.push(request);
                self.has_rows.push(has_rows);
            }
        }
        self.ledger.demanded(&self.wanted);
        let (keep, left): (Vec<Flight>, Vec<Flight>) =
            std::mem::take(&mut self.flights).into_iter().partition(|flight| self.wanted.contains(&flight.request));
        self.flights = keep;
        for flight in left {
            flight.task.abort();
            if let Some(host) = self.hosts.get_mut(flight.host) {
                host.done();
            }
            self.events.put(Event::Cancelled { request: flight.request, ticket: flight.ticket });
        }
    }

    /// Takes the user's wish for newer answers.
    fn refresh(&mut self, requests: &[Request]) {
        let now = self.clock.now();
        let mut requests: Vec<&Request> = requests.iter().filter(|request| self.wanted.contains(request)).collect();
        // Of a host that limits the rate one is sent at a time: the one that was refreshed longest ago.
        requests.sort_by_cached_key(|request| self.ledger.get(request).and_then(|entry| entry.refreshed()));
        let (mut sent, mut held) = (0, Vec::new());
        for request in requests {
            let index = self.host_of(request);
            let under_way = self.flights.iter().any(|flight| flight.request == *request);
            let (Some(entry), Some(host)) = (self.ledger.get(request), self.hosts.get_mut(index)) else { continue };
            let is_paused = host.pause(now).is_some();
            let hold = match (entry.next_refresh(now), host.next_refresh(now).filter(|_| is_paused)) {
                _ if under_way => None,
                (own, Some(until)) => Some((Hold::RateLimited, own.map_or(until, |own| own.max(until)))),
                (Some(until), None) => Some((Hold::Recent, until)),
                (None, None) => {
                    entry.refresh(now, is_paused);
                    host.refreshed(now);
                    None
                }
            };
            match hold {
                Some(hold) => held.push(hold),
                None => sent += 1,
            }
        }
        if let Some(&(hold, until)) = held.iter().min_by_key(|(_, until)| *until) {
            self.events.put(Event::RefreshHeld { sent, held: held.len(), hold, until });
        }
    }

    /// The place of a request's host among the hosts.
    fn host_of(&self, request: &Request) -> usize {
        match request.group() {
            Group::Market => 0,
            Group::Indexer => self.hosts.len() - 1,
        }
    }

    /// Sends what is due, in the demand's order; returns when something else will be.
    fn launch(&mut self) -> Option<Instant> {
        let now = self.clock.now();
        let mut next: Option<UtcTime> = None;
        let mut held = Vec::new();
        let wanted = std::mem::take(&mut self.wanted);
        for request in &wanted {
            if self.events.is_full() {
                break; // the loop comes back here when the reader has caught up
            }
            if let Some(at) = self.consider(request, now, &mut held) {
                next = Some(next.map_or(at, |next| next.min(at)));
            }
        }
        self.wanted = wanted;
        if let Some(&until) = held.iter().min() {
            self.events.put(Event::RefreshHeld { sent: 0, held: held.len(), hold: Hold::RateLimited, until });
        }
        next.map(|at| Instant::now() + at.since(now).min(LONGEST_SLEEP))
    }

    /// Sends the request if it is due and may be sent; returns when to consider it again, if that is a matter of time.
    /// Where a manual refresh waited for room and its host has become limited meanwhile, it is sent through the limit if
    /// the host allows one; if not, `held` gets the time of the next.
    fn consider(&mut self, request: &Request, now: UtcTime, held: &mut Vec<UtcTime>) -> Option<UtcTime> {
        if self.flights.iter().any(|flight| flight.request == *request) {
            return None;
        }
        let index = self.host_of(request);
        let entry = self.ledger.get(request)?;
        if let Some(at) = entry.waits(now) {
            return Some(at);
        }
        let host = self.hosts.get_mut(index)?;
        if host.pause(now).is_some() && entry.is_refresh() && !entry.passes_pause() {
            match host.next_refresh(now) {
                Some(until) => held.push(until),
                None => {
                    entry.refresh(now, true);
                    host.refreshed(now);
                }
            }
        }
        if let Some(pause) = host.pause(now).filter(|_| !entry.passes_pause()).cloned() {
            entry.withdraw();
            if entry.due != Due::WithHost(pause.span) {
                let error = Arc::new(Error { what: request.describe(), place: host.place.clone(), kind: pause.cause });
                entry.failed(&error, Due::WithHost(pause.span));
                let (request, ticket) = (request.clone(), self.ticket());
                self.events.put(Event::Started { request: request.clone(), ticket, at: now });
                self.events.put(Event::Failed { request, ticket, error, at: now, next_try: Some(pause.span.until) });
            }
            return Some(pause.span.until);
        }
        if !host.has_room() {
            return None;
        }
        host.sent();
        let validator = entry.sent(now);
        let conditional = validator.is_some();
        let task = self.tasks.spawn({
            let (source, request) = (Arc::clone(&self.source), request.clone());
            async move { source.get(&request, validator.as_ref()).await }
        });
        let ticket = self.ticket();
        self.flights.push(Flight { request: request.clone(), ticket, host: index, sent: now, conditional, task });
        self.events.put(Event::Started { request: request.clone(), ticket, at: now });
        None
    }

    /// Takes what came back, unless it was given up meanwhile.
    fn landed(&mut self, done: Result<(Id, Result<Reply, Error>), JoinError>) {
        let (id, result) = match done {
            Ok((id, result)) => (id, Ok(result)),
            Err(broken) => (broken.id(), Err(broken)),
        };
        let Some(place) = self.flights.iter().position(|flight| flight.task.id() == id) else {
            return;
        };
        let flight = self.flights.remove(place);
        if let Some(host) = self.hosts.get_mut(flight.host) {
            host.done();
        }
        match result.unwrap_or_else(|broken| Err(self.internal(&flight, broken.to_string()))) {
            Ok(reply) => self.arrived(flight, reply),
            Err(error) => self.failed(flight, error),
        }
    }

    fn arrived(&mut self, flight: Flight, reply: Reply) {
        let now = self.clock.now();
        let place = self.wanted.iter().position(|request| *request == flight.request);
        let knows_rows = place.is_some_and(|place| self.has_rows.get(place) == Some(&true));
        let Some(entry) = self.ledger.get(&flight.request) else {
            return;
        };
        let answer: Option<Arc<Answer>> = reply.answer.map(Arc::new);
        let is_empty = answer.as_ref().map_or_else(|| entry.is_empty(), |answer| answer.is_empty());
        if answer.is_some() && is_empty && (knows_rows || entry.has_rows()) && !entry.believes_empty(now) {
            let error = self.error(&flight, ErrorKind::NoRows);
            return self.failed(flight, error);
        }
        let length = self.freshness.of(&flight.request, reply.max_age);
        let held = Span::new(now, if is_empty { length.min(self.backoff.final_at_most) } else { length });
        match &answer {
            Some(answer) => entry.answered(answer, reply.validator, held),
            None if !flight.conditional => {
                let kind = ErrorKind::Status { status: reply.status, message: None, retry_after: None };
                let error = self.error(&flight, kind);
                return self.failed(flight, error);
            }
            None => {
                if !entry.confirmed(reply.validator, held) {
                    return self.events.put(Event::Cancelled { request: flight.request, ticket: flight.ticket });
                }
            }
        }
        if let Some(host) = self.hosts.get_mut(flight.host) {
            host.answered(flight.sent);
        }
        let receipt = Receipt {
            url: reply.url,
            status: reply.status,
            bytes: reply.bytes,
            latency: reply.latency,
            fetched_at: now,
            fresh_until: held.until,
            warnings: reply.warnings.into(),
            rows: reply.rows,
        };
        self.events.put(Event::Arrived { request: flight.request, ticket: flight.ticket, answer, receipt });
    }

    fn failed(&mut self, flight: Flight, error: Error) {
        let now = self.clock.now();
        let (Some(entry), Some(host)) = (self.ledger.get(&flight.request), self.hosts.get_mut(flight.host)) else {
            return;
        };
        let due = if retry::limits_host(&error) {
            Due::WithHost(host.refused(&error, flight.sent, now, &self.backoff, &mut self.random))
        } else if error.is_retryable() {
            let wait = self.backoff.wait(entry.failures, &mut self.random);
            let asked = error.retry_after().unwrap_or_default().min(self.backoff.asked_at_most);
            entry.failures = entry.failures.saturating_add(1);
            Due::After(Span::new(now, wait.max(asked)))
        } else if matches!(error.kind, ErrorKind::BadUrl(_) | ErrorKind::BadHeader(_) | ErrorKind::InvalidRequest(_)) {
            Due::Never
        } else {
            entry.failures = 0;
            Due::After(Span::new(now, self.freshness.unstated(&flight.request).min(self.backoff.final_at_most)))
        };
        let error = Arc::new(error);
        entry.failed(&error, due);
        let next_try = match due {
            Due::After(span) | Due::WithHost(span) => Some(span.until),
            Due::Now | Due::Never => None,
        };
        tracing::debug!(%error, ?next_try, "request failed");
        self.events.put(Event::Failed { request: flight.request, ticket: flight.ticket, error, at: now, next_try });
    }

    fn internal(&self, flight: &Flight, reason: String) -> Error {
        self.error(flight, ErrorKind::Internal(reason))
    }

    fn error(&self, flight: &Flight, kind: ErrorKind) -> Error {
        let place = self.hosts.get(flight.host).map(|host| host.place.clone()).unwrap_or_default();
        Error { what: flight.request.describe(), place, kind }
    }

    fn ticket(&mut self) -> Ticket {
        self.tickets += 1;
        Ticket(self.tickets)
    }
}
