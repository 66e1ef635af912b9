//! Alerts that fire.

use satscope::app::last_announcements;

use super::*;

#[test]
fn alert_fires_rings_notifies_and_counts_until_seen() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    assert!(fired(&prices(&mut app, 11.0)).is_empty());
    let effects = prices(&mut app, 12.5);
    assert_eq!(fired(&effects), ["ORDI is 12.50 USD (limit > 12)"]);
    let effects = after_saving(&mut app, &effects);
    assert!(effects.contains(&Effect::Bell));
    let text = String::from("ORDI is 12.50 USD (limit > 12)");
    assert!(effects.contains(&Effect::Notify { title: String::from("ORDI > 12"), text }));
    assert!(fired(&prices(&mut app, 13.0)).is_empty(), "once until it is armed again");
    assert!(app.screen((120, 35)).contains("◔ 1"), "{}", app.screen((120, 35)));
    app.keys("!");
    for size in [(160, 45), (80, 24), (40, 12)] {
        let screen = app.screen(size);
        assert!(screen.contains("› ordi > ") && screen.contains("ORDI is 12.50 USD"), "{screen}");
    }
    let screen = app.screen((120, 35));
    assert!(screen.contains("◔ 1") && screen.contains("Esc list"), "{screen}");
    let effects = app.key(KeyCode::Esc);
    assert!(matches!(effects.as_slice(), [Effect::Save(_, Change::AlertsSeen(_))]), "{effects:?}");
    let screen = app.screen((120, 35));
    assert!(!screen.contains('◔') && screen.contains("fired") && screen.contains("ORDI is 12.50 USD"), "{screen}");
}

#[test]
fn unconfirmed_firing_is_announced_at_the_end_unless_another_process_recorded_it() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    let number = firing_number(&prices(&mut app, 12.5));
    let (texts, effects) = last_announcements(&mut app.state, &[]);
    assert_eq!(texts, ["ORDI is 12.50 USD (limit > 12)"]);
    assert!(matches!(effects.as_slice(), [Effect::Bell, Effect::Notify { .. }]), "{effects:?}");
    assert_eq!(last_announcements(&mut app.state, &[]), (Vec::new(), Vec::new()), "once");
    prices(&mut app, 11.0);
    let next = firing_number(&prices(&mut app, 12.5));
    assert_ne!(next, number);
    assert_eq!(last_announcements(&mut app.state, &[next]), (Vec::new(), Vec::new()));
}

#[test]
fn firing_that_is_being_saved_is_announced_after_a_switch_of_data() {
    let mut before = app();
    add(&mut before, "ordi > 12");
    prices(&mut before, 11.0);
    let effects = prices(&mut before, 12.5);
    let number = firing_number(&effects);
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    app.state.user = before.state.user;
    app.state.alerts.take_over(before.state.alerts);
    let effects = app.send(Message::Saved(number, Ok(())));
    assert!(effects.contains(&Effect::Bell), "{effects:?}");
    assert!(
        app.state.alerts.checks(DataKind::real(DataScope::Market))
            && app.state.alerts.tracked[0].alert.state.fired == 1
    );
}

#[test]
fn token_fires_on_each_step() {
    let mut app = app();
    let token = |minted: &str| {
        let token = Brc20Token::new("nova".into());
        let (minted_supply, max_supply) = (minted.parse().ok(), "100".parse().ok());
        ResponseData::Brc20Token(Box::new(Brc20Token { minted_supply, max_supply, ..token }))
    };
    add(&mut app, "nova minted every 1%");
    let request = Request::Brc20Token { ticker: "nova".into() };
    assert!(fired(&arrive(&mut app, &request, token("3.1"))).is_empty());
    assert_eq!(fired(&arrive(&mut app, &request, token("4.2"))), ["nova is 4.2% minted (passed 4%)"]);
}

#[test]
fn failed_alert_command_is_shown_until_one_succeeds() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    let sentence = "Alert command notify-send failed: exit status: 3 · no bus";
    app.send(Message::AlertCommandEnded(Err(String::from(sentence))));
    app.wait(std::time::Duration::from_secs(60));
    app.keys("6");
    let screen = app.screen((120, 35));
    assert!(
        screen.contains(sentence) && screen.contains("1 recent error") && !screen.contains("No errors"),
        "{screen}"
    );
    app.keys("!");
    assert!(app.screen((80, 24)).contains(sentence), "{}", app.screen((80, 24)));
    // A narrow dialog wraps it.
    let words = app.screen((40, 12)).replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(sentence), "{}", app.screen((40, 12)));
    app.send(Message::AlertCommandEnded(Ok(())));
    assert!(!app.screen((80, 24)).contains("notify-send"), "{}", app.screen((80, 24)));
}

#[test]
fn alert_just_checked_by_a_command_fires_in_the_dashboard() {
    for (url, source) in [(EMBEDDED, "live"), ("https://api.example/market", "https://api.example/market")] {
        let mut app = app();
        app.state.preferences.urls = [url, url].map(String::from);
        add(&mut app, "ordi > 12");
        let mut alert: Alert = app.state.alerts.tracked[0].alert.clone();
        // As `satscope alerts add` saves it.
        alert.id = AlertId(7);
        (alert.state.source, alert.state.checked_at) = (Some(ValueSource::parse(source).into_owned()), Some(app.now));
        app.send(Message::Saved(1, Ok(())));
        app.send(Message::Loaded(Box::new(UserData { alerts: vec![alert], ..UserData::default() })));
        assert_eq!(fired(&prices(&mut app, 13.0)).len(), 1, "{url}");
    }
}

#[test]
fn short_stop_of_the_process_is_checked_with_the_price_history() {
    let requests_history = |app: &App| {
        let is_series = |request: &Request| matches!(request, Request::MarketData { .. });
        demand(&app.state).background.iter().any(|need| is_series(&need.request))
    };
    for (stop, is_requested) in [(60, false), (200, true)] {
        let mut app = app();
        add(&mut app, "ordi > 11 usd");
        prices(&mut app, 10.0);
        app.now = app.now.plus(std::time::Duration::from_secs(stop));
        prices(&mut app, 10.0);
        app.send(Message::Tick);
        assert_eq!(requests_history(&app), is_requested, "{stop} s");
    }
}
