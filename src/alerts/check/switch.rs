//! When an alert switches to another source.

use std::time::Duration;

use crate::alerts::evaluate::Reading;
use crate::alerts::source::{LIVE_SOURCE_SWITCH_DELAY, SOURCE_SWITCH_DELAY};
use crate::model::UtcTime;
use crate::user_data::alert::{AlertState, Value, ValueSource};

/// A source and its last value.
#[derive(Clone, Debug)]
pub(super) struct SourceValue {
    pub(super) source: ValueSource,
    pub(super) value: Value,
    pub(super) at: UtcTime,
    /// The [`AlertState::baseline`] of its values.
    pub(super) baseline: Option<Value>,
    /// The [`AlertState::steps`] of its values.
    pub(super) steps: Option<i64>,
}

/// Whether a value is evaluated: it comes from the same source as the last one, or that source has been silent for a
/// delay.
pub(super) fn accepts(state: &AlertState, reading: &Reading<'_>) -> bool {
    if !state.accepts_source(reading.source) {
        return false;
    }
    let (Some(own), Some(checked)) = (&state.source, state.checked_at) else { return true };
    if own.borrowed() == reading.source {
        return true;
    }
    let delay = match (own.is_live(), reading.source.is_live()) {
        (false, true) => Duration::ZERO,
        (true, _) => LIVE_SOURCE_SWITCH_DELAY,
        (false, false) if own.is_series() => Duration::ZERO,
        (false, false) => SOURCE_SWITCH_DELAY,
    };
    reading.at.since(checked) >= delay
}

/// How late a live price may take over: polled prices are at least this much older than their response.
const MAX_LATE_TAKEOVER: Duration = Duration::from_secs(30);

/// A live price that takes over although a polled one arrived shortly after it.
pub(super) fn late_live_price<'a>(state: &AlertState, reading: Reading<'a>) -> Option<Reading<'a>> {
    let is_takeover = reading.source.is_live() && state.source.as_ref().is_some_and(|own| !own.is_live());
    let checked = state.checked_at.filter(|checked| is_takeover && checked.since(reading.at) <= MAX_LATE_TAKEOVER)?;
    Some(Reading { at: checked.plus(Duration::from_millis(1)), ..reading })
}

/// Takes the balances of `new`, and keeps those of the previous source, which may respond again. Balances are compared
/// with the last ones of the same source, since sources differ.
pub(super) fn take_source<T>(
    source: &mut Option<ValueSource>,
    last: &mut Option<T>,
    other: &mut Option<(ValueSource, T)>,
    new: ValueSource<&str>,
) {
    if source.as_ref().map(ValueSource::borrowed) == Some(new) {
        return;
    }
    let own = other.take().filter(|(known, _)| known.borrowed() == new);
    if let Some(last) = last.take() {
        *other = source.take().zip(Some(last));
    }
    if let Some((known, balances)) = own {
        (*source, *last) = (Some(known), Some(balances));
    }
}
