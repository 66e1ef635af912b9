//! Errors, and other responses that nginx stores only for a moment or never: clients don't wait for each other.

use super::*;

/// Simultaneous clients.
const CLIENTS: usize = 100;

/// Clients that wait for each other need at least 15 s.
const QUICK: Duration = Duration::from_secs(10);

#[tokio::test]
async fn simultaneous_clients_get_uncacheable_responses_quickly() {
    let upstream = upstream();
    let instances = [start(&upstream, None), start(&upstream, None)];
    let Some((_nginx, url)) = nginx([instances[0].address(), instances[1].address()]).await else { return };
    let client = client();
    // Errors that are the same for every client are stored: a few requests reach an instance.
    for (path, status, most) in [
        ("/nowhere", 404, 10),
        ("/coins?limit=0", 400, 10),
        ("/coins/stats", 404, 10),
        ("/exchanges?symbol=BTC", 501, 10),
        ("/ordinals/brc-20/tokens/none", 404, 10),
        ("/ordinals/sats/x", 400, 10),
        ("/content?symbol=BTC", 503, 2 * CLIENTS as u64),
        ("/healthz", 200, CLIENTS as u64),
        ("/x/sources", 200, CLIENTS as u64),
    ] {
        let received = || instances.iter().map(Running::requests).sum::<u64>();
        let before = received();
        let requests = (0..CLIENTS).map(|_| client.get(format!("{url}{path}")).send());
        let responses = timeout(QUICK, join_all(requests)).await.unwrap_or_else(|_| panic!("{path} takes too long"));
        let statuses: Vec<u16> = responses.into_iter().map(|response| response.unwrap().status().as_u16()).collect();
        assert_eq!(statuses, [status; CLIENTS], "{path}");
        assert!(received() - before <= most, "{path}: {} requests", received() - before);
    }
}

#[tokio::test]
async fn nginx_serves_stale_responses_but_no_stale_errors() {
    let upstream = upstream();
    let instances = [start(&upstream, None), start(&upstream, None)];
    let Some((_nginx, url)) = nginx([instances[0].address(), instances[1].address()]).await else { return };
    let (client, url) = (client(), format!("{url}/coins/stats"));
    let get = async || {
        let response = client.get(&url).send().await.unwrap();
        (response.status().as_u16(), response.headers()["x-cache-status"].to_str().unwrap().to_owned())
    };
    assert_eq!(get().await, (404, String::from("MISS")));
    upstream.has_category.store(true, Ordering::Relaxed);
    let is_stale = |state: &str| matches!(state, "STALE" | "UPDATING");
    let found = async {
        loop {
            match get().await {
                (404, state) => assert!(!is_stale(&state), "a stale error: {state}"),
                found => return found,
            }
        }
    };
    let (status, state) = timeout(TEST_TIMEOUT, found).await.expect("the error expires");
    assert!(status == 200 && !is_stale(&state), "{status} {state}");
    let stale = async { while !is_stale(&get().await.1) {} };
    timeout(TEST_TIMEOUT, stale).await.expect("a stale response during an update");
}
