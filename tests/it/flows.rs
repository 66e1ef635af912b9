//! The fetch task with the real client against servers on loopback that are slow, dead, limited or gone.

use std::sync::Arc;
use std::time::Duration;

use satscope::client::{Client, ClientConfig, Error, ErrorKind, Request, ResponseData};
use satscope::clock::Clock;
use satscope::fetch::{self, Backoff, Demand, Event, FetchId, Handle, Receipt, Settings};
use satscope::model::UtcTime;
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::support::server::{Behaviour, Response, Server, TEST_TIMEOUT};
use crate::support::{own_address, token, token_body};

/// An hour: nothing becomes stale during a test.
const LONG: Duration = Duration::from_secs(3600);

/// A running task with a real client, and an app that keeps every response.
struct Rig {
    handle: Handle,
    events: mpsc::Receiver<Event>,
    kept: Vec<Arc<ResponseData>>,
}

/// A short form of an event.
#[derive(Debug)]
enum Observed {
    Started(Request, FetchId, UtcTime),
    Arrived(Request, FetchId),
    Confirmed(Request, Receipt),
    Failed(Request, Arc<Error>, UtcTime, Option<UtcTime>),
    Cancelled(Request, FetchId),
}

impl Rig {
    fn new(server: &Server, fresh: Duration) -> Rig {
        Rig::with(ClientConfig::at(&server.url()), fresh)
    }

    fn with(config: ClientConfig, fresh: Duration) -> Rig {
        let settings = Settings {
            freshness: crate::support::fresh_for(fresh),
            backoff: Backoff {
                min: Duration::from_millis(1),
                first: Duration::from_millis(5),
                max: Duration::from_millis(20),
                first_rate_limited: Duration::from_millis(20),
                ..Backoff::default()
            },
            seed: Some(1),
            ..Settings::default()
        };
        let (sender, events) = mpsc::channel(8);
        let client = Client::new(config).expect("a client");
        let (handle, _) = crate::support::spawn_fetch(client, Clock::System, settings, sender);
        Rig { handle, events, kept: Vec::new() }
    }

    fn demand(&self, requests: &[Request]) {
        self.handle.demand.send_replace(Demand { visible: requests.to_vec(), ..Demand::default() });
    }

    async fn next(&mut self) -> Observed {
        match timeout(TEST_TIMEOUT, self.events.recv()).await.expect("an event").expect("the task is running") {
            Event::Started { request, fetch_id, at } => Observed::Started(request, fetch_id, at),
            Event::Arrived { request, fetch_id, response: Some(response), .. } => {
                self.kept.push(response);
                Observed::Arrived(request, fetch_id)
            }
            Event::Arrived { request, response: None, receipt, .. } => Observed::Confirmed(request, receipt),
            Event::Failed { request, error, at, next_try, .. } => Observed::Failed(request, error, at, next_try),
            Event::Cancelled { request, fetch_id } => Observed::Cancelled(request, fetch_id),
            Event::RefreshSkipped { .. } | Event::Background { .. } | Event::Prices { .. } | Event::PriceState(_) => {
                panic!("no refresh, no rule and no live prices in these tests")
            }
        }
    }

    /// Waits until the request's response has arrived; returns the events before it.
    async fn arrival(&mut self, wanted: &Request) -> Vec<Observed> {
        let mut before = Vec::new();
        let arrived = async {
            loop {
                match self.next().await {
                    Observed::Arrived(request, ..) if request == *wanted => return,
                    seen => before.push(seen),
                }
            }
        };
        let came = timeout(TEST_TIMEOUT, arrived).await.is_ok();
        assert!(came, "{wanted:?} does not arrive: {:?}", before.last());
        before
    }
}

fn path(ticker: &str) -> String {
    format!("/ordinals/brc-20/tokens/{ticker}")
}

fn good(ticker: &str) -> Response {
    Response::json(token_body(ticker))
}

#[tokio::test]
async fn cold_start_requests_each_resource_once() {
    let server = Server::start().await;
    let wanted: Vec<Request> = (0..10).map(|n| token(&format!("to{n}k"))).collect();
    (0..10).for_each(|n| server.answers(&path(&format!("to{n}k")), good(&format!("to{n}k"))));
    let mut rig = Rig::new(&server, LONG);
    rig.demand(&wanted);
    let mut arrived = 0;
    while arrived < 10 {
        // The screen's demand is sent after every event; that causes no further requests.
        rig.demand(&wanted);
        match rig.next().await {
            Observed::Arrived(..) => arrived += 1,
            Observed::Started(..) => {}
            other => panic!("{other:?}"),
        }
    }
    let log = server.log();
    let mut targets: Vec<String> = log.requests.into_iter().map(|seen| seen.target).collect();
    targets.sort_unstable();
    assert_eq!(targets, (0..10).map(|n| path(&format!("to{n}k"))).collect::<Vec<_>>());
    assert!(log.connections <= fetch::MAX_PER_HOST, "{} connections", log.connections);
}

#[tokio::test]
async fn refreshes_open_no_new_connections() {
    let server = Server::start().await;
    server.answers(&path("ordi"), good("ordi"));
    let mut rig = Rig::new(&server, Duration::from_millis(1));
    rig.demand(&[token("ordi")]);
    rig.arrival(&token("ordi")).await;
    for _ in 0..1_000 {
        rig.arrival(&token("ordi")).await;
        rig.kept.clear();
    }
    let log = server.log();
    assert!(log.requests.len() > 1_000);
    assert_eq!(log.connections, 1);
}

#[tokio::test]
async fn quitting_closes_connections() {
    let server = Server::start().await;
    server.script(&path("slow"), [Behaviour::Hang]);
    server.answers(&path("ordi"), good("ordi"));
    let mut rig = Rig::new(&server, LONG);
    rig.demand(&[token("slow")]);
    let Observed::Started(request, fetch_id, _) = rig.next().await else { panic!("it starts") };
    assert_eq!(request, token("slow"));
    server.until(|log| log.requests.len() == 1).await;
    rig.demand(&[token("ordi")]);
    assert!(
        matches!(rig.next().await, Observed::Cancelled(request, given_up) if request == token("slow") && given_up == fetch_id)
    );
    server.until(|log| log.gone == 1).await;
    assert_eq!(rig.arrival(&token("ordi")).await.len(), 1, "its start, and not a word of the other");
}

#[tokio::test]
async fn late_reply_does_not_replace_newer_one() {
    let server = Server::start().await;
    server.script(&path("ordi"), [Behaviour::Gated(good("olds")), Behaviour::Respond(good("ordi"))]);
    let mut rig = Rig::new(&server, LONG);
    rig.demand(&[token("ordi")]);
    let Observed::Started(_, first, _) = rig.next().await else { panic!("it starts") };
    server.until(|log| log.requests.len() == 1).await;
    rig.demand(&[]);
    assert!(matches!(rig.next().await, Observed::Cancelled(_, fetch_id) if fetch_id == first));
    rig.demand(&[token("ordi")]);
    server.release(1);
    let Observed::Started(_, second, _) = rig.next().await else { panic!("it starts again") };
    assert!(matches!(rig.next().await, Observed::Arrived(_, fetch_id) if fetch_id == second && fetch_id != first));
    let [response] = &rig.kept[..] else { panic!("one response") };
    assert!(matches!(&**response, ResponseData::Brc20Token(token) if token.ticker == "ordi"), "{response:?}");
}

#[tokio::test]
async fn rate_limit_with_retry_after_pauses_host() {
    let server = Server::start().await;
    let limit = Response::status(429).with("retry-after", "1");
    server.script(&path("ordi"), [Behaviour::Respond(limit), Behaviour::Respond(good("ordi"))]);
    server.answers(&path("sats"), good("sats"));
    let mut rig = Rig::new(&server, LONG);
    rig.demand(&[token("ordi")]);
    rig.next().await;
    let Observed::Failed(_, error, at, Some(next_try)) = rig.next().await else { panic!("it is refused") };
    assert_eq!(error.kind, ErrorKind::RateLimited { message: None, retry_after: Some(Duration::from_secs(1)) });
    assert_eq!(next_try, at.plus(Duration::from_secs(1)));
    rig.demand(&[token("ordi"), token("sats")]);
    rig.next().await;
    assert!(
        matches!(rig.next().await, Observed::Failed(request, _, _, next) if request == token("sats") && next == Some(next_try))
    );
    assert_eq!(server.log().requests.len(), 1);
    for _ in 0..2 {
        assert!(matches!(rig.next().await, Observed::Started(_, _, at) if at >= next_try));
    }
    server.until(|log| log.requests.len() == 3).await;
}

#[tokio::test]
async fn rate_limit_without_retry_after_recovers() {
    let server = Server::start().await;
    let limit = || Behaviour::Respond(Response::status(429));
    server.script(&path("ordi"), [limit(), limit(), Behaviour::Respond(good("ordi"))]);
    let mut rig = Rig::new(&server, LONG);
    rig.demand(&[token("ordi")]);
    let seen = rig.arrival(&token("ordi")).await;
    let limits = seen.iter().filter(
        |seen| matches!(seen, Observed::Failed(_, error, ..) if matches!(error.kind, ErrorKind::RateLimited { .. })),
    );
    assert_eq!(limits.count(), 2);
    assert_eq!(server.log().requests.len(), 3);
}

#[tokio::test]
async fn slow_server_does_not_delay_other_requests_and_times_out() {
    let server = Server::start().await;
    server.script(&path("slow"), [Behaviour::Hang, Behaviour::Respond(good("slow"))]);
    server.answers(&path("ordi"), good("ordi"));
    let mut config = ClientConfig::at(&server.url());
    config.limits.first_byte = Duration::from_millis(300);
    let mut rig = Rig::with(config, LONG);
    rig.demand(&[token("slow"), token("ordi")]);
    let before = rig.arrival(&token("ordi")).await;
    assert!(before.iter().all(|seen| matches!(seen, Observed::Started(..))), "{before:?}");
    let later = rig.arrival(&token("slow")).await;
    let timeout = |seen: &Observed| matches!(seen, Observed::Failed(_, error, ..) if matches!(error.kind, ErrorKind::TimeoutFirstByte(_)));
    assert_eq!(later.iter().filter(|seen| timeout(seen)).count(), 1, "{later:?}");
}

#[tokio::test]
async fn unreachable_server_is_retried_until_it_returns() {
    let server = Server::on(own_address(3)).await;
    server.answers(&path("ordi"), good("ordi"));
    let mut rig = Rig::new(&server, Duration::from_millis(50));
    rig.demand(&[token("ordi")]);
    rig.arrival(&token("ordi")).await;
    let address = server.stop().await;
    let mut failures = 0;
    while failures < 3 {
        if let Observed::Failed(_, error, _, next_try) = rig.next().await {
            assert!(error.is_retryable() && next_try.is_some(), "{error:?}");
            failures += 1;
        }
    }
    let server = Server::on(address).await;
    server.answers(&path("ordi"), good("ordi"));
    rig.arrival(&token("ordi")).await;
    assert_eq!(server.address(), address);
}

#[tokio::test]
async fn truncated_response_is_retried() {
    let server = Server::start().await;
    let broken = Behaviour::BreakOff(good("ordi"));
    server.script(&path("ordi"), [Behaviour::Close, Behaviour::Close, broken, Behaviour::Respond(good("ordi"))]);
    let mut rig = Rig::new(&server, LONG);
    rig.demand(&[token("ordi")]);
    let seen = rig.arrival(&token("ordi")).await;
    assert!(
        seen.iter().any(|seen| matches!(seen, Observed::Failed(_, error, ..) if error.kind == ErrorKind::Incomplete)),
        "{seen:?}"
    );
}

#[tokio::test]
async fn unchanged_response_is_confirmed_by_304() {
    let server = Server::start().await;
    let tagged =
        good("ordi").with("etag", r#""1795075200000""#).with("cache-control", "public, no-cache, must-revalidate");
    server.answers(&path("ordi"), tagged.clone());
    // One ETag for all URLs, as Hiro's API has: it says nothing about another URL.
    server.answers(&path("sats"), Response { body: token_body("sats"), ..tagged });
    let mut rig = Rig::new(&server, Duration::from_millis(20));
    rig.demand(&[token("ordi")]);
    rig.arrival(&token("ordi")).await;
    rig.next().await;
    let Observed::Confirmed(request, receipt) = rig.next().await else { panic!("it is confirmed") };
    assert_eq!((request, receipt.status, receipt.bytes), (token("ordi"), 304, 0));
    assert_eq!(receipt.fresh_until, receipt.fetched_at.plus(Duration::from_millis(20)), "no-cache does not hammer");
    rig.demand(&[token("sats")]);
    rig.arrival(&token("sats")).await;
    let log = server.log();
    let conditions = |target: &str| -> Vec<bool> {
        let seen = log.requests.iter().filter(|seen| seen.target == target);
        seen.map(|seen| seen.header("if-none-match").is_some()).collect()
    };
    assert!(!conditions(&path("sats"))[0]);
    assert_eq!(conditions(&path("ordi"))[..2], [false, true]);
}

#[tokio::test]
async fn both_groups_share_connection_limit_of_host() {
    let server = Server::start().await;
    server.script("/", [Behaviour::Hang]);
    let mut rig = Rig::new(&server, LONG);
    let tokens = (0..5).map(|n| token(&format!("to{n}k")));
    let news = (0..5).map(|n| crate::support::posts(&format!("S{n}")));
    rig.demand(&tokens.chain(news).collect::<Vec<_>>());
    for _ in 0..fetch::MAX_PER_HOST {
        rig.next().await;
    }
    server.until(|log| log.requests.len() == fetch::MAX_PER_HOST).await;
    rig.demand(&[]);
    server.until(|log| log.gone == fetch::MAX_PER_HOST).await;
    assert_eq!(server.log().requests.len(), fetch::MAX_PER_HOST);
}

#[tokio::test]
async fn rate_limit_of_host_does_not_affect_other_hosts() {
    let (market, indexer) = (Server::start().await, Server::start().await);
    market.script("/", [Behaviour::Respond(Response::status(429).with("retry-after", "60"))]);
    for ticker in ["ordi", "sats"] {
        indexer.answers(&path(ticker), good(ticker));
    }
    let mut rig = Rig::with(ClientConfig { indexer_url: indexer.url(), ..ClientConfig::at(&market.url()) }, LONG);
    let news = ["ORDI", "SATS"].map(crate::support::posts);
    rig.demand(&news[..1]);
    rig.next().await;
    assert!(matches!(rig.next().await, Observed::Failed(request, ..) if request == news[0]));
    rig.demand(&[news[1].clone(), token("ordi"), token("sats")]);
    rig.next().await;
    let Observed::Failed(request, error, ..) = rig.next().await else { panic!("not sent to a rate-limited host") };
    assert_eq!((&request, error.origin.as_str()), (&news[1], market.url().as_str()));
    let mut arrived = Vec::new();
    while arrived.len() < 2 {
        if let Observed::Arrived(request, _) = rig.next().await {
            arrived.push(request);
        }
    }
    assert!(arrived.contains(&token("ordi")) && arrived.contains(&token("sats")), "{arrived:?}");
    assert_eq!(market.log().requests.len(), 1);
}
