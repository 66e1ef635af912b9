//! Coins by id (`/coins?ids=`) and the names of all coins (`/x/names`).

use std::time::Duration;

use satscope::client::{Client, ClientConfig, NoticeCode, Request, ResponseData};
use satscope::model::ProviderName::{CoinGecko, CoinMarketCap, CoinPaprika, Service};
use satscope::model::{CoinId, Currency, PostOrder, Tag};
use satscope::service::gateway::{LiveSettings, ProviderSettings};
use satscope::service::operation::Operation;
use serde_json::{Value, json};

use super::{Live, fake, world};

fn names(body: &Value) -> Vec<&str> {
    body["data"].as_array().unwrap().iter().map(|coin| coin["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn coins_by_id_keep_the_requested_order_and_unknown_ids_are_omitted() {
    let cmc = world::coinmarketcap();
    let live = Live::over(&[(CoinMarketCap, &cmc)]);
    let (status, provider, body) = live.raw("/coins?ids=40007,99999999,25028,no-such-coin,1,1").await;
    assert_eq!((status, provider.as_str()), (200, "coinmarketcap"), "{body}");
    assert_eq!(names(&body), ["Other 7", "ORDI", "Bitcoin"]);
    assert_eq!(body["data"][1]["id"], 25028);
    assert_eq!(body["data"][1]["quote"]["USD"]["price"], 8.41);
    let quotes = || cmc.paths().iter().filter(|path| path.ends_with("quotes/latest")).count();
    assert_eq!(quotes(), 1);
    // The same coins in another order are in the cache.
    let (_, _, body) = live.raw("/coins?ids=1,25028,40007,no-such-coin,99999999").await;
    assert_eq!(names(&body), ["Bitcoin", "ORDI", "Other 7"]);
    assert_eq!(quotes(), 1);
}

#[tokio::test]
async fn coins_of_several_providers_name_theirs() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko)]);
    live.coins(Tag::Brc20, 1, 250).await;
    let request =
        Request::CoinsById { ids: ["25028", "40007"].map(|id| CoinId(id.into())).to_vec(), convert: Currency::usd() };
    let reply = live.get(&request).await.unwrap();
    let Some(ResponseData::Coins(page)) = &reply.response else { panic!("{reply:?}") };
    let found: Vec<_> = page.items.iter().map(|coin| (coin.name.as_str(), coin.provider)).collect();
    assert_eq!(found, [("ORDI", Some(CoinGecko)), ("Other 7", Some(CoinMarketCap))]);
    // Lists name the provider only once.
    assert!(live.coins(Tag::Brc20, 1, 250).await.0.items.iter().all(|coin| coin.provider.is_none()));
}

#[tokio::test]
async fn unknown_ids_alone_give_an_empty_list() {
    let cmc = world::coinmarketcap();
    let live = Live::over(&[(CoinMarketCap, &cmc)]);
    let (status, _, body) = live.raw("/coins?ids=99999999").await;
    assert_eq!((status, &body["data"]), (200, &json!([])));
}

#[tokio::test]
async fn coin_by_id_comes_from_another_provider_if_the_first_fails() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko)]);
    cmc.respond_with(fake::json(503, ""));
    // Both providers' ids of these coins are built in.
    let (status, provider, body) = live.raw("/coins?ids=25028,1").await;
    assert_eq!((status, provider.as_str()), (200, "coingecko"), "{body}");
    assert_eq!(names(&body), ["ORDI", "Bitcoin"]);
    assert_eq!((&body["data"][0]["id"], &body["data"][1]["id"]), (&json!(25028), &json!(1)));
}

#[tokio::test]
async fn coins_of_a_cached_list_need_no_request() {
    let cmc = world::coinmarketcap();
    let live = Live::over(&[(CoinMarketCap, &cmc)]);
    live.coins(Tag::All, 1, 250).await;
    let quotes = || cmc.paths().iter().filter(|path| path.ends_with("quotes/latest")).count();
    let (status, provider, body) = live.raw("/coins?ids=40007,25028").await;
    assert_eq!((status, provider.as_str(), names(&body)), (200, "coinmarketcap", vec!["Other 7", "ORDI"]));
    assert_eq!(quotes(), 0);
    // Only the coin beyond the page is requested.
    let (_, _, body) = live.raw("/coins?ids=25028,40500").await;
    assert_eq!(names(&body), ["ORDI", "Other 500"]);
    let requested: Vec<_> = cmc.requests().into_iter().filter(|it| it.path.ends_with("quotes/latest")).collect();
    assert_eq!(requested.iter().map(|request| request.query("id")).collect::<Vec<_>>(), ["40500"]);
    // A failure doesn't hide coins of the list.
    cmc.respond_with(fake::json(503, ""));
    let (status, _, body) = live.raw("/coins?ids=1,40499").await;
    assert_eq!((status, names(&body)), (200, vec!["Bitcoin"]), "{body}");
}

#[tokio::test]
async fn provider_without_an_id_filter_is_requested_once_for_all_ids() {
    let paprika = world::coinpaprika();
    let live = Live::over(&[(CoinPaprika, &paprika)]);
    for (ids, found) in [
        ("o7-other-7,btc-bitcoin", vec!["Other 7", "Bitcoin"]),
        ("o500-other-500", vec!["Other 500"]),
        ("no-such-coin", vec![]),
        ("neither,o7-other-7", vec!["Other 7"]),
    ] {
        let (status, _, body) = live.raw(&format!("/coins?ids={ids}")).await;
        assert_eq!((status, names(&body)), (200, found), "{body}");
    }
    assert_eq!(paprika.paths(), ["/tickers"]);
}

#[tokio::test]
async fn own_service_gets_the_ids_unchanged_and_keeps_them() {
    let service = fake::Fake::start(|request| {
        let row = |id: &str| {
            json!({"id": id, "name": format!("Coin {id}"), "symbol": "SAME", "slug": id,
            "quote": {"USD": {"price": 2.5}}})
        };
        let rows: Vec<Value> = request.query("ids").split(',').filter(|id| *id != "gone").map(row).collect();
        match request.path.as_str() {
            "/coins" => fake::json(200, json!({"data": rows}).to_string()),
            _ => fake::json(404, "{}"),
        }
    });
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    settings.order.insert(Operation::Coins, vec![Service]);
    let own = ProviderSettings { base_url: Some(service.url.clone()), ..ProviderSettings::default() };
    settings.providers.insert(Service, own);
    let live = Live::with(settings);
    // The same coin is the same one in each response, although nothing but its id identifies it.
    for ids in ["7,x-coin,gone", "x-coin,7", "7"] {
        let (status, provider, body) = live.raw(&format!("/coins?ids={ids}")).await;
        assert_eq!((status, provider.as_str()), (200, "service"), "{body}");
        let expected: Vec<String> = ids.split(',').filter(|id| *id != "gone").map(|id| format!("Coin {id}")).collect();
        assert_eq!(names(&body), expected, "{body}");
    }
    let requested: Vec<String> = service.requests().iter().map(|it| it.query("ids").to_owned()).collect();
    assert_eq!(requested, ["7,gone,x-coin", "7,x-coin", "7"]);
}

#[tokio::test]
async fn coin_is_found_by_the_id_of_a_provider_that_another_one_replaced() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko)]);
    live.coins(Tag::All, 1, 250).await;
    live.coins(Tag::Brc20, 1, 250).await;
    let (status, provider, body) = live.raw("/coins?ids=ordinals").await;
    assert_eq!((status, provider.as_str(), names(&body)), (200, "coingecko", vec!["ORDI"]), "{body}");
    assert!(!cmc.paths().iter().any(|path| path.ends_with("quotes/latest")), "CoinMarketCap's ids are numbers");
}

/// CoinGecko leaves wrapped coins out unless they are requested.
#[tokio::test]
async fn wrapped_coins_of_coingecko_are_in_lists_and_found_by_id() {
    let gecko = world::coingecko();
    gecko.edit(|request, mut response| {
        let is_one_of = |name: &str, value: &str| request.query(name).split(',').any(|one| one == value);
        let is_lookup = ["ids", "symbols"].iter().any(|name| !request.query(name).is_empty());
        let is_wanted = if is_lookup {
            is_one_of("ids", "wrapped-bitcoin") || is_one_of("symbols", "wbtc")
        } else {
            ["", "bitcoin-ecosystem"].contains(&request.query("category")) && request.number("page", 1) == 1
        };
        if is_wanted && request.query("include_rehypothecated") == "true" {
            let mut rows: Vec<Value> = serde_json::from_slice(&response.body).unwrap();
            let place = rows.iter().position(|row| row["market_cap"].as_f64() < Some(10.6e9)).unwrap_or(rows.len());
            rows.insert(
                place,
                json!({
                    "id": "wrapped-bitcoin", "symbol": "wbtc", "name": "Wrapped Bitcoin", "current_price": 61_100.0,
                    "market_cap": 10.6e9, "market_cap_rank": null, "market_cap_rank_with_rehypothecated": 17,
                    "total_volume": 33e6, "last_updated": "2026-11-21T08:00:04.115Z",
                    "sparkline_in_7d": {"price": [60_000.0, 61_100.0]}
                }),
            );
            rows.truncate(request.number("per_page", 100));
            response.body = Value::from(rows).to_string().into_bytes();
        }
        response
    });
    for (tag, third) in [(Tag::All, "Other 1"), (Tag::BitcoinEcosystem, "ORDI")] {
        let live = Live::over(&[(CoinGecko, &gecko)]);
        let (page, reply) = live.coins(tag, 1, 200).await;
        let first: Vec<_> = page.items.iter().take(3).map(|coin| (coin.name.as_str(), coin.rank)).collect();
        assert_eq!(first, [("Bitcoin", Some(1)), ("Wrapped Bitcoin", None), (third, Some(2))]);
        assert!(reply.warnings.is_empty(), "{:?}", reply.warnings);
    }
    let (status, _, body) = Live::over(&[(CoinGecko, &gecko)]).raw("/coins?ids=3717").await;
    assert_eq!((status, names(&body)), (200, vec!["Wrapped Bitcoin"]));
    assert_eq!(body["data"][0]["cmc_rank"], json!(null));
    // Other coins are looked up by their symbol or slug.
    for path in ["/exchanges?symbol=O7", "/chart?slug=other-8&period=7D"] {
        assert_eq!(Live::over(&[(CoinGecko, &gecko)]).raw(path).await.0, 200, "{path}");
    }
    let requests = gecko.requests();
    let mut markets = requests.iter().filter(|request| request.path == "/coins/markets");
    assert!(markets.all(|request| request.query("include_rehypothecated") == "true"), "{requests:?}");
}

#[tokio::test]
async fn coins_by_id_fail_if_every_provider_fails() {
    let cmc = world::coinmarketcap();
    cmc.respond_with(fake::json(503, ""));
    let live = Live::over(&[(CoinMarketCap, &cmc)]);
    let (status, _, body) = live.raw("/coins?ids=1").await;
    assert_eq!(status, 503, "{body}");
}

#[tokio::test]
async fn names_of_all_coins_have_the_ids_of_the_lists() {
    let cmc = world::coinmarketcap();
    let live = Live::over(&[(CoinMarketCap, &cmc)]);
    let (all, _) = live.coins(Tag::All, 1, 250).await;
    let (status, provider, body) = live.raw("/x/names").await;
    assert_eq!((status, provider.as_str()), (200, "coinmarketcap"), "{body}");
    let rows = body.as_array().unwrap();
    assert_eq!(rows.len(), world::coins().len());
    for (row, coin) in rows.iter().zip(&all.items) {
        assert_eq!((row["id"].as_str(), row["slug"].as_str()), (Some(coin.id.0.as_str()), coin.slug.as_deref()));
        assert_eq!(row["rank"].as_u64(), coin.rank.map(u64::from));
    }
    // They are cached for a day.
    live.raw("/x/names").await;
    assert_eq!(cmc.paths().iter().filter(|path| path.ends_with("/map")).count(), 1);
}

#[tokio::test]
async fn names_are_kept_across_restarts() {
    let (cmc, cache) = (world::coinmarketcap(), tempfile::tempdir().unwrap());
    let maps = || cmc.paths().iter().filter(|path| path.ends_with("/map")).count();
    let mut bodies = Vec::new();
    for _ in 0..2 {
        let live = Live::with_cache(&[(CoinMarketCap, &cmc)], Some(cache.path()));
        bodies.push(live.raw("/x/names").await);
        assert_eq!(maps(), 1, "one request a day");
    }
    assert_eq!(bodies[0], bodies[1]);
}

#[tokio::test]
async fn names_fall_back_to_another_provider() {
    for (other, fake) in [(CoinPaprika, world::coinpaprika()), (CoinGecko, world::coingecko())] {
        let cmc = world::coinmarketcap();
        cmc.respond_with(fake::json(503, ""));
        let live = Live::over(&[(CoinMarketCap, &cmc), (other, &fake)]);
        let (status, provider, body) = live.raw("/x/names").await;
        assert_eq!((status, provider.as_str()), (200, other.as_str()), "{body}");
        let rows = body.as_array().unwrap();
        assert_eq!(rows.len(), world::coins().len());
        let bitcoin = rows.iter().find(|row| row["name"] == "Bitcoin").unwrap();
        assert_eq!((&bitcoin["id"], &bitcoin["symbol"]), (&json!("1"), &json!("BTC")));
    }
}

#[tokio::test]
async fn client_reads_names_and_coins_by_id_and_skips_other_coins() {
    let cmc = world::coinmarketcap();
    let live = Live::over(&[(CoinMarketCap, &cmc)]);
    let reply = live.get(&Request::CoinNames).await.unwrap();
    let Some(ResponseData::CoinNames(names)) = &reply.response else { panic!("{reply:?}") };
    assert_eq!(names.len(), world::coins().len());
    assert!(reply.max_age.unwrap() >= Duration::from_hours(23), "{:?}", reply.max_age);
    let first = &names[0].coin;
    assert_eq!((first.id.as_str(), first.symbol.as_str(), first.rank), ("1", "BTC", Some(1)));
    let convert = Currency::usd();
    let request = Request::CoinsById { ids: ["40007", "1"].map(|id| CoinId(id.into())).to_vec(), convert };
    let reply = live.get(&request).await.unwrap();
    let Some(ResponseData::Coins(page)) = &reply.response else { panic!("{reply:?}") };
    assert_eq!(page.items.iter().map(|coin| coin.name.as_str()).collect::<Vec<_>>(), ["Other 7", "Bitcoin"]);

    // A service that ignores the ids returns its first page.
    let other = fake::Fake::start(|_| {
        let rows: Vec<Value> = (1..=9).map(|id| json!({"id": id, "name": "X", "symbol": "X"})).collect();
        fake::json(200, json!({ "data": rows }).to_string())
    });
    let reply = Client::new(ClientConfig::at(&other.url)).unwrap().get(&request, None).await.unwrap();
    let Some(ResponseData::Coins(page)) = &reply.response else { panic!("{reply:?}") };
    assert_eq!(page.items.iter().map(|coin| coin.id.0.as_str()).collect::<Vec<_>>(), ["1"]);
}

#[tokio::test]
async fn delisted_and_renamed_coins_keep_their_id_and_have_a_warning() {
    let name = std::sync::Arc::new(parking_lot::Mutex::new(("Old name", "OLD")));
    let now = std::sync::Arc::clone(&name);
    let paprika = fake::Fake::start(move |_| {
        let (name, symbol) = *now.lock();
        let row = json!([{"id": "old-coin", "name": name, "symbol": symbol, "rank": 9,
            "quotes": {"USD": {"price": 2.0, "market_cap": 5e6}}}]);
        fake::json(200, row.to_string())
    });
    let live = Live::over(&[(CoinPaprika, &paprika)]);
    let request = |id: &str| Request::CoinsById { ids: vec![CoinId(id.into())], convert: Currency::usd() };
    let reply = live.get(&request("old-coin")).await.unwrap();
    assert_eq!(reply.warnings.as_slice(), [] as [&str; 0]);
    // Bitcoin is built in, but this provider doesn't have it.
    let reply = live.get(&request("1")).await.unwrap();
    assert!(matches!(&reply.response, Some(ResponseData::Coins(page)) if page.items.is_empty()), "{reply:?}");
    assert_eq!(reply.warnings, ["Bitcoin is not listed by any provider"]);
    assert_eq!(reply.notice.unwrap().code, Some(NoticeCode::NotListed));

    *name.lock() = ("New name", "NEW");
    // Another operation fetches the renamed coin.
    let (_, reply) = live.coins(Tag::All, 1, 250).await;
    assert_eq!(reply.warnings, ["Old name is now called New name"]);
    let reply = live.get(&request("old-coin")).await.unwrap();
    let Some(ResponseData::Coins(page)) = &reply.response else { panic!("{reply:?}") };
    assert_eq!((page.items[0].id.0.as_str(), page.items[0].name.as_str()), ("old-coin", "New name"));
    assert_eq!(reply.warnings, ["Old name is now called New name"]);
    // Its former symbol.
    let request = Request::Posts { symbol: "old".into(), slug: None, order: PostOrder::Top };
    let error = live.get(&request).await.unwrap_err();
    assert_eq!(error.reason(), "old is now called New name (NEW)");
}

#[tokio::test]
async fn slug_that_no_fresh_list_of_names_has_is_not_looked_up() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko)]);
    // The names of the second provider arrive later.
    while live.raw("/x/names").await.1 != "coinmarketcap, coingecko" {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let before = (cmc.paths(), gecko.paths());
    for _ in 0..2 {
        assert_eq!(live.raw("/chart?slug=no-such-coin").await.0, 404);
    }
    assert_eq!((cmc.paths(), gecko.paths()), before);
    assert_eq!(live.raw("/chart?slug=other-590").await.0, 200);
}

/// The list of CoinMarketCap comes in pages, which may take longer than a client waits.
#[tokio::test]
async fn names_are_fetched_to_the_end_if_the_client_gives_up() {
    let cmc = fake::Fake::start(|request| {
        let start = request.number("start", 1);
        let rows = if start == 1 { 5_000 } else { 1 };
        let coin = |n: usize| json!({"id": n, "rank": n, "name": format!("C{n}"), "symbol": format!("C{n}"), "slug": format!("c{n}")});
        let rows: Vec<Value> = (start..start + rows).map(coin).collect();
        let response = fake::json(200, json!({"data": rows, "status": {"error_code": 0}}).to_string());
        fake::FakeResponse { delay: Duration::from_millis(200), ..response }
    });
    let live = Live::over(&[(CoinMarketCap, &cmc)]);
    tokio::select! {
        _ = live.raw("/x/names") => panic!("answered before the second page"),
        () = cmc.received(1) => {}
    }
    tokio::time::timeout(Duration::from_secs(10), cmc.received(2)).await.expect("the second page is requested");
    let (status, _, body) = live.raw("/x/names").await;
    assert_eq!((status, body.as_array().map(Vec::len)), (200, Some(5_001)));
    assert_eq!(cmc.requests().len(), 2);
}
