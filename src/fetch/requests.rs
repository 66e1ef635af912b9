//! The state of each recent request: how long its response is fresh, and how it failed.

use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};
use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::client::{Error, ErrorKind, Request, ResponseData, Validator};
use crate::model::{Text, UtcTime, backoff};

use super::demand::BackgroundNeed;
use super::limits::{
    BACKGROUND_RETRY, IMPLAUSIBLE_RESPONSES, IMPLAUSIBLE_SPAN, MAX_REMEMBERED, REFETCH_SPACING, REFRESH_SPACING,
};
use super::retry;

/// A time that is never reached.
pub(super) const NEVER: UtcTime = UtcTime::from_millis(i64::MAX);

/// A wait, by the local clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wait {
    /// When it began.
    pub(super) from: UtcTime,
    /// When it ends.
    pub(super) until: UtcTime,
}

impl Wait {
    /// A wait of this length from now.
    pub(super) fn new(now: UtcTime, length: Duration) -> Wait {
        Wait { from: now, until: now.plus(length) }
    }

    /// Whether it has ended. It has also ended if the clock was set back to more than a minute before its start, since
    /// the elapsed time is then unknown. Smaller corrections of a clock are common.
    pub(super) fn is_over(self, now: UtcTime) -> bool {
        now >= self.until || now.plus(Duration::from_secs(60)) < self.from
    }

    /// The end, unless it is over.
    pub(super) fn end(self, now: UtcTime) -> Option<UtcTime> {
        (!self.is_over(now)).then_some(self.until)
    }
}

/// When a request is sent next, if nothing else happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Due {
    /// Immediately.
    #[default]
    Now,
    /// After a wait.
    After(Wait),
    /// When the pause of its host is over; the span is the one last reported to the app.
    WithHost(Wait),
    /// Only on a manual refresh.
    Never,
}

/// The state of one request.
#[derive(Debug, Default)]
pub(super) struct RequestState {
    /// When it is sent next, if nothing else happens.
    pub(super) due: Due,
    /// Number of consecutive failures that a retry may fix.
    pub(super) failures: u32,
    force: Force,
    /// Number of consecutive refreshes that brought no newer data. It is refreshed until one does.
    unrefreshed: u32,
    sent: Option<UtcTime>,
    /// The last manual refresh.
    refreshed: Option<UtcTime>,
    /// For each kind of implausible response, the number since the last success, and the time of the first of them.
    implausible: HashMap<Discriminant<ErrorKind>, (u32, UtcTime)>,
    validator: Option<Validator>,
    outcome: Outcome,
    /// Whether the last fetch failed because of the connection.
    has_lost_connection: bool,
    /// Whether a wait has ended early because the host responded to other requests, since the last success.
    has_retried_early: bool,
    /// When the last fetch ended.
    ended: Option<UtcTime>,
    response: Weak<ResponseData>,
    /// The provider of its rows.
    provider: Option<Text>,
    /// The last demand that contained it.
    demanded: u64,
    /// The last demand in which it was visible.
    visible: u64,
}

/// Why a request is sent regardless of freshness and retries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Force {
    #[default]
    None,
    /// The app has dropped its value.
    Dropped,
    /// Another page of its list came from another provider.
    OtherProvider,
    /// A manual refresh.
    Refresh,
    /// The only manual refresh that is sent during a rate limit.
    RefreshThroughPause,
}

/// The result of the last fetch, which the app should still have.
#[derive(Debug, Default)]
enum Outcome {
    #[default]
    None,
    Succeeded,
    Failed(Weak<Error>),
}

impl RequestState {
    /// When it may be sent; `None` for now.
    pub(super) fn wait_until(&self, now: UtcTime) -> Option<UtcTime> {
        match self.force {
            Force::None => {}
            Force::Dropped => return Wait::new(self.sent?, REFETCH_SPACING).end(now), // never sent: now
            Force::OtherProvider => return Wait::new(self.sent?, REFRESH_SPACING).end(now),
            Force::Refresh | Force::RefreshThroughPause => return None,
        }
        match self.due {
            Due::Now | Due::WithHost(_) => None,
            Due::After(span) => span.end(now),
            Due::Never => Some(NEVER),
        }
    }

    /// When it may be sent for a background need; `None` for now. After a failure, a background request is retried less
    /// often than a visible one, unless the need says otherwise.
    pub(super) fn background_wait_until(&self, need: &BackgroundNeed, now: UtcTime) -> Option<UtcTime> {
        let every = need.every;
        let own = match (&self.outcome, self.ended) {
            (Outcome::Succeeded, Some(ended)) if need.is_refresh => return Wait::new(ended, every).end(now),
            (Outcome::Succeeded, Some(ended)) => Wait::new(ended, every).end(now),
            (Outcome::Failed(_), Some(ended)) if !need.retries_soon => {
                let pause = backoff(BACKGROUND_RETRY, self.failures.saturating_sub(1), every);
                Wait::new(ended, pause.max(BACKGROUND_RETRY)).end(now)
            }
            _ => None,
        };
        self.wait_until(now).max(own)
    }

    /// Whether the last fetch failed.
    pub(super) fn has_failed(&self) -> bool {
        matches!(self.outcome, Outcome::Failed(_))
    }

    /// When it was sent last.
    pub(super) fn sent_at(&self) -> Option<UtcTime> {
        self.sent
    }

    /// The last manual refresh.
    pub(super) fn refreshed(&self) -> Option<UtcTime> {
        self.refreshed
    }

    /// When the next manual refresh is allowed; `None` for now.
    pub(super) fn next_refresh(&self, now: UtcTime) -> Option<UtcTime> {
        Wait::new(self.refreshed?, REFRESH_SPACING).end(now)
    }

    /// Requests a manual refresh, regardless of freshness and retries; if `through_pause` is set, even during a rate
    /// limit.
    pub(super) fn refresh(&mut self, now: UtcTime, through_pause: bool) {
        self.refreshed = Some(now);
        self.force = if through_pause { Force::RefreshThroughPause } else { Force::Refresh };
    }

    /// Whether it is sent during a rate limit of its host.
    pub(super) fn passes_pause(&self) -> bool {
        self.force == Force::RefreshThroughPause
    }

    /// Whether it is a manual refresh that is not sent yet.
    pub(super) fn is_refresh(&self) -> bool {
        matches!(self.force, Force::Refresh | Force::RefreshThroughPause)
    }

    /// Whether it is sent as a refresh: a manual one, or one that repeats a manual one which brought no newer data.
    pub(super) fn sends_refresh(&self) -> bool {
        self.is_refresh() || self.unrefreshed > 0
    }

    /// Records a response to a refresh with data that is fresh for `length`, but not newer. Returns the time before the
    /// refresh is repeated.
    pub(super) fn not_refreshed(&mut self, length: Duration, max: Duration) -> Duration {
        let wait = backoff(REFRESH_SPACING, self.unrefreshed, max);
        self.unrefreshed = self.unrefreshed.saturating_add(1);
        wait.min(length)
    }

    /// Records that the data is new, or that no refresh is repeated.
    pub(super) fn end_refreshes(&mut self) {
        self.unrefreshed = 0;
    }

    /// Makes it wait like any other request. A manual refresh that was not sent doesn't count as one.
    pub(super) fn cancel_refresh(&mut self) {
        if self.is_refresh() {
            self.refreshed = None;
        }
        if self.force != Force::OtherProvider {
            self.force = Force::None;
        }
    }

    /// Records that it is being sent. Returns the validator of the response, if the app still has that response.
    pub(super) fn send(&mut self, now: UtcTime) -> Option<Validator> {
        self.force = Force::None;
        self.sent = Some(now);
        if self.response.strong_count() == 0 {
            self.validator = None;
        }
        self.validator.clone()
    }

    /// The last response, if the app still has it.
    pub(super) fn response(&self) -> Option<Arc<ResponseData>> {
        self.response.upgrade()
    }

    /// Counts a response that is implausible compared with the known one. Returns whether to accept it: after
    /// [`IMPLAUSIBLE_RESPONSES`] of this kind over [`IMPLAUSIBLE_SPAN`], without a success in between.
    pub(super) fn record_implausible(&mut self, implausible: &ErrorKind, now: UtcTime) -> bool {
        let (count, first) = self.implausible.entry(discriminant(implausible)).or_insert((0, now));
        *count = count.saturating_add(1);
        *first = now.min(*first);
        *count >= IMPLAUSIBLE_RESPONSES && now.since(*first) >= IMPLAUSIBLE_SPAN
    }

    /// Records a response and its freshness.
    pub(super) fn succeeded(&mut self, response: &Arc<ResponseData>, validator: Option<Validator>, fresh: Wait) {
        self.response = Arc::downgrade(response);
        self.validator = validator;
        self.record_success(fresh);
    }

    /// Records that the server confirmed the response. Returns `false` if the app has dropped it in the meantime; it is
    /// then fetched again.
    pub(super) fn confirmed(&mut self, validator: Option<Validator>, fresh: Wait) -> bool {
        if self.response.strong_count() == 0 {
            self.forget();
            return false;
        }
        self.validator = validator.or(self.validator.take());
        self.record_success(fresh);
        true
    }

    fn record_success(&mut self, fresh: Wait) {
        self.implausible.clear();
        self.outcome = Outcome::Succeeded;
        self.has_lost_connection = false;
        self.has_retried_early = false;
        self.ended = Some(fresh.from);
        self.failures = 0;
        self.due = Due::After(fresh);
    }

    /// Records a failure.
    pub(super) fn failed(&mut self, error: &Arc<Error>, now: UtcTime, due: Due) {
        self.outcome = Outcome::Failed(Arc::downgrade(error));
        self.has_lost_connection = retry::is_connection_failure(error);
        self.ended = Some(now);
        self.due = due;
    }

    /// Ends the wait after a failed connection, since the host has responded to another request sent at `sent`, after
    /// the failure. Only once until the next success, so that a request that keeps failing is still sent less and less
    /// often.
    pub(super) fn end_wait_early(&mut self, sent: UtcTime) {
        if self.has_lost_connection && !self.has_retried_early && self.ended.is_some_and(|ended| ended <= sent) {
            self.has_retried_early = true;
            self.due = Due::Now;
        }
    }

    /// Adds it to the demand. If the app no longer has the last result, it is fetched as if for the first time, but not
    /// more often than [`REFETCH_SPACING`].
    fn enter(&mut self) {
        let lost = match &self.outcome {
            Outcome::None => false,
            Outcome::Succeeded => self.response.strong_count() == 0,
            Outcome::Failed(error) => error.strong_count() == 0,
        };
        if lost {
            self.forget();
            self.force = Force::Dropped;
        }
    }

    fn forget(&mut self) {
        self.due = Due::Now;
        self.outcome = Outcome::None;
    }
}

/// The most recently demanded requests.
#[derive(Debug, Default)]
pub(super) struct Requests {
    states: HashMap<Request, RequestState>,
    /// Counts demands.
    demand: u64,
}

impl Requests {
    /// Records a new demand: requests, and whether each is visible. Drops the least recently demanded ones.
    pub(super) fn demand<'a>(&mut self, requests: impl Iterator<Item = (&'a Request, bool)>) {
        let previous = self.demand;
        self.demand += 1;
        for (request, is_visible) in requests {
            let state = self.states.entry(request.clone()).or_default();
            // Don't check requests that stay in the demand: if the app kept no values, the task would fetch forever.
            if state.demanded < previous {
                state.enter();
            }
            state.demanded = self.demand;
            if is_visible {
                state.visible = self.demand;
            }
        }
        // A manual refresh applies only to visible requests.
        for left in self.states.values_mut().filter(|state| state.visible == previous) {
            left.cancel_refresh();
            left.end_refreshes();
        }
        self.trim();
    }

    /// Records the provider of a page of a list. If its last response came from another one, the pages of others are
    /// requested again: each provider ranks coins differently.
    pub(super) fn record_provider(&mut self, page: &Request, provider: &str) {
        let Some(state) = self.states.get_mut(page) else { return };
        if state.provider.replace(Text::from(provider)).is_some_and(|before| before.as_str() == provider) {
            return;
        }
        // It was in flight when another page of this provider arrived.
        if state.force == Force::OtherProvider {
            state.force = Force::None;
        }
        for (other, state) in &mut self.states {
            let is_of_other = state.provider.as_deref().is_some_and(|own| own != provider);
            if is_of_other && state.force == Force::None && other.is_of_same_list(page) {
                state.force = Force::OtherProvider;
            }
        }
    }

    /// Marks all responses and errors as outdated, since they come from other sources.
    pub(super) fn expire(&mut self) {
        self.states.values_mut().for_each(|state| state.due = Due::Now);
    }

    /// One of the demanded requests.
    pub(super) fn get(&mut self, request: &Request) -> Option<&mut RequestState> {
        self.states.get_mut(request)
    }

    fn trim(&mut self) {
        let excess = self.states.len().saturating_sub(MAX_REMEMBERED);
        if excess == 0 {
            return;
        }
        let mut left: Vec<(u64, Request)> = (self.states.iter())
            .filter(|(_, state)| state.demanded != self.demand)
            .map(|(request, state)| (state.demanded, request.clone()))
            .collect();
        left.sort_unstable();
        for (_, request) in left.into_iter().take(excess) {
            self.states.remove(&request);
        }
    }
}

#[cfg(test)]
mod tests;
