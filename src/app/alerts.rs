//! The alerts of the dashboard, and the state of their checks.

pub(super) mod filter;
pub(super) mod line;
pub mod past;
pub(super) mod problems;
pub mod typed;
pub mod values;

use std::collections::{BTreeMap, HashMap};

use crate::alerts::needs::MISSING_RETRY;
use crate::alerts::values::Origin;
use crate::alerts::wallet::measures;
use crate::alerts::{Tracked, Values};
use crate::client::Request;
use crate::fetch::{BackgroundNeed, Tick};
use crate::model::{CoinId, Currency, Text, UtcTime};
use crate::user_data::alert::{Checker, DataKind, Measure, PerKind, Target, ValueSource};
use crate::user_data::assigned_ids::AssignedIds;
use crate::user_data::{AlertId, UncheckedPeriod};

use super::effect::Effect;
use crate::app::alerts::past::NewSince;

/// The alerts as the dashboard checks them.
#[derive(Debug, Default)]
pub struct Alerts {
    /// The alerts, in the order of their IDs.
    pub tracked: Vec<Tracked>,
    /// Which process checks the alerts on each kind of data. One does at a time; none until the store has reported it,
    /// or while all are off.
    pub checkers: PerKind<Checker>,
    /// The number of firings that the user has not seen.
    pub unseen: usize,
    /// The requests for values that no screen shows.
    pub needs: Vec<BackgroundNeed>,
    /// The coins that the service could not return by their ids, each with the time of the next attempt; `None` if there is
    /// none until the service's providers change.
    lacking: BTreeMap<CoinId, Option<UtcTime>>,
    /// The times that could not be checked, oldest first: those that the user has not seen, and those seen in this run.
    pub unchecked: Vec<UncheckedPeriod>,
    /// The items that were new when the dialog opened.
    pub(super) listed: NewSince,
    /// The alerts that can't be checked now, each with the reason in a few words.
    pub problems: BTreeMap<AlertId, String>,
    /// Whether [`Alerts::needs`] and [`Alerts::problems`] are outdated, although the screen's requests are the same.
    pub(super) plan_is_due: bool,
    /// The requests of the screen for which they were computed.
    pub(super) planned_for: Vec<Request>,
    /// The firings that are not announced yet, by the numbers of the changes that record them.
    pub(super) announcements: Vec<(u64, Announcement)>,
    /// When the user's command for alerts last failed, and why, in one sentence. `None` if it has succeeded since.
    pub command_failure: Option<(UtcTime, String)>,
    /// When the last values were saved.
    pub(super) saved_at: Option<UtcTime>,
}

/// How a firing is announced.
#[derive(Clone, Debug)]
pub(super) struct Announcement {
    pub(super) title: Text,
    pub(super) text: Text,
    /// Title and text while amounts are hidden.
    pub(super) private: (Text, Text),
    pub(super) bell: bool,
    pub(super) notify: bool,
}

impl Announcement {
    /// Requests the bell and the notification. Returns the text.
    pub(super) fn run(self, hides_amounts: bool, effects: &mut Vec<Effect>) -> String {
        let Announcement { title, text, private, bell, notify } = self;
        let (title, text) = if hides_amounts { private } else { (title, text) };
        if bell {
            effects.push(Effect::Bell);
        }
        if notify {
            effects.push(Effect::Notify { title: title.to_string(), text: text.to_string() });
        }
        text.to_string()
    }
}

impl Alerts {
    /// The text of an alert's firings while amounts are hidden, if it is about private amounts.
    pub fn text_without_amounts(&self, id: AlertId) -> Option<String> {
        self.tracked.iter().find(|tracked| tracked.alert.id == id)?.text_without_amounts()
    }

    /// The title of an alert's firings while amounts are hidden, if it is about private amounts.
    pub(super) fn title_without_amounts(&self, id: AlertId) -> Option<String> {
        let tracked = self.tracked.iter().find(|tracked| tracked.alert.id == id)?;
        tracked.alert.rule.is_about_amount().then(|| tracked.title_without_amounts())
    }

    /// Which process checks the alerts on a kind of data.
    pub fn checker(&self, kind: DataKind) -> Checker {
        *self.checkers.get(kind)
    }

    /// Whether this process checks the alerts on a kind of data.
    pub fn checks(&self, kind: DataKind) -> bool {
        self.checker(kind) == Checker::ThisProcess
    }

    /// Whether this process checks an alert that is on. Its data may still be missing.
    pub fn checks_any(&self) -> bool {
        let is_mine = |tracked: &Tracked| tracked.alert.on && self.checks(tracked.alert.data_kind());
        self.tracked.iter().any(is_mine)
    }

    /// Whether an alert is about the wallet's value.
    pub(super) fn any_about_wallet(&self) -> bool {
        self.tracked.iter().any(|tracked| tracked.alert.rule.target == Target::Wallet)
    }

    /// The different measures of active alerts about the wallet.
    pub(super) fn wallet_measures(&self) -> Vec<Measure> {
        measures(self.tracked.iter().map(|tracked| &tracked.alert).filter(|alert| alert.on).map(|alert| &alert.rule))
    }

    /// How many of the active alerts another process checks.
    pub fn checked_elsewhere(&self) -> usize {
        let on = self.tracked.iter().map(|tracked| &tracked.alert).filter(|alert| alert.on);
        on.filter(|alert| self.checker(alert.data_kind()) == Checker::OtherProcess).count()
    }

    /// Whether an alert waits for a series.
    pub(super) fn any_waits_for(&self, request: &Request) -> bool {
        waits_for(&self.tracked, request)
    }

    /// Whether the service could not return a coin by its id.
    pub(super) fn lacks(&self, id: &CoinId) -> bool {
        self.lacking.contains_key(id)
    }

    /// Records that the service could not return these coins. Those that it `may_return` are requested again later.
    pub(super) fn mark_missing(&mut self, ids: &[CoinId], may_return: bool, now: UtcTime) {
        let until = may_return.then(|| now.plus(MISSING_RETRY));
        self.lacking.extend(ids.iter().map(|id| (id.clone(), until)));
    }

    /// Records that the service has returned these coins.
    pub(super) fn mark_found(&mut self, ids: &[CoinId]) {
        self.lacking.retain(|id, _| !ids.contains(id));
    }

    /// Requests coins again that the service could not return some time ago.
    pub(super) fn retry_missing(&mut self, now: UtcTime) {
        let before = self.lacking.len();
        self.lacking.retain(|_, until| until.is_none_or(|until| !until.is_due(now, MISSING_RETRY)));
        self.plan_is_due |= self.lacking.len() < before;
    }

    /// Retries all coins that the service could not return.
    pub(super) fn retry_all_missing(&mut self) {
        self.plan_is_due |= !self.lacking.is_empty();
        self.lacking.clear();
    }

    /// Continues with the alerts after a switch of the data source: keeps their states and pending announcements, drops
    /// their requests.
    pub fn take_over(&mut self, old: Alerts) {
        let Alerts { tracked, checkers, announcements, saved_at, unchecked, command_failure, .. } = old;
        self.command_failure = command_failure;
        (self.checkers, self.announcements, self.saved_at, self.unchecked) =
            (checkers, announcements, saved_at, unchecked);
        self.tracked = tracked;
        self.tracked.iter_mut().for_each(Tracked::forget_requests);
        self.plan_is_due = true;
    }

    /// Replaces temporary IDs of alerts with those that the store has assigned.
    pub(super) fn assign_ids(&mut self, ids: &AssignedIds) {
        self.tracked.iter_mut().for_each(|tracked| tracked.alert.id = ids.alert(tracked.alert.id));
        ids.apply_to_periods(&mut self.unchecked);
    }

    /// Why an alert can't be checked now, in a few words.
    pub fn problem(&self, id: AlertId) -> Option<&str> {
        self.problems.get(&id).map(String::as_str)
    }
}

/// Whether any of these alerts waits for a series.
pub(super) fn waits_for(tracked: &[Tracked], request: &Request) -> bool {
    tracked.iter().any(|tracked| tracked.series() == Some(request))
}

/// Live prices as values.
pub(super) fn add_live<'a>(
    values: &mut Values<'a>,
    source: ValueSource<&'a str>,
    convert: &'a Currency,
    ticks: &'a HashMap<CoinId, Tick>,
) {
    for (id, tick) in ticks {
        values.add_live(id, tick.price, convert, Origin { at: tick.at, source });
    }
}
