//! The 24h ranges of the exchange, where a list has none.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use satscope::app::Message;
use satscope::app::screen::list::{Sort, SortColumn};
use satscope::fetch::{Event, Receipt, Tick};
use satscope::model::{CoinId, Currency, DayRange, Tag, Text};

use super::fixtures::{App, all, many, page};

fn id(n: u32) -> CoinId {
    CoinId(Text::from(format!("id-coin-{n}")))
}

#[test]
fn list_is_sorted_by_the_ranges_that_it_shows() {
    let mut app = App::new();
    let mut coins = many(1, 200);
    coins.iter_mut().for_each(|coin| (coin.low_24h, coin.high_24h) = (None, None));
    let (request, receipt) = (all(1), app.receipt());
    let fetch_id = app.start(&request);
    let receipt = Receipt { provider: Some(Text::const_new("coinmarketcap")), ..receipt };
    let response = Some(Arc::new(page(coins, Some(200))));
    app.send(Message::Fetch(Event::Arrived { request, fetch_id, response, receipt }));
    let first = |app: &App| app.state.list(Tag::All).get(0).unwrap().id.clone();
    app.state.list_mut(Tag::All).sort_by(Sort { column: SortColumn::Range, descending: true });
    assert_eq!(first(&app), id(1), "none has a range");
    let tick = |n: u32, low: f64, high: f64| {
        let range = Some(DayRange { low, high });
        (id(n), Tick { price: f64::from(n), range, at: app.now })
    };
    // Coin 5 is near its highest price, coin 3 near its lowest.
    let ticks = HashMap::from([tick(3, 2.9, 4.0), tick(4, 3.5, 4.5), tick(5, 4.0, 5.1)]);
    let (provider, convert) = (Text::const_new("binance"), Currency::usd());
    app.send(Message::Fetch(Event::Prices { provider, convert, ticks }));
    assert_eq!(first(&app), id(5));
    for (column, descending, expected) in [
        (SortColumn::Range, false, 3),
        (SortColumn::Low, true, 5),
        (SortColumn::Low, false, 3),
        (SortColumn::High, true, 5),
        (SortColumn::High, false, 3),
    ] {
        app.state.list_mut(Tag::All).sort_by(Sort { column, descending });
        assert_eq!(first(&app), id(expected), "{column:?} {descending}");
    }
}

#[test]
fn range_that_is_older_than_the_poll_does_not_sort_the_list() {
    let mut app = App::new();
    let mut coins = many(1, 200);
    coins.iter_mut().for_each(|coin| (coin.low_24h, coin.high_24h) = (None, None));
    let response = |app: &mut App| {
        let (request, receipt) = (all(1), app.receipt());
        let fetch_id = app.start(&request);
        let receipt = Receipt { provider: Some(Text::const_new("coinmarketcap")), ..receipt };
        let response = Some(Arc::new(page(coins.clone(), Some(200))));
        app.send(Message::Fetch(Event::Arrived { request, fetch_id, response, receipt }));
    };
    let tick = |app: &mut App, numbers: &[u32]| {
        let tick = |&n: &u32| {
            let price = f64::from(n);
            let range = Some(DayRange { low: price * 0.5, high: price * (1.0 + 1.0 / price) });
            (id(n), Tick { price, range, at: app.now })
        };
        let ticks = numbers.iter().map(tick).collect();
        let (provider, convert) = (Text::const_new("binance"), Currency::usd());
        app.send(Message::Fetch(Event::Prices { provider, convert, ticks }));
    };
    response(&mut app);
    app.state.list_mut(Tag::All).sort_by(Sort { column: SortColumn::High, descending: true });
    let first = |app: &App| app.state.list(Tag::All).get(0).unwrap().id.clone();
    tick(&mut app, &[3, 5]);
    assert_eq!(first(&app), id(5));
    app.wait(Duration::from_secs(150));
    tick(&mut app, &[3]);
    response(&mut app);
    let coin = app.state.coin(&id(5)).unwrap();
    assert_eq!(app.state.live_price(coin, app.state.source_of(&coin.id)), None, "the poll is newer");
    assert_eq!(first(&app), id(3), "the only one with a range");
    tick(&mut app, &[5]);
    app.wait(Duration::from_secs(3));
    assert_eq!(first(&app), id(5), "its row shows a range again");
}
