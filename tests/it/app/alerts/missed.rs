//! Alerts that fired, or weren't checked, while no process was running.

use satscope::app::alerts::past::PastKey;
use satscope::client::Error;
use satscope::fetch::{Event, Receipt, RefreshFailure};
use satscope::model::{Period, Tag, VolumeSpan};

use super::*;

#[test]
fn missed_crossing_is_shown_with_its_time() {
    use satscope::model::{Chart, MarketSeries, Point};

    let mut app = app();
    add(&mut app, "ordi > 12");
    let left = app.now;
    app.now = left.plus(std::time::Duration::from_hours(3));
    // The first value after the pause requests the history.
    assert!(fired(&prices(&mut app, 10.1)).is_empty());
    let needed = demand(&app.state).background.into_iter().map(|need| need.request);
    let request = needed.into_iter().find(|request| matches!(request, Request::MarketData { .. })).unwrap();
    let point = |minutes: u64| {
        let price = if minutes == 60 { 12.5 } else { 10.0 };
        let time = left.plus(std::time::Duration::from_mins(minutes));
        Point { time, price: Some(price), volume: None, market_cap: None }
    };
    let series = MarketSeries {
        id: Some("id-ordi".into()),
        name: None,
        symbol: "ORDI".into(),
        slug: Some("ordi".into()),
        convert: Currency::usd(),
        interval: None,
        points: (0..36).map(|place| point(place * 5)).collect(),
        volume_span: VolumeSpan::Day,
        candles: None,
    };
    let effects = arrive(&mut app, &request, ResponseData::Market(vec![series]));
    assert_eq!(fired(&effects), ["ORDI is 12.50 USD (limit > 12) · 5 m prices"]);
    assert!(!demand(&app.state).background.iter().any(|need| need.request == request), "it is requested once");
    app.keys("!");
    app.key(KeyCode::Esc);
    for size in [(160, 45), (80, 24)] {
        let screen = app.screen(size);
        let lines: Vec<&str> = screen.lines().map(|line| line.trim_matches([' ', '│'])).collect();
        let title = lines.iter().position(|line| *line == "While you were away").expect("a title");
        assert!(lines[title + 1].ends_with("ORDI is 12.50 USD (limit > 12) · 5 m prices"), "{screen}");
        assert!(!lines.contains(&"Fired"), "{screen}");
    }
    // The firing opens the chart at its time.
    app.key(KeyCode::Down);
    app.key(KeyCode::Enter);
    let token = app.state.token.as_ref().unwrap();
    let crossing = left.plus(std::time::Duration::from_hours(1));
    assert_eq!((token.symbol.as_str(), token.chart_cursor), ("ORDI", Some(crossing)));
    let request = token.chart_request(&Currency::usd()).unwrap();
    let points = (0..36).map(|place| point(place * 5)).collect();
    let chart = Chart {
        slug: "ordi".into(),
        period: token.period,
        convert: Currency::usd(),
        points,
        volume_span: VolumeSpan::Day,
        candles: None,
    };
    app.answer(&request, ResponseData::Chart(chart));
    assert_eq!(app.state.token.as_ref().unwrap().chart_cursor, Some(crossing));
}

#[test]
fn old_firing_leaves_the_period_of_other_charts() {
    for (days, shown, longer) in [(10, Period::Month, Period::Quarter), (400, Period::AllTime, Period::AllTime)] {
        let mut app = app();
        add(&mut app, "ordi > 12");
        let alert = app.state.alerts.tracked[0].alert.clone();
        let firing = AlertEvent {
            alert: alert.id,
            number: 1,
            at: app.now.minus(std::time::Duration::from_hours(days * 24)),
            after: None,
            title: "ORDI > 12".into(),
            text: "firing".into(),
            missed: false,
            seen: false,
        };
        let (alerts, alert_events) = (vec![alert], vec![firing]);
        app.send(Message::Loaded(Box::new(UserData { alerts, alert_events, ..UserData::default() })));
        app.keys("!");
        app.key(KeyCode::Esc);
        app.key(KeyCode::Down);
        app.key(KeyCode::Enter);
        let periods = |app: &App| (app.state.token.as_ref().unwrap().period, app.state.period);
        assert_eq!(periods(&app), (shown, Period::Week), "{days}");
        app.keys("]");
        assert_eq!(periods(&app), (longer, longer), "the user chose it");
    }
}

/// A series of ORDI at 10 every five minutes for three hours.
fn flat_series(from: UtcTime) -> satscope::model::MarketSeries {
    let point = |place: u64| satscope::model::Point {
        time: from.plus(std::time::Duration::from_mins(place * 5)),
        price: Some(10.0),
        volume: None,
        market_cap: None,
    };
    satscope::model::MarketSeries {
        id: Some("id-ordi".into()),
        name: None,
        symbol: "ORDI".into(),
        slug: Some("ordi".into()),
        convert: Currency::usd(),
        interval: None,
        points: (0..36).map(point).collect(),
        volume_span: VolumeSpan::Day,
        candles: None,
    }
}

#[test]
fn current_price_is_checked_when_the_history_has_arrived() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    let left = app.now;
    app.now = left.plus(std::time::Duration::from_hours(3));
    assert!(fired(&prices(&mut app, 12.5)).is_empty(), "it waits for the history");
    let needed = demand(&app.state).background.into_iter().map(|need| need.request);
    let request = needed.into_iter().find(|request| matches!(request, Request::MarketData { .. })).unwrap();
    let effects = arrive(&mut app, &request, ResponseData::Market(vec![flat_series(left)]));
    assert_eq!(fired(&effects), ["ORDI is 12.50 USD (limit > 12)"]);
    assert_eq!(app.state.alerts.tracked[0].alert.state.last, Some(Value::Number(12.5)));
}

/// The alert "ordi > 12" and another one on ORDI, last checked three hours ago, and the request for the series of that
/// time.
fn after_three_hours() -> (App, UtcTime, Request) {
    let mut app = app();
    add(&mut app, "ordi > 12");
    add(&mut app, "ordi < 8");
    let left = app.now;
    app.now = left.plus(std::time::Duration::from_hours(3));
    assert!(fired(&prices(&mut app, 10.1)).is_empty());
    let needed = demand(&app.state).background.into_iter().map(|need| need.request);
    let request = needed.into_iter().find(|request| matches!(request, Request::MarketData { .. })).unwrap();
    (app, left, request)
}

#[test]
fn unchecked_period_is_listed_once_and_opens_the_chart() {
    let (mut app, left, request) = after_three_hours();
    app.fail_with(&request, ErrorKind::Status { status: 500, message: None, retry_after: None });
    // A firing that the program saw itself.
    app.wait(std::time::Duration::from_secs(60));
    assert!(fired(&prices(&mut app, 11.0)).is_empty());
    app.wait(std::time::Duration::from_secs(60));
    assert_eq!(fired(&prices(&mut app, 12.1)), ["ORDI is 12.10 USD (limit > 12)"]);
    app.keys("!");
    app.key(KeyCode::Esc);
    for size in [(160, 45), (80, 24)] {
        let screen = app.screen(size);
        let lines: Vec<&str> = screen.lines().map(|line| line.trim_matches([' ', '│'])).collect();
        let at = |words: &str| lines.iter().position(|line| *line == words).unwrap_or_else(|| panic!("{screen}"));
        let (away, live) = (at("While you were away"), at("Fired"));
        assert_eq!(live - away, 2, "two alerts on a coin, one line: {screen}");
        assert!(lines[away + 1].contains("ORDI not checked: server error (500)"), "{screen}");
        assert!(lines[live + 1].ends_with("ORDI is 12.10 USD (limit > 12)"), "{screen}");
    }
    // Below the two alerts.
    app.key(KeyCode::Down);
    app.key(KeyCode::Down);
    let zone = &app.state.preferences.zone;
    let hint = format!("↵ ORDI at {}", satscope::format::Clock(zone.at(left)));
    assert!(app.screen((120, 35)).contains(&hint), "{}", app.screen((120, 35)));
    app.key(KeyCode::Enter);
    let token = app.state.token.as_ref().unwrap();
    assert_eq!((token.symbol.as_str(), token.chart_cursor), ("ORDI", Some(left)));
}

#[test]
fn unchecked_period_survives_a_restart_until_it_is_seen() {
    let (mut app, _, request) = after_three_hours();
    let effects = app.fail_with(&request, ErrorKind::Status { status: 500, message: None, retry_after: None });
    let kept: Vec<_> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Save(_, Change::AlertsUnchecked(periods)) => Some(periods.clone()),
            _ => None,
        })
        .collect();
    let [unchecked] = kept.as_slice() else { panic!("{effects:?}") };
    assert_eq!(unchecked.len(), 1, "two alerts on a coin, one period");
    let alerts = app.state.alerts.tracked.iter().map(|tracked| tracked.alert.clone()).collect();
    let data = UserData { alerts, unchecked: unchecked.clone(), ..UserData::default() };

    let restarted = |data: &UserData| {
        let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
        app.send(Message::Loaded(Box::new(data.clone())));
        app
    };
    let mut app = restarted(&data);
    let effects = app.keys("!");
    let [Effect::Save(_, seen @ Change::AlertsSeen(_))] = effects.as_slice() else { panic!("{effects:?}") };
    let screen = app.screen((120, 35));
    assert!(screen.contains("ORDI not checked: server error (500)"), "{screen}");
    let mut data = data;
    data.apply(seen);
    let mut app = restarted(&data);
    app.keys("!");
    let screen = app.screen((120, 35));
    assert!(!screen.contains("While you were away"), "{screen}");
}

#[test]
fn all_new_firings_and_unchecked_periods_are_listed_before_they_count_as_seen() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    let alert = app.state.alerts.tracked[0].alert.clone();
    let at = |minutes: u64| app.now.minus(std::time::Duration::from_mins(minutes));
    let period = |number: u64| UncheckedPeriod {
        alert: alert.id,
        subject: "ORDI".into(),
        from: at(20 * number),
        until: at(20 * number - 10),
        reason: format!("reason {number}").into(),
    };
    let firing = |number: u32, seen: bool| AlertEvent {
        alert: alert.id,
        number,
        at: at(u64::from(100 - number)),
        after: None,
        title: "ORDI > 12".into(),
        text: format!("firing {number}").into(),
        missed: false,
        seen,
    };
    let unchecked: Vec<UncheckedPeriod> = (1..=12).rev().map(period).collect();
    let alert_events = (1..=10).map(|number| firing(number, number < 4)).collect();
    let (alerts, data) = (vec![alert.clone()], UserData::default());
    app.send(Message::Loaded(Box::new(UserData { alerts, unchecked: unchecked.clone(), alert_events, ..data })));
    app.keys("!");
    let effects = app.key(KeyCode::Esc);
    let Some(Effect::Save(_, Change::AlertsSeen(seen))) = effects.first() else { panic!("{effects:?}") };
    assert_eq!((seen.unchecked.len(), seen.firings.len()), (12, 7));
    let screen = app.screen((120, 60));
    for text in
        seen.unchecked.iter().map(|period| period.reason.to_string()).chain((4..=10).map(|it| format!("firing {it}")))
    {
        assert!(screen.contains(&text), "{text}\n{screen}");
    }
    assert!(!screen.contains("firing 3"), "it was seen before: {screen}");
    // What doesn't fit is counted, and the arrows reach it.
    let screen = app.screen((80, 24));
    assert!(screen.contains("more"), "{screen}");
    (0..30).for_each(|_| drop(app.key(KeyCode::Down)));
    let screen = app.screen((80, 24));
    assert!(screen.contains("firing 4") && !screen.contains("more"), "{screen}");
}

/// Waits as the dashboard does, which wakes up every minute.
fn wait_minutes(app: &mut App, minutes: u64) {
    (0..minutes).for_each(|_| app.wait(std::time::Duration::from_mins(1)));
}

/// The request for the price history, if the next price needs it, which comes after this time.
fn history_after(app: &mut App, minutes: u64) -> Option<Request> {
    wait_minutes(app, minutes - 1);
    assert!(fired(&prices(app, 10.1)).is_empty());
    let needed = demand(&app.state).background.into_iter().map(|need| need.request);
    needed.into_iter().find(|request| matches!(request, Request::MarketData { .. }))
}

/// The service responds with old data, since its providers fail.
fn old_prices(app: &mut App, age: std::time::Duration) {
    let fetch_id = app.start(&all(1));
    let error = Error { what: String::new(), origin: String::new(), kind: ErrorKind::Refused };
    let refresh_failure = RefreshFailure { error: error.into(), next_try: app.now };
    let receipt = Receipt { age, refresh_failure: Some(refresh_failure), ..app.receipt() };
    app.send(Message::Fetch(Event::Arrived { request: all(1), fetch_id, response: None, receipt }));
}

#[test]
fn price_history_of_a_short_outage_is_requested() {
    for is_paused in [false, true] {
        let watching = || {
            let mut app = app();
            add(&mut app, "ordi > 12");
            prices(&mut app, 10.0);
            if is_paused {
                app.keys("P");
            }
            app
        };
        assert_eq!(history_after(&mut watching(), 5), None, "no outage");
        let mut app = watching();
        wait_minutes(&mut app, 1);
        app.fail(&all(1));
        assert!(history_after(&mut app, 4).is_some(), "paused: {is_paused}");
        let mut app = watching();
        wait_minutes(&mut app, 1);
        old_prices(&mut app, std::time::Duration::from_mins(1));
        assert!(history_after(&mut app, 4).is_some(), "paused: {is_paused}");
    }
}

#[test]
fn failure_that_waited_during_a_pause_does_not_interrupt_later_checks() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    prices(&mut app, 10.0);
    // Another list has the coin.
    app.keys("2P");
    app.fail(&all(1));
    let other = app.state.list(Tag::Brc20).page_request(1, &Currency::usd());
    let next = |app: &mut App| {
        let mut ordi = three().remove(1);
        ordi.price = Some(10.1);
        assert!(fired(&arrive(app, &other, page(vec![ordi], Some(1)))).is_empty());
    };
    next(&mut app);
    app.keys("P");
    wait_minutes(&mut app, 3);
    next(&mut app);
    assert_eq!(app.state.alerts.tracked[0].alert.state.checked_at, Some(app.now));
    let needed = background(&app);
    assert!(!needed.iter().any(|name| name.starts_with("Price history")), "{needed:?}");
}

/// The selected row below the alerts.
fn selected(app: &App) -> Option<PastKey> {
    match &app.state.overlay {
        Some(Overlay::Alerts(dialog)) => dialog.past,
        _ => None,
    }
}

#[test]
fn selection_follows_a_new_alert_to_its_number() {
    let (mut app, left, request) = after_three_hours();
    app.fail_with(&request, ErrorKind::Status { status: 500, message: None, retry_after: None });
    app.wait(std::time::Duration::from_secs(60));
    assert_eq!(fired(&prices(&mut app, 12.1)).len(), 1);
    app.keys("!");
    app.key(KeyCode::Esc);
    // Below the two alerts.
    (0..3).for_each(|_| drop(app.key(KeyCode::Down)));
    assert_eq!(selected(&app), Some(PastKey::Firing(AlertId(-1), 1)));
    assign_alert_ids(&mut app, 5);
    assert_eq!(selected(&app), Some(PastKey::Firing(AlertId(5), 1)));

    let (mut app, ..) = after_three_hours();
    app.fail_with(&request, ErrorKind::Status { status: 500, message: None, retry_after: None });
    app.keys("!");
    app.key(KeyCode::Esc);
    (0..2).for_each(|_| drop(app.key(KeyCode::Down)));
    assert_eq!(selected(&app), Some(PastKey::Unchecked(AlertId(-1), left)));
    assign_alert_ids(&mut app, 5);
    assert_eq!(selected(&app), Some(PastKey::Unchecked(AlertId(5), left)));
    app.key(KeyCode::Enter);
    assert_eq!(app.state.token.as_ref().map(|token| token.chart_cursor), Some(Some(left)));
}
