//! The limits of one host: how many requests are under way there, and until when it must be left alone.

use crate::client::{Error, ErrorKind};
use crate::model::UtcTime;

use super::ledger::Span;
use super::{Backoff, PER_HOST};

/// One host, which may answer several groups.
#[derive(Debug)]
pub(super) struct Host {
    /// [`super::Source::place`].
    pub(super) place: String,
    under_way: usize,
    pause: Option<Pause>,
    refusals: u32,
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
        Host { place, under_way: 0, pause: None, refusals: 0 }
    }

    /// Whether another request may be sent beside those under way.
    pub(super) fn has_room(&self) -> bool {
        self.under_way < PER_HOST
    }

    /// The pause that lasts.
    pub(super) fn pause(&self, now: UtcTime) -> Option<&Pause> {
        self.pause.as_ref().filter(|pause| !pause.span.is_over(now))
    }

    /// A request is sent.
    pub(super) fn sent(&mut self) {
        self.under_way += 1;
    }

    /// A request is no longer under way.
    pub(super) fn done(&mut self) {
        self.under_way = self.under_way.saturating_sub(1);
    }

    /// A request sent at `sent` was answered.
    pub(super) fn answered(&mut self, sent: UtcTime) {
        if !self.sent_before_pause(sent) {
            self.refusals = 0;
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
