//! Several instances with live data and a real Redis between them, if it is installed: what one has fetched, the others
//! don't fetch again.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use satscope::model::ProviderName::{self, CoinGecko, CoinMarketCap, DefiLlama, Frankfurter, UniSat};
use satscope::model::UtcTime;
use satscope::service::gateway::{Gateway, LiveSettings, ProviderSettings};
use satscope::service::{self, Options, Providers, Running, SharedState, TimeSource};

use super::fake::{Fake, json};
use super::{indexer_fakes, world};
use crate::support::program::redis;
use crate::support::server::TEST_TIMEOUT;

/// An instance and its clock.
struct Instance {
    running: Running,
    seconds: Arc<AtomicI64>,
}

impl Instance {
    /// Over these providers, with a Redis at this URL.
    fn start(fakes: &[(ProviderName, &Fake)], redis: &str) -> Instance {
        let shared = SharedState::new(redis, |_| {}).unwrap();
        let mut settings =
            LiveSettings { start_gap: Duration::ZERO, shared: Some(shared.clone()), ..LiveSettings::default() };
        for name in ProviderName::ALL {
            let url = fakes.iter().find(|(known, _)| *known == name).map(|(_, fake)| fake.url.clone());
            let provider = ProviderSettings {
                enabled: Some(url.is_some()),
                base_url: url,
                min_gap: Some(Duration::ZERO),
                per_minute: Some(0),
                ..ProviderSettings::default()
            };
            settings.providers.insert(name, provider);
        }
        let seconds = Arc::new(AtomicI64::new(world::NOW));
        let now = Arc::clone(&seconds);
        let time = TimeSource::from_fn(move || UtcTime::from_secs(now.load(Ordering::Relaxed)));
        let providers = Providers::live(&Gateway::new(settings, time.clone()));
        let options = Options { providers: Some(providers), time, shared: Some(shared), ..Options::default() };
        Instance { running: service::start(options).unwrap(), seconds }
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.running.url())
    }

    /// Sets its clock ahead of the others', or behind.
    fn advance(&self, seconds: i64) {
        self.seconds.fetch_add(seconds, Ordering::Relaxed);
    }
}

fn client() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().timeout(TEST_TIMEOUT).build().unwrap()
}

/// Sends a request to an instance and returns the status, the age and the body.
async fn get(client: &reqwest::Client, url: String) -> (u16, u64, serde_json::Value) {
    let response = client.get(url).send().await.unwrap();
    let age = response.headers().get("age").map_or(0, |age| age.to_str().unwrap().parse().unwrap());
    (response.status().as_u16(), age, serde_json::from_slice(&response.bytes().await.unwrap()).unwrap())
}

/// Different requests that need the same few upstream responses.
fn mixed_paths() -> Vec<String> {
    let mut paths = Vec::new();
    for number in 1..=40 {
        paths.push(format!("/coins?start={number}&limit={}", 250 - number));
        paths.push(format!("/coins?limit={number}&tag=brc-20"));
        paths.push(format!("/coins?start=251&limit={number}&convert=EUR"));
        paths.push(format!("/chart?slug=ordi&period=1D&convert={}", if number % 2 == 0 { "EUR" } else { "JPY" }));
        paths.push(format!("/market/data?symbol=ORDI&interval=1h&count=24&convert=USD&number={number}"));
        paths.push(format!("/coins/stats?tag=brc-20&number={number}"));
        paths.push(format!("/x/names?number={number}"));
        paths.push(format!("/ordinals/brc-20/tokens/ordi/holders?limit={number}"));
    }
    paths
}

/// How often each request for data that all clients share has arrived.
fn counts(fakes: &[(ProviderName, &Fake)]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for (name, fake) in fakes {
        // Links and contracts are requested for the rows of each client; DefiLlama's times move.
        for request in fake.requests().iter().filter(|request| !request.path.ends_with("/info")) {
            let line = if *name == DefiLlama { request.path.clone() } else { request.line() };
            *counts.entry(format!("{name} {line}")).or_default() += 1;
        }
    }
    counts
}

#[tokio::test]
async fn different_requests_of_two_instances_cost_each_upstream_request_once() {
    let Some((_redis, redis)) = redis().await else { return };
    let (cmc, gecko, frankfurter, llama, unisat) = (
        world::coinmarketcap(),
        world::coingecko(),
        world::frankfurter(),
        world::defillama(),
        indexer_fakes::UniSat::default().start(),
    );
    let fakes = [
        (CoinMarketCap, &cmc),
        (CoinGecko, &gecko),
        (Frankfurter, &frankfurter),
        (DefiLlama, &llama),
        (UniSat, &unisat),
    ];
    let instances = [Instance::start(&fakes, &redis), Instance::start(&fakes, &redis)];
    // The series of the second one begins a second earlier.
    instances[1].advance(-1);
    let (client, paths) = (client(), mixed_paths());
    let requests = (0..1_000).map(|number| {
        let instance = &instances[number % 2];
        // Each instance gets about half of the paths first.
        let path = &paths[(number / 2 + 160 * (number % 2)) % paths.len()];
        let request = client.get(instance.url(path));
        async move { (request.send().await.map_or(0, |response| response.status().as_u16()), path) }
    });
    let failed: Vec<_> = join_all(requests).await.into_iter().filter(|(status, _)| *status != 200).collect();
    assert_eq!(failed, []);
    let counts = counts(&fakes);
    assert!(counts.len() >= 8, "{counts:#?}");
    let repeated: Vec<_> = counts.iter().filter(|(_, count)| **count > 1).collect();
    assert_eq!(repeated, [], "{counts:#?}");
}

#[tokio::test]
async fn shared_response_keeps_its_age_and_expires() {
    let Some((_redis, redis)) = redis().await else { return };
    let cmc = world::coinmarketcap();
    let fakes = [(CoinMarketCap, &cmc)];
    let [one, two, three] = [(); 3].map(|()| Instance::start(&fakes, &redis));
    let (client, lists) = (client(), || cmc.paths().iter().filter(|path| path.contains("listings")).count());
    assert_eq!(get(&client, one.url("/coins?limit=1")).await.1, 0);
    two.advance(100);
    let (status, age, body) = get(&client, two.url("/coins?limit=2")).await;
    assert_eq!((status, age, lists()), (200, 100, 1));
    assert_eq!(body["data"][0]["name"], "Bitcoin");
    three.advance(301);
    let (status, age, _) = get(&client, three.url("/coins?limit=3")).await;
    assert_eq!((status, age, lists()), (200, 0, 2), "it is fresh for five minutes");
}

#[tokio::test]
async fn failed_upstream_request_is_not_repeated_by_other_instances() {
    let Some((_redis, redis)) = redis().await else { return };
    let gecko = world::coingecko();
    gecko.respond_with(json(503, "{}"));
    let fakes = [(CoinGecko, &gecko)];
    let instances = [(); 4].map(|()| Instance::start(&fakes, &redis));
    let client = client();
    let responses = instances.iter().map(|instance| get(&client, instance.url("/coins?tag=brc-20")));
    assert!(join_all(responses).await.iter().all(|(status, ..)| *status == 503));
    assert_eq!(gecko.paths(), ["/coins/markets"]);
}

#[tokio::test]
async fn rate_limit_of_one_instance_pauses_the_others() {
    let Some((_redis, redis)) = redis().await else { return };
    let gecko = world::coingecko();
    let mut limited = json(429, "{}");
    limited.headers.push(("retry-after", String::from("60")));
    gecko.respond_with(limited);
    let fakes = [(CoinGecko, &gecko)];
    let [one, two] = [(); 2].map(|()| Instance::start(&fakes, &redis));
    let client = client();
    assert_eq!(get(&client, one.url("/coins?tag=brc-20")).await.0, 503);
    // Another request to the same provider.
    assert_eq!(get(&client, two.url("/chart?slug=ordi&period=7D")).await.0, 503);
    assert_eq!(gecko.paths(), ["/coins/markets"]);
}

#[tokio::test]
async fn upstream_requests_survive_a_redis_that_ends_or_hangs() {
    for hangs in [false, true] {
        let Some((program, redis)) = redis().await else { return };
        let gecko = world::coingecko();
        let fakes = [(CoinGecko, &gecko)];
        let instances = [Instance::start(&fakes, &redis), Instance::start(&fakes, &redis)];
        let client = client();
        let all = async |path: &str| {
            let url = |number: usize| instances[number % 2].url(&format!("{path}&number={number}"));
            let responses = join_all((0..100).map(|number| get(&client, url(number)))).await;
            responses.into_iter().filter(|(status, ..)| *status != 200).count()
        };
        assert_eq!(all("/coins?tag=brc-20").await, 0);
        assert_eq!(gecko.paths(), ["/coins/markets"]);
        if hangs {
            program.suspend();
        } else {
            drop(program);
            assert_eq!(all("/chart?slug=ordi").await, 0);
            let charts = gecko.paths().iter().filter(|path| path.ends_with("market_chart")).count();
            assert!((1..=2).contains(&charts), "one of each instance: {:?}", gecko.paths());
            continue;
        }
        let began = std::time::Instant::now();
        assert_eq!(all("/chart?slug=ordi").await, 0);
        assert!(began.elapsed() < Duration::from_secs(10), "a hanging Redis has a time limit");
        program.resume();
    }
}
