//! The limits of one host: how many requests are under way there, and until when it must be left alone.

use crate::client::{Error, ErrorKind};
use crate::model::UtcTime;

use super::ledger::Span;
use super::{Backoff, PER_HOST, REFRESH_SPACING};

/// One host, which may answer several groups.
#[derive(Debug)]
pub(super) struct Host {
    /// [`super::Source::place`].
    pub(super) place: String,
    under_way: usize,
    pause: Option<Pause>,
    refusals: u32,
    /// The last manual refresh of one of its resources.
    refreshed: Option<UtcTime>,
}

/// A time in which the host is not asked.
#[derive(Clone, Debug)]
pub(super) struct Pause {
    /// How long.
    pub(super) span: Span,
    /// Why.
    pub(super) cause: ErrorKind,
}

impl Host {
    /// A host that nobody asked yet.
    pub(super) fn new(place: String) -> Host {
        Host { place, under_way: 0, pause: None, refusals: 0, refreshed: None }
    }

    /// Whether another request may be sent beside those under way.
    pub(super) fn has_room(&self) -> bool {
        self.under_way < PER_HOST
    }

    /// The pause that lasts.
    pub(super) fn pause(&self, now: UtcTime) -> Option<&Pause> {
        self.pause.as_ref().filter(|pause| !pause.span.is_over(now))
    }

    /// A manual refresh of one of its resources is allowed.
    pub(super) fn refreshed(&mut self, now: UtcTime) {
        self.refreshed = Some(now);
    }

    /// When the next manual refresh may go through a pause; `None` for now.
    pub(super) fn next_refresh(&self, now: UtcTime) -> Option<UtcTime> {
        let spacing = Span::new(self.refreshed?, REFRESH_SPACING);
        (!spacing.is_over(now)).then_some(spacing.until)
    }

    /// A request is sent.
    pub(super) fn sent(&mut self) {
        self.under_way += 1;
    }

    /// A request is no longer under way.
    pub(super) fn done(&mut self) {
        self.under_way = self.under_way.saturating_sub(1);
    }

    /// A request sent at `sent` was answered. Where it was a manual refresh during a pause, the host no longer limits:
    /// the pause ends.
    pub(super) fn answered(&mut self, sent: UtcTime) {
        if !self.sent_before_pause(sent) {
            self.refusals = 0;
            self.pause = None;
        }
    }

    /// The host refused a request that was sent at `sent`. Those that were under way when it first refused are one
    /// refusal with it; they prolong the pause only where the host names a later time.
    pub(super) fn refused(
        &mut self,
        error: &Error,
        sent: UtcTime,
        now: UtcTime,
        backoff: &Backoff,
        random: &mut fastrand::Rng,
    ) -> Span {
        let asked = error.retry_after().filter(|asked| !asked.is_zero());
        if let Some(pause) = self.pause(now).filter(|pause| sent <= pause.span.from) {
            let later = asked.map(|_| Span::new(now, backoff.pause(asked, 0, random)));
            let Some(later) = later.filter(|later| later.until > pause.span.until) else {
                return pause.span;
            };
            self.pause = Some(Pause { span: later, cause: error.kind.clone() });
            return later;
        }
        let span = Span::new(now, backoff.pause(asked, self.refusals, random));
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

    /// Refuses a request sent at `sent`; returns until when the host is left alone, in seconds.
    fn refuse(host: &mut Host, asked: Option<u64>, sent: u64, now: u64) -> f64 {
        let kind = ErrorKind::RateLimited { message: None, retry_after: asked.map(Duration::from_secs) };
        let error = Error { what: String::new(), place: String::new(), kind };
        let mut random = fastrand::Rng::with_seed(7);
        let span = host.refused(&error, at(sent), at(now), &Backoff::default(), &mut random);
        assert_eq!(host.pause(at(now)).map(|pause| pause.span), Some(span));
        span.until.since(at(0)).as_secs_f64()
    }

    #[test]
    fn what_was_under_way_prolongs_a_pause_only_by_a_later_time() {
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
    fn only_an_answer_to_a_later_request_forgets_the_refusals() {
        let bounds = |early: bool| {
            let mut host = Host::new(String::new());
            let first = refuse(&mut host, None, 0, 0);
            host.answered(if early { at(0) } else { at(20) });
            (first, refuse(&mut host, None, 100, 100) - 100.0)
        };
        let (first, again) = bounds(true);
        assert!((again - 2.0 * first).abs() < 0.01, "what was sent before the refusal says nothing of the host now");
        let (first, again) = bounds(false);
        assert!((again - first).abs() < 0.01, "{again} {first}");
    }
}
