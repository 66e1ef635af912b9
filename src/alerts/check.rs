//! Evaluates all alerts with the values of several responses.

use std::time::Duration;

use super::evaluate::{Evaluator, Reading, moves};
use super::source::{self, LIVE_SOURCE_SWITCH_DELAY, SOURCE_SWITCH_DELAY};
use super::text;
use super::values::Values;
use crate::client::Request;
use crate::format::words::in_sentence;
use crate::model::{Amount, Text, UtcTime};
use crate::user_data::alert::{Alert, AlertEvent, AlertState, Condition, Measure, Target};
use crate::user_data::{AlertId, Change, UncheckedPeriod};

/// The shortest time between two values that counts as a gap.
pub(super) const MIN_GAP: Duration = Duration::from_mins(20);

/// Older gaps are not checked.
const MAX_GAP: Duration = Duration::from_hours(24 * 30);

/// A check that lies further in the future was made with a wrong clock.
const MAX_AHEAD: Duration = Duration::from_mins(1);

/// A source and the balances that it returned last.
type SourceBalances = (Text, Vec<(Text, Amount)>);

/// An alert with its evaluator.
#[derive(Clone, Debug)]
pub struct Tracked {
    /// The alert.
    pub alert: Alert,
    evaluator: Evaluator,
    /// The last check before a time without checks, which the price history has to fill first.
    pub(super) gap: Option<UtcTime>,
    /// The request for that history.
    pub(super) series: Option<Request>,
    /// The last balances of the source before the present one. They are not saved.
    other_balances: Option<SourceBalances>,
    /// Whether the state has changed since it was saved.
    is_unsaved: bool,
}

impl Tracked {
    /// Tracks an alert.
    pub fn new(alert: Alert) -> Tracked {
        let evaluator = Evaluator::new(&alert);
        Tracked { evaluator, alert, gap: None, series: None, other_balances: None, is_unsaved: false }
    }

    /// Evaluates the value of this alert, and returns its firing. An alert that fires only once is turned off.
    pub fn check(&mut self, values: &Values<'_>) -> Option<AlertEvent> {
        let alert = &mut self.alert;
        let is_future = |at: UtcTime| values.now().is_some_and(|now| at > now.plus(MAX_AHEAD));
        if alert.state.checked_at.is_some_and(is_future) {
            // The clock was wrong at that time.
            alert.state.checked_at = None;
        }
        if !alert.on || self.gap.is_some() {
            return None;
        }
        if let (Target::Address(address), Condition::Happens) = (&alert.rule.target, &alert.rule.condition) {
            let balances = values.balances(address).filter(|balances| alert.state.belongs_to(balances.source))?;
            let receives = alert.rule.measure == Measure::Receives;
            let (list, at) = (&balances.list, balances.at);
            let before = alert.state.checked_at.filter(|before| at.since(*before) >= MIN_GAP);
            if alert.state.checked_at.is_none_or(|checked| at > checked) {
                take_source(&mut alert.state, &mut self.other_balances, balances.source);
            }
            let moves = moves(&mut alert.state, receives, list, balances.is_complete, at, balances.source);
            if moves.is_empty() {
                return None;
            }
            // The other source would announce the same again.
            self.other_balances = None;
            let event = fire(alert, at, text::moved(&alert.rule, &moves));
            return Some(AlertEvent { after: before, missed: before.is_some(), ..event });
        }
        let reading = values.reading(&alert.rule, &alert.state)?;
        if !accepts(&alert.state, &reading) {
            return None;
        }
        self.gap = gap_start(&self.alert, reading.at);
        if self.gap.is_some() {
            return None;
        }
        let before = self.alert.state.checked_at.filter(|before| reading.at.since(*before) >= MIN_GAP);
        let event = self.evaluate(&reading)?;
        Some(AlertEvent { after: before, missed: before.is_some(), ..event })
    }

    /// Takes over the stored settings of the alert, but keeps this process's newer state and pending requests.
    fn stored_as(mut self, stored: &Alert) -> Tracked {
        let Alert { once, on, bell, notify, .. } = *stored;
        self.alert = Alert { once, on, bell, notify, ..self.alert };
        self
    }

    /// Forgets the price history that this alert waits for. The next value asks for it again.
    pub fn forget_requests(&mut self) {
        (self.gap, self.series) = (None, None);
    }

    /// The request for the price history that this alert waits for.
    pub fn series(&self) -> Option<&Request> {
        self.series.as_ref()
    }

    /// Moves the last check back to just before `at`, when the first value of another source arrived.
    pub(super) fn rewind_to(&mut self, at: UtcTime) {
        let state = &mut self.alert.state;
        (state.last, state.outlier, state.baseline) = (None, None, None);
        state.checked_at = Some(at.minus(Duration::from_millis(1)));
    }

    /// Skips the time since the last check, and returns it as unchecked.
    pub(super) fn skip_gap(&mut self, reason: &str, now: UtcTime) -> Option<UncheckedPeriod> {
        let from = self.alert.state.checked_at.replace(now)?;
        Some(self.unchecked(from, now, reason))
    }

    /// A period that this alert was not checked for.
    pub(super) fn unchecked(&self, from: UtcTime, until: UtcTime, reason: &str) -> UncheckedPeriod {
        let subject = marked(&self.alert.state, text::subject(&self.alert.rule));
        let reason = in_sentence(reason);
        UncheckedPeriod { alert: self.alert.id, subject: subject.into(), from, until, reason: reason.into() }
    }

    /// Evaluates a value, whatever source it has.
    pub(super) fn evaluate(&mut self, reading: &Reading<'_>) -> Option<AlertEvent> {
        let Tracked { alert, evaluator, .. } = self;
        if !alert.on {
            return None;
        }
        let fired = evaluator.evaluate(&mut alert.state, reading)?;
        let text = text::fired(&alert.rule, &fired);
        Some(fire(alert, reading.at, text))
    }
}

/// When an alert was last checked, if price history covers the time since then.
pub(super) fn gap_start(alert: &Alert, now: UtcTime) -> Option<UtcTime> {
    let checked = alert.state.checked_at?;
    let has_series = alert.rule.measure.has_history() && matches!(alert.rule.target, Target::Coin(_));
    (alert.on && has_series && now.since(checked) >= MIN_GAP).then(|| checked.max(now.minus(MAX_GAP)))
}

/// Whether a value is evaluated: it has the source of the last one, or that has no newer values.
fn accepts(state: &AlertState, reading: &Reading<'_>) -> bool {
    if !state.belongs_to(reading.source) {
        return false;
    }
    let (Some(own), Some(checked)) = (&state.source, state.checked_at) else { return true };
    if own == reading.source {
        return true;
    }
    let patience = match (source::is_live(own), source::is_live(reading.source)) {
        (false, true) => Duration::ZERO,
        (true, _) => LIVE_SOURCE_SWITCH_DELAY,
        (false, false) if source::is_series(own) => Duration::ZERO,
        (false, false) => SOURCE_SWITCH_DELAY,
    };
    reading.at.since(checked) >= patience
}

/// Balances are compared with the last ones of the same source, since sources differ: takes those of `source`, and keeps
/// those of the source before, which may answer again.
fn take_source(state: &mut AlertState, other: &mut Option<SourceBalances>, source: &str) {
    if state.source.as_deref() == Some(source) {
        return;
    }
    let own = other.take().filter(|(known, _)| known == source);
    if let Some(balances) = state.balances.take() {
        *other = state.source.take().zip(Some(balances));
    }
    if let Some((source, balances)) = own {
        (state.source, state.balances) = (Some(source), Some(balances));
    }
}

/// Marks words about an alert on simulated data.
fn marked(state: &AlertState, words: String) -> String {
    if state.is_simulated() { format!("DEMO {words}") } else { words }
}

/// The firing of an alert.
fn fire(alert: &mut Alert, at: UtcTime, text: String) -> AlertEvent {
    alert.on &= !alert.once;
    let mark = |words: String| marked(&alert.state, words);
    AlertEvent {
        alert: alert.id,
        number: alert.state.fired,
        at,
        after: None,
        title: mark(text::title(&alert.rule)).into(),
        text: mark(text).into(),
        missed: false,
        seen: false,
    }
}

/// The parts of a state whose changes are saved at once.
type Decisive = (Option<bool>, Option<i64>, u32, bool);

fn decisive(state: &AlertState) -> Decisive {
    (state.armed, state.steps, state.fired, state.baseline.is_some())
}

/// Merges the stored alerts with this process's newer states.
pub fn merge(stored: &[Alert], known: &[Tracked]) -> Vec<Tracked> {
    let newer = |alert: &Alert| {
        let own = known.iter().find(|own| own.alert.id == alert.id && own.alert.rule == alert.rule)?;
        own.alert.state.follows(&alert.state).then(|| own.clone().stored_as(alert))
    };
    stored.iter().map(|alert| newer(alert).unwrap_or_else(|| Tracked::new(alert.clone()))).collect()
}

/// Evaluates all alerts and appends the changes to save at once: firings, and alerts that were armed or disarmed.
/// Allocates nothing for other alerts.
pub fn check(all: &mut [Tracked], values: &Values<'_>, changes: &mut Vec<Change>) {
    for tracked in all {
        let (before, checked_before) = (decisive(&tracked.alert.state), tracked.alert.state.checked_at);
        let event = tracked.check(values);
        let state = &tracked.alert.state;
        if let Some(event) = event {
            changes.push(Change::AlertFired(Box::new(event), Box::new(state.clone())));
        } else if decisive(state) != before {
            changes.push(Change::AlertsChecked(vec![(tracked.alert.id, state.clone())]));
        } else if state.checked_at != checked_before {
            tracked.is_unsaved = true;
        }
    }
}

/// The last values that are not saved yet, as one change.
pub fn unsaved(all: &mut [Tracked]) -> Option<Change> {
    let mut states: Vec<(AlertId, AlertState)> = Vec::new();
    for tracked in all.iter_mut().filter(|tracked| tracked.is_unsaved) {
        tracked.is_unsaved = false;
        states.push((tracked.alert.id, tracked.alert.state.clone()));
    }
    (!states.is_empty()).then_some(Change::AlertsChecked(states))
}

#[cfg(test)]
mod tests;
