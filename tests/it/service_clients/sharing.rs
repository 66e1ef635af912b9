//! Many clients at once: cached responses don't wait for computed ones, and idle connections hold no buffers.

use std::sync::Arc;

use futures_util::future::join_all;
use satscope::service::Options;

use super::{Blocking, Raw, options, start, until};

#[tokio::test]
async fn cached_responses_do_not_wait_for_computed_ones() {
    let market = Arc::new(Blocking::default());
    let service = start(Options { providers: Some(market.providers()), ..options() });
    let mut client = Raw::open(service.address()).await;
    let first = client.get("/coins").await;
    let mut waiting = Vec::new();
    for number in 0..8 {
        let mut other = Raw::open(service.address()).await;
        other.ask(&format!("/chart?slug=coin-{number}")).await;
        waiting.push(other);
    }
    until("all threads that compute responses are blocked", || market.charts() == 2).await;
    for _ in 0..100 {
        let cached = client.get("/coins").await;
        assert_eq!((cached.status, &cached.body), (200, &first.body));
    }
    let mut new_client = Raw::open(service.address()).await;
    assert_eq!(new_client.get("/coins").await.body, first.body);
    assert_eq!(market.lists().len(), 1);
    market.release();
    for other in &mut waiting {
        assert_eq!(other.response().await.unwrap().status, 200);
    }
}

#[tokio::test]
async fn identical_requests_are_computed_once() {
    let market = Arc::new(Blocking::default());
    let service = start(Options { providers: Some(market.providers()), ..options() });
    let mut clients = join_all((0..50).map(|_| Raw::open(service.address()))).await;
    for client in &mut clients {
        client.ask("/chart?slug=bitcoin").await;
    }
    until("all requests have arrived", || service.requests() == 50).await;
    market.release();
    for client in &mut clients {
        assert_eq!(client.response().await.unwrap().status, 200);
    }
    assert_eq!(market.charts(), 1);
}

#[tokio::test]
async fn connections_wait_for_a_busy_service() {
    let queue = std::fs::read_to_string("/proc/sys/net/core/somaxconn").ok().and_then(|max| max.trim().parse().ok());
    let clients = queue.map_or(100, |max: usize| max.min(1_000));
    let market = Arc::new(Blocking::default());
    // Without other threads, a computed response blocks the whole service.
    let service = start(Options { providers: Some(market.providers()), worker_threads: 0, ..options() });
    let mut first = Raw::open(service.address()).await;
    first.ask("/chart?slug=bitcoin").await;
    until("the service is blocked", || market.charts() == 1).await;
    let mut waiting = Vec::new();
    for _ in 0..clients {
        let mut client = Raw::open(service.address()).await;
        client.ask("/").await;
        waiting.push(client);
    }
    market.release();
    for client in &mut waiting {
        assert_eq!(client.response().await.unwrap().status, 200);
    }
}

#[tokio::test]
async fn idle_connections_release_their_buffers_and_serve_on() {
    let service = start(options());
    let mut clients = join_all((0..20).map(|_| Raw::open(service.address()))).await;
    for round in 0..3 {
        for client in &mut clients {
            assert_eq!(client.get("/coins?limit=3").await.status, 200, "round {round}");
        }
        until("all buffers are released", || service.busy_connections() == 0).await;
        assert_eq!(service.connections(), 20);
    }
}

#[tokio::test]
async fn pipelined_and_split_requests_are_answered_in_order() {
    let service = start(options());
    let mut client = Raw::open(service.address()).await;
    let request = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: satscope\r\n\r\n");
    client.send(&format!("{}{}{}GET /open", request("/"), request("/none"), request("/coins?limit=1"))).await;
    let mut statuses = Vec::new();
    for _ in 0..3 {
        statuses.push(client.response().await.unwrap().status);
    }
    assert_eq!(statuses, [200, 404, 200]);
    client.send("api.json HTTP/1.1\r\nhost: satscope\r\n\r\n").await;
    assert_eq!(client.response().await.unwrap().status, 200);
}

#[tokio::test]
async fn clients_that_pipeline_take_turns() {
    let market = Arc::new(Blocking::default());
    // One thread for everything, which the chart blocks until both clients have sent their requests.
    let service = start(Options { providers: Some(market.providers()), worker_threads: 0, ..options() });
    let mut blocker = Raw::open(service.address()).await;
    blocker.ask("/chart?slug=bitcoin").await;
    until("the service is blocked", || market.charts() == 1).await;
    let mut clients = [Raw::open(service.address()).await, Raw::open(service.address()).await];
    for (client, first) in clients.iter_mut().zip([10, 20]) {
        let request = |limit| format!("GET /coins?limit={limit} HTTP/1.1\r\nhost: satscope\r\n\r\n");
        client.send(&(first..first + 8).map(request).collect::<String>()).await;
    }
    market.release();
    for client in &mut clients {
        for _ in 0..8 {
            assert_eq!(client.response().await.unwrap().status, 200);
        }
    }
    let order = market.lists();
    let longest_run = order.chunk_by(|a, b| a / 10 == b / 10).map(<[usize]>::len).max();
    assert!(longest_run <= Some(3), "{order:?}");
}

#[tokio::test]
async fn unfinished_requests_take_no_buffers() {
    let service = start(options());
    let request = "GET /coins?limit=3 HTTP/1.1\r\nhost: satscope\r\n\r\n";
    let mut clients = join_all((0..20).map(|_| Raw::open(service.address()))).await;
    for (number, client) in clients.iter_mut().enumerate() {
        if number % 2 == 0 {
            client.send("GET /coins?limit=2 HTTP/1.1\r\nhost: satscope\r\nx-long: ").await;
            client.send(&"x".repeat(6_000)).await;
        } else {
            // After a whole one.
            client.send(&format!("{request}GET /coins?lim")).await;
            assert_eq!(client.response().await.unwrap().status, 200);
        }
    }
    until("all requests have begun", || service.connections() == 20).await;
    until("all buffers are released", || service.busy_connections() == 0).await;
    for (number, client) in clients.iter_mut().enumerate() {
        client.send(if number % 2 == 0 { "\r\n\r" } else { "it=2 HTTP/1.1\r\nhost: satscope\r\n\r" }).await;
    }
    let mut other = Raw::open(service.address()).await;
    assert_eq!(other.get("/coins?limit=3").await.status, 200);
    for client in &mut clients {
        client.send("\n").await;
        assert_eq!(client.response().await.unwrap().status, 200);
    }
}

#[tokio::test]
async fn disconnected_clients_leave_nothing_behind() {
    let service = start(options());
    let mut left = Vec::new();
    for _ in 0..20 {
        let mut client = Raw::open(service.address()).await;
        client.ask("/coins?limit=500").await;
        left.push(client);
    }
    until("the requests have arrived", || service.requests() == 20).await;
    drop(left);
    until("all connections are closed", || service.connections() == 0 && service.busy_connections() == 0).await;
}

#[tokio::test]
async fn response_in_progress_arrives_before_the_service_stops() {
    let market = Arc::new(Blocking::default());
    let service = start(Options { providers: Some(market.providers()), ..options() });
    let address = service.address();
    let mut idle = Raw::open(address).await;
    assert_eq!(idle.get("/coins").await.status, 200);
    let mut client = Raw::open(address).await;
    client.ask("/chart?slug=bitcoin").await;
    until("the request is in progress", || market.charts() == 1).await;
    let stopping = tokio::task::spawn_blocking(move || drop(service));
    assert!(idle.end().await.is_empty(), "idle connections are closed first");
    market.release();
    let got = client.response().await.unwrap();
    assert_eq!((got.status, got.header("connection")), (200, Some("close")));
    stopping.await.unwrap();
}
