//! The system clock is set back by an hour.

use satscope::user_data::UserData;

use super::*;

fn set_back(app: &mut App) {
    app.now = app.now.minus(Duration::from_hours(1));
    app.send(Message::Tick);
}

#[test]
fn toast_disappears_as_usual() {
    let mut app = App::new();
    app.keys("u");
    assert_eq!(app.state.shown_toast().map(|toast| toast.text.as_str()), Some("Nothing to undo"));
    set_back(&mut app);
    assert!(app.state.shown_toast().is_some());
    app.wait(Duration::from_secs(4));
    assert_eq!(app.state.shown_toast(), None);
}

#[test]
fn list_is_sorted_again_as_usual() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("j");
    let mut coins = three();
    coins.swap(0, 1);
    (coins[0].rank, coins[1].rank) = (Some(1), Some(2));
    app.answer(&all(1), page(coins, Some(3)));
    assert_eq!(app.slugs()[0], "bitcoin", "it keeps its order after a key");
    set_back(&mut app);
    app.wait(Duration::from_secs(2));
    assert_eq!(app.slugs()[0], "ordi");
}

#[test]
fn next_refresh_of_a_limited_service_is_offered_as_usual() {
    let mut app = App::new();
    let fail = |app: &mut App| {
        app.fail_with(&all(1), ErrorKind::RateLimited { message: None, retry_after: None });
    };
    fail(&mut app);
    app.keys("r");
    fail(&mut app);
    set_back(&mut app);
    let screen = app.screen((80, 24));
    assert!(screen.contains("retrying") && !screen.contains("(r: now)"), "{screen}");
    app.wait(Duration::from_secs(10));
    assert!(app.screen((80, 24)).contains("(r: now)"), "{}", app.screen((80, 24)));
}

#[test]
fn retry_and_age_of_a_failure_are_shown_as_usual() {
    let mut app = App::new();
    app.fail(&all(1));
    set_back(&mut app);
    let screen = app.screen((80, 24));
    assert!(screen.contains("retrying in 10 s"), "{screen}");
    app.wait(Duration::from_mins(1));
    app.keys("6");
    let screen = app.screen((80, 24));
    assert!(screen.contains("1 m ago  Coin list 1–200"), "{screen}");
}

#[test]
fn waits_of_background_requests_and_extensions_are_shown_as_usual() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("/o");
    app.fail_with(&Request::CoinNames, ErrorKind::NotJson(String::from("{}")));
    let until = Some(app.now.plus(Duration::from_secs(30)));
    app.send(Message::Fetch(satscope::fetch::Event::Background { waiting: 3, until }));
    set_back(&mut app);
    app.key(KeyCode::Esc);
    app.keys("6");
    let screen = app.screen((120, 35));
    assert!(screen.contains("3 waiting, next in 1 m"), "{screen}");
    assert!(screen.contains("Full coin search: not supported by this service · next check in 5 m"), "{screen}");
}

#[test]
fn age_of_a_notice_about_saved_data_is_shown_as_usual() {
    let mut app = App::new();
    app.send(Message::StoreNotice(StoreNotice::from(String::from("satscope.db was deleted"))));
    set_back(&mut app);
    app.wait(Duration::from_mins(2));
    app.keys("6");
    let screen = app.screen((80, 24));
    assert!(screen.contains("2 m ago  satscope.db was deleted"), "{screen}");
}

#[test]
fn values_that_were_seen_at_a_later_time_count_as_seen_now() {
    let mut app = App::new();
    let later = app.now.plus(Duration::from_hours(1)).millis().to_string();
    let session = [("seen-at", later), ("seen-convert", String::from("USD"))];
    let session = session.map(|(name, value)| (name.to_owned(), value)).into();
    app.send(Message::Loaded(Box::new(UserData { session, ..UserData::default() })));
    let seen_at = |app: &App| app.state.seen.earlier.as_ref().map(|seen| seen.at);
    assert_eq!(seen_at(&app), Some(app.now));
    set_back(&mut app);
    assert_eq!(seen_at(&app), Some(app.now));
}
