//! Coalescing, stale values and fallback.

use super::*;

const GECKO: ProviderName = ProviderName::CoinGecko;

#[tokio::test(start_paused = true)]
async fn concurrent_equal_requests_are_coalesced() {
    let world = World::new();
    let all = futures_util::future::join_all((0..100).map(|_| world.coins(Tag::Brc20))).await;
    assert!(all.iter().all(Result::is_ok));
    // The 7-day trends of the list come with the same response.
    world.gateway.stats(Tag::Brc20, &Currency::usd()).await.unwrap();
    assert_eq!(world.request_count(GECKO), 1);
}

#[tokio::test(start_paused = true)]
async fn cancelled_request_is_not_sent() {
    let world = World::new();
    world.chart("first").await.unwrap();
    // The next request is queued for 6 s.
    let gone = tokio::time::timeout(Duration::from_secs(1), world.chart("second")).await;
    assert!(gone.is_err());
    world.advance(minutes(1)).await;
    assert_eq!(world.request_count(GECKO), 1);
    // A request that another caller still waits for is sent.
    let (left, stayed) =
        tokio::join!(tokio::time::timeout(Duration::from_millis(1), world.chart("third")), world.chart("third"),);
    assert!(left.is_err() && stayed.is_ok());
    assert_eq!(world.request_count(GECKO), 2);
    // So is a new request for the same chart.
    world.chart("second").await.unwrap();
    assert_eq!(world.request_count(GECKO), 3);
}

#[tokio::test(start_paused = true)]
async fn stale_value_is_returned_while_refreshing() {
    let world = World::new();
    let first = world.coins(Tag::Brc20).await.unwrap();
    assert_eq!((first.provider, first.fresh_for), (Some(GECKO), minutes(10)));
    world.advance(minutes(9)).await;
    let later = world.coins(Tag::Brc20).await.unwrap();
    assert!(later.age >= minutes(9) && later.fresh_for <= minutes(1), "{later:?}");
    assert_eq!(world.request_count(GECKO), 1);
    world.advance(minutes(2)).await;
    let before = Instant::now();
    let stale = world.coins(Tag::Brc20).await.unwrap();
    assert_eq!((before.elapsed(), stale.notice.as_deref()), (Duration::ZERO, None));
    assert!(
        stale.age >= minutes(11) && stale.fresh_for <= Duration::from_secs(30),
        "the next request should come soon"
    );
    world.advance(Duration::from_secs(5)).await;
    assert_eq!(world.request_count(GECKO), 2);
    assert!(world.coins(Tag::Brc20).await.unwrap().age < Duration::from_secs(10));
}

#[tokio::test(start_paused = true)]
async fn stale_value_is_kept_for_a_day_with_reason() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Tagged, vec![GECKO]);
    let world = World::with(settings);
    world.coins(Tag::Brc20).await.unwrap();
    world.respond_with(GECKO, Response::of(500, &[], "down"));
    world.advance(minutes(15)).await;
    world.coins(Tag::Brc20).await.unwrap();
    world.advance(Duration::from_secs(2)).await;
    let stale = world.coins(Tag::Brc20).await.unwrap();
    let notice = stale.notice.as_deref().unwrap();
    assert!(notice.contains("CoinGecko: server error (500)"), "{notice}");
    world.advance(Duration::from_secs(23 * 3_600)).await;
    assert!(world.coins(Tag::Brc20).await.is_ok());
    world.advance(Duration::from_secs(3_600)).await;
    assert!(world.coins(Tag::Brc20).await.is_err(), "stale values are kept for a day");
    world.respond_with(GECKO, None);
    world.advance(minutes(6)).await;
    assert_eq!(world.coins(Tag::Brc20).await.unwrap().notice, None, "it recovers");
}

#[tokio::test(start_paused = true)]
async fn failed_provider_falls_back_to_next() {
    let world = World::new();
    world.respond_with(ProviderName::CoinMarketCap, Response::of(500, &[], ""));
    let coins = world.coins(Tag::All).await.unwrap();
    assert_eq!(coins.provider, Some(GECKO));
    // The failing provider is paused, and preferred again afterwards.
    world.respond_with(ProviderName::CoinMarketCap, None);
    world.advance(minutes(11)).await;
    world.coins(Tag::All).await.unwrap();
    world.advance(Duration::from_secs(5)).await;
    assert_eq!(world.coins(Tag::All).await.unwrap().provider, Some(ProviderName::CoinMarketCap));
}

#[tokio::test(start_paused = true)]
async fn busy_provider_falls_back_to_next() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Tagged, vec![GECKO, ProviderName::CoinMarketCap]);
    settings.providers.entry(GECKO).or_default().min_gap = Some(minutes(1));
    let world = World::with(settings);
    world.chart("ordi").await.unwrap();
    let coins = world.coins(Tag::Brc20).await.unwrap();
    assert_eq!(coins.provider, Some(ProviderName::CoinMarketCap));
}

#[tokio::test(start_paused = true)]
async fn operation_with_disabled_providers_names_them() {
    let mut settings = LiveSettings::default();
    settings.providers.entry(ProviderName::CoinGecko).or_default().enabled = Some(false);
    let world = World::with(settings);
    let unsupported = |result: ProviderResult<Chart>| match result {
        Err(ProviderError::Unsupported(sentence)) => sentence,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        unsupported(world.chart("ordi").await),
        "Charts need a provider: enable Binance, OKX, CoinGecko or DefiLlama in Providers"
    );
    // One that is not disabled doesn't serve charts, so Sources can't help.
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Chart, vec![ProviderName::Frankfurter]);
    assert_eq!(
        unsupported(World::with(settings).chart("ordi").await),
        "Charts need a provider: add binance, okx, coingecko or defillama to live.chart"
    );
    assert!(world.log.lock().unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn operation_without_providers_names_setting() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Chart, Vec::new());
    let world = World::with(settings);
    let error = world.chart("ordi").await.unwrap_err();
    assert!(matches!(&error, ProviderError::Unsupported(sentence) if sentence.contains("live.chart")), "{error:?}");
    assert!(world.log.lock().unwrap().is_empty());
}

#[test]
fn mapped_answer_keeps_provider_and_age() {
    let answer = ProviderResponse {
        data: 1,
        at: START,
        age: minutes(1),
        fresh_for: minutes(2),
        provider: Some(GECKO),
        notice: Some(String::from("because")),
    };
    let mapped = answer.clone().map(|one| one + 1);
    assert_eq!(mapped, ProviderResponse { data: 2, ..answer });
}
