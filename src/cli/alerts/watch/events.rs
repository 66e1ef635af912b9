//! What a watcher does with the events of the fetch task.

use std::sync::Arc;

use super::super::super::failure::{Failure, say};
use super::super::super::query;
use super::super::source::source_of;
use super::Watch;
use crate::alerts::missed;
use crate::alerts::needs::{MISSING_RETRY, can_answer};
use crate::client::{Group, Request, ResponseData};
use crate::fetch::{Event, RefreshFailure};
use crate::format::words::in_sentence;
use crate::model::{UtcTime, address};
use crate::user_data::alert::Target;
use crate::user_data::{Change, UncheckedPeriod};

impl Watch<'_> {
    /// Takes over a response, a failure or live prices.
    pub(super) fn handle(&mut self, event: Event) -> Result<(), Failure> {
        self.end.record(&event);
        match event {
            Event::Arrived { request, response, receipt, .. } => {
                match &receipt.refresh_failure {
                    Some(RefreshFailure { error, .. }) => {
                        self.report_failure(&request, &error.to_string());
                        self.not_refreshed.push(request.clone());
                    }
                    None => drop(self.failures.remove(&request)),
                }
                self.lacking.remove(&request);
                self.note_simulated(request.group(), receipt.simulated);
                let provider = receipt.provider.as_deref();
                let source = source_of(request.group(), provider, receipt.simulated, self.settings);
                if let Some(ResponseData::Market(series)) = response.as_deref().filter(|_| self.waits_for(&request)) {
                    let now = UtcTime::now();
                    let source = source.into_series();
                    let mut changes = Vec::new();
                    let gaps = missed::handle_response(&mut self.tracked, &request, series, source, now, &mut changes);
                    changes.extend(unchecked_change(&gaps));
                    return self.record(&changes);
                }
                let response =
                    response.or_else(|| self.responses.get(&request).map(|(response, ..)| Arc::clone(response)));
                if let Some(response) = response {
                    self.wallet_values = None;
                    let source = source.into_owned();
                    self.responses.insert(request, (response, receipt, source));
                }
            }
            Event::Failed { request, error, .. } if self.waits_for(&request) => {
                let reason = error.kind.to_string();
                let gaps = missed::handle_failure(&mut self.tracked, &request, &reason);
                return self.record(unchecked_change(&gaps).as_slice());
            }
            Event::Failed { request, error, .. } => {
                self.interrupt(&request);
                // The series of these coins are requested instead.
                let convert = &self.settings.display.convert;
                let is_of_rule =
                    self.tracked.iter().any(|it| it.alert.on && can_answer(&request, &it.alert.rule, convert));
                let is_optional = match request {
                    Request::CoinsById { .. } | Request::BitcoinBalance { .. } | Request::Coins { start: 2.., .. } => {
                        true
                    }
                    // Details that only the wallet needs.
                    Request::Brc20Token { .. } => !is_of_rule,
                    _ => false,
                };
                // Something in between may have responded, such as the login page of a network.
                let is_lacking = error.is_permanently_unsupported() || !self.responses.contains_key(&request);
                if is_optional && error.is_not_offered() && is_lacking {
                    self.wallet_values = None;
                    let until = (!error.is_permanently_unsupported()).then(|| UtcTime::now().plus(MISSING_RETRY));
                    let is_new = self.lacking.insert(request.clone(), until).is_none();
                    if let Request::BitcoinBalance { address } = &request
                        && is_of_rule
                        && is_new
                    {
                        let reason = in_sentence(&error.kind.to_string());
                        say(&format!("BTC balance of {} not checked: {reason}", address::short(address)));
                    }
                    return Ok(());
                }
                self.report_failure(&request, &error.to_string());
            }
            Event::Prices { provider, convert, ticks } => match &mut self.live {
                Some((exchange, currency, known)) if *exchange == provider && *currency == convert => {
                    known.extend(ticks);
                }
                live => *live = Some((provider, convert, ticks)),
            },
            _ => {}
        }
        Ok(())
    }

    /// Says once that the data of a group are simulated.
    fn note_simulated(&mut self, group: Group, simulated: bool) {
        let note = query::simulated_note(simulated, group, self.settings);
        if let Some(note) = note.filter(|note| !self.simulated_notes.contains(note)) {
            say(&note);
            self.simulated_notes.push(note);
        }
    }

    /// Reports why a request failed, unless it failed for the same reason before.
    fn report_failure(&mut self, request: &Request, sentence: &str) {
        if self.failures.get(request).is_none_or(|known| known != sentence) {
            say(sentence);
            self.failures.insert(request.clone(), sentence.to_owned());
        }
    }

    /// Whether an alert waits for a series.
    fn waits_for(&self, request: &Request) -> bool {
        self.tracked.iter().any(|tracked| tracked.series() == Some(request))
    }

    /// Records that a failed request may have left out values of alerts.
    pub(super) fn interrupt(&mut self, request: &Request) {
        let convert = &self.settings.display.convert;
        for tracked in &mut self.tracked {
            if tracked.alert.rule.target == Target::Wallet || can_answer(request, &tracked.alert.rule, convert) {
                tracked.interrupt();
            }
        }
    }
}

/// The change that keeps periods that could not be checked for the dashboard; `None` without any.
fn unchecked_change(periods: &[UncheckedPeriod]) -> Option<Change> {
    let new = UncheckedPeriod::add(&mut Vec::new(), periods);
    (!new.is_empty()).then_some(Change::AlertsUnchecked(new))
}
