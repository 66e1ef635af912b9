//! The footer's hints: for going back, the effect of the next press of the key; none for keys without an effect.

use satscope::app::Overlay;
use satscope::model::Link;

use crate::support::indexer;
use crate::support::screen::{Screen, fixture};

fn loaded(columns: u16, rows: u16) -> Screen {
    let mut screen = Screen::new(columns, rows);
    screen.serve(indexer::response);
    screen
}

/// The last line.
fn footer(screen: &mut Screen) -> String {
    screen.text().trim_end().lines().last().unwrap_or_default().to_owned()
}

/// Presses keys, then Esc as long as the footer has these words for it.
fn goes_back(screen: &mut Screen, keys: &str, words: &[&str]) {
    screen.keys(keys);
    screen.serve(indexer::response);
    for word in words {
        let footer = footer(screen);
        assert!(footer.contains(&format!("Esc {word}")), "{word} after {keys}: {footer}");
        screen.keys("<esc>");
    }
}

#[test]
fn footer_says_how_to_clear_a_line_with_its_first_text() {
    let mut screen = loaded(120, 35);
    screen.keys("4a2 ordi @ 8<enter>");
    screen.serve(indexer::response);
    // A filter, a rule about the selected coin, a lot.
    for (prepare, open) in [("1Feprice > 1<enter>", "Fe"), ("", "!"), ("4<right>j", "e")] {
        screen.keys(prepare);
        screen.serve(indexer::response);
        screen.keys(open);
        assert!(footer(&mut screen).contains("Ctrl-u clear"), "{open}: {}", screen.text());
        // After the text, a typed rule is invalid.
        screen.keys("x");
        assert_eq!(footer(&mut screen).contains("Ctrl-u"), open == "!", "{open}: {}", footer(&mut screen));
        screen.keys("<bs>");
        assert!(footer(&mut screen).contains("Ctrl-u clear"), "{open}: {}", footer(&mut screen));
        screen.keys("<c-u>");
        assert!(!footer(&mut screen).contains("Ctrl-u"), "{open}: {}", footer(&mut screen));
        screen.keys("<esc><esc>");
    }
    screen.keys("1/ordi");
    assert!(!footer(&mut screen).contains("Ctrl-u"), "typed text: {}", footer(&mut screen));
}

#[test]
fn lists_offer_the_palette() {
    for columns in [160, 120, 80] {
        let mut screen = loaded(columns, 35);
        assert!(footer(&mut screen).contains(": find  "), "{}", footer(&mut screen));
    }
}

#[test]
fn cursor_is_hidden_before_a_chart_is_left() {
    for (columns, rows) in [(160, 45), (80, 24)] {
        let mut screen = loaded(columns, rows);
        goes_back(&mut screen, "<enter>", &[]);
        goes_back(&mut screen, "z<left>", &["hide cursor", "all panels", "back"]);
        assert!(screen.state.token.is_none());
        goes_back(&mut screen, "mjmv", &["close"]);
        goes_back(&mut screen, "v<left>", &["hide cursor", "close"]);
        assert!(screen.state.overlay.is_none());
    }
}

#[test]
fn escape_does_not_hide_a_cursor_that_is_not_shown() {
    for (columns, rows) in [(160, 45), (80, 24)] {
        let mut screen = loaded(columns, rows);
        goes_back(&mut screen, "<enter>", &[]);
        screen.keys("<left><tab><enter>");
        assert!(screen.state.token.as_ref().is_some_and(|token| token.zoom && token.chart_cursor.is_some()));
        goes_back(&mut screen, "", &["all panels", "hide cursor", "back"]);
        assert!(screen.state.token.is_none());
    }
}

#[test]
fn only_panel_on_the_screen_is_not_zoomed() {
    let mut screen = loaded(40, 12);
    screen.keys("<enter>");
    screen.serve(indexer::response);
    assert!(!footer(&mut screen).contains("zoom"), "{}", footer(&mut screen));
    goes_back(&mut screen, "z<enter>z", &["back"]);
    assert!(screen.state.token.is_none());
    goes_back(&mut screen, "5", &[]);
    goes_back(&mut screen, "<tab>z", &["tokens"]);
    assert!(!footer(&mut screen).contains("Esc"), "{}", footer(&mut screen));
    // A panel that was zoomed on a larger screen.
    let mut screen = loaded(80, 24);
    screen.keys("<enter>z");
    screen.resize(40, 12);
    goes_back(&mut screen, "", &["back"]);
    assert!(screen.state.token.is_none());
}

#[test]
fn search_ends_before_its_filter() {
    let mut screen = loaded(120, 35);
    goes_back(&mut screen, "Fg/bit<enter>", &["clear search", "all coins"]);
    assert!(!footer(&mut screen).contains("Esc"), "{}", footer(&mut screen));
}

#[test]
fn indexer_returns_to_its_tokens() {
    let mut screen = loaded(160, 45);
    goes_back(&mut screen, "5", &[]);
    goes_back(&mut screen, "<tab><tab>", &["tokens"]);
    goes_back(&mut screen, ":block 840000<enter>", &["back"]);
    assert!(!footer(&mut screen).contains("Esc"), "{}", footer(&mut screen));
}

#[test]
fn alert_input_leads_back_to_the_alerts() {
    let mut screen = loaded(120, 35);
    goes_back(&mut screen, "!", &["close"]);
    screen.keys("!<enter>");
    // The message covers the footer.
    screen.wait(std::time::Duration::from_secs(20));
    goes_back(&mut screen, "", &["close"]);
    goes_back(&mut screen, "!a", &["list", "close"]);
    assert!(screen.state.overlay.is_none());
}

#[test]
fn footer_of_a_dialog_has_at_most_eight_hints() {
    let mut screen = loaded(160, 35);
    screen.keys("!<enter>!<esc>");
    let footer = footer(&mut screen);
    assert!(footer.contains("u undo  ") && footer.contains("Esc "), "{footer}");
    assert!(footer.trim().split("  ").count() <= 8, "{footer}");
}

#[test]
fn dialogs_offer_to_select_and_scroll_only_if_there_is_more() {
    let offers = |screen: &mut Screen, words: &str| footer(screen).contains(words);
    let mut screen = loaded(120, 35);
    screen.keys("v");
    assert!(!offers(&mut screen, "select"), "one coin: {}", footer(&mut screen));
    screen.keys("<esc>mjmv");
    assert!(offers(&mut screen, "↑↓ select"), "two coins: {}", footer(&mut screen));
    screen.keys("<esc>D");
    assert!(!offers(&mut screen, "select"), "loading: {}", footer(&mut screen));
    screen.serve(fixture::response);
    assert!(offers(&mut screen, "↑↓ select"), "{}", footer(&mut screen));
    screen.keys("<esc>?");
    assert!(offers(&mut screen, "↑↓ scroll"), "{}", footer(&mut screen));
    screen.resize(200, 200);
    assert!(!offers(&mut screen, "scroll"), "{}", footer(&mut screen));
    let link = || Link { kind: "website".into(), url: "https://coin.example/".into() };
    for (links, has_several) in [(vec![link()], false), (vec![link(), link()], true)] {
        screen.state.overlay = Some(Overlay::Links { title: String::from("Links"), links, selected: 0, below: None });
        assert_eq!(offers(&mut screen, "↑↓ select"), has_several, "{}", footer(&mut screen));
    }
    let mut screen = Screen::new(80, 24);
    for keys in ["jj<enter>", "<tab><tab>j<enter>"] {
        screen.serve(fixture::response);
        screen.keys(keys);
        screen.serve(fixture::response);
    }
    assert!(!offers(&mut screen, "scroll"), "a post that fits: {}", screen.text());
    screen.resize(40, 12);
    assert!(offers(&mut screen, "↑↓ scroll"), "{}", footer(&mut screen));
}

#[test]
fn palette_without_items_offers_only_to_close() {
    let mut screen = loaded(120, 35);
    screen.keys("5g");
    screen.serve(fixture::response);
    assert_eq!(footer(&mut screen).trim(), "Esc close", "the examples can't be selected: {}", screen.text());
    screen.keys("840000");
    for hint in ["↵ run", "Tab complete", "↑↓ select"] {
        assert!(footer(&mut screen).contains(hint), "{}", footer(&mut screen));
    }
    screen.keys("<esc>:zzzzzzzzzzzzzzzz");
    screen.serve(fixture::response);
    assert_eq!(footer(&mut screen).trim(), "Esc close", "{}", screen.text());
}
