//! Matching of coins between providers.

use std::collections::BTreeMap;

use satscope::client::{Request, ResponseData};
use satscope::model::ProviderName::{CoinGecko, CoinMarketCap, CoinPaprika};
use satscope::model::{Coin, Currency, Page, Tag, Text};
use serde_json::Value;

use super::{Live, fake, world};

#[tokio::test]
async fn coin_keeps_its_id_across_providers() {
    let (cmc, gecko, paprika) = (world::coinmarketcap(), world::coingecko(), world::coinpaprika());
    let fakes = [(CoinMarketCap, &cmc), (CoinGecko, &gecko), (CoinPaprika, &paprika)];
    let live = Live::over(&fakes);
    let (all, _) = live.coins(Tag::All, 1, 250).await;
    let (tagged, _) = live.coins(Tag::Brc20, 1, 250).await;
    for coin in tagged.items.iter().filter(|coin| coin.name.starts_with("Other")) {
        if let Some(same) = all.items.iter().find(|other| other.name == coin.name) {
            assert_eq!((&same.id, &same.slug), (&coin.id, &coin.slug));
        }
    }
    let shared = tagged.items.iter().filter(|coin| all.items.iter().any(|other| other.id == coin.id)).count();
    assert!(shared > 10, "{shared}");
    // The two coins called SATS stay apart.
    let (rest, _) = live.coins(Tag::All, 251, 400).await;
    let sats: Vec<_> = all
        .items
        .iter()
        .chain(&rest.items)
        .filter(|coin| coin.symbol == "SATS")
        .map(|coin| coin.id.0.clone())
        .collect();
    assert_eq!(sats.len(), 2);
    assert_ne!(sats[0], sats[1]);
}

/// The other coin called SATS is not the token.
#[tokio::test]
async fn only_coins_of_known_identity_name_their_brc20_ticker() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko)]);
    let (all, _) = live.coins(Tag::All, 1, 600).await;
    let (tagged, _) = live.coins(Tag::Brc20, 1, 250).await;
    let named = |list: &Page<Coin>| {
        let named = list.items.iter().filter_map(|coin| Some((coin.brc20_ticker.clone()?, coin.slug.clone()?)));
        named.collect::<BTreeMap<Text, Text>>()
    };
    let (ordi, sats) = (("ordi".into(), "ordi".into()), ("sats".into(), "sats-ordinals".into()));
    let expected = BTreeMap::from([ordi, sats]);
    assert_eq!((named(&tagged), named(&all)), (expected.clone(), expected));
}

#[tokio::test]
async fn unpaginated_list_is_fetched_once_for_all_pages() {
    let (cmc, paprika) = (world::coinmarketcap(), world::coinpaprika());
    cmc.respond_with(fake::json(503, ""));
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinPaprika, &paprika)]);
    let (first, reply) = live.coins(Tag::All, 1, 200).await;
    assert_eq!((first.items.len(), first.total, reply.provider.as_deref()), (200, Some(600), Some("coinpaprika")));
    assert_eq!((first.items[0].name.as_str(), first.items[0].id.0.as_str()), ("Bitcoin", "1"));
    assert!(first.items[0].all_time_high.is_some());
    let (second, _) = live.coins(Tag::All, 201, 400).await;
    assert_eq!((second.items.len(), second.items[0].rank), (400, Some(201)));
    assert_eq!(paprika.paths(), ["/tickers"]);
}

#[tokio::test]
async fn pairs_fall_back_to_coin_matched_by_name_and_market_cap() {
    let (cmc, gecko, paprika) = (world::coinmarketcap(), world::coingecko(), world::coinpaprika());
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko), (CoinPaprika, &paprika)]);
    live.coins(Tag::Brc20, 1, 250).await;
    gecko.respond_with(fake::json(500, ""));
    // Of two coins with this symbol, the one with the same name and a similar market cap.
    let request = Request::MarketPairs { symbol: "SATS".into(), slug: None, convert: Currency::usd() };
    let reply = live.get(&request).await.unwrap();
    let Some(ResponseData::MarketPairs(pairs)) = &reply.response else { panic!("{reply:?}") };
    assert_eq!(reply.provider.as_deref(), Some("coinpaprika"));
    let exchanges: Vec<_> = pairs.items.iter().map(|pair| pair.exchange.as_deref().unwrap()).collect();
    assert_eq!(exchanges, ["Binance", "OKX"], "largest volume first");
    let paths = paprika.paths();
    assert_eq!(paths.last().map(String::as_str), Some("/coins/sats-sats/markets"), "{paths:?}");
}

#[tokio::test]
async fn coin_without_market_data_at_coinpaprika_does_not_hide_others() {
    let (cmc, gecko, paprika) = (world::coinmarketcap(), world::coingecko(), world::coinpaprika());
    paprika.edit(|request, response| match request.path.as_str() {
        "/search" => {
            let row =
                |(id, rank): (&str, u32)| serde_json::json!({"id": id, "name": "SATS", "symbol": "SATS", "rank": rank});
            let rows = [("sats-new", 1), ("sats-sats", 5)].map(row);
            fake::json(200, serde_json::json!({"currencies": rows}).to_string())
        }
        "/tickers/sats-new" => fake::json(404, r#"{"error":"id not found"}"#),
        _ => response,
    });
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko), (CoinPaprika, &paprika)]);
    live.coins(Tag::Brc20, 1, 250).await;
    gecko.respond_with(fake::json(500, ""));
    let request = Request::MarketPairs { symbol: "SATS".into(), slug: None, convert: Currency::usd() };
    let reply = live.get(&request).await.unwrap();
    assert_eq!(reply.provider.as_deref(), Some("coinpaprika"));
}

#[tokio::test]
async fn coinpaprika_lookup_fetches_the_best_ranked_coins_of_a_symbol() {
    let (cmc, gecko, paprika) = (world::coinmarketcap(), world::coingecko(), world::coinpaprika());
    paprika.edit(|request, response| match request.path.as_str() {
        "/search" => {
            let row =
                |(id, rank): (&str, u32)| serde_json::json!({"id": id, "name": "SATS", "symbol": "SATS", "rank": rank});
            let rows = [("sats-a", 0), ("sats-b", 900), ("sats-sats", 5), ("sats-c", 40), ("sats-d", 0)].map(row);
            fake::json(200, serde_json::json!({"currencies": rows}).to_string())
        }
        _ => response,
    });
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko), (CoinPaprika, &paprika)]);
    live.coins(Tag::Brc20, 1, 250).await;
    gecko.respond_with(fake::json(500, ""));
    let request = Request::MarketPairs { symbol: "SATS".into(), slug: None, convert: Currency::usd() };
    let _ = live.get(&request).await;
    let requests = paprika.requests();
    let search = requests.iter().find(|request| request.path == "/search").unwrap();
    assert_eq!(["q", "modifier", "limit"].map(|name| search.query(name)), ["SATS", "symbol_search", "250"]);
    let tickers: Vec<&str> = requests.iter().filter_map(|request| request.path.strip_prefix("/tickers/")).collect();
    assert_eq!(tickers.first(), Some(&"sats-sats"), "the best rank first");
    assert!(!tickers.contains(&"sats-a"), "{tickers:?}");
}

#[tokio::test]
async fn pairs_of_the_second_coin_of_a_symbol_are_its_own() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko)]);
    live.coins(Tag::All, 1, 600).await;
    for (slug, path) in
        [("sats-of-others", "/coins/sats-of-others/tickers"), ("sats-ordinals", "/coins/sats-ordinals/tickers")]
    {
        let request = Request::MarketPairs { symbol: "SATS".into(), slug: Some(slug.into()), convert: Currency::usd() };
        let reply = live.get(&request).await.unwrap();
        assert!(
            matches!(&reply.response, Some(ResponseData::MarketPairs(pairs)) if !pairs.items.is_empty()),
            "{reply:?}"
        );
        assert_eq!(gecko.paths().last().map(String::as_str), Some(path));
    }
}

#[tokio::test]
async fn links_and_contracts_are_fetched_separately_from_list() {
    let cmc = world::coinmarketcap();
    let live = Live::over(&[(CoinMarketCap, &cmc)]);
    let (first, reply) = live.coins(Tag::All, 1, 50).await;
    assert!(first.items.iter().all(|coin| coin.links.is_empty()), "the list does not wait for them");
    assert!(reply.max_age.unwrap().as_secs() <= 10, "the list should be refreshed soon");
    let with_links = async {
        loop {
            let (page, reply) = live.coins(Tag::All, 1, 50).await;
            if page.items.iter().all(|coin| !coin.links.is_empty()) {
                break (page, reply);
            }
            tokio::task::yield_now().await;
        }
    };
    let (page, reply) = tokio::time::timeout(std::time::Duration::from_secs(30), with_links).await.unwrap();
    assert_eq!(page.items[0].links[0].url, "https://bitcoin.example/");
    assert!(!page.items[0].contracts.is_empty());
    assert!(reply.max_age.unwrap().as_secs() > 200, "{:?}", reply.max_age);
    let info = cmc.requests().into_iter().filter(|request| request.path == "/v2/cryptocurrency/info").count();
    assert_eq!(info, 1);
    assert_eq!(cmc.paths().iter().filter(|path| path.contains("listings")).count(), 1);
}

#[tokio::test]
async fn built_in_coin_is_the_same_in_the_lists_of_providers_whose_id_is_not_built_in() {
    let (cmc, gecko, paprika) = (world::coinmarketcap(), world::coingecko(), world::coinpaprika());
    let sats = |page: &Page<Coin>| {
        let coin = page.items.iter().find(|coin| coin.name == "SATS").unwrap();
        (coin.id.0.to_string(), coin.slug.clone().unwrap().to_string())
    };
    for first in [(CoinMarketCap, &cmc), (CoinPaprika, &paprika)] {
        let live = Live::over(&[first, (CoinGecko, &gecko)]);
        let (all, _) = live.coins(Tag::All, 1, 250).await;
        let (tagged, _) = live.coins(Tag::Brc20, 1, 250).await;
        let expected = (String::from("sats-ordinals"), String::from("sats-ordinals"));
        assert_eq!((sats(&all), sats(&tagged)), (expected.clone(), expected), "{}", first.0);
    }
}

#[tokio::test]
async fn built_in_coin_stays_one_coin_while_the_provider_of_its_id_is_rate_limited() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    gecko.respond_with(fake::json(429, r#"{"status":{"error_code":429,"error_message":"limit"}}"#));
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko)]);
    let (tagged, reply) = live.coins(Tag::Brc20, 1, 250).await;
    assert_eq!(reply.provider.as_deref(), Some("coinmarketcap"));
    let ids = |coins: &[Coin]| -> Vec<String> {
        coins.iter().filter(|coin| coin.symbol == "SATS").map(|coin| coin.id.0.to_string()).collect()
    };
    assert_eq!(ids(&tagged.items), ["sats-ordinals"]);
    let (status, provider, body) = live.raw("/coins?ids=sats-ordinals").await;
    assert_eq!((status, provider.as_str()), (200, "coinmarketcap"), "{body}");
    assert!(body["data"][0]["quote"]["USD"]["price"].is_number(), "{body}");
}

#[tokio::test]
async fn pairs_of_built_in_coin_fall_back_although_no_list_had_it() {
    let (cmc, gecko, paprika) = (world::coinmarketcap(), world::coingecko(), world::coinpaprika());
    gecko.respond_with(fake::json(429, r#"{"status":{"error_code":429,"error_message":"limit"}}"#));
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko), (CoinPaprika, &paprika)]);
    let (status, provider, body) = live.raw("/exchanges?symbol=ORDI").await;
    assert_eq!((status, provider.as_str()), (200, "coinpaprika"), "{body}");
    assert_eq!(paprika.paths().last().map(String::as_str), Some("/coins/ordi-ordi/markets"));
}

#[tokio::test]
async fn coins_keep_ids_and_prices_after_a_restart_without_their_provider() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    let directory = tempfile::tempdir().unwrap();
    let live = Live::with_cache(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko)], Some(directory.path()));
    let names = |page: &Page<Coin>| -> Vec<(String, Option<Text>)> {
        page.items.iter().map(|coin| (coin.id.0.to_string(), coin.slug.clone())).collect()
    };
    let before = names(&live.coins(Tag::All, 1, 20).await.0);
    drop(live);
    cmc.respond_with(fake::json(503, ""));
    for (other, fake) in [(CoinPaprika, world::coinpaprika()), (CoinGecko, gecko)] {
        let live = Live::with_cache(&[(CoinMarketCap, &cmc), (other, &fake)], Some(directory.path()));
        let (status, provider, body) = live.raw("/coins?ids=40007").await;
        assert_eq!((status, provider.as_str()), (200, other.as_str()), "{body}");
        let coin = &body["data"][0];
        assert_eq!((&coin["name"], &coin["id"]), (&Value::from("Other 7"), &Value::from(40_007)), "{body}");
        assert!(coin["quote"]["USD"]["price"].is_number(), "{body}");
        assert_eq!(names(&live.coins(Tag::All, 1, 20).await.0), before, "{other}");
    }
}
