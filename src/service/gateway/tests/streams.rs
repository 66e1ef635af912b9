//! Live prices from fake exchanges on loopback sockets.

mod exchanges;
pub(super) mod fake;
mod listings;

use futures_util::StreamExt as _;

use super::*;
use crate::model::PriceUpdate;
use crate::service::backend::extensions::{ExtensionProvider as _, PriceStream};
use crate::service::providers::coin_ref::Listing;
use crate::service::providers::source::{RateSource, Rates};
use crate::service::upstream::budget::Shared;
use crate::service::upstream::usage::UsageTracker;
use fake::FakeExchange;

const ORDI: &str = "25028";
pub(super) const BTC: &str = "1";

pub(super) fn settings(binance: Option<&FakeExchange>, okx: Option<&FakeExchange>) -> LiveSettings {
    let mut settings = LiveSettings::default();
    for (name, fake) in [(ProviderName::Binance, binance), (ProviderName::Okx, okx)] {
        let provider = settings.providers.entry(name).or_default();
        provider.enabled = Some(fake.is_some());
        provider.stream_url = fake.map(|fake| fake.url.clone());
        provider.base_url = Some(String::from("http://127.0.0.1:9"));
    }
    settings
}

fn gateway(binance: Option<&FakeExchange>, okx: Option<&FakeExchange>) -> Gateway {
    let began = Instant::now();
    let time = TimeSource::from_fn(move || START.plus(began.elapsed()));
    Gateway::new(settings(binance, okx), time)
}

pub(super) async fn listen(gateway: &Gateway, ids: &[&str]) -> PriceStream {
    let ids: Vec<CoinId> = ids.iter().map(|id| CoinId(Text::from(*id))).collect();
    gateway.stream_prices(&ids, &Currency::usd()).await.unwrap().expect("a listed coin")
}

/// A price without a time.
pub(super) fn binance(symbol: &str, price: &str) -> String {
    binance_at("null", symbol, price)
}

/// A price of a time in milliseconds.
fn binance_at(time: impl std::fmt::Display, symbol: &str, price: &str) -> String {
    format!(
        r#"{{"stream":"{}@miniTicker","data":{{"e":"24hrMiniTicker","E":{time},"s":"{symbol}","c":"{price}"}}}}"#,
        symbol.to_lowercase()
    )
}

fn okx(symbol: &str, price: &str) -> String {
    format!(
        r#"{{"arg":{{"channel":"tickers","instId":"{symbol}"}},"data":[{{"instId":"{symbol}","last":"{price}"}}]}}"#
    )
}

fn prices(update: &PriceUpdate) -> Vec<(&str, f64)> {
    update.prices.iter().map(|price| (price.id.0.as_str(), price.price)).collect()
}

#[tokio::test(start_paused = true)]
async fn prices_of_an_exchange_reach_the_listener() {
    let exchange = FakeExchange::start().await;
    let gateway = gateway(Some(&exchange), None);
    let mut stream = listen(&gateway, &[ORDI, "sats-ordinals"]).await;
    assert_eq!(exchange.next().await, "open /stream?streams=1000satsusdt@miniTicker/ordiusdt@miniTicker");
    exchange.send(&binance("ORDIUSDT", "8.411"));
    let update = stream.next().await.unwrap();
    assert_eq!((update.provider.as_str(), prices(&update)), ("binance", vec![(ORDI, 8.411)]));
    exchange.send(&binance("1000SATSUSDT", "0.00025"));
    let update = stream.next().await.unwrap();
    assert_eq!(prices(&update), [("sats-ordinals", 0.00025 / 1000.0)], "the price of one coin");
}

#[tokio::test(start_paused = true)]
async fn updates_are_coalesced_to_two_a_second() {
    let exchange = FakeExchange::start().await;
    let gateway = gateway(Some(&exchange), None);
    let mut stream = listen(&gateway, &[BTC]).await;
    exchange.next().await;
    exchange.send(&binance("BTCUSDT", "60000"));
    stream.next().await.unwrap();
    let began = Instant::now();
    let mut updates = 0;
    for tick in 1..=100 {
        exchange.send(&binance("BTCUSDT", &format!("{}", 60_000 + tick)));
    }
    let mut last = 0.0;
    while last < 60_100.0 {
        last = stream.next().await.unwrap().prices[0].price;
        updates += 1;
    }
    assert!(updates <= 2 + 2 * began.elapsed().as_secs(), "{updates} updates in {:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn many_symbols_are_subscribed_to_in_batches() {
    let exchange = FakeExchange::start().await;
    let gateway = gateway(Some(&exchange), None);
    let ids: Vec<String> = (100..480).map(|n| format!("many-{n}")).collect();
    for id in &ids {
        let text = Text::from(id.as_str());
        let mut coin = CoinRef::new(CoinId(text.clone()), text.clone(), text.clone(), text);
        let symbol = Text::from(format!("{}USDT", id.replace('-', "").to_uppercase()));
        coin.listings.set(ProviderName::Binance, Some(Listing { symbol, factor: 1.0 }));
        gateway.identity().insert(coin);
    }
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let _stream = listen(&gateway, &ids).await;
    let mut counts = Vec::new();
    for _ in 0..3 {
        counts.push(exchange.next().await.matches("@miniTicker").count());
    }
    assert_eq!(counts, [150, 150, 80]);
}

#[tokio::test(start_paused = true)]
async fn two_listeners_share_a_socket() {
    let exchange = FakeExchange::start().await;
    let gateway = gateway(Some(&exchange), None);
    let mut first = listen(&gateway, &[ORDI]).await;
    assert_eq!(exchange.next().await, "open /stream?streams=ordiusdt@miniTicker");
    let mut second = listen(&gateway, &[BTC, ORDI]).await;
    assert_eq!(exchange.next().await, r#"{"id":1,"method":"SUBSCRIBE","params":["btcusdt@miniTicker"]}"#);
    exchange.send(&binance("ORDIUSDT", "8"));
    assert_eq!(prices(&first.next().await.unwrap()), [(ORDI, 8.0)]);
    assert_eq!(prices(&second.next().await.unwrap()), [(ORDI, 8.0)]);
    // A third listener gets the last price at once.
    let mut third = listen(&gateway, &[ORDI]).await;
    assert_eq!(prices(&third.next().await.unwrap()), [(ORDI, 8.0)]);

    drop(second);
    assert_eq!(exchange.next().await, r#"{"id":2,"method":"UNSUBSCRIBE","params":["btcusdt@miniTicker"]}"#);
    drop((first, third));
    assert_eq!(exchange.next().await, "closed");
    assert_eq!(exchange.connections(), 1);
    assert!(gateway.0.ticker.is_unused());
}

#[tokio::test(start_paused = true)]
async fn suspended_program_has_no_socket() {
    let exchange = FakeExchange::start().await;
    let gateway = gateway(Some(&exchange), None);
    gateway.suspend_streams().await;
    gateway.resume_streams();
    let mut stream = listen(&gateway, &[ORDI]).await;
    assert!(exchange.next().await.starts_with("open"));
    let began = Instant::now();
    gateway.suspend_streams().await;
    assert_eq!(exchange.next().await, "closed");
    assert!(began.elapsed() < Duration::from_millis(300), "{:?}", began.elapsed());
    tokio::time::sleep(Duration::from_mins(10)).await;
    assert_eq!(exchange.connections(), 1, "not opened again, although somebody listens");
    // Nor by a task that was about to open one.
    assert!(!gateway.0.ticker.begin_socket());
    gateway.resume_streams();
    assert!(exchange.next().await.starts_with("open"));
    exchange.send(&binance("ORDIUSDT", "8.5"));
    assert_eq!(prices(&stream.next().await.unwrap()), [(ORDI, 8.5)]);

    // Without a listener, the task ends while suspended.
    gateway.suspend_streams().await;
    assert_eq!(exchange.next().await, "closed");
    drop(stream);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(gateway.0.ticker.stop_if_unused());
    gateway.resume_streams();
    tokio::time::sleep(Duration::from_mins(1)).await;
    assert_eq!(exchange.connections(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_new_listener_keeps_the_socket_open() {
    let exchange = FakeExchange::start().await;
    let gateway = gateway(Some(&exchange), None);
    for _ in 0..5 {
        let stream = listen(&gateway, &[ORDI]).await;
        tokio::time::sleep(Duration::from_secs(5)).await;
        drop(stream);
        tokio::time::sleep(Duration::from_secs(5)).await;
    }
    assert_eq!(exchange.connections(), 1);
}

#[tokio::test(start_paused = true)]
async fn socket_is_opened_again_after_it_was_closed() {
    let exchange = FakeExchange::start().await;
    let gateway = gateway(Some(&exchange), None);
    let _stream = listen(&gateway, &[ORDI]).await;
    let mut waits = Vec::new();
    for _ in 0..5 {
        let began = Instant::now();
        assert!(exchange.next().await.starts_with("open"), "a connection");
        waits.push(began.elapsed());
        exchange.close();
        assert_eq!(exchange.next().await, "closed");
    }
    assert!(waits.windows(2).skip(1).all(|pair| pair[0] < pair[1]), "backoff: {waits:?}");
    assert!(waits[4] >= Duration::from_secs(30), "{waits:?}");
}

#[tokio::test(start_paused = true)]
async fn silent_socket_is_replaced() {
    let exchange = FakeExchange::start().await;
    let gateway = gateway(Some(&exchange), None);
    let _stream = listen(&gateway, &[ORDI]).await;
    exchange.wait_for_connection().await;
    exchange.stop_reading();
    let began = Instant::now();
    exchange.wait_for_connection().await;
    assert!(began.elapsed() >= Duration::from_secs(30), "{:?}", began.elapsed());
    assert!(began.elapsed() <= Duration::from_secs(60), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn quiet_market_keeps_the_socket() {
    let exchange = FakeExchange::start().await;
    let gateway = gateway(Some(&exchange), None);
    let _stream = listen(&gateway, &[ORDI]).await;
    exchange.wait_for_connection().await;
    for _ in 0..15 {
        exchange.send(&binance("ORDIUSDT", "8"));
        tokio::time::sleep(Duration::from_mins(4)).await;
    }
    assert_eq!(exchange.connections(), 1, "the exchange answers pings");
}

#[tokio::test(start_paused = true)]
async fn socket_without_prices_is_lost() {
    let (exchange, fallback) = (FakeExchange::start().await, FakeExchange::start().await);
    let gateway = gateway(Some(&exchange), Some(&fallback));
    let _stream = listen(&gateway, &[BTC]).await;
    exchange.wait_for_connection().await;
    let began = Instant::now();
    fallback.wait_for_connection().await;
    assert!(began.elapsed() >= Duration::from_mins(5), "{:?}", began.elapsed());
    assert!(began.elapsed() <= Duration::from_mins(6), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn socket_of_a_coin_that_trades_rarely_stays_open() {
    let (exchange, fallback) = (FakeExchange::start().await, FakeExchange::start().await);
    let gateway = gateway(Some(&exchange), Some(&fallback));
    let mut stream = listen(&gateway, &[ORDI]).await;
    exchange.wait_for_connection().await;
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_secs(36)).await;
        // Lets the responses to pings arrive before the paused clock moves on.
        for _ in 0..200 {
            tokio::task::yield_now().await;
        }
    }
    exchange.send(&binance("ORDIUSDT", "8.4"));
    assert_eq!(prices(&stream.next().await.unwrap()), [(ORDI, 8.4)]);
    assert_eq!((exchange.connections(), fallback.connections()), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn socket_is_replaced_before_a_day_has_passed() {
    let exchange = FakeExchange::start().await;
    let gateway = gateway(Some(&exchange), None);
    let _stream = listen(&gateway, &[ORDI]).await;
    exchange.wait_for_connection().await;
    let began = Instant::now();
    let trade = async {
        loop {
            exchange.send(&binance("ORDIUSDT", "8"));
            tokio::time::sleep(Duration::from_mins(4)).await;
        }
    };
    tokio::select! {
        () = exchange.wait_for_connection() => {}
        () = trade => {}
    }
    assert!(began.elapsed() > Duration::from_hours(20) && began.elapsed() < Duration::from_hours(24));
}

#[tokio::test(start_paused = true)]
async fn repeated_unreadable_messages_close_the_socket() {
    let (exchange, fallback) = (FakeExchange::start().await, FakeExchange::start().await);
    let gateway = gateway(Some(&exchange), Some(&fallback));
    let mut stream = listen(&gateway, &[ORDI]).await;
    exchange.wait_for_connection().await;
    for garbage in ["", "{", "null", "[[[[", "\u{202e}", r#"{"data":{"e":"24hrMiniTicker","s":"ORDIUSDT","c":"inf"}}"#]
    {
        exchange.send(garbage);
    }
    exchange.send_bytes(&[0, 159, 146, 150]);
    exchange.send(&binance("UNKNOWNUSDT", "1"));
    exchange.send(&binance("ORDIUSDT", "8"));
    assert_eq!(prices(&stream.next().await.unwrap()), [(ORDI, 8.0)]);
    for _ in 0..20 {
        exchange.send("garbage");
    }
    fallback.wait_for_connection().await;
    assert_eq!(exchange.connections(), 1, "not reconnected at once");
}

#[tokio::test(start_paused = true)]
async fn huge_message_ends_the_socket() {
    let (exchange, fallback) = (FakeExchange::start().await, FakeExchange::start().await);
    let gateway = gateway(Some(&exchange), Some(&fallback));
    let _stream = listen(&gateway, &[ORDI]).await;
    exchange.wait_for_connection().await;
    exchange.send(&"x".repeat(1 << 20));
    fallback.wait_for_connection().await;
}

struct RisingRate(AtomicUsize);

#[async_trait]
impl RateSource for RisingRate {
    async fn rates(&self) -> SourceResult<Rates> {
        let rate = self.0.fetch_add(1, SeqCst) as f64 + 1.0;
        Ok(Rates { per_dollar: [(Currency::parse("EUR").unwrap(), rate)].into(), day: None })
    }
}

#[tokio::test(start_paused = true)]
async fn exchange_rate_of_a_long_stream_is_renewed() {
    let exchange = FakeExchange::start().await;
    let settings = settings(Some(&exchange), None);
    let began = Instant::now();
    let time = TimeSource::from_fn(move || START.plus(began.elapsed()));
    let shared = Shared::new(UsageTracker::new(settings.store.clone()), time.clone(), settings.start_gap);
    let mut providers = providers::all(|name| settings.provider(name), &shared);
    let rates: Arc<dyn RateSource> = Arc::new(RisingRate(AtomicUsize::new(0)));
    providers.iter_mut().for_each(|provider| provider.rates = Arc::clone(&rates));
    let gateway = Gateway::with_providers(providers, settings, time);
    let ids = [CoinId(Text::const_new(ORDI))];
    let euro = Currency::parse("EUR").unwrap();
    let mut stream = gateway.stream_prices(&ids, &euro).await.unwrap().unwrap();
    exchange.wait_for_connection().await;
    exchange.send(&binance("ORDIUSDT", "8"));
    assert_eq!(prices(&stream.next().await.unwrap()), [(ORDI, 8.0)]);
    tokio::time::sleep(Duration::from_mins(2)).await;
    assert_eq!(manually(gateway.rate(&euro)).await.map(|rate| rate.per_dollar), Ok(2.0));
    exchange.send(&binance("ORDIUSDT", "8"));
    assert_eq!(prices(&stream.next().await.unwrap()), [(ORDI, 16.0)]);
}

#[tokio::test(start_paused = true)]
async fn prices_in_a_coin_are_not_streamed() {
    let exchange = FakeExchange::start().await;
    let gateway = gateway(Some(&exchange), None);
    for code in ["BTC", "ETH"] {
        let convert = Currency::parse(code).unwrap();
        let ids = [CoinId(Text::const_new(ORDI))];
        assert!(gateway.stream_prices(&ids, &convert).await.unwrap().is_none(), "{code}");
    }
}
