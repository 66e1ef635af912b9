//! The task: a loop over the demand, manual refreshes, responses, and the next time at which something is due.

mod outcome;

use std::collections::HashSet;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, sleep_until};

use crate::client::{Error, Group, Reply, Request};
use crate::clock::Clock;
use crate::model::UtcTime;

use super::budget::Budget;
use super::demand::{BackgroundNeed, Demand};
use super::event::{Event, FetchId, SkipReason};
use super::event_queue::EventQueue;
use super::freshness::Freshness;
use super::host::Host;
use super::limits::MAX_PER_HOST;
use super::refresh::Refresh;
use super::requests::{Due, NEVER, Requests};
use super::retry::Backoff;
use super::settings::Settings;
use super::source::Source;

/// Longer sleeps end early, to stay within the runtime's range of times.
const MAX_SLEEP: Duration = Duration::from_secs(24 * 60 * 60);

/// The state of the task.
pub(super) struct Runner<S> {
    source: Arc<S>,
    clock: Clock,
    freshness: Freshness,
    backoff: Backoff,
    random: fastrand::Rng,
    /// Nothing is sent while events are waiting, so it contains no more events than the requests in flight can cause.
    events: EventQueue,
    visible: Vec<Request>,
    background: Vec<BackgroundNeed>,
    /// The requests whose rows the app already has.
    with_rows: HashSet<Request>,
    budget: Budget,
    /// The last [`Event::Background`]: how many wait, and until when.
    waiting: (usize, Option<UtcTime>),
    requests: Requests,
    /// The market group's host first, the indexer's last; only one if they share it.
    hosts: Vec<Host>,
    in_flight: Vec<InFlight>,
    tasks: JoinSet<Result<Reply, Error>>,
    fetches: u64,
}

/// A request in flight.
struct InFlight {
    request: Request,
    fetch_id: FetchId,
    host: usize,
    sent: UtcTime,
    conditional: bool,
    is_visible: bool,
    task: AbortHandle,
}

impl<S: Source> Runner<S> {
    /// A task with an empty demand.
    pub(super) fn new(source: S, clock: Clock, settings: Settings, events: mpsc::Sender<Event>) -> Self {
        let mut hosts = vec![Host::new(source.origin(Group::Market))];
        let indexer = source.origin(Group::Indexer);
        if hosts.iter().all(|host| host.origin != indexer) {
            hosts.push(Host::new(indexer));
        }
        Runner {
            source: Arc::new(source),
            clock,
            freshness: settings.freshness,
            backoff: settings.backoff,
            random: settings.seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed),
            events: EventQueue::new(events),
            visible: Vec::new(),
            background: Vec::new(),
            with_rows: HashSet::new(),
            budget: Budget::new(settings.background_per_minute),
            waiting: (0, None),
            requests: Requests::default(),
            hosts,
            in_flight: Vec::new(),
            tasks: JoinSet::new(),
            fetches: 0,
        }
    }

    /// Runs until the demand's sender is dropped or the receiver of the events is closed.
    pub(super) async fn run(
        mut self,
        mut demand: watch::Receiver<Demand>,
        mut refreshes: mpsc::UnboundedReceiver<Refresh>,
    ) {
        let mut can_refresh = true;
        loop {
            let wake = self.send_due();
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
                        let demand = demand.borrow_and_update().clone();
                        self.adopt(demand);
                    }
                    Err(_) => return,
                },
                flushed = self.events.flush() => if flushed.is_err() {
                    return;
                },
                requests = refreshes.recv(), if can_refresh => match requests {
                    Some(refresh) => self.refresh(&refresh),
                    None => can_refresh = false,
                },
                Some(done) = self.tasks.join_next_with_id(), if !self.tasks.is_empty() => self.finished(done),
                () = sleep => {}
            }
        }
    }

    /// Replaces the demand, and cancels requests that are no longer in it.
    fn adopt(&mut self, demand: Demand) {
        let Demand { visible, background, has_rows, live: _, source_changes: _ } = demand;
        let all = visible.iter().chain(background.iter().map(|need| &need.request));
        let with_rows = all.zip(has_rows).filter(|(_, has_rows)| *has_rows);
        self.with_rows = with_rows.map(|(request, _)| request.clone()).collect();
        self.visible.clear();
        for request in visible {
            if !self.visible.contains(&request) {
                self.visible.push(request);
            }
        }
        self.background = background;
        let visible = self.visible.iter().map(|request| (request, true));
        self.requests.demand(visible.chain(self.background.iter().map(|need| (&need.request, false))));
        let mut left = Vec::new();
        for mut flight in std::mem::take(&mut self.in_flight) {
            flight.is_visible = self.visible.contains(&flight.request);
            if flight.is_visible || self.background.iter().any(|need| need.request == flight.request) {
                self.in_flight.push(flight);
            } else {
                left.push(flight);
            }
        }
        for flight in left {
            self.cancel(flight);
        }
    }

    /// Handles a manual refresh.
    fn refresh(&mut self, refresh: &Refresh) {
        let Refresh { requests, has_new_sources } = refresh;
        let now = self.clock.now();
        if *has_new_sources {
            self.requests.expire();
        }
        let mut requests: Vec<&Request> = requests.iter().filter(|request| self.visible.contains(request)).collect();
        // During a rate limit, one is sent at a time: the one that was refreshed longest ago.
        requests.sort_by_cached_key(|request| self.requests.get(request).and_then(|state| state.refreshed()));
        let (mut sent, mut skipped) = (0, Vec::new());
        for request in requests {
            let index = self.host_of(request);
            let is_in_flight = self.is_in_flight(request);
            let (Some(state), Some(host)) = (self.requests.get(request), self.hosts.get_mut(index)) else { continue };
            let is_paused = host.pause(now).is_some();
            let own = state.next_refresh(now).filter(|_| !has_new_sources);
            let reason = match (own, host.next_refresh(now).filter(|_| is_paused)) {
                // The response may still come from an earlier source, so it is sent again afterwards.
                _ if is_in_flight && *has_new_sources => {
                    state.refresh(now, false);
                    None
                }
                _ if is_in_flight => None,
                (own, Some(until)) => Some((SkipReason::RateLimited, own.map_or(until, |own| own.max(until)))),
                (Some(until), None) if state.has_failed() => Some((SkipReason::RecentlyFailed, until)),
                (Some(until), None) => Some((SkipReason::Recent, until)),
                (None, None) => {
                    state.refresh(now, is_paused);
                    host.refreshed(now);
                    None
                }
            };
            match reason {
                Some(reason) => skipped.push(reason),
                None => sent += 1,
            }
        }
        if let Some(&(reason, until)) = skipped.iter().min_by_key(|(_, until)| *until) {
            // Not all of them are up to date.
            let has_failed = skipped.iter().any(|(reason, _)| *reason == SkipReason::RecentlyFailed);
            let reason = if has_failed && reason == SkipReason::Recent { SkipReason::RecentlyFailed } else { reason };
            self.events.send(Event::RefreshSkipped { sent, skipped: skipped.len(), reason, until });
        }
    }

    /// Index of a request's host.
    fn host_of(&self, request: &Request) -> usize {
        match request.group() {
            Group::Market => 0,
            Group::Indexer => self.hosts.len() - 1,
        }
    }

    fn is_in_flight(&self, request: &Request) -> bool {
        self.in_flight.iter().any(|flight| flight.request == *request)
    }

    /// The number of visible or background requests in flight on a host.
    fn load(&self, host: usize, is_visible: bool) -> usize {
        self.in_flight.iter().filter(|flight| flight.host == host && flight.is_visible == is_visible).count()
    }

    /// If a host has more than [`MAX_PER_HOST`] requests in flight, cancels its newest background request, which was
    /// visible when it was sent. It is sent again later.
    fn make_room(&mut self, host: usize) {
        if self.load(host, true) + self.load(host, false) <= MAX_PER_HOST {
            return;
        }
        if let Some(index) = self.in_flight.iter().rposition(|flight| flight.host == host && !flight.is_visible) {
            let flight = self.in_flight.remove(index);
            self.cancel(flight);
        }
    }

    fn cancel(&mut self, flight: InFlight) {
        flight.task.abort();
        self.events.send(Event::Cancelled { request: flight.request, fetch_id: flight.fetch_id });
    }

    /// Sends due requests: the visible ones in order, then background ones. Returns when the next one will be due.
    fn send_due(&mut self) -> Option<Instant> {
        let now = self.clock.now();
        let mut next: Option<UtcTime> = None;
        let mut skipped = Vec::new();
        let visible = std::mem::take(&mut self.visible);
        for request in &visible {
            if self.events.has_waiting() {
                break; // the loop comes back here when the receiver has caught up
            }
            next = earlier(next, self.consider(request, now, &mut skipped));
        }
        self.visible = visible;
        if let Some(&until) = skipped.iter().min() {
            self.events.send(Event::RefreshSkipped {
                sent: 0,
                skipped: skipped.len(),
                reason: SkipReason::RateLimited,
                until,
            });
        }
        next = earlier(next, self.send_background(now));
        next.filter(|at| *at < NEVER).map(|at| Instant::now() + at.since(now).min(MAX_SLEEP))
    }

    /// Sends the request if it is due and allowed; returns when to check it again, if that depends only on time. If a
    /// manual refresh waited for other requests and its host is rate-limited by now, it is sent if the host allows one;
    /// otherwise, the time of the next refresh is added to `skipped`.
    fn consider(&mut self, request: &Request, now: UtcTime, skipped: &mut Vec<UtcTime>) -> Option<UtcTime> {
        if self.is_in_flight(request) {
            return None;
        }
        let index = self.host_of(request);
        let is_busy = self.load(index, true) >= MAX_PER_HOST;
        let state = self.requests.get(request)?;
        if let Some(at) = state.wait_until(now) {
            return Some(at);
        }
        let host = self.hosts.get_mut(index)?;
        if host.pause(now).is_some() && state.is_refresh() && !state.passes_pause() {
            match host.next_refresh(now) {
                Some(until) => skipped.push(until),
                None => {
                    state.refresh(now, true);
                    host.refreshed(now);
                }
            }
        }
        if let Some(pause) = host.pause(now).filter(|_| !state.passes_pause()).cloned() {
            state.cancel_refresh();
            if state.due != Due::WithHost(pause.span) {
                let error =
                    Arc::new(Error { what: request.describe(), origin: host.origin.clone(), kind: pause.cause });
                state.failed(&error, now, Due::WithHost(pause.span));
                let (request, fetch_id) = (request.clone(), self.next_fetch_id());
                self.events.send(Event::Started { request: request.clone(), fetch_id, at: now });
                self.events.send(Event::Failed { request, fetch_id, error, at: now, next_try: Some(pause.span.until) });
            }
            return Some(pause.span.until);
        }
        if !is_busy {
            self.make_room(index);
            self.send(request, index, now, true);
        }
        None
    }

    /// Sends due background requests, low priority last, then the longest unsent first, as far as the budget allows:
    /// one at a time for each host, and none while visible requests wait for it. Returns when to check again.
    fn send_background(&mut self, now: UtcTime) -> Option<UtcTime> {
        let needs = std::mem::take(&mut self.background);
        let mut next: Option<UtcTime> = None;
        let mut due: Vec<&BackgroundNeed> = Vec::new();
        for need in &needs {
            let request = &need.request;
            let is_due = due.iter().any(|other| other.request == *request);
            if self.visible.contains(request) || self.is_in_flight(request) || is_due {
                continue;
            }
            let index = self.host_of(request);
            let Some((state, host)) = self.requests.get(request).zip(self.hosts.get(index)) else { continue };
            match state.background_wait_until(need, now).max(host.pause(now).map(|pause| pause.span.until)) {
                Some(at) => next = earlier(next, Some(at)),
                None => due.push(need),
            }
        }
        due.sort_by_cached_key(|need| {
            (need.is_low_priority, self.requests.get(&need.request).and_then(|state| state.sent_at()))
        });
        let (mut waiting, mut until) = (0, None);
        for BackgroundNeed { request, is_low_priority, is_refresh, .. } in due {
            let index = self.host_of(request);
            if self.events.has_waiting() || self.load(index, false) > 0 || self.load(index, true) >= MAX_PER_HOST {
                waiting += 1; // until an event is received or a response comes
            } else if let Some(at) = self.budget.next_allowed(*is_low_priority, now) {
                waiting += 1;
                until = earlier(until, Some(at).filter(|at| *at < NEVER));
            } else {
                self.budget.charge(now);
                if let Some(state) = self.requests.get(request).filter(|_| *is_refresh) {
                    state.refresh(now, false);
                }
                self.send(request, index, now, false);
            }
        }
        self.background = needs;
        if self.waiting != (waiting, until) && !self.events.has_waiting() {
            self.waiting = (waiting, until);
            self.events.send(Event::Background { waiting, until });
        }
        earlier(next, until)
    }

    fn send(&mut self, request: &Request, host: usize, now: UtcTime, is_visible: bool) {
        let is_refresh = self.requests.get(request).is_some_and(|state| state.sends_refresh());
        let validator = self.requests.get(request).and_then(|state| state.send(now));
        let conditional = validator.is_some();
        let task = self.tasks.spawn({
            let (source, request) = (Arc::clone(&self.source), request.clone());
            async move {
                if is_refresh {
                    source.refresh(&request, validator.as_ref()).await
                } else {
                    source.get(&request, validator.as_ref()).await
                }
            }
        });
        let (request, fetch_id) = (request.clone(), self.next_fetch_id());
        self.events.send(Event::Started { request: request.clone(), fetch_id, at: now });
        self.in_flight.push(InFlight { request, fetch_id, host, sent: now, conditional, is_visible, task });
    }

    fn next_fetch_id(&mut self) -> FetchId {
        self.fetches += 1;
        FetchId(self.fetches)
    }
}

/// The earlier of two optional times.
fn earlier(a: Option<UtcTime>, b: Option<UtcTime>) -> Option<UtcTime> {
    a.into_iter().chain(b).min()
}
