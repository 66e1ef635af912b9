//! Circuit breakers: which providers are paused, why, and until when.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::Instant;

use crate::model::UtcTime;
use crate::service::operation::Operation;
use crate::service::upstream::calendar::{until_midnight, until_next_month};
use crate::service::upstream::error::{ErrorClass, SourceError};

/// The first and the longest pause after a rate limit without `Retry-After`.
const FIRST_RATE_LIMIT_PAUSE: Duration = Duration::from_secs(60);
const MAX_RATE_LIMIT_PAUSE: Duration = Duration::from_mins(15);

/// The first and the longest pause of a provider that can't be reached.
const FIRST_BACKOFF: Duration = Duration::from_secs(5);
const MAX_BACKOFF: Duration = Duration::from_mins(5);

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
}

/// A time during which a provider gets no requests.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pause {
    /// The end; `None`: until the process ends. The store keeps such a pause for a day.
    pub(super) until: Option<Instant>,
    /// The error that caused it.
    pub(super) error: SourceError,
}

impl CircuitBreaker {
    /// The current pause of an operation.
    pub(super) fn pause(&self, operation: Operation, now: Instant) -> Option<&Pause> {
        let lasts = |pause: &&Pause| pause.until.is_none_or(|until| now < until);
        self.all.as_ref().filter(lasts).or_else(|| self.operations.get(&operation).filter(lasts))
    }

    /// The current pause of all operations.
    pub(super) fn pause_of_all(&self, now: Instant) -> Option<&Pause> {
        self.all.as_ref().filter(|pause| pause.until.is_none_or(|until| now < until))
    }

    /// The last failure that affects an operation and was not followed by a success. Its pause may have ended.
    pub(super) fn last_failure(&self, operation: Operation) -> Option<&Pause> {
        self.all.as_ref().or_else(|| self.operations.get(&operation))
    }

    /// Records a success. Returns whether it follows a failure.
    pub(super) fn succeeded(&mut self, operation: Operation) -> bool {
        let had_failed = self.last_failure(operation).is_some() || self.rate_limits > 0 || self.failures > 0;
        (self.rate_limits, self.failures) = (0, 0);
        self.all = None;
        self.operations.remove(&operation);
        had_failed
    }

    /// Ends all pauses.
    pub(super) fn reset(&mut self) {
        *self = CircuitBreaker::default();
    }

    /// Records a failure. `today` is the wall-clock time, for pauses that last until midnight.
    pub(super) fn failed(&mut self, operation: Operation, error: &SourceError, now: Instant, today: UtcTime) {
        let pause = |time: Option<Duration>| Pause { until: time.map(|time| now + time), error: error.clone() };
        match error.class {
            ErrorClass::RateLimited(retry_after) => {
                let own = backoff(FIRST_RATE_LIMIT_PAUSE, self.rate_limits, MAX_RATE_LIMIT_PAUSE);
                self.rate_limits = self.rate_limits.saturating_add(1);
                let time = retry_after
                    .filter(|retry_after| !retry_after.is_zero() && *retry_after <= MAX_RETRY_AFTER)
                    .unwrap_or(own);
                self.pause_all(pause(Some(time)));
            }
            ErrorClass::DailyQuota => self.pause_all(pause(Some(until_midnight(today)))),
            ErrorClass::MonthlyQuota => self.pause_all(pause(Some(until_next_month(today)))),
            ErrorClass::InvalidKey | ErrorClass::Gone | ErrorClass::Misconfigured => self.pause_all(pause(None)),
            ErrorClass::Blocked => self.pause_all(pause(Some(DAY))),
            ErrorClass::Forbidden => {
                self.operations.insert(operation, pause(None));
            }
            ErrorClass::UnexpectedFormat => {
                self.operations.insert(operation, pause(Some(UNEXPECTED_FORMAT_PAUSE)));
            }
            ErrorClass::Unreachable | ErrorClass::Failing => {
                let time = backoff(FIRST_BACKOFF, self.failures, MAX_BACKOFF);
                self.failures = self.failures.saturating_add(1);
                self.pause_all(pause(Some(time)));
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

    /// Number of consecutive errors of a class.
    pub(super) fn repeats(&self, class: ErrorClass) -> u32 {
        match class {
            ErrorClass::RateLimited(_) => self.rate_limits,
            _ => self.failures,
        }
    }

    /// Restores a pause that another process set for an operation or for all operations (`None`), unless this process
    /// has set a newer one.
    pub(super) fn restore(&mut self, operation: Option<Operation>, pause: Pause, repeats: u32) {
        match pause.error.class {
            ErrorClass::RateLimited(_) => self.rate_limits = self.rate_limits.max(repeats),
            ErrorClass::Failing => self.failures = self.failures.max(repeats),
            _ => {}
        }
        match operation {
            _ if pause.until.is_some_and(|until| until <= Instant::now()) => {}
            None => {
                self.all.get_or_insert(pause);
            }
            Some(operation) => {
                self.operations.entry(operation).or_insert(pause);
            }
        }
    }

    /// Pauses all operations, unless a longer pause lasts already.
    fn pause_all(&mut self, pause: Pause) {
        let is_longer = |known: &Pause| match (known.until, pause.until) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(known), Some(new)) => known > new,
        };
        if !self.all.as_ref().is_some_and(is_longer) {
            self.all = Some(pause);
        }
    }
}

fn backoff(first: Duration, earlier: u32, most: Duration) -> Duration {
    first.saturating_mul(2_u32.saturating_pow(earlier.min(16))).min(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn retry_after_lasts_up_to_three_days() {
        let (now, today) = (Instant::now(), UtcTime::from_secs(1_793_491_200));
        let hours = Duration::from_hours;
        for (retry_after, pause) in
            [(hours(2), hours(2)), (hours(71), hours(71)), (hours(24 * 365), FIRST_RATE_LIMIT_PAUSE)]
        {
            let mut circuit = CircuitBreaker::default();
            let error = SourceError::new(ErrorClass::RateLimited(Some(retry_after)), "failed");
            circuit.failed(Operation::Coins, &error, now, today);
            assert_eq!(circuit.pause_of_all(now).and_then(|pause| pause.until), Some(now + pause), "{retry_after:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn shorter_pause_does_not_replace_a_longer_one() {
        let (now, today) = (Instant::now(), UtcTime::from_secs(1_793_491_200));
        let mut circuit = CircuitBreaker::default();
        for class in [ErrorClass::DailyQuota, ErrorClass::Unreachable, ErrorClass::RateLimited(None)] {
            circuit.failed(Operation::Coins, &SourceError::new(class, "failed"), now, today);
        }
        let pause = circuit.pause(Operation::Coins, now + Duration::from_hours(23)).unwrap();
        assert_eq!(pause.error.class, ErrorClass::DailyQuota);
        circuit.failed(Operation::Coins, &SourceError::new(ErrorClass::Gone, "gone"), now, today);
        assert_eq!(circuit.pause(Operation::Coins, now).unwrap().until, None);
        circuit.failed(Operation::Coins, &SourceError::new(ErrorClass::Unreachable, "failed"), now, today);
        assert_eq!(circuit.pause(Operation::Coins, now).unwrap().until, None);
    }

    #[tokio::test(start_paused = true)]
    async fn restored_failures_continue_the_backoff() {
        let (now, today) = (Instant::now(), UtcTime::from_secs(1_793_491_200));
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
                    circuit.restore(None, Pause { until: Some(now), ..pause }, repeats);
                    assert_eq!(circuit.pause_of_all(now), None);
                }
                circuit.failed(Operation::Coins, &error, now, today);
                let pause = circuit.pause_of_all(now).unwrap().clone();
                assert_eq!(pause.until, Some(now + Duration::from_secs(wait)), "{class:?}");
                last = class.saved_name().map(|_| (pause, circuit.repeats(class)));
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn restored_pause_does_not_replace_a_newer_one_and_a_success_ends_the_backoff() {
        let (now, today) = (Instant::now(), UtcTime::from_secs(1_793_491_200));
        let mut circuit = CircuitBreaker::default();
        let error = SourceError::new(ErrorClass::Failing, "failed");
        circuit.failed(Operation::Coins, &error, now, today);
        let newer = circuit.pause_of_all(now).cloned();
        let until = Some(now + Duration::from_hours(1));
        circuit.restore(None, Pause { until, error: error.clone() }, 3);
        assert_eq!((circuit.pause_of_all(now).cloned(), circuit.repeats(error.class)), (newer, 3));
        assert!(circuit.succeeded(Operation::Coins));
        assert_eq!(circuit.repeats(error.class), 0);
        // A pause that has ended counts, too, since it is in the store.
        circuit.restore(None, Pause { until: Some(now), error: error.clone() }, 3);
        assert!(circuit.succeeded(Operation::Coins));
        assert!(!circuit.succeeded(Operation::Coins));
    }
}
