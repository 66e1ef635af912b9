//! Limits per month.

use super::budgets::poll_dashboard;
use super::*;
use crate::service::backend::extensions::ExtensionProvider as _;
use crate::store::{Database, SharedDatabase};

#[tokio::test(start_paused = true)]
async fn month_of_three_resources_fits_coingecko_demo_plan() {
    let world = World::without_decoding();
    let month = Duration::from_secs(30 * 24 * 3_600);
    poll_dashboard(&world, month, minutes(4)).await;
    let times = world.request_times(ProviderName::CoinGecko);
    // Without the limit it would be 25,920.
    assert!(times.len() <= 10_000, "{}", times.len());
    assert!(times.len() > 8_000, "the monthly limit is almost used up: {}", times.len());
    let last_day = times.iter().filter(|time| **time > month - Duration::from_secs(24 * 3_600)).count();
    assert!(last_day > 200, "some requests are left for the last day: {last_day}");
    assert!(world.coins(Tag::Brc20).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn low_monthly_limit_allows_only_manual_refresh() {
    let mut settings = LiveSettings::default();
    let gecko = settings.providers.entry(ProviderName::CoinGecko).or_default();
    (gecko.api_key, gecko.per_month) = (Some(Secret(String::from("key"))), Some(100));
    settings.order.insert(Operation::Tagged, vec![ProviderName::CoinGecko]);
    let world = World::with(settings);
    // The list needs 12 requests an hour; the monthly limit leaves 0.14.
    world.coins(Tag::Brc20).await.unwrap();
    world.advance(minutes(30)).await;
    let stale = world.coins(Tag::Brc20).await.unwrap();
    world.settle().await;
    assert_eq!(world.request_count(ProviderName::CoinGecko), 1);
    let reason = stale.refresh_error.unwrap();
    assert_eq!(reason, "CoinGecko: demand exceeds the monthly limit · manual refresh only");
    let fresh = manually(world.coins(Tag::Brc20)).await.unwrap();
    assert_eq!((world.request_count(ProviderName::CoinGecko), fresh.refresh_error), (2, None));
    assert!(fresh.age < Duration::from_secs(5));
    // Another refresh at once is answered from the cache.
    manually(world.coins(Tag::Brc20)).await.unwrap();
    assert_eq!(world.request_count(ProviderName::CoinGecko), 2);
}

#[tokio::test(start_paused = true)]
async fn clients_of_a_team_service_cannot_use_up_a_low_monthly_limit() {
    let mut settings = LiveSettings { has_many_clients: true, ..LiveSettings::default() };
    let gecko = settings.providers.entry(ProviderName::CoinGecko).or_default();
    (gecko.api_key, gecko.per_month) = (Some(Secret(String::from("key"))), Some(100));
    settings.order.insert(Operation::Tagged, vec![ProviderName::CoinGecko]);
    settings.order.insert(Operation::Chart, vec![ProviderName::CoinGecko]);
    let world = World::with(settings);
    world.coins(Tag::Brc20).await.unwrap();
    world.advance(minutes(30)).await;
    let stale = manually(world.coins(Tag::Brc20)).await.unwrap();
    assert_eq!(stale.refresh_error.as_deref(), Some("CoinGecko: demand exceeds the monthly limit"));
    // What nobody has loaded yet is loaded until little is left.
    for n in 0..89 {
        world.open_chart(n).await.unwrap();
        world.advance(Duration::from_secs(10)).await;
    }
    assert_eq!(world.request_count(ProviderName::CoinGecko), 90);
    world.coins(Tag::Brc20).await.unwrap();
    world.open_chart(89).await.unwrap();
    let error = world.open_chart(90).await.unwrap_err().to_string();
    assert_eq!(error, "CoinGecko: monthly limit almost reached");
    assert_eq!(world.request_count(ProviderName::CoinGecko), 91);
}

impl World {
    /// Loads one of 120 charts.
    async fn open_chart(&self, number: usize) -> ProviderResult<Chart> {
        let period = [Period::Day, Period::Week, Period::Month, Period::Quarter][number % 4];
        self.gateway.chart(&format!("coin-{}", number / 4), period, &Currency::usd()).await
    }
}

#[tokio::test(start_paused = true)]
async fn charts_opened_for_the_first_time_load_and_soon_no_longer_count_as_demand() {
    let mut settings = LiveSettings::default();
    settings.providers.entry(ProviderName::CoinGecko).or_default().api_key = Some(Secret(String::from("key")));
    settings.order.insert(Operation::Tagged, vec![ProviderName::CoinGecko]);
    settings.order.insert(Operation::Chart, vec![ProviderName::CoinGecko]);
    let world = World::with(settings);
    world.coins(Tag::Brc20).await.unwrap();
    // 12 charts need 144 requests an hour; the monthly limit leaves 13 an hour.
    for number in 0..12 {
        world.open_chart(number).await.unwrap();
    }
    world.advance(minutes(6)).await;
    let list = world.coins(Tag::Brc20).await.unwrap();
    let reason = "CoinGecko: demand exceeds the monthly limit · manual refresh only";
    assert_eq!(list.refresh_error.as_deref(), Some(reason));
    world.open_chart(12).await.unwrap();
    assert_eq!(world.request_count(ProviderName::CoinGecko), 14);
    world.advance(minutes(11)).await;
    world.coins(Tag::Brc20).await.unwrap();
    world.settle().await;
    world.advance(Duration::from_secs(5)).await;
    assert_eq!(world.coins(Tag::Brc20).await.unwrap().refresh_error, None);
    assert_eq!(world.request_count(ProviderName::CoinGecko), 15, "the list alone fits");
}

#[tokio::test(start_paused = true)]
async fn demand_counts_what_a_load_costs() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Chart, vec![ProviderName::CoinMarketCap]);
    let cmc = settings.providers.entry(ProviderName::CoinMarketCap).or_default();
    (cmc.api_key, cmc.min_gap) = (Some(Secret(String::from("key"))), Some(Duration::ZERO));
    let world = World::with(settings);
    world.respond(ProviderName::CoinMarketCap, |path| match path {
        "/v1/key/info" => Ok(json(r#"{"status":{"error_code":0,"credit_count":0}}"#)),
        _ if path.contains("/quotes/historical") => Ok(json(
            r#"{"data":{"1":{"id":1,"name":"Bitcoin","symbol":"BTC","quotes":[
            {"timestamp":"2026-10-31T07:55:00.000Z","quote":{"USD":{"price":61000.5}}},
            {"timestamp":"2026-10-31T08:00:00.000Z","quote":{"USD":{"price":61234.1}}}]}},
            "status":{"error_code":0,"credit_count":3}}"#,
        )),
        _ => Ok(default_response(ProviderName::CoinMarketCap, path)),
    });
    // 288 points cost 3 credits: 36 an hour, and the monthly limit leaves 20.8 an hour.
    let chart = async || world.gateway.chart("bitcoin", Period::Day, &Currency::usd()).await.unwrap();
    chart().await;
    world.advance(Duration::from_secs(20)).await;
    let fresh_for = manually(chart()).await.fresh_for;
    assert!((minutes(8)..minutes(9)).contains(&fresh_for), "{fresh_for:?}");
}

#[tokio::test(start_paused = true)]
async fn count_of_the_month_is_corrected_by_the_provider() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Chart, vec![ProviderName::CoinMarketCap]);
    let cmc = settings.providers.entry(ProviderName::CoinMarketCap).or_default();
    (cmc.api_key, cmc.min_gap) = (Some(Secret(String::from("key"))), Some(Duration::ZERO));
    let world = World::with(settings);
    world.respond(ProviderName::CoinMarketCap, |path| {
        let json = |body: &str| Ok(Response::of(200, &[("content-type", "application/json")], body));
        match path {
            "/v1/key/info" => json(
                r#"{"data":{"usage":{"current_month":{"credits_used":1200}}},
                "status":{"error_code":0,"credit_count":0}}"#,
            ),
            // Costs more than expected.
            _ if path.contains("/quotes/historical") => json(
                r#"{"data":{"1":{"id":1,"name":"Bitcoin","symbol":"BTC","quotes":[
                {"timestamp":"2026-10-31T07:55:00.000Z","quote":{"USD":{"price":61000.5}}},
                {"timestamp":"2026-10-31T08:00:00.000Z","quote":{"USD":{"price":61234.1}}}]}},
                "status":{"error_code":0,"credit_count":10}}"#,
            ),
            _ => Ok(default_response(ProviderName::CoinMarketCap, path)),
        }
    });
    let used = async || {
        let sources = world.gateway.sources().await;
        let cmc = sources.into_iter().find(|source| source.name == "coinmarketcap").unwrap();
        cmc.budget.unwrap().used
    };
    world.chart("bitcoin").await.unwrap();
    assert_eq!(used().await, Some(10), "what the response says");
    world.advance(Duration::from_secs(5)).await;
    assert_eq!(used().await, Some(1_200), "those of other programs, too");
    world.advance(minutes(30)).await;
    manually(world.chart("bitcoin")).await.unwrap();
    world.settle().await;
    assert_eq!(used().await, Some(1_210), "not queried again within an hour");
    let log = world.log.lock();
    assert_eq!(log.iter().filter(|(_, path, _)| path == "/v1/key/info").count(), 1);
}

#[tokio::test(start_paused = true)]
async fn only_successful_responses_of_coingecko_count_for_the_month() {
    let mut settings = LiveSettings::default();
    let gecko = settings.providers.entry(ProviderName::CoinGecko).or_default();
    (gecko.api_key, gecko.min_gap) = (Some(Secret(String::from("key"))), Some(Duration::ZERO));
    settings.order.insert(Operation::Chart, vec![ProviderName::CoinGecko]);
    let world = World::with(settings);
    let budget = || world.gateway.provider(ProviderName::CoinGecko).unwrap().upstream.as_ref().unwrap().budget();
    for (number, status) in [404, 429, 503].into_iter().enumerate() {
        world.respond_with(ProviderName::CoinGecko, Response::of(status, &[], "{}"));
        assert!(world.open_chart(number).await.is_err());
        world.advance(minutes(5)).await;
    }
    assert_eq!((world.request_count(ProviderName::CoinGecko), budget().month().0), (3, 0));
    world.respond_with(ProviderName::CoinGecko, None);
    world.open_chart(4).await.unwrap();
    assert_eq!(budget().month().0, 1);
}

#[tokio::test(start_paused = true)]
async fn used_up_monthly_limit_stops_requests() {
    let mut settings = LiveSettings::default();
    let gecko = settings.providers.entry(ProviderName::CoinGecko).or_default();
    (gecko.per_month, gecko.min_gap) = (Some(5), Some(Duration::ZERO));
    settings.order.insert(Operation::Chart, vec![ProviderName::CoinGecko]);
    let world = World::with(settings);
    for n in 0..5 {
        manually(world.chart(&format!("coin-{n}"))).await.unwrap();
    }
    let error = manually(world.chart("coin-5")).await.unwrap_err();
    let ProviderError::Unavailable { reason, retry_after, .. } = error else { panic!("{error:?}") };
    assert!(reason.contains("monthly limit of 5 requests reached"), "{reason}");
    let until = retry_after.unwrap();
    assert!(until > Duration::from_secs(29 * 24 * 3_600), "{until:?}");
    assert_eq!(world.request_count(ProviderName::CoinGecko), 5);
    world.advance(until + minutes(1)).await;
    let now = START.plus(world.began.elapsed()).millis();
    world.respond_with(ProviderName::CoinGecko, Response::of(200, &[], format!(r#"{{"prices":[[{now},8.41]]}}"#)));
    manually(world.chart("coin-6")).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn monthly_limit_is_shared_by_instances_and_survives_restart() {
    let state = tempfile::tempdir().unwrap();
    let world = || {
        let mut settings =
            LiveSettings { store: SharedDatabase::new(Some(state.path().to_owned())), ..LiveSettings::default() };
        let gecko = settings.providers.entry(ProviderName::CoinGecko).or_default();
        (gecko.per_month, gecko.min_gap) = (Some(6), Some(Duration::ZERO));
        settings.order.insert(Operation::Chart, vec![ProviderName::CoinGecko]);
        World::with(settings)
    };
    let (first, second) = (world(), world());
    for n in 0..3 {
        manually(first.chart(&format!("coin-{n}"))).await.unwrap();
        manually(second.chart(&format!("coin-{n}"))).await.unwrap();
    }
    let restarted = world();
    for world in [&first, &second, &restarted] {
        assert!(manually(world.chart("coin-9")).await.is_err());
    }
    assert_eq!(restarted.request_count(ProviderName::CoinGecko), 0);
    assert!(Database::open(state.path()).unwrap().load().is_ok(), "user data is unaffected");
}
