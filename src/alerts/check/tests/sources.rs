//! Values of several sources.

use super::*;
use crate::model::{MarketSeries, ProviderName, VolumeSpan};

#[test]
fn alert_stays_with_one_of_two_sources() {
    let mut alerts = vec![tracked("ordi > 10")];
    let mut fired = Vec::new();
    // The other source has another price all the time.
    for minute in 0..30 {
        for (source, price) in [("a", if minute < 20 { 9.0 } else { 10.5 }), ("b", 11.0)] {
            let coin = coin(price);
            let mut values = Values::default();
            let at = UtcTime::from_secs(minute * 60 + i64::from(source == "b"));
            values.add_coins(std::iter::once(&coin), Origin { at, source: ValueSource::parse(source) });
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

/// The minutes at which "ordi > 10" fires: the time of the check, and of the event. Each value has a minute, a source
/// and a price.
fn fired_minutes(values: &[(i64, &str, f64)]) -> Vec<(i64, i64)> {
    let mut alerts = vec![tracked("ordi > 10")];
    let mut fired = Vec::new();
    for (minute, source, price) in values {
        let coin = coin(*price);
        let mut values = Values::default();
        values.add_coins(
            std::iter::once(&coin),
            Origin { at: UtcTime::from_secs(minute * 60), source: ValueSource::parse(source) },
        );
        values.sort();
        let mut changes = Vec::new();
        check(&mut alerts, &values, &mut changes);
        fired.extend(changes.iter().filter_map(|change| match change {
            Change::AlertFired(event, _) => Some((*minute, event.at.secs() / 60)),
            _ => None,
        }));
    }
    fired
}

#[test]
fn crossing_in_a_new_source_is_found_when_it_has_taken_over() {
    let mut values = vec![(0, "a", 9.5), (1, "b", 9.6), (2, "b", 11.0)];
    values.extend((3..20).map(|minute| (minute, "b", 11.0)));
    assert_eq!(fired_minutes(&values), [(7, 2)]);
    // A value of the first source shows that it was only late.
    values.insert(6, (6, "a", 9.5));
    assert_eq!(fired_minutes(&values[..10]), []);
    // The new source differs from the start.
    let differs: Vec<_> = values.iter().map(|(minute, source, price)| (*minute, *source, price + 1.0)).collect();
    assert_eq!(fired_minutes(&differs), []);
}

#[test]
fn crossing_in_a_new_source_before_a_restart_is_found_in_the_price_history() {
    let mut running = vec![tracked("ordi > 10")];
    assert!(!fires(&mut running, "a", 0, 9.5) && !fires(&mut running, "b", 60, 9.6));
    assert!(!fires(&mut running, "b", 120, 11.0), "the new source has not taken over yet");
    for restart in [130, 190] {
        let mut restarted = vec![Tracked::new(running[0].alert.clone())];
        assert!(!fires(&mut restarted, "b", restart, 11.0) && !fires(&mut restarted, "b", 200, 11.0));
        let now = UtcTime::from_secs(200);
        let requests = missed::requests(&mut restarted, &Currency::usd(), now);
        let point =
            |secs, price| Point { time: UtcTime::from_secs(secs), price: Some(price), volume: None, market_cap: None };
        let series = series(vec![point(-100, 9.4), point(180, 11.0)]);
        let mut changes = Vec::new();
        missed::handle_response(
            &mut restarted,
            &requests[0],
            &[series],
            ValueSource::parse("series c"),
            now,
            &mut changes,
        );
        let texts: Vec<&str> = changes
            .iter()
            .filter_map(
                |change| if let Change::AlertFired(event, _) = change { Some(event.text.as_str()) } else { None },
            )
            .collect();
        assert_eq!(texts, ["ORDI is 11.00 USD (limit > 10) · 5 m prices"], "restart after {restart} s");
        assert!((4..20).all(|minute| !fires(&mut restarted, "b", minute * 60, 11.0)), "it has fired");
    }
}

#[test]
fn value_of_a_source_that_is_late_does_not_hide_those_of_another() {
    let mut alerts = vec![tracked("ordi > 10")];
    let mut fired = Vec::new();
    for minute in 0..12 {
        let (old, new) = (coin(9.5), coin(if minute < 3 { 9.6 } else { 11.0 }));
        let mut values = Values::default();
        // A list that is not refreshed any more.
        values.add_coins(std::iter::once(&old), Origin { at: UtcTime::from_secs(0), source: ValueSource::parse("a") });
        values.add_coins(
            std::iter::once(&new),
            Origin { at: UtcTime::from_secs(minute * 60), source: ValueSource::parse("b") },
        );
        values.sort();
        let mut changes = Vec::new();
        check(&mut alerts, &values, &mut changes);
        fired.extend(changes.iter().any(|change| matches!(change, Change::AlertFired(..))).then_some(minute));
    }
    assert_eq!(fired, [7]);
}

#[test]
fn transfer_first_seen_by_the_fallback_fires() {
    let rule = parse("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq receives").unwrap();
    let mut alerts = vec![Tracked::new(Alert::new(rule.rule(None, &Currency::usd()).unwrap(), false))];
    let Target::Address(address) = alerts[0].alert.rule.target.clone() else { panic!() };
    let request = Request::Brc20Balances { address, offset: 0, limit: 500 };
    let mut fired = Vec::new();
    let responses = [("a", 100), ("b", 150), ("a", 150), ("a", 150), ("b", 150), ("b", 170), ("a", 170), ("a", 180)];
    for (place, (source, amount)) in (0_i64..).zip(responses) {
        let overall = Some(Amount::from_atoms(amount));
        let item = Balance { ticker: Some("ordi".into()), overall, available: None, transferable: None };
        let response = ResponseData::Balances(Page { items: vec![item], total: Some(1) });
        let mut values = Values::default();
        values.add(
            &request,
            &response,
            Origin { at: UtcTime::from_secs(place * 300), source: ValueSource::parse(source) },
        );
        values.sort();
        let mut changes = Vec::new();
        check(&mut alerts, &values, &mut changes);
        fired.extend(changes.iter().any(|change| matches!(change, Change::AlertFired(..))).then_some(place));
    }
    // What one source has announced is not announced again by the other.
    assert_eq!(fired, [2, 5, 7]);
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
        values.add_coins(
            std::iter::once(&coin),
            Origin { at: UtcTime::from_secs(minute * 60), source: ValueSource::parse(source) },
        );
        values.sort();
        let mut changes = Vec::new();
        check(&mut alerts, &values, &mut changes);
        fired.extend(changes.iter().any(|change| matches!(change, Change::AlertFired(..))).then_some(minute));
    }
    assert_eq!(fired, [3]);
    assert!(alerts[0].alert.state.has_source(ValueSource::parse("coingecko")));
}

/// What "nova holders > 10" reports as unchecked, by the values at minutes from sources. The process starts at the
/// second value.
fn lost_minutes(values: &[(i64, &str, u64)]) -> Vec<(i64, i64)> {
    let mut alerts = vec![tracked("nova holders > 10")];
    let request = Request::Brc20Token { ticker: "nova".into() };
    let mut lost = Vec::new();
    for (index, (minute, source, holders)) in values.iter().enumerate() {
        if index == 1 {
            alerts = vec![Tracked::new(alerts[0].alert.clone())];
        }
        let token = Brc20Token { holders: Some(*holders), ..Brc20Token::new("nova".into()) };
        let response = ResponseData::Brc20Token(Box::new(token));
        let at = UtcTime::from_secs(minute * 60);
        let mut values = Values::as_of(at);
        values.add(&request, &response, Origin { at, source: ValueSource::parse(source) });
        values.sort();
        let mut changes = Vec::new();
        check(&mut alerts, &values, &mut changes);
        for change in changes {
            match change {
                Change::AlertsUnchecked(periods) => lost.extend(periods.iter().map(|period| {
                    assert_eq!((period.subject.as_str(), period.reason.as_str()), ("nova", "source changed"));
                    (period.from.secs() / 60, period.until.secs() / 60)
                })),
                Change::AlertFired(event, _) => panic!("{event:?}"),
                _ => {}
            }
        }
    }
    lost
}

#[test]
fn crossing_between_two_sources_is_reported_as_unchecked() {
    assert_eq!(lost_minutes(&[(0, "a", 9), (60, "b", 12), (65, "b", 12)]), [(0, 60)]);
    assert_eq!(lost_minutes(&[(0, "a", 9), (60, "b", 10), (65, "b", 9)]), [], "nothing was crossed");
    assert_eq!(lost_minutes(&[(0, "a", 12), (60, "b", 12)]), [], "it was already true");
    // The other source takes over after seven minutes.
    assert_eq!(lost_minutes(&[(0, "a", 9), (4, "b", 12), (9, "b", 12), (14, "b", 12)]), [(0, 4)]);
    assert_eq!(lost_minutes(&[(0, "a", 9), (1, "b", 12), (2, "a", 9), (3, "a", 9)]), [], "it returned");
}

#[test]
fn balances_of_another_source_are_reported_as_unchecked_if_they_differ() {
    let request = Request::Brc20Balances { address: ADDRESS.into(), offset: 0, limit: 500 };
    let periods = |before: u64, after: u64| {
        let mut alerts = vec![tracked(&format!("{ADDRESS} receives"))];
        let mut lost = Vec::new();
        for (minute, source, units) in [(0, "a", before), (60, "b", after), (65, "b", after)] {
            let overall = Some(Amount::from_units(units));
            let item = Balance { ticker: Some("nova".into()), overall, available: None, transferable: None };
            let response = ResponseData::Balances(Page { items: vec![item], total: Some(1) });
            let at = UtcTime::from_secs(minute * 60);
            let mut values = Values::as_of(at);
            values.add(&request, &response, Origin { at, source: ValueSource::parse(source) });
            let mut changes = Vec::new();
            check(&mut alerts, &values, &mut changes);
            lost.extend(changes.into_iter().filter(|change| matches!(change, Change::AlertsUnchecked(_))));
        }
        lost.len()
    };
    assert_eq!([periods(5, 6), periods(5, 5), periods(5, 4)], [1, 0, 0]);
}

#[test]
fn alert_ignores_candle_volume() {
    let point = Point { time: UtcTime::from_secs(0), price: Some(9.0), volume: Some(6e7), market_cap: None };
    for (volume_span, is_known) in [(VolumeSpan::Day, true), (VolumeSpan::Candle, false)] {
        let series = MarketSeries { volume_span, ..series(vec![point]) };
        let alert = tracked("ordi vol > 50m").alert;
        let mut values = Values::default();
        values.add_series(&series, ValueSource::parse("a"));
        values.sort();
        assert_eq!(values.reading(&alert.rule, &alert.state).is_some(), is_known, "{volume_span:?}");
    }
}

#[test]
fn price_that_its_provider_has_not_updated_for_hours_is_not_checked() {
    let fires = |source, provider, hours| {
        let mut alerts = vec![tracked("ordi > 10")];
        let mut changes = Vec::new();
        let now = |minute: i64| UtcTime::from_secs(1_793_491_200 + minute * 60);
        for (minute, price, age) in [(0, 9.5, 0), (5, 11.0, hours)] {
            let updated_at = Some(now(minute).minus(Duration::from_hours(age)));
            let coin = Coin { updated_at, provider, ..coin(price) };
            let mut values = Values::default();
            values.add_coins(std::iter::once(&coin), Origin { at: now(minute), source: ValueSource::parse(source) });
            values.sort();
            check(&mut alerts, &values, &mut changes);
        }
        changes.iter().any(|change| matches!(change, Change::AlertFired(..)))
    };
    let (gecko, service) = (ProviderName::CoinGecko, ProviderName::Service);
    for (source, provider, hours, expected) in [
        ("coinmarketcap", None, 2, true),
        ("coinmarketcap", None, 24 * 11, false),
        ("coinmarketcap, coingecko", Some(gecko), 24 * 11, false),
        // They may send local times.
        ("https://service.test", None, 5, true),
        ("service", Some(service), 5, true),
    ] {
        assert_eq!(fires(source, provider, hours), expected, "{source} {hours}");
    }
}
