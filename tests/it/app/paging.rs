//! Paging: when the next page of a list is requested, and where a list ends.

use std::collections::HashSet;
use std::time::Duration;

use crossterm::event::KeyCode;
use satscope::app::screen::list::{Sort, SortColumn};
use satscope::app::{Message, Preferences, Session, demand};
use satscope::client::{Request, ResponseData};
use satscope::fetch::{MAX_APP_RESPONSES, Receipt};
use satscope::model::{Currency, Page, Tag, Text};
use satscope::user_data::UserData;

use super::fixtures::{App, all, many, page, token};

#[test]
fn full_page_of_any_length_loads_the_next() {
    let mut app = App::with(Preferences { page_size: 130, ..Preferences::default() });
    let first = Request::Coins { tag: Tag::All, start: 1, limit: 130, convert: Currency::usd() };
    app.answer(&first, page(many(1, 130), None));
    app.key(KeyCode::End);
    assert_eq!(app.wanted(), ["Coin list 1–130", "Coin list 131–260"]);
}

#[test]
fn page_with_missing_rows_is_not_the_last_one() {
    let mut app = App::new();
    app.answer_of_rows(200, &all(1), page(many(1, 199), None));
    app.key(KeyCode::End);
    assert_eq!(demand(&app.state).visible, [all(1), all(201)]);
    let mut confirmed = App::new();
    confirmed.answer_of_rows(200, &all(1), page(many(1, 199), None));
    let fetch_id = confirmed.start(&all(1));
    confirmed.arrive_of(0, &all(1), fetch_id, None);
    confirmed.key(KeyCode::End);
    assert_eq!(confirmed.wanted().len(), 2, "neither after a confirmation");
    app.answer(&all(201), page(many(201, 7), None));
    app.key(KeyCode::End);
    assert_eq!((app.slugs().len(), app.wanted().len()), (206, 2), "a short page without missing rows is the last one");
    // An unreadable price doesn't make a short page a full one.
    let mut short = App::new();
    short.answer_of_rows(37, &all(1), page(many(1, 37), None));
    short.key(KeyCode::End);
    assert_eq!(demand(&short.state).visible, [all(1)]);
    // No further page is requested if the total says that the missing rows were the last ones.
    let mut total = App::new();
    total.answer_of_rows(200, &all(1), page(many(1, 198), Some(200)));
    total.key(KeyCode::End);
    assert_eq!(demand(&total.state).visible, [all(1)]);
}

#[test]
fn indexer_list_continues_after_skipped_rows() {
    let tokens = |offset| Request::Brc20Tokens { ticker: None, offset, limit: 60 };
    let page = |from: u32, count: u32, total| {
        let items = (from..from + count).map(|n| token(&format!("t{n:03}"))).collect();
        ResponseData::Brc20Tokens(Page { items, total })
    };
    for (rows, listed, total, goes_on) in [
        (60, 59, None, true),
        (60, 20, None, true),
        (60, 0, None, true),
        (59, 59, None, false),
        (0, 0, None, false),
        (60, 50, Some(61), true),
        (60, 50, Some(60), false),
    ] {
        let mut app = App::new();
        app.keys("5");
        app.answer_of_rows(rows, &tokens(0), page(0, listed, total));
        app.key(KeyCode::End);
        assert_eq!(demand(&app.state).visible.contains(&tokens(60)), goes_on, "{rows} {listed} {total:?}");
    }
}

#[test]
fn next_page_is_requested_two_screens_before_the_end() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(450)));
    let rows = app.state.content_rows();
    let mut wanted_at = |row: usize| {
        app.state.list_mut(Tag::All).select(row);
        app.wait(Duration::ZERO);
        app.wanted().len()
    };
    assert_eq!(wanted_at(200 - 2 * rows - 1), 1);
    assert_eq!(wanted_at(200 - 2 * rows), 2);
}

#[test]
fn page_is_refreshed_from_one_screen_before_its_first_row() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(400)));
    app.key(KeyCode::End);
    app.answer(&all(201), page(many(201, 200), Some(400)));
    let rows = app.state.content_rows();
    let mut wanted_at = |row: usize| {
        app.state.list_mut(Tag::All).select(row);
        app.wanted()
    };
    assert_eq!(wanted_at(200 - rows - 1), ["Coin list 1–200"]);
    assert_eq!(wanted_at(200 - rows), ["Coin list 1–200", "Coin list 201–400"]);
    assert_eq!(wanted_at(200 + rows - 1), ["Coin list 1–200", "Coin list 201–400"]);
    assert_eq!(wanted_at(200 + rows), ["Coin list 201–400", "Coin list 1–200"], "the first page is always wanted");
}

#[test]
fn search_loads_the_whole_list_from_its_first_letter() {
    for tab in ["1", "2"] {
        let mut app = App::new();
        app.keys(tab);
        let first = demand(&app.state).visible.remove(0);
        app.answer(&first, page(many(1, 200), Some(450)));
        let loads = |app: &App| app.wanted().iter().any(|words| words.ends_with("201–400"));
        app.keys("/");
        assert!(!loads(&app), "{:?}", app.wanted());
        let shown = app.screen((120, 35));
        assert!(shown.contains("row 1 of 450") && !shown.contains("searched"), "{shown}");
        app.keys("x");
        assert!(loads(&app), "{:?}", app.wanted());
        app.key(KeyCode::Enter);
        assert!(loads(&app), "and while a search is applied");
    }
}

#[test]
fn sort_order_covers_more_than_five_thousand_coins_until_escape() {
    let mut app = App::with(Preferences { page_size: 5_000, ..Preferences::default() });
    let at = |start| Request::Coins { tag: Tag::All, start, limit: 5_000, convert: Currency::usd() };
    app.answer(&at(1), page(many(1, 5_000), Some(17_300)));
    assert_eq!(app.wanted(), ["Coin list 1–5000"], "only when the user needs all");
    app.keys("sd");
    assert_eq!(app.wanted(), ["Coin list 1–5000", "Coin list 5001–10000"]);
    app.answer(&at(5_001), page(many(5_001, 5_000), Some(17_300)));
    app.wait(Duration::ZERO);
    app.keys("sn");
    assert_eq!(app.state.list(Tag::All).unsorted(), Some(7_300));
    assert!(app.wanted().contains(&"Coin list 10001–15000".to_owned()), "{:?}", app.wanted());
    app.key(KeyCode::Esc);
    assert!(!app.wanted().contains(&"Coin list 10001–15000".to_owned()), "{:?}", app.wanted());
    let list = app.state.list(Tag::All);
    assert_eq!((list.unsorted(), list.loaded(), list.is_loading()), (None, 10_000, false));
    app.key(KeyCode::Esc);
    assert!(!app.wanted().contains(&"Coin list 10001–15000".to_owned()), "a second Esc doesn't load more");
    app.keys("sp");
    assert!(app.wanted().contains(&"Coin list 10001–15000".to_owned()), "another order needs all again");
}

#[test]
fn hidden_rows_of_a_sorted_or_filtered_list_are_refreshed_in_the_background() {
    let mut app = App::with(Preferences { page_size: 5_000, ..Preferences::default() });
    let at = |start| Request::Coins { tag: Tag::All, start, limit: 5_000, convert: Currency::usd() };
    let hidden = |app: &App| -> Vec<Request> {
        let background = demand(&app.state).background;
        let low = background.into_iter().filter(|need| need.is_low_priority);
        low.map(|need| need.request).collect()
    };
    app.answer(&at(1), page(many(1, 5_000), Some(10_000)));
    app.keys("sp");
    app.answer(&at(5_001), page(many(5_001, 5_000), Some(10_000)));
    app.keys("S");
    assert_eq!(app.wanted(), ["Coin list 1–5000"]);
    assert_eq!(hidden(&app), [at(5_001)]);
    app.keys("4");
    assert_eq!(hidden(&app), [], "only while the list is open");
    app.keys("1s#");
    assert_eq!(hidden(&app), [], "in the order of the service, hidden rows change nothing");
    app.keys("Feprice < 10");
    app.key(KeyCode::Enter);
    assert_eq!(hidden(&app), [at(5_001)]);

    // Their age is beside the count.
    for minutes in [0, 14] {
        app.wait(Duration::from_mins(minutes));
        app.answer(&at(1), page(many(1, 5_000), Some(10_000)));
        let summary = |app: &mut App, columns| app.screen((columns, 24)).lines().nth(1).unwrap().trim().to_owned();
        let age = if minutes == 0 { "" } else { " · oldest 14 m ago" };
        for columns in [60, 80, 120] {
            let shown = summary(&mut app, columns);
            assert!(shown.starts_with(&format!("filter price < 10   9 of 10,000 coins{age}")), "{shown}");
            assert!(!shown.contains("waiting to refresh"), "{shown}");
        }
        app.key(KeyCode::Esc);
        app.keys("sp");
        let shown = summary(&mut app, 120);
        assert!(shown.starts_with(&format!("10,000 coins{age}   ")), "{shown}");
        assert_eq!(shown.matches("oldest").count(), usize::from(minutes > 0), "{shown}");
        app.keys("s#Feprice < 10");
        app.key(KeyCode::Enter);
    }
}

#[test]
fn restored_sort_order_covers_as_many_coins_as_a_chosen_one() {
    let mut app = App::with(Preferences { page_size: 5_000, ..Preferences::default() });
    let price = Sort { column: SortColumn::Price, descending: true };
    let session = Session { sorts: [Some(price), None, None], ..Session::default() };
    app.send(Message::Loaded(Box::new(UserData { session: session.entries(), ..UserData::default() })));
    let at = |start| Request::Coins { tag: Tag::All, start, limit: 5_000, convert: Currency::usd() };
    for start in [1, 5_001, 10_001, 15_001] {
        assert!(app.wanted().contains(&format!("Coin list {start}–{}", start + 4_999)), "{:?}", app.wanted());
        app.answer(&at(start), page(many(start, 5_000), Some(23_000)));
    }
    assert!(!app.wanted().contains(&String::from("Coin list 20001–25000")), "{:?}", app.wanted());
}

#[test]
fn reversed_rank_order_loads_the_whole_list() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(250)));
    app.keys("S");
    assert_eq!(app.wanted(), ["Coin list 1–200", "Coin list 201–400"]);
    assert_eq!(app.state.list(Tag::All).unsorted(), Some(50));
    app.answer(&all(201), page(many(201, 50), Some(250)));
    assert_eq!(app.state.list(Tag::All).unsorted(), None);
    assert_eq!(app.state.list(Tag::All).selected().unwrap().symbol, "C250");
}

#[test]
fn indexer_list_requests_page_under_cursor_first() {
    let mut app = App::new();
    app.keys("5");
    let request = |offset| Request::Brc20Tokens { ticker: None, offset, limit: 60 };
    let items = |from: u64| (from..from + 60).map(|n| token(&format!("t{n:03}"))).collect();
    let response = |from| ResponseData::Brc20Tokens(Page { items: items(from), total: Some(300) });
    let offsets = |app: &App| -> Vec<u64> {
        let requests = demand(&app.state).visible.into_iter();
        requests
            .filter_map(|request| match request {
                Request::Brc20Tokens { offset, .. } => Some(offset),
                _ => None,
            })
            .collect()
    };
    app.answer(&request(0), response(0));
    for _ in 0..15 {
        app.key(KeyCode::Down);
    }
    assert_eq!(offsets(&app), [0], "the end is far");
    for from in [60, 120, 180, 240] {
        app.key(KeyCode::End);
        app.answer(&request(from), response(from));
    }
    app.key(KeyCode::End);
    let rows = app.state.content_rows() as u64;
    assert!((30..50).contains(&rows), "{rows}");
    assert_eq!(offsets(&app), [240, 0], "there is no page after the last");
    for _ in 0..150 {
        app.key(KeyCode::Up);
    }
    assert_eq!(offsets(&app), [120, 0, 60, 180, 240], "row 149");
    // Invisible pages are not evicted while scrolling through the list.
    for n in 0..2 * MAX_APP_RESPONSES as u64 {
        app.key(if n % 2 == 0 { KeyCode::Up } else { KeyCode::Down });
        app.state.responses.record_demand(&[Request::Brc20Token { ticker: format!("x{n}").into() }]);
    }
    app.key(KeyCode::End);
    for n in 0..2 * MAX_APP_RESPONSES as u64 {
        app.key(if n % 2 == 0 { KeyCode::Up } else { KeyCode::Down });
        app.state.responses.record_demand(&[Request::Brc20Token { ticker: format!("y{n}").into() }]);
    }
    assert_eq!(app.state.indexer.token_list(&app.state.responses).len(), 300);
}

#[test]
fn indexer_lists_end_at_three_thousand_items() {
    let mut app = App::new();
    app.keys("5");
    let tokens = |offset| Request::Brc20Tokens { ticker: None, offset, limit: 60 };
    let mut offset = 0;
    while demand(&app.state).visible.contains(&tokens(offset)) {
        let items = (offset..offset + 60).map(|n| token(&format!("t{n:05}"))).collect();
        app.answer(&tokens(offset), ResponseData::Brc20Tokens(Page { items, total: Some(100_000) }));
        app.key(KeyCode::End);
        offset += 60;
    }
    assert_eq!((offset, app.state.indexer.token_list(&app.state.responses).len()), (3_000, 3_000));
}

/// A list of 250 coins. Coin 200 moved to the second page before that was loaded, so the page after it was requested,
/// which is empty.
fn with_a_repeated_coin() -> App {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(250)));
    app.key(KeyCode::End);
    app.answer(&all(201), page([many(200, 1), many(202, 49)].concat(), Some(250)));
    assert!(app.wanted().contains(&"Coin list 251–450".to_owned()), "{:?}", app.wanted());
    app.answer(&all(251), page(Vec::new(), None));
    assert_eq!((app.state.list(Tag::All).loaded(), app.state.list(Tag::All).is_complete()), (249, true));
    app
}

#[test]
fn empty_page_after_the_total_is_requested_again_only_if_the_total_grows() {
    for keys in ["", "sp"] {
        let mut app = with_a_repeated_coin();
        app.keys(keys);
        for _ in 0..3 {
            app.wait(Duration::from_mins(10));
            app.answer(&all(1), page(many(1, 200), Some(250)));
            app.answer(&all(201), page([many(200, 1), many(202, 49)].concat(), Some(250)));
            let wanted: HashSet<String> = app.wanted().into_iter().collect();
            assert_eq!(wanted, HashSet::from(["Coin list 1–200", "Coin list 201–400"].map(str::to_owned)), "{keys}");
        }
        // Its age doesn't count as that of the list.
        let shown = app.screen((160, 45));
        assert!(!shown.contains("oldest"), "{shown}");
        app.answer(&all(1), page(many(1, 200), Some(251)));
        app.key(KeyCode::End);
        assert!(app.wanted().contains(&"Coin list 251–450".to_owned()), "{keys}: {:?}", app.wanted());
        app.answer(&all(251), page(many(251, 1), Some(251)));
        assert_eq!(app.state.list(Tag::All).loaded(), 250, "{keys}");
    }
}

#[test]
fn empty_page_is_requested_again_if_only_its_own_total_ends_the_list_before_it() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), None));
    app.key(KeyCode::End);
    app.answer(&all(201), page(Vec::new(), Some(0)));
    app.wait(Duration::from_mins(10));
    assert!(app.wanted().contains(&"Coin list 201–400".to_owned()), "{:?}", app.wanted());
    app.answer(&all(201), page(many(201, 7), None));
    assert_eq!(app.state.list(Tag::All).loaded(), 207);
}

/// The list of all coins with live data, of which the first page is loaded.
fn live(total: Option<u64>) -> App {
    let mut app = App::new();
    answer_live(&mut app, 1, total);
    app
}

fn answer_live(app: &mut App, start: u32, total: Option<u64>) {
    let provider = |receipt| Receipt { provider: Some(Text::from("coinmarketcap")), ..receipt };
    app.answer_as(&all(start), page(many(start, 200), total), provider);
}

/// Answers the pages that are loaded next, up to the one with this start.
fn load_live_to(app: &mut App, last: u32, total: Option<u64>) {
    for start in (201..=last).step_by(200) {
        assert!(wants(app, start), "{start}: {:?}", app.wanted());
        answer_live(app, start, total);
    }
}

fn wants(app: &App, start: u32) -> bool {
    demand(&app.state).visible.contains(&all(start))
}

#[test]
fn sort_order_of_live_data_covers_the_first_coins_until_the_end_is_chosen() {
    let total = Some(9_000);
    let mut app = live(total);
    app.keys("sp");
    load_live_to(&mut app, 201, total);
    let shown = app.screen((160, 45));
    assert!(shown.contains("sorted 400 of first 1,000"), "{shown}");
    for start in [401, 601, 801] {
        assert!(wants(&app, start), "{:?}", app.wanted());
        answer_live(&mut app, start, total);
    }
    assert!(!wants(&app, 1_001), "{:?}", app.wanted());
    assert_eq!(app.selected(), "coin-1000", "the highest price");
    let shown = app.screen((160, 45));
    assert!(shown.contains("sorted first 1,000 of 9,000") && !shown.contains("stop loading"), "{shown}");
    app.key(KeyCode::End);
    assert!(wants(&app, 1_001));
    answer_live(&mut app, 1_001, total);
    assert!(wants(&app, 1_201));
    app.key(KeyCode::Home);
    // Until then, the rows keep their order.
    app.wait(Duration::from_secs(10));
    answer_live(&mut app, 1_201, total);
    assert!(!wants(&app, 1_401), "{:?}", app.wanted());
    let shown = app.screen((160, 45));
    assert!(shown.contains("sorted first 1,400 of 9,000"), "{shown}");
}

#[test]
fn filter_of_live_data_covers_the_first_coins() {
    for (total, words) in [(Some(9_000), "in the first 1,000"), (None, "in the first 1,000"), (Some(1_000), "1m”")] {
        let mut app = live(total);
        app.keys("Feprice > 1m");
        app.key(KeyCode::Enter);
        load_live_to(&mut app, 801, total);
        assert!(!wants(&app, 1_001), "{total:?}: {:?}", app.wanted());
        let shown = app.screen((160, 45));
        let sentence = shown.lines().find(|line| line.contains("No coins match")).unwrap_or_default();
        assert!(sentence.trim_end().ends_with(words), "{total:?}: {shown}");
    }
}
