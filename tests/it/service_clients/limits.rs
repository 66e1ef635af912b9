//! What one client may use.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use satscope::service::{Limits, Options};

use super::{Raw, options, standalone, start, until, with_streams};
use crate::support::server::TEST_TIMEOUT;

/// Well below [`TEST_TIMEOUT`].
const SOON: Duration = Duration::from_millis(100);

#[tokio::test]
async fn too_many_points_fail_with_the_maximum() {
    let service = standalone(Limits::standalone());
    let mut client = Raw::open(service.address()).await;
    let symbols = vec!["BTC"; 50].join(",");
    let got = client.get(&format!("/market/data?symbol={symbols}&count=501")).await;
    assert_eq!(got.status, 400);
    assert!(got.text().contains(r#"parameter \"count\" must be at most 500 for 50 symbols"#), "{}", got.text());
    assert_eq!(client.get(&format!("/market/data?symbol={symbols}&count=500")).await.status, 200);
}

#[tokio::test]
async fn unfinished_headers_end_the_connection() {
    let service = standalone(Limits { header_timeout: SOON, ..Limits::standalone() });
    for start in ["G", "GET / HTTP/1.1\r\nhost: x\r\nx-slow: "] {
        let mut client = Raw::open(service.address()).await;
        client.send(start).await;
        client.end().await;
    }
    // Also after an answered request.
    let mut client = Raw::open(service.address()).await;
    assert_eq!(client.get("/").await.status, 200);
    client.send("GET /co").await;
    client.end().await;
    until("no connection is left", || service.connections() == 0).await;
}

#[tokio::test]
async fn non_http_input_is_rejected_at_once() {
    // Nothing is waited for: the test would take an hour.
    let service = standalone(Limits { header_timeout: Duration::from_hours(1), ..Limits::standalone() });
    for input in ["garbage\r\n", "\u{16}\u{3}\u{1}"] {
        let mut client = Raw::open(service.address()).await;
        client.send(input).await;
        assert!(client.end().await.starts_with(b"HTTP/1.1 400 "), "{input:?}");
    }
}

#[tokio::test]
async fn idle_connections_are_closed() {
    let service = standalone(Limits { idle_timeout: Some(SOON), ..Limits::standalone() });
    let mut silent = Raw::open(service.address()).await;
    assert!(silent.end().await.is_empty());
    let mut client = Raw::open(service.address()).await;
    assert_eq!(client.get("/").await.status, 200);
    assert!(client.end().await.is_empty());
}

#[tokio::test]
async fn client_that_reads_nothing_is_disconnected() {
    let service = standalone(Limits { stall_timeout: SOON, ..Limits::standalone() });
    let mut client = Raw::open(service.address()).await;
    // More than the buffers of both systems hold.
    for _ in 0..20 {
        client.ask("/coins?limit=1500").await;
    }
    until("requests have arrived", || service.requests() > 0).await;
    until("the connection is closed", || service.connections() == 0).await;
    let mut complete = 0;
    while client.response().await.is_some() {
        complete += 1;
    }
    assert!(complete < 20, "{complete}");
}

#[tokio::test]
async fn unread_responses_are_bounded() {
    let service = standalone(Limits { max_unread_bytes: 4 << 20, ..Limits::standalone() });
    let mut unread = Vec::new();
    let mut refused = None;
    for limit in 1_000..1_020 {
        let mut client = Raw::open(service.address()).await;
        client.ask(&format!("/coins?limit={limit}")).await;
        let mut first = [0; 12];
        client.0.peek(&mut first).await.unwrap();
        if first.ends_with(b"503") {
            refused = client.response().await;
            break;
        }
        unread.push(client);
    }
    let refused = refused.expect("one that doesn't fit");
    assert!(!unread.is_empty());
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert!(refused.text().contains("response memory is full; retry after 1 s"), "{}", refused.text());
    let mut client = Raw::open(service.address()).await;
    assert_eq!(client.get("/coins?limit=5").await.status, 200, "small responses still fit");
    if let Some(mut other) = open_from_elsewhere(service.address()).await {
        assert_eq!(other.get("/coins?limit=1100").await.status, 200, "other clients have their own half");
    }
}

/// A small compressed body may keep a large plain one in memory.
#[tokio::test]
async fn unread_compressed_responses_are_bounded() {
    let service = standalone(Limits { max_unread_bytes: 4 << 20, ..Limits::standalone() });
    let mut unread = Vec::new();
    for limit in 1_000..1_020 {
        let mut client = Raw::open(service.address()).await;
        client.send(&format!("GET /coins?limit={limit} HTTP/1.1\r\nhost: x\r\naccept-encoding: gzip\r\n\r\n")).await;
        let mut first = [0; 12];
        client.0.peek(&mut first).await.unwrap();
        if first.ends_with(b"503") {
            return assert!(!unread.is_empty());
        }
        unread.push(client);
    }
    panic!("all {} fit", unread.len());
}

#[tokio::test]
async fn requests_beyond_the_limit_of_a_client_are_refused() {
    let requests_per_minute = NonZeroU32::new(3);
    let service = standalone(Limits { requests_per_minute, ..Limits::standalone() });
    let mut client = Raw::open(service.address()).await;
    let mut statuses = Vec::new();
    for _ in 0..4 {
        statuses.push(client.get("/").await.status);
    }
    assert_eq!(statuses, [200, 200, 200, 429]);
    // Another connection of the same address doesn't help.
    let got = Raw::open(service.address()).await.get("/coins").await;
    let wait: u64 = got.header("retry-after").unwrap().parse().unwrap();
    assert!(got.status == 429 && (1..=20).contains(&wait), "{got:?}");
    assert!(got.text().contains(&format!("rate-limited; retry after {wait} s")), "{}", got.text());
    // A client from elsewhere has its own limit.
    if let Some(mut other) = open_from_elsewhere(service.address()).await {
        assert_eq!(other.get("/").await.status, 200);
    }
}

#[tokio::test]
async fn time_for_a_request_begins_with_its_first_byte() {
    let service = standalone(Limits { header_timeout: Duration::ZERO, ..Limits::standalone() });
    let mut silent = Raw::open(service.address()).await;
    // After it, the service has accepted both.
    assert_eq!(Raw::open(service.address()).await.get("/").await.status, 200);
    assert_eq!(silent.get("/").await.status, 200);
}

/// A connection of another client. Only Linux has more than one loopback address without setup.
async fn open_from_elsewhere(address: SocketAddr) -> Option<Raw> {
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.2:0".parse().unwrap()).ok()?;
    Some(Raw(tokio::time::timeout(TEST_TIMEOUT, socket.connect(address)).await.unwrap().unwrap()))
}

#[tokio::test]
async fn one_client_gets_at_most_half_of_the_connections() {
    let service = standalone(Limits { max_connections: 5, ..Limits::standalone() });
    let mut clients = Vec::new();
    for _ in 0..3 {
        let mut client = Raw::open(service.address()).await;
        assert_eq!(client.get("/").await.status, 200);
        clients.push(client);
    }
    assert!(Raw::open(service.address()).await.end().await.is_empty());
    if let Some(mut other) = open_from_elsewhere(service.address()).await {
        assert_eq!(other.get("/").await.status, 200);
    }
    clients.clear();
    until("the connections are closed", || service.connections() == 0).await;
    assert_eq!(Raw::open(service.address()).await.get("/").await.status, 200);
}

#[tokio::test]
async fn one_client_gets_at_most_half_of_the_streams() {
    let limits = Limits { max_streams: 4, ..Limits::standalone() };
    let service = start(Options { providers: Some(with_streams()), limits, ..options() });
    let mut streams = Vec::new();
    for _ in 0..2 {
        let mut client = Raw::open(service.address()).await;
        assert_eq!(client.begin("/x/stream?ids=1").await, 200);
        streams.push(client);
    }
    let got = Raw::open(service.address()).await.get("/x/stream?ids=1").await;
    assert_eq!((got.status, got.header("retry-after")), (503, Some("30")));
    assert!(got.text().contains("Too many live price streams"), "{}", got.text());
    if let Some(mut other) = open_from_elsewhere(service.address()).await {
        assert_eq!(other.begin("/x/stream?ids=1").await, 200);
    }
    streams.clear();
    until("the streams have ended", || service.connections() == 0).await;
    assert_eq!(Raw::open(service.address()).await.begin("/x/stream?ids=1").await, 200);
}

#[tokio::test]
async fn headers_that_are_too_large_are_refused() {
    let service = start(super::options());
    let mut client = Raw::open(service.address()).await;
    // hyper reads in steps that double, so the limit is not exact.
    client.send(&format!("GET / HTTP/1.1\r\nx-large: {}\r\n\r\n", "x".repeat(200_000))).await;
    let rest = client.end().await;
    assert!(rest.starts_with(b"HTTP/1.1 431 ") || rest.is_empty(), "{}", String::from_utf8_lossy(&rest));
}
