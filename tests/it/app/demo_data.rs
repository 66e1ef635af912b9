//! Simulated data never changes or records anything of real alerts and balances.

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use satscope::app::{Effect, Message, demand};
use satscope::client::{Request, ResponseData};
use satscope::fetch::{Event, Receipt};
use satscope::model::{Balance, BitcoinBalance, Page};
use satscope::user_data::{Change, PastBalance, UserData, WalletAddress};

use super::fixtures::{App, START, all, coin, page, three};

const COLD: &str = "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu";

/// A response a minute later, with simulated data or others, and its effects.
fn arrive(app: &mut App, simulated: bool, request: &Request, response: ResponseData) -> Vec<Effect> {
    app.now = app.now.plus(Duration::from_mins(1));
    let fetch_id = app.start(request);
    let receipt = Receipt { simulated, ..app.receipt() };
    let response = Some(Arc::new(response));
    app.send(Message::Fetch(Event::Arrived { request: request.clone(), fetch_id, response, receipt }))
}

fn prices(app: &mut App, simulated: bool, ordi: f64) -> Vec<Effect> {
    let mut coins = three();
    coins[1].price = Some(ordi);
    arrive(app, simulated, &all(1), page(coins, Some(3)))
}

/// The dashboard with an alert that was added with simulated data or others.
fn with_alert(simulated: bool) -> App {
    let mut app = App::new();
    app.checks_alerts(true);
    prices(&mut app, simulated, 10.0);
    app.keys("!");
    app.send(Message::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
    app.keys("ordi > 12");
    app.key(KeyCode::Enter);
    app.key(KeyCode::Esc);
    prices(&mut app, simulated, 10.0);
    app
}

/// What is saved of alerts.
fn alert_changes<'a>(effects: &'a [Effect]) -> Vec<&'a Change> {
    let change = |effect: &'a Effect| match effect {
        Effect::Save(_, change @ (Change::AlertFired(..) | Change::AlertsChecked(_))) => Some(change),
        _ => None,
    };
    effects.iter().filter_map(change).collect()
}

#[test]
fn simulated_prices_do_not_change_alerts_on_real_ones() {
    let mut app = with_alert(false);
    let before = app.state.alerts.tracked[0].alert.clone();
    assert_eq!(before.state.armed, Some(true));
    // Longer than a source is preferred to others, and shorter than a gap.
    for minute in 0..18 {
        let effects = prices(&mut app, true, 11.0 + f64::from(minute));
        // What was seen of the other data may be saved now.
        let is_same = |change: &&Change| match change {
            Change::AlertsChecked(states) => states.iter().all(|(_, state)| *state == before.state),
            _ => false,
        };
        assert!(alert_changes(&effects).iter().all(is_same), "{effects:?}");
    }
    assert_eq!(app.state.alerts.tracked[0].alert, before);
    app.now = app.now.plus(Duration::from_hours(1));
    prices(&mut app, true, 15.0);
    let mut background = demand(&app.state).background.into_iter();
    assert!(!background.any(|need| matches!(need.request, Request::MarketData { .. })), "no history is requested");
    app.keys("!");
    app.key(KeyCode::Esc);
    let screen = app.screen((120, 35));
    assert!(screen.contains("ORDI > 12 not checked: checked with live data only"), "{screen}");
    // Real prices continue where they were.
    app.key(KeyCode::Esc);
    app.now = before.state.checked_at.unwrap();
    let effects = prices(&mut app, false, 12.5);
    assert!(matches!(alert_changes(&effects).as_slice(), [Change::AlertFired(..)]), "{effects:?}");
}

#[test]
fn simulated_alert_ignores_real_prices() {
    let mut app = with_alert(true);
    let effects = prices(&mut app, true, 12.5);
    let [Change::AlertFired(event, _)] = *alert_changes(&effects) else { panic!("{effects:?}") };
    assert_eq!((&*event.title, &*event.text), ("DEMO ORDI > 12", "DEMO ORDI is 12.50 USD (limit > 12)"));
    let number = effects.iter().find_map(|effect| match effect {
        Effect::Save(number, Change::AlertFired(..)) => Some(*number),
        _ => None,
    });
    let effects = app.send(Message::Saved(number.unwrap(), Ok(())));
    let (title, text) = (event.title.to_string(), event.text.to_string());
    assert!(effects.contains(&Effect::Notify { title, text }), "{effects:?}");
    prices(&mut app, true, 10.0);
    let before = app.state.alerts.tracked[0].alert.clone();
    for minute in 0..18 {
        let effects = prices(&mut app, false, 13.0 + f64::from(minute));
        // What was seen of the other data may be saved now.
        let is_same = |change: &&Change| match change {
            Change::AlertsChecked(states) => states.iter().all(|(_, state)| *state == before.state),
            _ => false,
        };
        assert!(alert_changes(&effects).iter().all(is_same), "{effects:?}");
    }
    assert_eq!(app.state.alerts.tracked[0].alert, before);
    app.keys("!");
    app.key(KeyCode::Esc);
    let screen = app.screen((120, 35));
    assert!(screen.contains("created with simulated data (turn it off and on to use live data)"), "{screen}");
    app.keys("  ");
    prices(&mut app, false, 11.0);
    let effects = prices(&mut app, false, 12.5);
    let [Change::AlertFired(event, _)] = *alert_changes(&effects) else { panic!("{effects:?}") };
    assert_eq!(&*event.text, "ORDI is 12.50 USD (limit > 12)");
}

#[test]
fn simulated_balances_and_prices_are_not_recorded() {
    let added_at = START.minus(Duration::from_hours(40));
    let cold = WalletAddress { address: COLD.into(), label: None, added_at };
    let past = |ticker: &str, amount: &str| PastBalance {
        address: COLD.into(),
        ticker: ticker.into(),
        since: added_at,
        amount: amount.parse().unwrap(),
    };
    let past_balances = vec![past("ordi", "1000")];
    for simulated in [true, false] {
        let mut app = App::new();
        let user =
            UserData { addresses: vec![cold.clone()], past_balances: past_balances.clone(), ..UserData::default() };
        app.send(Message::Loaded(Box::new(user)));
        app.keys("4");
        let mut effects = Vec::new();
        for request in demand(&app.state).visible {
            let response = match &request {
                Request::Brc20Balances { .. } => {
                    ResponseData::Balances(Page::<Balance> { items: Vec::new(), total: Some(0) })
                }
                Request::BitcoinBalance { address } => ResponseData::BitcoinBalance(BitcoinBalance {
                    address: address.clone(),
                    confirmed: 5,
                    unconfirmed: 0,
                }),
                Request::Coins { .. } => page(vec![coin(1, "bitcoin", "BTC", Some(60_000.0))], Some(1)),
                _ => continue,
            };
            effects.extend(arrive(&mut app, simulated, &request, response));
        }
        effects.extend(app.keys("1"));
        let is_record = |effect: &&Effect| match effect {
            Effect::Save(_, Change::BalancesChanged(_)) => true,
            Effect::Save(_, Change::Session(entries)) => entries.contains_key("seen-at"),
            _ => false,
        };
        assert_eq!(effects.iter().any(|effect| is_record(&effect)), !simulated, "{effects:?}");
        assert_eq!(app.state.session().entries().contains_key("seen-at"), !simulated);
    }
}
