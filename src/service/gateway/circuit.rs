//! Which providers are left alone, why, and until when.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::Instant;

use super::Operation;
use super::error::{ErrorClass, SourceError};
use crate::model::UtcTime;

/// The first and the longest pause of a provider that limits the rate and does not say for how long.
const FIRST_WAIT: Duration = Duration::from_secs(60);
const LONGEST_WAIT: Duration = Duration::from_mins(15);

/// The first and the longest pause of a provider that can't be reached.
const FIRST_BACKOFF: Duration = Duration::from_secs(5);
const LONGEST_BACKOFF: Duration = Duration::from_mins(5);

/// No provider may ask for a longer pause.
const LONGEST_ASKED: Duration = Duration::from_hours(1);

/// An answer of another shape is asked for again after this.
const CHANGED: Duration = Duration::from_mins(10);

const DAY: Duration = Duration::from_hours(24);

/// The state of one provider.
#[derive(Clone, Debug, Default)]
pub(super) struct Circuit {
    /// Of all operations.
    all: Option<Pause>,
    /// Of single ones.
    operations: HashMap<Operation, Pause>,
    /// Rate limits in a row.
    refusals: u32,
    /// Failures in a row.
    failures: u32,
}

/// A time in which a provider is not asked.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pause {
    /// Until when; `None`: until a restart or a manual test.
    pub(super) until: Option<Instant>,
    /// Why.
    pub(super) error: SourceError,
}

impl Circuit {
    /// The pause that lasts, for an operation.
    pub(super) fn pause(&self, operation: Operation, now: Instant) -> Option<&Pause> {
        let lasts = |pause: &&Pause| pause.until.is_none_or(|until| now < until);
        self.all.as_ref().filter(lasts).or_else(|| self.operations.get(&operation).filter(lasts))
    }

    /// An operation succeeded.
    pub(super) fn succeeded(&mut self, operation: Operation) {
        (self.refusals, self.failures) = (0, 0);
        self.all = None;
        self.operations.remove(&operation);
    }

    /// An operation failed. `today` is the time by the wall clock, for what lasts until midnight.
    pub(super) fn failed(&mut self, operation: Operation, error: &SourceError, now: Instant, today: UtcTime) {
        let pause = |time: Option<Duration>| Pause { until: time.map(|time| now + time), error: error.clone() };
        match error.class {
            ErrorClass::Wait(asked) => {
                let own = doubled(FIRST_WAIT, self.refusals, LONGEST_WAIT);
                self.refusals = self.refusals.saturating_add(1);
                let time = asked.filter(|asked| !asked.is_zero()).unwrap_or(own);
                self.all = Some(pause(Some(time.min(LONGEST_ASKED))));
            }
            ErrorClass::UntilTomorrow => self.all = Some(pause(Some(until_midnight(today)))),
            ErrorClass::UntilNextMonth => self.all = Some(pause(Some(until_next_month(today)))),
            ErrorClass::KeyOff | ErrorClass::Gone => self.all = Some(pause(None)),
            ErrorClass::OffForTheDay => self.all = Some(pause(Some(DAY))),
            ErrorClass::OperationOff => {
                self.operations.insert(operation, pause(None));
            }
            ErrorClass::Changed => {
                self.operations.insert(operation, pause(Some(CHANGED)));
            }
            ErrorClass::Unreachable => {
                let time = doubled(FIRST_BACKOFF, self.failures, LONGEST_BACKOFF);
                self.failures = self.failures.saturating_add(1);
                self.all = Some(pause(Some(time)));
            }
            ErrorClass::NotFound | ErrorClass::Rejected | ErrorClass::Abandoned | ErrorClass::Unsupported => {}
        }
    }
}

fn doubled(first: Duration, earlier: u32, most: Duration) -> Duration {
    first.saturating_mul(2_u32.saturating_pow(earlier.min(16))).min(most)
}

/// The time until the next midnight, UTC.
pub(super) fn until_midnight(now: UtcTime) -> Duration {
    const DAY_SECS: i64 = 24 * 60 * 60;
    let into = now.secs().rem_euclid(DAY_SECS);
    Duration::from_secs(u64::try_from(DAY_SECS - into).unwrap_or(0))
}

/// The time until the first of the next month, UTC.
pub(super) fn until_next_month(now: UtcTime) -> Duration {
    let date = now.timestamp().to_zoned(jiff::tz::TimeZone::UTC).date();
    let days = i64::from(date.days_in_month()) - i64::from(date.day());
    until_midnight(now) + Duration::from_secs(u64::try_from(days * 24 * 60 * 60).unwrap_or(0))
}
