//! A router whose handler counts its calls, over HTTP.

use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use axum::Router;
use axum::middleware;
use axum::routing::get;
use flate2::read::GzDecoder;
use reqwest::RequestBuilder;
use tokio::net::TcpListener;

use super::*;
use crate::client::NOTICE;
use crate::model::{Source, UtcTime};
use crate::service::caching;

/// Data whose version the test sets.
#[derive(Default)]
struct World {
    version: AtomicU64,
    calls: AtomicU64,
}

#[async_trait]
impl ExtensionProvider for World {
    fn data_versions(&self) -> Option<DataVersions> {
        Some(DataVersions::same(self.version()))
    }

    async fn sources(&self) -> Vec<Source> {
        Vec::new()
    }
}

impl World {
    fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    fn version(&self) -> u64 {
        self.version.load(Ordering::Relaxed)
    }

    /// `{"version": 0, "text": "xxx…"}`, 30 s old and fresh for 30 s more.
    fn response(&self, headers: &HeaderMap) -> Response {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let value = serde_json::json!({"version": self.version(), "text": "x".repeat(5_000)});
        let mut response = caching::json(headers, &value, Duration::from_mins(1));
        response.headers_mut().insert(header::AGE, HeaderValue::from(30));
        response
    }
}

/// Newer data of this instance has outdated its response. Another instance may not have it yet.
#[tokio::test]
async fn shared_response_with_the_same_old_data_is_not_accepted() {
    let now = 1_795_075_200_000;
    let cache = ResponseCache::new(8 << 20, Arc::<World>::default() as _, false, TimeSource::system());
    let age = Duration::from_secs(30);
    let stored = |data_time: i64| {
        Some(StoredResponse {
            headers: Vec::new(),
            body: Vec::new(),
            age: Some(5_000),
            stored_at: data_time + 5_000,
            fresh_for: 60_000,
        })
    };
    let accepts = |data_time: i64| cache.accepts("/coins", now)(&stored(data_time));
    assert!(accepts(now - 300_000), "nothing is known");
    let known = Encoded::new(HeaderMap::new(), Bytes::from("[]"), Some(age), Duration::from_mins(1), &cache.time);
    cache.insert(String::from("/coins"), known);
    assert!(!accepts(now - 300_000) && !accepts(now - 30_000));
    assert!(accepts(now - 20_000), "newer data");
    assert!(cache.accepts("/coins", now)(&None), "it can't be cached");
}

/// Starts the service; returns its URL.
async fn start(world: &Arc<World>) -> String {
    let (fresh, renamed, stale) = (Arc::clone(world), Arc::clone(world), Arc::clone(world));
    let notice = |mut response: Response| {
        response.headers_mut().insert(NOTICE, HeaderValue::from_static("PSATS was renamed to SATS"));
        response
    };
    let failure = |mut response: Response| {
        response.headers_mut().insert(REFRESH_ERROR, HeaderValue::from_static("CoinGecko: failed"));
        response
    };
    let image = |mut response: Response| {
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("image/png"));
        response
    };
    let pixels = Arc::clone(world);
    let cache = ResponseCache::new(8 << 20, Arc::clone(world) as _, false, TimeSource::system());
    let router = Router::new()
        .route("/coins", get(move |headers: HeaderMap| async move { fresh.response(&headers) }))
        .route("/renamed", get(move |headers: HeaderMap| async move { notice(renamed.response(&headers)) }))
        .route("/stale", get(move |headers: HeaderMap| async move { failure(stale.response(&headers)) }))
        .route(
            "/ageless",
            get(|headers: HeaderMap| async move { caching::json(&headers, &"x".repeat(5_000), Duration::ZERO) }),
        )
        .route("/image", get(move |headers: HeaderMap| async move { image(pixels.response(&headers)) }))
        .layer(middleware::from_fn_with_state(cache, serve_cached));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

async fn send(request: RequestBuilder) -> (StatusCode, HeaderMap, Vec<u8>) {
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    (status, headers, response.bytes().await.unwrap().to_vec())
}

fn client() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().build().unwrap()
}

#[tokio::test]
async fn repeated_request_is_answered_until_the_data_change() {
    let (world, client) = (Arc::new(World::default()), client());
    let url = start(&world).await;
    let first = send(client.get(format!("{url}/coins?limit=1"))).await;
    let second = send(client.get(format!("{url}/coins?limit=1"))).await;
    assert_eq!((first.0, &first.2, world.calls()), (second.0, &second.2, 1));
    assert_eq!(first.1[header::ETAG], second.1[header::ETAG]);
    send(client.get(format!("{url}/coins?limit=2"))).await;
    assert_eq!(world.calls(), 2, "another query is another response");
    send(client.get(format!("{url}/coins?x=3&limit=2"))).await;
    assert_eq!(world.calls(), 2, "unknown parameters are ignored");

    world.version.store(1, Ordering::Relaxed);
    let third = send(client.get(format!("{url}/coins?limit=1"))).await;
    assert_eq!(world.calls(), 3);
    assert!(third.2.starts_with(br#"{"text":"xxx"#) && third.2.ends_with(br#""version":1}"#));
}

#[tokio::test]
async fn known_etag_gets_304_and_gzip_body_is_identical() {
    let (world, client) = (Arc::new(World::default()), client());
    let url = format!("{}/coins", start(&world).await);
    let gzip = || client.get(&url).header(header::ACCEPT_ENCODING, "br, gzip;q=0.8");
    for _ in 0..2 {
        let plain = send(client.get(&url).header(header::ACCEPT_ENCODING, "gzip;q=0, identity")).await;
        assert!(!plain.1.contains_key(header::CONTENT_ENCODING));
        let (status, headers, body) = send(gzip()).await;
        assert_eq!((status, &headers[header::CONTENT_ENCODING]), (StatusCode::OK, &HeaderValue::from_static("gzip")));
        let mut unpacked = Vec::new();
        GzDecoder::new(body.as_slice()).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked, plain.2);
        let known = client.get(&url).header(header::IF_NONE_MATCH, &headers[header::ETAG]);
        let (status, unchanged, body) = send(known).await;
        assert_eq!((status, body.len()), (StatusCode::NOT_MODIFIED, 0));
        assert_eq!(unchanged[header::ETAG], headers[header::ETAG]);
    }
    assert_eq!(world.calls(), 1);
}

#[test]
fn equal_body_is_not_compressed_again() {
    let world = Arc::new(World::default());
    let cache = ResponseCache::new(8 << 20, Arc::clone(&world) as _, false, TimeSource::system());
    let store = |body: String| {
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
        let encoded = Encoded::new(headers, Bytes::from(body), None, Duration::MAX, &cache.time);
        cache.insert(String::from("/coins"), encoded)
    };
    let first = store("x".repeat(5_000)).compressed(Encoding::Gzip).unwrap();
    let again = store("x".repeat(5_000));
    assert_eq!(again.gzip.get().unwrap().as_ref().unwrap().as_ptr(), first.as_ptr(), "the same memory");
    assert!(store("y".repeat(5_000)).gzip.get().is_none());
}

/// The wall clock also advances while the machine is suspended.
#[test]
fn response_age_follows_the_wall_clock() {
    let world = Arc::new(World::default());
    let (minutes, start) = (Arc::new(AtomicU64::new(0)), UtcTime::from_secs(1_795_075_200));
    let wall = Arc::clone(&minutes);
    let time = TimeSource::from_fn(move || start.plus(Duration::from_mins(wall.load(Ordering::Relaxed))));
    let cache = ResponseCache::new(8 << 20, Arc::clone(&world) as _, false, time);
    let (age, fresh_for) = (Some(Duration::from_secs(30)), Duration::from_mins(5));
    let encoded = Encoded::new(HeaderMap::new(), Bytes::from("[]"), age, fresh_for, &cache.time);
    cache.insert(String::from("/coins"), encoded);
    let age = || {
        let current = cache.current("/coins", DataVersions::same(0))?;
        current.headers()[header::AGE].to_str().unwrap().parse::<u64>().ok()
    };
    assert_eq!(age(), Some(30));
    minutes.store(4, Ordering::Relaxed);
    assert_eq!(age(), Some(4 * 60 + 30));
    minutes.store(8 * 60, Ordering::Relaxed);
    assert_eq!(age(), None);
}

#[tokio::test]
async fn images_are_not_compressed() {
    let (world, client) = (Arc::new(World::default()), client());
    let url = format!("{}/image", start(&world).await);
    for _ in 0..2 {
        let (_, headers, body) = send(client.get(&url).header(header::ACCEPT_ENCODING, "gzip")).await;
        assert!(!headers.contains_key(header::CONTENT_ENCODING) && body.len() > 5_000);
    }
    assert_eq!(world.calls(), 1);
}

#[tokio::test]
async fn first_request_can_be_conditional() {
    let (world, client) = (Arc::new(World::default()), client());
    let url = format!("{}/coins", start(&world).await);
    let (status, ..) = send(client.get(&url).header(header::IF_NONE_MATCH, "*")).await;
    assert_eq!(status, StatusCode::NOT_MODIFIED);
    let (status, _, body) = send(client.get(&url)).await;
    assert_eq!((status, world.calls()), (StatusCode::OK, 1));
    assert!(body.len() > 5_000);
}

#[tokio::test]
async fn manual_refreshes_and_requests_that_wait_are_not_cached() {
    let (world, client) = (Arc::new(World::default()), client());
    let url = start(&world).await;
    for (name, value) in [("cache-control", "no-cache"), ("prefer", "wait=5")] {
        let before = world.calls();
        for _ in 0..2 {
            send(client.get(format!("{url}/coins")).header(name, value)).await;
        }
        assert_eq!(world.calls(), before + 2, "{name}");
    }
}

#[tokio::test]
async fn responses_with_a_notice_are_cached_like_others() {
    let (world, client) = (Arc::new(World::default()), client());
    let url = format!("{}/renamed", start(&world).await);
    for (seconds, calls) in [(0, 1), (29, 1), (1, 2)] {
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(seconds)).await;
        tokio::time::resume();
        let (_, headers, _) = send(client.get(&url)).await;
        assert_eq!((headers.contains_key(NOTICE), world.calls()), (true, calls), "{seconds}");
    }
}

#[tokio::test]
async fn old_data_are_compressed_and_cached_briefly() {
    let (world, client) = (Arc::new(World::default()), client());
    let url = format!("{}/stale", start(&world).await);
    let gzip = || send(client.get(&url).header(header::ACCEPT_ENCODING, "gzip"));
    for _ in 0..2 {
        let (status, headers, body) = gzip().await;
        assert_eq!((status, &headers[header::CONTENT_ENCODING]), (StatusCode::OK, &HeaderValue::from_static("gzip")));
        assert!(headers.contains_key(REFRESH_ERROR) && body.len() < 500, "{}", body.len());
        let known = client.get(&url).header(header::IF_NONE_MATCH, &headers[header::ETAG]);
        let (status, headers, _) = send(known).await;
        assert_eq!((status, headers.contains_key(REFRESH_ERROR)), (StatusCode::NOT_MODIFIED, true));
    }
    assert_eq!(world.calls(), 1);
    // A new value ends it at once, and so does the time.
    world.version.store(1, Ordering::Relaxed);
    gzip().await;
    assert_eq!(world.calls(), 2);
    tokio::time::pause();
    tokio::time::advance(STALE_FRESH_FOR).await;
    tokio::time::resume();
    gzip().await;
    assert_eq!(world.calls(), 3);
}

#[tokio::test]
async fn responses_that_are_not_cached_are_compressed() {
    let (world, client) = (Arc::new(World::default()), client());
    let url = format!("{}/ageless", start(&world).await);
    let (status, headers, body) = send(client.get(&url).header(header::ACCEPT_ENCODING, "zstd")).await;
    assert_eq!((status, &headers[header::CONTENT_ENCODING]), (StatusCode::OK, &HeaderValue::from_static("zstd")));
    assert!(body.len() < 500, "{}", body.len());
    let known = client.get(&url).header(header::IF_NONE_MATCH, &headers[header::ETAG]);
    assert_eq!(send(known).await.0, StatusCode::NOT_MODIFIED);
}

#[tokio::test]
async fn cached_response_ages_and_expires() {
    let world = Arc::new(World::default());
    let url = format!("{}/coins", start(&world).await);
    let client = client();
    send(client.get(&url)).await;
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(20)).await;
    tokio::time::resume();
    let (_, headers, _) = send(client.get(&url)).await;
    let age: u64 = headers[header::AGE].to_str().unwrap().parse().unwrap();
    assert!((50..60).contains(&age) && world.calls() == 1, "{age}");
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(10)).await;
    tokio::time::resume();
    send(client.get(&url)).await;
    assert_eq!(world.calls(), 2);
}
