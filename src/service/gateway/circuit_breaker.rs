//! Circuit breakers: which providers are paused, why, and until when.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use tokio::time::Instant;

use super::block_stream::tip_key;
use crate::format::words::in_sentence;
use crate::model::backoff;
use crate::service::operation::{Key, Operation};
use crate::service::time_source::Moment;
use crate::service::upstream::calendar::{until_midnight, until_next_month};
use crate::service::upstream::error::{ErrorClass, SourceError};

/// The first and the longest pause after a rate limit without `Retry-After`.
const FIRST_RATE_LIMIT_PAUSE: Duration = Duration::from_secs(60);
const MAX_RATE_LIMIT_PAUSE: Duration = Duration::from_mins(15);

/// The first and the longest pause of a provider that can't be reached.
const FIRST_BACKOFF: Duration = Duration::from_secs(5);
pub(super) const MAX_BACKOFF: Duration = Duration::from_mins(5);

/// If this many different values, such as balances, fail in a row, their operation is paused.
const VALUES_IN_A_ROW: usize = 3;

/// Maximum remembered values: by then, the pause has its maximum length anyway.
const MAX_FAILED_VALUES: usize = 16;

/// Maximum accepted `Retry-After`: Binance bans clients for up to three days. A longer one is a mistake, and doesn't
/// count.
const MAX_RETRY_AFTER: Duration = Duration::from_hours(3 * 24);

/// Pause after a response in an unexpected format.
const UNEXPECTED_FORMAT_PAUSE: Duration = Duration::from_mins(10);

const DAY: Duration = Duration::from_hours(24);

/// The circuit breaker of one provider.
#[derive(Clone, Debug, Default)]
pub(super) struct CircuitBreaker {
    /// Pause of all operations.
    all: Option<Pause>,
    /// Pauses of single operations.
    operations: HashMap<Operation, Pause>,
    /// Consecutive rate limits.
    rate_limits: u32,
    /// Consecutive failures.
    failures: u32,
    /// The values that have failed on their own since the last success of their operation.
    failed_values: HashMap<Operation, HashSet<String>>,
}

/// Whether an error is only about this value, although the server works: an address with a long history, a server that
/// has no address index, or the fee rates while the server is not in sync.
pub(super) fn is_isolated(key: &Key, class: ErrorClass) -> bool {
    match key.operation {
        // The newest block shows whether the server works.
        Operation::Block if *key == tip_key() => false,
        Operation::BitcoinBalance | Operation::Block => {
            matches!(class, ErrorClass::Failing | ErrorClass::UnexpectedFormat | ErrorClass::Forbidden)
        }
        _ => false,
    }
}

/// A time during which a provider gets no requests.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pause {
    /// The end; `None`: until the process ends. The store keeps such a pause for a day.
    pub(super) until: Option<Moment>,
    /// When it was set.
    pub(super) set_at: Instant,
    /// The error that caused it.
    pub(super) error: SourceError,
}

impl Pause {
    /// The time until its end; zero if it is over, `None` if it has no end.
    pub(super) fn remaining(&self, now: Moment) -> Option<Duration> {
        self.until.map(|until| now.until(until))
    }

    /// Whether it lasts longer than another one.
    pub(super) fn is_longer(&self, other: &Pause, now: Moment) -> bool {
        match (self.remaining(now), other.remaining(now)) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(rest), Some(other)) => rest > other,
        }
    }

    /// Whether a manual refresh may end it: only its length is a guess, and the server may work again.
    fn may_end_early(&self) -> bool {
        matches!(self.error.class, ErrorClass::Unreachable | ErrorClass::Failing | ErrorClass::UnexpectedFormat)
    }

    fn is_active(&self, now: Moment) -> bool {
        self.remaining(now).is_none_or(|rest| !rest.is_zero())
    }
}

impl CircuitBreaker {
    /// The current pause of an operation.
    pub(super) fn pause(&self, operation: Operation, now: Moment) -> Option<&Pause> {
        self.pauses(operation, now).next()
    }

    /// The current pauses of an operation: its own and the pause of all operations.
    fn pauses(&self, operation: Operation, now: Moment) -> impl Iterator<Item = &Pause> {
        self.all.iter().chain(self.operations.get(&operation)).filter(move |pause| pause.is_active(now))
    }

    /// Whether a manual refresh may query a paused operation: all its pauses may end early, and are at least this old.
    pub(super) fn may_end_early(&self, operation: Operation, min_age: Duration, now: Moment) -> bool {
        let mut pauses = self.pauses(operation, now).peekable();
        pauses.peek().is_some() && pauses.all(|pause| pause.may_end_early() && pause.set_at.elapsed() >= min_age)
    }

    /// The current pause of all operations.
    pub(super) fn pause_of_all(&self, now: Moment) -> Option<&Pause> {
        self.all.as_ref().filter(|pause| pause.is_active(now))
    }

    /// The last failure that affects an operation and was not followed by a success. Its pause may have ended.
    pub(super) fn last_failure(&self, operation: Operation) -> Option<&Pause> {
        self.all.as_ref().or_else(|| self.operations.get(&operation))
    }

    /// Whether a failure since this time has paused an operation.
    pub(super) fn was_paused_since(&self, operation: Operation, began: Instant) -> bool {
        self.all.iter().chain(self.operations.get(&operation)).any(|pause| pause.set_at >= began)
    }

    /// Records a success. Returns whether it follows a failure.
    pub(super) fn succeeded(&mut self, operation: Operation) -> bool {
        let had_failed = self.last_failure(operation).is_some() || self.rate_limits > 0 || self.failures > 0;
        (self.rate_limits, self.failures) = (0, 0);
        self.all = None;
        self.operations.remove(&operation);
        self.failed_values.remove(&operation);
        had_failed
    }

    /// Ends all pauses.
    pub(super) fn reset(&mut self) {
        *self = CircuitBreaker::default();
    }

    /// Records a failure.
    pub(super) fn failed(&mut self, operation: Operation, error: &SourceError, now: Moment) {
        let pause = |time: Option<Duration>| Pause {
            until: time.map(|time| now.plus(time)),
            set_at: now.monotonic,
            error: error.clone(),
        };
        match error.class {
            ErrorClass::RateLimited(retry_after) => {
                let own = backoff(FIRST_RATE_LIMIT_PAUSE, self.rate_limits, MAX_RATE_LIMIT_PAUSE);
                self.rate_limits = self.rate_limits.saturating_add(1);
                let time = retry_after
                    .filter(|retry_after| !retry_after.is_zero() && *retry_after <= MAX_RETRY_AFTER)
                    .unwrap_or(own);
                self.pause_all(pause(Some(time)), now);
            }
            ErrorClass::DailyQuota => self.pause_all(pause(Some(until_midnight(now.wall))), now),
            ErrorClass::MonthlyQuota => self.pause_all(pause(Some(until_next_month(now.wall))), now),
            ErrorClass::InvalidKey | ErrorClass::Gone | ErrorClass::Misconfigured => self.pause_all(pause(None), now),
            ErrorClass::Blocked => self.pause_all(pause(Some(DAY)), now),
            ErrorClass::Forbidden => {
                self.operations.insert(operation, pause(None));
            }
            ErrorClass::UnexpectedFormat => {
                // A manual refresh that fails during the pause doesn't lengthen it.
                let known = self.operations.get(&operation).filter(|known| known.error.class == error.class);
                let rest = known.and_then(|known| known.remaining(now)).filter(|rest| !rest.is_zero());
                self.operations.insert(operation, pause(Some(rest.unwrap_or(UNEXPECTED_FORMAT_PAUSE))));
            }
            ErrorClass::Unreachable | ErrorClass::Failing => {
                // The same applies here.
                let rest = self.pause_of_all(now).filter(|known| known.may_end_early());
                let time = rest.and_then(|known| known.remaining(now)).unwrap_or_else(|| {
                    let time = backoff(FIRST_BACKOFF, self.failures, MAX_BACKOFF);
                    self.failures = self.failures.saturating_add(1);
                    time
                });
                self.pause_all(pause(Some(time)), now);
            }
            ErrorClass::NotFound
            | ErrorClass::Rejected
            | ErrorClass::Empty
            | ErrorClass::Busy(_)
            | ErrorClass::NotSent
            | ErrorClass::Cancelled
            | ErrorClass::Unsupported => {}
        }
    }

    /// Records a failure of one value ([`is_isolated`]). Others are still requested, unless several in a row fail.
    pub(super) fn value_failed(&mut self, key: &Key, error: &SourceError, now: Moment) {
        let failed = self.failed_values.entry(key.operation).or_default();
        if failed.len() < MAX_FAILED_VALUES {
            failed.insert(key.what.clone());
        }
        let Some(repeats) = failed.len().checked_sub(VALUES_IN_A_ROW) else { return };
        let time = backoff(FIRST_BACKOFF, u32::try_from(repeats).unwrap_or(u32::MAX), MAX_BACKOFF);
        let reason = format!("Several requests failed: {}", in_sentence(&error.reason));
        // The pause is short, and a manual refresh may end it.
        let class = if error.class == ErrorClass::Forbidden { ErrorClass::Failing } else { error.class };
        let pause =
            Pause { until: Some(now.plus(time)), set_at: now.monotonic, error: SourceError::new(class, reason) };
        self.operations.insert(key.operation, pause);
    }

    /// Number of consecutive errors of a class.
    pub(super) fn repeats(&self, class: ErrorClass) -> u32 {
        match class {
            ErrorClass::RateLimited(_) => self.rate_limits,
            _ => self.failures,
        }
    }

    /// Restores a pause that another process set for an operation or for all operations (`None`), unless this process
    /// has set a newer one.
    pub(super) fn restore(&mut self, operation: Option<Operation>, pause: Pause, repeats: u32, now: Moment) {
        match pause.error.class {
            ErrorClass::RateLimited(_) => self.rate_limits = self.rate_limits.max(repeats),
            ErrorClass::Failing => self.failures = self.failures.max(repeats),
            _ => {}
        }
        match operation {
            _ if !pause.is_active(now) => {}
            None => {
                self.all.get_or_insert(pause);
            }
            Some(operation) => {
                self.operations.entry(operation).or_insert(pause);
            }
        }
    }

    /// Pauses all operations, unless a longer pause lasts already.
    fn pause_all(&mut self, pause: Pause, now: Moment) {
        if !self.all.as_ref().is_some_and(|known| known.is_longer(&pause, now)) {
            self.all = Some(pause);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::UtcTime;
    use crate::service::time_source::TimeSource;

    fn moment() -> Moment {
        TimeSource::fixed(UtcTime::from_secs(1_793_491_200)).moment()
    }

    #[tokio::test(start_paused = true)]
    async fn retry_after_lasts_up_to_three_days() {
        let now = moment();
        let hours = Duration::from_hours;
        for (retry_after, pause) in
            [(hours(2), hours(2)), (hours(71), hours(71)), (hours(24 * 365), FIRST_RATE_LIMIT_PAUSE)]
        {
            let mut circuit = CircuitBreaker::default();
            let error = SourceError::new(ErrorClass::RateLimited(Some(retry_after)), "failed");
            circuit.failed(Operation::Coins, &error, now);
            assert_eq!(
                circuit.pause_of_all(now).and_then(|pause| pause.until),
                Some(now.plus(pause)),
                "{retry_after:?}"
            );
        }
    }

    #[tokio::test(start_paused = true)]
    async fn shorter_pause_does_not_replace_a_longer_one() {
        let now = moment();
        let mut circuit = CircuitBreaker::default();
        for class in [ErrorClass::DailyQuota, ErrorClass::Unreachable, ErrorClass::RateLimited(None)] {
            circuit.failed(Operation::Coins, &SourceError::new(class, "failed"), now);
        }
        let pause = circuit.pause(Operation::Coins, now.plus(Duration::from_hours(23))).unwrap();
        assert_eq!(pause.error.class, ErrorClass::DailyQuota);
        circuit.failed(Operation::Coins, &SourceError::new(ErrorClass::Gone, "gone"), now);
        assert_eq!(circuit.pause(Operation::Coins, now).unwrap().until, None);
        circuit.failed(Operation::Coins, &SourceError::new(ErrorClass::Unreachable, "failed"), now);
        assert_eq!(circuit.pause(Operation::Coins, now).unwrap().until, None);
    }

    #[tokio::test(start_paused = true)]
    async fn forbidden_operation_stays_paused_while_the_server_fails() {
        let now = moment();
        let mut circuit = CircuitBreaker::default();
        circuit.failed(Operation::Coins, &SourceError::new(ErrorClass::Failing, "failed"), now);
        assert!(circuit.may_end_early(Operation::Coins, Duration::ZERO, now));
        circuit.failed(Operation::Coins, &SourceError::new(ErrorClass::Forbidden, "forbidden"), now);
        assert!(!circuit.may_end_early(Operation::Coins, Duration::ZERO, now));
        assert!(circuit.may_end_early(Operation::Chart, Duration::ZERO, now));
    }

    #[tokio::test(start_paused = true)]
    async fn restored_failures_continue_the_backoff() {
        let now = moment();
        for (class, waits) in [
            (ErrorClass::RateLimited(None), [60, 120, 240]),
            (ErrorClass::Failing, [5, 10, 20]),
            (ErrorClass::Unreachable, [5, 5, 5]),
        ] {
            let error = SourceError::new(class, "failed");
            let mut last: Option<(Pause, u32)> = None;
            for wait in waits {
                let mut circuit = CircuitBreaker::default();
                if let Some((pause, repeats)) = last {
                    // It is over.
                    circuit.restore(None, Pause { until: Some(now), ..pause }, repeats, now);
                    assert_eq!(circuit.pause_of_all(now), None);
                }
                circuit.failed(Operation::Coins, &error, now);
                let pause = circuit.pause_of_all(now).unwrap().clone();
                assert_eq!(pause.until, Some(now.plus(Duration::from_secs(wait))), "{class:?}");
                last = class.saved_name().map(|_| (pause, circuit.repeats(class)));
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn restored_pause_does_not_replace_a_newer_one_and_a_success_ends_the_backoff() {
        let now = moment();
        let mut circuit = CircuitBreaker::default();
        let error = SourceError::new(ErrorClass::Failing, "failed");
        circuit.failed(Operation::Coins, &error, now);
        let newer = circuit.pause_of_all(now).cloned();
        let until = Some(now.plus(Duration::from_hours(1)));
        circuit.restore(None, Pause { until, set_at: now.monotonic, error: error.clone() }, 3, now);
        assert_eq!((circuit.pause_of_all(now).cloned(), circuit.repeats(error.class)), (newer, 3));
        assert!(circuit.succeeded(Operation::Coins));
        assert_eq!(circuit.repeats(error.class), 0);
        // A pause that has ended counts, too, since it is in the store.
        circuit.restore(None, Pause { until: Some(now), set_at: now.monotonic, error: error.clone() }, 3, now);
        assert!(circuit.succeeded(Operation::Coins));
        assert!(!circuit.succeeded(Operation::Coins));
    }
}
