//! Screens narrower than 40 columns: what a row is about stays beside its value.

use satscope::app::{ClickTarget, Message, Panel};
use satscope::client::{Request, ResponseData};

use crate::support::indexer::response;
use crate::support::screen::Screen;

const SIZES: [(u16, u16); 3] = [(30, 10), (32, 12), (30, 24)];

/// Whether a line of the screen has all of these words.
fn has_line(screen: &mut Screen, words: &[&str]) -> bool {
    screen.text().lines().any(|line| words.iter().all(|word| line.contains(word)))
}

fn ready(columns: u16, rows: u16) -> Screen {
    let mut screen = Screen::new(columns, rows);
    screen.serve(response);
    screen
}

#[test]
fn holdings_keep_their_names() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.keys("4");
        screen.serve(response);
        screen.keys("a2 ordi @ 8<enter>");
        screen.serve(response);
        assert!(has_line(&mut screen, &["ORDI", "16.82"]), "{}", screen.text());
        screen.keys("<home><right>");
        assert!(has_line(&mut screen, &["buy 2026-11-20", "16.82"]), "{}", screen.text());
        for _ in 0..12 {
            screen.keys("<s-right>");
            assert!(has_line(&mut screen, &["▾ ORDI"]), "{}", screen.text());
        }
    }
}

#[test]
fn holders_keep_their_addresses() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.keys("5");
        screen.serve(response);
        screen.send(Message::Click(ClickTarget::Panel(Panel::Holders)));
        screen.serve(response);
        assert!(has_line(&mut screen, &["bc1q", "…", "20,000"]), "{}", screen.text());
    }
}

#[test]
fn markets_keep_their_exchanges() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.keys("jj<enter>");
        screen.send(Message::Click(ClickTarget::Panel(Panel::Markets)));
        screen.serve(|request: &Request| {
            let mut found = response(request)?;
            if let ResponseData::MarketPairs(page) = &mut found {
                page.items.iter_mut().for_each(|pair| pair.price = Some(61_234.1));
            }
            Some(found)
        });
        assert!(has_line(&mut screen, &["Alpha", "/USDT", "61,234.10"]), "{}", screen.text());
    }
}

#[test]
fn resources_keep_their_states() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.keys("6");
        assert!(has_line(&mut screen, &["Coin list", "fresh"]), "{}", screen.text());
    }
}

#[test]
fn every_tab_has_its_title_and_the_source_of_the_data() {
    for (key, title) in [("1", "All"), ("3", "Ecosystem"), ("4", "Wallet"), ("5", "Indexer")] {
        let mut screen = ready(30, 10);
        screen.keys(key);
        assert!(has_line(&mut screen, &[title, " DEMO "]), "{}", screen.text());
    }
}
