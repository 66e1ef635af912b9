//! Selected rows that are missing from one response.

use std::time::Duration;

use crossterm::event::KeyCode;
use satscope::app::{ClickTarget, Message};
use satscope::client::{Request, ResponseData};
use satscope::model::{Page, Tag};

use super::fixtures::{App, all, indexer_with, many, page, three, token};

/// Long enough for lists to be sorted again after a key.
const PAUSE: Duration = Duration::from_secs(2);

/// A list with the selected coin missing from the last response.
fn without_ordi() -> App {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.key(KeyCode::Down);
    assert_eq!(app.selected(), "ordi");
    app.wait(PAUSE);
    let mut others = three();
    others.remove(1);
    app.answer(&all(1), page(others, Some(2)));
    assert_eq!(app.selected(), "void", "its neighbour");
    app
}

/// The selected coin after a response that has the missing one again.
fn after_return(mut app: App) -> String {
    app.wait(PAUSE);
    app.answer(&all(1), page(three(), Some(3)));
    app.selected().to_owned()
}

#[test]
fn coin_that_returns_is_selected_again() {
    assert_eq!(after_return(without_ordi()), "ordi");
    for keys in ["r", "21", "T"] {
        let mut app = without_ordi();
        app.keys(keys);
        assert_eq!(after_return(app), "ordi", "{keys}: no command about a row");
    }
    let mut app = without_ordi();
    app.keys("?");
    app.key(KeyCode::Esc);
    assert_eq!(after_return(app), "ordi", "a dialog");
}

#[test]
fn coin_that_returns_is_not_selected_after_the_user_acts_on_its_neighbour() {
    for keys in [&[KeyCode::Char('f')][..], &[KeyCode::Down], &[KeyCode::Enter, KeyCode::Esc], &[KeyCode::Char('m')]] {
        let mut app = without_ordi();
        for key in keys {
            app.key(*key);
        }
        assert_eq!(after_return(app), "void", "{keys:?}");
    }
    let mut app = without_ordi();
    app.send(Message::Click(ClickTarget::Row(None, 1)));
    app.key(KeyCode::Esc);
    assert_eq!(after_return(app), "void", "a click");
    let mut app = without_ordi();
    app.key(KeyCode::Up);
    assert_eq!(after_return(app), "bitcoin");
    let mut app = without_ordi();
    app.keys("/void");
    app.key(KeyCode::Enter);
    app.key(KeyCode::Esc);
    assert_eq!(after_return(app), "void", "a search");
}

#[test]
fn coin_stays_selected_while_it_moves_to_the_next_page() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(400)));
    app.key(KeyCode::End);
    app.answer(&all(201), page(many(201, 200), Some(400)));
    app.state.list_mut(Tag::All).select(199);
    assert_eq!(app.selected(), "coin-200");
    app.wait(PAUSE);
    let mut first = many(1, 200);
    first[199] = many(201, 1).remove(0);
    app.answer(&all(1), page(first, Some(400)));
    assert_eq!(app.selected(), "coin-201", "coin 200 is on no page");
    let mut second = many(201, 200);
    second[0] = many(200, 1).remove(0);
    app.answer(&all(201), page(second, Some(400)));
    assert_eq!(app.selected(), "coin-200");
}

#[test]
fn token_that_returns_is_selected_again() {
    let tokens = |app: &mut App, tickers: &[&str]| {
        let request = Request::Brc20Tokens { ticker: None, offset: 0, limit: 60 };
        let items = tickers.iter().map(|ticker| token(ticker)).collect();
        app.answer(&request, ResponseData::Brc20Tokens(Page { items, total: Some(tickers.len() as u64) }));
    };
    let selected = |app: &App| app.state.indexer.tokens.cursor.key().map(|key| key.as_str().to_owned());
    for (key, expected) in [(None, "sats"), (Some(KeyCode::Down), "rats")] {
        let mut app = indexer_with(&["ordi", "sats", "rats"]);
        app.key(KeyCode::Down);
        assert_eq!(selected(&app).as_deref(), Some("sats"));
        tokens(&mut app, &["ordi", "rats"]);
        assert_eq!(selected(&app).as_deref(), Some("rats"));
        if let Some(key) = key {
            app.key(key);
        }
        tokens(&mut app, &["ordi", "sats", "rats"]);
        assert_eq!(selected(&app).as_deref(), Some(expected));
    }
}
