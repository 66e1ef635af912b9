//! Features for operators: health, metrics, a token, and headers for shared caches.

use std::io::{BufRead as _, BufReader, Write};
use std::num::NonZeroU32;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use parking_lot::Mutex;
use satscope::client::config::Secret;
use satscope::model::{Coin, Page, ProviderName, UtcTime};
use satscope::service::backend::market::{CoinsQuery, MarketProvider};
use satscope::service::provider_response::{ProviderResponse, ProviderResult};
use satscope::service::{self, FaultInjection, Limits, Options, Providers, TimeSource};

use super::{Blocking, NOW, Raw, options, start, with_streams};

/// Sends a request with headers.
async fn send(client: &mut Raw, method: &str, path: &str, headers: &str) -> super::Got {
    client.send(&format!("{method} {path} HTTP/1.1\r\nhost: satscope\r\n{headers}\r\n")).await;
    client.response().await.unwrap()
}

#[tokio::test]
async fn health_and_metrics_are_served() {
    // The `Retry-After` of failures that are not injected doesn't matter.
    let fault_injection = FaultInjection { retry_after: Duration::from_secs(1), ..FaultInjection::default() };
    let service = start(Options { fault_injection, ..options() });
    let mut client = Raw::open(service.address()).await;
    let health = client.get("/healthz").await;
    assert_eq!((health.status, health.text(), health.header("cache-control")), (200, "ok\n", Some("no-store")));
    client.get("/coins?limit=2").await;
    client.get("/coins?limit=2").await;
    client.get("/nothing").await;
    let metrics = client.get("/metrics").await;
    assert_eq!(metrics.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    let accept = "accept: application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.3\r\n";
    let open = send(&mut client, "GET", "/metrics", accept).await;
    assert!(open.header("content-type").unwrap().starts_with("application/openmetrics-text; version=1.0.0"));
    assert!(open.text().ends_with("# EOF\n") && !metrics.text().contains("# EOF"), "{}", open.text());
    assert!(!metrics.text().contains("satscope_shared_up"), "it has no Redis");
    for line in [
        "satscope_responses_total{status=\"200\",cache=\"hit\"} 1",
        "satscope_responses_total{status=\"200\",cache=\"miss\"} 1",
        "satscope_responses_total{status=\"200\",cache=\"none\"} 1",
        "satscope_responses_total{status=\"404\",cache=\"miss\"} 1",
        "satscope_response_duration_seconds_count{cache=\"hit\"} 1",
        "satscope_connections 1",
    ] {
        assert!(metrics.text().lines().any(|found| found == line), "{line}\n{}", metrics.text());
    }
}

/// The log driver of a container may be slow.
#[tokio::test]
async fn unread_log_delays_no_response() {
    let home = tempfile::tempdir().unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_satscope"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--log", "-"]).env_clear().env("HOME", home.path());
    let mut service = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(service.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("http://").unwrap().parse().unwrap();
    let mut client = Raw::open(address).await;
    // Several times what fits into a pipe.
    for _ in 0..2_000 {
        assert_eq!(client.get("/healthz").await.status, 200);
    }
    service.kill().unwrap();
    let log = service.wait_with_output().unwrap().stderr;
    assert!(log.len() > 10_000, "{}", String::from_utf8_lossy(&log));
}

#[tokio::test]
async fn embedded_service_has_no_metrics() {
    let service = start(Options { worker_threads: 0, ..options() });
    let mut client = Raw::open(service.address()).await;
    assert_eq!(client.get("/metrics").await.status, 404);
}

#[tokio::test]
async fn token_is_required_except_for_healthz() {
    let service = start(Options { token: Some(Secret(String::from("s3cret"))), ..options() });
    let mut client = Raw::open(service.address()).await;
    for headers in [
        "",
        "authorization: Bearer wrong!\r\n",
        "authorization: Bearer s3cre\r\n",
        "authorization: s3cret\r\n",
        "authorization: Basic s3cret\r\n",
    ] {
        for path in ["/coins?limit=1", "/metrics", "/openapi.json", "/ordinals/brc-20/tokens"] {
            let got = send(&mut client, "GET", path, headers).await;
            assert_eq!((got.status, got.header("www-authenticate")), (401, Some("Bearer")), "{path} {headers}");
            assert!(!got.text().contains("s3cre") && got.text().contains("missing or invalid token"), "{}", got.text());
        }
    }
    assert_eq!(client.get("/healthz").await.status, 200);
    // Twice: computed and cached.
    for _ in 0..2 {
        let got = send(&mut client, "GET", "/coins?limit=1", "authorization: bearer s3cret\r\n").await;
        assert_eq!((got.status, got.header("cache-control")), (200, Some("private, max-age=10")));
    }
    let got = send(&mut client, "GET", "/ordinals/brc-20/tokens", "authorization: Bearer s3cret\r\n").await;
    assert_eq!(got.header("cache-control"), Some("private, no-cache, must-revalidate"));
}

#[tokio::test]
async fn requests_without_token_have_their_own_rate_limit() {
    let limits = Limits { requests_per_minute: NonZeroU32::new(3), ..Limits::standalone() };
    let service = start(Options { token: Some(Secret(String::from("s3cret"))), limits, ..options() });
    let mut client = Raw::open(service.address()).await;
    let mut statuses = Vec::new();
    for headers in ["", "authorization: Bearer s3cret\r\n"] {
        for _ in 0..4 {
            statuses.push(send(&mut client, "GET", "/coins?limit=1", headers).await.status);
        }
    }
    assert_eq!(statuses, [401, 401, 401, 429, 200, 200, 200, 429]);
}

#[tokio::test]
async fn request_must_name_one_host() {
    let service = start(options());
    let mut client = Raw::open(service.address()).await;
    for (version, hosts, status) in
        [("1.1", "", 400), ("1.1", "host: a\r\nhost: b\r\n", 400), ("1.1", "host: a\r\n", 200), ("1.0", "", 200)]
    {
        client.send(&format!("GET /coins?limit=1 HTTP/{version}\r\nconnection: keep-alive\r\n{hosts}\r\n")).await;
        let got = client.response().await.unwrap();
        assert_eq!(got.status, status, "{version} {hosts}");
        assert_eq!(status == 400, got.text().contains("the request must have exactly one Host header"));
    }
}

#[tokio::test]
async fn cached_responses_have_all_encodings() {
    let service = start(options());
    let mut client = Raw::open(service.address()).await;
    let plain = client.get("/coins?limit=50").await;
    assert_eq!((plain.header("content-encoding"), plain.header("vary")), (None, Some("accept-encoding")));
    for _ in 0..2 {
        let gzip = send(&mut client, "GET", "/coins?limit=50", "accept-encoding: gzip\r\n").await;
        assert_eq!(gzip.header("content-encoding"), Some("gzip"));
        assert!(gzip.body.starts_with(&[0x1f, 0x8b]) && gzip.body.len() * 2 < plain.body.len());
        let zstd = send(&mut client, "GET", "/coins?limit=50", "accept-encoding: gzip, br, zstd\r\n").await;
        assert_eq!(zstd.header("content-encoding"), Some("zstd"));
        assert!(zstd.body.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) && zstd.body.len() * 2 < plain.body.len());
        assert_eq!((gzip.header("etag"), zstd.header("etag")), (plain.header("etag"), plain.header("etag")));
    }
    let small = send(&mut client, "GET", "/", "accept-encoding: zstd\r\n").await;
    assert_eq!(small.header("content-encoding"), None);
}

#[tokio::test]
async fn unchanged_and_head_responses_have_no_body() {
    let service = start(options());
    let mut client = Raw::open(service.address()).await;
    for path in ["/coins?limit=50", "/ordinals/brc-20/tokens"] {
        client.send(&format!("HEAD {path} HTTP/1.1\r\nhost: satscope\r\n\r\n")).await;
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(tokio::io::AsyncReadExt::read_u8(&mut client.0).await.unwrap());
        }
        let head = String::from_utf8(head).unwrap();
        let full = client.get(path).await;
        assert!(head.contains(&format!("content-length: {}\r\n", full.body.len())), "{head}");
        let etag = full.header("etag").unwrap();
        let same = send(&mut client, "GET", path, &format!("if-none-match: {etag}\r\n")).await;
        assert_eq!((same.status, same.body.len(), same.header("etag")), (304, 0, Some(etag)));
        assert_eq!(same.header("cache-control"), full.header("cache-control"));
        let refused = send(&mut client, "POST", path, "content-length: 0\r\n").await;
        assert_eq!((refused.status, refused.header("allow")), (405, Some("GET,HEAD")));
    }
}

/// A market with live data that is 20 s old and fresh for 40 s more.
struct Live;

#[async_trait]
impl MarketProvider for Live {
    async fn coins(&self, _: CoinsQuery) -> ProviderResult<Page<Coin>> {
        let page = Page { items: Vec::new(), total: Some(0) };
        let response = ProviderResponse::new(page, UtcTime::from_secs(NOW - 20), Duration::from_secs(40));
        Ok(ProviderResponse { age: Duration::from_secs(20), provider: Some(ProviderName::CoinGecko), ..response })
    }
}

fn live() -> Options {
    let demo = Providers::demo(1, TimeSource::fixed(UtcTime::from_secs(NOW)));
    let providers = Providers { market: Arc::new(Live), simulated: false, ..demo };
    Options { providers: Some(providers), ..options() }
}

#[tokio::test]
async fn live_responses_to_a_token_are_private() {
    let open = start(live());
    let private = start(Options { token: Some(Secret(String::from("s3cret"))), ..live() });
    let (mut anyone, mut client) = (Raw::open(open.address()).await, Raw::open(private.address()).await);
    let started = Instant::now();
    // Twice: computed and cached.
    for _ in 0..2 {
        let public = anyone.get("/coins").await;
        assert!(public.header("x-accel-expires").is_some(), "{}", public.head);
        let time = |name| httpdate::parse_http_date(public.header(name).unwrap()).unwrap();
        let age = time("date").duration_since(time("x-satscope-data-time")).unwrap();
        // Dates have whole seconds.
        let latest = started.elapsed() + Duration::from_secs(21);
        assert!(age >= Duration::from_secs(19) && age <= latest, "{age:?}");
        let got = send(&mut client, "GET", "/coins", "authorization: Bearer s3cret\r\n").await;
        assert_eq!((got.status, got.header("cache-control")), (200, Some("private, max-age=60")));
        assert_eq!(got.header("x-accel-expires"), None);
        let etag = got.header("etag").unwrap();
        let known = format!("authorization: Bearer s3cret\r\nif-none-match: {etag}\r\n");
        let same = send(&mut client, "GET", "/coins", &known).await;
        assert_eq!((same.status, same.header("x-accel-expires")), (304, None));
        assert_eq!(same.header("cache-control"), Some("private, max-age=60"));
    }
}

#[tokio::test]
async fn health_and_metrics_refuse_other_methods() {
    let service = start(options());
    let mut client = Raw::open(service.address()).await;
    for path in ["/healthz", "/metrics"] {
        for method in ["POST", "DELETE"] {
            let got = send(&mut client, method, path, "content-length: 0\r\n").await;
            assert_eq!((got.status, got.header("allow")), (405, Some("GET,HEAD")), "{method} {path}");
        }
    }
}

#[tokio::test]
async fn health_fails_before_the_service_stops() {
    let service = start(Options { drain: Duration::from_secs(2), ..options() });
    let address = service.address();
    let mut client = Raw::open(address).await;
    assert_eq!(client.get("/healthz").await.status, 200);
    let stopping = tokio::task::spawn_blocking(move || drop(service));
    let (status, text) = loop {
        let health = Raw::open(address).await.get("/healthz").await;
        if health.status != 200 {
            break (health.status, health.text().to_owned());
        }
    };
    assert_eq!((status, text.as_str()), (503, "stopping\n"));
    let mut late = Raw::open(address).await;
    let got = late.get("/coins?limit=1").await;
    assert_eq!((got.status, got.header("connection")), (200, Some("close")), "new connections are still served");
    stopping.await.unwrap();
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn log_names_routes_but_not_what_was_looked_up() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).finish();
    // With a single subscriber, tracing caches whether a line logs from the first thread that reaches it, which may
    // belong to another test without a subscriber.
    let _second = tracing::Dispatch::new(tracing::subscriber::NoSubscriber::new());
    let _guard = tracing::subscriber::set_default(subscriber);
    let (announce, announced) = tokio::sync::oneshot::channel();
    // On this thread, which has the subscriber.
    let running =
        tokio::spawn(service::serve(options(), move |address| announce.send(address).unwrap(), std::future::pending()));
    let mut client = Raw::open(announced.await.unwrap()).await;
    let address = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
    for path in
        [format!("/ordinals/brc-20/balances/{address}"), format!("/chart?slug={address}"), format!("/{address}")]
    {
        // Twice: computed and cached.
        client.get(&path).await;
        client.get(&path).await;
    }
    for path in ["/coins?limit=1", "/coins?limit=1", "/healthz", "/metrics"] {
        client.get(path).await;
    }
    running.abort();
    let log = String::from_utf8(log.0.lock().clone()).unwrap();
    assert!(!log.contains("bc1q"), "{log}");
    assert_eq!(log.matches("route=\"/coins\"").count(), 2, "{log}");
    assert!(log.contains("route=\"/ordinals/brc-20/balances/") && log.contains("route=\"-\""), "{log}");
    assert!(log.contains("route=\"/healthz\"") && log.contains("route=\"/metrics\""), "{log}");
}

#[tokio::test]
async fn proxies_do_not_buffer_streams() {
    let service = start(Options { providers: Some(with_streams()), ..options() });
    let mut client = Raw::open(service.address()).await;
    client.ask("/x/stream?ids=1").await;
    let head = client.read_head().await.unwrap();
    assert_eq!((head.status, head.header("x-accel-buffering")), (200, Some("no")));
}

#[tokio::test]
async fn stated_defaults_share_a_cached_response() {
    let market = Arc::new(Blocking::default());
    let service = start(Options { providers: Some(market.providers()), ..options() });
    let mut client = Raw::open(service.address()).await;
    for path in ["/coins", "/coins?start=1&limit=100", "/coins?limit=100&tag=all&convert=USD", "/coins?limit=50"] {
        assert_eq!(client.get(path).await.status, 200);
    }
    assert_eq!(market.lists(), [100, 50]);
}
