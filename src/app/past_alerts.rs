//! What the Alerts dialog lists below the alerts: missed firings and periods that could not be checked, then the
//! firings that the program saw itself.

use crate::alerts::missed::Unchecked;
use crate::model::UtcTime;
use crate::user_data::{AlertEvent, AlertId};

/// Maximum firings in the dialog.
const MAX_FIRINGS: usize = 6;

/// Maximum periods that could not be checked in the dialog.
const MAX_UNCHECKED: usize = 3;

/// What identifies a [`PastAlert`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PastKey {
    /// The alert and the number of its firing.
    Firing(AlertId, u32),
    /// The alert and the start of the period.
    Unchecked(AlertId, UtcTime),
}

/// A firing, or a period that could not be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastAlert {
    /// What identifies it.
    pub key: PastKey,
    /// The start of a period, or the last time at which a rule without history was known not to be true.
    pub from: Option<UtcTime>,
    /// When it fired, or the end of the period.
    pub until: UtcTime,
    /// What happened, in one sentence.
    pub text: String,
    /// Whether it was found afterwards.
    pub was_away: bool,
}

impl PastAlert {
    /// The alert.
    pub fn alert(&self) -> AlertId {
        match self.key {
            PastKey::Firing(alert, _) | PastKey::Unchecked(alert, _) => alert,
        }
    }

    /// The time at which the chart opens: that of the firing, or the start of the period.
    pub fn opens_at(&self) -> UtcTime {
        match self.key {
            PastKey::Firing(..) => self.until,
            PastKey::Unchecked(_, from) => from,
        }
    }

    /// Whether it is a period that could not be checked.
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
        }
    }

    fn of_stretch(period: &UncheckedPeriod) -> PastAlert {
        PastAlert {
            key: PastKey::Unchecked(period.alert, period.from),
            from: Some(period.from),
            until: period.until,
            text: format!("{} not checked: {}", period.subject, period.reason),
            was_away: true,
        }
    }
}

/// The rows below the alerts: those found afterwards, then the other firings, each newest first.
pub(super) fn rows(events: &[AlertEvent], unchecked: &[UncheckedPeriod]) -> Vec<PastAlert> {
    let mut newest: Vec<&AlertEvent> = events.iter().collect();
    newest.sort_by_key(|event| std::cmp::Reverse(event.at));
    let fired = newest.into_iter().take(MAX_FIRINGS).map(PastAlert::of_event);
    let unchecked = unchecked.iter().rev().take(MAX_UNCHECKED).map(PastAlert::of_stretch);
    let mut rows: Vec<PastAlert> = fired.chain(unchecked).collect();
    rows.sort_by_key(|row| (!row.was_away, std::cmp::Reverse(row.until)));
    rows
}
