//! The choice between simulated and live data.

use crossterm::event::KeyCode;
use satscope::app::preferences::EMBEDDED;
use satscope::app::{Effect, Message, Preferences, Session};
use satscope::client::ErrorKind;
use satscope::keymap::Tab;
use satscope::user_data::{Change, UserData};

use super::fixtures::App;
use crate::support::screen::{Screen, fixture};

fn offering() -> Preferences {
    Preferences { offers_live: true, ..Preferences::default() }
}

/// The last saved session.
fn saved_session(effects: &[Effect]) -> Option<Session> {
    effects.iter().rev().find_map(|effect| match effect {
        Effect::Save(_, Change::Session(session)) => Some(Session::from_entries(session)),
        _ => None,
    })
}

/// The remembered choice of the last saved session.
fn saved(effects: &[Effect]) -> Option<bool> {
    saved_session(effects)?.live
}

/// The message with the data of an earlier run.
fn loaded(session: &Session) -> Message {
    Message::Loaded(Box::new(UserData { session: session.entries(), ..UserData::default() }))
}

#[test]
fn first_start_offers_live_data_in_one_line() {
    for (columns, rows) in [(160, 45), (80, 24), (40, 12)] {
        let mut screen = Screen::with(offering(), columns, rows);
        screen.serve(fixture::response);
        let text = screen.text();
        let line = text.lines().rev().nth(1).unwrap();
        assert!(line.contains("Simulated data  L live data  Esc hide"), "{columns}x{rows}:\n{text}");
        screen.keys("6");
        assert!(!screen.text().contains("L live data"), "only in the lists");
    }
}

#[test]
fn dismissed_offer_stays_hidden() {
    let mut screen = Screen::with(offering(), 80, 24);
    screen.send(loaded(&Session::default()));
    screen.serve(fixture::response);
    screen.keys("<esc>");
    assert!(!screen.text().contains("Simulated data"));
    let session = saved_session(&screen.effects).unwrap();
    assert_eq!((session.hides_live_offer, session.live), (Some(true), None), "nothing is chosen");
    let mut app = App::with(offering());
    app.send(loaded(&session));
    assert!(!app.state.offers_live());
    assert_eq!(app.state.session().hides_live_offer, Some(true), "later sessions keep it");
    // Earlier versions saved the choice of simulated data.
    let mut app = App::with(offering());
    app.send(loaded(&Session { live: Some(false), ..Session::default() }));
    assert!(!app.state.offers_live());
    assert_eq!(app.state.session().live, Some(false));
}

#[test]
fn offer_dismissed_before_the_session_is_read_is_saved_after_it() {
    let mut app = App::with(offering());
    app.key(KeyCode::Esc);
    assert!(!app.state.offers_live());
    let session = Session { tab: Some(Tab::Wallet), ..Session::default() };
    let after = saved_session(&app.send(loaded(&session))).unwrap();
    assert_eq!((after.tab, after.hides_live_offer, after.live), (session.tab, Some(true), None));
}

#[test]
fn live_data_is_switched_to_and_remembered() {
    let mut app = App::with(offering());
    app.send(loaded(&Session::default()));
    let effects = app.keys("L");
    assert_eq!(saved(&effects), Some(true));
    assert_eq!(effects.last(), Some(&Effect::SwitchSource { live: true }), "the choice is saved first");
    let mut live = App::with(Preferences { live: Some(true), ..Preferences::default() });
    assert_eq!(live.keys("L").last(), Some(&Effect::SwitchSource { live: false }));
}

#[test]
fn source_choice_keeps_unread_session() {
    let mut app = App::with(offering());
    assert_eq!(app.keys("L"), [Effect::SwitchSource { live: true }], "nothing to save yet");
    let session = Session { tab: Some(Tab::Wallet), ..Session::default() };
    let after = saved_session(&app.send(loaded(&session))).unwrap();
    assert_eq!((after.tab, after.live), (session.tab, Some(true)));
}

#[test]
fn switch_says_which_group_stays_with_its_service() {
    let embedded = || Preferences { urls: [EMBEDDED, EMBEDDED].map(String::from), ..offering() };
    let url = |group: usize| {
        let mut preferences = embedded();
        preferences.urls[group] = String::from("http://10.0.0.2:8080");
        preferences
    };
    for (preferences, toast) in [
        (url(0), "Indexer data is now live · market data still from http://10.0.0.2:8080 (configured)"),
        (url(1), "Market data is now live · indexer data still from http://10.0.0.2:8080 (configured)"),
        (
            Preferences { live: Some(true), ..url(0) },
            "Indexer data is now simulated · market data still from http://10.0.0.2:8080 (configured)",
        ),
    ] {
        let mut app = App::with(preferences);
        assert!(matches!(app.keys("L").last(), Some(Effect::SwitchSource { .. })));
        assert_eq!(app.state.toast.as_ref().map(|toast| toast.text.as_str()), Some(toast));
    }
    let mut both_embedded = App::with(embedded());
    both_embedded.keys("L");
    assert!(both_embedded.state.toast.is_none());
}

#[test]
fn configured_services_are_not_switched() {
    let mut app = App::with(Preferences { live: None, ..Preferences::default() });
    assert_eq!(app.keys("L"), []);
    let toast = app.state.toast.as_ref().unwrap();
    assert_eq!(toast.text, "Nothing to switch: base_url and indexer_url are both configured");
}

#[test]
fn back_leaves_the_search_before_it_hides_the_offer() {
    let mut app = App::with(offering());
    app.keys("/x");
    app.key(KeyCode::Enter);
    app.key(KeyCode::Esc);
    assert!(app.state.offers_live());
    app.key(KeyCode::Esc);
    assert!(!app.state.offers_live());
}

#[test]
fn offer_names_the_key_that_hides_it_only_while_it_does() {
    let mut screen = Screen::with(offering(), 160, 45);
    screen.serve(fixture::response);
    for keys in ["/or", "/or<enter>", "Fg", "F", "?", "!", ":"] {
        screen.keys(keys);
        let text = screen.text();
        assert!(!text.contains("Esc hide"), "{keys}:\n{text}");
        for _ in 0..4 {
            if !screen.text().contains("Esc hide") {
                screen.keys("<esc>");
            }
        }
        assert!(screen.text().contains("Simulated data  L live data  Esc hide"), "{keys}:\n{}", screen.text());
    }
    screen.keys("/or");
    let text = screen.text();
    assert!(text.contains("Simulated data") && !text.contains("L live data"), "typed letters are text:\n{text}");
    screen.keys("<enter>");
    assert!(screen.text().contains("Simulated data  L live data"), "{}", screen.text());
}

/// A screen of a live dashboard, opened with these keys, whose requests fail, each for its own reason.
fn failing_live(urls: [&str; 2], keys: &str, (columns, rows): (u16, u16)) -> String {
    let urls = urls.map(String::from);
    let mut screen = Screen::with(Preferences { live: Some(true), urls, ..Preferences::default() }, columns, rows);
    if keys.ends_with("<enter>") {
        screen.serve(fixture::response);
    }
    screen.keys(keys.trim_end_matches('6'));
    for (number, request) in screen.wanted().into_iter().enumerate() {
        if screen.state.responses.response(&request).is_none() {
            let message = format!("Provider {number}: can't resolve the host · check the network");
            screen.fail(&request, ErrorKind::Explained { status: 503, message, retry_after: None, must_wait: false });
        }
    }
    screen.keys(keys.trim_start_matches(|key| key != '6'));
    screen.text()
}

#[test]
fn failing_live_screen_says_once_how_to_leave() {
    let live = [EMBEDDED, EMBEDDED];
    let way_back = "press L for simulated data";
    for (keys, retry) in
        [("", "(r: now)"), ("4", "(r: now)"), ("5", "(r: now)"), ("j<enter>", "(r: now)"), ("6", "in 30 s")]
    {
        for size in [(160, 45), (120, 35), (80, 24)] {
            let text = failing_live(live, keys, size);
            assert!(text.contains(retry), "{keys} at {size:?}:\n{text}");
            assert_eq!(text.matches(way_back).count(), 1, "{keys} at {size:?}:\n{text}");
        }
        let urls = ["http://10.0.0.2:8080"; 2];
        let text = failing_live(urls, keys, (120, 35));
        assert!(!text.contains("simulated data"), "{keys}: the URLs are configured:\n{text}");
    }
    for keys in ["", "4", "5"] {
        let text = failing_live(live, keys, (40, 12));
        assert!(text.contains("retrying in 30 s (r: now)") && text.contains(way_back), "{keys}:\n{text}");
    }
    let mut simulated = Screen::new(80, 24);
    simulated.fail_all(&ErrorKind::Refused);
    assert!(!simulated.text().contains("simulated data"), "this data is");
}
