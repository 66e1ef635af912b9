//! Cached data at the next start: the state with responses of an earlier run, and the real program started twice.

use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use satscope::app::responses::CachedResponse;
use satscope::app::screen::list::CoinColumn;
use satscope::app::{Message, Preferences, State, update};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::config::{self, Environment, Flags};
use satscope::fetch::Receipt;
use satscope::model::{CoinId, Currency, Tag, UtcTime};
use satscope::snapshot::{Contents, Snapshot};
use satscope::user_data::UserData;
use tokio::sync::oneshot;

use crate::support::screen::{FRESH, START, Screen, fixture};
use crate::support::server::{Log, Response, Server, TEST_TIMEOUT};
use crate::support::session::Session;

/// A response of the fixture, received at a time.
fn kept(request: &Request, at: UtcTime) -> CachedResponse {
    let receipt = Receipt {
        url: String::from("http://127.0.0.1/…"),
        status: 200,
        bytes: 12_345,
        latency: Duration::from_millis(120),
        fetched_at: at,
        fresh_until: at.plus(FRESH),
        ..Receipt::default()
    };
    let response = Arc::new(fixture::response(request).unwrap());
    CachedResponse { request: request.clone(), response, receipt, abridged: false }
}

/// The request of a page of the first list.
fn page(start: u32, limit: u32) -> Request {
    Request::Coins { tag: Tag::All, start, limit, convert: Currency::usd() }
}

fn long_ago() -> UtcTime {
    START.minus(Duration::from_mins(12))
}

#[test]
fn cached_rows_are_marked_until_new_ones_arrive() {
    let mut screen = Screen::new(120, 16);
    screen.send(Message::Restored(vec![kept(&page(1, 100), long_ago())]));
    insta::assert_snapshot!(screen.picture());
    screen.start(&page(1, 100));
    assert!(screen.text().contains("12 m old · refreshing…"), "{}", screen.text());
    screen.serve(fixture::response);
    screen.answer(&page(1, 100), fixture::response(&page(1, 100)).unwrap());
    let text = screen.text();
    assert!(text.contains("updated now") && !text.contains("old"), "{text}");
}

#[test]
fn cached_rows_stay_when_service_fails() {
    let mut screen = Screen::new(120, 16);
    screen.send(Message::Restored(vec![kept(&page(1, 100), long_ago())]));
    screen.fail_all(&ErrorKind::Refused);
    let text = screen.text();
    assert!(
        text.contains("Bitcoin")
            && text.contains("12 m old · Can't reach coins.example (connection refused) · retrying in 30 s"),
        "{text}"
    );
}

#[test]
fn cached_rows_are_shown_after_failure() {
    let mut screen = Screen::new(120, 16);
    screen.fail_all(&ErrorKind::Refused);
    screen.send(Message::Restored(vec![kept(&page(1, 100), long_ago())]));
    let text = screen.text();
    assert!(text.contains("Bitcoin") && text.contains("12 m old · Can't reach"), "{text}");
}

#[test]
fn late_cached_data_do_not_replace_new_data() {
    let mut screen = Screen::new(120, 16);
    screen.serve(fixture::response);
    let before = screen.picture();
    let mut old = kept(&page(1, 100), long_ago());
    old.response = Arc::new(satscope::client::ResponseData::Coins(satscope::model::Page::default()));
    screen.send(Message::Restored(vec![old]));
    assert_eq!(screen.picture(), before);
}

#[test]
fn fresh_cached_data_is_unmarked_and_refreshed() {
    let mut screen = Screen::new(120, 16);
    screen.send(Message::Restored(vec![kept(&page(1, 100), START.minus(Duration::from_mins(2)))]));
    let text = screen.text();
    assert!(text.contains("updated 2 m ago") && !text.contains("old"), "{text}");
    assert!(screen.wanted().contains(&page(1, 100)));
}

/// The responses of the fixture, with values for all columns of the lists.
fn with_all_columns(request: &Request) -> Option<ResponseData> {
    let mut response = fixture::response(request)?;
    if let ResponseData::Coins(page) = &mut response {
        for (number, coin) in (0_u32..).zip(&mut page.items) {
            coin.all_time_high = coin.price.map(|price| price * f64::from(number * 7 % 11 + 1));
            coin.circulating_supply = Some(f64::from(number * 13 % 17 + 1) * 1e6);
        }
    }
    Some(response)
}

#[test]
fn cached_first_page_has_the_cells_and_the_order_of_every_column() {
    let sorted = |column: CoinColumn| {
        let preferences = Preferences { columns: vec![column], page_size: 100, ..Preferences::default() };
        let mut screen = Screen::with(preferences, 140, 30);
        if let Some(by) = column.spec().sort {
            screen.keys(&format!("s{}", by.key()));
        }
        screen
    };
    for column in CoinColumn::optional() {
        let mut before = sorted(column);
        before.answer(&page(1, 100), with_all_columns(&page(1, 100)).unwrap());
        let home = tempfile::tempdir().unwrap();
        let snapshot = snapshot_in(home.path(), "http://coins.example");
        snapshot.save(Contents::from_state(&before.state), START).unwrap();
        let shown = |kept: Vec<CachedResponse>| {
            let mut screen = sorted(column);
            screen.send(Message::Restored(kept));
            let list = screen.state.list(Tag::All);
            let order: Vec<_> = (0..list.len()).filter_map(|row| list.get(row)).map(|coin| coin.id.clone()).collect();
            // A chart on a wide screen has more points than the first page, until the rest is read.
            let rows = if column == CoinColumn::Trend { 0 } else { 26 };
            (order, screen.text().lines().skip(2).take(rows).map(str::to_owned).collect::<Vec<_>>())
        };
        assert_eq!(shown(snapshot.first(START)), shown(snapshot.rest(START)), "{column:?}");
    }
}

#[test]
fn cached_first_page_has_only_visible_fields() {
    let mut before = Screen::new(140, 30);
    before.serve(with_all_columns);
    let rows = |screen: &mut Screen| {
        let text = screen.text();
        text.lines().skip(2).take(26).map(str::to_owned).collect::<Vec<_>>()
    };
    let shown = rows(&mut before);

    let home = tempfile::tempdir().unwrap();
    let snapshot = snapshot_in(home.path(), "http://coins.example");
    snapshot.save(Contents::from_state(&before.state), START).unwrap();
    let first = snapshot.first(START);
    let mut after = Screen::new(140, 30);
    after.send(Message::Restored(first.clone()));
    assert_eq!(rows(&mut after), shown);

    // It waits for the rest of the page before it requests another one, and uses it on arrival.
    after.keys("<end>");
    assert!(after.wanted().contains(&page(1, 100)) && !after.wanted().contains(&page(101, 100)));
    after.send(Message::Restored(snapshot.rest(START)));
    assert!(after.wanted().contains(&page(101, 100)), "{:?}", after.wanted());
    let coin = after.state.list(Tag::All).coins().next().unwrap();
    assert!(!coin.links.is_empty() && coin.sparkline_7d.len() > 24);

    // Every first frame pays for its size: a coin has 320 bytes, with 24 prices and the values of all columns.
    let size = std::fs::read_dir(home.path().join("satscope")).unwrap().map(Result::unwrap);
    let small =
        size.filter(|f| f.file_name().to_string_lossy().starts_with("first")).map(|f| f.metadata().unwrap().len());
    let small: u64 = small.sum();
    assert!(small < 34_000, "{small} bytes");
}

/// The dashboard after `keys` that sort or select, each with all responses.
fn left_with(keys: &[&str]) -> Screen {
    let mut screen = Screen::new(140, 30);
    screen.serve(fixture::response);
    for keys in keys {
        screen.keys(keys);
        screen.serve(fixture::response);
    }
    screen
}

/// The next start: the dashboard with the session, and the snapshot.
fn next_start(before: &Screen, home: &Path) -> (Screen, Snapshot) {
    let snapshot = snapshot_in(home, "http://coins.example");
    snapshot.save(Contents::from_state(&before.state), START).unwrap();
    let mut after = Screen::new(140, 30);
    let user = UserData { session: before.state.session().entries(), ..UserData::default() };
    after.send(Message::Loaded(Box::new(user)));
    after.send(Message::Restored(snapshot.first(START)));
    (after, snapshot)
}

/// The rows of the list, and the selected coin.
fn rows_and_coin(screen: &mut Screen) -> (Vec<String>, Option<CoinId>) {
    // Which coin a symbol of the watchlist means depends on all coins.
    let rows = screen.text().lines().skip(2).take(27).map(|line| line.replace('★', " ")).collect();
    (rows, screen.state.list(Tag::All).selected().map(|coin| coin.id.clone()))
}

#[test]
fn first_frame_has_the_rows_around_the_selected_coin_in_the_order_of_the_list() {
    let lists = [
        vec!["sd"],
        vec!["sd", "jjjjjjjjjjj"],
        vec!["sn", "<end>", "kkkkk"],
        vec!["sp", "<pgdn><pgdn><pgdn><pgdn>"],
        vec!["<end>", "<end>", "<end>", "kk"],
        vec!["<end>", "<end>", "<end>", "<pgup><pgup><pgup><pgup>"],
        vec!["jjjj"],
    ];
    for keys in lists {
        let mut before = left_with(&keys);
        let home = tempfile::tempdir().unwrap();
        let (mut after, snapshot) = next_start(&before, home.path());
        // The view shows the selected row of the first frame at the end of the screen.
        before.view_state = Default::default();
        let shown = rows_and_coin(&mut before);
        assert_eq!(rows_and_coin(&mut after), shown, "{keys:?}");
        assert_eq!(after.state.session(), before.state.session(), "{keys:?}");
        after.send(Message::Restored(snapshot.rest(START)));
        assert_eq!(rows_and_coin(&mut after), shown, "{keys:?}: after the rest is read");
        after.serve(fixture::response);
        assert_eq!(rows_and_coin(&mut after), shown, "{keys:?}");
    }
}

#[test]
fn key_at_the_first_frame_acts_on_its_selected_coin() {
    let before = left_with(&["sn", "<end>", "kkkkk"]);
    let selected = before.state.list(Tag::All).selected().unwrap().clone();
    let home = tempfile::tempdir().unwrap();
    let (mut after, snapshot) = next_start(&before, home.path());
    after.send(Message::Restored(snapshot.rest(START)));
    after.keys("f");
    assert_eq!(after.state.toast.as_ref().unwrap().text, format!("Watching {}", selected.symbol));
}

/// Only the pages that are visible are requested, and the first one.
#[test]
fn coin_of_a_later_page_is_restored_without_the_pages_before_it() {
    let before = left_with(&["<end>", "<end>", "<end>", "kk"]);
    let home = tempfile::tempdir().unwrap();
    let (after, _) = next_start(&before, home.path());
    let mut wanted = after.wanted();
    wanted.retain(|request| matches!(request, Request::Coins { .. }));
    wanted.sort();
    assert_eq!(wanted, [page(1, 100), page(201, 100)]);
    // Without the snapshot, it is not searched for; it is kept for the next start.
    let mut without = Screen::new(140, 30);
    let user = UserData { session: before.state.session().entries(), ..UserData::default() };
    without.send(Message::Loaded(Box::new(user)));
    without.serve(fixture::response);
    let list = without.state.list(Tag::All);
    assert_eq!((list.loaded(), list.cursor.index()), (100, 0));
    assert_eq!(without.state.session(), before.state.session());
}

/// A page of which the first frame has only a part is requested when it is visible, or needed to search the list.
#[test]
fn rows_missing_in_the_first_frame_are_loaded_when_they_are_needed() {
    let before = left_with(&["<end>", "<end>", "<end>", "kk"]);
    for keys in ["<home>", "/c123<enter>", "sn"] {
        let home = tempfile::tempdir().unwrap();
        let (mut after, _) = next_start(&before, home.path());
        after.keys(keys);
        let respond = |after: &mut Screen, is_due: &dyn Fn(&Request) -> bool| {
            for request in after.wanted().into_iter().filter(is_due) {
                if let Some(response) = fixture::response(&request) {
                    after.answer(&request, response);
                }
            }
        };
        respond(&mut after, &|request| *request != page(101, 100));
        // A search or an order of a part of the list isn't shown as one of the whole list.
        assert_eq!(after.state.list(Tag::All).is_loading(), keys != "<home>", "{keys}");
        respond(&mut after, &|_| true);
        // The rows stay in place for two seconds after a key.
        after.wait(Duration::from_secs(2));
        let list = after.state.list(Tag::All);
        match keys {
            "<home>" => {
                let all = before.state.list(Tag::All).coins();
                assert!(list.coins().take(100).map(|coin| &coin.id).eq(all.take(100).map(|coin| &coin.id)));
            }
            "sn" => assert_eq!(list.loaded(), 250),
            _ => assert_eq!(list.get(0).map(|coin| coin.symbol.as_str()), Some("C123")),
        }
    }
}

/// A page with unreadable rows is not the last one, in the next run either.
#[test]
fn cached_page_with_unreadable_rows_is_not_the_last() {
    let mut before = Screen::new(140, 30);
    let mut response = fixture::response(&page(1, 100)).unwrap();
    let satscope::client::ResponseData::Coins(coins) = &mut response else { panic!("{response:?}") };
    coins.items.truncate(40);
    coins.total = None;
    before.answer_as(&page(1, 100), response, |receipt| Receipt { rows: 100, ..receipt });
    before.keys("<end>");
    assert!(before.wanted().contains(&page(101, 100)), "{:?}", before.wanted());

    let home = tempfile::tempdir().unwrap();
    let snapshot = snapshot_in(home.path(), "http://coins.example");
    snapshot.save(Contents::from_state(&before.state), START).unwrap();
    let mut after = Screen::new(140, 30);
    after.send(Message::Restored(snapshot.rest(START)));
    after.keys("<end>");
    assert!(after.wanted().contains(&page(101, 100)), "{:?}", after.wanted());
}

#[test]
fn cached_huge_page_is_cut_and_incomplete() {
    let mut state = State::new(satscope::app::Preferences { page_size: 5_000, ..Default::default() }, (120, 16), START);
    let long = kept(&page(1, 5_000), long_ago());
    let coins = |count: u32| (0..count).map(|index| fixture::coin(Tag::All, index, &Currency::usd())).collect();
    let response = satscope::client::ResponseData::Coins(satscope::model::Page { items: coins(990), total: None });
    let _ = update(&mut state, Message::Restored(vec![CachedResponse { response: Arc::new(response), ..long }]), START);
    assert_eq!(state.list(Tag::All).total(), Some(990));

    let home = tempfile::tempdir().unwrap();
    let snapshot = snapshot_in(home.path(), "http://coins.example");
    snapshot.save(Contents::from_state(&state), START).unwrap();
    let mut next = State::new(state.preferences.clone(), (120, 16), START);
    let _ = update(&mut next, Message::Restored(snapshot.first(START)), START);
    assert_eq!((next.list(Tag::All).loaded(), next.list(Tag::All).total()), (200, None));
    assert_eq!(satscope::app::demand(&next).visible, [page(1, 5_000)]);
    // What is abridged is not kept as if it were whole.
    let other = tempfile::tempdir().unwrap();
    snapshot_in(other.path(), "http://coins.example").save(Contents::from_state(&next), START).unwrap();
    assert_eq!(snapshot_in(other.path(), "http://coins.example").first(START), []);
}

#[test]
fn further_pages_are_cached_for_offline_use() {
    let mut screen = Screen::new(120, 16);
    screen.send(Message::Restored([1, 101, 201].map(|start| kept(&page(start, 100), long_ago())).to_vec()));
    screen.keys("<end>");
    screen.keys("<end>");
    screen.keys("<end>");
    assert_eq!(screen.state.list(Tag::All).loaded(), fixture::COINS as usize);
    assert!(screen.text().contains("Coin 249"), "{}", screen.text());
}

#[test]
fn tabs_and_last_token_are_cached_for_offline_use() {
    let visits = [
        ("1", "Ethereum"),
        ("2", "ORDI"),
        ("3", "ORDI"),
        ("4", "ordinal-rats"),
        ("1<enter>", "$BTC holding the range"),
    ];
    let mut before = Screen::new(160, 45);
    for (keys, _) in visits {
        before.keys(keys);
        before.serve(fixture::response);
    }
    let home = tempfile::tempdir().unwrap();
    let snapshot = snapshot_in(home.path(), "http://coins.example");
    snapshot.save(Contents::from_state(&before.state), START).unwrap();

    let mut after = Screen::new(160, 45);
    after.send(Message::Restored(snapshot.first(START)));
    after.send(Message::Restored(snapshot.rest(START)));
    after.wait(Duration::from_mins(12));
    for (keys, shown) in visits {
        after.keys(keys);
        after.fail_all(&ErrorKind::Refused);
        let text = after.text();
        assert!(text.contains(shown) && text.contains("12 m old"), "{keys}:\n{text}");
    }
}

fn snapshot_in(cache: &Path, url: &str) -> Snapshot {
    let flags = Flags { base_url: Some(url.to_owned()), indexer_url: Some(url.to_owned()), ..Flags::default() };
    let environment: Environment =
        [("HOME", "/nonexistent"), ("XDG_CACHE_HOME", cache.to_str().unwrap())].into_iter().collect();
    Snapshot::new(&config::load(&flags, &environment).unwrap())
}

#[test]
fn offline_search_covers_all_cached_pages() {
    let mut screen = Screen::new(120, 16);
    screen.send(Message::Restored([1, 101, 201].map(|start| kept(&page(start, 100), long_ago())).to_vec()));
    screen.keys("/c24");
    let text = screen.text();
    assert!(text.contains("Coin 24 ") && text.contains("Coin 249"), "{text}");
}

/// Saves a snapshot as if the dashboard had shown a service's coins some time ago.
fn seen_before(home: &Path, url: &str, ago: Duration) {
    let now = UtcTime::now();
    let mut state = State::new(satscope::app::Preferences::default(), (120, 30), now);
    let _ = update(&mut state, Message::Restored(vec![kept(&page(1, 200), now.minus(ago))]), now);
    snapshot_in(&home.join(".cache"), url).save(Contents::from_state(&state), now).unwrap();
}

const BODY: &str = r#"{"data":[
    {"id":1,"name":"Bitcoin","symbol":"BTC","slug":"bitcoin","cmc_rank":1,"price":61234.1,"sparkline_7d":[1,2,3]},
    {"id":168,"name":"ORDI","symbol":"ORDI","slug":"ordi","cmc_rank":2,"price":8.41,"sparkline_7d":[3,2,1]}]}"#;

/// A service with two coins, on its own thread.
struct Service {
    url: String,
    end: oneshot::Sender<()>,
    thread: JoinHandle<Log>,
}

impl Service {
    fn start() -> Service {
        let (end, ended) = oneshot::channel();
        let (say, said) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let server = Server::start().await;
                server.answers("/coins?", Response::json(BODY));
                say.send(server.url()).unwrap();
                let _ = ended.await;
                let log = server.log();
                server.stop().await;
                log
            })
        });
        Service { url: said.recv().unwrap(), end, thread }
    }

    /// Closes its port, and returns its requests.
    fn stop(self) -> Log {
        drop(self.end);
        self.thread.join().unwrap()
    }
}

fn start(home: &Path, url: &str) -> Session {
    let log = home.join("log");
    let options = ["--base-url", url, "--indexer-url", url, "--log", log.to_str().unwrap()];
    Session::dashboard_in(home, (120, 30), &options)
}

/// Waits for another process.
fn until(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + TEST_TIMEOUT;
    while !is_so() {
        assert!(Instant::now() < deadline, "never: {what}");
        std::thread::yield_now();
    }
}

fn quit(mut session: Session) {
    session.press("q");
    assert_eq!(session.wait().0, 0);
}

fn log(home: &Path) -> String {
    std::fs::read_to_string(home.join("log")).unwrap_or_default()
}

#[test]
fn second_start_shows_cached_rows() {
    for end in ["key", "TERM", "HUP", "INT"] {
        let home = tempfile::tempdir().unwrap();
        let service = Service::start();
        let url = service.url.clone();
        let mut first = start(home.path(), &url);
        first.until_text("ORDI");
        match end {
            "TERM" => first.signal(Signal::TERM),
            "HUP" => first.signal(Signal::HUP),
            "INT" => first.signal(Signal::INT),
            _ => first.press("q"),
        }
        first.wait();
        service.stop();

        let mut second = start(home.path(), &url);
        let frame = second.first_frame();
        assert!(frame.contains("ORDI") && frame.contains("8.41"), "{end}; the first frame:\n{frame}");
        second.until_text("Can't reach 127.0.0.1");
        assert!(second.text().contains("ORDI"), "{}", second.text());
        quit(second);
    }
}

#[test]
fn first_frame_shows_cache_age_until_new_data_arrive() {
    let home = tempfile::tempdir().unwrap();
    let service = Service::start();
    seen_before(home.path(), &service.url, Duration::from_mins(12));
    let mut session = start(home.path(), &service.url);
    let frame = session.first_frame();
    assert!(frame.contains("Ethereum") && frame.contains("12 m old · waiting to refresh"), "{frame}");
    session.until("the new rows alone", |screen| {
        let text = screen.contents();
        text.contains("8.41") && !text.contains("Ethereum") && !text.contains("old")
    });
    quit(session);
    assert!(!service.stop().requests.iter().any(|request| request.header("if-none-match").is_some()));
}

#[test]
fn another_source_does_not_show_cached_rows() {
    let home = tempfile::tempdir().unwrap();
    seen_before(home.path(), "http://127.0.0.1:9", Duration::from_mins(12));
    let mut session = start(home.path(), "http://127.0.0.1:1");
    let frame = session.first_frame();
    assert!(!frame.contains("Ethereum"), "{frame}");
    session.until_text("Can't reach 127.0.0.1");
    assert!(!session.text().contains("BTC"), "{}", session.text());
    quit(session);
    assert!(log(home.path()).contains("no valid snapshot of this source"), "{}", log(home.path()));
}

#[test]
fn damaged_snapshot_is_ignored_and_logged() {
    let url = "http://127.0.0.1:9";
    let damages: [fn(&mut Vec<u8>); 5] = [
        |bytes| bytes.truncate(bytes.len() / 2),
        |bytes| bytes.clear(),
        |bytes| bytes.iter_mut().rev().take(50).for_each(|byte| *byte ^= 0x55),
        |bytes| bytes.iter_mut().skip(8).take(2).for_each(|byte| *byte = 0xee),
        |bytes| bytes.resize(8 << 20, b'x'),
    ];
    for (index, damage) in damages.into_iter().enumerate() {
        let home = tempfile::tempdir().unwrap();
        seen_before(home.path(), url, Duration::from_mins(12));
        for file in std::fs::read_dir(home.path().join(".cache/satscope")).unwrap() {
            let path = file.unwrap().path();
            let mut bytes = std::fs::read(&path).unwrap();
            damage(&mut bytes);
            std::fs::write(&path, bytes).unwrap();
        }
        let mut session = start(home.path(), url);
        session.until_text("Can't reach 127.0.0.1");
        assert!(!session.text().contains("Ethereum"), "{index}: {}", session.text());
        // The first file and, read beside the loop, the other.
        until("both are named in the log", || log(home.path()).matches("snapshot ignored").count() == 2);
        quit(session);
    }
}

#[test]
fn cache_can_be_disabled() {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(home.path().join(".config/satscope")).unwrap();
    std::fs::write(home.path().join(".config/satscope/config.toml"), "[source]\ncache = false\n").unwrap();
    let service = Service::start();
    let mut session = start(home.path(), &service.url);
    session.until_text("ORDI");
    quit(session);
    assert!(!home.path().join(".cache").exists());
}

#[test]
fn snapshot_survives_a_kill() {
    let home = tempfile::tempdir().unwrap();
    let service = Service::start();
    let mut session = start(home.path(), &service.url);
    session.until_text("ORDI");
    let cache = home.path().join(".cache/satscope");
    let written = |name: &str| {
        let files = std::fs::read_dir(&cache).into_iter().flatten().flatten();
        files.filter(|file| file.file_name().to_string_lossy().starts_with(name)).count()
    };
    until("it is written while it runs", || written("first") + written("rest") == 2);
    session.signal(Signal::KILL);
    drop(session);

    let url = service.url.clone();
    service.stop();
    let mut second = start(home.path(), &url);
    let frame = second.first_frame();
    assert!(frame.contains("ORDI"), "{frame}");
    quit(second);
}

#[test]
fn demo_is_cached_too() {
    let home = tempfile::tempdir().unwrap();
    let mut first = Session::dashboard_in(home.path(), (120, 30), &[]);
    first.until_text("BTC");
    quit(first);
    let mut second = Session::dashboard_in(home.path(), (120, 30), &["--demo"]);
    let frame = second.first_frame();
    assert!(frame.contains("BTC"), "{frame}");
    quit(second);
}
