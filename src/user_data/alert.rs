//! Alerts: the user's rules, the state of each, and when they fired.

pub mod data_kind;
mod measure;
pub mod rule;
mod source;

use std::fmt;
use std::time::Duration;

pub use data_kind::{DataKind, DataScope, PerKind};
pub use measure::{History, Measure, OutlierLimit, Owner, Unit};
pub use rule::{BITCOIN, Comparison, Condition, Rule, Target};
pub use source::{ValueProvider, ValueSource};

use crate::model::{Amount, Decimal, Text, UtcTime};

/// The ID of an alert, from 1, never reused. A new alert has a temporary ID below 0 until the store has assigned one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AlertId(pub i64);

impl fmt::Display for AlertId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An alert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alert {
    /// The ID of the alert.
    pub id: AlertId,
    /// When it fires.
    pub rule: Rule,
    /// Whether it is turned off after it has fired.
    pub once: bool,
    /// Whether it is checked.
    pub on: bool,
    /// Whether it rings the terminal's bell.
    pub bell: bool,
    /// Whether it sends a notification and runs the user's command.
    pub notify: bool,
    /// What it has seen so far.
    pub state: AlertState,
}

impl Alert {
    /// A new alert without a state.
    pub fn new(rule: Rule, once: bool) -> Alert {
        Alert { id: AlertId::default(), rule, once, on: true, bell: true, notify: true, state: AlertState::default() }
    }

    /// An alert of which only the ID is known, so that it can be removed.
    pub fn unreadable(id: AlertId) -> Alert {
        let rule =
            Rule { target: Target::Fees, measure: Measure::FeeRate, condition: Condition::Transfer, rearm: None };
        Alert { id, ..Alert::new(rule, false) }
    }

    /// The last value that the rule was compared with.
    pub fn last_value(&self) -> Option<Value> {
        self.state.last.filter(|_| self.rule.condition != Condition::Transfer)
    }

    /// When it fired, if it has not re-armed since, or fires only once and is off.
    pub fn firing(&self) -> Option<UtcTime> {
        let AlertState { armed, fired_at, .. } = self.state;
        fired_at.filter(|_| if self.on { armed == Some(false) } else { self.once })
    }

    /// Whether it is on or off as it was `before`, or off because it has fired since and fires only once.
    pub(super) fn has_same_on_state(&self, before: &Alert) -> bool {
        let has_fired = self.state.fired > before.state.fired;
        self.on == before.on || (before.on && self.once && has_fired)
    }

    /// The kind of data that it is checked with.
    pub fn data_kind(&self) -> DataKind {
        DataKind { scope: self.rule.target.data_scope(), simulated: self.state.is_simulated() }
    }
}

/// A value that a rule is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A price, a percentage, a count or a fee rate. Always finite.
    Number(f64),
    /// An exact BRC-20 amount.
    Amount(Amount),
}

// A number is always finite.
impl Eq for Value {}

impl Value {
    /// The nearest float, for distances and bars.
    pub fn to_f64(self) -> f64 {
        match self {
            Value::Number(number) => number,
            Value::Amount(amount) => amount.to_f64(),
        }
    }

    /// The exact amount, or the shortest decimal that reads as the float.
    pub fn to_decimal(self) -> Decimal {
        match self {
            Value::Number(number) => Decimal::from_f64(number).unwrap_or_default(),
            Value::Amount(amount) => amount.into(),
        }
    }
}

/// Which process checks the alerts on a kind of data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Checker {
    /// Nobody, as far as is known.
    #[default]
    Nobody,
    /// This process.
    ThisProcess,
    /// Another process.
    OtherProcess,
}

/// The state of an alert.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AlertState {
    /// Number of edits of the rule. The state of an earlier rule is ignored.
    pub revision: u32,
    /// Whether the next value beyond the limit fires it; `None` before the first value.
    pub armed: Option<bool>,
    /// A value on this side of it arms the alert again; `None` if the rule has such a value, or before the first value.
    pub rearm: Option<Decimal>,
    /// The last value; for rules about amounts that an address receives and sends, its bitcoin.
    pub last: Option<Value>,
    /// When the last value was current.
    pub checked_at: Option<UtcTime>,
    /// Where the last value came from.
    pub source: Option<ValueSource>,
    /// The first value from a new source, if it was beyond the limit: only values further beyond it fire the alert.
    pub baseline: Option<Value>,
    /// A value so far from the previous one that the next one has to confirm it.
    pub outlier: Option<Value>,
    /// The last multiple of the step that was crossed, in steps, for rules with `every`.
    pub steps: Option<i64>,
    /// The balances of the address, by ticker in lower case, for rules about received and sent tokens.
    pub balances: Option<Vec<(Text, Amount)>>,
    /// The source of the bitcoin balance of the address, for the same rules.
    pub bitcoin_source: Option<ValueSource>,
    /// When the bitcoin of the address was current.
    pub bitcoin_at: Option<UtcTime>,
    /// How often it has fired.
    pub fired: u32,
    /// When it fired last.
    pub fired_at: Option<UtcTime>,
}

/// A check further in the future was made with a wrong clock.
const MAX_AHEAD: Duration = Duration::from_mins(1);

fn is_ahead(checked: UtcTime, now: UtcTime) -> bool {
    checked > now.plus(MAX_AHEAD)
}

impl AlertState {
    /// The state of a new alert. `simulated` is whether it is evaluated with simulated data.
    #[must_use]
    pub fn unchecked(simulated: bool) -> AlertState {
        AlertState { source: simulated.then_some(ValueSource::SIMULATED), ..AlertState::default() }
    }

    /// The state of an alert that was edited or turned on: only its earlier firings are kept. An alert on simulated
    /// data becomes one on real data unless the current data is `simulated`, but never vice versa.
    #[must_use]
    pub fn restarted(&self, simulated: bool) -> AlertState {
        let AlertState { revision, fired, fired_at, .. } = *self;
        let state = AlertState::unchecked(simulated && self.is_simulated());
        AlertState { revision: revision.saturating_add(1), fired, fired_at, ..state }
    }

    /// The value that arms an alert with this rule again: from the rule, or else the one chosen by its first value.
    pub fn rearm_of<'a>(&'a self, rule: &'a Rule) -> Option<&'a Decimal> {
        self.rearm.as_ref().or(rule.rearm.as_ref())
    }

    /// Whether the alert is evaluated with simulated data. Otherwise it is evaluated with real data only.
    pub fn is_simulated(&self) -> bool {
        self.source.as_ref().is_some_and(ValueSource::is_simulated)
    }

    /// Whether the last value came from a source.
    pub fn has_source(&self, source: ValueSource<&str>) -> bool {
        self.source.as_ref().is_some_and(|own| own.borrowed() == source)
    }

    /// Whether values of a source may be evaluated: an alert on real data ignores simulated values, and vice versa.
    pub fn accepts_source(&self, source: ValueSource<&str>) -> bool {
        self.is_simulated() == source.is_simulated()
    }

    /// Whether it is at least as new as another state of the same alert. A check that is later than `now` doesn't count:
    /// it was made with a wrong clock.
    pub fn follows(&self, other: &AlertState, now: UtcTime) -> bool {
        let checked = |state: &AlertState| state.checked_at.filter(|at| !is_ahead(*at, now));
        (self.revision, self.fired, checked(self)) >= (other.revision, other.fired, checked(other))
    }

    /// Forgets checks that are later than `now`: they were made with a wrong clock.
    pub fn forget_future_checks(&mut self, now: UtcTime) {
        self.checked_at = self.checked_at.filter(|at| !is_ahead(*at, now));
        self.bitcoin_at = self.bitcoin_at.filter(|at| !is_ahead(*at, now));
    }
}

impl AlertEvent {
    /// Whether both are the same firing.
    pub fn is_same(&self, other: &AlertEvent) -> bool {
        (self.alert, self.number) == (other.alert, other.number)
    }
}

/// A period that an alert could not be checked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UncheckedPeriod {
    /// The alert.
    pub alert: AlertId,
    /// What the alert is about.
    pub subject: Text,
    /// The last time with data.
    pub from: UtcTime,
    /// The next time with data.
    pub until: UtcTime,
    /// Why, in a few words.
    pub reason: Text,
}

/// The firings and unchecked periods that the user has seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenAlerts {
    /// The firings, by alert and number.
    pub firings: Vec<(AlertId, u32)>,
    /// The unchecked periods.
    pub unchecked: Vec<UncheckedPeriod>,
}

impl SeenAlerts {
    /// Adds earlier seen items.
    pub fn add(&mut self, earlier: &SeenAlerts) {
        for firing in &earlier.firings {
            if !self.firings.contains(firing) {
                self.firings.push(*firing);
            }
        }
        for period in &earlier.unchecked {
            if !self.unchecked.contains(period) {
                self.unchecked.push(period.clone());
            }
        }
    }

    /// Whether a firing was seen.
    pub fn has(&self, event: &AlertEvent) -> bool {
        self.firings.contains(&(event.alert, event.number))
    }

    /// Removes the unchecked periods that were seen.
    pub fn retain_unseen(&self, periods: &mut Vec<UncheckedPeriod>) {
        periods.retain(|period| !self.unchecked.iter().any(|seen| seen.is_same(period)));
    }
}

/// Maximum unchecked periods that are kept.
pub const MAX_UNCHECKED: u32 = 20;

impl UncheckedPeriod {
    /// Whether both have the same text, although they may belong to different alerts on a coin.
    pub fn is_same(&self, other: &UncheckedPeriod) -> bool {
        let UncheckedPeriod { alert: _, subject, from, until, reason } = self;
        (subject, from, until, reason) == (&other.subject, &other.from, &other.until, &other.reason)
    }

    /// Adds unchecked periods to those that are known, oldest first. Returns those that are new.
    pub fn add(known: &mut Vec<UncheckedPeriod>, new: &[UncheckedPeriod]) -> Vec<UncheckedPeriod> {
        let mut added: Vec<UncheckedPeriod> = Vec::new();
        for period in new {
            if !known.iter().chain(&added).any(|known| known.is_same(period)) {
                added.push(period.clone());
            }
        }
        known.extend(added.iter().cloned());
        known.sort_by_key(|period| period.until);
        let excess = known.len().saturating_sub(MAX_UNCHECKED as usize);
        known.drain(..excess);
        added
    }
}

/// An alert that fired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlertEvent {
    /// The alert.
    pub alert: AlertId,
    /// Which of its firings this is, counted from 1. Alert and number identify the event.
    pub number: u32,
    /// When the value was beyond the limit; for a missed alert, the time of the point of the series.
    pub at: UtcTime,
    /// For rules without history: the last time at which the value was known not to be beyond the limit.
    pub after: Option<UtcTime>,
    /// A short title, such as `ORDI > 20`.
    pub title: Text,
    /// What happened, in one sentence.
    pub text: Text,
    /// Whether it was found later: the program was not running at the time, or could not check.
    pub missed: bool,
    /// Whether the user has seen it.
    pub seen: bool,
}
