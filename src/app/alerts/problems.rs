//! Which alerts can't be checked now, and why.

use std::time::Duration;

use crate::alerts::needs::{MAX_PRICE_AGE, MAX_SLOW_DATA_AGE, can_answer, is_balance};
use crate::alerts::source::SOURCE_SWITCH_DELAY;
use crate::alerts::text::NO_VALUE;
use crate::alerts::values::stale_since;
use crate::alerts::{Tracked, text};
use crate::client::Request;
use crate::fetch::PriceState;
use crate::format::words::in_sentence;
use crate::model::UtcTime;
use crate::user_data::Alert;
use crate::user_data::alert::{BITCOIN, Checker, Measure, Rule, Target, ValueSource};

use crate::app::extension::Extension;
use crate::app::state::State;

/// An alert checked within this time is fine, even if a request has just failed.
const RECENT_AGE: Duration = Duration::from_mins(2);

/// If a response is newer than the last value by this much, it had no value. Before that, its value may have been from
/// another source, which is ignored at first.
const MISSING_AFTER: Duration = SOURCE_SWITCH_DELAY.saturating_add(Duration::from_mins(1));

/// Data this old is stale, regardless of its interval.
const STALE_AGE: Duration = Duration::from_mins(10);

/// The reason if an alert on real data runs in the demo.
const LIVE_ONLY: &str = "checked with live data only";

/// The reason if an alert was added in the demo.
const DEMO_ONLY: &str = "created with simulated data (turn it off and on to use live data)";

impl State {
    /// Finds the alerts that can't be checked now.
    pub(in crate::app) fn find_alert_problems(&mut self, visible: &[Request]) {
        let mut problems = std::mem::take(&mut self.alerts.problems);
        problems.clear();
        let is_due = |tracked: &&Tracked| {
            let Alert { on, state, .. } = &tracked.alert;
            let is_recent = state.checked_at.is_some_and(|at| self.now.since(at) < RECENT_AGE);
            let is_checkable = self.is_checkable(&tracked.alert);
            match self.alerts.checker(tracked.alert.data_kind()) {
                Checker::OtherProcess => false,
                // It is not known yet which process checks them.
                Checker::Nobody if is_checkable => false,
                Checker::Nobody | Checker::ThisProcess => *on && !(is_recent && is_checkable),
            }
        };
        let due = self.alerts.tracked.iter().filter(is_due);
        problems.extend(due.filter_map(|tracked| Some((tracked.alert.id, self.problem_of(tracked, visible)?))));
        self.alerts.problems = problems;
    }

    /// Why an alert can't be checked now, in a few words. `None` if it can, or if its value is being requested.
    fn problem_of(&self, tracked: &Tracked, visible: &[Request]) -> Option<String> {
        if tracked.series().is_some() {
            return None;
        }
        if !self.is_checkable(&tracked.alert) {
            let reason = if tracked.alert.state.is_simulated() { DEMO_ONLY } else { LIVE_ONLY };
            return Some(String::from(reason));
        }
        let rule = &tracked.alert.rule;
        if let Some(reason) = self.missing_source(rule) {
            return Some(reason);
        }
        if rule.target == Target::Wallet {
            return self.wallet_problem(&rule.measure);
        }
        match (self.alert_requests(rule, visible).next(), &rule.target) {
            (Some((request, every)), _) => {
                let every = every.unwrap_or(MAX_PRICE_AGE);
                let remote = self.responses.get(request);
                if let Some(failure) = remote.failure() {
                    return Some(in_sentence(&failure.error.kind.to_string()));
                }
                let at = remote.value.and(remote.updated_at())?;
                if let Some(reason) = self.old_data(at, every) {
                    return Some(reason);
                }
                let is_missing = match tracked.alert.state.checked_at {
                    Some(last) => at.since(last) >= MISSING_AFTER,
                    None => tracked.since.is_none_or(|since| at > since),
                };
                is_missing.then(|| self.old_value(rule, request).unwrap_or_else(|| String::from(NO_VALUE)))
            }
            (None, Target::Address(_)) => {
                Some(String::from("address lookup not confirmed (open the address in the indexer)"))
            }
            // No request has a rank without an id, or fees without a provider.
            (None, _) => Some(String::from(NO_VALUE)),
        }
    }

    /// Why the current sources can't have the value of a rule, in a few words. `None` if they may have it.
    pub(in crate::app) fn missing_source(&self, rule: &Rule) -> Option<String> {
        let lacks_id = rule.coin_id().is_none_or(|id| self.alerts.lacks(&id));
        let is_missing = match (&rule.target, &rule.measure) {
            (Target::Fees, _) => self.lacks(Extension::Chain),
            // The price history has the other values.
            (Target::Coin(_), measure) => lacks_id && !measure.is_in_series(),
            (Target::Address(_), Measure::Balance(ticker)) => {
                *ticker == BITCOIN && self.lacks(Extension::BitcoinBalances)
            }
            _ => false,
        };
        is_missing.then(|| String::from(NO_VALUE))
    }

    /// Whether live prices check an alert now.
    pub fn follows_live_price(&self, alert: &Alert) -> bool {
        matches!(self.live.state, Some(PriceState::Open))
            && alert.state.source.as_ref().is_some_and(ValueSource::is_live)
            && alert.rule.coin_id().is_some_and(|id| self.alert_live_ids().any(|own| own == id))
    }

    /// The maximum time between checks of an alert: the interval of its requests, or the freshness of their responses.
    pub fn alert_interval(&self, rule: &Rule) -> Duration {
        let visible = &self.alerts.planned_for;
        let wallet: Vec<Request> = match rule.target {
            Target::Wallet => self.wallet_requests(&rule.measure),
            _ => Vec::new(),
        };
        let of_wallet = wallet
            .iter()
            .map(|request| (request, Some(if is_balance(request) { MAX_SLOW_DATA_AGE } else { MAX_PRICE_AGE })));
        let length = |(request, every): (&Request, Option<Duration>)| {
            let receipt = self.responses.get(request).entry.and_then(|entry| entry.receipt.as_ref());
            let fresh = receipt.map(|receipt| receipt.fresh_until.since(receipt.fetched_at));
            fresh.max(every)
        };
        let longest = self.alert_requests(rule, visible).chain(of_wallet).filter_map(length).max();
        longest.unwrap_or(MAX_PRICE_AGE)
    }

    /// The requests that a rule is checked with, each with the interval at which alerts need it; without one if it is on
    /// the screen.
    fn alert_requests<'a>(
        &'a self,
        rule: &'a Rule,
        visible: &'a [Request],
    ) -> impl Iterator<Item = (&'a Request, Option<Duration>)> {
        let needed = self.alerts.needs.iter().map(|need| (&need.request, Some(need.every)));
        let shown = visible.iter().map(|request| (request, None));
        let mut found = needed.chain(shown).filter(|(request, _)| can_answer(request, rule, &self.convert)).peekable();
        let listed = rule.coin_id().filter(|_| found.peek().is_none()).and_then(|id| {
            let has_coin = |request: &&Request| match request {
                Request::Coins { convert, .. } if rule.measure.currency().unwrap_or(&self.convert) == convert => {
                    self.responses.coins(request).value.is_some_and(|page| page.items.iter().any(|coin| coin.id == id))
                }
                _ => false,
            };
            visible.iter().find(has_coin).map(|request| (request, None))
        });
        found.chain(listed)
    }

    /// The requests for a value of the wallet.
    fn wallet_requests(&self, measure: &Measure) -> Vec<Request> {
        let other = self.other_price_requests(measure.currency().map(std::slice::from_ref).unwrap_or_default());
        self.address_requests().into_iter().chain(self.holdings_requests()).chain(other).collect()
    }

    /// Why a value of the wallet is unknown or old, in a few words. `None` if it isn't, or if it is being requested.
    pub(in crate::app) fn wallet_problem(&self, measure: &Measure) -> Option<String> {
        for request in self.wallet_requests(measure) {
            let remote = self.responses.get(&request);
            match remote.failure() {
                Some(failure) => return Some(in_sentence(&failure.error.kind.to_string())),
                None if remote.value.is_none() => return None,
                None => {}
            }
        }
        match self.wallet_values(measure.currency().cloned().into_iter().collect()).of(measure)? {
            Ok(value) => self.old_data(value.at, MAX_PRICE_AGE),
            Err(reason) => Some(reason.to_string()),
        }
    }

    /// The message if data is much older than its interval: the service returns old data while its provider fails,
    /// or requests wait for their budget.
    fn old_data(&self, at: UtcTime, every: Duration) -> Option<String> {
        let age = self.now.since(at);
        (age >= (every * 3).max(STALE_AGE)).then(|| text::old_data(age))
    }

    /// The message if the provider of a response has not updated the coin of a rule for hours.
    fn old_value(&self, rule: &Rule, request: &Request) -> Option<String> {
        let Target::Coin(coin) = &rule.target else { return None };
        let coins = self.responses.coins(request);
        let origin = self.origin(request, coins.entry?.receipt.as_ref()?);
        let own = coins.value?.items.iter().find(|known| coin.is_coin(known))?;
        Some(text::old_data(self.now.since(stale_since(own, origin)?)))
    }
}
