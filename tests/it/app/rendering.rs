//! The app's state as shown on the screen.

use std::time::Duration;

use satscope::app::screen::list::{Sort, SortColumn};
use satscope::app::{Preferences, demand};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::model::{Currency, Link, Page, Tag};

use super::fixtures::many;
use crate::support::screen::{START, Screen};

fn coins(start: u32, limit: u32) -> Request {
    Request::Coins { tag: Tag::All, start, limit, convert: Currency::usd() }
}

fn two_pages() -> Screen {
    let mut screen = Screen::with(Preferences { page_size: 100, ..Preferences::default() }, 160, 30);
    for start in [1, 101] {
        let page = Page { items: many(start, 100), total: Some(200) };
        screen.answer(&coins(start, 100), ResponseData::Coins(page));
        screen.keys("<end>");
    }
    screen
}

#[test]
fn summary_age_is_of_oldest_page_in_it() {
    let mut screen = two_pages();
    assert!(!screen.text().contains("oldest"));
    screen.wait(Duration::from_mins(20));
    screen.answer(&coins(101, 100), ResponseData::Coins(Page { items: many(101, 100), total: Some(200) }));
    assert!(screen.text().contains("updated now · next in 5 m · oldest 20 m ago"), "{}", screen.text());
    // A sorted list needs all pages for its rows, and requests all of them.
    screen.state.list_mut(Tag::All).sort_by(Sort { column: SortColumn::Price, descending: true });
    assert!(demand(&screen.state).visible.contains(&coins(1, 100)));
    assert!(screen.text().contains("20 m old · waiting to refresh"), "{}", screen.text());
}

#[test]
fn list_with_only_old_prices_shows_their_age() {
    let days = |days: u64| Duration::from_hours(24 * days);
    // The ages of the newest prices of two pages.
    for (first, second, shown) in [
        (Duration::from_hours(23), days(12), "updated now"),
        (days(12), Duration::from_hours(23), "updated now"),
        (days(12), days(30), "prices 12 d old · updated now"),
    ] {
        for columns in [160, 80, 40] {
            let mut screen = Screen::with(Preferences { page_size: 100, ..Preferences::default() }, columns, 30);
            for (start, age) in [(1, first), (101, second)] {
                let mut items = many(start, 100);
                for (coin, more) in items.iter_mut().zip(0..) {
                    coin.updated_at = Some(START.minus(age + days(more)));
                }
                screen.answer(&coins(start, 100), ResponseData::Coins(Page { items, total: Some(200) }));
                screen.keys("<end>");
            }
            let text = screen.text();
            assert_eq!(text.contains("prices 12 d old"), shown != "updated now", "{columns}:\n{text}");
            assert!(columns == 40 || text.contains(shown), "{columns}:\n{text}");
        }
    }
    // A failed refresh is a more important problem.
    let mut screen = Screen::with(Preferences { page_size: 100, ..Preferences::default() }, 160, 30);
    let mut items = many(1, 100);
    items.iter_mut().for_each(|coin| coin.updated_at = Some(START.minus(days(12))));
    screen.answer(&coins(1, 100), ResponseData::Coins(Page { items, total: Some(100) }));
    assert!(screen.text().contains("prices 12 d old"), "{}", screen.text());
    screen.fail(&coins(1, 100), ErrorKind::Refused);
    assert!(screen.text().contains("refused") && !screen.text().contains("prices 12 d old"), "{}", screen.text());
}

#[test]
fn search_shows_how_many_coins_were_searched() {
    let mut screen = Screen::with(Preferences { page_size: 20_000, ..Preferences::default() }, 160, 30);
    let page = Page { items: many(1, 20_000), total: Some(32_345) };
    screen.answer(&coins(1, 20_000), ResponseData::Coins(page));
    screen.keys("/coin-4999");
    // A service without the names of all coins.
    screen.fail(&Request::CoinNames, ErrorKind::Status { status: 404, message: None, retry_after: None });
    assert!(screen.text().contains("1 found · searched 20,000 of 32,345"), "{}", screen.text());
    screen.keys("<bs><bs><bs><bs>xyz");
    assert!(screen.text().contains("in the first 20,000 of 32,345 coins"), "{}", screen.text());
}

#[test]
fn status_tab_scrolls_to_last_line_only() {
    for (columns, rows) in [(80, 24), (40, 12), (160, 45)] {
        let mut screen = Screen::new(columns, rows);
        let warnings: Vec<String> = (1..=60).map(|n| format!("warning {n} is the last")).collect();
        let page = Page { items: many(1, 50), total: Some(50) };
        screen.answer_with(&coins(1, 100), ResponseData::Coins(page), &warnings);
        screen.keys("6<end>");
        assert!(screen.text().contains("warning 60 is the last"), "{columns}x{rows}\n{}", screen.text());
        screen.keys("<end><end><up>");
        assert!(!screen.text().contains("warning 60 is the last"), "{columns}x{rows}: Up scrolls by one line");
    }
}

#[test]
fn about_panel_scrolls_back_from_its_end_at_once() {
    let mut screen = Screen::with(Preferences { page_size: 100, ..Preferences::default() }, 80, 24);
    let mut coins_with_links = many(1, 50);
    let links = (1..=30).map(|n| Link { kind: "site".into(), url: format!("https://link-{n}.example/").into() });
    coins_with_links[0].links = links.collect();
    screen.answer(&coins(1, 100), ResponseData::Coins(Page { items: coins_with_links, total: Some(50) }));
    screen.keys("<enter><tab><end>");
    assert!(screen.text().contains("link-30.example"), "{}", screen.text());
    let end = screen.text();
    screen.keys("<up>");
    assert_ne!(screen.text(), end, "Up scrolls by one line");
    screen.keys("<down>");
    assert_eq!(screen.text(), end);
    screen.keys("<home>");
    assert!(screen.text().contains("24h") && !screen.text().contains("link-30.example"));
}

#[test]
fn sorted_list_shows_failure_of_any_page() {
    let mut screen = two_pages();
    screen.state.list_mut(Tag::All).sort_by(Sort { column: SortColumn::Price, descending: true });
    assert!(!screen.text().contains("failed"), "{}", screen.text());
    for start in [101, 1] {
        screen.fail(&coins(start, 100), ErrorKind::Refused);
        assert!(screen.text().contains("refused"), "{start}:\n{}", screen.text());
        let page = Page { items: many(start, 100), total: Some(200) };
        screen.answer(&coins(start, 100), ResponseData::Coins(page));
        assert!(!screen.text().contains("refused"), "{start}:\n{}", screen.text());
    }
}

#[test]
fn errors_of_one_host_are_grouped() {
    let mut screen = Screen::with(Preferences { page_size: 100, ..Preferences::default() }, 160, 40);
    screen.answer(&coins(1, 100), ResponseData::Coins(Page { items: many(1, 50), total: Some(50) }));
    screen.keys("<enter>");
    let failing: Vec<Request> = screen.wanted().into_iter().filter(|r| !matches!(r, Request::Coins { .. })).collect();
    assert_eq!(failing.len(), 3);
    screen.fail_all(&ErrorKind::Refused);
    screen.wait(Duration::from_secs(60));
    screen.fail(&failing[0], ErrorKind::Refused);
    screen.fail(&failing[1], ErrorKind::Incomplete);
    screen.keys("6");
    let text = screen.text();
    let errors: Vec<&str> = text.lines().skip_while(|line| !line.contains("recent errors")).skip(1).collect();
    let count = |what: &str| errors.iter().filter(|line| line.contains(what)).count();
    assert_eq!((count("just now"), count("1 m ago"), count("and 3 more: ")), (2, 1, 1), "{text}");
}

#[test]
fn requests_that_fail_repeatedly_in_an_outage_are_counted_once() {
    let mut screen = Screen::new(160, 30);
    screen.keys("5");
    let [tokens, chain] = [screen.wanted().remove(0), Request::ChainState];
    for request in [&chain, &tokens, &chain, &tokens] {
        screen.fail(request, ErrorKind::Refused);
        screen.wait(Duration::from_secs(1));
    }
    screen.keys("6");
    let text = screen.text();
    assert!(text.contains("4 recent errors") && text.contains(&format!("{} and 1 more", tokens.describe())), "{text}");
}

#[test]
fn repeated_error_is_listed_once() {
    let mut screen = Screen::new(160, 30);
    let list = screen.wanted().into_iter().find(|request| matches!(request, Request::Coins { .. })).unwrap();
    for wait in [5, 10, 40] {
        let (message, retry_after) = (String::from("CoinGecko: down"), Some(Duration::from_secs(wait)));
        screen.fail(&list, ErrorKind::Explained { status: 503, message, retry_after, must_wait: false });
        screen.wait(Duration::from_secs(wait));
    }
    screen.fail(&list, ErrorKind::Refused);
    screen.keys("6");
    let text = screen.text();
    assert!(text.contains("Coin list 1–100 (3 times): CoinGecko: down"), "{text}");
    assert_eq!(text.matches("  Coin list 1–100").count(), 2, "{text}");
}

#[test]
fn status_tab_errors_have_an_age() {
    let mut screen = Screen::new(160, 30);
    screen.fail_all(&ErrorKind::Refused);
    screen.keys("6");
    assert!(screen.text().contains("just now  Coin list"), "{}", screen.text());
    screen.wait(Duration::from_mins(1));
    assert!(screen.text().contains(" 1 m ago  Coin list"), "{}", screen.text());
}
