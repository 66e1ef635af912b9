//! What a watcher requests for its alerts, and the value of the wallet.

use super::super::super::failure::say;
use super::Watch;
use super::end::MIN_AGE;
use crate::alerts::needs::{MAX_PRICE_AGE, MISSING_RETRY, live_coins};
use crate::alerts::{missed, needs};
use crate::client::{Request, ResponseData};
use crate::fetch::{BackgroundNeed, Demand, LiveCoins, Receipt};
use crate::model::{CoinId, UtcTime};
use crate::user_data::Alert;
use crate::user_data::alert::{Rule, Target};

impl Watch<'_> {
    /// Demands the alerts' requests, and live prices of the coins whose prices are watched.
    pub(super) fn send_demand(&mut self) {
        let mut demand = Demand::default();
        if self.checks_any() {
            let convert = &self.settings.display.convert;
            let series = missed::requests(&mut self.tracked, convert, UtcTime::now());
            demand.background.extend(series.into_iter().map(|request| BackgroundNeed::new(request, MAX_PRICE_AGE)));
            demand.has_rows.extend(demand.background.iter().map(|_| false));
            let alerts = || self.tracked.iter().map(|tracked| &tracked.alert).filter(|alert| self.is_checked(alert));
            let lacks_ids = |rule: &Rule| self.lacks_id(rule);
            let mut needed = needs(alerts(), convert, |_| false, lacks_ids).requests;
            if self.has_wallet_rule() {
                let lacks = |request: &Request| self.lacks(request);
                needed.extend(self.wallet.requests(self.settings, |request| self.response_to(request), lacks));
            }
            for (request, every) in needed {
                let is_lacking = matches!(request, Request::BitcoinBalance { .. }) && self.lacks(&request);
                if is_lacking || demand.background.iter().any(|need| need.request == request) {
                    continue;
                }
                demand.has_rows.push(self.responses.get(&request).is_some_and(|(response, ..)| !response.is_empty()));
                // A timed run may end before the usual retry.
                let retries_soon = self.time.is_some() && !self.responses.contains_key(&request);
                let is_refresh = self.end.waits_for(&request);
                let every = if is_refresh { MIN_AGE } else { every };
                let need = BackgroundNeed::new(request, every);
                demand.background.push(BackgroundNeed { retries_soon, is_refresh, ..need });
            }
            let mut ids: Vec<CoinId> = live_coins(alerts(), convert).collect();
            ids.sort_unstable();
            ids.dedup();
            demand.live = (!ids.is_empty()).then(|| LiveCoins { ids, convert: convert.clone() });
        }
        for need in &demand.background {
            self.privacy_notices.announce(&need.request, self.settings);
        }
        self.handle.demand.send_if_modified(|sent| {
            let is_new = *sent != demand;
            if is_new {
                *sent = demand;
            }
            is_new
        });
    }

    /// Whether the service can't return a rule's coin by its id.
    fn lacks_id(&self, rule: &Rule) -> bool {
        let Some(id) = rule.coin_id() else { return true };
        let includes = |request: &Request| matches!(request, Request::CoinsById { ids, .. } if ids.contains(&id));
        let is_missing = |response: &ResponseData| match response {
            ResponseData::Coins(page) => page.items.iter().all(|coin| coin.id != id),
            _ => false,
        };
        // A response without some of the coins while a provider fails says nothing about these.
        let now = UtcTime::now();
        let is_valid = |receipt: &Receipt| receipt.has_all_coins() && now.since(receipt.fetched_at) < MISSING_RETRY;
        let mut responses = self.responses.iter().filter(|(request, _)| includes(request));
        responses.any(|(_, (response, receipt, _))| is_valid(receipt) && is_missing(response))
            || self.lacking.keys().any(|request| includes(request) && self.lacks(request))
    }

    /// Whether the service doesn't offer a request, as far as is known.
    fn lacks(&self, request: &Request) -> bool {
        let until = self.lacking.get(request);
        until.is_some_and(|until| until.is_none_or(|until| !until.is_due(UtcTime::now(), MISSING_RETRY)))
    }

    /// Computes the wallet's value and its change, if a rule needs one of them and something they depend on has
    /// changed. Reports once why one is unknown.
    pub(super) fn value_wallet(&mut self) {
        if !self.has_wallet_rule() {
            self.wallet_values = None;
        } else if self.wallet_values.is_none() {
            // Even while it is requested again.
            let lacks = |request: &Request| self.lacking.contains_key(request);
            let values = self.wallet.values(self.settings, |request| self.response_to(request), lacks);
            let requests = self.wallet.requests(self.settings, |request| self.response_to(request), lacks);
            let has_ended = |request: &Request| self.failures.contains_key(request) || lacks(request);
            let is_settled =
                requests.iter().all(|(request, _)| self.responses.contains_key(request) || has_ended(request));
            let (note, problem) = self.wallet.note_and_problem(&values);
            let is_known = problem.is_none();
            let notice = match problem {
                None => note,
                Some(problem) => is_settled.then(|| {
                    let which = if self.wallet.knows_any(&values) { "some wallet alerts" } else { "wallet alerts" };
                    format!("{which} are not checked: {problem}")
                }),
            };
            let notice = notice.unwrap_or_default();
            if notice != self.wallet_notice && (is_settled || is_known) {
                if !notice.is_empty() {
                    say(&notice);
                }
                self.wallet_notice = notice;
            }
            self.wallet_values = Some(values);
        }
    }

    pub(super) fn has_wallet_rule(&self) -> bool {
        let is_mine = |alert: &Alert| alert.rule.target == Target::Wallet && alert.on && self.is_checked(alert);
        self.tracked.iter().any(|tracked| is_mine(&tracked.alert))
    }
}
