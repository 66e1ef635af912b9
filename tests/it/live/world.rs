//! The coins of all fake providers, and how each provider writes them.

mod more;

use satscope::model::{UtcTime, Zone};
use serde_json::{Value, json as object};

use super::fake::{Fake, FakeResponse, ReceivedRequest, json};

pub(crate) use more::{binance, coinpaprika, defillama, ecb, frankfurter, frankfurter_unless, okx};

/// 2026-11-21T08:00:00Z.
pub(crate) const NOW: i64 = 1_795_248_000;

/// Makes prices new by the program's clock, which is the real one.
pub(crate) fn updated_now(mut response: FakeResponse) -> FakeResponse {
    let hour = Zone::UTC.at(UtcTime::now()).strftime("%Y-%m-%dT%H:00").to_string();
    let body = String::from_utf8_lossy(&response.body).replace("2026-11-21T08:00", &hour);
    response.body = body.replace("2026-11-21T07:58", &hour).into_bytes();
    response
}

/// A coin as all providers know it.
pub(crate) struct Coin {
    /// CoinMarketCap's id.
    pub(crate) number: u32,
    /// CoinGecko's id.
    pub(crate) gecko: String,
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) symbol: String,
    pub(crate) price: f64,
    pub(crate) cap: f64,
    pub(crate) tags: Vec<&'static str>,
}

/// 600 coins: Bitcoin, ORDI, SATS (two of that symbol), and others without a story.
pub(crate) fn coins() -> Vec<Coin> {
    let known = [
        (1, "bitcoin", "bitcoin", "Bitcoin", "BTC", 61_234.1, 1.21e12, vec!["bitcoin-ecosystem"]),
        (25028, "ordinals", "ordi", "ORDI", "ORDI", 8.41, 176.61e6, vec!["brc-20", "bitcoin-ecosystem"]),
        (28683, "sats-ordinals", "sats", "SATS", "SATS", 1.1e-7, 170.0e6, vec!["brc-20"]),
        (30001, "sats-of-others", "sats-of-others", "Satoshis", "SATS", 0.02, 1.0e6, vec![]),
    ];
    let known = known.into_iter().map(|(number, gecko, slug, name, symbol, price, cap, tags)| Coin {
        number,
        gecko: gecko.into(),
        slug: slug.into(),
        name: name.into(),
        symbol: symbol.into(),
        price,
        cap,
        tags,
    });
    let others = (1..=596_u32).map(|n| Coin {
        number: 40_000 + n,
        gecko: format!("other-{n}"),
        slug: format!("other-{n}"),
        name: format!("Other {n}"),
        symbol: format!("O{n}"),
        price: 1.0 / f64::from(n),
        cap: 900e6 / f64::from(n),
        tags: if n % 10 == 0 { vec!["brc-20"] } else { vec![] },
    });
    let mut coins: Vec<Coin> = known.chain(others).collect();
    coins.sort_by(|a, b| b.cap.total_cmp(&a.cap));
    coins
}

/// CoinGecko without a key.
pub(crate) fn coingecko() -> Fake {
    coingecko_at(NOW)
}

/// [`coingecko`] with charts that end at a time in Unix seconds.
pub(crate) fn coingecko_at(now: i64) -> Fake {
    Fake::start(move |request| {
        let parts: Vec<&str> = request.path.trim_start_matches('/').split('/').collect();
        match parts.as_slice() {
            ["coins", "markets"] => gecko_markets(request),
            ["coins", "list"] => {
                let rows = coins()
                    .into_iter()
                    .map(|coin| object!({"id": coin.gecko, "symbol": coin.symbol.to_lowercase(), "name": coin.name}));
                json(200, rows.collect::<Value>().to_string())
            }
            ["coins", id, "market_chart"] => gecko_chart(id, request.number("days", 1), now),
            ["coins", id, "tickers"] => gecko_tickers(id),
            _ => json(404, r#"{"error":"Incorrect path. Please check https://docs.example/"}"#),
        }
    })
}

fn gecko_markets(request: &ReceivedRequest) -> FakeResponse {
    let category = request.query("category");
    let wanted = |coin: &Coin| match (request.query("ids"), request.query("symbols")) {
        ("", "") => true,
        ("", symbols) => symbols.split(',').any(|symbol| symbol == coin.symbol.to_lowercase()),
        (ids, _) => ids.split(',').any(|id| id == coin.gecko),
    };
    let (page, per_page) = (request.number("page", 1), request.number("per_page", 100).min(250));
    let rows: Vec<Value> = coins()
        .iter()
        .filter(|coin| (category.is_empty() || coin.tags.contains(&category)) && wanted(coin))
        .enumerate()
        .skip((page - 1) * per_page)
        .take(per_page)
        .map(|(at, coin)| {
            object!({
                "id": coin.gecko, "symbol": coin.symbol.to_lowercase(), "name": coin.name, "image": "https://img.example/x.png",
                "current_price": coin.price, "market_cap": coin.cap, "market_cap_rank": at + 1,
                "fully_diluted_valuation": null, "total_volume": coin.cap / 10.0, "high_24h": coin.price * 1.1,
                "low_24h": coin.price * 0.9, "price_change_percentage_24h": -3.8, "circulating_supply": 21_000_000.0,
                "total_supply": 21_000_000.0, "max_supply": null, "ath": coin.price * 9.0,
                "ath_date": "2024-03-05T05:30:00.000Z", "atl": coin.price / 9.0, "atl_date": "2023-09-11T18:00:00.000Z",
                "roi": null, "last_updated": "2026-11-21T08:00:04.115Z",
                "sparkline_in_7d": {"price": [coin.price * 0.9, coin.price * 0.95, coin.price]},
                "price_change_percentage_1h_in_currency": 0.2, "price_change_percentage_7d_in_currency": 11.0,
                "price_change_percentage_30d_in_currency": null
            })
        })
        .collect();
    json(200, Value::Array(rows).to_string())
}

fn gecko_chart(id: &str, days: usize, now: i64) -> FakeResponse {
    let Some(coin) = coins().into_iter().find(|coin| coin.gecko == id) else {
        return json(404, r#"{"error":"coin not found"}"#);
    };
    let (step, count) = if days == 1 { (300, 288) } else { (3_600, 24 * days as i64) };
    let times = (0..=count).map(|n| (now - (count - n) * step) * 1000);
    let rows = |value: f64| -> Vec<Value> { times.clone().map(|time| object!([time, value])).collect() };
    let body = object!({
        "prices": rows(coin.price), "market_caps": rows(coin.cap), "total_volumes": rows(coin.cap / 10.0)
    });
    json(200, body.to_string())
}

fn gecko_tickers(id: &str) -> FakeResponse {
    let Some(coin) = coins().into_iter().find(|coin| coin.gecko == id) else {
        return json(404, r#"{"error":"coin not found"}"#);
    };
    let ticker = |exchange: &str, target: &str, volume: f64| {
        object!({
            "base": coin.symbol, "target": target,
            "market": {"name": exchange, "identifier": exchange.to_lowercase(), "has_trading_incentive": false},
            "last": coin.price, "volume": volume / coin.price, "cost_to_move_up_usd": 79310.9,
            "cost_to_move_down_usd": 81234.5, "converted_last": {"btc": 0.0000911, "eth": 0.0041, "usd": coin.price},
            "converted_volume": {"btc": 132.1, "eth": 5945.0, "usd": volume}, "trust_score": null,
            "bid_ask_spread_percentage": 0.0119, "timestamp": "2026-11-21T07:59:10+00:00",
            "last_traded_at": "2026-11-21T07:59:10+00:00", "last_fetch_at": "2026-11-21T07:59:40+00:00",
            "is_anomaly": false, "is_stale": false, "trade_url": "https://example.org/trade", "token_info_url": null,
            "coin_id": coin.gecko, "target_coin_id": "tether", "coin_mcap_usd": coin.cap
        })
    };
    let body = object!({"name": coin.name, "tickers": [ticker("Binance", "USDT", 12e6), ticker("OKX", "USDT", 3e6)]});
    json(200, body.to_string())
}

/// CoinMarketCap without a key. It serves the list of a tag only by its category.
pub(crate) fn coinmarketcap() -> Fake {
    Fake::start(|request| match request.path.as_str() {
        "/v3/cryptocurrency/listings/latest" => match request.query("tag") {
            "" | "all" => cmc_list(request),
            _ => cmc_error(400, 400, "\"tag\" must be one of [all]"),
        },
        "/v2/cryptocurrency/info" => cmc_info(request),
        "/v3/cryptocurrency/quotes/latest" => cmc_quotes(request),
        "/v1/cryptocurrency/map" => cmc_map(request),
        "/v1/cryptocurrency/categories" => cmc_ok(&object!([
            {"id": "605e2ce9d41eae1066535f7c", "name": "Bitcoin Ecosystem", "num_tokens": 2},
            {"id": "6051a81a66fc1b42617d6db7", "name": "BRC-20", "num_tokens": 38}
        ])),
        "/v1/cryptocurrency/category" => cmc_category(request),
        _ => cmc_error(403, 1005, "API key required"),
    })
}

fn cmc_ok(data: &Value) -> FakeResponse {
    let body = object!({
        "data": data,
        "status": {"timestamp": "2026-11-21T08:00:31.010Z", "error_code": 0, "error_message": null, "elapsed": 14,
            "credit_count": 1, "notice": null}
    });
    json(200, body.to_string())
}

/// An error in CoinMarketCap's envelope.
pub(crate) fn cmc_error(status: u16, code: u32, message: &str) -> FakeResponse {
    let body = object!({
        "status": {"timestamp": "2026-11-21T08:00:31.010Z", "error_code": code, "error_message": message, "elapsed": 0,
            "credit_count": 0}
    });
    json(status, body.to_string())
}

fn cmc_quote(coin: &Coin) -> Value {
    object!({
        "id": 2781, "symbol": "USD", "price": coin.price, "volume_24h": coin.cap / 10.0, "percent_change_1h": 0.21,
        "percent_change_24h": -3.8, "percent_change_7d": 11.02, "market_cap": coin.cap * 1.01,
        "fully_diluted_market_cap": coin.cap, "tvl": null, "last_updated": "2026-11-21T08:00:00.000Z"
    })
}

fn cmc_list(request: &ReceivedRequest) -> FakeResponse {
    let (start, limit) = (request.number("start", 1), request.number("limit", 100));
    if start == 0 {
        return cmc_error(400, 400, "\"start\" must be larger than or equal to 1");
    }
    let all = coins();
    let total = all.len();
    let rows = all.iter().enumerate().skip(start - 1).take(limit).map(|(at, coin)| {
        object!({
            "id": coin.number, "name": coin.name, "symbol": coin.symbol, "slug": coin.slug, "cmc_rank": at + 1,
            "num_market_pairs": 208, "circulating_supply": 21_000_000, "total_supply": 21_000_000, "max_supply": 21_000_000,
            "infinite_supply": false, "date_added": "2023-05-09T08:21:14.000Z", "tags": coin.tags, "platform": null,
            "tvl_ratio": null, "last_updated": "2026-11-21T08:00:00.000Z", "quote": [cmc_quote(coin)]
        })
    });
    let body = object!({
        "data": rows.collect::<Vec<_>>(),
        "status": {"timestamp": "2026-11-21T08:00:31.010Z", "error_code": 0, "error_message": null, "elapsed": 14,
            "credit_count": 2, "notice": null, "total_count": total}
    });
    json(200, body.to_string())
}

fn cmc_quotes(request: &ReceivedRequest) -> FakeResponse {
    let all = coins();
    let ids: Vec<&str> = request.query("id").split(',').collect();
    let wanted = |coin: &&Coin| {
        coin.slug == request.query("slug")
            || coin.symbol == request.query("symbol")
            || ids.contains(&coin.number.to_string().as_str())
    };
    let rows: Vec<Value> = all
        .iter()
        .filter(wanted)
        .map(|coin| {
            object!({"id": coin.number, "name": coin.name, "symbol": coin.symbol, "slug": coin.slug,
                "quote": [cmc_quote(coin)]})
        })
        .collect();
    if rows.is_empty() { cmc_error(400, 400, "Invalid value for \"slug\"") } else { cmc_ok(&Value::Array(rows)) }
}

fn cmc_map(request: &ReceivedRequest) -> FakeResponse {
    let (start, limit) = (request.number("start", 1), request.number("limit", 100));
    let all = coins();
    let rows = all.iter().enumerate().skip(start - 1).take(limit).map(|(at, coin)| {
        object!({"id": coin.number, "rank": at + 1, "name": coin.name, "symbol": coin.symbol, "slug": coin.slug,
            "is_active": 1, "status": 1, "first_historical_data": "2023-05-09T08:21:14.000Z", "platform": null})
    });
    cmc_ok(&rows.collect())
}

fn cmc_category(request: &ReceivedRequest) -> FakeResponse {
    let (tag, name) = match request.query("id") {
        "6051a81a66fc1b42617d6db7" => ("brc-20", "BRC-20"),
        "605e2ce9d41eae1066535f7c" => ("bitcoin-ecosystem", "Bitcoin Ecosystem"),
        _ => return cmc_error(400, 400, "Invalid value for \"id\""),
    };
    let (start, limit) = (request.number("start", 1), request.number("limit", 100));
    let all = coins();
    let rows = all.iter().filter(|coin| coin.tags.contains(&tag)).skip(start - 1).take(limit).map(|coin| {
        object!({
            "id": coin.number, "name": coin.name, "symbol": coin.symbol, "slug": coin.slug, "cmc_rank": 7,
            "tags": coin.tags, "quote": {"USD": cmc_quote(coin)}
        })
    });
    let body = object!({
        "data": {"1": {"id": request.query("id"), "name": name, "title": name, "num_tokens": 38, "avg_price_change": -1.9,
            "market_cap": 412e6, "volume": 88.1e6, "last_updated": "2026-11-21T07:59:00.000Z",
            "coins": rows.collect::<Vec<_>>()}},
        "status": {"timestamp": "2026-11-21T08:00:31.010Z", "error_code": "0", "error_message": "", "elapsed": 33,
            "credit_count": 2}
    });
    json(200, body.to_string())
}

fn cmc_info(request: &ReceivedRequest) -> FakeResponse {
    let ids: Vec<u32> = request.query("id").split(',').map(|id| id.parse().unwrap()).collect();
    let all = coins();
    let known = all.iter().filter(|coin| ids.contains(&coin.number));
    let data: serde_json::Map<String, Value> = known
        .map(|coin| {
            let about = object!({
                "id": coin.number, "name": coin.name, "symbol": coin.symbol, "slug": coin.slug, "category": "token",
                "logo": "https://img.example/64.png", "description": "A coin.", "tags": coin.tags,
                "urls": {"website": [format!("https://{}.example/", coin.slug)], "twitter": ["https://x.example/a"],
                    "chat": [], "explorer": ["https://explorer.example/"], "technical_doc": [], "source_code": []},
                "platform": null, "date_added": "2023-05-09T08:21:14.000Z",
                "contract_address": [{"contract_address": format!("{}i0", coin.slug),
                    "platform": {"name": "Bitcoin", "coin": {"id": "1", "name": "Bitcoin", "symbol": "BTC", "slug": "bitcoin"}}}]
            });
            (coin.number.to_string(), about)
        })
        .collect();
    cmc_ok(&Value::Object(data))
}
