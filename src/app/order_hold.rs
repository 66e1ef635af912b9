//! Keeps the order of lists while the user acts on their rows.

use std::time::Duration;

use crate::model::UtcTime;

/// Delay after a key or click before lists are sorted again, so that no row moves under the selection bar.
const RESORT_DELAY: Duration = Duration::from_secs(2);

/// Until when lists keep their order after the last key or click, and what is to be sorted then.
#[derive(Debug, Default)]
pub struct OrderHold {
    /// When it ends; `None` if lists are sorted at once.
    until: Option<UtcTime>,
    /// Whether the indexer's tokens are not yet sorted by new values of their coins.
    pub(in crate::app) has_new_token_values: bool,
}

impl OrderHold {
    /// Whether lists keep their order now.
    pub(in crate::app) fn is_active(&self, now: UtcTime) -> bool {
        self.until.is_some_and(|until| now < until)
    }

    /// When it ends.
    pub(in crate::app) fn until(&self) -> Option<UtcTime> {
        self.until
    }

    /// Starts or extends it after a key or click.
    pub(in crate::app) fn start(&mut self, now: UtcTime) {
        self.until = Some(now.plus(RESORT_DELAY));
    }

    /// Ends it if its time has come. Returns whether it did.
    pub(in crate::app) fn end_if_due(&mut self, now: UtcTime) -> bool {
        let is_due = self.until.is_some_and(|until| until <= now);
        if is_due {
            self.until = None;
        }
        is_due
    }

    /// Limits its time after the clock was set back to `now`.
    pub(in crate::app) fn set_back(&mut self, now: UtcTime) {
        self.until = self.until.map(|until| until.min(now.plus(RESORT_DELAY)));
    }
}
