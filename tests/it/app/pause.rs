//! Paused updates.

use std::time::Duration;

use crossterm::event::KeyCode;
use satscope::app::{Effect, Message, Preferences, demand};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::fetch::{Event, SkipReason};
use satscope::model::{Chart, Coin, Point, VolumeSpan};

use super::fixtures::{App, all, page, three};
use crate::support::screen::{Screen, fixture};

#[test]
fn paused_updates_wait_and_are_counted() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("P");
    let mut newer = three();
    newer[0].price = 1.5.into();
    app.answer(&all(1), page(newer.clone(), Some(3)));
    assert_ne!(app.state.coin(&newer[0].id).unwrap().price, Some(1.5));
    assert!(app.screen((160, 45)).contains("paused · 1 waiting"), "{}", app.screen((160, 45)));
    newer[0].price = 2.5.into();
    app.answer(&all(1), page(newer.clone(), Some(3)));
    assert!(
        app.screen((160, 45)).contains("paused · 1 waiting"),
        "only the newest response waits: {}",
        app.screen((160, 45))
    );
    app.wait(Duration::from_mins(2));
    assert!(app.screen((160, 45)).contains("2 m ago"), "ages go on: {}", app.screen((160, 45)));
    app.keys("P");
    assert_eq!(app.state.coin(&newer[0].id).unwrap().price, Some(2.5));
    assert!(!app.screen((160, 45)).contains("paused"), "{}", app.screen((160, 45)));
}

#[test]
fn status_says_that_refreshes_are_paused() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("6");
    let line = |app: &mut App| {
        let screen = app.screen((160, 45));
        screen.lines().find(|line| line.contains("Coin list 1–200")).unwrap_or_else(|| panic!("{screen}")).to_owned()
    };
    assert!(line(&mut app).contains("in 5 m"), "{}", line(&mut app));
    app.keys("P");
    assert!(line(&mut app).contains("paused") && !line(&mut app).contains("in 5 m"), "{}", line(&mut app));
}

#[test]
fn paused_screen_still_loads_missing_data() {
    let mut app = App::new();
    app.keys("P");
    app.answer(&all(1), page(three(), Some(3)));
    assert_eq!(app.slugs().len(), 3);
}

#[test]
fn refresh_shows_new_values_while_updates_stay_paused() {
    let (mut app, newer) = with_a_newer_response();
    let refreshed = app.keys("r");
    let [Effect::Refresh(requests)] = refreshed.as_slice() else { panic!("{refreshed:?}") };
    assert!(requests.contains(&all(1)), "{requests:?}");
    assert_eq!(app.state.coin(&newer[0].id).unwrap().price, Some(1.5), "what has waited is shown");
    let price = |price| {
        let mut coins = newer.clone();
        coins[0].price = Some(price);
        page(coins, Some(3))
    };
    let fetch_id = app.start(&all(1));
    assert!(app.screen((160, 45)).contains("refreshing…"), "{}", app.screen((160, 45)));
    app.arrive(&all(1), fetch_id, price(2.5));
    assert_eq!(app.state.coin(&newer[0].id).unwrap().price, Some(2.5));
    // The next update is not the requested refresh.
    app.answer(&all(1), price(3.5));
    assert_eq!(app.state.coin(&newer[0].id).unwrap().price, Some(2.5));
    assert!(app.screen((160, 45)).contains("paused · 1 waiting"), "{}", app.screen((160, 45)));
}

#[test]
fn refresh_is_confirmed_or_says_why_it_failed_while_updates_are_paused() {
    let toast = |app: &App| app.state.toast.as_ref().map(|toast| toast.text.clone());
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("r");
    assert_eq!(toast(&app), None);
    app.answer(&all(1), page(three(), Some(3)));
    assert_eq!(toast(&app).as_deref(), Some("Refreshed"));
    app.wait(Duration::from_mins(1));
    app.answer(&all(1), page(three(), Some(3)));
    assert_eq!(toast(&app), None, "nobody has requested it");
    app.keys("r");
    app.fail(&all(1));
    assert_eq!(toast(&app), None, "the line above the list says why");
    app.keys("Pr");
    app.fail(&all(1));
    assert_eq!(toast(&app).as_deref(), Some("Not refreshed · Can't reach x (connection refused)"));
}

#[test]
fn skipped_refresh_holds_back_later_updates() {
    // Another update may start right after it.
    for wait in [Duration::ZERO, Duration::from_mins(1)] {
        let (mut app, newer) = with_a_newer_response();
        app.keys("r");
        let until = app.now.plus(Duration::from_secs(7));
        let skipped = Event::RefreshSkipped { sent: 0, skipped: 1, reason: SkipReason::Recent, until };
        app.send(Message::Fetch(skipped));
        assert_eq!(app.state.toast.as_ref().unwrap().text, "Just refreshed (r: in 7 s)");
        app.wait(wait);
        let mut newest = newer.clone();
        newest[0].price = Some(2.5);
        app.answer(&all(1), page(newest, Some(3)));
        assert_eq!(app.state.coin(&newer[0].id).unwrap().price, Some(1.5));
    }
}

#[test]
fn response_in_progress_waits_too() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    let before = app.state.coin(&three()[0].id).unwrap().price;
    let fetch_id = app.start(&all(1));
    app.keys("P");
    assert!(!app.screen((160, 45)).contains("refreshing"), "{}", app.screen((160, 45)));
    let mut newer = three();
    newer[0].price = Some(1.5);
    app.arrive(&all(1), fetch_id, page(newer.clone(), Some(3)));
    assert_eq!(app.state.coin(&newer[0].id).unwrap().price, before);
    app.keys("P");
    assert_eq!(app.state.coin(&newer[0].id).unwrap().price, Some(1.5));
    assert!(!app.screen((160, 45)).contains("refreshing"), "{}", app.screen((160, 45)));
}

#[test]
fn paused_headers_show_age_and_no_next_update() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("P");
    app.wait(Duration::from_mins(2));
    let screen = app.screen((160, 45));
    assert!(screen.contains("updated 2 m ago · paused"), "{screen}");
    assert!(!screen.contains("· next"), "{screen}");
    app.wait(Duration::from_mins(10));
    let screen = app.screen((160, 45));
    assert!(screen.contains("12 m old · paused"), "{screen}");
    // In the token view, each panel that has data says so.
    app.key(KeyCode::Enter);
    for request in demand(&app.state).visible {
        if let Request::Chart { slug, period, convert } = request.clone() {
            let point = |price| Point { time: app.now, price: Some(price), volume: None, market_cap: None };
            let points = vec![point(1.0), point(2.0)];
            app.answer(
                &request,
                ResponseData::Chart(Chart {
                    slug,
                    period,
                    convert,
                    points,
                    volume_span: VolumeSpan::Day,
                    candles: None,
                }),
            );
        }
    }
    app.wait(Duration::from_mins(10));
    let screen = app.screen((160, 45));
    assert!(screen.contains("22 m old · paused"), "{screen}");
    assert!(screen.contains("10 m old · paused"), "{screen}");
    assert!(!screen.contains("waiting to refresh") && !screen.contains("· next"), "{screen}");
}

#[test]
fn failure_before_the_pause_is_not_retried_on_the_screen() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.fail(&all(1));
    app.keys("P");
    app.wait(Duration::from_mins(2));
    let screen = app.screen((160, 45));
    assert!(screen.contains("connection refused) · paused"), "{screen}");
    assert!(!screen.contains("retrying"), "{screen}");
}

/// A paused list, and the newer coins that wait.
fn with_a_newer_response() -> (App, Vec<Coin>) {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("P");
    let mut newer = three();
    newer[0].price = Some(1.5);
    app.answer(&all(1), page(newer.clone(), Some(3)));
    (app, newer)
}

#[test]
fn unchanged_response_keeps_the_newer_one_that_waits() {
    let (mut app, newer) = with_a_newer_response();
    let fetch_id = app.start(&all(1));
    let receipt = app.receipt();
    app.send(Message::Fetch(Event::Arrived { request: all(1), fetch_id, response: None, receipt }));
    assert!(app.screen((160, 45)).contains("paused · 1 waiting"), "{}", app.screen((160, 45)));
    app.keys("P");
    assert_eq!(app.state.coin(&newer[0].id).unwrap().price, Some(1.5));
    assert!(app.state.responses.get(&all(1)).entry.unwrap().loading.is_none());
}

#[test]
fn request_that_was_cancelled_meanwhile_changes_nothing() {
    let (mut app, newer) = with_a_newer_response();
    let fetch_id = app.start(&all(1));
    app.send(Message::Fetch(Event::Cancelled { request: all(1), fetch_id }));
    app.keys("P");
    assert_eq!(app.state.coin(&newer[0].id).unwrap().price, Some(1.5));
    assert!(app.state.responses.get(&all(1)).entry.unwrap().loading.is_none());
}

/// The list with an alert, which this process checks.
fn with_alert() -> App {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    app.answer(&all(1), page(three(), Some(3)));
    app.checks_alerts(true);
    app.keys("6!ordi > 10");
    app.key(KeyCode::Enter);
    assert_eq!(app.state.alerts.tracked.len(), 1);
    app
}

fn toast(app: &App) -> &str {
    app.state.toast.as_ref().map_or("", |toast| toast.text.as_str())
}

/// How often the alert has fired.
fn fired(app: &App) -> u32 {
    app.state.alerts.tracked[0].alert.state.fired
}

/// A newer first page in which all prices are above the limit of [`with_alert`].
fn beyond_the_limit() -> Vec<Coin> {
    let mut coins = three();
    coins.iter_mut().for_each(|coin| coin.price = coin.price.map(|price| price * 1.3));
    coins
}

#[test]
fn alerts_are_checked_while_updates_are_paused() {
    let mut app = with_alert();
    app.key(KeyCode::Esc);
    app.keys("P");
    assert!(app.state.paused.is_some(), "{}", toast(&app));
    let before = app.state.coin(&three()[0].id).unwrap().price;
    app.wait(Duration::from_mins(1));
    app.answer(&all(1), page(beyond_the_limit(), Some(3)));
    assert_eq!(fired(&app), 1);
    assert_eq!(app.state.coin(&three()[0].id).unwrap().price, before, "the screen stays");
    // The value that was checked fires once.
    app.keys("P");
    assert_eq!((fired(&app), app.state.coin(&three()[0].id).unwrap().price), (1, before.map(|price| price * 1.3)));
}

#[test]
fn paused_values_are_checked_when_this_process_begins_to_check_alerts() {
    let mut app = with_alert();
    app.key(KeyCode::Esc);
    app.checks_alerts(false);
    app.keys("P");
    app.wait(Duration::from_mins(1));
    app.answer(&all(1), page(beyond_the_limit(), Some(3)));
    assert_eq!(fired(&app), 0, "another process checks them");
    app.checks_alerts(true);
    assert_eq!((fired(&app), app.state.paused.is_some()), (1, true));
}

#[test]
fn pause_moves_no_tab_and_counts_at_any_size() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    let header = |app: &mut App, columns| app.screen((columns, 24)).lines().next().unwrap().to_owned();
    for columns in [40, 60, 80, 100, 120, 160, 200] {
        let before = header(&mut app, columns);
        app.keys("P");
        let paused = header(&mut app, columns);
        app.answer(&all(1), page(three(), Some(3)));
        let counted = header(&mut app, columns);
        app.keys("P");
        let marks = ["paused · 1 waiting", "paused · 1 new", "‖ 1"];
        assert!(paused.contains("paused") && marks.iter().any(|mark| counted.contains(mark)), "{paused}\n{counted}");
        let tabs = |line: &str| {
            let before = line.split(" paused").next().and_then(|line| line.split(" ‖").next());
            before.unwrap_or_default().trim_end().to_owned()
        };
        assert!(before.starts_with(&tabs(&paused)), "{before}\n{paused}");
        assert_eq!(tabs(&paused), tabs(&counted), "{columns}");
        assert_eq!(counted.contains("USD"), before.contains("USD"), "{before}\n{counted}");
    }
}

#[test]
fn paused_header_keeps_source_and_currency_in_80_columns() {
    for source in ["DEMO", "LIVE", "127.0.0.1:8787"] {
        let sources = [source, source].map(String::from);
        let mut app = App::with(Preferences { sources, ..Preferences::default() });
        app.answer(&all(1), page(three(), Some(3)));
        app.keys("P");
        let check = |app: &mut App, mark: &str| {
            let header = app.screen((80, 24)).lines().next().unwrap().to_owned();
            for part in [&source[..4], "USD", "6 Status", mark] {
                assert!(header.contains(part), "{part}: {header}");
            }
        };
        check(&mut app, if source.len() == 4 { " paused " } else { " ‖ " });
        for _ in 0..2 {
            app.answer(&all(1), page(three(), Some(3)));
        }
        check(&mut app, " ‖ 1 ");
    }
}

#[test]
fn paused_screen_still_shows_that_data_is_simulated() {
    for (columns, rows) in [(40, 12), (60, 20), (80, 24), (120, 35), (160, 45)] {
        let mut screen = Screen::new(columns, rows);
        screen.serve(fixture::response);
        screen.keys("P");
        let header = screen.text().lines().next().unwrap().to_owned();
        assert!(header.contains("paused") && header.contains("DEMO"), "{header}");
    }
}

#[test]
fn refresh_key_is_not_offered_right_after_a_refresh_if_the_service_limits_requests() {
    let limited = ErrorKind::RateLimited { message: None, retry_after: None };
    let mut screen = Screen::new(80, 24);
    screen.fail_all(&limited);
    assert!(screen.text().contains("(r: now)"), "{}", screen.text());
    screen.keys("r");
    screen.fail_all(&limited);
    let text = screen.text();
    assert!(text.contains("retrying in") && !text.contains("(r: now)"), "{text}");
    screen.wait(Duration::from_secs(11));
    assert!(screen.text().contains("(r: now)"), "{}", screen.text());
}

#[test]
fn refresh_key_is_not_offered_while_all_providers_ask_to_wait() {
    let failure = |must_wait: bool| ErrorKind::Explained {
        status: 503,
        message: String::from("CoinGecko: rate-limited (429)"),
        retry_after: Some(Duration::from_mins(10)),
        must_wait,
    };
    let mut screen = Screen::new(80, 24);
    screen.fail_all(&failure(false));
    assert!(screen.text().contains("rate-limited (429) · retrying in 30 s (r: now)"), "{}", screen.text());
    screen.fail_all(&failure(true));
    let text = screen.text();
    assert!(text.contains("rate-limited (429) · retrying in 30 s") && !text.contains("(r: now)"), "{text}");
    screen.wait(Duration::from_mins(10));
    assert!(screen.text().contains("(r: now)"), "{}", screen.text());
}
