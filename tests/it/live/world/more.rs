//! CoinPaprika, DefiLlama, Binance, Frankfurter and the ECB.

use satscope::model::interval;
use serde_json::{Value, json as object};

use super::{Coin, NOW, coins};
use crate::live::fake::{Fake, FakeResponse, ReceivedRequest, json};

/// CoinPaprika without a key. Its ids are made of symbol and name.
pub(crate) fn coinpaprika() -> Fake {
    Fake::start(|request| {
        let parts: Vec<&str> = request.path.trim_start_matches('/').split('/').collect();
        match parts.as_slice() {
            ["tickers"] => {
                let all = coins();
                json(
                    200,
                    Value::Array(all.iter().enumerate().map(|(at, coin)| ticker(coin, at + 1)).collect()).to_string(),
                )
            }
            ["tickers", id] => match coins().iter().position(|coin| paprika_id(coin) == *id) {
                Some(at) => json(200, ticker(&coins()[at], at + 1).to_string()),
                None => json(404, r#"{"error":"id not found"}"#),
            },
            ["search"] => {
                let query = request.query("q").to_lowercase();
                let all = coins();
                let found = all.iter().filter(|coin| coin.symbol.to_lowercase().contains(&query));
                let rows: Vec<Value> = found
                    .map(|coin| {
                        object!({"id": paprika_id(coin), "name": coin.name, "symbol": coin.symbol, "rank": 7,
                        "is_new": false, "is_active": true, "type": "coin"})
                    })
                    .collect();
                json(200, object!({"currencies": rows}).to_string())
            }
            ["coins"] => {
                let inactive =
                    object!({"id": "gone-gone", "name": "Gone", "symbol": "GONE", "rank": 0, "is_active": false});
                let rows = coins().into_iter().enumerate().map(|(at, coin)| {
                    object!({"id": paprika_id(&coin), "name": coin.name, "symbol": coin.symbol, "rank": at + 1,
                    "is_new": false, "is_active": true, "type": "coin"})
                });
                json(200, rows.chain([inactive]).collect::<Value>().to_string())
            }
            ["coins", id, "markets"] => match coins().into_iter().find(|coin| paprika_id(coin) == *id) {
                Some(coin) => {
                    json(200, object!([market(&coin, "OKX", 3e6), market(&coin, "Binance", 12e6)]).to_string())
                }
                None => json(404, r#"{"error":"id not found"}"#),
            },
            _ => json(402, r#"{"error":"Getting hourly historical data is not allowed in this plan."}"#),
        }
    })
}

fn paprika_id(coin: &Coin) -> String {
    format!("{}-{}", coin.symbol.to_lowercase(), coin.name.to_lowercase().replace(' ', "-"))
}

fn ticker(coin: &Coin, rank: usize) -> Value {
    object!({
        "id": paprika_id(coin), "name": coin.name, "symbol": coin.symbol, "rank": rank, "total_supply": 21_000_000,
        "max_supply": 21_000_000, "beta_value": 0.9, "first_data_at": "2023-05-09T00:00:00Z",
        "last_updated": "2026-11-21T07:58:00Z",
        "quotes": {"USD": {"price": coin.price, "volume_24h": coin.cap / 10.0, "volume_24h_change_24h": 1.0,
            "market_cap": coin.cap * 0.97, "market_cap_change_24h": -3.0, "percent_change_15m": 0.0,
            "percent_change_1h": 0.2, "percent_change_24h": -3.8, "percent_change_7d": 11.0,
            "ath_price": coin.price * 9.0, "ath_date": "2024-03-05T05:30:00Z", "percent_from_price_ath": -90.0}}
    })
}

fn market(coin: &Coin, exchange: &str, volume: f64) -> Value {
    object!({
        "exchange_id": exchange.to_lowercase(), "exchange_name": exchange, "pair": format!("{}/USDT", coin.symbol),
        "base_currency_id": paprika_id(coin), "base_currency_name": coin.name, "quote_currency_id": "usdt-tether",
        "quote_currency_name": "Tether", "market_url": "https://example.org/t", "category": "Spot",
        "fee_type": "Percentage", "outlier": false, "adjusted_volume_24h_share": 19.9,
        "quotes": {"USD": {"price": coin.price, "volume_24h": volume}}, "trust_score": "high",
        "last_updated": "2026-11-21T07:58:00Z"
    })
}

/// DefiLlama's price API.
pub(crate) fn defillama() -> Fake {
    Fake::start(|request| {
        let Some(keys) = request.path.strip_prefix("/chart/") else { return json(404, "{}") };
        let Some(step) = interval::length(request.query("period")) else {
            return json(400, r#"{"message":"period is not an uint"}"#);
        };
        let (start, span) = (request.number("start", 0) as i64, request.number("span", 0) as i64);
        let (seconds, count) = (step.as_secs() as i64, keys.split(',').count() as i64);
        if count * span > 500 {
            let message = format!(
                "Requested {} data points ({count} coins × {span} timestamps) exceeds the maximum of 500. \
                 Reduce the number of coins or the span.",
                count * span
            );
            return json(400, object!({ "message": message }).to_string());
        }
        assert!(start + (span - 1) * seconds <= NOW, "{request:?}");
        let all = coins();
        let found = keys.split(',').filter_map(|key| {
            let coin = all.iter().find(|coin| key == format!("coingecko:{}", coin.gecko))?;
            let prices: Vec<Value> =
                (0..span).map(|n| object!({"timestamp": start + n * seconds, "price": coin.price})).collect();
            Some((key.to_owned(), object!({"symbol": coin.symbol, "confidence": 0.99, "prices": prices})))
        });
        json(200, object!({"coins": found.collect::<serde_json::Map<_, _>>()}).to_string())
    })
}

/// Binance's market-data host. It lists three coins, SATS in bundles of a thousand.
pub(crate) fn binance() -> Fake {
    Fake::start(|request| match request.path.as_str() {
        "/api/v3/klines" => klines(request),
        "/api/v3/exchangeInfo" => {
            let pair = |(base, _): (&str, f64)| {
                let status = if base == "O5" { "BREAK" } else { "TRADING" };
                ["USDT", "BTC"].map(|quote| {
                    object!({"symbol": format!("{base}{quote}"), "status": status, "baseAsset": base,
                        "quoteAsset": quote, "filters": [], "permissionSets": []})
                })
            };
            let mut symbols: Vec<Value> = listed().into_iter().flat_map(pair).collect();
            symbols.insert(1, object!({"symbol": null, "status": "TRADING"}));
            json(200, object!({"timezone": "UTC", "serverTime": NOW * 1000, "symbols": symbols}).to_string())
        }
        "/api/v3/ticker/price" => {
            let row = |(base, price): (&str, f64)| {
                [
                    object!({"symbol": format!("{base}USDT"), "price": price.to_string()}),
                    object!({"symbol": format!("{base}BTC"), "price": "0.5"}),
                ]
            };
            json(200, listed().into_iter().flat_map(row).collect::<Value>().to_string())
        }
        _ => json(404, ""),
    })
}

/// What both exchanges list, and its price: `O3` is not our coin of that symbol, `O4` is traded by the
/// thousand, and `O5` is no longer traded.
fn listed() -> [(&'static str, f64); 6] {
    [("BTC", 61_300.0), ("1000SATS", 1.1e-4), ("O2", 0.501), ("O3", 0.9), ("1000O4", 249.0), ("O5", 0.2)]
}

/// The open, high, low and close of each candle.
fn candle(price: f64) -> [String; 4] {
    [price * 0.99, price * 1.02, price * 0.97, price].map(|price| price.to_string())
}

/// The volume in USDT of a candle that starts at `start` and is `length` milliseconds long, as far as it is over.
fn candle_volume(start: i64, length: i64) -> String {
    let elapsed = (NOW * 1000 - start).clamp(0, length);
    (1000.5 * elapsed as f64 / length as f64).to_string()
}

fn klines(request: &ReceivedRequest) -> FakeResponse {
    let name = match request.query("symbol") {
        "BTCUSDT" => "Bitcoin",
        "ORDIUSDT" => "ORDI",
        "1000SATSUSDT" => "SATS",
        "O2USDT" => "Other 2",
        "1000O4USDT" => "Other 4",
        _ => return json(400, r#"{"code":-1121,"msg":"Invalid symbol."}"#),
    };
    let millis = match request.query("interval") {
        "5m" => 300_000,
        "1h" => 3_600_000,
        "4h" => 14_400_000,
        "1d" => 86_400_000,
        other => panic!("{other}"),
    };
    let coin = coins().into_iter().find(|coin| coin.name == name).unwrap();
    let price = if request.query("symbol").starts_with("1000") { coin.price * 1000.0 } else { coin.price };
    let limit = request.number("limit", 500) as i64;
    assert!(limit <= 1000);
    let end = request.query("endTime").parse().unwrap_or(NOW * 1000);
    let last = end / millis * millis;
    let rows: Vec<Value> = (0..limit)
        .map(|n| {
            let open = last - (limit - 1 - n) * millis;
            let [first, high, low, close] = candle(price);
            let volume = candle_volume(open, millis);
            object!([open, first, high, low, close, "10.5", open + millis - 1, volume, 7, "5", "500", "0"])
        })
        .collect();
    json(200, Value::Array(rows).to_string())
}

/// OKX: candles, newest first, at most 300 per page and 1,440 in all.
pub(crate) fn okx() -> Fake {
    Fake::start(|request| match request.path.as_str() {
        "/api/v5/market/candles" => okx_candles(request),
        "/api/v5/public/instruments" => {
            let pair = |(base, _): (&str, f64)| {
                let state = if base == "O5" { "suspend" } else { "live" };
                object!({"instId": format!("{base}-USDT"), "baseCcy": base, "quoteCcy": "USDT", "state": state,
                    "instType": "SPOT"})
            };
            okx_data(listed().into_iter().map(pair).collect())
        }
        "/api/v5/market/tickers" => {
            let row = |(base, price): (&str, f64)| object!({"instType": "SPOT", "instId": format!("{base}-USDT"), "last": price.to_string()});
            okx_data(listed().into_iter().map(row).collect())
        }
        _ => json(404, ""),
    })
}

fn okx_data(rows: Vec<Value>) -> FakeResponse {
    json(200, object!({"code": "0", "msg": "", "data": rows}).to_string())
}

fn okx_candles(request: &ReceivedRequest) -> FakeResponse {
    let name = match request.query("instId") {
        "BTC-USDT" => "Bitcoin",
        "ORDI-USDT" => "ORDI",
        "SATS-USDT" => "SATS",
        "O2-USDT" => "Other 2",
        "1000O4-USDT" => "Other 4",
        _ => return json(200, r#"{"code":"51001","msg":"Instrument ID does not exist","data":[]}"#),
    };
    let millis = match request.query("bar") {
        "5m" => 300_000,
        "1H" => 3_600_000,
        "4H" => 14_400_000,
        "1Dutc" => 86_400_000,
        other => panic!("{other}"),
    };
    let price = coins().into_iter().find(|coin| coin.name == name).unwrap().price;
    let price = if request.query("instId").starts_with("1000") { price * 1000.0 } else { price };
    let limit = request.number("limit", 100) as i64;
    assert!(limit <= 300, "{limit}");
    let newest = NOW * 1000 / millis * millis;
    let oldest = newest - 1_439 * millis;
    let first = match request.query("after") {
        "" => newest,
        after => after.parse::<i64>().unwrap() - millis,
    };
    let [open, high, low, close] = candle(price);
    let rows: Vec<Value> = (0..limit)
        .map(|n| first - n * millis)
        .filter(|start| *start >= oldest)
        .map(|start| {
            let volume = candle_volume(start, millis);
            object!([start.to_string(), open, high, low, close, "10.5", "10.5", volume, "1"])
        })
        .collect();
    json(200, object!({"code": "0", "msg": "", "data": rows}).to_string())
}

/// Frankfurter, version 2.
pub(crate) fn frankfurter() -> Fake {
    frankfurter_unless(|_| false)
}

/// The same, but requests for which `fails` returns `true` fail.
pub(crate) fn frankfurter_unless(fails: impl Fn(&ReceivedRequest) -> bool + Send + Sync + 'static) -> Fake {
    Fake::start(move |request| match request.path.as_str() {
        _ if fails(request) => json(500, ""),
        "/v2/rates" if request.query("base") == "EUR" => historical_rates(request),
        "/v2/rates" => {
            assert_eq!(request.query("base"), "USD");
            let row =
                |quote: &str, rate: f64| object!({"date": "2026-11-20", "base": "USD", "quote": quote, "rate": rate});
            json(200, object!([row("EUR", 0.8731), row("JPY", 157.42)]).to_string())
        }
        _ => json(404, r#"{"message":"not found"}"#),
    })
}

/// The rates per euro around the first of March 2025, a Saturday, with their digits.
fn historical_rates(request: &ReceivedRequest) -> FakeResponse {
    assert_eq!((request.query("from"), request.query("to")), ("2024-12-22", "2025-12-31"));
    let rates: &[(&str, &str)] = match request.query("quotes") {
        "USD" => &[("2025-02-27", "1.0477"), ("2025-02-28", "1.0411"), ("2025-03-03", "1.0465")],
        "GBP" => &[("2025-02-28", "0.82608"), ("2025-03-03", "0.82510")],
        _ => return json(422, r#"{"message":"invalid currency"}"#),
    };
    let quote = request.query("quotes");
    let row =
        |(day, rate): &(&str, &str)| format!(r#"{{"date":"{day}","base":"EUR","quote":"{quote}","rate":{rate}}}"#);
    json(200, format!("[{}]", rates.iter().map(row).collect::<Vec<_>>().join(",")))
}

/// The ECB's documents: the newest rates, and all of them.
pub(crate) fn ecb() -> Fake {
    Fake::start(|request| {
        let headers = vec![("content-type", String::from("text/xml"))];
        if request.path == "/stats/eurofxref/eurofxref-hist-90d.xml" {
            let body = "<Cube><Cube time=\"2026-11-18\"><Cube currency=\"USD\" rate=\"1.25\"/></Cube></Cube>";
            return FakeResponse { headers, ..json(200, body) };
        }
        if request.path == "/stats/eurofxref/eurofxref-hist.xml" {
            let body = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><gesmes:Envelope><Cube>\
                        <Cube time=\"2025-03-03\"><Cube currency=\"USD\" rate=\"1.0465\"/>\
                        <Cube currency=\"GBP\" rate=\"0.82510\"/></Cube>\
                        <Cube time=\"2025-02-28\"><Cube currency=\"USD\" rate=\"1.0411\"/>\
                        <Cube currency=\"GBP\" rate=\"0.82608\"/></Cube></Cube></gesmes:Envelope>";
            return FakeResponse { headers, ..json(200, body) };
        }
        assert_eq!(request.path, "/stats/eurofxref/eurofxref-daily.xml");
        let body = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gesmes:Envelope><gesmes:subject>Reference rates\
                    </gesmes:subject><Cube><Cube time='2026-11-20'><Cube currency='USD' rate='1.25'/>\
                    <Cube currency='JPY' rate='200'/></Cube></Cube></gesmes:Envelope>";
        FakeResponse { headers, ..json(200, body) }
    })
}
