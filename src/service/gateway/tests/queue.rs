//! Which request goes to a provider first, and when another provider is used instead.

use super::*;
use crate::service::backend::market::SeriesQuery;
use crate::service::call::with_details_wait;
use crate::service::gateway::cache::{Cache, Failure};
use crate::service::operation::Key;
use crate::service::queue_time::{note_queued, timeout_unless_queued};

const GECKO: ProviderName = ProviderName::CoinGecko;

/// A gateway that knows a coin without an id at CoinGecko, which the series of DefiLlama need.
fn world() -> World {
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    settings.providers.entry(ProviderName::DefiLlama).or_default().enabled = Some(true);
    settings.order.insert(Operation::Series, vec![ProviderName::DefiLlama]);
    let world = World::with(settings);
    let mut coin = CoinRef::new(CoinId("u1".into()), "unlisted".into(), "Unlisted".into(), "U".into());
    coin.market_cap = Some(1e6);
    world.gateway.identity().insert(coin);
    world.respond(ProviderName::DefiLlama, |path| {
        let id = path.split("coingecko:").nth(1).and_then(|rest| rest.split('?').next()).unwrap_or_default();
        let prices = r#"{"prices":[{"timestamp":1793487600,"price":8.41}]}"#;
        Ok(Response::of(200, &[], format!(r#"{{"coins":{{"coingecko:{id}":{prices}}}}}"#)))
    });
    world
}

/// Requests the series of the coin without an id, as the trends of a list do.
async fn trends(world: &World) {
    let (symbols, interval) = (vec![String::from("U")], String::from("1h"));
    let _ = world.gateway.series(SeriesQuery { symbols, convert: Currency::usd(), count: 10, interval }).await;
}

/// The subject of a request to CoinGecko.
fn kind(path: &str) -> &'static str {
    let kinds = ["market_chart", "category=brc-20", "symbols="];
    kinds.into_iter().find(|kind| path.contains(kind)).unwrap_or("other")
}

#[tokio::test(start_paused = true)]
async fn list_goes_before_lookups_of_its_trends() {
    let world = world();
    let list = async {
        world.advance(Duration::from_secs(1)).await;
        world.coins(Tag::Brc20).await.unwrap()
    };
    let (chart, (), list) = tokio::join!(world.chart("first"), trends(&world), list);
    assert_eq!((chart.unwrap().provider, list.provider), (Some(GECKO), Some(GECKO)));
    let kinds: Vec<&str> = world.paths(GECKO).iter().map(|path| kind(path)).collect();
    assert_eq!(kinds, ["market_chart", "category=brc-20", "symbols="]);
}

#[tokio::test(start_paused = true)]
async fn awaited_names_are_requested_in_order() {
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    settings.order.insert(Operation::Coins, vec![GECKO]);
    let world = World::with(settings);
    let names = async {
        world.advance(Duration::from_secs(1)).await;
        world.gateway.coin_names().await.unwrap()
    };
    let last = async {
        world.advance(Duration::from_secs(2)).await;
        world.chart("third").await.unwrap()
    };
    let (first, second, names, _) = tokio::join!(world.chart("first"), world.chart("second"), names, last);
    assert!(first.is_ok() && second.is_ok() && !names.data.is_empty());
    let kinds: Vec<&str> = world.paths(GECKO).iter().map(|path| kind(path)).collect();
    assert_eq!(kinds, ["market_chart", "market_chart", "other", "market_chart"]);
}

#[tokio::test(start_paused = true)]
async fn abandoned_lookup_is_not_sent() {
    let world = world();
    world.chart("first").await.unwrap();
    let abandoned = tokio::time::timeout(Duration::from_secs(1), trends(&world)).await;
    assert!(abandoned.is_err(), "it is queued");
    world.advance(minutes(1)).await;
    assert_eq!(world.request_count(GECKO), 1);
    trends(&world).await;
    assert_eq!(world.paths(GECKO).iter().map(|path| kind(path)).collect::<Vec<_>>(), ["market_chart", "symbols="]);
}

#[tokio::test(start_paused = true)]
async fn next_provider_is_used_while_the_queue_is_long() {
    let world = world();
    let (first, second, third) = tokio::join!(world.chart("first"), world.chart("second"), world.chart("third"));
    let providers = [first, second, third].map(|chart| chart.unwrap().provider.unwrap());
    assert_eq!(providers, [GECKO, GECKO, ProviderName::DefiLlama]);
}

/// The market caps of built-in coins, which the list's market caps are matched with, come from the others.
#[tokio::test(start_paused = true)]
async fn list_is_not_lost_while_two_other_providers_hang() {
    const PAPRIKA: ProviderName = ProviderName::CoinPaprika;
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    settings.order.insert(Operation::Coins, vec![ProviderName::CoinMarketCap, PAPRIKA, GECKO]);
    settings.providers.entry(PAPRIKA).or_default().enabled = Some(true);
    settings.limits.total = Duration::from_secs(15);
    let world = World::with(settings);
    let tickers = r#"[{"id":"ordi-ordi","name":"ORDI","symbol":"ORDI","rank":9,
        "quotes":{"USD":{"price":8.41,"market_cap":176610000}}}]"#;
    world.respond_with(PAPRIKA, Response::of(200, &[], tickers));
    world.set_latency(ProviderName::CoinMarketCap, Duration::from_secs(40));
    world.set_latency(GECKO, Duration::from_secs(40));
    let list = world.coins(Tag::All).await.unwrap();
    assert_eq!((list.provider, list.data.items.len()), (Some(PAPRIKA), 1));
}

/// CoinMarketCap's list, market caps and details.
#[tokio::test(start_paused = true)]
async fn nothing_optional_waits_for_a_provider_that_hangs() {
    const PAPRIKA: ProviderName = ProviderName::CoinPaprika;
    const CMC: ProviderName = ProviderName::CoinMarketCap;
    let wait = Duration::from_secs(6);
    for (order, most) in [(vec![CMC, PAPRIKA], Duration::from_secs(7)), (vec![PAPRIKA, CMC], wait)] {
        let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
        settings.order.insert(Operation::Coins, order.clone());
        settings.providers.entry(PAPRIKA).or_default().enabled = Some(true);
        settings.limits.total = Duration::from_secs(15);
        let world = World::build(settings, true);
        let tickers = r#"[{"id":"ordi-ordi","name":"ORDI","symbol":"ORDI","rank":9,
            "quotes":{"USD":{"price":8.41,"market_cap":176610000}}}]"#;
        world.respond_with(PAPRIKA, Response::of(200, &[], tickers));
        world.set_latency(CMC, Duration::from_secs(40));
        let list = with_details_wait(wait, world.coins(Tag::All)).await.unwrap();
        assert_eq!((list.provider, list.data.items.len()), (Some(PAPRIKA), 1));
        let waited = world.began.elapsed();
        assert!(waited <= most, "{order:?}: {waited:?}");
        assert!(list.fresh_for <= minutes(1), "they come later: {:?}", list.fresh_for);
        let before = (world.request_count(CMC), Instant::now());
        let again = with_details_wait(wait, world.coins(Tag::All)).await.unwrap();
        assert_eq!((again.provider, before.1.elapsed()), (Some(PAPRIKA), Duration::ZERO), "{order:?}");
        assert_eq!(world.request_count(CMC), before.0, "{order:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn coins_by_id_leave_time_for_the_next_provider() {
    let world = World::new();
    let ids = [CoinId("first".into())];
    {
        let mut identity = world.gateway.identity();
        let mut coin = identity.by_id(&ids[0]).unwrap();
        coin.ids.set(ProviderName::CoinMarketCap, Some("1".into()));
        identity.insert(coin);
    }
    world.set_latency(ProviderName::CoinMarketCap, Duration::from_secs(40));
    let row = r#"[{"id":"first","symbol":"first","name":"first","current_price":8.41,"market_cap":176610000}]"#;
    world.respond_with(GECKO, Response::of(200, &[("content-type", "application/json")], row));
    let response = world.gateway.coins_by_id(&ids, &Currency::usd()).await.unwrap();
    let waited = world.began.elapsed();
    assert!(response.provider == Some(GECKO) && waited < Duration::from_secs(9), "{waited:?}");
}

/// A better value than the one at hand may wait in its provider's queue.
#[tokio::test(start_paused = true)]
async fn next_provider_is_not_slow_while_its_queue_is() {
    const MASTODON: ProviderName = ProviderName::Mastodon;
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    settings.order.insert(Operation::Posts, vec![ProviderName::Bluesky, MASTODON]);
    settings.providers.entry(MASTODON).or_default().min_gap = Some(Duration::from_secs(6));
    let world = World::with(settings);
    world.respond_with(ProviderName::Bluesky, Response::of(200, &[], r#"{"posts":[]}"#));
    let posts = r#"[{"id":"1","account":{"acct":"x"},"content":"$first and $second"}]"#;
    world.respond_with(MASTODON, Response::of(200, &[], posts));
    let of = async |symbol: &str| {
        let posts = world.gateway.posts(symbol, None, crate::model::PostOrder::Latest).await.unwrap();
        (posts.provider.unwrap(), posts.data.len())
    };
    assert_eq!(of("first").await, (MASTODON, 1));
    assert_eq!(of("second").await, (MASTODON, 1));
    // It is slow itself.
    world.set_latency(MASTODON, Duration::from_secs(5));
    assert_eq!(of("third").await, (ProviderName::Bluesky, 0));
}

#[tokio::test(start_paused = true)]
async fn provider_is_not_slow_for_a_request_that_joins_a_queued_one() {
    let (cache, key) = (Cache::default(), Key::new(Operation::Chart, "first"));
    let load = || async {
        let queued = note_queued();
        tokio::time::sleep(Duration::from_secs(10)).await;
        drop(queued);
        tokio::time::sleep(Duration::from_secs(3)).await;
        Err(Failure::NotFound(String::from("loaded")))
    };
    let (began, limit) = (Instant::now(), Duration::from_secs(4));
    let request = async |at: u64| {
        tokio::time::sleep(Duration::from_secs(at)).await;
        timeout_unless_queued(limit, began + minutes(1), cache.load(&key, load)).await.is_some()
    };
    assert_eq!(tokio::join!(request(0), request(2), request(8)), (true, true, true));
}

#[tokio::test(start_paused = true)]
async fn provider_that_hangs_leaves_time_for_the_next_one() {
    let world = World::new();
    world.set_latency(GECKO, Duration::from_secs(40));
    let list = world.coins(Tag::Brc20).await.unwrap();
    assert_eq!(list.provider, Some(ProviderName::CoinMarketCap));
    let waited = world.began.elapsed();
    assert!(waited < Duration::from_secs(9), "{waited:?}");
    // The next request gets the full timeout; the provider is paused only if it is as slow again.
    assert!(
        world
            .gateway
            .0
            .circuits
            .lock()
            .values()
            .all(|circuit| circuit.pause_of_all(world.gateway.0.time.moment()).is_none())
    );
    world.coins(Tag::BitcoinEcosystem).await.unwrap();
    assert!(world.chart("first").await.is_err());
    assert_eq!(world.request_count(GECKO), 2);
}

#[tokio::test(start_paused = true)]
async fn provider_that_hangs_is_named_before_the_client_gives_up() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Tagged, vec![GECKO]);
    settings.limits.total = Duration::from_secs(10);
    let world = World::with(settings);
    world.set_latency(GECKO, Duration::from_secs(40));
    let Err(ProviderError::Unavailable { reason, .. }) = world.coins(Tag::Brc20).await else { panic!() };
    assert_eq!(reason, "CoinGecko: no response within 9 s");
    assert!(world.began.elapsed() < Duration::from_secs(10));
}

#[tokio::test(start_paused = true)]
async fn untried_provider_is_not_blamed() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Tagged, vec![GECKO, ProviderName::CoinMarketCap]);
    settings.limits.total = Duration::from_secs(10);
    let world = World::with(settings);
    world.respond_with(GECKO, Response::of(404, &[], "{}"));
    world.set_latency(ProviderName::CoinMarketCap, Duration::from_secs(40));
    let Err(ProviderError::Unavailable { reason, .. }) = world.coins(Tag::Brc20).await else { panic!() };
    assert_eq!(reason, "CoinMarketCap: no response within 9 s");
}

#[tokio::test(start_paused = true)]
async fn joined_request_goes_before_later_ones() {
    let world = World::new();
    let at = async |second: u64, slug: &'static str| {
        world.advance(Duration::from_secs(second)).await;
        world.chart(slug).await.unwrap();
    };
    let refresh = crate::service::call::in_background(at(1, "second"));
    tokio::join!(at(0, "first"), refresh, at(2, "third"), at(3, "second"), at(7, "other"));
    let slugs: Vec<String> =
        world.paths(GECKO).iter().map(|path| path.split('/').nth(2).unwrap_or_default().to_owned()).collect();
    assert_eq!(slugs, ["first", "third", "second", "other"]);
}

#[tokio::test(start_paused = true)]
async fn joined_refresh_leaves_time_for_the_next_provider() {
    let world = World::new();
    world.set_latency(GECKO, Duration::from_secs(40));
    let joined = async {
        world.advance(Duration::from_secs(1)).await;
        world.coins(Tag::Brc20).await.unwrap()
    };
    let refresh = crate::service::call::in_background(world.coins(Tag::Brc20));
    let (refreshed, joined) = tokio::join!(refresh, joined);
    let provider = Some(ProviderName::CoinMarketCap);
    assert_eq!((refreshed.unwrap().provider, joined.provider), (provider, provider));
    let waited = world.began.elapsed();
    assert!(waited < Duration::from_secs(10), "{waited:?}");
}

#[tokio::test(start_paused = true)]
async fn request_of_another_client_is_served_in_its_turn() {
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    settings.order.insert(Operation::Chart, vec![GECKO]);
    let world = World::with(settings);
    let client = |number: u8| std::net::IpAddr::from([10, 0, 0, number]);
    let slugs: Vec<String> = (0..30).map(|number| format!("coin-{number}")).collect();
    let busy = futures_util::future::join_all(
        slugs.iter().map(|slug| crate::service::call::for_client(client(1), world.chart(slug))),
    );
    let other = async {
        world.advance(Duration::from_secs(1)).await;
        crate::service::call::for_client(client(2), world.chart("other")).await
    };
    let (_, other) = tokio::join!(busy, other);
    assert_eq!(other.unwrap().provider, Some(GECKO));
    let paths = world.paths(GECKO);
    let position = paths.iter().position(|path| path.contains("other")).unwrap();
    assert_eq!(position, 2, "after one that was sent and one whose turn it is: {paths:?}");
}

#[tokio::test(start_paused = true)]
async fn hanging_providers_of_a_list_and_of_rates_are_waited_for_together() {
    let world = World::new();
    for hanging in [GECKO, ProviderName::Frankfurter] {
        world.set_latency(hanging, minutes(60));
    }
    let xml = "<Cube><Cube time='2026-10-30'><Cube currency='USD' rate='1.25'/></Cube></Cube>";
    world.respond_with(ProviderName::Ecb, Response::of(200, &[], xml));
    world.respond_with(ProviderName::Frankfurter, Response::of(200, &[], "[]"));
    let euro = Currency::parse("EUR").unwrap();
    let began = Instant::now();
    let query = CoinsQuery { tag: Tag::Brc20, offset: 0, limit: 1, convert: euro.clone() };
    let response = world.gateway.coins(query).await.unwrap();
    assert_eq!((response.provider, &response.data.items[0].convert), (Some(ProviderName::CoinMarketCap), &euro));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn error_of_a_request_that_was_queued_too_long_says_so() {
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    settings.limits.total = Duration::from_secs(5);
    settings.order.insert(Operation::Tagged, vec![GECKO]);
    let world = World::with(settings);
    let lists = async || tokio::join!(world.coins(Tag::Brc20), world.coins(Tag::BitcoinEcosystem));
    // The second one waits for the minimum gap of six seconds.
    let (first, second) = lists().await;
    first.unwrap();
    let reason = "CoinGecko: no response within 4 s (queued for 4 s)";
    assert!(matches!(&second, Err(ProviderError::Unavailable { reason: own, .. }) if own == reason), "{second:?}");
    world.advance(minutes(30)).await;
    world.set_latency(GECKO, minutes(1));
    let (slow, _) = tokio::join!(world.coins(Tag::BitcoinEcosystem), world.advance(minutes(1)));
    let reason = "CoinGecko: no response within 4 s";
    assert!(matches!(&slow, Err(ProviderError::Unavailable { reason: own, .. }) if own == reason), "{slow:?}");
}
