//! Charts and series over Binance, CoinGecko and DefiLlama.

use std::time::Duration;

use satscope::client::{Reply, Request, ResponseData};
use satscope::model::ProviderName::{self, Binance, CoinGecko, CoinMarketCap, DefiLlama, Frankfurter, Okx};
use satscope::model::{Candle, Chart, Currency, MarketSeries, Period, Tag, Text, UtcTime, Zone};
use satscope::service::gateway::{LiveSettings, ProviderSettings};
use serde_json::{Value, json as object};

use super::fake::Fake;
use super::{Live, fake, world};

async fn chart(live: &Live, slug: &str, period: Period) -> (Chart, Reply) {
    let reply = live.get(&Request::Chart { slug: slug.into(), period, convert: Currency::usd() }).await.unwrap();
    match reply.answer.clone() {
        Some(ResponseData::Chart(chart)) => (chart, reply),
        other => panic!("{other:?}"),
    }
}

async fn series(live: &Live, symbols: &[&str], count: u32, interval: &str) -> (Vec<MarketSeries>, Reply) {
    let symbols = symbols.iter().copied().map(Text::from).collect();
    let request = Request::MarketData { symbols, convert: Currency::usd(), count, interval: interval.into() };
    let reply = live.get(&request).await.unwrap();
    match reply.answer.clone() {
        Some(ResponseData::Market(series)) => (series, reply),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn chart_of_listed_coin_comes_from_binance_with_24h_volume() {
    let (binance, gecko) = (world::binance(), world::coingecko());
    let live = Live::over(&[(Binance, &binance), (CoinGecko, &gecko)]);
    for (period, points, interval, limit) in [
        (Period::Day, 288, "5m", "576"),
        (Period::Week, 168, "1h", "192"),
        (Period::Month, 720, "1h", "744"),
        (Period::Quarter, 540, "4h", "546"),
    ] {
        let (chart, reply) = chart(&live, "ordi", period).await;
        assert_eq!((chart.points.len(), reply.provider.as_deref()), (points, Some("binance")), "{period:?}");
        assert!(reply.warnings.is_empty(), "{:?}", reply.warnings);
        let request = binance.requests().pop().unwrap();
        assert_eq!((request.query("interval"), request.query("limit")), (interval, limit));
        let last = chart.points.last().unwrap();
        assert_eq!((last.time.secs(), last.price), (world::NOW, Some(8.41)), "the open candle ends now");
        let candles = match interval {
            "5m" => 288.0,
            "1h" => 24.0,
            _ => 6.0,
        };
        assert!((last.volume.unwrap() - candles * 1000.5).abs() < 1e-6, "{:?}", last.volume);
    }
    assert!(gecko.requests().is_empty());
}

#[tokio::test]
async fn candles_of_an_exchange_arrive_with_its_chart() {
    for (name, exchange) in [(Binance, world::binance()), (Okx, world::okx())] {
        let live = Live::over(&[(name, &exchange)]);
        for (period, count, interval, secs) in [
            (Period::Day, 288, "5m", 300),
            (Period::Week, 168, "1h", 3_600),
            (Period::Month, 720, "1h", 3_600),
            (Period::Quarter, 540, "4h", 14_400),
        ] {
            let (chart, reply) = chart(&live, "ordi", period).await;
            let candles = chart.candles.as_ref().unwrap_or_else(|| panic!("{name} {period:?}: {reply:?}"));
            assert_eq!((candles.exchange().as_str(), candles.interval().as_str()), (name.as_str(), interval));
            assert_eq!(candles.candles().len(), count, "{name} {period:?}");
            let Candle { open, high, low, close, volume, .. } = candles.candles()[7];
            assert_eq!([open, high, low, close], [8.41 * 0.99, 8.41 * 1.02, 8.41 * 0.97, 8.41], "{name} {period:?}");
            assert_eq!(volume, Some(1000.5), "that of the candle, not over 24 hours");
            // The line and the candles agree: each point is the close of a candle, at its end.
            let ends = candles.candles().iter().map(|it| ((it.start.secs() + secs).min(world::NOW), Some(it.close)));
            let points: Vec<_> = chart.points.iter().map(|point| (point.time.secs(), point.price)).collect();
            assert_eq!(ends.collect::<Vec<_>>(), points, "{name} {period:?}");
        }
    }
}

#[tokio::test]
async fn candles_are_of_single_coins_in_the_requested_currency() {
    let (binance, frankfurter) = (world::binance(), world::frankfurter());
    let live = Live::over(&[(Binance, &binance), (Frankfurter, &frankfurter)]);
    let convert = Currency::parse("EUR").unwrap();
    let request = Request::Chart { slug: "sats-ordinals".into(), period: Period::Week, convert: convert.clone() };
    let reply = live.get(&request).await.unwrap();
    let Some(ResponseData::Chart(chart)) = reply.answer else { panic!("{reply:?}") };
    let candle = chart.candles.unwrap().candles()[0];
    assert_eq!((chart.convert, Some(candle.close)), (convert, chart.points[0].price));
    let high = 1.1e-7 * 1.02 * 0.8731;
    assert!((candle.high / high - 1.0).abs() < 1e-9, "{} {high}", candle.high);
    assert!((candle.volume.unwrap() - 1000.5 * 0.8731).abs() < 1e-6, "the volume is money");
}

#[tokio::test]
async fn one_invalid_candle_discards_all_candles() {
    for (name, start) in [(Binance, world::binance as fn() -> Fake), (Okx, world::okx)] {
        for (cell, value) in [
            (0, object!("x")),
            (1, object!("0")),
            (2, object!("8.3")),
            (2, object!("NaN")),
            (3, object!("8.5")),
            (3, object!(null)),
            (4, object!("9.1")),
        ] {
            let (exchange, shown) = (start(), format!("{name} {cell} {value}"));
            exchange.edit(move |_, mut response| {
                let mut body: Value = serde_json::from_slice(&response.body).unwrap();
                let rows = if body.is_array() { &mut body } else { &mut body["data"] };
                if let Some(row) = rows.get_mut(100).filter(|row| row.is_array()) {
                    row[cell] = value.clone();
                }
                response.body = body.to_string().into_bytes();
                response
            });
            let (chart, _) = chart(&Live::over(&[(name, &exchange)]), "ordi", Period::Week).await;
            assert!(chart.points.len() >= 167, "{shown}: {}", chart.points.len());
            assert_eq!(chart.candles, None, "{shown}");
        }
    }
}

#[tokio::test]
async fn charts_of_other_providers_have_no_candles() {
    let gecko = world::coingecko();
    let live = Live::over(&[(CoinGecko, &gecko)]);
    let (chart, _) = chart(&live, "ordi", Period::Week).await;
    assert_eq!(chart.candles, None);
    let (_, _, body) = live.raw("/chart?slug=ordi&period=7D").await;
    assert!(body["data"].get("candles").is_none(), "the interface's answer, without an extra field");
}

#[tokio::test]
async fn another_service_passes_candles_on() {
    let binance = world::binance();
    let first = Live::over(&[(Binance, &binance)]);
    let (whole, _) = chart(&first, "ordi", Period::Week).await;
    let (passed, reply) = chart(&through(&first), "ordi", Period::Week).await;
    assert_eq!(reply.provider.as_deref(), Some("binance"));
    assert_eq!((passed.points, passed.candles), (whole.points, whole.candles));
}

#[tokio::test]
async fn candles_of_an_exchange_arrive_with_the_prices_of_a_year() {
    for (name, exchange, limits) in [(Binance, world::binance(), vec!["366"]), (Okx, world::okx(), vec!["300", "66"])] {
        let llama = world::defillama();
        let live = Live::over(&[(name, &exchange), (DefiLlama, &llama)]);
        for _ in 0..2 {
            let (answer, reply) = series(&live, &["ORDI"], 365, "1d").await;
            assert_eq!(reply.provider.as_deref(), Some(name.as_str()));
            let year = &answer[0];
            let candles = year.candles.as_ref().unwrap_or_else(|| panic!("{name}: {reply:?}"));
            assert_eq!((candles.exchange().as_str(), candles.interval().as_str()), (name.as_str(), "1d"));
            let Candle { open, high, low, close, volume, .. } = candles.candles()[7];
            assert_eq!([open, high, low, close], [8.41 * 0.99, 8.41 * 1.02, 8.41 * 0.97, 8.41], "{name}");
            assert_eq!(volume, Some(1000.5));
            let ends = candles.candles().iter().map(|it| (it.start.secs() + 86_400).min(world::NOW));
            assert_eq!(ends.collect::<Vec<_>>(), year.points.iter().map(|it| it.time.secs()).collect::<Vec<_>>());
            assert_eq!((year.points.len(), year.interval.as_deref()), (365, Some("1d")));
        }
        let requests = exchange.requests();
        let of_prices: Vec<_> = requests.iter().filter(|it| !it.query("limit").is_empty()).collect();
        assert_eq!(of_prices.iter().map(|it| it.query("limit")).collect::<Vec<_>>(), limits, "{name}: once a day");
        assert!(llama.requests().is_empty(), "{name}");
        // Comparisons and watchlists still need one request for all.
        let (answer, reply) = series(&live, &["BTC", "ORDI"], 365, "1d").await;
        assert_eq!((answer.len(), reply.provider.as_deref()), (2, Some("defillama")));
        assert!(answer.iter().all(|one| one.candles.is_none()));
    }
}

#[tokio::test]
async fn longer_line_is_preferred_to_candles_of_a_few_days() {
    let (binance, llama) = (world::binance(), world::defillama());
    binance.edit(|_, mut response| {
        let mut body: Value = serde_json::from_slice(&response.body).unwrap();
        if let Some(rows) = body.as_array_mut() {
            rows.drain(..rows.len().saturating_sub(30));
        }
        response.body = body.to_string().into_bytes();
        response
    });
    let live = Live::over(&[(Binance, &binance), (DefiLlama, &llama)]);
    let (answer, reply) = series(&live, &["ORDI"], 365, "1d").await;
    assert_eq!((answer[0].points.len(), reply.provider.as_deref()), (365, Some("defillama")));
    assert_eq!(answer[0].candles, None);
}

#[tokio::test]
async fn a_year_comes_from_the_other_providers_while_the_exchange_fails() {
    let (binance, llama) = (world::binance(), world::defillama());
    binance.respond_with(fake::html(451));
    let live = Live::over(&[(Binance, &binance), (DefiLlama, &llama)]);
    let (answer, reply) = series(&live, &["ORDI"], 365, "1d").await;
    assert_eq!((answer[0].points.len(), reply.provider.as_deref()), (365, Some("defillama")));
    assert!(reply.warnings.is_empty(), "{:?}", reply.warnings);
}

#[tokio::test]
async fn another_service_passes_candles_of_a_year_on() {
    let binance = world::binance();
    let first = Live::over(&[(Binance, &binance)]);
    let (whole, _) = series(&first, &["ORDI"], 365, "1d").await;
    let (passed, reply) = series(&through(&first), &["ORDI"], 365, "1d").await;
    assert_eq!(reply.provider.as_deref(), Some("binance"));
    assert_eq!((&passed[0].points, &passed[0].candles), (&whole[0].points, &whole[0].candles));
    assert!(passed[0].candles.is_some());
}

/// A service whose only provider is another service.
fn through(first: &Live) -> Live {
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    for name in ProviderName::ALL {
        let url = Some(first.running.url()).filter(|_| name == ProviderName::Service);
        let (enabled, min_gap) = (Some(url.is_some()), Some(Duration::ZERO));
        settings.providers.insert(name, ProviderSettings { enabled, min_gap, base_url: url, ..Default::default() });
    }
    // The lists say which coins there are.
    settings.order.values_mut().for_each(|order| *order = vec![ProviderName::Service]);
    Live::with(settings)
}

#[tokio::test]
async fn chart_comes_from_okx_while_binance_fails() {
    let (binance, okx) = (world::binance(), world::okx());
    binance.respond_with(fake::html(451));
    let live = Live::over(&[(Binance, &binance), (Okx, &okx)]);
    for (period, points, bar, pages) in [
        (Period::Day, 288, "5m", vec!["300", "276"]),
        (Period::Week, 168, "1H", vec!["192"]),
        (Period::Month, 720, "1H", vec!["300", "300", "144"]),
        (Period::Quarter, 540, "4H", vec!["300", "246"]),
    ] {
        let before = okx.requests().len();
        let (chart, reply) = chart(&live, "ordi", period).await;
        assert_eq!((chart.points.len(), reply.provider.as_deref()), (points, Some("okx")), "{period:?}");
        assert!(chart.points.is_sorted_by(|a, b| a.time < b.time), "{period:?}: pages joined without duplicates");
        let last = chart.points.last().unwrap();
        assert_eq!((last.time.secs(), last.price), (world::NOW, Some(8.41)), "the open candle ends now");
        let requests = okx.requests().split_off(before);
        assert!(requests.iter().all(|request| request.query("bar") == bar));
        assert_eq!(requests.iter().map(|request| request.query("limit")).collect::<Vec<_>>(), pages);
    }
    assert_eq!(binance.requests().len(), 1, "blocked until tomorrow");
}

/// Moves the candles of an exchange into the past, as if it had stopped trading the coin.
fn stop_trading(exchange: &Fake, days: i64) {
    exchange.edit(move |_, mut response| {
        let mut body: Value = serde_json::from_slice(&response.body).unwrap();
        let rows = if body.is_array() { &mut body } else { &mut body["data"] };
        for row in rows.as_array_mut().unwrap() {
            let millis = days * 86_400_000;
            match row[0].as_str() {
                Some(text) => row[0] = Value::from((text.parse::<i64>().unwrap() - millis).to_string()),
                // Binance sends the ends of candles too.
                None => [0, 6].iter().for_each(|&at| row[at] = Value::from(row[at].as_i64().unwrap() - millis)),
            }
        }
        response.body = body.to_string().into_bytes();
        response
    });
}

#[tokio::test]
async fn old_prices_are_used_only_if_no_provider_has_newer_ones() {
    let date = |days: i64| Zone::UTC.at(UtcTime::from_secs(world::NOW - days * 86_400)).date().to_string();
    let cases = [
        (2, 0, 200, "binance", None),
        (4, 0, 200, "okx", None),
        (4, 9, 200, "coingecko", None),
        (4, 9, 500, "binance", Some(4)),
        (30, 9, 500, "okx", Some(9)),
    ];
    for (binance_days, okx_days, gecko_status, expected, old) in cases {
        let (binance, okx, gecko) = (world::binance(), world::okx(), world::coingecko());
        stop_trading(&binance, binance_days);
        stop_trading(&okx, okx_days);
        if gecko_status != 200 {
            gecko.respond_with(fake::json(gecko_status, "{}"));
        }
        let live = Live::over(&[(Binance, &binance), (Okx, &okx), (CoinGecko, &gecko)]);
        for period in [Period::Day, Period::Quarter] {
            let (chart, reply) = chart(&live, "ordi", period).await;
            let case = format!("{binance_days} {okx_days} {gecko_status} {period:?}");
            assert_eq!(reply.provider.as_deref(), Some(expected), "{case}");
            let notice = old.map(|days| format!("No prices since {}", date(days)));
            assert_eq!(
                reply.warnings.iter().map(String::as_str).collect::<Vec<_>>(),
                notice.iter().collect::<Vec<_>>()
            );
            let age = world::NOW - chart.points.last().unwrap().time.secs();
            let days = old.unwrap_or(if expected == "binance" { binance_days } else { 0 });
            assert!((age - days * 86_400).abs() <= 4 * 3_600, "{case}: {age} s");
        }
    }
}

#[tokio::test]
async fn candles_are_sorted_by_time() {
    for (name, exchange) in [(Binance, world::binance()), (Okx, world::okx())] {
        exchange.edit(|_, mut response| {
            let mut body: Value = serde_json::from_slice(&response.body).unwrap();
            let rows = if body.is_array() { &mut body } else { &mut body["data"] };
            if let Some(rows) = rows.as_array_mut() {
                rows.reverse();
            }
            response.body = body.to_string().into_bytes();
            response
        });
        let live = Live::over(&[(name, &exchange)]);
        let (chart, _) = chart(&live, "ordi", Period::Week).await;
        assert_eq!(chart.points.len(), 168, "{name}");
        assert!(chart.points.is_sorted_by(|a, b| a.time < b.time), "{name}");
    }
}

#[tokio::test]
async fn a_few_unreadable_candles_do_not_pause_provider() {
    for (rows, requests) in [(2, 2), (3, 1)] {
        let (binance, okx) = (world::binance(), world::okx());
        binance.respond_with(fake::json(200, format!("[{}]", vec!["7"; rows].join(","))));
        let live = Live::over(&[(Binance, &binance), (Okx, &okx)]);
        for (slug, price) in [("ordi", 8.41), ("bitcoin", 61_234.1)] {
            let (chart, reply) = chart(&live, slug, Period::Day).await;
            assert_eq!((reply.provider.as_deref(), chart.points[0].price), (Some("okx"), Some(price)), "{rows} {slug}");
        }
        assert_eq!(binance.requests().len(), requests, "{rows}");
    }
}

#[tokio::test]
async fn okx_errors_in_successful_responses_are_errors() {
    let okx = world::okx();
    let live = Live::over(&[(Okx, &okx)]);
    okx.respond_with(fake::json(200, r#"{"code":"50011","msg":"Too Many Requests","data":[]}"#));
    let request = Request::Chart { slug: "ordi".into(), period: Period::Day, convert: Currency::usd() };
    let error = live.get(&request).await.unwrap_err();
    assert!(error.to_string().contains("OKX"), "{error}");
    assert!(live.get(&request).await.is_err());
    assert_eq!(okx.requests().len(), 1, "not asked again while rate-limited");
}

#[tokio::test]
async fn bundle_price_is_converted_to_single_coin() {
    let binance = world::binance();
    let live = Live::over(&[(Binance, &binance)]);
    let (chart, _) = chart(&live, "sats-ordinals", Period::Day).await;
    assert!((chart.points[0].price.unwrap() - 1.1e-7).abs() < 1e-15);
}

#[tokio::test]
async fn chart_of_coin_not_on_binance_comes_from_coingecko() {
    let (cmc, binance, gecko) = (world::coinmarketcap(), world::binance(), world::coingecko());
    let live = Live::over(&[(CoinMarketCap, &cmc), (Binance, &binance), (CoinGecko, &gecko)]);
    // No list contains it yet: its slug is looked up, then CoinGecko's coins of that symbol.
    let (chart, reply) = chart(&live, "other-7", Period::Week).await;
    assert_eq!((chart.points.len(), reply.provider.as_deref()), (169, Some("coingecko")));
    assert_eq!(cmc.paths(), ["/v3/cryptocurrency/quotes/latest"]);
    assert_eq!(gecko.paths(), ["/coins/markets", "/coins/other-7/market_chart"]);
    assert_eq!(binance.paths(), ["/api/v3/exchangeInfo"], "no symbol is guessed");
}

#[tokio::test]
async fn chart_falls_back_to_defillama() {
    let (binance, gecko, llama) = (world::binance(), world::coingecko(), world::defillama());
    binance.respond_with(fake::json(451, "not in your country"));
    gecko.respond_with(fake::html(403));
    let live = Live::over(&[(Binance, &binance), (CoinGecko, &gecko), (DefiLlama, &llama)]);
    for (period, points, unit) in
        [(Period::Day, 288, "5m"), (Period::Week, 336, "30m"), (Period::Month, 180, "4h"), (Period::Quarter, 90, "1d")]
    {
        let (chart, reply) = chart(&live, "ordi", period).await;
        assert_eq!((chart.points.len(), reply.provider.as_deref()), (points, Some("defillama")), "{period:?}");
        assert_eq!(llama.requests().pop().unwrap().query("period"), unit);
    }
    assert_eq!((binance.requests().len(), gecko.requests().len()), (1, 1), "both are paused for a day");
}

#[tokio::test]
async fn series_of_all_coins_are_one_request() {
    let llama = world::defillama();
    let live = Live::over(&[(DefiLlama, &llama)]);
    let (answer, reply) = series(&live, &["BTC", "ORDI", "SATS"], 24, "1h").await;
    let shape: Vec<_> = answer.iter().map(|one| (one.symbol.as_str(), one.points.len())).collect();
    assert_eq!(shape, [("BTC", 24), ("ORDI", 24), ("SATS", 24)]);
    assert_eq!(reply.provider.as_deref(), Some("defillama"));
    assert_eq!(llama.paths(), ["/chart/coingecko:bitcoin,coingecko:ordinals,coingecko:sats-ordinals"]);
    // An unsupported interval is built from smaller steps.
    let (answer, _) = series(&live, &["BTC"], 40, "15m").await;
    assert_eq!((answer[0].points.len(), answer[0].interval.as_deref()), (40, Some("15m")));
    assert_eq!(llama.requests().pop().unwrap().query("span"), "120");
}

#[tokio::test]
async fn series_of_many_coins_look_up_their_ids_in_one_request() {
    let (cmc, gecko, llama) = (world::coinmarketcap(), world::coingecko(), world::defillama());
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko), (DefiLlama, &llama)]);
    live.coins(Tag::All, 1, 200).await;
    let symbols: Vec<String> = (1..=40).map(|n| format!("O{n}")).collect();
    let symbols: Vec<&str> = symbols.iter().map(String::as_str).collect();
    let (found, reply) = series(&live, &symbols, 42, "4h").await;
    assert_eq!((found.len(), reply.provider.as_deref()), (40, Some("defillama")));
    assert_eq!(gecko.paths(), ["/coins/markets"; 2], "market caps of built-in coins, and all ids");
    // A coin that another screen adds is looked up alone.
    series(&live, &[&symbols[..], &["O41"]].concat(), 42, "4h").await;
    let lookups: Vec<String> = gecko.requests().iter().map(|request| request.query("symbols").to_owned()).collect();
    assert_eq!((lookups.len(), lookups[2].as_str()), (3, "o41"));
}

#[tokio::test]
async fn coins_without_a_match_are_looked_up_once() {
    let (cmc, gecko, llama) = (world::coinmarketcap(), world::coingecko(), world::defillama());
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko), (DefiLlama, &llama)]);
    live.coins(Tag::All, 1, 200).await;
    gecko.respond_with(fake::json(200, "[]"));
    for count in [42, 43, 44] {
        let (found, _) = series(&live, &["BTC", "O1", "O2"], count, "4h").await;
        assert_eq!(found.len(), 1, "{found:?}");
    }
    assert_eq!(gecko.requests().len(), 2, "market caps of built-in coins, and one lookup");
}

#[tokio::test]
async fn coins_that_a_provider_lacks_come_from_the_next_ones() {
    let (llama, binance, okx) = (world::defillama(), world::binance(), world::okx());
    llama.edit(|_, mut response| {
        let mut body: Value = serde_json::from_slice(&response.body).unwrap();
        body["coins"].as_object_mut().unwrap().retain(|id, _| id == "coingecko:bitcoin");
        response.body = body.to_string().into_bytes();
        response
    });
    let live = Live::over(&[(DefiLlama, &llama), (Binance, &binance), (Okx, &okx)]);
    for _ in 0..2 {
        let (answer, reply) = series(&live, &["BTC", "ORDI", "SATS"], 24, "1h").await;
        let last = |series: &MarketSeries| series.points.last().and_then(|point| point.price).unwrap();
        let shape: Vec<_> = answer.iter().map(|one| (one.symbol.as_str(), one.points.len(), last(one))).collect();
        assert_eq!(shape, [("BTC", 24, 61_234.1), ("ORDI", 24, 8.41), ("SATS", 24, 1.1e-7)]);
        assert_eq!((reply.provider.as_deref(), reply.warnings.len()), (Some("defillama, binance"), 0));
    }
    let symbols: Vec<String> = binance
        .requests()
        .iter()
        .filter(|request| request.path.ends_with("klines"))
        .map(|one| one.query("symbol").into())
        .collect();
    assert_eq!(symbols, ["ORDIUSDT", "1000SATSUSDT"], "only the missing ones, once");
    assert_eq!((llama.requests().len(), okx.requests().len()), (1, 0));
    // The others are shown with the reason why one is missing.
    binance.respond_with(fake::html(451));
    okx.respond_with(fake::json(500, "{}"));
    let (answer, reply) = series(&live, &["BTC", "ORDI"], 42, "4h").await;
    assert_eq!(answer.iter().map(|one| one.symbol.as_str()).collect::<Vec<_>>(), ["BTC"]);
    assert_eq!(reply.warnings.len(), 1, "{:?}", reply.warnings);
    assert!(reply.warnings[0].starts_with("Binance: request failed (451)"), "{:?}", reply.warnings);
}
