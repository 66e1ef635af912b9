//! What operators need: health, metrics, a token, and what shared caches may keep.

use std::time::Duration;

use satscope::client::config::Secret;
use satscope::service::{FaultInjection, Options};

use super::{Raw, options, start};

/// Sends a request with headers.
async fn send(client: &mut Raw, method: &str, path: &str, headers: &str) -> super::Got {
    client.send(&format!("{method} {path} HTTP/1.1\r\nhost: satscope\r\n{headers}\r\n")).await;
    client.answer().await.unwrap()
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
    assert!(metrics.header("content-type").unwrap().starts_with("application/openmetrics-text"));
    for line in [
        "satscope_responses_total{status=\"200\",cache=\"hit\"} 1",
        "satscope_responses_total{status=\"200\",cache=\"miss\"} 2",
        "satscope_responses_total{status=\"404\",cache=\"miss\"} 1",
        "satscope_response_duration_seconds_count{cache=\"hit\"} 1",
        "satscope_connections 1",
        "# EOF",
    ] {
        assert!(metrics.text().lines().any(|found| found == line), "{line}\n{}", metrics.text());
    }
}

#[tokio::test]
async fn embedded_service_has_no_metrics() {
    let service = start(Options { answer_threads: 0, ..options() });
    let mut client = Raw::open(service.address()).await;
    assert_eq!(client.get("/metrics").await.status, 404);
}

#[tokio::test]
async fn token_is_required_everywhere_but_for_health() {
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
            assert!(!got.text().contains("s3cre") && got.text().contains("needs a token"), "{}", got.text());
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
