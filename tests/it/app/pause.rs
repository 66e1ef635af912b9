//! Paused updates.

use std::time::Duration;

use satscope::app::Effect;

use super::fixtures::{App, all, page, three};

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
fn paused_screen_still_loads_what_it_lacks() {
    let mut app = App::new();
    app.keys("P");
    app.answer(&all(1), page(three(), Some(3)));
    assert_eq!(app.slugs().len(), 3);
}

#[test]
fn refresh_says_that_updates_are_paused() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("P");
    assert!(app.keys("r").is_empty());
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Updates are paused (P: resume)");
    app.keys("P");
    assert!(matches!(app.keys("r").as_slice(), [Effect::Refresh(_)]));
}
