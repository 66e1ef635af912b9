//! Held coins whose prices their provider has not updated for long.

use ratatui::style::Modifier;
use satscope::client::Notice;
use satscope::model::Coin;

use super::*;

/// ORDI with a price that was updated this many hours ago.
fn ordi(price: Option<f64>, hours: u64, now: UtcTime) -> Coin {
    Coin { updated_at: Some(now.minus(Duration::from_hours(hours))), ..coin(2, "ordi", "ORDI", price) }
}

#[test]
fn list_without_a_current_price_does_not_replace_that_of_the_coin() {
    for (price, hours) in [(None, 0), (Some(5.0), 24 * 11)] {
        let mut app = wallet();
        add(&mut app, "2 ordi @ 8");
        let by_id = demand(&app.state).visible.into_iter().find(|it| matches!(it, Request::CoinsById { .. })).unwrap();
        let current = ordi(Some(11.0), 0, app.now);
        app.answer(&by_id, page(vec![current], Some(1)));
        app.now = app.now.plus(Duration::from_mins(1));
        let listed = ordi(price, hours, app.now);
        app.answer(&all(1), page(vec![listed], Some(1)));
        assert_eq!(value(&app), "22", "{price:?}");
    }
}

#[test]
fn price_fetched_after_the_clock_was_set_back_replaces_an_earlier_one() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8");
    let by_id = demand(&app.state).visible.into_iter().find(|it| matches!(it, Request::CoinsById { .. })).unwrap();
    app.now = app.now.minus(Duration::from_hours(3));
    app.send(Message::Tick);
    app.wait(Duration::from_mins(1));
    app.answer(&by_id, page(vec![coin(2, "ordi", "ORDI", Some(11.0))], Some(1)));
    assert_eq!(value(&app), "22");
}

#[test]
fn row_with_an_old_price_is_dimmed() {
    for (hours, expected) in [(0, false), (24 * 11, true)] {
        let preferences = Preferences { watched: Vec::new(), images: false, ..Preferences::default() };
        let mut screen = Screen::with(preferences, 120, 35);
        let now = screen.state.now;
        let bitcoin = Coin { updated_at: Some(now), ..coin(1, "bitcoin", "BTC", Some(60_000.0)) };
        screen.answer(&all(1), page(vec![bitcoin, ordi(Some(8.41), hours, now)], Some(2)));
        // The selection is on the other row.
        screen.keys("4a2 ordi @ 8<enter>a1 bitcoin @ 50000<enter><home>");
        let text = screen.text();
        assert_eq!((is_dim(&mut screen, "8.41"), text.contains("old price: ORDI")), (expected, expected), "{text}");
    }
}

#[test]
fn watched_row_with_an_old_price_is_dimmed() {
    for (hours, expected) in [(0, false), (24 * 11, true)] {
        let watched = |slug: &str, symbol: &str| {
            let id = Some(format!("id-{slug}").into());
            Watched { symbol: symbol.into(), slug: Some(slug.into()), id }
        };
        // The selection is on the first row.
        let watched = vec![watched("bitcoin", "BTC"), watched("ordi", "ORDI")];
        let preferences = Preferences { watched, images: false, ..Preferences::default() };
        let mut screen = Screen::with(preferences, 120, 35);
        let now = screen.state.now;
        let bitcoin = Coin { updated_at: Some(now), ..coin(1, "bitcoin", "BTC", Some(60_000.0)) };
        screen.answer(&all(1), page(vec![bitcoin], Some(1)));
        screen.keys("4");
        let wanted = |screen: &Screen, is_it: fn(&Request) -> bool| screen.wanted().into_iter().find(is_it).unwrap();
        let prices = wanted(&screen, |request| matches!(request, Request::MarketData { .. }));
        screen.answer(&prices, ResponseData::Market(vec![series("ORDI", "ordi")]));
        let by_id = wanted(&screen, |request| matches!(request, Request::CoinsById { .. }));
        screen.answer(&by_id, page(vec![ordi(Some(8.41), hours, now)], Some(1)));
        assert_eq!(is_dim(&mut screen, "8.41"), expected, "{}", screen.text());
    }
}

/// Whether the first line with a price is dimmed.
fn is_dim(screen: &mut Screen, price: &str) -> bool {
    let text = screen.text();
    let found = (0..).zip(text.lines()).find_map(|(row, line)| Some((row, line.split_once(price)?.0)));
    let (row, before) = found.unwrap_or_else(|| panic!("{text}"));
    let column = u16::try_from(before.chars().count()).unwrap();
    screen.paint().cell((column, row)).unwrap().modifier.contains(Modifier::DIM)
}

#[test]
fn status_shows_the_notice_of_several_responses_once() {
    let mut screen = Screen::new(120, 60);
    for tab in ["1", "2"] {
        screen.keys(tab);
        let list = screen.wanted().into_iter().find(|request| matches!(request, Request::Coins { .. })).unwrap();
        let notice = || Some(Box::new(Notice::from("No new price of ORDI since 2026-11-10 08:00 UTC")));
        screen.answer_as(&list, page(three(), Some(3)), |receipt| Receipt { notice: notice(), ..receipt });
    }
    screen.keys("6");
    let text = screen.text();
    assert_eq!(text.matches("No new price of ORDI").count(), 1, "{text}");
}
