//! An hour of each screen without keys: the requests to each provider, against what their limits allow.

use super::*;
use crate::model::PostOrder;
use crate::service::backend::indexer::{ActivityQuery, BalancesQuery, IndexerProvider as _, PageQuery, TokensQuery};
use crate::service::backend::market::SeriesQuery;

use ProviderName::{Binance, Bluesky, CoinGecko, CoinMarketCap, DefiLlama, Frankfurter, Mempool, Ordinals, UniSat};

/// A world in which the providers of charts, posts, rates and inscriptions answer, too.
fn world() -> World {
    let mut settings = LiveSettings::default();
    for name in [Binance, DefiLlama] {
        settings.providers.entry(name).or_default().enabled = Some(true);
    }
    let world = World::with(settings);
    let json = |body: &'static str| move |_: &str| Ok(Response::of(200, &[("content-type", "application/json")], body));
    let candle = r#"[[1793484000000,"8","9","7","8.4","10",1793487599999,"84.1",7,"5","42","0"],
        [1793487600000,"8","9","7","8.41","10",1793491199999,"84.1",7,"5","42","0"]]"#;
    world.respond(Binance, json(candle));
    let posts = r#"{"posts":[{"uri":"at://did:plc:x/app.bsky.feed.post/1","author":{"handle":"x.example"},
        "record":{"text":"$ORDI"}}]}"#;
    world.respond(Bluesky, json(posts));
    world.respond(Frankfurter, json(r#"[{"date":"2026-10-30","base":"USD","quote":"EUR","rate":0.87}]"#));
    world.respond(
        DefiLlama,
        json(
            r#"{"coins":{"coingecko:ordinals":{"symbol":"ORDI","prices":[{"timestamp":1793487600,"price":8.41}]},
            "coingecko:bitcoin":{"symbol":"BTC","prices":[{"timestamp":1793487600,"price":61234.1}]}}}"#,
        ),
    );
    world.respond(Ordinals, json(r#"{"ids":[],"more":false,"page":0}"#));
    world.respond(CoinGecko, |path| {
        Ok(if path.contains("/tickers") {
            Response::of(
                200,
                &[],
                r#"{"name":"ORDI","tickers":[{"base":"ORDI","target":"USDT","market":{"name":"Binance"},"last":8.41,
                "converted_last":{"usd":8.41},"converted_volume":{"usd":12}}]}"#,
            )
        } else {
            default_response(CoinGecko, path)
        })
    });
    world
}

/// Refreshes a screen every 20 seconds for an hour. A new block arrives every ten minutes.
async fn hour<F: Future<Output = ()>>(world: &World, refresh: impl Fn() -> F) {
    for minute in 0..60 {
        if minute % 10 == 0 {
            let height = 100 + minute / 10;
            world.chain(height, u64::MAX);
            world.respond(UniSat, move |path| {
                let json = |body: String| Response::of(200, &[], body);
                Ok(match path {
                    path if path.starts_with("/v1/indexer/brc20/status") => json(token_list(height)),
                    path if path.contains("/info") => json(String::from(
                        r#"{"code":0,"msg":"OK","data":{"ticker":"ordi","max":"21000000","minted":"21000000"}}"#,
                    )),
                    path => default_response(UniSat, path),
                })
            });
        }
        for _ in 0..3 {
            refresh().await;
            world.advance(Duration::from_secs(20)).await;
        }
    }
}

/// Asserts the number of requests to each provider. All others get none.
fn assert_requests(world: &World, screen: &str, limits: &[(ProviderName, std::ops::RangeInclusive<usize>)]) {
    for name in ProviderName::ALL {
        let count = world.request_count(name);
        let limit = limits.iter().find(|(limited, _)| *limited == name).map_or(0..=0, |(_, limit)| limit.clone());
        assert!(limit.contains(&count), "{screen}: {count} requests to {name}, not {limit:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn hour_of_the_list_stays_within_limits() {
    let world = world();
    hour(&world, || async {
        let (all, tagged) = tokio::join!(world.coins(Tag::All), world.coins(Tag::Brc20));
        assert!(all.is_ok() && tagged.is_ok());
    })
    .await;
    // CoinGecko's lists are refreshed every ten minutes, others every five.
    assert_requests(&world, "list", &[(CoinMarketCap, 11..=13), (CoinGecko, 5..=7)]);
}

#[tokio::test(start_paused = true)]
async fn hour_of_a_token_stays_within_limits() {
    let world = world();
    hour(&world, || async {
        let gateway = &world.gateway;
        let usd = Currency::usd();
        let (chart, top, latest, pairs) = tokio::join!(
            gateway.chart("ordi", Period::Week, &usd),
            gateway.posts("ORDI", None, PostOrder::Top),
            gateway.posts("ORDI", None, PostOrder::Latest),
            gateway.market_pairs("ORDI", None, &usd),
        );
        assert!(chart.is_ok() && top.is_ok() && latest.is_ok() && pairs.is_ok(), "{chart:?} {top:?} {pairs:?}");
    })
    .await;
    assert_requests(&world, "token", &[(Binance, 11..=13), (Bluesky, 2..=2), (CoinGecko, 1..=1)]);
}

#[tokio::test(start_paused = true)]
async fn hour_of_the_wallet_stays_within_limits() {
    let world = world();
    // Both coins of the wallet.
    world.respond(CoinMarketCap, |_| {
        let row = |id: u32, symbol: &str, slug: &str, price: f64| {
            format!(
                r#"{{"id":{id},"name":"{symbol}","symbol":"{symbol}","slug":"{slug}","cmc_rank":{id},
                "quote":[{{"symbol":"USD","price":{price},"market_cap":176610000}}]}}"#
            )
        };
        let rows = [row(1, "BTC", "bitcoin", 61_234.1), row(25028, "ORDI", "ordi", 8.41)].join(",");
        Ok(Response::of(200, &[], format!(r#"{{"data":[{rows}],"status":{{"error_code":0}}}}"#)))
    });
    hour(&world, || async {
        let euro = Currency::parse("EUR").unwrap();
        let query = SeriesQuery {
            symbols: vec![String::from("BTC"), String::from("ORDI")],
            convert: euro.clone(),
            count: 48,
            interval: String::from("30m"),
        };
        let ids = [CoinId(Text::from("1")), CoinId(Text::from("25028"))];
        let (series, coins) = tokio::join!(world.gateway.series(query), world.gateway.coins_by_id(&ids, &euro));
        assert!(series.is_ok() && coins.is_ok(), "{series:?} {coins:?}");
    })
    .await;
    // The series of all coins are one request; their step is half an hour.
    assert_requests(&world, "wallet", &[(DefiLlama, 2..=3), (CoinMarketCap, 11..=13), (Frankfurter, 1..=1)]);
}

#[tokio::test(start_paused = true)]
async fn hour_of_the_indexer_stays_within_limits() {
    let world = world();
    hour(&world, || async {
        let gateway = &world.gateway;
        let page = PageQuery { offset: 0, limit: 20 };
        let activity =
            ActivityQuery { tickers: vec![String::from("ordi")], block_height: Some(99), ..ActivityQuery::default() };
        let balances = BalancesQuery { address: String::from("bc1q"), ..BalancesQuery::default() };
        let tokens = TokensQuery::default();
        let (tokens, token, holders, activity, balances) = tokio::join!(
            gateway.tokens(&tokens, page),
            gateway.token("ordi"),
            gateway.holders("ordi", page),
            gateway.activity(&activity, page),
            gateway.balances(&balances, page),
        );
        assert!(tokens.is_ok() && token.is_ok() && holders.is_ok(), "{tokens:?} {token:?} {holders:?}");
        assert!(activity.is_ok() && balances.is_ok(), "{activity:?} {balances:?}");
    })
    .await;
    // Five operations with each of six blocks; UniSat's free plan allows 80 requests an hour. The blocks come by polling
    // here: a height a minute, and its hash with each new one.
    assert_requests(&world, "indexer", &[(UniSat, 25..=40), (Mempool, 55..=90)]);
}
