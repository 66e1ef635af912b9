use super::*;
use crate::alerts::missed;
use crate::alerts::parse::parse;
use crate::alerts::tests::{series, tracked};
use crate::alerts::values::Origin;
use crate::client::ResponseData;
use crate::model::{Balance, BitcoinBalance, Brc20Token, ChainState, Coin, CoinId, Currency, Fees, Page, Point};
use crate::user_data::alert::{Measure, Rule, Value, ValueSource};

mod bitcoin;
mod live;
mod sources;

fn coin(price: f64) -> Coin {
    let id = CoinId("1".into());
    Coin { slug: Some("ordi".into()), price: Some(price), ..Coin::new(id, "ORDI".into(), "ORDI".into()) }
}

const ADDRESS: &str = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";

/// The firing of an alert by a response at a time in seconds.
fn answered(alerts: &mut [Tracked], request: &Request, response: &ResponseData, secs: i64) -> Option<AlertEvent> {
    let mut values = Values::as_of(UtcTime::from_secs(secs));
    values.add(request, response, Origin { at: UtcTime::from_secs(secs), source: ValueSource::parse("a") });
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
    values
        .add_coins(std::iter::once(&coin), Origin { at: UtcTime::from_secs(secs), source: ValueSource::parse(source) });
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
    let live = "live binance";
    let mut alerts = vec![tracked("ordi > 10")];
    assert!(!fires(&mut alerts, "a", 0, 9.0));
    assert!(!fires(&mut alerts, live, 1, 9.1), "it takes over");
    assert!(!fires(&mut alerts, "a", 60, 12.0), "a list is ignored meanwhile");
    assert_eq!(alerts[0].alert.state.last, Some(crate::user_data::alert::Value::Number(9.1)));
    assert!(fires(&mut alerts, live, 61, 10.1));
    assert!(!fires(&mut alerts, live, 62, 9.0));
    // The stream has ended: the first price of the list fires nothing, the next ones do.
    assert!(!fires(&mut alerts, "a", 190, 9.0));
    assert!(alerts[0].alert.state.has_source(ValueSource::parse("a")));
    assert!(fires(&mut alerts, "a", 250, 10.1));
}

#[test]
fn short_interruption_is_checked_by_price_history_and_a_slow_list_is_not() {
    let mut running = vec![tracked("ordi > 10")];
    assert!(!fires(&mut running, "a", 0, 9.0) && !fires(&mut running, "a", 300, 9.0));
    let gap = |alerts: &[Tracked]| alerts[0].gap.map(|gap| (gap.from.secs(), gap.until.secs()));
    assert_eq!(gap(&running), None);
    // The program is started again.
    let mut restarted = vec![Tracked::new(running[0].alert.clone())];
    assert!(!fires(&mut restarted, "a", 480, 9.0));
    assert_eq!(gap(&restarted), Some((300, 480)));
    // Requests fail.
    running[0].interrupt();
    assert!(!fires(&mut running, "a", 900, 9.0));
    assert_eq!(gap(&running), Some((300, 900)));
}

#[test]
fn labelled_address_is_named_by_its_label() {
    let stored = tracked(&format!("{ADDRESS} btc > 1")).alert;
    let label = Some("cold".into());
    let entry = WalletAddress { address: ADDRESS.into(), label, added_at: UtcTime::from_secs(0) };
    let mut alerts = merge(&[stored], &[], &[entry], UtcTime::from_secs(0));
    let request = Request::BitcoinBalance { address: ADDRESS.into() };
    let sats =
        |confirmed| ResponseData::BitcoinBalance(BitcoinBalance { address: ADDRESS.into(), confirmed, unconfirmed: 0 });
    assert_eq!(answered(&mut alerts, &request, &sats(0), 0), None);
    let event = answered(&mut alerts, &request, &sats(200_000_000), 60).unwrap();
    assert_eq!((event.title.as_str(), event.text.as_str()), ("cold BTC > 1", "cold has 2 BTC (limit > 1)"));
}

#[test]
fn check_in_the_future_is_a_wrong_clock_and_ends() {
    let mut alerts = vec![tracked("fees < 3")];
    let fees = |rate| Some(Fees { fastest: Some(rate), ..Fees::default() });
    let chain = |rate| ResponseData::ChainState(ChainState { height: 1, hash: None, fees: fees(rate) });
    assert_eq!(answered(&mut alerts, &Request::ChainState, &chain(5.0), 100_000), None);
    // The clock was set back by a day.
    assert_eq!(answered(&mut alerts, &Request::ChainState, &chain(5.0), 13_600), None);
    let event = answered(&mut alerts, &Request::ChainState, &chain(2.0), 13_660).unwrap();
    assert_eq!((event.text.as_str(), event.missed), ("Fee rate is 2 sat/vB (limit < 3)", false));
}

#[test]
fn stored_state_of_a_wrong_clock_does_not_replace_a_newer_one() {
    let state = |armed, secs| AlertState {
        armed: Some(armed),
        checked_at: Some(UtcTime::from_secs(secs)),
        ..AlertState::default()
    };
    let alert = tracked("fees < 3").alert;
    let stored = Alert { state: state(false, 100_000), ..alert.clone() };
    let own = Tracked::new(Alert { state: state(true, 13_600), ..alert });
    for (now, armed) in [(100_000, false), (13_600, true)] {
        let merged = merge(std::slice::from_ref(&stored), std::slice::from_ref(&own), &[], UtcTime::from_secs(now));
        assert_eq!(merged[0].alert.state.armed, Some(armed), "{now}");
    }
}

#[test]
fn holders_without_history_fire_between_two_times() {
    let mut alerts = vec![tracked("nova holders >= 50k")];
    let request = Request::Brc20Token { ticker: "nova".into() };
    let holders = |holders| {
        let token = Brc20Token { holders: Some(holders), ..Brc20Token::new("nova".into()) };
        ResponseData::Brc20Token(Box::new(token))
    };
    assert_eq!(answered(&mut alerts, &request, &holders(49_000), 0), None);
    let event = answered(&mut alerts, &request, &holders(50_100), 8 * 3_600).unwrap();
    assert_eq!((event.after, event.missed), (Some(UtcTime::from_secs(0)), true));
    assert_eq!(answered(&mut alerts, &request, &holders(49_000), 8 * 3_600 + 60), None);
    let event = answered(&mut alerts, &request, &holders(50_100), 8 * 3_600 + 120).unwrap();
    assert_eq!((event.after, event.missed), (None, false), "while it is checked");
}

#[test]
fn tokens_received_and_sent_fire_with_their_time_range() {
    let mut receives = vec![tracked(&format!("{ADDRESS} receives"))];
    let mut sends = vec![tracked(&format!("{ADDRESS} sends"))];
    let request = Request::Brc20Balances { address: ADDRESS.into(), offset: 0, limit: 500 };
    let balance = |units: &str| {
        let overall = units.parse().ok();
        let item = Balance { ticker: Some("ORDI".into()), available: overall, transferable: None, overall };
        ResponseData::Balances(Page { items: vec![item], total: Some(1) })
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
    let (id, usd, source) = (CoinId("1".into()), Currency::usd(), ValueSource::Live("binance"));
    let mut fired = Vec::new();
    for minute in 0..10 {
        let coin = coin(if minute < 5 { 8.4 } else { 7.5 });
        let at = UtcTime::from_secs(minute * 60);
        let mut values = Values::as_of(at);
        values.add_coins(std::iter::once(&coin), Origin { at, source: ValueSource::parse("coingecko") });
        // The last tick is from minute 1.
        let at = at.min(UtcTime::from_secs(60));
        values.add_live(&id, 8.4, &usd, Origin { at, source });
        values.sort();
        let mut changes = Vec::new();
        check(&mut alerts, &values, &mut changes);
        fired.extend(changes.iter().any(|change| matches!(change, Change::AlertFired(..))).then_some(minute));
    }
    assert_eq!(fired, [5]);
}

#[test]
fn reload_keeps_unsaved_states_and_pending_requests() {
    let mut known = vec![tracked("ordi > 10")];
    let stored = known[0].alert.clone();
    let price = |known: &mut [Tracked], minute: i64| {
        let coin = coin(9.0);
        let mut values = Values::default();
        values.add_coins(
            std::iter::once(&coin),
            Origin { at: UtcTime::from_secs(minute * 60), source: ValueSource::parse("a") },
        );
        values.sort();
        check(known, &values, &mut Vec::new());
    };
    price(&mut known, 0);
    price(&mut known, 1);
    let now = UtcTime::from_secs(3_600);
    let mut merged = merge(&[Alert { bell: false, ..stored.clone() }], &known, &[], now);
    assert!(!merged[0].alert.bell);
    let Some(Change::AlertsChecked(states)) = unsaved(&mut merged) else { panic!("nothing to save") };
    assert_eq!(states[0].1.checked_at, Some(UtcTime::from_secs(60)));
    price(&mut merged, 60);
    let merged = merge(std::slice::from_ref(&stored), &merged, &[], now);
    assert_eq!(merged[0].gap.map(|gap| gap.from), Some(UtcTime::from_secs(60)));
    let edited = Alert { state: merged[0].alert.state.restarted(false), ..stored };
    assert_eq!(merge(std::slice::from_ref(&edited), &merged, &[], now)[0].alert, edited);
}

#[test]
fn rule_gets_only_the_values_of_its_measure() {
    let token = ResponseData::Brc20Token(Box::new(Brc20Token {
        holders: Some(70),
        minted_supply: Some(Amount::from_units(1)),
        max_supply: Some(Amount::from_units(2)),
        ..Brc20Token::new("nova".into())
    }));
    let request = Request::Brc20Token { ticker: "nova".into() };
    let mut values = Values::default();
    values.add(&request, &token, Origin { at: UtcTime::from_secs(1), source: ValueSource::parse("a") });
    let rule = |measure| Rule { measure, ..parse("nova holders > 1").unwrap().rule(None, &Currency::usd()).unwrap() };
    let value = |measure| values.reading(&rule(measure), &AlertState::default()).map(|reading| reading.value);
    assert_eq!(value(Measure::Holders), Some(Value::Number(70.0)));
    assert_eq!(value(Measure::Minted), Some(Value::Number(50.0)));
    assert_eq!(value(Measure::Rank), None);
}
