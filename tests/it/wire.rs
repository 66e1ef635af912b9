//! Responses of public services in their documented formats with made-up values, and the fields that are read from
//! them.

use satscope::client::decode::{Decoded, decode_as};
use satscope::client::{InscriptionRef, Limits, Request, ResponseData, TextForm};
use satscope::model::{Currency, Page, Period, PostOrder, SatNumber, Tag, Text};
use serde::Serialize;
use serde_json::{Value, json};

const OFFSET: u64 = 0;
const LIMIT: u32 = 60;

fn currency(code: &str) -> Currency {
    Currency::parse(code).unwrap()
}

fn coins(convert: &str) -> Request {
    Request::Coins { tag: Tag::All, start: 1, limit: 100, convert: currency(convert) }
}

fn pairs(symbol: &str, slug: &str) -> Request {
    Request::MarketPairs { symbol: symbol.into(), slug: Some(slug.into()), convert: currency("USD") }
}

fn chart(slug: &str, convert: &str) -> Request {
    Request::Chart { slug: slug.into(), period: Period::Day, convert: currency(convert) }
}

fn market(symbols: &[&str], convert: &str) -> Request {
    let symbols = symbols.iter().copied().map(Text::from).collect();
    Request::MarketData { symbols, convert: currency(convert), count: 10, interval: "5m".into() }
}

fn posts(symbol: &str) -> Request {
    Request::Posts { symbol: symbol.into(), slug: None, order: PostOrder::Latest }
}

fn tokens() -> Request {
    Request::Brc20Tokens { ticker: None, offset: OFFSET, limit: LIMIT }
}

fn token() -> Request {
    Request::Brc20Token { ticker: "ordi".into() }
}

fn holders() -> Request {
    Request::Brc20Holders { ticker: "ordi".into(), offset: OFFSET, limit: LIMIT }
}

fn balances() -> Request {
    Request::Brc20Balances { address: "bc1q0000".into(), offset: OFFSET, limit: LIMIT }
}

fn activity(ticker: Option<&str>) -> Request {
    Request::Brc20Activity { ticker: ticker.map(Text::from), block_height: None, offset: OFFSET, limit: LIMIT }
}

fn number() -> SatNumber {
    SatNumber::new(1_914_287_520_444_193).unwrap()
}

fn sat() -> Request {
    Request::Sat { number: number() }
}

fn sat_inscriptions() -> Request {
    Request::SatInscriptions { number: number(), offset: OFFSET, limit: LIMIT }
}

fn inscription(number: i64) -> Request {
    Request::Inscription { inscription: InscriptionRef::Number(number) }
}

fn inscriptions() -> Request {
    Request::Inscriptions { address: None, offset: OFFSET, limit: LIMIT }
}

fn statistics() -> Request {
    Request::InscriptionStats { from_block: None, to_block: None }
}

/// Every example in `tests/fixtures/wire` with the request that it answers.
fn examples() -> Vec<(&'static str, Request)> {
    vec![
        ("cmc_envelope_only", coins("USD")),
        ("cmc_listing_v3_item", coins("USD")),
        ("cmc_listings_v3", coins("USD")),
        ("cmc_category", coins("USD")),
        ("cmc_info", coins("USD")),
        ("cmc_simple_price", coins("EUR")),
        ("cmc_price_performance", coins("USD")),
        ("cmc_web_listing", coins("USD")),
        ("cmc_market_pairs", pairs("ORDI", "ordi")),
        ("cmc_quotes_historical", market(&["ORDI"], "EUR")),
        ("cmc_posts", posts("ORDI")),
        ("cmc_news", posts("ORDI")),
        ("cmc_web_chart_v3", chart("ordi", "EUR")),
        ("cmc_web_chart_v3_3", chart("ordi", "USD")),
        ("coingecko_markets", coins("USD")),
        ("coingecko_markets_small", coins("USD")),
        ("coingecko_coin", coins("EUR")),
        ("coingecko_market_chart", chart("ordinals", "USD")),
        ("coingecko_market_chart_gaps", chart("ordinals", "USD")),
        ("coingecko_ohlc", chart("ordinals", "USD")),
        ("coingecko_tickers", pairs("ORDI", "ordinals")),
        ("coinpaprika_tickers", coins("USD")),
        ("coinpaprika_coin", coins("USD")),
        ("coinpaprika_markets", pairs("ORDI", "ordi-ordi")),
        ("coinpaprika_historical", chart("ordi-ordi", "USD")),
        ("defillama_chart", market(&["ORDI", "BTC"], "USD")),
        ("binance_klines", chart("ordi", "USD")),
        ("coincap_assets", coins("EUR")),
        ("coincap_markets", pairs("ORDI", "ordi")),
        ("coincap_history", chart("ordi", "USD")),
        ("coinlore_tickers", coins("USD")),
        ("coinlore_markets", pairs("BTC", "bitcoin")),
        ("coinranking_coin", coins("USD")),
        ("coinranking_coins", coins("USD")),
        ("coinstats_coins", coins("USD")),
        ("cryptocompare_history", chart("ordi", "USD")),
        ("cryptocompare_toplist", coins("EUR")),
        ("cryptocompare_news", posts("ORDI")),
        ("cryptopanic_posts", posts("ORDI")),
        ("bluesky_posts", posts("ORDI")),
        ("mastodon_tag", posts("ORDI")),
        ("stocktwits_messages", posts("BTC")),
        ("hackernews_search", posts("ORDI")),
        ("twitter_search", posts("ORDI")),
        ("hiro_sat", sat()),
        ("hiro_inscription", inscription(-7)),
        ("hiro_inscriptions", inscriptions()),
        ("hiro_token", token()),
        ("hiro_activity", activity(None)),
        ("hiro_statistics", statistics()),
        ("xverse_token", token()),
        ("xverse_balances", balances()),
        ("unisat_list", tokens()),
        ("unisat_status", tokens()),
        ("unisat_token", token()),
        ("unisat_holders", holders()),
        ("unisat_balances", balances()),
        ("unisat_history", activity(Some("ordi"))),
        ("unisat_inscription", inscription(101_230_011)),
        ("bestinslot_token", token()),
        ("bestinslot_tokens", tokens()),
        ("bestinslot_holders", holders()),
        ("bestinslot_balances", balances()),
        ("geniidata_balances", balances()),
        ("opi_activity", activity(Some("ordi"))),
        ("opi_activity_on_block", activity(Some("ordi"))),
        ("opi_holders", holders()),
        ("opi_balance", balances()),
        ("ord_sat", sat()),
        ("ord_sat_inscriptions", sat_inscriptions()),
        ("ord_sat_latest", sat()),
        ("ord_inscription", inscription(-12)),
        ("ord_recursive_inscription", inscription(-12)),
        ("ord_inscriptions", inscriptions()),
        ("maestro_tokens", tokens()),
        ("maestro_token", token()),
        ("maestro_holders", holders()),
        ("maestro_balances", balances()),
        ("maestro_balances_as_text", balances()),
        ("geniidata_activity", activity(Some("ordi"))),
    ]
}

/// The data and the length of the list.
fn data(response: &ResponseData) -> (Value, Option<u64>) {
    fn page<T: Serialize>(page: &Page<T>) -> (Value, Option<u64>) {
        (json!(page.items), page.total)
    }
    match response {
        ResponseData::Coins(response) => page(response),
        ResponseData::Posts(response) => page(response),
        ResponseData::MarketPairs(response) => page(response),
        ResponseData::Chart(chart) => (json!(chart), None),
        ResponseData::Market(series) => (json!(series), None),
        ResponseData::Brc20Tokens(response) => page(response),
        ResponseData::Brc20Token(token) => (json!(token), None),
        ResponseData::Holders(response) => page(response),
        ResponseData::Balances(response) => page(response),
        ResponseData::Activity(response) => page(response),
        ResponseData::Sat(sat) => (json!(sat), None),
        ResponseData::Inscriptions(response) => page(response),
        ResponseData::Inscription(inscription) => (json!(inscription), None),
        ResponseData::InscriptionStats(response) => page(response),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_field_of_every_service_is_read() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/wire");
    let examples = examples();
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), examples.len(), "examples without a request");
    for (name, request) in examples {
        let body = std::fs::read(folder.join(name).with_extension("json")).unwrap();
        let decoded = decode_as(TextForm::Clean, &request, &body, Some("application/json"), &Limits::default());
        let Decoded { response, warnings, rows, has_more, .. } =
            decoded.unwrap_or_else(|error| panic!("{name}: {error}"));
        let (data, total) = data(&response);
        let warnings: Vec<_> = warnings.iter().map(|warning| &warning.sentence).collect();
        let read = json!({ "data": data, "total": total, "rows": rows, "has_more": has_more, "warnings": warnings });
        insta::assert_snapshot!(name, serde_json::to_string_pretty(&read).unwrap());
    }
}

#[test]
fn errors_of_every_service_are_reported() {
    for (request, body, sentence) in [
        (
            coins("USD"),
            r#"{"status":{"timestamp":"2026-11-19T08:01:12.431Z","error_code":1008,"error_message":"slow down","elapsed":0,"credit_count":0}}"#,
            "Service error 1008: slow down",
        ),
        (
            coins("USD"),
            r#"{"status":{"timestamp":"2026-11-21T08:00:31.010Z","error_code":"1011","error_message":"slow down","elapsed":0,"credit_count":0},"data":{}}"#,
            "Service error 1011: slow down",
        ),
        (coins("USD"), r#"{"status":{"error_code":429,"error_message":"slow down"}}"#, "Service error 429: slow down"),
        (
            chart("ordi", "USD"),
            r#"{"error":{"status":{"timestamp":"2026-11-21T08:00:31.010Z","error_code":10012,"error_message":"too far back"}}}"#,
            "Service error 10012: too far back",
        ),
        (pairs("ORDI", "ordi"), r#"{"error":"coin not found"}"#, "Service error: coin not found"),
        (
            chart("ordi", "USD"),
            r#"{"error":"Getting hourly historical data before 2026-11-20 is not allowed in this plan."}"#,
            "Service error: Getting hourly historical data before 2026-11-20 is not allowed in this plan",
        ),
        (tokens(), r#"{"code":-2003,"msg":"quota unavailable","data":null}"#, "Service error -2003: quota unavailable"),
        (token(), r#"{"error":"Not found"}"#, "Service error: Not found"),
        (sat(), r#"{"error":"Invalid satoshi ordinal number"}"#, "Service error: Invalid satoshi ordinal number"),
        (holders(), r#"{"error":"not indexed","result":null}"#, "Service error: not indexed"),
        (
            coins("USD"),
            r#"{"type":"error","id":1,"status":{"error_code":"2302","category":"PROTOCOL","error_message":"bad channel"}}"#,
            "Service error 2302: bad channel",
        ),
    ] {
        let decoded = decode_as(TextForm::Clean, &request, body.as_bytes(), None, &Limits::default());
        assert_eq!(decoded.unwrap_err().to_string(), sentence, "{body}");
    }
}
