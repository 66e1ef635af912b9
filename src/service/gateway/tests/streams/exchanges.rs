//! Which exchange the prices come from, while one fails or is paused.

use super::*;
use crate::model::SourceState;

#[tokio::test(start_paused = true)]
async fn next_exchange_takes_over_and_the_first_one_is_tried_again() {
    let (exchange, fallback) = (FakeExchange::start().await, FakeExchange::start().await);
    let gateway = gateway(Some(&exchange), Some(&fallback));
    exchange.refuse(503);
    let mut stream = listen(&gateway, &[ORDI]).await;
    assert_eq!(fallback.next().await, "open /");
    assert_eq!(fallback.next().await, r#"{"args":[{"channel":"tickers","instId":"ORDI-USDT"}],"op":"subscribe"}"#);
    fallback.send(&okx("ORDI-USDT", "8.4096"));
    let update = stream.next().await.unwrap();
    assert_eq!((update.provider.as_str(), prices(&update)), ("okx", vec![(ORDI, 8.4096)]));
    exchange.accept();
    let began = Instant::now();
    exchange.wait_for_connection().await;
    assert!(began.elapsed() <= Duration::from_mins(11), "{:?}", began.elapsed());
    exchange.send(&binance("ORDIUSDT", "8.5"));
    assert_eq!(stream.next().await.unwrap().provider, "binance");
    let sources = gateway.sources().await;
    let source = sources.iter().find(|source| source.name == "binance").unwrap();
    assert_eq!((source.state, source.missing.as_deref()), (SourceState::Ready, None), "it works again");
}

#[tokio::test(start_paused = true)]
async fn refused_socket_pauses_the_exchange() {
    for status in [400, 404, 414, 422] {
        let (exchange, fallback) = (FakeExchange::start().await, FakeExchange::start().await);
        let gateway = gateway(Some(&exchange), Some(&fallback));
        exchange.refuse(status);
        let _stream = listen(&gateway, &[ORDI]).await;
        fallback.wait_for_connection().await;
        assert_eq!(exchange.refused(), 1, "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn exchange_that_is_always_closing_is_paused() {
    let (exchange, fallback) = (FakeExchange::start().await, FakeExchange::start().await);
    let gateway = gateway(Some(&exchange), Some(&fallback));
    let _stream = listen(&gateway, &[ORDI]).await;
    exchange.wait_for_connection().await;
    exchange.send(r#"{"e":"serverShutdown","E":1795075261000}"#);
    fallback.wait_for_connection().await;
    assert_eq!(exchange.connections(), 1);
}

#[tokio::test(start_paused = true)]
async fn reason_of_a_closed_socket_is_shown() {
    for (code, reason, shown) in [
        (1008, "Pong timeout", "WebSocket closed (1008: Pong timeout)"),
        (1013, "Try again later.", "WebSocket closed (1013: Try again later)"),
        (1001, "", "WebSocket closed (1001)"),
    ] {
        let (exchange, fallback) = (FakeExchange::start().await, FakeExchange::start().await);
        let gateway = gateway(Some(&exchange), Some(&fallback));
        let _stream = listen(&gateway, &[ORDI]).await;
        exchange.wait_for_connection().await;
        exchange.close_because(code, reason);
        assert_eq!(exchange.next().await, "closed");
        assert_eq!(exchange.dropped(), 0, "the close was answered");
        fallback.wait_for_connection().await;
        let sources = gateway.sources().await;
        let source = sources.iter().find(|source| source.name == "binance").unwrap();
        assert_eq!(source.missing.as_deref(), Some(shown));
    }
}

#[tokio::test(start_paused = true)]
async fn abandoned_socket_is_closed() {
    let (exchange, fallback) = (FakeExchange::start().await, FakeExchange::start().await);
    let gateway = gateway(Some(&exchange), Some(&fallback));
    let _stream = listen(&gateway, &[ORDI]).await;
    exchange.wait_for_connection().await;
    exchange.send(r#"{"error":{"code":2,"msg":"Invalid request"},"id":1}"#);
    assert_eq!(exchange.next().await, "closed");
    assert_eq!(exchange.dropped(), 0);
}

#[tokio::test(start_paused = true)]
async fn fallback_stays_open_while_the_preferred_exchange_is_paused() {
    let (exchange, fallback) = (FakeExchange::start().await, FakeExchange::start().await);
    let gateway = gateway(Some(&exchange), Some(&fallback));
    exchange.refuse(451);
    let _stream = listen(&gateway, &[ORDI]).await;
    fallback.wait_for_connection().await;
    for _ in 0..30 {
        fallback.send(&okx("ORDI-USDT", "8"));
        tokio::time::sleep(Duration::from_mins(4)).await;
    }
    assert_eq!((exchange.refused(), fallback.connections()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn stream_is_refused_while_all_exchanges_are_paused() {
    let exchange = FakeExchange::start().await;
    let gateway = gateway(Some(&exchange), None);
    exchange.refuse(429);
    let _stream = listen(&gateway, &[ORDI]).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let result = gateway.stream_prices(&[CoinId(Text::const_new(ORDI))], &Currency::usd()).await;
    let Err(ProviderError::Unavailable { reason, retry_after, .. }) = result else { panic!("not refused") };
    assert!(reason.starts_with("Binance: "), "{reason}");
    assert!(retry_after.is_some_and(|wait| wait <= Duration::from_mins(1)), "{retry_after:?}");
}

#[tokio::test(start_paused = true)]
async fn stream_says_why_there_are_no_prices_until_an_exchange_works_again() {
    let exchange = FakeExchange::start().await;
    let gateway = gateway(Some(&exchange), None);
    exchange.refuse(503);
    let mut stream = listen(&gateway, &[ORDI]).await;
    let update = stream.next().await.unwrap();
    assert_eq!((update.provider.as_str(), prices(&update)), ("binance", Vec::new()));
    assert_eq!(update.failure.as_deref(), Some("Binance: WebSocket server error (503)"));
    exchange.accept();
    exchange.wait_for_connection().await;
    let update = stream.next().await.unwrap();
    assert_eq!((prices(&update), update.failure.clone()), (Vec::new(), None));
    exchange.send(&binance("ORDIUSDT", "8.411"));
    let update = stream.next().await.unwrap();
    assert_eq!((prices(&update), update.failure.clone()), (vec![(ORDI, 8.411)], None));
}

#[tokio::test(start_paused = true)]
async fn blocked_country_is_not_retried_before_the_next_day() {
    let exchange = FakeExchange::start().await;
    let gateway = gateway(Some(&exchange), None);
    exchange.refuse(451);
    let _stream = listen(&gateway, &[ORDI]).await;
    tokio::time::sleep(Duration::from_hours(23)).await;
    assert_eq!(exchange.refused(), 1);
    let sources = gateway.sources().await;
    let source = sources.iter().find(|source| source.name == "binance").unwrap();
    // Its charts still work.
    assert_eq!(source.state, crate::model::SourceState::Ready);
    assert_eq!(source.missing.as_deref(), Some("Live prices off: WebSocket request failed (451)"));
}

#[tokio::test(start_paused = true)]
async fn exchange_whose_firewall_refuses_sockets_is_paused_for_minutes() {
    let exchange = FakeExchange::start().await;
    let gateway = gateway(Some(&exchange), None);
    exchange.refuse(403);
    let _stream = listen(&gateway, &[ORDI]).await;
    let began = Instant::now();
    // The pauses are 5, 10, 20, 40 and 60 minutes.
    for (minute, refused) in [(4, 1), (6, 2), (14, 2), (16, 3), (34, 3), (36, 4), (74, 4), (76, 5), (134, 5), (136, 6)]
    {
        tokio::time::sleep_until(began + Duration::from_mins(minute)).await;
        assert_eq!(exchange.refused(), refused, "after {minute} minutes");
    }
    exchange.accept();
    tokio::time::timeout(Duration::from_mins(61), exchange.wait_for_connection()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn refused_country_is_not_retried_before_the_next_day() {
    for body in [
        "<html>The Amazon CloudFront distribution is configured to block access from your country.</html>",
        "The owner of this website has banned the country or region your IP address is in from accessing it.",
    ] {
        let exchange = FakeExchange::start().await;
        let gateway = gateway(Some(&exchange), None);
        exchange.refuse_with(403, body);
        let _stream = listen(&gateway, &[ORDI]).await;
        tokio::time::sleep(Duration::from_hours(23)).await;
        assert_eq!(exchange.refused(), 1, "{body}");
        exchange.accept();
        tokio::time::timeout(Duration::from_hours(2), exchange.wait_for_connection()).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_is_opened_without_a_listed_coin() {
    let exchange = FakeExchange::start().await;
    let gateway = gateway(Some(&exchange), None);
    let unknown = [CoinId(Text::const_new("unknown"))];
    assert!(gateway.stream_prices(&unknown, &Currency::usd()).await.unwrap().is_none());
    tokio::time::sleep(Duration::from_hours(1)).await;
    assert_eq!(exchange.connections(), 0);
}

#[tokio::test(start_paused = true)]
async fn empty_order_switches_live_prices_off() {
    let exchange = FakeExchange::start().await;
    let mut settings = settings(Some(&exchange), None);
    settings.order.insert(Operation::Ticker, Vec::new());
    let gateway = Gateway::new(settings, TimeSource::fixed(START));
    let result = gateway.stream_prices(&[CoinId(Text::const_new(BTC))], &Currency::usd()).await;
    assert!(matches!(result, Err(ProviderError::Unsupported(reason)) if reason.contains("live.ticker")));
}

#[tokio::test(start_paused = true)]
async fn socket_follows_the_chosen_exchange() {
    let (first, second) = (FakeExchange::start().await, FakeExchange::start().await);
    let gateway = gateway(Some(&first), Some(&second));
    let mut stream = listen(&gateway, &[ORDI]).await;
    assert_eq!(first.next().await, "open /stream?streams=ordiusdt@miniTicker");
    let mut chosen = settings(Some(&first), Some(&second));
    chosen.order.insert(Operation::Ticker, vec![ProviderName::Okx, ProviderName::Binance]);
    gateway.set_order(&chosen);
    assert_eq!(first.next().await, "closed");
    assert!(second.next().await.starts_with("open "));
    second.send(&okx("ORDI-USDT", "8.5"));
    assert_eq!(stream.next().await.unwrap().provider, "okx");

    chosen.providers.entry(ProviderName::Okx).or_default().enabled = Some(false);
    gateway.set_order(&chosen);
    assert_eq!(first.next().await, "open /stream?streams=ordiusdt@miniTicker");
}

#[tokio::test(start_paused = true)]
async fn old_prices_are_not_live() {
    let exchange = FakeExchange::start().await;
    let gateway = gateway(Some(&exchange), None);
    let mut stream = listen(&gateway, &[BTC, ORDI]).await;
    exchange.wait_for_connection().await;
    let (now, hour) = (START.millis(), 3_600_000);
    let tick = |symbol: &str, price: &str, time: i64| binance_at(time, symbol, price);
    exchange.send(&tick("BTCUSDT", "60000", now));
    assert_eq!(prices(&stream.next().await.unwrap()), [(BTC, 60_000.0)]);
    // Older than the newest on the socket, and than the last one of the symbol.
    exchange.send(&tick("ORDIUSDT", "9.99", now - hour));
    exchange.send(&tick("BTCUSDT", "50000", now - 1));
    exchange.send(&tick("ORDIUSDT", "8.5", now - 1_000));
    assert_eq!(prices(&stream.next().await.unwrap()), [(ORDI, 8.5)]);
    // A time that is far ahead says nothing about later ones.
    exchange.send(&tick("BTCUSDT", "61000", now + hour));
    assert_eq!(prices(&stream.next().await.unwrap()), [(BTC, 61_000.0)]);
    exchange.send(&tick("ORDIUSDT", "8.55", now));
    assert_eq!(prices(&stream.next().await.unwrap()), [(ORDI, 8.55)]);
    // After one that is some minutes ahead, all others are old, until the socket is replaced.
    exchange.send(&tick("BTCUSDT", "62000", now + 4 * 60_000));
    assert_eq!(prices(&stream.next().await.unwrap()), [(BTC, 62_000.0)]);
    for at in 1..=50 {
        exchange.send(&tick("ORDIUSDT", "8.6", now + at));
    }
    exchange.wait_for_connection().await;
    exchange.send(&tick("ORDIUSDT", "8.7", now + 51));
    // Before it, the stream may say that the exchange works again.
    let mut update = stream.next().await.unwrap();
    while update.prices.is_empty() {
        update = stream.next().await.unwrap();
    }
    assert_eq!(prices(&update), [(ORDI, 8.7)]);
}

#[tokio::test(start_paused = true)]
async fn exchange_with_only_old_prices_is_paused() {
    let (exchange, fallback) = (FakeExchange::start().await, FakeExchange::start().await);
    let gateway = gateway(Some(&exchange), Some(&fallback));
    let mut stream = listen(&gateway, &[BTC]).await;
    exchange.wait_for_connection().await;
    for at in 0..10 {
        exchange.send(&binance_at(START.millis() - 3_600_000 + at, "BTCUSDT", "50000"));
    }
    fallback.wait_for_connection().await;
    fallback.send(&okx("BTC-USDT", "60000"));
    let update = stream.next().await.unwrap();
    assert_eq!((update.provider.as_str(), prices(&update)), ("okx", vec![(BTC, 60_000.0)]));
    let sources = gateway.sources().await;
    let source = sources.iter().find(|source| source.name == "binance").unwrap();
    assert_eq!(source.missing.as_deref(), Some("Live prices are 1 h old"));
}

/// The list has ORDI at 8.4 and Bitcoin at 60,000.
fn with_list_prices(gateway: &Gateway) {
    let coin = |id: &str, symbol: &str, price: f64| Coin {
        price: Some(price),
        ..Coin::new(CoinId(Text::from(id)), Text::from(symbol), Text::from(symbol))
    };
    let coins = [coin(ORDI, "ORDI", 8.4), coin(BTC, "BTC", 60_000.0)];
    gateway.identity().note_values(ProviderName::CoinMarketCap, &coins, START);
}

#[tokio::test(start_paused = true)]
async fn coin_whose_prices_contradict_the_list_comes_from_the_next_exchange() {
    let (exchange, fallback) = (FakeExchange::start().await, FakeExchange::start().await);
    let gateway = gateway(Some(&exchange), Some(&fallback));
    with_list_prices(&gateway);
    let mut stream = listen(&gateway, &[ORDI]).await;
    exchange.wait_for_connection().await;
    let began = Instant::now();
    for _ in 0..20 {
        exchange.send(&binance("ORDIUSDT", "8400"));
    }
    assert_eq!(exchange.next().await, "closed");
    fallback.wait_for_connection().await;
    fallback.send(&okx("ORDI-USDT", "8.5"));
    let update = stream.next().await.unwrap();
    assert_eq!((update.provider.as_str(), prices(&update)), ("okx", vec![(ORDI, 8.5)]));
    exchange.wait_for_connection().await;
    assert!(began.elapsed() >= Duration::from_mins(30), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn prices_that_contradict_the_list_keep_no_socket_open() {
    let exchange = FakeExchange::start().await;
    let gateway = gateway(Some(&exchange), None);
    with_list_prices(&gateway);
    let _stream = listen(&gateway, &[ORDI]).await;
    exchange.wait_for_connection().await;
    for _ in 0..20 {
        exchange.send(&binance("ORDIUSDT", "8400"));
    }
    assert_eq!(exchange.next().await, "closed");
    tokio::time::sleep(Duration::from_mins(29)).await;
    assert_eq!(exchange.connections(), 1);
    // Those of other coins don't wait, and a new attempt is made later.
    let _other = listen(&gateway, &[BTC]).await;
    assert_eq!(exchange.next().await, "open /stream?streams=btcusdt@miniTicker");
    exchange.send(&binance("BTCUSDT", "60100"));
    let subscribed = exchange.next().await;
    assert!(subscribed.contains("SUBSCRIBE") && subscribed.contains("ordiusdt@miniTicker"), "{subscribed}");
}

#[tokio::test(start_paused = true)]
async fn single_prices_that_contradict_the_list_do_not_end_the_subscription() {
    let exchange = FakeExchange::start().await;
    let gateway = gateway(Some(&exchange), None);
    with_list_prices(&gateway);
    let mut stream = listen(&gateway, &[ORDI]).await;
    exchange.wait_for_connection().await;
    for _ in 0..2 {
        for _ in 0..19 {
            exchange.send(&binance("ORDIUSDT", "8400"));
        }
        exchange.send(&binance("ORDIUSDT", "8.5"));
        assert_eq!(prices(&stream.next().await.unwrap()), [(ORDI, 8.5)]);
    }
    assert_eq!(exchange.connections(), 1);
}
