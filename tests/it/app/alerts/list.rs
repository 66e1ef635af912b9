//! The list of alerts, and the lines in the chart.

use super::*;

#[test]
fn rows_distinguish_coins_with_the_same_symbol_and_labelled_addresses() {
    let mut app = app();
    app.answer(
        &all(1),
        page(vec![coin(1, "cat-one", "CAT", Some(1.0)), coin(2, "cat-two", "CAT", Some(2.0))], Some(2)),
    );
    let address = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq".into();
    let entry = WalletAddress { address, label: Some("cold".into()), added_at: START };
    app.send(Message::Loaded(Box::new(UserData { addresses: vec![entry], ..UserData::default() })));
    for rule in ["cat-one > 5", "cat-two > 5", "cold receives"] {
        add(&mut app, rule);
    }
    app.keys("!");
    app.key(KeyCode::Esc);
    let screen = app.screen((120, 35));
    assert!(["cat-one", "cat-two", "cold"].iter().all(|name| screen.contains(name)), "{screen}");
}

#[test]
fn alerts_fill_a_small_screen() {
    let mut app = app();
    (11..18).for_each(|limit| drop(add(&mut app, &format!("ordi > {limit}"))));
    app.wait(std::time::Duration::from_secs(60));
    prices(&mut app, 11.5);
    app.keys("!");
    app.key(KeyCode::Esc);
    let screen = app.screen((40, 12));
    let shown = (11..18).filter(|limit| screen.contains(&format!("price > {limit}"))).count();
    assert!(shown == 7 && screen.contains("Fired · 1"), "{screen}");
    (0..7).for_each(|_| drop(app.key(KeyCode::Down)));
    assert!(app.screen((40, 12)).contains("ORDI is 11.50"), "{}", app.screen((40, 12)));
    // A sentence that does not fit is cut between words, never within a number.
    for columns in 24..40 {
        let screen = app.screen((columns, 12));
        let line = screen.lines().find(|line| line.contains("ORDI is")).unwrap_or_else(|| panic!("{screen}"));
        assert!(line.contains("11.50") || line.contains("is…"), "{line}");
    }
}

#[test]
fn limits_are_whole_in_a_narrow_list() {
    for (rule, shown) in [("ordi > 70000.5 eur", " > 70,000.5 EUR"), ("ordi every 5.25 eur", " every 5.25 EUR")] {
        let mut app = app();
        let alerts = vec![price_alert(1, rule, "ordi"), price_alert(2, "ordi > 12", "ordi")];
        app.send(Message::Loaded(Box::new(UserData { alerts, ..UserData::default() })));
        app.keys("6!");
        let screen = app.screen((30, 10));
        let has_row = |rule: &str| screen.lines().any(|line| line.contains('●') && line.contains(rule));
        assert!(has_row(shown) && has_row(" price > 12"), "{screen}");
    }
}

#[test]
fn columns_stay_as_wide_as_they_were_while_the_dialog_is_open() {
    let mut app = app();
    let alert = |number: i64| {
        let rule = if number == 120 { String::from("ordi > 123456.789 usd") } else { format!("ordi > {number} usd") };
        price_alert(number, &rule, "ordi")
    };
    let data = UserData { alerts: (11..=130).map(alert).collect(), ..UserData::default() };
    app.send(Message::Loaded(Box::new(data)));
    let mut view_state = satscope::view::ViewState::default();
    let mut column = |app: &App| {
        let screen = app.screen_after((120, 35), &mut view_state);
        screen.lines().find_map(|line| line.find("State")).unwrap_or_else(|| panic!("{screen}"))
    };
    app.keys("6!");
    let before = column(&app);
    app.key(KeyCode::End);
    let widest = column(&app);
    assert!(widest > before);
    app.key(KeyCode::Home);
    assert_eq!(column(&app), widest);
}

#[test]
fn limits_and_states_are_never_cut() {
    let mut app = app();
    add(&mut app, "ordi > 123456.789 btc");
    add(&mut app, "ordi rank <= 1");
    add(&mut app, "ordi vol > 61234567.125 eur once");
    app.keys("!");
    app.key(KeyCode::Esc);
    for size in [(160, 45), (120, 35), (80, 24), (40, 12)] {
        let screen = app.screen(size);
        for rule in ["price > 123,456.789 BTC", "rank ≤ 1"] {
            assert!(screen.contains(rule), "{rule}\n{screen}");
        }
        assert!(size.0 == 40 || screen.contains("vol > 61,234,567.125 EUR"), "{screen}");
        let dialog: Vec<&str> = screen.lines().filter(|line| line.contains('│')).collect();
        let cut = dialog.iter().find(|line| line.contains('…') && !line.contains("vol > …"));
        assert_eq!(cut, None, "{screen}");
    }
}

#[test]
fn more_alerts_than_rows_have_a_scrollbar() {
    let mut app = app();
    (11..60).for_each(|limit| drop(add(&mut app, &format!("ordi > {limit}"))));
    app.keys("!");
    app.key(KeyCode::Esc);
    for size in [(160, 45), (80, 24), (40, 12)] {
        assert!(app.screen(size).contains('▐'), "{}", app.screen(size));
    }
}

#[test]
fn value_that_waits_for_confirmation_is_shown() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    prices(&mut app, 10.1);
    assert_eq!(fired(&prices(&mut app, 30.0)), [""; 0]);
    app.keys("!");
    app.key(KeyCode::Esc);
    let screen = app.screen((120, 35));
    assert!(screen.contains("ORDI > 12: 30.00 waits to be confirmed by the next check"), "{screen}");
    assert_eq!(fired(&prices(&mut app, 30.0)).len(), 1);
    assert!(!app.screen((120, 35)).contains("waits to be confirmed"), "{}", app.screen((120, 35)));
}

#[test]
fn interval_of_less_than_a_minute_is_in_seconds() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    let fetch_id = app.start(&all(1));
    let receipt =
        satscope::fetch::Receipt { fresh_until: app.now.plus(std::time::Duration::from_secs(30)), ..app.receipt() };
    let response = Some(std::sync::Arc::new(page(three(), Some(3))));
    app.send(Message::Fetch(satscope::fetch::Event::Arrived { request: all(1), fetch_id, response, receipt }));
    app.keys("!");
    app.key(KeyCode::Esc);
    assert!(app.screen((120, 35)).contains("checked at least every 30 s"), "{}", app.screen((120, 35)));
}

#[test]
fn fired_alert_is_marked_on_a_small_screen() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    prices(&mut app, 12.5);
    app.keys("!");
    app.key(KeyCode::Esc);
    assert!(app.screen((40, 12)).contains("ORDI > 12: fired "), "{}", app.screen((40, 12)));
}

#[test]
fn time_of_an_alert_that_fired_on_another_day_has_the_day() {
    let zone = satscope::model::Zone::from_posix("<+1555>-15:55").unwrap();
    let mut app = App::with(Preferences { zone, watched: Vec::new(), ..Preferences::default() });
    app.checks_alerts(true);
    prices(&mut app, 10.0);
    add(&mut app, "ordi > 12");
    prices(&mut app, 12.5);
    app.keys("!");
    app.key(KeyCode::Esc);
    assert!(app.screen((120, 35)).contains("fired 23:57"), "{}", app.screen((120, 35)));
    (0..3).for_each(|_| drop(prices(&mut app, 12.5)));
    assert!(app.screen((120, 35)).contains("fired 19 Nov 23:57"), "{}", app.screen((120, 35)));
}

#[test]
fn alerts_show_no_hidden_amounts() {
    let mut app = app();
    let address = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
    let entry = WalletAddress { address: address.into(), label: Some("cold".into()), added_at: START };
    app.send(Message::Loaded(Box::new(UserData { addresses: vec![entry], ..UserData::default() })));
    add(&mut app, "cold ordi > 450");
    app.keys("4H1");
    let request = Request::Brc20Balances { address: address.into(), offset: 0, limit: 500 };
    let balances = |amount: &str| {
        let (ticker, overall) = (Some("ordi".into()), amount.parse().ok());
        let balance = satscope::model::Balance { ticker, overall, available: None, transferable: None };
        ResponseData::Balances(Page { items: vec![balance], total: Some(1) })
    };
    arrive(&mut app, &request, balances("425"));
    let effects = arrive(&mut app, &request, balances("500"));
    assert_eq!(fired(&effects), ["cold has 500 ordi (limit > 450)"], "the store has the amount");
    let effects = after_saving(&mut app, &effects);
    let texts: Vec<&str> = effects
        .iter()
        .filter_map(|it| if let Effect::Notify { text, .. } = it { Some(text.as_str()) } else { None })
        .collect();
    assert_eq!(texts, ["cold has ••• ordi"]);
    assert_eq!(app.state.toast.as_ref().unwrap().text, "cold has ••• ordi");
    app.keys("!");
    app.key(KeyCode::Esc);
    let screen = app.screen((120, 35));
    assert!(screen.contains("cold has ••• ordi") && !screen.contains("500"), "{screen}");
    assert!(screen.contains("ordi > •••") && screen.contains("re-arms •••") && !screen.contains("450"), "{screen}");
    app.key(KeyCode::Esc);
    app.keys("4H1!");
    app.key(KeyCode::Esc);
    let screen = app.screen((120, 35));
    assert!(screen.contains("cold has 500 ordi (limit > 450)"), "{screen}");
}

#[test]
fn selected_firing_is_visible_below_many_alerts() {
    let mut app = app();
    (11..30).for_each(|limit| drop(add(&mut app, &format!("ordi > {limit}"))));
    app.wait(std::time::Duration::from_secs(60));
    assert_eq!(fired(&prices(&mut app, 14.5)).len(), 4);
    app.keys("!");
    app.key(KeyCode::Esc);
    app.key(KeyCode::End);
    (0..30).for_each(|_| drop(app.key(KeyCode::Down)));
    let screen = app.screen((80, 24));
    assert!(screen.contains("(limit > 11)"), "the last one: {screen}");
    app.key(KeyCode::Up);
    app.key(KeyCode::Up);
    app.key(KeyCode::Up);
    assert!(app.screen((80, 24)).contains("(limit > 14)"), "{}", app.screen((80, 24)));
}

#[test]
fn chart_shows_alerts_and_lots_of_its_coin() {
    use satscope::model::{Chart, HistoricalRate, Period, Point, VolumeSpan};

    let mut app = app();
    app.send(Message::Loaded(Box::new(wallet_data())));
    add(&mut app, "ordi > 10.5");
    add(&mut app, "ordi < 8.5 eur");
    app.key(KeyCode::Enter);
    let request = Request::Chart { slug: "ordi".into(), period: Period::Week, convert: Currency::usd() };
    let point = |hour: u64| {
        let time = app.now.minus(std::time::Duration::from_hours(168 - hour));
        Point { time, price: Some(9.5 + hour as f64 / 200.0), volume: None, market_cap: None }
    };
    let points = (0..=168).map(point).collect();
    let chart = Chart {
        slug: "ordi".into(),
        period: Period::Week,
        convert: Currency::usd(),
        points,
        volume_span: VolumeSpan::Day,
        candles: None,
    };
    app.answer(&request, ResponseData::Chart(chart));
    for size in [(160, 45), (80, 24)] {
        let screen = app.screen(size);
        assert_eq!(screen.lines().filter(|line| line.contains("╌╌")).count(), 1, "{screen}");
        assert!(screen.contains(" 10.5┤╌"), "{screen}");
    }
    // The limit in another currency needs today's rate.
    let visible = demand(&app.state).visible;
    let rates = visible.iter().find(|request| matches!(request, Request::HistoricalRates { .. })).unwrap();
    app.fail(rates);
    let screen = app.screen((160, 45));
    assert!(!screen.lines().next().unwrap().contains('×'), "everything else is there: {screen}");
    let Request::HistoricalRates { days, from, to } = rates else { panic!("{rates:?}") };
    let (date, from, to) = (days[0], from[0].clone(), to.clone());
    let rate = HistoricalRate { date, from, to, rate: "1.1".parse().unwrap(), fraction: None, day: date };
    app.answer(rates, ResponseData::HistoricalRates(vec![rate]));
    // After midnight, it stays until the new day's rate arrives, but not for another day.
    for (hours, count) in [(0, 2), (18, 2), (24, 1)] {
        app.wait(std::time::Duration::from_hours(hours));
        for size in [(160, 45), (80, 24)] {
            let screen = app.screen(size);
            assert_eq!(screen.lines().filter(|line| line.contains("╌╌")).count(), count, "{hours}: {screen}");
            assert_eq!(screen.contains("≈9.35┤╌"), count == 2, "{hours}: {screen}");
        }
    }
}

#[test]
fn adding_an_alert_again_opens_a_new_line() {
    let mut app = app();
    prices(&mut app, 11.5);
    app.keys("!");
    app.key(KeyCode::Enter);
    app.keys("!");
    let Some(Overlay::Alerts(dialog)) = &app.state.overlay else { panic!("no alerts") };
    let line = dialog.line.as_ref().map(|line| line.value());
    assert!(line.is_some_and(|line| line.starts_with("ordi < ")), "the first rule exists: {line:?}");
}

fn toast(app: &App) -> &str {
    app.state.toast.as_ref().map_or("", |toast| toast.text.as_str())
}

#[test]
fn keys_on_a_firing_apply_to_its_alert() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    add(&mut app, "ordi > 13");
    assert_eq!(fired(&prices(&mut app, 12.5)).len(), 1);
    app.keys("!");
    app.key(KeyCode::Esc);
    app.key(KeyCode::End);
    let alert = |app: &App| app.state.alerts.tracked[0].alert.clone();
    for (key, expected) in [
        (" ", "Alert off: ORDI > 12"),
        (" ", "Alert on: ORDI > 12"),
        ("b", "Bell off: ORDI > 12"),
        ("n", "Notification off: ORDI > 12"),
    ] {
        app.keys(key);
        assert_eq!(toast(&app), expected);
    }
    assert!(alert(&app).on && !alert(&app).bell && !alert(&app).notify);
    assert!(app.state.alerts.tracked[1].alert.bell, "not that of the other alert");
    app.keys("e");
    let Some(Overlay::Alerts(dialog)) = &app.state.overlay else { panic!("no alerts") };
    assert_eq!(dialog.edited, Some(alert(&app).id));
    app.key(KeyCode::Esc);
    app.keys("d");
    assert_eq!(toast(&app), "Removed alert ORDI > 12 (u: undo)");
    let rules: Vec<String> = app.state.alerts.tracked.iter().map(|tracked| tracked.alert.rule.to_string()).collect();
    assert!(rules.len() == 1 && rules[0].contains("13"), "{rules:?}");
    let Some(Overlay::Alerts(dialog)) = &app.state.overlay else { panic!("no alerts") };
    assert_eq!(dialog.past, None, "it is removed with its firings");
    app.keys(" ");
    assert!(!alert(&app).on, "the remaining alert is selected");
}

#[test]
fn undo_restores_the_order_of_firings_at_the_same_time() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    add(&mut app, "ordi > 13");
    assign_alert_ids(&mut app, 1);
    assert_eq!(fired(&prices(&mut app, 13.5)).len(), 2);
    app.keys("!");
    app.key(KeyCode::Esc);
    let firings = |app: &mut App| -> Vec<String> {
        let screen = app.screen((120, 35));
        screen.lines().filter(|line| line.contains("limit > 1")).map(|line| line.trim().to_owned()).collect()
    };
    let before = firings(&mut app);
    assert!(before.len() == 2 && before[0].contains("limit > 12"), "{before:?}");
    app.key(KeyCode::Home);
    app.keys("d");
    assert_eq!(firings(&mut app).len(), 1);
    app.keys("u");
    assert_eq!(firings(&mut app), before);
}

#[test]
fn keys_on_an_event_of_a_removed_alert_say_that_it_is_gone() {
    let mut app = app();
    let data = UserData {
        alerts: vec![price_alert(1, "ordi > 12 usd", "ordi")],
        unchecked: vec![UncheckedPeriod {
            alert: AlertId(77),
            subject: "SATS".into(),
            from: app.now.minus(std::time::Duration::from_hours(3)),
            until: app.now.minus(std::time::Duration::from_hours(2)),
            reason: "no price history".into(),
        }],
        ..UserData::default()
    };
    app.send(Message::Loaded(Box::new(data)));
    app.keys("!");
    app.key(KeyCode::Esc);
    let footer = |app: &mut App| app.screen((120, 35)).lines().last().unwrap_or_default().to_owned();
    assert!(footer(&mut app).contains("remove"), "{}", footer(&mut app));
    app.key(KeyCode::End);
    assert!(!footer(&mut app).contains("remove"), "{}", footer(&mut app));
    for key in ["e", "d", " ", "b", "n"] {
        app.keys(key);
        assert_eq!(toast(&app), "This alert no longer exists", "{key}");
    }
    assert_eq!(app.state.alerts.tracked.len(), 1);
    app.key(KeyCode::Enter);
    assert!(app.state.token.is_none() && app.state.overlay.is_some());
}
