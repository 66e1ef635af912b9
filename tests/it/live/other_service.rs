//! Lists of another satscope service, and coins that none of its lists had yet.

use std::time::Duration;

use satscope::model::ProviderName;
use satscope::model::ProviderName::{CoinGecko, DefiLlama, Service};
use satscope::model::{Tag, UtcTime};
use satscope::service::gateway::{LiveSettings, ProviderSettings};
use satscope::service::operation::Operation;
use serde_json::{Value, json};

use super::charts::through;
use super::{Live, fake, world};

#[tokio::test]
async fn list_continues_if_ranks_change_between_pages() {
    for (ignores_start, last) in [(false, 200), (true, 100)] {
        let service = fake::Fake::start(move |request| {
            let number = |name: &str| request.query(name).parse::<usize>().unwrap_or(1);
            let start = if ignores_start { 1 } else { number("start") };
            // After the first page, a new coin at the top has moved the others down.
            let moved = usize::from(start > 1);
            let row = |rank: usize| {
                let id = rank - moved;
                json!({"id": id, "name": format!("Coin {id}"), "symbol": format!("C{id}"),
                    "slug": format!("coin-{id}"), "quote": {"USD": {"price": 2.5}}})
            };
            let rows: Vec<Value> = (start..start + number("limit").min(100)).map(row).collect();
            fake::json(200, json!({"data": rows, "total": 300}).to_string())
        });
        let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
        settings.order.insert(Operation::Coins, vec![Service]);
        let own = ProviderSettings { base_url: Some(service.url.clone()), ..ProviderSettings::default() };
        settings.providers.insert(Service, own);
        let (status, _, body) = Live::with(settings).raw("/coins?limit=200").await;
        let names: Vec<&str> =
            body["data"].as_array().unwrap().iter().filter_map(|coin| coin["name"].as_str()).collect();
        let expected: Vec<String> = (1..=last).map(|id| format!("Coin {id}")).collect();
        assert_eq!((status, names), (200, expected.iter().map(String::as_str).collect()));
    }
}

/// Some services send fewer coins per page than requested, and don't say how many there are.
#[tokio::test]
async fn list_without_a_total_continues_after_a_short_page() {
    for (per_page, count) in [(50, 120), (50, 100), (200, 30), (50, 0)] {
        let service = fake::Fake::start(move |request| {
            let start = request.query("start").parse::<usize>().unwrap_or(1);
            let row = |id: usize| {
                json!({"id": id, "name": format!("Coin {id}"), "symbol": format!("C{id}"),
                    "slug": format!("coin-{id}"), "quote": {"USD": {"price": 2.5}}})
            };
            let rows: Vec<Value> = (start..start + per_page).filter(|id| *id <= count).map(row).collect();
            fake::json(200, json!({"data": rows}).to_string())
        });
        let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
        settings.order.insert(Operation::Coins, vec![Service]);
        let own = ProviderSettings { base_url: Some(service.url.clone()), ..ProviderSettings::default() };
        settings.providers.insert(Service, own);
        let (_, _, body) = Live::with(settings).raw("/coins?limit=200").await;
        assert_eq!(body["data"].as_array().map_or(0, Vec::len), count, "{per_page} {count}: {body}");
        let pages = count.div_ceil(per_page) + usize::from(count % per_page == 0 || count < per_page);
        assert!(service.requests().len() <= pages.max(1), "{}", service.requests().len());
    }
}

/// Two instances must return the same, whichever lists each has seen.
#[tokio::test]
async fn coin_that_no_list_had_yet_is_requested_from_the_other_service() {
    let (gecko, llama) = (world::coingecko(), world::defillama());
    let first = Live::over(&[(CoinGecko, &gecko), (DefiLlama, &llama)]);
    let list = first.raw("/coins?start=101&limit=1").await.2;
    let [slug, symbol] = ["slug", "symbol"].map(|name| list["data"][0][name].as_str().unwrap().to_owned());
    for path in [
        format!("/chart?slug={slug}&period=7D"),
        format!("/exchanges?symbol={symbol}&slug={slug}"),
        format!("/exchanges?symbol={symbol}"),
        format!("/market/data?symbol={symbol}&count=24&interval=1h"),
        String::from("/chart?slug=no-such-coin&period=7D"),
        // Bitcoin's id.
        String::from("/chart?slug=1&period=7D"),
        String::from("/exchanges?symbol=1&slug=1"),
        String::from("/exchanges?symbol=NOSUCH&slug=no-such-coin"),
        String::from("/market/data?symbol=NOSUCH&count=24&interval=1h"),
    ] {
        let (expected, _, body) = first.raw(&path).await;
        let (status, _, found) = through(&first).raw(&path).await;
        let coin = |body: &Value| {
            let data = body["data"].clone();
            let coin = data.get(&symbol).map_or(data.clone(), |coins| coins[0].clone());
            ["id", "slug", "name", "symbol"].map(|field| coin[field].clone())
        };
        assert_eq!((status, coin(&found)), (expected, coin(&body)), "{path}: {found}");
    }
}

/// Another provider would answer for the symbol.
#[tokio::test]
async fn unknown_slug_is_not_forwarded_to_other_providers() {
    let (gecko, llama) = (world::coingecko(), world::defillama());
    let first = Live::over(&[(CoinGecko, &gecko), (DefiLlama, &llama)]);
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    for (name, url) in [(CoinGecko, gecko.url.clone()), (Service, first.running.url())] {
        settings.order.insert(Operation::Pairs, vec![Service, CoinGecko]);
        settings.order.insert(Operation::Coins, vec![CoinGecko, Service]);
        let own =
            ProviderSettings { base_url: Some(url), min_gap: Some(Duration::ZERO), ..ProviderSettings::default() };
        settings.providers.insert(name, own);
    }
    let (status, _, body) = Live::with(settings).raw("/exchanges?symbol=ORDI&slug=no-such-coin").await;
    assert_eq!(status, 404, "{body}");
}

/// The id of an unknown coin is not its slug.
#[tokio::test]
async fn coin_known_only_by_its_slug_has_no_id() {
    let service = fake::Fake::start(|request| {
        if request.path.starts_with("/exchanges") {
            let pair = json!({"exchange": {"name": "Here"}, "market_pair": "NEW/USDT",
                "quote": {"USD": {"price": 2.5, "volume_24h": 10.0}}});
            fake::json(
                200,
                json!({"data": {"NEW": [{"name": "New", "slug": "new", "market_pairs": [pair]}]}}).to_string(),
            )
        } else {
            fake::json(404, json!({"status": {"error_message": "not found"}}).to_string())
        }
    });
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    for name in ProviderName::ALL {
        let url = Some(service.url.clone()).filter(|_| name == Service);
        let (enabled, min_gap) = (Some(url.is_some()), Some(Duration::ZERO));
        settings.providers.insert(name, ProviderSettings { enabled, min_gap, base_url: url, ..Default::default() });
    }
    settings.order.values_mut().for_each(|order| *order = vec![Service]);
    let (status, _, body) = Live::with(settings).raw("/exchanges?symbol=NEW&slug=new").await;
    let coin = &body["data"]["NEW"][0];
    assert_eq!((status, coin["slug"].as_str()), (200, Some("new")), "{body}");
    assert_eq!((&coin["id"], &coin["num_market_pairs"]), (&Value::Null, &Value::Null), "{body}");
    assert_eq!(coin["market_pairs"].as_array().map(Vec::len), Some(1), "{body}");
}

/// Another service, which has the prices of one coin, and an instance that uses it. The lists of tags are CoinGecko's.
fn with_series(names: &'static str, gecko: &fake::Fake) -> (fake::Fake, Live) {
    with_quotes(names, r#"{"price": 0.1, "market_cap": 90e6}"#, gecko)
}

/// Like [`with_series`], with these values in dollars at each time.
fn with_quotes(names: &'static str, quote: &'static str, gecko: &fake::Fake) -> (fake::Fake, Live) {
    let service = fake::Fake::start(move |request| match request.path.as_str() {
        "/market/data" => {
            let point = |hour: i64| {
                let time = UtcTime::from_secs(world::NOW - hour * 3_600);
                let quote: Value = serde_json::from_str(quote).unwrap();
                json!({"timestamp": time.to_string(), "quote": {"USD": quote}})
            };
            let quotes: Vec<Value> = (0..24).rev().map(point).collect();
            let mut coin: Value = serde_json::from_str(names).unwrap();
            coin["quotes"] = Value::Array(quotes);
            fake::json(200, json!({"data": {"O10": [coin]}}).to_string())
        }
        _ => fake::json(404, ""),
    });
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    settings.order.insert(Operation::Coins, vec![Service]);
    settings.order.insert(Operation::Tagged, vec![CoinGecko]);
    settings.order.insert(Operation::Series, vec![Service]);
    for (name, url) in [(CoinGecko, gecko.url.clone()), (Service, service.url.clone())] {
        let own =
            ProviderSettings { base_url: Some(url), min_gap: Some(Duration::ZERO), ..ProviderSettings::default() };
        settings.providers.insert(name, own);
    }
    (service, Live::with(settings))
}

#[tokio::test]
async fn coin_of_another_service_without_an_id_or_slug_is_found_by_its_symbol() {
    let gecko = world::coingecko();
    for (names, slug) in [
        (r#"{"id": "ten-id", "slug": "ten", "name": "Other 10", "symbol": "O10"}"#, Some("ten")),
        (r#"{"slug": "ten", "name": "Other 10", "symbol": "O10"}"#, Some("ten")),
        (r#"{"id": "ten-id", "name": "Other 10", "symbol": "O10"}"#, Some("ten-id")),
        (r#"{"name": "Other 10", "symbol": "O10"}"#, None),
    ] {
        let (_service, live) = with_series(names, &gecko);
        let (status, _, body) = live.raw("/market/data?symbol=O10&count=24&interval=1h").await;
        assert_eq!((status == 200, body["data"]["O10"][0]["slug"].as_str()), (slug.is_some(), slug), "{names}: {body}");
    }
}

#[tokio::test]
async fn coin_of_another_service_is_matched_by_its_market_cap() {
    let gecko = world::coingecko();
    let names = r#"{"id": "ten-id", "slug": "ten", "name": "Other 10", "symbol": "O10"}"#;
    let (_service, live) = with_series(names, &gecko);
    live.raw("/market/data?symbol=O10&count=24&interval=1h").await;
    let (page, _) = live.coins(Tag::Brc20, 1, 100).await;
    let coin = page.items.iter().find(|coin| coin.name == "Other 10").unwrap();
    assert_eq!(coin.id.0, "ten-id");
}

#[tokio::test]
async fn volume_of_a_candle_is_not_served_as_that_of_24_hours() {
    let gecko = world::coingecko();
    let names = r#"{"id": "ten-id", "slug": "ten", "name": "Other 10", "symbol": "O10"}"#;
    for (quote, volume) in [
        (r#"{"open": 0.1, "high": 0.1, "low": 0.1, "close": 0.1, "volume": 5e6, "market_cap": 90e6}"#, Value::Null),
        (r#"{"price": 0.1, "volume_24h": 120e6, "market_cap": 90e6}"#, json!(120e6)),
    ] {
        let (_service, live) = with_quotes(names, quote, &gecko);
        let (status, _, body) = live.raw("/market/data?symbol=O10&count=24&interval=1h").await;
        let first = &body["data"]["O10"][0]["quotes"][0]["quote"]["USD"];
        assert_eq!((status, &first["price"], &first["volume_24h"]), (200, &json!(0.1), &volume), "{body}");
    }
}
