//! The values of the wallet that the user has seen, in this run and in an earlier one.

use std::time::Duration;

use super::last_seen::LastSeen;
use crate::model::UtcTime;

/// How often seen prices are saved while the wallet is open.
const SAVE_PRICES_EVERY: Duration = Duration::from_mins(10);

/// When the seen values of the wallet may be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum SeenEvent {
    /// Its tab was left.
    Left,
    /// Balances or prices arrived while it is shown.
    Arrived,
}

/// The values of the wallet that the user has seen.
#[derive(Debug, Default)]
pub struct SeenValues {
    /// The values last seen in an earlier run.
    pub earlier: Option<LastSeen>,
    /// The last seen values of this run, as last saved.
    saved: Option<LastSeen>,
}

impl SeenValues {
    /// Restores the values of an earlier run. The clock may have been set back since then.
    pub(in crate::app) fn restore(&mut self, earlier: Option<LastSeen>, now: UtcTime) {
        self.earlier = earlier.map(|seen| LastSeen { at: seen.at.min(now), ..seen });
    }

    /// The last seen values: of this run, or else of an earlier one.
    pub(in crate::app) fn latest(&self) -> Option<&LastSeen> {
        self.saved.as_ref().or(self.earlier.as_ref())
    }

    /// Records the values that the user sees now as saved, if they are to be saved: the tab was left, a balance changed,
    /// or the last save is [`SAVE_PRICES_EVERY`] old. Returns whether they are.
    pub(in crate::app) fn record(&mut self, now: LastSeen, event: SeenEvent) -> bool {
        let is_new = match &self.saved {
            Some(last) if event == SeenEvent::Left => last.prices != now.prices || last.balances != now.balances,
            Some(last) => last.balances != now.balances || now.at.since(last.at) >= SAVE_PRICES_EVERY,
            None => self.earlier.as_ref() != Some(&now),
        };
        if is_new {
            self.saved = Some(now);
        }
        is_new
    }

    /// Dates later values at `now`, to which the clock was set back.
    pub(in crate::app) fn set_back(&mut self, now: UtcTime) {
        self.earlier.iter_mut().chain(&mut self.saved).for_each(|seen| seen.at = seen.at.min(now));
    }
}
