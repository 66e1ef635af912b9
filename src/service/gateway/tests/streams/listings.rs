//! Listings that can't be looked up.

use super::*;

/// A coin whose listings were not looked up yet.
const NEW: &str = "new-coin";

fn world(exchange: &FakeExchange) -> World {
    let mut settings = LiveSettings::default();
    for name in [ProviderName::Binance, ProviderName::Okx] {
        let provider = settings.providers.entry(name).or_default();
        provider.enabled = Some(name == ProviderName::Binance);
        provider.stream_url = Some(exchange.url.clone());
    }
    let world = World::with(settings);
    let text = Text::const_new(NEW);
    let coin = CoinRef::new(CoinId(text.clone()), text, Text::const_new("New Coin"), Text::const_new("NEWCOIN"));
    world.gateway.identity().insert(coin);
    world
}

impl World {
    async fn stream(&self, id: &str) -> Result<Option<PriceStream>, ProviderError> {
        self.gateway.stream_prices(&[CoinId(Text::from(id))], &Currency::usd()).await
    }
}

fn pairs(symbols: &[&str]) -> Response {
    let pair = |symbol: &&str| {
        format!(r#"{{"symbol":"{symbol}USDT","status":"TRADING","baseAsset":"{symbol}","quoteAsset":"USDT"}}"#)
    };
    let pairs: Vec<String> = symbols.iter().map(pair).collect();
    json(format!(r#"{{"symbols":[{}]}}"#, pairs.join(",")))
}

#[tokio::test(start_paused = true)]
async fn failed_lookup_is_an_error_until_it_succeeds() {
    let exchange = FakeExchange::start().await;
    let world = world(&exchange);
    world.respond_with(ProviderName::Binance, Response::of(429, &[("retry-after", "60")], ""));
    for _ in 0..2 {
        let Err(ProviderError::Unavailable { reason, retry_after, .. }) = world.stream(NEW).await else {
            panic!("listed")
        };
        assert_eq!(reason, "Binance: rate-limited (429)");
        assert!(retry_after.is_some_and(|wait| wait > Duration::ZERO && wait <= minutes(1)), "{retry_after:?}");
    }
    assert_eq!(world.request_count(ProviderName::Binance), 1);
    world.respond_with(ProviderName::Binance, pairs(&["BTC"]));
    world.advance(minutes(1)).await;
    assert!(world.stream(NEW).await.unwrap().is_none(), "not listed");
}

#[tokio::test(start_paused = true)]
async fn paused_exchange_does_not_count_as_unlisted() {
    let exchange = FakeExchange::start().await;
    exchange.refuse(429);
    let world = world(&exchange);
    world.respond_with(ProviderName::Binance, pairs(&["BTC"]));
    let other = "first";
    assert!(world.stream(other).await.unwrap().is_none(), "not listed");
    let _stream = world.stream(BTC).await.unwrap().unwrap();
    while exchange.refused() == 0 {
        world.advance(Duration::from_millis(100)).await;
    }
    world.advance(Duration::from_secs(1)).await;
    assert!(world.stream(other).await.unwrap().is_none(), "known before the pause");
    assert!(matches!(world.stream(NEW).await, Err(ProviderError::Unavailable { retry_after: Some(_), .. })));
}

#[tokio::test(start_paused = true)]
async fn first_subscription_on_a_fallback_has_the_coins_of_its_list() {
    let (exchange, fallback) = (FakeExchange::start().await, FakeExchange::start().await);
    exchange.refuse(503);
    let world = World::with(LiveSettings { start_gap: Duration::ZERO, ..settings(Some(&exchange), Some(&fallback)) });
    world.respond_with(
        ProviderName::CoinMarketCap,
        json(
            r#"{"data":[{"id":1,"name":"Bitcoin","symbol":"BTC","slug":"bitcoin","cmc_rank":1,
            "quote":[{"symbol":"USD","price":61234.1,"market_cap":1210000000000}]},
            {"id":99999,"name":"New Coin","symbol":"NEWCOIN","slug":"new-coin","cmc_rank":2,
            "quote":[{"symbol":"USD","price":2.0,"market_cap":1000000000}]}],
            "status":{"error_code":0,"error_message":null}}"#,
        ),
    );
    world.respond_with(ProviderName::Binance, pairs(&["BTC"]));
    world.respond(ProviderName::Okx, |path| {
        let pair = |symbol: &str| {
            format!(
                r#"{{"instId":"{symbol}-USDT","state":"live","baseCcy":"{symbol}","quoteCcy":"USDT","last":"2.0"}}"#
            )
        };
        assert!(path.contains("instruments") || path.contains("tickers"), "{path}");
        Ok(json(format!(r#"{{"code":"0","data":[{},{}]}}"#, pair("BTC"), pair("NEWCOIN"))))
    });
    let listed = world.coins(Tag::All).await.unwrap();
    let ids: Vec<CoinId> = listed.data.items.iter().map(|coin| coin.id.clone()).collect();
    let _stream = world.gateway.stream_prices(&ids, &Currency::usd()).await.unwrap().expect("a listed coin");
    fallback.wait_for_connection().await;
    let began = Instant::now();
    let request = fallback.next().await;
    assert!(request.contains("BTC-USDT") && request.contains("NEWCOIN-USDT"), "{request}");
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
}
