//! What the task remembers of each request of late: until when its answer holds, and how it failed.

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::client::{Answer, Error, Request, Validator};
use crate::model::UtcTime;

use super::{EMPTY_ANSWERS, EMPTY_SPAN, REFETCH_SPACING, REFRESH_SPACING, REMEMBERED};

/// A wait, by the own clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// When it was noted.
    pub(super) from: UtcTime,
    /// Its end.
    pub(super) until: UtcTime,
}

impl Span {
    /// A wait of this length from now.
    pub(super) fn new(now: UtcTime, length: Duration) -> Span {
        Span { from: now, until: now.plus(length) }
    }

    /// Whether it is over. So it is where the clock was set back behind its beginning, by more than the minute that a
    /// clock is corrected by now and then: nobody knows how long ago it was noted.
    pub(super) fn is_over(self, now: UtcTime) -> bool {
        now >= self.until || now.plus(Duration::from_secs(60)) < self.from
    }
}

/// When a request is sent next, if nothing else happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Due {
    /// At once.
    #[default]
    Now,
    /// After a wait.
    After(Span),
    /// When its host may be asked again; the wait is what the app was told.
    WithHost(Span),
    /// Only when the user asks.
    Never,
}

/// One request.
#[derive(Debug, Default)]
pub(super) struct Entry {
    /// When it is sent next, if nothing else happens.
    pub(super) due: Due,
    /// Failures in a row that a retry may mend.
    pub(super) failures: u32,
    urge: Urge,
    sent: Option<UtcTime>,
    /// The last manual refresh.
    refreshed: Option<UtcTime>,
    /// How many empty answers came since the last one with rows, and when the first of them did.
    empty: Option<(u32, UtcTime)>,
    validator: Option<Validator>,
    outcome: Outcome,
    answer: Weak<Answer>,
    touched: u64,
}

/// Why it is sent without regard to freshness and retries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Urge {
    #[default]
    None,
    /// The app lost its value.
    Lost,
    /// The user asked.
    Refresh,
    /// The user asked while the host was limiting, and it is the one request that is sent all the same.
    RefreshThroughPause,
}

/// How the last fetch ended; what the app should still have of it.
#[derive(Debug, Default)]
enum Outcome {
    #[default]
    None,
    Answered,
    Failed(Weak<Error>),
}

impl Entry {
    /// When it may be sent; `None` for now.
    pub(super) fn waits(&self, now: UtcTime) -> Option<UtcTime> {
        match self.urge {
            Urge::None => {}
            Urge::Lost => {
                let spacing = Span::new(self.sent?, REFETCH_SPACING); // never sent: now
                return (!spacing.is_over(now)).then_some(spacing.until);
            }
            Urge::Refresh | Urge::RefreshThroughPause => return None,
        }
        match self.due {
            Due::Now | Due::WithHost(_) => None,
            Due::After(span) => (!span.is_over(now)).then_some(span.until),
            Due::Never => Some(UtcTime::from_millis(i64::MAX)),
        }
    }

    /// The last manual refresh.
    pub(super) fn refreshed(&self) -> Option<UtcTime> {
        self.refreshed
    }

    /// When the next manual refresh is allowed; `None` for now.
    pub(super) fn next_refresh(&self, now: UtcTime) -> Option<UtcTime> {
        let spacing = Span::new(self.refreshed?, REFRESH_SPACING);
        (!spacing.is_over(now)).then_some(spacing.until)
    }

    /// A manual refresh: to be sent without regard to freshness and retries, and through a pause of the host if need be.
    pub(super) fn refresh(&mut self, now: UtcTime, through_pause: bool) {
        self.refreshed = Some(now);
        self.urge = if through_pause { Urge::RefreshThroughPause } else { Urge::Refresh };
    }

    /// Whether it is sent although its host is limiting.
    pub(super) fn passes_pause(&self) -> bool {
        self.urge == Urge::RefreshThroughPause
    }

    /// Whether the user asked for it and it is still to be sent.
    pub(super) fn is_refresh(&self) -> bool {
        matches!(self.urge, Urge::Refresh | Urge::RefreshThroughPause)
    }

    /// It waits like any other request: a manual refresh that was not sent does not count as one.
    pub(super) fn withdraw(&mut self) {
        if self.is_refresh() {
            self.refreshed = None;
        }
        self.urge = Urge::None;
    }

    /// It is being sent. Returns what it may be confirmed by: only where the app still has the answer.
    pub(super) fn sent(&mut self, now: UtcTime) -> Option<Validator> {
        self.urge = Urge::None;
        self.sent = Some(now);
        if self.answer.strong_count() == 0 {
            self.validator = None;
        }
        self.validator.clone()
    }

    /// Whether the last answer had rows and the app still has it.
    pub(super) fn has_rows(&self) -> bool {
        self.answer.upgrade().is_some_and(|answer| !answer.is_empty())
    }

    /// Whether the app has the last answer and it is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.answer.upgrade().is_some_and(|answer| answer.is_empty())
    }

    /// An empty answer came although rows are known. Whether it is to be believed: after [`EMPTY_ANSWERS`] of them over
    /// [`EMPTY_SPAN`], without one with rows in between.
    pub(super) fn believes_empty(&mut self, now: UtcTime) -> bool {
        let (count, first) = self.empty.map_or((1, now), |(count, first)| (count.saturating_add(1), first.min(now)));
        self.empty = Some((count, first));
        count >= EMPTY_ANSWERS && now.since(first) >= EMPTY_SPAN
    }

    /// An answer came.
    pub(super) fn answered(&mut self, answer: &Arc<Answer>, validator: Option<Validator>, held: Span) {
        self.empty = None;
        self.answer = Arc::downgrade(answer);
        self.validator = validator;
        self.outcome = Outcome::Answered;
        self.failures = 0;
        self.due = Due::After(held);
    }

    /// The server confirmed the answer. False where the app has dropped it meanwhile: then it is fetched anew.
    pub(super) fn confirmed(&mut self, validator: Option<Validator>, held: Span) -> bool {
        if self.answer.strong_count() == 0 {
            self.forget();
            return false;
        }
        self.validator = validator.or(self.validator.take());
        self.empty = None;
        self.outcome = Outcome::Answered;
        self.failures = 0;
        self.due = Due::After(held);
        true
    }

    /// It failed.
    pub(super) fn failed(&mut self, error: &Arc<Error>, due: Due) {
        self.outcome = Outcome::Failed(Arc::downgrade(error));
        self.due = due;
    }

    /// It comes into the demand: where the app no longer has what it was told last, it is fetched as if never before,
    /// though not more often than a refresh.
    fn enter(&mut self) {
        let lost = match &self.outcome {
            Outcome::None => false,
            Outcome::Answered => self.answer.strong_count() == 0,
            Outcome::Failed(error) => error.strong_count() == 0,
        };
        if lost {
            self.forget();
            self.urge = Urge::Lost;
        }
    }

    fn forget(&mut self) {
        self.due = Due::Now;
        self.outcome = Outcome::None;
    }
}

/// The requests that were demanded last.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    entries: HashMap<Request, Entry>,
    turn: u64,
}

impl Ledger {
    /// Notes a new demand, and forgets what was not demanded for longest.
    pub(super) fn demanded(&mut self, wanted: &[Request]) {
        let previous = self.turn;
        self.turn += 1;
        for request in wanted {
            let entry = self.entries.entry(request.clone()).or_default();
            // One that stays in the demand is not asked whether it lost its value: an app that keeps none would make
            // the task fetch without end.
            if entry.touched != previous {
                entry.enter();
            }
            entry.touched = self.turn;
        }
        for left in self.entries.values_mut().filter(|entry| entry.touched == previous) {
            left.withdraw();
        }
        self.trim();
    }

    /// One of the demanded requests.
    pub(super) fn get(&mut self, request: &Request) -> Option<&mut Entry> {
        self.entries.get_mut(request)
    }

    fn trim(&mut self) {
        let excess = self.entries.len().saturating_sub(REMEMBERED);
        if excess == 0 {
            return;
        }
        let mut left: Vec<(u64, Request)> = (self.entries.iter())
            .filter(|(_, entry)| entry.touched != self.turn)
            .map(|(request, entry)| (entry.touched, request.clone()))
            .collect();
        left.sort_unstable();
        for (_, request) in left.into_iter().take(excess) {
            self.entries.remove(&request);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_ends_with_its_time_or_with_a_clock_set_back_by_more_than_a_minute() {
        let now = UtcTime::from_secs(1_795_000_000);
        let span = Span::new(now, Duration::from_secs(100));
        let ms = Duration::from_millis;
        for (at, over) in [
            (now, false),
            (now.plus(ms(99_999)), false),
            (now.plus(ms(100_000)), true),
            (now.minus(ms(60_000)), false),
            (now.minus(ms(60_001)), true),
        ] {
            assert_eq!(span.is_over(at), over, "{at}");
        }
    }
}
