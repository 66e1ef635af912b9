//! Later pages of lists that fail.

use super::lists::{cmc_list, gecko_list};
use super::partial_lists::{hiro_page, two_indexers};
use super::short_pages::tickers as tokens;
use super::*;
use crate::service::backend::indexer::{IndexerProvider as _, PageQuery, TokensQuery};
use crate::service::call::in_background;
use crate::store::SharedDatabase;

const CMC: ProviderName = ProviderName::CoinMarketCap;
const GECKO: ProviderName = ProviderName::CoinGecko;
const HIRO: ProviderName = ProviderName::Hiro;
const UNISAT: ProviderName = ProviderName::UniSat;

#[tokio::test(start_paused = true)]
async fn list_without_its_second_page_is_not_requested_every_few_seconds() {
    let world = World::new();
    world.respond(UNISAT, |path| {
        Ok(match number(path, "start") {
            0 => tokens(0..60, 500),
            _ => Response::of(400, &[], ""),
        })
    });
    let response = world.first_tokens(120).await;
    assert_eq!(response.notice.as_deref(), Some("Only 60 of 120 rows loaded: no more rows were found"));
    assert!(response.fresh_for > Duration::from_secs(30), "{:?}", response.fresh_for);
    world.respond(CMC, |path| {
        Ok(match number(path, "start") {
            1 => json(cmc_list(1..=250, "1.5")),
            _ => Response::of(404, &[], ""),
        })
    });
    let response = world.all_coins(500).await;
    assert_eq!((response.data.items.len(), response.notice.is_some()), (250, true));
    assert!(response.fresh_for > minutes(4), "{:?}", response.fresh_for);
}

#[tokio::test(start_paused = true)]
async fn failed_later_page_of_tokens_does_not_wait_for_the_first() {
    let world = two_indexers();
    world.respond(UNISAT, |path| Ok(tokens((0..150).skip(number(path, "start")).take(60), 150)));
    world.first_tokens(60).await;
    world.advance(minutes(61)).await;
    world.respond_with(UNISAT, Response::of(503, &[], ""));
    world.respond(HIRO, |path| Ok(hiro_page(path, r#""max_supply":"10","minted_supply":"5""#, |n| n)));
    world.set_latency(HIRO, Duration::from_secs(8));
    let (began, page) = (Instant::now(), PageQuery { offset: 60, limit: 60 });
    assert!(manually(world.gateway.tokens(&TokensQuery::default(), page)).await.is_err());
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    world.advance(Duration::from_secs(20)).await;
    world.set_latency(HIRO, Duration::from_millis(200));
    let response = world.gateway.tokens(&TokensQuery::default(), page).await.unwrap();
    assert_eq!((response.data.items.len(), response.provider), (60, Some(HIRO)));
}

#[tokio::test(start_paused = true)]
async fn failed_later_page_of_coins_does_not_wait_for_the_first() {
    let world = World::new();
    world.respond(CMC, |path| {
        let start = number(path, "start");
        Ok(json(cmc_list(start..start + 250, "1.5")))
    });
    world.all_coins(200).await;
    world.advance(minutes(11)).await;
    world.respond_with(CMC, Response::of(503, &[], ""));
    world.respond(GECKO, |_| Ok(gecko_list(180)));
    world.set_latency(GECKO, Duration::from_secs(8));
    let began = Instant::now();
    let query = CoinsQuery { tag: Tag::All, offset: 250, limit: 250, convert: Currency::usd() };
    assert!(manually(world.gateway.coins(query)).await.is_err());
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    world.advance(Duration::from_secs(20)).await;
    assert_eq!(world.all_coins(200).await.provider, Some(GECKO));
}

/// CoinMarketCap lists 250 coins and fails for the rest; CoinGecko lists 500.
fn failing_rest(status: u16) -> World {
    failing_rest_with(LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() }, status)
}

fn failing_rest_with(settings: LiveSettings, status: u16) -> World {
    let world = World::with(settings);
    world.respond(CMC, move |path| {
        Ok(match number(path, "start") {
            1 => json(cmc_list(1..=250, "1.5")),
            _ => Response::of(status, &[], ""),
        })
    });
    world.respond(GECKO, |path| {
        Ok(if path.contains("market_chart") { default_response(GECKO, path) } else { gecko_page(path, 500) })
    });
    world
}

/// A page of CoinGecko's list of this many coins.
fn gecko_page(path: &str, total: usize) -> Response {
    let row = |n: usize| format!(r#"{{"id":"g{n}","symbol":"g{n}","name":"G {n}","current_price":1.5}}"#);
    let first = (number(path, "&page") - 1) * 250;
    let rows: Vec<String> = (first..total).take(250).map(row).collect();
    json(format!("[{}]", rows.join(",")))
}

fn part(offset: usize, limit: usize) -> CoinsQuery {
    CoinsQuery { tag: Tag::All, offset, limit, convert: Currency::usd() }
}

/// The number of coins, the provider, and whether all of them are CoinGecko's.
fn origin(response: &ProviderResponse<Page<Coin>>) -> (usize, Option<ProviderName>, bool) {
    let items = &response.data.items;
    (items.len(), response.provider, items.iter().all(|coin| coin.id.0.starts_with('g')))
}

#[tokio::test(start_paused = true)]
async fn whole_list_comes_from_the_next_provider_if_a_later_page_fails() {
    for status in [503, 429] {
        // In one request.
        let world = failing_rest(status);
        let response = world.gateway.coins(part(0, 300)).await.unwrap();
        assert_eq!((origin(&response), response.notice), ((300, Some(GECKO), true), None), "{status}");
        // In several.
        let world = failing_rest(status);
        assert_eq!(origin(&world.gateway.coins(part(0, 200)).await.unwrap()), (200, Some(CMC), false), "{status}");
        for (offset, limit) in [(200, 100), (0, 200), (250, 50)] {
            let response = world.gateway.coins(part(offset, limit)).await.unwrap();
            assert_eq!(origin(&response), (limit, Some(GECKO), true), "{status} {offset}");
        }
        let is_page = |path: &String| path.contains("&page=") && !path.contains("ids=");
        let pages = world.paths(GECKO).into_iter().filter(is_page).count();
        assert_eq!(pages, 2, "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn list_stays_if_no_other_provider_has_the_page_that_fails() {
    let world = failing_rest(503);
    world.respond(GECKO, |_| Ok(gecko_list(180)));
    let response = world.gateway.coins(part(0, 300)).await.unwrap();
    assert_eq!(origin(&response), (250, Some(CMC), false));
    let notice = response.notice.unwrap();
    assert!(notice.starts_with("Only 250 of 300 coins loaded: "), "{notice}");
    assert!(world.gateway.coins(part(250, 50)).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn list_replaced_in_the_background_does_not_delay_awaited_requests() {
    let world = failing_rest(503);
    world.gateway.coins(part(0, 200)).await.unwrap();
    world.advance(minutes(1)).await;
    let before = world.request_count(GECKO);
    let awaited = async {
        world.advance(Duration::from_secs(1)).await;
        let _ = world.chart("first").await;
    };
    let _ = tokio::join!(in_background(world.gateway.coins(part(250, 50))), awaited);
    world.advance(minutes(1)).await;
    let paths = world.paths(GECKO);
    let position = |part: &str| paths.iter().skip(before).position(|path| path.contains(part));
    let (chart, rest) = (position("market_chart"), position("&page=2"));
    assert!(chart.is_some() && rest.is_some() && chart < rest, "{paths:?}");
}

#[tokio::test(start_paused = true)]
async fn list_is_replaced_after_a_request_that_could_not_wait_for_it() {
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    settings.limits.total = Duration::from_secs(10);
    let world = failing_rest_with(settings, 503);
    world.gateway.coins(part(0, 200)).await.unwrap();
    world.set_latency(GECKO, Duration::from_secs(5));
    let began = Instant::now();
    assert!(world.gateway.coins(part(250, 50)).await.is_err());
    assert!(began.elapsed() < Duration::from_secs(9), "{:?}", began.elapsed());
    world.advance(Duration::from_secs(20)).await;
    for (offset, limit) in [(250, 50), (0, 200)] {
        assert_eq!(origin(&world.gateway.coins(part(offset, limit)).await.unwrap()), (limit, Some(GECKO), true));
    }
}

#[tokio::test(start_paused = true)]
async fn providers_that_fail_for_different_pages_do_not_replace_each_other_in_turn() {
    let world = World::with(LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() });
    world.respond(CMC, |path| {
        Ok(match number(path, "start") {
            501 => Response::of(503, &[], ""),
            start => json(cmc_list(start..start + 250, "1.5")),
        })
    });
    world.respond(GECKO, |path| {
        let fails = path.contains("&page=2&");
        Ok(if fails { Response::of(503, &[], "") } else { gecko_page(path, 1_000) })
    });
    assert_eq!(origin(&world.gateway.coins(part(0, 200)).await.unwrap()), (200, Some(CMC), false));
    for _ in 0..3 {
        assert_eq!(origin(&world.gateway.coins(part(500, 50)).await.unwrap()), (50, Some(GECKO), true));
        assert!(world.gateway.coins(part(250, 50)).await.is_err());
        world.advance(Duration::from_secs(30)).await;
    }
    assert_eq!(origin(&world.gateway.coins(part(0, 200)).await.unwrap()), (200, Some(GECKO), true));
}

#[tokio::test(start_paused = true)]
async fn list_of_a_provider_that_is_only_busy_is_not_replaced() {
    let directory = tempfile::tempdir().unwrap();
    let [other, own] = [(), ()].map(|()| {
        let store = SharedDatabase::new(Some(directory.path().to_owned()));
        let mut settings = LiveSettings { store, start_gap: Duration::ZERO, ..LiveSettings::default() };
        let limits = settings.providers.entry(CMC).or_default();
        (limits.per_minute, limits.min_gap) = (Some(3), Some(Duration::ZERO));
        let world = World::with(settings);
        world.respond(CMC, |path| {
            let start = number(path, "start");
            Ok(json(cmc_list(start..start + 250, "1.5")))
        });
        world.respond(GECKO, |path| Ok(gecko_page(path, 500)));
        world
    });
    assert_eq!(origin(&own.gateway.coins(part(0, 200)).await.unwrap()), (200, Some(CMC), false));
    other.gateway.coins(part(0, 500)).await.unwrap();
    let error = own.gateway.coins(part(250, 50)).await.unwrap_err();
    assert!(error.to_string().contains("CoinMarketCap"), "{error}");
    own.advance(minutes(1)).await;
    for offset in [250, 0] {
        assert_eq!(origin(&own.gateway.coins(part(offset, 50)).await.unwrap()), (50, Some(CMC), false));
    }
}
