//! Evaluates all alerts with the values of several responses.

mod sources;
mod switch;

use std::time::Duration;

use super::evaluate::{Evaluator, Reading};
use super::labels::{label_of, with_label};
use super::moves::{Move, bitcoin_move, moves};
use super::text;
use super::values::Values;
use crate::client::Request;
use crate::format::words::in_sentence;
use crate::model::{Amount, Text, UtcTime};
use crate::user_data::alert::{Alert, AlertEvent, AlertState, Condition, Rule, Target, Value, ValueSource};
use crate::user_data::{AlertId, Change, UncheckedPeriod, WalletAddress};
use switch::{SourceValue, accepts, late_live_price, take_source};

/// Minimum time between two values that counts as a gap. A list without a `max-age` is fresh for five minutes.
pub(super) const MIN_GAP: Duration = Duration::from_mins(12);

/// Minimum time between two values that counts as a gap after an interruption: a start, a failed request, or a pause of
/// the machine.
const MIN_INTERRUPTION: Duration = Duration::from_mins(3);

/// Older gaps are not checked.
const MAX_GAP: Duration = Duration::from_hours(24 * 30);

/// A source and the balances that it returned last.
type SourceBalances = (ValueSource, Vec<(Text, Amount)>);

/// A source and the bitcoin that it returned last.
type SourceBitcoin = (ValueSource, Value);

/// A firing, with the state of the alert right after it.
pub type Firing = (AlertEvent, AlertState);

/// An alert with its evaluator.
#[derive(Clone, Debug)]
pub struct Tracked {
    /// The alert.
    pub alert: Alert,
    /// When this process first saw its rule. Earlier responses were not checked against it.
    pub since: Option<UtcTime>,
    evaluator: Evaluator,
    /// The label of its address.
    label: Option<Text>,
    /// The time without checks that the price history has to fill first.
    pub(super) gap: Option<Gap>,
    /// The request for that history.
    pub(super) series: Option<Request>,
    /// The evaluation of another source's values, while the current source may only be late. It is not saved.
    candidate: Option<Box<Candidate>>,
    /// The last values of other sources, the last one at the end. They are not saved.
    other_values: Vec<SourceValue>,
    /// The last balances of the previous source. They are not saved.
    other_balances: Option<SourceBalances>,
    /// The last bitcoin balance of the previous source: bitcoin has its own sources.
    other_bitcoin: Option<SourceBitcoin>,
    /// Whether values have been checked regularly since the last interruption.
    is_continuous: bool,
    /// Whether bitcoin has been checked regularly since the last interruption: it arrives separately from tokens.
    is_bitcoin_continuous: bool,
    /// Whether the state has changed since it was saved.
    is_unsaved: bool,
    /// Periods that this alert could not be checked for and that are not recorded yet.
    unrecorded: Vec<UncheckedPeriod>,
}

/// A time without checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    /// The last check before.
    pub(super) from: UtcTime,
    /// The first value afterwards.
    pub(super) until: UtcTime,
}

/// An alert as if another source had replaced the source of its last value.
#[derive(Clone, Debug)]
struct Candidate {
    tracked: Tracked,
    fired: Vec<Firing>,
    /// The time before its first value, if something may have been missed.
    unchecked: Option<UncheckedPeriod>,
}

impl Tracked {
    /// Tracks an alert.
    pub fn new(alert: Alert) -> Tracked {
        Tracked {
            evaluator: Evaluator::new(&alert),
            alert,
            since: None,
            label: None,
            gap: None,
            series: None,
            candidate: None,
            other_values: Vec::new(),
            other_balances: None,
            other_bitcoin: None,
            is_continuous: false,
            is_bitcoin_continuous: false,
            is_unsaved: false,
            unrecorded: Vec::new(),
        }
    }

    /// The label of the alert's address.
    pub fn label(&self) -> Option<&Text> {
        self.label.as_ref()
    }

    /// The text of its firings without private amounts; `None` for a rule about other values.
    pub fn text_without_amounts(&self) -> Option<String> {
        let words = text::without_amounts(&self.alert.rule)?;
        Some(marked(&self.alert.state, self.named(words)))
    }

    /// The title of its firings without private amounts.
    pub fn title_without_amounts(&self) -> String {
        marked(&self.alert.state, self.named(text::title_without_amounts(&self.alert.rule)))
    }

    /// A message about the alert, with the label in place of its address.
    fn named(&self, words: String) -> String {
        with_label(words, &self.alert.rule, self.label.as_ref())
    }

    /// Evaluates the values of this alert, and returns its firings. An alert that fires only once is turned off.
    pub fn check(&mut self, values: &Values<'_>) -> Vec<Firing> {
        if let Some(now) = values.now() {
            self.alert.state.forget_future_checks(now);
        }
        if !self.alert.on || self.gap.is_some() {
            return Vec::new();
        }
        if self.alert.rule.condition == Condition::Transfer {
            return self.check_moves(values);
        }
        let fired = self.check_value(values);
        self.remember_others(values);
        fired
    }

    /// Evaluates the newest value of this alert.
    fn check_value(&mut self, values: &Values<'_>) -> Vec<Firing> {
        if let Some(reading) = self.crossing_in_other_source(values) {
            return self.confirm(&reading).into_iter().collect();
        }
        let Some(reading) = self.new_reading(values) else { return Vec::new() };
        if !accepts(&self.alert.state, &reading) {
            // Values of this source before a start or another interruption are lost; the price history replaces them.
            let has_seen_all =
                self.candidate.as_ref().map_or(self.is_continuous, |candidate| candidate.tracked.is_continuous);
            match self.gap_before(reading.at).filter(|_| !has_seen_all) {
                Some(gap) => (self.gap, self.candidate) = (Some(gap), None),
                None => self.observe(&reading),
            }
            return Vec::new();
        }
        let mut fired = self.adopt(reading.source);
        self.gap = self.gap_before(reading.at);
        if self.gap.is_none() {
            let before = interruption(self.alert.state.checked_at, reading.at, self.is_continuous);
            let lost = self.unchecked_by_switch(&reading);
            self.unrecorded.extend(lost);
            self.is_continuous = true;
            self.switch_to(&reading);
            let new = self.evaluate(&reading);
            fired.extend(new.map(|(event, state)| (found_after(event, before), state)));
        }
        fired
    }

    /// Compares the balances of the alert's address with the last ones.
    fn check_moves(&mut self, values: &Values<'_>) -> Vec<Firing> {
        let mut fired = Vec::new();
        let Target::Address(address) = &self.alert.rule.target else { return fired };
        let (bitcoin, tokens) = (values.bitcoin(address), values.balances(address));
        let receives = self.receives();
        if let Some(bitcoin) = bitcoin.filter(|it| self.alert.state.accepts_source(it.source)) {
            let before = interruption(self.alert.state.bitcoin_at, bitcoin.at, self.is_bitcoin_continuous);
            let lost = self.lost_bitcoin(bitcoin, before);
            self.unrecorded.extend(lost);
            let state = &mut self.alert.state;
            if state.bitcoin_at.is_none_or(|seen| bitcoin.at > seen) {
                take_source(&mut state.bitcoin_source, &mut state.last, &mut self.other_bitcoin, bitcoin.source);
                self.is_bitcoin_continuous = true;
            }
            if let Some(moved) = bitcoin_move(state, receives, bitcoin) {
                // The other source would announce the same again.
                self.other_bitcoin = None;
                fired.push(self.moved(&[moved], bitcoin.at, before));
            }
        }
        let tokens = tokens.filter(|it| self.alert.on && self.alert.state.accepts_source(it.source));
        if let Some(tokens) = tokens {
            let before = interruption(self.alert.state.checked_at, tokens.at, self.is_continuous);
            let lost = self.lost_tokens(tokens, before);
            self.unrecorded.extend(lost);
            let state = &mut self.alert.state;
            if state.checked_at.is_none_or(|checked| tokens.at > checked) {
                take_source(&mut state.source, &mut state.balances, &mut self.other_balances, tokens.source);
                self.is_continuous = true;
            }
            let moves = moves(state, receives, tokens);
            if !moves.is_empty() {
                // The other source would announce the same again.
                self.other_balances = None;
                fired.push(self.moved(&moves, tokens.at, before));
            }
        }
        fired
    }

    /// The firing for an amount that the alert's address received or sent.
    fn moved(&mut self, moves: &[Move], at: UtcTime, before: Option<UtcTime>) -> Firing {
        let text = text::moved(&self.alert.rule, moves);
        (found_after(self.fire(at, text), before), self.alert.state.clone())
    }

    /// The newest value that was not checked yet: of the source of the last value, or else of another one.
    fn new_reading<'v>(&self, values: &Values<'v>) -> Option<Reading<'v>> {
        let Alert { rule, state, .. } = &self.alert;
        let is_new = |reading: &Reading<'_>| state.checked_at.is_none_or(|checked| reading.at > checked);
        let own = values.reading(rule, state)?;
        let of_own_source = || values.reading_of(rule, state.source.as_ref()?.borrowed()).filter(is_new);
        let other = || values.reading(rule, &AlertState::default()).filter(is_new).or_else(of_own_source);
        let reading = if is_new(&own) { own } else { late_live_price(state, own).or_else(other)? };
        state.accepts_source(reading.source).then_some(reading)
    }

    /// The gap before a value, if price history covers it.
    pub(super) fn gap_before(&self, at: UtcTime) -> Option<Gap> {
        let Rule { target, measure, .. } = &self.alert.rule;
        let has_series = measure.history().is_some() && matches!(target, Target::Coin(_));
        let checked = interruption(self.alert.state.checked_at, at, self.is_continuous);
        let checked = checked.filter(|_| self.alert.on && has_series)?;
        Some(Gap { from: checked.max(at.minus(MAX_GAP)), until: at })
    }

    /// Records that values may be missing from now on: a request failed, or the machine was suspended.
    pub fn interrupt(&mut self) {
        (self.is_continuous, self.is_bitcoin_continuous) = (false, false);
    }

    /// Applies the stored settings of the alert, but keeps this process's newer state and pending requests.
    fn stored_as(mut self, stored: &Alert) -> Tracked {
        let Alert { once, on, bell, notify, .. } = *stored;
        self.alert = Alert { once, on, bell, notify, ..self.alert };
        self
    }

    /// Drops the price history that this alert waits for. The next value requests it again.
    pub fn forget_requests(&mut self) {
        (self.gap, self.series) = (None, None);
        self.interrupt();
    }

    /// The request for the price history that this alert waits for.
    pub fn series(&self) -> Option<&Request> {
        self.series.as_ref()
    }

    /// Whether current values are not evaluated before the price history of a time without checks.
    pub fn waits_for_history(&self) -> bool {
        self.gap.is_some()
    }

    /// Skips the time from the last check to the first value after it, and returns it as unchecked.
    pub(super) fn skip_gap(&mut self, reason: &str) -> Option<UncheckedPeriod> {
        let until = self.gap?.until;
        let from = self.alert.state.checked_at.replace(until.minus(Duration::from_millis(1)))?;
        Some(self.unchecked(from, until, reason))
    }

    /// Continues with current values after a gap.
    pub(super) fn end_gap(&mut self) {
        (self.gap, self.series, self.is_continuous) = (None, None, true);
    }

    /// A period without checks of this alert.
    pub(super) fn unchecked(&self, from: UtcTime, until: UtcTime, reason: &str) -> UncheckedPeriod {
        let subject = marked(&self.alert.state, self.named(text::subject(&self.alert.rule)));
        let reason = in_sentence(reason);
        UncheckedPeriod { alert: self.alert.id, subject: subject.into(), from, until, reason: reason.into() }
    }

    /// Evaluates a value from any source.
    pub(super) fn evaluate(&mut self, reading: &Reading<'_>) -> Option<Firing> {
        if !self.alert.on {
            return None;
        }
        let fired = self.evaluator.evaluate(&mut self.alert.state, reading)?;
        // The other sources would announce the same step again.
        self.other_values.iter_mut().for_each(|other| other.steps = None);
        let text = text::fired(&self.alert.rule, &fired);
        Some((self.fire(reading.at, text), self.alert.state.clone()))
    }

    /// Records that the alert fired, and returns the event.
    fn fire(&mut self, at: UtcTime, text: String) -> AlertEvent {
        self.alert.on &= !self.alert.once;
        let alert = &self.alert;
        let mark = |words: String| marked(&alert.state, self.named(words));
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
}

/// The last check, if the time from there to a value counts as a gap.
fn interruption(checked: Option<UtcTime>, at: UtcTime, is_continuous: bool) -> Option<UtcTime> {
    let shortest = if is_continuous { MIN_GAP } else { MIN_INTERRUPTION };
    checked.filter(|checked| at.since(*checked) >= shortest)
}

/// Marks a firing as found after a time without checks, if there was one.
fn found_after(event: AlertEvent, before: Option<UtcTime>) -> AlertEvent {
    AlertEvent { after: before, missed: before.is_some(), ..event }
}

/// Marks a message about an alert on simulated data.
fn marked(state: &AlertState, words: String) -> String {
    if state.is_simulated() { format!("DEMO {words}") } else { words }
}

/// The parts of a state whose changes are saved at once.
type Decisive = (Option<bool>, Option<i64>, u32, bool);

fn decisive(state: &AlertState) -> Decisive {
    (state.armed, state.steps, state.fired, state.baseline.is_some())
}

/// Merges the stored alerts with this process's newer states. Those about one of `addresses` get its label.
pub fn merge(stored: &[Alert], known: &[Tracked], addresses: &[WalletAddress], now: UtcTime) -> Vec<Tracked> {
    let newer = |alert: &Alert| {
        let own = known.iter().find(|own| own.alert.id == alert.id && own.alert.rule == alert.rule)?;
        own.alert.state.follows(&alert.state, now).then(|| own.clone().stored_as(alert))
    };
    let label = |alert: &Alert| label_of(&alert.rule, addresses).cloned();
    let tracked =
        |alert: &Alert| Tracked { label: label(alert), ..newer(alert).unwrap_or_else(|| Tracked::new(alert.clone())) };
    stored.iter().map(tracked).collect()
}

/// Evaluates all alerts and appends the changes to save at once: firings, alerts that were armed or disarmed, and
/// periods that could not be checked.
/// Allocates nothing for other alerts.
pub fn check(all: &mut [Tracked], values: &Values<'_>, changes: &mut Vec<Change>) {
    let mut unchecked = Vec::new();
    for tracked in all {
        let state = &tracked.alert.state;
        let (before, checked_before, last_before) = (decisive(state), state.checked_at, state.last);
        let bitcoin_before = state.bitcoin_at;
        let fired = tracked.check(values);
        let state = &tracked.alert.state;
        if fired.is_empty() && decisive(state) != before {
            changes.push(Change::AlertsChecked(vec![(tracked.alert.id, state.clone())]));
        } else if (state.checked_at, state.last, state.bitcoin_at) != (checked_before, last_before, bitcoin_before) {
            tracked.is_unsaved = fired.last().is_none_or(|(_, saved)| saved != state);
        }
        changes.extend(fired.into_iter().map(firing_change));
        unchecked.append(&mut tracked.unrecorded);
    }
    if !unchecked.is_empty() {
        changes.push(Change::AlertsUnchecked(UncheckedPeriod::add(&mut Vec::new(), &unchecked)));
    }
}

/// The change that records a firing.
pub(super) fn firing_change((event, state): Firing) -> Change {
    Change::AlertFired(Box::new(event), Box::new(state))
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
