//! Live prices from an exchange's socket to the service's HTTP stream.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use satscope::model::{ProviderName, Tag, UtcTime, Zone};
use satscope::service::gateway::{LiveSettings, ProviderSettings};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::Message;

use super::fake::{self, Fake, FakeResponse};
use super::{Live, world};

/// An exchange on loopback. It sends the test's messages to the socket of its only client.
struct Exchange {
    url: String,
    send: mpsc::UnboundedSender<String>,
    closed: mpsc::UnboundedReceiver<()>,
    /// What the client sends.
    requests: mpsc::UnboundedReceiver<String>,
}

impl Exchange {
    async fn start() -> Exchange {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("ws://{}", listener.local_addr().unwrap());
        let (send, mut sent) = mpsc::unbounded_channel::<String>();
        let (close, closed) = mpsc::unbounded_channel();
        let (request, requests) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let (connection, _) = listener.accept().await.unwrap();
            let mut socket = tokio_tungstenite::accept_async(connection).await.unwrap();
            loop {
                tokio::select! {
                    text = sent.recv() => match text {
                        Some(text) => socket.send(Message::text(text)).await.unwrap(),
                        None => break,
                    },
                    message = socket.next() => match message {
                        Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                        Some(Ok(Message::Text(text))) => {
                            let _ = request.send(text.as_str().to_owned());
                        }
                        Some(Ok(_)) => {}
                    }
                }
            }
            let _ = close.send(());
        });
        Exchange { url, send, closed, requests }
    }

    /// An exchange that refuses connections.
    fn unreachable() -> Exchange {
        let ((send, _), (_, closed), (_, requests)) =
            (mpsc::unbounded_channel(), mpsc::unbounded_channel(), mpsc::unbounded_channel());
        Exchange { url: String::from("ws://127.0.0.1:9"), send, closed, requests }
    }

    fn trade(&self, price: &str) {
        let text = format!(
            r#"{{"stream":"ordiusdt@miniTicker","data":{{"e":"24hrMiniTicker","s":"ORDIUSDT","c":"{price}"}}}}"#
        );
        self.send.send(text).unwrap();
    }

    /// A price of a time in seconds.
    fn trade_at(&self, secs: i64, price: &str) {
        let text = format!(r#"{{"e":"24hrMiniTicker","E":{},"s":"ORDIUSDT","c":"{price}"}}"#, secs * 1_000);
        self.send.send(text).unwrap();
    }
}

fn live(exchange: Option<&Exchange>) -> Live {
    live_over(exchange, &[])
}

/// The same, with the REST servers of some providers.
fn live_over(exchange: Option<&Exchange>, servers: &[(ProviderName, &Fake)]) -> Live {
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    for name in ProviderName::ALL {
        let stream_url = exchange.filter(|_| name == ProviderName::Binance).map(|exchange| exchange.url.clone());
        let server = servers.iter().find(|(known, _)| *known == name).map(|(_, server)| server.url.clone());
        let enabled = Some(stream_url.is_some() || server.is_some());
        let base_url = Some(server.unwrap_or_else(|| String::from("http://127.0.0.1:9")));
        let min_gap = Some(Duration::ZERO);
        let provider = ProviderSettings { enabled, base_url, stream_url, min_gap, ..ProviderSettings::default() };
        settings.providers.insert(name, provider);
    }
    Live::with(settings)
}

/// Opens a stream of the service.
async fn open(live: &Live, query: &str) -> reqwest::Response {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    client.get(format!("{}/x/stream?{query}", live.running.url())).send().await.unwrap()
}

/// Reads until a string has arrived.
async fn read_until(response: &mut reqwest::Response, wanted: &str) -> String {
    let mut all = String::new();
    while !all.contains(wanted) {
        let bytes = response.chunk().await.unwrap().expect("the stream has ended");
        all.push_str(std::str::from_utf8(&bytes).unwrap());
    }
    all
}

#[tokio::test]
async fn prices_are_server_sent_events() {
    let mut exchange = Exchange::start().await;
    let live = live(Some(&exchange));
    let mut response = open(&live, "ids=25028,unknown&convert=USD").await;
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert!(response.headers()["cache-control"].to_str().unwrap().contains("no-"), "{:?}", response.headers());
    exchange.trade("8.411");
    let text = read_until(&mut response, "8.411").await;
    assert!(text.starts_with("retry: "), "{text}");
    let data = text.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
    let update: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!((&update["provider"], &update["prices"][0]["id"]), (&"binance".into(), &"25028".into()), "{text}");
    assert!(text.contains("event: prices"), "{text}");
    exchange.trade("8.5");
    read_until(&mut response, "8.5").await;
    // The end of the service ends the stream and the socket.
    drop(live);
    while let Ok(Some(_)) = response.chunk().await {}
    let _ = exchange.closed.recv().await;
}

#[tokio::test]
async fn stream_says_why_an_exchange_sends_no_prices() {
    let live = live(Some(&Exchange::unreachable()));
    let mut response = open(&live, "ids=25028&convert=USD").await;
    assert_eq!(response.status(), 200);
    let text = read_until(&mut response, "}\n").await;
    let data = text.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
    let update: serde_json::Value = serde_json::from_str(data).unwrap();
    let failure = update["failure"].as_str().unwrap_or_default();
    assert!(failure.starts_with("Binance: ") && failure.contains("connection refused"), "{text}");
    assert_eq!((&update["provider"], &update["prices"]), (&"binance".into(), &serde_json::json!([])));
}

#[tokio::test]
async fn prices_bring_the_range_of_the_day_in_the_same_currency() {
    let exchange = Exchange::start().await;
    let frankfurter = world::frankfurter();
    let live = live_over(Some(&exchange), &[(ProviderName::Frankfurter, &frankfurter)]);
    // One unit is 1000 SATS; a euro is 0.8731 dollars.
    let mut response = open(&live, "ids=sats-ordinals&convert=EUR").await;
    for (price, low, high, expected) in [
        ("0.20", "0.10", "0.30", Some((0.000_1 * 0.8731, 0.000_3 * 0.8731))),
        ("0.201", "0.25", "0.30", None),
        ("0.202", "0", "0.30", None),
        ("0.203", "0.3", "0.1", None),
    ] {
        let ticker = format!(r#"{{"e":"24hrMiniTicker","s":"1000SATSUSDT","c":"{price}","l":"{low}","h":"{high}"}}"#);
        exchange.send.send(ticker).unwrap();
        let text = read_until(&mut response, "}]}").await;
        let data = text.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
        let update: serde_json::Value = serde_json::from_str(data).unwrap();
        let of = |name: &str| update["prices"][0].get(name).map(|value| value.as_f64().unwrap());
        match (of("low_24h").zip(of("high_24h")), expected) {
            (Some((low, high)), Some((least, most))) => {
                assert!((low / least - 1.0).abs() < 1e-9 && (high / most - 1.0).abs() < 1e-9, "{text}");
            }
            (found, expected) => assert_eq!(found, expected, "{text}"),
        }
    }
}

#[tokio::test]
async fn built_in_coins_do_not_wait_for_the_exchanges_list() {
    let exchange = Exchange::start().await;
    let cmc = world::coinmarketcap();
    // It never responds.
    let binance = Fake::start(|_| FakeResponse { delay: Duration::from_hours(1), ..fake::json(200, "") });
    let live = live_over(Some(&exchange), &[(ProviderName::Binance, &binance), (ProviderName::CoinMarketCap, &cmc)]);
    live.coins(Tag::All, 1, 200).await;
    let mut response = open(&live, "ids=25028,40002&convert=USD").await;
    assert_eq!(response.status(), 200);
    exchange.trade("8.411");
    read_until(&mut response, "8.411").await;
}

#[tokio::test]
async fn coin_of_the_exchanges_list_is_subscribed_to() {
    let mut exchange = Exchange::start().await;
    let (cmc, binance) = (world::coinmarketcap(), world::binance());
    let live = live_over(Some(&exchange), &[(ProviderName::Binance, &binance), (ProviderName::CoinMarketCap, &cmc)]);
    live.coins(Tag::All, 1, 200).await;
    // Bitcoin is built in; other-2 is in the list, at its price, and other-3 at that of another coin.
    let response = open(&live, "ids=1,40002,40003&convert=USD").await;
    assert_eq!(response.status(), 200);
    let request = exchange.requests.recv().await.unwrap();
    assert!(request.contains("SUBSCRIBE") && request.contains("o2usdt@miniTicker"), "{request}");
    assert!(!request.contains("o3usdt"), "{request}");
}

#[tokio::test]
async fn streams_without_prices_are_refused() {
    let exchange = Exchange::start().await;
    let service = live(Some(&exchange));
    assert_eq!(open(&service, "ids=unknown").await.status(), 204, "no exchange lists it");
    assert_eq!(open(&service, "ids=25028&convert=BTC").await.status(), 204, "a coin as the currency");
    let many = vec!["x"; 401].join(",");
    for query in ["", "ids=", "ids=25028&convert=no-code!", &format!("ids={many}")] {
        assert_eq!(open(&service, query).await.status(), 400, "{query}");
    }
    assert_eq!(open(&live(None), "ids=25028").await.status(), 501);
}

#[tokio::test]
async fn prices_are_old_by_the_clocks_of_the_providers() {
    const HOUR: i64 = 3_600;
    // The local clock is right, an hour behind, or an hour ahead, or the data is an hour old.
    for (now, age) in [(world::NOW, 0), (world::NOW + HOUR, 0), (world::NOW - HOUR, 0), (world::NOW, HOUR)] {
        let exchange = Exchange::start().await;
        let cmc = world::coinmarketcap();
        cmc.edit(move |_, mut response| {
            let date = Zone::UTC.at(UtcTime::from_secs(now)).strftime("%a, %d %b %Y %H:%M:%S GMT");
            response.headers.extend([("date", date.to_string()), ("age", age.to_string())]);
            response
        });
        let live = live_over(Some(&exchange), &[(ProviderName::CoinMarketCap, &cmc)]);
        live.coins(Tag::All, 1, 200).await;
        let mut response = open(&live, "ids=25028&convert=USD").await;
        exchange.trade_at(now - HOUR, "7.7");
        exchange.trade_at(now, "8.5");
        let text = read_until(&mut response, "8.5").await;
        assert!(!text.contains("7.7"), "{text}");
    }
}

#[tokio::test]
async fn prices_that_contradict_the_list_are_not_streamed() {
    let exchange = Exchange::start().await;
    let cmc = world::coinmarketcap();
    let live = live_over(Some(&exchange), &[(ProviderName::CoinMarketCap, &cmc)]);
    live.coins(Tag::All, 1, 200).await;
    let mut response = open(&live, "ids=25028&convert=USD").await;
    // The list says 8.41. A first price that is far from it has to be confirmed.
    for price in ["3.3", "8411", "3.4", "8.5"] {
        exchange.trade(price);
    }
    let text = read_until(&mut response, "8.5").await;
    assert!(!text.contains("3.3") && !text.contains("3.4") && !text.contains("8411"), "{text}");
    let (_, _, body) = live.raw("/x/sources").await;
    let binance = body.as_array().unwrap().iter().find(|source| source["name"] == "binance").unwrap();
    assert_eq!(binance["missing"], "Skipped live prices of ORDI, which contradict the list");
    for price in ["3.3", "3.2"] {
        exchange.trade(price);
    }
    read_until(&mut response, "3.2").await;
}
