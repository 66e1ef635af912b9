//! Addresses in the wallet: adding, labels, removing, and how their balances count.

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use satscope::app::screen::wallet::holdings::LineKind;
use satscope::app::{Effect, Message, Overlay, Preferences, demand};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::fetch::Event;
use satscope::model::{Balance, BitcoinBalance, Currency, Page, ProviderName, Tag};
use satscope::user_data::{
    AlertEvent, AlertId, Change, Lot, LotId, LotPrice, Notice, SessionEntries, UserData, WalletAddress, Watched,
};

use super::fixtures::{App, START, all, coin, page, three};

const COLD: &str = "bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8";

/// The wallet tab without watched coins.
fn wallet() -> App {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    let mut coins = three();
    coins[1].price = Some(10.0);
    app.answer(&all(1), page(coins, Some(3)));
    app.keys("4");
    app
}

fn add(app: &mut App, line: &str) -> Vec<Effect> {
    app.keys("A");
    app.send(Message::Paste(String::from(line)));
    app.key(KeyCode::Enter)
}

fn balances() -> Request {
    Request::Brc20Balances { address: COLD.into(), offset: 0, limit: 500 }
}

fn bitcoin() -> Request {
    Request::BitcoinBalance { address: COLD.into() }
}

/// A bitcoin balance of the address in sats, and its unconfirmed change.
fn answer_bitcoin(app: &mut App, confirmed: u64, unconfirmed: i64) {
    let balance = BitcoinBalance { address: COLD.into(), confirmed, unconfirmed };
    app.answer(&bitcoin(), ResponseData::BitcoinBalance(balance));
}

fn tokens() -> Request {
    Request::Coins { tag: Tag::Brc20, start: 1, limit: 200, convert: Currency::usd() }
}

fn balance(ticker: &str, available: u64, transferable: u64) -> Balance {
    let amount = |units| Some(satscope::model::Amount::from_units(units));
    Balance {
        ticker: Some(ticker.into()),
        available: amount(available),
        transferable: amount(transferable),
        overall: amount(available + transferable),
    }
}

/// ORDI is certainly the coin of `ordi`; two coins claim `twin`.
fn answer_tokens(app: &mut App) {
    let token = |rank, slug, symbol, ticker: &str, price| {
        let mut token = coin(rank, slug, symbol, Some(price));
        token.brc20_ticker = Some(ticker.into());
        token.change_24h_pct = Some(25.0);
        token
    };
    let coins = vec![
        token(2, "ordi", "ORDI", "ordi", 10.0),
        token(8, "twin-a", "TWIN", "twin", 1.0),
        token(9, "twin-b", "TWIN", "twin", 2.0),
    ];
    app.answer(&tokens(), page(coins, Some(3)));
}

fn answer_balances(app: &mut App, items: Vec<Balance>) {
    let total = Some(items.len() as u64);
    app.answer(&balances(), ResponseData::Balances(Page { items, total }));
}

fn value(app: &App) -> String {
    app.state.wallet.holdings().valuation().value.to_string()
}

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
fn address_is_sent_to_another_provider_only_after_another_confirmation() {
    let preferences = Preferences {
        watched: Vec::new(),
        live: Some(true),
        address_receivers: vec![ProviderName::UniSat],
        balance_receivers: vec![ProviderName::Mempool],
        ..Preferences::default()
    };
    let mut app = App::with(preferences);
    // Confirmed before bitcoin balances were looked up.
    let entry = WalletAddress { address: COLD.into(), label: None, added_at: START };
    let notices = [Notice::AddressLookup].into();
    app.send(Message::Loaded(Box::new(UserData { addresses: vec![entry], notices, ..UserData::default() })));
    app.keys("4");
    let sent = |app: &App| {
        let visible = demand(&app.state).visible;
        (visible.contains(&balances()), visible.contains(&bitcoin()))
    };
    assert_eq!(sent(&app), (true, false));
    app.key(KeyCode::Enter);
    let screen = app.screen((80, 24));
    assert!(screen.contains("sent to mempool.space") && !screen.contains("UniSat"), "{screen}");
    let effects = app.key(KeyCode::Enter);
    let notices = [Notice::AddressLookup, Notice::BalanceLookup];
    assert!(notices.iter().all(|notice| {
        effects.iter().any(|effect| matches!(effect, Effect::Save(_, Change::Shown(shown)) if shown == notice))
    }));
    assert_eq!(sent(&app), (true, true));
}

#[test]
fn invalid_address_stays_in_the_line_with_the_reason() {
    let mut app = wallet();
    for (line, reason) in [
        ("bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg9", "checksum"),
        ("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "test network"),
        ("ordi", "unknown format"),
    ] {
        assert_eq!(add(&mut app, line), []);
        assert_eq!(app.state.toast, None, "the dialog says it");
        assert!(matches!(app.state.overlay, Some(Overlay::Address { .. })));
        for size in [(120, 35), (80, 24), (40, 12)] {
            let words = app.screen(size).replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains(reason), "{words}");
        }
        app.key(KeyCode::Esc);
    }
    assert_eq!(add(&mut app, ""), [], "an empty line closes the dialog");
    assert!(app.state.overlay.is_none());
}

#[test]
fn label_is_edited_and_address_removed_and_restored() {
    let mut app = wallet();
    add(&mut app, COLD);
    app.keys("e");
    let Some(Overlay::Address { input, edited: Some(edited) }) = &app.state.overlay else { panic!("no dialog") };
    assert_eq!((input.value(), edited.as_str()), ("", COLD));
    app.keys("cold store");
    app.key(KeyCode::Enter);
    assert!(app.screen((80, 24)).contains("cold store bc1qd2mz…8cg8"), "{}", app.screen((80, 24)));
    app.keys("d");
    assert!(app.state.wallet.lines().is_empty() && demand(&app.state).visible.is_empty());
    let label = |app: &App| app.state.user.current().addresses.first().map(|entry| entry.label.clone());
    for expected in [Some(Some("cold store".into())), Some(None), None] {
        app.keys("u");
        assert_eq!(label(&app), expected);
    }
}

#[test]
fn label_of_another_address_is_refused() {
    let mut app = wallet();
    add(&mut app, &format!("{COLD} cold"));
    assert_eq!(add(&mut app, "bc1qxhmdufsvnuaaaer4ynz88fspdsxq2h9e9cetdj Cold"), []);
    let screen = app.screen((110, 24));
    assert!(screen.contains(&format!("{COLD} already has the label Cold")), "{screen}");
    assert!(app.state.overlay.is_some() && app.state.user.current().addresses.len() == 1);
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
    assert_eq!(kinds, [LineKind::Holding(1), LineKind::Address(0), LineKind::Holding(0)]);
    answer_balances(&mut app, vec![balance("ordi", 1, 0)]);
    let valuation = app.state.wallet.holdings().valuation();
    assert_eq!([&valuation.value, &valuation.cost].map(ToString::to_string), ["50", "20"]);
    answer_balances(&mut app, Vec::new());
    assert_eq!(value(&app), "40", "the token was spent");
}

#[test]
fn line_of_a_lot_names_its_address_or_its_label() {
    let mut app = wallet();
    add(&mut app, &format!("{COLD} cold store"));
    let lot = |app: &App| {
        let user = app.state.user.current();
        let lot = user.lots.last().unwrap();
        (lot.amount.to_string(), lot.address.clone())
    };
    app.keys(&format!("a5 ordi @ 3 2026-11-01 {COLD}"));
    assert!(app.screen((120, 35)).contains("2026-11-01, at cold store bc1qd2mz…8cg8"), "{}", app.screen((120, 35)));
    app.key(KeyCode::Enter);
    assert_eq!(lot(&app), (String::from("5"), Some(COLD.into())));
    app.keys("u");
    app.keys("a6 ordi Cold Store @ 3");
    app.key(KeyCode::Enter);
    assert_eq!(lot(&app), (String::from("6"), Some(COLD.into())));

    // The edited line shows it, so that it stays, or goes if it is deleted.
    let edit = |app: &mut App| {
        app.key(KeyCode::Home);
        for _ in 0..5 {
            app.keys("e");
            match &app.state.overlay {
                Some(Overlay::Lot { input, .. }) => return input.value().to_owned(),
                _ => drop(app.key(KeyCode::Esc)),
            }
            app.key(KeyCode::Down);
        }
        panic!("no lot:\n{}", app.screen((120, 35)));
    };
    assert_eq!(edit(&mut app), "buy 6 ordi @ 3 USD 2026-11-19 cold store");
    app.keys(" \"x\"");
    app.key(KeyCode::Enter);
    assert_eq!(lot(&app), (String::from("6"), Some(COLD.into())));
    assert_eq!(edit(&mut app), "buy 6 ordi @ 3 USD 2026-11-19 cold store \"x\"");
    (0..("cold store \"x\"".len())).for_each(|_| drop(app.key(KeyCode::Backspace)));
    app.key(KeyCode::Enter);
    assert_eq!(lot(&app), (String::from("6"), None));
}

#[test]
fn alert_on_an_address_row_is_filled_in() {
    let mut app = wallet();
    add(&mut app, &format!("{COLD} cold"));
    app.keys("!");
    let line = |app: &App| match &app.state.overlay {
        Some(Overlay::Alerts(dialog)) => dialog.line.as_ref().map(|line| line.value().to_owned()),
        _ => None,
    };
    assert_eq!(line(&app).as_deref(), Some("cold receives"));
    app.key(KeyCode::Down);
    assert_eq!(line(&app).as_deref(), Some("cold sends"));
    app.key(KeyCode::Up);
    assert!(app.screen((80, 24)).contains("Fires when cold receives"), "{}", app.screen((80, 24)));
    app.key(KeyCode::Enter);
    let message = |app: &App| app.state.toast.as_ref().map(|toast| toast.text.clone()).unwrap_or_default();
    assert_eq!(message(&app), "Saved alert cold receives");
    let rules =
        |app: &App| app.state.alerts.tracked.iter().map(|tracked| tracked.alert.rule.to_string()).collect::<Vec<_>>();
    assert_eq!(rules(&app), [format!("{COLD} receives")]);
    // The label replaces the address.
    app.keys("acold sends");
    app.key(KeyCode::Enter);
    assert_eq!(rules(&app), [format!("{COLD} receives"), format!("{COLD} sends")]);
    app.keys("e");
    assert_eq!(line(&app).as_deref(), Some("cold sends"));
    app.key(KeyCode::Esc);
    app.keys("d");
    assert_eq!(message(&app), "Removed alert cold sends");
    app.keys("u");
    assert_eq!(message(&app), "Restored alert cold sends");
}

#[test]
fn suggested_rules_of_an_address_differ_on_a_narrow_screen() {
    for (label, receives, sends) in [
        ("", "bc1qd2mz…8cg8 receives", "bc1qd2mz…8cg8 sends"),
        (" cold wallet", "cold wallet receives", "cold wallet sends"),
        // Before a verb, the symbol of a coin is a label.
        (" ordi", "ordi receives", "ordi sends"),
    ] {
        let mut app = wallet();
        add(&mut app, &format!("{COLD}{label}"));
        app.keys("!");
        let screen = app.screen((40, 12));
        assert!(screen.contains(receives) && screen.contains(sends), "{label}: {screen}");
    }
}

#[test]
fn condition_alone_is_about_the_selected_labelled_address() {
    let mut app = wallet();
    add(&mut app, &format!("{COLD} my cold wallet"));
    app.keys("!");
    app.send(Message::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
    app.keys("sends");
    assert!(app.screen((80, 24)).contains("Fires when my cold wallet sends"), "{}", app.screen((80, 24)));
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
fn first_address_is_sent_to_a_public_provider_only_after_a_confirmation() {
    let preferences = Preferences {
        watched: Vec::new(),
        live: Some(true),
        address_receivers: vec![ProviderName::UniSat],
        ..Preferences::default()
    };
    let mut app = App::with(preferences);
    app.keys("4");
    add(&mut app, COLD);
    assert!(app.screen((80, 24)).contains("sent to UniSat"), "{}", app.screen((80, 24)));
    app.key(KeyCode::Esc);
    assert!(!demand(&app.state).visible.contains(&balances()));
    assert!(app.screen((80, 24)).contains("to look up"), "{}", app.screen((80, 24)));
    app.key(KeyCode::Enter);
    assert!(matches!(app.state.overlay, Some(Overlay::AddressNotice { address: None })));
    let effects = app.key(KeyCode::Enter);
    assert!(matches!(effects.as_slice(), [Effect::Save(_, Change::Shown(Notice::AddressLookup))]), "{effects:?}");
    assert!(demand(&app.state).visible.contains(&balances()) && app.state.overlay.is_none());
}

#[test]
fn address_opens_in_the_indexer_and_hides_its_balances() {
    let mut app = wallet();
    add(&mut app, COLD);
    answer_tokens(&mut app);
    answer_balances(&mut app, vec![balance("ordi", 7, 0), balance("mine", 3, 0)]);
    assert_eq!(app.state.wallet.lines().len(), 3);
    app.key(KeyCode::Down);
    app.key(KeyCode::Down);
    assert!(app.state.wallet.selected_unvalued().is_some());
    app.key(KeyCode::Left);
    assert_eq!((app.state.wallet.lines().len(), app.state.wallet.cursor.index()), (1, 0));
    app.key(KeyCode::Right);
    assert_eq!(app.state.wallet.lines().len(), 3);
    app.key(KeyCode::Down);
    app.key(KeyCode::Enter);
    assert_eq!(app.state.token.as_ref().unwrap().name, "ordi");
    app.key(KeyCode::Esc);
    app.keys("k");
    app.key(KeyCode::Enter);
    assert!(app.screen((120, 35)).contains(COLD), "{}", app.screen((120, 35)));
}

#[test]
fn amounts_of_addresses_are_hidden_too() {
    let mut app = wallet();
    add(&mut app, COLD);
    answer_tokens(&mut app);
    answer_balances(&mut app, vec![balance("ordi", 470, 7), balance("mine", 333, 0)]);
    app.keys("H");
    for size in [(160, 45), (80, 24), (40, 12)] {
        let screen = app.screen(size);
        assert!(!screen.contains("47") && !screen.contains("333"), "{screen}");
    }
    let unicode = app.screen((160, 45));
    let ascii = satscope::glyphs::Glyphs::Ascii.lines(&unicode).into_owned();
    assert!(ascii.is_ascii() && !ascii.replace("? help", "").contains('?'), "{ascii}");
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
    let ticket = next.start(&request);
    let answer = ResponseData::Balances(Page { items: vec![balance("ordi", 435, 0)], total: Some(1) });
    let receipt = next.receipt();
    let arrived = Event::Arrived { request, ticket, answer: Some(Arc::new(answer)), receipt };
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
        text: "ORDI is 21.00 (limit 20)".into(),
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

const DEPLOY: &str = "b61b0172d95e266c18aea0c624db987e971a5d6d4ebc2aaed85da4642d635735i0";

fn details(ticker: &str) -> Request {
    Request::Brc20Token { ticker: ticker.into() }
}

/// The details of a token with this deploy inscription.
fn answer_details(app: &mut App, ticker: &str, inscription: &str) {
    let Some(ResponseData::Brc20Token(mut token)) = crate::support::indexer::answer(&details("ordi")) else { panic!() };
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
fn incomplete_total_is_marked_on_any_screen() {
    let mut app = wallet();
    add(&mut app, COLD);
    answer_tokens(&mut app);
    let unknown = ["alphabet", "betamax", "gammaray"].map(|ticker| balance(ticker, 3, 0));
    answer_balances(&mut app, [vec![balance("ordi", 400_000, 0)], unknown.to_vec()].concat());
    let small = app.screen((40, 12));
    assert!(small.contains("$4,000,000  without 4"), "{small}");
    let wide = app.screen((160, 45));
    assert!(wide.contains("without alphabet, betamax, gammaray, BTC"), "{wide}");
    // What it lacks comes before a failure.
    app.fail_with(&balances(), ErrorKind::Refused);
    let by_id = demand(&app.state).visible.into_iter().find(|request| matches!(request, Request::CoinsById { .. }));
    app.fail_with(&by_id.unwrap(), ErrorKind::Refused);
    let small = app.screen((40, 12));
    assert!(small.contains("$4,000,000  without 4"), "{small}");
}

#[test]
fn headline_labels_always_have_a_value() {
    let mut app = wallet();
    let mut coins = three();
    (coins[1].price, coins[1].change_24h_pct) = (Some(10.0), Some(25.0));
    app.answer(&all(1), page(coins, Some(3)));
    for line in ["300 ordi @ 8 2026-11-01", "2 bitcoin 2026-11-01"] {
        app.keys("a");
        app.keys(line);
        app.key(KeyCode::Enter);
    }
    for width in 24..160 {
        let screen = app.screen((width, 24));
        let line = screen.lines().nth(1).unwrap();
        assert_eq!(line.contains("profit"), line.contains("profit  ▲ 25.0%"), "{width}: {line}");
        // The change of bitcoin is unknown.
        let says_what_it_lacks = line.contains("without BTC") || line.contains("without 1");
        assert_eq!(line.contains("24h"), line.contains("24h") && says_what_it_lacks, "{width}: {line}");
        assert!(width < 80 || line.contains("24h"), "{width}: {line}");
    }
}

#[test]
fn address_typed_as_a_lot_is_explained() {
    let mut app = wallet();
    app.keys("a");
    app.send(Message::Paste(COLD.into()));
    let screen = app.screen((80, 24));
    assert!(screen.contains("not an address") && screen.contains("press A"), "{screen}");
    app.key(KeyCode::Esc);
    app.keys("a");
    app.keys("5 ordy");
    let screen = app.screen((80, 24));
    assert!(screen.contains("Looking up ordy… · loading coins"), "{screen}");
    app.answer(&Request::CoinNames, ResponseData::CoinNames(Vec::new()));
    let screen = app.screen((80, 24));
    assert!(screen.contains("No coin matches ordy · did you mean ordi?"), "{screen}");
}
