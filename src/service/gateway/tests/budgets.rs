//! Gaps between requests, limits per minute, pauses and quotas.

use super::*;
use crate::store::{Database, SharedDatabase};

#[tokio::test(start_paused = true)]
async fn provider_requests_respect_gap_and_minute_limit() {
    let world = World::new();
    let slugs: Vec<String> = (0..25).map(|n| format!("coin-{n}")).collect();
    let charts = slugs.iter().map(|slug| world.chart(slug));
    for chart in futures_util::future::join_all(charts).await {
        chart.unwrap();
    }
    let times = world.request_times(ProviderName::CoinGecko);
    assert_eq!(times.len(), 25);
    let gaps: Vec<Duration> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let (least, most) = (gaps.iter().min().unwrap(), gaps.iter().max().unwrap());
    // 6 s ± 20 %.
    assert!(*least >= Duration::from_millis(4_800), "{gaps:?}");
    assert!(least < most, "the gaps vary");
    for (at, time) in times.iter().enumerate() {
        let within = times[at..].iter().take_while(|later| **later < *time + minutes(1)).count();
        assert!(within <= 10, "{within} within a minute: {times:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn startup_requests_are_spread_out() {
    let world = World::new();
    let (all, tagged) = tokio::join!(world.coins(Tag::All), world.coins(Tag::Brc20));
    assert!(all.is_ok() && tagged.is_ok());
    let cmc = world.request_times(ProviderName::CoinMarketCap)[0];
    let gecko = world.request_times(ProviderName::CoinGecko)[0];
    assert_eq!((cmc, gecko), (Duration::ZERO, Duration::from_secs(1)));
}

#[tokio::test(start_paused = true)]
async fn startup_request_that_waits_for_another_instance_keeps_the_gap_to_other_providers() {
    use crate::service::backend::indexer::{IndexerProvider as _, PageQuery, TokensQuery};

    let state = tempfile::tempdir().unwrap();
    let store = SharedDatabase::new(Some(state.path().to_owned()));
    let world = World::with(LiveSettings { store, ..LiveSettings::default() });
    let held = START.plus(Duration::from_millis(1_500));
    Database::open(state.path()).unwrap().pause("coingecko", START, held).unwrap();
    let query = TokensQuery::default();
    let tokens = world.gateway.tokens(&query, PageQuery { offset: 0, limit: 20 });
    let (all, tagged, tokens) = tokio::join!(world.coins(Tag::All), world.coins(Tag::Brc20), tokens);
    assert!(all.is_ok() && tagged.is_ok() && tokens.is_ok());
    let at = |name| world.request_times(name)[0];
    let gecko = at(ProviderName::CoinGecko);
    assert!(gecko >= Duration::from_millis(1_500), "{gecko:?}");
    let mut times = [at(ProviderName::CoinMarketCap), gecko, at(ProviderName::UniSat)];
    times.sort_unstable();
    assert!(times.windows(2).all(|pair| pair[1] - pair[0] >= Duration::from_secs(1)), "{times:?}");
}

/// Requests everything that a dashboard shows, once per step.
pub(super) async fn poll_dashboard(world: &World, time: Duration, step: Duration) {
    let end = world.began.elapsed() + time;
    while world.began.elapsed() < end {
        let _ = tokio::join!(
            world.coins(Tag::All),
            world.coins(Tag::Brc20),
            world.coins(Tag::BitcoinEcosystem),
            world.chart("ordi"),
        );
        world.advance(step).await;
    }
}

#[tokio::test(start_paused = true)]
async fn hour_without_key_stays_within_provider_limits() {
    let world = World::new();
    poll_dashboard(&world, minutes(60), Duration::from_secs(20)).await;
    // Every 5 minutes.
    let cmc = world.request_count(ProviderName::CoinMarketCap);
    assert!((11..=13).contains(&cmc), "{cmc}");
    // Three resources every 10 minutes.
    let gecko = world.request_count(ProviderName::CoinGecko);
    assert!((15..=21).contains(&gecko), "{gecko}");
}

#[tokio::test(start_paused = true)]
async fn manual_refreshes_of_a_team_service_at_most_double_the_requests() {
    for (has_many_clients, expected) in [(false, 2), (true, 1)] {
        let mut settings = LiveSettings { has_many_clients, ..LiveSettings::default() };
        settings.order.insert(Operation::Tagged, vec![ProviderName::CoinGecko]);
        let world = World::with(settings);
        let fresh_for = world.coins(Tag::Brc20).await.unwrap().fresh_for;
        world.advance(fresh_for / 2 - Duration::from_secs(2)).await;
        manually(world.coins(Tag::Brc20)).await.unwrap();
        assert_eq!(world.request_count(ProviderName::CoinGecko), expected);
        world.advance(Duration::from_secs(12)).await;
        manually(world.coins(Tag::Brc20)).await.unwrap();
        assert_eq!(world.request_count(ProviderName::CoinGecko), expected + 1);
    }
}

#[tokio::test(start_paused = true)]
async fn provider_pause_is_shared_by_instances() {
    let state = tempfile::tempdir().unwrap();
    let world = || {
        let mut settings =
            LiveSettings { store: SharedDatabase::new(Some(state.path().to_owned())), ..LiveSettings::default() };
        settings.order.insert(Operation::Chart, vec![ProviderName::CoinGecko]);
        World::with(settings)
    };
    let (first, second) = (world(), world());
    first.respond_with(ProviderName::CoinGecko, Response::of(429, &[("retry-after", "120")], "{}"));
    assert!(first.chart("ordi").await.is_err());
    let error = second.chart("ordi").await.unwrap_err();
    assert!(matches!(&error, ProviderError::Unavailable { reason, .. } if reason.contains("429")), "{error:?}");
    assert_eq!(second.request_count(ProviderName::CoinGecko), 0);
}

#[tokio::test(start_paused = true)]
async fn gap_of_zero_sends_requests_one_after_the_other_within_the_minute_limit() {
    let state = tempfile::tempdir().unwrap();
    for store in [SharedDatabase::default(), SharedDatabase::new(Some(state.path().to_owned()))] {
        let mut settings = LiveSettings { store, start_gap: Duration::ZERO, ..LiveSettings::default() };
        settings.providers.entry(ProviderName::CoinGecko).or_default().min_gap = Some(Duration::ZERO);
        let world = World::with(settings);
        let slugs: Vec<String> = (0..12).map(|n| format!("coin-{n}")).collect();
        for chart in futures_util::future::join_all(slugs.iter().map(|slug| world.chart(slug))).await {
            chart.unwrap();
        }
        let times: Vec<u128> = world.request_times(ProviderName::CoinGecko).iter().map(Duration::as_millis).collect();
        // The latency of the responses is 200 ms.
        let expected: Vec<u128> = (0..10).map(|n| n * 200).chain([60_000, 60_200]).collect();
        assert_eq!(times, expected);
    }
}

#[tokio::test(start_paused = true)]
async fn cancelled_request_releases_its_slot() {
    let state = tempfile::tempdir().unwrap();
    let world = || {
        let mut settings =
            LiveSettings { store: SharedDatabase::new(Some(state.path().to_owned())), ..LiveSettings::default() };
        let gecko = settings.providers.entry(ProviderName::CoinGecko).or_default();
        (gecko.per_month, gecko.min_gap) = (Some(1_000_000), Some(Duration::from_secs(6)));
        settings.order.insert(Operation::Chart, vec![ProviderName::CoinGecko]);
        World::with(settings)
    };
    let (first, second, third) = (world(), world(), world());
    first.chart("first").await.unwrap();
    let cancelled = tokio::time::timeout(Duration::from_secs(1), second.chart("first")).await;
    assert!(cancelled.is_err(), "it waits for its slot");
    second.advance(Duration::from_secs(1)).await;
    third.chart("first").await.unwrap();
    let times = third.request_times(ProviderName::CoinGecko);
    assert!(times[0] < Duration::from_secs(7), "{times:?}");
    assert_eq!(second.request_count(ProviderName::CoinGecko), 0);
    let account = first.gateway.settings().provider(ProviderName::CoinGecko).account().id;
    let used = Database::open(state.path()).unwrap().used("coingecko", account, "2026-11").unwrap();
    assert_eq!(used, 2);
}

#[tokio::test(start_paused = true)]
async fn used_up_quota_stops_requests_until_reset() {
    let mastodon = (
        ProviderName::Mastodon,
        Operation::Posts,
        [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "2026-11-01T00:04:00.000Z")],
        "[]",
        240,
    );
    let candle = r#"[[1793487600000,"8","9","7","8.41","10",1793491199999,"84.1",7,"5","42","0"]]"#;
    let binance = (
        ProviderName::Binance,
        Operation::Chart,
        [("x-mbx-used-weight-1m", "5900"), ("x-mbx-used-weight", "5900")],
        candle,
        60,
    );
    for (name, operation, headers, body, wait) in [mastodon, binance] {
        let mut settings = LiveSettings::default();
        settings.order.insert(operation, vec![name]);
        settings.providers.entry(name).or_default().enabled = Some(true);
        let world = World::with(settings);
        world.respond_with(name, Response::of(200, &headers, body));
        let request = async |at: usize| match operation {
            Operation::Posts => {
                let symbol = ["first", "second"][at];
                world.gateway.posts(symbol, None, crate::model::PostOrder::Top).await.map(|_| ())
            }
            _ => world.gateway.chart("ordi", [Period::Day, Period::Week][at], &Currency::usd()).await.map(|_| ()),
        };
        request(0).await.unwrap();
        let Err(ProviderError::Unavailable { reason, retry_after, .. }) = request(1).await else { panic!("{name}") };
        assert!(reason.ends_with("request limit reached"), "{reason}");
        let wait = Duration::from_secs(wait);
        assert!(
            retry_after.is_some_and(|after| after <= wait && after + Duration::from_secs(10) > wait),
            "{retry_after:?}"
        );
        assert_eq!(world.request_count(name), 1, "{name}");
        world.advance(wait).await;
        request(1).await.unwrap();
        assert_eq!(world.request_count(name), 2, "{name}");
    }
}
