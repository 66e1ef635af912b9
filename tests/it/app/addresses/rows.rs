//! The rows of addresses: alerts on them, opening and hiding them.

use super::*;

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
    assert_eq!(message(&app), "Removed alert cold sends (u: undo)");
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
fn addresses_and_coins_are_sorted_by_value_together() {
    let mut app = wallet();
    add(&mut app, COLD);
    answer_tokens(&mut app);
    answer_balances(&mut app, vec![balance("ordi", 7, 0)]);
    for line in ["2 ordi @ 1 2026-11-01", "1 bitcoin 2026-11-01"] {
        app.keys("a");
        app.keys(line);
        app.key(KeyCode::Enter);
    }
    let rows = |app: &App| {
        let name = |kind| match kind {
            LineKind::Holding(index) => {
                let held = &app.state.wallet.holdings().holding(index).unwrap().holding;
                let place = if held.address.is_some() { " there" } else { "" };
                format!("{}{place}", held.coin.symbol)
            }
            LineKind::Address(_) => String::from("address"),
            other => panic!("{other:?}"),
        };
        app.state.wallet.lines().iter().map(|line| name(line.kind)).collect::<Vec<_>>()
    };
    assert_eq!(rows(&app), ["BTC", "address", "ORDI there", "ORDI"]);
    app.keys("S");
    assert_eq!(rows(&app), ["ORDI", "address", "ORDI there", "BTC"]);
    app.keys("sn");
    assert_eq!(rows(&app), ["BTC", "ORDI", "address", "ORDI there"], "addresses have no other order");
    app.keys("sv");
    // The coin below the balances of the address is not one of them.
    app.keys("ggjd");
    assert_eq!(rows(&app), ["BTC", "ORDI"]);
    assert_eq!(app.state.wallet.selected_holding().unwrap().holding.coin.symbol, "ORDI");
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
    // A balance without a coin is not copied either, since a message would show it.
    app.key(KeyCode::Down);
    app.key(KeyCode::Down);
    assert!(app.state.wallet.selected_unvalued().is_some());
    assert_eq!(app.keys("y"), [Effect::Copy("mine".into())]);
    app.keys("H");
    assert_eq!(app.keys("yb"), [Effect::Copy("333".into())]);
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
fn rows_of_a_wallet_with_compared_coins_are_aligned() {
    let mut app = wallet();
    add(&mut app, &format!("{COLD} cold"));
    answer_tokens(&mut app);
    answer_balances(&mut app, vec![balance("ordi", 7, 0), balance("mine", 3, 0)]);
    app.keys("a");
    app.keys("2 bitcoin @ 9 2026-11-01");
    app.key(KeyCode::Enter);
    app.keys("0");
    app.key(KeyCode::Right);
    let column = |screen: &str, words: &str| {
        let line =
            screen.lines().skip(2).find(|line| line.contains(words)).unwrap_or_else(|| panic!("{words}: {screen}"));
        line.split(words).next().unwrap().chars().count()
    };
    let rows = ["Holding", "▾ bitcoin", "buy 2026-11-01", "▾ cold", "ordi", "  mine"];
    for size in [(160, 45), (80, 24)] {
        let before = app.screen(size);
        app.keys("m");
        let after = app.screen(size);
        for words in rows {
            assert_eq!(column(&after, words), column(&before, words) + 1, "{words}: {before}{after}");
        }
        app.keys("m");
    }
}

#[test]
fn address_below_its_short_form_is_indented_like_the_number_of_lots() {
    let mut app = wallet();
    add(&mut app, COLD);
    app.keys("a");
    app.keys("2 bitcoin @ 9 2026-11-01");
    app.key(KeyCode::Enter);
    for size in [(160, 45), (120, 35)] {
        let screen = app.screen(size);
        let start = |words: &str| {
            let line = screen.lines().find(|line| line.trim_start().starts_with(words));
            line.unwrap_or_else(|| panic!("{words}: {screen}")).find(words)
        };
        assert_eq!(start(COLD), start("1 lot"), "{screen}");
    }
}
