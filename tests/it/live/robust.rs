//! Responses with unreadable rows or values: the others are used.

use satscope::model::ProviderName::{
    self, Binance, CoinGecko, CoinMarketCap, CoinPaprika, DefiLlama, Frankfurter, Maestro, Mempool, Okx,
};

use serde_json::{Value, json as object};

use super::fake::{Fake, FakeResponse, json};
use super::indexer::settings;
use super::indexer_fakes::{self as fakes, HOLDER};
use super::{Live, world};

/// Rows that no list should contain.
const UNREADABLE_ROWS: &str = r#"null,{},[],"x",1e400,{"id":null},{"id":1e400,"price":"1e400"},{"rank":-1,"rate":-1},
    {"symbol":1e400,"last":1e400},[1e400,1e400,1e400,1e400,1e400,1e400,1e400,1e400],[9e18,"1"],
    ["9223372036854775807","1","1","1","1","1",9223372036854775807,"1"]"#;

/// Puts unreadable rows before those of the list after `open` in the responses at a path.
fn add_unreadable_rows(fake: &Fake, path: &'static str, open: &'static str) {
    fake.edit(move |request, response| {
        if !request.path.starts_with(path) {
            return response;
        }
        let before = String::from_utf8(response.body).unwrap();
        let body = before.replacen(open, &format!("{open}{UNREADABLE_ROWS},"), 1);
        assert_ne!(body, before);
        FakeResponse { body: body.into_bytes(), ..response }
    });
}

#[tokio::test]
async fn unreadable_rows_of_a_list_do_not_hide_the_others() {
    type Start = fn() -> Fake;
    /// Its servers, the request, the edited server, and the path and the start of its list.
    type Case<'a> = (&'a [(ProviderName, Start)], &'a str, usize, &'static str, &'static str);
    let names = "/x/names";
    let series = "/market/data?symbol=ORDI&interval=1h&count=24";
    // No listing of it is built in.
    let listed = "/market/data?symbol=O2&interval=1h&count=24";
    let euros = "/coins?tag=brc-20&limit=3&convert=EUR";
    let (pairs, chart) = ("/exchanges?symbol=ORDI", "/chart?slug=ordi&period=7D");
    let cases: [Case<'_>; 18] = [
        (&[(CoinMarketCap, world::coinmarketcap)], names, 0, "/v1/cryptocurrency/map", "\"data\":["),
        (&[(CoinGecko, world::coingecko)], names, 0, "/coins/list", "["),
        (&[(CoinPaprika, world::coinpaprika)], names, 0, "/coins", "["),
        (&[(CoinMarketCap, world::coinmarketcap)], "/coins?limit=3", 0, "/v3/cryptocurrency/listings", "\"data\":["),
        (
            &[(CoinMarketCap, world::coinmarketcap)],
            "/coins?tag=brc-20",
            0,
            "/v1/cryptocurrency/categories",
            "\"data\":[",
        ),
        (&[(CoinGecko, world::coingecko)], "/coins?tag=brc-20", 0, "/coins/markets", "["),
        (&[(CoinPaprika, world::coinpaprika)], "/coins?limit=3", 0, "/tickers", "["),
        (&[(CoinGecko, world::coingecko), (Frankfurter, world::frankfurter)], euros, 1, "/v2/rates", "["),
        (&[(CoinGecko, world::coingecko), (DefiLlama, world::defillama)], series, 1, "/chart/", "\"prices\":["),
        (&[(CoinMarketCap, world::coinmarketcap), (Binance, world::binance)], listed, 1, "/api/v3/exchangeInfo", "["),
        (&[(CoinMarketCap, world::coinmarketcap), (Okx, world::okx)], listed, 1, "/api/v5/public/", "\"data\":["),
        (&[(CoinMarketCap, world::coinmarketcap), (Binance, world::binance)], listed, 1, "/api/v3/ticker/price", "["),
        (
            &[(CoinMarketCap, world::coinmarketcap), (Okx, world::okx)],
            listed,
            1,
            "/api/v5/market/tickers",
            "\"data\":[",
        ),
        (&[(Binance, world::binance)], series, 0, "/api/v3/klines", "["),
        (&[(Okx, world::okx)], series, 0, "/api/v5/market/candles", "\"data\":["),
        (&[(Okx, world::okx)], chart, 0, "/api/v5/market/candles", "\"data\":["),
        (&[(CoinGecko, world::coingecko)], chart, 0, "/coins/ordinals/market_chart", "\"prices\":["),
        (&[(CoinGecko, world::coingecko)], pairs, 0, "/coins/ordinals/tickers", "\"tickers\":["),
    ];
    for (providers, service_path, edited, path, open) in cases {
        let mut responses = Vec::new();
        for has_unreadable in [false, true] {
            let fakes: Vec<Fake> = providers.iter().map(|(_, start)| start()).collect();
            if has_unreadable {
                add_unreadable_rows(&fakes[edited], path, open);
            }
            let names = providers.iter().map(|(name, _)| *name);
            let live = Live::over(&names.zip(&fakes).collect::<Vec<_>>());
            let (status, provider, body) = live.raw(service_path).await;
            assert_eq!(status, 200, "{providers:?} {service_path}: {body}");
            responses.push((provider, body["data"].clone()));
            let (_, _, sources) = live.raw("/x/sources").await;
            assert!(!has_unreadable || sources.to_string().contains("Skipped"), "{path}: {sources}");
            assert!(fakes[edited].paths().iter().any(|requested| requested.starts_with(path)), "{path} is requested");
        }
        assert!(responses[0] == responses[1], "{service_path} {path}: {} and {}", responses[0].1, responses[1].1);
    }
}

#[tokio::test]
async fn error_with_a_code_as_text_is_recognised() {
    // The message has the wrong type.
    let coded =
        |code: &str| format!(r#"{{"status":{{"error_code":{code},"error_message":{{"en":"slow down"}}}},"data":[]}}"#);
    for code in ["429", "\"429\""] {
        for (name, fake) in [(CoinMarketCap, world::coinmarketcap()), (CoinGecko, world::coingecko())] {
            fake.respond_with(json(200, coded(code)));
            let live = Live::over(&[(name, &fake)]);
            let path = if name == CoinGecko { "/coins?tag=brc-20" } else { "/coins?limit=1" };
            let (status, _, body) = live.raw(path).await;
            assert_eq!(status, 503, "{body}");
            let (_, _, sources) = live.raw("/x/sources").await;
            assert!(sources.to_string().contains("429"), "{name} {code}: {sources}");
        }
    }
}

#[tokio::test]
async fn invalid_block_height_is_rejected() {
    for body in ["", "-1", "1e400", "923105.5", "99999999999999999999", "50000001", "null", "{}", "<html>"] {
        let mempool = Fake::start(move |_| json(200, body));
        let live = Live::over(&[(Mempool, &mempool)]);
        let (status, _, response) = live.raw("/x/chain").await;
        assert_eq!(status, 503, "{body}: {response}");
    }
}

#[tokio::test]
async fn unreadable_prices_of_candles_are_gaps() {
    type Case = (ProviderName, fn() -> Fake, &'static str, usize);
    let cases: [Case; 2] =
        [(Binance, world::binance, "/api/v3/klines", 1), (Okx, world::okx, "/api/v5/market/candles", 1)];
    for (name, start, path, row_number) in cases {
        for close in [object!("1e400"), object!("NaN"), object!("-8"), object!(null), object!({"x": 1}), object!("")] {
            let (fake, shown) = (start(), close.clone());
            fake.edit(move |request, response| {
                let mut body: Value = serde_json::from_slice(&response.body).unwrap();
                let is_rows = request.path == path;
                let rows = if body.is_array() { &mut body } else { &mut body["data"] };
                if let Some(row) = rows.as_array_mut().filter(|_| is_rows).and_then(|rows| rows.get_mut(row_number)) {
                    row[4] = close.clone();
                }
                FakeResponse { body: body.to_string().into_bytes(), ..response }
            });
            let live = Live::over(&[(name, &fake)]);
            let (status, _, body) = live.raw("/market/data?symbol=ORDI&interval=1h&count=168").await;
            assert_eq!(status, 200, "{name} {shown}: {body}");
            let (_, _, sources) = live.raw("/x/sources").await;
            assert!(sources.to_string().contains("Skipped 1 unreadable candle"), "{name} {shown}: {sources}");
        }
    }
}

#[tokio::test]
async fn too_large_balance_does_not_hide_the_others() {
    let maestro = fakes::maestro();
    let live = || Live::with(settings(&[(Maestro, maestro.url.as_str(), Some("maestro-key"))]));
    let path = format!("/ordinals/brc-20/balances/{HOLDER}");
    let (status, _, correct) = live().raw(&path).await;
    assert_eq!(status, 200, "{correct}");
    maestro.edit(|request, response| {
        let body = String::from_utf8(response.body).unwrap();
        let edited = r#""data":{"aaaa":1e400,"#;
        let body = if request.path.contains("/addresses/") { body.replacen("\"data\":{", edited, 1) } else { body };
        FakeResponse { body: body.into_bytes(), ..response }
    });
    let (status, _, edited) = live().raw(&path).await;
    assert_eq!(status, 200, "{edited}");
    let rows = |body: &Value| body["results"].as_array().unwrap().clone();
    let (edited, correct) = (rows(&edited), rows(&correct));
    assert_eq!((edited[0]["ticker"].as_str(), edited[0]["overall_balance"].as_str()), (Some("aaaa"), None));
    assert_eq!(edited[1..], correct);
}

#[tokio::test]
async fn fee_rate_out_of_range_does_not_hide_the_others() {
    let mempool = Fake::start(|request| match request.path.as_str() {
        "/blocks/tip/height" => json(200, "923105"),
        "/v1/fees/recommended" => json(200, r#"{"fastestFee":1e400,"halfHourFee":"2","hourFee":1.5}"#),
        _ => json(404, ""),
    });
    let (status, _, response) = Live::over(&[(Mempool, &mempool)]).raw("/x/chain").await;
    assert_eq!(status, 200, "{response}");
    let fees = response["fees"].as_object().unwrap();
    let known: Vec<_> = fees.values().filter_map(Value::as_f64).collect();
    assert_eq!(known, [2.0, 1.5], "{response}");
}
