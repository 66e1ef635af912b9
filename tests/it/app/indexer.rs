//! The indexer's lists, what leads from one to another, and the way back.

use crossterm::event::KeyCode;
use satscope::app::lookup::{Subject, interpret};
use satscope::app::screen::indexer::TRAIL;
use satscope::app::demand;
use satscope::client::{Answer, InscriptionRef, Request};
use satscope::fetch::KEPT_BY_APP;
use satscope::model::{Brc20Token, Page};

use super::world::{App, indexer_with, token};

fn tokens(offset: u64) -> Request {
    Request::Brc20Tokens { ticker: None, offset, limit: 60 }
}

fn numbered(from: u32, count: u32) -> Vec<Brc20Token> {
    (from..from + count).map(|n| token(&format!("t{n:03}"))).collect()
}

fn answer(items: Vec<Brc20Token>) -> Answer {
    Answer::Brc20Tokens(Page { items, total: Some(500) })
}

/// Two pages of tokens, the cursor at the end.
fn two_pages() -> App {
    let mut app = App::new();
    app.keys("5");
    app.answer(&tokens(0), answer(numbered(0, 60)));
    app.key(KeyCode::End);
    app.answer(&tokens(60), answer(numbered(60, 60)));
    app
}

fn tickers(app: &App) -> Vec<&str> {
    app.state.indexer.token_list(&app.state.store).iter().map(|token| token.ticker.as_str()).collect()
}

#[test]
fn pages_are_joined_by_identity_when_the_list_grows_at_its_front() {
    let mut app = two_pages();
    assert_eq!(tickers(&app).len(), 120);
    // Two new tokens moved two others to the second page, which is asked for after the first.
    let mut grown = vec![token("new1"), token("new2")];
    grown.extend(numbered(0, 58));
    app.answer(&tokens(0), answer(grown));
    app.answer(&tokens(60), answer(numbered(58, 60)));
    let mut once = tickers(&app);
    assert_eq!(once.len(), 120);
    app.answer(&tokens(60), answer(numbered(50, 60)));
    once = tickers(&app);
    assert_eq!(once.len(), 112, "the eight that both pages have stand there once");
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), 112);
}

#[test]
fn a_list_whose_first_page_was_forgotten_comes_back() {
    let mut app = two_pages();
    app.key(KeyCode::End);
    let selected = app.state.indexer.tokens.cursor.key().cloned();
    app.keys("1");
    for n in 0..KEPT_BY_APP as u64 + 10 {
        let request = Request::Brc20Token { ticker: format!("x{n}").into() };
        app.state.store.want(&[request]);
    }
    assert!(app.state.store.answer(&tokens(0)).is_none());
    app.keys("5");
    let wanted = demand(&app.state).requests;
    assert!(wanted.contains(&tokens(0)) && wanted.contains(&tokens(60)), "{:?}", app.wanted());
    app.answer(&tokens(0), answer(numbered(0, 60)));
    app.answer(&tokens(60), answer(numbered(60, 60)));
    assert_eq!(app.state.indexer.tokens.cursor.key().cloned(), selected);
}

#[test]
fn a_long_list_is_whole_while_one_walks_through_it() {
    let mut app = two_pages();
    for n in 0..KEPT_BY_APP as u64 {
        app.key(if n % 2 == 0 { KeyCode::Up } else { KeyCode::Down });
        app.state.store.want(&[Request::Brc20Token { ticker: format!("x{n}").into() }]);
    }
    assert_eq!(tickers(&app).len(), 120);
}

#[test]
fn a_server_that_repeats_a_page_is_at_its_end() {
    let mut app = App::new();
    app.keys("5");
    let same = || Answer::Brc20Tokens(Page { items: numbered(0, 60), total: None });
    app.answer(&tokens(0), same());
    app.key(KeyCode::End);
    app.answer(&tokens(60), same());
    app.key(KeyCode::End);
    assert_eq!((tickers(&app).len(), app.state.indexer.tokens.depth.pages()), (60, 2));
}

#[test]
fn the_way_back_is_long_but_ends() {
    let mut app = indexer_with(&["ordi"]);
    for height in 0..200 {
        app.state.indexer.visit(Subject::Block(height));
    }
    assert_eq!(app.state.indexer.trail.len(), TRAIL);
    assert_eq!(app.state.indexer.subject(), Some(Subject::Block(199)));
}

#[test]
fn an_inscriptions_index_is_digits_alone() {
    let id = "b61b0172".repeat(8);
    let is_inscription =
        |text: String| matches!(interpret(&text)[..], [Subject::Inscription(InscriptionRef::Id(_)), ..]);
    assert!(is_inscription(format!("{id}i0")));
    assert!(!is_inscription(format!("{id}i+1")));
    assert!(!is_inscription(format!("{id}i")));
    assert!(!interpret("+12345").iter().any(|subject| matches!(subject, Subject::Inscription(_))));
}
