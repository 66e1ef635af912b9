//! The balances of addresses, and the tokens in them.

use super::*;

#[test]
fn pasted_address_is_saved_requested_and_valued() {
    let mut app = wallet();
    let effects = add(&mut app, &format!("{} \"cold\"", COLD.to_uppercase()));
    let entry = WalletAddress { address: COLD.into(), label: Some("cold".into()), added_at: START };
    assert!(matches!(effects.as_slice(), [Effect::Save(_, Change::PutAddress(saved))] if *saved == entry));
    assert_eq!(demand(&app.state).visible, [balances(), bitcoin(), tokens()]);
    assert!(app.screen((120, 35)).contains("waiting…"), "{}", app.screen((120, 35)));
    answer_tokens(&mut app);
    answer_balances(&mut app, vec![balance("ordi", 400, 25), balance("twin", 2, 0), balance("mine", 3, 0)]);
    assert_eq!(value(&app), "4250");
    for size in [(160, 45), (120, 35), (80, 24)] {
        let screen = app.screen(size);
        for part in ["cold bc1qd2mz…8cg8", "$4,250.00", "without twin", "several coins claim", "no known coin"] {
            assert!(screen.contains(part), "{part} at {size:?}:\n{screen}");
        }
    }
    assert!(app.screen((160, 45)).contains("400 available, 25 transferable"), "{}", app.screen((160, 45)));
    let small = app.screen((40, 12));
    assert!(small.contains("cold") && small.contains("$4,250.00") && small.contains("mine"), "{small}");
    app.keys("1");
    assert!(!demand(&app.state).visible.contains(&balances()), "only the wallet needs balances");
}

#[test]
fn balances_that_arrive_together_are_counted_once_after_the_last() {
    let mut app = wallet();
    add(&mut app, COLD);
    answer_tokens(&mut app);
    app.state.expects_event = true;
    answer_balances(&mut app, vec![balance("ordi", 400, 25)]);
    assert_eq!(value(&app), "0", "not counted for each of hundreds of responses");
    app.state.expects_event = false;
    answer_bitcoin(&mut app, 150_000_000, 0);
    assert_eq!(value(&app), "94250");
    // The last one may be about anything.
    app.state.expects_event = true;
    answer_bitcoin(&mut app, 50_000_000, 0);
    app.state.expects_event = false;
    answer_tokens(&mut app);
    assert_eq!(value(&app), "34250");
}

#[test]
fn bitcoin_balance_counts_and_unconfirmed_changes_are_named() {
    let mut app = wallet();
    add(&mut app, COLD);
    answer_tokens(&mut app);
    answer_balances(&mut app, Vec::new());
    answer_bitcoin(&mut app, 150_000_000, 1_200);
    assert_eq!(value(&app), "90000", "only what is confirmed");
    for size in [(160, 45), (120, 35), (80, 24)] {
        let screen = app.screen(size);
        assert!(screen.contains("$90,000.00") && screen.contains("+0.000012 BTC unconfirmed"), "{screen}");
    }
    // The scrollbar doesn't cut it.
    answer_bitcoin(&mut app, 150_000_000, -1_902);
    for rows in 10..24 {
        let screen = app.screen((80, rows));
        assert_eq!(screen.contains("unconf"), screen.contains("unconfirmed"), "{screen}");
    }
    answer_bitcoin(&mut app, 50_000_000, -100_000_000);
    let screen = app.screen((120, 35));
    assert!(screen.contains("$30,000.00") && screen.contains("−1 BTC unconfirmed"), "{screen}");
    app.keys("H");
    let screen = app.screen((120, 35));
    assert!(screen.contains("−••• BTC unconfirmed") && !screen.contains("−1 BTC"), "{screen}");
    // A lot that names the address gives the cost.
    app.keys("H");
    let user = app.state.user.current().into_owned();
    let bitcoin = Watched { symbol: "BTC".into(), slug: Some("bitcoin".into()), id: Some("id-bitcoin".into()) };
    let lot = Lot {
        id: LotId(1),
        kind: Default::default(),
        coin: bitcoin,
        amount: "0.5".parse().unwrap(),
        price: Some(LotPrice::Unit("50000".parse().unwrap())),
        fee: None,
        currency: Currency::usd(),
        date: "2026-11-01".parse().unwrap(),
        note: None,
        address: Some(COLD.into()),
    };
    app.send(Message::Loaded(Box::new(UserData { lots: vec![lot], ..user })));
    assert_eq!(value(&app), "30000", "nothing counts twice");
    assert_eq!(app.state.wallet.holdings().valuation().profit.to_string(), "5000");
}

#[test]
fn service_without_bitcoin_balances_is_queried_once_and_named() {
    let mut app = wallet();
    add(&mut app, COLD);
    answer_tokens(&mut app);
    answer_balances(&mut app, vec![balance("ordi", 7, 0)]);
    app.fail_with(&bitcoin(), ErrorKind::Status { status: 404, message: None, retry_after: None });
    assert!(!demand(&app.state).visible.contains(&bitcoin()));
    let screen = app.screen((120, 35));
    assert!(screen.contains("BTC balance not supported") && !screen.contains("without"), "{screen}");
}

#[test]
fn failed_bitcoin_balance_is_missing_in_the_total() {
    let mut app = wallet();
    add(&mut app, COLD);
    answer_tokens(&mut app);
    answer_balances(&mut app, vec![balance("ordi", 7, 0)]);
    app.fail(&bitcoin());
    let screen = app.screen((120, 35));
    assert!(screen.contains("without BTC") && screen.contains("BTC: Can't reach x"), "{screen}");
}

#[test]
fn lot_that_names_its_address_counts_once() {
    let mut app = wallet();
    add(&mut app, COLD);
    app.keys("a4 ordi @ 5 2026-11-01");
    app.key(KeyCode::Enter);
    let data = app.state.user.current().into_owned();
    let [lot] = data.lots.as_slice() else { panic!("{:?}", data.lots) };
    let there = Lot { id: LotId(1), address: Some(COLD.into()), ..lot.clone() };
    let elsewhere = Lot { id: LotId(2), ..lot.clone() };
    app.send(Message::Saved(1, Ok(())));
    app.send(Message::Saved(2, Ok(())));
    app.send(Message::Loaded(Box::new(UserData { lots: vec![there, elsewhere], ..data })));
    answer_tokens(&mut app);
    assert_eq!(value(&app), "80", "until the balance is known, both lots count");
    answer_balances(&mut app, vec![balance("ordi", 7, 0)]);
    let valuation = app.state.wallet.holdings().valuation();
    let totals = [&valuation.value, &valuation.cost, &valuation.profit].map(ToString::to_string);
    assert_eq!(totals, ["110", "40", "40"], "4 elsewhere and 7 there, 4 of which have a cost");
    let kinds: Vec<LineKind> = app.state.wallet.lines().iter().map(|line| line.kind).collect();
    assert_eq!(kinds, [LineKind::Address(0), LineKind::Holding(0), LineKind::Holding(1)]);
    answer_balances(&mut app, vec![balance("ordi", 1, 0)]);
    let valuation = app.state.wallet.holdings().valuation();
    assert_eq!([&valuation.value, &valuation.cost].map(ToString::to_string), ["50", "25"], "1 there keeps its cost");
    answer_balances(&mut app, Vec::new());
    assert_eq!(value(&app), "40", "the token was spent");
}

#[test]
fn balance_stays_selected_after_its_only_lot_is_removed() {
    for keys in ["d", "ljd"] {
        let mut app = wallet();
        add(&mut app, COLD);
        app.keys("a4 ordi @ 5 2026-11-01");
        app.key(KeyCode::Enter);
        let data = app.state.user.current().into_owned();
        let lots =
            data.lots.iter().map(|lot| Lot { id: LotId(1), address: Some(COLD.into()), ..lot.clone() }).collect();
        app.send(Message::Saved(1, Ok(())));
        app.send(Message::Saved(2, Ok(())));
        app.send(Message::Loaded(Box::new(UserData { lots, ..data })));
        answer_tokens(&mut app);
        answer_balances(&mut app, vec![balance("ordi", 7, 0), balance("twin", 3, 0)]);
        app.keys("0j");
        let selected = |app: &App| {
            let held = app.state.wallet.selected_holding();
            held.map(|held| (held.holding.coin.symbol.to_string(), held.holding.lots.len()))
        };
        assert_eq!(selected(&app), Some(("ORDI".into(), 1)), "{keys}");
        app.keys(keys);
        assert_eq!(selected(&app), Some(("ORDI".into(), 0)), "{keys}");
        app.keys("j");
        assert_eq!(selected(&app), None, "the balance of the other token follows: {keys}");
    }
}

#[test]
fn failing_address_keeps_its_balances_and_shows_the_reason() {
    let mut app = wallet();
    add(&mut app, COLD);
    answer_tokens(&mut app);
    app.fail_with(&balances(), ErrorKind::Refused);
    assert!(app.screen((120, 35)).contains("connection refused"), "{}", app.screen((120, 35)));
    answer_balances(&mut app, vec![balance("ordi", 7, 0)]);
    app.fail_with(&balances(), ErrorKind::Refused);
    assert_eq!(value(&app), "70");
    assert!(app.screen((160, 45)).contains("connection refused"), "{}", app.screen((160, 45)));
}

#[test]
fn address_of_the_store_is_named_while_its_balances_are_unknown() {
    let mut app = wallet();
    let lot = |id: i64| Lot {
        id: LotId(id),
        kind: Default::default(),
        coin: Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("id-ordi".into()) },
        amount: "2".parse().unwrap(),
        price: None,
        fee: None,
        currency: Currency::usd(),
        date: "2026-11-01".parse().unwrap(),
        note: None,
        address: None,
    };
    let address = WalletAddress { address: COLD.into(), label: None, added_at: START };
    let data = UserData { lots: vec![lot(1)], addresses: vec![address], ..UserData::default() };
    app.send(Message::Loaded(Box::new(data)));
    for size in [(160, 45), (80, 24), (40, 12)] {
        let screen = app.screen(size);
        assert!(screen.contains("without bc1qd2mz…8cg8"), "{screen}");
    }
}

const DEPLOY: &str = "b61b0172d95e266c18aea0c624db987e971a5d6d4ebc2aaed85da4642d635735i0";

fn details(ticker: &str) -> Request {
    Request::Brc20Token { ticker: ticker.into() }
}

/// The details of a token with this deploy inscription.
fn answer_details(app: &mut App, ticker: &str, inscription: &str) {
    let Some(ResponseData::Brc20Token(mut token)) = crate::support::indexer::response(&details("ordi")) else {
        panic!()
    };
    (token.ticker, token.inscription_id) = (ticker.into(), Some(inscription.into()));
    app.answer(&details(ticker), ResponseData::Brc20Token(token));
}

#[test]
fn coin_without_a_ticker_is_found_by_the_deploy_inscription_of_the_token() {
    let mut app = wallet();
    add(&mut app, COLD);
    let mut ordi = coin(2, "ordi", "ORDI", Some(10.0));
    ordi.contracts = vec![satscope::model::Contract { platform: None, address: DEPLOY.into() }];
    app.answer(&tokens(), page(vec![ordi], Some(1)));
    answer_balances(&mut app, vec![balance("ordi", 5, 0), balance("mine", 3, 0)]);
    let wanted = demand(&app.state).visible;
    assert!(wanted.contains(&details("ordi")) && wanted.contains(&details("mine")), "{wanted:?}");
    assert!(app.screen((120, 35)).contains("token details not loaded"), "{}", app.screen((120, 35)));
    answer_details(&mut app, "ordi", DEPLOY);
    assert_eq!(value(&app), "50");
    let wanted = demand(&app.state).visible;
    assert!(!wanted.iter().any(|request| matches!(request, Request::Brc20Token { .. })), "no coin is left: {wanted:?}");
    assert!(app.screen((120, 35)).contains("no known coin"), "{}", app.screen((120, 35)));
}

#[test]
fn token_without_details_has_no_coin() {
    let mut app = wallet();
    add(&mut app, COLD);
    let mut ordi = coin(2, "ordi", "ORDI", Some(10.0));
    ordi.contracts = vec![satscope::model::Contract { platform: None, address: DEPLOY.into() }];
    app.answer(&tokens(), page(vec![ordi], Some(1)));
    answer_balances(&mut app, vec![balance("mine", 3, 0)]);
    app.fail_with(&details("mine"), ErrorKind::Refused);
    assert!(app.screen((120, 35)).contains("token details not loaded"), "{}", app.screen((120, 35)));
    app.fail_with(&details("mine"), ErrorKind::NotFound { message: None });
    assert!(app.screen((120, 35)).contains("no known coin"), "{}", app.screen((120, 35)));
    let wanted = demand(&app.state).visible;
    assert!(!wanted.contains(&details("mine")), "{wanted:?}");
}

#[test]
fn symbol_alone_does_not_identify_a_token() {
    let mut app = wallet();
    add(&mut app, COLD);
    let mut ordi = coin(2, "ordi", "ORDI", Some(10.0));
    ordi.contracts = vec![satscope::model::Contract { platform: None, address: DEPLOY.into() }];
    app.answer(&tokens(), page(vec![ordi], Some(1)));
    answer_balances(&mut app, vec![balance("ordi", 5, 0)]);
    answer_details(&mut app, "ordi", &DEPLOY.replace('b', "c"));
    assert_eq!(value(&app), "0");
}

#[test]
fn lot_counts_nothing_at_an_address_without_its_token() {
    for others in [vec![], vec![balance("zzzz", 1, 0)]] {
        let mut app = wallet();
        add(&mut app, &format!("{COLD} \"cold\""));
        app.keys("a");
        app.keys("400 ordi @ 5 cold 2025-01-01");
        app.key(KeyCode::Enter);
        answer_tokens(&mut app);
        answer_balances(&mut app, vec![balance("ordi", 400, 0)]);
        assert_eq!(value(&app), "4000");
        answer_balances(&mut app, others);
        assert_eq!(value(&app), "0");
        // The holding, whose lots are hidden at first.
        app.keys("ggj");
        app.key(KeyCode::Right);
        let screen = app.screen((120, 35));
        assert!(screen.contains("not held"), "{screen}");
    }
}

#[test]
fn lots_beyond_a_balance_keep_the_profit_of_the_rest() {
    let mut app = wallet();
    add(&mut app, &format!("{COLD} \"cold\""));
    for lot in ["865000 ordi @ 4 cold 2026-05-05", "1 ordi @ 4 cold 2026-05-06"] {
        app.keys("a");
        app.keys(lot);
        app.key(KeyCode::Enter);
    }
    answer_tokens(&mut app);
    answer_balances(&mut app, vec![balance("ordi", 865_000, 0)]);
    assert_eq!(value(&app), "8650000");
    // The holding, whose lots are hidden at first.
    app.keys("ggj");
    app.key(KeyCode::Right);
    let screen = app.screen((160, 45));
    for part in ["lots exceed the balance by 1 ORDI", "+5,190,000", "864,999"] {
        assert!(screen.contains(part), "{part}: {screen}");
    }
    assert!(!screen.contains("not held"), "{screen}");
    app.keys("a");
    app.keys("sell 1 ordi @ 9 cold 2026-05-07");
    app.key(KeyCode::Enter);
    let screen = app.screen((160, 45));
    assert!(!screen.contains("lots exceed"), "{screen}");
}

#[test]
fn coin_of_a_balance_may_be_on_any_page_of_the_list() {
    let mut app = wallet();
    add(&mut app, COLD);
    let at = |start: u32| Request::Coins { tag: Tag::Brc20, start, limit: 200, convert: Currency::usd() };
    let token = |rank: u32| {
        let mut token = coin(rank, &format!("slug-{rank}"), "TOKEN", Some(2.0));
        token.brc20_ticker = Some(format!("t{rank}").into());
        token
    };
    let pages = |from: u32, to: u32| page((from..to).map(token).collect(), Some(450));
    app.answer(&at(1), pages(1, 201));
    assert!(!demand(&app.state).visible.contains(&at(201)), "no balance is known");
    answer_balances(&mut app, vec![balance("t250", 5, 0)]);
    assert!(demand(&app.state).visible.contains(&at(201)), "{:?}", demand(&app.state).visible);
    assert!(app.screen((120, 35)).contains("prices not loaded"), "{}", app.screen((120, 35)));
    app.answer(&at(201), pages(201, 401));
    assert_eq!(value(&app), "10");
    let wanted = demand(&app.state).visible;
    assert!(wanted.contains(&at(201)) && !wanted.contains(&at(401)), "{wanted:?}");

    answer_balances(&mut app, vec![balance("t250", 5, 0), balance("mine", 1, 0)]);
    assert!(demand(&app.state).visible.contains(&at(401)));
    app.answer(&at(401), pages(401, 451));
    assert!(app.screen((120, 35)).contains("no known coin"), "{}", app.screen((120, 35)));
    assert!(!demand(&app.state).visible.contains(&at(451)), "the list ends");
}

#[test]
fn coin_oversold_at_two_places_is_named_once() {
    let mut app = wallet();
    add(&mut app, COLD);
    answer_tokens(&mut app);
    answer_balances(&mut app, vec![balance("ordi", 400, 0)]);
    for place in ["", COLD] {
        app.keys("a");
        app.send(Message::Paste(format!("sell 5 ordi @ 9 2026-11-02 {place}")));
        app.key(KeyCode::Enter);
    }
    let screen = app.screen((120, 35));
    assert!(screen.contains("not held") && screen.contains("!400"), "both are marked: {screen}");
    assert!(screen.contains("sold more than held: ORDI ") && !screen.contains("ORDI, ORDI"), "{screen}");
}
