//! The filter for watched coins.

use std::time::Duration;

use satscope::app::Preferences;
use satscope::client::Request;
use satscope::model::Tag;
use satscope::user_data::Watched;

use super::fixtures::{App, all, many, page};
use crate::support::indexer;
use crate::support::screen::Screen;

/// The loaded dashboard with this watchlist.
fn watching(symbols: &[&str], columns: u16, rows: u16) -> Screen {
    let watched = symbols.iter().map(|symbol| Watched::by_symbol(symbol)).collect();
    let preferences = Preferences { watched, page_size: 100, images: false, ..Preferences::default() };
    let mut screen = Screen::with(preferences, columns, rows);
    screen.serve(indexer::response);
    screen
}

/// Types keys, and loads what they need.
fn press(screen: &mut Screen, keys: &str) {
    screen.keys(keys);
    screen.serve(indexer::response);
}

fn names_in(screen: &Screen, tag: Tag) -> Vec<&str> {
    let list = screen.state.list(tag);
    (0..list.len()).filter_map(|row| Some(list.get(row)?.name.as_str())).collect()
}

fn names(screen: &Screen) -> Vec<&str> {
    names_in(screen, Tag::All)
}

/// The name of the selected coin.
fn selected(screen: &Screen) -> Option<&str> {
    screen.state.list(Tag::All).selected().map(|coin| coin.name.as_str())
}

fn head(screen: &mut Screen) -> String {
    screen.text().lines().nth(1).unwrap().to_owned()
}

#[test]
fn watched_coins_are_two_keys_away_with_all_columns() {
    let mut screen = watching(&["BTC", "ORDI"], 160, 45);
    screen.keys("F");
    assert!(screen.text().contains("w watched"), "{}", screen.text());
    press(&mut screen, "w");
    assert_eq!(names(&screen), ["Bitcoin", "ORDI"]);
    let text = screen.text();
    for heading in ["24h range", "Market cap", "7 days"] {
        assert!(text.contains(heading), "{heading}: {text}");
    }
    assert!(head(&mut screen).contains("filter watched   2 of 2 watched"), "{}", head(&mut screen));
    press(&mut screen, "sd");
    assert_eq!(names(&screen), ["Bitcoin", "ORDI"], "−1.4% before −3.8%");
    press(&mut screen, "S");
    assert_eq!(names(&screen), ["ORDI", "Bitcoin"]);
    press(&mut screen, "<esc>");
    assert_eq!(names(&screen).len(), screen.state.list(Tag::All).loaded());
    press(&mut screen, "2Fw");
    assert_eq!(names_in(&screen, Tag::Brc20), ["Bitcoin", "ORDI"], "in every list");
}

#[test]
fn watched_is_a_condition_of_expressions() {
    for (filter, expected) in [
        ("watched and 24h > 0", &["Ethereum"][..]),
        ("watched losers", &["Bitcoin", "ORDI"]),
        ("not watched and rank < 5", &["Sats (Ordinals)"]),
        ("rank = 4 or (watched and cap > 1t)", &["Bitcoin", "Sats (Ordinals)"]),
    ] {
        let mut screen = watching(&["BTC", "ETH", "ORDI"], 120, 35);
        screen.keys(&format!("Fe{filter}"));
        let words = format!("{} of 100 loaded coins", expected.len());
        assert!(screen.text().contains(&words), "{filter}: {}", screen.text());
        press(&mut screen, "<enter>");
        assert_eq!(names(&screen), expected, "{filter}");
    }
    let mut screen = watching(&["BTC"], 120, 35);
    press(&mut screen, "FwFc2t<enter>");
    assert_eq!(names(&screen), ["Bitcoin"]);
    assert!(head(&mut screen).contains("filter watched and cap < 2t"), "{}", head(&mut screen));
}

#[test]
fn filtered_rows_follow_the_watchlist() {
    let mut screen = watching(&["BTC", "ETH", "ORDI"], 120, 35);
    press(&mut screen, "Fwj");
    assert_eq!(selected(&screen), Some("Ethereum"));
    screen.keys("f");
    assert_eq!((names(&screen), selected(&screen)), (vec!["Bitcoin", "ORDI"], Some("ORDI")));
    screen.keys("f");
    assert_eq!((names(&screen), selected(&screen)), (vec!["Bitcoin"], Some("Bitcoin")), "the last row");
    screen.keys("u");
    assert_eq!((names(&screen), selected(&screen)), (vec!["Bitcoin", "ORDI"], Some("Bitcoin")));
    press(&mut screen, ":watch eth");
    screen.keys("<enter>");
    assert_eq!(names(&screen), ["Bitcoin", "Ethereum", "ORDI"]);
    // Also from a coin's view: the next coin takes the row.
    press(&mut screen, "<home>j<enter>f<esc>");
    assert_eq!((names(&screen), selected(&screen)), (vec!["Bitcoin", "ORDI"], Some("ORDI")));
    press(&mut screen, "Fe<c-u>not watched and rank < 4<enter>");
    assert_eq!(names(&screen), ["Ethereum"]);
    // The rows of other filters stay.
    press(&mut screen, "Flf");
    assert!(names(&screen).len() > 2, "{}", screen.text());
    assert!(names(&screen).contains(&"Bitcoin"), "{}", screen.text());
}

#[test]
fn shared_symbol_is_not_shown_as_watched() {
    let mut screen = watching(&["BTC", "RATS"], 120, 35);
    press(&mut screen, "Fw");
    assert_eq!(names(&screen), ["Bitcoin"], "two coins use RATS");
    assert_eq!(screen.state.list(Tag::All).loaded(), 250, "another page may have the coin");
    for (columns, rows) in [(160, 45), (80, 24), (40, 12)] {
        screen.resize(columns, rows);
        assert!(head(&mut screen).contains("1 of 2 watched"), "{columns}x{rows}: {}", head(&mut screen));
    }
}

#[test]
fn pages_are_loaded_until_all_watched_coins_are_found() {
    let mut screen = watching(&["BTC", "C150"], 120, 35);
    screen.keys("Fw");
    assert!(head(&mut screen).contains("1 of 2 watched   100 of 250 loaded"), "{}", head(&mut screen));
    press(&mut screen, "");
    assert_eq!(names(&screen), ["Bitcoin", "Coin 150"]);
    assert!(head(&mut screen).contains("2 of 2 watched"), "{}", head(&mut screen));
    assert!(!head(&mut screen).contains("loaded"), "{}", head(&mut screen));
    let pages = |screen: &Screen| -> Vec<String> {
        screen.wanted().iter().map(Request::describe).filter(|what| what.starts_with("Coin list")).collect()
    };
    // Neither the keys of the list nor a hidden row need others, and those of the watched coins stay fresh.
    for keys in ["", "jk", "sd", "S", "<end>", "/c<enter>", "<esc>", "Fecap > 1t<enter>"] {
        press(&mut screen, keys);
        assert_eq!(pages(&screen), ["Coin list 1–100", "Coin list 101–200"], "{keys}");
    }
    assert_eq!(names(&screen), ["Bitcoin"], "the last filter");
    assert!(head(&mut screen).contains("1 of 2 watched"), "{}", head(&mut screen));
    press(&mut screen, "Feor gainers<enter>");
    assert_eq!(screen.state.list(Tag::All).loaded(), 250, "any coin may match");
}

#[test]
fn watched_coin_is_found_again_on_another_page() {
    let watched = vec![Watched { symbol: "C200".into(), slug: Some("coin-200".into()), id: None }];
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    app.answer(&all(1), page(many(1, 200), Some(600)));
    app.keys("Fw");
    assert_eq!((app.slugs(), app.wanted()), (vec!["coin-200"], vec![String::from("Coin list 1–200")]));
    // It has moved to the second page.
    app.wait(Duration::from_secs(2));
    let first = (1..=201).filter(|rank| *rank != 200).flat_map(|rank| many(rank, 1)).collect();
    app.answer(&all(1), page(first, Some(600)));
    assert_eq!(app.wanted(), ["Coin list 1–200", "Coin list 201–400"]);
    let second = [200].into_iter().chain(202..401).flat_map(|rank| many(rank, 1)).collect();
    app.answer(&all(201), page(second, Some(600)));
    assert_eq!(app.slugs(), ["coin-200"]);
    assert_eq!(app.wanted(), ["Coin list 201–400", "Coin list 1–200"], "no third page");
}

#[test]
fn pages_without_watched_coins_are_not_refreshed_once_all_were_searched() {
    let by_slug = |slug: &str| Watched { slug: Some(slug.into()), ..Watched::by_symbol(slug) };
    let watched = vec![by_slug("coin-300"), by_slug("on-no-page")];
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    app.answer(&all(1), page(many(1, 200), Some(600)));
    app.keys("Fw");
    app.answer(&all(201), page(many(201, 200), Some(600)));
    assert!(app.wanted().contains(&String::from("Coin list 401–600")), "{:?}", app.wanted());
    app.answer(&all(401), page(many(401, 200), Some(600)));
    assert_eq!(app.slugs(), ["coin-300"]);
    assert_eq!(app.wanted(), ["Coin list 201–400", "Coin list 1–200"]);
    // It moves to the page that was not refreshed.
    app.wait(Duration::from_secs(2));
    let second = || (201..=401).filter(|rank| *rank != 300).flat_map(|rank| many(rank, 1)).collect();
    app.answer(&all(201), page(second(), Some(600)));
    assert!(app.slugs().is_empty());
    for start in ["Coin list 1–200", "Coin list 201–400", "Coin list 401–600"] {
        assert!(app.wanted().contains(&start.to_owned()), "{:?}", app.wanted());
    }
    // One coin is on two pages and another on none, so there may be a fourth page.
    app.answer(&all(601), page(Vec::new(), Some(600)));
    let third = [300].into_iter().chain(402..601).flat_map(|rank| many(rank, 1)).collect();
    app.answer(&all(401), page(third, Some(600)));
    assert_eq!(app.slugs(), ["coin-300"]);
    assert_eq!(app.wanted(), ["Coin list 401–600", "Coin list 1–200"]);
    // Once it is on no page, all pages are searched again, but only once.
    app.wait(Duration::from_secs(2));
    app.answer(&all(401), page(many(402, 200), Some(600)));
    app.wait(Duration::from_secs(2));
    for start in [1, 201] {
        assert_eq!(app.wanted().len(), 3, "{:?}", app.wanted());
        let coins = if start == 1 { many(1, 200) } else { second() };
        app.answer(&all(start), page(coins, Some(600)));
    }
    assert!(app.slugs().is_empty());
    assert_eq!(app.wanted(), ["Coin list 1–200"]);
}

#[test]
fn watched_coin_that_is_listed_later_is_found_within_a_day() {
    let by_slug = |slug: &str| Watched { slug: Some(slug.into()), ..Watched::by_symbol(slug) };
    let watched = vec![by_slug("coin-3"), by_slug("coin-401")];
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    let first = || page(many(1, 200), Some(400));
    app.answer(&all(1), first());
    app.keys("Fw");
    app.answer(&all(201), page(many(201, 200), Some(400)));
    assert_eq!((app.slugs(), app.wanted()), (vec!["coin-3"], vec![String::from("Coin list 1–200")]));
    app.wait(Duration::from_hours(23));
    app.answer(&all(1), first());
    assert_eq!(app.wanted(), ["Coin list 1–200"]);
    app.wait(Duration::from_hours(1));
    app.answer(&all(1), page(many(1, 200), Some(401)));
    assert!(app.wanted().contains(&String::from("Coin list 201–400")), "{:?}", app.wanted());
    app.answer(&all(201), page(many(201, 200), Some(401)));
    app.answer(&all(401), page(many(401, 1), Some(401)));
    assert_eq!(app.slugs(), ["coin-3", "coin-401"]);
    assert_eq!(app.wanted(), ["Coin list 1–200", "Coin list 401–600"]);
}

#[test]
fn empty_watchlist_is_named() {
    let mut screen = watching(&[], 80, 24);
    press(&mut screen, "Fw");
    assert!(screen.text().contains("No coins watched · Esc, then f to watch a coin"), "{}", screen.text());
    assert_eq!(screen.state.list(Tag::All).loaded(), 100, "no coin is looked for");
}
