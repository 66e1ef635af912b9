//! Handles responses and failures.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::{Id, JoinError};

use crate::client::{Error, ErrorKind, Reply, ResponseData};
use crate::model::{UtcTime, provider};

use super::{InFlight, Runner};
use crate::fetch::demand::BackgroundNeed;
use crate::fetch::event::{Event, Receipt, RefreshFailure};
use crate::fetch::plausibility;
use crate::fetch::requests::{Due, Wait};
use crate::fetch::retry;
use crate::fetch::source::Source;

/// Maximum plausible `Age` of a response; a higher one is ignored.
const MAX_AGE: Duration = Duration::from_hours(30 * 24);

impl<S: Source> Runner<S> {
    /// Handles a result, unless the request was cancelled in the meantime.
    pub(super) fn finished(&mut self, done: Result<(Id, Result<Reply, Error>), JoinError>) {
        let (id, result) = match done {
            Ok((id, result)) => (id, Ok(result)),
            Err(panicked) => (panicked.id(), Err(panicked)),
        };
        let Some(index) = self.in_flight.iter().position(|flight| flight.task.id() == id) else {
            return;
        };
        let flight = self.in_flight.remove(index);
        let internal = |error: JoinError| Err(self.error(&flight, ErrorKind::Internal(error.to_string())));
        match result.unwrap_or_else(internal) {
            Ok(reply) => self.arrived(flight, reply),
            Err(error) => self.failed(flight, error),
        }
    }

    fn arrived(&mut self, flight: InFlight, reply: Reply) {
        let now = self.clock.now();
        let app_has_rows = self.with_rows.contains(&flight.request);
        let Some(state) = self.requests.get(&flight.request) else {
            return;
        };
        let response: Option<Arc<ResponseData>> = reply.response.map(Arc::new);
        let known = state.response();
        let is_empty = response.as_ref().or(known.as_ref()).is_some_and(|response| response.is_empty());
        let has_rows = app_has_rows || known.as_ref().is_some_and(|known| known.has_rows());
        let implausible = match (&response, &known) {
            (Some(_), _) if is_empty => has_rows.then_some(ErrorKind::NoRows),
            // Our own service checks the lists of its providers, and its next provider may have another list.
            (Some(response), Some(known)) if !reply.is_own => {
                plausibility::implausible(&flight.request, known, response)
            }
            _ => None,
        };
        // Release it, since a confirmation (304) checks whether the app still holds the response.
        drop(known);
        let is_doubtful = is_empty || implausible.is_some();
        if let Some(kind) = implausible
            && !state.record_implausible(&kind, now)
        {
            let error = self.error(&flight, kind);
            return self.failed(flight, error);
        }
        let length = self.freshness.for_response(&flight.request, reply.max_age);
        let length = if is_doubtful { length.min(self.backoff.max_final_wait) } else { length };
        let fresh_until = now.plus(length);
        // Only a refresh of what is on the screen is repeated.
        let length = if reply.not_refreshed.is_some() && flight.is_visible {
            state.not_refreshed(length, self.backoff.max)
        } else {
            state.end_refreshes();
            length
        };
        let fresh = Wait::new(now, length);
        match &response {
            Some(response) => state.succeeded(response, reply.validator, fresh),
            None if !flight.conditional => {
                let kind = ErrorKind::Status { status: reply.status, message: None, retry_after: None };
                let error = self.error(&flight, kind);
                return self.failed(flight, error);
            }
            None => {
                if !state.confirmed(reply.validator, fresh) {
                    return self.events.send(Event::Cancelled { request: flight.request, fetch_id: flight.fetch_id });
                }
            }
        }
        if let Some(host) = self.hosts.get_mut(flight.host) {
            host.succeeded(flight.sent);
        }
        self.retry_lost_connections(flight.host, flight.sent, now);
        if let Some(names) = &reply.provider {
            self.requests.record_provider(&flight.request, provider::first(names));
        }
        let age = if reply.age <= MAX_AGE { reply.age } else { Duration::ZERO };
        let mut warnings = reply.warnings;
        // Each is stored separately, since a confirmation replaces it.
        let notice = reply.notice.as_ref().map(|notice| &notice.sentence);
        warnings.retain(|warning| Some(warning) != notice && Some(warning) != reply.refresh_error.as_ref());
        let next_try = self.next_try(&flight, fresh.until, now);
        let failure = |message| {
            // The same error whether or not there is a body.
            let kind = ErrorKind::Explained { status: 200, message, retry_after: None, must_wait: false };
            RefreshFailure { error: Arc::new(self.error(&flight, kind)), next_try }
        };
        let refresh_failure = reply.refresh_error.map(failure);
        let not_refreshed = reply.not_refreshed.map(failure);
        let receipt = Receipt {
            url: reply.url,
            status: reply.status,
            bytes: reply.bytes,
            latency: reply.latency,
            fetched_at: now,
            fresh_until: if refresh_failure.is_some() { now.minus(age) } else { fresh_until },
            simulated: reply.simulated,
            provider: reply.provider,
            rate: reply.rate.map(Box::new),
            age,
            warnings: warnings.into(),
            notice: reply.notice.map(Box::new),
            refresh_failure,
            not_refreshed,
            rows: reply.rows,
        };
        self.events.send(Event::Arrived { request: flight.request, fetch_id: flight.fetch_id, response, receipt });
    }

    fn failed(&mut self, flight: InFlight, error: Error) {
        let now = self.clock.now();
        let (Some(state), Some(host)) = (self.requests.get(&flight.request), self.hosts.get_mut(flight.host)) else {
            return;
        };
        let due = if retry::limits_host(&error) {
            Due::WithHost(host.rate_limited(&error, flight.sent, now, &self.backoff, &mut self.random))
        } else if error.is_retryable() {
            let wait = self.backoff.wait(state.failures, &mut self.random);
            let retry_after = error.retry_after().unwrap_or_default().min(self.backoff.max_retry_after);
            state.failures = state.failures.saturating_add(1);
            Due::After(Wait::new(now, wait.max(retry_after)))
        } else if is_final(&error.kind) {
            Due::Never
        } else {
            state.failures = 0;
            Due::After(Wait::new(now, self.freshness.unstated(&flight.request).min(self.backoff.max_final_wait)))
        };
        let error = Arc::new(error);
        state.failed(&error, now, due);
        let next_try = match due {
            Due::After(span) | Due::WithHost(span) => Some(self.next_try(&flight, span.until, now)),
            Due::Now | Due::Never => None,
        };
        tracing::debug!(%error, ?next_try, "request failed");
        self.events.send(Event::Failed {
            request: flight.request,
            fetch_id: flight.fetch_id,
            error,
            at: now,
            next_try,
        });
    }

    /// Retries visible requests whose connection to this host failed before `sent`, when a request that has now
    /// succeeded was sent. Otherwise, a screen would mix new and old data for minutes after an outage.
    fn retry_lost_connections(&mut self, host: usize, sent: UtcTime, now: UtcTime) {
        // They are sent after the pause anyway.
        if self.hosts.get(host).is_none_or(|host| host.pause(now).is_some()) {
            return;
        }
        for request in &self.visible {
            if self.host_of(request) == host
                && !self.is_in_flight(request)
                && let Some(state) = self.requests.get(request)
            {
                state.end_wait_early(sent);
            }
        }
    }

    /// When a request that is due at a time is sent again; later if it is needed only in the background.
    fn next_try(&mut self, flight: &InFlight, due: UtcTime, now: UtcTime) -> UtcTime {
        let is_own = |need: &&BackgroundNeed| need.request == flight.request && !flight.is_visible;
        let Some(need) = self.background.iter().find(is_own) else { return due };
        let wait = self.requests.get(&flight.request).and_then(|state| state.background_wait_until(need, now));
        wait.map_or(due, |at| at.max(due))
    }

    fn error(&self, flight: &InFlight, kind: ErrorKind) -> Error {
        let origin = self.hosts.get(flight.host).map(|host| host.origin.clone()).unwrap_or_default();
        Error { what: flight.request.describe(), origin, kind }
    }
}

/// Whether only the user can fix it, such as by enabling another provider.
fn is_final(kind: &ErrorKind) -> bool {
    use ErrorKind::{BadHeader, BadUrl, Explained, InvalidRequest};
    matches!(kind, BadUrl(_) | BadHeader(_) | InvalidRequest(_) | Explained { status: 501, .. })
}
