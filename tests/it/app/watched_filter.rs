//! The filter for watched coins.

use satscope::app::Preferences;
use satscope::model::Tag;
use satscope::user_data::Watched;

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
    assert!(head(&mut screen).contains("filter watched   2 of 250 coins"), "{}", head(&mut screen));
    press(&mut screen, "sd");
    assert_eq!(names(&screen), ["Bitcoin", "ORDI"], "−1.4% before −3.8%");
    press(&mut screen, "S");
    assert_eq!(names(&screen), ["ORDI", "Bitcoin"]);
    press(&mut screen, "<esc>");
    assert_eq!(names(&screen).len(), 250);
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
}
