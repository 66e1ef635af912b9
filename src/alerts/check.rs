//! Evaluates all alerts with the values of several answers.

use std::time::Duration;

use super::evaluate::{Evaluator, Reading, moves};
use super::missed::{MIN_GAP, Unchecked, gap_start};
use super::text;
use super::values::Values;
use crate::client::Request;
use crate::model::{Amount, Text, UtcTime};
use crate::user_data::alert::{Alert, AlertEvent, AlertState, Condition, Measure, SIMULATED, Target};
use crate::user_data::{AlertId, Change};

/// Live prices come from sources with this prefix.
pub(super) const LIVE: &str = "live ";

/// Series come from sources with this prefix.
const SERIES: &str = "series ";

/// Values from another source are ignored until the current one has been silent for this long, so that two lists with
/// the same coin don't alternate.
pub(super) const SOURCE_SWITCH_DELAY: Duration = Duration::from_mins(15);

/// The same for a source of live prices.
pub(super) const LIVE_SOURCE_SWITCH_DELAY: Duration = Duration::from_mins(2);

/// A check that lies further in the future was made with a wrong clock.
const MAX_AHEAD: Duration = Duration::from_mins(1);

/// The name of a response's source: that of its provider, or else the URL of a configured service. The dashboard and the
/// commands must agree on it, since they check the same alerts in turn.
pub fn response_source<'a>(provider: Option<&'a str>, url: Option<&'a str>, simulated: bool) -> &'a str {
    if simulated { SIMULATED } else { provider.or(url).unwrap_or("live") }
}

/// The name of an exchange as a source of live prices.
pub fn live_source(exchange: &str) -> String {
    format!("{LIVE}{exchange}")
}

/// The name of a provider as a source of series.
pub fn series_source(provider: &str) -> String {
    format!("{SERIES}{provider}")
}

/// A source and the balances that it returned last.
type SourceBalances = (Text, Vec<(Text, Amount)>);

/// An alert with its evaluator.
#[derive(Clone, Debug)]
pub struct Tracked {
    /// The alert.
    pub alert: Alert,
    evaluator: Evaluator,
    /// The last check before a time without checks, which the price history has to fill first.
    pub(super) gap: Option<UtcTime>,
    /// The request for that history.
    pub(super) series: Option<Request>,
    /// The last balances of the source before the present one. They are not saved.
    other_balances: Option<SourceBalances>,
    /// Whether the state has changed since it was saved.
    is_unsaved: bool,
}

impl Tracked {
    /// Tracks an alert.
    pub fn new(alert: Alert) -> Tracked {
        let evaluator = Evaluator::new(&alert);
        Tracked { evaluator, alert, gap: None, series: None, other_balances: None, is_unsaved: false }
    }

    /// Evaluates the value of this alert, and returns its firing. An alert that fires only once is turned off.
    pub fn check(&mut self, values: &Values<'_>) -> Option<AlertEvent> {
        let alert = &mut self.alert;
        let is_future = |at: UtcTime| values.now().is_some_and(|now| at > now.plus(MAX_AHEAD));
        if alert.state.checked_at.is_some_and(is_future) {
            // The clock was wrong at that time.
            alert.state.checked_at = None;
        }
        if !alert.on || self.gap.is_some() {
            return None;
        }
        if let (Target::Address(address), Condition::Happens) = (&alert.rule.target, &alert.rule.condition) {
            let balances = values.balances(address).filter(|balances| alert.state.belongs_to(balances.source))?;
            let receives = alert.rule.measure == Measure::Receives;
            let (list, at) = (&balances.list, balances.at);
            let before = alert.state.checked_at.filter(|before| at.since(*before) >= MIN_GAP);
            if alert.state.checked_at.is_none_or(|checked| at > checked) {
                take_source(&mut alert.state, &mut self.other_balances, balances.source);
            }
            let moves = moves(&mut alert.state, receives, list, balances.is_complete, at, balances.source);
            if moves.is_empty() {
                return None;
            }
            // The other source would announce the same again.
            self.other_balances = None;
            let event = fire(alert, at, text::moved(&alert.rule, &moves));
            return Some(AlertEvent { after: before, missed: before.is_some(), ..event });
        }
        let reading = values.reading(&alert.rule, &alert.state)?;
        if !accepts(&alert.state, &reading) {
            return None;
        }
        self.gap = gap_start(&self.alert, reading.at);
        if self.gap.is_some() {
            return None;
        }
        let before = self.alert.state.checked_at.filter(|before| reading.at.since(*before) >= MIN_GAP);
        let event = self.evaluate(&reading)?;
        Some(AlertEvent { after: before, missed: before.is_some(), ..event })
    }

    /// With the alert as it is stored, of which this process may have seen more: what it has seen, asked for and not saved
    /// yet stays.
    fn stored_as(mut self, stored: &Alert) -> Tracked {
        let Alert { once, on, bell, notify, .. } = *stored;
        self.alert = Alert { once, on, bell, notify, ..self.alert };
        self
    }

    /// Forgets the price history that this alert waits for. The next value asks for it again.
    pub fn forget_requests(&mut self) {
        (self.gap, self.series) = (None, None);
    }

    /// The request for the price history that this alert waits for.
    pub fn series(&self) -> Option<&Request> {
        self.series.as_ref()
    }

    /// Moves the last check back to just before `at`, when the first value of another source arrived.
    pub(super) fn rewind_to(&mut self, at: UtcTime) {
        let state = &mut self.alert.state;
        (state.last, state.outlier, state.baseline) = (None, None, None);
        state.checked_at = Some(at.minus(Duration::from_millis(1)));
    }

    /// Skips the time since the last check, and returns it as unchecked.
    pub(super) fn skip_gap(&mut self, reason: &str, now: UtcTime) -> Option<Unchecked> {
        let from = self.alert.state.checked_at.replace(now)?;
        let subject = text::subject(&self.alert.rule);
        Some(Unchecked { alert: self.alert.id, subject, from, until: now, reason: reason.to_owned() })
    }

    /// Evaluates a value, whatever source it has.
    pub(super) fn evaluate(&mut self, reading: &Reading<'_>) -> Option<AlertEvent> {
        let Tracked { alert, evaluator, .. } = self;
        if !alert.on {
            return None;
        }
        let fired = evaluator.evaluate(&mut alert.state, reading)?;
        let text = text::fired(&alert.rule, &fired);
        Some(fire(alert, reading.at, text))
    }
}

/// Whether a value is evaluated: it has the source of the last one, or that has no newer values.
fn accepts(state: &AlertState, reading: &Reading<'_>) -> bool {
    if !state.belongs_to(reading.source) {
        return false;
    }
    let (Some(own), Some(checked)) = (&state.source, state.checked_at) else { return true };
    if own == reading.source {
        return true;
    }
    let is_live = |source: &str| source.starts_with(LIVE);
    let patience = match (is_live(own), is_live(reading.source)) {
        (false, true) => Duration::ZERO,
        (true, _) => LIVE_SOURCE_SWITCH_DELAY,
        (false, false) if own.starts_with(SERIES) => Duration::ZERO,
        (false, false) => SOURCE_SWITCH_DELAY,
    };
    reading.at.since(checked) >= patience
}

/// Balances are compared with the last ones of the same source, since sources differ: takes those of `source`, and keeps
/// those of the source before, which may answer again.
fn take_source(state: &mut AlertState, other: &mut Option<SourceBalances>, source: &str) {
    if state.source.as_deref() == Some(source) {
        return;
    }
    let own = other.take().filter(|(known, _)| known == source);
    if let Some(balances) = state.balances.take() {
        *other = state.source.take().zip(Some(balances));
    }
    if let Some((source, balances)) = own {
        (state.source, state.balances) = (Some(source), Some(balances));
    }
}

/// The firing of an alert.
fn fire(alert: &mut Alert, at: UtcTime, text: String) -> AlertEvent {
    alert.on &= !alert.once;
    let mark = |words: String| if alert.state.is_simulated() { format!("DEMO {words}") } else { words };
    AlertEvent {
        alert: alert.id,
        number: alert.state.fired,
        at,
        after: None,
        title: mark(text::title(&alert.rule)).into(),
        text: mark(text).into(),
        missed: false,
        seen: false,
    }
}

/// What must be saved at once when it changes.
type Decisive = (Option<bool>, Option<i64>, u32, bool);

fn decisive(state: &AlertState) -> Decisive {
    (state.armed, state.steps, state.fired, state.baseline.is_some())
}

/// The alerts as they are stored, each with what this process has seen of it if that is newer.
pub fn merge(stored: &[Alert], known: &[Tracked]) -> Vec<Tracked> {
    let newer = |alert: &Alert| {
        let own = known.iter().find(|own| own.alert.id == alert.id && own.alert.rule == alert.rule)?;
        own.alert.state.follows(&alert.state).then(|| own.clone().stored_as(alert))
    };
    stored.iter().map(|alert| newer(alert).unwrap_or_else(|| Tracked::new(alert.clone()))).collect()
}

/// Evaluates all alerts and appends the changes to be saved at once: firings, and alerts that are armed or not anymore.
/// Allocates nothing for an alert that is not among them.
pub fn check(all: &mut [Tracked], values: &Values<'_>, changes: &mut Vec<Change>) {
    for tracked in all {
        let (before, checked_before) = (decisive(&tracked.alert.state), tracked.alert.state.checked_at);
        let event = tracked.check(values);
        let state = &tracked.alert.state;
        if let Some(event) = event {
            changes.push(Change::AlertFired(Box::new(event), Box::new(state.clone())));
        } else if decisive(state) != before {
            changes.push(Change::AlertsChecked(vec![(tracked.alert.id, state.clone())]));
        } else if state.checked_at != checked_before {
            tracked.is_unsaved = true;
        }
    }
}

/// The last values that are not saved yet, as one change.
pub fn unsaved(all: &mut [Tracked]) -> Option<Change> {
    let mut states: Vec<(AlertId, AlertState)> = Vec::new();
    for tracked in all.iter_mut().filter(|tracked| tracked.is_unsaved) {
        tracked.is_unsaved = false;
        states.push((tracked.alert.id, tracked.alert.state.clone()));
    }
    (!states.is_empty()).then_some(Change::AlertsChecked(states))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::parse::parse;
    use crate::alerts::values::Origin;
    use crate::client::Answer;
    use crate::model::{Balance, Brc20Token, ChainState, Coin, CoinId, Currency, Fees, Page};
    use crate::user_data::Watched;

    fn tracked(line: &str) -> Tracked {
        let coin = Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("1".into()) };
        Tracked::new(Alert::new(parse(line).unwrap().rule(Some(coin), &Currency::usd()).unwrap(), false))
    }

    fn coin(price: f64) -> Coin {
        let id = CoinId("1".into());
        Coin { slug: Some("ordi".into()), price: Some(price), ..Coin::new(id, "ORDI".into(), "ORDI".into()) }
    }

    #[test]
    fn two_sources_do_not_take_turns() {
        let mut alerts = vec![tracked("ordi > 10")];
        let mut fired = Vec::new();
        // The other source has another price all the time.
        for minute in 0..30 {
            for (source, price) in [("a", if minute < 20 { 9.0 } else { 10.5 }), ("b", 11.0)] {
                let coin = coin(price);
                let mut values = Values::default();
                let at = UtcTime::from_secs(minute * 60 + i64::from(source == "b"));
                values.add_coins(std::iter::once(&coin), Origin { at, source });
                values.sort();
                let mut changes = Vec::new();
                check(&mut alerts, &values, &mut changes);
                let is_fired = changes.iter().any(|change| matches!(change, Change::AlertFired(..)));
                fired.extend(is_fired.then_some((minute, source)));
            }
        }
        assert_eq!(fired, [(20, "a")]);
        assert!(unsaved(&mut alerts).is_some() && unsaved(&mut alerts).is_none());
    }

    const ADDRESS: &str = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";

    /// The firing of an alert by an answer at a time in seconds.
    fn answered(alerts: &mut [Tracked], request: &Request, answer: &Answer, secs: i64) -> Option<AlertEvent> {
        let mut values = Values::until(UtcTime::from_secs(secs));
        values.add(request, answer, Origin { at: UtcTime::from_secs(secs), source: "a" });
        values.sort();
        let mut changes = Vec::new();
        check(alerts, &values, &mut changes);
        changes.into_iter().find_map(|change| match change {
            Change::AlertFired(event, _) => Some(*event),
            _ => None,
        })
    }

    /// A source at seconds, its price, and whether that fires "ordi > 10".
    fn fires(alerts: &mut [Tracked], source: &str, secs: i64, price: f64) -> bool {
        let coin = coin(price);
        let mut values = Values::default();
        values.add_coins(std::iter::once(&coin), Origin { at: UtcTime::from_secs(secs), source });
        values.sort();
        let mut changes = Vec::new();
        check(alerts, &values, &mut changes);
        changes.iter().any(|change| matches!(change, Change::AlertFired(..)))
    }

    #[test]
    fn alert_that_fires_once_is_off_afterwards() {
        let mut alerts = vec![tracked("ordi > 10")];
        alerts[0].alert.once = true;
        let fired = [9.0, 10.5, 9.0, 10.5].into_iter().zip(0..).map(|(price, minute)| {
            let has_fired = fires(&mut alerts, "a", minute * 60, price);
            (has_fired, alerts[0].alert.on)
        });
        assert_eq!(fired.collect::<Vec<_>>(), [(false, true), (true, false), (false, false), (false, false)]);
    }

    #[test]
    fn live_prices_take_over_at_once_and_give_way_after_two_minutes() {
        let live = live_source("binance");
        let mut alerts = vec![tracked("ordi > 10")];
        assert!(!fires(&mut alerts, "a", 0, 9.0));
        assert!(!fires(&mut alerts, &live, 1, 9.1), "it takes over");
        assert!(!fires(&mut alerts, "a", 60, 12.0), "a list is ignored meanwhile");
        assert_eq!(alerts[0].alert.state.last, Some(crate::user_data::alert::Value::Number(9.1)));
        assert!(fires(&mut alerts, &live, 61, 10.1));
        assert!(!fires(&mut alerts, &live, 62, 9.0));
        // The stream has ended: the first price of the list fires nothing, the next ones do.
        assert!(!fires(&mut alerts, "a", 190, 9.0));
        assert_eq!(alerts[0].alert.state.source.as_deref(), Some("a"));
        assert!(fires(&mut alerts, "a", 250, 10.1));
    }

    #[test]
    fn check_in_the_future_is_a_wrong_clock_and_ends() {
        let mut alerts = vec![tracked("fees < 3")];
        let fees = |rate| Some(Fees { fastest: Some(rate), ..Fees::default() });
        let chain = |rate| Answer::ChainState(ChainState { height: 1, hash: None, fees: fees(rate) });
        assert_eq!(answered(&mut alerts, &Request::ChainState, &chain(5.0), 100_000), None);
        // The clock was set back by a day.
        assert_eq!(answered(&mut alerts, &Request::ChainState, &chain(5.0), 13_600), None);
        let event = answered(&mut alerts, &Request::ChainState, &chain(2.0), 13_660).unwrap();
        assert_eq!((event.text.as_str(), event.missed), ("Fee rate is 2 sat/vB (limit 3)", false));
    }

    #[test]
    fn holders_without_history_fire_between_two_times() {
        let mut alerts = vec![tracked("nova holders >= 50k")];
        let request = Request::Brc20Token { ticker: "nova".into() };
        let holders = |holders| {
            let token = Brc20Token { holders: Some(holders), ..Brc20Token::new("nova".into()) };
            Answer::Brc20Token(Box::new(token))
        };
        assert_eq!(answered(&mut alerts, &request, &holders(49_000), 0), None);
        let event = answered(&mut alerts, &request, &holders(50_100), 8 * 3_600).unwrap();
        assert_eq!((event.after, event.missed), (Some(UtcTime::from_secs(0)), true));
        assert_eq!(answered(&mut alerts, &request, &holders(49_000), 8 * 3_600 + 60), None);
        let event = answered(&mut alerts, &request, &holders(50_100), 8 * 3_600 + 120).unwrap();
        assert_eq!((event.after, event.missed), (None, false), "while it is checked");
    }

    #[test]
    fn tokens_received_and_sent_fire_and_say_between_which_times() {
        let mut receives = vec![tracked(&format!("{ADDRESS} receives"))];
        let mut sends = vec![tracked(&format!("{ADDRESS} sends"))];
        let request = Request::Brc20Balances { address: ADDRESS.into(), offset: 0, limit: 500 };
        let balance = |units: &str| {
            let overall = units.parse().ok();
            let item = Balance { ticker: Some("ORDI".into()), available: overall, transferable: None, overall };
            Answer::Balances(Page { items: vec![item], total: Some(1) })
        };
        let mut both = |units: &str, secs| {
            let text = |alerts: &mut [Tracked]| {
                let event = answered(alerts, &request, &balance(units), secs)?;
                Some((event.text.to_string(), event.after.map(UtcTime::secs), event.missed))
            };
            (text(&mut receives), text(&mut sends))
        };
        assert_eq!(both("7", 0), (None, None));
        let moved = |words: &str, after: Option<i64>| Some((format!("bc1qar0srrr… {words}"), after, after.is_some()));
        assert_eq!(both("9.5", 60), (moved("received 2.5 ordi", None), None));
        assert_eq!(both("9.5", 120), (None, None));
        assert_eq!(both("9", 180), (None, moved("sent 0.5 ordi", None)));
        // Hours without checks: it happened between these times.
        assert_eq!(both("10", 40_000), (moved("received 1 ordi", Some(180)), None));
        assert_eq!(both("0", 80_000), (None, moved("sent 10 ordi", Some(40_000))));
    }

    #[test]
    fn live_price_that_stops_arriving_gives_way_to_polled_ones() {
        let mut alerts = vec![tracked("ordi < 8")];
        let (id, usd, source) = (CoinId("1".into()), Currency::usd(), live_source("binance"));
        let mut fired = Vec::new();
        for minute in 0..10 {
            let coin = coin(if minute < 5 { 8.4 } else { 7.5 });
            let at = UtcTime::from_secs(minute * 60);
            let mut values = Values::until(at);
            values.add_coins(std::iter::once(&coin), Origin { at, source: "coingecko" });
            // The last tick is that of minute 1.
            let at = at.min(UtcTime::from_secs(60));
            values.add_live(&id, 8.4, &usd, Origin { at, source: &source });
            values.sort();
            let mut changes = Vec::new();
            check(&mut alerts, &values, &mut changes);
            fired.extend(changes.iter().any(|change| matches!(change, Change::AlertFired(..))).then_some(minute));
        }
        assert_eq!(fired, [5]);
    }

    #[test]
    fn transfer_first_seen_by_the_fallback_fires() {
        let rule = parse("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq receives").unwrap();
        let mut alerts = vec![Tracked::new(Alert::new(rule.rule(None, &Currency::usd()).unwrap(), false))];
        let Target::Address(address) = alerts[0].alert.rule.target.clone() else { panic!() };
        let request = Request::Brc20Balances { address, offset: 0, limit: 500 };
        let mut fired = Vec::new();
        let answers = [("a", 100), ("b", 150), ("a", 150), ("a", 150), ("b", 150), ("b", 170), ("a", 170), ("a", 180)];
        for (place, (source, amount)) in (0_i64..).zip(answers) {
            let overall = Some(Amount::from_atoms(amount));
            let item = Balance { ticker: Some("ordi".into()), overall, available: None, transferable: None };
            let answer = Answer::Balances(Page { items: vec![item], total: Some(1) });
            let mut values = Values::default();
            values.add(&request, &answer, Origin { at: UtcTime::from_secs(place * 300), source });
            values.sort();
            let mut changes = Vec::new();
            check(&mut alerts, &values, &mut changes);
            fired.extend(changes.iter().any(|change| matches!(change, Change::AlertFired(..))).then_some(place));
        }
        // What one source has announced is not announced again by the other.
        assert_eq!(fired, [2, 5, 7]);
    }

    #[test]
    fn loading_the_alerts_again_keeps_what_is_not_saved_and_what_is_waited_for() {
        let mut known = vec![tracked("ordi > 10")];
        let stored = known[0].alert.clone();
        let price = |known: &mut [Tracked], minute: i64| {
            let coin = coin(9.0);
            let mut values = Values::default();
            values.add_coins(std::iter::once(&coin), Origin { at: UtcTime::from_secs(minute * 60), source: "a" });
            values.sort();
            check(known, &values, &mut Vec::new());
        };
        price(&mut known, 0);
        price(&mut known, 1);
        let mut merged = merge(&[Alert { bell: false, ..stored.clone() }], &known);
        assert!(!merged[0].alert.bell);
        let Some(Change::AlertsChecked(states)) = unsaved(&mut merged) else { panic!("nothing to save") };
        assert_eq!(states[0].1.checked_at, Some(UtcTime::from_secs(60)));
        price(&mut merged, 60);
        let merged = merge(&[stored.clone()], &merged);
        assert_eq!(merged[0].gap, Some(UtcTime::from_secs(60)));
        let edited = Alert { state: merged[0].alert.state.restarted(false), ..stored };
        assert_eq!(merge(&[edited.clone()], &merged)[0].alert, edited);
    }

    #[test]
    fn alert_source_is_the_coins_provider_not_the_responses() {
        let mut alerts = vec![tracked("ordi > 10")];
        let mut fired = Vec::new();
        // Each response names another one of its providers.
        for minute in 0..4 {
            let provider = Some(crate::model::ProviderName::CoinGecko);
            let coin = Coin { provider, ..coin(if minute < 3 { 9.0 } else { 10.5 }) };
            let source = if minute % 2 == 0 { "coingecko" } else { "coinmarketcap" };
            let mut values = Values::default();
            values.add_coins(std::iter::once(&coin), Origin { at: UtcTime::from_secs(minute * 60), source });
            values.sort();
            let mut changes = Vec::new();
            check(&mut alerts, &values, &mut changes);
            fired.extend(changes.iter().any(|change| matches!(change, Change::AlertFired(..))).then_some(minute));
        }
        assert_eq!((fired, alerts[0].alert.state.source.as_deref()), (vec![3], Some("coingecko")));
    }
}
