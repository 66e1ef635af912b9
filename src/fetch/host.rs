//! The rate limit of a host.

use crate::client::{Error, ErrorKind};
use crate::model::UtcTime;

use super::limits::REFRESH_SPACING;
use super::requests::Wait;
use super::retry::Backoff;

/// A host, which may serve several groups.
#[derive(Debug)]
pub(super) struct Host {
    /// [`super::Source::origin`].
    pub(super) origin: String,
    pause: Option<Pause>,
    refusals: u32,
    /// The last manual refresh of one of its resources.
    refreshed: Option<UtcTime>,
}

/// A pause in the requests to a host.
#[derive(Clone, Debug)]
pub(super) struct Pause {
    /// How long it lasts.
    pub(super) span: Wait,
    /// The error that caused it.
    pub(super) cause: ErrorKind,
}

impl Host {
    /// A host without limits so far.
    pub(super) fn new(origin: String) -> Host {
        Host { origin, pause: None, refusals: 0, refreshed: None }
    }

    /// The current pause.
    pub(super) fn pause(&self, now: UtcTime) -> Option<&Pause> {
        self.pause.as_ref().filter(|pause| !pause.span.is_over(now))
    }

    /// Records a manual refresh of one of its resources.
    pub(super) fn refreshed(&mut self, now: UtcTime) {
        self.refreshed = Some(now);
    }

    /// When the next manual refresh is allowed during a pause; `None` for now.
    pub(super) fn next_refresh(&self, now: UtcTime) -> Option<UtcTime> {
        Wait::new(self.refreshed?, REFRESH_SPACING).end(now)
    }

    /// Records a response to a request sent at `sent`. If it was a manual refresh during a pause, the rate limit is
    /// over: the pause ends.
    pub(super) fn succeeded(&mut self, sent: UtcTime) {
        if !self.sent_before_pause(sent) {
            self.refusals = 0;
            self.pause = None;
        }
    }

    /// Records that the host rejected a request sent at `sent` because of its rate limit. Requests that were in flight
    /// at the first rejection count as one with it; they extend the pause only if the host requires a later time.
    pub(super) fn rate_limited(
        &mut self,
        error: &Error,
        sent: UtcTime,
        now: UtcTime,
        backoff: &Backoff,
        random: &mut fastrand::Rng,
    ) -> Wait {
        let retry_after = error.retry_after().filter(|retry_after| !retry_after.is_zero());
        if let Some(pause) = self.pause(now).filter(|pause| sent <= pause.span.from) {
            let later = retry_after.map(|_| Wait::new(now, backoff.pause(retry_after, 0, random)));
            let Some(later) = later.filter(|later| later.until > pause.span.until) else {
                return pause.span;
            };
            self.pause = Some(Pause { span: later, cause: error.kind.clone() });
            return later;
        }
        let span = Wait::new(now, backoff.pause(retry_after, self.refusals, random));
        self.refusals = self.refusals.saturating_add(1);
        self.pause = Some(Pause { span, cause: error.kind.clone() });
        span
    }

    fn sent_before_pause(&self, sent: UtcTime) -> bool {
        self.pause.as_ref().is_some_and(|pause| sent <= pause.span.from)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn at(secs: u64) -> UtcTime {
        UtcTime::from_secs(1_795_000_000).plus(Duration::from_secs(secs))
    }

    /// Rejects a request sent at `sent`; returns the end of the pause, in seconds.
    fn refuse(host: &mut Host, retry_after: Option<u64>, sent: u64, now: u64) -> f64 {
        let kind = ErrorKind::RateLimited { message: None, retry_after: retry_after.map(Duration::from_secs) };
        let error = Error { what: String::new(), origin: String::new(), kind };
        let mut random = fastrand::Rng::with_seed(7);
        let span = host.rate_limited(&error, at(sent), at(now), &Backoff::default(), &mut random);
        assert_eq!(host.pause(at(now)).map(|pause| pause.span), Some(span));
        span.until.since(at(0)).as_secs_f64()
    }

    #[test]
    fn requests_in_flight_can_only_lengthen_a_pause() {
        let mut host = Host::new(String::new());
        assert_eq!(refuse(&mut host, Some(30), 0, 1), 31.0);
        assert_eq!(refuse(&mut host, Some(20), 0, 2), 31.0, "an earlier time");
        assert_eq!(refuse(&mut host, None, 1, 3), 31.0, "none");
        let first = host.pause(at(4)).map(|pause| pause.span.from);
        assert_eq!(refuse(&mut host, Some(27), 1, 4), 31.0, "the same");
        assert_eq!(host.pause(at(4)).map(|pause| pause.span.from), first);
        assert_eq!(refuse(&mut host, Some(40), 1, 5), 45.0, "a later one");
        assert!(host.pause(at(44)).is_some() && host.pause(at(45)).is_none());
    }

    #[test]
    fn only_a_response_to_a_later_request_resets_the_refusals() {
        let bounds = |early: bool| {
            let mut host = Host::new(String::new());
            let first = refuse(&mut host, None, 0, 0);
            host.succeeded(if early { at(0) } else { at(20) });
            (first, refuse(&mut host, None, 100, 100) - 100.0)
        };
        let (first, again) = bounds(true);
        assert!((again - 2.0 * first).abs() < 0.01, "a response to an earlier request doesn't reset them");
        let (first, again) = bounds(false);
        assert!((again - first).abs() < 0.01, "{again} {first}");
    }
}
