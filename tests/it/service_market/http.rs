//! Invalid parameters, caching, compression, methods, fault injection, starting and stopping.

use std::time::Duration;

use reqwest::Method;
use satscope::model::UtcTime;
use satscope::service::{self, Error, FaultInjection, Options};

use super::{ODD, Service};
use crate::support::own_address;

/// `Cache-Control` for clients and shared caches.
fn shared(seconds: u64) -> String {
    format!("public, max-age={seconds}, s-maxage={seconds}, stale-while-revalidate={seconds}, stale-if-error=3600")
}

#[tokio::test]
async fn invalid_parameter_is_named() {
    let service = Service::at(1, ODD);
    for (path, parameter) in [
        ("/coins?tag=brc20", "tag"),
        ("/coins?start=0", "start"),
        ("/coins?start=", "start"),
        ("/coins?ids=%0B", "ids"),
        ("/content?symbol=BTC&post_type=%20", "post_type"),
        ("/coins?limit=%205", "limit"),
        ("/coins?limit=05", "limit"),
        ("/coins?limit=3&limit=3", "limit"),
        ("/coins/stats?convert=EUR&convert=USD", "convert"),
        ("/chart?slug=bitcoin&slug=ordi", "slug"),
        ("/x/rates?dates=2025-03-02&from=EUR&from=GBP", "from"),
        ("/coins?start=00", "start"),
        ("/market/data?symbol=BTC&count=%2B5", "count"),
        ("/coins?start=-1", "start"),
        ("/coins?limit=5001", "limit"),
        ("/coins?limit=ten", "limit"),
        ("/coins?convert=XXX", "convert"),
        ("/coins?ids=,", "ids"),
        ("/coins?ids=1&start=null", "start"),
        ("/coins?ids=1&tag=x", "tag"),
        ("/coins/stats?tag=defi", "tag"),
        ("/content?post_type=best&symbol=BTC", "post_type"),
        ("/exchanges?symbol=%20", "symbol"),
        ("/exchanges?symbol=BTC&convert=%00", "convert"),
        ("/chart?slug=bitcoin&period=1Y", "period"),
        ("/chart?slug=bitcoin&convert=moon", "convert"),
        ("/market/data?symbol=,", "symbol"),
        ("/x/rates?dates=2025-03-02&from=EUR%0A", "from"),
        ("/x/address/abc", "address"),
        ("/x/address/%FF", "address"),
        ("/market/data?symbol=BTC&interval=1m", "interval"),
        ("/market/data?symbol=BTC&count=0", "count"),
        ("/market/data?symbol=BTC&count=10001", "count"),
    ] {
        let got = service.get(path).await;
        assert_eq!(got.status, 400, "{path}");
        let json = got.json();
        assert_eq!(json["parameter"], parameter, "{path}");
        assert_eq!(json["status"]["error_code"], 400);
        let now = UtcTime::from_secs(ODD).to_string();
        assert_eq!(json["status"]["timestamp"], now, "the service's clock, not the system's");
        let message = json["status"]["error_message"].as_str().unwrap();
        assert!(message.starts_with(&format!("parameter \"{parameter}\" must ")), "{message}");
        assert!(json.get("data").is_none());
        assert_eq!(got.header("cache-control"), "no-store");
    }
}

#[tokio::test]
async fn missing_parameter_is_named() {
    let service = Service::at(1, ODD);
    let symbol = "\"symbol\" (a coin's symbol, such as \"BTC\")";
    let currencies = "\"from\" (1 to 20 currency codes such as EUR, separated by commas)";
    for (path, missing) in [
        ("/content?post_type=top", symbol),
        ("/exchanges", symbol),
        ("/exchanges?symbol=", symbol),
        ("/chart", "\"slug\" (a coin's slug, such as \"bitcoin\")"),
        ("/market/data", "\"symbol\" (1 to 200 symbols, separated by commas)"),
        ("/x/rates?dates=2025-03-02", currencies),
        ("/x/stream", "\"ids\" (1 to 400 coin IDs, separated by commas)"),
    ] {
        let got = service.get(path).await;
        assert_eq!(got.status, 400, "{path}");
        let json = got.json();
        assert_eq!(json["status"]["error_message"], format!("missing parameter {missing}"), "{path}");
        assert_eq!(json["parameter"].as_str(), missing.split('"').nth(1), "{path}");
    }
}

#[tokio::test]
async fn unknown_coin_is_404() {
    let service = Service::at(1, ODD);
    for path in [
        "/content?symbol=NOSUCHCOIN",
        "/exchanges?symbol=NOSUCHCOIN",
        "/chart?slug=no-such-coin",
        "/market/data?symbol=NOSUCHCOIN,NORTHIS",
        "/no/such/path",
        "/coins/",
        "/%00%ff",
    ] {
        let got = service.get(path).await;
        assert_eq!((got.status, got.header("content-type")), (404, "application/json"), "{path}");
        assert_eq!(got.json()["status"]["error_code"], 404);
    }
    let got = service.send(Method::POST, "/coins", &[]).await;
    assert_eq!((got.status, got.json()["status"]["error_code"].as_u64()), (405, Some(405)));
    assert!(got.header("allow").contains("GET"));
}

#[tokio::test]
async fn unknown_parameters_are_ignored_and_unusual_ones_are_read() {
    let service = Service::at(1, ODD);
    let plain = service.get("/coins?limit=3").await;
    let with = service.get("/coins?limit=3&foo=bar&&=&x&foo=4").await;
    assert!(plain.body == with.body);
    let fire = service.data("/exchanges?symbol=%F0%9F%94%A5").await;
    assert!(fire.get("🔥").is_some());
}

#[tokio::test]
async fn same_seed_and_time_give_same_market_bytes() {
    let (one, two, other) = (Service::at(11, ODD), Service::at(11, ODD), Service::at(12, ODD));
    for path in [
        "/coins?limit=150&convert=EUR",
        "/coins/stats",
        "/content?post_type=top&symbol=BTC",
        "/content?post_type=latest&symbol=ORDI",
        "/exchanges?symbol=ETH",
        "/chart?slug=ordi&period=1M",
        "/market/data?symbol=BTC,ETH&count=50&interval=4h",
    ] {
        let first = one.get(path).await;
        assert!(first.body == one.get(path).await.body, "{path}");
        assert!(first.body == two.get(path).await.body, "{path}");
        assert!(first.body != other.get(path).await.body, "{path}");
    }
}

#[tokio::test]
async fn unchanged_response_is_304() {
    let service = Service::at(1, ODD);
    for path in ["/coins", "/content?symbol=BTC", "/chart?slug=bitcoin", "/openapi.json", "/"] {
        let full = service.get(path).await;
        let etag = full.header("etag").to_owned();
        assert!(etag.starts_with("W/\"") && full.header("cache-control").starts_with("public, max-age="), "{path}");
        let strong = etag.trim_start_matches("W/");
        for known in [etag.as_str(), strong, "*", &format!("\"other\", {etag}")] {
            let got = service.send(Method::GET, path, &[("if-none-match", known)]).await;
            assert_eq!((got.status, got.body.len()), (304, 0), "{path} {known}");
            assert_eq!(
                (got.header("etag"), got.header("cache-control")),
                (etag.as_str(), full.header("cache-control"))
            );
        }
        let got = service.send(Method::GET, path, &[("if-none-match", "\"other\", W/\"another\"")]).await;
        assert_eq!(got.status, 200);
    }
    let later = Service::at(1, ODD + 5);
    let etag = service.get("/coins").await.header("etag").to_owned();
    assert_eq!(later.send(Method::GET, "/coins", &[("if-none-match", &etag)]).await.status, 200, "prices moved");
}

#[tokio::test]
async fn responses_with_prices_have_short_max_age() {
    let service = Service::at(1, ODD);
    for (path, seconds) in [
        ("/coins?limit=1", 10),
        ("/coins/stats", 10),
        ("/market/data?symbol=BTC", 10),
        ("/chart?slug=bitcoin&period=1D", 10),
        ("/chart?slug=bitcoin&period=7D", 60),
        ("/chart?slug=bitcoin&period=3M", 300),
        ("/content?symbol=BTC", 300),
        ("/content?symbol=BTC&post_type=latest", 60),
        ("/exchanges?symbol=BTC", 60),
    ] {
        let got = service.get(path).await;
        assert_eq!(got.header("cache-control"), shared(seconds), "{path}");
    }
}

#[tokio::test]
async fn max_age_option_sets_max_age() {
    let service = Service::with(Options { max_age: Some(Duration::from_secs(2)), ..Options::default() });
    for path in
        ["/", "/coins?limit=1", "/content?symbol=BTC", "/ordinals/brc-20/tokens", "/ordinals/brc-20/tokens/ordi"]
    {
        let got = service.get(path).await;
        assert_eq!((got.status, got.header("cache-control")), (200, shared(2).as_str()), "{path}");
        let again = service.send(Method::GET, path, &[("if-none-match", got.header("etag"))]).await;
        assert_eq!(again.header("cache-control"), shared(2), "{path}");
    }
    for path in ["/nowhere", "/coins?tag=none", "/ordinals/brc-20/tokens/none"] {
        let got = service.get(path).await;
        assert!(got.status >= 400 && !got.header("cache-control").contains("max-age=2"), "{path}");
    }
}

#[tokio::test]
async fn long_responses_are_compressed_on_request() {
    let service = Service::at(1, ODD);
    // A client without automatic decompression.
    let raw = reqwest::Client::builder().no_proxy().no_gzip().no_brotli().no_deflate().build().unwrap();
    let url = format!("{}/coins?limit=200", service.running.url());
    let plain = raw.get(&url).send().await.unwrap();
    assert!(plain.headers().get("content-encoding").is_none());
    let etag = plain.headers()["etag"].clone();
    let plain = plain.bytes().await.unwrap();
    let packed = raw.get(&url).header("accept-encoding", "gzip").send().await.unwrap();
    assert_eq!(packed.headers()["content-encoding"], "gzip");
    assert_eq!(packed.headers()["etag"], etag);
    let packed = packed.bytes().await.unwrap();
    assert!(packed.len() * 2 < plain.len() && packed.starts_with(&[0x1f, 0x8b]), "{}", packed.len());
    assert!(service.get("/coins?limit=200").await.body == plain);
}

#[tokio::test]
async fn manual_refresh_is_compressed_before_it_is_sent() {
    let service = Service::at(1, ODD);
    let raw = reqwest::Client::builder().no_proxy().no_gzip().no_brotli().no_deflate().no_zstd().build().unwrap();
    let url = format!("{}/coins?limit=200", service.running.url());
    for encoding in ["gzip", "zstd"] {
        let request = raw.get(&url).header("accept-encoding", encoding).header("cache-control", "no-cache");
        let got = request.send().await.unwrap();
        assert_eq!(
            (&got.headers()["content-encoding"], &got.headers()["vary"]),
            (&encoding.parse().unwrap(), &"accept-encoding".parse().unwrap())
        );
        // Without a length, it would be compressed while it is sent, which delays other clients.
        let length: usize = got.headers()["content-length"].to_str().unwrap().parse().unwrap();
        let head = raw.head(&url).header("accept-encoding", encoding).header("cache-control", "no-cache");
        assert_eq!(head.send().await.unwrap().headers()["content-length"], length.to_string());
        assert_eq!(got.bytes().await.unwrap().len(), length);
    }
}

#[tokio::test]
async fn uncompressed_response_names_the_encodings_it_varies_by() {
    let service = Service::at(1, ODD);
    for path in ["/coins?limit=200", "/ordinals/brc-20/tokens?limit=60"] {
        for method in [Method::GET, Method::HEAD] {
            let got = service.send(method, path, &[("accept-encoding", "identity")]).await;
            assert_eq!((got.status, got.header("vary")), (200, "accept-encoding"), "{path}");
        }
    }
}

#[tokio::test]
async fn head_is_get_without_body() {
    let service = Service::at(1, ODD);
    let got = service.send(Method::HEAD, "/coins", &[]).await;
    assert_eq!((got.status, got.body.len()), (200, 0));
    assert_eq!(got.header("etag"), service.get("/coins").await.header("etag"));
}

#[tokio::test]
async fn coins_by_id_are_those_of_the_list() {
    let service = Service::at(1, ODD);
    let list = service.list("/coins?limit=5").await;
    let ids: Vec<String> = list.iter().rev().map(|coin| coin["id"].to_string()).collect();
    let found = service.list(&format!("/coins?ids={},987654321", ids.join(","))).await;
    assert!(found.iter().eq(list.iter().rev()), "{found:?}");
    let many: Vec<String> = (0..201).map(|id| id.to_string()).collect();
    let got = service.get(&format!("/coins?ids={}", many.join(","))).await;
    assert_eq!((got.status, &got.json()["parameter"]), (400, &serde_json::json!("ids")));
}

#[tokio::test]
async fn names_are_those_of_the_list() {
    let service = Service::at(1, ODD);
    let list = service.list("/coins?limit=5000").await;
    let names = service.get("/x/names").await.json();
    let names = names.as_array().unwrap();
    assert_eq!(names.len(), list.len());
    for (name, coin) in names.iter().zip(&list) {
        assert_eq!(name["id"].as_str().unwrap(), coin["id"].to_string());
        for field in ["name", "symbol", "slug"] {
            assert_eq!(name[field], coin[field]);
        }
    }
}

#[tokio::test]
async fn injected_faults_are_served_as_configured() {
    let service = Service::with_faults(FaultInjection {
        limit_every: 3,
        retry_after: Duration::from_secs(7),
        ..FaultInjection::default()
    });
    let mut statuses = Vec::new();
    for _ in 0..6 {
        let got = service.get("/").await;
        statuses.push(got.status);
        if got.status == 429 {
            assert_eq!(got.header("retry-after"), "7");
            assert_eq!(got.json()["status"]["error_code"], 429);
        }
    }
    assert_eq!(statuses, [200, 200, 429, 200, 200, 429]);
    assert_eq!(service.running.requests(), 6);

    let half = FaultInjection { error_rate: 0.5, ..FaultInjection::default() };
    let mut runs = Vec::new();
    for _ in 0..2 {
        let service = Service::with_faults(half.clone());
        let mut statuses = Vec::new();
        for _ in 0..40 {
            statuses.push(service.get("/").await.status);
        }
        runs.push(statuses);
    }
    assert_eq!(runs[0], runs[1], "faults are deterministic");
    let failed = runs[0].iter().filter(|status| **status == 500).count();
    assert!((8..=32).contains(&failed), "{failed}");
}

#[tokio::test]
async fn delayed_response_does_not_delay_shutdown() {
    let service =
        Service::with_faults(FaultInjection { delay: Duration::from_secs(3_600), ..FaultInjection::default() });
    let (client, url) = (service.client.clone(), service.running.url());
    let waiting = tokio::spawn(async move { client.get(url).send().await });
    while service.running.requests() == 0 {
        tokio::task::yield_now().await;
    }
    assert!(!waiting.is_finished());
    drop(service);
    assert!(waiting.await.unwrap().is_err(), "the connection ends with the service");
}

#[tokio::test]
async fn stopped_service_releases_its_port() {
    let service = Service::with(Options { listen: own_address(2), ..Options::default() });
    let address = service.running.address();
    assert!(address.ip().is_loopback() && address.port() != 0);
    match service::start(Options { listen: address, ..Options::default() }) {
        Err(error @ Error::AddressInUse(_)) => assert!(error.to_string().contains("in use"), "{error}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(service.get("/").await.status, 200);
    drop(service);
    let again = service::start(Options { listen: address, ..Options::default() }).unwrap();
    assert_eq!(again.address(), address);
}

#[tokio::test]
async fn standalone_service_prints_address_and_stops_on_signal() {
    let (announce, announced) = tokio::sync::oneshot::channel();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving =
        tokio::spawn(service::serve(Options::default(), move |address| announce.send(address).unwrap(), async move {
            stopped.await.unwrap()
        }));
    let address = announced.await.unwrap();
    let service = Service::at(1, ODD);
    let response = service.client.get(format!("http://{address}/")).send().await.unwrap();
    assert_eq!(response.status().as_u16(), 200);
    stop.send(()).unwrap();
    serving.await.unwrap().unwrap();
}
