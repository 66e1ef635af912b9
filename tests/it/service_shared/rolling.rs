//! Rolling restarts under load: both instances stop and start again in turn, and no request fails.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::service_clients::Raw;
use crate::support::{own_address, start_again};

/// Clients at the same time.
const CLIENTS: usize = 8;

/// Requests that an instance gets before it stops.
const REQUESTS: u64 = 100;

fn options(upstream: &Arc<Upstream>, listen: SocketAddr) -> Options {
    let mut options = options_of(upstream, None);
    options.listen = listen;
    options
}

/// Stops and starts each instance while it has clients, the second one as soon as the first one accepts connections.
async fn restart_each(upstream: &Arc<Upstream>, instances: &mut [Running; 2]) {
    for instance in instances {
        until("it has clients", || instance.requests() >= REQUESTS).await;
        let address = instance.address();
        let old = std::mem::replace(instance, start(upstream, None));
        tokio::task::spawn_blocking(move || drop(old)).await.unwrap();
        *instance = start_again(|| options(upstream, address));
    }
}

/// Connects to the preferred instance, the first one, or else to the other.
async fn connect([preferred, other]: [SocketAddr; 2]) -> Option<Raw> {
    // The preferred one may be back, and the other one gone, by the time the other is tried.
    for address in [preferred, other, preferred] {
        if let Some(client) = Raw::try_open(address).await {
            return Some(client);
        }
    }
    None
}

/// A client of both instances, which keeps its connection and prefers one of them. Returns the number of responses, and
/// why a request failed.
async fn send_requests(addresses: [SocketAddr; 2], done: &AtomicBool) -> Result<u64, String> {
    let (mut connection, mut responses) = (None, 0_u64);
    while !done.load(Ordering::Relaxed) {
        let mut client = match connection.take() {
            Some(client) => client,
            None => connect(addresses).await.ok_or("none of the instances is there")?,
        };
        client.ask(&format!("/coins?limit=1&start={}", responses + 1)).await;
        let got = client.response().await.ok_or_else(|| format!("no response after {responses}"))?;
        if got.status != 200 {
            return Err(format!("{} {}", got.status, got.text()));
        }
        responses += 1;
        // From time to time it looks whether the preferred one is there again.
        let is_last = got.header("connection") == Some("close") || responses % 50 == 0;
        connection = (!is_last).then_some(client);
    }
    Ok(responses)
}

#[tokio::test]
async fn clients_that_keep_connections_alive_do_not_lose_requests() {
    let upstream = upstream();
    upstream.allowed.add_permits(1_000_000);
    let mut instances = [1, 2].map(|test| start_again(|| options(&upstream, own_address(test))));
    let [one, two] = [instances[0].address(), instances[1].address()];
    let done = AtomicBool::new(false);
    let clients =
        (0..CLIENTS).map(|client| send_requests(if client % 2 == 0 { [one, two] } else { [two, one] }, &done));
    let (responses, ()) = tokio::join!(join_all(clients), async {
        restart_each(&upstream, &mut instances).await;
        done.store(true, Ordering::Relaxed);
    });
    for responses in responses {
        assert!(responses.unwrap() > 0);
    }
}

#[tokio::test]
async fn clients_of_nginx_do_not_lose_requests() {
    let upstream = upstream();
    upstream.allowed.add_permits(1_000_000);
    let mut instances = [3, 4].map(|test| start_again(|| options(&upstream, own_address(test))));
    let Some((_nginx, url)) = nginx([instances[0].address(), instances[1].address()]).await else { return };
    let (client, done) = (client(), AtomicBool::new(false));
    let clients = (0..CLIENTS).map(async |number| {
        let (mut responses, mut failed) = (0, Vec::new());
        while !done.load(Ordering::Relaxed) {
            // Not cached, so nginx asks an instance.
            let url = format!("{url}/coins?limit={}&start={}", number + 1, responses + 1);
            match client.get(url).send().await {
                Ok(response) if response.status() == 200 => responses += 1,
                other => failed.push(other.map(|response| response.status())),
            }
        }
        (responses, failed)
    });
    let (outcomes, ()) = tokio::join!(join_all(clients), async {
        restart_each(&upstream, &mut instances).await;
        done.store(true, Ordering::Relaxed);
    });
    for (responses, failed) in outcomes {
        assert!(responses > 0 && failed.is_empty(), "{responses} responses, {failed:?}");
    }
}

#[tokio::test]
async fn connection_accepted_just_before_the_stop_gets_its_response() {
    let upstream = upstream();
    upstream.allowed.add_permits(10);
    let service = start(&upstream, None);
    let address = service.address();
    let mut idle = Raw::open(address).await;
    idle.ask("/coins?limit=1").await;
    assert_eq!(idle.response().await.unwrap().header("connection"), None);
    let mut accepted = Raw::open(address).await;
    until("both are accepted", || service.connections() == 2).await;
    let stopping = tokio::task::spawn_blocking(move || drop(service));
    // No longer accepting: it is stopping.
    let refused = async {
        while Raw::try_open(address).await.is_some() {
            tokio::task::yield_now().await;
        }
    };
    timeout(TEST_TIMEOUT, refused).await.unwrap();
    for client in [&mut accepted, &mut idle] {
        client.ask("/coins?limit=2").await;
        let got = client.response().await.expect("the response to a request that was on its way");
        assert_eq!((got.status, got.header("connection")), (200, Some("close")));
    }
    stopping.await.unwrap();
}
