//! The values of alerts: from known responses, and the requests for values that no screen shows.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::alerts::check::merge;
use crate::alerts::kinds::{kind_of_response, kinds_of_process};
use crate::alerts::missed;
use crate::alerts::needs::{MAX_PRICE_AGE, MAX_SLOW_DATA_AGE, group_of, is_balance, live_coins};
use crate::alerts::parse::{Draft, RuleError, Subject, lacks_subject};
use crate::alerts::source::response_source;
use crate::alerts::values::Origin;
use crate::alerts::{Tracked, Values, kinds, labels, needs, text};
use crate::app::extension::Extension;
use crate::client::{ErrorKind, Group, NoticeCode, Request, ResponseData};
use crate::fetch::{BackgroundNeed, Receipt, Tick};
use crate::format::HIDDEN;
use crate::format::words::in_sentence;
use crate::model::{CoinId, Tag, Text};
use crate::user_data::alert::{AlertState, Condition, DataKind, PerKind, Rule, Target, ValueSource};
use crate::user_data::{Alert, AlertId, Change, UncheckedPeriod};

use crate::app::alerts::line::{AlertLine, with_own_coin};
use crate::app::alerts::past::{self, PastAlert};
use crate::app::alerts::typed::TypedAlert;
use crate::app::overlay::{AlertsDialog, Overlay};
use crate::app::preferences::EMBEDDED;
use crate::app::state::State;
use crate::app::wallet::lot_line::suggestion;

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

    /// A typed rule, parsed, with its chosen coin. Its alert replaces `edited`, if given.
    pub(in crate::app) fn typed_alert(&self, line: &str, chosen: usize, edited: Option<AlertId>) -> TypedAlert {
        let opened = match &self.overlay {
            Some(Overlay::Alerts(dialog)) => dialog.opened.as_ref().map(|edit| &edit.after),
            _ => None,
        };
        let whole = opened.map_or(Cow::Borrowed(line), |alert| with_hidden_amounts(line, &alert.rule));
        let (whole, added) = self.with_subject(&whole);
        let in_line = |error: RuleError| RuleError { at: error.at.saturating_sub(added), ..error };
        let coins_of = |name: &str| {
            let found = self.coins_named(name);
            match opened {
                Some(alert) => with_own_coin(found, name, &alert.rule),
                None => found,
            }
        };
        let draft = self.parse_alert(&whole, chosen, coins_of).map_err(in_line);
        let ticker = match &draft {
            Ok(Draft { subject: Subject::Other(Target::Token(ticker), _), .. }) => Some(ticker.clone()),
            _ => None,
        };
        let coins = match &draft {
            Ok(Draft { subject: Subject::Coin { name, .. }, .. }) => coins_of(name),
            _ => Vec::new(),
        };
        let is_about_coin = matches!(&draft, Ok(Draft { subject: Subject::Coin { .. }, .. }));
        let needs_names = is_about_coin && coins.is_empty();
        let read = AlertLine { draft, coins };
        let outcome = self.alert_of(&read, chosen, edited);
        let unchecked = outcome.as_ref().ok().filter(|alert| alert.state.checked_at.is_none());
        let problem = unchecked.and_then(|alert| self.typed_problem(&alert.rule));
        let key = (chosen, edited);
        TypedAlert { line: line.to_owned(), key, coins: read.coins, needs_names, ticker, problem, outcome }
    }

    /// The line with the subject of the selected row, if the typed text starts with a value or an operator; and the
    /// number of characters added before the text.
    fn with_subject<'a>(&self, line: &'a str) -> (Cow<'a, str>, usize) {
        let suggestion = match &self.overlay {
            Some(Overlay::Alerts(dialog)) => dialog.suggestions.first(),
            _ => None,
        };
        let subject = |rule| labels::typed_subject(rule, &self.user.current().addresses);
        match suggestion.map(|rule| subject(rule)).filter(|_| lacks_subject(line)) {
            Some(subject) => (Cow::Owned(format!("{subject} {line}")), subject.chars().count() + 1),
            None => (Cow::Borrowed(line), 0),
        }
    }

    /// Why the current sources can't check a typed rule, in a few words, if known.
    fn typed_problem(&self, rule: &Rule) -> Option<String> {
        match &rule.target {
            Target::Wallet => self.wallet_problem(),
            Target::Token(ticker) => {
                let remote = self.responses.get(&Request::Brc20Token { ticker: ticker.clone() });
                remote.failure().map(|failure| in_sentence(&failure.error.kind.to_string()))
            }
            Target::Address(_) if rule.condition == Condition::Transfer && self.lacks(Extension::BitcoinBalances) => {
                Some(String::from("BTC balance (no enabled provider)"))
            }
            _ => self.missing_source(rule),
        }
    }

    /// An error if a token doesn't exist, or if its existence is not known yet.
    fn find_token(&self, ticker: &Text) -> Result<(), String> {
        let remote = self.responses.get(&Request::Brc20Token { ticker: ticker.clone() });
        match remote.failure() {
            _ if remote.value.is_some() => Ok(()),
            Some(failure) if matches!(failure.error.kind, ErrorKind::NotFound { .. }) => {
                Err(format!("No BRC-20 token {ticker}"))
            }
            Some(_) => Ok(()),
            None => Err(format!("Looking up {ticker}…")),
        }
    }

    /// The alert of a line, checked against the known values.
    fn alert_of(&self, line: &AlertLine, chosen: usize, edited: Option<AlertId>) -> Result<Alert, String> {
        let (rule, once) = line.rule(chosen, &self.convert, |name| self.unknown_coin(name))?;
        if let Target::Token(ticker) = &rule.target {
            self.find_token(ticker)?;
        }
        let simulated = self.simulates(group_of(&rule.target)).unwrap_or_default();
        let others = self.alerts.tracked.iter().map(|tracked| &tracked.alert).filter(|alert| Some(alert.id) != edited);
        if let Some(same) = others.into_iter().find(|alert| alert.rule.is_same(&rule)) {
            let off = match (same.on, same.state.is_simulated() && !simulated) {
                (_, true) => " (simulated data)",
                (true, _) => "",
                (false, _) => " (off)",
            };
            return Err(format!("You already have this alert{off}: {}", self.alert_title(&rule)));
        }
        let is_unchanged = |before: &Alert| {
            let is_checked = before.on && before.state.checked_at.is_some();
            is_checked && (simulated || !before.state.is_simulated()) && (&before.rule, before.once) == (&rule, once)
        };
        let alert = match edited.and_then(|id| self.alert(id)) {
            // It keeps its re-arm value.
            Some(before) if is_unchanged(before) => return Ok(before.clone()),
            Some(before) => {
                let mut alert = Alert { rule, once, on: true, ..before.clone() };
                alert.state = alert.state.restarted(simulated);
                alert
            }
            None => {
                let state = AlertState::unchecked(simulated);
                Alert { id: self.user.current().next_alert(), state, ..Alert::new(rule, once) }
            }
        };
        let mut tracked = Tracked::new(alert);
        let wallet = self.wallet_change();
        let id = tracked.alert.rule.coin_id().filter(|_| !simulated);
        let source = ValueSource::Live(self.live.provider());
        let mut values = Values::as_of(self.now);
        self.add_known_values(&mut values, |_| true);
        id.iter().for_each(|id| self.add_live_value(id, source, &mut values));
        wallet.iter().for_each(|change| values.add_wallet(change));
        values.sort();
        let _ = tracked.check(&values);
        Ok(tracked.alert)
    }

    /// The message if no coin has a name, or if that is not known yet.
    pub(in crate::app) fn unknown_coin(&self, name: &str) -> String {
        let names = self.responses.get(&Request::CoinNames);
        if names.value.is_some() {
            let receipt = names.entry.and_then(|entry| entry.receipt.as_ref());
            let notice = receipt.and_then(|receipt| receipt.notice.as_ref());
            let missing = notice.filter(|notice| notice.code == Some(NoticeCode::NamesMissing));
            let missing = missing.map(|notice| format!(" · {}", in_sentence(notice)));
            let suggestion = suggestion(&self.similar_coins(name));
            return format!("No coin matches {name}{suggestion}{}", missing.unwrap_or_default());
        }
        let list = self.list(Tag::All).first_request(&self.convert);
        let request = if self.lacks(Extension::Names) { list } else { Request::CoinNames };
        let remote = self.responses.get(&request);
        match remote.failure() {
            _ if remote.value.is_some() => {
                format!("No coin matches {name} in the loaded lists{}", suggestion(&self.similar_coins(name)))
            }
            Some(failure) => format!("Lookup of {name} failed: {} · retrying", in_sentence(&failure.error.reason())),
            None => format!("Looking up {name}… · loading coins"),
        }
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
            let requests = self.address_requests().into_iter().chain(self.holdings_requests());
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

/// The line of an edited rule with the limits that are hidden in it.
fn with_hidden_amounts<'a>(line: &'a str, rule: &Rule) -> Cow<'a, str> {
    let (Condition::Limit(_, limit) | Condition::Every(limit)) = &rule.condition else { return Cow::Borrowed(line) };
    if !line.contains(HIDDEN) {
        return Cow::Borrowed(line);
    }
    let (head, tail) = line.split_at(line.find(" rearm ").unwrap_or(line.len()));
    let rearm = rule.rearm.as_ref().unwrap_or(limit);
    let [head, tail] =
        [(head, limit), (tail, rearm)].map(|(part, number)| part.replacen(HIDDEN, &number.to_string(), 1));
    Cow::Owned(head + &tail)
}
