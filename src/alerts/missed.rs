//! Catches up after a time without checks: evaluates price and 24-hour rules against the price history of that time, as
//! a watcher would have.

use std::time::Duration;

use super::check::{Firing, MIN_GAP, Tracked, firing_change};
use super::evaluate::Reading;
use crate::client::Request;
use crate::format::Span;
use crate::model::{Currency, MarketSeries, Text, UtcTime, chart, interval};
use crate::user_data::alert::{History, Target, Value, ValueSource};
use crate::user_data::{Alert, AlertEvent, Change, UncheckedPeriod, Watched};

/// The history before the gap that is needed to compute 24-hour changes.
const DAY: Duration = Duration::from_hours(24);

/// Maximum points of a series.
const MAX_POINTS: u64 = 1_000;

/// The intervals of series in seconds, finest first.
const INTERVALS: [(&str, u64); 4] = [("5m", 5 * 60), ("15m", 15 * 60), ("1h", 60 * 60), ("1d", 24 * 60 * 60)];

/// Maximum surplus points of a request.
const SPARE_POINTS: i64 = 20;

/// Steps without a point that count as a gap.
const GAP_STEPS: u32 = 3;

/// Gives each alert with a gap the request for its series, and returns the requests of all: one for each currency.
pub fn requests(all: &mut [Tracked], convert: &Currency, now: UtcTime) -> Vec<Request> {
    let mut groups: Vec<(Currency, UtcTime, Vec<Text>)> = Vec::new();
    for tracked in all.iter().filter(|tracked| tracked.series.is_none()) {
        let Some(since) = tracked.gap.map(|gap| gap.from) else { continue };
        let Target::Coin(coin) = &tracked.alert.rule.target else { continue };
        let currency = tracked.alert.rule.measure.currency().unwrap_or(convert);
        match groups.iter_mut().find(|(known, ..)| known == currency) {
            Some((_, oldest, symbols)) => {
                *oldest = (*oldest).min(since);
                if !symbols.contains(&coin.symbol) {
                    symbols.push(coin.symbol.clone());
                }
            }
            None => groups.push((currency.clone(), since, vec![coin.symbol.clone()])),
        }
    }
    for (currency, since, mut symbols) in groups {
        symbols.sort_unstable();
        let request = request(symbols, currency.clone(), since, now);
        let is_waiting = |tracked: &&mut Tracked| tracked.gap.is_some() && tracked.series.is_none();
        for tracked in all.iter_mut().filter(is_waiting) {
            if tracked.alert.rule.measure.currency().unwrap_or(convert) == &currency {
                tracked.series = Some(request.clone());
            }
        }
    }
    let mut requests: Vec<Request> = Vec::new();
    for request in all.iter().filter_map(|tracked| tracked.series.as_ref()) {
        if !requests.contains(request) {
            requests.push(request.clone());
        }
    }
    requests
}

/// The request for series that start a day before `since`, with the finest step whose points fit in one response. Requests
/// within [`SPARE_POINTS`] minutes differ, since one that was just answered would not be sent again for the next gap.
fn request(symbols: Vec<Text>, convert: Currency, since: UtcTime, now: UtcTime) -> Request {
    let span = (now.since(since) + DAY).as_secs();
    let [.., last] = INTERVALS;
    let spare = now.secs().div_euclid(60).rem_euclid(SPARE_POINTS).unsigned_abs();
    let points = |step: u64| span / step + 2 + spare;
    let (interval, step) = INTERVALS.into_iter().find(|(_, step)| points(*step) <= MAX_POINTS).unwrap_or(last);
    let count = u32::try_from(points(step)).unwrap_or(u32::MAX);
    Request::MarketData { symbols, convert, count, interval: Text::const_new(interval) }
}

/// Evaluates the alerts that wait for the response to `request`, and appends the changes to be saved, with fired alerts
/// in the order of their times. Returns the periods that could not be checked.
pub fn handle_response(
    all: &mut [Tracked],
    request: &Request,
    response: &[MarketSeries],
    source: ValueSource<&str>,
    now: UtcTime,
    changes: &mut Vec<Change>,
) -> Vec<UncheckedPeriod> {
    let step = match request {
        Request::MarketData { interval, .. } => interval::length(interval).unwrap_or(DAY),
        _ => DAY,
    };
    let mut unchecked = Vec::new();
    let (mut all_fired, mut checked) = (Vec::new(), Vec::new());
    for tracked in all.iter_mut().filter(|tracked| tracked.series.as_ref() == Some(request)) {
        match series_of(&tracked.alert, response) {
            _ if !tracked.alert.state.accepts_source(source) => {}
            Some(series) => {
                let before = tracked.alert.state.clone();
                let (fired, gaps) = evaluate_series(tracked, series, source, step, now);
                unchecked.extend(gaps.into_iter().map(|(from, until)| tracked.unchecked(from, until, "no data")));
                let last = tracked.alert.state.checked_at.max(before.checked_at);
                tracked.alert.state.checked_at = last;
                tracked.return_to_source(&before);
                if tracked.alert.on && last.zip(tracked.gap).is_some_and(|(last, gap)| gap.until.since(last) >= MIN_GAP)
                {
                    // The series ended long ago: waiting for its next point would leave current values unchecked.
                    unchecked.extend(tracked.skip_gap("no data"));
                }
                all_fired.extend(fired);
                checked.push(Change::AlertsChecked(vec![(tracked.alert.id, tracked.alert.state.clone())]));
            }
            None => unchecked.extend(tracked.skip_gap("no price history")),
        }
        tracked.end_gap();
    }
    all_fired.sort_by_key(|(event, _)| event.at);
    changes.extend(all_fired.into_iter().map(firing_change));
    // The final state of an alert comes after those in which it fired.
    changes.extend(checked);
    unchecked
}

/// Continues the alerts without the series whose request failed. Returns the periods that could not be checked.
pub fn handle_failure(all: &mut [Tracked], request: &Request, reason: &str) -> Vec<UncheckedPeriod> {
    let waiting = all.iter_mut().filter(|tracked| tracked.series.as_ref() == Some(request));
    let unchecked = waiting.filter_map(|tracked| {
        let unchecked = tracked.skip_gap(reason);
        tracked.end_gap();
        unchecked
    });
    unchecked.collect()
}

/// The series of a rule's coin, which has its slug or id.
fn series_of<'a>(alert: &Alert, all: &'a [MarketSeries]) -> Option<&'a MarketSeries> {
    let Target::Coin(coin) = &alert.rule.target else { return None };
    let currency = alert.rule.measure.currency();
    let is_current = |series: &&MarketSeries| currency.is_none_or(|currency| *currency == series.convert);
    all.iter().filter(is_current).find(|series| coin.has_same_id(&Watched::from_series(series)))
}

/// Evaluates the values of a series after the last check. If the series has another provider, its value at the last
/// check comes first, so that the difference of two providers fires nothing.
fn evaluate_series(
    tracked: &mut Tracked,
    series: &MarketSeries,
    source: ValueSource<&str>,
    step: Duration,
    now: UtcTime,
) -> (Vec<Firing>, Vec<(UtcTime, UtcTime)>) {
    let (mut fired, mut gaps) = (Vec::new(), Vec::new());
    let Some(checked) = tracked.alert.state.checked_at else { return (fired, gaps) };
    let Some(history) = tracked.alert.rule.measure.history() else { return (fired, gaps) };
    let value = |place: usize| {
        let point = series.points.get(place)?;
        let value = match history {
            History::Price => point.price,
            History::DayChange => chart::day_change(&series.points, place),
        };
        if point.time > now {
            return None;
        }
        Some((point.time, value.filter(|value| value.is_finite())?))
    };
    let values: Vec<(UtcTime, f64)> = (0..series.points.len()).filter_map(value).collect();
    let after = values.partition_point(|(at, _)| *at <= checked);
    let is_continued = tracked.alert.state.source.as_ref().is_some_and(|own| own.borrowed().has_provider_of(source));
    let first = if is_continued { after } else { after.saturating_sub(1) };
    let points = values.get(first..).unwrap_or_default();
    match points.first() {
        Some(_) if is_continued => tracked.continue_with(source),
        Some((at, _)) => tracked.rewind_to(*at),
        None => {}
    }
    let mut before = checked;
    for (at, value) in points {
        if at.since(before) > step * GAP_STEPS {
            gaps.push((before, *at));
        }
        before = before.max(*at);
        let new = tracked.evaluate(&Reading { value: Value::Number(*value), at: *at, source, updated_at: None });
        fired.extend(new.map(|(event, state)| (missed_event(event, step), state)));
    }
    (fired, gaps)
}

/// Marks an event as missed and adds the interval of the prices it was found in.
fn missed_event(event: AlertEvent, step: Duration) -> AlertEvent {
    let text = format!("{} · {} prices", event.text, Span(step));
    AlertEvent { missed: true, text: text.into(), ..event }
}

#[cfg(test)]
mod tests;
