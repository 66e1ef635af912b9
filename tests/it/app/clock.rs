//! The system clock is set back by an hour.

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
