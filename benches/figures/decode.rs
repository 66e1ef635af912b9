//! Decoding 5,000 coins, compared with `serde_json` into a type with the same fields, a scan without values, and
//! `serde_json::Value`.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Duration;

use allocation_counter::measure;
use satscope::client::decode::decode;
use satscope::client::{Limits, ResponseData};
use satscope::model::{Text, UtcTime};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::bodies::{Dialect, body};
use crate::report::{Amount, Goal, heading, line};
use crate::timing::{medians, time};
use crate::world;

const COINS: u32 = 5_000;

const SAMPLES: usize = 31;

pub(crate) fn run() {
    let cmc = body(Dialect::Cmc, 1..=COINS, COINS);
    heading(&format!("Decoding 5,000 coins, {:.1} MB (CPU time, medians)", cmc.len() as f64 / 1e6));
    let [typed, ours, scan, value] = medians(
        SAMPLES,
        [&mut || typed::<Cmc>(&cmc), &mut || time(|| drop(ours(&cmc))), &mut || typed::<IgnoredAny>(&cmc), &mut || {
            typed::<serde_json::Value>(&cmc)
        }],
    );
    let baseline = Some(Amount::Time(typed));
    line("ours; baseline: typed serde_json, same fields", Amount::Time(ours), baseline, Goal::Times(1.5));
    line("scan without values; baseline: the same", Amount::Time(scan), baseline, Goal::None);
    line("serde_json::Value; baseline: the same", Amount::Time(value), baseline, Goal::None);
    compare_with::<Web>("other dialect: camel case, list of quotes", Dialect::Web);
    compare_with::<Vec<Gecko>>("other dialect: flat, 168 prices a coin", Dialect::Gecko);

    let mut response = None;
    let memory = measure(|| response = Some(self::ours(&cmc)));
    let model = memory.bytes_current.unsigned_abs();
    let body = cmc.len() as u64;
    let (peak, kept) = (Amount::Bytes(memory.bytes_max + body), Amount::Bytes(model + body));
    line("peak memory; baseline: the model and the body", peak, Some(kept), Goal::Times(1.5));
    line("model; baseline: its body", Amount::Bytes(model), Some(Amount::Bytes(body)), Goal::None);
    line("allocations; baseline: coins", Amount::Count(memory.count_total), Some(Amount::Count(5_000)), Goal::None);
    drop(response);
}

fn compare_with<T: DeserializeOwned>(what: &str, dialect: Dialect) {
    let body = body(dialect, 1..=COINS, COINS);
    let [typed, ours] = medians(SAMPLES, [&mut || typed::<T>(&body), &mut || time(|| drop(ours(&body)))]);
    let what = format!("{what}, {:.1} MB; baseline: typed", body.len() as f64 / 1e6);
    line(&what, Amount::Time(ours), Some(Amount::Time(typed)), Goal::Times(3.0));
}

fn typed<T: DeserializeOwned>(body: &str) -> Duration {
    time(|| drop(parsed::<T>(body)))
}

/// Decodes a body with `serde_json` into a type with the fields of its dialect.
pub(crate) fn typed_once(dialect: Dialect, body: &str) {
    match dialect {
        Dialect::Cmc => drop(parsed::<Cmc>(body)),
        Dialect::Web => drop(parsed::<Web>(body)),
        Dialect::Gecko => drop(parsed::<Vec<Gecko>>(body)),
    }
}

fn parsed<T: DeserializeOwned>(body: &str) -> T {
    black_box(serde_json::from_str(black_box(body)).expect("this shape"))
}

/// Decodes a body like the client.
pub(crate) fn ours(body: &str) -> ResponseData {
    let request = world::request(COINS);
    let (response, warnings) = decode(&request, black_box(body).as_bytes(), None, &Limits::default()).expect("coins");
    assert!(warnings.is_empty(), "{warnings:?}");
    response
}

/// The fields of the model in the shape of [`Dialect::Cmc`].
#[derive(Deserialize)]
#[expect(dead_code, reason = "only decoded")]
struct Cmc {
    data: Vec<CmcCoin>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "only decoded")]
struct CmcCoin {
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
    platform: Option<Platform>,
    urls: BTreeMap<Text, Vec<String>>,
    quote: BTreeMap<Text, Quote>,
    #[serde(deserialize_with = "moment")]
    last_updated: Option<UtcTime>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "only decoded")]
struct Platform {
    name: Option<Text>,
    token_address: Text,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "only decoded")]
struct Quote {
    price: Option<f64>,
    volume_24h: Option<f64>,
    percent_change_1h: Option<f64>,
    percent_change_24h: Option<f64>,
    percent_change_7d: Option<f64>,
    market_cap: Option<f64>,
}

fn moment<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<UtcTime>, D::Error> {
    Ok(UtcTime::parse_rfc3339(<&str>::deserialize(deserializer)?))
}

/// The fields of the model in the shape of [`Dialect::Web`].
#[derive(Deserialize)]
#[expect(dead_code, reason = "only decoded")]
struct Web {
    data: WebData,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only decoded")]
struct WebData {
    crypto_currency_list: Vec<WebCoin>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only decoded")]
struct WebCoin {
    id: u64,
    name: Text,
    symbol: Text,
    slug: Option<Text>,
    cmc_rank: Option<u32>,
    tags: Vec<Text>,
    circulating_supply: Option<f64>,
    total_supply: Option<f64>,
    max_supply: Option<f64>,
    ath: Option<f64>,
    atl: Option<f64>,
    high24h: Option<f64>,
    low24h: Option<f64>,
    quotes: Vec<WebQuote>,
    #[serde(deserialize_with = "moment")]
    last_updated: Option<UtcTime>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only decoded")]
struct WebQuote {
    name: Text,
    price: Option<f64>,
    volume24h: Option<f64>,
    percent_change1h: Option<f64>,
    percent_change24h: Option<f64>,
    percent_change7d: Option<f64>,
    market_cap: Option<f64>,
}

/// The fields of the model in the shape of [`Dialect::Gecko`].
#[derive(Deserialize)]
#[expect(dead_code, reason = "only decoded")]
struct Gecko {
    id: Text,
    symbol: Text,
    name: Text,
    current_price: Option<f64>,
    market_cap: Option<f64>,
    market_cap_rank: Option<u32>,
    total_volume: Option<f64>,
    high_24h: Option<f64>,
    low_24h: Option<f64>,
    price_change_percentage_24h: Option<f64>,
    price_change_percentage_1h_in_currency: Option<f64>,
    price_change_percentage_7d_in_currency: Option<f64>,
    circulating_supply: Option<f64>,
    total_supply: Option<f64>,
    max_supply: Option<f64>,
    ath: Option<f64>,
    atl: Option<f64>,
    #[serde(deserialize_with = "moment")]
    last_updated: Option<UtcTime>,
    sparkline_in_7d: Trend,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "only decoded")]
struct Trend {
    price: Vec<f64>,
}
