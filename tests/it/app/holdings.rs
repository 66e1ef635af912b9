//! The wallet's holdings: adding, editing, removing and undoing lots by keys, and what the screen shows.

use std::time::Duration;

use crossterm::event::KeyCode;
use jiff::civil::date;
use satscope::app::{Effect, Message, Overlay, Preferences, demand};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::model::{CoinId, Currency, HistoricalRate, Period, Point, UtcTime};
use satscope::user_data::{Change, Lot, LotId, LotKind, LotPrice, UserData, Watched};

use super::fixtures::{App, all, coin, page, series, three};
use crate::support::indexer;
use crate::support::screen::Screen;

/// The wallet tab without watched coins; the list has ORDI at 10.
fn wallet() -> App {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    let mut coins = three();
    coins[1].price = Some(10.0);
    coins[1].change_24h_pct = Some(25.0);
    app.answer(&all(1), page(coins, Some(3)));
    app.keys("4");
    app
}

/// Opens the line, types a lot and applies it.
fn add(app: &mut App, line: &str) -> Vec<Effect> {
    app.keys("a");
    app.keys(line);
    app.key(KeyCode::Enter)
}

/// The lot of the only saved change.
fn saved(effects: &[Effect]) -> &Change {
    match effects {
        [Effect::Save(_, change)] => change,
        other => panic!("{other:?}"),
    }
}

fn toast(app: &App) -> &str {
    app.state.toast.as_ref().map_or("", |toast| toast.text.as_str())
}

fn value(app: &App) -> String {
    app.state.wallet.holdings().valuation().value.to_string()
}

#[test]
fn unreadable_lots_are_not_shown_as_an_empty_wallet() {
    let reason = String::from("Can't read lots (unexpected table structure)");
    for watched in [Vec::new(), vec![Watched::by_symbol("BTC")]] {
        let mut app = App::with(Preferences { watched, ..Preferences::default() });
        let data = UserData { unreadable_holdings: Some(reason.clone()), ..UserData::default() };
        app.send(Message::Loaded(Box::new(data)));
        app.keys("4");
        let screen = app.screen((80, 24));
        assert!(screen.contains(&reason) && !screen.contains("add a lot"), "{screen}");
    }
}

#[test]
fn typed_lot_is_saved_and_valued() {
    let mut app = wallet();
    let effects = add(&mut app, "2.5 ordi @ 8 2026-11-01");
    let Change::AddLot(lot) = saved(&effects) else { panic!("{effects:?}") };
    let ordi = Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("id-ordi".into()) };
    assert_eq!((lot.id, lot.kind, &lot.coin), (LotId(-1), LotKind::Buy, &ordi));
    assert_eq!((lot.amount.to_string().as_str(), &lot.currency), ("2.5", &Currency::usd()));
    assert_eq!(lot.price, Some(LotPrice::Unit("8".parse().unwrap())));
    assert_eq!(value(&app), "25");
    let screen = app.screen((120, 35));
    assert!(screen.contains("$25.00") && screen.contains("(+$5.00)") && screen.contains("▲25.0%"), "{screen}");
}

#[test]
fn large_profit_is_shown_at_every_width() {
    let mut app = wallet();
    add(&mut app, "15000000 ordi @ 1 2026-11-01");
    for (size, profit) in [((160, 45), " +135,000,000 "), ((120, 35), " +135.0M "), ((80, 24), " +135.0M")] {
        let screen = app.screen(size);
        assert!(screen.contains(profit), "{size:?}: {screen}");
    }
}

#[test]
fn invalid_lot_stays_open_with_one_reason() {
    let mut app = wallet();
    for (line, reason) in [
        ("ordi 500", "expected an amount before ordi, such as 500 ordi"),
        ("500 nothing", "No coin matches nothing"),
        ("1,500 ordi", "ambiguous number 1,500 (expected 1500 or 1.500)"),
        ("1 ordi 2999-01-01", "2999-01-01 is in the future"),
    ] {
        assert_eq!(add(&mut app, line), []);
        assert!(matches!(app.state.overlay, Some(Overlay::Lot { .. })));
        if demand(&app.state).visible.contains(&Request::CoinNames) {
            app.answer(&Request::CoinNames, ResponseData::CoinNames(Vec::new()));
        }
        for size in [(160, 45), (80, 24), (40, 12)] {
            let screen = app.screen(size).to_lowercase();
            let words = screen.split_whitespace().collect::<Vec<_>>().join(" ").replace(" │ │ ", " ");
            assert_eq!(words.matches(&reason.to_lowercase()).count(), 1, "{screen}");
        }
        app.key(KeyCode::Esc);
    }
    assert_eq!(add(&mut app, ""), [], "an empty line closes the dialog");
    assert!(app.state.overlay.is_none());
}

#[test]
fn footer_of_the_lot_dialog_shows_what_enter_does() {
    let mut app = wallet();
    app.keys("a");
    app.keys("2 ordi");
    let screen = app.screen((120, 35));
    assert!(screen.contains("↵ add") && !screen.contains("↑↓ select"), "{screen}");
    app.key(KeyCode::Enter);
    app.keys("e");
    assert!(app.screen((120, 35)).contains("↵ save"), "{}", app.screen((120, 35)));
}

#[test]
fn shared_symbol_asks_which_coin() {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    let coins = vec![coin(1, "cat-one", "CAT", Some(1.0)), coin(2, "cat-two", "CAT", Some(2.0))];
    app.answer(&all(1), page(coins, Some(2)));
    app.keys("4a");
    app.keys("3 cat");
    let screen = app.screen((80, 24));
    assert!(screen.contains("cat-one") && screen.contains("cat-two"), "{screen}");
    app.key(KeyCode::Down);
    app.key(KeyCode::Enter);
    assert_eq!(value(&app), "6", "the second coin costs 2");
}

#[test]
fn lot_is_edited_removed_and_restored() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8 2026-11-01 \"sell above 25\"");
    app.keys("e");
    let Some(Overlay::Lot { input, .. }) = &app.state.overlay else { panic!("{:?}", app.state.overlay) };
    assert_eq!(input.value(), "buy 2 ordi @ 8 USD 2026-11-01 \"sell above 25\"");
    app.key(KeyCode::Home);
    for _ in "buy 2".chars() {
        app.key(KeyCode::Delete);
    }
    app.keys("buy 4");
    let effects = app.key(KeyCode::Enter);
    assert!(matches!(saved(&effects), Change::EditLot(lot) if lot.id == LotId(-1)), "{effects:?}");
    assert_eq!(value(&app), "40");
    let effects = app.keys("d");
    assert!(matches!(saved(&effects), Change::RemoveLot(lot) if lot.id == LotId(-1)), "{effects:?}");
    assert!(app.state.wallet.lines().is_empty());
    for (restored, words) in [("40", "Restored ORDI lot"), ("20", "Restored"), ("0", "Removed ORDI lot")] {
        app.keys("u");
        assert_eq!(value(&app), restored);
        assert!(toast(&app).starts_with(words), "{}", toast(&app));
    }
    assert_eq!(app.keys("u"), []);
    assert_eq!(toast(&app), "Nothing to undo");
}

#[test]
fn undo_finds_the_lot_under_the_number_that_the_store_gave_it() {
    let mut app = wallet();
    let effects = add(&mut app, "2 ordi");
    let Change::AddLot(own) = saved(&effects).clone() else { panic!("{effects:?}") };
    // Another instance took number 1 first.
    let other = Lot { amount: "7".parse().unwrap(), ..(*own).clone() };
    let stored = Lot { id: LotId(2), ..(*own).clone() };
    app.send(Message::Saved(1, Ok(())));
    app.send(Message::Loaded(Box::new(UserData { lots: vec![other, stored], ..UserData::default() })));
    assert_eq!(value(&app), "90");
    app.keys("u");
    assert_eq!(value(&app), "70", "the other instance's lot stays");
}

#[test]
fn undo_of_an_edit_keeps_later_changes_of_another_process() {
    let mut app = wallet();
    let effects = add(&mut app, "13 ordi");
    let Change::AddLot(own) = saved(&effects).clone() else { panic!("{effects:?}") };
    let stored = Lot { id: LotId(1), ..(*own).clone() };
    app.send(Message::Saved(1, Ok(())));
    app.send(Message::Loaded(Box::new(UserData { lots: vec![stored.clone()], ..UserData::default() })));
    app.keys("e");
    app.key(KeyCode::Home);
    for _ in 0..60 {
        app.key(KeyCode::Delete);
    }
    app.keys("20 ordi");
    app.key(KeyCode::Enter);
    assert_eq!(value(&app), "200");
    app.send(Message::Saved(2, Ok(())));
    let edited = Lot { amount: "33".parse().unwrap(), note: Some("mine".into()), ..stored };
    app.send(Message::Loaded(Box::new(UserData { lots: vec![edited], ..UserData::default() })));
    assert_eq!(app.keys("u"), []);
    assert_eq!((toast(&app), value(&app).as_str()), ("Can't undo: the ORDI lot has changed since", "330"));
}

#[test]
fn holding_without_a_price_says_why() {
    let mut app = wallet();
    add(&mut app, "3 void @ 1");
    for size in [(160, 45), (120, 35), (80, 24)] {
        let screen = app.screen(size);
        let row = screen.lines().find(|line| line.contains("▸ void")).unwrap();
        assert!(row.contains("no price"), "{screen}");
    }
    let gone = Watched { symbol: "GONE".into(), slug: Some("gone".into()), id: Some("id-gone".into()) };
    let lot = Lot { coin: gone, ..app.state.user.current().lots[0].clone() };
    app.send(Message::Loaded(Box::new(UserData { lots: vec![lot], ..UserData::default() })));
    let screen = app.screen((120, 35));
    let row = screen.lines().find(|line| line.contains("GONE")).unwrap();
    assert!(!row.contains("no matching coin"), "its price may arrive: {screen}");
    let is_by_id = |request: &Request| matches!(request, Request::CoinsById { .. });
    let prices = demand(&app.state).visible.into_iter().find(is_by_id).unwrap();
    app.answer(&prices, page(three()[2..].to_vec(), Some(1)));
    for (size, words) in [((160, 45), "no matching coin"), ((80, 24), "not matched")] {
        let screen = app.screen(size);
        let row = screen.lines().find(|line| line.contains("GONE")).unwrap();
        assert!(row.contains(words), "{screen}");
    }
}

#[test]
fn unwatching_can_be_undone() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    let symbols = |app: &App| app.state.watched.iter().map(|coin| coin.symbol.to_string()).collect::<Vec<_>>();
    app.keys("f");
    assert_eq!(symbols(&app), ["ORDI", "SATS", "RATS"]);
    app.keys("u");
    assert_eq!(symbols(&app), ["BTC", "ORDI", "SATS", "RATS"]);
}

#[test]
fn holding_shows_its_lots_on_request() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8 2026-11-01");
    add(&mut app, "sell 1 ordi @ 9 2026-11-02");
    assert_eq!(app.state.wallet.lines().len(), 1);
    app.key(KeyCode::Right);
    assert_eq!(app.state.wallet.lines().len(), 3);
    for size in [(160, 45), (80, 24), (40, 12)] {
        let screen = app.screen(size);
        assert!(screen.contains("buy 2026-11-01") && screen.contains("sell 2026-11-02"), "{screen}");
    }
    app.key(KeyCode::Down);
    app.key(KeyCode::Left);
    assert_eq!((app.state.wallet.lines().len(), app.state.wallet.cursor.index()), (1, 0));
    app.key(KeyCode::Enter);
    assert_eq!(app.state.token.as_ref().unwrap().name, "ordi");
}

#[test]
fn hidden_amounts_stay_hidden_and_percentages_visible() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8");
    app.keys("H");
    for size in [(160, 45), (80, 24), (40, 12)] {
        let screen = app.screen(size);
        assert!(screen.contains("•••") && screen.contains("▲25.0%"), "{screen}");
        assert!(!screen.contains("$20") && !screen.contains("20.00"), "{screen}");
    }
    assert_eq!(app.state.session().hides_amounts, Some(true));
}

#[test]
fn prices_of_holdings_are_one_request() {
    let mut app = wallet();
    assert_eq!(demand(&app.state).visible, []);
    add(&mut app, "2 ordi");
    add(&mut app, "1 bitcoin");
    let ids = vec![CoinId("id-bitcoin".into()), CoinId("id-ordi".into())];
    let by_id = Request::CoinsById { ids, convert: Currency::usd() };
    let symbols = vec!["ORDI".into(), "BTC".into()];
    let history = Request::MarketData { symbols, convert: Currency::usd(), count: 169, interval: "1h".into() };
    assert_eq!(demand(&app.state).visible, [by_id.clone(), history], "and one for the chart of their value");
    let fresh = coin(2, "ordi", "ORDI", Some(50.0));
    app.wait(std::time::Duration::from_secs(1));
    app.answer(&by_id, page(vec![fresh], None));
    assert_eq!(value(&app), "60100", "the price fetched for the wallet overrides that of the list");
}

#[test]
fn first_row_is_selected_when_the_first_prices_sort_the_holdings() {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    let lot = |id: i64, slug: &str, symbol: &str| Lot {
        id: LotId(id),
        kind: LotKind::Buy,
        coin: Watched { symbol: symbol.into(), slug: Some(slug.into()), id: None },
        amount: "1".parse().unwrap(),
        price: None,
        fee: None,
        currency: Currency::usd(),
        date: "2026-11-01".parse().unwrap(),
        note: None,
        address: None,
    };
    let lots = vec![lot(1, "ordi", "ORDI"), lot(2, "bitcoin", "BTC")];
    app.send(Message::Loaded(Box::new(UserData { lots, ..UserData::default() })));
    app.keys("4");
    app.answer(&all(1), page(three(), Some(3)));
    let selected = |app: &App| app.state.wallet.selected_holding().unwrap().holding.coin.symbol.clone();
    assert_eq!((app.state.wallet.cursor.index(), selected(&app).as_str()), (0, "BTC"));
    app.key(KeyCode::Down);
    let mut coins = three();
    coins[1].price = Some(1e9);
    app.answer(&all(1), page(coins, Some(3)));
    assert_eq!((app.state.wallet.cursor.index(), selected(&app).as_str()), (0, "ORDI"), "it follows the coin");
}

#[test]
fn holdings_and_watched_coins_are_one_list() {
    let mut app = App::with(Preferences { watched: vec![Watched::by_symbol("VOID")], ..Preferences::default() });
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("4");
    let request = demand(&app.state).visible[0].clone();
    app.answer(&request, ResponseData::Market(vec![series("VOID", "void")]));
    add(&mut app, "2 ordi");
    assert!(app.state.wallet.selected_holding().is_some());
    app.key(KeyCode::Down);
    app.key(KeyCode::Enter);
    assert_eq!(app.state.token.as_ref().unwrap().slug.as_deref(), Some("void"));
}

#[test]
fn lots_in_other_currencies_are_converted_at_the_rates_of_their_days() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8 2026-11-01");
    assert!(rate_requests(&app).is_empty());
    add(&mut app, "1 ordi @ 5 eur 2025-03-02");
    add(&mut app, "1 ordi @ 4 gbp 2025-03-03");
    add(&mut app, "1 ordi @ 0.0001 btc 2025-03-04");
    let [btc, eur, gbp] = ["BTC", "EUR", "GBP"].map(|code| Currency::parse(code).unwrap());
    let days = vec![date(2025, 3, 2), date(2025, 3, 3), date(2025, 3, 4)];
    let from = vec![btc, eur.clone(), gbp];
    let rates = Request::HistoricalRates { days, from, to: Currency::usd() };
    assert_eq!(rate_requests(&app), std::slice::from_ref(&rates));
    app.key(KeyCode::Right);
    let screen = app.screen((120, 35));
    assert!(screen.contains("EUR rate…") && !screen.contains("cost excludes"), "{screen}");

    let rate = |from: &Currency, date, rate: &str| HistoricalRate {
        date,
        from: from.clone(),
        to: Currency::usd(),
        rate: rate.parse().unwrap(),
        quotient: None,
        day: date,
    };
    app.answer(&rates, ResponseData::HistoricalRates(vec![rate(&eur, date(2025, 3, 2), "1.0411")]));
    assert_eq!(app.state.wallet.holdings().valuation().cost.to_string(), "21.2055");
    for size in [(160, 45), (120, 35), (80, 24)] {
        let screen = app.screen(size);
        assert!(screen.contains("no GBP rate") && screen.contains("no BTC rate"), "{screen}");
        assert!(screen.contains("cost excludes 2 lots in BTC, GBP"), "{screen}");
        assert!(!screen.contains("no EUR rate"), "{screen}");
    }
    // Until the rate of another lot arrives, the known ones count.
    add(&mut app, "1 ordi @ 5 eur 2025-03-05");
    assert_eq!(app.state.wallet.holdings().valuation().cost.to_string(), "21.2055");
    app.keys("1");
    assert!(rate_requests(&app).is_empty(), "only the wallet needs rates");
}

#[test]
fn rates_are_not_requested_from_a_service_without_them() {
    let mut app = wallet();
    add(&mut app, "1 ordi @ 5 eur 2025-03-02");
    add(&mut app, "1 ordi @ 5 eur 2025-03-03");
    app.key(KeyCode::Right);
    let requests = rate_requests(&app);
    app.fail_with(&requests[0], ErrorKind::Status { status: 404, message: None, retry_after: None });
    assert!(rate_requests(&app).is_empty());
    let screen = app.screen((120, 35));
    assert_eq!(screen.matches("no EUR rate").count(), 2, "{screen}");
    assert!(screen.contains("cost excludes 2 lots in EUR"), "{screen}");
    app.keys("6");
    assert!(app.screen((120, 35)).contains("Historical exchange rates: not supported by this service"));
}

fn rate_requests(app: &App) -> Vec<Request> {
    demand(&app.state)
        .visible
        .into_iter()
        .filter(|request| matches!(request, Request::HistoricalRates { .. }))
        .collect()
}

#[test]
fn holdings_have_no_unknown_characters_in_ascii() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8 2026-11-01");
    add(&mut app, "1 ordi @ 9 2026-11-02 \"half\"");
    for keys in ["H", "H"] {
        app.keys(keys);
        let unicode = app.screen((160, 45));
        let ascii = satscope::glyphs::Glyphs::Ascii.lines(&unicode).into_owned();
        assert!(ascii.is_ascii() && !ascii.replace("? help", "").contains('?'), "{ascii}");
    }
}

/// The symbols of the holdings in their order.
fn order(app: &App) -> Vec<String> {
    app.state.wallet.holdings().valuation().holdings.iter().map(|held| held.holding.coin.symbol.to_string()).collect()
}

#[test]
fn holdings_are_sorted_by_value_change_or_manually() {
    let mut app = wallet();
    for line in ["1 bitcoin", "2 ordi", "3 void"] {
        add(&mut app, line);
    }
    assert_eq!(order(&app), ["BTC", "ORDI", "VOID"]);
    app.keys("sd");
    assert_eq!(order(&app), ["ORDI", "BTC", "VOID"], "the change of BTC is unknown, and VOID has no price");
    app.keys("sv0J");
    assert_eq!((order(&app), app.state.wallet.cursor.index()), (vec!["ORDI".into(), "BTC".into(), "VOID".into()], 1));
    app.keys("JJK");
    assert_eq!((order(&app), app.state.wallet.cursor.index()), (vec!["ORDI".into(), "BTC".into(), "VOID".into()], 1));
    app.keys("u");
    assert_eq!(order(&app), ["ORDI", "VOID", "BTC"], "the last move is undone, and no lot is removed");
    app.keys("uu");
    assert_eq!(order(&app), ["BTC", "ORDI", "VOID"]);
    app.keys("J");
    let session = app.state.session();
    let mut next = wallet();
    let user = app.state.user.current().into_owned();
    next.send(Message::Loaded(Box::new(UserData { session: session.entries(), ..user })));
    assert_eq!(order(&next), ["ORDI", "BTC", "VOID"], "it is remembered");
    next.keys("sv");
    assert_eq!(order(&next), ["BTC", "ORDI", "VOID"]);
    next.keys("sh");
    assert_eq!(order(&next), ["ORDI", "BTC", "VOID"], "the manual order is kept");
}

#[test]
fn holdings_are_valued_with_the_newest_copy_of_their_coin() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8");
    let by_id = demand(&app.state).visible.into_iter().find(|it| matches!(it, Request::CoinsById { .. })).unwrap();
    for (request, price, expected) in [(&by_id, 11.0, "22"), (&all(1), 12.0, "24"), (&by_id, 13.0, "26")] {
        app.now = app.now.plus(Duration::from_mins(1));
        app.answer(request, page(vec![coin(2, "ordi", "ORDI", Some(price))], Some(1)));
        assert_eq!(value(&app), expected, "{request:?}");
    }
}

#[test]
fn manual_order_is_saved_at_once() {
    let mut app = wallet();
    app.send(Message::Loaded(Box::default()));
    add(&mut app, "2 ordi");
    add(&mut app, "1 bitcoin");
    let session = |effects: Vec<Effect>| match effects.as_slice() {
        [Effect::Save(_, Change::Session(entries))] => entries.get("wallet-by-hand").cloned(),
        other => panic!("{other:?}"),
    };
    // The cursor is on ORDI, below the more valuable bitcoin.
    let moved = session(app.keys("K")).unwrap();
    assert_eq!(moved.lines().count(), 2, "{moved}");
    assert_eq!(app.keys("K"), [], "it is the first row already");
    assert_ne!(session(app.keys("J")), Some(moved));
    session(app.keys("u"));
}

#[test]
fn average_cost_is_a_setting() {
    use satscope::portfolio::CostMethod;
    for (cost, expected) in [(CostMethod::Fifo, "7"), (CostMethod::Average, "5")] {
        let mut app = App::with(Preferences { watched: Vec::new(), cost, ..Preferences::default() });
        app.answer(&all(1), page(three(), Some(3)));
        app.keys("4");
        for line in ["1 ordi @ 3 2026-11-01", "1 ordi @ 7 2026-11-02", "sell 1 ordi @ 9 2026-11-03"] {
            add(&mut app, line);
        }
        assert_eq!(app.state.wallet.holdings().valuation().cost.to_string(), expected);
    }
}

#[test]
fn oversold_holding_is_marked() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8 2026-11-01");
    let mark = |app: &mut App, mark: &str| {
        app.screen((120, 35)).lines().any(|line| line.contains("ordi ") && line.contains(mark))
    };
    assert!(!mark(&mut app, "not held"));
    add(&mut app, "sell 3 ordi @ 8 2026-11-02");
    assert!(mark(&mut app, "not held"), "{}", app.screen((120, 35)));
    add(&mut app, "1 ordi @ 8 2026-11-03");
    assert!(mark(&mut app, "!1") && !mark(&mut app, "not held"), "{}", app.screen((120, 35)));
}

#[test]
fn edit_of_a_lot_that_was_removed_elsewhere_is_reported() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8 2026-11-01");
    app.keys("e");
    app.send(Message::Saved(1, Ok(())));
    app.send(Message::Loaded(Box::default()));
    assert_eq!(app.key(KeyCode::Enter), []);
    assert!(
        toast(&app).contains("Another process removed this lot · press Enter again to add it as new"),
        "{}",
        toast(&app)
    );
    let effects = app.key(KeyCode::Enter);
    assert!(matches!(saved(&effects), Change::AddLot(_)), "{effects:?}");
}

#[test]
fn removal_names_the_undo_key() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8 2026-11-01");
    app.keys("d");
    assert_eq!(toast(&app), "Removed ORDI lot (u: undo)");
}

#[test]
fn holding_worth_more_than_a_day_of_trading_is_flagged_in_the_totals() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8");
    assert!(!app.screen((120, 35)).contains("low volume"), "an unknown volume says nothing");
    for (volume, is_flagged) in [(19.0, true), (1_000.0, false)] {
        let mut coins = three();
        (coins[1].price, coins[1].volume_24h) = (Some(10.0), Some(volume));
        app.answer(&all(1), page(coins, Some(3)));
        assert_eq!(app.screen((120, 35)).contains("low volume: ORDI"), is_flagged, "{}", app.screen((120, 35)));
    }
}

#[test]
fn tab_completes_the_coin() {
    let mut app = wallet();
    app.keys("a");
    app.keys("2 bitc @ 8");
    app.key(KeyCode::Tab);
    let typed = |app: &App| match &app.state.overlay {
        Some(Overlay::Lot { input, .. }) => input.value().to_owned(),
        other => panic!("{other:?}"),
    };
    assert_eq!(typed(&app), "2 bitcoin @ 8");
    app.key(KeyCode::Tab);
    assert_eq!(typed(&app), "2 bitcoin @ 8");
    assert!(matches!(saved(&app.key(KeyCode::Enter)), Change::AddLot(lot) if lot.coin.symbol == "BTC"));
}

#[test]
fn typed_sale_of_more_than_held_shows_a_warning() {
    let mut app = wallet();
    add(&mut app, "3 ordi @ 8 2026-11-01");
    app.keys("a");
    app.keys("sell 5 ordi @ 9 2026-11-02");
    let screen = app.screen((80, 24));
    assert!(screen.contains("Your lots hold 3 ORDI on 2026-11-02; this sells 5"), "{screen}");
    app.key(KeyCode::Esc);
    app.keys("Hasell 5 ordi @ 9 2026-11-02");
    let screen = app.screen((80, 24));
    assert!(screen.contains("This sells more ORDI than your lots hold") && !screen.contains("hold 3"), "{screen}");
    app.key(KeyCode::Esc);
    app.keys("H");
    add(&mut app, "sell 5 ordi @ 9 2026-11-02");
    assert_eq!(toast(&app), "Added ORDI lot: more sold than held");
    for size in [(160, 45), (80, 24), (40, 12)] {
        let screen = app.screen(size);
        assert!(screen.contains("sold more than held: ORDI") && !screen.contains("!0"), "{screen}");
    }
    assert!(app.screen((80, 24)).contains("not held"), "{}", app.screen((80, 24)));
    app.key(KeyCode::Right);
    assert!(app.screen((80, 24)).contains("2 not held"), "{}", app.screen((80, 24)));
    // Bought on the day before, they are held.
    add(&mut app, "2 ordi @ 7 2026-11-01");
    assert_eq!(toast(&app), "Added ORDI lot");
    assert!(!app.screen((160, 45)).contains("held:"), "{}", app.screen((160, 45)));
}

/// The line of the wallet's headings.
fn wallet_headings(screen: &mut Screen) -> (usize, String) {
    let text = screen.text();
    let found = text.lines().enumerate().find(|(_, line)| line.contains("Holding") && line.contains("Value"));
    let (row, line) = found.unwrap_or_else(|| panic!("{text}"));
    (row, line.to_owned())
}

/// Clicks on the wallet's heading with this title.
fn click_heading(screen: &mut Screen, title: &str) {
    let (row, line) = wallet_headings(screen);
    let column = line[..line.find(title).unwrap_or_else(|| panic!("{line}"))].chars().count();
    screen.click(u16::try_from(column).unwrap(), u16::try_from(row).unwrap());
}

/// The first of these symbols that the screen shows in a row of the wallet.
fn first_held(screen: &Screen) -> String {
    screen.state.wallet.holdings().valuation().holdings[0].holding.coin.symbol.to_string()
}

#[test]
fn wallet_is_sorted_by_keys_and_clicks_and_marks_the_column() {
    let preferences = Preferences { watched: Vec::new(), images: false, ..Preferences::default() };
    let mut screen = Screen::with(preferences.clone(), 160, 40);
    screen.serve(indexer::answer);
    screen.keys("4a1 bitcoin<enter>a2 ordi<enter>");
    screen.serve(indexer::answer);
    let marked = |screen: &mut Screen, title: &str| {
        let (_, line) = wallet_headings(screen);
        assert_eq!(line.matches(['▴', '▾']).count(), usize::from(!title.is_empty()), "{line}");
        assert!(line.contains(title), "{line}");
    };
    marked(&mut screen, "Value▾");
    let largest = first_held(&screen);
    screen.keys("S");
    marked(&mut screen, "Value▴");
    assert_ne!(first_held(&screen), largest, "the smallest value comes first");
    click_heading(&mut screen, "Value");
    marked(&mut screen, "Value▾");
    assert_eq!(first_held(&screen), largest);
    for (title, letter, mark) in
        [("24h", "d", "24h▾"), ("Price", "p", "Price▾"), ("Profit", "r", "Profit▾"), ("Holding", "n", "Holding▴")]
    {
        click_heading(&mut screen, title);
        marked(&mut screen, mark);
        screen.keys("svs");
        assert!(screen.text().contains("(S reverses)"), "{}", screen.text());
        screen.keys(letter);
        marked(&mut screen, mark);
    }
    assert_eq!(first_held(&screen), "BTC", "Bitcoin is before ORDI");
    screen.keys("S");
    marked(&mut screen, "Holding▾");
    assert_eq!(first_held(&screen), "ORDI");
    let session = screen.state.session();
    let mut next = Screen::with(preferences, 160, 40);
    let user = screen.state.user.current().into_owned();
    next.send(Message::Loaded(Box::new(UserData { session: session.entries(), ..user })));
    next.serve(indexer::answer);
    marked(&mut next, "Holding▾");
    screen.keys("sh");
    marked(&mut screen, "");
}

#[test]
fn palette_sorts_the_wallet() {
    let mut app = wallet();
    for line in ["1 bitcoin", "2 ordi"] {
        add(&mut app, line);
    }
    app.keys(":");
    app.keys("sort 24h");
    app.key(KeyCode::Enter);
    assert_eq!(order(&app), ["ORDI", "BTC"]);
}

#[test]
fn holdings_without_a_price_come_last_in_both_directions() {
    let mut app = wallet();
    for line in ["1 bitcoin", "2 ordi", "3 void"] {
        add(&mut app, line);
    }
    for key in ["p", "v", "d", "r", "%"] {
        app.keys("s");
        app.keys(key);
        assert_eq!(order(&app)[2], "VOID", "{key}");
        app.keys("S");
        assert_eq!(order(&app)[2], "VOID", "{key}, reversed");
    }
}

#[test]
fn wallet_shows_the_letters_of_compared_coins() {
    let watched = vec![Watched::by_symbol("ETH")];
    let mut screen = Screen::with(Preferences { watched, images: false, ..Preferences::default() }, 160, 40);
    screen.serve(indexer::answer);
    screen.keys("4a1 bitcoin<enter>a2 ordi<enter>");
    screen.serve(indexer::answer);
    let letters = |screen: &mut Screen| {
        let rows = |line: &str| line.trim_start_matches(['│', ' ']).split_whitespace().next().map(str::to_owned);
        let text = screen.text();
        let first: Vec<String> = text.lines().filter_map(rows).filter(|word| word.len() == 1).collect();
        first.into_iter().filter(|word| ["A", "B", "C"].contains(&word.as_str())).collect::<Vec<_>>().concat()
    };
    assert_eq!(letters(&mut screen), "", "{}", screen.text());
    screen.keys("0m");
    assert_eq!(letters(&mut screen), "A", "{}", screen.text());
    screen.keys("Gm");
    assert_eq!(letters(&mut screen), "AB", "a holding and a watched coin: {}", screen.text());
    screen.keys("m");
    assert_eq!(letters(&mut screen), "A", "{}", screen.text());
}

#[test]
fn change_beside_a_chart_is_that_of_the_newest_copy() {
    let mut app = wallet();
    add(&mut app, "2 ordi");
    let by_id = demand(&app.state).visible.into_iter().find(|request| matches!(request, Request::CoinsById { .. }));
    let by_id = by_id.unwrap();
    let ordi = Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("id-ordi".into()) };
    let hour =
        |hour: i64| Point { time: UtcTime::from_secs(hour * 3_600), price: Some(8.0), volume: None, market_cap: None };
    let week: Vec<Point> = (0..=168).map(hour).collect();
    let changes = |app: &App, points: &[Point]| {
        let header = app.state.coin(&CoinId("id-ordi".into())).and_then(|coin| coin.change_7d_pct);
        (header, app.state.listed_change(&ordi, Period::Week, points, &Currency::usd()))
    };
    let changed = |change: f64| {
        let mut coins = three();
        coins[1].change_7d_pct = Some(change);
        coins
    };
    app.answer(&by_id, page(vec![changed(99.0)[1].clone()], None));
    assert_eq!(changes(&app, &week), (Some(99.0), Some(99.0)));
    app.keys("1");
    app.wait(Duration::from_mins(1));
    app.answer(&all(1), page(changed(-25.0), Some(3)));
    assert_eq!(changes(&app, &week), (Some(-25.0), Some(-25.0)));
    assert_eq!(changes(&app, &week[100..]).1, None, "the chart doesn't go back a week");
}

#[test]
fn order_by_a_hidden_column_is_named_in_the_first_heading() {
    let mut app = wallet();
    add(&mut app, "2.5 ordi @ 8 2026-11-01");
    app.key(KeyCode::Esc);
    app.keys("sr");
    assert!(app.screen((160, 45)).contains("Profit▾"), "{}", app.screen((160, 45)));
    for size in [(80, 24), (40, 12)] {
        let screen = app.screen(size);
        assert!(screen.contains("Profit▾") != screen.contains("by profit ▾"), "{screen}");
    }
    assert!(app.screen((40, 12)).contains("by profit ▾"), "{}", app.screen((40, 12)));
}

#[test]
fn wallet_without_prices_says_why_on_a_small_screen() {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    let lot = |id, code: &str| Lot {
        id: LotId(id),
        kind: LotKind::Buy,
        coin: Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("id-ordi".into()) },
        amount: "2".parse().unwrap(),
        price: Some(LotPrice::Unit("8".parse().unwrap())),
        currency: Currency::parse(code).unwrap(),
        fee: None,
        date: date(2025, 3, 2),
        note: None,
        address: None,
    };
    let lots = vec![lot(1, "EUR"), lot(2, "GBP")];
    app.send(Message::Loaded(Box::new(UserData { lots, ..UserData::default() })));
    app.keys("4");
    for request in demand(&app.state).visible {
        app.fail(&request);
    }
    for size in [(160, 45), (80, 24), (40, 12)] {
        let screen = app.screen(size);
        assert!(screen.contains("$—") && screen.contains("Can't reach"), "{screen}");
        assert!(!screen.contains("cost excludes"), "{screen}");
    }
}

#[test]
fn holding_of_one_lot_is_marked_as_expandable() {
    let mut app = wallet();
    add(&mut app, "2.5 ordi @ 8 2026-11-01");
    assert!(app.screen((120, 35)).contains("▸ "), "{}", app.screen((120, 35)));
    app.key(KeyCode::Right);
    let screen = app.screen((120, 35));
    assert!(screen.contains("▾ ") && screen.contains("buy 2026-11-01"), "{screen}");
}
