//! Several instances with a real Redis between them and a real nginx in front, if these are installed.

mod nginx_errors;
mod rolling;
mod streams;
mod uncacheable;

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use parking_lot::Mutex;
use satscope::model::{Coin, Currency, Page, Post, PostOrder, ProviderName, Source, Tag, UtcTime};
use satscope::service::backend::extensions::ExtensionProvider;
use satscope::service::backend::market::{CoinsQuery, MarketProvider};
use satscope::service::data_version::DataVersions;
use satscope::service::provider_response::{ProviderError, ProviderResponse, ProviderResult};
use satscope::service::{self, Options, Providers, Running, SharedState, TimeSource};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::timeout;

use crate::faults::tls::self_signed;
use crate::support::program::{Program, free_address, redis, run};
use crate::support::server::TEST_TIMEOUT;

/// A provider that counts its requests and responds to them when the test allows it.
struct Upstream {
    requests: AtomicUsize,
    /// How often its state was read.
    state_reads: AtomicUsize,
    allowed: Semaphore,
    /// Whether it knows the coins of a category.
    has_category: AtomicBool,
}

impl Upstream {
    fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }
}

/// An instance's connection to the provider.
struct Instance {
    upstream: Arc<Upstream>,
}

#[async_trait]
impl MarketProvider for Instance {
    async fn coins(&self, _: CoinsQuery) -> ProviderResult<Page<Coin>> {
        self.upstream.requests.fetch_add(1, Ordering::Relaxed);
        let _allowed = self.upstream.allowed.acquire().await.unwrap();
        Ok(no_coins(Duration::from_mins(5)))
    }

    async fn stats(&self, _: Tag, _: &Currency) -> ProviderResult<Page<Coin>> {
        if self.upstream.has_category.load(Ordering::Relaxed) {
            Ok(no_coins(Duration::from_secs(2)))
        } else {
            Err(ProviderError::NotFound(String::from("no such category")))
        }
    }

    async fn posts(&self, _: &str, _: Option<&str>, _: PostOrder) -> ProviderResult<Vec<Post>> {
        Err(ProviderError::Unavailable {
            reason: String::from("All providers failed"),
            retry_after: None,
            must_wait: false,
        })
    }
}

/// An empty list.
fn no_coins(fresh_for: Duration) -> ProviderResponse<Page<Coin>> {
    let page = Page { items: Vec::new(), total: Some(0) };
    let response = ProviderResponse::new(page, UtcTime::now(), fresh_for);
    ProviderResponse { provider: Some(ProviderName::CoinGecko), ..response }
}

#[async_trait]
impl ExtensionProvider for Instance {
    fn data_versions(&self) -> Option<DataVersions> {
        Some(DataVersions::same(1))
    }

    async fn sources(&self) -> Vec<Source> {
        self.upstream.state_reads.fetch_add(1, Ordering::Relaxed);
        Vec::new()
    }
}

fn upstream() -> Arc<Upstream> {
    Arc::new(Upstream {
        requests: AtomicUsize::new(0),
        state_reads: AtomicUsize::new(0),
        allowed: Semaphore::new(0),
        has_category: AtomicBool::new(false),
    })
}

fn options_of(upstream: &Arc<Upstream>, shared: Option<SharedState>) -> Options {
    let instance = Arc::new(Instance { upstream: Arc::clone(upstream) });
    let demo = Providers::demo(1, TimeSource::system());
    let providers =
        Providers { market: Arc::clone(&instance) as _, extensions: instance, indexer: demo.indexer, simulated: false };
    Options { providers: Some(providers), shared, worker_threads: 2, ..Options::default().standalone() }
}

fn start(upstream: &Arc<Upstream>, shared: Option<SharedState>) -> Running {
    service::start(options_of(upstream, shared)).unwrap()
}

fn client() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().timeout(TEST_TIMEOUT).build().unwrap()
}

async fn until(what: &str, state: impl Fn() -> bool) {
    let reached = async {
        while !state() {
            tokio::task::yield_now().await;
        }
    };
    timeout(TEST_TIMEOUT, reached).await.unwrap_or_else(|_| panic!("{what}"));
}

/// Sends the same request 1,000 times through these URLs and returns the statuses other than 200.
async fn failures(client: &reqwest::Client, urls: &[String], path: &str) -> Vec<u16> {
    let requests = (0..1_000).map(|number| {
        let request = client.get(format!("{}{path}", urls[number % urls.len()]));
        async move { request.send().await.map_or(0, |response| response.status().as_u16()) }
    });
    join_all(requests).await.into_iter().filter(|status| *status != 200).collect()
}

#[tokio::test]
async fn two_instances_and_many_clients_cost_one_upstream_request() {
    let Some((_redis, url)) = redis().await else { return };
    let upstream = upstream();
    let connect = || Some(SharedState::new(&url, |_| {}).unwrap());
    let instances = [start(&upstream, connect()), start(&upstream, connect())];
    let urls = [instances[0].url(), instances[1].url()];
    let client = client();
    let all = failures(&client, &urls, "/coins?limit=10");
    let (failed, ()) = tokio::join!(all, async {
        until("all requests have arrived", || instances.iter().map(Running::requests).sum::<u64>() == 1_000).await;
        upstream.allowed.add_permits(100);
    });
    assert_eq!(failed, [0; 0]);
    assert_eq!(upstream.requests(), 1);
    let ages = join_all(urls.iter().map(|url| client.get(format!("{url}/coins?limit=10")).send())).await;
    let tags: Vec<_> = ages.into_iter().map(|response| response.unwrap().headers()["etag"].clone()).collect();
    assert_eq!(tags[0], tags[1], "both have the same response");
}

#[tokio::test]
async fn requests_succeed_after_redis_stops() {
    let Some((redis, url)) = redis().await else { return };
    let upstream = upstream();
    upstream.allowed.add_permits(100);
    let reports = Arc::new(Mutex::new(Vec::new()));
    let connect = || {
        let reports = Arc::clone(&reports);
        Some(SharedState::new(&url, move |line| reports.lock().push(line.to_owned())).unwrap())
    };
    let instances = [start(&upstream, connect()), start(&upstream, connect())];
    let urls = [instances[0].url(), instances[1].url()];
    let client = client();
    assert_eq!(failures(&client, &urls, "/coins?limit=1").await, [0; 0]);
    assert_eq!(upstream.requests(), 1);
    let has_redis = async || {
        let metrics = client.get(format!("{}/metrics", urls[0])).send().await.unwrap().text().await.unwrap();
        metrics.lines().find_map(|line| line.strip_prefix("satscope_shared_up ")).map(str::to_owned)
    };
    assert_eq!(has_redis().await.as_deref(), Some("1"));
    let (failed, ()) = tokio::join!(failures(&client, &urls, "/coins?limit=2"), async { drop(redis) });
    assert_eq!(failed, [0; 0]);
    assert_eq!(failures(&client, &urls, "/coins?limit=3").await, [0; 0]);
    let requests = upstream.requests();
    assert!((3..=5).contains(&requests), "at most one of each instance: {requests}");
    assert_eq!(has_redis().await.as_deref(), Some("0"));
    let reports = reports.lock();
    assert!(!reports.is_empty() && reports.iter().all(|line| line.starts_with("Can't reach Redis (")), "{reports:?}");
}

/// `docs/nginx.conf` with other addresses and directories.
fn nginx_conf(directory: &Path, listen: SocketAddr, instances: [SocketAddr; 2]) -> String {
    let conf = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/nginx.conf")).unwrap();
    let at = |name: &str| directory.join(name).display().to_string();
    let mut changed = conf
        .replace("/var/cache/nginx/satscope", &at("cache"))
        .replace("127.0.0.1:8787 max", &format!("{} max", instances[0]))
        .replace("127.0.0.1:8788 max", &format!("{} max", instances[1]))
        .replace("listen 127.0.0.1:8080", &format!("listen {listen}"))
        // All clients of the test have one address.
        .replace("rate=20r/s", "rate=10000r/s")
        .replace("burst=100 ", "burst=5000 ")
        .replace(
            "http {",
            &format!(
                "http {{\naccess_log off; client_body_temp_path {}; proxy_temp_path {}; fastcgi_temp_path {};\n\
                 uwsgi_temp_path {}; scgi_temp_path {};",
                at("body"),
                at("proxy"),
                at("fastcgi"),
                at("uwsgi"),
                at("scgi")
            ),
        );
    changed.push_str(&format!("\npid {}; error_log {} warn; daemon off;\n", at("pid"), at("error.log")));
    changed
}

/// A running nginx with its directory.
struct Nginx {
    _program: Program,
    _directory: tempfile::TempDir,
}

/// nginx in front of these instances, and its URL; `None` if it is not installed.
async fn nginx(instances: [SocketAddr; 2]) -> Option<(Nginx, String)> {
    let (directory, listen) = (tempfile::tempdir().unwrap(), free_address());
    let conf = directory.path().join("nginx.conf");
    std::fs::write(&conf, nginx_conf(directory.path(), listen, instances)).unwrap();
    // Started by root, its workers change to another user.
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(directory.path(), open).unwrap();
    let mut command = Command::new("nginx");
    command.arg("-p").arg(directory.path()).arg("-c").arg(&conf).arg("-e").arg(directory.path().join("error.log"));
    let program = run(command, listen).await?;
    Some((Nginx { _program: program, _directory: directory }, format!("http://{listen}")))
}

#[tokio::test]
async fn nginx_cache_sends_one_request_to_an_instance() {
    let upstream = upstream();
    upstream.allowed.add_permits(100);
    let instances = [start(&upstream, None), start(&upstream, None)];
    let Some((_nginx, url)) = nginx([instances[0].address(), instances[1].address()]).await else { return };
    let (client, urls) = (client(), [url]);
    assert_eq!(failures(&client, &urls, "/coins?limit=1").await, [0; 0]);
    assert_eq!(upstream.requests(), 1);
    let cached = client.get(format!("{}/coins?limit=1", urls[0])).send().await.unwrap();
    assert_eq!(cached.headers()["x-cache-status"], "HIT");
}

#[tokio::test]
async fn request_that_outlasts_the_shutdown_gets_a_retry_error() {
    let upstream = upstream();
    let options = Options { grace: Duration::from_millis(50), ..options_of(&upstream, None) };
    let service = service::start(options).unwrap();
    let url = format!("{}/coins?limit=1", service.url());
    let request = tokio::spawn(client().get(url).send());
    until("it gets a request", || upstream.requests() == 1).await;
    // As at the end of the process, its threads end, too.
    tokio::task::spawn_blocking(move || drop(service)).await.unwrap();
    let response = request.await.unwrap().unwrap();
    assert_eq!(response.status(), 503);
    assert!(response.text().await.unwrap().contains("the service is shutting down; try again"));
}

#[tokio::test]
async fn nginx_keeps_encodings_and_requests_apart() {
    let upstream = upstream();
    upstream.allowed.add_permits(100);
    let instances = [start(&upstream, None), start(&upstream, None)];
    let Some((_nginx, url)) = nginx([instances[0].address(), instances[1].address()]).await else { return };
    let client = client();
    for (query, encoding) in [("limit=1&x=1gzip", "identity"), ("limit=1&x=1", "gzip")] {
        let request = client.get(format!("{url}/coins?{query}")).header("accept-encoding", encoding);
        let response = request.send().await.unwrap();
        assert_eq!(response.headers()["x-cache-status"], "MISS", "{query} with {encoding}");
    }
    for (accepted, encoding) in [
        ("gzip", Some("gzip")),
        ("gzip;q=0.1, br", Some("gzip")),
        ("gzip, zstd", Some("zstd")),
        ("zstd;q=0, gzip", Some("gzip")),
        ("gzip;q=0", None),
        ("zstd ; q=0.000, gzip;q=0", None),
    ] {
        let request = client.get(format!("{url}/openapi.json")).header("accept-encoding", accepted);
        let response = request.send().await.unwrap();
        let sent = response.headers().get("content-encoding").map(|value| value.to_str().unwrap());
        assert_eq!(sent, encoding, "{accepted}");
    }
}

#[tokio::test]
async fn untrusted_redis_certificate_is_reported() {
    let server = self_signed().await;
    let url = server.url.replace("https://", "rediss://");
    let (report, mut reports) = mpsc::unbounded_channel();
    let report = move |sentence: &str| drop(report.send(sentence.to_owned()));
    // Another heartbeat follows if the first one takes too long.
    let state = SharedState::new(&url, report).unwrap();
    let found = async {
        loop {
            let sentence = reports.recv().await.unwrap();
            if sentence.contains("certificate") {
                return sentence;
            }
        }
    };
    let sentence = timeout(TEST_TIMEOUT, found).await.unwrap();
    let expected = "Can't use Redis (certificate can't be verified) · using the local cache";
    assert!(sentence.starts_with(expected), "{sentence}");
    drop(state);
}

#[tokio::test]
async fn simulated_instances_share_responses_of_the_same_seed_only() {
    let Some((_redis, url)) = redis().await else { return };
    let time = TimeSource::fixed(UtcTime::from_secs(1_795_248_000));
    let instance = |seed| {
        let shared = Some(SharedState::without_budgets(&url, |_| {}).unwrap());
        let options = Options { seed, shared, time: time.clone(), ..Options::default().standalone() };
        service::start(options).unwrap()
    };
    let (one, same, other) = (instance(1), instance(1), instance(2));
    let client = client();
    let get = async |instance: &Running| {
        let response = client.get(format!("{}/coins?limit=5", instance.url())).send().await.unwrap();
        response.bytes().await.unwrap()
    };
    let first = get(&one).await;
    assert_eq!(get(&same).await, first);
    assert_ne!(get(&other).await, first);
}

#[tokio::test]
async fn state_of_providers_and_document_are_cached() {
    let upstream = upstream();
    let service = start(&upstream, None);
    let (client, urls) = (client(), [service.url()]);
    assert_eq!(failures(&client, &urls, "/x/sources").await, [0; 0]);
    let reads = upstream.state_reads.load(Ordering::Relaxed);
    assert!(reads < 100, "{reads} reads for 1,000 requests");
    for _ in 0..2 {
        let document = client.get(format!("{}/openapi.json", urls[0])).send().await.unwrap();
        assert!(document.headers().contains_key("age"), "it is cached");
    }
}
