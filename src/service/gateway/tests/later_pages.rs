//! Later pages of lists that fail.

use super::lists::{cmc_list, gecko_list};
use super::partial_lists::{hiro_page, two_indexers};
use super::short_pages::tickers as tokens;
use super::*;
use crate::service::backend::indexer::{IndexerProvider as _, PageQuery, TokensQuery};

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
