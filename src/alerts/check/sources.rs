//! Values from a source other than the last one: switching to it, and the crossings that the switch may hide.

use std::time::Duration;

use super::switch::SourceValue;
use super::{Candidate, Firing, Tracked, interruption};
use crate::alerts::evaluate::{Evaluator, Reading};
use crate::alerts::moves::{bitcoin_move, moves};
use crate::alerts::values::{Balances, Bitcoin, Values};
use crate::model::UtcTime;
use crate::user_data::UncheckedPeriod;
use crate::user_data::alert::{AlertState, Measure, Target, Value, ValueSource};

/// Maximum other sources whose last values are known.
const MAX_OTHERS: usize = 3;

impl Tracked {
    /// Prepares the state for a value of another source: compares it with the last one of its own source, if that is
    /// known. The first live price is compared with the last polled one, unless the two are far apart: an exchange
    /// only has the price before the list does. A rule about steps never does so: a small difference may cross a step.
    pub(super) fn switch_to(&mut self, reading: &Reading<'_>) {
        let Tracked { alert, evaluator, other_values, .. } = self;
        let state = &mut alert.state;
        let Some(current) = state.source.clone().filter(|current| current.borrowed() != reading.source) else { return };
        let own = other_values.iter().position(|other| other.source.borrowed() == reading.source);
        let own = own.map(|place| other_values.remove(place));
        if let Some((value, at)) = state.last.zip(state.checked_at) {
            if other_values.len() == MAX_OTHERS {
                other_values.remove(0);
            }
            let (baseline, steps) = (state.baseline, state.steps);
            other_values.push(SourceValue { source: current.clone(), value, at, baseline, steps });
        }
        match own {
            Some(SourceValue { source, value, baseline, steps, .. }) => {
                // If its last value was beyond the limit already, the next one is no crossing.
                let is_beyond = state.armed == Some(true) && evaluator.is_beyond(value);
                state.baseline = baseline.or(is_beyond.then_some(value));
                let near = |value| evaluator.steps_near(state.steps, value);
                let steps = steps.or_else(|| near(value)).or_else(|| near(reading.value));
                (state.source, state.last, state.steps, state.outlier) = (Some(source), Some(value), steps, None);
            }
            None => {
                let is_takeover = reading.source.is_live() && !current.is_live() && !current.is_series();
                if is_takeover && !evaluator.has_steps() && !evaluator.is_far(state.last, reading.value) {
                    state.source = Some(reading.source.into_owned());
                }
            }
        }
    }

    /// A new value of another source that crosses the limit, while all values of the current source are beyond it: then
    /// the sources agree.
    pub(super) fn crossing_in_other_source<'v>(&self, values: &Values<'v>) -> Option<Reading<'v>> {
        let Tracked { alert, evaluator, other_values, .. } = self;
        let checked = alert.state.checked_at?;
        if alert.state.armed != Some(true) || alert.state.baseline.is_none() {
            return None;
        }
        let crossing = |other: &SourceValue| {
            let reading =
                values.reading_of(&alert.rule, other.source.borrowed()).filter(|reading| reading.at > other.at)?;
            let is_crossing = !evaluator.is_beyond(other.value) && evaluator.is_beyond(reading.value);
            // One that is far from the last values of both sources may be wrong.
            let is_near = |last: Option<Value>| !evaluator.is_far(last, reading.value);
            let is_crossing = is_crossing && (is_near(Some(other.value)) || is_near(alert.state.last));
            // A value that is not newer than the last one would be ignored.
            is_crossing.then(|| Reading { at: reading.at.max(checked.plus(Duration::from_millis(1))), ..reading })
        };
        other_values.iter().find_map(crossing)
    }

    /// Evaluates a crossing that the current source has seen before.
    pub(super) fn confirm(&mut self, reading: &Reading<'_>) -> Option<Firing> {
        self.candidate = None;
        self.switch_to(reading);
        // It is no outlier: it is near the last value of one of the sources.
        self.alert.state.last = None;
        self.evaluate(reading)
    }

    /// Records the new values of other sources.
    pub(super) fn remember_others(&mut self, values: &Values<'_>) {
        let Tracked { alert, evaluator, other_values, .. } = self;
        for other in other_values {
            if let Some(reading) = values.reading_of(&alert.rule, other.source.borrowed()).filter(|it| it.at > other.at)
            {
                (other.value, other.at) = (reading.value, reading.at);
                let before = other.steps.or_else(|| evaluator.steps_near(alert.state.steps, reading.value));
                other.steps = evaluator.steps_after(before, reading.value);
            }
        }
    }

    /// Continues with the price history of the last value's own provider.
    pub(in crate::alerts) fn continue_with(&mut self, source: ValueSource<&str>) {
        self.alert.state.source = Some(source.into_owned());
    }

    /// Moves the last check back to just before `at`, when the first value of another source arrived.
    pub(in crate::alerts) fn rewind_to(&mut self, at: UtcTime) {
        let state = &mut self.alert.state;
        (state.last, state.outlier, state.baseline) = (None, None, None);
        state.checked_at = Some(at.minus(Duration::from_millis(1)));
    }

    /// Continues with the source from before the price history, so that its next value is compared with its own last
    /// one. Not if only the history has armed the alert again: its values may differ by more than the re-arm band.
    pub(in crate::alerts) fn return_to_source(&mut self, before: &AlertState) {
        let state = &mut self.alert.state;
        let sources = state.source.as_ref().zip(before.source.as_ref());
        if sources.is_some_and(|(new, own)| new.borrowed().has_provider_of(own.borrowed())) {
            state.source.clone_from(&before.source);
            return;
        }
        let agrees = (state.armed, state.steps) == (before.armed, before.steps);
        if agrees || state.armed == Some(false) {
            (state.source, state.baseline) = (before.source.clone(), before.baseline);
        }
    }

    /// Evaluates a value of another source, in case it replaces the current one.
    pub(super) fn observe(&mut self, reading: &Reading<'_>) {
        let source = |it: &Tracked| it.alert.state.has_source(reading.source);
        if !self.candidate.as_ref().is_some_and(|candidate| source(&candidate.tracked)) {
            self.candidate = None;
            let unchecked = self.unchecked_by_switch(reading);
            let mut tracked = self.clone();
            tracked.switch_to(reading);
            self.candidate = Some(Box::new(Candidate { tracked, fired: Vec::new(), unchecked }));
        }
        if let Some(candidate) = &mut self.candidate {
            let fired = candidate.tracked.evaluate(reading);
            candidate.fired.extend(fired);
        }
    }

    /// Continues with the evaluation of this source, if it replaces the current one. Returns the alerts that fired
    /// meanwhile.
    pub(super) fn adopt(&mut self, source: ValueSource<&str>) -> Vec<Firing> {
        let Some(candidate) = self.candidate.take() else { return Vec::new() };
        let Candidate { tracked: Tracked { alert, evaluator, other_values, .. }, fired, unchecked } = *candidate;
        if !alert.state.has_source(source) {
            return Vec::new();
        }
        (self.alert.state, self.evaluator, self.other_values) = (alert.state, evaluator, other_values);
        self.alert.on &= alert.on;
        self.unrecorded.extend(unchecked);
        fired
    }

    /// The time without checks before a value of another source, if the value would have fired the alert had the source
    /// been the same. A value of another source never fires, so a crossing in that time would go unnoticed.
    pub(super) fn unchecked_by_switch(&self, reading: &Reading<'_>) -> Option<UncheckedPeriod> {
        let Tracked { alert, is_continuous, .. } = self;
        let before = interruption(alert.state.checked_at, reading.at, *is_continuous);
        let before = before.filter(|_| is_other(&alert.state.source, reading.source))?;
        let mut state = with_source(&alert.state, reading.source);
        Evaluator::without_outliers(alert).evaluate(&mut state, reading)?;
        Some(self.unchecked_period(before, reading.at))
    }

    /// The period in which balances of an address were not checked, unless the source's own last ones are known.
    /// `before` is the last check, if the time since then counts as a gap.
    pub(super) fn lost_tokens(&self, tokens: &Balances<'_>, before: Option<UtcTime>) -> Option<UncheckedPeriod> {
        let seen = &self.alert.state;
        let is_known = self.other_balances.as_ref().is_some_and(|(source, _)| source.borrowed() == tokens.source);
        let before = before.filter(|_| !is_known && is_other(&seen.source, tokens.source))?;
        let mut state = with_source(seen, tokens.source);
        let all = moves(&mut state, self.receives(), tokens);
        (!all.is_empty()).then(|| self.unchecked_period(before, tokens.at))
    }

    /// The period in which the bitcoin of an address was not checked, like [`Self::lost_tokens`].
    pub(super) fn lost_bitcoin(&self, bitcoin: &Bitcoin<'_>, before: Option<UtcTime>) -> Option<UncheckedPeriod> {
        let seen = &self.alert.state;
        let is_known = self.other_bitcoin.as_ref().is_some_and(|(source, _)| source.borrowed() == bitcoin.source);
        let before = before.filter(|_| !is_known && is_other(&seen.bitcoin_source, bitcoin.source))?;
        let mut state = AlertState { bitcoin_source: Some(bitcoin.source.into_owned()), ..seen.clone() };
        bitcoin_move(&mut state, self.receives(), bitcoin)?;
        Some(self.unchecked_period(before, bitcoin.at))
    }

    /// Whether the alert is about received amounts, not sent ones.
    pub(super) fn receives(&self) -> bool {
        self.alert.rule.measure == Measure::Receives
    }

    fn unchecked_period(&self, from: UtcTime, until: UtcTime) -> UncheckedPeriod {
        // The wallet's source name identifies the counted coins.
        let is_wallet = self.alert.rule.target == Target::Wallet;
        self.unchecked(from, until, if is_wallet { "the set of priced coins changed" } else { "source changed" })
    }
}

/// The state as if its last value had come from a source.
fn with_source(state: &AlertState, source: ValueSource<&str>) -> AlertState {
    AlertState { source: Some(source.into_owned()), ..state.clone() }
}

/// Whether a value has a source other than the last one.
fn is_other(known: &Option<ValueSource>, new: ValueSource<&str>) -> bool {
    known.as_ref().is_some_and(|known| known.borrowed() != new)
}
