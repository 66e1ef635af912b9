//! A Redis that can't be reached or used, refuses writes, or has lost its data.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::*;
use crate::service::shared::instances::LOWER_COUNTS;

/// How long to wait for a state that will come.
const LONGEST: Duration = Duration::from_secs(20);

#[tokio::test]
async fn failing_redis_is_reported_once_and_delays_nothing() {
    let Some(redis) = redis().await else { return };
    let (report, mut reported) = tokio::sync::mpsc::unbounded_channel();
    let state = SharedState::new(&redis.url, move |line| report.send(line.to_owned()).unwrap()).unwrap();
    assert!(state.reserve(budget("a", 0)).await.is_some());
    drop(redis);
    for _ in 0..100 {
        assert!(matches!(claim(&state, "/coins").await, Claim::Alone));
        assert_eq!(state.reserve(budget("a", 0)).await, None);
    }
    assert!(state.is_down());
    let line = timeout(LONGEST, reported.recv()).await.expect("a report").unwrap();
    assert!(
        line.starts_with("Can't reach Redis (") && line.contains(" · using the local cache and full budgets"),
        "{line}"
    );
    assert!(reported.try_recv().is_err(), "reported only once");
}

/// The address of a server that is not Redis.
async fn http_server() -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (mut client, _) = listener.accept().await.unwrap();
            let mut request = [0; 1024];
            // An error means that the client has disconnected.
            let _ = client.read(&mut request).await;
            let _ = client.write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n").await;
        }
    });
    address
}

#[tokio::test]
async fn unusable_server_is_reported_at_once_with_the_reason() {
    let Some(redis) = redis().await else { return };
    let address = redis.url.trim_start_matches("redis://");
    let http = http_server().await;
    for (url, problem) in [
        (format!("redis://:wrong-password@{address}"), "Can't use Redis (wrong user or password)"),
        (format!("redis://{address}/99"), "Can't use Redis (no such database)"),
        (format!("redis://{http}"), "Can't use Redis (unexpected reply)"),
        (String::from("redis://127.0.0.1:1"), "Can't reach Redis (connection refused)"),
        // An empty label, so that no DNS server is queried.
        (String::from("redis://no..host"), "Can't reach Redis (can't resolve the host)"),
    ] {
        // Without Redis, the instances are never counted.
        let (report, mut reported) = tokio::sync::mpsc::unbounded_channel();
        let _state = SharedState::new(&url, move |line| report.send(line.to_owned()).unwrap()).unwrap();
        let line = timeout(LONGEST, reported.recv()).await.unwrap().unwrap();
        let expected = format!("{problem} · using the local cache and full budgets, other instances unknown");
        assert_eq!(line, expected, "{url}");
    }
}

#[tokio::test]
async fn corrected_password_is_used() {
    let Some(redis) = redis().await else { return };
    let url = redis.url.replace("redis://", "redis://:secret@");
    let (report, mut reported) = tokio::sync::mpsc::unbounded_channel();
    let report = move |line: &str| report.send(line.to_owned()).unwrap();
    let state = SharedState::connect(&url, Duration::from_millis(60), true, report).unwrap();
    let mut next = async || timeout(Duration::from_secs(20), reported.recv()).await.expect("a report").unwrap();
    assert!(next().await.starts_with("Can't use Redis (wrong user or password)"));
    let () = command(&redis, "CONFIG SET requirepass secret").await;
    assert_eq!(next().await, "Reconnected to Redis · sharing responses and budgets again");
    assert!(matches!(claim(&state, "/coins").await, Claim::Mine(_)));
}

#[tokio::test]
async fn reason_that_changes_is_reported() {
    let Some(redis) = redis().await else { return };
    let (report, mut reported) = tokio::sync::mpsc::unbounded_channel();
    let report = move |line: &str| report.send(line.to_owned()).unwrap();
    let state = SharedState::connect(&redis.url, Duration::from_millis(60), true, report).unwrap();
    assert!(matches!(claim(&state, "/coins").await, Claim::Mine(_)));
    let () = command(&redis, "CONFIG SET requirepass secret").await;
    let client = redis::Client::open(redis.url.replace("redis://", "redis://:secret@")).unwrap();
    let mut other = client.get_multiplexed_async_connection().await.unwrap();
    let _: u64 = redis::cmd("CLIENT").arg(&["KILL", "TYPE", "normal"]).query_async(&mut other).await.unwrap();
    let reason = async {
        // The loss of the connection may be reported before.
        while !reported.recv().await.unwrap().starts_with("Can't use Redis (password required)") {}
    };
    timeout(Duration::from_secs(20), reason).await.expect("it is reported");
}

/// Sends a command on a connection of its own.
async fn command<T: redis::FromRedisValue>(redis: &Redis, words: &str) -> T {
    let client = redis::Client::open(redis.url.as_str()).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let mut command = redis::Cmd::new();
    for word in words.split(' ') {
        command.arg(word);
    }
    command.query_async(&mut connection).await.unwrap()
}

/// The number of scripts that the server has run.
async fn script_calls(redis: &Redis) -> u64 {
    let stats: String = command(redis, "INFO commandstats").await;
    let calls = stats.lines().find_map(|line| line.strip_prefix("cmdstat_evalsha:calls="));
    calls.and_then(|calls| calls.split(',').next()?.parse().ok()).unwrap_or(0)
}

#[tokio::test]
async fn redis_that_refuses_writes_is_reported_once_until_it_accepts_them() {
    let Some(redis) = redis().await else { return };
    for (refuse, accept, reason, has_budgets) in [
        ("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0", "out of memory", true),
        ("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0", "out of memory", false),
        ("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE", "read-only replica", true),
    ] {
        let (report, mut reported) = tokio::sync::mpsc::unbounded_channel();
        let report = move |line: &str| report.send(line.to_owned()).unwrap();
        let state = SharedState::connect(&redis.url, Duration::from_millis(60), has_budgets, report).unwrap();
        let mut next = async || timeout(LONGEST, reported.recv()).await.expect("a report").unwrap();
        assert!(matches!(claim(&state, "/coins").await, Claim::Mine(_)));
        let () = command(&redis, refuse).await;
        let line = next().await;
        assert!(line.starts_with(&format!("Can't write to Redis ({reason}) · using the local cache")), "{line}");
        // Heartbeats fail, and successful reads change nothing.
        let before = script_calls(&redis).await;
        let beats = async {
            while script_calls(&redis).await < before + 2 {
                assert!(matches!(claim(&state, "/coins").await, Claim::Alone) && state.is_down());
            }
        };
        timeout(LONGEST, beats).await.expect("two heartbeats");
        let () = command(&redis, accept).await;
        let line = next().await;
        assert!(line.starts_with("Reconnected to Redis"), "nothing else was reported before: {line}");
        assert!(matches!(claim(&state, "/coins").await, Claim::Mine(_)) && !state.is_down());
    }
}

#[tokio::test]
async fn redis_that_refuses_writes_after_it_hung_is_reported() {
    let Some(redis) = redis().await else { return };
    let (report, mut reported) = tokio::sync::mpsc::unbounded_channel();
    let report = move |line: &str| report.send(line.to_owned()).unwrap();
    // The test sends the heartbeats after the first one.
    let state = SharedState::connect(&redis.url, Duration::from_mins(10), false, report).unwrap();
    let mut after_heartbeats = async || {
        let report = async {
            loop {
                state.send_heartbeat().await;
                if let Ok(line) = reported.try_recv() {
                    return line;
                }
                tokio::task::yield_now().await;
            }
        };
        timeout(LONGEST, report).await.expect("a report")
    };
    signal(&redis, "-STOP");
    assert_eq!(after_heartbeats().await, "Can't reach Redis (timed out) · using the local cache");
    signal(&redis, "-CONT");
    let () = command(&redis, "CONFIG SET maxmemory 1").await;
    assert_eq!(after_heartbeats().await, "Can't write to Redis (out of memory) · using the local cache");
    assert!(matches!(claim(&state, "/coins").await, Claim::Alone) && state.is_down());
    let () = command(&redis, "CONFIG SET maxmemory 0").await;
    assert_eq!(after_heartbeats().await, "Reconnected to Redis · sharing responses again");
}

#[tokio::test]
async fn instances_are_still_counted_after_redis_has_lost_its_data() {
    let Some(redis) = redis().await else { return };
    let connect = |beat| SharedState::connect(&redis.url, beat, true, |_| {}).unwrap();
    let one = connect(Duration::from_millis(60));
    let counted = async |count: u32| {
        let counted = async {
            while one.instances() != count {
                tokio::task::yield_now().await;
            }
        };
        timeout(LONGEST, counted).await.expect("it is counted");
    };
    // The other one's heartbeats are far apart.
    let _two = connect(Duration::from_mins(10));
    counted(2).await;
    let before = script_calls(&redis).await;
    let () = command(&redis, "FLUSHALL").await;
    let (mut seen, mut heartbeats) = (0, 0);
    let beats = async {
        while heartbeats < u64::from(LOWER_COUNTS) {
            assert!(heartbeats == 0 || seen == 2, "the other one may still be there");
            seen = one.instances();
            heartbeats = script_calls(&redis).await - before;
        }
    };
    timeout(LONGEST, beats).await.expect("the heartbeats that lower the number");
    counted(1).await;
}
