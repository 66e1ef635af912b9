//! The values of alerts, their requests and why they can't be checked.

use std::sync::Arc;
use std::time::Duration;

use satscope::client::{Notice, NoticeCode};
use satscope::fetch::{Event, Receipt};

use super::*;

#[test]
fn visible_values_cost_no_request_and_others_one() {
    let mut app = app();
    let block = "Block height and fees";
    assert_eq!(background(&app), [block], "no rules, no requests");
    add(&mut app, "ordi > 12");
    add(&mut app, "ordi 24h < -8%");
    assert_eq!(background(&app), [block], "the list has the values");
    app.keys("5");
    assert_eq!(background(&app), [block, "Coin with ID id-ordi"]);
    add(&mut app, "nova minted >= 99%");
    assert_eq!(
        background(&app),
        [block, "Coin with ID id-ordi", "BRC-20 token nova"].map(String::from).to_vec().sorted()
    );
    // Another process checks them.
    app.checks_alerts(false);
    app.send(Message::Tick);
    assert_eq!(background(&app), [block]);
}

/// Sorted as the requests of alerts are: tokens before coins.
trait Sorted {
    fn sorted(self) -> Vec<String>;
}

impl Sorted for Vec<String> {
    fn sorted(mut self) -> Vec<String> {
        self.sort();
        self.sort_by_key(|name| name.starts_with("Coin"));
        self.sort_by_key(|name| !name.starts_with("Block"));
        self
    }
}

#[test]
fn coin_that_is_not_found_by_id_is_requested_as_a_series() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    app.keys("5");
    let by_id = Request::CoinsById { ids: vec![CoinId("id-ordi".into())], convert: Currency::usd() };
    app.answer(&by_id, ResponseData::Coins(Page { items: Vec::new(), total: None }));
    assert!(background(&app).contains(&String::from("Price history of ORDI (USD, 5m)")), "{:?}", background(&app));
}

#[test]
fn service_without_a_response_is_simulated_if_its_alerts_are() {
    let mut app = app();
    app.state.preferences.urls = ["https://market.example", "https://indexer.example"].map(String::from);
    let simulated = |app: &App| *app.state.alert_kinds().get(DataKind::simulated(DataScope::Indexer));
    add(&mut app, "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq receives");
    assert!(!simulated(&app));
    let real: Alert = app.state.alerts.tracked[0].alert.clone();
    let mut demo = Alert { id: AlertId(7), ..real.clone() };
    demo.state.source = Some(ValueSource::SIMULATED);
    app.send(Message::Saved(1, Ok(())));
    app.send(Message::Loaded(Box::new(UserData { alerts: vec![demo.clone()], ..UserData::default() })));
    assert!(simulated(&app));
    let real = Alert { id: AlertId(8), ..real };
    app.send(Message::Loaded(Box::new(UserData { alerts: vec![demo, real], ..UserData::default() })));
    assert!(!simulated(&app), "the real one sends a request, whose response says it");
}

#[test]
fn address_is_sent_only_after_the_user_has_confirmed_it() {
    let mut app = app();
    app.state.preferences.address_receivers = vec![satscope::model::ProviderName::UniSat];
    app.keys("5!");
    app.keys("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq receives");
    app.key(KeyCode::Enter);
    assert!(matches!(app.state.overlay, Some(Overlay::AddressNotice { .. })), "{:?}", app.state.overlay);
    let requests_balances = |app: &App| background(app).iter().any(|name| name.starts_with("BRC-20 balances of bc1q"));
    assert!(!requests_balances(&app));
    app.key(KeyCode::Enter);
    app.send(Message::Tick);
    assert!(requests_balances(&app), "{:?}", background(&app));
}

#[test]
fn transfer_rule_shows_how_often_it_is_checked() {
    let mut app = app();
    app.keys("5!");
    app.keys("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq receives");
    let screen = app.screen((120, 35));
    assert!(screen.contains("Checked at least every") && !screen.contains("No value yet"), "{screen}");
}

#[test]
fn header_counts_unchecked_alerts_and_dialog_shows_the_reason() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    add(&mut app, "nova minted >= 99%");
    add(&mut app, "fees < 3");
    app.keys("5");
    assert!(!app.screen((160, 45)).contains("not checked"), "they are being requested");
    app.now = app.now.plus(std::time::Duration::from_mins(3));
    let by_id = Request::CoinsById { ids: vec![CoinId("id-ordi".into())], convert: Currency::usd() };
    app.fail(&by_id);
    app.fail(&Request::Brc20Token { ticker: "nova".into() });
    assert!(app.screen((160, 45)).contains("2 alerts not checked"), "{}", app.screen((160, 45)));
    assert!(app.screen((60, 24)).contains("◌ 2"), "{}", app.screen((60, 24)));
    app.keys("!");
    for size in [(160, 45), (80, 24)] {
        let screen = app.screen(size);
        assert!(screen.contains("ORDI > 12 not checked: can't reach the service (connection refused)"), "{screen}");
    }
    // A value arrives.
    let mut coin = three()[1].clone();
    coin.price = Some(11.0);
    arrive(&mut app, &by_id, ResponseData::Coins(Page { items: vec![coin], total: None }));
    for size in [(160, 45), (80, 24)] {
        let screen = app.screen(size);
        assert!(screen.contains("ORDI > 12: checked at least every 5 m"), "{screen}");
    }
    app.key(KeyCode::Esc);
    assert!(app.screen((160, 45)).contains("1 alert not checked"), "{}", app.screen((160, 45)));
    // Another process checks them.
    app.checks_alerts(false);
    assert!(!app.screen((160, 45)).contains("not checked"));
}

#[test]
fn old_data_is_reported_although_no_request_fails() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    app.keys("5");
    let by_id = Request::CoinsById { ids: vec![CoinId("id-ordi".into())], convert: Currency::usd() };
    let mut coin = three()[1].clone();
    coin.price = Some(11.0);
    arrive(&mut app, &by_id, ResponseData::Coins(Page { items: vec![coin], total: None }));
    app.now = app.now.plus(std::time::Duration::from_mins(9));
    app.send(Message::Tick);
    assert!(!app.screen((160, 45)).contains("not checked"), "{}", app.screen((160, 45)));
    app.now = app.now.plus(std::time::Duration::from_mins(1));
    app.send(Message::Tick);
    assert!(app.screen((160, 45)).contains("1 alert not checked"), "{}", app.screen((160, 45)));
    app.keys("!");
    assert!(app.screen((160, 45)).contains("latest data is 10 m old"), "{}", app.screen((160, 45)));
}

#[test]
fn coin_that_its_provider_has_not_updated_is_reported_as_old() {
    let mut app = app();
    add(&mut app, "ordi cap > 1b");
    app.keys("5");
    let by_id = Request::CoinsById { ids: vec![CoinId("id-ordi".into())], convert: Currency::usd() };
    let mut coin = three()[1].clone();
    coin.market_cap = Some(2e9);
    coin.updated_at = Some(app.now.minus(Duration::from_hours(5)));
    coin.provider = Some(satscope::model::ProviderName::CoinGecko);
    arrive(&mut app, &by_id, page(vec![coin], None));
    assert!(app.screen((160, 45)).contains("1 alert not checked"), "{}", app.screen((160, 45)));
    app.keys("!");
    assert!(app.screen((160, 45)).contains("latest data is 5 h old"), "{}", app.screen((160, 45)));
}

#[test]
fn coin_that_is_missing_while_a_provider_fails_is_still_requested_by_id() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    app.keys("5");
    let by_id = Request::CoinsById { ids: vec![CoinId("id-ordi".into())], convert: Currency::usd() };
    let response = |app: &mut App, sentence: &str, code: Option<NoticeCode>| {
        let fetch_id = app.start(&by_id);
        let receipt = Receipt { notice: Some(Box::new(Notice::new(sentence.to_owned(), code))), ..app.receipt() };
        let (request, response) = (by_id.clone(), Some(Arc::new(page(Vec::new(), None))));
        app.send(Message::Fetch(Event::Arrived { request, fetch_id, response, receipt }));
    };
    let has_id = |app: &App| background(app).contains(&String::from("Coin with ID id-ordi"));
    let has_series = |app: &App| background(app).contains(&String::from("Price history of ORDI (USD, 5m)"));
    response(&mut app, "CoinGecko: no response within 10 s", None);
    assert!(has_id(&app) && !has_series(&app), "{:?}", background(&app));
    // Not even an unlisted coin stays so.
    response(&mut app, "ORDI is not listed by any provider", Some(NoticeCode::NotListed));
    assert!(!has_id(&app) && has_series(&app), "{:?}", background(&app));
    app.wait(Duration::from_mins(59));
    assert!(!has_id(&app), "{:?}", background(&app));
    app.wait(Duration::from_mins(1));
    assert!(has_id(&app) && !has_series(&app), "{:?}", background(&app));
    // A service without this operation.
    app.fail_with(&by_id, ErrorKind::Status { status: 501, message: None, retry_after: None });
    app.wait(Duration::from_hours(24));
    assert!(!has_id(&app) && has_series(&app), "{:?}", background(&app));
}

#[test]
fn checks_are_saved_after_the_clock_was_set_back() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    let is_saved =
        |effects: &[Effect]| effects.iter().any(|it| matches!(it, Effect::Save(_, Change::AlertsChecked(_))));
    prices(&mut app, 10.1);
    assert!(is_saved(&prices(&mut app, 10.2)));
    app.now = app.now.minus(Duration::from_hours(1));
    assert!(is_saved(&prices(&mut app, 10.3)));
}
