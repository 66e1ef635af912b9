//! Coalescing, stale values and fallback.

use super::*;
use crate::client::NoticeCode;
use crate::service::call::with_max_stale;

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
async fn request_that_accepts_no_old_value_waits_for_a_new_one() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Tagged, vec![GECKO]);
    let world = World::with(settings);
    let recent = || async { with_max_stale(minutes(1), world.coins(Tag::Brc20)).await.unwrap() };
    world.coins(Tag::Brc20).await.unwrap();
    world.advance(Duration::from_secs(10 * 60 + 30)).await;
    assert!(recent().await.age >= minutes(10), "stale for half a minute");
    world.advance(minutes(600)).await;
    assert!(world.coins(Tag::Brc20).await.unwrap().age >= minutes(590), "any age");
    world.advance(minutes(600)).await;
    assert!(recent().await.age < minutes(1));
    // If that fails, the old one has the reason.
    world.respond_with(GECKO, Response::of(500, &[], "down"));
    world.advance(minutes(600)).await;
    let old = recent().await;
    let reason = old.refresh_error.as_deref().unwrap_or_default();
    assert!(old.age >= minutes(600) && reason.contains("CoinGecko: server error (500)"), "{old:?}");
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
    let reason = stale.refresh_error.as_deref().unwrap();
    assert!(reason.contains("CoinGecko: server error (500)") && stale.notice.is_none(), "{reason}");
    world.advance(Duration::from_secs(23 * 3_600)).await;
    assert!(world.coins(Tag::Brc20).await.is_ok());
    world.advance(Duration::from_secs(3_600)).await;
    assert!(world.coins(Tag::Brc20).await.is_err(), "stale values are kept for a day");
    world.respond_with(GECKO, None);
    world.advance(minutes(6)).await;
    assert_eq!(world.coins(Tag::Brc20).await.unwrap().refresh_error, None, "it recovers");
}

#[tokio::test(start_paused = true)]
async fn stale_value_is_fresh_until_a_refresh_can_succeed() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Tagged, vec![GECKO]);
    let world = World::with(settings);
    world.coins(Tag::Brc20).await.unwrap();
    world.respond_with(GECKO, Response::of(429, &[("retry-after", "1200")], ""));
    world.advance(minutes(15)).await;
    let stale = world.coins(Tag::Brc20).await.unwrap();
    assert_eq!((stale.refresh_error, stale.fresh_for.as_secs()), (None, 15), "its refresh has just begun");
    world.advance(minutes(5)).await;
    let failing = world.coins(Tag::Brc20).await.unwrap();
    assert!(failing.refresh_error.is_some());
    let wait = failing.fresh_for;
    assert!((minutes(14)..minutes(16)).contains(&wait), "{wait:?}");
    let by_id = world.gateway.coins_by_id(&[failing.data.items[0].id.clone()], &Currency::usd()).await.unwrap();
    assert_eq!((by_id.refresh_error.is_some(), by_id.fresh_for.as_secs()), (true, wait.as_secs()));
    world.respond_with(GECKO, None);
    world.advance(wait).await;
    world.coins(Tag::Brc20).await.unwrap();
    world.advance(Duration::from_secs(2)).await;
    assert_eq!(world.coins(Tag::Brc20).await.unwrap().refresh_error, None);
}

#[tokio::test(start_paused = true)]
async fn failed_manual_refresh_of_fresh_data_says_why() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Tagged, vec![GECKO]);
    let world = World::with(settings);
    world.coins(Tag::Brc20).await.unwrap();
    world.advance(minutes(2)).await;
    world.respond_with(GECKO, Response::of(500, &[], "down"));
    let fresh = manually(world.coins(Tag::Brc20)).await.unwrap();
    let reason = fresh.not_refreshed.unwrap_or_default();
    assert!(reason.contains("CoinGecko: server error (500)"), "{reason}");
    assert_eq!((fresh.notice, fresh.refresh_error), (None, None));
    assert!((minutes(7)..minutes(8)).contains(&fresh.fresh_for), "it stays fresh: {:?}", fresh.fresh_for);
    assert_eq!(world.coins(Tag::Brc20).await.unwrap().not_refreshed, None, "only a manual refresh says it");
    // Once it is old, the reason is the error of its refresh, and the next one comes soon.
    world.advance(minutes(9)).await;
    world.coins(Tag::Brc20).await.unwrap();
    world.advance(Duration::from_secs(3)).await;
    let stale = manually(world.coins(Tag::Brc20)).await.unwrap();
    assert!(stale.refresh_error.is_some() && stale.fresh_for <= Duration::from_secs(15), "{stale:?}");
}

#[tokio::test(start_paused = true)]
async fn manual_refresh_that_takes_long_names_the_provider() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Tagged, vec![GECKO]);
    let world = World::with(settings);
    world.coins(Tag::Brc20).await.unwrap();
    world.advance(minutes(15)).await;
    world.set_latency(GECKO, minutes(1));
    let stale = manually(world.coins(Tag::Brc20)).await.unwrap();
    assert_eq!(
        (stale.not_refreshed.as_deref(), stale.refresh_error),
        (Some("CoinGecko: no response within 10 s"), None)
    );
}

#[tokio::test(start_paused = true)]
async fn coins_that_another_provider_returns_have_not_failed() {
    let world = World::new();
    let ids = [CoinId("first".into())];
    {
        let mut identity = world.gateway.identity();
        let mut coin = identity.by_id(&ids[0]).unwrap();
        coin.ids.set(ProviderName::CoinMarketCap, Some("1".into()));
        identity.insert(coin);
    }
    world.respond_with(ProviderName::CoinMarketCap, Response::of(503, &[], ""));
    let row = r#"[{"id":"first","symbol":"first","name":"first","current_price":8.41,"market_cap":176610000}]"#;
    world.respond_with(GECKO, Response::of(200, &[("content-type", "application/json")], row));
    let response = world.gateway.coins_by_id(&ids, &Currency::usd()).await.unwrap();
    assert_eq!((response.provider, response.data.items.len()), (Some(GECKO), 1));
    assert_eq!(world.request_count(ProviderName::CoinMarketCap), 1);
    assert_eq!((response.notice, response.refresh_error), (None, None));
}

#[tokio::test(start_paused = true)]
async fn manual_refresh_of_unknown_item_is_sent_again_after_a_while() {
    let world = World::new();
    world.respond_with(GECKO, Response::of(404, &[], r#"{"error":"coin not found"}"#));
    let refresh = async || {
        let response = manually(world.chart("first")).await;
        assert!(matches!(response, Err(ProviderError::NoData(_))), "{response:?}");
        world.request_count(GECKO)
    };
    assert_eq!((refresh().await, refresh().await), (1, 1));
    world.advance(Duration::from_secs(9)).await;
    assert_eq!(refresh().await, 1);
    world.advance(Duration::from_secs(2)).await;
    assert_eq!((refresh().await, refresh().await), (2, 2));
    assert!(world.chart("first").await.is_err());
    world.advance(minutes(9)).await;
    assert!(world.chart("first").await.is_err());
    assert_eq!(world.request_count(GECKO), 2, "others wait for ten minutes");
}

#[tokio::test(start_paused = true)]
async fn item_that_a_manual_refresh_found_is_refreshed() {
    let mut settings = LiveSettings::default();
    settings.providers.entry(GECKO).or_default().api_key = Some(Secret(String::from("CG-0123456789")));
    let world = World::with(settings);
    world.respond_with(GECKO, Response::of(404, &[], r#"{"error":"coin not found"}"#));
    assert!(world.chart("first").await.is_err());
    world.respond_with(GECKO, None);
    world.advance(Duration::from_secs(11)).await;
    let fresh_for = manually(world.chart("first")).await.unwrap().fresh_for;
    assert!(fresh_for < minutes(9), "the miss would still be cached");
    world.advance(fresh_for).await;
    world.chart("first").await.unwrap();
    world.advance(Duration::from_secs(5)).await;
    assert!(world.chart("first").await.unwrap().age < minutes(1));
}

#[tokio::test(start_paused = true)]
async fn failing_provider_leaves_the_old_list_with_the_reason() {
    let ok = |body: &str| Ok(Response::of(200, &[("content-type", "application/json")], body));
    let past = [("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT")];
    let cases: [(&str, Result<Response, ErrorKind>); 11] = [
        ("body ends early", Err(ErrorKind::Incomplete)),
        ("half a list", ok(r#"[{"id":"ordinals","symbol":"ordi","na"#)),
        ("HTML page", Ok(Response::of(200, &[("content-type", "text/html")], "<!DOCTYPE html><title>Sorry</title>"))),
        ("object instead of a list", ok(r#"{"coins":[]}"#)),
        ("rows of another type", ok(r#"[1,"x",[null]]"#)),
        ("rows without a name", ok(r#"[{"id":null},{"id":{"x":1},"symbol":[],"name":1e400}]"#)),
        ("empty list", ok("[]")),
        ("empty body", ok("")),
        ("retry in the past", Ok(Response::of(429, &past, "{}"))),
        ("redirect to another host", Ok(Response::of(302, &[("location", "https://example.org/")], ""))),
        ("not found", Ok(Response::of(404, &[], r#"{"error":"coin not found"}"#))),
    ];
    for (name, response) in cases {
        let mut settings = LiveSettings::default();
        settings.order.insert(Operation::Tagged, vec![GECKO]);
        let world = World::with(settings);
        let before = world.coins(Tag::Brc20).await.unwrap().data;
        world.respond(GECKO, move |_| response.clone());
        world.advance(minutes(11)).await;
        world.coins(Tag::Brc20).await.unwrap();
        world.advance(Duration::from_secs(3)).await;
        let stale = world.coins(Tag::Brc20).await.unwrap();
        assert_eq!(stale.data, before, "{name}");
        let reason = stale.refresh_error.unwrap_or_default();
        let says_why = reason.contains("CoinGecko") || reason == "No newer data: not found (404): coin not found";
        assert!(says_why, "{name}: {reason}");
        let count = world.request_count(GECKO);
        assert!(count <= 2, "{name}: {count} requests");
        world.respond_with(GECKO, None);
        world.advance(minutes(11)).await;
        world.coins(Tag::Brc20).await.unwrap();
        world.advance(Duration::from_secs(3)).await;
        let recovered = world.coins(Tag::Brc20).await.unwrap();
        assert_eq!((recovered.refresh_error, recovered.age < minutes(1)), (None, true), "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn times_of_a_provider_whose_clock_is_ahead_are_replaced_and_reported() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Tagged, vec![GECKO]);
    let world = World::with(settings);
    let row = r#"[{"id":"ordinals","symbol":"ordi","name":"ORDI","current_price":8.41,"market_cap":176610000,
        "last_updated":"2026-11-01T09:00:00Z"}]"#;
    world.respond_with(GECKO, Response::of(200, &[("content-type", "application/json")], row));
    let coins = world.coins(Tag::Brc20).await.unwrap();
    let notice = coins.notice.unwrap_or_default();
    assert_eq!(notice, "Provider timestamps are up to 9 h ahead of this computer's clock");
    let updated_at = coins.data.items[0].updated_at.unwrap();
    assert!(updated_at >= START && updated_at < START.plus(minutes(1)), "{updated_at:?}");
}

#[tokio::test(start_paused = true)]
async fn empty_list_is_answered_by_the_next_provider() {
    let world = World::new();
    world.respond_with(ProviderName::CoinMarketCap, Response::of(200, &[], r#"{"data":[],"status":{"error_code":0}}"#));
    let coins = world.coins(Tag::All).await.unwrap();
    assert_eq!((coins.provider, coins.data.items.len()), (Some(GECKO), 1));
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
    assert!(world.log.lock().is_empty());
}

#[tokio::test(start_paused = true)]
async fn operation_without_providers_names_setting() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Chart, Vec::new());
    let world = World::with(settings);
    let error = world.chart("ordi").await.unwrap_err();
    assert!(matches!(&error, ProviderError::Unsupported(sentence) if sentence.contains("live.chart")), "{error:?}");
    assert!(world.log.lock().is_empty());
}

#[test]
fn mapped_response_keeps_provider_and_age() {
    let response = ProviderResponse {
        data: 1,
        at: START,
        age: minutes(1),
        fresh_for: minutes(2),
        provider: Some(GECKO),
        others: vec![ProviderName::CoinMarketCap],
        rate: None,
        notice: Some(String::from("because")),
        notice_code: Some(NoticeCode::NamesMissing),
        refresh_error: Some(String::from("failed")),
        not_refreshed: Some(String::from("queued")),
    };
    let mapped = response.clone().map(|one| one + 1);
    assert_eq!(mapped, ProviderResponse { data: 2, ..response });
}

#[tokio::test(start_paused = true)]
async fn unknown_coin_is_looked_up_again_after_minutes() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Coins, vec![GECKO]);
    let world = World::with(settings);
    world.respond_with(GECKO, Response::of(200, &[], "[]"));
    let is_unknown = async || matches!(world.chart("new-coin").await, Err(ProviderError::NotFound(_)));
    for minute in [0, 1, 8] {
        world.advance(minutes(minute)).await;
        assert!(is_unknown().await);
    }
    assert_eq!(world.request_count(GECKO), 1);
    let row = r#"[{"id":"new-coin","symbol":"new","name":"New","current_price":8.41,"market_cap":176610000}]"#;
    world.respond(GECKO, move |path| {
        if path.contains("market_chart") {
            Ok(default_response(GECKO, path))
        } else {
            Ok(Response::of(200, &[("content-type", "application/json")], row))
        }
    });
    world.advance(minutes(2)).await;
    is_unknown().await;
    world.advance(minutes(1)).await;
    assert!(world.chart("new-coin").await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn empty_list_is_requested_again_after_minutes() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Pairs, vec![GECKO]);
    let world = World::with(settings);
    world.respond_with(GECKO, Response::of(200, &[], r#"{"name":"First","tickers":[]}"#));
    let pairs = async || world.gateway.market_pairs("first", None, &Currency::usd()).await.unwrap();
    let empty = pairs().await;
    assert_eq!((empty.data[0].pairs.len(), empty.fresh_for), (0, minutes(10)));
    world.advance(minutes(9)).await;
    pairs().await;
    assert_eq!(world.request_count(GECKO), 1);
    world.advance(minutes(2)).await;
    pairs().await;
    world.advance(Duration::from_secs(5)).await;
    assert_eq!(world.request_count(GECKO), 2);
}
