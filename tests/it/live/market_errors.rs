//! Errors of the providers of coins, prices and posts by class, as in [`super::errors`].

use satscope::client::{NoticeCode, Request};
use satscope::model::ProviderName::{
    self, Binance, Bluesky, CoinGecko, CoinMarketCap, CoinPaprika, DefiLlama, Mastodon, Okx,
};
use satscope::model::{Currency, PostOrder, Tag};

use super::errors::Next::{self, After, AtOnce, Never};
use super::errors::{DAY, HOUR, MINUTE, SECOND, check_requests};
use super::fake::{Fake, FakeResponse, html, json};
use super::indexer::settings;
use super::{Live, world};

const PROVIDERS: [ProviderName; 8] =
    [CoinMarketCap, CoinGecko, CoinPaprika, DefiLlama, Binance, Okx, Bluesky, Mastodon];

/// Two different requests of the same operation.
fn requests(name: ProviderName) -> [Request; 2] {
    let coins = |tag, start| Request::Coins { tag, start, limit: 5, convert: Currency::usd() };
    let series = |count| Request::MarketData {
        symbols: vec!["ORDI".into()],
        convert: Currency::usd(),
        count,
        interval: "1h".into(),
    };
    let posts = |order| Request::Posts { symbol: "ORDI".into(), slug: None, order };
    match name {
        CoinGecko => [coins(Tag::Brc20, 1), coins(Tag::BitcoinEcosystem, 1)],
        CoinMarketCap | CoinPaprika => [coins(Tag::All, 1), coins(Tag::All, 251)],
        Bluesky | Mastodon => [posts(PostOrder::Top), posts(PostOrder::Latest)],
        _ => [series(24), series(48)],
    }
}

#[tokio::test]
async fn series_name_the_known_coins_without_prices() {
    let (gecko, llama) = (world::coingecko(), world::defillama());
    let live = Live::over(&[(CoinGecko, &gecko), (DefiLlama, &llama)]);
    let request = Request::MarketData {
        symbols: ["ORDI", "RATS"].map(Into::into).to_vec(),
        convert: Currency::usd(),
        count: 24,
        interval: "1h".into(),
    };
    let reply = live.get(&request).await.unwrap();
    assert_eq!(reply.warnings, ["No prices for RATS"]);
    let code = NoticeCode::NoPrices { symbols: vec!["RATS".into()], failed: Vec::new() };
    assert_eq!(reply.notice.unwrap().code, Some(code));
}

#[tokio::test]
async fn errors_of_market_providers_are_distinguished_by_class() {
    let seconds = |wait: &str| FakeResponse { headers: vec![("retry-after", wait.to_owned())], ..json(429, "") };
    // Until the end of the month, UTC.
    let month_end = 9 * DAY + 16 * HOUR;
    for name in PROVIDERS {
        // Bluesky refuses blocked networks and disables its search.
        let refused = if name == Bluesky { After(DAY) } else { Never };
        let forbidden = |usual: Next| if name == Binance { After(5 * MINUTE) } else { usual };
        for (response, next) in [
            (json(401, r#"{"message":"no"}"#), refused),
            (json(402, r#"{"message":"pay"}"#), After(month_end)),
            (json(403, r#"{"message":"no"}"#), forbidden(refused)),
            (json(410, r#"{"error":"Gone"}"#), Never),
            (json(429, r#"{"message":"slow"}"#), After(MINUTE)),
            (seconds("30"), After(30)),
            (json(500, ""), After(5 * SECOND)),
            (json(503, "down"), After(5 * SECOND)),
            (html(200), After(10 * MINUTE)),
            (html(403), forbidden(After(DAY))),
            (json(451, "no"), After(DAY)),
            (json(200, "[1,2,3]"), After(10 * MINUTE)),
        ] {
            check_requests(name, None, response, "", next, requests(name)).await;
        }
        // Lists of coins are never missing.
        if !matches!(name, CoinGecko | CoinMarketCap | CoinPaprika) {
            check_requests(name, None, json(404, r#"{"message":"none"}"#), "", AtOnce, requests(name)).await;
        }
    }
}

#[tokio::test]
async fn binance_firewall_pauses_for_minutes_unless_it_blocks_the_country() {
    let page = |words: &str| FakeResponse {
        body: format!("<!DOCTYPE HTML><html><h1>403 ERROR</h1>{words}</html>").into_bytes(),
        ..html(403)
    };
    let busy = "Request blocked. We can't connect to the server for this app or website at this time.";
    let country = "The Amazon CloudFront distribution is configured to block access from your country.";
    for (response, words, next) in [
        (page(busy), "temporarily blocked by the firewall (403)", After(5 * MINUTE)),
        (FakeResponse { headers: vec![("retry-after", String::from("600"))], ..page(busy) }, "(403)", After(600)),
        (page(country), "(403)", After(DAY)),
    ] {
        check_requests(Binance, None, response, words, next, requests(Binance)).await;
    }
}

#[tokio::test]
async fn used_up_coingecko_key_is_tried_again_each_day() {
    let body = r#"{"status":{"error_code":10006,"error_message":"You've reached 10,000 calls limit."}}"#;
    for status in [429, 200] {
        check_requests(CoinGecko, Some("key"), json(status, body), "", After(16 * HOUR), requests(CoinGecko)).await;
    }
}

#[tokio::test]
async fn okx_key_of_another_host_names_the_setting() {
    for (status, code, message, words) in [
        (401, 50119, "API key doesn't exist.", "set providers.okx.base_url to https://eea.okx.com"),
        (200, 50119, "API key doesn't exist.", "set providers.okx.base_url to https://eea.okx.com"),
        (401, 50111, "Invalid OK-ACCESS-KEY.", "error 50111"),
    ] {
        let body = format!(r#"{{"code":"{code}","msg":"{message}","data":[]}}"#);
        check_requests(Okx, Some("key"), json(status, body), words, Never, requests(Okx)).await;
    }
}

#[tokio::test]
async fn invalid_coinpaprika_key_pauses_all_operations() {
    for key in [None, Some("wrong")] {
        let server = Fake::start(|_| json(403, r#"{"error":"invalid API key"}"#));
        let live = Live::with(settings(&[(CoinPaprika, &server.url, key)]));
        live.get(&requests(CoinPaprika)[0]).await.unwrap_err();
        let sent = server.requests().len();
        let pairs = Request::MarketPairs { symbol: "BTC".into(), slug: None, convert: Currency::usd() };
        live.get(&pairs).await.unwrap_err();
        assert_eq!(server.requests().len() > sent, key.is_none(), "{key:?}");
    }
}

#[tokio::test]
async fn servers_without_a_list_are_named_once() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    cmc.respond_with(json(404, ""));
    gecko.respond_with(json(404, ""));
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko)]);
    let error = live.get(&requests(CoinMarketCap)[0]).await.unwrap_err();
    assert!(error.to_string().contains("CoinMarketCap and CoinGecko: coin list not found (404)"), "{error}");
}
