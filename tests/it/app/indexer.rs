//! The indexer's lists, and the ways between them.

use crossterm::event::KeyCode;
use satscope::app::Panel;
use satscope::app::find::lookup::{Subject, interpret};
use satscope::app::screen::indexer::{DEBOUNCE, MAX_TRAIL, TokenColumn, TokenSort};
use satscope::app::{Effect, Message, Tab, demand};
use satscope::client::{InscriptionRef, Request, ResponseData};
use satscope::fetch::MAX_APP_RESPONSES;
use satscope::model::{Amount, Brc20Token, Page, Tag};
use satscope::user_data::{Change, Watched};

use super::fixtures::{App, coin, indexer_with, page, token};
use crate::support::indexer;
use crate::support::screen::Screen;

fn tokens(offset: u64) -> Request {
    Request::Brc20Tokens { ticker: None, offset, limit: 60 }
}

fn numbered(from: u32, count: u32) -> Vec<Brc20Token> {
    (from..from + count).map(|n| token(&format!("t{n:03}"))).collect()
}

fn response(items: Vec<Brc20Token>) -> ResponseData {
    ResponseData::Brc20Tokens(Page { items, total: Some(500) })
}

/// Two pages of tokens, the cursor at the end.
fn two_pages() -> App {
    let mut app = App::new();
    app.keys("5");
    app.answer(&tokens(0), response(numbered(0, 60)));
    app.key(KeyCode::End);
    app.answer(&tokens(60), response(numbered(60, 60)));
    app
}

fn tickers_of(screen: &Screen) -> Vec<String> {
    screen.state.indexer.token_list(&screen.state.responses).iter().map(|token| token.ticker.to_string()).collect()
}

fn tickers(app: &App) -> Vec<&str> {
    app.state.indexer.token_list(&app.state.responses).iter().map(|token| token.ticker.as_str()).collect()
}

#[test]
fn selected_token_ignores_case_and_uses_indexer_spelling() {
    let mut app = App::new();
    app.keys("5");
    app.answer(&tokens(0), response(["sats", "LONG", "rats"].map(token).to_vec()));
    app.key(KeyCode::Down);
    assert_eq!(app.state.indexer.subject(), Some(Subject::Token("LONG".into())));
    app.answer(&tokens(0), response(["rats", "nova", "long"].map(token).to_vec()));
    assert_eq!(app.state.indexer.tokens.cursor.index(), 2);
    assert_eq!(app.state.indexer.subject(), Some(Subject::Token("long".into())));
}

#[test]
fn pages_join_by_identity_when_new_items_arrive_first() {
    let mut app = two_pages();
    assert_eq!(tickers(&app).len(), 120);
    // Two new tokens moved two others to the second page, which is requested after the first.
    let mut grown = vec![token("new1"), token("new2")];
    grown.extend(numbered(0, 58));
    app.answer(&tokens(0), response(grown));
    app.answer(&tokens(60), response(numbered(58, 60)));
    let mut once = tickers(&app);
    assert_eq!(once.len(), 120);
    app.answer(&tokens(60), response(numbered(50, 60)));
    once = tickers(&app);
    assert_eq!(once.len(), 112, "the eight that both pages have stand there once");
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), 112);
}

#[test]
fn list_with_evicted_first_page_reloads() {
    let mut app = two_pages();
    app.key(KeyCode::End);
    let selected = app.state.indexer.tokens.cursor.key().cloned();
    app.keys("1");
    for n in 0..MAX_APP_RESPONSES as u64 + 10 {
        let request = Request::Brc20Token { ticker: format!("x{n}").into() };
        app.state.responses.record_demand(&[request]);
    }
    assert!(app.state.responses.response(&tokens(0)).is_none());
    app.keys("5");
    let wanted = demand(&app.state).visible;
    assert!(wanted.contains(&tokens(0)) && wanted.contains(&tokens(60)), "{:?}", app.wanted());
    app.answer(&tokens(0), response(numbered(0, 60)));
    app.answer(&tokens(60), response(numbered(60, 60)));
    assert_eq!(app.state.indexer.tokens.cursor.key().cloned(), selected);
}

#[test]
fn long_list_stays_loaded_while_scrolling() {
    let mut app = two_pages();
    for n in 0..MAX_APP_RESPONSES as u64 {
        app.key(if n % 2 == 0 { KeyCode::Up } else { KeyCode::Down });
        app.state.responses.record_demand(&[Request::Brc20Token { ticker: format!("x{n}").into() }]);
    }
    assert_eq!(tickers(&app).len(), 120);
}

#[test]
fn repeated_page_ends_list() {
    let mut app = App::new();
    app.keys("5");
    let same = || ResponseData::Brc20Tokens(Page { items: numbered(0, 60), total: None });
    app.answer(&tokens(0), same());
    app.key(KeyCode::End);
    app.answer(&tokens(60), same());
    app.key(KeyCode::End);
    assert_eq!((tickers(&app).len(), app.state.indexer.tokens.depth.pages()), (60, 2));
}

#[test]
fn subject_history_is_bounded() {
    let mut app = indexer_with(&["ordi"]);
    for height in 0..200 {
        app.state.indexer.visit(Subject::Block(height));
    }
    assert_eq!(app.state.indexer.trail.len(), MAX_TRAIL);
    assert_eq!(app.state.indexer.subject(), Some(Subject::Block(199)));
}

#[test]
fn token_is_watched_as_its_coin_in_the_lists() {
    let mut app = indexer_with(&["ordi", "sats"]);
    let list = Request::Coins { tag: Tag::Brc20, start: 1, limit: 200, convert: app.state.convert.clone() };
    app.state.preferences.watched.clear();
    app.send(Message::Loaded(Box::default()));
    app.key(KeyCode::Down);
    assert_eq!(app.keys("f"), [Effect::Save(1, Change::Watch(Watched::by_symbol("SATS")))], "no list knows it yet");
    app.keys("2");
    app.answer(&list, page(vec![coin(1, "ordi", "ORDI", None), coin(2, "1000sats", "SATS", None)], Some(2)));
    app.keys("5");
    let sats = Watched { symbol: "SATS".into(), slug: Some("1000sats".into()), id: Some("id-1000sats".into()) };
    assert_eq!(app.keys("f"), [Effect::Save(2, Change::Unwatch(sats.clone()))]);
    app.key(KeyCode::Enter);
    assert_eq!(app.state.indexer.focus, Panel::Details);
    assert_eq!(app.keys("f"), [Effect::Save(3, Change::Watch(sats))], "also from its details");
}

#[test]
fn inscription_index_has_only_digits() {
    let id = "b61b0172".repeat(8);
    let is_inscription =
        |text: String| matches!(interpret(&text)[..], [Subject::Inscription(InscriptionRef::Id(_)), ..]);
    assert!(is_inscription(format!("{id}i0")));
    assert!(!is_inscription(format!("{id}i+1")));
    assert!(!is_inscription(format!("{id}i")));
    assert!(!interpret("+12345").iter().any(|subject| matches!(subject, Subject::Inscription(_))));
}

/// Tokens with these numbers of events, in the server's order.
fn active(counts: &[(&str, u64)]) -> Vec<Brc20Token> {
    counts.iter().map(|&(ticker, count)| Brc20Token { tx_count: Some(count), ..token(ticker) }).collect()
}

#[test]
fn tokens_are_sorted_by_events_and_by_the_column_of_the_menu() {
    let mut app = App::new();
    app.keys("5");
    app.answer(
        &tokens(0),
        ResponseData::Brc20Tokens(Page { items: active(&[("bbbb", 1), ("aaaa", 9), ("cccc", 5)]), total: Some(3) }),
    );
    assert_eq!(tickers(&app), ["aaaa", "cccc", "bbbb"], "although the service ignores the order");
    app.key(KeyCode::Down);
    app.keys("st");
    assert_eq!((tickers(&app), app.state.indexer.tokens.cursor.index()), (vec!["aaaa", "bbbb", "cccc"], 0));
    app.keys("S");
    assert_eq!(tickers(&app), ["cccc", "bbbb", "aaaa"]);
    assert_eq!(app.state.indexer.subject(), Some(Subject::Token("cccc".into())));
    app.keys("se");
    assert_eq!(tickers(&app), ["aaaa", "cccc", "bbbb"]);
    app.keys("s");
    app.key(KeyCode::Esc);
    assert_eq!(tickers(&app), ["aaaa", "cccc", "bbbb"]);
}

#[test]
fn sorted_tokens_keep_the_pages_of_all_visible_rows_fresh() {
    let mut app = App::new();
    app.keys("5");
    // The supply grows from page to page, so that the last page is the top.
    for page in 0..4 {
        let token =
            |n: u64| Brc20Token { max_supply: Some(n.to_string().parse().unwrap()), ..token(&format!("t{n:03}")) };
        let items = (page * 60..page * 60 + 60).map(token).collect();
        app.answer(&tokens(page * 60), ResponseData::Brc20Tokens(Page { items, total: Some(240) }));
        app.key(KeyCode::End);
    }
    let offsets = |app: &App| -> Vec<u64> {
        let offset =
            |request: &Request| if let Request::Brc20Tokens { offset, .. } = request { Some(*offset) } else { None };
        demand(&app.state).visible.iter().filter_map(offset).collect()
    };
    app.state.indexer.sort_by(TokenSort::from(TokenColumn::Supply), &app.state.responses);
    assert_eq!(tickers(&app)[0], "t239");
    let rows = app.state.content_rows();
    assert!((30..60).contains(&rows), "{rows}");
    for (row, expected) in
        [(0, vec![180, 0]), (40, vec![180, 0, 120]), (100, vec![120, 0, 60, 180]), (239, vec![0, 180])]
    {
        app.key(KeyCode::Home);
        (0..row).for_each(|_| drop(app.key(KeyCode::Down)));
        let mut wanted = offsets(&app);
        wanted.dedup();
        assert_eq!(wanted, expected, "row {row}");
    }
}

/// Clicks on the heading of the tokens with this title.
fn click_heading(screen: &mut Screen, title: &str) {
    let text = screen.text();
    let found = text.lines().enumerate().find(|(_, line)| line.contains("Ticker"));
    let (row, line) = found.unwrap_or_else(|| panic!("{text}"));
    let column = line[..line.find(title).unwrap_or_else(|| panic!("{line}"))].chars().count();
    screen.click(u16::try_from(column).unwrap(), u16::try_from(row).unwrap());
}

#[test]
fn click_on_a_heading_sorts_the_tokens() {
    let mut screen = Screen::new(160, 40);
    screen.keys("5z");
    screen.serve(indexer::response);
    for (title, marks, column) in [
        ("Ticker", ["Ticker▴", "Ticker▾"], TokenColumn::Ticker),
        ("Events", ["Events▾", "Events▴"], TokenColumn::Events),
        ("Price", ["Price▾", "Price▴"], TokenColumn::Price),
        ("24h", ["24h▾", "24h▴"], TokenColumn::Change24h),
        ("Minted", ["Minted▾", "Minted▴"], TokenColumn::Minted),
        ("Supply", ["Supply▾", "Supply▴"], TokenColumn::Supply),
        ("Deployed", ["Deployed▾", "Deployed▴"], TokenColumn::Deployed),
    ] {
        for mark in marks {
            click_heading(&mut screen, title);
            let text = screen.text();
            assert!(text.contains(mark), "{mark}: {text}");
            assert_eq!(screen.state.indexer.sort.column, column);
        }
    }
}

#[test]
fn going_back_returns_to_the_screen_where_the_lookup_was_started() {
    let mut screen = Screen::new(160, 40);
    screen.serve(indexer::response);
    screen.keys("5");
    screen.serve(indexer::response);
    let ticker = tickers_of(&screen)[1].clone();
    screen.keys(&format!("1jj:holders {ticker}<enter>"));
    assert_eq!((screen.state.tab, screen.state.indexer.focus), (Tab::Indexer, Panel::Holders));
    screen.serve(indexer::response);
    let text = screen.text();
    assert!(text.contains(&format!("›{ticker}")), "the shown token stands out in the list: {text}");
    // A lookup within the indexer comes first.
    screen.keys(":block 840000<enter>");
    let text = screen.text();
    assert!(!tickers_of(&screen).iter().any(|ticker| text.contains(&format!("›{ticker}"))), "{text}");
    screen.keys("<esc>");
    assert_eq!((screen.state.tab, screen.state.indexer.token().as_deref()), (Tab::Indexer, Some(ticker.as_str())));
    screen.keys("<esc>");
    assert_eq!(screen.state.tab, Tab::List(Tag::All));
    assert_eq!(screen.state.list(Tag::All).cursor.index(), 2);
    // The view of a coin is open again.
    screen.keys(&format!("<enter>:holders {ticker}<enter>"));
    assert!(screen.state.token.is_none());
    screen.keys("<esc>");
    assert!(screen.state.token.is_some(), "{}", screen.text());
    // Another tab was opened since.
    screen.keys(&format!("<esc>:holders {ticker}<enter>15<esc>"));
    assert_eq!((screen.state.tab, screen.state.indexer.trail.len()), (Tab::Indexer, 0));
}

#[test]
fn block_0_has_no_activity_and_needs_no_request() {
    let mut screen = Screen::new(160, 40);
    screen.keys("5");
    screen.serve(indexer::response);
    screen.wait(DEBOUNCE);
    for (lookup, sentence) in
        [("block 0", "No BRC-20 activity in this block"), ("ordi in block 0", "No ordi activity in this block")]
    {
        screen.keys(&format!(":{lookup}<enter>"));
        let wanted = screen.wanted();
        let has_activity = wanted.iter().any(|request| matches!(request, Request::Brc20Activity { .. }));
        assert!(!has_activity, "{lookup}: indexers ignore this height, and send all activity: {wanted:?}");
        let text = screen.text();
        assert!(text.contains(sentence) && text.contains("in block 0"), "{lookup}: {text}");
        assert!(!text.contains("all blocks"), "going back leads to where the lookup was started: {text}");
    }
}

#[test]
fn lists_in_the_order_of_the_service_say_that_they_cannot_be_sorted() {
    let mut screen = Screen::new(160, 40);
    screen.keys("5");
    screen.serve(indexer::response);
    screen.wait(DEBOUNCE);
    screen.serve(indexer::response);
    let before = screen.state.indexer.sort;
    for (panel, name) in [(Panel::Holders, "holders"), (Panel::Activity, "activity")] {
        screen.state.indexer.focus = Panel::Tokens;
        while screen.state.indexer.focus != panel {
            screen.keys("<tab>");
        }
        for key in ["s", "S"] {
            screen.keys(key);
            let text = screen.text();
            let sentence = format!("Can't sort {name} (the service sets the order)");
            assert!(text.contains(&sentence), "{key}: {text}");
            assert!(screen.state.menu.is_none(), "no menu of another list");
            assert_eq!((screen.state.indexer.focus, screen.state.indexer.sort), (panel, before));
            screen.keys("<esc>");
            screen.state.indexer.focus = panel;
        }
    }
}

#[test]
fn sort_column_of_the_tokens_is_visible() {
    let mut screen = Screen::new(80, 24);
    screen.keys("5");
    screen.serve(indexer::response);
    for (key, title) in [("d", "24h▾"), ("u", "Supply▾"), ("o", "Deployed▾"), ("p", "Price▾")] {
        screen.keys("s");
        screen.keys(key);
        assert!(screen.text().contains(title), "{title}: {}", screen.text());
    }
}

#[test]
fn self_minted_token_without_a_limit_says_so() {
    let zero = Some(Amount::from_atoms(0));
    for (self_mint, supply, mint) in
        [(Some(true), "0 · no max supply", "no limit (deployer only)"), (Some(false), "0 of 0", "0")]
    {
        let mut screen = Screen::new(160, 40);
        screen.keys("5");
        let serve = |screen: &mut Screen| {
            screen.serve(|request| match indexer::response(request)? {
                ResponseData::Brc20Token(token) => {
                    let limits =
                        Brc20Token { minted_supply: zero, max_supply: zero, mint_limit: zero, self_mint, ..*token };
                    Some(ResponseData::Brc20Token(Box::new(limits)))
                }
                other => Some(other),
            });
        };
        serve(&mut screen);
        screen.wait(DEBOUNCE);
        serve(&mut screen);
        let text = screen.text();
        for (name, value) in [("supply", supply), ("mint limit", mint)] {
            let is_shown =
                |line: &str| line.split_once(name).is_some_and(|(_, rest)| rest.trim_start().starts_with(value));
            let found = text.lines().any(is_shown);
            assert!(found, "{name} {value}: {text}");
        }
    }
}

#[test]
fn supplies_beside_a_huge_one_have_letters() {
    let mut app = App::new();
    app.keys("5");
    let supplies = [("huge", "1734765600000000000.5"), ("sats", "2100000000000000"), ("ordi", "21000000")];
    let items =
        supplies.map(|(ticker, supply)| Brc20Token { max_supply: Some(supply.parse().unwrap()), ..token(ticker) });
    app.answer(&tokens(0), ResponseData::Brc20Tokens(Page { items: items.to_vec(), total: Some(3) }));
    let screen = app.screen((60, 15));
    assert!(screen.contains(" 2,100T ") && screen.contains(" 21M "), "{screen}");
}
