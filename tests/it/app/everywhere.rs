//! Keys on every tab: pages, tags, mouse, watching, copying; and the contents of the store and the lists.

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use satscope::app::screen::list::Column;
use satscope::app::screen::status::{self, Line};
use satscope::app::state::Toast;
use satscope::app::store::{GRACE, MAX_BODY_BYTES, Store};
use satscope::app::watch::Watched;
use satscope::app::{Change, Effect, Message, Overlay, Preferences, Tab, demand, next_deadline};
use satscope::client::{Answer, Error, ErrorKind, Request};
use satscope::fetch::{BackgroundNeed, Event, MAX_APP_ANSWERS, Receipt, Ticket};
use satscope::model::{Chart, Currency, Link, Page, Period, Tag};

use super::world::{App, START, all, many, page, series, three, token};

fn control(app: &mut App, c: char) -> Vec<Effect> {
    app.tell(Message::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL)))
}

#[test]
fn suspend_redraw_and_quit_work_everywhere() {
    let mut app = App::new();
    for keys in ["", "4", "5", "6", "?"] {
        app.keys(keys);
        assert_eq!(control(&mut app, 'z'), [Effect::Suspend], "{keys}");
        assert_eq!(control(&mut app, 'l'), [Effect::Redraw], "{keys}");
        assert_eq!(control(&mut app, 'c'), [Effect::Quit], "{keys}");
    }
}

#[test]
fn mouse_capture_toggles() {
    let mut app = App::new();
    assert!(app.state.mouse);
    assert_eq!(app.keys("M"), [Effect::CaptureMouse(false)]);
    assert!(!app.state.mouse && app.state.toast.as_ref().unwrap().text.contains("Mouse capture off"));
    assert_eq!(app.keys("M"), [Effect::CaptureMouse(true)]);
    assert!(app.state.mouse && app.state.toast.as_ref().unwrap().text.contains("Mouse capture on"));
}

#[test]
fn t_cycles_lists_from_any_tab() {
    let mut app = App::new();
    let lists = Tag::ALL.map(Tab::List);
    for (from, to) in [("1", lists[1]), ("2", lists[2]), ("3", lists[0]), ("4", lists[0]), ("6", lists[0])] {
        app.keys(from);
        app.keys("t");
        assert_eq!(app.state.tab, to, "{from}");
    }
}

#[test]
fn page_keys_move_one_screen_less_one_row() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(200)));
    let step = app.state.content_rows() - 1;
    assert!(step > 20);
    let mut row = |code| {
        app.key(code);
        app.state.list(Tag::All).cursor.index()
    };
    assert_eq!([row(KeyCode::PageDown), row(KeyCode::PageDown), row(KeyCode::PageUp)], [step, 2 * step, step]);
    assert_eq!([row(KeyCode::PageUp), row(KeyCode::PageUp)], [0, 0]);
    assert_eq!([row(KeyCode::End), row(KeyCode::Home)], [199, 0]);
}

#[test]
fn text_sorts_ascending_and_numbers_descending_first() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    let mut sort = || {
        app.keys("s");
        let sort = app.state.list(Tag::All).sort;
        (sort.column, sort.descending)
    };
    for column in Column::ALL.into_iter().skip(1).chain([Column::Rank]) {
        assert_eq!(sort(), (column, !matches!(column, Column::Rank | Column::Name)));
    }
}

#[test]
fn help_has_no_links() {
    let mut app = App::new();
    let mut coins = three();
    coins[0].links = [Link { kind: "website".into(), url: "https://a.example/".to_owned() }].into_iter().collect();
    app.answer(&all(1), page(coins, Some(3)));
    app.keys("?o");
    assert!(matches!(app.state.overlay, Some(Overlay::Help { .. })));
}

/// A wallet with ORDI, whose coin a list knows, and with two coins that share DOG.
fn wallet() -> App {
    let watched = ["ORDI", "DOG"].map(Watched::by_symbol).to_vec();
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    let mut coins = three();
    coins[1].links = [Link { kind: "website".into(), url: "https://ordi.example/".to_owned() }].into_iter().collect();
    app.answer(&all(1), page(coins, Some(3)));
    app.keys("4");
    let request = demand(&app.state).visible[0].clone();
    let answer = vec![series("ORDI", "ordi"), series("DOG", "dog-one"), series("DOG", "dog-two")];
    app.answer(&request, Answer::Market(answer));
    app
}

#[test]
fn wallet_keys_act_on_the_coin_of_the_row() {
    let mut app = wallet();
    assert_eq!(app.keys("yi"), [Effect::Copy("ordi".into())]);
    app.keys("o");
    let Some(Overlay::Links { links, .. }) = &app.state.overlay else { panic!("{:?}", app.state.overlay) };
    assert_eq!(links[0].url, "https://ordi.example/");
    app.key(KeyCode::Esc);
    app.key(KeyCode::Enter);
    let token = app.state.token.as_ref().unwrap();
    assert_eq!((token.name.as_str(), token.id.is_some()), ("ordi", true));
    app.key(KeyCode::Esc);
    app.key(KeyCode::Down);
    assert_eq!(app.keys("yi"), [Effect::Copy("dog-one".into())]);
    app.keys("o");
    assert!(app.state.overlay.is_none(), "no list knows it");
    app.key(KeyCode::Up);
    assert_eq!(app.keys("f"), [Effect::Save(1, Change::Unwatch(Watched::by_symbol("ORDI")))]);
    assert_eq!(app.state.watched, [Watched::by_symbol("DOG")]);
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Stopped watching ORDI");
}

#[test]
fn unnamed_series_belongs_to_watched_coin() {
    let watched = vec![Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: None }];
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("4");
    let request = demand(&app.state).visible[0].clone();
    let mut bare = series("ORDI", "ordi");
    (bare.id, bare.slug) = (None, None);
    app.answer(&request, Answer::Market(vec![bare]));
    assert_eq!(app.keys("yi"), [Effect::Copy("ordi".into())]);
}

#[test]
fn reordered_wallet_response_keeps_selected_coin() {
    let mut app = wallet();
    let request = demand(&app.state).visible[0].clone();
    app.key(KeyCode::Down);
    app.key(KeyCode::Down);
    assert_eq!(app.keys("yi"), [Effect::Copy("dog-two".into())]);
    let answer = vec![series("DOG", "dog-two"), series("DOG", "dog-one"), series("ORDI", "ordi")];
    app.answer(&request, Answer::Market(answer));
    assert_eq!(app.keys("yi"), [Effect::Copy("dog-two".into())]);
    assert_eq!(app.state.wallet.cursor.index(), 1);
}

#[test]
fn watch_key_in_token_view_watches_that_token() {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    app.answer(&all(1), page(three(), Some(3)));
    app.key(KeyCode::Down);
    app.key(KeyCode::Enter);
    let ordi = Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("id-ordi".into()) };
    assert_eq!(app.keys("f"), [Effect::Save(1, Change::Watch(ordi))]);
}

#[test]
fn bare_symbol_matches_only_watchlist_entries_without_slug() {
    let named = Watched { symbol: "DOG".into(), slug: Some("dog-one".into()), id: None };
    let watched = vec![Watched::by_symbol("ORDI"), named, Watched::by_symbol("DOG")];
    let app = App::with(Preferences { watched, ..Preferences::default() });
    assert_eq!(app.state.watched_indices(&Watched::by_symbol("DOG")), [2]);
}

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
    let ticket = confirmed.start(&all(1));
    confirmed.arrive_of(0, &all(1), ticket, None);
    confirmed.key(KeyCode::End);
    assert_eq!(confirmed.wanted().len(), 2, "nor because the server says that it still holds");
    app.answer(&all(201), page(many(201, 7), None));
    app.key(KeyCode::End);
    assert_eq!((app.slugs().len(), app.wanted().len()), (206, 2), "this one is");
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
fn indexer_list_goes_on_after_skipped_rows() {
    let tokens = |offset| Request::Brc20Tokens { ticker: None, offset, limit: 60 };
    let page = |from: u32, count: u32, total| {
        let items = (from..from + count).map(|n| token(&format!("t{n:03}"))).collect();
        Answer::Brc20Tokens(Page { items, total })
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
fn opening_search_loads_the_whole_list() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(450)));
    app.keys("/");
    assert_eq!(app.wanted().last().unwrap(), "Coin list 201–400");
    app.key(KeyCode::Esc);
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(450)));
    app.keys("/x");
    app.key(KeyCode::Enter);
    assert!(app.wanted().contains(&"Coin list 201–400".to_owned()), "and while what was typed is in force");
}

#[test]
fn wallet_series_are_not_list_trends() {
    let mut app = App::new();
    let mut coins = three();
    coins.iter_mut().for_each(|coin| coin.sparkline_7d.clear());
    app.answer(&all(1), page(coins, Some(3)));
    app.keys("4");
    let request = demand(&app.state).visible[0].clone();
    app.answer(&request, Answer::Market(vec![series("ORDI", "ordi")]));
    let list = app.state.list(Tag::All);
    assert!(list.coins().all(|coin| list.trend(coin).is_empty()));
}

#[test]
fn value_is_stale_just_after_grace() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.wait(Duration::from_mins(5) + GRACE);
    assert!(!app.state.store.coins(&all(1)).is_stale(app.now));
    app.wait(Duration::from_millis(1));
    assert!(app.state.store.coins(&all(1)).is_stale(app.now));
}

#[test]
fn store_respects_its_limit_and_knows_what_is_loading() {
    let mut app = App::new();
    assert!(!app.state.store.is_loading());
    let ticket = app.start(&all(1));
    assert!(app.state.store.is_loading());
    app.arrive(&all(1), ticket, page(three(), Some(3)));
    assert!(!app.state.store.is_loading());
    for n in 0..2 * MAX_APP_ANSWERS {
        app.state.store.record_demand(&[Request::Brc20Token { ticker: format!("x{n}").into() }]);
    }
    assert_eq!(app.state.store.all().len(), MAX_APP_ANSWERS);
}

#[test]
fn large_invisible_responses_are_evicted_oldest_first_and_visible_ones_never() {
    let mut app = App::new();
    let chart =
        |n: usize| Request::Chart { slug: format!("coin-{n}").into(), period: Period::Day, convert: Currency::usd() };
    let day = |n: usize| {
        let (slug, convert) = (format!("coin-{n}").into(), Currency::usd());
        Answer::Chart(Chart { slug, period: Period::Day, convert, points: Vec::new() })
    };
    let kept = |app: &App| (0..6).filter(|n| app.state.store.answer(&chart(*n)).is_some()).collect::<Vec<_>>();
    let arrive = |app: &mut App, bytes, request: &Request, answer: Option<Answer>| {
        app.state.store.record_demand(std::slice::from_ref(request));
        let ticket = Ticket(1);
        app.state.store.apply(Event::Started { request: request.clone(), ticket, at: app.now });
        app.arrive_of(bytes, request, ticket, answer);
    };
    for n in 0..6 {
        arrive(&mut app, MAX_BODY_BYTES / 4, &chart(n), Some(day(n)));
    }
    assert_eq!(kept(&app), [2, 3, 4, 5]);
    // A very large page evicts none of them: neither while it is visible, nor while its list keeps it.
    arrive(&mut app, 3 * MAX_BODY_BYTES, &all(1), Some(page(three(), Some(3))));
    assert_eq!((app.slugs().len(), kept(&app)), (3, vec![2, 3, 4, 5]));
    app.keys("4");
    assert_eq!(kept(&app), [2, 3, 4, 5]);
    app.keys("1");
    assert_eq!((app.slugs().len(), kept(&app)), (3, vec![2, 3, 4, 5]));
    // A confirmed response keeps its size, although it had no body.
    arrive(&mut app, 0, &chart(2), None);
    arrive(&mut app, MAX_BODY_BYTES / 4, &chart(0), Some(day(0)));
    assert_eq!(kept(&app), [0, 2, 4, 5]);
    // The page isn't evicted before newer ones while its list keeps it: that would free nothing.
    app.keys("4");
    for n in 1..6 {
        arrive(&mut app, MAX_BODY_BYTES / 4, &chart(n), Some(day(n)));
    }
    app.state.store.record_demand(&[]);
    assert_eq!((kept(&app), app.state.store.answer(&all(1)).is_some()), (vec![2, 3, 4, 5], true));
}

#[test]
fn error_of_evicted_request_is_released_and_stays_logged() {
    let mut app = App::new();
    let request = all(1);
    app.state.store.record_demand(std::slice::from_ref(&request));
    let (ticket, at) = (Ticket(1), app.now);
    app.state.store.apply(Event::Started { request: request.clone(), ticket, at });
    let kind = ErrorKind::Refused;
    let error = Arc::new(Error { what: request.describe(), place: String::from("http://localhost"), kind });
    // The fetch task uses this to decide on an early retry.
    let told = Arc::downgrade(&error);
    app.state.store.apply(Event::Failed { request, ticket, error, at, next_try: None });
    assert_eq!(told.strong_count(), 1);
    for n in 0..2 * MAX_APP_ANSWERS {
        app.state.store.record_demand(&[Request::Brc20Token { ticker: format!("x{n}").into() }]);
    }
    assert_eq!((told.strong_count(), app.state.store.errors().len()), (0, 1));
}

#[test]
fn visible_data_are_never_evicted_and_evict_nothing_else() {
    let mut store = Store::default();
    let token = |n: usize| Request::Brc20Token { ticker: format!("x{n}").into() };
    let many: Vec<_> = (0..MAX_APP_ANSWERS + 20).map(token).collect();
    store.record_demand(&[token(9999)]);
    store.keep(&[token(9999)]);
    store.record_demand(&many);
    assert_eq!(store.all().len(), MAX_APP_ANSWERS + 21);
    store.record_demand(&many[..1]);
    assert_eq!(store.all().len(), MAX_APP_ANSWERS);
    let mut arrive = |request: Request, bytes| {
        let ticket = Ticket(1);
        store.record_demand(&[request.clone(), all(1)]);
        store.apply(Event::Started { request: request.clone(), ticket, at: START });
        let (answer, receipt) = (Some(Arc::new(page(three(), None))), Receipt { bytes, ..App::new().receipt() });
        store.apply(Event::Arrived { request, ticket, answer, receipt });
    };
    arrive(token(7), 1);
    arrive(all(1), 3 * MAX_BODY_BYTES);
    arrive(token(8), 1);
    assert!([token(7), token(8), all(1)].iter().all(|request| store.answer(request).is_some()));
    store.record_demand(&[]);
    assert!(store.answer(&all(1)).is_none(), "nobody wants it, and no list has it");
}

#[test]
fn indexer_list_requests_page_under_cursor_first() {
    let mut app = App::new();
    app.keys("5");
    let request = |offset| Request::Brc20Tokens { ticker: None, offset, limit: 60 };
    let items = |from: u64| (from..from + 60).map(|n| token(&format!("t{n:03}"))).collect();
    let answer = |from| Answer::Brc20Tokens(Page { items: items(from), total: Some(300) });
    let offsets = |app: &App| -> Vec<u64> {
        let requests = demand(&app.state).visible.into_iter();
        requests
            .filter_map(|request| match request {
                Request::Brc20Tokens { offset, .. } => Some(offset),
                _ => None,
            })
            .collect()
    };
    app.answer(&request(0), answer(0));
    for _ in 0..15 {
        app.key(KeyCode::Down);
    }
    assert_eq!(offsets(&app), [0], "the end is far");
    for from in [60, 120, 180, 240] {
        app.key(KeyCode::End);
        app.answer(&request(from), answer(from));
    }
    app.key(KeyCode::End);
    let rows = app.state.content_rows() as u64;
    assert!((30..50).contains(&rows), "{rows}");
    assert_eq!(offsets(&app), [240, 0], "nothing lies behind the end");
    for _ in 0..150 {
        app.key(KeyCode::Up);
    }
    assert_eq!(offsets(&app), [120, 0, 60, 180, 240], "row 149");
    // Invisible pages are not evicted while scrolling through the list.
    for n in 0..2 * MAX_APP_ANSWERS as u64 {
        app.key(if n % 2 == 0 { KeyCode::Up } else { KeyCode::Down });
        app.state.store.record_demand(&[Request::Brc20Token { ticker: format!("x{n}").into() }]);
    }
    app.key(KeyCode::End);
    for n in 0..2 * MAX_APP_ANSWERS as u64 {
        app.key(if n % 2 == 0 { KeyCode::Up } else { KeyCode::Down });
        app.state.store.record_demand(&[Request::Brc20Token { ticker: format!("y{n}").into() }]);
    }
    assert_eq!(app.state.indexer.token_list(&app.state.store).len(), 300);
}

#[test]
fn deadlines_are_in_the_future_and_for_visible_data() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    let secs = |app: &App| next_deadline(&app.state).secs() - app.now.secs();
    assert_eq!(secs(&app), 10, "now becomes 10 s");
    app.keys("6");
    assert_eq!(secs(&app), 10, "the status tab shows the age of everything");
    app.keys("5");
    assert_eq!(secs(&app), 60, "the indexer shows none of it");
    app.keys("6");
    app.start(&all(1));
    app.fail(&all(1));
    let failing = secs(&app);
    let ticket = app.start(&all(1));
    assert!(failing <= 10, "{failing}");
    app.arrive(&all(1), ticket, page(three(), Some(3)));
    let mut app = App::new();
    app.fail(&all(1));
    assert_eq!(secs(&app), 10, "the wait for the next try");
    app.start(&all(1));
    assert_eq!(secs(&app), 60, "is over while one is under way");
    app.state.toast = Some(Toast { text: String::new(), is_error: false, is_unsaved: false, until: START });
    app.state.indexer.debounce_until = Some(START);
    assert_eq!(secs(&app), 60, "what is over is no deadline");
}

#[test]
fn deadline_follows_data_that_just_became_stale() {
    let mut app = App::new();
    let ticket = app.start(&all(1));
    app.arrive(&all(1), ticket, page(three(), Some(3)));
    app.wait(Duration::from_mins(5) + GRACE + Duration::from_secs(10) - Duration::from_millis(1));
    assert!(app.state.store.coins(&all(1)).is_stale(app.now));
    assert!(next_deadline(&app.state) > app.now);
    app.wait(Duration::from_millis(1));
    assert!(next_deadline(&app.state) > app.now);
}

#[test]
fn wallet_links_are_of_the_row_with_shared_symbol() {
    let watched = vec![Watched::by_symbol("ORDI")];
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    let mut coins = three();
    coins[2].symbol = "ORDI".into();
    coins[2].links = [Link { kind: "website".into(), url: "https://void.example/".to_owned() }].into_iter().collect();
    app.answer(&all(1), page(coins, Some(3)));
    app.keys("4");
    let request = demand(&app.state).visible[0].clone();
    app.answer(&request, Answer::Market(vec![series("ORDI", "ordi"), series("ORDI", "void")]));
    app.keys("o");
    assert!(app.state.overlay.is_none(), "the first has none");
    app.key(KeyCode::Down);
    app.keys("o");
    let Some(Overlay::Links { links, .. }) = &app.state.overlay else { panic!("{:?}", app.state.overlay) };
    assert_eq!(links[0].url, "https://void.example/");
}

#[test]
fn watch_key_works_for_coin_on_no_list() {
    let mut app = wallet();
    app.key(KeyCode::Down);
    app.key(KeyCode::Enter);
    let dog = Watched { symbol: "DOG".into(), slug: Some("dog-one".into()), id: Some("id-dog-one".into()) };
    assert_eq!(app.keys("f"), [Effect::Save(1, Change::Watch(dog))]);
}

#[test]
fn refresh_of_empty_wallet_shows_message() {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    app.keys("4");
    assert_eq!(app.keys("r"), []);
    assert_eq!(app.state.toast.as_ref().map(|toast| toast.text.as_str()), Some("Nothing to refresh"));
}

#[test]
fn wallet_takes_a_hundred_thousand_symbols() {
    let watched = (0..100_000).map(|n| Watched::by_symbol(&format!("C{n}"))).collect();
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("4");
    assert_eq!(app.state.wallet.rows().len(), 100_000);
    let wanted = app.wanted();
    assert_eq!(wanted, ["Price history of C0 + 199 more (USD, 5m)"], "only those in sight");
}

#[test]
fn wallet_requests_many_symbols_in_several_requests_as_their_rows_come_into_view() {
    let watched = (0..450).map(|n| Watched::by_symbol(&format!("C{n}"))).collect();
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    app.keys("4");
    let answer = |app: &mut App, request: Request| {
        let Request::MarketData { symbols, .. } = &request else { panic!("{request:?}") };
        let series = symbols.iter().map(|symbol| series(symbol, &symbol.to_lowercase())).collect();
        app.answer(&request, Answer::Market(series));
    };
    let names = [
        "Price history of C0 + 199 more (USD, 5m)",
        "Price history of C200 + 199 more (USD, 5m)",
        "Price history of C400 + 49 more (USD, 5m)",
    ];
    let requests = demand(&app.state).visible;
    assert_eq!(app.wanted(), names[..1]);
    answer(&mut app, requests[0].clone());
    let known = |app: &App| app.state.wallet.rows().iter().filter(|row| row.series.is_some()).count();
    assert_eq!(known(&app), 200);
    (0..180).for_each(|_| drop(app.key(KeyCode::Down)));
    assert_eq!(app.wanted(), names[..2], "the selected row's first");
    let requests = demand(&app.state).visible;
    answer(&mut app, requests[1].clone());
    assert_eq!(known(&app), 400);
    app.key(KeyCode::End);
    assert_eq!(app.wanted(), names[2..]);
    app.key(KeyCode::Up);
    app.key(KeyCode::Enter);
    assert!(app.state.token.is_none(), "nothing is known of it yet");
    let requests = demand(&app.state).visible;
    answer(&mut app, requests[0].clone());
    app.key(KeyCode::Enter);
    assert_eq!(app.state.token.as_ref().unwrap().slug.as_deref(), Some("c448"));
    // A row more than a screen away is not visible.
    app.key(KeyCode::Esc);
    app.key(KeyCode::Home);
    assert_eq!(app.wanted(), names[..1]);
}

#[test]
fn indexer_lists_end_at_three_thousand_items() {
    let mut app = App::new();
    app.keys("5");
    let tokens = |offset| Request::Brc20Tokens { ticker: None, offset, limit: 60 };
    let mut offset = 0;
    while demand(&app.state).visible.contains(&tokens(offset)) {
        let items = (offset..offset + 60).map(|n| token(&format!("t{n:05}"))).collect();
        app.answer(&tokens(offset), Answer::Brc20Tokens(Page { items, total: Some(100_000) }));
        app.key(KeyCode::End);
        offset += 60;
    }
    assert_eq!((offset, app.state.indexer.token_list(&app.state.store).len()), (3_000, 3_000));
}

#[test]
fn background_rules_are_demanded_beside_the_screen_and_shown_in_the_status_tab() {
    let mut app = App::new();
    assert_eq!(demand(&app.state).background, [], "there is no rule yet");
    let need = |slug: &str| BackgroundNeed {
        request: Request::Chart { slug: slug.into(), period: Period::Day, convert: Currency::usd() },
        every: Duration::from_mins(10),
    };
    app.state.background = vec![need("ordi"), need("sats")];
    app.state.preferences.background_per_minute = 7;
    app.answer(&all(1), page(three(), Some(3)));
    let wanted = demand(&app.state);
    assert_eq!((&wanted.visible[..], &wanted.background), (&[all(1)][..], &app.state.background));
    assert_eq!(wanted.has_rows, [true, false, false]);
    // They stay in the store, whatever the screen shows.
    let chart = |slug: &str| need(slug).request;
    let answer = Chart { slug: "ordi".into(), period: Period::Day, convert: Currency::usd(), points: Vec::new() };
    app.answer(&chart("ordi"), Answer::Chart(answer));
    for n in 0..2 * MAX_APP_ANSWERS as u64 {
        app.state.store.record_demand(&[Request::Brc20Token { ticker: format!("x{n}").into() }]);
        app.tell(Message::Tick);
    }
    assert!(app.state.store.answer(&chart("ordi")).is_some());

    let texts = |app: &App| -> Vec<String> {
        let lines = status::lines(&app.state, 80);
        lines.into_iter().filter_map(|line| if let Line::Text(text) = line { Some(text) } else { None }).collect()
    };
    assert_eq!(texts(&app)[0], "At most 7 a minute · none waiting");
    let until = Some(app.now.plus(Duration::from_secs(25)));
    app.tell(Message::Fetch(Event::Background { waiting: 3, until }));
    assert_eq!(texts(&app)[0], "At most 7 a minute · 3 waiting, next in 30 s");
    app.keys("6");
    assert_eq!(next_deadline(&app.state), app.now.plus(Duration::from_secs(10)), "the age of the list, and the wait");
    app.tell(Message::Fetch(Event::Background { waiting: 1, until: None }));
    assert_eq!(texts(&app)[0], "At most 7 a minute · 1 waiting");
}
