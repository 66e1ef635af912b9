//! The values of the holdings, and how they are shown.

use satscope::model::Coin;

use super::*;

#[test]
fn unreadable_lots_are_not_shown_as_an_empty_wallet() {
    let reason = String::from("Can't read lots (unexpected table structure)");
    for watched in [Vec::new(), vec![Watched::by_symbol("BTC")]] {
        let mut app = App::with(Preferences { watched, ..Preferences::default() });
        let data = UserData {
            unreadable: vec![Unreadable { part: UnreadablePart::Lots, sentence: reason.clone() }],
            ..UserData::default()
        };
        app.send(Message::Loaded(Box::new(data)));
        app.keys("4");
        let screen = app.screen((80, 24));
        assert!(screen.contains(&reason) && !screen.contains("add a lot"), "{screen}");
    }
}

#[test]
fn store_that_cannot_be_read_is_not_shown_as_an_empty_wallet() {
    let mut app = App::with(Preferences { watched: vec![Watched::by_symbol("BTC")], ..Preferences::default() });
    app.send(Message::StoreUnread(String::from("satscope.db (permission denied)")));
    app.keys("4");
    let screen = app.screen((80, 24));
    let reason = "Can't read holdings from satscope.db (permission denied)";
    assert!(screen.contains(reason) && !screen.contains("add a lot"), "{screen}");
    app.send(Message::Loaded(Box::default()));
    let screen = app.screen((80, 24));
    assert!(!screen.contains(reason) && screen.contains("add a lot"), "{screen}");
}

#[test]
fn totals_name_unreadable_lots() {
    let mut app = wallet();
    add(&mut app, "3 ordi @ 1 2026-11-01");
    let lots = app.state.user.current().lots.clone();
    let unreadable = |id| Unreadable { part: UnreadablePart::Lot(LotId(id)), sentence: format!("Can't read lot {id}") };
    let data = UserData { lots, unreadable: vec![unreadable(2), unreadable(3)], ..UserData::default() };
    app.send(Message::Loaded(Box::new(data)));
    for size in [(160, 45), (80, 24)] {
        let screen = app.screen(size);
        assert!(
            screen.contains("without 2 unreadable lots") || size.0 == 80 && screen.contains("without 1"),
            "{screen}"
        );
    }
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
fn values_beside_a_billion_have_units_and_end_in_one_column() {
    for (code, small) in [("USD", "835,000.00"), ("JPY", "835,000")] {
        let convert = Currency::parse(code).unwrap();
        let mut app =
            App::with(Preferences { watched: Vec::new(), convert: convert.clone(), ..Preferences::default() });
        let mut coins = three();
        for (coin, price) in coins.iter_mut().zip([60_000.0, 10.0, 2.5]) {
            (coin.price, coin.convert) = (Some(price), convert.clone());
        }
        app.answer(&Request::Coins { tag: Tag::All, start: 1, limit: 200, convert }, page(coins, Some(3)));
        app.keys("4");
        let ends = |screen: &str, shown: [(&str, &str); 3]| {
            let end = |(name, value): (&str, &str)| {
                let row = screen.lines().find(|line| line.contains(name)).unwrap();
                let at = row.find(value).unwrap_or_else(|| panic!("{value}: {screen}"));
                row[..at].chars().count() + value.len()
            };
            shown.map(end)
        };
        for line in ["4194000 ordi", "3845.584 bitcoin", "334000 void"] {
            add(&mut app, &format!("{line} 2026-11-01"));
        }
        let screen = app.screen((120, 35));
        ends(&screen, [("▸ ordi", "41,940,000"), ("▸ bitcoin", "230,735,040"), ("▸ void", small)]);
        add(&mut app, "195406000 ordi 2026-11-01");
        let screen = app.screen((120, 35));
        let [ordi, bitcoin, void] = ends(&screen, [("▸ ordi", "1.996B"), ("▸ bitcoin", "230.7M"), ("▸ void", small)]);
        assert!(ordi == bitcoin && bitcoin == void, "{screen}");
        // The rows of the lots.
        app.keys("gg");
        app.key(KeyCode::Right);
        let screen = app.screen((120, 35));
        assert!(screen.contains("1.954B") && screen.contains("41.94M"), "{screen}");
    }
}

#[test]
fn profit_in_percent_is_shown_at_80_columns() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 4 2026-11-01");
    let screen = app.screen((80, 24));
    let row = screen.lines().find(|line| line.contains("▸ ordi")).unwrap();
    assert!(["20.00", "▲25.0%", "+12.00", "▲ 150%"].iter().all(|part| row.contains(part)), "{screen}");
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
fn holding_beyond_the_first_page_is_found_by_a_service_that_ignores_ids() {
    let of = |provider: &'static str| move |receipt: Receipt| Receipt { provider: Some(provider.into()), ..receipt };
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    app.answer_as(&all(1), page(many(1, 200), Some(300)), of("coinmarketcap"));
    app.keys("4");
    add(&mut app, "3 c2 @ 1");
    let far = Watched { symbol: "C250".into(), slug: Some("coin-250".into()), id: Some("id-coin-250".into()) };
    let lot = Lot { coin: far, ..app.state.user.current().lots[0].clone() };
    app.send(Message::Loaded(Box::new(UserData { lots: vec![lot], ..UserData::default() })));
    assert!(!demand(&app.state).visible.contains(&all(201)), "it may be found by its id");
    let is_by_id = |request: &Request| matches!(request, Request::CoinsById { .. });
    let prices = demand(&app.state).visible.into_iter().find(is_by_id).unwrap();
    app.answer(&prices, page(Vec::new(), None));
    let screen = app.screen((120, 35));
    assert!(!screen.contains("no matching coin"), "{screen}");
    assert!(demand(&app.state).visible.contains(&all(201)));
    app.answer_as(&all(201), page(many(201, 100), Some(300)), of("coinmarketcap"));
    assert_eq!(value(&app), "756", "3 of it at 250, and 3 of C2 at 2");
    assert!(demand(&app.state).visible.contains(&all(201)), "its page is kept fresh");
    // The wallet needs both pages from another provider, the list only the first one.
    app.wait(Duration::from_secs(1));
    app.answer_as(&all(1), page(many(10_001, 200), Some(300)), of("coingecko"));
    assert_eq!(app.slugs()[0], "coin-1");
    app.keys("1");
    app.wait(Duration::from_secs(1));
    app.answer_as(&all(1), page(many(10_001, 200), Some(300)), of("coingecko"));
    assert_eq!(app.slugs()[0], "coin-10001");
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
fn partly_sold_lot_shows_what_is_left_of_it() {
    for (bought, sold, wide, narrow) in [
        ("500", "100", "400 of 500", "400 of 500"),
        ("12345.5", "5", "12,340.5 of 12,345.5", "12,340.5 left"),
        ("100000000", "10000000", "90,000,000 of 100,000,000", "≈90.0M of 100.0M"),
        ("500", "500", "0 of 500", "0 of 500"),
        ("500", "", "500", "500"),
    ] {
        let mut app = wallet();
        add(&mut app, &format!("{bought} ordi @ 8 2026-11-01"));
        if !sold.is_empty() {
            add(&mut app, &format!("sell {sold} ordi @ 9 2026-11-02"));
        }
        app.key(KeyCode::Right);
        let row = |app: &mut App, size| {
            let screen = app.screen(size);
            let row =
                screen.lines().find_map(|row| row.split_once("buy 2026-11-01")).unwrap_or_else(|| panic!("{screen}"));
            row.1.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        for (size, amount) in [((160, 45), wide), ((80, 24), narrow)] {
            let shown = row(&mut app, size);
            let is_partial = shown.contains(" of ");
            assert!(shown.starts_with(&format!("{amount} ")) && is_partial == amount.contains(" of "), "{shown}");
        }
        app.keys("H");
        assert!(row(&mut app, (160, 45)).starts_with("••• 8.00 "));
    }
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
fn values_in_bitcoin_have_its_digits_and_align() {
    let bitcoin = Currency::bitcoin();
    let preferences = Preferences { watched: Vec::new(), convert: bitcoin.clone(), ..Preferences::default() };
    let mut app = App::with(preferences);
    let mut coins = three();
    coins.iter_mut().for_each(|coin| coin.convert = bitcoin.clone());
    coins[0].price = Some(1.0);
    coins[1].price = Some(0.000_306_017_1);
    let list = Request::Coins { tag: Tag::All, start: 1, limit: 200, convert: bitcoin };
    app.answer(&list, page(coins, Some(3)));
    app.keys("4");
    add(&mut app, "1.45399078 bitcoin");
    add(&mut app, "20 ordi @ 0.0002 btc");
    for size in [(160, 45), (120, 35), (80, 24), (40, 12)] {
        let screen = app.screen(size);
        assert!(screen.contains("₿1.46011112"), "{screen}");
        let point = |value: &str| {
            let row = screen.lines().find(|line| line.contains(value) && !line.contains('₿'));
            let row = row.unwrap_or_else(|| panic!("{value} at {size:?}\n{screen}"));
            // The value may also be the amount before it.
            row[..row.rfind(value).unwrap()].chars().count() + value.find('.').unwrap()
        };
        assert_eq!(point("1.45399078"), point("0.00612034"), "{screen}");
    }
    let wide = app.screen((120, 35));
    assert!(wide.contains("+0.00212034"), "a profit has the same digits\n{wide}");
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
fn prices_of_many_holdings_are_several_requests() {
    let mut app = wallet();
    let coin_of = |n: u32| coin(n, &format!("held-{n:03}"), &format!("H{n}"), Some(1.0));
    let lots = (1..=201).map(|n| Lot {
        id: LotId(n.into()),
        kind: LotKind::Buy,
        coin: Watched::from_coin(&coin_of(n)),
        amount: "1".parse().unwrap(),
        price: None,
        fee: None,
        currency: Currency::usd(),
        date: date(2026, 11, 1),
        note: None,
        address: None,
    });
    app.send(Message::Loaded(Box::new(UserData { lots: lots.collect(), ..UserData::default() })));
    let prices: Vec<Request> =
        demand(&app.state).visible.into_iter().filter(|it| matches!(it, Request::CoinsById { .. })).collect();
    let ids = |request: &Request| match request {
        Request::CoinsById { ids, .. } => ids.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(prices.iter().map(|request| ids(request).len()).collect::<Vec<_>>(), [200, 1]);
    for request in &prices {
        let found = (1..=201).map(coin_of).filter(|coin| ids(request).contains(&coin.id)).collect();
        app.answer(request, page(found, None));
    }
    assert_eq!(value(&app), "201");
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
        fraction: None,
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
fn profit_of_a_holding_without_all_costs_is_marked() {
    let mut app = wallet();
    add(&mut app, "3 ordi @ 8 2026-11-01");
    let known = app.screen((120, 35));
    assert!(known.contains("+6.00") && !known.contains("~+") && !known.contains("~▲"), "{known}");
    add(&mut app, "receive 865000 ordi 2026-11-02");
    let names_part = |screen: &str| screen.lines().any(|line| line.trim_end().ends_with(" on 3"));
    for size in [(120, 35), (80, 24)] {
        let screen = app.screen(size);
        assert!(screen.contains("~+6.00") && screen.contains("~▲25.0%"), "{screen}");
        // The line below the row has no room for it on the narrow screen.
        assert_eq!(names_part(&screen), size.0 == 120, "{screen}");
    }
    app.keys("H");
    let screen = app.screen((120, 35));
    assert!(screen.contains("~•••") && !names_part(&screen), "{screen}");
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
fn lot_of_today_changes_since_its_price_until_the_day_is_over() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8.5");
    app.answer(&all(1), page(with_range(), Some(3)));
    assert!(app.screen((160, 45)).contains("▲ 17.6% 24h  (+$3.00)"), "{}", app.screen((160, 45)));
    app.wait(Duration::from_hours(24));
    app.answer(&all(1), page(with_range(), Some(3)));
    assert!(app.screen((160, 45)).contains("▲ 25.0% 24h  (+$4.00)"), "{}", app.screen((160, 45)));
}

#[test]
fn undated_lot_that_cannot_be_of_today_has_the_whole_change_of_its_coin() {
    for line in ["2 ordi", "2 ordi @ 5"] {
        let mut app = wallet();
        add(&mut app, line);
        app.answer(&all(1), page(with_range(), Some(3)));
        let screen = app.screen((160, 45));
        assert!(screen.contains("▲ 25.0% 24h  (+$4.00)") && !screen.contains("without ORDI"), "{line}: {screen}");
    }
}

#[test]
fn dialog_says_that_a_cost_is_far_from_the_prices_of_the_day() {
    let mut app = wallet();
    let says = |app: &mut App, line: &str| {
        app.keys("a");
        app.keys(line);
        let screen = app.screen((120, 35));
        app.key(KeyCode::Esc);
        assert!(screen.contains("Buy 2 ORDI") || screen.contains("Sell 2 ORDI"), "{screen}");
        screen.contains("24h change treats this lot as held")
    };
    assert!(!says(&mut app, "2 ordi @ 5"), "the day's range is unknown");
    app.answer(&all(1), page(with_range(), Some(3)));
    for (line, is_far) in [
        ("2 ordi @ 5", true),
        ("2 ordi @@ 24", true),
        ("2 ordi @ 5 2026-11-18", false),
        ("2 ordi @ 8.5", false),
        ("2 ordi", false),
        ("sell 2 ordi @ 5", false),
    ] {
        assert_eq!(says(&mut app, line), is_far, "{line}");
    }
}

/// The coins of [`wallet`], with the range of ORDI's price over 24 hours.
fn with_range() -> Vec<Coin> {
    let mut coins = three();
    (coins[1].price, coins[1].change_24h_pct) = (Some(10.0), Some(25.0));
    (coins[1].low_24h, coins[1].high_24h) = (Some(7.5), Some(10.5));
    coins
}

#[test]
fn warnings_follow_the_total_with_its_change_and_profit() {
    let mut app = wallet();
    app.answer(&all(1), page(with_range(), Some(3)));
    add(&mut app, "2 ordi @ 8 2026-11-01");
    add(&mut app, "sell 3 bitcoin @ 9 2026-11-02");
    for size in [(160, 45), (120, 35), (80, 24)] {
        let screen = app.screen(size);
        let words = screen.lines().skip(1).take(2).flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
        assert!(words.contains("$20.00 ▲ 25.0% 24h (+$4.00)"), "{screen}");
        let places = ["24h", "profit ▲ 25.0%", "sold more than held: BTC"].map(|part| words.find(part));
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{screen}");
    }
    for width in 24..160 {
        for height in [12, 24] {
            let screen = app.screen((width, height));
            assert!(width < 40 || screen.contains("sold more than held: "), "{width}x{height}: {screen}");
            let line = screen.lines().find(|line| line.contains("$20.00")).unwrap();
            let change = line.find("24h").unwrap_or_default();
            assert!(line.find("sold more").is_none_or(|warning| change < warning), "{width}x{height}: {screen}");
        }
    }
}

#[test]
fn profit_of_a_part_is_never_without_its_qualifier() {
    let mut app = wallet();
    let mut coins = three();
    (coins[1].price, coins[1].volume_24h, coins[1].change_24h_pct) = (Some(10.0), Some(19.0), Some(25.0));
    app.answer(&all(1), page(coins, Some(3)));
    // Its cost is unknown.
    add(&mut app, "receive 100 ordi 2026-11-01");
    add(&mut app, "2 ordi @ 8 2026-11-01");
    let top = |app: &mut App, size| app.screen(size).lines().skip(1).take(2).collect::<Vec<_>>().join("\n");
    for size in [(160, 45), (120, 35), (80, 24)] {
        let shown = top(&mut app, size);
        assert!(shown.contains("low volume: ORDI"), "{shown}");
        assert!(shown.contains("▲ 25.0% 24h  (+$204)"), "{shown}");
        assert!(shown.contains("profit  ▲ 25.0%  (+$4.00)  on known cost"), "{shown}");
    }
    // Another warning.
    add(&mut app, "sell 5 bitcoin @ 9 2026-11-02");
    for size in [(160, 45), (120, 35), (80, 24)] {
        let shown = top(&mut app, size);
        assert!(shown.contains("low volume: ORDI") && shown.contains("sold more than held: BTC"), "{shown}");
        assert!(shown.contains("▲ 25.0% 24h  (+$204)"), "{shown}");
        // At 80 columns, the warnings are more important than the sum.
        let profit = if size.0 == 80 { "profit  ▲ 25.0%  on" } else { "profit  ▲ 25.0%  (+$4.00)  on" };
        assert!(shown.contains(&format!("{profit} known cost")), "{shown}");
    }
    for width in 24..160 {
        for height in [12, 24] {
            let screen = app.screen((width, height));
            assert_eq!(screen.contains("profit  ▲"), screen.contains("on known cost"), "{width}x{height}: {screen}");
        }
    }
}

#[test]
fn rounded_amount_is_marked() {
    let mut app = wallet();
    add(&mut app, "418000000000000000 ordi");
    add(&mut app, "418000000000000000.5 bitcoin");
    for size in [(160, 45), (80, 24)] {
        let screen = app.screen(size);
        assert!(screen.contains(" 418,000T") && screen.contains("≈418,000T") && !screen.contains("4.2e17"), "{screen}");
    }
}

#[test]
fn wallet_shows_the_letters_of_compared_coins() {
    let watched = vec![Watched::by_symbol("ETH")];
    let mut screen = Screen::with(Preferences { watched, images: false, ..Preferences::default() }, 160, 40);
    screen.serve(indexer::response);
    screen.keys("4a1 bitcoin<enter>a2 ordi<enter>");
    screen.serve(indexer::response);
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
fn lots_move_with_their_coin_while_coins_are_marked() {
    let mut app = wallet();
    add(&mut app, "2 ordi @ 8 2026-11-01");
    add(&mut app, "send 1 ordi 2026-11-02");
    app.key(KeyCode::Right);
    let starts = |app: &mut App| {
        let at = |columns| {
            let screen = app.screen((columns, 35));
            let start = |part: &str| {
                let rows = screen.lines().filter(|row| row.contains("ordi") || part != "▾");
                let before =
                    rows.filter_map(|row| row.split_once(part)).map(|(before, _)| before.chars().count()).next();
                before.unwrap_or_else(|| panic!("no {part} in\n{screen}"))
            };
            ["▾", "buy 2026-11-01", "send 2026-11-02"].map(start)
        };
        (60..=160).map(at).collect::<Vec<_>>()
    };
    let before = starts(&mut app);
    app.keys("m");
    let moved: Vec<_> = before.into_iter().map(|rows| rows.map(|start| start + 1)).collect();
    assert_eq!(starts(&mut app), moved);
}

#[test]
fn rows_stay_in_place_when_amounts_change_or_are_hidden() {
    // Simulated, so that the origin of the exchange rate is shown.
    let serve = |screen: &mut Screen| {
        for request in screen.wanted() {
            if let Some(response) = indexer::response(&request) {
                screen.answer_as(&request, response, |receipt| Receipt { simulated: true, ..receipt });
            }
        }
    };
    let with_lot = |amount: &str, currency: &str| {
        let watched = Vec::new();
        let mut screen = Screen::with(Preferences { watched, images: false, ..Preferences::default() }, 160, 30);
        serve(&mut screen);
        screen.keys(&format!("4c{currency}<enter>a{amount} ordi @ 8 2026-11-01<enter>"));
        screen.keys("asell 1 ordi @ 9 2026-11-02<enter>");
        serve(&mut screen);
        screen
    };
    let sizes = (45..=160).flat_map(|columns| [(columns, "usd"), (columns, "eur")]);
    let screens = ["usd", "eur"].map(|currency| (with_lot("150", currency), with_lot("15000", currency)));
    let [mut dollars, mut euros] = screens;
    for (columns, currency) in sizes {
        let (few, many) = if currency == "usd" { &mut dollars } else { &mut euros };
        let heading = |screen: &mut Screen| {
            screen.resize(columns, 30);
            let text = screen.text();
            assert!(text.contains("updated now"), "{columns}:\n{text}");
            text.lines().position(|row| row.trim_start().starts_with("Holding")).unwrap_or_else(|| panic!("{text}"))
        };
        let place = heading(few);
        assert_eq!(heading(many), place, "{columns} {currency}");
        few.keys("H");
        assert_eq!(heading(few), place, "{columns} {currency}");
        few.keys("H");
    }
}

#[test]
fn watchlist_keeps_its_heading_before_the_blank_row_above() {
    let watched = ["BTC", "SATS"].map(Watched::by_symbol).to_vec();
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("4");
    for lot in ["1 ordi @ 8 2026-11-01", "2 ordi @ 8 2026-11-01", "3 ordi @ 8 2026-11-01"] {
        add(&mut app, lot);
    }
    app.keys("0");
    app.key(KeyCode::Right);
    for rows in 10..=16 {
        let screen = app.screen((40, rows));
        let below: Vec<&str> = screen.lines().map(str::trim).skip_while(|row| !row.starts_with("Watchlist")).collect();
        assert!(below[1].starts_with("Coin ") && !below[2].is_empty() && !below[3].is_empty(), "{rows}:\n{screen}");
    }
}

#[test]
fn change_beside_a_chart_is_that_of_the_newest_copy() {
    let mut app = wallet();
    add(&mut app, "2 ordi");
    let by_id = demand(&app.state).visible.into_iter().find(|request| matches!(request, Request::CoinsById { .. }));
    let by_id = by_id.unwrap();
    let ordi = Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("id-ordi".into()) };
    let start = app.now.minus(Duration::from_hours(168)).secs();
    let hour = |hour: i64| {
        let time = UtcTime::from_secs(start + hour * 3_600);
        Point { time, price: Some(8.0), volume: None, market_cap: None }
    };
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
        assert!(screen.contains("$—") && screen.contains("refused"), "{screen}");
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
