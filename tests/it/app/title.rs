//! The coin in the window title.

use std::time::Duration;

use satscope::app::{Preferences, demand};
use satscope::client::{Request, ResponseData};
use satscope::model::{CoinId, CoinName, Currency, IndexedName};
use satscope::view::window_title;

use super::fixtures::{App, all, coin, page, three};

fn titled(name: &str) -> App {
    App::with(Preferences { title: Some(name.into()), ..Preferences::default() })
}

fn by_id(id: &str) -> Request {
    Request::CoinsById { ids: vec![CoinId(id.into())], convert: Currency::usd() }
}

/// The names of coins: id, slug and symbol.
fn names(all: &[(&str, &str, &str)]) -> ResponseData {
    let name = |&(id, slug, symbol): &(&str, &str, &str)| CoinName {
        id: id.into(),
        slug: slug.into(),
        symbol: symbol.into(),
        name: slug.into(),
        rank: None,
    };
    ResponseData::CoinNames(all.iter().map(name).map(IndexedName::from).collect())
}

#[test]
fn title_is_symbol_price_and_change() {
    let mut app = titled("ordi");
    assert_eq!(window_title(&app.state), None);
    let mut coins = three();
    for (change, title) in [
        (Some(-13.37), "ORDI 17.24 ▼13%"),
        (Some(0.24), "ORDI 17.24 ▲0.2%"),
        (Some(9.96), "ORDI 17.24 ▲10%"),
        (None, "ORDI 17.24"),
    ] {
        (coins[1].price, coins[1].change_24h_pct) = (Some(17.24), change);
        app.answer(&all(1), page(coins.clone(), Some(3)));
        assert_eq!(window_title(&app.state).as_deref(), Some(title));
    }
    coins[1].symbol = "OR\u{7}DI\u{1b}]0;x".into();
    app.answer(&all(1), page(coins, Some(3)));
    let title = window_title(&app.state).unwrap();
    assert!(!title.contains(char::is_control), "{title:?}");
}

#[test]
fn coin_of_the_title_is_needed_on_every_screen() {
    let mut app = titled("ORDI");
    app.keys("6");
    let needs = |app: &App| demand(&app.state).background.into_iter().map(|need| need.request).collect::<Vec<_>>();
    assert!(needs(&app).contains(&Request::CoinNames), "to find it in");
    app.answer(&Request::CoinNames, names(&[("id-ordi", "ordi", "ORDI"), ("id-x", "ordi-x", "ORDX")]));
    assert!(needs(&app).contains(&by_id("id-ordi")) && !needs(&app).contains(&Request::CoinNames));
    app.answer(&by_id("id-ordi"), page(vec![coin(2, "ordi", "ORDI", Some(21.5))], None));
    assert_eq!(window_title(&app.state).as_deref(), Some("ORDI 21.50"));
    app.wait(Duration::from_hours(1));
    assert_eq!(window_title(&app.state).as_deref(), Some("ORDI 21.50 (1 h old)"));
    assert!(!needs(&App::new()).contains(&Request::CoinNames), "off by default");
}

#[test]
fn ambiguous_or_unknown_name_is_reported_once() {
    let cats = [("1", "cat-one", "CAT"), ("2", "cat-two", "CAT")];
    for (name, problem) in
        [("cat", "Window title: 2 coins use cat (use the slug)"), ("dog", "Window title: unknown coin dog")]
    {
        let mut app = titled(name);
        app.answer(&Request::CoinNames, names(&cats));
        assert_eq!(app.state.toast.as_ref().map(|toast| toast.text.as_str()), Some(problem));
        app.wait(Duration::from_hours(1));
        app.answer(&all(1), page(three(), Some(3)));
        assert_eq!((app.state.toast.is_none(), window_title(&app.state)), (true, None));
    }
    let mut app = titled("cat-two");
    app.answer(&Request::CoinNames, names(&cats));
    assert!(demand(&app.state).background.iter().any(|need| need.request == by_id("2")));
}
