//! The values of alerts: from known responses, and the requests for values that no screen shows.

use std::collections::{HashMap, HashSet};

use crate::alerts::check::merge;
use crate::alerts::kinds::{kind_of_response, kinds_of_process};
use crate::alerts::missed;
use crate::alerts::needs::{MAX_PRICE_AGE, MAX_SLOW_DATA_AGE, is_balance, live_coins};
use crate::alerts::source::response_source;
use crate::alerts::values::Origin;
use crate::alerts::wallet::currencies;
use crate::alerts::{Tracked, Values, kinds, labels, needs, text};
use crate::app::extension::Extension;
use crate::client::{Group, Request, ResponseData};
use crate::fetch::{BackgroundNeed, Receipt, Tick};
use crate::format::HIDDEN;
use crate::model::CoinId;
use crate::user_data::alert::{DataKind, PerKind, Rule};
use crate::user_data::{Alert, AlertId, Change, UncheckedPeriod};

use crate::app::alerts::past::{self, PastAlert};
use crate::app::overlay::{AlertsDialog, Overlay};
use crate::app::preferences::EMBEDDED;
use crate::app::state::State;

impl State {
    /// The firings and unchecked periods that the Alerts dialog lists without a filter.
    pub fn past_alerts(&self) -> Vec<PastAlert> {
        self.past_alerts_where(|_, _| true)
    }

    /// The firings and unchecked periods that the Alerts dialog lists: with a filter, those that match it.
    pub fn listed_past_alerts(&self, dialog: &AlertsDialog) -> Vec<PastAlert> {
        self.past_alerts_where(|alert, text| dialog.lists_past(&self.alerts.tracked, alert, text))
    }

    fn past_alerts_where(&self, is_listed: impl Fn(AlertId, &str) -> bool) -> Vec<PastAlert> {
        let (events, unchecked) = (&self.user.current().alert_events, &self.alerts.unchecked);
        past::rows(events, unchecked, self.alerts.listed, is_listed)
    }

    /// The title of a rule, without an amount that is hidden, and with its currency if the screen has another one.
    pub fn alert_title(&self, rule: &Rule) -> String {
        let title = if self.wallet.hides_amounts { text::title_without_amounts(rule) } else { text::title(rule) };
        let title = self.with_label(title, rule);
        match rule.measure.currency().filter(|currency| **currency != self.convert) {
            Some(currency) => format!("{title} {currency}"),
            None => title,
        }
    }

    /// A message about a rule, with the label in place of its address.
    pub fn with_label(&self, words: String, rule: &Rule) -> String {
        labels::with_label(words, rule, labels::label_of(rule, &self.user.current().addresses))
    }

    /// A rule as it would be typed, without amounts that are hidden.
    pub(in crate::app) fn alert_line(&self, rule: &Rule) -> String {
        labels::line(rule, &self.user.current().addresses, Some(HIDDEN).filter(|_| self.wallet.hides_amounts))
    }

    /// Whether the data of a group is simulated; `None` if not known yet.
    pub fn simulates(&self, group: Group) -> Option<bool> {
        let [market, indexer] = &self.preferences.urls;
        let is_embedded = if group == Group::Market { market } else { indexer } == EMBEDDED;
        let receipt = self.responses.last_receipt(group).map(|receipt| receipt.simulated);
        receipt.or_else(|| is_embedded.then(|| self.preferences.live == Some(false)))
    }

    /// The kinds of data that alerts can be checked with.
    pub fn alert_kinds(&self) -> PerKind<bool> {
        let alerts = self.alerts.tracked.iter().map(|tracked| &tracked.alert);
        kinds_of_process(alerts, self.has_addresses(), |group| self.simulates(group))
    }

    /// Whether this process checks an alert, and the current data may change its state.
    fn is_checked(&self, alert: &Alert) -> bool {
        self.alerts.checks(alert.data_kind()) && self.is_checkable(alert)
    }

    /// Whether the current data may change an alert's state: demo data never change an alert on real data.
    pub(in crate::app) fn is_checkable(&self, alert: &Alert) -> bool {
        kinds::is_checkable(alert, self.has_addresses(), |group| self.simulates(group))
    }

    /// Whether the wallet has addresses, so that its value also needs the indexer.
    fn has_addresses(&self) -> bool {
        !self.wallet.holdings().addresses().is_empty()
    }

    /// Adds the values of all known responses with the wanted kinds of data.
    pub(in crate::app) fn add_known_values<'a>(
        &'a self,
        values: &mut Values<'a>,
        is_wanted: impl Fn(DataKind) -> bool,
    ) {
        for (request, entry) in self.responses.all() {
            if let (Some(response), Some(receipt)) = (&entry.response, &entry.receipt)
                && is_wanted(kind_of_response(request, receipt.simulated))
                && Values::can_use(request)
            {
                values.add(request, response, self.origin(request, receipt));
            }
        }
    }

    /// Adds the polled values of the coins with these live prices.
    pub(in crate::app) fn add_polled_coins<'a>(&'a self, ticks: &HashMap<CoinId, Tick>, values: &mut Values<'a>) {
        for (request, entry) in self.responses.all() {
            if let (Some(response), Some(receipt)) = (&entry.response, &entry.receipt)
                && let ResponseData::Coins(page) = &**response
                && self.alerts.checks(kind_of_response(request, receipt.simulated))
            {
                let own = page.items.iter().filter(|coin| ticks.contains_key(&coin.id));
                values.add_coins(own, self.origin(request, receipt));
            }
        }
    }

    /// Where and when a response comes from.
    pub(in crate::app) fn origin<'a>(&'a self, request: &Request, receipt: &'a Receipt) -> Origin<'a> {
        let [market, indexer] = &self.preferences.urls;
        let url = if request.group() == Group::Market { market } else { indexer };
        let url = Some(url.as_str()).filter(|url| *url != EMBEDDED);
        let source = response_source(receipt.provider.as_deref(), url, receipt.simulated);
        Origin { at: receipt.updated_at(), source }
    }

    /// Reads the alerts from the user data. States that have changed since are kept.
    pub(in crate::app) fn sync_alerts(&mut self) {
        let user = self.user.current();
        UncheckedPeriod::add(&mut self.alerts.unchecked, &user.unchecked);
        self.alerts.unseen = user.alert_events.iter().filter(|event| !event.seen).count();
        let mut tracked = merge(&user.alerts, &self.alerts.tracked, &user.addresses, self.now);
        for new in tracked.iter_mut().filter(|new| new.since.is_none()) {
            let is_same = |own: &&Tracked| own.alert.id == new.alert.id && own.alert.rule == new.alert.rule;
            let known = self.alerts.tracked.iter().find(is_same).and_then(|own| own.since);
            new.since = known.or(Some(self.now));
        }
        let before = std::mem::replace(&mut self.alerts.tracked, tracked);
        if let Some(dialog) = self.overlay.as_mut().and_then(Overlay::alerts) {
            dialog.follow(&before, &self.alerts.tracked);
        }
        self.filter_alerts();
        self.alerts.plan_is_due = true;
    }

    /// The alert with this ID.
    pub fn alert(&self, id: AlertId) -> Option<&Alert> {
        self.alerts.tracked.iter().map(|tracked| &tracked.alert).find(|alert| alert.id == id)
    }

    /// Finds the requests that the alerts need and the screen doesn't send.
    pub(in crate::app) fn plan_alerts(&mut self) {
        if self.alerts.tracked.is_empty() {
            self.alerts.needs.clear();
            self.alerts.problems.clear();
            return;
        }
        let visible = self.open_screen().requests(self);
        if !std::mem::take(&mut self.alerts.plan_is_due) && self.alerts.planned_for == visible {
            return;
        }
        let series = missed::requests(&mut self.alerts.tracked, &self.convert, self.now);
        let shown = self.coins_of(&visible);
        let has_value = |rule: &Rule| {
            let is_current = rule.measure.currency().is_none_or(|currency| *currency == self.convert);
            is_current && rule.coin_id().is_some_and(|id| shown.contains(&id))
        };
        let lacks_id = |rule: &Rule| rule.coin_id().is_none_or(|id| self.alerts.lacks(&id));
        let alerts = self.alerts.tracked.iter().map(|tracked| &tracked.alert);
        let alerts = alerts.filter(|alert| self.is_checked(alert));
        let found = needs(alerts, &self.convert, has_value, lacks_id);
        let mut needs: Vec<BackgroundNeed> =
            found.requests.into_iter().map(|(request, every)| BackgroundNeed::new(request, every)).collect();
        if found.wallet {
            let every = |request: &Request| if is_balance(request) { MAX_SLOW_DATA_AGE } else { MAX_PRICE_AGE };
            let of_wallet = currencies(&self.alerts.wallet_measures());
            let requests = self.address_requests().into_iter().chain(self.holdings_requests());
            let requests = requests.chain(self.other_price_requests(&of_wallet));
            needs.extend(requests.map(|request| BackgroundNeed::new(request.clone(), every(&request))));
        }
        needs.extend(series.into_iter().map(|request| BackgroundNeed::new(request, MAX_PRICE_AGE)));
        let is_offered = |request: &Request| match request {
            Request::ChainState => self.may_request(Extension::Chain),
            Request::BitcoinBalance { .. } => self.may_request(Extension::BitcoinBalances),
            _ => true,
        };
        needs.retain(|BackgroundNeed { request, .. }| {
            !visible.contains(request) && is_offered(request) && self.may_send(request)
        });
        self.alerts.needs = needs;
        self.find_alert_problems(&visible);
        self.alerts.planned_for = visible;
    }

    /// The coins of list pages among these requests, in the current currency.
    fn coins_of(&self, requests: &[Request]) -> HashSet<CoinId> {
        let lists = requests.iter().filter(|request| matches!(request, Request::Coins { .. }));
        let pages = lists.filter_map(|request| self.responses.coins(request).value);
        pages.flat_map(|page| &page.items).map(|coin| coin.id.clone()).collect()
    }

    /// The coins whose live prices the alerts need.
    pub(in crate::app) fn alert_live_ids(&self) -> impl Iterator<Item = CoinId> {
        let alerts = self.alerts.tracked.iter().map(|tracked| &tracked.alert);
        live_coins(alerts.filter(|alert| self.is_checked(alert)), &self.convert)
    }

    /// Evaluates the alerts that wait for a series, if this is the response with it. Returns the alerts that could not
    /// be checked.
    pub(in crate::app) fn evaluate_series(
        &self,
        request: &Request,
        tracked: &mut [Tracked],
        changes: &mut Vec<Change>,
    ) -> Vec<UncheckedPeriod> {
        let is_waited_for = tracked.iter().any(|tracked| tracked.series() == Some(request));
        let receipt = self.responses.get(request).entry.and_then(|entry| entry.receipt.as_ref());
        match (self.responses.response(request).map(AsRef::as_ref), receipt) {
            (Some(ResponseData::Market(series)), Some(receipt)) if is_waited_for => {
                let source = self.origin(request, receipt).source.into_series();
                missed::handle_response(tracked, request, series, source, self.now, changes)
            }
            _ => Vec::new(),
        }
    }

    /// The values of a response, if this process checks alerts with such data.
    pub(in crate::app) fn values_of<'a>(&'a self, request: &'a Request, values: &mut Values<'a>) {
        if let (Some(response), Some(receipt)) = (
            self.responses.response(request),
            self.responses.get(request).entry.and_then(|entry| entry.receipt.as_ref()),
        ) && self.alerts.checks(kind_of_response(request, receipt.simulated))
            && Values::can_use(request)
        {
            values.add(request, response, self.origin(request, receipt));
        }
    }
}
