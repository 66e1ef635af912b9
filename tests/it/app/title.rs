//! The coin in the window title.

use std::time::Duration;

use satscope::app::{Preferences, demand};
use satscope::client::Request;
use satscope::model::CoinId;
use satscope::model::Currency;
use satscope::view::window_title;

use super::fixtures::{App, all, coin, page, three};

fn titled(name: &str) -> App {
    App::with(Preferences { title: Some(name.into()), ..Preferences::default() })
}

fn by_id(id: &str) -> Request {
    Request::CoinsById { ids: vec![CoinId(id.into())], convert: Currency::usd() }
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
    assert!(needs(&app).contains(&all(1)), "a list to find it in");
    app.answer(&all(1), page(three(), Some(3)));
    assert!(needs(&app).contains(&by_id("id-ordi")));
    app.answer(&by_id("id-ordi"), page(vec![coin(2, "ordi", "ORDI", Some(21.5))], None));
    assert_eq!(window_title(&app.state).as_deref(), Some("ORDI 21.50"));
    app.wait(Duration::from_hours(1));
    assert_eq!(window_title(&app.state).as_deref(), Some("ORDI 21.50 (1 h old)"));
    assert!(!needs(&App::new()).contains(&all(1)), "off by default");
}

#[test]
fn symbol_of_several_coins_has_no_title() {
    let mut app = titled("cat");
    let coins = vec![coin(1, "cat-one", "CAT", Some(1.0)), coin(2, "cat-two", "CAT", Some(2.0))];
    app.answer(&all(1), page(coins, Some(2)));
    assert_eq!(window_title(&app.state), None);
}
