//! Prices of BRC-20 tokens in the indexer tab.

use satscope::app::Message;
use satscope::app::lookup::Subject;
use satscope::client::{Request, ResponseData};
use satscope::fetch::{Event, Receipt};
use satscope::model::{Coin, Currency, Page, Tag};

use super::fixtures::{App, coin, indexer_with, page};

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
        for (request, answer, simulated) in [(tokens, no_tokens, indexer), (request("USD"), coins, market)] {
            let ticket = app.start(&request);
            let receipt = Receipt { simulated, ..app.receipt() };
            let answer = Some(std::sync::Arc::new(answer));
            app.send(Message::Fetch(Event::Arrived { request, ticket, answer, receipt }));
        }
        assert_eq!(price(&app, "ordi"), expected, "market {market}, indexer {indexer}");
    }
}
