use proptest::prelude::*;

use super::*;
use crate::alerts::tests::{self, tracked};
use crate::alerts::values::{Origin, Values};
use crate::model::{Coin, CoinId, Point};

const START: i64 = 1_790_000_000;

/// Prices every five minutes.
fn series(prices: &[Option<f64>]) -> MarketSeries {
    let points = (0..).zip(prices).filter(|(_, price)| price.is_some());
    let points = points.map(|(place, price)| {
        let time = UtcTime::from_secs(START + place * 300);
        Point { time, price: *price, volume: None, market_cap: None }
    });
    tests::series(points.collect())
}

/// The messages of what fires when the alert is evaluated by the series after it has seen the points up to `seen`.
fn missed(line: &str, seen: usize, prices: &[Option<f64>], source: &str) -> (Vec<String>, Vec<UncheckedPeriod>) {
    let mut all = vec![tracked(line)];
    let own = "series a";
    let first = series(prices.get(..seen).unwrap());
    if let Some(last) = first.points.last() {
        let mut values = crate::alerts::Values::default();
        let first = [first.clone()];
        values.add_series(&first[0], ValueSource::parse(source));
        values.sort();
        let _ = all[0].check(&values);
        assert_eq!(all[0].alert.state.checked_at, Some(last.time));
    }
    let now = UtcTime::from_secs(START + 300 * prices.len() as i64);
    all[0].gap = all[0].gap_before(now);
    let requests = requests(&mut all, &Currency::usd(), now);
    let [request] = requests.as_slice() else { return (Vec::new(), Vec::new()) };
    let mut changes = Vec::new();
    let unchecked = handle_response(&mut all, request, &[series(prices)], ValueSource::parse(own), now, &mut changes);
    let text = |change: &Change| match change {
        Change::AlertFired(event, _) if event.missed => {
            let text = event.text.strip_suffix(" · 5 m prices").expect("the step");
            Some(format!("{} {text}", event.at.secs() - START))
        }
        _ => None,
    };
    (changes.iter().filter_map(text).collect(), unchecked)
}

fn some(prices: &[f64]) -> Vec<Option<f64>> {
    prices.iter().copied().map(Some).collect()
}

#[test]
fn crossing_is_found_with_its_time_and_value() {
    let prices = some(&[9.0, 9.1, 9.2, 10.4, 9.0, 9.1, 9.2]);
    let (fired, unchecked) = missed("ordi > 10", 1, &prices, "list");
    assert_eq!(fired, ["900 ORDI is 10.40 USD (limit > 10)"]);
    assert_eq!(unchecked, []);
}

#[test]
fn missed_alerts_of_several_rules_are_in_the_order_of_their_times() {
    let mut all = vec![tracked("ordi > 12"), tracked("ordi > 10")];
    let now = UtcTime::from_secs(START + 3_600);
    for one in &mut all {
        let (value, at) = (Value::Number(9.0), UtcTime::from_secs(START));
        assert!(one.evaluate(&Reading { value, at, source: ValueSource::parse("list"), updated_at: None }).is_none());
        one.gap = one.gap_before(now);
    }
    let requests = requests(&mut all, &Currency::usd(), now);
    let prices = some(&[9.0, 9.0, 10.5, 11.0, 9.0, 12.5, 9.0, 10.5, 9.0, 9.0, 9.0, 9.0]);
    let mut changes = Vec::new();
    handle_response(&mut all, &requests[0], &[series(&prices)], ValueSource::parse("series a"), now, &mut changes);
    let time = |change: &Change| match change {
        Change::AlertFired(event, _) => Some(event.at.secs() - START),
        _ => None,
    };
    let times: Vec<i64> = changes.iter().filter_map(time).collect();
    assert!(times.len() >= 3 && times.is_sorted(), "{times:?}");
    let checked = changes.iter().rev().take_while(|change| matches!(change, Change::AlertsChecked(_)));
    assert_eq!(checked.count(), 2);
}

#[test]
fn period_without_data_is_reported_and_fires_nothing() {
    let mut prices = some(&[9.0; 12]);
    (2..8).for_each(|place| prices[place] = None);
    let (fired, unchecked) = missed("ordi > 10", 1, &prices, "list");
    let at = |place: i64| UtcTime::from_secs(START + place * 300);
    assert!(fired.is_empty());
    let [UncheckedPeriod { from, until, reason, .. }] = unchecked.as_slice() else { panic!("{unchecked:?}") };
    assert_eq!((*from, *until, reason.as_str()), (at(1), at(8), "no data"));
}

#[test]
fn series_with_other_prices_than_the_list_fires_nothing() {
    let mut all = vec![tracked("ordi > 10")];
    let now = UtcTime::from_secs(START + 3_600);
    let reading = |secs, value| Reading {
        value: Value::Number(value),
        at: UtcTime::from_secs(secs),
        source: ValueSource::parse("list"),
        updated_at: None,
    };
    assert!(all[0].evaluate(&reading(START + 10, 9.9)).is_none());
    all[0].gap = all[0].gap_before(now);
    let requests = requests(&mut all, &Currency::usd(), now);
    let mut changes = Vec::new();
    let series = [series(&some(&[10.1; 12]))];
    handle_response(&mut all, &requests[0], &series, ValueSource::parse("series b"), now, &mut changes);
    assert!(!changes.iter().any(|change| matches!(change, Change::AlertFired(..))), "{changes:?}");
}

/// The messages of what fires when the alert is evaluated by the series after its last check at a time in seconds.
fn missed_after(line: &str, checks: &[(i64, f64)], source: &str, prices: &[f64]) -> Vec<String> {
    let mut all = vec![tracked(line)];
    for (secs, price) in checks {
        let (value, at) = (Value::Number(*price), UtcTime::from_secs(START + secs));
        assert!(
            all[0].evaluate(&Reading { value, at, source: ValueSource::parse(source), updated_at: None }).is_none()
        );
    }
    assert_eq!(all[0].alert.state.armed, Some(true));
    let now = UtcTime::from_secs(START + 300 * prices.len() as i64);
    all[0].gap = all[0].gap_before(now);
    let requests = requests(&mut all, &Currency::usd(), now);
    let mut changes = Vec::new();
    let source = "series a";
    handle_response(&mut all, &requests[0], &[series(&some(prices))], ValueSource::parse(source), now, &mut changes);
    let text = |change: &Change| match change {
        Change::AlertFired(event, _) => Some(format!("{} {}", event.at.secs() - START, event.text)),
        _ => None,
    };
    changes.iter().filter_map(text).collect()
}

#[test]
fn armed_alert_fires_at_the_first_price_beyond_its_limit_after_the_last_check() {
    // The last price before the check at 80 s is beyond the limit, too.
    let prices = [13.595, 13.607, 13.61, 13.6, 13.59];
    for source in ["a", "live a", "series a"] {
        let fired = missed_after("ordi < 13.65", &[(80, 13.66)], source, &prices);
        assert_eq!(fired, ["300 ORDI is 13.61 USD (limit < 13.65) · 5 m prices"], "{source}");
    }
    // Prices of another provider may differ all the time.
    assert_eq!(missed_after("ordi < 13.65", &[(80, 13.66)], "b", &prices), Vec::<String>::new());
    // A price from before the check was already seen.
    assert_eq!(missed_after("ordi < 13.65", &[(310, 13.66)], "a", &[13.7, 13.6, 13.66, 13.67]), Vec::<String>::new());
}

#[test]
fn failed_series_leaves_the_time_unchecked() {
    let mut all = vec![tracked("ordi > 10")];
    let now = UtcTime::from_secs(START + 3_600);
    let at = UtcTime::from_secs(START);
    assert!(
        all[0]
            .evaluate(&Reading { value: Value::Number(9.0), at, source: ValueSource::parse("list"), updated_at: None })
            .is_none()
    );
    all[0].gap = all[0].gap_before(now);
    let requests = requests(&mut all, &Currency::usd(), now);
    let unchecked = handle_failure(&mut all, &requests[0], "server error (500)");
    assert_eq!((unchecked[0].from, unchecked[0].until), (at, now));
    assert!(all[0].gap.is_none() && all[0].alert.state.checked_at.is_some_and(|at| at < now), "the value now counts");
}

#[test]
fn ended_series_does_not_block_checks_of_current_values() {
    let mut all = vec![tracked("ordi > 10")];
    let minute = |minute: i64| UtcTime::from_secs(START + minute * 60);
    let list =
        |at, value| Reading { value: Value::Number(value), at, source: ValueSource::parse("list"), updated_at: None };
    assert!(all[0].evaluate(&list(minute(5), 9.0)).is_none());
    let check = |all: &mut [Tracked], at, price| {
        let coin = Coin {
            slug: Some("ordi".into()),
            price: Some(price),
            ..Coin::new(CoinId("1".into()), "ORDI".into(), "ORDI".into())
        };
        let mut values = Values::as_of(at);
        values.add_coins(std::iter::once(&coin), Origin { at, source: ValueSource::parse("list") });
        values.sort();
        all[0].check(&values)
    };
    assert!(check(&mut all, minute(60), 9.0).is_empty());
    let requests = requests(&mut all, &Currency::usd(), minute(60));
    let mut changes = Vec::new();
    let unchecked = handle_response(
        &mut all,
        &requests[0],
        &[series(&some(&[9.0, 9.0]))],
        ValueSource::parse("series a"),
        minute(60),
        &mut changes,
    );
    assert_eq!((unchecked[0].from, unchecked[0].until), (minute(5), minute(60)));
    assert!(matches!(&changes[..], [Change::AlertsChecked(_)]), "{changes:?}");
    assert!(check(&mut all, minute(60), 9.0).is_empty());
    assert_eq!(all[0].alert.state.checked_at, Some(minute(60)));
    assert_eq!(check(&mut all, minute(62), 10.5).len(), 1);
}

/// Whether the current list price fires "ordi > 10" after three hours with a series at a constant price. `seen` are
/// the earlier prices of the list.
fn fires_after_catching_up(seen: &[f64], history: f64, current: f64) -> bool {
    let mut all = vec![tracked("ordi > 10")];
    let minute = |minute: i64| UtcTime::from_secs(START + minute * 60);
    for (place, price) in (0..).zip(seen) {
        let _ = all[0].evaluate(&Reading {
            value: Value::Number(*price),
            at: minute(place),
            source: ValueSource::parse("list"),
            updated_at: None,
        });
    }
    let now = minute(180);
    let coin = Coin {
        slug: Some("ordi".into()),
        price: Some(current),
        ..Coin::new(CoinId("1".into()), "ORDI".into(), "ORDI".into())
    };
    let mut values = Values::as_of(now);
    values.add_coins(std::iter::once(&coin), Origin { at: now, source: ValueSource::parse("list") });
    values.sort();
    assert!(all[0].check(&values).is_empty(), "it waits for the series");
    let requests = requests(&mut all, &Currency::usd(), now);
    let mut changes = Vec::new();
    let unchecked = handle_response(
        &mut all,
        &requests[0],
        &[series(&some(&[history; 36]))],
        ValueSource::parse("series b"),
        now,
        &mut changes,
    );
    assert!(unchecked.is_empty() && !changes.iter().any(|change| matches!(change, Change::AlertFired(..))));
    let has_fired = !all[0].check(&values).is_empty();
    assert_eq!(all[0].alert.state.last, Some(Value::Number(current)));
    has_fired
}

#[test]
fn current_value_is_compared_with_the_last_one_of_its_source() {
    assert!(fires_after_catching_up(&[8.6], 8.5, 12.5));
    assert!(!fires_after_catching_up(&[8.6], 8.5, 8.7));
    assert!(!fires_after_catching_up(&[9.9, 10.1], 9.4, 10.2), "it has fired, and never fell in the list");
}

#[test]
fn step_of_the_series_fits_the_span() {
    let steps = |hours: u64| {
        let now = UtcTime::from_secs(START);
        match request(Vec::new(), Currency::usd(), now.minus(Duration::from_hours(hours)), now) {
            Request::MarketData { interval, count, .. } => (interval.to_string(), count),
            other => panic!("{other:?}"),
        }
    };
    // 13 minutes past a multiple of 20.
    assert_eq!(steps(1), (String::from("5m"), 302 + 13));
    assert_eq!(steps(24 * 7), (String::from("15m"), 770 + 13));
    assert_eq!(steps(24 * 30), (String::from("1h"), 746 + 13));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn missed_changes_are_those_of_a_watcher_of_the_same_series(
        // More than a day of five minutes each.
        prices in prop::collection::vec(prop::option::weighted(0.9, 9.0..11.0_f64), 320..360), seen in 295_usize..310,
        up: bool,
    ) {
        let line = if up { "ordi 24h > 5%" } else { "ordi 24h < -5%" };
        let source = "series a";
        let whole = series(&prices);
        let change_at = |place: usize| {
            let at = UtcTime::from_secs(START + place as i64 * 300);
            let index = whole.points.iter().position(|point| point.time == at)?;
            chart::day_change(&whole.points, index)
        };
        prop_assume!(change_at(seen - 1).is_some());
        let mut watcher = tracked(line);
        let mut expected = Vec::new();
        for place in seen - 1..prices.len() {
            let Some(change) = change_at(place) else { continue };
            let secs = place as i64 * 300;
            let at = UtcTime::from_secs(START + secs);
            let (value, source) = (Value::Number(change), ValueSource::parse(source));
            let event = watcher.evaluate(&Reading { value, at, source, updated_at: None });
            expected.extend(event.map(|(event, _)| format!("{secs} {}", event.text)));
        }
        let (fired, _) = missed(line, seen, &prices, source);
        prop_assert_eq!(fired, expected);
    }
}

proptest! {
    #[test]
    fn missed_alerts_follow_the_stored_state(
        prices in prop::collection::vec(8.0..12.0_f64, 4..60), secs in 0_i64..600, last in 8.0..12.0_f64, up: bool,
    ) {
        let is_beyond = |price: f64| if up { price > 10.0 } else { price < 10.0 };
        prop_assume!(!is_beyond(last));
        let line = if up { "ordi > 10" } else { "ordi < 10" };
        let band = ((last - 10.0).abs() / 10.0).max(0.05);
        let is_back = |price: f64| if up { price <= 10.0 - band } else { price >= 10.0 + band };
        let (mut armed, mut expected) = (true, Vec::new());
        for (place, price) in prices.iter().enumerate() {
            let at = place as i64 * 300;
            if at <= secs {
                continue;
            }
            if armed && is_beyond(*price) {
                armed = false;
                expected.push(at);
            }
            armed |= is_back(*price);
        }
        let fired = missed_after(line, &[(secs, last)], "a", &prices);
        let times: Vec<i64> = fired.iter().map(|text| text.split(' ').next().unwrap().parse().unwrap()).collect();
        prop_assert_eq!(times, expected);
    }

    #[test]
    fn missed_alerts_are_those_of_a_watcher_of_the_same_series(
        prices in prop::collection::vec(prop::option::weighted(0.9, 8.0..12.0_f64), 8..60), seen in 1_usize..4, up: bool,
    ) {
        let line = if up { "ordi > 10" } else { "ordi < 10" };
        let source = "series a";
        prop_assume!(prices[seen - 1].is_some());
        // A watcher sees the value at the last check first, too.
        let mut watcher = tracked(line);
        let mut expected = Vec::new();
        for (place, price) in prices.iter().enumerate().skip(seen - 1) {
            let Some(price) = price else { continue };
            let secs = place as i64 * 300;
            let at = UtcTime::from_secs(START + secs);
            let (value, source) = (Value::Number(*price), ValueSource::parse(source));
            let reading = Reading { value, at, source, updated_at: None };
            let event = watcher.evaluate(&reading);
            expected.extend(event.map(|(event, _)| format!("{secs} {}", event.text)));
        }
        let (fired, _) = missed(line, seen, &prices, source);
        prop_assert_eq!(fired, expected);
    }
}
