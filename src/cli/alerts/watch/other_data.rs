//! Alerts that the present data can't check: simulated data never change an alert on real ones, nor the other way round.

use super::Watch;
use crate::alerts::needs::group_of;
use crate::user_data::Alert;

impl Watch<'_> {
    /// Whether the present data may change an alert: simulated ones never change one on real data.
    pub(super) fn is_checkable(&self, alert: &Alert) -> bool {
        let group = group_of(&alert.rule.target);
        let answer = self.answers.iter().find(|(request, _)| request.group() == group);
        let is_embedded = self.settings.url(group).is_none();
        let simulated = answer.map(|(_, (_, receipt, _))| receipt.simulated);
        let simulated = simulated.or_else(|| is_embedded.then(|| !self.settings.is_live(group)));
        simulated.is_none_or(|simulated| simulated == alert.state.is_simulated())
    }

    /// Names the alerts that the present data can't check, in one sentence; empty without any.
    pub(super) fn on_other_data(&self) -> String {
        let alerts = self.tracked.iter().map(|tracked| &tracked.alert);
        let other: Vec<&Alert> = alerts.filter(|alert| alert.on && !self.is_checkable(alert)).collect();
        let Some(first) = other.first() else { return String::new() };
        let ids: Vec<String> = other.iter().map(|alert| alert.id.to_string()).collect();
        let reason = match first.state.is_simulated() {
            true => "added in the demo; turn them off and on to use live data",
            false => "checked with live data only",
        };
        format!("alerts not checked: {} ({reason})", ids.join(", "))
    }
}
