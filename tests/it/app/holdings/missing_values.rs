//! Why prices or the total are missing.

use super::*;

/// Changes the currency to EUR, and returns the request for the first page in it.
fn choose_euros(app: &mut App) -> Request {
    app.keys("c");
    app.keys("eur");
    app.key(KeyCode::Enter);
    let convert = Currency::parse("EUR").unwrap();
    assert_eq!(app.state.convert, convert);
    Request::Coins { tag: Tag::All, start: 1, limit: 200, convert }
}

#[test]
fn holding_says_that_the_service_has_its_price_only_in_another_currency() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8");
    let list = choose_euros(&mut app);
    let is_by_id = |request: &Request| matches!(request, Request::CoinsById { .. });
    let prices = demand(&app.state).visible.into_iter().find(is_by_id).unwrap();
    let fetch_id = app.start(&prices);
    let screen = app.screen((120, 35));
    assert!(screen.contains("€—") && screen.contains("loading…") && !screen.contains("only in"), "{screen}");
    app.arrive(&prices, fetch_id, page(three()[1..2].to_vec(), Some(1)));
    assert!(!app.screen((120, 35)).contains("only in"), "the list may have it in EUR");
    app.answer(&list, page(three(), Some(3)));
    for size in [(160, 45), (120, 35), (80, 24)] {
        let screen = app.screen(size);
        let row = screen.lines().find(|line| line.contains("▸ ordi")).unwrap();
        assert!(row.contains("only in USD"), "{screen}");
        assert!(screen.contains("€—  ") && screen.contains("prices only in USD"), "{screen}");
    }
    let mut in_euros = three();
    in_euros.iter_mut().for_each(|coin| coin.convert = app.state.convert.clone());
    app.answer(&list, page(in_euros, Some(3)));
    let screen = app.screen((120, 35));
    assert!(screen.contains("€16.00") && !screen.contains("only in"), "{screen}");
}

#[test]
fn totals_of_holdings_without_ids_say_why_prices_are_missing() {
    let mut other = wallet();
    add(&mut other, "2 ordi @ 8");
    let by_slug = Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: None };
    let lot = Lot { coin: by_slug, ..other.state.user.current().lots[0].clone() };
    let mut app = wallet();
    app.send(Message::Loaded(Box::new(UserData { lots: vec![lot], ..UserData::default() })));
    assert_eq!(value(&app), "20");
    let list = choose_euros(&mut app);
    let totals = |app: &mut App| app.screen((120, 35)).lines().nth(1).unwrap().to_owned();
    app.start(&list);
    let line = totals(&mut app);
    assert!(line.contains("€—") && line.contains("loading…"), "{line}");
    app.fail(&list);
    let line = totals(&mut app);
    assert!(line.contains("€—") && line.contains("Can't reach"), "{line}");
}
