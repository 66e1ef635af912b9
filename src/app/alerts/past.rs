//! The rows of the Alerts dialog below the alerts: missed firings and unchecked periods, then firings seen live.

use crate::model::UtcTime;
use crate::user_data::{AlertEvent, AlertId, UncheckedPeriod};

/// How many recent firings the dialog lists; new ones are always listed.
const RECENT_FIRINGS: usize = 6;

/// How many recent unchecked periods the dialog lists; new ones are always listed.
const RECENT_UNCHECKED: usize = 3;

/// The times from which firings and unchecked periods are listed as new.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::app) struct NewSince {
    /// The time of the first firing.
    pub(in crate::app) firings_since: Option<UtcTime>,
    /// The end of the first unchecked period.
    pub(in crate::app) unchecked_since: Option<UtcTime>,
}

impl NewSince {
    /// Adds newer firings.
    pub(in crate::app) fn extend(&mut self, new: NewSince) {
        let first = |a: Option<UtcTime>, b: Option<UtcTime>| a.into_iter().chain(b).min();
        self.firings_since = first(self.firings_since, new.firings_since);
        self.unchecked_since = first(self.unchecked_since, new.unchecked_since);
    }
}

/// What identifies a [`PastAlert`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PastKey {
    /// The alert and the number of its firing.
    Firing(AlertId, u32),
    /// The alert and the start of the unchecked period.
    Unchecked(AlertId, UtcTime),
}

impl PastKey {
    /// The alert.
    pub(in crate::app) fn alert(self) -> AlertId {
        match self {
            PastKey::Firing(alert, _) | PastKey::Unchecked(alert, _) => alert,
        }
    }

    /// The alert.
    pub(in crate::app) fn alert_mut(&mut self) -> &mut AlertId {
        match self {
            PastKey::Firing(alert, _) | PastKey::Unchecked(alert, _) => alert,
        }
    }
}

/// A firing, or an unchecked period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastAlert {
    /// What identifies it.
    pub key: PastKey,
    /// The start of an unchecked period, or the last time at which a rule without history was known not to be true.
    pub from: Option<UtcTime>,
    /// When it fired, or the end of the unchecked period.
    pub until: UtcTime,
    /// What happened, in one sentence.
    pub text: String,
    /// Whether it was found later, in the price history.
    pub was_away: bool,
    /// Whether it is a firing that the user has not seen in the list.
    pub is_unseen: bool,
}

impl PastAlert {
    /// The alert.
    pub fn alert(&self) -> AlertId {
        self.key.alert()
    }

    /// The time at which the chart opens: of the firing, or the start of the unchecked period.
    pub fn opens_at(&self) -> UtcTime {
        match self.key {
            PastKey::Firing(..) => self.until,
            PastKey::Unchecked(_, from) => from,
        }
    }

    /// Whether it is an unchecked period.
    pub fn is_unchecked(&self) -> bool {
        matches!(self.key, PastKey::Unchecked(..))
    }

    fn of_event(event: &AlertEvent) -> PastAlert {
        PastAlert {
            key: PastKey::Firing(event.alert, event.number),
            from: event.after,
            until: event.at,
            text: event.text.to_string(),
            was_away: event.missed,
            is_unseen: !event.seen,
        }
    }

    fn of_period(period: &UncheckedPeriod) -> PastAlert {
        PastAlert {
            key: PastKey::Unchecked(period.alert, period.from),
            from: Some(period.from),
            until: period.until,
            text: unchecked_text(period),
            was_away: true,
            is_unseen: false,
        }
    }
}

fn unchecked_text(period: &UncheckedPeriod) -> String {
    format!("{} not checked: {}", period.subject, period.reason)
}

/// The rows below the alerts: those found later, then the other firings, each newest first. Only those that match, by
/// their alert and text.
pub(in crate::app) fn rows(
    events: &[AlertEvent],
    unchecked: &[UncheckedPeriod],
    listed: NewSince,
    matches: impl Fn(AlertId, &str) -> bool,
) -> Vec<PastAlert> {
    let mut newest: Vec<&AlertEvent> =
        events.iter().filter(|event| matches(event.alert, event.text.as_str())).collect();
    // Those at the same time are in the order of their alerts, even after one was restored. Temporary IDs count down.
    newest.sort_by_key(|event| (std::cmp::Reverse(event.at), event.alert.0.unsigned_abs()));
    let is_new = |at: UtcTime, since: Option<UtcTime>| since.is_some_and(|since| at >= since);
    let is_listed = |(index, event): &(usize, &AlertEvent)| {
        *index < RECENT_FIRINGS || !event.seen || is_new(event.at, listed.firings_since)
    };
    let fired = newest.into_iter().enumerate().filter(is_listed).map(|(_, event)| PastAlert::of_event(event));
    let is_listed = |(index, period): &(usize, &UncheckedPeriod)| {
        *index < RECENT_UNCHECKED || is_new(period.until, listed.unchecked_since)
    };
    let matching = unchecked.iter().filter(|period| matches(period.alert, &unchecked_text(period)));
    let newest = matching.rev().enumerate();
    let unchecked = newest.filter(is_listed).map(|(_, period)| PastAlert::of_period(period));
    let mut rows: Vec<PastAlert> = fired.chain(unchecked).collect();
    rows.sort_by_key(|row| (!row.was_away, std::cmp::Reverse(row.until)));
    rows
}
