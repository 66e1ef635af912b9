//! Lists of which only a part could be loaded, and what is better: the last list, or the next provider's.

use std::sync::atomic::AtomicBool;

use super::lists::{cmc_list, gecko_list};
use super::short_pages::{category, category_of, failing_list, tickers};
use super::*;
use crate::service::backend::indexer::{BalancesQuery, IndexerProvider as _, PageQuery, TokensQuery};
use crate::service::upstream::error::{ErrorClass, SourceError};

const CMC: ProviderName = ProviderName::CoinMarketCap;
const GECKO: ProviderName = ProviderName::CoinGecko;
const UNISAT: ProviderName = ProviderName::UniSat;
const HIRO: ProviderName = ProviderName::Hiro;

/// CoinMarketCap with 180 coins in two parts, while CoinGecko fails.
pub(super) fn whole_list(settings: LiveSettings) -> World {
    let world = World::with(settings);
    world.respond_with(GECKO, Response::of(503, &[], ""));
    world.list_all();
    world
}

impl World {
    /// Makes CoinMarketCap list 180 coins in two parts.
    fn list_all(&self) {
        self.respond(CMC, |path| {
            let coins = (number(path, "start")..=180).take(number(path, "limit").min(100));
            Ok(json(cmc_list(coins, "1.5").replace("915", "180")))
        });
    }
}

/// The number of rows, and whether they are new.
pub(super) fn outcome(response: &ProviderResponse<Page<Coin>>) -> (usize, bool) {
    (response.data.items.len(), response.refresh_error.is_none() && response.age < minutes(1))
}

#[tokio::test(start_paused = true)]
async fn whole_list_stays_if_a_refresh_loads_only_a_part() {
    let world = whole_list(LiveSettings::default());
    assert_eq!(outcome(&world.all_coins(200).await), (180, true));
    world.fail_after_a_part();
    world.advance(minutes(11)).await;
    world.all_coins(200).await;
    world.advance(Duration::from_secs(10)).await;
    let kept = world.all_coins(200).await;
    assert_eq!((outcome(&kept), kept.provider), ((180, false), Some(CMC)));
    let reason = "CoinMarketCap: server error (500)";
    assert_eq!((kept.refresh_error.as_deref(), kept.notice), (Some(reason), None));
    assert!(kept.fresh_for <= Duration::from_secs(30), "it is refreshed soon: {:?}", kept.fresh_for);
    assert_eq!(world.request_count(CMC), 4);
    for (wait, requests) in [(40, 6), (60, 6), (600, 8)] {
        world.advance(Duration::from_secs(wait)).await;
        world.all_coins(200).await;
        world.advance(Duration::from_secs(10)).await;
        assert_eq!(outcome(&world.all_coins(200).await), (180, false));
        assert_eq!(world.request_count(CMC), requests, "with the same outcome, it is refreshed as usual");
    }
    // A part with new prices is better than half an hour old ones.
    world.advance(minutes(11)).await;
    world.all_coins(200).await;
    world.advance(Duration::from_secs(10)).await;
    let part = world.all_coins(200).await;
    assert_eq!(outcome(&part), (100, true));
    assert_eq!(part.notice.as_deref(), Some("Only 100 of 180 coins loaded: server error (500)"));
    world.list_all();
    world.advance(minutes(11)).await;
    world.all_coins(200).await;
    world.advance(Duration::from_secs(10)).await;
    assert_eq!(outcome(&world.all_coins(200).await), (180, true));
}

#[tokio::test(start_paused = true)]
async fn whole_list_of_another_provider_stays_if_a_refresh_loads_only_a_part() {
    let world = World::with(LiveSettings::default());
    world.respond_with(CMC, Response::of(503, &[], ""));
    world.respond(GECKO, |_| Ok(gecko_list(180)));
    assert_eq!(world.all_coins(200).await.provider, Some(GECKO));
    world.fail_after_a_part();
    world.respond_with(GECKO, Response::of(503, &[], ""));
    world.advance(minutes(11)).await;
    world.all_coins(200).await;
    world.advance(Duration::from_secs(10)).await;
    let kept = world.all_coins(200).await;
    assert_eq!((outcome(&kept), kept.provider), ((180, false), Some(GECKO)));
}

#[tokio::test(start_paused = true)]
async fn provider_that_returns_parts_works_again() {
    let world = World::with(LiveSettings::default());
    world.respond_with(CMC, Response::of(503, &[], ""));
    world.respond_with(GECKO, Response::of(503, &[], ""));
    let query = CoinsQuery { tag: Tag::All, offset: 0, limit: 200, convert: Currency::usd() };
    assert!(world.gateway.coins(query).await.is_err());
    let state = || {
        let provider = world.gateway.provider(CMC).unwrap();
        world
            .gateway
            .with_circuit(provider, Operation::Coins, |circuit| circuit.last_failure(Operation::Coins).is_some())
    };
    assert!(state());
    world.fail_after_a_part();
    world.advance(minutes(11)).await;
    assert_eq!(world.all_coins(200).await.data.items.len(), 100);
    assert!(!state());
}

#[tokio::test(start_paused = true)]
async fn whole_list_keeps_its_end_if_a_refresh_loads_only_a_part() {
    let is_failing = Arc::new(AtomicBool::new(false));
    let fails = Arc::clone(&is_failing);
    let world = category(230, move |start, limit| match start {
        101.. if fails.load(SeqCst) => Err(500),
        _ => Ok((start..=230).take(limit.min(100)).collect()),
    });
    assert_eq!(world.first_coins(250).await, (230, Some(230), None));
    is_failing.store(true, SeqCst);
    world.refresh(minutes(11)).await;
    let query = CoinsQuery { tag: Tag::Brc20, offset: 200, limit: 200, convert: Currency::usd() };
    let response = world.gateway.coins(query).await.unwrap();
    assert_eq!((response.data.items.len(), response.data.total), (30, Some(230)));
}

#[tokio::test(start_paused = true)]
async fn manual_refresh_that_loads_only_a_part_leaves_a_fresh_list() {
    let world = whole_list(LiveSettings::default());
    world.all_coins(200).await;
    world.fail_after_a_part();
    world.advance(Duration::from_secs(30)).await;
    let kept = manually(world.all_coins(200)).await;
    assert_eq!(
        (outcome(&kept), kept.not_refreshed.as_deref()),
        ((180, true), Some("CoinMarketCap: server error (500)"))
    );
    let kept = world.all_coins(200).await;
    assert_eq!((outcome(&kept), kept.not_refreshed), ((180, true), None), "only a manual refresh says it");
}

#[tokio::test(start_paused = true)]
async fn manual_refreshes_that_load_only_a_part_are_limited() {
    for (has_many_clients, requests) in [(false, 6), (true, 4)] {
        let world = whole_list(LiveSettings { has_many_clients, ..LiveSettings::default() });
        world.all_coins(200).await;
        world.fail_after_a_part();
        world.advance(minutes(11)).await;
        for wait in [5, 5, 20] {
            assert_eq!(manually(world.all_coins(200)).await.data.items.len(), 180);
            world.advance(Duration::from_secs(wait)).await;
        }
        assert_eq!(world.request_count(CMC), requests, "many clients: {has_many_clients}");
    }
}

#[tokio::test(start_paused = true)]
async fn part_of_a_list_is_better_than_a_shorter_list() {
    let part = |start, limit: usize| if start == 1 { Ok((1..=limit.min(100)).collect()) } else { Err(500) };
    for (count, expected) in [(60, (100, Some(CMC))), (100, (100, Some(GECKO)))] {
        let world = category_of(vec![CMC, GECKO], 600, part);
        world.respond(GECKO, move |_| Ok(gecko_list(count)));
        let query = CoinsQuery { tag: Tag::Brc20, offset: 0, limit: 250, convert: Currency::usd() };
        let response = world.gateway.coins(query).await.unwrap();
        assert_eq!((response.data.items.len(), response.provider), expected);
        let notice = "Only 100 of 250 coins loaded: server error (500)";
        assert_eq!(response.notice.as_deref(), (response.provider == Some(CMC)).then_some(notice));
    }
}

#[tokio::test(start_paused = true)]
async fn part_of_a_list_keeps_the_pause_of_its_provider() {
    let world = failing_list();
    world.respond_with(GECKO, Response::of(503, &[], ""));
    world.set_latency(CMC, Duration::from_secs(2));
    let provider = world.gateway.provider(CMC).unwrap();
    let limited = async {
        world.advance(Duration::from_secs(3)).await;
        assert_eq!(world.request_count(CMC), 2, "the second one is in progress");
        let error = SourceError::new(ErrorClass::RateLimited(Some(minutes(10))), "Rate-limited (429)");
        world.gateway.failed(provider, Operation::Details, &error).await;
    };
    let (response, ()) = tokio::join!(world.all_coins(200), limited);
    assert_eq!(response.data.items.len(), 100);
    assert!(!world.gateway.is_available(provider, Operation::Coins));
}

#[tokio::test(start_paused = true)]
async fn part_that_is_missing_for_seconds_is_requested_again() {
    for failure in [Ok(Vec::new()), Err(400)] {
        let is_failing = Arc::new(AtomicBool::new(true));
        let fails = Arc::clone(&is_failing);
        let world = category(75, move |start, limit| match start {
            63.. if fails.load(SeqCst) => failure.clone(),
            _ => Ok((start..=75).take(limit.min(62)).collect()),
        });
        assert_eq!(world.first_coins(250).await.0, 62);
        for _ in 0..2 {
            world.advance(Duration::from_secs(11)).await;
            assert_eq!(manually(world.first_coins(250)).await.0, 62);
        }
        is_failing.store(false, SeqCst);
        world.refresh(minutes(11)).await;
        assert_eq!(world.first_coins(250).await, (75, Some(75), None));
    }
}

#[tokio::test(start_paused = true)]
async fn manual_refresh_requests_the_coins_after_a_known_end() {
    let is_failing = Arc::new(AtomicBool::new(true));
    let fails = Arc::clone(&is_failing);
    let world = category(75, move |start, limit| match start {
        63.. if fails.load(SeqCst) => Err(400),
        _ => Ok((start..=75).take(limit.min(62)).collect()),
    });
    assert_eq!(world.first_coins(250).await.0, 62);
    for _ in 0..4 {
        world.refresh(minutes(11)).await;
    }
    assert_eq!((world.first_coins(250).await, world.parts()), ((62, Some(62), None), 9), "the end is known");
    world.advance(Duration::from_secs(11)).await;
    assert_eq!(manually(world.first_coins(250)).await, (62, Some(62), None));
    assert_eq!(world.parts(), 11);
    is_failing.store(false, SeqCst);
    world.advance(Duration::from_secs(11)).await;
    assert_eq!(manually(world.first_coins(250)).await, (75, Some(75), None));
}

/// UniSat, and Hiro's server after it.
pub(super) fn two_indexers() -> World {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Brc20, vec![UNISAT, HIRO]);
    settings.providers.entry(HIRO).or_default().base_url = Some(String::from("http://hiro.test"));
    World::with(settings)
}

/// Hiro's page of 150 rows in the order of this list. `row` is the rest of a row.
pub(super) fn hiro_page(path: &str, row: &str, order: impl Fn(usize) -> usize) -> Response {
    let (offset, limit) = (number(path, "offset"), number(path, "limit"));
    let rows = (offset..150).take(limit).map(|n| format!(r#"{{"ticker":"t{:03}",{row}}}"#, order(n)));
    let rows: Vec<String> = rows.collect();
    json(format!(r#"{{"limit":{limit},"offset":{offset},"total":150,"results":[{}]}}"#, rows.join(",")))
}

#[tokio::test(start_paused = true)]
async fn later_balances_come_from_the_provider_of_the_first() {
    let world = two_indexers();
    world.respond(UNISAT, |path| {
        let rows = |range: std::ops::Range<usize>| {
            let row = |n: usize| {
                format!(
                    r#"{{"ticker":"t{n:03}","overallBalance":"5","transferableBalance":"0","availableBalance":"5"}}"#
                )
            };
            let rows: Vec<String> = range.map(row).collect();
            let rows = rows.join(",");
            json(format!(r#"{{"code":0,"msg":"OK","data":{{"height":100,"start":0,"total":150,"detail":[{rows}]}}}}"#))
        };
        Ok(match number(path, "start") {
            0 => rows(0..60),
            60 => rows(60..80),
            _ => Response::of(500, &[], ""),
        })
    });
    let row = r#""available_balance":"5","transferrable_balance":"0","overall_balance":"5""#;
    world.respond(HIRO, move |path| Ok(hiro_page(path, row, |n| 149 - n)));
    let address = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
    let query = BalancesQuery { address: address.into(), tickers: Vec::new(), block_height: None };
    let response = world.gateway.balances(&query, PageQuery { offset: 0, limit: 120 }).await.unwrap();
    let tickers: Vec<String> =
        response.data.items.iter().map(|balance| balance.ticker.as_deref().unwrap_or_default().to_owned()).collect();
    assert_eq!(tickers, (0..80).map(|n| format!("t{n:03}")).collect::<Vec<_>>());
    assert_eq!((response.provider_names().as_deref(), response.data.total), (Some("unisat"), Some(150)));
    assert_eq!(response.notice.as_deref(), Some("Only 20 of 60 rows loaded: server error (500)"));
    // So is a page that is requested alone.
    let response = world.gateway.balances(&query, PageQuery { offset: 60, limit: 60 }).await.unwrap();
    assert_eq!((response.data.items.len(), response.provider_names().as_deref()), (20, Some("unisat")));
}

#[tokio::test(start_paused = true)]
async fn failed_later_page_leaves_a_fresh_first_page_alone() {
    let world = two_indexers();
    world.respond(UNISAT, |path| Ok(tickers((0..150).skip(number(path, "start")).take(60), 150)));
    world.first_tokens(60).await;
    world.respond_with(UNISAT, Response::of(503, &[], ""));
    world.advance(Duration::from_secs(30)).await;
    let requests = world.request_count(UNISAT);
    let page = PageQuery { offset: 60, limit: 60 };
    assert!(manually(world.gateway.tokens(&TokensQuery::default(), page)).await.is_err());
    assert_eq!(world.request_count(UNISAT), requests + 1, "only the later page");
}

#[tokio::test(start_paused = true)]
async fn stale_first_page_switches_the_list_to_the_next_indexer() {
    let world = two_indexers();
    world.respond(UNISAT, |path| Ok(tickers((0..150).skip(number(path, "start")).take(60), 150)));
    world.respond(HIRO, |path| Ok(hiro_page(path, r#""max_supply":"10","minted_supply":"5""#, |n| n)));
    world.first_tokens(60).await;
    world.respond_with(UNISAT, Response::of(503, &[], ""));
    let page = PageQuery { offset: 60, limit: 60 };
    let error = world.gateway.tokens(&TokensQuery::default(), page).await.unwrap_err();
    assert_eq!(error.to_string(), "UniSat: server error (503)");
    assert_eq!(world.request_count(HIRO), 0);
    world.advance(minutes(61)).await;
    assert!(world.gateway.tokens(&TokensQuery::default(), page).await.is_err());
    world.advance(Duration::from_secs(30)).await;
    let response = world.gateway.tokens(&TokensQuery::default(), page).await.unwrap();
    assert_eq!((response.data.items.len(), response.provider_names().as_deref()), (60, Some("hiro")));
}

#[tokio::test(start_paused = true)]
async fn part_of_a_list_is_cached_if_nobody_waits_for_the_next_provider() {
    let world = failing_list();
    world.chart("first").await.unwrap();
    // The next request to CoinGecko is queued for six seconds.
    world.respond(GECKO, |_| Ok(gecko_list(180)));
    let left = tokio::time::timeout(Duration::from_secs(4), world.all_coins(200)).await;
    assert!(left.is_err());
    world.advance(Duration::from_secs(5)).await;
    assert_eq!((world.request_count(CMC), world.request_count(GECKO)), (2, 1));
    let response = world.all_coins(200).await;
    assert_eq!((response.data.items.len(), response.provider, world.request_count(CMC)), (100, Some(CMC), 2));
    // The rest is requested soon.
    world.advance(Duration::from_secs(30)).await;
    world.all_coins(200).await;
    world.advance(Duration::from_secs(10)).await;
    let response = world.all_coins(200).await;
    assert_eq!((response.data.items.len(), response.provider), (180, Some(GECKO)));
}
