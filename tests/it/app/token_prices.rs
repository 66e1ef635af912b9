//! Prices of BRC-20 tokens in the indexer tab.

use std::time::Duration;

use crossterm::event::KeyCode;
use satscope::app::find::lookup::Subject;
use satscope::app::{ClickTarget, Message, Panel};
use satscope::client::{Request, ResponseData};
use satscope::fetch::{Event, Receipt};
use satscope::model::{Coin, Currency, Page, Tag};
use satscope::user_data::UserData;

use super::fixtures::{App, coin, indexer_with, page};

/// How long the order stays after a key.
const ORDER_STAYS: Duration = Duration::from_secs(2);

fn request(convert: &str) -> Request {
    Request::Coins { tag: Tag::Brc20, start: 1, limit: 200, convert: Currency::parse(convert).unwrap() }
}

fn ordi() -> Coin {
    Coin { brc20_ticker: Some("ordi".into()), ..coin(1, "ordi", "ORDI", Some(8.0)) }
}

fn price(app: &App, ticker: &str) -> Option<f64> {
    app.state.token_prices().coin(ticker, None).and_then(|coin| coin.price)
}

fn lists(app: &App) -> usize {
    app.wanted().iter().filter(|wanted| wanted.contains(" coins ")).count()
}

#[test]
fn indexer_tab_requests_one_page_of_the_brc20_list() {
    let mut app = indexer_with(&["ordi", "sats"]);
    assert!(app.wanted().contains(&request("USD").describe()), "{:?}", app.wanted());
    assert_eq!(lists(&app), 1);
    app.answer(&request("USD"), page(vec![ordi()], Some(1)));
    assert_eq!((price(&app, "ordi"), price(&app, "sats")), (Some(8.0), None));
    app.state.indexer.visit(Subject::Address("bc1q".into()));
    assert_eq!(lists(&app), 1, "{:?}", app.wanted());
    // The inscription statistics alone show no prices.
    app.keys("bz");
    assert_eq!(lists(&app), 0, "{:?}", app.wanted());
}

#[test]
fn token_prices_follow_the_currency() {
    let mut app = indexer_with(&["ordi"]);
    app.answer(&request("USD"), page(vec![ordi()], Some(1)));
    app.state.convert = Currency::parse("EUR").unwrap();
    app.send(Message::Tick);
    assert!(app.wanted().contains(&request("EUR").describe()), "{:?}", app.wanted());
    let euro = Coin { price: Some(7.0), convert: Currency::parse("EUR").unwrap(), ..ordi() };
    app.answer(&request("EUR"), page(vec![euro], Some(1)));
    assert_eq!(price(&app, "ordi"), Some(7.0));
}

#[test]
fn simulated_prices_are_not_those_of_real_tokens() {
    for (market, indexer, expected) in
        [(true, false, None), (false, true, None), (true, true, Some(8.0)), (false, false, Some(8.0))]
    {
        let mut app = App::new();
        app.keys("5");
        let tokens = Request::Brc20Tokens { ticker: None, offset: 0, limit: 60 };
        let no_tokens = ResponseData::Brc20Tokens(Page { items: Vec::new(), total: Some(0) });
        let coins = page(vec![ordi()], Some(1));
        for (request, response, simulated) in [(tokens, no_tokens, indexer), (request("USD"), coins, market)] {
            let fetch_id = app.start(&request);
            let receipt = Receipt { simulated, ..app.receipt() };
            let response = Some(std::sync::Arc::new(response));
            app.send(Message::Fetch(Event::Arrived { request, fetch_id, response, receipt }));
        }
        assert_eq!(price(&app, "ordi"), expected, "market {market}, indexer {indexer}");
    }
}

/// A coin that is certainly the token with its symbol.
fn token_coin(id: u32, ticker: &str, price: f64, change: f64) -> Coin {
    let ticker_upper = ticker.to_uppercase();
    let coin = coin(id, ticker, &ticker_upper, Some(price));
    Coin { brc20_ticker: Some(ticker.into()), change_24h_pct: Some(change), ..coin }
}

/// The tickers of the tokens, in their order.
fn tickers(app: &App) -> Vec<String> {
    app.state.indexer.token_list(&app.state.responses).iter().map(|token| token.ticker.to_string()).collect()
}

#[test]
fn tokens_are_sorted_by_the_price_and_change_of_their_coins() {
    let mut app = indexer_with(&["none", "ordi", "rats", "sats"]);
    app.keys("sp");
    assert_eq!(tickers(&app), ["none", "ordi", "rats", "sats"], "before there are prices");
    let coins = |ordi| {
        let all = [token_coin(1, "ordi", ordi, -2.0), token_coin(2, "rats", 3.0, 9.0), token_coin(3, "sats", 5.0, 1.0)];
        page(all.into_iter().collect(), Some(3))
    };
    app.wait(ORDER_STAYS);
    app.answer(&request("USD"), coins(8.0));
    assert_eq!(tickers(&app), ["ordi", "sats", "rats", "none"], "tokens without a coin come last");
    app.keys("S");
    assert_eq!(tickers(&app), ["rats", "sats", "ordi", "none"]);
    app.keys("sd");
    assert_eq!(tickers(&app), ["rats", "sats", "ordi", "none"], "gainers first");
    app.keys("S");
    assert_eq!(tickers(&app), ["ordi", "sats", "rats", "none"]);
}

#[test]
fn order_by_price_stays_while_keys_are_pressed() {
    let mut app = indexer_with(&["ordi", "sats"]);
    let coins = |ordi| page(vec![token_coin(1, "ordi", ordi, 0.0), token_coin(2, "sats", 5.0, 0.0)], Some(2));
    app.answer(&request("USD"), coins(8.0));
    app.keys("sp");
    assert_eq!(tickers(&app), ["ordi", "sats"]);
    app.answer(&request("USD"), coins(4.0));
    assert_eq!(tickers(&app), ["ordi", "sats"]);
    app.wait_for_deadlines(ORDER_STAYS);
    assert_eq!(tickers(&app), ["sats", "ordi"]);
    assert_eq!(app.state.indexer.token().as_deref(), Some("ordi"), "the selection stays on its token");
}

#[test]
fn details_keep_values_beside_their_labels() {
    let mut app = indexer_with(&["ordi"]);
    let ordi = Coin { market_cap: Some(271.6e9), ..token_coin(1, "ordi", 0.0001293, 8.1) };
    app.answer(&request("USD"), page(vec![ordi], Some(1)));
    for columns in 70..=120 {
        let screen = app.screen((columns, 24));
        assert!(screen.contains("24h ▲ 8.1%") && screen.contains("cap 271.6B"), "{columns}:\n{screen}");
    }
}

/// Tokens sorted by price whose prices arrive right after the keys.
fn indexer_with_late_prices() -> App {
    let mut app = indexer_with(&["sats", "ordi", "rats"]);
    app.keys("sp");
    let coins = [("sats", 5.0), ("ordi", 8.0), ("rats", 3.0)];
    let coins = (1..).zip(coins).map(|(id, (ticker, price))| token_coin(id, ticker, price, 0.0));
    app.answer(&request("USD"), page(coins.collect(), Some(3)));
    assert_eq!(tickers(&app), ["sats", "ordi", "rats"]);
    app
}

#[test]
fn first_prices_sort_the_tokens_after_the_last_key() {
    let mut app = indexer_with_late_prices();
    app.wait_for_deadlines(ORDER_STAYS);
    assert_eq!(tickers(&app), ["ordi", "sats", "rats"]);
    app.key(KeyCode::Down);
    assert_eq!(app.state.indexer.token().as_deref(), Some("rats"), "the one below the selected token");
}

#[test]
fn click_when_the_sorting_is_due_selects_the_drawn_token() {
    let mut app = indexer_with_late_prices();
    app.now = app.now.plus(ORDER_STAYS);
    app.send(Message::Click(ClickTarget::Row(Some(Panel::Tokens), 1)));
    assert_eq!(app.state.indexer.token().as_deref(), Some("ordi"));
    app.wait_for_deadlines(ORDER_STAYS);
    assert_eq!(tickers(&app), ["ordi", "sats", "rats"]);
    app.key(KeyCode::Down);
    assert_eq!(app.state.indexer.token().as_deref(), Some("sats"));
}

#[test]
fn order_by_price_survives_a_restart() {
    let mut app = indexer_with(&["ordi", "sats"]);
    app.keys("sd");
    let session = app.state.session().entries();
    let mut next = App::new();
    next.send(Message::Loaded(Box::new(UserData { session, ..UserData::default() })));
    assert_eq!(next.state.indexer.sort, app.state.indexer.sort);
}
