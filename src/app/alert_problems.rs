//! Which alerts can't be checked now, and why.

use std::time::Duration;

use crate::alerts::Tracked;
use crate::alerts::needs::has_value_of;
use crate::alerts::values::coin_id;
use crate::client::Request;
use crate::user_data::alert::Target;

use super::state::State;

/// An alert that was checked later than this is all right, even if a request has just failed.
const RECENT: Duration = Duration::from_mins(2);

/// A response that is this much newer than the last value didn't have the value. Until then, a value of another source
/// may have been ignored.
const MISSING_AFTER: Duration = Duration::from_mins(16);

/// The reason for a value that no response has.
const NO_VALUE: &str = "the sources in use don't have this value";

impl State {
    /// Finds the alerts that can't be checked now.
    pub(super) fn find_alert_problems(&mut self, visible: &[Request]) {
        let mut problems = std::mem::take(&mut self.alerts.problems);
        problems.clear();
        if self.alerts.holds_lease {
            let is_due = |tracked: &&Tracked| {
                let checked = tracked.alert.state.checked_at;
                tracked.alert.on && checked.is_none_or(|at| self.now.since(at) >= RECENT)
            };
            let due = self.alerts.tracked.iter().filter(is_due);
            problems.extend(due.filter_map(|tracked| Some((tracked.alert.id, self.problem_of(tracked, visible)?))));
        }
        self.alerts.problems = problems;
    }

    /// Why an alert can't be checked now, in a few words. `None` if it can, or if its value is being requested.
    fn problem_of(&self, tracked: &Tracked, visible: &[Request]) -> Option<String> {
        if tracked.series().is_some() {
            return None;
        }
        let rule = &tracked.alert.rule;
        if rule.target == Target::Wallet {
            return self.wallet_problem();
        }
        let page = coin_id(rule).and_then(|id| self.source_of(&id)).map(|(tag, start)| {
            let currency = rule.measure.currency().unwrap_or(&self.convert);
            self.list(tag).page_request(start, currency)
        });
        let needed = self.alerts.needs.iter().map(|need| &need.request);
        let own = needed
            .chain(visible)
            .find(|request| has_value_of(request, rule, &self.convert) || page.as_ref() == Some(*request));
        match (own, &rule.target) {
            (Some(request), _) => {
                let remote = self.store.get(request);
                if let Some(failure) = remote.failure() {
                    return Some(failure.error.kind.to_string());
                }
                let last = tracked.alert.state.checked_at;
                let at = remote.value.and(remote.updated_at())?;
                let is_missing = last.is_none_or(|last| at.since(last) >= MISSING_AFTER);
                is_missing.then(|| String::from(NO_VALUE))
            }
            (None, Target::Address(_)) => Some(String::from("looking up addresses is not confirmed yet")),
            // No request has a rank without an id, or fees without a provider.
            (None, _) => Some(String::from(NO_VALUE)),
        }
    }

    fn wallet_problem(&self) -> Option<String> {
        let requests = self.address_requests().into_iter().chain(self.holdings_requests());
        for request in requests {
            let remote = self.store.get(&request);
            match remote.failure() {
                Some(failure) => return Some(failure.error.kind.to_string()),
                None if remote.value.is_none() => return None,
                None => {}
            }
        }
        self.wallet_change().err()
    }
}
