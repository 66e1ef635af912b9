//! Live prices on the screen.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use satscope::app::preferences::EMBEDDED;
use satscope::app::{Effect, Message, Preferences, demand, next_deadline};
use satscope::client::{Request, ResponseData};
use satscope::fetch::{Event, PriceState, Receipt, Tick};
use satscope::keymap::Tab;
use satscope::model::{CoinId, CoinName, Currency, IndexedName, MarketSeries, Point, Tag, Text};
use satscope::user_data::{Alert, AlertId, Change, UserData, Watched};

use super::fixtures::{App, START, all, many, page, series};

fn id(n: u32) -> CoinId {
    CoinId(Text::from(format!("id-coin-{n}")))
}

impl App {
    /// A response that names its provider.
    fn answer_live(&mut self) {
        self.answer_live_of(all(1));
    }

    fn answer_live_of(&mut self, request: Request) {
        let fetch_id = self.start(&request);
        let receipt = Receipt { provider: Some(Text::const_new("coinmarketcap")), ..self.receipt() };
        let response = Some(Arc::new(page(many(1, 200), Some(200))));
        self.send(Message::Fetch(Event::Arrived { request, fetch_id, response, receipt }));
    }

    fn tick(&mut self, n: u32, price: f64) {
        let ticks = HashMap::from([(id(n), Tick { price, range: None, at: self.now })]);
        let (provider, convert) = (Text::const_new("binance"), Currency::usd());
        self.send(Message::Fetch(Event::Prices { provider, convert, ticks }));
    }

    /// Waits while prices of another coin arrive.
    fn wait_with_prices(&mut self, time: Duration) {
        let step = Duration::from_secs(30);
        for _ in 0..time.as_secs() / 30 {
            self.wait(step);
            self.tick(1, 1.0);
        }
        self.wait(Duration::from_secs(time.as_secs() % 30));
    }

    fn live_price(&self, n: u32) -> Option<f64> {
        let coin = self.state.coin(&id(n)).unwrap();
        self.state.live_price(coin, self.state.source_of(&coin.id)).map(|live| live.price)
    }

    /// The lines of the Status tab.
    fn live_status(&self) -> String {
        format!("{:?}", satscope::app::status::lines(&self.state, 160))
    }

    fn live_ids(&self) -> Vec<CoinId> {
        demand(&self.state).live.map(|live| live.ids).unwrap_or_default()
    }
}

#[test]
fn prices_are_demanded_for_the_coins_on_the_screen_of_a_live_service() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(200)));
    assert_eq!(app.live_ids(), [], "the service doesn't name the providers of its data");
    app.answer_live();
    let ids = app.live_ids();
    assert!(ids.contains(&id(1)) && ids.contains(&id(45)) && !ids.contains(&id(150)), "{ids:?}");
    app.keys("jjj");
    assert_eq!(app.live_ids(), ids, "a few steps change nothing");
    app.send(Message::Command(satscope::keymap::Command::Last));
    assert!(app.live_ids().contains(&id(200)) && !app.live_ids().contains(&id(1)));
    app.keys("6");
    assert_eq!(app.live_ids(), [], "the Status tab shows no prices");
    app.send(Message::Command(satscope::keymap::Command::Go(Tab::List(Tag::All))));
    app.key(crossterm::event::KeyCode::Enter);
    assert_eq!(app.live_ids(), [id(200)], "a token's view shows one coin");
}

#[test]
fn changed_price_is_bright_for_half_a_second() {
    let mut app = App::new();
    app.answer_live();
    let rose = |app: &App| {
        let coin = app.state.coin(&id(1)).unwrap();
        app.state.live_price(coin, app.state.source_of(&coin.id)).unwrap().rose
    };
    app.tick(1, 1.1);
    assert_eq!(rose(&app), None, "the first price is not a change");
    app.wait(Duration::from_secs(5));
    app.tick(1, 1.2);
    assert_eq!(rose(&app), Some(true));
    let half = Duration::from_millis(500);
    assert_eq!(next_deadline(&app.state), app.now.plus(half), "a deadline, and no ticks before it");
    app.wait(half);
    assert_eq!(rose(&app), None);
    assert!(next_deadline(&app.state) > app.now.plus(half), "nothing else flashes");
    app.tick(1, 1.2);
    assert_eq!(rose(&app), None, "the same price");
    app.tick(1, 1.1);
    assert_eq!(rose(&app), Some(false));
}

#[test]
fn live_price_is_shown_until_a_newer_poll_or_for_five_minutes() {
    let mut app = App::new();
    app.answer_live();
    app.tick(100, 101.0);
    assert_eq!((app.live_price(100), app.live_price(99)), (Some(101.0), None));
    app.wait_with_prices(Duration::from_mins(1));
    app.answer_live();
    assert_eq!(app.live_price(100), Some(101.0), "a poll right after it is not newer");
    app.wait_with_prices(Duration::from_secs(90));
    app.answer_live();
    assert_eq!(app.live_price(100), None);
    app.tick(100, 102.0);
    app.wait_with_prices(Duration::from_secs(299));
    assert_eq!(app.live_price(100), Some(102.0));
    app.wait_with_prices(Duration::from_secs(1));
    assert_eq!(app.live_price(100), None);
}

#[test]
fn live_prices_end_when_the_stream_is_silent_or_lost() {
    let mut app = App::new();
    app.answer_live();
    app.tick(100, 101.0);
    app.tick(99, 99.5);
    app.wait(Duration::from_secs(59));
    assert_eq!((app.live_price(100), app.live_price(99)), (Some(101.0), Some(99.5)));
    assert!(next_deadline(&app.state) <= app.now.plus(Duration::from_secs(1)), "a frame without the marks follows");
    app.wait(Duration::from_secs(1));
    assert_eq!((app.live_price(100), app.live_price(99)), (None, None));
    app.tick(99, 99.6);
    assert_eq!((app.live_price(100), app.live_price(99)), (Some(101.0), Some(99.6)), "it works again");
    app.send(Message::Fetch(Event::PriceState(PriceState::Lost(String::from("Binance: connection closed")))));
    assert_eq!((app.live_price(100), app.live_price(99)), (None, None));
}

#[test]
fn live_price_of_a_later_time_is_dropped_when_the_clock_is_set_back() {
    let mut app = App::new();
    app.answer_live();
    app.tick(100, 101.0);
    app.now = app.now.minus(Duration::from_hours(1));
    app.answer_live();
    assert_eq!(app.live_price(100), None, "the poll is newer");
    app.tick(100, 102.0);
    assert_eq!(app.live_price(100), Some(102.0));
}

#[test]
fn live_price_yields_to_a_newer_poll_of_the_shown_list() {
    let mut app = App::new();
    app.answer_live();
    app.tick(100, 101.0);
    app.wait_with_prices(Duration::from_mins(3));
    let poll = app.state.list(Tag::Brc20).page_request(1, &Currency::usd());
    app.send(Message::Command(satscope::keymap::Command::Go(Tab::List(Tag::Brc20))));
    app.answer_live_of(poll);
    let coin = app.state.coin(&id(100)).unwrap();
    let price = |tag| app.state.live_price(coin, Some((tag, 1))).map(|live| live.price);
    assert_eq!((price(Tag::All), price(Tag::Brc20)), (Some(101.0), None));
}

#[test]
fn expired_price_does_not_hide_the_next_expiry() {
    let mut app = App::new();
    app.answer_live();
    app.tick(100, 101.0);
    app.wait_with_prices(Duration::from_secs(30));
    app.tick(99, 99.5);
    let second = app.now.plus(Duration::from_mins(5));
    app.wait_with_prices(Duration::from_secs(270));
    app.wait(Duration::from_secs(1));
    assert_eq!(app.state.live.next_change(app.now), Some(second));
    app.wait(Duration::from_mins(1));
    assert_eq!(app.state.live.next_change(app.now), None);
}

#[test]
fn status_shows_that_live_prices_are_paused() {
    let mut app = App::new();
    app.answer_live();
    app.keys("6");
    assert!(app.live_status().contains("Paused: no coins on the screen"), "{}", app.live_status());
    for (state, text) in [
        (PriceState::Open, "Paused: no coins on the screen"),
        (PriceState::NotListed, "No live prices for these coins in USD"),
        (
            PriceState::Lost(String::from("Server error (503)")),
            "Server error (503) · retrying when a coin is on screen",
        ),
    ] {
        app.send(Message::Fetch(Event::PriceState(state)));
        assert!(app.live_status().contains(text), "{}", app.live_status());
    }
    app.send(Message::Fetch(Event::PriceState(PriceState::Open)));
    app.tick(100, 101.0);
    assert!(app.live_status().contains("1 coin · last price just now · paused"), "{}", app.live_status());
}

#[test]
fn live_price_of_another_coin_or_currency_is_not_shown() {
    let mut app = App::new();
    app.answer_live();
    for price in [10.0, 1_000.0, 100_000.0] {
        app.tick(100, price);
        assert_eq!(app.live_price(100), None, "{price} is not the price of a coin of 100");
    }
    let ticks = HashMap::from([(id(100), Tick { price: 100.0, range: None, at: app.now })]);
    let (provider, convert) = (Text::const_new("binance"), Currency::parse("EUR").unwrap());
    app.send(Message::Fetch(Event::Prices { provider, convert, ticks }));
    assert_eq!(app.live_price(100), None);
}

#[test]
fn key_turns_live_prices_off_and_on() {
    let mut app = App::new();
    app.answer_live();
    app.tick(100, 101.0);
    app.keys("T");
    assert_eq!((app.live_price(100), app.live_ids()), (None, Vec::new()));
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Live prices off");
    app.keys("T");
    assert!(!app.live_ids().is_empty());
    let state = PriceState::Unsupported(String::from("Live prices need a provider"));
    app.send(Message::Fetch(Event::PriceState(state)));
    assert_eq!(app.live_ids(), []);
    app.keys("T");
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Live prices need a provider");
}

#[test]
fn key_says_why_there_are_no_live_prices() {
    let mut app = App::new();
    app.fail(&all(1));
    app.keys("T");
    assert_eq!(app.state.toast.as_ref().unwrap().text, "No live prices · Can't reach x (connection refused)");
    app.answer(&all(1), page(many(1, 200), Some(200)));
    app.keys("T");
    assert_eq!(app.state.toast.as_ref().unwrap().text, "This service has no live prices");
    app.send(Message::Fetch(Event::PriceState(PriceState::Lost(String::from("Stream ended")))));
    app.keys("T");
    assert_eq!(app.state.toast.as_ref().unwrap().text, "No live prices · Stream ended");
}

#[test]
fn live_prices_stay_off_in_the_next_run() {
    let mut app = App::new();
    app.answer_live();
    app.keys("T");
    let session = app.state.session().entries();
    let mut next = App::new();
    next.send(Message::Loaded(Box::new(UserData { session: session.clone(), ..UserData::default() })));
    next.answer_live();
    assert_eq!((next.live_ids(), next.state.session().entries()), (Vec::new(), session));
    next.keys("T");
    assert!(!next.live_ids().is_empty());
}

#[test]
fn watched_coins_have_live_prices() {
    let mut app = App::new();
    app.answer_live();
    app.keys("f4");
    assert_eq!(app.live_ids(), [id(1)]);
    let request = app.state.wallet.requests(10, &app.state.convert).into_iter().next().unwrap();
    let own = |price: f64| {
        let point = Point { time: START, price: Some(price), volume: None, market_cap: None };
        MarketSeries { points: vec![point], ..series("C1", "coin-1") }
    };
    app.answer(&request, ResponseData::Market(vec![own(1.0)]));
    app.tick(1, 1.25);
    let price = |app: &App| {
        let Some(ResponseData::Market(found)) = app.state.responses.response(&request).map(AsRef::as_ref) else {
            panic!()
        };
        app.state.watched_live_price(app.state.wallet.rows().last().unwrap(), &found[0]).map(|live| live.price)
    };
    assert_eq!(price(&app), Some(1.25));
    app.tick(1, 100.0);
    assert_eq!(price(&app), None, "not the price of this coin");
    app.tick(1, 1.25);
    app.keys("T");
    assert_eq!(price(&app), None);
}

#[test]
fn holdings_have_live_prices() {
    let mut app = App::new();
    app.answer_live();
    app.keys("4a3 coin-7");
    app.key(crossterm::event::KeyCode::Enter);
    assert!(app.live_ids().contains(&id(7)), "{:?}", app.live_ids());
    let value = |app: &App| app.state.wallet.holdings().valuation().value.to_string();
    assert_eq!(value(&app), "21");
    app.wait(Duration::from_secs(1));
    let holding = |app: &App| Arc::clone(&app.state.wallet.holdings().valuation().holdings[0].holding);
    let before = holding(&app);
    app.tick(7, 7.5);
    assert_eq!(value(&app), "22.5");
    assert!(Arc::ptr_eq(&before, &holding(&app)), "a price changes no cost, so it is not computed again");
    app.tick(7, 700.0);
    assert_eq!(value(&app), "21", "a price of another coin");
}

#[test]
fn coin_that_is_fetched_by_its_id_has_a_live_price() {
    let mut app = App::new();
    app.answer_live();
    app.key(crossterm::event::KeyCode::Enter);
    app.wait(Duration::from_secs(3));
    app.answer(&all(1), page(many(2, 199), Some(199)));
    app.tick(1, 1.01);
    let last = app.state.open_coin().unwrap();
    assert!(last.last().is_some() && app.state.live_price(last.coin(), None).is_none(), "its last price is old");
    let by_id = Request::CoinsById { ids: vec![id(1)], convert: Currency::usd() };
    app.answer(&by_id, page(many(1, 1), None));
    assert_eq!(app.live_price(1), Some(1.01));
}

#[test]
fn coin_that_only_a_search_finds_has_a_live_price() {
    let mut app = App::new();
    app.answer_live();
    app.keys("/coin-300");
    let (id, slug, symbol) = (id(300), Text::const_new("coin-300"), Text::const_new("C300"));
    let name = CoinName { id: id.0.clone(), name: slug.clone(), slug, symbol, rank: None };
    app.answer(&Request::CoinNames, ResponseData::CoinNames(vec![IndexedName::from(name)]));
    app.key(crossterm::event::KeyCode::Enter);
    let by_id = Request::CoinsById { ids: vec![id], convert: Currency::usd() };
    app.answer(&by_id, page(many(300, 1), None));
    app.tick(300, 301.0);
    assert!(app.screen((160, 45)).contains("301."), "{}", app.screen((160, 45)));
}

#[test]
fn holdings_have_polled_prices_when_live_prices_end() {
    let mut app = App::new();
    app.answer_live();
    app.keys("4a3 coin-7");
    app.key(crossterm::event::KeyCode::Enter);
    let value = |app: &App| app.state.wallet.holdings().valuation().value.to_string();
    let expect_live = |app: &mut App| {
        app.tick(7, 7.5);
        assert_eq!(value(app), "22.5");
    };
    expect_live(&mut app);
    app.keys("T");
    assert_eq!(value(&app), "21", "off");
    app.keys("T");
    expect_live(&mut app);
    app.send(Message::Fetch(Event::PriceState(PriceState::Lost(String::from("Binance: connection closed")))));
    assert_eq!(value(&app), "21", "lost");
    app.send(Message::Fetch(Event::PriceState(PriceState::Open)));
    expect_live(&mut app);
    app.wait(Duration::from_mins(1));
    assert_eq!(value(&app), "21", "silent");
}

#[test]
fn holdings_keep_their_values_while_paused() {
    for is_lost in [false, true] {
        let mut app = App::new();
        app.answer_live();
        app.keys("4a3 coin-7");
        app.key(crossterm::event::KeyCode::Enter);
        app.tick(7, 7.5);
        app.keys("P");
        if is_lost {
            drop(app.send(Message::Fetch(Event::PriceState(PriceState::Lost(String::from("Closed"))))));
        } else {
            app.wait(Duration::from_secs(70));
        }
        let value = |app: &App| app.state.wallet.holdings().valuation().value.to_string();
        assert_eq!(value(&app), "22.5", "{is_lost}");
        app.keys("P");
        assert_eq!(value(&app), "21", "{is_lost}");
    }
}

#[test]
fn limit_of_an_alert_is_relative_to_the_live_price() {
    let mut app = App::new();
    app.answer_live();
    app.tick(100, 101.0);
    app.keys("!");
    app.send(Message::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
    app.keys("coin-100 +10%");
    let screen = app.screen((120, 35));
    assert!(screen.contains("> 111.1 USD") && screen.contains("C100 is 101.00 USD · 10.0% away"), "{screen}");
}

/// The app with live prices and the alert `coin-100 > 100.5`.
fn app_with_alert() -> App {
    let mut app = App::new();
    app.checks_alerts(true);
    app.answer_live();
    let coin = Watched { symbol: "C100".into(), slug: Some("coin-100".into()), id: Some(id(100).0) };
    let rule = satscope::alerts::parse("coin-100 > 100.5").unwrap().rule(Some(coin), &Currency::usd()).unwrap();
    let alerts = vec![Alert { id: AlertId(1), ..Alert::new(rule, false) }];
    app.send(Message::Loaded(Box::new(UserData { alerts, ..UserData::default() })));
    app
}

#[test]
fn alert_keeps_its_stream_without_its_coin_on_the_screen_and_a_tick_fires_it() {
    let mut app = app_with_alert();
    app.keys("6");
    assert_eq!(app.live_ids(), [id(100)], "the only live price that is needed");
    let fired = |app: &mut App, price| {
        app.now = app.now.plus(Duration::from_secs(5));
        let ticks = HashMap::from([(id(100), Tick { price, range: None, at: app.now })]);
        let (provider, convert) = (Text::const_new("binance"), Currency::usd());
        let effects = app.send(Message::Fetch(Event::Prices { provider, convert, ticks }));
        effects.iter().filter(|effect| matches!(effect, Effect::Save(_, Change::AlertFired(..)))).count()
    };
    let firings: Vec<usize> = [100.0, 100.4, 100.7, 100.8].map(|price| fired(&mut app, price)).to_vec();
    assert_eq!(firings, [0, 0, 1, 0], "at the first tick beyond the limit");
    // A screen that is full of coins doesn't take its place.
    app.answer(&all(1), page(many(1, 600), Some(600)));
    app.state.size = (160, 600);
    app.keys("1");
    app.keys(&"j".repeat(300));
    let ids = app.live_ids();
    assert_eq!((ids.len(), ids.contains(&id(301)), ids.contains(&id(100))), (400, true, true));
}

#[test]
fn alert_keeps_its_stream_while_live_prices_are_off() {
    let mut app = app_with_alert();
    app.tick(100, 100.2);
    app.send(Message::Fetch(Event::PriceState(PriceState::Open)));
    app.keys("T");
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Live prices off · alerts still use them");
    app.keys("!");
    app.key(crossterm::event::KeyCode::Esc);
    let screen = app.screen((120, 35));
    assert!(screen.contains("C100 > 100.5: checked with live prices"), "{screen}");
    app.key(crossterm::event::KeyCode::Esc);
    assert_eq!((app.live_ids(), app.live_price(100)), (vec![id(100)], None), "only the coin of the alert");
    assert!(app.live_status().contains("Off, except for alerts"), "{}", app.live_status());
    app.wait(Duration::from_secs(5));
    let ticks = HashMap::from([(id(100), Tick { price: 100.7, range: None, at: app.now })]);
    let (provider, convert) = (Text::const_new("binance"), Currency::usd());
    let effects = app.send(Message::Fetch(Event::Prices { provider, convert, ticks }));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Save(_, Change::AlertFired(..)))), "{effects:?}");
    assert_eq!(app.live_price(100), None, "the screen still shows polled prices");
    app.send(Message::Fetch(Event::PriceState(PriceState::Lost(String::from("Stream ended")))));
    assert!(app.live_status().contains("Stream ended · retrying (alerts only)"), "{}", app.live_status());
    app.keys("T");
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Live prices on");
    app.tick(100, 100.2);
    assert_eq!(app.live_price(100), None, "the stream is lost");
    app.send(Message::Fetch(Event::PriceState(PriceState::Open)));
    assert_eq!(app.live_price(100), Some(100.2));
}

#[test]
fn alert_tries_the_stream_of_a_service_that_names_no_providers() {
    let preferences =
        Preferences { urls: ["http://127.0.0.1:1", EMBEDDED].map(String::from), ..Preferences::default() };
    let mut app = App::with(preferences);
    app.checks_alerts(true);
    app.answer(&all(1), page(many(1, 200), Some(200)));
    assert_eq!(app.live_ids(), []);
    let coin = Watched { symbol: "C100".into(), slug: Some("coin-100".into()), id: Some(id(100).0) };
    let rule = satscope::alerts::parse("coin-100 > 100.5").unwrap().rule(Some(coin), &Currency::usd()).unwrap();
    let alerts = vec![Alert { id: AlertId(1), ..Alert::new(rule, false) }];
    app.send(Message::Loaded(Box::new(UserData { alerts, ..UserData::default() })));
    assert_eq!(app.live_ids(), [id(100)], "only the coin of the alert");
    app.answer(&all(1), page(many(1, 200), Some(200)));
    app.keys("6");
    assert_eq!(app.live_ids(), [id(100)]);
    app.send(Message::Fetch(Event::PriceState(PriceState::Open)));
    assert!(app.live_status().contains("Waiting for a price (alerts only)"), "{}", app.live_status());
    app.now = app.now.plus(Duration::from_secs(5));
    let ticks = HashMap::from([(id(100), Tick { price: 100.7, range: None, at: app.now })]);
    let (provider, convert) = (Text::const_new("binance"), Currency::usd());
    let effects = app.send(Message::Fetch(Event::Prices { provider, convert, ticks }));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Save(_, Change::AlertFired(..)))), "{effects:?}");
    assert!(app.live_status().contains("1 coin · last price just now (alerts only)"), "{}", app.live_status());
    app.keys("1");
    assert!(app.live_ids().contains(&id(1)), "the service has live prices");
    app.send(Message::Fetch(Event::PriceState(PriceState::Unsupported(String::from(
        "This service has no live prices",
    )))));
    assert_eq!(app.live_ids(), []);
}
