//! A coin that is opened by its symbol before any list has it.

use satscope::app::Preferences;
use satscope::client::{ErrorKind, Request};
use satscope::user_data::Watched;

use super::fixtures::{all, coin, page};
use crate::support::screen::Screen;

/// The view of ORDI, opened from the palette.
fn opened(columns: u16, rows: u16) -> Screen {
    let preferences = Preferences { watched: vec![Watched::by_symbol("ORDI")], ..Preferences::default() };
    let mut screen = Screen::with(preferences, columns, rows);
    screen.keys(":ordi<enter>");
    screen
}

#[test]
fn chart_says_that_the_list_is_missing() {
    for (columns, rows) in [(160, 45), (80, 24), (40, 12)] {
        let mut screen = opened(columns, rows);
        assert!(screen.text().contains("Loading the list of coins…"), "{}", screen.text());
        screen.fail_all(&ErrorKind::Refused);
        let text = screen.text();
        // There is no room for the reason on the smallest screen.
        let sentence = if columns > 40 { "Can't reach" } else { "Can't load the list of coins" };
        assert!(text.contains(sentence) && !text.contains("slug"), "{text}");
    }
}

#[test]
fn coin_is_found_when_the_list_arrives() {
    let mut screen = opened(120, 35);
    let chart = |screen: &Screen| screen.wanted().into_iter().find(|it| matches!(it, Request::Chart { .. }));
    assert_eq!(chart(&screen), None);
    let coins = vec![coin(1, "bitcoin", "BTC", Some(60_000.0)), coin(90, "ordinals", "ORDI", Some(8.4))];
    screen.answer(&all(1), page(coins, Some(2)));
    let token = screen.state.token.as_ref().unwrap();
    assert_eq!((token.slug.as_deref(), token.symbol.as_str()), (Some("ordinals"), "ORDI"));
    let Some(Request::Chart { slug, .. }) = chart(&screen) else { panic!("{:?}", screen.wanted()) };
    assert_eq!(slug, "ordinals");
    // The palette offers it once, with its name.
    screen.keys("<esc>:");
    let text = screen.text();
    assert_eq!(text.lines().filter(|line| line.contains("recent")).count(), 1, "{text}");
}

#[test]
fn chart_says_why_the_coin_is_unknown() {
    let mut screen = opened(120, 35);
    screen.answer(&all(1), page(vec![coin(1, "bitcoin", "BTC", None)], Some(1)));
    assert!(screen.text().contains("No chart (no list has ORDI)"), "{}", screen.text());
    let several = vec![coin(1, "ordi", "ORDI", None), coin(2, "other-ordi", "ORDI", None)];
    screen.answer(&all(1), page(several, Some(2)));
    assert!(screen.text().contains("No chart (several coins use ORDI)"), "{}", screen.text());
}
