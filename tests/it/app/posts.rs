//! The posts of a token: unread first, filtered, and the coins that they mention.

use std::time::Duration;

use satscope::app::{Effect, Message, Overlay, Panel};
use satscope::client::{Request, ResponseData};
use satscope::keymap::Context;
use satscope::model::{Page, Post};
use satscope::user_data::{Change, UserData};

use crate::support::indexer;
use crate::support::screen::{START, Screen};

fn post(id: &str, network: &str, language: &str, text: &str) -> Post {
    Post {
        id: id.into(),
        author: Some(format!("author {id}").into()),
        network: Some(network.into()),
        text: text.to_owned(),
        likes: Some(1),
        comments: None,
        reposts: None,
        posted_at: None,
        url: None,
        symbols: Vec::new(),
        language: Some(language.into()),
        sensitive: None,
    }
}

fn posts() -> Vec<Post> {
    vec![
        post("1", "Bluesky", "en", "first, $SATS and $100"),
        post("2", "Bluesky", "de", "second"),
        post("3", "Mastodon", "en", "third mentions $RATS"),
        post("4", "Mastodon", "es", "fourth about $NOSUCHCOIN"),
    ]
}

fn response(request: &Request) -> Option<ResponseData> {
    match request {
        Request::Posts { .. } => Some(ResponseData::Posts(Page { items: posts(), total: None })),
        other => indexer::response(other),
    }
}

/// The posts panel of ORDI, the third coin.
fn opened() -> Screen {
    let mut screen = Screen::new(120, 40);
    screen.serve(response);
    screen.keys("jj<enter><tab><tab>");
    screen.serve(response);
    assert_eq!(screen.state.token.as_ref().unwrap().focus, Panel::Posts);
    screen
}

/// The authors in the order of the screen.
fn authors(screen: &mut Screen) -> Vec<String> {
    let text = screen.text();
    let authors = text.lines().filter_map(|line| line.split("author ").nth(1)?.split(' ').next().map(str::to_owned));
    authors.collect()
}

/// The id of the post in the reader.
fn open_post(screen: &Screen) -> String {
    match &screen.state.overlay {
        Some(Overlay::Post { id, .. }) => id.to_string(),
        _ => panic!("no post is open"),
    }
}

fn reopen(screen: &mut Screen) {
    screen.keys("<esc><enter><tab><tab>");
    screen.serve(response);
}

#[test]
fn unread_posts_come_first_and_are_counted() {
    let mut screen = opened();
    assert_eq!(authors(&mut screen), ["1", "2", "3", "4"]);
    assert!(screen.text().contains("4 unread"), "{}", screen.text());
    // Opens the second one, and leaves the first by moving on.
    screen.keys("j<enter><esc>");
    assert!(screen.text().contains("2 unread"), "{}", screen.text());
    assert_eq!(authors(&mut screen), ["1", "2", "3", "4"], "nothing moves while it is read");
    let saved: Vec<_> = screen.effects.iter().filter(|e| matches!(e, Effect::Save(_, Change::PostsRead(_)))).collect();
    assert_eq!(saved.len(), 2, "{saved:?}");
    reopen(&mut screen);
    assert_eq!(authors(&mut screen), ["3", "4", "1", "2"]);
    assert_eq!(screen.state.token.as_ref().unwrap().posts.index(), 0);
}

#[test]
fn next_and_previous_post_open_in_the_reader() {
    let mut screen = opened();
    screen.keys("<enter>");
    let footer = screen.text().trim_end().lines().last().unwrap().to_owned();
    assert!(footer.contains("n next"), "{footer}");
    for (key, id) in [("n", "2"), ("<right>", "3"), ("N", "2"), ("<left>", "1")] {
        screen.keys(key);
        assert_eq!(open_post(&screen), id, "{key}");
    }
    screen.keys("N");
    assert!(screen.text().contains("This is the first post"), "{}", screen.text());
    screen.keys("nnn");
    let footer = screen.text().trim_end().lines().last().unwrap().to_owned();
    assert!(open_post(&screen) == "4" && !footer.contains("n next"), "{footer}");
    screen.keys("n<esc>");
    assert_eq!(screen.state.token.as_ref().unwrap().posts.index(), 3, "the open post is selected");
    assert!(!screen.text().contains("unread"), "{}", screen.text());
    assert_eq!(authors(&mut screen), ["1", "2", "3", "4"], "read posts keep their places");
}

#[test]
fn reader_skips_folded_posts() {
    let mut screen = Screen::new(120, 40);
    let sensitive = |request: &Request| match request {
        Request::Posts { .. } => {
            let mut posts = posts();
            posts[1].sensitive = Some(true);
            Some(ResponseData::Posts(Page { items: posts, total: None }))
        }
        other => indexer::response(other),
    };
    screen.serve(sensitive);
    screen.keys("jj<enter><tab><tab>");
    screen.serve(sensitive);
    screen.keys("<enter>n");
    assert_eq!(open_post(&screen), "3");
    screen.keys("<esc>k<enter>");
    assert_eq!(open_post(&screen), "2", "chosen deliberately");
    screen.keys("nN");
    assert_eq!(open_post(&screen), "2");
}

#[test]
fn read_posts_are_remembered() {
    let mut screen = Screen::new(120, 40);
    let mut data = UserData::default();
    data.apply(&Change::PostsRead(vec!["1".into(), "3".into()]));
    screen.send(Message::Loaded(Box::new(data)));
    screen.serve(response);
    screen.keys("jj<enter><tab><tab>");
    screen.serve(response);
    assert_eq!(authors(&mut screen), ["2", "4", "1", "3"]);
    assert!(screen.text().contains("2 unread"), "{}", screen.text());
    screen.wait(Duration::from_secs(1));
    assert!(!screen.effects.iter().any(|effect| matches!(effect, Effect::Save(_, Change::PostsRead(_)))));
}

#[test]
fn posts_are_filtered_by_network_and_language() {
    let mut screen = opened();
    screen.keys("F");
    let menu = screen.text();
    for item in ["a all (4)", "1 Bluesky (2)", "2 Mastodon (2)", "e en (2)", "d de (1)", "s es (1)"] {
        assert!(menu.contains(item), "{item}: {menu}");
    }
    screen.keys("2");
    assert_eq!(authors(&mut screen), ["3", "4"]);
    assert!(screen.text().contains("2 of 4 (Mastodon) · 2 unread"), "{}", screen.text());
    screen.resize(80, 24);
    assert!(screen.text().contains("2 of 4 (Mastodon)"), "{}", screen.text());
    screen.resize(120, 40);
    screen.keys("Fe");
    assert_eq!(authors(&mut screen), ["3"]);
    assert!(screen.text().contains("1 of 4 (Mastodon, en)"), "{}", screen.text());
    // The selection and the reader follow the filter.
    screen.keys("<enter>");
    assert!(screen.text().contains("third mentions"), "{}", screen.text());
    screen.keys("<esc>F1Fs");
    assert!(screen.text().contains("No posts match Bluesky, es · F: filter"), "{}", screen.text());
    screen.keys("<enter>");
    assert_eq!(screen.state.context(), Context::Token, "no hidden post opens");
    screen.keys("Fa");
    assert_eq!(authors(&mut screen).len(), 4);
}

#[test]
fn cashtag_opens_its_coin() {
    let mut screen = opened();
    screen.keys("<enter>c");
    let token = screen.state.token.as_ref().unwrap();
    assert_eq!((token.symbol.as_str(), &screen.state.overlay.is_none()), ("SATS", &true));
    screen.keys("<esc>");
    assert_eq!(screen.state.context(), Context::List);
}

#[test]
fn shared_or_unknown_cashtags_are_not_guessed() {
    let mut screen = opened();
    screen.keys("jj<enter>c");
    assert_eq!(screen.state.context(), Context::Menu);
    let menu = screen.text();
    assert!(menu.contains("1 RATS rats (Ordinals) #5") && menu.contains("2 RATS Ordinal Rats #6"), "{menu}");
    screen.keys("2");
    assert_eq!(screen.state.token.as_ref().unwrap().name, "Ordinal Rats");
    let mut screen = opened();
    screen.keys("jjj<enter>");
    assert!(screen.text().contains("c coin"), "{}", screen.text());
    screen.keys("c");
    let text = screen.text();
    assert!(text.contains("Looking up NOSUCHCOIN… · loading coins"), "not known yet: {text}");
    screen.serve(response);
    screen.keys("c");
    assert!(screen.text().contains("No coin matches NOSUCHCOIN"), "{}", screen.text());
    let mut screen = opened();
    screen.keys("j<enter>c");
    assert!(screen.text().contains("No other coins mentioned"), "{}", screen.text());
}

#[test]
fn cashtag_of_the_open_coin_does_not_open_a_namesake() {
    let mut screen = Screen::new(120, 40);
    let response = |request: &Request| match request {
        Request::Posts { .. } => {
            Some(ResponseData::Posts(Page { items: vec![post("1", "X", "en", "$RATS!")], total: None }))
        }
        other => indexer::response(other),
    };
    screen.serve(response);
    // Two coins share the symbol RATS.
    screen.keys("jjjj<enter>");
    assert_eq!(screen.state.token.as_ref().unwrap().symbol, "RATS");
    screen.keys("<tab><tab>");
    screen.serve(response);
    screen.keys("<enter>");
    assert!(!screen.text().contains("c coin"), "{}", screen.text());
    screen.keys("c");
    assert!(screen.text().contains("No other coins mentioned"), "{}", screen.text());
    assert_eq!(screen.state.context(), Context::Post);
}

#[test]
fn posts_read_elsewhere_keep_their_place() {
    let mut screen = opened();
    let mut data = UserData::default();
    data.apply(&Change::PostsRead(vec!["1".into()]));
    screen.send(Message::Loaded(Box::new(data)));
    assert_eq!(authors(&mut screen), ["1", "2", "3", "4"], "nothing moves while it is read");
    assert!(screen.text().contains("3 unread"), "{}", screen.text());
    reopen(&mut screen);
    assert_eq!(authors(&mut screen), ["2", "3", "4", "1"]);
}

#[test]
fn open_post_requests_coin_names() {
    let mut screen = opened();
    screen.keys("<enter>");
    assert!(screen.wanted().contains(&Request::CoinNames), "{:?}", screen.wanted());
    screen.keys("<esc>");
    assert!(!screen.wanted().contains(&Request::CoinNames));
}

#[test]
fn narrow_post_shows_its_network_and_age() {
    let post = Post {
        posted_at: Some(START.minus(Duration::from_hours(18))),
        ..post("1", "Bluesky", "en", &"words ".repeat(40))
    };
    let response = |request: &Request| match request {
        Request::Posts { .. } => Some(ResponseData::Posts(Page { items: vec![post.clone()], total: None })),
        other => indexer::response(other),
    };
    let mut screen = Screen::new(40, 24);
    screen.serve(response);
    screen.keys("jj<enter><tab><tab>");
    screen.serve(response);
    screen.keys("<enter>");
    assert!(screen.text().contains("Bluesky   18 h ago   "), "{}", screen.text());
    screen.resize(80, 24);
    assert!(screen.text().contains("Bluesky   18 h ago · "), "{}", screen.text());
}
