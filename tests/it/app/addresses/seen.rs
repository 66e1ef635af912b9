//! Changes since the last run.

use satscope::user_data::Alert;

use super::*;

/// The session of the last save among these effects.
fn saved_session(effects: &[Effect]) -> Option<SessionEntries> {
    effects.iter().rev().find_map(|effect| match effect {
        Effect::Save(_, Change::Session(entries)) => Some(entries.clone()),
        _ => None,
    })
}

#[test]
fn seen_values_are_saved_on_leaving_the_tab_or_a_balance_change() {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    let mut coins = three();
    coins[1].price = Some(10.0);
    app.answer(&all(1), page(coins, Some(3)));
    let entry = WalletAddress { address: COLD.into(), label: None, added_at: START };
    let user = UserData { addresses: vec![entry], ..UserData::default() };
    app.send(Message::Loaded(Box::new(user.clone())));
    app.keys("4");
    answer_tokens(&mut app);
    answer_balances(&mut app, vec![balance("ordi", 400, 25)]);
    assert!(saved_session(&app.keys("j")).is_none(), "a key changes nothing that was seen");
    let mut coins = three();
    coins[1].price = Some(10.2);
    app.answer(&all(1), page(coins, Some(3)));
    let session = saved_session(&app.keys("1")).expect("saved when the tab is left");
    assert_eq!(saved_session(&app.keys("41")), None, "it is saved already");

    // After a crash, the next run compares with it.
    let mut next = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    next.send(Message::Loaded(Box::new(UserData { session, ..user })));
    next.keys("4");
    answer_tokens(&mut next);
    let request = balances();
    let fetch_id = next.start(&request);
    let response = ResponseData::Balances(Page { items: vec![balance("ordi", 435, 0)], total: Some(1) });
    let receipt = next.receipt();
    let arrived = Event::Arrived { request, fetch_id, response: Some(Arc::new(response)), receipt };
    let effects = next.send(Message::Fetch(arrived));
    assert!(next.screen((120, 35)).contains("received 10 ordi"), "{}", next.screen((120, 35)));
    let session = saved_session(&effects).expect("saved when a balance changes");
    assert!(session.iter().any(|(name, value)| name.starts_with("seen-balance") && value == "435"), "{session:?}");
}

#[test]
fn changes_since_the_last_run_are_one_line() {
    let mut app = wallet();
    add(&mut app, COLD);
    answer_tokens(&mut app);
    answer_balances(&mut app, vec![balance("ordi", 400, 25), balance("mine", 3, 0)]);
    let user = UserData { session: app.state.session().entries(), ..app.state.user.current().into_owned() };

    let start = |price: f64| {
        let mut next = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
        next.send(Message::Loaded(Box::new(user.clone())));
        let mut coins = three();
        coins[1].price = Some(price);
        next.answer(&all(1), page(coins, Some(3)));
        next.keys("4");
        answer_tokens(&mut next);
        next
    };
    let mut same = start(10.4);
    answer_balances(&mut same, vec![balance("ordi", 400, 25), balance("mine", 3, 0)]);
    assert!(!same.screen((160, 45)).contains("since "), "{}", same.screen((160, 45)));

    let mut next = start(9.0);
    answer_balances(&mut next, vec![balance("ordi", 435, 0), balance("nova", 2, 0)]);
    for size in [(160, 45), (120, 35), (80, 24)] {
        let screen = next.screen(size);
        assert!(
            screen.contains("since 08:00: ORDI ▼10.0%, sent 3 mine, received 2 nova, received 10 ordi"),
            "{screen}"
        );
    }
    assert!(next.screen((40, 24)).contains("more"), "{}", next.screen((40, 24)));
    // Bitcoin that was unknown at the time is not news.
    answer_bitcoin(&mut next, 150_000_000, 0);
    assert!(!next.screen((160, 45)).contains("BTC,"), "{}", next.screen((160, 45)));

    let event = |number, hours: u64, title: &str| AlertEvent {
        alert: AlertId(1),
        number,
        at: START.plus(Duration::from_hours(hours)).minus(Duration::from_hours(1)),
        after: None,
        title: title.into(),
        text: "ORDI is 21.00 (limit > 20)".into(),
        missed: false,
        seen: false,
    };
    let alert_events = vec![event(1, 0, "SATS > 1"), event(2, 2, "ORDI > 20"), event(3, 3, "ORDI > 20")];
    let mut fired = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    fired.send(Message::Loaded(Box::new(UserData { alert_events, ..user.clone() })));
    fired.keys("4");
    let screen = fired.screen((120, 35));
    assert!(screen.contains("ORDI > 20 fired") && !screen.contains("SATS > 1"), "{screen}");

    // The last seen values are kept while the wallet is not opened.
    let mut later = App::with(Preferences::default());
    later.send(Message::Loaded(Box::new(user.clone())));
    later.keys("1");
    assert_eq!(later.state.session().seen, Some(app.state.session().seen.unwrap()));
}

#[test]
fn changes_since_the_last_run_show_no_hidden_amounts() {
    let mut app = wallet();
    add(&mut app, COLD);
    answer_tokens(&mut app);
    answer_balances(&mut app, vec![balance("ordi", 425, 0)]);
    let rule = satscope::alerts::parse::parse(&format!("{COLD} ordi > 450")).unwrap();
    let alert = Alert { id: AlertId(1), ..Alert::new(rule.rule(None, &Currency::usd()).unwrap(), false) };
    let event = AlertEvent {
        alert: alert.id,
        number: 1,
        at: START.plus(Duration::from_hours(1)),
        after: None,
        title: "bc1qd2mz…8cg8 ordi > 450".into(),
        text: "bc1qd2mz…8cg8 has 500 ordi (limit > 450)".into(),
        missed: false,
        seen: false,
    };
    let session = app.state.session().entries();
    let (alerts, alert_events) = (vec![alert], vec![event]);
    let user = UserData { session, alerts, alert_events, ..app.state.user.current().into_owned() };
    let mut next = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    next.send(Message::Loaded(Box::new(user)));
    next.keys("4");
    assert!(next.screen((120, 35)).contains("8cg8 ordi > 450 fired"), "{}", next.screen((120, 35)));
    next.keys("H");
    let screen = next.screen((120, 35));
    assert!(screen.contains("ordi > ••• fired") && !screen.contains("450"), "{screen}");
}

#[test]
fn coin_without_a_price_does_not_hide_other_changes_since_the_last_run() {
    let mut app = wallet();
    add(&mut app, COLD);
    answer_tokens(&mut app);
    answer_balances(&mut app, vec![balance("ordi", 400, 0)]);
    app.keys("a");
    app.send(Message::Paste(String::from("1 void @ 3")));
    app.key(KeyCode::Enter);
    assert!(app.screen((120, 35)).contains("without VOID"), "{}", app.screen((120, 35)));
    let user = UserData { session: app.state.session().entries(), ..app.state.user.current().into_owned() };

    let mut next = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    next.send(Message::Loaded(Box::new(user)));
    let mut coins = three();
    coins[1].price = Some(9.0);
    next.answer(&all(1), page(coins, Some(3)));
    next.keys("4");
    answer_tokens(&mut next);
    answer_balances(&mut next, vec![balance("ordi", 410, 0)]);
    let screen = next.screen((120, 35));
    assert!(screen.contains("since 08:00: ORDI ▼10.0%, received 10 ordi"), "{screen}");
}

#[test]
fn moves_of_two_held_coins_with_the_same_symbol_are_both_reported() {
    let lot = |id, slug: &str| Lot {
        id: LotId(id),
        kind: Default::default(),
        coin: Watched { symbol: "TWIN".into(), slug: Some(slug.into()), id: None },
        amount: "1".parse().unwrap(),
        price: None,
        fee: None,
        currency: Currency::usd(),
        date: "2026-11-01".parse().unwrap(),
        note: None,
        address: None,
    };
    let start = |user: UserData, prices: [f64; 2]| {
        let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
        app.send(Message::Loaded(Box::new(user)));
        let [a, b] = prices;
        let coins = vec![coin(8, "twin-a", "TWIN", Some(a)), coin(9, "twin-b", "TWIN", Some(b))];
        app.answer(&all(1), page(coins, Some(2)));
        app.keys("4");
        app
    };
    let user = UserData { lots: vec![lot(1, "twin-a"), lot(2, "twin-b")], ..UserData::default() };
    let app = start(user, [10.0, 20.0]);
    let user = UserData { session: app.state.session().entries(), ..app.state.user.current().into_owned() };
    let mut next = start(user, [9.0, 26.0]);
    let screen = next.screen((120, 35));
    assert!(screen.contains("since 08:00: TWIN ▲30.0%, TWIN ▼10.0%"), "{screen}");
}
