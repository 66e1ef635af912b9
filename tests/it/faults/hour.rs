//! An hour of empty, late, refused and correct responses over HTTP, in random order: every visible panel has demand,
//! and once the service responds correctly, every screen has all its rows again.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use parking_lot::Mutex;
use satscope::app::{Effect, Message, demand};
use satscope::client::{Client, ClientConfig, Limits, Request};
use satscope::clock::Clock;
use satscope::fetch::{Event, Handle, Settings};
use satscope::model::{Tag, UtcTime};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use super::random::check_demand;
use super::responses;
use crate::client::server::response;
use crate::support::screen::{START, Screen};

/// Longer than any request takes on a busy machine.
const TEST_TIMEOUT: Duration = Duration::from_secs(60);

/// Coins of each list: three full pages, and an empty one after them.
const COINS: u64 = 300;

/// Rows of the lists of the indexer: more than two pages.
const ROWS: u64 = 130;

/// Turns of the runtime without an event after which the program counts as settled.
const QUIET: usize = 64;

/// Random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[usize::try_from(self.below(all.len() as u64)).unwrap()]
    }
}

/// How the service responds.
#[derive(Clone, Copy)]
enum FaultMode {
    Correct,
    /// Status line, headers and body.
    Says(&'static str, &'static str, &'static str),
    /// Half of the correct body.
    Truncated,
    /// The correct response to another operation.
    Mistaken,
    /// The correct response, some minutes later.
    Late,
    /// Nothing, some minutes later.
    LateReset,
}

const FAULT_MODES: [FaultMode; 22] = [
    FaultMode::Correct,
    FaultMode::Correct,
    FaultMode::Correct,
    FaultMode::Correct,
    FaultMode::Says("200 OK", "", r#"{"status":{"error_code":0},"data":null}"#),
    FaultMode::Says("200 OK", "", r#"{"status":{"error_code":0},"data":null}"#),
    FaultMode::Says("200 OK", "", "[]"),
    FaultMode::Says("200 OK", "", r#"{"data":[]}"#),
    FaultMode::Says("200 OK", "", r#"{"limit":60,"offset":0,"total":0,"results":[]}"#),
    FaultMode::Says("200 OK", "", ""),
    FaultMode::Says("204 No Content", "", ""),
    FaultMode::Says("200 OK", "Cache-Control: max-age=3600\r\n", r#"{"data":[]}"#),
    FaultMode::Says("503 Service Unavailable", "Retry-After: 3600\r\n", ""),
    FaultMode::Says("503 Service Unavailable", "Retry-After: 1795075200\r\n", "{}"),
    FaultMode::Says("429 Too Many Requests", "Retry-After: 30\r\n", r#"{"status":{"error_code":1008}}"#),
    FaultMode::Says("429 Too Many Requests", "", ""),
    FaultMode::Says("404 Not Found", "", r#"{"error":"Not found"}"#),
    FaultMode::Says("200 OK", "", "<html>maintenance</html>"),
    FaultMode::Truncated,
    FaultMode::Mistaken,
    FaultMode::Late,
    FaultMode::LateReset,
];

struct Service {
    /// Decides about each response; `None`: all are correct.
    random: Mutex<Option<Random>>,
    /// Late responses are sent when this changes.
    release: watch::Sender<()>,
    /// Late responses that wait for that.
    held: AtomicUsize,
}

/// Counts a late response while it exists.
struct Held<'a>(&'a AtomicUsize);

impl<'a> Held<'a> {
    fn new(count: &'a AtomicUsize) -> Held<'a> {
        count.fetch_add(1, SeqCst);
        Held(count)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

impl Service {
    async fn run(self: Arc<Service>, listener: TcpListener) {
        while let Ok((stream, _)) = listener.accept().await {
            let service = Arc::clone(&self);
            tokio::spawn(async move {
                let _ = service.converse(stream).await;
            });
        }
    }

    async fn converse(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let mut read = Vec::new();
        loop {
            while !read.windows(4).any(|bytes| bytes == b"\r\n\r\n") {
                if stream.read_buf(&mut read).await? == 0 {
                    return Ok(());
                }
            }
            let head = String::from_utf8(std::mem::take(&mut read)).unwrap();
            let target = head.split(' ').nth(1).unwrap();
            let mode = self.random.lock().as_mut().map_or(FaultMode::Correct, |random| *random.pick(&FAULT_MODES));
            let correct = || response("200 OK", "Content-Type: application/json\r\n", body(target).as_bytes());
            if let FaultMode::Late | FaultMode::LateReset = mode {
                let _held = Held::new(&self.held);
                let mut release = self.release.subscribe();
                tokio::select! {
                    _ = release.changed() => {}
                    // The client has cancelled the request.
                    _ = stream.read_buf(&mut read) => return Ok(()),
                }
            }
            match mode {
                FaultMode::Correct | FaultMode::Late => stream.write_all(&correct()).await?,
                FaultMode::Says(status, headers, body) => {
                    stream.write_all(&response(status, headers, body.as_bytes())).await?
                }
                FaultMode::Mistaken => {
                    let other = if target.starts_with("/coins") { "/content" } else { "/coins?start=1&limit=3" };
                    stream.write_all(&response("200 OK", "", body(other).as_bytes())).await?;
                }
                FaultMode::Truncated => {
                    let correct = correct();
                    return stream.write_all(&correct[..correct.len() - correct.len() / 3]).await;
                }
                FaultMode::LateReset => return stream.set_zero_linger(),
            }
        }
    }
}

/// The correct body for a target, in the requested currency.
fn body(target: &str) -> String {
    let convert = target.split(['?', '&']).find_map(|pair| pair.strip_prefix("convert=")).unwrap_or("USD");
    body_in_usd(target).replace("\"USD\":", &format!("\"{convert}\":"))
}

fn body_in_usd(target: &str) -> String {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let parameter = |name: &str| {
        let pair = query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
        pair.map_or(0, |value| value.parse::<u64>().unwrap())
    };
    let rows = |end: u64, row: &dyn Fn(u64) -> String| {
        let (offset, limit) = (parameter("offset"), parameter("limit"));
        let rows: Vec<String> = (offset..end.min(offset + limit)).map(row).collect();
        format!(r#"{{"limit":{limit},"offset":{offset},"total":{end},"results":[{}]}}"#, rows.join(","))
    };
    let ticker = |n: u64| if n == 0 { String::from("ordi") } else { format!("t{n:03}") };
    match path.split('/').skip(1).collect::<Vec<_>>()[..] {
        ["coins"] => {
            let start = parameter("start");
            let coins = (start..(start + parameter("limit")).min(COINS + 1)).map(|n| {
                format!(
                    r#"{{"id":{n},"name":"Coin {n}","symbol":"C{n}","slug":"c{n}","cmc_rank":{n},
                    "quote":{{"USD":{{"price":{n},"market_cap":7,"volume_24h":7,"percent_change_24h":1}}}}}}"#
                )
            });
            format!(r#"{{"status":{{"error_code":0}},"data":[{}]}}"#, coins.collect::<Vec<_>>().join(","))
        }
        ["coins", "stats"] => {
            r#"{"data":[{"id":1,"name":"Coin 1","symbol":"C1","slug":"c1","sparkline_in_7d":{"price":[1,2,3]},
            "quote":{"USD":{"price":1}}}]}"#
                .to_owned()
        }
        ["content"] => r#"{"data":{"list":[{"post_id":"1","owner":{"nickname":"satmaxi"},"text_content":"gm",
            "post_time":"1795075200000","currencies":[]}]}}"#
            .to_owned(),
        ["exchanges"] => r#"{"data":{"market_pairs":[{"exchange":{"name":"Alpha"},"market_pair":"C1/USDT",
            "market_pair_base":{"currency_symbol":"C1"},"quote":{"USD":{"price":8.41,"volume_24h":7}}}]}}"#
            .replace("C1", query.split(['=', '&']).nth(1).unwrap_or("C1")),
        ["market", "data"] => {
            let symbols = query.split(['=', '&']).nth(1).unwrap_or_default();
            let series = symbols.split(',').map(|symbol| {
                format!(
                    r#"{{"name":"{symbol}","symbol":"{symbol}","quotes":[
                    {{"timestamp":"2026-11-19T08:00:00Z","quote":{{"USD":{{"price":1.5}}}}}},
                    {{"timestamp":"2026-11-19T09:00:00Z","quote":{{"USD":{{"price":1.6}}}}}}]}}"#
                )
            });
            format!(r#"{{"data":[{}]}}"#, series.collect::<Vec<_>>().join(","))
        }
        ["ordinals", "brc-20", "tokens"] => rows(ROWS, &|n| {
            format!(r#"{{"ticker":"{}","max_supply":"100","minted_supply":"50","tx_count":{}}}"#, ticker(n), ROWS - n)
        }),
        ["ordinals", "brc-20", "tokens", ticker] => {
            format!(
                r#"{{"token":{{"ticker":"{ticker}","max_supply":"100","minted_supply":"50","tx_count":7}},
                "supply":{{"max_supply":"100","minted_supply":"50","holders":{ROWS}}}}}"#
            )
        }
        ["ordinals", "brc-20", "tokens", _, "holders"] => {
            rows(ROWS, &|n| format!(r#"{{"address":"bc1q{n}","overall_balance":"{}"}}"#, ROWS - n))
        }
        ["ordinals", "brc-20", "activity"] => {
            let ticker = query.split('&').find_map(|pair| pair.strip_prefix("ticker=")).unwrap_or("ordi");
            rows(ROWS, &|n| {
                format!(
                    r#"{{"operation":"transfer_send","ticker":"{ticker}","inscription_id":"{n:064x}i0","tx_id":"{n:064x}",
                    "block_height":921300,"location":"{n:064x}:0:0","address":"bc1qto","timestamp":1795075200000,
                    "transfer_send":{{"amount":"{n}","from_address":"bc1qfrom","to_address":"bc1qto"}}}}"#
                )
            })
        }
        _ => responses::body(target, 3),
    }
}

/// The program without its terminal, with a clock that the test sets.
struct Program {
    screen: Screen,
    handle: Handle,
    events: mpsc::Receiver<Event>,
    clock: &'static AtomicI64,
    service: Arc<Service>,
    /// Requests that were sent and have no outcome yet.
    open: usize,
}

impl Program {
    async fn start(seed: u64) -> Program {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let random = Mutex::new(Some(Random(seed)));
        let service = Arc::new(Service { random, release: watch::Sender::new(()), held: AtomicUsize::new(0) });
        tokio::spawn(Arc::clone(&service).run(listener));
        let limits = Limits { first_byte: TEST_TIMEOUT, total: TEST_TIMEOUT, ..Limits::default() };
        let client = Client::new(ClientConfig { limits, ..ClientConfig::at(&url) }).unwrap();
        let clock: &'static AtomicI64 = Box::leak(Box::new(AtomicI64::new(START.millis())));
        let (sender, events) = mpsc::channel(64);
        let settings = Settings { seed: Some(seed), ..Settings::default() };
        let (handle, _) = crate::support::spawn_fetch(client, Clock::Manual(clock), settings, sender);
        Program { screen: Screen::new(160, 45), handle, events, clock, service, open: 0 }
    }

    fn now(&self) -> UtcTime {
        UtcTime::from_millis(self.clock.load(SeqCst))
    }

    fn send_demand(&self) {
        self.handle.demand.send_replace(demand(&self.screen.state));
    }

    /// Handles events until only the clock or the user can cause more.
    async fn settle(&mut self) {
        let quiet = async {
            let mut turns = 0;
            while turns < QUIET {
                let Ok(event) = self.events.try_recv() else {
                    tokio::task::yield_now().await;
                    let is_busy = self.open > self.service.held.load(SeqCst);
                    turns = if is_busy { 0 } else { turns + 1 };
                    continue;
                };
                turns = 0;
                match &event {
                    Event::Started { .. } => self.open += 1,
                    Event::Arrived { .. } | Event::Failed { .. } | Event::Cancelled { .. } => self.open -= 1,
                    _ => {}
                }
                let now = UtcTime::from_millis(self.clock.load(SeqCst));
                self.screen.send_at(Message::Fetch(event), now);
                let wanted = demand(&self.screen.state);
                self.handle.demand.send_if_modified(|sent| std::mem::replace(sent, wanted.clone()) != wanted);
            }
        };
        timeout(TEST_TIMEOUT, quiet).await.expect("the program settles");
    }

    async fn wait(&mut self, time: Duration) {
        let now = self.now().plus(time);
        self.clock.store(now.millis(), SeqCst);
        self.screen.send_at(Message::Tick, now);
        self.send_demand();
        self.settle().await;
    }

    async fn keys(&mut self, keys: &str) {
        let before = self.screen.effects.len();
        self.screen.keys(keys);
        self.send_demand();
        for effect in self.screen.effects.split_off(before) {
            if let Effect::Refresh(requests) = effect {
                self.handle.refresh(requests);
            }
        }
        self.settle().await;
        // The selected token is requested after a moment.
        self.wait(Duration::from_secs(1)).await;
    }

    /// Whether all demanded data has arrived without failures, with rows except after the end of a list.
    fn is_well(&self) -> bool {
        demand(&self.screen.state).visible.iter().all(|request| {
            let remote = self.screen.state.responses.get(request);
            let is_after_end = match request {
                Request::Coins { start, .. } => u64::from(*start) > COINS,
                Request::Brc20Tokens { offset, .. }
                | Request::Brc20Holders { offset, .. }
                | Request::Brc20Activity { offset, .. } => *offset >= ROWS,
                _ => false,
            };
            let has_rows = remote.value.is_some_and(|response| is_after_end || !response.is_empty());
            has_rows && remote.failure().is_none() && !remote.is_loading()
        })
    }

    /// Waits until a condition holds, at most for the longest retry delay.
    async fn recover(&mut self, what: &str, condition: impl Fn(&Program) -> bool) {
        for _ in 0..75 {
            if condition(self) && self.is_well() {
                check_demand(&mut self.screen);
                return;
            }
            self.wait(Duration::from_mins(1)).await;
        }
        panic!("{what} did not recover: {:?}\n{}", demand(&self.screen.state).visible, self.screen.text());
    }
}

/// Actions of a user, mostly waiting.
const KEYS: [&str; 24] = [
    "",
    "",
    "",
    "",
    "",
    "",
    "1",
    "2",
    "3",
    "4",
    "5",
    "r",
    "r",
    "<end>",
    "<home>",
    "<enter>",
    "<esc>",
    "<tab>",
    "j",
    "s2",
    "/c<enter>",
    "z",
    ":address bc1qto<enter>",
    ":sat 7<enter>",
];

async fn hour(seed: u64) {
    let mut random = Random(seed ^ 0xf00d);
    let mut program = Program::start(seed).await;
    program.send_demand();
    program.settle().await;
    let end = START.plus(Duration::from_mins(60));
    while program.now() < end {
        let keys: &str = random.pick::<&str>(&KEYS);
        program.keys(keys).await;
        check_demand(&mut program.screen);
        if random.below(3) == 0 {
            program.service.release.send_replace(());
            program.settle().await;
        }
        program.wait(Duration::from_secs(10 + random.below(170))).await;
        check_demand(&mut program.screen);
    }

    // From now on all responses are correct.
    *program.service.random.lock() = None;
    program.service.release.send_replace(());
    program.settle().await;
    program.keys("<esc><esc><esc><esc><esc>").await;
    for (key, tag) in [("1", Tag::All), ("2", Tag::Brc20), ("3", Tag::BitcoinEcosystem)] {
        program.keys(&format!("{key}<esc><esc>")).await;
        program.recover(&format!("seed {seed}: list {key}"), |_| true).await;
        // Each time, the cursor goes to the end of the known pages.
        for coins in [200, COINS] {
            program.keys("<end>").await;
            program
                .recover(&format!("seed {seed}: {coins} coins of list {key}"), |program| {
                    program.screen.state.list(tag).loaded() as u64 >= coins
                })
                .await;
        }
        assert_eq!(program.screen.state.list(tag).total(), Some(COINS), "seed {seed}, list {key}");
    }
    program.keys("1<home><enter>").await;
    if program.screen.state.token.as_ref().is_some_and(|token| token.zoom) {
        program.keys("z").await;
    }
    program.recover(&format!("seed {seed}: token view"), |_| true).await;
    let text = program.screen.text();
    assert!(text.contains("satmaxi") && text.contains("Alpha"), "{text}");
    program.keys("<esc>4").await;
    program.recover(&format!("seed {seed}: wallet"), |_| true).await;
    assert!(program.screen.text().contains("1.60"), "{}", program.screen.text());
    program.keys("5<esc><esc><esc><esc><home>").await;
    program.recover(&format!("seed {seed}: indexer"), |_| true).await;
    let tokens =
        |program: &Program| program.screen.state.indexer.token_list(&program.screen.state.responses).len() as u64;
    // Each time, the cursor goes to the end of the loaded pages.
    for rows in [120, ROWS] {
        program.keys("<end>").await;
        program.recover(&format!("seed {seed}: {rows} tokens"), |program| tokens(program) >= rows).await;
    }
    for _ in 0..3 {
        program.keys("<tab><end>").await;
        program.recover(&format!("seed {seed}: panel of the indexer"), |_| true).await;
    }
    let text = program.screen.text();
    assert!(!text.contains("Can't") && !text.contains("retrying") && !text.contains("Empty"), "{text}");
}

#[test]
fn screens_recover_from_an_hour_of_bad_responses() {
    std::thread::scope(|scope| {
        for seeds in [0..2, 2..4] {
            scope.spawn(move || {
                for seed in seeds {
                    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
                    runtime.block_on(hour(seed));
                }
            });
        }
    });
}
