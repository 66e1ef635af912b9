//! Responses that can't be cached: instances compute them at once, without waiting for each other.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::*;

/// How often Redis has run a command.
async fn calls(redis: &str, command: &str) -> usize {
    let mut stream = TcpStream::connect(redis.trim_start_matches("redis://")).await.unwrap();
    stream.write_all(b"INFO commandstats\r\nQUIT\r\n").await.unwrap();
    let mut statistics = String::new();
    stream.read_to_string(&mut statistics).await.unwrap();
    let calls = |line: &str| line.strip_prefix(&format!("cmdstat_{command}:calls="))?.split(',').next()?.parse().ok();
    statistics.lines().find_map(calls).unwrap_or(0)
}

#[tokio::test]
async fn uncacheable_responses_are_not_computed_one_after_another() {
    let Some((_redis, url)) = redis().await else { return };
    let upstream = upstream();
    let connect = || Some(SharedState::new(&url, |_| {}).unwrap());
    let instances = [start(&upstream, connect()), start(&upstream, connect())];
    let client = client();
    for (path, status, max_locks) in [("/coins?limit=x", 400, 30), ("/nowhere", 404, 30), ("/x/stream?ids=1", 501, 0)] {
        let before = calls(&url, "set").await;
        let requests = (0..300).map(|number| client.get(format!("{}{path}", instances[number % 2].url())).send());
        let statuses = join_all(requests).await.into_iter().map(|response| response.unwrap().status().as_u16());
        assert_eq!(statuses.filter(|found| *found != status).collect::<Vec<_>>(), [0; 0], "{path}");
        // A lock is taken with SET.
        let locks = calls(&url, "set").await - before;
        assert!(locks <= max_locks, "{path}: {locks} locks for 300 requests");
    }
}
