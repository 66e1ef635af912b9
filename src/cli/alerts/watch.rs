//! `satscope alerts watch`: checks alerts and prints each one that fires.

mod alert_database;
mod closed_output;
mod demand;
mod end;
mod events;
mod final_check;
mod leases;
mod other_data;
mod record;
mod save_error;

use std::collections::HashMap;
use std::future::pending;
use std::io::IsTerminal as _;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until};

use super::super::args::Format;
use super::super::failure::{Failure, say};
use super::super::output;
use super::super::privacy::PrivacyNotices;
use super::super::query;
use super::super::runtime::block_on;
use super::super::serve::interrupted;
use super::announce::Announcer;
use super::received::Received;
use super::source::Service;
use super::wallet::Wallet;
use crate::alerts::check::{check, merge};
use crate::alerts::kinds::kind_of_response;
use crate::alerts::needs::MAX_PRICE_AGE;
use crate::alerts::values::Origin;
use crate::alerts::wallet::WalletValues;
use crate::alerts::{Tracked, Values};
use crate::client::{Group, Request, ResponseData};
use crate::clock::Clock;
use crate::config::Settings;
use crate::fetch::{self, Event, Handle, Receipt, Tick};
use crate::format::words::counted;
use crate::model::{CoinId, Currency, Text, UtcTime};
use crate::runtime::ClockMonitor;
use crate::store::{LEASE_RETRY, LeaseOwner};
use crate::user_data::alert::{DataKind, DataScope, PerKind, ValueSource};
use crate::user_data::{AlertId, Change, UserData};
use alert_database::AlertDatabase;
use end::{End, MIN_AGE};
use save_error::SaveError;

/// Interval of renewing the leases: one process checks the alerts at a time.
const RENEWAL_INTERVAL: Duration = Duration::from_mins(1);

/// Interval of checking whether standard output is writable again while a firing waits for it.
const OUTPUT_RETRY: Duration = Duration::from_millis(100);

/// Maximum waiting events of the fetch task.
const QUEUE: usize = 64;

/// Checks the alerts until SIGINT or SIGTERM, or for a time.
pub(super) fn run(time: Option<Duration>, settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    let (database, notices) = AlertDatabase::open(settings.dirs.state.as_deref())?;
    notices.iter().for_each(|notice| say(notice));
    // Those about other data follow with the first response.
    let note = query::simulated_note(false, Group::Market, settings);
    note.iter().for_each(|note| say(note));
    // The fetch task decides when to retry.
    let service = Service::start(settings, false)?;
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
        let owner = LeaseOwner::new("watch");
        let mut watch = Watch {
            settings,
            announcer: Announcer::start(output::format(format), settings)?,
            database,
            owner,
            leases_until: PerKind::default(),
            elsewhere: PerKind::default(),
            unsaved: Vec::new(),
            damages: Vec::new(),
            last_notice: String::new(),
            simulated_notes: note.into_iter().collect(),
            has_announced_start: false,
            began: None,
            has_output_failed: false,
            fired: 0,
            time: end.and(time),
            end: End::at(end),
            handle,
            tracked: Vec::new(),
            wallet: Wallet::default(),
            wallet_values: None,
            wallet_notice: String::new(),
            announced: Vec::new(),
            responses: HashMap::new(),
            live: None,
            failures: HashMap::new(),
            not_refreshed: Vec::new(),
            lacking: HashMap::new(),
            privacy_notices: PrivacyNotices::default(),
        };
        let ended = tokio::select! {
            biased;
            () = prices => Ok(()),
            () = requests => Ok(()),
            () = stop => Ok(()),
            ended = watch.run(events) => ended,
            () = closed_output::wait() => Ok(()),
        };
        let unchecked = watch.unchecked();
        let summary = watch.finish().await;
        if let Some(summary) = summary.filter(|_| ended.is_ok() && std::io::stderr().is_terminal()) {
            say(&summary);
        }
        // Signals may end it at any time.
        match unchecked.filter(|_| end.is_some_and(|end| Instant::now() >= end)) {
            Some(sentence) => ended.and(Err(Failure::Operation(sentence))),
            None => ended,
        }
    })?
}

struct Watch<'a> {
    settings: &'a Settings,
    announcer: Announcer,
    database: AlertDatabase,
    owner: LeaseOwner,
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
    /// What was said about simulated data.
    simulated_notes: Vec<String>,
    /// Whether the start was announced.
    has_announced_start: bool,
    /// When this process started checking alerts; `None` if another one always did.
    began: Option<Instant>,
    /// Whether a firing could not be printed. Then nothing more is printed.
    has_output_failed: bool,
    /// How many firings were announced.
    fired: usize,
    /// How long it runs; `None` if it doesn't end by itself.
    time: Option<Duration>,
    end: End,
    handle: Handle,
    tracked: Vec<Tracked>,
    /// The lots and addresses, for rules about the wallet.
    wallet: Wallet,
    /// Its value and the change; `None` if they have to be computed again, or if no rule needs them.
    wallet_values: Option<WalletValues>,
    /// What was last said about it: why it is unknown, or what it leaves out.
    wallet_notice: String,
    /// The firings among them that were announced.
    announced: Vec<(AlertId, u32)>,
    responses: HashMap<Request, (Arc<ResponseData>, Receipt, ValueSource)>,
    /// Live prices: the exchange, the currency and the prices.
    live: Option<(Text, Currency, HashMap<CoinId, Tick>)>,
    failures: HashMap<Request, String>,
    /// Requests whose last response has old data; they interrupt their alerts after the next check.
    not_refreshed: Vec<Request>,
    /// The requests that the service doesn't offer, each with the time of the next attempt; without one if there is
    /// none.
    lacking: HashMap<Request, Option<UtcTime>>,
    privacy_notices: PrivacyNotices,
}

impl Watch<'_> {
    /// Runs until its end, or an error that it can't recover from.
    async fn run(&mut self, mut events: mpsc::Receiver<Event>) -> Result<(), Failure> {
        let (mut has_new_kinds, mut clock) = (false, ClockMonitor::new(Clock::System));
        loop {
            // Another process takes over while this one can't print.
            let renewed = if self.is_blocked() { Ok(()) } else { self.renew() };
            match renewed {
                Ok(()) => {
                    if has_new_kinds {
                        self.check()?;
                    }
                }
                Err(SaveError::Output(failure)) => return Err(failure),
                Err(SaveError::Database(error)) => {
                    if error.is_corruption() {
                        self.keep_leases();
                    }
                    self.report_unsaved(&error);
                }
            }
            let is_elsewhere = DataKind::ALL.into_iter().any(|kind| *self.elsewhere.get(kind));
            let is_waiting = is_elsewhere || self.database.directory().is_none();
            let renewal = Instant::now() + if is_waiting { LEASE_RETRY } else { RENEWAL_INTERVAL };
            let kinds = self.kinds();
            loop {
                tokio::select! {
                    event = events.recv() => {
                        let stopped = "the fetch task stopped unexpectedly; restart satscope alerts watch";
                        let event = event.ok_or_else(|| Failure::Operation(String::from(stopped)))?;
                        if clock.has_jumped() {
                            // The machine was suspended: the price history has what happened in between.
                            self.tracked.iter_mut().for_each(Tracked::interrupt);
                        }
                        let mut done = self.handle(event);
                        while let (Ok(()), Ok(event)) = (&done, events.try_recv()) {
                            done = self.handle(event);
                        }
                        done.and_then(|()| self.check())?;
                        if self.end.is_over() {
                            return Ok(());
                        }
                        self.send_demand();
                        // The first response of a service shows whether its data is simulated.
                        has_new_kinds = self.kinds() != kinds;
                        if has_new_kinds {
                            break;
                        }
                    }
                    () = sleep(OUTPUT_RETRY), if self.has_new_firing() => self.announce_waiting()?,
                    () = self.end.wait() => if self.reach_end() {
                        return Ok(());
                    },
                    () = sleep_until(renewal) => break,
                }
            }
            if clock.has_jumped() {
                self.tracked.iter_mut().for_each(Tracked::interrupt);
            }
        }
    }

    /// Takes or renews the lease, saves the checked times and loads changes by other processes.
    fn renew(&mut self) -> Result<(), SaveError> {
        self.reopen_database();
        // The kinds of data with which this process can check alerts depend on the wallet.
        self.load_changed(false)?;
        if self.take_leases()? {
            self.load_changed(true)?;
        }
        self.announce_start();
        self.value_wallet();
        self.save_checked()?;
        let on = self.tracked.iter().filter(|tracked| tracked.alert.on).count();
        let other = self.on_other_data();
        let is_elsewhere = |tracked: &Tracked| tracked.alert.on && *self.elsewhere.get(tracked.alert.data_kind());
        if self.tracked.iter().any(is_elsewhere) {
            self.report_once("another satscope process is checking alerts; taking over when it exits");
        } else if !other.is_empty() {
            self.report_once(&other);
        } else if self.tracked.is_empty() {
            self.report_once("no alerts yet (add one: satscope alerts add 'ordi > 10')");
        } else if on == 0 {
            self.report_once("all alerts are off (turn one on: satscope alerts on ID)");
        } else {
            self.last_notice.clear();
        }
        self.send_demand();
        Ok(())
    }

    /// Says once on a terminal what is watched, before anything else: nothing more may be printed for hours.
    fn announce_start(&mut self) {
        let kinds = self.kinds();
        let is_watched = |tracked: &&Tracked| tracked.alert.on && *kinds.get(tracked.alert.data_kind());
        let alerts = self.tracked.iter().filter(is_watched).count();
        if alerts > 0 && !std::mem::replace(&mut self.has_announced_start, true) && std::io::stderr().is_terminal() {
            let stops = match self.time {
                None => " · press Ctrl-C to stop",
                // Live prices arrive more often.
                Some(time) if time < MAX_PRICE_AGE && !self.settings.is_live(Group::Market) => {
                    if time < MIN_AGE {
                        " once (values are requested every minute)"
                    } else {
                        " at the start and the end (values are requested every minute)"
                    }
                }
                Some(_) => "",
            };
            say(&format!("watching {}{stops}", counted(alerts, "alert")));
        }
    }

    /// Says once that the alerts can't be read or saved.
    fn report_unsaved(&mut self, error: &crate::store::Error) {
        self.report_once(&format!("can't read or save the alerts: {error} · retrying in 60 s"));
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
        data.unreadable.iter().for_each(|about| self.say_damage(&about.sentence));
        self.wallet = Wallet::of(data, &data.alerts);
        self.wallet_values = None;
        self.tracked = merge(&data.alerts, &self.tracked, &data.addresses, UtcTime::now());
    }

    /// Evaluates all alerts with the newest values, and prints those that fire.
    fn check(&mut self) -> Result<(), Failure> {
        // By the system clock, since the machine may have slept.
        if !self.checks_any() {
            self.not_refreshed.clear();
            return Ok(());
        }
        // An alert may have been removed or turned off.
        let is_changed = self.database.is_changed();
        let loaded = is_changed.and_then(|is_changed| if is_changed { self.load_changed(true) } else { Ok(()) });
        if let Err(error) = loaded {
            self.report_unsaved(&error);
        }
        self.value_wallet();
        let mut tracked = std::mem::take(&mut self.tracked);
        let mut changes = Vec::new();
        {
            let values = self.values();
            check(&mut tracked, &values, &mut changes);
        }
        self.tracked = tracked;
        // Old data may still be newer than the last checked data.
        for request in std::mem::take(&mut self.not_refreshed) {
            self.interrupt(&request);
        }
        self.record(&changes)
    }

    /// The values of all responses, live prices of the alerts' coins, and the wallet's if a rule needs them.
    fn values(&self) -> Values<'_> {
        let mut values = Values::as_of(UtcTime::now());
        for (request, (response, receipt, source)) in &self.responses {
            if self.checks(kind_of_response(request, receipt.simulated)) {
                values.add(request, response, Origin { at: receipt.updated_at(), source: source.borrowed() });
            }
        }
        if let Some((exchange, convert, ticks)) =
            self.live.as_ref().filter(|_| self.checks(DataKind::real(DataScope::Market)))
        {
            for (id, tick) in ticks {
                let source = ValueSource::Live(exchange.as_str());
                values.add_live(id, tick.price, convert, Origin { at: tick.at, source });
            }
        }
        if let Some(wallet) = &self.wallet_values
            && self.checks(DataKind { scope: DataScope::Wallet, simulated: wallet.is_simulated })
        {
            values.add_wallet(wallet);
        }
        values.sort();
        values
    }

    /// The last response to a request.
    fn response_to(&self, request: &Request) -> Option<Received<'_>> {
        let (response, receipt, _) = self.responses.get(request)?;
        Some(Received { response, at: receipt.updated_at(), simulated: receipt.simulated, rows: receipt.rows })
    }
}
