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
        let Err(ProviderError::Unavailable { reason, retry_after }) = world.stream(NEW).await else { panic!("listed") };
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
