//! The market group over CoinMarketCap and CoinGecko.

use satscope::client::{Request, ResponseData};
use satscope::model::ProviderName::{CoinGecko, CoinMarketCap, CoinPaprika};
use satscope::model::coin::GAP;
use satscope::model::{Currency, Period, Tag, Text};
use serde_json::{Value, json as object};

use super::fake::{FakeResponse, json};
use super::indexer::settings;
use super::{Live, world};

#[tokio::test]
async fn all_coins_come_from_coinmarketcap_in_aligned_pages() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko)]);
    let (first, reply) = live.coins(Tag::All, 1, 200).await;
    assert_eq!((first.items.len(), first.total), (200, Some(600)));
    assert_eq!((reply.simulated, reply.provider.as_deref()), (false, Some("coinmarketcap, coingecko")));
    let ranged: Vec<&str> =
        first.items.iter().filter(|coin| coin.low_24h.is_some()).map(|coin| coin.name.as_str()).collect();
    assert_eq!(ranged, ["SATS"], "the range that came with its market cap");
    let bitcoin = &first.items[0];
    assert_eq!((bitcoin.id.0.as_str(), bitcoin.slug.as_deref(), bitcoin.rank), ("1", Some("bitcoin"), Some(1)));
    assert_eq!(bitcoin.price, Some(61_234.1));
    // The first 250 coins are cached; the rest needs a request.
    assert_eq!(live.coins(Tag::All, 101, 150).await.0.items.len(), 150);
    let pages =
        || -> Vec<_> { cmc.requests().into_iter().filter(|request| request.path.contains("listings")).collect() };
    let requests = pages();
    assert_eq!(requests.len(), 1, "{requests:?}");
    assert_eq!(
        (requests[0].query("start"), requests[0].query("limit"), requests[0].query("convert")),
        ("1", "250", "USD")
    );
    let (second, _) = live.coins(Tag::All, 201, 200).await;
    assert_eq!((second.items.len(), second.items[0].rank), (200, Some(201)));
    assert_eq!(pages().len(), 2);
    let (end, _) = live.coins(Tag::All, 601, 200).await;
    assert_eq!((end.items.len(), end.total), (0, Some(600)));
    let ids: Vec<String> = gecko.requests().iter().map(|request| request.query("ids").to_owned()).collect();
    assert_eq!(ids, ["sats-ordinals"], "only the market cap of a built-in coin");
    for request in cmc.requests() {
        let agent = request.headers["user-agent"].to_str().unwrap();
        assert!(agent.starts_with("satscope/") && agent.contains("https://"), "{agent}");
        assert!(!request.headers.contains_key("x-cmc_pro_api_key"), "no key is set");
    }
}

#[tokio::test]
async fn coingecko_response_serves_tag_list_and_sparklines() {
    let gecko = world::coingecko();
    let live = Live::over(&[(CoinGecko, &gecko)]);
    let (list, reply) = live.coins(Tag::Brc20, 1, 200).await;
    assert_eq!(reply.provider.as_deref(), Some("coingecko"));
    assert_eq!((list.items.len(), list.total), (61, Some(61)));
    let ordi = list.items.iter().find(|coin| coin.name == "ORDI").unwrap();
    // Its id and slug are ours, not CoinGecko's "ordinals".
    assert_eq!((ordi.id.0.as_str(), ordi.slug.as_deref(), ordi.symbol.as_str()), ("25028", Some("ordi"), "ORDI"));
    assert_eq!((ordi.high_24h, ordi.all_time_high), (Some(8.41 * 1.1), Some(8.41 * 9.0)));
    let stats = live.get(&Request::CategoryStats { tag: Tag::Brc20, convert: Currency::usd() }).await.unwrap();
    let Some(ResponseData::Coins(stats)) = stats.response else { panic!("{stats:?}") };
    assert_eq!(stats.items.len(), 61);
    assert!(stats.items.iter().all(|coin| coin.sparkline_7d.len() == 3));
    assert_eq!(gecko.paths(), ["/coins/markets"]);
}

#[tokio::test]
async fn gap_in_a_sparkline_keeps_its_place_and_a_wrong_sparkline_is_left_out() {
    let gecko = world::coingecko();
    gecko.edit(|_, response| {
        let mut rows: Vec<Value> = serde_json::from_slice(&response.body).unwrap();
        for row in &mut rows {
            let prices = match row["id"].as_str() {
                Some("ordinals") => object!([0, null, "7.1", -3, 8.4, 0]),
                Some("sats-ordinals") => object!([0.12, 0.11]),
                Some("other-10") => object!([0, 0, 0]),
                _ => continue,
            };
            row["sparkline_in_7d"]["price"] = prices;
        }
        FakeResponse { body: serde_json::to_vec(&rows).unwrap(), ..response }
    });
    let live = Live::over(&[(CoinGecko, &gecko)]);
    let (list, reply) = live.coins(Tag::Brc20, 1, 200).await;
    let line = |name: &str| list.items.iter().find(|coin| coin.name == name).unwrap().sparkline_7d.clone();
    assert_eq!(line("ORDI"), [GAP, GAP, 7.1, GAP, 8.4, GAP]);
    assert_eq!((line("SATS").len(), line("Other 10").len(), line("Other 20").len()), (0, 0, 3));
    let warning = "Skipped the invalid 7-day chart of SATS";
    assert!(reply.notice.as_deref().is_some_and(|notice| notice.contains(warning)), "{:?}", reply.notice);
    let (_, _, body) = live.raw("/coins?tag=brc-20&start=1&limit=200").await;
    let ordi = body["data"].as_array().unwrap().iter().find(|coin| coin["name"] == "ORDI").unwrap();
    assert_eq!(ordi["sparkline_7d"], object!([null, null, 7.1, null, 8.4, null]));
}

#[tokio::test]
async fn chart_and_pairs_use_coingecko_id() {
    let gecko = world::coingecko();
    let live = Live::over(&[(CoinGecko, &gecko)]);
    let slug = Text::from("ordi");
    let chart = Request::Chart { slug: slug.clone(), period: Period::Day, convert: Currency::usd() };
    let Some(ResponseData::Chart(chart)) = live.get(&chart).await.unwrap().response else { panic!("no chart") };
    assert_eq!((chart.slug.as_str(), chart.points.len()), ("ordi", 289));
    let pairs = Request::MarketPairs { symbol: "ORDI".into(), slug: Some(slug), convert: Currency::usd() };
    let reply = live.get(&pairs).await.unwrap();
    let Some(ResponseData::MarketPairs(pairs)) = reply.response else { panic!("no pairs") };
    let names: Vec<_> =
        pairs.items.iter().map(|pair| (pair.exchange.as_deref().unwrap(), pair.pair.as_str())).collect();
    assert_eq!(names, [("Binance", "ORDI/USDT"), ("OKX", "ORDI/USDT")]);
    assert_eq!(gecko.paths(), ["/coins/ordinals/market_chart", "/coins/ordinals/tickers"]);
}

#[tokio::test]
async fn tag_list_falls_back_to_coinmarketcap_category() {
    let cmc = world::coinmarketcap();
    let live = Live::over(&[(CoinMarketCap, &cmc)]);
    let (list, reply) = live.coins(Tag::Brc20, 1, 200).await;
    assert_eq!((list.items.len(), reply.provider.as_deref()), (61, Some("coinmarketcap")));
    assert_eq!(list.items[0].name, "ORDI");
    // The links of the coins are fetched separately.
    assert_eq!(
        cmc.paths()[..3],
        ["/v3/cryptocurrency/listings/latest", "/v1/cryptocurrency/categories", "/v1/cryptocurrency/category"]
    );
}

#[tokio::test]
async fn pairs_come_from_coinpaprika_if_coingecko_has_none() {
    let (cmc, gecko, paprika) = (world::coinmarketcap(), world::coingecko(), world::coinpaprika());
    gecko.edit(|request, response| {
        if request.path.ends_with("/tickers") { json(200, r#"{"name":"ORDI","tickers":[]}"#) } else { response }
    });
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko), (CoinPaprika, &paprika)]);
    live.coins(Tag::All, 1, 200).await;
    let request = Request::MarketPairs { symbol: "ORDI".into(), slug: None, convert: Currency::usd() };
    let reply = live.get(&request).await.unwrap();
    let Some(ResponseData::MarketPairs(pairs)) = reply.response else { panic!("no pairs") };
    assert_eq!((pairs.items.len(), reply.provider.as_deref()), (2, Some("coinpaprika")));
}

#[tokio::test]
async fn list_in_place_of_coingecko_pairs_is_not_an_empty_response() {
    let (gecko, paprika) = (world::coingecko(), world::coinpaprika());
    gecko.edit(|request, response| if request.path.ends_with("/tickers") { json(200, "[]") } else { response });
    let (status, _, body) = Live::over(&[(CoinGecko, &gecko)]).raw("/exchanges?symbol=ORDI").await;
    assert_ne!(status, 200, "{body}");
    let live = Live::over(&[(CoinGecko, &gecko), (CoinPaprika, &paprika)]);
    let (status, provider, body) = live.raw("/exchanges?symbol=ORDI").await;
    assert_eq!((status, provider.as_str()), (200, "coinpaprika"), "{body}");
}

/// Changes the rows of some of a provider's responses.
fn edit_rows(fake: &super::fake::Fake, path: &'static str, change: impl Fn(&mut Vec<Value>) + Send + Sync + 'static) {
    fake.edit(move |request, mut response| {
        if request.path.ends_with(path) {
            let mut body: Value = serde_json::from_slice(&response.body).unwrap();
            let rows = if body.is_array() { &mut body } else { &mut body["tickers"] };
            change(rows.as_array_mut().unwrap());
            response.body = body.to_string().into_bytes();
        }
        response
    });
}

#[tokio::test]
async fn full_page_of_pairs_is_not_the_whole_list() {
    let gecko = world::coingecko();
    edit_rows(&gecko, "/tickers", |rows| {
        let first = rows[0].clone();
        *rows = (0..100).map(|_| first.clone()).collect();
    });
    let live = Live::over(&[(CoinGecko, &gecko)]);
    let request = Request::MarketPairs { symbol: "ORDI".into(), slug: Some("ordi".into()), convert: Currency::usd() };
    let reply = live.get(&request).await.unwrap();
    let Some(ResponseData::MarketPairs(pairs)) = &reply.response else { panic!("{reply:?}") };
    assert_eq!((pairs.items.len(), pairs.total), (100, None));
    assert!(pairs.items.iter().all(|pair| pair.volume_share_pct.is_none()), "shares of a part would be too large");
    assert_eq!(reply.notice.as_deref(), Some("Only the 100 largest market pairs"));
    let (_, _, body) = live.raw("/exchanges?symbol=ORDI&slug=ordi").await;
    assert_eq!(body["data"]["ORDI"][0]["num_market_pairs"], Value::Null);
}

#[tokio::test]
async fn coingecko_rows_without_id_are_skipped() {
    let gecko = world::coingecko();
    edit_rows(&gecko, "/markets", |rows| rows[0]["id"] = Value::Null);
    let live = Live::over(&[(CoinGecko, &gecko)]);
    let (list, reply) = live.coins(Tag::Brc20, 1, 200).await;
    assert_eq!(list.items.len(), 60);
    assert_eq!(reply.warnings, ["Skipped 1 unreadable coin"]);
}

#[tokio::test]
async fn custom_coinmarketcap_url_gets_the_key_with_every_request() {
    let cmc = world::coinmarketcap();
    cmc.edit(|request, response| {
        let body = match request.path.as_str() {
            "/v3/cryptocurrency/quotes/historical" => {
                r#"{"data":{"1":{"id":1,"name":"Bitcoin","symbol":"BTC","quotes":[
                {"timestamp":"2026-11-21T07:55:00.000Z","quote":{"USD":{"price":61000.5}}},
                {"timestamp":"2026-11-21T08:00:00.000Z","quote":{"USD":{"price":61234.1}}}]}},
                "status":{"error_code":0,"credit_count":3}}"#
            }
            "/v1/key/info" => r#"{"data":{"usage":{"current_month":{"credits_used":3}}},"status":{"error_code":0}}"#,
            _ => return response,
        };
        json(200, body)
    });
    let live = Live::with(settings(&[(CoinMarketCap, &cmc.url, Some("cmc-key"))]));
    live.coins(Tag::All, 1, 50).await;
    let request = Request::Chart { slug: "bitcoin".into(), period: Period::Day, convert: Currency::usd() };
    let reply = live.get(&request).await.unwrap();
    let Some(ResponseData::Chart(chart)) = &reply.response else { panic!("{reply:?}") };
    assert_eq!((chart.points.len(), reply.provider.as_deref()), (2, Some("coinmarketcap")));
    let requests = cmc.requests();
    assert!(requests.len() >= 2);
    for request in requests {
        let key = request.headers.get("x-cmc_pro_api_key").map(|key| key.to_str().unwrap());
        assert_eq!(key, Some("cmc-key"), "{request:?}");
    }
}

#[tokio::test]
async fn pairs_without_any_price_come_from_the_next_provider() {
    let (gecko, paprika) = (world::coingecko(), world::coinpaprika());
    gecko.edit(|request, mut response| {
        if request.path.ends_with("/tickers") {
            let mut body: Value = serde_json::from_slice(&response.body).unwrap();
            for ticker in body["tickers"].as_array_mut().unwrap() {
                ticker["converted_last"] = Value::Null;
            }
            response.body = body.to_string().into_bytes();
        }
        response
    });
    let live = Live::over(&[(CoinGecko, &gecko), (CoinPaprika, &paprika)]);
    let (status, provider, body) = live.raw("/exchanges?symbol=ORDI").await;
    assert_eq!((status, provider.as_str()), (200, "coinpaprika"), "{body}");
}
