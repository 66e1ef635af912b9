//! Adding and editing rules.

use super::*;

#[test]
fn key_on_a_row_fills_in_five_percent() {
    let mut app = app();
    app.keys("!");
    for size in [(160, 45), (80, 24), (40, 12)] {
        let screen = app.screen(size);
        assert!(screen.contains("ordi > 10.5 usd"), "{screen}");
    }
    let screen = app.screen((120, 35));
    assert!(
        screen.contains("Fires when ORDI > 10.5 USD · re-arms at 10.45") && screen.contains("5.0% away"),
        "{screen}"
    );
    app.key(KeyCode::Down);
    let screen = app.screen((120, 35));
    assert!(screen.contains("› ordi < 9.5 usd") && screen.contains("↑↓ select"), "{screen}");
    app.keys("x");
    assert!(!app.screen((120, 35)).contains("↑↓ select"), "{}", app.screen((120, 35)));
    app.key(KeyCode::Backspace);
    let effects = app.key(KeyCode::Enter);
    let [Effect::Save(_, Change::AddAlert(alert))] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((alert.rule.to_string().as_str(), alert.state.armed), ("ordi < 9.5 usd", Some(true)));
    for size in [(160, 45), (80, 24), (40, 12)] {
        let screen = app.screen(size);
        assert!(screen.contains("ORDI") && screen.contains("price < 9.5") && screen.contains("10.00"), "{screen}");
    }
}

/// Types another rule in the open line.
fn retype(app: &mut App, rule: &str) {
    let clear = crossterm::event::KeyEvent::new(KeyCode::Char('u'), crossterm::event::KeyModifiers::CONTROL);
    app.send(Message::Key(clear));
    app.keys(rule);
}

#[test]
fn relative_limit_is_computed_from_the_price() {
    let mut app = app();
    app.keys("!");
    retype(&mut app, "ordi +5%");
    assert!(app.screen((120, 35)).contains("Fires when ORDI > 10.5 USD"), "{}", app.screen((120, 35)));
    // Without a name, it is about the selected coin.
    retype(&mut app, "-10% once");
    assert!(app.screen((120, 35)).contains("Fires when ORDI < 9 USD · once"), "{}", app.screen((120, 35)));
    let effects = app.key(KeyCode::Enter);
    let [Effect::Save(_, Change::AddAlert(alert))] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((alert.rule.to_string().as_str(), alert.once), ("ordi < 9 usd", true));
    app.keys("anothing +5%");
    assert_eq!(app.key(KeyCode::Enter), []);
    let screen = app.screen((120, 35));
    assert!(screen.contains("Character 9: the price of nothing is unknown"), "{screen}");
}

#[test]
fn messages_name_a_currency_other_than_that_of_the_screen() {
    let mut app = app();
    app.keys("!");
    retype(&mut app, "ordi < 8 eur");
    assert!(app.screen((120, 35)).contains("Fires when ORDI < 8 EUR · "), "{}", app.screen((120, 35)));
    app.key(KeyCode::Enter);
    let toast = app.state.toast.as_ref().map_or("", |toast| toast.text.as_str());
    assert!(toast.starts_with("Saved alert ORDI < 8 EUR"), "{toast}");
    app.keys("a");
    retype(&mut app, "ordi < 8.0 eur");
    app.key(KeyCode::Enter);
    let screen = app.screen((120, 35));
    assert!(screen.contains("You already have this alert: ORDI < 8 EUR"), "{screen}");
}

#[test]
fn undone_edit_waits_for_its_next_check_without_a_warning() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    app.keys("!");
    app.key(KeyCode::Esc);
    app.keys("e");
    retype(&mut app, "ordi > 13");
    app.key(KeyCode::Enter);
    assert_eq!(app.state.alerts.tracked[0].alert.rule.to_string(), "ordi > 13 usd");
    app.keys("u");
    assert_eq!(app.state.alerts.tracked[0].alert.rule.to_string(), "ordi > 12 usd");
    assert!(!app.screen((120, 35)).contains("not checked:"), "{}", app.screen((120, 35)));
    prices(&mut app, 10.0);
    assert_eq!(app.state.alerts.tracked[0].alert.state.armed, Some(true));
    assert!(!app.screen((120, 35)).contains("not checked:"), "{}", app.screen((120, 35)));
}

#[test]
fn added_alert_stays_selected_when_the_store_assigns_its_id() {
    let mut app = app();
    let effects = add(&mut app, "ordi > 12");
    let stored = |app: &App| {
        let numbers = app.state.alerts.tracked.iter().zip(1..);
        let alerts = numbers.map(|(own, number)| Alert { id: AlertId(number), ..own.alert.clone() }).collect();
        Message::Loaded(Box::new(UserData { alerts, ..UserData::default() }))
    };
    let is_saved = |app: &mut App, effects: &[Effect]| {
        for effect in effects {
            if let Effect::Save(number, _) = effect {
                app.send(Message::Saved(*number, Ok(())));
            }
        }
    };
    let loaded = stored(&app);
    is_saved(&mut app, &effects);
    app.send(loaded);
    app.keys("!");
    app.key(KeyCode::Esc);
    app.keys("aordi > 13");
    let effects = app.key(KeyCode::Enter);
    let loaded = stored(&app);
    is_saved(&mut app, &effects);
    app.send(loaded);
    let ids: Vec<i64> = app.state.alerts.tracked.iter().map(|own| own.alert.id.0).collect();
    assert_eq!(ids, [1, 2]);
    let effects = app.keys("b");
    let [Effect::Save(_, Change::AlertSignals { id, bell: false, .. })] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    assert_eq!(app.state.alert(*id).map(|alert| alert.rule.to_string()).as_deref(), Some("ordi > 13 usd"));
}

#[test]
fn alert_can_be_silent_off_edited_removed_and_restored() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    app.keys("!");
    app.key(KeyCode::Esc);
    app.keys("bn");
    assert!(app.screen((120, 35)).contains("silent"));
    let effects = prices(&mut app, 13.0);
    assert_eq!(fired(&effects).len(), 1);
    let effects = after_saving(&mut app, &effects);
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Bell | Effect::Notify { .. })), "{effects:?}");
    app.keys(" ");
    assert!(app.screen((120, 35)).contains(" off"));
    prices(&mut app, 9.0);
    assert!(fired(&prices(&mut app, 13.0)).is_empty(), "it is off");
    app.keys("e");
    let Some(Overlay::Alerts(dialog)) = &app.state.overlay else { panic!() };
    assert_eq!(dialog.line.as_ref().unwrap().value(), "ordi > 12 usd");
    app.key(KeyCode::Backspace);
    app.keys("d rearm 11");
    app.key(KeyCode::Enter);
    assert_eq!(app.state.alerts.tracked[0].alert.rule.to_string(), "ordi > 12 usd rearm 11");
    let toast = |app: &App| app.state.toast.as_ref().map(|toast| toast.text.clone()).unwrap_or_default();
    let saved = "Saved alert ORDI > 12: already true · must first fall to $11 or below";
    assert_eq!(toast(&app), saved);
    app.keys("d");
    assert_eq!((toast(&app).as_str(), app.state.alerts.tracked.len()), ("Removed alert ORDI > 12 (u: undo)", 0));
    app.keys("u");
    assert_eq!((toast(&app).as_str(), app.state.alerts.tracked.len()), ("Restored alert ORDI > 12", 1));
}

#[test]
fn invalid_rule_stays_open_with_one_reason() {
    let mut app = app();
    let address = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdp receives";
    for (line, reason) in [
        ("ordi > 1,500", "Character 8: ambiguous number 1,500 (expected 1500 or 1.5)"),
        ("nothing > 5", "No coin matches nothing in the loaded lists"),
        ("ordy > 5", "No coin matches ordy in the loaded lists · similar: ordi"),
        ("ordi", "Character 5: expected a condition after ordi"),
        ("fees 24h < -8%", "Character 6: fee rates have no 24h change (expected a condition such as fees < 3)"),
        (address, "invalid checksum"),
    ] {
        app.keys("6!");
        app.keys(line);
        assert_eq!(app.key(KeyCode::Enter), []);
        if demand(&app.state).visible.contains(&Request::CoinNames) {
            app.fail_with(&Request::CoinNames, ErrorKind::Status { status: 404, message: None, retry_after: None });
        }
        let screen = app.screen((120, 35));
        assert_eq!(screen.matches(reason).count(), 1, "{screen}");
        app.key(KeyCode::Esc);
    }
}

#[test]
fn unknown_coin_names_similar_ones_as_in_a_sentence() {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    let coins = [(1, "cat-one"), (2, "cat-two"), (3, "cat-three")];
    let coins = coins.map(|(rank, slug)| coin(rank, slug, "CAT", Some(1.0)));
    app.answer(&all(1), page(coins.to_vec(), Some(3)));
    app.keys("6!");
    app.keys("catt > 5");
    app.answer(&Request::CoinNames, ResponseData::CoinNames(Vec::new()));
    let screen = app.screen((120, 35));
    assert!(screen.contains("No coin matches catt · similar: cat-one, cat-two, cat-three"), "{screen}");
}

#[test]
fn coin_is_looked_up_before_it_is_reported_unknown() {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    app.keys("5!");
    app.keys("ordi > 12");
    assert!(app.screen((120, 35)).contains("Looking up ordi… · loading coins"), "{}", app.screen((120, 35)));
    assert!(demand(&app.state).visible.contains(&Request::CoinNames));
    app.fail(&Request::CoinNames);
    let screen = app.screen((120, 35));
    assert!(screen.contains("Lookup of ordi failed: can't reach x (connection refused) · retrying"), "{screen}");
    let (id, name, symbol, slug) = ("id-ordi".into(), "ORDI".into(), "ORDI".into(), "ordi".into());
    let names = vec![IndexedName::from(CoinName { id, name, symbol, slug, rank: Some(2) })];
    app.answer(&Request::CoinNames, ResponseData::CoinNames(names));
    assert!(app.screen((120, 35)).contains("Fires when ORDI > 12 USD"), "{}", app.screen((120, 35)));
    assert!(!demand(&app.state).visible.contains(&Request::CoinNames));
}

#[test]
fn rule_that_is_already_true_has_a_note_and_a_duplicate_is_rejected() {
    let mut app = app();
    app.keys("!");
    app.send(Message::Key(crossterm::event::KeyEvent::new(
        KeyCode::Char('u'),
        crossterm::event::KeyModifiers::CONTROL,
    )));
    app.keys("ordi > 8");
    let note = "already true · must first fall to $7.96 or below";
    assert!(app.screen((120, 35)).contains(note), "{}", app.screen((120, 35)));
    app.key(KeyCode::Enter);
    let toast = app.state.toast.as_ref().map_or("", |toast| toast.text.as_str());
    assert_eq!(toast, format!("Saved alert ORDI > 8: {note}"));
    app.keys("a");
    app.keys("ordi > 8.0 once");
    assert_eq!(app.key(KeyCode::Enter), []);
    assert!(app.screen((120, 35)).contains("You already have this alert: ORDI > 8"), "{}", app.screen((120, 35)));
}

#[test]
fn rule_with_a_rearm_value_that_is_already_true_shows_what_it_waits_for() {
    let mut app = app();
    app.keys("!");
    retype(&mut app, "ordi > 8 rearm 7.25");
    let note = "already true · must first fall to $7.25 or below";
    assert!(app.screen((120, 35)).contains(note), "{}", app.screen((120, 35)));
    app.key(KeyCode::Enter);
    let toast = app.state.toast.as_ref().map_or("", |toast| toast.text.as_str());
    assert_eq!(toast, format!("Saved alert ORDI > 8: {note}"));
    let screen = app.screen((120, 35));
    assert!(screen.lines().any(|line| line.contains('◐') && line.contains("waits for ≤ 7.25")), "{screen}");
    assert!(!screen.contains("beyond the limit") && !screen.contains("━"), "it isn't armed: {screen}");
}

#[test]
fn line_of_an_unchanged_alert_has_its_rearm_value() {
    let mut app = app();
    app.keys("!");
    retype(&mut app, "ordi > 8");
    app.key(KeyCode::Enter);
    prices(&mut app, 11.0);
    assert!(app.screen((120, 35)).contains("waits for ≤ 7.96"), "{}", app.screen((120, 35)));
    app.keys("e");
    let note = |level| format!("already true · must first fall to ${level} or below");
    assert!(app.screen((120, 35)).contains(&note("7.96")), "{}", app.screen((120, 35)));
    retype(&mut app, "ordi > 9");
    assert!(app.screen((120, 35)).contains(&note("8.96")), "{}", app.screen((120, 35)));
}

#[test]
fn shared_symbol_asks_which_coin() {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    let coins = vec![coin(1, "cat-one", "CAT", Some(1.0)), coin(2, "cat-two", "CAT", Some(2.0))];
    app.answer(&all(1), page(coins, Some(2)));
    app.keys("6!");
    app.keys("cat > 5");
    let screen = app.screen((80, 24));
    assert!(screen.contains("cat-one") && screen.contains("cat-two"), "{screen}");
    assert_eq!(screen.matches("cat-one").count(), 1, "each name once: {screen}");
    app.key(KeyCode::Down);
    app.key(KeyCode::Enter);
    assert_eq!(app.state.alerts.tracked[0].alert.state.last, Some(Value::Number(2.0)));
}

#[test]
fn chosen_coin_of_an_alert_stays_chosen_when_a_larger_one_becomes_known() {
    for (is_second, price) in [(false, 2.0), (true, 3.0)] {
        let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
        let coins = [(1, "cat-one"), (2, "cat-two"), (3, "cat-three")];
        let coins = coins.map(|(rank, slug)| coin(rank, slug, "CAT", Some(f64::from(rank))));
        app.answer(&all(1), page(coins[1..].to_vec(), Some(2)));
        app.keys("6!");
        app.keys("cat > 5");
        if is_second {
            app.key(KeyCode::Down);
        }
        app.answer(&all(1), page(coins.to_vec(), Some(3)));
        app.key(KeyCode::Enter);
        assert_eq!(app.state.alerts.tracked[0].alert.state.last, Some(Value::Number(price)));
    }
}

#[test]
fn bell_is_turned_off_without_undoing_what_another_process_has_seen() {
    use satscope::store::Database;
    use satscope::user_data::{AlertEvent, AlertState};

    let directory = tempfile::tempdir().unwrap();
    let mut checker = Database::open(directory.path()).unwrap();
    let mut app = app();
    let effects = add(&mut app, "ordi > 12 usd");
    let added = effects.iter().find_map(|effect| match effect {
        Effect::Save(_, change @ Change::AddAlert(_)) => Some(change.clone()),
        _ => None,
    });
    checker.save(&[added.unwrap()]).unwrap();
    let mut data = checker.load().unwrap();
    data.alerts[0].state.armed = Some(true);
    let mut other = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    other.send(Message::Loaded(Box::new(data.clone())));
    // It fires before the other process has loaded that.
    let event = AlertEvent {
        alert: AlertId(1),
        number: 1,
        at: START,
        after: None,
        title: "ORDI > 12".into(),
        text: "ORDI is 13 USD (limit > 12)".into(),
        missed: false,
        seen: false,
    };
    let state = AlertState { armed: Some(false), fired: 1, fired_at: Some(event.at), ..data.alerts[0].state.clone() };
    checker.save(&[Change::AlertFired(Box::new(event), Box::new(state.clone()))]).unwrap();
    other.keys("!");
    if matches!(&other.state.overlay, Some(Overlay::Alerts(dialog)) if dialog.line.is_some()) {
        other.key(KeyCode::Esc);
    }
    let changes: Vec<Change> = other.keys("b").into_iter().filter_map(saved_change).collect();
    assert_eq!(changes.len(), 1, "{changes:?}");
    checker.save(&changes).unwrap();
    let alert = &checker.load().unwrap().alerts[0];
    assert_eq!((alert.bell, alert.notify, &alert.state), (false, true, &state));
    assert!(!other.state.alerts.tracked[0].alert.bell);
    let changes: Vec<Change> = other.keys("u").into_iter().filter_map(saved_change).collect();
    checker.save(&changes).unwrap();
    let alert = &checker.load().unwrap().alerts[0];
    assert_eq!((alert.bell, &alert.state), (true, &state), "undone");
}

fn saved_change(effect: Effect) -> Option<Change> {
    if let Effect::Save(_, change) = effect { Some(change) } else { None }
}

#[test]
fn rule_about_an_unknown_token_is_not_added() {
    let mut app = app();
    app.keys("5!");
    app.keys("zzzz minted > 5%");
    let request = Request::Brc20Token { ticker: "zzzz".into() };
    assert!(app.screen((120, 35)).contains("Looking up zzzz…"), "{}", app.screen((120, 35)));
    assert_eq!(app.key(KeyCode::Enter), []);
    app.fail_with(&request, ErrorKind::NotFound { message: None });
    assert!(app.screen((120, 35)).contains("No BRC-20 token zzzz"), "{}", app.screen((120, 35)));
    assert_eq!(app.key(KeyCode::Enter), []);
}

#[test]
fn rule_without_source_warns_when_added() {
    let mut app = app();
    let error = ErrorKind::Status { status: 501, message: None, retry_after: None };
    app.fail_with(&Request::ChainState, error);
    app.keys("5!");
    app.keys("fees < 3");
    let reason = "ot checked: no enabled provider has this value";
    assert!(app.screen((120, 35)).contains(reason), "{}", app.screen((120, 35)));
    assert_eq!(app.key(KeyCode::Enter).len(), 1);
    let toast = app.state.toast.as_ref().map_or("", |toast| toast.text.as_str());
    assert!(toast.contains(reason), "{toast}");
}

#[test]
fn value_without_a_subject_applies_to_the_selected_row() {
    let mut app = app();
    app.keys("!");
    app.send(Message::Key(crossterm::event::KeyEvent::new(
        KeyCode::Char('u'),
        crossterm::event::KeyModifiers::CONTROL,
    )));
    app.keys("24h < -8%");
    assert!(app.screen((120, 35)).contains("Fires when ORDI 24h < −8%"), "{}", app.screen((120, 35)));
    app.key(KeyCode::Enter);
    assert_eq!(app.state.alerts.tracked[0].alert.rule.to_string(), "ordi 24h < -8%");
    app.keys("a24h < -8%");
    assert!(app.screen((120, 35)).contains("before 24h"), "{}", app.screen((120, 35)));
}

#[test]
fn error_in_a_line_without_a_subject_is_at_the_typed_character() {
    let mut app = app();
    app.keys("!");
    for (line, reason) in [
        ("vol foo 1m", "Character 5: unexpected `foo`"),
        ("  vol foo 1m", "Character 7: unexpected `foo`"),
        ("ordi vol foo 1m", "Character 10: unexpected `foo`"),
        ("24h < x", "Character 7: "),
        ("vol", "Character 4: expected a condition after vol"),
    ] {
        retype(&mut app, line);
        let screen = app.screen((120, 35));
        assert!(screen.contains(reason), "{line}: {screen}");
    }
}

#[test]
fn limit_about_a_holding_is_hidden_everywhere_and_kept_when_edited() {
    let mut app = app();
    let address = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
    let entry = WalletAddress { address: address.into(), label: Some("cold".into()), added_at: START };
    app.send(Message::Loaded(Box::new(UserData { addresses: vec![entry], ..UserData::default() })));
    app.keys("4H1");
    let hides = |app: &mut App, wanted: &str| {
        let screen = app.screen((120, 35));
        assert!(screen.contains(wanted) && !screen.contains("450") && !screen.contains("425"), "{wanted}: {screen}");
    };
    add(&mut app, "cold ordi > 450 rearm 425");
    let rule = |app: &App| app.state.alerts.tracked[0].alert.rule.to_string();
    assert_eq!(rule(&app), format!("{address} ordi > 450 rearm 425"));
    app.keys("!");
    app.key(KeyCode::Esc);
    hides(&mut app, "ordi > •••");
    app.keys("e");
    hides(&mut app, "ordi > ••• rearm •••");
    hides(&mut app, "Fires when cold ordi > ••• · re-arms at •••");
    app.keys(" once");
    app.key(KeyCode::Enter);
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Saved alert cold ordi > •••");
    assert_eq!((rule(&app), app.state.alerts.tracked[0].alert.once), (format!("{address} ordi > 450 rearm 425"), true));
    app.keys("u");
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Restored alert cold ordi > •••");
    app.keys("d");
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Removed alert cold ordi > ••• (u: undo)");
    for effect in app.keys("u") {
        if let Effect::Save(number, _) = effect {
            app.send(Message::Saved(number, Ok(())));
        }
    }
    hides(&mut app, "Restored alert");
    app.key(KeyCode::Esc);
    app.keys("4H1!");
    app.key(KeyCode::Esc);
    let screen = app.screen((120, 35));
    assert!(screen.contains("ordi > 450"), "{screen}");
}

#[test]
fn selected_token_suggests_rules_that_can_fire() {
    let mut app = App::new();
    app.keys("5");
    let supply = |minted: &str| {
        let (minted_supply, max_supply) = (minted.parse().ok(), "100".parse().ok());
        Brc20Token { minted_supply, max_supply, holders: Some(1_000), ..Brc20Token::new("nova".into()) }
    };
    for (minted, expected) in [
        ("40", vec!["nova minted >= 99%", "nova minted every 1%", "nova holders >= 1050", "nova holders <= 950"]),
        ("100", vec!["nova holders >= 1050", "nova holders <= 950"]),
    ] {
        let tokens = ResponseData::Brc20Tokens(Page { items: vec![supply(minted)], total: Some(1) });
        app.answer(&Request::Brc20Tokens { ticker: None, offset: 0, limit: 60 }, tokens);
        app.keys("!");
        let Some(Overlay::Alerts(dialog)) = &app.state.overlay else { panic!("no dialog") };
        assert_eq!(dialog.suggestions, expected);
        app.key(KeyCode::Esc);
        app.key(KeyCode::Esc);
    }
}

/// Two coins with the symbol CAT, and an alert on one of them, whose line is open.
fn app_with_cats(watched: Watched) -> App {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    let coins = vec![coin(1, "cat-one", "CAT", Some(1.0)), coin(2, "cat-two", "CAT", Some(2.0))];
    app.answer(&all(1), page(coins, Some(2)));
    let parsed = satscope::alerts::parse::parse("cat > 5 usd").unwrap();
    let rule = parsed.rule(Some(watched), &Currency::usd()).unwrap();
    let alert = Alert { id: AlertId(1), ..Alert::new(rule, false) };
    app.send(Message::Loaded(Box::new(UserData { alerts: vec![alert], ..UserData::default() })));
    app.keys("6!e");
    app
}

/// The slug or id of the only alert's coin, and whether it fires once.
fn coin_of_alert(app: &App) -> (String, bool) {
    let alert = &app.state.alerts.tracked[0].alert;
    let satscope::user_data::alert::Target::Coin(coin) = &alert.rule.target else { panic!("{alert:?}") };
    (coin.slug.clone().or(coin.id.clone()).unwrap().to_string(), alert.once)
}

#[test]
fn choosing_another_coin_in_an_unchanged_line_saves_it() {
    // The alert's own coin comes first. It is not in the list.
    let delisted = Watched { symbol: "CAT".into(), slug: Some("cat".into()), id: Some("id-cat".into()) };
    let mut app = app_with_cats(delisted);
    app.key(KeyCode::Down);
    app.key(KeyCode::Down);
    assert_eq!(app.key(KeyCode::Enter).len(), 1);
    assert_eq!(coin_of_alert(&app), (String::from("cat-two"), false));
}

#[test]
fn edited_alert_with_only_the_id_of_its_coin_keeps_that_coin() {
    let second = Watched { symbol: "CAT".into(), slug: None, id: Some("id-cat-two".into()) };
    let mut app = app_with_cats(second.clone());
    app.keys(" once");
    app.key(KeyCode::Enter);
    assert_eq!(coin_of_alert(&app), (String::from("id-cat-two"), true));
    let mut app = app_with_cats(second);
    app.key(KeyCode::Down);
    app.key(KeyCode::Enter);
    assert_eq!(coin_of_alert(&app), (String::from("cat-one"), false));
}

#[test]
fn edit_of_an_alert_that_was_removed_elsewhere_is_reported() {
    let mut app = with_edited_line();
    app.send(Message::Loaded(Box::default()));
    assert_eq!(app.key(KeyCode::Enter), []);
    let toast = app.state.toast.as_ref().unwrap().text.clone();
    assert_eq!(toast, "Can't save: another process removed this alert (Enter: add again)");
    let effects = app.key(KeyCode::Enter);
    let [Effect::Save(_, Change::AddAlert(alert))] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((alert.rule.to_string().as_str(), alert.once), ("ordi > 12 usd", true));
}
