//! Values from another source than the last one: switching to it, and the crossings that the switch may hide.

use super::{Candidate, Firing, Tracked, interruption};
use crate::alerts::evaluate::{Evaluator, Reading, bitcoin_move, moves};
use crate::alerts::values::{Balances, Bitcoin};
use crate::model::{Text, UtcTime};
use crate::user_data::UncheckedPeriod;
use crate::user_data::alert::{AlertState, Measure, Target};

impl Tracked {
    /// Evaluates a value of another source, in case it replaces the current one.
    pub(super) fn observe(&mut self, reading: &Reading<'_>) {
        let source = |it: &Tracked| it.alert.state.source.as_deref() == Some(reading.source);
        if !self.candidate.as_ref().is_some_and(|candidate| source(&candidate.tracked)) {
            self.candidate = None;
            let unchecked = self.unchecked_by_switch(reading);
            self.candidate = Some(Box::new(Candidate { tracked: self.clone(), fired: Vec::new(), unchecked }));
        }
        if let Some(candidate) = &mut self.candidate {
            let fired = candidate.tracked.evaluate(reading);
            candidate.fired.extend(fired);
        }
    }

    /// Continues with the evaluation of this source, if it replaces the current one. Returns the alerts that fired
    /// meanwhile.
    pub(super) fn adopt(&mut self, source: &str) -> Vec<Firing> {
        let Some(candidate) = self.candidate.take() else { return Vec::new() };
        let Candidate { tracked: Tracked { alert, evaluator, .. }, fired, unchecked } = *candidate;
        if alert.state.source.as_deref() != Some(source) {
            return Vec::new();
        }
        (self.alert.state, self.evaluator) = (alert.state, evaluator);
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

    /// The same for the balances of an address, unless the source's own last ones are known. `before` is the last
    /// check, if the time since then counts as a gap.
    pub(super) fn lost_tokens(&self, tokens: &Balances<'_>, before: Option<UtcTime>) -> Option<UncheckedPeriod> {
        let seen = &self.alert.state;
        let is_known = self.other_balances.as_ref().is_some_and(|(source, _)| source == tokens.source);
        let before = before.filter(|_| !is_known && is_other(&seen.source, tokens.source))?;
        let mut state = with_source(seen, tokens.source);
        let all = moves(&mut state, self.receives(), &tokens.list, tokens.is_complete, tokens.at, tokens.source);
        (!all.is_empty()).then(|| self.unchecked_period(before, tokens.at))
    }

    /// The same for the bitcoin of an address.
    pub(super) fn lost_bitcoin(&self, bitcoin: &Bitcoin<'_>, before: Option<UtcTime>) -> Option<UncheckedPeriod> {
        let seen = &self.alert.state;
        let is_known = self.other_bitcoin.as_ref().is_some_and(|(source, _)| source == bitcoin.source);
        let before = before.filter(|_| !is_known && is_other(&seen.bitcoin_source, bitcoin.source))?;
        let mut state = AlertState { bitcoin_source: Some(Text::from(bitcoin.source)), ..seen.clone() };
        bitcoin_move(&mut state, self.receives(), bitcoin.amount, bitcoin.at, bitcoin.source)?;
        Some(self.unchecked_period(before, bitcoin.at))
    }

    fn receives(&self) -> bool {
        self.alert.rule.measure == Measure::Receives
    }

    fn unchecked_period(&self, from: UtcTime, until: UtcTime) -> UncheckedPeriod {
        // The wallet's source name identifies the counted coins.
        let is_wallet = self.alert.rule.target == Target::Wallet;
        self.unchecked(from, until, if is_wallet { "counted coins changed" } else { "source changed" })
    }
}

/// The state as if its last value had come from a source.
fn with_source(state: &AlertState, source: &str) -> AlertState {
    AlertState { source: Some(Text::from(source)), ..state.clone() }
}

/// Whether a value has another source than the last one.
fn is_other(known: &Option<Text>, new: &str) -> bool {
    known.as_deref().is_some_and(|known| known != new)
}
