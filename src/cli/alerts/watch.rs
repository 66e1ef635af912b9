//! `satscope alerts watch`: checks alerts and prints each one that fires.

mod alert_database;
mod leases;
mod other_data;
mod record;

use std::collections::HashMap;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::super::args::Format;
use super::super::failure::{Failure, say};
use super::super::output;
use super::super::privacy;
use super::super::query;
use super::super::runtime::block_on;
use super::super::serve::interrupted;
use super::announce::Announcer;
use super::received::Received;
use super::source::{Service, source_name};
use super::wallet::Wallet;
use crate::alerts::check::{check, merge};
use crate::alerts::missed;
use crate::alerts::needs::{MAX_PRICE_AGE, can_answer};
use crate::alerts::source::{live_source, series_source};
use crate::alerts::values::Origin;
use crate::alerts::wallet::WalletChange;
use crate::alerts::{Tracked, Values, needs};
use crate::client::{Group, Request, ResponseData};
use crate::clock::Clock;
use crate::config::Settings;
use crate::fetch::{self, BackgroundNeed, Demand, Event, Handle, LiveCoins, Receipt, RefreshFailure, Tick};
use crate::format::TimeRange;
use crate::format::words::in_sentence;
use crate::model::{CoinId, Currency, UtcTime, address};
use crate::user_data::alert::{DataKind, DataScope, Measure, PerKind, Rule, Target, is_simulated};
use crate::user_data::{Alert, AlertId, Change, UncheckedPeriod, UserData};
use alert_database::AlertDatabase;

/// How often the lease is renewed: one process checks the alerts at a time.
const LEASE_RENEWAL: Duration = Duration::from_mins(1);

/// Maximum waiting events of the fetch task.
const QUEUE: usize = 64;

/// Checks the alerts until INT or TERM, or for a time.
pub(super) fn run(time: Option<Duration>, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let (database, notes) = AlertDatabase::open(settings.dirs.state.as_deref())?;
    notes.iter().for_each(|note| say(note));
    if settings.simulates_by_default(Group::Market) {
        say(query::SIMULATED);
    }
    let service = Service::start(settings)?;
    // A time beyond the clock's range never ends.
    let end = time.and_then(|time| Instant::now().checked_add(time));
    block_on(async {
        let stop =
            interrupted().map_err(|error| Failure::Operation(format!("can't install signal handlers ({error})")))?;
        let (handle, inbox) = fetch::channel();
        let (sender, events) = mpsc::channel(QUEUE);
        let client = service.client.clone();
        let may_have_prices = settings.is_live(Group::Market) || settings.url(Group::Market).is_some();
        let prices = fetch::run_prices(client.clone(), Clock::System, inbox.demand(), sender.clone());
        let requests = fetch::run(client, Clock::System, settings.fetch_settings(), sender, inbox);
        let prices = async {
            if may_have_prices {
                prices.await;
            }
            pending::<()>().await;
        };
        let stop = async {
            match end {
                Some(end) => tokio::select! { () = stop => {}, () = sleep_until(end) => {} },
                None => stop.await,
            }
        };
        let owner = format!("watch {} {:x}", std::process::id(), fastrand::u32(..));
        let mut watch = Watch {
            settings,
            announcer: Announcer::new(output::format(format), settings),
            database,
            owner,
            leases_until: PerKind::default(),
            elsewhere: PerKind::default(),
            unsaved: Vec::new(),
            damages: Vec::new(),
            last_notice: String::new(),
            handle,
            tracked: Vec::new(),
            wallet: Wallet::default(),
            wallet_change: None,
            wallet_problem: String::new(),
            announced: Vec::new(),
            answers: HashMap::new(),
            live: None,
            failures: HashMap::new(),
        };
        let ended = tokio::select! {
            biased;
            () = prices => Ok(()),
            () = requests => Ok(()),
            () = stop => Ok(()),
            error = watch.run(events) => Err(error),
        };
        watch.finish().await;
        ended
    })?
}

struct Watch<'a> {
    settings: &'a Settings,
    announcer: Announcer,
    database: AlertDatabase,
    owner: String,
    /// Until when this process holds the lease of the alerts on each kind of data, by the system clock.
    leases_until: PerKind<Option<UtcTime>>,
    /// Whether another process held the lease of each kind of data when this one last checked.
    elsewhere: PerKind<bool>,
    /// Changes that could not be saved yet.
    unsaved: Vec<Change>,
    /// The last message about damaged tables.
    damages: Vec<String>,
    /// The last message about the alerts as a whole.
    last_notice: String,
    handle: Handle,
    tracked: Vec<Tracked>,
    /// The lots and addresses, for rules about the wallet.
    wallet: Wallet,
    /// The change of its value; `None` if it has to be computed again, or if no rule needs it.
    wallet_change: Option<Result<WalletChange, String>>,
    /// The last reported reason why it is unknown.
    wallet_problem: String,
    /// The firings that were announced although they could not be saved.
    announced: Vec<(AlertId, u32)>,
    answers: HashMap<Request, (Arc<ResponseData>, Receipt, String)>,
    /// Live prices: their source, the currency and the prices.
    live: Option<(String, Currency, HashMap<CoinId, Tick>)>,
    failures: HashMap<Request, String>,
}

impl Watch<'_> {
    /// Runs until it can't go on.
    async fn run(&mut self, mut events: mpsc::Receiver<Event>) -> Failure {
        let mut has_new_kinds = false;
        loop {
            match self.renew() {
                Ok(fired) => {
                    let announced = self.announce(&fired);
                    let checked = announced.and_then(|()| if has_new_kinds { self.check() } else { Ok(()) });
                    if let Err(failure) = checked {
                        return failure;
                    }
                }
                Err(error) => self.report_once(&format!("can't read or save the alerts: {error} · retrying in 60 s")),
            }
            let (renewed, renewal) = (UtcTime::now(), Instant::now() + LEASE_RENEWAL);
            let kinds = self.kinds();
            loop {
                tokio::select! {
                    event = events.recv() => {
                        let Some(event) = event else { return Failure::Operation(String::from("the fetch task stopped unexpectedly; restart satscope alerts watch")) };
                        let mut done = self.handle(event);
                        while let (Ok(()), Ok(event)) = (&done, events.try_recv()) {
                            done = self.handle(event);
                        }
                        if let Err(failure) = done.and_then(|()| self.check()) {
                            return failure;
                        }
                        self.send_demand();
                        // The first response of a service shows whether its data are simulated.
                        has_new_kinds = self.kinds() != kinds;
                        if has_new_kinds {
                            break;
                        }
                    }
                    () = sleep_until(renewal) => break,
                }
            }
            if UtcTime::now().since(renewed) >= LEASE_RENEWAL * 2 {
                // The machine was suspended.
                self.tracked.iter_mut().for_each(Tracked::interrupt);
            }
        }
    }

    /// Takes or renews the lease, saves the checked times and loads changes by other processes. Returns the firings
    /// that could not be saved before.
    fn renew(&mut self) -> Result<Vec<Change>, crate::store::Error> {
        // The kinds of data with which this process can check alerts depend on the wallet.
        self.load_changed(false)?;
        if self.take_leases()? {
            self.load_changed(true)?;
        }
        self.value_wallet();
        let fired = self.save_checked()?;
        let on = self.tracked.iter().filter(|tracked| tracked.alert.on).count();
        let other = self.on_other_data();
        let is_elsewhere = |tracked: &Tracked| tracked.alert.on && *self.elsewhere.get(tracked.alert.data_kind());
        match self.tracked.iter().any(is_elsewhere) {
            true => self.report_once("another satscope process is checking alerts; taking over when it exits"),
            false if !other.is_empty() => self.report_once(&other),
            false if on == 0 => self.report_once("no alerts are on (add one: satscope alerts add 'ordi > 10')"),
            false => self.last_notice.clear(),
        }
        self.send_demand();
        Ok(fired)
    }

    /// Says something once.
    fn report_once(&mut self, sentence: &str) {
        if self.last_notice != sentence {
            say(sentence);
            sentence.clone_into(&mut self.last_notice);
        }
    }

    fn load_changed(&mut self, is_needed: bool) -> Result<(), crate::store::Error> {
        if let Some(data) = self.database.load_changed(is_needed)? {
            self.loaded(&data);
        }
        Ok(())
    }

    /// Applies loaded alerts. This process's newer states are kept.
    fn loaded(&mut self, data: &UserData) {
        self.wallet = Wallet::of(data);
        self.wallet_change = None;
        self.tracked = merge(&data.alerts, &self.tracked, &data.addresses);
    }

    fn handle(&mut self, event: Event) -> Result<(), Failure> {
        match event {
            Event::Arrived { request, answer, receipt, .. } => {
                match &receipt.refresh_failure {
                    Some(RefreshFailure { error, .. }) => self.report_failure(&request, &error.to_string()),
                    None => drop(self.failures.remove(&request)),
                }
                let provider = receipt.provider.as_deref();
                let source = source_name(request.group(), provider, receipt.simulated, self.settings).to_owned();
                if let Some(ResponseData::Market(series)) = answer.as_deref().filter(|_| self.waits_for(&request)) {
                    let now = UtcTime::now();
                    let source = series_source(&source);
                    let mut changes = Vec::new();
                    let gaps = missed::handle_response(&mut self.tracked, &request, series, &source, now, &mut changes);
                    changes.extend(self.report(gaps));
                    return self.record(&changes);
                }
                let answer = answer.or_else(|| self.answers.get(&request).map(|(answer, ..)| Arc::clone(answer)));
                if let Some(answer) = answer {
                    self.wallet_change = None;
                    self.answers.insert(request, (answer, receipt, source));
                }
            }
            Event::Failed { request, error, .. } if self.waits_for(&request) => {
                let reason = error.kind.to_string();
                let gaps = missed::handle_failure(&mut self.tracked, &request, &reason);
                let change: Vec<Change> = self.report(gaps).into_iter().collect();
                return self.record(&change);
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
                if is_optional && error.is_not_offered() {
                    self.wallet_change = None;
                    if let Request::BitcoinBalance { address } = &request
                        && is_of_rule
                    {
                        let reason = in_sentence(&error.kind.to_string());
                        say(&format!("bitcoin of {} not checked: {reason}", address::short(address)));
                    }
                    self.failures.insert(request, String::new());
                    return Ok(());
                }
                self.report_failure(&request, &error.to_string());
            }
            Event::Prices { provider, convert, ticks } => match &mut self.live {
                Some((source, currency, known)) if *source == live_source(&provider) && *currency == convert => {
                    known.extend(ticks);
                }
                live => *live = Some((live_source(&provider), convert, ticks)),
            },
            _ => {}
        }
        Ok(())
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

    /// Reports the time that could not be checked, and returns the change that saves it for the dashboard.
    fn report(&self, gaps: Vec<UncheckedPeriod>) -> Option<Change> {
        let gaps = UncheckedPeriod::add(&mut Vec::new(), &gaps);
        let zone = self.settings.display.time_zone.zone();
        for UncheckedPeriod { subject, from, until, reason, .. } in &gaps {
            let [from, until, now] = [*from, *until, UtcTime::now()].map(|time| zone.at(time));
            let range = TimeRange { from: Some(from), until, now };
            say(&format!("{range} {subject} not checked: {reason}"));
        }
        (!gaps.is_empty()).then_some(Change::AlertsUnchecked(gaps))
    }

    /// Evaluates all alerts with the newest values, and prints those that fire.
    fn check(&mut self) -> Result<(), Failure> {
        // By the system clock, since the machine may have slept.
        if !self.checks_any() {
            return Ok(());
        }
        // An alert may have been removed or turned off.
        if self.database.is_changed().unwrap_or(false) {
            match self.database.load() {
                Ok(data) => self.loaded(&data),
                Err(error) => self.report_once(&format!("can't read the alerts: {error}")),
            }
        }
        self.value_wallet();
        let mut tracked = std::mem::take(&mut self.tracked);
        let mut changes = Vec::new();
        {
            let values = self.values();
            check(&mut tracked, &values, &mut changes);
        }
        self.tracked = tracked;
        self.record(&changes)
    }

    /// The values of all responses, live prices of the alerts' coins, and the wallet's change if a rule needs it.
    fn values(&self) -> Values<'_> {
        let mut values = Values::as_of(UtcTime::now());
        for (request, (answer, receipt, source)) in &self.answers {
            let scope = if request.group() == Group::Market { DataScope::Market } else { DataScope::Indexer };
            if self.checks(DataKind { scope, simulated: receipt.simulated }) {
                values.add(request, answer, Origin { at: receipt.updated_at(), source });
            }
        }
        if let Some((source, convert, ticks)) =
            self.live.as_ref().filter(|_| self.checks(DataKind::real(DataScope::Market)))
        {
            for (id, tick) in ticks {
                values.add_live(id, tick.price, convert, Origin { at: tick.at, source });
            }
        }
        if let Some(Ok(change)) = &self.wallet_change
            && self.checks(DataKind { scope: DataScope::Wallet, simulated: is_simulated(&change.source) })
        {
            values.add_wallet(change);
        }
        values.sort();
        values
    }

    /// Demands the alerts' requests, and live prices of the coins whose prices are watched.
    fn send_demand(&mut self) {
        let mut demand = Demand::default();
        if self.checks_any() {
            let convert = &self.settings.display.convert;
            let series = missed::requests(&mut self.tracked, convert, UtcTime::now());
            demand
                .background
                .extend(series.into_iter().map(|request| BackgroundNeed { request, every: MAX_PRICE_AGE }));
            demand.has_rows.extend(demand.background.iter().map(|_| false));
            let alerts = || self.tracked.iter().map(|tracked| &tracked.alert).filter(|alert| self.is_checked(alert));
            let lacks_ids = |rule: &Rule| self.lacks_id(rule);
            let mut needed = needs(alerts(), convert, |_| false, lacks_ids).requests;
            if self.has_wallet_rule() {
                let has_failed = |request: &Request| self.failures.get(request).is_some_and(String::is_empty);
                needed.extend(self.wallet.requests(self.settings, |request| self.answer_to(request), has_failed));
            }
            for (request, every) in needed {
                let is_bitcoin = matches!(request, Request::BitcoinBalance { .. });
                let is_lacking = is_bitcoin && self.failures.get(&request).is_some_and(String::is_empty);
                if is_lacking || demand.background.iter().any(|need| need.request == request) {
                    continue;
                }
                privacy::announce(&request, self.settings);
                demand.has_rows.push(self.answers.get(&request).is_some_and(|(answer, ..)| !answer.is_empty()));
                demand.background.push(BackgroundNeed { request, every });
            }
            let is_price = |alert: &&Alert| alert.on && alert.rule.measure == Measure::Price(convert.clone());
            let mut ids: Vec<CoinId> = alerts().filter(is_price).filter_map(|alert| alert.rule.coin_id()).collect();
            ids.sort_unstable();
            ids.dedup();
            demand.live = (!ids.is_empty()).then(|| LiveCoins { ids, convert: convert.clone() });
        }
        self.handle.demand.send_if_modified(|sent| {
            let is_new = *sent != demand;
            if is_new {
                *sent = demand;
            }
            is_new
        });
    }

    /// Records that a failed request may have left out values of alerts.
    fn interrupt(&mut self, request: &Request) {
        let convert = &self.settings.display.convert;
        for tracked in &mut self.tracked {
            if tracked.alert.rule.target == Target::Wallet || can_answer(request, &tracked.alert.rule, convert) {
                tracked.interrupt();
            }
        }
    }

    /// Whether the service can't return a rule's coin by its id.
    fn lacks_id(&self, rule: &Rule) -> bool {
        let Some(id) = rule.coin_id() else { return true };
        let asks = |request: &Request| matches!(request, Request::CoinsById { ids, .. } if ids.contains(&id));
        let is_missing = |answer: &ResponseData| match answer {
            ResponseData::Coins(page) => page.items.iter().all(|coin| coin.id != id),
            _ => false,
        };
        self.answers.iter().any(|(request, (answer, ..))| asks(request) && is_missing(answer))
            || self.failures.iter().any(|(request, reason)| asks(request) && reason.is_empty())
    }

    /// Computes the change of the wallet's value, if a rule needs it and something it depends on has changed. Reports
    /// once why it is unknown.
    fn value_wallet(&mut self) {
        if !self.has_wallet_rule() {
            self.wallet_change = None;
        } else if self.wallet_change.is_none() {
            let has_failed = |request: &Request| self.failures.get(request).is_some_and(String::is_empty);
            let change = self.wallet.change(self.settings, |request| self.answer_to(request), has_failed);
            let requests = self.wallet.requests(self.settings, |request| self.answer_to(request), has_failed);
            let is_settled = requests
                .iter()
                .all(|(request, _)| self.answers.contains_key(request) || self.failures.contains_key(request));
            let problem = change.as_ref().err().filter(|_| is_settled).cloned().unwrap_or_default();
            if problem != self.wallet_problem && (is_settled || change.is_ok()) {
                if !problem.is_empty() {
                    say(&format!("wallet alerts are not checked: {problem}"));
                }
                self.wallet_problem = problem;
            }
            self.wallet_change = Some(change);
        }
    }

    fn has_wallet_rule(&self) -> bool {
        let is_mine = |alert: &Alert| alert.rule.target == Target::Wallet && alert.on && self.is_checked(alert);
        self.tracked.iter().any(|tracked| is_mine(&tracked.alert))
    }

    /// The last response to a request.
    fn answer_to(&self, request: &Request) -> Option<Received<'_>> {
        let (answer, receipt, _) = self.answers.get(request)?;
        Some(Received { answer, at: receipt.updated_at(), simulated: receipt.simulated, rows: receipt.rows })
    }
}
