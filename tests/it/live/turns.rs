//! Clients that share the rate limit of a provider.

use std::net::IpAddr;

use parking_lot::Mutex;
use satscope::model::ProviderName::Hiro;
use satscope::service::gateway::Gateway;
use satscope::service::{self, Options, Providers, TimeSource};
use tokio::sync::mpsc;

use super::fake::{Fake, json};
use super::indexer::settings;
use crate::support::server::TEST_TIMEOUT;

/// A client with its own address.
fn client(address: [u8; 4]) -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().local_address(IpAddr::from(address)).timeout(TEST_TIMEOUT);
    client.build().unwrap()
}

#[tokio::test]
async fn client_with_many_requests_does_not_delay_others_until_all_are_served() {
    let (arrivals, mut arrived) = mpsc::unbounded_channel();
    let (allow, allowed) = std::sync::mpsc::channel();
    let allowed = Mutex::new(allowed);
    let provider = Fake::start(move |request| {
        let _ = arrivals.send(request.path.clone());
        // An error means that the test has ended.
        let _ = allowed.lock().recv();
        json(404, "{}")
    });
    let gateway = Gateway::new(settings(&[(Hiro, &provider.url, None)]), TimeSource::system());
    let options = Options { providers: Some(Providers::live(&gateway)), ..Options::default() };
    let service = service::start(options).unwrap();
    let get = |client: &reqwest::Client, sat: usize| {
        let request = client.get(format!("{}/ordinals/sats/{sat}", service.url()));
        tokio::spawn(async move { request.send().await.unwrap().status() })
    };
    let (busy, other) = (client([127, 0, 0, 1]), client([127, 0, 0, 2]));
    let all_of_one: Vec<_> = (1..=40).map(|sat| get(&busy, sat)).collect();
    let first = arrived.recv().await.unwrap();
    let received = async {
        while service.requests() < 40 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(TEST_TIMEOUT, received).await.expect("all are received");
    let of_other = get(&other, 1_000);
    let mut paths = vec![first];
    for _ in 1..41 {
        allow.send(()).unwrap();
        paths.push(arrived.recv().await.unwrap());
    }
    allow.send(()).unwrap();
    let position = paths.iter().position(|path| path.ends_with("/1000")).unwrap();
    assert!(position < 20, "{position} requests of one client were sent before that of the other: {paths:?}");
    assert_eq!(of_other.await.unwrap(), 404);
    for response in all_of_one {
        assert_eq!(response.await.unwrap(), 404);
    }
}
