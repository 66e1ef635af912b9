//! Lists whose pages are shorter than requested, or fail after the first part.

use std::sync::atomic::AtomicBool;

use super::lists::{cmc_list, gecko_list};
use super::*;
use crate::model::Brc20Token;
use crate::service::backend::indexer::{IndexerProvider as _, PageQuery, TokensQuery};

const CMC: ProviderName = ProviderName::CoinMarketCap;
const GECKO: ProviderName = ProviderName::CoinGecko;
const UNISAT: ProviderName = ProviderName::UniSat;

/// CoinMarketCap with a category of this reported length. `part` returns the coins of a request by start and limit, or a
/// status.
pub(super) fn category(
    length: usize,
    part: impl Fn(usize, usize) -> Result<Vec<usize>, u16> + Send + Sync + 'static,
) -> World {
    category_of(vec![CMC], length, part)
}

/// A category like [`category`]'s, with these providers of lists.
pub(super) fn category_of(
    order: Vec<ProviderName>,
    length: usize,
    part: impl Fn(usize, usize) -> Result<Vec<usize>, u16> + Send + Sync + 'static,
) -> World {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Tagged, order);
    let world = World::with(settings);
    world.respond(CMC, move |path| {
        Ok(match path {
            _ if path.contains("/listings/latest") => Response::of(400, &[], ""),
            _ if path.contains("/categories") => json(r#"{"data":[{"id":"6051a8","name":"BRC-20"}]}"#),
            _ => match part(number(path, "start"), number(path, "limit")) {
                Ok(coins) => {
                    let row = |n: &usize| {
                        format!(
                            r#"{{"id":9{n:05},"name":"C {n}","symbol":"C{n}","slug":"c{n}","quote":{{"USD":{{"price":1.5}}}}}}"#
                        )
                    };
                    let rows: Vec<String> = coins.iter().map(row).collect();
                    let data = format!(r#""num_tokens":{length},"coins":[{}]"#, rows.join(","));
                    json(format!(r#"{{"data":{{"id":"6051a8","name":"BRC-20",{data}}}}}"#))
                }
                Err(status) => Response::of(status, &[], ""),
            },
        })
    });
    world
}

impl World {
    /// The first coins of the BRC-20 list: their number, its total, and the notice.
    pub(super) async fn first_coins(&self, limit: usize) -> (usize, Option<u64>, Option<String>) {
        let query = CoinsQuery { tag: Tag::Brc20, offset: 0, limit, convert: Currency::usd() };
        let response = self.gateway.coins(query).await.unwrap();
        (response.data.items.len(), response.data.total, response.notice)
    }

    /// The first coins of the list of all.
    pub(super) async fn all_coins(&self, limit: usize) -> ProviderResponse<Page<Coin>> {
        self.gateway.coins(CoinsQuery { tag: Tag::All, offset: 0, limit, convert: Currency::usd() }).await.unwrap()
    }

    /// Number of requests for parts of the category.
    pub(super) fn parts(&self) -> usize {
        self.paths(CMC).iter().filter(|path| path.contains("/category?")).count()
    }

    /// Makes CoinMarketCap's requests for the coins after the first 100 of 180 fail.
    pub(super) fn fail_after_a_part(&self) {
        self.respond(CMC, |path| {
            Ok(match number(path, "start") {
                1 => json(cmc_list(1..=100, "1.5").replace("915", "180")),
                _ => Response::of(500, &[], ""),
            })
        });
    }

    /// Refreshes the list.
    pub(super) async fn refresh(&self, after: Duration) {
        self.advance(after).await;
        let _ = self.coins(Tag::Brc20).await;
        self.advance(Duration::from_secs(10)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn coins_before_a_part_that_fails_are_listed() {
    let world = category(75, |start, _| if start == 1 { Ok((1..=62).collect()) } else { Err(400) });
    let (count, total, notice) = world.first_coins(250).await;
    assert_eq!((count, total, world.parts()), (62, Some(62), 2));
    assert_eq!(notice.as_deref(), Some("Only 62 of 75 coins loaded: request failed (400)"));
    for parts in [4, 6, 8] {
        world.refresh(minutes(11)).await;
        assert_eq!(world.parts(), parts, "for half an hour, it may be an error");
    }
    // The end of the list is known now.
    world.refresh(minutes(11)).await;
    assert_eq!((world.first_coins(250).await, world.parts()), ((62, Some(62), None), 9));
}

#[tokio::test(start_paused = true)]
async fn coins_after_a_server_error_are_requested_again_soon() {
    let world = category(75, |start, _| if start == 1 { Ok((1..=62).collect()) } else { Err(500) });
    let (count, _, notice) = world.first_coins(250).await;
    assert_eq!((count, world.parts()), (62, 2));
    assert_eq!(notice.as_deref(), Some("Only 62 of 75 coins loaded: server error (500)"));
    world.refresh(Duration::from_secs(40)).await;
    assert_eq!(world.parts(), 4);
    // With the same outcome, it is refreshed as usual.
    world.refresh(Duration::from_secs(60)).await;
    assert_eq!(world.parts(), 4);
    // A rate limit also counts.
    let world = category(75, |start, _| if start == 1 { Ok((1..=62).collect()) } else { Err(429) });
    assert_eq!(world.first_coins(250).await.0, 62);
    assert!(!world.gateway.is_available(world.gateway.provider(CMC).unwrap(), Operation::Tagged));
}

#[tokio::test(start_paused = true)]
async fn empty_part_at_the_end_of_a_category_is_requested_for_half_an_hour() {
    let world = category(75, |start, _| Ok((start..=62).collect()));
    for parts in [2, 4, 6, 8, 9] {
        assert_eq!((world.first_coins(250).await, world.parts()), ((62, Some(62), None), parts));
        world.refresh(minutes(11)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn part_that_is_missing_once_is_requested_again() {
    for failure in [Ok(Vec::new()), Err(400), Err(404)] {
        let is_failing = Arc::new(AtomicBool::new(true));
        let fails = Arc::clone(&is_failing);
        let world = category(600, move |start, limit| match start {
            101 if fails.load(SeqCst) => failure.clone(),
            _ => Ok((start..=600).take(limit.min(100)).collect()),
        });
        let (count, _, notice) = world.first_coins(250).await;
        assert_eq!((count, world.parts()), (100, 2));
        assert!(notice.is_some());
        is_failing.store(false, SeqCst);
        world.refresh(minutes(11)).await;
        assert_eq!(world.first_coins(250).await, (250, None, None));
        assert_eq!(world.parts(), 5);
        // A week later, it is the first time again.
        is_failing.store(true, SeqCst);
        world.refresh(minutes(11)).await;
        is_failing.store(false, SeqCst);
        world.refresh(minutes(11)).await;
        assert_eq!(world.first_coins(250).await, (250, None, None));
    }
}

#[tokio::test(start_paused = true)]
async fn list_continues_after_a_part_with_unreadable_rows() {
    let world = World::new();
    world.respond(CMC, |path| {
        let start = number(path, "start");
        let list = cmc_list(start..start + number(path, "limit").min(100), "1.5");
        Ok(json(if start == 101 { list.replace(r#""id":"#, r#""id":-"#) } else { list }))
    });
    assert_eq!(world.all_coins(250).await.data.items.len(), 150, "{:?}", world.paths(CMC));
}

/// CoinMarketCap with 180 coins, of which all but the first 100 fail.
pub(super) fn failing_list() -> World {
    failing_list_with(LiveSettings::default())
}

fn failing_list_with(settings: LiveSettings) -> World {
    let world = World::with(settings);
    world.fail_after_a_part();
    world
}

/// CoinGecko's requests for pages of lists.
fn pages(world: &World) -> usize {
    world.paths(GECKO).iter().filter(|path| path.contains("&page=") && !path.contains("ids=")).count()
}

#[tokio::test(start_paused = true)]
async fn next_provider_has_the_coins_after_a_part_that_fails() {
    let world = failing_list();
    world.respond(GECKO, |_| Ok(gecko_list(180)));
    let response = world.all_coins(200).await;
    assert_eq!((response.data.items.len(), response.data.total), (180, Some(180)));
    assert_eq!((response.provider_names().as_deref(), response.notice), (Some("coingecko"), None));
    assert!(response.fresh_for > minutes(1), "{:?}", response.fresh_for);
}

#[tokio::test(start_paused = true)]
async fn part_of_a_list_is_used_if_the_next_provider_fails() {
    let partial = "Only 100 of 180 coins loaded: server error (500)";
    for response in [Response::of(503, &[], ""), json("[]")] {
        let world = failing_list();
        world.respond_with(GECKO, response);
        let response = world.all_coins(200).await;
        assert_eq!((response.data.items.len(), response.provider, pages(&world)), (100, Some(CMC), 1));
        assert_eq!(response.notice.as_deref(), Some(partial));
    }
    // It gets a few seconds.
    let world = failing_list();
    world.respond(GECKO, |_| Ok(gecko_list(180)));
    world.set_latency(GECKO, Duration::from_secs(20));
    let began = Instant::now();
    assert_eq!(world.all_coins(200).await.provider, Some(CMC));
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn part_of_a_list_causes_no_request_to_a_disabled_provider() {
    let mut settings = LiveSettings::default();
    settings.providers.entry(GECKO).or_default().enabled = Some(false);
    let world = failing_list_with(settings);
    let response = world.all_coins(200).await;
    assert_eq!((response.data.items.len(), response.provider), (100, Some(CMC)));
    assert_eq!((world.request_count(CMC), world.request_count(GECKO)), (2, 0));
}

#[tokio::test(start_paused = true)]
async fn part_of_a_later_page_comes_from_the_provider_of_the_first() {
    let world = World::new();
    world.respond(CMC, |path| {
        let start = number(path, "start");
        Ok(match start {
            301.. => Response::of(500, &[], ""),
            _ => json(cmc_list(start..start + number(path, "limit").min(if start == 1 { 250 } else { 50 }), "1.5")),
        })
    });
    let response = world.all_coins(500).await;
    assert_eq!((response.data.items.len(), response.provider_names().as_deref()), (300, Some("coinmarketcap")));
    assert_eq!(pages(&world), 0);
}

#[tokio::test(start_paused = true)]
async fn next_indexer_has_the_tokens_after_a_part_that_fails() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Brc20, vec![UNISAT, ProviderName::Hiro]);
    settings.providers.entry(ProviderName::Hiro).or_default().base_url = Some(String::from("http://hiro.test"));
    let world = World::with(settings);
    world.respond(UNISAT, |path| {
        Ok(match number(path, "start") {
            0 => tickers(0..50, 60),
            _ => Response::of(500, &[], ""),
        })
    });
    let row = |n: usize| format!(r#"{{"ticker":"t{n:03}","max_supply":"10","minted_supply":"5"}}"#);
    let rows: Vec<String> = (0..60).map(row).collect();
    let all = format!(r#"{{"limit":60,"offset":0,"total":60,"results":[{}]}}"#, rows.join(","));
    world.respond(ProviderName::Hiro, move |_| Ok(json(all.clone())));
    let response = world.first_tokens(60).await;
    assert_eq!((response.data.items.len(), response.provider_names().as_deref()), (60, Some("hiro")));
    assert_eq!(response.notice, None);
    // An empty list is no better.
    world.respond(ProviderName::Hiro, |_| Ok(json(r#"{"limit":60,"offset":0,"total":0,"results":[]}"#)));
    world.advance(minutes(61)).await;
    world.first_tokens(60).await;
    world.advance(Duration::from_secs(30)).await;
    let response = world.first_tokens(60).await;
    assert_eq!((response.data.items.len(), response.provider_names().as_deref()), (50, Some("unisat")));
}

#[tokio::test(start_paused = true)]
async fn category_with_short_pages_is_listed_to_its_end() {
    // Each page lacks some of the rows.
    let world = category(600, |start, limit| Ok((start..=600).take((limit * 24).div_ceil(25)).collect()));
    assert_eq!(world.first_coins(500).await, (500, None, None));
    let world = category(600, |start, limit| Ok((start..=600).take((limit * 24 / 25).max(1)).collect()));
    assert_eq!(world.first_coins(750).await, (600, Some(600), None), "{:?}", world.paths(CMC));
}

#[tokio::test(start_paused = true)]
async fn category_filtered_after_pagination_continues() {
    let page = |start: usize, limit: usize| (start..start + limit).filter(|n| *n <= 600 && n % 50 != 0).collect();
    let world = category(600, move |start, limit| Ok(page(start, limit)));
    let (count, _, notice) = world.first_coins(600).await;
    assert_eq!(count, 588, "{:?}", world.paths(CMC));
    assert_eq!(notice.as_deref(), Some("Some coins are missing: incomplete response"));
    let before = world.parts();
    for parts in [2, 4, 6] {
        world.refresh(minutes(11)).await;
        assert_eq!(world.parts(), before + parts);
    }
    world.refresh(minutes(11)).await;
    assert_eq!(world.parts(), before + 7, "the first page has no more coins");
}

#[tokio::test(start_paused = true)]
async fn list_of_a_server_that_ignores_the_start_has_no_more_coins() {
    let world = World::new();
    world.respond(CMC, |_| Ok(json(cmc_list(1..=100, "1.5"))));
    let query = CoinsQuery { tag: Tag::All, offset: 0, limit: 500, convert: Currency::usd() };
    let response = world.gateway.coins(query).await.unwrap();
    assert_eq!((response.data.items.len(), response.data.total), (100, Some(100)));
}

/// UniSat's rows with these tickers, of a list of this total.
pub(super) fn tickers(rows: impl Iterator<Item = usize>, total: usize) -> Response {
    let row = |n: usize| format!(r#"{{"ticker":"t{n:03}","max":"10","minted":"5"}}"#);
    let rows: Vec<String> = rows.map(row).collect();
    json(format!(
        r#"{{"code":0,"msg":"OK","data":{{"height":100,"start":0,"total":{total},"detail":[{}]}}}}"#,
        rows.join(",")
    ))
}

impl World {
    pub(super) async fn first_tokens(&self, limit: usize) -> ProviderResponse<Page<Brc20Token>> {
        self.gateway.tokens(&TokensQuery::default(), PageQuery { offset: 0, limit }).await.unwrap()
    }
}

#[tokio::test(start_paused = true)]
async fn token_list_filtered_after_pagination_continues() {
    let world = World::new();
    world.respond(UNISAT, |path| {
        let (start, limit) = (number(path, "start"), number(path, "limit"));
        Ok(tickers((start..start + limit).filter(|n| *n < 500 && n % 30 != 7), 500))
    });
    let response = world.first_tokens(180).await;
    assert_eq!((response.data.items.len(), response.data.total), (174, Some(500)), "{:?}", world.paths(UNISAT));
    assert_eq!(response.notice.as_deref(), Some("Some rows are missing: incomplete response"));
}

#[tokio::test(start_paused = true)]
async fn tokens_before_a_part_that_fails_are_listed() {
    let world = World::new();
    world.respond(UNISAT, |path| {
        Ok(match number(path, "start") {
            0 => tickers(0..50, 500),
            _ => Response::of(429, &[("retry-after", "120")], ""),
        })
    });
    let response = world.first_tokens(60).await;
    assert_eq!((response.data.items.len(), response.data.total), (50, Some(500)));
    let notice = response.notice.unwrap_or_default();
    assert!(notice.starts_with("Only 50 of 60 rows loaded: too many requests without a key"), "{notice}");
    assert!(response.fresh_for <= Duration::from_secs(30), "{:?}", response.fresh_for);
    let is_available = || world.gateway.is_available(world.gateway.provider(UNISAT).unwrap(), Operation::Brc20);
    assert!(!is_available(), "it is paused");
    world.respond(UNISAT, |path| Ok(tickers(number(path, "start")..60, 500)));
    world.advance(minutes(61)).await;
    world.first_tokens(60).await;
    world.advance(Duration::from_secs(5)).await;
    let response = world.first_tokens(60).await;
    assert_eq!((response.data.items.len(), response.notice), (60, None));
}

#[tokio::test(start_paused = true)]
async fn tokens_before_a_page_that_fails_are_listed() {
    let world = World::new();
    world.respond(UNISAT, |path| {
        Ok(match number(path, "start") {
            start @ 0..60 => tickers(start..60, 500),
            _ => Response::of(503, &[], ""),
        })
    });
    let response = world.first_tokens(180).await;
    assert_eq!((response.data.items.len(), response.data.total), (60, Some(500)));
    assert_eq!(response.notice.as_deref(), Some("Only 60 of 180 rows loaded: server error (503)"));
    assert!(response.fresh_for <= Duration::from_secs(15), "{:?}", response.fresh_for);
    world.respond(UNISAT, |path| Ok(tickers((0..500).skip(number(path, "start")).take(60), 500)));
    world.advance(Duration::from_secs(20)).await;
    let response = world.first_tokens(180).await;
    assert_eq!((response.data.items.len(), response.notice), (180, None));
}
