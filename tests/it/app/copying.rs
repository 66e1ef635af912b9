//! What `y` copies on each screen.

use std::time::Duration;

use crossterm::event::KeyCode;
use satscope::app::{Effect, Message, Overlay};
use satscope::model::{Contract, Link};

use super::fixtures::{App, all, page, three};
use crate::support::indexer;
use crate::support::screen::Screen;

const CONTRACT: &str = "b61b0172d95e266c18aea0c624db987e971a5d6d4ebc2aaed85da4642d635735i0";

/// Coins; the first has two contracts and two links.
fn coins() -> App {
    let mut app = App::new();
    let mut coins = three();
    let contract =
        |platform: &str, address: &str| Contract { platform: Some(platform.into()), address: address.into() };
    coins[0].contracts = [contract("Bitcoin", CONTRACT), contract("BNB", "0x5e")].into_iter().collect();
    let link = |url: &str| Link { kind: "website".into(), url: url.into() };
    coins[0].links = [link("https://a.example/"), link("https://b.example/")].into_iter().collect();
    coins[0].price = 8.41.into();
    app.answer(&all(1), page(coins, Some(3)));
    app
}

fn copy(text: &str) -> Vec<Effect> {
    vec![Effect::Copy(text.to_owned())]
}

#[test]
fn contract_of_a_coin_is_copied_in_two_keys() {
    let mut app = coins();
    assert_eq!(app.keys("yc"), copy(CONTRACT));
    assert!(app.state.toast.as_ref().unwrap().text.starts_with("Copied “b61b0172"));
    assert_eq!(app.keys("y2"), copy("0x5e"));
    assert_eq!(app.keys("yl"), copy("https://a.example/"));
    assert_eq!(app.keys("yp"), copy("8.41"));
    app.key(KeyCode::Enter);
    for _ in 0..4 {
        assert_eq!(app.keys("yc"), copy(CONTRACT), "{:?}", app.state.token.as_ref().unwrap().focus);
        app.key(KeyCode::Tab);
    }
}

#[test]
fn palette_copies_the_contract_beside_a_name() {
    for typed in [":btc contract", ":contract btc"] {
        let mut app = coins();
        app.keys("6");
        app.keys(typed);
        assert_eq!(app.key(KeyCode::Enter), copy(CONTRACT), "{typed}");
    }
}

#[test]
fn copy_menu_stays_open_after_first_wrong_letter_only() {
    let mut app = coins();
    for wrong in ['?', 'q', ' '] {
        app.keys("y");
        for is_open in [true, false] {
            assert!(app.key(KeyCode::Char(wrong)).is_empty(), "{wrong}");
            assert!(app.state.menu.is_some() == is_open && app.state.overlay.is_none(), "{wrong}");
        }
    }
    for second in [KeyCode::Esc, KeyCode::Down, KeyCode::F(5), KeyCode::Tab] {
        app.keys("y");
        assert!(app.state.menu.is_some());
        assert!(app.key(second).is_empty(), "{second:?}");
        assert!(app.state.menu.is_none() && app.state.overlay.is_none(), "{second:?}");
    }
    assert_eq!(app.state.lists[0].cursor.index(), 0, "no key went through to the list");
    app.keys("y");
    assert!(app.send(Message::Paste(String::from("c"))).is_empty());
    assert!(app.state.menu.is_none());
}

#[test]
fn copying_missing_contract_shows_message_and_closes_menu() {
    let mut app = coins();
    app.key(KeyCode::Down);
    assert!(app.keys("yc").is_empty());
    assert_eq!(app.state.toast.as_ref().unwrap().text, "No contract to copy");
    assert!(app.state.menu.is_none());
    assert_eq!(app.state.lists[0].cursor.index(), 1, "and the next key moves");
    app.keys("k");
    assert_eq!(app.state.lists[0].cursor.index(), 0);
}

#[test]
fn dialog_with_a_single_text_copies_it_at_once() {
    let mut app = coins();
    app.keys("o");
    assert_eq!(app.keys("y"), copy("https://a.example/"));
    assert!(app.state.menu.is_none() && matches!(app.state.overlay, Some(Overlay::Links { .. })));
}

#[test]
fn nothing_to_copy_shows_message() {
    let mut app = App::new();
    assert!(app.keys("y").is_empty());
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Nothing to copy");
}

#[test]
fn link_without_a_browser_is_copied() {
    let mut app = coins();
    assert_eq!(app.send(Message::LinkNotOpened("https://a.example/".into())), copy("https://a.example/"));
    let toast = app.state.toast.as_ref().unwrap();
    assert_eq!((toast.text.as_str(), toast.is_error), ("Can't open a browser · link copied", true));
}

#[test]
fn terminal_without_a_clipboard_is_named() {
    let mut app = coins();
    app.state.preferences.clipboard = false;
    assert!(app.keys("yc").is_empty());
    let toast = app.state.toast.as_ref().unwrap();
    assert_eq!((toast.text.as_str(), toast.is_error), ("Can't copy: this terminal has no clipboard", true));
    assert!(app.send(Message::LinkNotOpened("https://a.example/".into())).is_empty());
    let toast = app.state.toast.as_ref().unwrap();
    assert_eq!((toast.text.as_str(), toast.is_error), ("Can't open a browser for https://a.example/", true));
}

#[test]
fn link_that_can_be_neither_opened_nor_copied_stays_until_a_key() {
    let mut app = coins();
    app.state.preferences.clipboard = false;
    app.send(Message::LinkNotOpened("https://a.example/".into()));
    app.wait_for_deadlines(Duration::from_hours(1));
    assert!(app.screen((80, 24)).contains("https://a.example/"), "{}", app.screen((80, 24)));
    app.keys("j");
    assert_eq!(app.state.toast, None);
}

#[test]
fn status_copies_urls_and_the_last_error() {
    let mut screen = Screen::new(80, 24);
    screen.state.preferences.urls = [String::from("http://coins.example"), String::from("http://index.example")];
    screen.fail_all(&satscope::client::ErrorKind::Refused);
    screen.keys("6ym");
    screen.keys("yi");
    screen.keys("ye");
    let copied: Vec<&str> = screen
        .effects
        .iter()
        .filter_map(|effect| if let Effect::Copy(text) = effect { Some(text.as_str()) } else { None })
        .collect();
    assert_eq!(copied[..2], ["http://coins.example", "http://index.example"]);
    assert!(copied[2].contains("coins.example"), "{copied:?}");
}

#[test]
fn copy_menu_is_above_footer_at_every_size() {
    for (columns, rows) in [(160, 45), (80, 24), (40, 12)] {
        let mut screen = Screen::new(columns, rows);
        screen.serve(indexer::response);
        screen.keys("jjy");
        let text = screen.text();
        let lines: Vec<&str> = text.lines().collect();
        let menu = lines.iter().position(|line| line.trim_start().starts_with("copy")).unwrap();
        let shown = lines[menu..lines.len() - 1].join(" ");
        for item in ["l link", "p price", "i ID", "s symbol", "n name", "r row"] {
            assert!(shown.contains(item), "{item} at {columns}: {text}");
        }
        assert!(lines.last().unwrap().contains("Esc close") && !shown.contains("Esc"), "{text}");
        assert!(columns < 80 || menu == lines.len() - 2, "{text}");
        let column = lines[menu].find("l link").unwrap();
        screen.click(u16::try_from(column).unwrap(), u16::try_from(menu).unwrap());
        assert!(matches!(screen.effects.last(), Some(Effect::Copy(link)) if link.starts_with("https://")));
        assert!(screen.state.menu.is_none());
    }
}
