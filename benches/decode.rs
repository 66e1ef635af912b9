//! Decoding 5,000 coins (about 7.5 MB): ours beside `serde_json` with a type that knows the shape, beside a bare scan,
//! and beside `serde_json::Value`. Only the ratios within one run mean anything.
#![expect(clippy::unwrap_used, reason = "a bench may fail loudly")]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::LazyLock;

use divan::{AllocProfiler, Bencher};
use satscope::client::decode::decode;
use satscope::client::{Limits, Request};
use satscope::model::{Currency, Tag, Text, UtcTime};
use serde::Deserialize;

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

static BODY: LazyLock<String> = LazyLock::new(body);

fn main() {
    let _ = BODY.len();
    divan::main();
}

fn body() -> String {
    let coins: Vec<String> = (1..=5_000).map(coin).collect();
    format!(
        r#"{{"status":{{"timestamp":"2026-11-19T08:01:12.431Z","error_code":0,"error_message":null,"total_count":5000}},"data":[{}]}}"#,
        coins.join(",")
    )
}

fn coin(id: u32) -> String {
    let price = f64::from(id * 7919 % 100_003) / 97.0;
    format!(
        r#"{{"id":{id},"name":"Coin number {id}","symbol":"C{id}","slug":"coin-number-{id}","num_market_pairs":{},"date_added":"2023-05-09T08:21:14.000Z","tags":["bitcoin-ecosystem","brc-20","memes","marketplace","binance-listing","okx-ventures-portfolio"],"max_supply":21000000,"circulating_supply":20{id}.5,"total_supply":21000000,"infinite_supply":false,"platform":{{"id":1,"name":"Bitcoin","symbol":"BTC","slug":"bitcoin","token_address":"b61b0172d95e266c18aea0c624db987e971a5d6d4ebc2aaed85da4642d{id}i0"}},"cmc_rank":{id},"self_reported_circulating_supply":null,"self_reported_market_cap":null,"tvl_ratio":null,"last_updated":"2026-11-19T08:00:00.000Z","description":"Coin number {id} is a token on the Bitcoin platform. It has a current supply of 21,000,000 and was last traded on 212 markets.","urls":{{"website":["https://coin{id}.example/"],"twitter":["https://x.com/coin{id}"],"message_board":[],"chat":["https://t.me/coin{id}"],"facebook":[],"explorer":["https://explorer.example/coin/{id}"],"reddit":[],"technical_doc":[],"source_code":[],"announcement":[]}},"high_24h":{},"low_24h":{},"quote":{{"USD":{{"price":{price},"volume_24h":{},"volume_change_24h":-12.4131,"percent_change_1h":0.21331,"percent_change_24h":-3.80112,"percent_change_7d":11.02441,"percent_change_30d":-7.70121,"percent_change_60d":null,"percent_change_90d":null,"market_cap":{},"market_cap_dominance":0.0051,"fully_diluted_market_cap":176666700.5512,"tvl":null,"last_updated":"2026-11-19T08:00:00.000Z"}}}}}}"#,
        id % 300,
        price * 1.07,
        price * 0.94,
        price * 1_234_567.0,
        price * 21e6,
    )
}

/// The fields that the model keeps, in the one shape of [`body`].
#[derive(Deserialize)]
#[expect(dead_code, reason = "read by nobody, as in the model")]
struct Typed {
    data: Vec<TypedCoin>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read by nobody, as in the model")]
struct TypedCoin {
    id: u64,
    name: Text,
    symbol: Text,
    slug: Option<Text>,
    cmc_rank: Option<u32>,
    tags: Vec<Text>,
    circulating_supply: Option<f64>,
    total_supply: Option<f64>,
    max_supply: Option<f64>,
    high_24h: Option<f64>,
    low_24h: Option<f64>,
    platform: Option<TypedPlatform>,
    urls: BTreeMap<Text, Vec<String>>,
    quote: BTreeMap<Text, TypedQuote>,
    #[serde(deserialize_with = "time")]
    last_updated: Option<UtcTime>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read by nobody, as in the model")]
struct TypedPlatform {
    name: Option<Text>,
    token_address: Text,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read by nobody, as in the model")]
struct TypedQuote {
    price: Option<f64>,
    volume_24h: Option<f64>,
    percent_change_1h: Option<f64>,
    percent_change_24h: Option<f64>,
    percent_change_7d: Option<f64>,
    market_cap: Option<f64>,
}

fn time<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<UtcTime>, D::Error> {
    Ok(UtcTime::parse_rfc3339(<&str>::deserialize(deserializer)?))
}

/// The needed figures only, without tags, links and contracts.
#[derive(Deserialize)]
#[expect(dead_code, reason = "read by nobody, as in the model")]
struct Slim {
    data: Vec<SlimCoin>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read by nobody, as in the model")]
struct SlimCoin {
    id: u64,
    name: Text,
    symbol: Text,
    slug: Option<Text>,
    cmc_rank: Option<u32>,
    circulating_supply: Option<f64>,
    quote: BTreeMap<Text, TypedQuote>,
}

#[divan::bench]
fn scan_only(bencher: Bencher<'_, '_>) {
    bencher.bench(|| serde_json::from_str::<serde::de::IgnoredAny>(black_box(&BODY)).unwrap());
}

#[divan::bench]
fn typed_figures_only(bencher: Bencher<'_, '_>) {
    bencher.bench(|| serde_json::from_str::<Slim>(black_box(&BODY)).unwrap());
}

#[divan::bench]
fn typed_same_fields(bencher: Bencher<'_, '_>) {
    bencher.bench(|| serde_json::from_str::<Typed>(black_box(&BODY)).unwrap());
}

#[divan::bench]
fn ours(bencher: Bencher<'_, '_>) {
    let request = Request::Coins { tag: Tag::All, start: 1, limit: 5_000, convert: Currency::usd() };
    bencher.bench(|| decode(black_box(&request), BODY.as_bytes(), None, &Limits::default()).unwrap());
}

#[divan::bench]
fn value(bencher: Bencher<'_, '_>) {
    bencher.bench(|| serde_json::from_str::<serde_json::Value>(black_box(&BODY)).unwrap());
}
