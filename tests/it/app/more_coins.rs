//! Coins beyond the loaded pages: found by name, opened, watched, and priced by id.

use std::time::Duration;

use crossterm::event::KeyCode;
use satscope::app::{Effect, Message, Overlay, Preferences, demand};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::fetch::Receipt;
use satscope::model::{Coin, CoinId, CoinName, Currency, IndexedName, Tag, Text};
use satscope::user_data::{Change, Watched};

use crate::support::screen::{Screen, fixture};

use super::fixtures::{App, all, coin, many, page, series, three};

/// The names of the list's coins and of some others.
fn names() -> Vec<IndexedName> {
    let mut names = Vec::new();
    for (rank, slug, symbol) in [
        (1, "bitcoin", "BTC"),
        (2, "ordi", "ORDI"),
        (3, "void", "VOID"),
        (7_000, "ordinary", "ORDY"),
        (9_000, "bordeaux", "BORD"),
        (6_000, "ordi-two", "ORDI"),
    ] {
        let (id, name, symbol) = (format!("id-{slug}").into(), slug.into(), symbol.into());
        names.push(IndexedName::from(CoinName { id, slug: slug.into(), symbol, name, rank: Some(rank) }));
    }
    names
}

/// These names and many others, which no query here finds.
fn many_names(count: u32) -> Vec<IndexedName> {
    let other = |n: u32| {
        let slug: Text = format!("coin-{n}").into();
        let (id, symbol) = (format!("id-{slug}").into(), format!("C{n}").into());
        IndexedName::from(CoinName { id, slug: slug.clone(), symbol, name: slug, rank: Some(n) })
    };
    names().into_iter().chain((1..=count).map(other)).collect()
}

fn by_id(ids: &[&str]) -> Request {
    let ids = ids.iter().map(|id| CoinId((*id).into())).collect();
    Request::CoinsById { ids, convert: Currency::usd() }
}

/// The list of three coins, which is all that it has, with a query.
fn searching(query: &str) -> App {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("/");
    app.keys(query);
    app
}

#[test]
fn names_are_requested_only_for_a_search_of_all_coins() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    let wants_names = |app: &App| demand(&app.state).visible.contains(&Request::CoinNames);
    assert!(!wants_names(&app));
    app.keys("/");
    assert!(!wants_names(&app), "not before the first letter");
    app.keys("o");
    assert!(wants_names(&app));
    app.key(KeyCode::Esc);
    assert!(!wants_names(&app));
    app.keys("2/o");
    assert!(!wants_names(&app), "the other lists have tags, which names lack");
}

#[test]
fn search_continues_in_the_names_of_all_coins() {
    let mut app = searching("ord");
    assert_eq!(app.slugs(), ["ordi"]);
    app.answer(&Request::CoinNames, ResponseData::CoinNames(names()));
    // The loaded coins first, each coin once, exact matches and ranks before others.
    assert_eq!(app.slugs(), ["ordi", "ordi-two", "ordinary", "bordeaux"]);
    assert_eq!(app.selected(), "ordi");
    app.keys("in");
    assert_eq!((app.slugs(), app.selected()), (vec!["ordinary"], "ordinary"));
    app.key(KeyCode::Esc);
    assert_eq!(app.slugs(), ["bitcoin", "ordi", "void"]);
}

#[test]
fn search_finds_names_by_the_beginning_of_their_slugs() {
    let mut app = searching("bank-Ord");
    let (id, name, symbol) = ("id-bank".into(), "Bank (Ordinals)".into(), "BANK".into());
    let bank = CoinName { id, slug: "bank-ordinals".into(), symbol, name, rank: Some(1_024) };
    app.answer(&Request::CoinNames, ResponseData::CoinNames([names(), vec![IndexedName::from(bank)]].concat()));
    assert_eq!(app.slugs(), ["bank-ordinals"]);
    app.keys("x");
    assert_eq!(app.slugs(), [""; 0]);
}

#[test]
fn known_names_replace_the_other_pages_in_a_search() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(9_000)));
    app.keys("/ord");
    assert!(demand(&app.state).visible.contains(&all(201)), "there may be no names");
    app.answer(&all(201), page(many(201, 200), Some(9_000)));
    let wants = |app: &App, start| demand(&app.state).visible.contains(&all(start));
    app.fail(&all(401));
    assert!(wants(&app, 401));
    // There were some fewer coins when the names were loaded.
    app.answer(&Request::CoinNames, ResponseData::CoinNames(many_names(8_900)));
    for key in [KeyCode::Char('i'), KeyCode::Enter] {
        app.key(key);
        assert_eq!((app.slugs().len(), wants(&app, 401)), (3, false));
        let shown = app.screen((160, 45));
        assert!(shown.contains("3 of 8,906 coins") && !shown.contains(" more"), "{shown}");
    }
    let prices = by_id(&["id-ordi", "id-ordi-two", "id-ordinary"]);
    assert!(demand(&app.state).visible.contains(&prices), "they don't wait for that page");
    // A sort order needs the values of all coins.
    app.keys("sp");
    assert!(wants(&app, 401));
}

#[test]
fn too_few_names_do_not_replace_the_other_pages_in_a_search() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(600)));
    app.keys("/ord");
    app.answer(&Request::CoinNames, ResponseData::CoinNames(names()));
    assert_eq!(app.slugs(), ["ordi", "ordi-two", "ordinary", "bordeaux"]);
    let shown = app.screen((160, 45));
    assert!(shown.contains("4 found · searched 200 of 600"), "{shown}");
    app.answer(&all(201), page(many(201, 200), Some(600)));
    let last = [many(401, 199), vec![coin(600, "ordeal", "ORDL", Some(0.5))]].concat();
    app.answer(&all(401), page(last, Some(600)));
    assert_eq!(app.slugs(), ["ordeal", "ordi", "ordi-two", "ordinary", "bordeaux"]);
    let shown = app.screen((160, 45));
    assert!(shown.contains("5 of 600 coins"), "{shown}");
}

#[test]
fn names_of_a_list_without_a_length_replace_its_other_pages_only_in_our_own_service() {
    for (provider, wants_page) in [(None, true), (Some("coingecko"), false)] {
        let mut app = App::new();
        app.answer_as(&all(1), page(many(1, 200), None), |receipt| Receipt {
            provider: provider.map(Text::from),
            ..receipt
        });
        app.keys("/ordi");
        app.answer(&Request::CoinNames, ResponseData::CoinNames(many_names(300)));
        app.key(KeyCode::Enter);
        assert_eq!(demand(&app.state).visible.contains(&all(201)), wants_page, "{provider:?}");
    }
}

#[test]
fn prices_of_found_coins_are_requested_once_the_query_is_complete() {
    let mut app = searching("ord");
    app.answer(&Request::CoinNames, ResponseData::CoinNames(names()));
    let ids = by_id(&["id-ordi-two", "id-ordinary", "id-bordeaux"]);
    assert!(!demand(&app.state).visible.contains(&ids), "each letter would be another request");
    app.key(KeyCode::Enter);
    assert!(demand(&app.state).visible.contains(&ids));
    app.keys("jj");
    assert_eq!(app.selected(), "ordinary");
    let price = |app: &App| app.state.list(Tag::All).selected().and_then(|coin| coin.price);
    assert_eq!(price(&app), None);
    app.answer(&ids, page(vec![coin(7_000, "ordinary", "ORDY", Some(0.25))], None));
    assert_eq!((app.selected(), price(&app)), ("ordinary", Some(0.25)));
    // A page that arrives later may have one of them.
    app.answer(&all(1), page([three(), vec![coin(4, "ordinary", "ORDY", Some(0.5))]].concat(), Some(4)));
    assert_eq!(app.slugs(), ["ordi", "ordinary", "ordi-two", "bordeaux"]);
    assert_eq!((app.selected(), price(&app)), ("ordinary", Some(0.5)));
}

#[test]
fn failed_prices_of_found_coins_have_a_reason() {
    let mut app = searching("ord");
    app.answer(&Request::CoinNames, ResponseData::CoinNames(names()));
    app.key(KeyCode::Enter);
    let ids = by_id(&["id-ordi-two", "id-ordinary", "id-bordeaux"]);
    app.start(&ids);
    assert!(!app.screen((80, 24)).contains("Can't load"));
    app.fail(&ids);
    for (size, reason) in [
        ((160, 45), "Can't load all prices · Can't reach x (connection refused) · retrying in"),
        ((80, 24), "Can't load all prices · Can't reach x (connection refused) · retrying in"),
        ((40, 12), "Can't load all prices · refused"),
    ] {
        let shown = app.screen(size);
        assert!(shown.contains(reason), "{size:?}: {shown}");
    }
    app.answer(&ids, page(vec![coin(7_000, "ordinary", "ORDY", Some(0.25))], None));
    assert!(!app.screen((80, 24)).contains("Can't load"));
}

#[test]
fn alert_on_a_found_coin_offers_its_price_once_it_is_known() {
    let mut app = searching("ordinary");
    app.answer(&Request::CoinNames, ResponseData::CoinNames(names()));
    app.key(KeyCode::Enter);
    assert_eq!(app.selected(), "ordinary");
    app.keys("!");
    let suggestions = |app: &App| match &app.state.overlay {
        Some(Overlay::Alerts(dialog)) => dialog.suggestions.clone(),
        _ => panic!("no dialog"),
    };
    let [change]: [String; 1] = suggestions(&app).try_into().unwrap();
    app.answer(&by_id(&["id-ordinary"]), page(vec![coin(7_000, "ordinary", "ORDY", Some(0.25))], None));
    assert_eq!(suggestions(&app), ["ordinary > 0.2625 usd", "ordinary < 0.2375 usd", change.as_str()]);
    let line = |app: &App| match &app.state.overlay {
        Some(Overlay::Alerts(dialog)) => dialog.line.as_ref().map(|line| line.value().to_owned()),
        _ => None,
    };
    assert_eq!(line(&app), Some(change), "the line doesn't change");
    app.key(KeyCode::Up);
    assert_eq!(line(&app).as_deref(), Some("ordinary < 0.2375 usd"));
}

#[test]
fn prices_of_found_coins_are_requested_once_typing_pauses() {
    let mut app = searching("or");
    app.answer(&Request::CoinNames, ResponseData::CoinNames(names()));
    let wants_coins =
        |app: &App| demand(&app.state).visible.iter().any(|request| matches!(request, Request::CoinsById { .. }));
    app.wait(Duration::from_millis(300));
    app.keys("d");
    app.wait(Duration::from_millis(300));
    assert!(!wants_coins(&app), "the second letter began another wait");
    app.wait_for_deadlines(Duration::from_millis(200));
    let ids = by_id(&["id-ordi-two", "id-ordinary", "id-bordeaux"]);
    assert!(demand(&app.state).visible.contains(&ids), "the loop wakes up for it");
    app.answer(&ids, page(vec![coin(7_000, "ordinary", "ORDY", Some(0.25))], None));
    let shown = app.screen((160, 45));
    assert!(shown.contains("0.25") && shown.contains("/ord"), "{shown}");
    app.keys("i");
    assert!(!wants_coins(&app), "the query changed");
    app.wait_for_deadlines(Duration::from_millis(500));
    let fewer = by_id(&["id-ordi-two", "id-ordinary"]);
    assert!(demand(&app.state).visible.contains(&fewer));
    app.key(KeyCode::Enter);
    assert!(demand(&app.state).visible.contains(&fewer), "Enter adds no other request");
    // Editing the query again doesn't stop their refresh until it changes.
    app.keys("/");
    assert!(demand(&app.state).visible.contains(&fewer));
    app.keys("n");
    app.now = app.now.minus(Duration::from_hours(1));
    app.send(Message::Tick);
    assert!(wants_coins(&app), "not an hour later, since the clock was set back");
}

#[test]
fn found_coin_opens_with_its_price_and_is_watched_by_id() {
    let mut app = searching("ordinary");
    app.answer(&Request::CoinNames, ResponseData::CoinNames(names()));
    app.key(KeyCode::Enter);
    let watched = Watched { symbol: "ORDY".into(), slug: Some("ordinary".into()), id: Some("id-ordinary".into()) };
    assert_eq!(app.keys("f"), [Effect::Save(1, Change::Watch(watched))]);
    app.key(KeyCode::Enter);
    let token = app.state.token.as_ref().unwrap();
    assert_eq!((token.name.as_str(), token.slug.as_deref()), ("ordinary", Some("ordinary")));
    assert!(demand(&app.state).visible.contains(&by_id(&["id-ordinary"])));
    app.answer(&by_id(&["id-ordinary"]), page(vec![coin(7_000, "ordinary", "ORDY", Some(0.25))], None));
    let id = CoinId("id-ordinary".into());
    assert_eq!(app.state.coin(&id).and_then(|coin| coin.price), Some(0.25));
}

#[test]
fn search_has_only_filtered_coins_once_a_rejected_currency_restores_the_filter() {
    let mut app = searching("ord");
    app.answer(&Request::CoinNames, ResponseData::CoinNames(names()));
    app.key(KeyCode::Esc);
    app.keys("Feprice > $5");
    app.key(KeyCode::Enter);
    app.keys("/ord");
    app.key(KeyCode::Enter);
    assert_eq!(app.slugs(), ["ordi"]);
    app.keys("czzz");
    app.key(KeyCode::Enter);
    assert_eq!(app.slugs(), ["ordi", "ordi-two", "ordinary", "bordeaux"], "the filter names dollars");
    let pages = demand(&app.state).visible.into_iter().find(|request| matches!(request, Request::Coins { .. }));
    app.fail_with(&pages.unwrap(), ErrorKind::Status { status: 400, message: None, retry_after: None });
    assert!(app.state.convert.as_str() == "USD" && app.state.list(Tag::All).applied_filter().is_some());
    assert_eq!(app.slugs(), ["ordi"]);
}

#[test]
fn service_without_names_searches_the_list_with_a_note() {
    let mut app = searching("ord");
    app.fail_with(&Request::CoinNames, ErrorKind::Status { status: 404, message: None, retry_after: None });
    assert!(!demand(&app.state).visible.contains(&Request::CoinNames));
    assert_eq!(app.slugs(), ["ordi"]);
    app.key(KeyCode::Esc);
    app.keys("6");
    let lines = satscope::app::status::lines(&app.state, 100);
    let words: Vec<String> = lines.iter().map(|line| format!("{line:?}")).collect();
    assert!(words.iter().any(|line| line.contains("Full coin search: not supported by this service")), "{words:?}");
    assert!(words.iter().any(|line| line.contains("No errors")), "{words:?}");
}

#[test]
fn service_whose_names_are_once_empty_and_then_no_list_lacks_them() {
    let mut screen = Screen::new(120, 35);
    screen.serve(fixture::response);
    screen.keys("/zz");
    screen.answer(&Request::CoinNames, ResponseData::CoinNames(Vec::new()));
    for _ in 0..3 {
        screen.wait(Duration::from_hours(25));
        screen.answer(&all_of(100), fixture::response(&all_of(100)).unwrap());
        assert!(screen.wanted().contains(&Request::CoinNames), "{:?}", screen.wanted());
        screen.fail(&Request::CoinNames, ErrorKind::NotJson(String::from("{}")));
        assert!(!screen.wanted().contains(&Request::CoinNames));
        let header = screen.text().lines().next().unwrap().to_owned();
        assert!(header.contains('●') && !header.contains('×'), "{header}");
    }
    // Once there were names, the same error is a failure.
    screen.wait(Duration::from_hours(25));
    screen.answer(&all_of(100), fixture::response(&all_of(100)).unwrap());
    screen.answer(&Request::CoinNames, ResponseData::CoinNames(names()));
    screen.fail(&Request::CoinNames, ErrorKind::NotJson(String::from("{}")));
    assert!(screen.wanted().contains(&Request::CoinNames));
    assert!(screen.text().lines().next().unwrap().contains('×'), "{}", screen.text());
}

/// The first page of all coins.
fn all_of(limit: u32) -> Request {
    Request::Coins { tag: Tag::All, start: 1, limit, convert: Currency::usd() }
}

#[test]
fn watched_coins_get_their_current_prices_by_id() {
    let watched = vec![
        Watched { symbol: "ORDY".into(), slug: Some("ordinary".into()), id: Some("id-ordinary".into()) },
        Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("id-ordi".into()) },
        Watched { symbol: "BORD".into(), slug: Some("bordeaux".into()), id: Some("id-bordeaux".into()) },
        Watched::by_symbol("NOBODY"),
    ];
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("4");
    let wanted = demand(&app.state).visible;
    assert!(!wanted.iter().any(|request| matches!(request, Request::CoinsById { .. })), "a series may arrive");
    app.answer(&wanted[0].clone(), ResponseData::Market(vec![series("BORD", "bordeaux")]));
    // Not the one whose id is unknown.
    let request = by_id(&["id-bordeaux", "id-ordi", "id-ordinary"]);
    assert!(demand(&app.state).visible.contains(&request), "{:?}", demand(&app.state).visible);
    let before = app.screen((120, 35));
    app.wait(std::time::Duration::from_secs(60));
    let prices = [coin(7_000, "ordinary", "ORDY", Some(0.25)), coin(900, "bordeaux", "BORD", Some(321.5))];
    app.answer(&request, page(prices.to_vec(), None));
    assert_eq!(app.state.watched_coin(0).and_then(|coin| coin.price), Some(0.25));
    assert!(demand(&app.state).visible.contains(&request), "and is kept fresh");
    let screen = app.screen((120, 35));
    assert!(!before.contains("321.50") && screen.contains("321.50"), "newer than its series: {screen}");
}

#[test]
fn search_of_many_names_shows_the_best_ones() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(200)));
    let name = |n: u32| {
        let slug: Text = format!("coin-{n}").into();
        let (id, name) = (format!("id-{slug}").into(), slug.clone());
        IndexedName::from(CoinName { id, slug, symbol: "SAME".into(), name, rank: Some(n) })
    };
    let names = (1..=5_000).map(name).collect();
    app.keys("/coin");
    app.answer(&Request::CoinNames, ResponseData::CoinNames(names));
    let list = app.state.list(Tag::All);
    let more: Vec<Option<u32>> = list.more_coins().iter().map(|coin: &Coin| coin.rank).collect();
    assert_eq!((more.len(), more[0], more[49]), (50, Some(201), Some(250)));
    assert_eq!((list.len(), list.searched_names()), (250, Some(5_000)));
    let shown = app.screen((120, 35));
    assert!(shown.contains("250+ of 5,000 coins") && shown.contains("row 1 of 250+"), "{shown}");
    app.keys("-1234");
    let shown = app.screen((120, 35));
    assert!(shown.contains(" 1 of 5,000 coins\n") && shown.contains("row 1 of 1\n"), "{shown}");
}
