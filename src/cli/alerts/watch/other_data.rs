//! Alerts that the current data can't check: simulated data never change an alert on real data, and vice versa.

use super::super::source::not_checked;
use super::Watch;
use crate::alerts::kinds;
use crate::alerts::needs::can_answer;
use crate::client::{Group, Request};
use crate::format::words::in_sentence;
use crate::user_data::Alert;
use crate::user_data::alert::{Condition, Rule, Target};

impl Watch<'_> {
    /// Whether the current data may change an alert: simulated data never change one on real data.
    pub(super) fn is_checkable(&self, alert: &Alert) -> bool {
        kinds::is_checkable(alert, self.wallet.has_addresses(), |group| self.simulates(group))
    }

    /// Whether this process checks an alert, and the current data may change it.
    pub(super) fn is_checked(&self, alert: &Alert) -> bool {
        self.checks(alert.data_kind()) && self.is_checkable(alert)
    }

    /// Whether the data of a group are simulated; `None` if not known yet.
    pub(super) fn simulates(&self, group: Group) -> Option<bool> {
        let response = self.responses.iter().find(|(request, _)| request.group() == group);
        let is_embedded = self.settings.url(group).is_none();
        let simulated = response.map(|(_, (_, receipt, _))| receipt.simulated);
        simulated.or_else(|| is_embedded.then(|| !self.settings.is_live(group)))
    }

    /// Names the alerts that this process checks but has not evaluated, in one sentence; `None` without any.
    pub(super) fn unchecked(&self) -> Option<String> {
        let values = self.values();
        let has_value = |alert: &Alert| match &alert.rule.target {
            Target::Address(address) if alert.rule.condition == Condition::Transfer => {
                values.balances(address).is_some() || values.bitcoin(address).is_some()
            }
            _ => values.reading(&alert.rule, &alert.state).is_some(),
        };
        let (mut without_value, mut without_history, mut explained) = (Vec::new(), Vec::new(), Vec::new());
        for tracked in self.tracked.iter().filter(|it| it.alert.on && self.is_checked(&it.alert)) {
            let id = tracked.alert.id.to_string();
            if tracked.waits_for_history() {
                without_history.push(id);
            } else if !has_value(&tracked.alert) {
                match self.notice_about(&tracked.alert.rule) {
                    Some(reason) => explained.push((vec![id], reason)),
                    None => without_value.push(id),
                }
            }
        }
        let reason = if without_value.len() > 1 { "no values received" } else { "no value received" };
        let mut sentences = vec![(without_value, String::from(reason))];
        sentences.append(&mut explained);
        sentences.push((without_history, String::from("price history not received")));
        let sentences = sentences.iter().filter_map(|(ids, reason)| match ids.as_slice() {
            [] => None,
            [id] => Some(format!("alert {id} was not checked: {reason}")),
            ids => Some(format!("alerts {} were not checked: {reason}", ids.join(", "))),
        });
        sentences.reduce(|first, next| format!("{first}; {next}"))
    }

    /// The notice of the response that should have the value of a rule, in a sentence.
    fn notice_about(&self, rule: &Rule) -> Option<String> {
        let convert = &self.settings.display.convert;
        // Notices about series are about their past prices.
        let is_its =
            |request: &Request| can_answer(request, rule, convert) && !matches!(request, Request::MarketData { .. });
        let mut responses = self.responses.iter().filter(|(request, _)| is_its(request));
        responses.find_map(|(_, (_, receipt, _))| Some(in_sentence(receipt.notice.as_deref()?)))
    }

    /// Names the alerts that the current data can't check, in one sentence; empty without any.
    pub(super) fn on_other_data(&self) -> String {
        let alerts = self.tracked.iter().map(|tracked| &tracked.alert);
        let other: Vec<&Alert> = alerts.filter(|alert| alert.on && !self.is_checkable(alert)).collect();
        not_checked(&other).unwrap_or_default()
    }
}
